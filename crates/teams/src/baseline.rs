//! The common part of the baselines: they keep a task until it is done or a team-mate with precedence has it too, and differ
//! only in how they choose the next one.

use crate::hearing::{Hearing, keeps};
use crate::voice::Voice;
use crewlab_onboard::{
    BehaviourId, Choice, Event, EventKind, Message, Output, Reason, Situation, Skills, Subject,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Parameters of the baselines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct BaselineParams {
    /// Rate at which a robot states what it does.
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
    active: Option<Choice>,
    voice: Voice,
    hearing: Hearing,
    /// A reusable buffer.
    #[serde(skip)]
    subjects: Vec<Subject>,
}

impl Baseline {
    pub(crate) fn new(params: &BaselineParams) -> Baseline {
        Baseline {
            params: params.clone(),
            active: None,
            voice: Voice::default(),
            hearing: Hearing::default(),
            subjects: Vec::new(),
        }
    }

    /// Processes messages and drops the active set if it must.
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
        if let Some(choice) = self.active {
            self.reconsider(choice, situation, skills, out);
        }
    }

    /// Activates `chosen` and states what the robot does.
    pub(crate) fn go_on(
        &mut self,
        chosen: Option<(Choice, Event)>,
        situation: &Situation,
        out: &mut Output,
    ) -> Option<Choice> {
        if let Some((choice, event)) = chosen {
            let task = situation.me.behaviour(choice.behaviour).task;
            out.explain(event.about(choice.behaviour, task).subject(choice.subject));
            (self.active, self.voice) = (Some(choice), Voice::default());
        }
        if let Some(choice) = self.active {
            self.speak(choice, situation, out);
        }
        self.active
    }

    /// The candidates: applicable sets whose tasks nobody else was heard on; empty while the robot is at work.
    pub(crate) fn choices(&mut self, situation: &Situation, skills: &dyn Skills) -> Vec<Choice> {
        let mut choices = Vec::new();
        if self.active.is_none() {
            for (id, _) in situation.me.behaviours() {
                skills.possible(id, situation, &mut self.subjects);
                choices.extend(self.subjects.iter().map(|&subject| Choice { behaviour: id, subject }));
            }
        }
        choices.retain(|choice| !self.taken(*choice, situation));
        choices
    }

    /// Drops the active set if it is done or a team-mate with precedence works on the same exclusive task.
    fn reconsider(&mut self, choice: Choice, situation: &Situation, skills: &dyn Skills, out: &mut Output) {
        let (me, id) = (situation.me, choice.behaviour);
        let (task, subject) = (me.behaviour(id).task, choice.subject);
        skills.possible(id, situation, &mut self.subjects);
        let possible = self.subjects.contains(&subject);
        let event = if !possible {
            Event::new(EventKind::Ended).reason(Reason::NoLongerApplicable)
        } else if let Some(other) = self.hearing.about(task, subject).iter().find(|h| {
            exclusive(situation, id)
                && h.working_within(situation.now, self.params.time_allowed_till_ceased)
                && !keeps(me.priority, me.id, h)
        }) {
            Event::new(EventKind::Yielded).reason(Reason::Outranked).by(other.from())
        } else {
            return;
        };
        self.active = None;
        out.explain(event.about(id, task).subject(subject));
        if exclusive(situation, id) {
            self.voice.end(task, subject, situation, out);
        }
    }

    /// True if somebody else was heard on the exclusive task.
    fn taken(&self, choice: Choice, situation: &Situation) -> bool {
        let task = situation.me.behaviour(choice.behaviour).task;
        let mut heard = self.hearing.about(task, choice.subject).iter();
        exclusive(situation, choice.behaviour)
            && heard.any(|h| h.working_within(situation.now, self.params.time_allowed_till_ceased))
    }

    /// States the task at the broadcast rate. Shared tasks need no claim, so nothing is said about them.
    fn speak(&mut self, choice: Choice, situation: &Situation, out: &mut Output) {
        if exclusive(situation, choice.behaviour) {
            let task = situation.me.behaviour(choice.behaviour).task;
            self.voice.work(task, choice.subject, self.params.broadcast_rate, situation, out);
        }
    }
}

fn exclusive(situation: &Situation, id: BehaviourId) -> bool {
    situation.tasks[usize::from(situation.me.behaviour(id).task.0)].exclusive
}
