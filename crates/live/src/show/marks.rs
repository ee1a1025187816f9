//! Robots and items in frames: whole numbers, so that unchanged things are equal.

/// The robot is in the world.
pub const ROBOT_PRESENT: u8 = 1;
/// Its software does not run.
pub const ROBOT_DOWN: u8 = 2;
/// It holds an item.
pub const ROBOT_HOLDING: u8 = 4;
/// A person drives it.
pub const ROBOT_TAKEN_OVER: u8 = 8;
/// Something on it is broken.
pub const ROBOT_FAULTY: u8 = 16;
/// Its emergency stop is pressed.
pub const ROBOT_STOPPED: u8 = 32;

/// The item is in the world.
pub const ITEM_PRESENT: u8 = 1;
/// A person has it.
pub const ITEM_GIVEN: u8 = 2;

/// A robot in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RobotMark {
    /// Position. [mm]
    pub x: i32,
    /// Position. [mm]
    pub y: i32,
    /// Heading, from 0 to 4095. [1/4096 turn]
    pub heading: u16,
    /// Its work: the behaviour set's number plus 1, or 0.
    pub work: u16,
    /// Its flags.
    pub flags: u8,
    /// Its battery charge, from 0 to 200, or 255 if it has none. [half per cent]
    pub energy: u8,
}

/// An item in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ItemMark {
    /// Position. [mm]
    pub x: i32,
    /// Position. [mm]
    pub y: i32,
    /// Its flags.
    pub flags: u8,
    /// Its kind, by index in the scene's list.
    pub kind: u16,
    /// Its holder: the robot's number plus 1, or 0.
    pub holder: u16,
}
