//! How a robot moves in each role.

use super::eye::Seen;
use super::knowledge::Knowledge;
use super::role::Role;
use crewlab_onboard::geometry::{Vec2, vec2};
use crewlab_onboard::{Action, Command, Situation, Time};

/// Turning speed per radian off. [1/s]
const STEER: f64 = 1.5;
/// Walking speed per metre off. [1/s]
const PULL: f64 = 1.5;
/// Fastest turn. [rad/s]
const TURN: f64 = 1.0;
/// Turning speed of a robot that looks around. [rad/s]
const AROUND: f64 = 0.7;
/// Fastest speed off the way. [m/s]
const HURRY: f64 = 0.25;
/// How far a mark may get from the front, so that the head can follow it. [rad]
const NECK: f64 = 1.3;
/// How exactly a robot faces the way it should. [rad]
const FACING: f64 = 0.12;
/// How near to its place it has to be. [m]
const IN_PLACE: f64 = 0.12;
/// How long it has to be there. [s]
const STEADY: f64 = 0.4;
/// How far from the side of the robot ahead one walks around it. [m]
const AROUND_SIDE: f64 = 0.55;

impl Knowledge {
    /// The command of this tick in its role.
    pub(super) fn walk(&mut self, role: Role, situation: &Situation) -> Command {
        let now = situation.now;
        match role {
            Role::StandUp | Role::End => return self.rise_or_lie(role, situation),
            Role::Watch => return self.eye.watch(Command::stop(), situation),
            _ => {}
        }
        if let Some(mark) = self.mark_of(role, now) {
            self.eye.look_for(mark);
        }
        let command = match (role, self.eye.in_view(now)) {
            (_, None) if role.walks() && !self.seeks(now) => Command::stop(),
            (_, None) => self.look_around(),
            (Role::SearchBlue | Role::SearchPink, Some(seen)) => self.face(&seen),
            (Role::LineUpFirst, Some(seen)) => self.first(&seen),
            (Role::Lead | Role::LineLead, Some(seen)) => self.ahead(&seen, now),
            (_, Some(seen)) => self.follow(role, &seen),
        };
        self.steps += vec2(command.speed, command.side).length() * situation.dt;
        self.note(role, &command, now);
        self.eye.watch(command, situation)
    }

    fn rise_or_lie(&mut self, role: Role, situation: &Situation) -> Command {
        let (stance, up) = (self.stance(situation), role == Role::StandUp);
        if up && stance >= 1.0 {
            self.stood.get_or_insert(situation.now);
        } else if !up && stance <= 0.0 {
            self.lain.get_or_insert(situation.now);
        }
        match self.legs() {
            Some(legs) => Command::stop().with(legs, if up { Action::Work } else { Action::Release }),
            None => Command::stop(),
        }
    }

    /// Turns where it stands, once turning the head has not helped.
    pub(super) fn look_around(&self) -> Command {
        let turn = if self.eye.needs_a_turn() { AROUND * self.eye.last_side() } else { 0.0 };
        Command::drive(0.0, turn)
    }

    /// Turns towards a paper, or the way that a robot faces.
    fn face(&self, seen: &Seen) -> Command {
        Command::drive(0.0, turn_towards(seen.facing.unwrap_or(seen.bearing), seen))
    }

    /// Turns towards the far wall, and makes room for those behind.
    fn first(&self, seen: &Seen) -> Command {
        let turn = self.face(seen).turn;
        let ahead = turn.abs() < STEER * FACING && self.room_to_make() > 0.0;
        Command::drive(if ahead { self.briefing.pace } else { 0.0 }, turn)
    }

    /// Walks towards a paper, and waits for those behind.
    fn ahead(&self, seen: &Seen, now: Time) -> Command {
        let speed = if self.arrived(now) || self.waits(now) { 0.0 } else { self.briefing.pace };
        Command::drive(speed * seen.bearing.cos().max(0.0), turn_towards(seen.bearing, seen))
    }

    /// Walks at its place behind another robot.
    fn follow(&self, role: Role, seen: &Seen) -> Command {
        let Some(post) = self.briefing.post(role) else { return Command::stop() };
        let facing = seen.facing.unwrap_or(0.0);
        // All in the frame of the robot ahead.
        let at = seen.from_there();
        let goal = if role.place().is_some() { way_behind(at, post) } else { post };
        let off = (goal - at) * PULL;
        let length = off.length();
        let off = if length > HURRY { off * (HURRY / length) } else { off };
        let step = off.rotated(Vec2::unit(facing));
        Command::walk(step.x, step.y, turn_towards(facing, seen))
    }

    /// Notes what it has achieved.
    fn note(&mut self, role: Role, command: &Command, now: Time) {
        let quiet = command.turn.abs() < STEER * FACING;
        let there = match (role, self.eye.in_view(now)) {
            (Role::SearchBlue | Role::SearchPink, Some(_)) => quiet,
            (Role::LineUpFirst, Some(_)) => quiet && self.room_to_make() <= 0.0,
            (Role::LineUpSecond | Role::LineUpThird, Some(_)) => {
                quiet
                    && vec2(command.speed, command.side).length() < PULL * IN_PLACE
                    && self.settled_ahead(now)
            }
            _ => false,
        };
        self.settled = if there { self.settled.or(Some(now)) } else { None };
        let settled = self.settled.is_some_and(|since| now.since(since) >= STEADY);
        match role {
            Role::SearchBlue | Role::SearchPink if settled => _ = self.found.get_or_insert(now),
            Role::LineUpFirst | Role::LineUpSecond | Role::LineUpThird if settled => {
                self.lined_up.get_or_insert(now);
            }
            Role::Lead if self.arrived(now) => {
                self.end_walk(now);
                self.reach_wall();
            }
            Role::Lead if self.steps >= self.briefing.stretch => self.end_walk(now),
            Role::LineLead if self.arrived(now) => {
                self.end_crossing(now);
                self.reach_wall();
            }
            _ => {}
        }
        if self.lost(now) {
            self.found = None;
        }
    }
}

/// The turn towards a direction that keeps the mark within reach of the head. [rad/s]
fn turn_towards(direction: f64, seen: &Seen) -> f64 {
    let turn = (STEER * direction).clamp(-TURN, TURN);
    // Turning left moves the mark to the right.
    let away = (seen.bearing > NECK && turn < 0.0) || (seen.bearing < -NECK && turn > 0.0);
    if away { 0.0 } else { turn }
}

/// Where to go next on the way to a place behind another robot, as seen from it: around it, if one is not behind it.
fn way_behind(at: Vec2, post: Vec2) -> Vec2 {
    let side = if at.y < 0.0 { -1.0 } else { 1.0 };
    if at.x < post.x / 2.0 {
        post
    } else if at.y.abs() < 0.8 * AROUND_SIDE {
        vec2(at.x, side * AROUND_SIDE)
    } else {
        vec2(post.x, side * AROUND_SIDE)
    }
}
