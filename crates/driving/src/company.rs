//! Robots that share narrow space: they tell each other where they are, and one of two that block each other backs out.

use crewlab_control::deadlock::{Deadlock, Way};
use crewlab_control::neighbours::Neighbours;
use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use crewlab_onboard::{
    Body, Event, EventKind, Message, Motion, Neighbour, Output, Situation, Speeds, Steering, Time,
};
use serde::{Deserialize, Serialize};

/// Robots farther away than this time at full speed do not matter. [s]
const AHEAD: f64 = 12.0;
/// A robot repeats itself after this time at the latest, so that a lost message does no harm. [s]
const REPEAT: f64 = 0.6;
/// It tells sooner where it is when the others are wrong by this share of its radius ...
const ASTRAY: f64 = 0.1;
/// ... or when its velocity differs by this share of its top speed from what it has told.
const CHANGED: f64 = 0.1;

/// What a robot knows of the others on its way, and what it tells them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Company {
    /// Shortest time between two messages. [s]
    every: f64,
    neighbours: Neighbours,
    deadlock: Deadlock,
    /// Speeds that the robot was last told to drive at. [m/s], [rad/s]
    speeds: Speeds,
    /// What the robot told last, and when.
    told: Option<(Motion, Time)>,
}

impl Company {
    pub(crate) fn new(every: f64) -> Company {
        Company { every, ..Company::default() }
    }

    /// Hears where the others are, and tells them where the robot is.
    pub(crate) fn begin(
        &mut self,
        pose: Option<Pose>,
        situation: &Situation,
        inbox: &[Message],
        out: &mut Output,
    ) {
        self.neighbours.hear(inbox, situation.now);
        if let Some(motion) = pose.map(|pose| self.motion(&pose, situation))
            && self.due(&motion, situation)
        {
            out.say(Body::Motion(motion));
            self.told = Some((motion, situation.now));
        }
    }

    /// True if the others should be told: they heard nothing for a while, or their picture of the robot is wrong.
    fn due(&self, motion: &Motion, situation: &Situation) -> bool {
        let Some((told, at)) = &self.told else { return true };
        let waited = situation.now.since(*at);
        let sheet = &situation.me.datasheet;
        let vector = |[x, y]: [f32; 2]| vec2(x.into(), y.into());
        let believed = vector(told.at) + vector(told.velocity) * waited;
        let astray = believed.distance(vector(motion.at)) > ASTRAY * sheet.radius;
        let changed = vector(told.velocity).distance(vector(motion.velocity)) > CHANGED * sheet.max_speed;
        let late = waited + situation.dt > REPEAT.max(self.every);
        (astray || changed || late) && self.turn(situation)
    }

    /// True once per period. Each robot has its own moment, so that not all talk at once.
    fn turn(&self, situation: &Situation) -> bool {
        let (now, period) = (situation.now.seconds(), self.every.max(situation.dt));
        // Any share of the period that differs from robot to robot; this one spreads consecutive numbers well.
        let phase = 0.618 * f64::from(situation.me.id.0);
        let turn = |time: f64| (time / period + phase + 1e-9).floor();
        turn(now) > turn(now - situation.dt)
    }

    fn motion(&self, pose: &Pose, situation: &Situation) -> Motion {
        let velocity = Vec2::unit(pose.heading) * self.speeds.0;
        Motion {
            at: [pose.position.x as f32, pose.position.y as f32],
            velocity: [velocity.x as f32, velocity.y as f32],
            radius: situation.me.datasheet.radius as f32,
            priority: situation.me.priority,
        }
    }

    /// The robots nearby, the nearest first.
    pub(crate) fn around(&self, pose: Option<Pose>, situation: &Situation) -> Vec<Neighbour> {
        let mut around = Vec::new();
        if let Some(pose) = pose {
            let sheet = &situation.me.datasheet;
            let reach = AHEAD * sheet.max_speed + 4.0 * sheet.radius;
            self.neighbours.around(&pose, reach, situation.now, &mut around);
        }
        around
    }

    /// What to do if the way is blocked by somebody who cannot pass either.
    pub(crate) fn resolve(&mut self, steering: &Steering, out: &mut Output) -> Way {
        let me = steering.situation.me;
        let (way, found) = self.deadlock.resolve(steering, (me.priority, me.id));
        if let Some(other) = found {
            let event = Event::new(EventKind::Deadlock).by(other);
            out.explain(match steering.pose {
                Some(pose) => event.at(pose.position),
                None => event,
            });
        }
        way
    }

    /// The robot is told to drive at these speeds.
    pub(crate) fn drive(&mut self, speeds: Speeds) {
        self.speeds = speeds;
    }

    /// The robot stands still on purpose.
    pub(crate) fn rest(&mut self) {
        self.speeds = (0.0, 0.0);
        self.deadlock.rest();
    }
}
