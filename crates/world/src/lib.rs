//! Ground truth: what is where, what robots sense of it and what their effectors do to it.
//!
//! Only the simulator sees a [`World`]. Robots get percepts that the sensors in [`sensors`] fill.

pub mod area;
pub mod aspect;
pub mod body;
pub mod description;
pub mod effectors;
pub mod encounters;
pub mod floor;
pub mod grid;
mod ground_plan;
pub mod item;
pub mod motion;
pub mod object;
pub mod odometer;
pub mod person;
pub mod properties;
pub mod pushing;
pub mod quality;
mod reach;
pub mod robot_type;
pub mod scan;
pub mod sensors;
pub mod shape;
pub mod states;
pub mod stock;
pub mod terrain;
pub mod traffic;
pub mod watch;
mod world;

pub use area::Area;
pub use aspect::Aspect;
pub use body::{Body, Contact, Drive, Obstacle};
pub use description::{
    AspectSpec, JammerSpec, Material, ObjectSpec, PathSpec, PersonSpec, PushableSpec, ShapeSpec, TerrainSpec,
    WanderSpec, aspects, stocks,
};
pub use floor::Floor;
pub use ground_plan::GroundPlan;
pub use item::Item;
pub use object::{Emission, Jammer, Object, ObjectId, Script};
pub use odometer::Odometer;
pub use properties::Properties;
pub use pushing::Pushable;
pub use quality::Quality;
pub use reach::Reach;
pub use robot_type::{BodyShape, RobotType};
pub use shape::{Bounds, Outline, Shape};
pub use states::{NamedState, States};
pub use stock::{Stock, Stocks};
pub use terrain::Terrain;
pub use traffic::Traffic;
pub use watch::Watch;
pub use world::{Bearer, World, WorldEvent};

/// Objects with at most this penetrability let nothing pass.
pub const IMPASSABLE: f64 = 0.1;
