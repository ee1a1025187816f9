//! A decoder of frames: a viewer's knowledge of a lane. The page has its own in `web/src/net/frame.ts`; this one is for
//! programs.

use super::frame::{FROM_LAST, FROM_NOTHING, TURN};
use crate::show::{ItemMark, RobotMark};

/// Largest number of things in a frame; more are refused before memory is allocated.
const MOST: u64 = 1 << 20;

/// A viewer's knowledge of one lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// The lane's epoch.
    pub epoch: u64,
    /// Ticks done.
    pub tick: u64,
    /// The robots.
    pub robots: Vec<RobotMark>,
    /// The items.
    pub items: Vec<ItemMark>,
}

/// Why a frame cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// It ends too early.
    #[error("a frame ends too early")]
    Short,
    /// It has trailing bytes.
    #[error("a frame has extra bytes at its end")]
    Long,
    /// It is of an unknown kind.
    #[error("a frame must be of kind 1 or 2, found {0}")]
    Kind(u8),
    /// It refers to something that does not exist.
    #[error("a frame refers to number {0}, which does not exist")]
    Index(u64),
    /// A number is out of range.
    #[error("a number in a frame is out of range")]
    Range,
    /// It refers to a frame that was never received.
    #[error("a frame is relative to another one that was never received")]
    First,
}

/// Applies a frame to the pictures of the lanes; returns the lane that changed.
pub fn apply(pictures: &mut Vec<Picture>, frame: &[u8]) -> Result<usize, FrameError> {
    let mut reader = Reader(frame);
    let kind = reader.byte()?;
    let lane = usize::from(reader.byte()?);
    match kind {
        FROM_NOTHING => {
            pictures.resize(pictures.len().max(lane + 1), Picture::default());
            pictures[lane] = Picture::default();
        }
        FROM_LAST => {}
        other => return Err(FrameError::Kind(other)),
    }
    let picture = pictures.get_mut(lane).ok_or(FrameError::First)?;
    (picture.epoch, picture.tick) = (reader.varint()?, reader.varint()?);
    let (robots, items) = (reader.count()?, reader.count()?);
    picture.robots.resize(robots, RobotMark::default());
    picture.items.resize(items, ItemMark::default());
    reader.records(&mut picture.robots, robot)?;
    reader.records(&mut picture.items, item)?;
    if reader.0.is_empty() { Ok(lane) } else { Err(FrameError::Long) }
}

fn robot(reader: &mut Reader<'_>, mask: u8, mark: &mut RobotMark) -> Result<(), FrameError> {
    if mask & 1 != 0 {
        mark.x = reader.step(mark.x)?;
    }
    if mask & 2 != 0 {
        mark.y = reader.step(mark.y)?;
    }
    if mask & 4 != 0 {
        let turned = reader.step(mark.heading.into())?.rem_euclid(TURN);
        mark.heading = turned.try_into().map_err(|_| FrameError::Range)?;
    }
    if mask & 8 != 0 {
        mark.work = reader.number()?;
    }
    if mask & 16 != 0 {
        mark.flags = reader.number()?;
    }
    if mask & 32 != 0 {
        mark.energy = reader.byte()?;
    }
    Ok(())
}

fn item(reader: &mut Reader<'_>, mask: u8, mark: &mut ItemMark) -> Result<(), FrameError> {
    if mask & 1 != 0 {
        mark.x = reader.step(mark.x)?;
    }
    if mask & 2 != 0 {
        mark.y = reader.step(mark.y)?;
    }
    if mask & 4 != 0 {
        mark.flags = reader.number()?;
    }
    if mask & 8 != 0 {
        mark.kind = reader.number()?;
    }
    if mask & 16 != 0 {
        mark.holder = reader.number()?;
    }
    Ok(())
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn byte(&mut self) -> Result<u8, FrameError> {
        let (first, rest) = self.0.split_first().ok_or(FrameError::Short)?;
        self.0 = rest;
        Ok(*first)
    }

    fn varint(&mut self) -> Result<u64, FrameError> {
        let mut value = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(FrameError::Range)
    }

    fn number<T: TryFrom<u64>>(&mut self) -> Result<T, FrameError> {
        self.varint()?.try_into().map_err(|_| FrameError::Range)
    }

    fn count(&mut self) -> Result<usize, FrameError> {
        let count = self.varint()?;
        if count <= MOST { Ok(count as usize) } else { Err(FrameError::Range) }
    }

    /// A number encoded as a difference.
    fn step(&mut self, from: i32) -> Result<i32, FrameError> {
        let zigzag = self.varint()?;
        let difference = (zigzag >> 1) as i64 ^ -((zigzag & 1) as i64);
        let to = i64::from(from).checked_add(difference).ok_or(FrameError::Range)?;
        to.try_into().map_err(|_| FrameError::Range)
    }

    fn records<T>(
        &mut self,
        list: &mut [T],
        read: impl Fn(&mut Self, u8, &mut T) -> Result<(), FrameError>,
    ) -> Result<(), FrameError> {
        let mut next = 0;
        loop {
            let gap = self.varint()?;
            if gap == 0 {
                return Ok(());
            }
            let index = gap.checked_add(next).ok_or(FrameError::Range)? - 1;
            let place = usize::try_from(index).ok().and_then(|index| list.get_mut(index));
            let mark = place.ok_or(FrameError::Index(index))?;
            let mask = self.byte()?;
            read(self, mask, mark)?;
            next = index + 1;
        }
    }
}
