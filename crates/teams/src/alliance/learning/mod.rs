//! L-ALLIANCE: robots measure how long they and their team-mates take for their tasks, and derive ALLIANCE's parameters
//! from it.
//!
//! [`Trials`] are the last times of one robot at one task, [`rules`] turns them into rates, `watch` follows who works on what.
//! docs/alliance.md defines what a trial is and how an aborted attempt counts.

mod learned;
mod params;
pub mod rules;
mod trials;
mod values;
mod watch;

pub use learned::{Learned, SetView, TowardView};
pub use params::{LearningParams, Memory, Phase, STRATEGIES, Start, Strategy, Times};
pub use rules::{Category, Spread};
pub use trials::Trials;
pub(in crate::alliance) use values::{memory_of, odd_time, table};

use super::motivation::{SetSettings, Toward};
use crate::Boot;
use crewlab_onboard::{
    Body, Choice, Event, EventKind, Message, Output, Reason, RobotId, Situation, Skills, TaskId, Time,
    WorkState,
};
use rules::rate;
use serde::{Deserialize, Serialize};
use trials::{LONGEST, sound};
use watch::{Attempt, End, Watch};

/// Largest number of pairs of task and team-mate that are remembered.
const MOST: usize = 4096;

/// Knowledge of one team-mate at one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Acquaintance {
    key: (TaskId, RobotId),
    trials: Trials,
}

/// How a robot learns: the scenario's parameters without the values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Knobs {
    hand_set: bool,
    strategy: Strategy,
    phase: Phase,
    /// μ.
    trials: usize,
    neutral_time: f64,
    min_delay: f64,
    max_delay: f64,
    boredom: f64,
    giving_up_factor: f64,
    broken_off_factor: f64,
}

impl Knobs {
    fn new(params: &LearningParams) -> Knobs {
        Knobs {
            hand_set: params.start == Start::HandSet,
            strategy: params.strategy,
            phase: params.phase,
            trials: params.trials.max(1) as usize,
            neutral_time: sound(params.neutral_time),
            min_delay: params.min_delay,
            max_delay: params.max_delay,
            boredom: params.boredom,
            giving_up_factor: params.giving_up_factor.max(1.0),
            broken_off_factor: params.broken_off_factor.max(1.0),
        }
    }
}

/// One robot's learning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Learner {
    knobs: Knobs,
    threshold: f64,
    /// Initial settings, one per behaviour set.
    base: Vec<SetSettings>,
    /// The task of each behaviour set.
    tasks: Vec<TaskId>,
    /// The robot's own trials, per behaviour set.
    own: Vec<Trials>,
    /// Team-mates' trials, by task and team-mate.
    others: Vec<Acquaintance>,
    /// Team-mates that were known in advance or were heard since.
    mates: Vec<RobotId>,
    /// Those of them that fell silent while working.
    absent: Vec<RobotId>,
    watch: Watch,
    /// Since when the robot has been idle.
    idle_since: Option<Time>,
    /// True if it has been idle for longer than the boredom threshold.
    bored: bool,
    /// Since when each set has had something to do.
    open_since: Vec<Option<Time>>,
    /// In the active phase: the position of each set between the shortest and the longest delay, drawn again whenever the robot
    /// becomes idle.
    luck: Vec<f64>,
    categories: Vec<Category>,
    /// True if the settings must be recomputed.
    stale: bool,
}

impl Learner {
    /// A learner with the initial knowledge of the scenario.
    pub(super) fn new(
        params: &LearningParams,
        threshold: f64,
        base: Vec<SetSettings>,
        boot: &Boot,
    ) -> Learner {
        let sets = base.len();
        let mut learner = Learner {
            knobs: Knobs::new(params),
            threshold,
            base,
            tasks: boot.me.behaviours.iter().map(|set| set.task).collect(),
            own: vec![Trials::default(); sets],
            others: Vec::new(),
            mates: boot.roster.iter().map(|(_, id)| *id).filter(|id| *id != boot.me.id).take(MOST).collect(),
            absent: Vec::new(),
            watch: Watch::default(),
            idle_since: None,
            bored: false,
            open_since: vec![None; sets],
            luck: vec![0.5; sets],
            categories: vec![Category::Best; sets],
            stale: true,
        };
        if let Some(memory) = params.values.get(&boot.me.name) {
            learner.remember(memory, boot);
        }
        learner
    }

    // Knowledge

    /// The robot's own time with a set: known or neutral; `None` if the hand-set values hold until something is known. [s]
    fn own_time(&self, set: usize) -> Option<f64> {
        self.own[set].task_time().or((!self.knobs.hand_set).then_some(self.knobs.neutral_time))
    }

    /// Knowledge of the team-mates at a task.
    fn known(&self, task: TaskId) -> &[Acquaintance] {
        let start = self.others.partition_point(|known| known.key.0 < task);
        let end = self.others.partition_point(|known| known.key.0 <= task);
        &self.others[start..end]
    }

    /// task_time of the team-mates present at a task; the neutral time if unknown. [s]
    fn rivals(&self, task: TaskId) -> impl Iterator<Item = f64> {
        let present = self.mates.iter().filter(|mate| !self.absent.contains(mate));
        present.map(move |mate| self.trials_of(*mate, task).map_or(self.knobs.neutral_time, |(_, time)| time))
    }

    /// Mean and task time of a team-mate at a task, if anything is known. [s]
    fn trials_of(&self, mate: RobotId, task: TaskId) -> Option<(f64, f64)> {
        let place = self.others.binary_search_by_key(&(task, mate), |known| known.key).ok()?;
        let trials = &self.others[place].trials;
        trials.mean().zip(trials.task_time())
    }

    /// The largest known task time of a task over all robots. [s]
    fn worst(&self, task: TaskId) -> Option<f64> {
        let own = self.sets_for(task).filter_map(|set| self.own[set].task_time());
        own.chain(self.known(task).iter().filter_map(|known| known.trials.task_time())).reduce(f64::max)
    }

    /// The sets that perform a task.
    fn sets_for(&self, task: TaskId) -> impl Iterator<Item = usize> {
        (0..self.tasks.len()).filter(move |set| self.tasks[*set] == task)
    }

    // Parameters

    fn category(&self, set: usize) -> Category {
        let Some(own) = self.own_time(set) else { return Category::Best };
        let task = self.tasks[set];
        let siblings = self.sets_for(task).filter(|other| *other != set);
        Category::of(own, self.rivals(task).chain(siblings.filter_map(|other| self.own_time(other))))
    }

    fn spread(&self) -> Spread {
        let own = (0..self.own.len()).filter_map(|set| self.own_time(set));
        let times = own.chain(self.tasks.iter().flat_map(|task| self.rivals(*task)));
        Spread::of(times, self.knobs.min_delay, self.knobs.max_delay)
    }

    /// The settings of one set from the current knowledge.
    fn setting(&self, set: usize, spread: &Spread) -> SetSettings {
        let (knobs, task, own) = (&self.knobs, self.tasks[set], self.own_time(set));
        let mut settings = self.base[set].clone();
        if knobs.strategy.adapts_impatience() {
            for known in self.known(task) {
                let Some(time) = known.trials.task_time() else { continue };
                let slow_impatience = rate(self.threshold, time);
                settings.set_toward(known.key.1, Toward { slow_impatience, time_willing_to_affect: time });
            }
            if let Some(own) = own {
                let delay = spread.delay(self.category(set), own);
                settings.fast_impatience = rate(self.threshold, delay);
            }
        }
        if knobs.strategy.adapts_acquiescence()
            && let Some(own) = own
        {
            settings.time_before_yielding = own;
            let worst = self.worst(task).unwrap_or(own);
            settings.time_before_giving_up = sound(knobs.giving_up_factor * worst);
        }
        if knobs.phase == Phase::Active {
            let delay = spread.min_delay + (spread.max_delay - spread.min_delay) * self.luck[set];
            settings.fast_impatience = rate(self.threshold, delay);
            settings.time_before_yielding = LONGEST;
        }
        settings
    }

    /// The settings of all sets, if they have changed since the last call.
    pub(super) fn news(&mut self) -> Option<Vec<SetSettings>> {
        if !std::mem::take(&mut self.stale) {
            return None;
        }
        self.categories = (0..self.own.len()).map(|set| self.category(set)).collect();
        let spread = self.spread();
        Some((0..self.own.len()).map(|set| self.setting(set, &spread)).collect())
    }

    /// True if an inactive set must not be started: in the active phase because somebody is heard at its task, otherwise because
    /// somebody present is better at it and the robot is not bored yet.
    pub(super) fn hides(&self, set: usize, somebody_at_it: bool, now: Time) -> bool {
        match self.knobs.phase {
            Phase::Active => somebody_at_it,
            Phase::Adaptive => {
                let since = self.idle_since.max(self.open_since[set]).unwrap_or(now);
                self.knobs.strategy.adapts_impatience()
                    && self.categories[set] == Category::Other
                    && now.since(since) < self.knobs.boredom
            }
        }
    }

    /// Notes whether there is something to do for a set.
    pub(super) fn look(&mut self, set: usize, open: bool, now: Time) {
        let since = &mut self.open_since[set];
        *since = if open { since.or(Some(now)) } else { None };
    }

    // Events

    /// Processes team-mates' statements, their silence, and the robot's own idle time.
    pub(super) fn attend(
        &mut self,
        situation: &Situation,
        skills: &dyn Skills,
        inbox: &[Message],
        active: Option<Choice>,
        out: &mut Output,
    ) {
        for message in inbox {
            self.hear(message, situation, skills, out);
        }
        self.notice_silence(situation, skills, out);
        self.feel_boredom(situation, active, out);
    }

    fn hear(&mut self, message: &Message, situation: &Situation, skills: &dyn Skills, out: &mut Output) {
        let Body::Heartbeat { task, subject, state, .. } = message.body else { return };
        let (from, piece) = (message.from, (task, subject));
        if usize::from(task.0) >= situation.tasks.len() || from == situation.me.id {
            return;
        }
        self.meet(from);
        let at_it = self.watch.of(from).is_some_and(|attempt| attempt.piece == piece);
        match state {
            WorkState::Working if at_it => self.watch.go_on(from, situation.now),
            WorkState::Started | WorkState::Working => {
                // It works on something else than before: the message about the end was lost.
                self.conclude_other(from, false, situation, skills, out);
                let from_start = state == WorkState::Started;
                self.watch.begin(from, piece, situation.now, from_start, situation.tasks);
            }
            WorkState::Ended if at_it => {
                self.watch.go_on(from, situation.now);
                self.conclude_other(from, true, situation, skills, out);
            }
            WorkState::Ended => {}
        }
    }

    /// A team-mate that speaks is present.
    fn meet(&mut self, robot: RobotId) {
        if !self.mates.contains(&robot) && self.mates.len() < MOST {
            self.mates.push(robot);
            self.stale = true;
        }
        if let Some(place) = self.absent.iter().position(|absent| *absent == robot) {
            self.absent.remove(place);
            self.stale = true;
        }
    }

    /// Ends the attempts of those who fell silent while working.
    fn notice_silence(&mut self, situation: &Situation, skills: &dyn Skills, out: &mut Output) {
        let silent = |attempt: &&Attempt| {
            attempt.robot != situation.me.id
                && !situation.now.within(attempt.heard, self.patience(attempt.piece.0))
        };
        let silent: Vec<RobotId> = self.watch.attempts().iter().filter(silent).map(|a| a.robot).collect();
        for robot in silent {
            self.conclude_other(robot, false, situation, skills, out);
            if self.absent.len() < MOST {
                self.absent.push(robot);
            }
            self.stale = true;
        }
    }

    /// τ for a task. [s]
    fn patience(&self, task: TaskId) -> f64 {
        let set = self.sets_for(task).next().unwrap_or(0);
        self.base.get(set).map_or(0.0, |settings| settings.time_allowed_till_ceased)
    }

    /// Ends a team-mate's attempt and learns from it. `said` is true if the team-mate reported the end itself.
    fn conclude_other(
        &mut self,
        robot: RobotId,
        said: bool,
        situation: &Situation,
        skills: &dyn Skills,
        out: &mut Output,
    ) {
        let Some(attempt) = self.watch.end(robot) else { return };
        let end = if said && self.done(&attempt, situation, skills) { End::Finished } else { End::BrokenOff };
        self.learn(&attempt, end, None, situation, out);
    }

    /// True if the robot believes that nothing of the piece is left to do.
    fn done(&self, attempt: &Attempt, situation: &Situation, skills: &dyn Skills) -> bool {
        let (task, subject) = attempt.piece;
        let periodic = situation.tasks.get(usize::from(task.0)).is_some_and(|spec| spec.every.is_some());
        let told = skills.finished(task, situation);
        let mut subjects = Vec::new();
        let mut sets = situation.me.behaviours().filter(|(_, spec)| spec.task == task).peekable();
        // A robot that cannot do the task does not observe it.
        let possible = sets.peek().is_none()
            || sets.any(|(id, _)| {
                skills.possible(id, situation, &mut subjects);
                subjects.contains(&subject)
            });
        told.is_some_and(|at| !periodic || at >= attempt.started) || !possible
    }

    /// The robot itself begins to work.
    pub(super) fn begin(&mut self, choice: Choice, situation: &Situation) {
        let piece = (situation.me.behaviour(choice.behaviour).task, choice.subject);
        self.watch.begin(situation.me.id, piece, situation.now, true, situation.tasks);
    }

    /// The robot itself stops, with the piece done or not.
    pub(super) fn stop(&mut self, choice: Choice, done: bool, situation: &Situation, out: &mut Output) {
        let Some(mut attempt) = self.watch.end(situation.me.id) else { return };
        attempt.heard = situation.now;
        let end = if done { End::Finished } else { End::BrokenOff };
        self.learn(&attempt, end, Some(usize::from(choice.behaviour.0)), situation, out);
    }

    /// Processes one attempt; `set` if it was the robot's own.
    fn learn(
        &mut self,
        attempt: &Attempt,
        end: End,
        set: Option<usize>,
        situation: &Situation,
        out: &mut Output,
    ) {
        let task = attempt.piece.0;
        let spent = attempt.heard.since(attempt.started);
        // If two robots took a task at once and one dropped it again, that gives no information about the task.
        if end == End::BrokenOff && spent <= self.patience(task) {
            return;
        }
        let time = self.judge(attempt, end, set);
        self.watch.mark(attempt.piece, end, situation.tasks);
        let Some(time) = time else { return };
        let Some(task_time) = self.record(attempt, set, time) else { return };
        self.stale = true;
        let reason = match (end, attempt.whole) {
            (End::Finished, true) => Reason::DoneWhole,
            (End::BrokenOff, _) => Reason::BrokenOff,
            _ => Reason::PartTookLong,
        };
        let mut event = Event::new(EventKind::Learned).reason(reason);
        event.task = Some(task);
        event.behaviour = set.map(|set| crewlab_onboard::BehaviourId(set as u8));
        event.other = set.is_none().then_some(attempt.robot);
        out.explain(event.with("spent", spent).with("counts", time).with("task-time", task_time));
    }

    /// The time with which an attempt counts; `None` if it gives no information. [s]
    fn judge(&self, attempt: &Attempt, end: End, set: Option<usize>) -> Option<f64> {
        let task = attempt.piece.0;
        let spent = attempt.heard.since(attempt.started);
        let known = match set {
            Some(set) => self.own.get(set)?.mean(),
            None => self.trials_of(attempt.robot, task).map(|(mean, _)| mean),
        };
        let expected = known.unwrap_or(self.knobs.neutral_time);
        match end {
            End::Finished if attempt.whole => Some(spent),
            End::Finished | End::Unknown => (spent > expected).then_some(spent),
            End::BrokenOff => {
                // A robot with only failures must not seem better than those that finished.
                let least = match known {
                    Some(mean) => mean,
                    None => self.worst(task).unwrap_or(expected).max(expected),
                };
                Some(least.max(self.knobs.broken_off_factor * spent))
            }
        }
    }

    /// Records a trial and returns the new task time. Only tasks that the robot itself can do matter.
    fn record(&mut self, attempt: &Attempt, set: Option<usize>, time: f64) -> Option<f64> {
        let key = (attempt.piece.0, attempt.robot);
        self.sets_for(key.0).next()?;
        let most = self.knobs.trials;
        let trials = match set {
            Some(set) => self.own.get_mut(set)?,
            None => self.acquaintance(key)?,
        };
        trials.add(time, most);
        trials.task_time()
    }

    fn acquaintance(&mut self, key: (TaskId, RobotId)) -> Option<&mut Trials> {
        let place = match self.others.binary_search_by_key(&key, |known| known.key) {
            Ok(place) => place,
            Err(_) if self.others.len() >= MOST => return None,
            Err(place) => {
                self.others.insert(place, Acquaintance { key, trials: Trials::default() });
                place
            }
        };
        Some(&mut self.others[place].trials)
    }

    /// Counts the robot's idle time, and draws new random positions when it becomes idle.
    fn feel_boredom(&mut self, situation: &Situation, active: Option<Choice>, out: &mut Output) {
        if active.is_some() {
            (self.idle_since, self.bored) = (None, false);
            return;
        }
        if self.idle_since.is_none() && self.knobs.phase == Phase::Active {
            self.luck.iter_mut().for_each(|luck| *luck = out.random.unit());
            self.stale = true;
        }
        let since = *self.idle_since.get_or_insert(situation.now);
        let idle = situation.now.since(since);
        if !self.bored && idle >= self.knobs.boredom {
            self.bored = true;
            if self.knobs.phase == Phase::Adaptive && self.categories.contains(&Category::Other) {
                out.explain(Event::new(EventKind::Bored).with("idle", idle));
            }
        }
    }
}

#[cfg(test)]
mod tests;
