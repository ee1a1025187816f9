//! Greedy: take the nearest applicable task that nobody was heard on.

use crate::baseline::{Baseline, BaselineParams};
use crate::{Boot, Missing, Plugin};
use crewlab_onboard::{Choice, Coordinator, Event, EventKind, Message, Output, Reason, Situation, Skills};
use serde::{Deserialize, Serialize};

/// Greedy on one robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Greedy(Baseline);

impl Plugin for Greedy {
    const SUMMARY: &'static str = "takes the nearest applicable task that no other robot is heard working on, and keeps it until it is done";
    const KEEPS: bool = true;
    type Params = BaselineParams;

    fn boot(params: &BaselineParams, _boot: &Boot) -> Result<Greedy, Vec<Missing>> {
        Ok(Greedy(Baseline::new(params)))
    }
}

impl Coordinator for Greedy {
    fn decide(
        &mut self,
        situation: &Situation,
        skills: &dyn Skills,
        inbox: &[Message],
        out: &mut Output,
    ) -> Option<Choice> {
        self.0.attend(situation, skills, inbox, out);
        // A task that is twice as urgent may be twice as far away.
        let cost = |choice: Choice| {
            let task = situation.me.behaviour(choice.behaviour).task;
            skills.cost(choice, situation) / skills.urgency(task)
        };
        let costs = self.0.choices(situation, skills).into_iter().map(|choice| (choice, cost(choice)));
        let nearest = costs.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(choice, cost)| {
            let event = Event::new(EventKind::Activated).reason(Reason::Nearest);
            (choice, event.with("cost", cost))
        });
        self.0.go_on(nearest, situation, out)
    }
}
