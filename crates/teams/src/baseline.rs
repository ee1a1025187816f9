//! What the baselines share: they keep a task until it is done or a team-mate with precedence has it too, and differ
//! only in how they pick the next one.

use crate::hearing::{Hearing, keeps};
use crate::voice::Voice;
use crewlab_onboard::{BehaviourId, Event, Message, Output, Situation, Skills};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Parameters of the baselines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct BaselineParams {
    /// How often a robot states what it does.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "1/s"))]
    pub broadcast_rate: f64,
    /// Silence after which a team-mate counts as gone.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub time_allowed_till_ceased: f64,
}

impl Default for BaselineParams {
    fn default() -> Self {
        BaselineParams { broadcast_rate: 1.0, time_allowed_till_ceased: 5.0 }
    }
}

/// A baseline's memory on one robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Baseline {
    params: BaselineParams,
    active: Option<BehaviourId>,
    voice: Voice,
    hearing: Hearing,
}

impl Baseline {
    pub(crate) fn new(params: &BaselineParams) -> Baseline {
        Baseline {
            params: params.clone(),
            active: None,
            voice: Voice::default(),
            hearing: Hearing::default(),
        }
    }

    /// Takes in what was heard and drops the active set if it must.
    pub(crate) fn attend(
        &mut self,
        situation: &Situation,
        skills: &dyn Skills,
        inbox: &[Message],
        out: &mut Output,
    ) {
        for message in inbox {
            self.hearing.note(situation.now, situation.tasks, message);
        }
        if let Some(id) = self.active {
            self.reconsider(id, situation, skills, out);
        }
    }

    /// Makes `chosen` the active set and states what the robot does.
    pub(crate) fn go_on(
        &mut self,
        chosen: Option<(BehaviourId, Event)>,
        situation: &Situation,
        skills: &dyn Skills,
        out: &mut Output,
    ) -> Option<BehaviourId> {
        if let Some((id, event)) = chosen {
            out.explain(event.about(id, situation.me.behaviour(id).task));
            (self.active, self.voice) = (Some(id), Voice::default());
        }
        if let Some(id) = self.active {
            self.speak(id, situation, skills, out);
        }
        self.active
    }

    /// The sets to choose from; none while one is active.
    pub(crate) fn choices<'a>(
        &'a self,
        situation: &'a Situation,
        skills: &'a dyn Skills,
    ) -> impl Iterator<Item = BehaviourId> + 'a {
        let idle = self.active.is_none();
        situation
            .me
            .behaviours()
            .map(|(id, _)| id)
            .filter(move |id| idle && self.free(*id, situation, skills))
    }

    /// Drops the active set if it is done or a team-mate with precedence works on the same exclusive task.
    fn reconsider(&mut self, id: BehaviourId, situation: &Situation, skills: &dyn Skills, out: &mut Output) {
        let (me, task, subject) = (situation.me, situation.me.behaviour(id).task, skills.subject(id));
        let event = if !skills.applicable(id, situation) {
            Event::new("ended", "no longer applicable")
        } else if let Some(other) = self.hearing.about(task, subject).iter().find(|h| {
            exclusive(situation, id)
                && h.working_within(situation.now, self.params.time_allowed_till_ceased)
                && !keeps(me.priority, me.id, h)
        }) {
            Event::new("yielded", "a team-mate of lower priority number works on the task").by(other.from())
        } else {
            return;
        };
        self.active = None;
        out.explain(event.about(id, task));
        if exclusive(situation, id) {
            self.voice.end(task, subject, situation, out);
        }
    }

    /// True if the set makes sense and nobody else was heard on its exclusive task.
    fn free(&self, id: BehaviourId, situation: &Situation, skills: &dyn Skills) -> bool {
        let task = situation.me.behaviour(id).task;
        let taken = exclusive(situation, id)
            && self
                .hearing
                .about(task, skills.subject(id))
                .iter()
                .any(|h| h.working_within(situation.now, self.params.time_allowed_till_ceased));
        !taken && skills.applicable(id, situation)
    }

    /// States the task at the broadcast rate. Shared tasks need no claim, so nothing is said about them.
    fn speak(&mut self, id: BehaviourId, situation: &Situation, skills: &dyn Skills, out: &mut Output) {
        if exclusive(situation, id) {
            let (task, subject) = (situation.me.behaviour(id).task, skills.subject(id));
            self.voice.work(task, subject, self.params.broadcast_rate, situation, out);
        }
    }
}

fn exclusive(situation: &Situation, id: BehaviourId) -> bool {
    situation.tasks[usize::from(situation.me.behaviour(id).task.0)].exclusive
}
