//! The control of navigation behaviours, and the three scenes of ACE's experiment (figure B.8).

mod control;
mod scenes;

use crewlab_navigation::behaviours::{
    Behaviour, Caller, Control, ControlSettings, Outcome, PersonTrack, Scene, Trigger,
};
use crewlab_navigation::routes::{CellGrid, RoutePlanner, RouteSettings};
use crewlab_onboard::Time;
use crewlab_onboard::geometry::{Pose, Vec2};

/// A robot that drives straight to its waypoint, on a map that is drawn.
struct Robot {
    control: Control,
    planner: RoutePlanner,
    person: PersonTrack,
    at: Vec2,
    crossroads: bool,
    cycles: u32,
}

impl Robot {
    fn new(picture: &str, resolution: f64, at: Vec2, settings: RouteSettings) -> Robot {
        let grid = CellGrid::picture(picture, resolution).expect("a picture");
        Robot {
            control: Control::new(ControlSettings::default()),
            planner: RoutePlanner::new(settings, grid),
            person: PersonTrack::default(),
            at,
            crossroads: false,
            cycles: 0,
        }
    }

    fn ask(&mut self, behaviour: Behaviour) {
        assert!(self.control.trigger(Trigger { caller: Caller { id: 1, priority: 5 }, behaviour }));
    }

    fn now(&self) -> Time {
        Time::from_seconds(0.5 * f64::from(self.cycles))
    }

    /// One cycle of the control, without moving.
    fn step(&mut self) -> Outcome {
        self.cycles += 1;
        let pose = Pose { position: self.at, heading: 0.0 };
        let scene = Scene { pose, person: &self.person, crossroads: self.crossroads, now: self.now() };
        self.control.step(&mut self.planner, &scene)
    }

    /// Cycles until the behaviour ends, moving 0.5 m towards the last accepted waypoint in each; returns the end.
    fn drive(&mut self, most: u32) -> Option<Outcome> {
        let mut waypoint = self.at;
        for _ in 0..most {
            match self.step() {
                Outcome::Drive(next) => waypoint = next.at,
                Outcome::Continue => {}
                end => return Some(end),
            }
            let way = waypoint - self.at;
            let share = (0.5 / way.length().max(1e-9)).min(1.0);
            self.at += way * share;
        }
        None
    }
}
