//! The kinds of mishaps and their severities.

use super::place::Spot;

/// Initial width of a crate. [cm]
pub const CRATE: u32 = 90;

/// A kind of mishap: a fault of a robot, of the radio channel, or a change of the world.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MishapKind {
    /// The drive loses a share of its speed (the level).
    DriveSlower,
    /// The radio loses a share of the messages that it sends and receives (the level).
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
    /// The clock runs faster by a share (the level).
    ClockFast,
    /// The clock runs slower by a share (the level).
    ClockSlow,
    /// The battery loses a share of its charge in 100 s (the level).
    BatteryDrains,
    /// Somebody carries the robot to this place.
    Carried(Spot),
    /// The noise rises by the level in decibels.
    Noise,
    /// The radio loses a share of its bandwidth (the level).
    Bandwidth,
    /// The scenario's own jammer of this name is switched on.
    JammerOn(String),
    /// A jammer is added; the level is its power in dBm.
    JammerAdded,
    /// A crate is added; the level is its width in centimetres.
    Crate,
    /// A person comes in and walks about.
    Person,
    /// The ground slows everybody down by a share (the level).
    HeavyGround,
    /// Items are moved to this place; the level is their number.
    ItemsMoved(Spot),
    /// Items are removed; the level is their number.
    ItemsTaken,
}

/// The names of the kinds, as in a scenario's `disturbances` and in `--kinds`.
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

/// Number of leading entries of [`KINDS`] tried by default: faults of robots and of their communication. The others belong to
/// the world outside and are tried only by name.
pub const BY_ITSELF: usize = 9;

/// The value of `--kinds` for all of [`KINDS`].
pub const ALL: &str = "all";

impl MishapKind {
    /// Its kind of disturbance: one of [`KINDS`].
    pub fn kind(&self) -> &'static str {
        match self {
            MishapKind::DriveSlower | MishapKind::DriveDead => "drive",
            MishapKind::RadioLossy
            | MishapKind::RadioDeaf
            | MishapKind::RadioMute
            | MishapKind::RadioDead => "radio",
            MishapKind::SensorDead(_) => "sensor",
            MishapKind::Crash => "crash",
            MishapKind::Partition => "partition",
            MishapKind::EffectorDead(_) => "effector",
            MishapKind::EmergencyStop => "emergency-stop",
            MishapKind::Trap => "trap",
            MishapKind::Stop => "stop",
            MishapKind::ClockFast | MishapKind::ClockSlow => "clock",
            MishapKind::BatteryDrains => "battery",
            MishapKind::Carried(_) => "robot-moved",
            MishapKind::Noise => "noise",
            MishapKind::Bandwidth => "bandwidth",
            MishapKind::JammerOn(_) => "jammer",
            MishapKind::JammerAdded | MishapKind::Crate => "object-added",
            MishapKind::Person => "person",
            MishapKind::HeavyGround => "terrain",
            MishapKind::ItemsMoved(_) => "items-moved",
            MishapKind::ItemsTaken => "items-removed",
        }
    }

    /// Its severity for one robot, or for all in a place: from 1 (worse at something) to 6 (lost).
    pub fn severity(&self) -> u32 {
        match self {
            MishapKind::DriveSlower
            | MishapKind::RadioLossy
            | MishapKind::ClockFast
            | MishapKind::ClockSlow => 1,
            MishapKind::Noise | MishapKind::Bandwidth | MishapKind::HeavyGround => 1,
            MishapKind::Person | MishapKind::Crate | MishapKind::ItemsMoved(_) => 1,
            MishapKind::SensorDead(_)
            | MishapKind::RadioDeaf
            | MishapKind::RadioMute
            | MishapKind::Carried(_) => 2,
            MishapKind::JammerOn(_) | MishapKind::JammerAdded | MishapKind::ItemsTaken => 2,
            MishapKind::Crash
            | MishapKind::RadioDead
            | MishapKind::Partition
            | MishapKind::EffectorDead(_) => 3,
            MishapKind::BatteryDrains => 3,
            MishapKind::DriveDead | MishapKind::EmergencyStop => 4,
            MishapKind::Trap => 5,
            MishapKind::Stop => 6,
        }
    }

    /// Its initial level, if it has levels; for items their number.
    pub fn worst(&self) -> Option<u32> {
        match self {
            MishapKind::DriveSlower
            | MishapKind::RadioLossy
            | MishapKind::ClockFast
            | MishapKind::ClockSlow => Some(90),
            MishapKind::BatteryDrains | MishapKind::Bandwidth => Some(90),
            // At 90 % and more the ground would be a wall.
            MishapKind::HeavyGround => Some(85),
            MishapKind::Noise => Some(40),
            MishapKind::JammerAdded => Some(30),
            MishapKind::Crate => Some(CRATE),
            _ => None,
        }
    }
}
