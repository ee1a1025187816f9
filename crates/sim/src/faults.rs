//! Faults of a robot. Every fault carries the token of its disturbance, so that undoing one leaves the others in place.

use crewlab_onboard::{Command, Time};
use crewlab_world::Drive;
use crewlab_world::sensors::{Ailment, SensorFault};
use serde::{Deserialize, Serialize};

/// A fault.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Fault {
    /// A sensor.
    Sensor(Ailment),
    /// The drive.
    Drive(DriveFault),
    /// An effector, by its index: it does nothing.
    Effector(usize),
    /// The battery: share of its capacity that is lost per second. [1/s]
    Drain(f64),
    /// Everything: the robot stands still and is silent.
    Stop,
    /// The emergency stop is pressed: nothing moves and a held item stays in the gripper, but the computer runs.
    Emergency,
    /// The radio: probability that a frame is lost, sent or received; 1 is a dead radio.
    Loss(f64),
    /// The radio: it does not receive.
    Deaf,
    /// The radio: it does not send.
    Mute,
    /// The clock, in seconds and seconds per second.
    Clock {
        /// How much it is ahead. [s]
        offset: f64,
        /// How much faster it runs.
        drift: f64,
        /// Since when.
        since: Time,
    },
    /// The software has crashed: as if stopped, but it restarts without memory.
    Crash,
    /// Not a fault: a person drives the robot with these shares of the highest speeds, and its software moves nothing.
    Hand {
        /// Forward; below 0 backwards.
        speed: f64,
        /// To the left; below 0 to the right.
        turn: f64,
    },
}

/// A repairable part of a robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A sensor, by its index.
    Sensor(usize),
    /// An effector, by its index.
    Effector(usize),
    /// The drive.
    Drive,
    /// The radio.
    Radio,
    /// The clock.
    Clock,
    /// The battery.
    Battery,
    /// A stop, an emergency stop or a crash.
    Stop,
}

/// The token of permanent disturbances.
pub const FOR_GOOD: u32 = u32::MAX;

impl Fault {
    /// True if repeating it changes nothing.
    fn is_final(&self) -> bool {
        let sensor = |ailment: &Ailment| matches!(ailment.fault, SensorFault::Dead | SensorFault::Stuck);
        match self {
            Fault::Stop
            | Fault::Crash
            | Fault::Emergency
            | Fault::Deaf
            | Fault::Mute
            | Fault::Effector(_) => true,
            Fault::Drive(DriveFault::Dead | DriveFault::Stuck) => true,
            Fault::Sensor(ailment) => sensor(ailment),
            Fault::Loss(loss) => *loss >= 1.0,
            _ => false,
        }
    }

    /// The broken part; `None` if a person drives the robot.
    fn part(&self) -> Option<Part> {
        match self {
            Fault::Sensor(ailment) => Some(Part::Sensor(ailment.sensor)),
            Fault::Drive(_) => Some(Part::Drive),
            Fault::Effector(place) => Some(Part::Effector(*place)),
            Fault::Drain(_) => Some(Part::Battery),
            Fault::Stop | Fault::Emergency | Fault::Crash => Some(Part::Stop),
            Fault::Loss(_) | Fault::Deaf | Fault::Mute => Some(Part::Radio),
            Fault::Clock { .. } => Some(Part::Clock),
            Fault::Hand { .. } => None,
        }
    }
}

/// A fault of a drive.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum DriveFault {
    /// It does not move.
    Dead,
    /// It loses this share of its speed.
    Slower(f64),
    /// It turns to the left while driving, by this share of the highest turning speed; below 0 to the right.
    Pulls(f64),
    /// It keeps its last command.
    Stuck,
}

/// All faults of one robot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Faults {
    list: Vec<(u32, Fault)>,
    ailments: Vec<Ailment>,
    /// The speeds that a stuck drive keeps.
    held: Option<(f64, f64, f64)>,
}

impl Faults {
    /// True if there are no faults.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds a fault, on behalf of the disturbance with this token.
    pub fn add(&mut self, token: u32, fault: Fault) {
        // A permanent fault is not repeated: the list does not grow with the length of a run.
        if token == FOR_GOOD && fault.is_final() && self.list.contains(&(token, fault.clone())) {
            return;
        }
        self.list.push((token, fault));
        self.refresh();
    }

    /// Removes the faults of the disturbance with this token; returns them.
    pub fn remove(&mut self, token: u32) -> Vec<Fault> {
        let removed = self.list.extract_if(.., |(by, _)| *by == token).map(|(_, fault)| fault).collect();
        self.refresh();
        removed
    }

    /// Repairs a part, or everything; returns the removed faults.
    pub(crate) fn repair(&mut self, part: Option<Part>) -> Vec<Fault> {
        let meant = |fault: &Fault| fault.part().is_some_and(|broken| part.is_none_or(|part| part == broken));
        let repaired = self.list.extract_if(.., |(_, fault)| meant(fault)).map(|(_, fault)| fault).collect();
        self.refresh();
        repaired
    }

    /// True if a fault of the disturbance with this token remains.
    pub(crate) fn has(&self, token: u32) -> bool {
        self.list.iter().any(|(by, _)| *by == token)
    }

    /// Lets a person drive the robot from now on, whoever did so before.
    pub(crate) fn take_over(&mut self, token: u32, speed: f64, turn: f64) {
        self.release();
        self.list.push((token, Fault::Hand { speed, turn }));
    }

    /// Returns the robot to its software; true if a person drove it.
    pub(crate) fn release(&mut self) -> bool {
        let before = self.list.len();
        self.list.retain(|(_, fault)| !matches!(fault, Fault::Hand { .. }));
        self.list.len() < before
    }

    /// The command of the person who drives the robot, if there is one: shares of its highest speeds, forward and to the left.
    pub fn hand(&self) -> Option<(f64, f64)> {
        self.list.iter().find_map(|(_, fault)| match fault {
            Fault::Hand { speed, turn } => Some((*speed, *turn)),
            _ => None,
        })
    }

    /// All faults, including a person who drives the robot.
    pub fn iter(&self) -> impl Iterator<Item = &Fault> {
        self.list.iter().map(|(_, fault)| fault)
    }

    fn refresh(&mut self) {
        let ailments = self.list.iter().filter_map(|(_, fault)| match fault {
            Fault::Sensor(ailment) => Some(*ailment),
            _ => None,
        });
        self.ailments = ailments.collect();
        if !self.drive().any(|fault| fault == DriveFault::Stuck) {
            self.held = None;
        }
    }

    fn drive(&self) -> impl Iterator<Item = DriveFault> + '_ {
        self.list.iter().filter_map(|(_, fault)| match fault {
            Fault::Drive(fault) => Some(*fault),
            _ => None,
        })
    }

    /// The broken sensors.
    pub(crate) fn ailments(&self) -> &[Ailment] {
        &self.ailments
    }

    /// True if the robot is stopped.
    pub(crate) fn stopped(&self) -> bool {
        self.list.iter().any(|(_, fault)| matches!(fault, Fault::Stop | Fault::Crash))
    }

    /// True if the emergency stop is pressed.
    pub(crate) fn freezes(&self) -> bool {
        self.list.iter().any(|(_, fault)| *fault == Fault::Emergency)
    }

    /// True if the drive cannot move the robot.
    pub(crate) fn immobile(&self) -> bool {
        let still = self.held.is_some_and(|held| held == (0.0, 0.0, 0.0));
        self.drive().any(|fault| match fault {
            DriveFault::Dead => true,
            DriveFault::Slower(share) => share >= 1.0,
            DriveFault::Stuck => still,
            DriveFault::Pulls(_) => false,
        })
    }

    /// True if an effector does nothing.
    pub(crate) fn cripples(&self, effector: usize) -> bool {
        self.list.iter().any(|(_, fault)| *fault == Fault::Effector(effector))
    }

    /// Probability that a frame is lost at this robot, from all faults together.
    fn loss(&self) -> f64 {
        let kept = self.list.iter().fold(1.0, |kept, (_, fault)| match fault {
            Fault::Loss(loss) => kept * (1.0 - loss),
            _ => kept,
        });
        1.0 - kept
    }

    /// The remaining function of a radio: whether it sends, whether it receives, and the probability that it loses a frame.
    pub(crate) fn radio(&self) -> (bool, bool, f64) {
        let has = |broken: Fault| self.list.iter().any(|(_, fault)| *fault == broken);
        let loss = self.loss();
        let works = loss < 1.0;
        (works && !has(Fault::Mute), works && !has(Fault::Deaf), loss)
    }

    /// Share of the battery's capacity that is lost per second. [1/s]
    pub(crate) fn drain(&self) -> f64 {
        let drains = self.list.iter().filter_map(|(_, fault)| match fault {
            Fault::Drain(drain) => Some(*drain),
            _ => None,
        });
        drains.sum()
    }

    /// The time shown by the robot's clock.
    pub fn clock(&self, now: Time) -> Time {
        let mut shown = None;
        for (_, fault) in &self.list {
            if let Fault::Clock { offset, drift, since } = fault {
                let wrong = offset + drift * now.since(*since);
                shown = Some(shown.unwrap_or(now.seconds()) + wrong);
            }
        }
        shown.map_or(now, Time::from_seconds)
    }

    /// The command of a person at the controls instead of the software's, if there is one.
    pub(crate) fn steer(&self, command: &mut Command, drive: &Drive) {
        if let Some((speed, turn)) = self.hand() {
            let fastest = if speed < 0.0 { drive.max_reverse } else { drive.max_speed };
            *command = Command::drive(speed * fastest, turn * drive.max_turn);
        }
    }

    /// The effect of the drive's faults on a command.
    pub(crate) fn bend(&mut self, command: &mut Command, drive: &Drive) {
        for (_, fault) in &self.list {
            let Fault::Drive(fault) = fault else { continue };
            match *fault {
                DriveFault::Dead => (command.speed, command.side, command.turn) = (0.0, 0.0, 0.0),
                DriveFault::Slower(share) => {
                    // A share of the drive's maximum, so that asking for more does not help.
                    let left = 1.0 - share;
                    command.speed = command.speed.clamp(-drive.max_reverse, drive.max_speed) * left;
                    command.side = command.side.clamp(-drive.max_side, drive.max_side) * left;
                    command.turn = command.turn.clamp(-drive.max_turn, drive.max_turn) * left;
                }
                DriveFault::Pulls(share) => {
                    if drive.max_speed > 0.0 {
                        let speed = command.speed.clamp(-drive.max_reverse, drive.max_speed);
                        command.turn += share * drive.max_turn * (speed / drive.max_speed);
                    }
                }
                DriveFault::Stuck => {
                    let held = *self.held.get_or_insert((command.speed, command.side, command.turn));
                    (command.speed, command.side, command.turn) = held;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRIVE: Drive =
        Drive { max_speed: 1.0, max_reverse: 0.5, max_side: 0.0, max_turn: 2.0, max_push: None };

    fn bent(faults: &mut Faults, speed: f64, turn: f64) -> (f64, f64) {
        let mut command = Command::drive(speed, turn);
        faults.bend(&mut command, &DRIVE);
        (command.speed, command.turn)
    }

    #[test]
    fn each_drive_fault_bends_commands_in_its_way_until_it_is_removed() {
        for (fault, expected) in [
            (DriveFault::Dead, (0.0, 0.0)),
            (DriveFault::Slower(0.75), (0.25, 0.25)),
            (DriveFault::Pulls(-0.5), (1.0, 0.0)),
        ] {
            let mut faults = Faults::default();
            faults.add(1, Fault::Drive(fault));
            assert_eq!(bent(&mut faults, 1.0, 1.0), expected, "{fault:?}");
            faults.remove(1);
            assert_eq!(bent(&mut faults, 1.0, 1.0), (1.0, 1.0));
        }
    }

    #[test]
    fn a_stuck_drive_keeps_its_command_and_forgets_it_when_repaired() {
        let mut faults = Faults::default();
        faults.add(1, Fault::Drive(DriveFault::Stuck));
        assert_eq!(bent(&mut faults, 0.5, 0.1), (0.5, 0.1));
        assert_eq!(bent(&mut faults, 0.0, 0.0), (0.5, 0.1));
        faults.remove(1);
        assert_eq!(bent(&mut faults, 0.0, 0.0), (0.0, 0.0));
        faults.add(2, Fault::Drive(DriveFault::Stuck));
        assert_eq!(bent(&mut faults, 0.2, 0.0), (0.2, 0.0));
    }

    #[test]
    fn faults_add_up_and_each_is_undone_alone() {
        let mut faults = Faults::default();
        faults.add(1, Fault::Loss(0.5));
        faults.add(2, Fault::Loss(0.5));
        faults.add(2, Fault::Stop);
        assert_eq!((faults.loss(), faults.stopped()), (0.75, true));
        faults.remove(2);
        assert_eq!((faults.loss(), faults.stopped()), (0.5, false));
        faults.remove(1);
        assert!(faults.is_empty());
    }

    #[test]
    fn a_part_is_repaired_whoever_broke_it_and_the_rest_stays() {
        let mut faults = Faults::default();
        let blind = |sensor| Fault::Sensor(Ailment { sensor, fault: SensorFault::Dead });
        faults.add(1, blind(0));
        faults.add(2, blind(1));
        faults.add(2, Fault::Drive(DriveFault::Dead));
        faults.add(FOR_GOOD, Fault::Drive(DriveFault::Stuck));
        faults.take_over(7, 1.0, 0.0);
        assert_eq!(faults.repair(Some(Part::Sensor(0))), [blind(0)]);
        assert_eq!(faults.repair(Some(Part::Sensor(0))), []);
        assert_eq!(faults.ailments().len(), 1);
        assert!(faults.has(2) && !faults.has(1));
        assert_eq!(faults.repair(Some(Part::Drive)).len(), 2);
        assert_eq!(faults.repair(None), [blind(1)]);
        assert_eq!(faults.hand(), Some((1.0, 0.0)), "a person at the controls is no fault");
        assert!(faults.release() && faults.is_empty() && !faults.release());
    }

    #[test]
    fn the_latest_take_over_counts_and_an_earlier_one_ends_without_effect() {
        let mut faults = Faults::default();
        faults.take_over(1, 1.0, 0.5);
        let mut command = Command::drive(0.3, 0.3);
        faults.steer(&mut command, &DRIVE);
        assert_eq!((command.speed, command.turn), (1.0, 1.0));
        for token in 2..100 {
            faults.take_over(token, -1.0, -1.0);
        }
        assert_eq!(faults.list.len(), 1, "it does not grow with every key press");
        faults.remove(1);
        faults.steer(&mut command, &DRIVE);
        assert_eq!((command.speed, command.turn), (-0.5, -2.0));
        faults.add(100, Fault::Drive(DriveFault::Slower(0.5)));
        faults.bend(&mut command, &DRIVE);
        assert_eq!((command.speed, command.turn), (-0.25, -1.0), "the drive's faults still apply");
        faults.remove(99);
        assert_eq!(faults.hand(), None);
    }

    #[test]
    fn a_radio_can_be_deaf_or_mute_or_both() {
        let mut faults = Faults::default();
        assert_eq!(faults.radio(), (true, true, 0.0));
        faults.add(1, Fault::Deaf);
        assert_eq!(faults.radio(), (true, false, 0.0));
        faults.add(2, Fault::Mute);
        faults.add(2, Fault::Loss(0.5));
        assert_eq!(faults.radio(), (false, false, 0.5));
        faults.remove(1);
        assert_eq!(faults.radio(), (false, true, 0.5));
        faults.add(3, Fault::Loss(1.0));
        assert_eq!(faults.radio(), (false, false, 1.0));
        for _ in 0..10 {
            faults.add(FOR_GOOD, Fault::Mute);
        }
        assert_eq!(faults.list.len(), 4, "a permanent fault is stored once");
    }

    #[test]
    fn a_clock_is_ahead_drifts_and_never_shows_a_negative_time() {
        let mut faults = Faults::default();
        let at = Time::from_seconds;
        faults.add(1, Fault::Clock { offset: 5.0, drift: 0.1, since: at(10.0) });
        assert_eq!(faults.clock(at(20.0)), at(26.0));
        faults.add(2, Fault::Clock { offset: -100.0, drift: 0.0, since: at(10.0) });
        assert_eq!(faults.clock(at(20.0)), Time::ZERO);
        assert_eq!(Faults::default().clock(at(20.0)), at(20.0));
    }
}
