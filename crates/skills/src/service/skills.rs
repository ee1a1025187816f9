//! A service robot's behaviour sets behind the interface that coordinators use.

use super::grasping::{choose, stand};
use super::idle::Idle;
use super::knowledge::{Guest, Knowledge};
use super::passage::Passage;
use super::step::{Set, Step};
use super::trouble::Trouble;
use super::work::{Ending, Work};
use super::{BRING_FROM_PARTNER, FETCH_TO_PARTNER, ORDER, SERVE, ServiceBriefing};
use crewlab_control::AnyController;
use crewlab_onboard::geometry::Vec2;
use crewlab_onboard::{
    BehaviourId, BehaviourSpec, Capabilities, Choice, Command, Constraint, Controller, Duty, Identity,
    Message, Outcome, Output, Performer, Piece, Setback, Situation, Skills, Subject, TaskId, Time,
};
use serde::{Deserialize, Serialize};

/// Time during which a robot does not retry what failed for no visible reason. [s]
const SHUNNED: f64 = 30.0;
/// A failure is forgotten after this time. [s]
const FORGOTTEN: f64 = 960.0;
/// Mean speed of robots as a share of their highest speed.
const PACE: f64 = 0.8;

/// The behaviour sets of service robots; `utility` is that of taking a cup to a person. [s]
pub fn sets(utility: f64) -> Vec<BehaviourSpec> {
    let go = || Constraint::all(&["drive", "position", "compass", "range-scanner", "tracker"]);
    let hand = || Constraint::any(&["two-finger", "three-finger"]);
    let talk = || Constraint::all(&["dialog"]);
    let fetch = |name: &str, task: TaskId| {
        let grasped = BehaviourSpec::new(name, task).action("move", go()).action("grasp", hand());
        grasped.action("move", go()).action("handover", hand())
    };
    let take = BehaviourSpec::new("bring-from-partner", BRING_FROM_PARTNER).action("move", go());
    let take = take.action("take", hand()).action("move", go()).action("handover", hand());
    vec![
        BehaviourSpec::new("order", ORDER).action("move", go()).action("dialog", talk()),
        fetch("fetch", SERVE),
        fetch("bring", SERVE).action("dialog", talk()).worth(2.0 * utility),
        fetch("fetch-to-partner", FETCH_TO_PARTNER),
        take.action("dialog", talk()),
    ]
}

/// One service robot's software.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ServiceSkills {
    known: Knowledge,
    sets: Vec<Set>,
    work: Option<Work>,
    idle: Idle,
    /// Recent failures.
    shunned: Vec<Shunned>,
}

/// Something that the robot failed at without a visible reason.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Shunned {
    choice: Choice,
    at: Time,
    /// How often it failed.
    times: u32,
}

impl Shunned {
    /// How long it leaves this to others: twice as long every time. [s]
    fn pause(&self) -> f64 {
        (SHUNNED * f64::from(1 << self.times.clamp(1, 8)) / 2.0).min(FORGOTTEN / 2.0)
    }
}

impl ServiceSkills {
    pub(super) fn new(briefing: &ServiceBriefing, me: &Identity, controller: AnyController) -> ServiceSkills {
        ServiceSkills {
            known: Knowledge::new(briefing, me, controller),
            sets: me.behaviours.iter().map(Set::of).collect(),
            work: None,
            idle: Idle::default(),
            shunned: Vec::new(),
        }
    }

    /// The robot's knowledge.
    pub fn known(&self) -> &Knowledge {
        &self.known
    }

    /// The current work, if it is the chosen one.
    fn under_way(&self, choice: Choice) -> Option<&Work> {
        self.work.as_ref().filter(|work| work.choice == choice)
    }

    /// Why the robot cannot use the devices of a set, if it cannot.
    fn unfit(&self, behaviour: BehaviourId, situation: &Situation) -> Option<Trouble> {
        let works = |name: &str| Capabilities::working(&situation.me.datasheet, situation.percept, name);
        let fit = situation.me.behaviour(behaviour).needs().met(&works);
        let trouble = if situation.percept.stopped { Trouble::Stopped } else { Trouble::Broken };
        (!fit).then_some(trouble)
    }

    /// What prevents work for a person now, as far as persons and cups are concerned.
    fn obstacle(&self, choice: Choice, guest: &Guest, situation: &Situation) -> Option<Trouble> {
        let (set, known) = (self.sets[usize::from(choice.behaviour.0)], &self.known);
        let drink = guest.drink.filter(|_| set != Set::Order)?;
        let mine = known.holds(drink);
        let work = self.under_way(choice).filter(|work| work.ending.is_none());
        match set {
            Set::BringFromPartner => {
                let has_it = work.is_some_and(|work| work.stage >= Set::LOADED);
                let seats = || known.guests.iter().filter(|guest| guest.here);
                let given = |at: Vec2| seats().any(|guest| guest.at.distance(at) < 0.3);
                let mut cups = known.cups.iter().filter(|cup| cup.drink == drink);
                let to_be_had = has_it || (!mine && cups.any(|cup| !(cup.in_hand && given(cup.at))));
                // With the cup in the hand nothing needs to be taken from anybody.
                let late = mine && work.is_some_and(|work| work.stage == 1);
                (!to_be_had && !late).then_some(Trouble::NoCup)
            }
            _ if mine || work.is_some_and(|work| work.stage >= Set::LOADED) => None,
            _ => {
                let aim = work.and_then(Work::cup);
                choose(known, drink, guest.number, aim, situation).err()
            }
        }
    }

    /// True if somebody could do this for the person: the person is there, and it is not done.
    fn due(&self, choice: Choice, guest: &Guest) -> bool {
        let set = self.sets[usize::from(choice.behaviour.0)];
        let asked = guest.drink.is_some();
        // A kind word is due when the person has just got the cup from this robot.
        let attending =
            |work: &Work| set.attends() && work.ending.is_none() && work.stage + 1 == set.steps().len();
        let open = !guest.served || self.under_way(choice).is_some_and(attending);
        guest.here && open && asked != (set == Set::Order)
    }

    fn shuns(&self, choice: Choice, now: Time) -> bool {
        self.shunned.iter().any(|shunned| shunned.choice == choice && now.within(shunned.at, shunned.pause()))
    }

    fn can(&self, choice: Choice, guest: &Guest, situation: &Situation) -> bool {
        self.due(choice, guest)
            && !self.shuns(choice, situation.now)
            && self.obstacle(choice, guest, situation).is_none()
    }

    fn travel(&self, from: Vec2, to: Vec2, situation: &Situation) -> f64 {
        from.distance(to) / (PACE * situation.me.datasheet.max_speed).max(1e-9)
    }

    /// Expected time of each remaining step, with its index in the plan; `None` if it is impossible. [s]
    fn steps_left(&self, choice: Choice, situation: &Situation) -> Option<Vec<(usize, f64)>> {
        let (set, known) = (self.sets.get(usize::from(choice.behaviour.0)).copied()?, &self.known);
        let guest = known.guest(choice.subject)?;
        let mut at = known.navigator.pose(situation)?.position;
        let work = self.under_way(choice).filter(|work| work.ending.is_none());
        let loaded = guest.drink.is_some_and(|drink| known.holds(drink)) && set != Set::Order;
        let first = if loaded { Set::LOADED } else { 0 }.max(work.map_or(0, |work| work.stage));
        let mut left = Vec::new();
        for (place, step) in set.steps().iter().enumerate().skip(first) {
            let mut drive = |to: Vec2| {
                let time = self.travel(at, to, situation);
                at = to;
                time
            };
            let time = match step {
                Step::GoToCup => {
                    let aim = work.and_then(Work::cup);
                    let cup = choose(known, guest.drink?, guest.number, aim, situation).ok()?;
                    drive(stand(known, cup, situation).ok()?)
                }
                Step::Grasp => known.briefing.grasp_time,
                Step::GoToPerson => drive(guest.at),
                Step::HandOver | Step::Offer | Step::Take => known.briefing.handover_time,
                Step::Ask | Step::Attend => known.briefing.dialog_time,
                Step::GoToPartner | Step::GoToMeeting => drive(known.briefing.room.meeting_place(known.me)),
            };
            left.push((place, time));
        }
        Some(left)
    }
}

impl Skills for ServiceSkills {
    fn applicable(&self, behaviour: BehaviourId, situation: &Situation) -> bool {
        let can = |guest: &Guest| self.can(Choice { behaviour, subject: guest.number }, guest, situation);
        self.unfit(behaviour, situation).is_none() && self.known.guests.iter().any(can)
    }

    fn subjects(&self, behaviour: BehaviourId, situation: &Situation, subjects: &mut Vec<Subject>) {
        let choice = |guest: &Guest| Choice { behaviour, subject: guest.number };
        let able = self.known.guests.iter().filter(|guest| self.can(choice(guest), guest, situation));
        let mut costs: Vec<(f64, u32)> =
            able.map(|guest| (self.cost(choice(guest), situation), guest.number)).collect();
        costs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        subjects.extend(costs.into_iter().map(|(_, number)| number));
    }

    fn issued(&self, _situation: &Situation, pieces: &mut Vec<Piece>) {
        for guest in self.known.guests.iter().filter(|guest| guest.here && !guest.served) {
            let task = if guest.drink.is_some() { SERVE } else { ORDER };
            pieces.push(Piece { task, subject: guest.number });
        }
    }

    fn cost(&self, choice: Choice, situation: &Situation) -> f64 {
        let left = self.steps_left(choice, situation);
        left.map_or(f64::INFINITY, |left| left.iter().map(|(_, time)| time).sum())
    }

    fn action_costs(&self, choice: Choice, situation: &Situation, costs: &mut Vec<(usize, f64)>) {
        match self.steps_left(choice, situation) {
            Some(left) => costs.extend(left),
            None => costs.push((0, f64::INFINITY)),
        }
    }

    fn site(&self, choice: Choice, _: &Situation) -> Option<Vec2> {
        self.known.guest(choice.subject).map(|guest| guest.at)
    }

    fn outcome(&self, choice: Choice, situation: &Situation) -> Outcome {
        let failed = |trouble: Trouble| Outcome::Failed(trouble.why());
        match self.under_way(choice).and_then(|work| work.ending) {
            Some(Ending::Done) => return Outcome::Done,
            Some(Ending::Failed(trouble)) => return failed(trouble),
            None => {}
        }
        let Some(guest) = self.known.guest(choice.subject) else { return failed(Trouble::Gone) };
        let set = self.sets[usize::from(choice.behaviour.0)];
        let asked = guest.drink.is_some() && set == Set::Order;
        if asked || (guest.served && !self.due(choice, guest)) {
            return Outcome::Done;
        }
        if !guest.here {
            return failed(Trouble::Gone);
        }
        if guest.drink.is_none() && set != Set::Order {
            return Outcome::Failed("nobody knows what the person wants");
        }
        let trouble =
            self.unfit(choice.behaviour, situation).or_else(|| self.obstacle(choice, guest, situation));
        trouble.map_or(Outcome::Ongoing, failed)
    }

    fn setback(&self, choice: Choice, situation: &Situation) -> Option<Setback> {
        let trouble = self.under_way(choice)?.setback?;
        let gripper = self.known.gripper.map(|id| &situation.me.datasheet.effectors[usize::from(id.0)].name);
        let own = matches!(trouble, Trouble::NotGrasped | Trouble::Lost);
        Some(Setback { why: trouble.why(), capability: gripper.filter(|_| own).cloned() })
    }

    fn stage(&self) -> Option<usize> {
        self.work.as_ref().filter(|work| work.ending.is_none()).map(|work| work.stage)
    }

    fn plan(&self, points: &mut Vec<Vec2>) {
        self.known.navigator.course(points);
    }
}

impl Performer for ServiceSkills {
    fn learn(&mut self, situation: &Situation, inbox: &[Message], out: &mut Output) {
        self.known.navigator.begin(situation, inbox, out);
        self.known.look(situation);
        self.known.listen(situation.now, inbox);
        if let Some(work) = &mut self.work {
            let fresh = work.ending.is_none();
            work.advance(&mut self.known, situation, out);
            if let Some(Ending::Failed(trouble)) = work.ending.filter(|_| fresh)
                && trouble.shun()
            {
                let choice = work.choice;
                let before = self.shunned.iter().find(|shunned| shunned.choice == choice);
                let times = before.map_or(1, |shunned| shunned.times.saturating_add(1));
                let lately = |shunned: &Shunned| situation.now.within(shunned.at, FORGOTTEN);
                self.shunned.retain(|shunned| shunned.choice != choice && lately(shunned));
                self.shunned.push(Shunned { choice, at: situation.now, times });
            }
        }
        let claim = self.work.as_ref().and_then(Work::claim);
        let urgent = self.work.as_ref().is_some_and(|work| work.partner.is_some());
        self.known.report(claim, urgent, situation, out);
    }

    fn act(&mut self, duty: Duty, situation: &Situation, out: &mut Output) -> Command {
        let Some(choice) = duty.choice else {
            if self.work.take().is_some() {
                self.idle = Idle::default();
            }
            self.known.passage = Passage::default();
            return self.idle.act(&mut self.known, situation, out);
        };
        // Work that has ended and is chosen again starts from the beginning.
        let stale = self.work.as_ref().is_none_or(|work| work.choice != choice || work.ending.is_some());
        if stale || duty.fresh {
            let set = self.sets[usize::from(choice.behaviour.0)];
            let mut work = Work::new(choice, set, situation.now);
            // The robot may be well advanced already: the cup may be in its hand.
            work.advance(&mut self.known, situation, out);
            self.work = Some(work);
        }
        self.idle = Idle::default();
        let Some(work) = &mut self.work else { return Command::stop() };
        work.partner = duty.partners.first().map(|partner| partner.robot);
        let command = work.act(&mut self.known, situation, out);
        // Partners seek each other: nobody has to make way for them.
        let alone = work.partner.is_none();
        let at = self.known.navigator.pose(situation).map(|pose| pose.position).filter(|_| alone);
        self.known.passage.note(at, &command, situation.now);
        command
    }

    fn skills(&self) -> &dyn Skills {
        self
    }

    fn controller(&self) -> Option<&dyn Controller> {
        Some(self.known.navigator.controller())
    }
}
