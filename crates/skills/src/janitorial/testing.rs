//! A janitor for tests: it knows where it is and has a vacuum, and it sees nothing.

use super::JanitorBriefing;
use super::knowledge::Knowledge;
use super::talk::{Talk, Word};
use crewlab_control::AnyController;
use crewlab_onboard::geometry::Vec2;
use crewlab_onboard::message::LamportClock;
use crewlab_onboard::percept::Sense;
use crewlab_onboard::{
    Body, Datasheet, EffectorSheet, Identity, Message, NoRadio, Output, Percept, Questions, Reading, RobotId,
    SensorSheet, Situation, Stream, StreamKind, Time,
};

fn identity() -> Identity {
    let sensor = |name: &str| SensorSheet { name: name.into(), ..SensorSheet::default() };
    let effector = |name: &str, range: f64| EffectorSheet {
        name: name.into(),
        kind: name.into(),
        range,
        colour: String::new(),
        relative_noise: 0.0,
    };
    let datasheet = Datasheet {
        radius: 0.2,
        max_speed: 0.5,
        max_turn: 3.0,
        sensors: vec![sensor("position"), sensor("compass")],
        effectors: vec![effector("drive", 0.0), effector("vacuum", 0.15)],
        further: Vec::new(),
    };
    Identity {
        id: RobotId(0),
        name: "r0".into(),
        robot_type: "janitor".into(),
        priority: 0,
        datasheet: datasheet.into(),
        behaviours: Vec::new().into(),
        floor_plan: Default::default(),
        slam: Default::default(),
    }
}

/// A janitor.
pub(super) struct Janitor {
    me: Identity,
    pub known: Knowledge,
}

impl Janitor {
    pub fn new() -> Janitor {
        let briefing = JanitorBriefing {
            dustable_objects: 3,
            furniture_size: 1.0,
            dusting_patience: 120.0,
            loudness: 1.0,
            noise_floor: 0.002,
            cell: 0.4,
            doubt_after: 120.0,
        };
        let me = identity();
        let controller =
            AnyController::boot("free-direction", &Default::default(), &me).expect("a controller");
        let known = Knowledge::new(&briefing, &me, controller);
        Janitor { me, known }
    }

    /// Hears a team-mate's words at a time. [s]
    pub fn hear(&mut self, seconds: f64, talks: &[Talk]) {
        let message = |talk: &Talk| Message {
            from: RobotId(1),
            number: 0,
            lamport: 0,
            body: Body::Knowledge(Word { round: 0, talk: *talk }.encode()),
        };
        let inbox: Vec<Message> = talks.iter().map(message).collect();
        self.known.listen(Time::from_seconds(seconds), &inbox);
    }

    /// Looks around at a place and a time, and then does something. [m], [s]
    pub fn tick<R>(
        &mut self,
        at: Vec2,
        seconds: f64,
        act: impl FnOnce(&mut Knowledge, &Situation, &mut Output) -> R,
    ) -> R {
        let now = Time::from_seconds(seconds);
        let sense = |reading: Reading| Sense { at: now, tried: Some(now), reading };
        let senses = vec![sense(Reading::Point(at)), sense(Reading::Angle(0.0))];
        let percept = Percept { senses, ..Percept::default() };
        let situation =
            Situation { now, dt: 0.1, me: &self.me, tasks: &[], percept: &percept, radio: &NoRadio };
        let mut out = Output {
            me: self.me.id,
            clock: &mut LamportClock::default(),
            count: &mut 0,
            frames: &mut Vec::new(),
            largest_message: usize::MAX,
            refused: &mut 0,
            events: &mut Vec::new(),
            questions: &mut Questions::default(),
            now,
            random: &mut Stream::new(1, StreamKind::Decisions, 0, 0),
        };
        self.known.navigator.begin(&situation, &[], &mut out);
        self.known.look(&situation);
        self.known.chart.reach_out(at);
        act(&mut self.known, &situation, &mut out)
    }
}
