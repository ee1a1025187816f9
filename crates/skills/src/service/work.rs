//! A piece of work in progress: its stage, its problems, and the robot's action.

use super::grasping::{at_hand, choose, stand, stands};
use super::knowledge::Knowledge;
use super::step::{Set, Step};
use super::talk::Claim;
use super::trouble::Trouble;
use crewlab_onboard::geometry::Vec2;
use crewlab_onboard::{
    Action, Choice, Command, EffectorId, Event, EventKind, Output, RobotId, Situation, Time,
};
use serde::{Deserialize, Serialize};

/// Serving distance, and the distance at which the robot counts as there. [m]
const AT_PERSON: (f64, f64) = (0.85, 0.93);
/// Distances of a handover: wanted, possible, and the one beyond which the robots start again. [m]
const AT_PARTNER: (f64, f64, f64) = (1.05, 1.2, 1.35);
/// The meeting place is reached at this distance; if it is occupied, a place near it is enough. [m]
const AT_MEETING: (f64, f64) = (0.25, 1.5);
/// A cup that is this far from where it was has been moved. [m]
const MOVED: f64 = 0.12;
/// Time for the gripper to close. [s]
const CLOSING: f64 = 1.5;
/// A robot without progress for this long cannot get there. [s]
const STUCK: f64 = 30.0;
/// A robot without progress for this long grasps from where it is, if it can. [s]
const HELD_UP: f64 = 2.0;
/// Time after which it tries another place next to the cup if something seems to be in the way. [s]
const BLOCKED: f64 = 8.0;
/// Time after which another place is good enough if it is near. [s]
const CROWDED: f64 = 4.0;
/// How long a partner waits to receive the cup, and to hand it over. [s]
const PATIENCE: (f64, f64) = (150.0, 60.0);
/// How often the same problem may occur.
const TRIES: u32 = 3;
/// A tool is used when its target is within this angle of the front. [rad]
const FACING: f64 = 0.35;

/// How a piece of work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// It is done.
    Done,
    /// It failed.
    Failed(Trouble),
}

/// A piece of work under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Work {
    /// The choice.
    pub choice: Choice,
    /// The behaviour set.
    pub set: Set,
    /// The partner who does the other part.
    pub partner: Option<RobotId>,
    /// Its stage: the index in the action plan.
    pub stage: usize,
    /// The problem in this tick.
    pub setback: Option<Trouble>,
    /// How it ended.
    pub ending: Option<Ending>,
    /// Since when it is at this stage.
    since: Time,
    /// The cup that it wants.
    cup: Option<u32>,
    /// Where the cup was when the robot began to grasp it. [m]
    aim: Vec2,
    /// Which of the places near the cup it goes to: another one whenever it does not get there.
    aside: usize,
    /// When the gripper was opened to let go of the cup.
    released: Option<Time>,
    tries: u32,
    /// True until it has started to drive at this stage.
    fresh: bool,
    /// Least distance to its goal, and when. [m]
    nearest: (f64, Time),
}

impl Work {
    /// Work that starts now.
    pub fn new(choice: Choice, set: Set, now: Time) -> Work {
        Work {
            choice,
            set,
            partner: None,
            stage: 0,
            setback: None,
            ending: None,
            since: now,
            cup: None,
            aim: Vec2::ZERO,
            aside: 0,
            released: None,
            tries: 0,
            fresh: true,
            nearest: (f64::INFINITY, now),
        }
    }

    fn person(&self) -> u32 {
        self.choice.subject
    }

    fn step(&self) -> Step {
        let steps = self.set.steps();
        steps[self.stage.min(steps.len() - 1)]
    }

    /// The cup that it is about to take.
    pub fn claim(&self) -> Option<Claim> {
        let cup = self.cup.filter(|_| self.ending.is_none() && self.stage < Set::LOADED)?;
        Some(Claim { cup, person: self.person() })
    }

    /// The cup that it wants or carries.
    pub fn cup(&self) -> Option<u32> {
        self.cup
    }

    fn enter(&mut self, stage: usize, now: Time) {
        (self.stage, self.since, self.released, self.nearest) = (stage, now, None, (f64::INFINITY, now));
        self.fresh = true;
        if stage >= self.set.steps().len() {
            self.ending = Some(Ending::Done);
        }
    }

    fn fail(&mut self, trouble: Trouble) {
        self.ending = Some(Ending::Failed(trouble));
    }

    /// A problem after which the work is retried from this stage, a limited number of times.
    fn again(&mut self, trouble: Trouble, stage: usize, now: Time) {
        self.setback = Some(trouble);
        self.tries += 1;
        if self.tries >= TRIES && trouble != Trouble::Moved {
            return self.fail(trouble);
        }
        self.enter(stage, now);
    }

    /// Updates the stage. Called in every tick before anything is decided.
    pub fn advance(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) {
        self.setback = None;
        if self.ending.is_some() {
            return;
        }
        let now = situation.now;
        let spent = now.since(self.since);
        let loaded = known.held.is_some();
        match self.step() {
            Step::GoToCup => self.seek(known, situation),
            Step::Grasp => self.grasping(known, situation),
            Step::GoToMeeting => {
                let distance = distance(known, known.briefing.room.meeting_place(known.me), situation);
                let crowded = now.since(self.nearest.1) > CROWDED && distance < AT_MEETING.1;
                if distance < AT_MEETING.0 || crowded {
                    self.enter(1, now);
                } else {
                    self.progress(distance, now);
                }
            }
            Step::Take => {
                let drink = known.guest(self.person()).and_then(|guest| guest.drink);
                if drink.is_some_and(|drink| known.holds(drink)) {
                    (self.cup, self.tries) = (known.held, 0);
                    self.enter(Set::LOADED, now);
                } else if spent > PATIENCE.0 {
                    self.fail(Trouble::NoPartner);
                }
            }
            Step::GoToPerson => {
                let at = known.guest(self.person()).map(|guest| guest.at);
                let distance = at.map_or(f64::INFINITY, |at| distance(known, at, situation));
                if self.set != Set::Order && !loaded {
                    self.lost(known, now);
                } else if distance < AT_PERSON.1 {
                    self.enter(self.stage + 1, now);
                } else {
                    self.progress(distance, now);
                }
            }
            Step::HandOver => self.handing_over(known, situation, out),
            Step::Ask => self.asking(known, situation, out),
            Step::Attend => {
                let said = known.dialog.is_some_and(|dialog| situation.percept.feedback(dialog) < -0.5);
                // The person has the cup, whether or not anybody listens to the robot.
                if said || spent > 4.0 * known.briefing.dialog_time + 5.0 {
                    self.enter(self.stage + 1, now);
                }
            }
            Step::GoToPartner => {
                let distance = distance(known, self.partner_place(known, now), situation);
                let there = self.partner.and_then(|partner| known.mate(partner, now)).is_some();
                if !loaded {
                    self.lost(known, now);
                } else if there && distance < AT_PARTNER.1 {
                    self.enter(3, now);
                } else {
                    self.progress(distance, now);
                }
            }
            Step::Offer => self.offering(known, situation),
        }
    }

    /// Updates whether the robot comes nearer to its goal. [m]
    fn progress(&mut self, distance: f64, now: Time) {
        if distance < self.nearest.0 - 0.1 {
            self.nearest = (distance, now);
        } else if now.since(self.nearest.1) > STUCK {
            self.fail(Trouble::NoWay);
        }
    }

    fn seek(&mut self, known: &Knowledge, situation: &Situation) {
        let now = situation.now;
        let Some(drink) = known.guest(self.person()).and_then(|guest| guest.drink) else { return };
        if known.holds(drink) {
            self.cup = known.held;
            return self.enter(Set::LOADED, now);
        }
        match choose(known, drink, self.person(), self.cup, situation) {
            Err(trouble) => self.fail(trouble),
            Ok(cup) => {
                self.cup = Some(cup.number);
                let blocked = now.since(self.nearest.1) > HELD_UP;
                if at_hand(known, cup, blocked, situation) {
                    self.aim = cup.at;
                    self.enter(1, now);
                } else {
                    self.progress(distance(known, cup.at, situation), now);
                    let aside = (now.since(self.nearest.1) / BLOCKED) as usize;
                    self.fresh |= self.aside != aside;
                    self.aside = aside;
                }
            }
        }
    }

    fn grasping(&mut self, known: &Knowledge, situation: &Situation) {
        let now = situation.now;
        let drink = |cup: u32| known.cup(cup).map(|cup| cup.drink);
        if let Some(held) = known.held
            && (Some(held) == self.cup || drink(held) == self.cup.and_then(drink))
        {
            (self.cup, self.tries) = (Some(held), 0);
            return self.enter(Set::LOADED, now);
        }
        let cup = self.cup.and_then(|cup| known.cup(cup)).filter(|cup| !cup.in_hand);
        match cup {
            None => self.again(Trouble::Moved, 0, now),
            Some(cup) if cup.at.distance(self.aim) > MOVED => self.again(Trouble::Moved, 0, now),
            Some(cup) => {
                if let Err(trouble) = stand(known, cup, situation) {
                    self.fail(trouble);
                } else if now.since(self.since) > known.briefing.grasp_time + CLOSING {
                    self.again(Trouble::NotGrasped, 0, now);
                }
            }
        }
    }

    /// The cup is gone: searches for it again, unless the partner was to bring it.
    fn lost(&mut self, known: &Knowledge, now: Time) {
        match self.set {
            Set::BringFromPartner => self.fail(Trouble::Lost),
            _ => {
                self.cup = self.cup.filter(|cup| known.cup(*cup).is_some_and(|cup| !cup.in_hand));
                self.again(Trouble::Lost, 0, now);
            }
        }
    }

    fn handing_over(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) {
        let now = situation.now;
        let served = known.guest(self.person()).is_some_and(|guest| guest.served);
        match (self.released, known.held) {
            (Some(_), None) if served => {
                let text = match self.set {
                    Set::Fetch => {
                        "the person has the cup; nobody who can talk brought it, so it was given without a word"
                    }
                    _ => "the person has the cup",
                };
                out.explain(
                    Event::new(EventKind::Served).saying(text).with("person", f64::from(self.person())),
                );
                self.enter(self.stage + 1, now);
            }
            (Some(at), None) if now.since(at) > 1.0 => self.again(Trouble::NotTaken, 0, now),
            (Some(at), Some(_)) if now.since(at) > CLOSING => {
                self.again(Trouble::NotTaken, self.stage, now);
            }
            (None, None) => self.lost(known, now),
            _ => {}
        }
    }

    fn asking(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) {
        let answer = known.dialog.map_or(0.0, |dialog| situation.percept.feedback(dialog));
        if answer >= 0.5 {
            let drink = (answer - 1.0).round() as usize;
            if let Some(guest) = known.guest_mut(self.person())
                && drink < super::DRINKS.len()
            {
                guest.drink = Some(drink);
                let text = format!("person {} wants {}", self.person(), super::DRINKS[drink]);
                out.explain(
                    Event::new(EventKind::OrderTaken).saying(text).with("person", f64::from(self.person())),
                );
            }
            self.enter(self.stage + 1, situation.now);
        } else if situation.now.since(self.since) > 3.0 * known.briefing.dialog_time + 10.0 {
            self.fail(Trouble::NoAnswer);
        }
    }

    fn offering(&mut self, known: &Knowledge, situation: &Situation) {
        let now = situation.now;
        let place = self.partner_place(known, now);
        if known.held.is_some() {
            if distance(known, place, situation) > AT_PARTNER.2 {
                self.enter(Set::LOADED, now);
            } else if now.since(self.since) > PATIENCE.1 {
                self.fail(Trouble::NoPartner);
            }
            return;
        }
        // The robot's gripper is empty: either the partner reports the cup, or the tracker shows it in another hand.
        let told =
            self.partner.and_then(|partner| known.mate(partner, now)).and_then(|mate| mate.report.holds);
        let seen = self.cup.and_then(|cup| known.cup(cup)).map(|cup| cup.in_hand);
        if (told.is_some() && told == self.cup) || seen == Some(true) {
            self.enter(self.stage + 1, now);
        } else if seen == Some(false) {
            self.lost(known, now);
        }
    }

    /// Where the partner is, or where it will come to if it was not heard. [m]
    fn partner_place(&self, known: &Knowledge, now: Time) -> Vec2 {
        let Some(partner) = self.partner else { return known.briefing.room.meeting_place(known.me) };
        let said = known.mate(partner, now).and_then(|mate| mate.report.at);
        said.unwrap_or_else(|| known.briefing.room.meeting_place(partner))
    }

    /// The robot's action now.
    pub fn act(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        let now = situation.now;
        if self.ending.is_some() {
            return Command::stop();
        }
        if std::mem::take(&mut self.fresh) {
            known.navigator.set_out();
        }
        match self.step() {
            Step::GoToCup => {
                if let (Some(_), Some(gripper)) = (known.held, known.gripper) {
                    // It holds another cup than the wanted one.
                    return Command::stop().with(gripper, Action::Release);
                }
                let cup = self.cup.and_then(|cup| known.cup(cup));
                match cup.and_then(|cup| stands(known, cup, situation).ok()) {
                    Some(places) => known.navigator.go_to(places[self.aside % places.len()], situation, out),
                    None => Command::stop(),
                }
            }
            Step::Grasp => {
                let ready = now.since(self.since) >= known.briefing.grasp_time;
                let reach = self.reach_for(self.aim, 0.0, known, situation);
                self.using(self.aim, known.gripper.filter(|_| ready), reach, known, situation)
            }
            Step::GoToMeeting => {
                let place = known.briefing.room.meeting_place(known.me);
                known.navigator.go_to(place, situation, out)
            }
            Step::Take => match self.partner.and_then(|partner| known.mate(partner, now)) {
                Some(mate) => {
                    let Some(place) = mate.report.at else { return Command::stop() };
                    let near = distance(known, place, situation) < AT_PARTNER.2;
                    // The partner holds the cup out at the reach of its arm; all arms are alike.
                    let reach = self.reach_for(place, known.reach(situation), known, situation);
                    self.using(place, known.gripper.filter(|_| near), reach, known, situation)
                }
                None => Command::stop(),
            },
            Step::GoToPerson => match known.guest(self.person()).map(|guest| guest.at) {
                Some(at) => approach(at, AT_PERSON.0, known, situation, out),
                None => Command::stop(),
            },
            Step::HandOver => {
                let ready = now.since(self.since) >= known.briefing.handover_time;
                let Some(at) = known.guest(self.person()).map(|guest| guest.at) else {
                    return Command::stop();
                };
                let gripper = known.gripper.filter(|_| ready && known.held.is_some());
                let command = self.using(at, gripper, Action::Release, known, situation);
                if !command.uses.is_empty() {
                    self.released = self.released.or(Some(now));
                }
                command
            }
            Step::Ask | Step::Attend => match known.guest(self.person()).map(|guest| guest.at) {
                Some(at) => self.using(at, known.dialog, Action::Work, known, situation),
                None => Command::stop(),
            },
            Step::GoToPartner => {
                let place = self.partner_place(known, now);
                approach(place, AT_PARTNER.0, known, situation, out)
            }
            Step::Offer => {
                let place = self.partner_place(known, now);
                self.using(place, known.gripper, Action::Offer, known, situation)
            }
        }
    }

    /// Turns to a place and, once it is in front, uses a tool.
    fn using(
        &self,
        place: Vec2,
        tool: Option<EffectorId>,
        action: Action,
        known: &Knowledge,
        situation: &Situation,
    ) -> Command {
        let Some(pose) = known.navigator.pose(situation) else { return Command::stop() };
        let bearing = pose.bearing(place);
        let limit = situation.me.datasheet.max_turn;
        let command = Command::drive(0.0, (3.0 * bearing).clamp(-limit, limit));
        match tool {
            Some(tool) if bearing.abs() < FACING => command.with(tool, action),
            _ => command,
        }
    }

    /// Reaches for the item at a place, or a given distance before it.
    fn reach_for(&self, place: Vec2, before: f64, known: &Knowledge, situation: &Situation) -> Action {
        let Some(pose) = known.navigator.pose(situation) else { return Action::Grab };
        let distance = (pose.position.distance(place) - before).max(0.0);
        Action::grab_at(Vec2::unit(pose.bearing(place)) * distance)
    }
}

fn distance(known: &Knowledge, place: Vec2, situation: &Situation) -> f64 {
    known.navigator.pose(situation).map_or(f64::INFINITY, |pose| pose.position.distance(place))
}

/// Drives to this distance from a place. [m]
fn approach(
    place: Vec2,
    distance: f64,
    known: &mut Knowledge,
    situation: &Situation,
    out: &mut Output,
) -> Command {
    let Some(pose) = known.navigator.pose(situation) else { return Command::stop() };
    let away = pose.position - place;
    let length = away.length();
    if length <= distance || length == 0.0 {
        return Command::stop();
    }
    let goal = known.briefing.room.within(place + away * (distance / length));
    known.navigator.go_to(goal, situation, out)
}
