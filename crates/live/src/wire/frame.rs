//! Frames: the positions of everything, as a difference from what the viewer saw last. `web/src/protocol.ts` describes the
//! format.

use crate::show::{ItemMark, LaneView, RobotMark};

/// Reset: everything is zero.
pub(super) const FROM_NOTHING: u8 = 1;
/// Relative to the last frame of this lane.
pub(super) const FROM_LAST: u8 = 2;
/// Units of heading in a full turn.
pub(super) const TURN: i32 = 4096;

/// What one viewer has seen of one lane.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    epoch: Option<u64>,
    tick: u64,
    robots: Vec<RobotMark>,
    items: Vec<ItemMark>,
}

impl Frames {
    /// The frame from the viewer's last state to this view; `None` if there is no difference.
    pub fn next(&mut self, lane: usize, view: &LaneView) -> Option<Vec<u8>> {
        // A viewer keeps its knowledge of things beyond the end of a list, we do not.
        let shorter = view.robots.len() < self.robots.len() || view.items.len() < self.items.len();
        let known = self.epoch == Some(view.epoch) && !shorter;
        if known && self.tick == view.tick && self.robots == view.robots && self.items == view.items {
            return None;
        }
        if !known {
            *self = Frames { epoch: Some(view.epoch), ..Frames::default() };
        }
        self.tick = view.tick;
        self.robots.resize(view.robots.len(), RobotMark::default());
        self.items.resize(view.items.len(), ItemMark::default());
        let mut out = Vec::with_capacity(16 + view.robots.len() * 6);
        out.push(if known { FROM_LAST } else { FROM_NOTHING });
        out.push(lane as u8);
        for number in [view.epoch, view.tick, view.robots.len() as u64, view.items.len() as u64] {
            varint(&mut out, number);
        }
        records(&mut out, &mut self.robots, &view.robots, robot);
        records(&mut out, &mut self.items, &view.items, item);
        Some(out)
    }
}

/// Writes the changes of each thing in a list, and the end mark.
fn records<T: Copy + PartialEq>(
    out: &mut Vec<u8>,
    seen: &mut [T],
    now: &[T],
    write: impl Fn(&mut Vec<u8>, &T, &T),
) {
    let mut last = -1;
    for (index, (seen, now)) in seen.iter_mut().zip(now).enumerate() {
        if seen != now {
            let index = index as i64;
            varint(out, (index - last) as u64);
            write(out, seen, now);
            last = index;
            *seen = *now;
        }
    }
    out.push(0);
}

/// Writes fields after a mask of those that are present.
struct Fields<'a> {
    out: &'a mut Vec<u8>,
    mask: usize,
    bit: u8,
}

impl Fields<'_> {
    fn of(out: &mut Vec<u8>) -> Fields<'_> {
        let mask = out.len();
        out.push(0);
        Fields { out, mask, bit: 1 }
    }

    fn field(&mut self, there: bool, write: impl FnOnce(&mut Vec<u8>)) {
        if there {
            self.out[self.mask] |= self.bit;
            write(self.out);
        }
        self.bit <<= 1;
    }

    fn step(&mut self, from: i32, to: i32) {
        self.field(from != to, |out| svarint(out, i64::from(to) - i64::from(from)));
    }

    fn value(&mut self, from: u64, to: u64) {
        self.field(from != to, |out| varint(out, to));
    }
}

fn robot(out: &mut Vec<u8>, seen: &RobotMark, now: &RobotMark) {
    let mut fields = Fields::of(out);
    fields.step(seen.x, now.x);
    fields.step(seen.y, now.y);
    fields.field(seen.heading != now.heading, |out| {
        // The shorter direction.
        let turn = (i32::from(now.heading) - i32::from(seen.heading)).rem_euclid(TURN);
        svarint(out, i64::from(if turn >= TURN / 2 { turn - TURN } else { turn }));
    });
    fields.value(seen.work.into(), now.work.into());
    fields.value(seen.flags.into(), now.flags.into());
    fields.field(seen.energy != now.energy, |out| out.push(now.energy));
}

fn item(out: &mut Vec<u8>, seen: &ItemMark, now: &ItemMark) {
    let mut fields = Fields::of(out);
    fields.step(seen.x, now.x);
    fields.step(seen.y, now.y);
    fields.value(seen.flags.into(), now.flags.into());
    fields.value(seen.kind.into(), now.kind.into());
    fields.value(seen.holder.into(), now.holder.into());
}

fn varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Zigzag encoding: small numbers of either sign are short.
fn svarint(out: &mut Vec<u8>, number: i64) {
    varint(out, ((number << 1) ^ (number >> 63)) as u64);
}
