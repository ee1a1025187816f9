//! The auctioneer's ledger: every piece of work it is responsible for, until it is done, given up, or no longer wanted.

use super::talk::{Engaged, RoundId};
use crewlab_onboard::{Piece, RobotId, TaskId, Time};
use serde::{Deserialize, Serialize};

/// Largest number of pieces of work.
const MOST: usize = 4096;

/// Work that was not requested within this time is not announced. [s]
const ASKED_FOR: f64 = 3.0;
/// Largest number of different errors counted per piece of work.
const MOST_ERRORS: usize = 16;

/// A robot that does a part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Doer {
    pub robot: RobotId,
    /// The reward of its part, once it is done.
    pub reward: Option<f64>,
}

/// The state of a piece of work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Standing {
    /// To be announced, not before some time.
    Open { not_before: Time },
    /// In the current auction.
    Negotiated,
    /// Assigned.
    Executed { engaged: Engaged, doers: Vec<Doer>, since: Time },
    /// All parts were reported done.
    Done { at: Time },
    /// Given up. `hopeless` if nobody can do it.
    GivenUp { at: Time, hopeless: bool },
    /// Given up by the operator, while it is wanted.
    Dropped,
}

/// One piece of work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LedgerEntry {
    pub piece: Piece,
    pub standing: Standing,
    /// When it was last requested.
    pub wanted: Time,
    /// How often it was announced.
    pub rounds: u32,
    /// Number of consecutive auctions without a taker, since a robot became free.
    pub no_sales: u32,
    /// Number of consecutive auctions without a taker, since the operator was last asked about it.
    pub unsold: u32,
    /// How often the operator answered to keep trying.
    pub encouraged: u32,
    /// True once the operator gave it up: it is not announced any more.
    pub dropped: bool,
    /// The last auction whose award failed: robots that still mention it have not heard of the failure.
    pub void: Option<RoundId>,
    /// Errors that ended it, and how often each did.
    pub errors: Vec<(String, u32)>,
}

/// All pieces of work, by task and subject.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ledger(Vec<LedgerEntry>);

impl Ledger {
    /// Records a request for a piece of work; true if it is new.
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
                    LedgerEntry {
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

    pub fn get_mut(&mut self, piece: Piece) -> Option<&mut LedgerEntry> {
        self.0.binary_search_by_key(&piece, |entry| entry.piece).ok().map(|place| &mut self.0[place])
    }

    pub fn get(&self, piece: Piece) -> Option<&LedgerEntry> {
        self.0.binary_search_by_key(&piece, |entry| entry.piece).ok().map(|place| &self.0[place])
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// All pieces of work, to tell others who is responsible for them.
    pub fn pieces(&self) -> Vec<Piece> {
        self.0.iter().map(|entry| entry.piece).collect()
    }

    pub fn retain(&mut self, keep: impl FnMut(&LedgerEntry) -> bool) {
        self.0.retain(keep);
    }

    /// A robot has become free: postponed work may find a taker.
    pub fn hurry(&mut self) {
        for entry in &mut self.0 {
            if matches!(entry.standing, Standing::Open { .. }) {
                entry.no_sales = 0;
                entry.reopen();
            }
        }
    }

    /// The work to announce now.
    pub fn open(&self, now: Time) -> Vec<Piece> {
        let open = |entry: &&LedgerEntry| match entry.standing {
            // A postponement to the far future is from before the clock was set back.
            Standing::Open { not_before } => {
                let due = not_before <= now || not_before.since(now) > 3600.0;
                // Work that nobody requests is not announced: it may have been cancelled.
                due && (entry.wanted > now || now.within(entry.wanted, ASKED_FOR))
            }
            _ => false,
        };
        self.0.iter().filter(open).map(|entry| entry.piece).collect()
    }
}

impl LedgerEntry {
    /// Counts an error; true if it has happened too often.
    pub fn err(&mut self, why: &str, attempts: u32) -> bool {
        if let Some((_, count)) = self.errors.iter_mut().find(|(known, _)| known == why) {
            *count += 1;
        } else if self.errors.len() < MOST_ERRORS {
            self.errors.push((why.into(), 1));
        }
        self.errors.iter().any(|(known, count)| known == why && *count >= attempts)
    }

    /// Nobody took it: announces it again after a pause, twice as long each time, up to 16 times as long.
    pub fn put_off(&mut self, seconds: f64, now: Time) {
        let wait = seconds * f64::from(1u32 << self.no_sales.min(4));
        self.no_sales = self.no_sales.saturating_add(1);
        self.unsold = self.unsold.saturating_add(1);
        self.open(now.after((wait * 1e9) as u64));
    }

    /// Announces it again at once.
    pub fn reopen(&mut self) {
        if let Standing::Executed { engaged, .. } = &self.standing {
            self.void = Some(engaged.round);
        }
        self.open(Time::ZERO);
    }

    /// Announces it from some time on, unless the operator has given it up.
    fn open(&mut self, not_before: Time) {
        self.standing = if self.dropped { Standing::Dropped } else { Standing::Open { not_before } };
    }

    /// The operator gives it up. Work that is assigned or being auctioned continues.
    pub fn drop(&mut self) {
        self.dropped = true;
        if matches!(self.standing, Standing::Open { .. }) {
            self.standing = Standing::Dropped;
        }
    }

    /// True if it lacked a taker so often that the operator must be asked: twice as often after each answer to keep trying.
    pub fn doubtful(&self, ask_after: u32) -> bool {
        let often = u64::from(ask_after) << self.encouraged.min(31);
        ask_after > 0 && !self.dropped && u64::from(self.unsold) >= often
    }
}

/// All parts of an alternative and who does them, not done yet.
pub fn doers(members: impl Iterator<Item = RobotId>) -> Vec<Doer> {
    members.map(|robot| Doer { robot, reward: None }).collect()
}

/// True if a piece of work can be auctioned at all: exclusive, and not a part of another one's plan.
pub fn auctioned(tasks: &[crewlab_onboard::TaskSpec], task: TaskId) -> bool {
    tasks.get(usize::from(task.0)).is_some_and(|spec| spec.exclusive && !spec.part)
}
