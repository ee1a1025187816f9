//! What a robot has heard from its team-mates: the last of each kind, not the messages.

use super::council::{Ballot, Member};
use super::graph::NodeId;
use super::talk::Offer;
use super::team::FrameId;
use crewlab_onboard::{RobotId, Time};
use serde::{Deserialize, Serialize};

/// What was heard from one robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Mate {
    /// The robot, in the life that it was last heard in.
    pub member: Member,
    /// When it was last heard.
    pub heard: Time,
    /// How far it knows the record.
    pub slot: u32,
    /// The highest ballot that it knows.
    pub promised: Option<Ballot>,
    /// Behaviours that it has ended.
    pub ended: Vec<FrameId>,
    /// Behaviours that it cannot begin.
    pub unable: Vec<FrameId>,
    /// Behaviours whose preconditions hold, as far as it knows.
    pub enabled: Vec<NodeId>,
    /// True if the operator has it.
    pub taken: bool,
    /// Since when it has said that it hears too few to take part.
    pub alone: Option<Time>,
    /// What it could do below a frame.
    pub offers: Option<(FrameId, Vec<Offer>)>,
    /// Its contribution to a decision.
    pub contribution: Option<(FrameId, u16, Vec<f32>)>,
    /// The way that it goes.
    pub went: Option<(FrameId, u16, NodeId)>,
}

/// All that were heard, in the order of their ids.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Mates(Vec<Mate>);

impl Mates {
    /// Notes that a robot was heard, and gives its entry. What it said in an earlier life is forgotten.
    pub fn note(&mut self, member: Member, now: Time) -> &mut Mate {
        let fresh = Mate {
            member,
            heard: now,
            slot: 0,
            promised: None,
            ended: Vec::new(),
            unable: Vec::new(),
            enabled: Vec::new(),
            taken: false,
            alone: None,
            offers: None,
            contribution: None,
            went: None,
        };
        let place = match self.0.binary_search_by_key(&member.robot, |mate| mate.member.robot) {
            Ok(place) => {
                if self.0[place].member.life != member.life {
                    self.0[place] = fresh;
                }
                place
            }
            Err(place) => {
                self.0.insert(place, fresh);
                place
            }
        };
        self.0[place].heard = now;
        &mut self.0[place]
    }

    /// What was heard from a robot.
    pub fn of(&self, robot: RobotId) -> Option<&Mate> {
        let place = self.0.binary_search_by_key(&robot, |mate| mate.member.robot).ok()?;
        Some(&self.0[place])
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Mate> {
        self.0.iter()
    }

    /// True if the robot, in this life, was heard within the span. [s]
    pub fn hears(&self, member: Member, now: Time, span: f64) -> bool {
        self.of(member.robot).is_some_and(|mate| mate.member == member && now.within(mate.heard, span))
    }

    /// The same, and it hears its team: a robot that is deaf goes on talking and can take no part.
    pub fn takes_part(&self, member: Member, now: Time, span: f64) -> bool {
        let alone = |mate: &Mate| mate.alone.is_some_and(|since| !now.within(since, span));
        self.hears(member, now, span) && !self.of(member.robot).is_some_and(alone)
    }

    /// A clock that was set back makes nobody silent: what was heard in the future was heard now.
    pub fn settle(&mut self, now: Time) {
        for mate in &mut self.0 {
            mate.heard = mate.heard.min(now);
            mate.alone = mate.alone.map(|since| since.min(now));
        }
    }
}
