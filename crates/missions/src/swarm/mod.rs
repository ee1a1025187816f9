//! Swarms that plan under limited radio (SWARM): they explore a field, escort a guidance vehicle, or keep a network together, each
//! alone or all at once with weights. There is nothing to complete: measures tell how well it goes.

mod cost;
mod parameters;

pub use parameters::Swarm;

use crate::{Air, Better, MeasureSpec, Mission, Mistake, SHARE, Shipped, Verdict};
use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use crewlab_onboard::{BehaviourSpec, LayerSpec, RobotId, Stream, TaskSpec};
use crewlab_skills::swarm::{self, Ground, SwarmBriefing};
use crewlab_world::{Body, Terrain, Watch, World};
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// The scenarios of this mission.
pub const SHIPPED: &[Shipped] = &[
    Shipped {
        name: "exploration",
        summary: "eight robots explore a field again and again, and tell each other where they have been (SWARM 3.4)",
        text: include_str!("scenarios/exploration.yaml"),
    },
    Shipped {
        name: "convoy",
        summary: "seven robots escort a truck that passes where they cannot (SWARM 3.5, table 2)",
        text: include_str!("scenarios/convoy.yaml"),
    },
    Shipped {
        name: "manet",
        summary: "robots spread as far as their radio network allows (SWARM 3.6, figure 21)",
        text: include_str!("scenarios/manet.yaml"),
    },
    Shipped {
        name: "swarm",
        summary: "a truck tells a swarm to explore, then to escort it, then to keep a network, by radio",
        text: include_str!("scenarios/swarm.yaml"),
    },
];

/// Guidance vehicles are of this type.
const TRUCK: &str = "truck";
/// Side of the cells in which the referee measures what was seen. [m]
const CELL: f64 = 5.0;
/// Robots are connected if a message arrives at least this often.
const CONNECTED: f64 = 0.5;
/// A robot follows a vehicle within this multiple of the wanted distance.
const FOLLOWS: f64 = 2.5;
/// Robots start on a ring of this many body radii around the middle of their part of the field.
const APART: f64 = 12.0;

fn robots(world: &World) -> impl Iterator<Item = (RobotId, &Body)> {
    let all = RobotId::enumerate(&world.bodies);
    all.filter(|(_, body)| body.present && !body.down() && &*body.robot_type != TRUCK)
}

fn trucks(world: &World) -> impl Iterator<Item = &Body> {
    world.bodies.iter().filter(|body| body.present && &*body.robot_type == TRUCK)
}

/// The share of robots in the largest group that is connected, directly or over others; `None` without robots.
fn connectivity(world: &World, air: &dyn Air) -> Option<f64> {
    let team: Vec<RobotId> = robots(world).map(|(robot, _)| robot).collect();
    let linked = |a: RobotId, b: RobotId| {
        let both = air.quality(a, b).into_iter().chain(air.quality(b, a));
        both.fold(0.0, f64::max) >= CONNECTED
    };
    let mut left = team.clone();
    let mut largest = 0;
    while let Some(first) = left.pop() {
        let (mut edge, mut size) = (vec![first], 0);
        while let Some(robot) = edge.pop() {
            size += 1;
            let (near, far) = left.iter().partition(|other| linked(robot, **other));
            left = far;
            let near: Vec<RobotId> = near;
            edge.extend(near);
        }
        largest = largest.max(size);
    }
    (!team.is_empty()).then(|| f64::from(largest) / team.len() as f64)
}

/// The mean quality of the links between robots that are connected, and their mean bit rate; `None` without any.
fn links(world: &World, air: &dyn Air) -> [Option<f64>; 2] {
    let team: Vec<RobotId> = robots(world).map(|(robot, _)| robot).collect();
    let pairs = team.iter().enumerate().flat_map(|(n, a)| team[n + 1..].iter().map(move |b| (*a, *b)));
    let quality = |(a, b)| air.quality(a, b).filter(|quality| *quality >= CONNECTED);
    let rate = |(a, b)| air.rate(a, b);
    [mean(pairs.clone().filter_map(quality)), mean(pairs.filter_map(rate))]
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

impl Swarm {
    /// How far each robot is from the nearest vehicle. [m]
    fn distances(world: &World) -> Vec<f64> {
        let nearest = |at: Vec2| trucks(world).map(move |truck| truck.pose.position.distance(at));
        let distance = |body: &Body| nearest(body.pose.position).fold(f64::INFINITY, f64::min);
        robots(world).map(|(_, body)| distance(body)).filter(|distance| distance.is_finite()).collect()
    }

    /// True if there are guidance vehicles.
    fn guided(&self) -> bool {
        !self.guides.is_empty()
    }

    fn followers(&self, world: &World) -> Vec<f64> {
        let near = |distance: &f64| *distance <= FOLLOWS * self.distance;
        Swarm::distances(world).into_iter().filter(near).collect()
    }
}

/// The energy factors of a terrain, as robots know them from a map.
fn ground(terrain: &Terrain) -> Option<Ground> {
    let factors = terrain.energy.iter().map(|factor| *factor as f32).collect();
    let origin = [terrain.origin.x as f32, terrain.origin.y as f32];
    Ground::grid(origin, terrain.cell as f32, terrain.columns, factors)
}

impl Mission for Swarm {
    const SUMMARY: &'static str =
        "robots that plan: explore a field, escort a guidance vehicle, keep a network, or all at once";
    const DEFAULTS: &'static str = include_str!("defaults.yaml");
    const ENDLESS: bool = true;
    const MEASURES: &'static [MeasureSpec] = &[
        MeasureSpec {
            name: "seen_share",
            title: "seen lately",
            unit: SHARE,
            summary: "share of the field that a robot has seen lately",
            better: Better::More,
        },
        MeasureSpec {
            name: "seen_well_share",
            title: "seen well lately",
            unit: SHARE,
            summary: "share of the field that a robot has seen lately, weighted by how well it was seen",
            better: Better::More,
        },
        MeasureSpec {
            name: "followers",
            title: "followers",
            unit: "",
            summary: "robots near a guidance vehicle",
            better: Better::More,
        },
        MeasureSpec {
            name: "distance_error_m",
            title: "distance error",
            unit: "m",
            summary: "mean deviation of the followers from the wanted distance to the vehicle",
            better: Better::Less,
        },
        MeasureSpec {
            name: "connected_share",
            title: "connected",
            unit: SHARE,
            summary: "share of the robots in the largest group that is connected by radio",
            better: Better::More,
        },
        MeasureSpec {
            name: "link_quality",
            title: "link quality",
            unit: SHARE,
            summary: "mean probability that a message arrives, over the links that exist",
            better: Better::More,
        },
        MeasureSpec {
            name: "bandwidth_bps",
            title: "bandwidth",
            unit: "bit/s",
            summary: "mean bit rate of the links that exist; undefined with an ideal radio",
            better: Better::More,
        },
        MeasureSpec {
            name: "nearest_m",
            title: "nearest robots",
            unit: "m",
            summary: "distance between the two robots that are nearest to each other",
            better: Better::More,
        },
        MeasureSpec {
            name: "contacts",
            title: "contacts",
            unit: "",
            summary: "how often robots have touched something",
            better: Better::Less,
        },
        MeasureSpec {
            name: "near_misses",
            title: "near misses",
            unit: "",
            summary: "how often two robots came nearer than half a metre to each other",
            better: Better::Less,
        },
        MeasureSpec {
            name: "ground_factor",
            title: "energy per metre",
            unit: "",
            summary: "energy per metre driven so far, as a multiple of that on plain ground",
            better: Better::Less,
        },
    ];
    const LAYERS: &'static [LayerSpec] = swarm::LAYERS;
    type Briefing = SwarmBriefing;

    fn tasks(&self) -> Vec<TaskSpec> {
        let summaries = [
            "see as much of the field as possible, again and again",
            "stay around a guidance vehicle",
            "keep a network that covers as much as possible",
        ];
        let objectives = swarm::ALL.into_iter().zip(summaries);
        let tasks = objectives.map(|(objective, summary)| TaskSpec::new(objective.name(), summary).shared());
        let guide = "drive along a route and tell the robots what is wanted";
        let guide = self.guided().then(|| TaskSpec::new("guide", guide).shared());
        tasks.chain(guide).collect()
    }

    fn sets(&self) -> Vec<BehaviourSpec> {
        swarm::sets(self.guided())
    }

    fn check(&self, team: &[&str]) -> Vec<Mistake> {
        let missing = self.guides.keys().filter(|name| !team.contains(&name.as_str())).map(|name| Mistake {
            key: format!("guides.{name}"),
            message: format!("there is no robot `{name}` in the team; it has {}", team.join(", ")),
        });
        let wrong = self.costs.iter().filter_map(|(name, cost)| {
            let message = cost.build(name).err()?;
            Some(Mistake { key: format!("costs.{name}"), message })
        });
        missing.chain(wrong).collect()
    }

    fn furnish(
        &self,
        world: &mut World,
        _team: usize,
        _supplies: &BTreeMap<String, u32>,
        _random: &mut Stream,
    ) {
        let bounds = world.bounds;
        world.watch = Some(Watch::new(&bounds, CELL, self.sensor_radius, self.remembered, TRUCK));
    }

    fn brief(&self, world: &World) -> SwarmBriefing {
        let corner = |at: Vec2| [at.x as f32, at.y as f32];
        SwarmBriefing {
            field: [corner(world.bounds.min), corner(world.bounds.max)],
            ground: world.terrain.as_ref().and_then(ground),
            ..self.briefing()
        }
    }

    fn berth(&self, world: &World, robot: RobotId, team: usize, radius: f64) -> Option<Pose> {
        let middle = self.start.map_or((world.bounds.min + world.bounds.max) * 0.5, |[x, y]| vec2(x, y));
        let angle = TAU * robot.index() as f64 / team.max(1) as f64;
        let ring = (APART * radius * team as f64 / TAU).max(APART * radius);
        Some(Pose { position: middle + Vec2::unit(angle) * ring, heading: angle })
    }

    fn warnings(&self, world: &World) -> Vec<String> {
        let undefined = self.costs.iter().filter_map(|(name, cost)| {
            let place = cost.undefined(&world.bounds)?;
            Some(format!(
                "the formula of cost `{name}` is not a number at ({:.1}, {:.1}), and counts as very expensive there",
                place.x, place.y
            ))
        });
        undefined.collect()
    }

    fn judge(&self, _world: &World, _open: &[bool]) -> Verdict {
        Verdict::default()
    }

    fn measure(&self, world: &World, air: &dyn Air) -> Vec<Option<f64>> {
        let seen = world.watch.as_ref().map(|watch| watch.seen(watch.updated()));
        let guided = trucks(world).next().is_some();
        let followers = self.followers(world);
        let error = followers.iter().map(|distance| (distance - self.distance).abs()).sum::<f64>();
        let places: Vec<Vec2> = robots(world).map(|(_, body)| body.pose.position).collect();
        let nearest =
            places.iter().enumerate().flat_map(|(n, a)| places[n + 1..].iter().map(|b| a.distance(*b)));
        let nearest = nearest.reduce(f64::min);
        let [quality, bandwidth] = links(world, air);
        let contacts = robots(world).map(|(_, body)| body.contacts).sum::<u64>();
        vec![
            seen.map(|[plain, _]| plain),
            seen.map(|[_, well]| well),
            guided.then_some(followers.len() as f64),
            (guided && !followers.is_empty()).then(|| error / followers.len() as f64),
            connectivity(world, air),
            quality,
            bandwidth,
            nearest,
            Some(contacts as f64),
            world.watch.as_ref().map(|watch| watch.encounters.near_misses as f64),
            world.watch.as_ref().and_then(|watch| watch.encounters.ground_factor()),
        ]
    }
}
