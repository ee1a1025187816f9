//! What a team agreed on at the points of its plan, how, and how long that took.

use super::summary::rounded;
use crate::plan::TeamPlan;
use crate::table::{table, write_header, write_row};
use crewlab_sim::onboard::event::key;
use crewlab_sim::onboard::{EventKind, RobotId};
use crewlab_sim::{Logged, Simulation};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The agreements of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Interactions {
    /// The points at which there was something to agree on.
    pub points: Vec<PointUse>,
    /// Time per use of a point at which robots decide what follows, added up over these points. [s]
    pub synchronisation_s: f64,
    /// The same for points at which robots divide work. [s]
    pub allocation_s: f64,
    /// How often robots of one group went different ways.
    pub splits: u64,
}

/// How often a point was used.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PointUse {
    /// The behaviour that it belongs to.
    pub behaviour: String,
    /// `decide` or `allocate`.
    pub kind: &'static str,
    /// The protocol.
    pub protocol: String,
    /// Number of agreements.
    pub uses: u64,
    /// Mean time from a robot's arrival at the point until it knows the outcome; `None` where work is divided again and again. [s]
    pub mean_s: Option<f64>,
}

/// An agreement: a row of `agreements.csv`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    /// When the first robot knew of it. [s]
    pub time_s: f64,
    /// The behaviour that the point belongs to.
    pub behaviour: String,
    /// What was agreed: `decided`, `allocated` or `elected`.
    pub event: String,
    /// Number of robots that know of it.
    pub robots: u32,
    /// Mean time from a robot's arrival at the point until it knew; `None` where work is divided again and again. [s]
    pub seconds: Option<f64>,
    /// The protocol, the outcome, and what robots contributed.
    pub how: String,
}

table! { Agreement, |row|
    "time_s" ["s"] "when the first robot knew of it" => format!("{:.3}", row.time_s);
    "behaviour" [""] "the behaviour of the plan that the point belongs to" => row.behaviour;
    "event" [""] "what was agreed: `decided` (what follows), `allocated` (who does what) or `elected` (who decides)" => row.event;
    "robots" [""] "number of robots that know of it" => row.robots.to_string();
    "seconds" ["s"] "mean time from a robot's arrival at the point until it knew; empty where work is divided again and again" =>
        row.seconds.map_or(String::new(), |seconds| format!("{seconds:.3}"));
    "how" [""] "the protocol, the outcome, and what robots contributed" => row.how;
}

/// The time of one robot more in a mean.
fn add(mean: Option<f64>, seconds: Option<f64>, robots: u32) -> Option<f64> {
    let seconds = seconds?;
    Some(mean.map_or(seconds, |mean| mean + (seconds - mean) / f64::from(robots)))
}

/// A point's counts.
#[derive(Clone, Debug, Default)]
struct Count {
    uses: u64,
    timed: u64,
    seconds: f64,
}

/// Collects agreements. Every robot of a group reports each of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Agreements {
    points: BTreeMap<(String, EventKind), Count>,
    splits: BTreeMap<RobotId, u64>,
    all: Vec<Agreement>,
    /// The places in the list: by event, execution and point.
    places: BTreeMap<(EventKind, u32, u32), usize>,
}

impl Agreements {
    /// Takes in the events of a tick.
    pub(super) fn tick(&mut self, log: &[Logged]) {
        for Logged { time, robot, event } in log {
            match event.kind {
                EventKind::Split => *self.splits.entry(robot.unwrap_or(RobotId(0))).or_default() += 1,
                EventKind::Decided | EventKind::Allocated | EventKind::Elected => {
                    let behaviour = event.thing.clone().unwrap_or_default();
                    let whole = |name: &str| event.number(name).unwrap_or_default() as u32;
                    let count = self.points.entry((behaviour.clone(), event.kind)).or_default();
                    let seconds = event.number(key::SECONDS);
                    if let Some(seconds) = seconds {
                        (count.timed, count.seconds) = (count.timed + 1, count.seconds + seconds);
                    }
                    let (frame, stage) = (whole(key::FRAME), whole(key::STAGE));
                    count.uses += u64::from(!self.places.contains_key(&(event.kind, frame, stage)));
                    let place = *self.places.entry((event.kind, frame, stage)).or_insert(self.all.len());
                    if place == self.all.len() {
                        let (how, event) = (event.words.to_string(), event.kind.to_string());
                        let time_s = time.seconds();
                        self.all.push(Agreement { time_s, behaviour, event, robots: 0, seconds: None, how });
                    }
                    let agreement = &mut self.all[place];
                    agreement.robots += 1;
                    agreement.seconds = add(agreement.seconds, seconds, agreement.robots);
                }
                _ => {}
            }
        }
    }

    /// All agreements, in the order of time.
    pub(crate) fn all(&self) -> &[Agreement] {
        &self.all
    }

    /// Writes `agreements.csv`.
    pub(super) fn write(&self, out: impl Write) -> io::Result<()> {
        let mut table = csv::Writer::from_writer(out);
        write_header::<Agreement>(&mut table)?;
        self.all.iter().try_for_each(|agreement| write_row(&mut table, agreement))?;
        table.flush()
    }

    /// The summary; `None` if nothing was agreed on.
    pub(super) fn summary(&self, simulation: &Simulation) -> Option<Interactions> {
        let plan = TeamPlan::of(&simulation.model, &simulation.model.coordinator);
        let protocol = |behaviour: &str, kind: &str| {
            let node = plan.as_ref()?.picture.nodes.iter().find(|node| node.name == behaviour)?;
            let point = node.points.iter().find(|point| point.kind == kind)?;
            Some(point.protocol.clone())
        };
        // An election is a step of a decision, whose time includes it.
        let kind = |event: EventKind| match event {
            EventKind::Decided => Some("decide"),
            EventKind::Allocated => Some("allocate"),
            _ => None,
        };
        let points: Vec<PointUse> = self
            .points
            .iter()
            .filter_map(|((behaviour, event), count)| {
                let kind = kind(*event)?;
                Some(PointUse {
                    behaviour: behaviour.clone(),
                    kind,
                    protocol: protocol(behaviour, kind).unwrap_or_default(),
                    uses: count.uses,
                    mean_s: (count.timed > 0).then(|| rounded(count.seconds / count.timed as f64)),
                })
            })
            .collect();
        let total = |kind: &str| -> f64 {
            points.iter().filter(|point| point.kind == kind).filter_map(|point| point.mean_s).sum()
        };
        let (synchronisation_s, allocation_s) = (rounded(total("decide")), rounded(total("allocate")));
        let splits = self.splits.values().copied().max().unwrap_or(0);
        (!points.is_empty()).then_some(Interactions { points, synchronisation_s, allocation_s, splits })
    }
}
