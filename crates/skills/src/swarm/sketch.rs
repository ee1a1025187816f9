//! What a robot of a swarm would draw on a map: what it senses, where it was, what is in its way and whom it may meet.

use super::desire::{Desire, SILENCE};
use super::fleet::Mate;
use super::objective::Objective;
use crewlab_control::planning::costs::Knot;
use crewlab_onboard::geometry::{Vec2, vec2};
use crewlab_onboard::{About, LayerSpec, Mark};

/// The layers, in the order of their places.
pub const LAYERS: &[LayerSpec] = &[
    LayerSpec {
        name: "sensor-circles",
        title: "Sensor circles",
        summary: "How far robots see",
        about: About::Robot,
        shown: true,
    },
    LayerSpec {
        name: "traces",
        title: "Fading traces",
        summary: "What robots have seen lately; it fades with age",
        about: About::Robot,
        shown: true,
    },
    LayerSpec {
        name: "effects",
        title: "Effect radii",
        summary: "How far obstacles and the border act, as far as the selected robot knows them, or all robots together",
        about: About::World,
        shown: false,
    },
    LayerSpec {
        name: "wanted-distance",
        title: "Wanted distance",
        summary: "Where robots want to be around the vehicle that they escort",
        about: About::World,
        shown: true,
    },
    LayerSpec {
        name: "collisions",
        title: "Predicted collisions",
        summary: "Cones towards team-mates that a robot will meet, by its plan and theirs; the stronger, the sooner",
        about: About::Robot,
        shown: true,
    },
];

const SENSOR_CIRCLES: usize = 0;
const TRACES: usize = 1;
const EFFECTS: usize = 2;
const WANTED_DISTANCE: usize = 3;
const COLLISIONS: usize = 4;

/// Time between two moments at which the places of two robots are compared. [s]
const MOMENT: f32 = 0.25;
/// The strength of a collision at the end of the plan.
const FAINTEST: f32 = 0.15;

fn place(at: [f32; 2]) -> Vec2 {
    vec2(at[0].into(), at[1].into())
}

/// Where somebody is at a time, between the knots of a track.
struct Cursor<'a> {
    track: &'a [Knot],
    next: usize,
}

impl Cursor<'_> {
    /// The place at a time, which is not before that of the last call; `None` without knots.
    fn at(&mut self, time: f32) -> Option<[f32; 2]> {
        while self.track.get(self.next).is_some_and(|knot| knot.time <= time) {
            self.next += 1;
        }
        match (self.next.checked_sub(1).and_then(|last| self.track.get(last)), self.track.get(self.next)) {
            (Some(last), Some(next)) => {
                let share = (time - last.time) / (next.time - last.time).max(1e-6);
                Some([0, 1].map(|d| last.place[d] + share * (next.place[d] - last.place[d])))
            }
            (Some(only), None) | (None, Some(only)) => Some(only.place),
            (None, None) => None,
        }
    }
}

/// When two robots are nearest to each other, and where the second one is then, if they come nearer than `clearance`. [s], [m]
fn nearest(own: &[Knot], other: &[Knot], clearance: f32) -> Option<(f32, [f32; 2])> {
    let end = own.last()?.time;
    let (mut own, mut other) = (Cursor { track: own, next: 0 }, Cursor { track: other, next: 0 });
    let mut best: Option<(f32, f32, [f32; 2])> = None;
    for moment in 0..=(end / MOMENT) as usize {
        let time = moment as f32 * MOMENT;
        let (mine, its) = (own.at(time)?, other.at(time)?);
        let [dx, dy] = [0, 1].map(|d| mine[d] - its[d]);
        let distance = (dx * dx + dy * dy).sqrt();
        if distance < clearance && best.is_none_or(|(least, ..)| distance < least) {
            best = Some((distance, time, its));
        }
    }
    best.map(|(_, time, place)| (time, place))
}

impl Desire<'_> {
    /// Appends the marks of a layer. `plan` is where the robot will be from now on.
    pub(super) fn sketch(&self, layer: usize, plan: &[Knot], marks: &mut Vec<Mark>) {
        let strengths = &*self.briefing.strengths;
        let here = place(self.at);
        match layer {
            SENSOR_CIRCLES => marks.push(Mark::Circle { at: here, radius: strengths.sensor.into() }),
            TRACES if self.weights[Objective::Explore as usize] > 0.0 => {
                let lasts = strengths.mark_every * strengths.marks as f64;
                marks.extend(self.trace.fresh(self.now, lasts).map(|(at, share)| Mark::Disc {
                    at: place(at),
                    radius: strengths.sensor.into(),
                    strength: share.into(),
                }));
            }
            EFFECTS => self.effects(marks),
            WANTED_DISTANCE if self.weights[Objective::Escort as usize] > 0.0 => {
                let vehicles = self.fleet.mates().iter().filter(|mate| mate.guides);
                marks.extend(vehicles.map(|vehicle| Mark::Circle {
                    at: place(vehicle.place(self.now)),
                    radius: strengths.distance.into(),
                }));
            }
            COLLISIONS => self.collisions(plan, marks),
            _ => {}
        }
    }

    fn effects(&self, marks: &mut Vec<Mark>) {
        let reach = self.briefing.strengths.obstacle[1];
        let everywhere = self.obstacles.near(self.at, f32::INFINITY);
        marks.extend(everywhere.map(|at| Mark::Disc { at: place(at), radius: reach.into(), strength: 1.0 }));
        let (walls, reach) = self.border();
        marks.extend(walls.map(|[from, to]| Mark::Band {
            from: place(from),
            to: place(to),
            radius: reach.into(),
            strength: 1.0,
        }));
    }

    fn collisions(&self, plan: &[Knot], marks: &mut Vec<Mark>) {
        let (Some(end), [_, clearance]) =
            (plan.last().map(|knot| knot.time), self.briefing.strengths.team_mate)
        else {
            return;
        };
        let start = Knot { time: 0.0, place: self.at };
        let plan: Vec<Knot> = std::iter::once(start).chain(plan.iter().copied()).collect();
        let present = |mate: &&Mate| self.now.within(mate.heard, SILENCE);
        let mut track = Vec::new();
        for mate in self.fleet.mates().iter().filter(present) {
            mate.track(self.now, &mut track);
            if let Some((time, at)) = nearest(&plan, &track, clearance) {
                let soon = 1.0 - (1.0 - FAINTEST) * time / end.max(MOMENT);
                marks.push(Mark::Cone {
                    from: place(self.at),
                    to: place(at),
                    radius: clearance.into(),
                    strength: soon.into(),
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(knots: &[(f32, f32, f32)]) -> Vec<Knot> {
        knots.iter().map(|(time, x, y)| Knot { time: *time, place: [*x, *y] }).collect()
    }

    #[test]
    fn robots_that_cross_meet_where_they_are_nearest() {
        let east = track(&[(0.0, 0.0, 0.0), (10.0, 20.0, 0.0)]);
        let north = track(&[(0.0, 10.0, -10.0), (10.0, 10.0, 10.0)]);
        assert_eq!(nearest(&east, &north, 6.0), Some((5.0, [10.0, 0.0])));
        let later = track(&[(0.0, 10.0, -30.0), (10.0, 10.0, -10.0)]);
        assert_eq!(nearest(&east, &later, 6.0), None, "it is not there yet");
        let standing = track(&[(0.0, 0.0, 3.0)]);
        assert_eq!(nearest(&east, &standing, 6.0), Some((0.0, [0.0, 3.0])));
        assert_eq!(nearest(&[], &standing, 6.0), None);
        assert_eq!(nearest(&east, &[], 6.0), None);
    }

    #[test]
    fn every_layer_has_its_place() {
        let named = [SENSOR_CIRCLES, TRACES, EFFECTS, WANTED_DISTANCE, COLLISIONS].map(|n| LAYERS[n].name);
        assert_eq!(named, ["sensor-circles", "traces", "effects", "wanted-distance", "collisions"]);
        assert_eq!(LAYERS.len(), named.len());
    }
}
