//! The robot as the engine knows it: its skills and its plan.

use super::graph::{Graph, NodeId, Variable, Work};
use super::protocols::Own;
use super::talk::Offer;
use super::team::Frame;
use super::teamwork::{End, Local};
use crate::progress::Progress;
use crewlab_expression::{Condition, Value};
use crewlab_onboard::{
    BehaviourId, Choice, Outcome, Output, Situation, Skills, Stream, Subject, TaskId, Time,
};

/// Most pieces of work that a robot offers to do at a time, the cheapest ones.
const MOST_OFFERS: usize = 12;

/// A robot during one tick.
pub(super) struct RobotNow<'a, 'b> {
    pub situation: &'a Situation<'a>,
    pub skills: &'a dyn Skills,
    pub out: &'a mut Output<'b>,
    pub graph: &'a Graph,
    /// The mission's signals, by name.
    pub signals: &'a [String],
    /// The robot's behaviour set of each behaviour that names one, and its first one for a task.
    pub sets: &'a [Option<BehaviourId>],
    /// The work of the innermost behaviour, if it has been decided.
    pub choice: Option<(u32, Choice)>,
    /// Pieces of work that the robot leaves alone for now.
    pub given_up: &'a Progress,
    /// Time since boot.
    pub uptime: Time,
    /// True if the robot is to leave its work because it gets nowhere.
    pub gives_up: bool,
    /// A reusable buffer.
    pub subjects: &'a mut Vec<Subject>,
}

impl RobotNow<'_, '_> {
    fn holds(&self, condition: &Condition<Variable>, elapsed: f64, count: u16) -> bool {
        condition.holds(|variable| {
            Value::Number(match variable {
                Variable::Signal(signal) => {
                    self.skills.signal(usize::from(*signal), self.situation).unwrap_or(0.0)
                }
                Variable::Elapsed => elapsed,
                Variable::Count => f64::from(count),
            })
        })
    }

    /// True if the robot has given a piece of work up, and leaves it to others for now.
    fn leaves(&self, choice: Choice) -> bool {
        self.given_up.pauses(self.situation.piece(choice), self.uptime)
    }

    /// True if the robot has all effectors that a behaviour needs.
    fn is_equipped(&self, node: NodeId) -> bool {
        let sheet = &self.situation.me.datasheet;
        self.graph.node(node).needs.iter().all(|need| sheet.effector(need).is_some())
    }

    /// Calls `each` with all that the robot could do now for a behaviour.
    fn possible(&mut self, node: NodeId, mut each: impl FnMut(Choice, f64)) {
        if !self.is_equipped(node) {
            return;
        }
        let mut subjects = std::mem::take(self.subjects);
        let mut try_set = |id: BehaviourId| {
            subjects.clear();
            self.skills.possible(id, self.situation, &mut subjects);
            for &subject in &subjects {
                let choice = Choice { behaviour: id, subject };
                if !self.leaves(choice) {
                    each(choice, self.skills.cost(choice, self.situation));
                }
            }
        };
        match &self.graph.node(node).work {
            Work::None => {}
            Work::Set(_) => {
                if let Some(id) = self.sets[node.index()] {
                    try_set(id);
                }
            }
            Work::Task(task) => {
                for (id, _) in self.situation.me.behaviours().filter(|(_, spec)| spec.task == *task) {
                    try_set(id);
                }
            }
        }
        *self.subjects = subjects;
    }

    /// The best that the robot could do for a behaviour, with this subject if one is given.
    pub fn best(&mut self, node: NodeId, subject: Option<Subject>) -> Option<(Choice, f64)> {
        let mut best: Option<(Choice, f64)> = None;
        self.possible(node, |choice, cost| {
            let wanted = subject.is_none_or(|subject| choice.subject == subject);
            if wanted && best.is_none_or(|(_, known)| cost < known) {
                best = Some((choice, cost));
            }
        });
        best
    }

    /// A plan may ask for the same work again, where a robot by itself sees no sense in it any more: the mission says whether it can begin.
    pub fn repeated(&self, node: NodeId) -> Option<(Choice, f64)> {
        let choice = Choice { behaviour: self.sets[node.index()]?, subject: 0 };
        let begins = self.skills.outcome(choice, self.situation) == Outcome::Ongoing;
        (begins && !self.leaves(choice) && self.is_equipped(node))
            .then(|| (choice, self.skills.cost(choice, self.situation)))
    }

    /// The first behaviour with work of its own that a behaviour leads to.
    fn first_work(&self, node: NodeId) -> Option<NodeId> {
        let mut node = node;
        // Children are acyclic, so this ends.
        loop {
            let spec = self.graph.node(node);
            if spec.work != Work::None {
                return Some(node);
            }
            node = *spec.children.first()?;
        }
    }
}

impl Own for RobotNow<'_, '_> {
    fn cost(&mut self, option: NodeId) -> Option<f64> {
        let node = self.first_work(option)?;
        self.best(node, None).map(|(_, cost)| cost)
    }

    fn cost_again(&mut self, option: NodeId) -> Option<f64> {
        let node = self.first_work(option)?;
        self.repeated(node).map(|(_, cost)| cost)
    }

    fn signal(&mut self, name: &str) -> Option<f64> {
        let place = self.signals.iter().position(|known| known == name)?;
        self.skills.signal(place, self.situation)
    }

    fn random(&mut self) -> &mut Stream {
        self.out.random
    }
}

impl Local for RobotNow<'_, '_> {
    fn end(&mut self, frame: &Frame, leaf: bool, elapsed: f64, count: u16) -> Option<End> {
        let node = self.graph.node(frame.node);
        if let Some(until) = &node.until
            && self.holds(until, elapsed, count)
        {
            return Some(End::Done);
        }
        if !leaf {
            return None;
        }
        match (self.choice, &node.work) {
            (Some((id, choice)), _) if id == frame.id => {
                let over = self.gives_up || self.skills.outcome(choice, self.situation) != Outcome::Ongoing;
                over.then_some(End::Done)
            }
            // A behaviour without work of its own lasts until its condition says so, or not at all.
            (_, Work::None) => node.until.is_none().then_some(End::Done),
            // It has not begun yet: it cannot, or it begins in this tick.
            _ => {
                let begins = elapsed <= 0.0
                    || self.best(frame.node, None).is_some()
                    || self.repeated(frame.node).is_some();
                (!begins).then_some(End::Unable)
            }
        }
    }

    fn enables(&mut self, node: NodeId, count: u16) -> bool {
        let when = &self.graph.node(node).when;
        when.as_ref().is_none_or(|when| self.holds(when, 0.0, count))
    }

    fn offers(&mut self, frame: &Frame, offers: &mut Vec<Offer>) {
        let (situation, skills) = (self.situation, self.skills);
        for &child in &self.graph.node(frame.node).children {
            let Some(node) = self.first_work(child) else { continue };
            let mut task: Option<TaskId> = None;
            self.possible(node, |choice, cost| {
                let about = *task.get_or_insert(situation.me.behaviour(choice.behaviour).task);
                let exclusive = situation.task(about).is_none_or(|spec| spec.exclusive);
                let cost = (cost / skills.urgency(about)).clamp(0.0, 1e9) as f32;
                let offer = Offer { child, subject: choice.subject, cost, exclusive };
                match offers.iter_mut().find(|known| (known.child, known.subject) == (child, choice.subject))
                {
                    Some(known) => known.cost = known.cost.min(cost),
                    None => offers.push(offer),
                }
            });
        }
        offers.retain(|offer| offer.cost.is_finite());
        if offers.len() > MOST_OFFERS {
            offers.sort_by(|a, b| {
                a.cost.total_cmp(&b.cost).then((a.child, a.subject).cmp(&(b.child, b.subject)))
            });
            offers.truncate(MOST_OFFERS);
            offers.sort_by_key(|offer| (offer.child, offer.subject));
        }
    }

    fn is_taken(&self) -> bool {
        self.situation.percept.stopped
    }

    fn ask(&mut self, text: &str, choices: &[&str]) -> u32 {
        self.out.ask(text, choices, None)
    }

    fn withdraw(&mut self, question: u32) {
        self.out.withdraw(question);
    }
}
