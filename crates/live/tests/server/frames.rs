//! Whatever a viewer has missed, the next frame brings it to the latest view.

use crewlab_live::show::{History, ItemMark, LaneView, RobotMark};
use crewlab_live::wire::{Frames, apply};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

fn place() -> impl Strategy<Value = i32> {
    prop_oneof![-5..5, -100_000..100_000, any::<i32>()]
}

fn robot() -> impl Strategy<Value = RobotMark> {
    (place(), place(), 0..4096u16, 0..300u16, any::<u8>(), any::<u8>())
        .prop_map(|(x, y, heading, work, flags, energy)| RobotMark { x, y, heading, work, flags, energy })
}

fn item() -> impl Strategy<Value = ItemMark> {
    (place(), place(), any::<u8>(), 0..3u16, any::<u16>()).prop_map(|(x, y, flags, kind, holder)| ItemMark {
        x,
        y,
        flags,
        kind,
        holder,
    })
}

fn lane() -> impl Strategy<Value = LaneView> {
    let marks = (prop::collection::vec(robot(), 0..40), prop::collection::vec(item(), 0..40));
    (0..3u64, 0..5u64, marks).prop_map(|(epoch, tick, (robots, items))| LaneView {
        epoch,
        tick,
        robots,
        items,
        scene: "".into(),
        things: "".into(),
        overlay: None,
        details: BTreeMap::new(),
        history: Arc::new(Mutex::new(History::default())),
    })
}

proptest! {
    #[test]
    fn a_viewer_sees_what_is_shown_whatever_it_missed(
        views in prop::collection::vec((lane(), any::<bool>(), any::<bool>()), 1..20)
    ) {
        let (mut frames, mut pictures) = (Frames::default(), Vec::new());
        let mut before: Option<LaneView> = None;
        for (mut view, missed, alike) in views {
            // Often most of it is unchanged.
            if let Some(before) = before.as_ref().filter(|_| alike) {
                let count = view.robots.len().min(before.robots.len()) / 2;
                view.robots[..count].copy_from_slice(&before.robots[..count]);
                view.epoch = before.epoch;
            }
            before = Some(view.clone());
            if missed {
                continue;
            }
            match frames.next(0, &view) {
                Some(frame) => prop_assert_eq!(apply(&mut pictures, &frame), Ok(0)),
                None => prop_assert!(!pictures.is_empty(), "the first frame is always sent"),
            }
            let seen = &pictures[0];
            prop_assert_eq!((seen.epoch, seen.tick), (view.epoch, view.tick));
            prop_assert_eq!(&seen.robots, &view.robots);
            prop_assert_eq!(&seen.items, &view.items);
            prop_assert_eq!(frames.next(0, &view), None, "nothing is told twice");
        }
    }

    #[test]
    fn invalid_frames_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut pictures = Vec::new();
        // Only that it returns matters.
        let _ = apply(&mut pictures, &bytes);
        let mut framed = vec![1, 0];
        framed.extend(bytes);
        let _ = apply(&mut pictures, &framed);
    }
}

#[test]
fn a_robot_that_drives_straight_on_takes_three_bytes() {
    let view = |tick, x| LaneView {
        epoch: 1,
        tick,
        robots: vec![RobotMark { x, y: 5000, flags: 1, ..RobotMark::default() }; 1000],
        items: Vec::new(),
        scene: "".into(),
        things: "".into(),
        overlay: None,
        details: BTreeMap::new(),
        history: Arc::new(Mutex::new(History::default())),
    };
    let mut frames = Frames::default();
    frames.next(0, &view(1, 0));
    let length = frames.next(0, &view(2, 60)).map(|frame| frame.len());
    // Head and two ends are 9 bytes; a record is its distance, its mask and a number of one byte up to 63 mm.
    assert_eq!(length, Some(9 + 1000 * 3));
}
