//! The objectives of a swarm, and how much each is wanted now.

use crewlab_onboard::{Body, Message, OPERATOR, Situation, TaskId, TaskSpec};
use serde::{Deserialize, Serialize};

/// An objective. Each is a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Objective {
    /// See as much of the field as possible, again and again.
    Explore,
    /// Stay around a guidance vehicle.
    Escort,
    /// Keep a network that covers as much as possible.
    Connect,
}

/// All objectives, in the order of their tasks.
pub const ALL: [Objective; 3] = [Objective::Explore, Objective::Escort, Objective::Connect];

impl Objective {
    /// The task.
    pub fn task(self) -> TaskId {
        TaskId(self as u16)
    }

    /// Its name, and that of its task and behaviour set.
    pub fn name(self) -> &'static str {
        match self {
            Objective::Explore => "explore",
            Objective::Escort => "escort",
            Objective::Connect => "connect",
        }
    }
}

/// How much each objective is wanted: 0 for one that is not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Wanted {
    weights: Option<[f64; 3]>,
    /// Lamport time of the last order by a guidance vehicle.
    ordered: u64,
    /// What a guidance vehicle has ordered last, and the operator, task by task. Orders are repeated: only a new one counts, whoever
    /// gives it.
    by_vehicle: Option<[f64; 3]>,
    by_operator: [Option<f64>; 3],
}

fn weight(open: bool, weight: f64) -> f64 {
    if open && weight.is_finite() { weight.max(0.0) } else { 0.0 }
}

impl Wanted {
    /// The weight of an objective.
    pub(super) fn weight(&self, objective: Objective) -> f64 {
        self.weights.map_or(0.0, |weights| weights[objective as usize])
    }

    /// The weights.
    pub(super) fn all(&self) -> [f64; 3] {
        self.weights.unwrap_or_default()
    }

    /// Reads the operator's orders.
    pub(super) fn listen(&mut self, situation: &Situation, inbox: &[Message]) {
        let at_first = |task: Option<&TaskSpec>| task.map_or(0.0, |task| weight(task.open, task.weight));
        let weights = self
            .weights
            .get_or_insert_with(|| ALL.map(|objective| at_first(situation.task(objective.task()))));
        for message in inbox.iter().filter(|message| message.from == OPERATOR) {
            if let Body::Order { task, open, weight: urgency } = message.body
                && let Some(known) = weights.get_mut(usize::from(task.0))
                && let Some(before) = self.by_operator.get_mut(usize::from(task.0))
            {
                let now = weight(open, urgency);
                if before.replace(now) != Some(now) {
                    *known = now;
                }
            }
        }
    }

    /// Obeys the order of a guidance vehicle, unless a later one is known. True if something changes.
    pub(super) fn obey(&mut self, weights: [f32; 3], lamport: u64) -> bool {
        if lamport <= self.ordered {
            return false;
        }
        self.ordered = lamport;
        let weights = weights.map(|share| weight(true, f64::from(share)));
        self.by_vehicle.replace(weights) != Some(weights) && self.weights.replace(weights) != Some(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::{Datasheet, Identity, NoRadio, Percept, RobotId, Time};

    #[test]
    fn only_later_orders_of_guidance_vehicles_count() {
        let mut wanted = Wanted::default();
        assert!(wanted.obey([1.0, 0.0, 2.0], 5));
        assert!(!wanted.obey([0.0, 1.0, 0.0], 4), "an old one");
        assert!(!wanted.obey([1.0, 0.0, 2.0], 9), "the same again");
        assert!(wanted.obey([f32::NAN, -1.0, 1.0], 10));
        assert_eq!(wanted.all(), [0.0, 0.0, 1.0], "what is no weight is none");
    }

    #[test]
    fn the_last_new_order_counts_whoever_repeats_an_older_one() {
        let mut wanted = Wanted::default();
        let percept = Percept::default();
        let me = Identity {
            id: RobotId(0),
            name: String::new(),
            robot_type: String::new(),
            priority: 0,
            datasheet: Datasheet {
                radius: 0.4,
                max_speed: 3.0,
                max_turn: 1.0,
                sensors: Vec::new(),
                effectors: Vec::new(),
                further: Vec::new(),
            }
            .into(),
            behaviours: Vec::new().into(),
            floor_plan: Default::default(),
            slam: Default::default(),
        };
        let situation =
            Situation { now: Time::ZERO, dt: 0.1, me: &me, tasks: &[], percept: &percept, radio: &NoRadio };
        let operator = |weight: f64| {
            let body = Body::Order { task: Objective::Connect.task(), open: true, weight };
            [Message { from: OPERATOR, number: 1, lamport: 1, body }]
        };
        wanted.obey([1.0, 0.0, 0.0], 1);
        wanted.listen(&situation, &operator(3.0));
        assert_eq!(wanted.all(), [1.0, 0.0, 3.0]);
        assert!(!wanted.obey([1.0, 0.0, 0.0], 2), "the vehicle repeats its order");
        assert_eq!(wanted.all(), [1.0, 0.0, 3.0]);
        assert!(wanted.obey([0.0, 1.0, 0.0], 3), "the vehicle orders something else");
        wanted.listen(&situation, &operator(3.0));
        assert_eq!(wanted.all(), [0.0, 1.0, 0.0], "the operator repeats an order");
        wanted.listen(&situation, &operator(4.0));
        assert_eq!(wanted.all(), [0.0, 1.0, 4.0]);
    }
}
