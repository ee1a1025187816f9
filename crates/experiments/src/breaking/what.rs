//! The things that can go wrong, and how much each of them takes away.

use super::place::Spot;

/// How wide a crate is at first. [cm]
pub const CRATE: u32 = 90;

/// What goes wrong. Each takes something away from a robot, from the air between robots, or changes the world around them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// The drive loses a share of its speed: the level.
    DriveSlower,
    /// The radio loses a share of what it sends and receives: the level.
    RadioLossy,
    /// A sensor gives no reading.
    SensorDead(String),
    /// The radio sends, but does not receive.
    RadioDeaf,
    /// The radio receives, but does not send.
    RadioMute,
    /// The software starts again without memory.
    Crash,
    /// The radio neither sends nor receives.
    RadioDead,
    /// The robot is cut off from the rest of the team and from the operator.
    Partition,
    /// An effector does nothing.
    EffectorDead(String),
    /// The drive does not move.
    DriveDead,
    /// The emergency stop is pressed.
    EmergencyStop,
    /// The robot is walled in.
    Trap,
    /// The robot dies.
    Stop,
    /// The clock goes faster by a share: the level.
    ClockFast,
    /// The clock goes slower by a share: the level.
    ClockSlow,
    /// The battery loses a share of its charge in 100 s: the level.
    BatteryDrains,
    /// Somebody picks the robot up and puts it down there.
    Carried(Spot),
    /// The noise on the air rises by so many decibels: the level.
    Noise,
    /// A share of the radio's bandwidth is gone: the level.
    Bandwidth,
    /// The scenario's own jammer of this name is switched on.
    JammerOn(String),
    /// A jammer of so much power, in dBm, is put up: the level.
    JammerAdded,
    /// A crate so many centimetres wide is put down: the level.
    Crate,
    /// A person comes and walks about.
    Person,
    /// The ground takes a share of everybody's speed: the level.
    HeavyGround,
    /// So many items are moved there: the level.
    ItemsMoved(Spot),
    /// So many items are taken away: the level.
    ItemsTaken,
}

/// The names of kinds, as a scenario's `disturbances` has them and `--kinds` takes them.
pub const KINDS: [&str; 20] = [
    "drive",
    "radio",
    "sensor",
    "crash",
    "partition",
    "effector",
    "emergency-stop",
    "trap",
    "stop",
    "clock",
    "battery",
    "robot-moved",
    "noise",
    "bandwidth",
    "jammer",
    "object-added",
    "person",
    "terrain",
    "items-moved",
    "items-removed",
];

/// So many of [`KINDS`], the first, are tried if none is asked for: what breaks on robots and between them. The others belong to
/// the world outside and are tried only by name.
pub const BY_ITSELF: usize = 9;

/// What `--kinds` takes for all of [`KINDS`].
pub const ALL: &str = "all";

impl What {
    /// The kind of disturbance it is an instance of: one of [`KINDS`].
    pub fn kind(&self) -> &'static str {
        match self {
            What::DriveSlower | What::DriveDead => "drive",
            What::RadioLossy | What::RadioDeaf | What::RadioMute | What::RadioDead => "radio",
            What::SensorDead(_) => "sensor",
            What::Crash => "crash",
            What::Partition => "partition",
            What::EffectorDead(_) => "effector",
            What::EmergencyStop => "emergency-stop",
            What::Trap => "trap",
            What::Stop => "stop",
            What::ClockFast | What::ClockSlow => "clock",
            What::BatteryDrains => "battery",
            What::Carried(_) => "robot-moved",
            What::Noise => "noise",
            What::Bandwidth => "bandwidth",
            What::JammerOn(_) => "jammer",
            What::JammerAdded | What::Crate => "object-added",
            What::Person => "person",
            What::HeavyGround => "terrain",
            What::ItemsMoved(_) => "items-moved",
            What::ItemsTaken => "items-removed",
        }
    }

    /// How much it takes away from one robot, or from all in a place: from 1 (it is worse at something) to 6 (it is gone).
    pub fn severity(&self) -> u32 {
        match self {
            What::DriveSlower | What::RadioLossy | What::ClockFast | What::ClockSlow => 1,
            What::Noise | What::Bandwidth | What::HeavyGround => 1,
            What::Person | What::Crate | What::ItemsMoved(_) => 1,
            What::SensorDead(_) | What::RadioDeaf | What::RadioMute | What::Carried(_) => 2,
            What::JammerOn(_) | What::JammerAdded | What::ItemsTaken => 2,
            What::Crash | What::RadioDead | What::Partition | What::EffectorDead(_) => 3,
            What::BatteryDrains => 3,
            What::DriveDead | What::EmergencyStop => 4,
            What::Trap => 5,
            What::Stop => 6,
        }
    }

    /// The level it has at first, for what has degrees; of items it is their number.
    pub fn worst(&self) -> Option<u32> {
        match self {
            What::DriveSlower | What::RadioLossy | What::ClockFast | What::ClockSlow => Some(90),
            What::BatteryDrains | What::Bandwidth => Some(90),
            // From 90 % on the ground would be a wall.
            What::HeavyGround => Some(85),
            What::Noise => Some(40),
            What::JammerAdded => Some(30),
            What::Crate => Some(CRATE),
            _ => None,
        }
    }
}
