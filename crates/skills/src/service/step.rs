//! The behaviour sets and their steps: one per action of their plans.

use crewlab_onboard::BehaviourSpec;
use serde::{Deserialize, Serialize};

/// A behaviour set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Set {
    /// Ask a person what they want.
    Order,
    /// Take a cup to a person.
    Fetch,
    /// Take a cup to a person and say a kind word.
    Bring,
    /// Take a cup to the partner, who brings it.
    FetchToPartner,
    /// Take a cup from the partner and bring it.
    BringFromPartner,
}

/// The step of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Drive to where the cup can be grasped.
    GoToCup,
    /// Grasp it.
    Grasp,
    /// Drive to the person.
    GoToPerson,
    /// Give the person the cup.
    HandOver,
    /// Ask for the order.
    Ask,
    /// Say a kind word.
    Attend,
    /// Drive to the partner.
    GoToPartner,
    /// Hold the cup out to the partner.
    Offer,
    /// Drive to where the partner comes to.
    GoToMeeting,
    /// Take the cup from the partner.
    Take,
}

impl Set {
    /// The set of a plan.
    pub fn of(spec: &BehaviourSpec) -> Set {
        match spec.name.as_str() {
            "order" => Set::Order,
            "fetch" => Set::Fetch,
            "bring" => Set::Bring,
            "fetch-to-partner" => Set::FetchToPartner,
            _ => Set::BringFromPartner,
        }
    }

    /// Its steps, one per action.
    pub fn steps(self) -> &'static [Step] {
        use Step as S;
        match self {
            Set::Order => &[S::GoToPerson, S::Ask],
            Set::Fetch => &[S::GoToCup, S::Grasp, S::GoToPerson, S::HandOver],
            Set::Bring => &[S::GoToCup, S::Grasp, S::GoToPerson, S::HandOver, S::Attend],
            Set::FetchToPartner => &[S::GoToCup, S::Grasp, S::GoToPartner, S::Offer],
            Set::BringFromPartner => &[S::GoToMeeting, S::Take, S::GoToPerson, S::HandOver, S::Attend],
        }
    }

    /// The first step with the cup in the hand.
    pub const LOADED: usize = 2;

    /// True if it ends with a dialog.
    pub fn attends(self) -> bool {
        matches!(self, Set::Bring | Set::BringFromPartner)
    }
}
