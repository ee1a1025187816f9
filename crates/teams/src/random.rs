//! Random: take any applicable task that nobody was heard on.

use crate::baseline::{Baseline, BaselineParams};
use crate::{Boot, Missing, Plugin};
use crewlab_onboard::{Choice, Coordinator, Event, EventKind, Message, Output, Reason, Situation, Skills};
use serde::{Deserialize, Serialize};

/// Random choice on one robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Random(Baseline);

impl Plugin for Random {
    const SUMMARY: &'static str = "takes a random applicable task that no other robot is heard working on, and keeps it until it is done";
    const KEEPS: bool = true;
    type Params = BaselineParams;

    fn boot(params: &BaselineParams, _boot: &Boot) -> Result<Random, Vec<Missing>> {
        Ok(Random(Baseline::new(params)))
    }
}

impl Coordinator for Random {
    fn decide(
        &mut self,
        situation: &Situation,
        skills: &dyn Skills,
        inbox: &[Message],
        out: &mut Output,
    ) -> Option<Choice> {
        self.0.attend(situation, skills, inbox, out);
        let free = self.0.choices(situation, skills);
        let chosen = free.get(out.random.below(free.len())).map(|&choice| {
            let event = Event::new(EventKind::Activated).reason(Reason::Drawn);
            (choice, event.with("choices", free.len() as f64))
        });
        self.0.go_on(chosen, situation, out)
    }
}
