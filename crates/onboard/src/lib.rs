//! The software that runs on a robot.
//!
//! A robot's software receives a [`Percept`] and the bytes that its radio heard, and returns a [`Command`], bytes to send and
//! the reasons for its choice. Nothing here knows the simulator, so the same code can run on a real robot: this crate depends
//! on none of our other crates.

pub mod agenda;
pub mod capability;
pub mod command;
pub mod controller;
pub mod coordinator;
mod duplicates;
pub mod estimate;
pub mod event;
pub mod findings;
pub mod floor_plan;
pub mod geometry;
pub mod hardware;
pub mod indicator;
pub mod locating;
pub mod message;
pub mod motion;
pub mod percept;
pub mod question;
pub mod radio;
pub mod random;
pub mod robot_id;
pub mod shuttle;
pub mod signal;
pub mod sketch;
pub mod skills;
pub mod software;
pub mod task;
pub mod time;

pub use agenda::OPERATOR;
pub use capability::{Capabilities, Constraint, Means, Rating, heterogeneity};
pub use command::{Action, Command, Side, Use};
pub use controller::{Controller, Goal, Limits, Neighbour, Scan, Speeds, Steering};
pub use coordinator::{Coordinator, Gauge, GaugeState, Level, Output, Situation};
pub use estimate::{Appraisal, Estimate, Settlement};
pub use event::{Bid, Cause, Event, EventKind, Names, Plight, Reason, Term, Topic};
pub use findings::{Belief, Findings};
pub use floor_plan::FloorPlan;
pub use geometry::{Pose, Vec2};
pub use hardware::{Datasheet, EffectorId, EffectorSheet, Identity, SensorId, SensorSheet};
pub use indicator::IndicatorSpec;
pub use locating::Locating;
pub use message::{Body, Frame, Message, Motion, WorkState};
pub use percept::{Percept, Reading, Sense, Sighting};
pub use question::{Question, Questions};
pub use radio::{LinkQuality, NoRadio, RadioModule, Route};
pub use random::{Stream, StreamKind};
pub use robot_id::RobotId;
pub use shuttle::{Leg, Shuttle};
pub use signal::SignalSpec;
pub use sketch::{About, LayerSpec, Mark};
pub use skills::{Behaviour, Duty, Performer, Skills};
pub use software::{Software, Step};
pub use task::{
    ActionSpec, BehaviourId, BehaviourSpec, Choice, Outcome, Partner, Piece, Setback, Subject, TaskId,
    TaskPlan, TaskSpec,
};
pub use time::Time;
