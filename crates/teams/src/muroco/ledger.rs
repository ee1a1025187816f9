//! The auctioneer's ledger: every piece of work it answers for, until it is done, given up, or nobody wants it any more.

use super::talk::{Engaged, RoundId};
use crewlab_onboard::{Piece, RobotId, TaskId, Time};
use serde::{Deserialize, Serialize};

/// More pieces of work than this are not kept.
const MOST: usize = 4096;

/// What was not asked for within this time is not announced. [s]
const ASKED_FOR: f64 = 3.0;
/// Different errors of one piece of work beyond these are not counted.
const MOST_ERRORS: usize = 16;

/// A robot that does a part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Doer {
    pub robot: RobotId,
    /// The reward that its part brought, once it is done.
    pub reward: Option<f64>,
}

/// How a piece of work stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Standing {
    /// To be announced, not before some time.
    Open { not_before: Time },
    /// In the present auction.
    Negotiated,
    /// Somebody does it.
    Executed { engaged: Engaged, doers: Vec<Doer>, since: Time },
    /// All parts were reported done.
    Done { at: Time },
    /// Given up. `hopeless` if nobody can do it.
    GivenUp { at: Time, hopeless: bool },
    /// Given up by the operator, as long as it is wanted.
    Dropped,
}

/// One piece of work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub piece: Piece,
    pub standing: Standing,
    /// When it was last known to be wanted.
    pub wanted: Time,
    /// How often it was announced.
    pub rounds: u32,
    /// How often in a row nobody got it, since somebody became free.
    pub no_sales: u32,
    /// How often in a row nobody got it, since the operator was last asked about it.
    pub unsold: u32,
    /// How often the operator answered to keep trying.
    pub encouraged: u32,
    /// True once the operator gave it up: it is not announced any more.
    pub dropped: bool,
    /// The auction that awarded it last and came to nothing: whoever still speaks of it has not heard so.
    pub void: Option<RoundId>,
    /// Errors that ended it, and how often each did.
    pub errors: Vec<(String, u32)>,
}

/// All pieces of work, by task and subject.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ledger(Vec<Entry>);

impl Ledger {
    /// Takes note that a piece of work is wanted; true if it is new.
    pub fn want(&mut self, piece: Piece, now: Time) -> bool {
        match self.0.binary_search_by_key(&piece, |entry| entry.piece) {
            Ok(place) => {
                self.0[place].wanted = now;
                false
            }
            Err(place) if self.0.len() < MOST => {
                let standing = Standing::Open { not_before: Time::ZERO };
                self.0.insert(
                    place,
                    Entry {
                        piece,
                        standing,
                        wanted: now,
                        rounds: 0,
                        no_sales: 0,
                        unsold: 0,
                        encouraged: 0,
                        dropped: false,
                        void: None,
                        errors: Vec::new(),
                    },
                );
                true
            }
            Err(_) => false,
        }
    }

    pub fn get_mut(&mut self, piece: Piece) -> Option<&mut Entry> {
        self.0.binary_search_by_key(&piece, |entry| entry.piece).ok().map(|place| &mut self.0[place])
    }

    pub fn get(&self, piece: Piece) -> Option<&Entry> {
        self.0.binary_search_by_key(&piece, |entry| entry.piece).ok().map(|place| &self.0[place])
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// All pieces of work, for others to know who answers for them.
    pub fn pieces(&self) -> Vec<Piece> {
        self.0.iter().map(|entry| entry.piece).collect()
    }

    pub fn retain(&mut self, keep: impl FnMut(&Entry) -> bool) {
        self.0.retain(keep);
    }

    /// Somebody has become free: whatever was put off may find a taker.
    pub fn hurry(&mut self) {
        for entry in &mut self.0 {
            if matches!(entry.standing, Standing::Open { .. }) {
                entry.no_sales = 0;
                entry.reopen();
            }
        }
    }

    /// What is to be announced now.
    pub fn open(&self, now: Time) -> Vec<Piece> {
        let open = |entry: &&Entry| match entry.standing {
            // What was put off to a far future was put off before the clock was set back.
            Standing::Open { not_before } => {
                let due = not_before <= now || not_before.since(now) > 3600.0;
                // What nobody asks for is not announced: it may have been cancelled.
                due && (entry.wanted > now || now.within(entry.wanted, ASKED_FOR))
            }
            _ => false,
        };
        self.0.iter().filter(open).map(|entry| entry.piece).collect()
    }
}

impl Entry {
    /// Counts an error; true if it has happened too often.
    pub fn err(&mut self, why: &str, attempts: u32) -> bool {
        if let Some((_, count)) = self.errors.iter_mut().find(|(known, _)| known == why) {
            *count += 1;
        } else if self.errors.len() < MOST_ERRORS {
            self.errors.push((why.into(), 1));
        }
        self.errors.iter().any(|(known, count)| known == why && *count >= attempts)
    }

    /// Nobody got it: announced again after a while, twice as long each time, up to 16 times as long.
    pub fn put_off(&mut self, seconds: f64, now: Time) {
        let wait = seconds * f64::from(1u32 << self.no_sales.min(4));
        self.no_sales = self.no_sales.saturating_add(1);
        self.unsold = self.unsold.saturating_add(1);
        self.open(now.after((wait * 1e9) as u64));
    }

    /// Back to be announced at once.
    pub fn reopen(&mut self) {
        if let Standing::Executed { engaged, .. } = &self.standing {
            self.void = Some(engaged.round);
        }
        self.open(Time::ZERO);
    }

    /// To be announced from some time on, unless the operator has given it up.
    fn open(&mut self, not_before: Time) {
        self.standing = if self.dropped { Standing::Dropped } else { Standing::Open { not_before } };
    }

    /// The operator gives it up. What somebody does or may just get is not taken away.
    pub fn drop(&mut self) {
        self.dropped = true;
        if matches!(self.standing, Standing::Open { .. }) {
            self.standing = Standing::Dropped;
        }
    }

    /// True if nobody got it so often that the operator is to be asked: twice as often after each encouragement.
    pub fn doubtful(&self, ask_after: u32) -> bool {
        let often = u64::from(ask_after) << self.encouraged.min(31);
        ask_after > 0 && !self.dropped && u64::from(self.unsold) >= often
    }
}

/// All parts of an alternative and who does them, not done yet.
pub fn doers(members: impl Iterator<Item = RobotId>) -> Vec<Doer> {
    members.map(|robot| Doer { robot, reward: None }).collect()
}

/// True if a piece of work may be auctioned at all: for one robot at a time, and no part of another one's plan.
pub fn auctioned(tasks: &[crewlab_onboard::TaskSpec], task: TaskId) -> bool {
    tasks.get(usize::from(task.0)).is_some_and(|spec| spec.exclusive && !spec.part)
}
