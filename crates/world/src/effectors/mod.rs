//! Effectors: each is one file here and one line in the registry below. The drive is one of them; its motion is
//! computed for all robots together in [`crate::motion`].

use crate::area::Area;
use crate::aspect::Aspect;
use crate::quality::Quality;
use crate::sensors::DeviceKind;
use crate::shape::Outline;
use crate::world::{Bearer, World, WorldEvent};
use crewlab_onboard::{Action, EffectorSheet, RobotId, Stream, Time};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub mod ask_way;
mod dialog;
pub mod drive;
mod dumper;
mod duster_arm;
mod gripper;
pub mod head;
pub mod legs;
mod marker;
mod report;
mod vacuum;

/// The context of an effector's action.
pub struct Grasp<'a> {
    /// Ground truth, to be changed.
    pub world: &'a mut World,
    /// The robot.
    pub me: RobotId,
    /// Its quality.
    pub quality: &'a Quality,
    /// The time.
    pub now: Time,
    /// Duration of the tick. [s]
    pub dt: f64,
    /// Its random stream.
    pub random: &'a mut Stream,
    /// The events.
    pub events: &'a mut Vec<WorldEvent>,
}

impl Grasp<'_> {
    /// Closes the hand on an item.
    fn hold(&mut self, item: u32) {
        self.world.items[item as usize].holder = Some(self.me);
        self.world.bodies[self.me].holding = Some(item);
        self.world.items_changed();
    }

    /// Indices of the objects within reach of the rim and in the field of view, in order.
    fn objects_in_reach(&self) -> Vec<usize> {
        let body = &self.world.bodies[self.me];
        let places = self.world.object_places_within(body.pose.position, body.radius + self.quality.range);
        let in_view = |place: &usize| self.in_view(&self.world.objects()[*place].outline);
        places.into_iter().filter(in_view).collect()
    }

    /// Numbers of the areas within reach of the rim and in the field of view.
    fn areas_in_reach(&self) -> impl Iterator<Item = usize> {
        let body = &self.world.bodies[self.me];
        let (position, reach) = (body.pose.position, body.radius + self.quality.range);
        let near = move |area: &Area| {
            area.present && area.outline.distance(position) <= reach && self.in_view(&area.outline)
        };
        self.world.areas.iter().enumerate().filter(move |(_, area)| near(area)).map(|(index, _)| index)
    }

    /// True if the nearest point of an outline is in the field of view, or if the robot stands on it.
    fn in_view(&self, outline: &Outline) -> bool {
        let pose = &self.world.bodies[self.me].pose;
        outline.contains(pose.position)
            || pose.bearing(outline.nearest(pose.position)).abs() <= self.quality.fov / 2.0
    }

    /// Takes some of a stock from an object or area, and creates events when that begins and when nothing is left. `at_most` is
    /// the largest amount, with noise; everything if `None`. Returns the amount taken.
    fn take(&mut self, stock: &str, from: Source, at_most: Option<f64>) -> f64 {
        let (properties, bearer) = match from {
            Source::Object(place) => {
                let id = self.world.objects()[place].id;
                (self.world.properties_mut(place), Bearer::Object(id))
            }
            Source::Area(index) => (&mut self.world.areas[index].properties, Bearer::Area(index as u32)),
        };
        let (before, at_first) = (properties.amount(stock), properties.stocks.at_first(stock));
        if before <= 0.0 {
            return 0.0;
        }
        let taken = at_most.map_or(before, |most| self.quality.noisy(most, self.random).clamp(0.0, before));
        let amount = properties.stocks.amount_mut(stock);
        *amount -= taken;
        let finished = *amount <= 0.0;
        if finished || before >= at_first {
            let body = self.me;
            self.events.push(WorldEvent::Taken { body, stock: stock.into(), from: bearer, finished });
        }
        taken
    }
}

/// Where a stock is taken from.
enum Source {
    /// The object at this place.
    Object(usize),
    /// The area of this number.
    Area(usize),
}

/// A kind of effector. Its fields are the parameters that only this kind has.
pub trait Effector: Default + Serialize + DeserializeOwned + JsonSchema {
    /// What it does, in one line.
    const SUMMARY: &'static str;
    /// The unit of its absolute noise and bias.
    const UNIT: &'static str;

    /// Its default quality.
    fn quality() -> Quality;

    /// The named scalars of a body that it changes or shows, as they are at the start.
    fn aspects(&self) -> Vec<Aspect> {
        Vec::new()
    }

    /// The colour that it shows; empty if it shows none.
    fn colour(&self) -> &str {
        ""
    }

    /// Performs an action. Actions that are not its own have no effect.
    fn perform(&self, action: Action, grasp: &mut Grasp);

    /// Its status as its robot sees it.
    fn feedback(&self, _world: &World, _me: RobotId) -> f64 {
        0.0
    }
}

macro_rules! registry {
    ($($name:literal => $variant:ident($type:ty),)*) => {
        /// Any effector.
        #[derive(Clone, Debug, PartialEq)]
        pub enum AnyEffector { $(#[allow(missing_docs)] $variant($type),)* }

        /// All kinds of effectors.
        pub const KINDS: &[DeviceKind] = &[$(DeviceKind {
            name: $name,
            summary: <$type>::SUMMARY,
            unit: <$type>::UNIT,
            quality: <$type>::quality,
            schema: |generator| generator.subschema_for::<$type>(),
        },)*];

        impl AnyEffector {
            /// An effector of this kind from its own parameters; `None` if there is no such kind.
            pub fn parse<'de, D: serde::Deserializer<'de>>(kind: &str, own: D) -> Option<Result<AnyEffector, D::Error>> {
                match kind {
                    $($name => Some(<$type as serde::Deserialize>::deserialize(own).map(AnyEffector::$variant)),)*
                    _ => None,
                }
            }

            fn perform(&self, action: Action, grasp: &mut Grasp) {
                match self { $(AnyEffector::$variant(effector) => effector.perform(action, grasp),)* }
            }

            pub(crate) fn aspects(&self) -> Vec<Aspect> {
                match self { $(AnyEffector::$variant(effector) => effector.aspects(),)* }
            }

            fn colour(&self) -> &str {
                match self { $(AnyEffector::$variant(effector) => effector.colour(),)* }
            }

            fn feedback(&self, world: &World, me: RobotId) -> f64 {
                match self { $(AnyEffector::$variant(effector) => effector.feedback(world, me),)* }
            }
        }
    };
}

registry! {
    "drive" => Drive(drive::DriveUnit),
    "gripper" => Gripper(gripper::Gripper),
    "vacuum" => Vacuum(vacuum::Vacuum),
    "dumper" => Dumper(dumper::Dumper),
    "duster-arm" => DusterArm(duster_arm::DusterArm),
    "report" => Report(report::Report),
    "dialog" => Dialog(dialog::Dialog),
    "ask-way" => AskWay(ask_way::AskWay),
    "head" => Head(head::Head),
    "legs" => Legs(legs::Legs),
    "marker" => Marker(marker::Marker),
}

/// An effector on a robot.
#[derive(Clone, Debug, PartialEq)]
pub struct MountedEffector {
    /// Its name on that robot.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// Its quality.
    pub quality: Quality,
    /// Its type.
    pub effector: AnyEffector,
}

impl MountedEffector {
    /// Its datasheet for the robot.
    pub fn sheet(&self) -> EffectorSheet {
        EffectorSheet {
            name: self.name.clone(),
            kind: self.kind.clone(),
            range: self.quality.range,
            colour: self.effector.colour().into(),
            relative_noise: self.quality.relative_noise,
        }
    }

    /// Performs an action, unless it drops out.
    pub fn perform(&self, action: Action, grasp: &mut Grasp) {
        if grasp.random.chance(self.quality.dropout) {
            return;
        }
        self.effector.perform(action, grasp);
        for aspect in &mut grasp.world.bodies[grasp.me].aspects {
            aspect.apply(&crate::aspect::Activity { uses: 1.0, ..Default::default() });
        }
    }

    /// Its status.
    #[inline]
    pub fn feedback(&self, world: &World, me: RobotId) -> f64 {
        self.effector.feedback(world, me)
    }
}
