//! A run's figures.

use crate::auctions::{Auction, Market, Telling};
use crate::run::summary::Summary;
use crate::run::trace::{Level, RobotTrace, Trace};
use crewlab_figures::auctions::{AuctionKind, AuctionMark};
use crewlab_figures::gantt::{self, TaskFigure, TaskRow, TaskSpan};
use crewlab_figures::mark::Mark;
use crewlab_figures::measure::{self, MeasureFigure};
use crewlab_figures::motivation::{self, Band, BandState, Curve, MotivationFigure};
use crewlab_figures::storyboard;
use crewlab_figures::world::{
    self as map, AreaOutline, FillRole, ItemMark, Outline, Shape, TerrainGrid, WorldFigure,
};
use crewlab_sim::missions::{MeasureSpec, SHARE};
use crewlab_sim::onboard::{BehaviourSpec, EventKind, GaugeState, Pose, RobotId, TaskId, Vec2};
use crewlab_sim::teams::{self, GaugeWords, IndicatorSpec};
use crewlab_sim::{Logged, Member, Simulation, world};

/// One figure of a run.
pub(crate) struct Drawn {
    /// The name of its file.
    pub file: String,
    /// Its section of the report.
    pub part: Part,
    /// Its caption.
    pub caption: String,
    /// The picture.
    pub svg: String,
}

/// The sections of a report that have figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    World,
    Plan,
    Tasks,
    Measures,
    Robots,
    Shared,
    Indicators,
    Radio,
}

/// Figures of single robots are drawn for teams up to this size.
const MOST_SINGLE: usize = 12;

/// Draws all figures of a run.
pub(crate) fn draw(trace: &Trace, market: &Market, simulation: &Simulation, summary: &Summary) -> Vec<Drawn> {
    let mut figures = vec![
        Drawn {
            file: "world".into(),
            part: Part::World,
            caption: "The robots' paths, and the items' places at the start and at the end.".into(),
            svg: map::draw(&world_figure(trace, simulation, summary)),
        },
        Drawn {
            file: "tasks".into(),
            part: Part::Tasks,
            caption: if market.is_empty() {
                "The tasks of each robot over time, and the progress of the mission.".into()
            } else {
                "The tasks of each robot over time, the auctions, and the progress of the mission. Point at a mark to \
                 see who won, and why it was auctioned again."
                    .into()
            },
            svg: gantt::draw(&task_figure(trace, market, simulation, summary)),
        },
    ];
    figures.extend(super::plan_figures::draw(trace, simulation, summary));
    figures.extend(super::layers::draw(&world_figure(trace, simulation, summary), simulation, summary));
    let title = format!("{} in snapshots", summary.scenario);
    figures.extend(trace.story.figure(trace, simulation, &title).map(|story| Drawn {
        file: "story".into(),
        part: Part::World,
        caption: "The run in snapshots.".into(),
        svg: storyboard::draw(&story),
    }));
    figures.extend(measures(trace, simulation, summary));
    figures.extend(pose_errors(trace, simulation, summary));
    if trace.robots.iter().any(|robot| !robot.levels.is_empty()) {
        figures.extend(levels_per_robot(trace, simulation, summary));
        figures.extend(levels_per_task(trace, simulation, summary));
    }
    figures.extend(indicators(trace, simulation, summary));
    figures.extend(super::radio_figures::draw(&trace.air, trace, simulation, summary));
    tell_apart(&mut figures);
    figures
}

/// Adds a number to names that would have the same file name.
fn tell_apart(figures: &mut [Drawn]) {
    for later in 1..figures.len() {
        let (before, rest) = figures.split_at_mut(later);
        let name = rest[0].file.clone();
        let mut number = 2;
        while before.iter().any(|figure| figure.file == rest[0].file) {
            rest[0].file = format!("{name}-{number}");
            number += 1;
        }
    }
}

pub(crate) fn marks(trace: &Trace) -> Vec<Mark> {
    trace.marks.iter().map(|(at_s, label)| Mark { at_s: *at_s, label: label.clone() }).collect()
}

/// A figure per measure of the mission.
fn measures(trace: &Trace, simulation: &Simulation, summary: &Summary) -> Vec<Drawn> {
    let specs = simulation.model.mission.measures().iter().enumerate();
    let figure = |(place, spec): (usize, &MeasureSpec)| {
        let share = spec.unit == SHARE;
        let value = |values: &Vec<Option<f64>>| values.get(place).copied().flatten();
        let shown = |value: f64| if share { value * 100.0 } else { value };
        let samples = trace.measures.iter().filter_map(|(at, values)| Some((*at, shown(value(values)?))));
        let svg = measure::draw(&MeasureFigure {
            title: capital(spec.title),
            subtitle: format!("{}, seed {}", spec.summary, summary.seed),
            what: spec.title.into(),
            unit: if share { "%".into() } else { spec.unit.into() },
            duration_s: summary.time_s,
            samples: samples.collect(),
            marks: marks(trace),
        });
        let file = format!("measure-{}", file_name(spec.name));
        Drawn { file, part: Part::Measures, caption: format!("{}.", capital(spec.summary)), svg }
    };
    specs.map(figure).collect()
}

/// A figure per indicator, with a curve per robot. One that nobody ever gave has none.
fn indicators(trace: &Trace, simulation: &Simulation, summary: &Summary) -> Vec<Drawn> {
    let figure = |(place, spec): (usize, &&IndicatorSpec)| {
        let team = simulation.model.team.iter().zip(&trace.robots).enumerate().take(MOST_SINGLE);
        let curves: Vec<Curve> = team
            .filter_map(|(index, (member, robot))| {
                let samples = robot.indicators.get(place).filter(|samples| !samples.is_empty())?.clone();
                let name = member.identity.name.clone();
                Some(Curve { label: name.clone(), colour_key: (name, index), samples, bands: Vec::new() })
            })
            .collect();
        if curves.is_empty() {
            return None;
        }
        let svg = motivation::draw(&MotivationFigure {
            title: capital(spec.title),
            subtitle: format!("per robot, seed {}", summary.seed),
            what: axis(spec.title, spec.unit),
            duration_s: summary.time_s,
            threshold: f64::NAN,
            curves,
            marks: marks(trace),
        });
        let (file, caption) =
            (format!("indicator-{}", file_name(spec.name)), format!("{}.", capital(spec.summary)));
        Some(Drawn { file, part: Part::Indicators, caption, svg })
    };
    trace.indicators_of.iter().enumerate().filter_map(figure).collect()
}

/// How far robots that locate themselves are from where they believe to be; `None` if there are none.
fn pose_errors(trace: &Trace, simulation: &Simulation, summary: &Summary) -> Option<Drawn> {
    let team = simulation.model.team.iter().zip(&trace.robots).enumerate().take(MOST_SINGLE);
    let team = team.filter(|(_, (_, robot))| !robot.errors.is_empty());
    let curve = |(index, (member, robot)): (usize, (&Member, &RobotTrace))| {
        let name = member.identity.name.clone();
        let samples = robot.errors.clone();
        Curve { label: name.clone(), colour_key: (name, index), samples, bands: Vec::new() }
    };
    let curves: Vec<Curve> = team.map(curve).collect();
    (!curves.is_empty()).then(|| Drawn {
        file: "pose-errors".into(),
        part: Part::Measures,
        caption: "How far each robot is from where it believes to be.".into(),
        svg: motivation::draw(&MotivationFigure {
            title: "Pose error".into(),
            subtitle: format!("per robot, seed {}", summary.seed),
            what: axis("pose error", "m"),
            duration_s: summary.time_s,
            threshold: f64::NAN,
            curves,
            marks: marks(trace),
        }),
    })
}

/// The text with a capital first letter.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The level at which robots act, if there is one.
fn threshold(trace: &Trace, simulation: &Simulation) -> f64 {
    let kind = trace.levels_of.as_deref().and_then(teams::kind);
    kind.and_then(|kind| (kind.threshold)(&simulation.model.parameters)).unwrap_or(f64::NAN)
}

/// Words for the levels.
pub(crate) fn gauge_words(trace: &Trace) -> GaugeWords {
    trace.levels_of.as_deref().and_then(teams::kind).map_or(GaugeWords::LEVEL, |kind| kind.gauge)
}

/// The label of the axis.
fn axis(what: &str, unit: &str) -> String {
    if unit.is_empty() { what.into() } else { format!("{what} [{unit}]") }
}

/// The levels of a robot with the behaviour sets that they are about.
fn levels<'a>(
    member: &'a Member,
    robot: &'a RobotTrace,
) -> impl Iterator<Item = (usize, &'a BehaviourSpec, &'a Level)> {
    robot.levels.iter().filter_map(|(set, level)| {
        let place = usize::from(set.0);
        Some((place, member.identity.behaviours.get(place)?, level))
    })
}

fn curve(label: &str, colour_key: (String, usize), level: &Level) -> Curve {
    let band = |stretch: &crate::run::trace::Stretch<GaugeState>| Band {
        from_s: stretch.from,
        to_s: stretch.to,
        state: if stretch.what == GaugeState::Active { BandState::Active } else { BandState::Waiting },
    };
    Curve {
        label: label.to_string(),
        colour_key,
        samples: level.samples.clone(),
        bands: level.states.iter().map(band).collect(),
    }
}

/// Levels of all behaviour sets of one robot.
fn levels_per_robot(trace: &Trace, simulation: &Simulation, summary: &Summary) -> Vec<Drawn> {
    let words = gauge_words(trace);
    let many = capital(words.plural);
    let team = simulation.model.team.iter().zip(&trace.robots).take(MOST_SINGLE);
    let figure = |(member, robot): (&Member, &RobotTrace)| {
        let identity = &member.identity;
        let svg = motivation::draw(&MotivationFigure {
            title: format!("{many} of {}", identity.name),
            what: axis(words.name, words.unit),
            subtitle: format!("all behaviour sets of one robot, seed {}", summary.seed),
            duration_s: summary.time_s,
            threshold: threshold(trace, simulation),
            curves: levels(member, robot)
                .map(|(place, spec, level)| curve(&spec.name, (spec.name.clone(), place), level))
                .collect(),
            marks: marks(trace),
        });
        Drawn {
            file: format!("motivation-robot-{}", file_name(&identity.name)),
            part: Part::Robots,
            caption: format!("{many} of all behaviour sets of {}.", identity.name),
            svg,
        }
    };
    team.map(figure).collect()
}

/// Levels of all robots for one task, up to the last time at which the task matters.
fn levels_per_task(trace: &Trace, simulation: &Simulation, summary: &Summary) -> Vec<Drawn> {
    let tasks = simulation.model.tasks.iter().enumerate();
    tasks
        .filter_map(|(index, task)| task_levels(trace, simulation, summary, TaskId(index as u16), &task.name))
        .collect()
}

fn task_levels(
    trace: &Trace,
    simulation: &Simulation,
    summary: &Summary,
    task: TaskId,
    name: &str,
) -> Option<Drawn> {
    let mut curves = Vec::new();
    for (index, (member, robot)) in
        simulation.model.team.iter().zip(&trace.robots).enumerate().take(MOST_SINGLE)
    {
        for (_, spec, level) in levels(member, robot).filter(|(_, spec, _)| spec.task == task) {
            let label = if spec.name == name {
                member.identity.name.clone()
            } else {
                format!("{}: {}", member.identity.name, spec.name)
            };
            curves.push(curve(&label, (member.identity.name.clone(), index), level));
        }
    }
    let last = curves.iter().flat_map(|c| &c.samples).filter(|s| s.1 > 0.0).map(|s| s.0).fold(0.0, f64::max);
    if curves.is_empty() || last == 0.0 {
        return None;
    }
    let duration_s = (last * 1.05 + 1.0).min(summary.time_s);
    for curve in &mut curves {
        curve.samples.retain(|sample| sample.0 <= duration_s);
    }
    let words = gauge_words(trace);
    let many = capital(words.plural);
    let svg = motivation::draw(&MotivationFigure {
        title: format!("{many} for {name}"),
        what: axis(words.name, words.unit),
        subtitle: format!("all robots' behaviour sets for one task, seed {}", summary.seed),
        duration_s,
        threshold: threshold(trace, simulation),
        curves,
        marks: marks(trace).into_iter().filter(|mark| mark.at_s <= duration_s).collect(),
    });
    let caption = format!("{many} of all robots for {name}, up to the last time at which the task matters.");
    Some(Drawn { file: format!("motivation-task-{}", file_name(name)), part: Part::Shared, caption, svg })
}

fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect()
}

/// An auction as a mark with its description.
fn auction_mark((auction, winners): (&Auction, &[RobotId])) -> AuctionMark {
    let kind = match (winners.is_empty(), auction.again) {
        (true, _) => AuctionKind::NoSale,
        (false, true) => AuctionKind::Again,
        (false, false) => AuctionKind::First,
    };
    let because =
        if auction.again { format!(" again, because {}", auction.again_why) } else { String::new() };
    AuctionMark {
        at_s: auction.time_s,
        rows: winners.iter().map(|robot| robot.index()).collect(),
        kind,
        story: format!("{} auctioned{because}; won by {}", auction.title(), auction.award()),
    }
}

fn task_figure(trace: &Trace, market: &Market, simulation: &Simulation, summary: &Summary) -> TaskFigure {
    let row = |(member, robot): (&Member, &RobotTrace)| TaskRow {
        name: member.identity.name.clone(),
        spans: robot
            .active
            .iter()
            .map(|stretch| TaskSpan {
                task: simulation.model.task_name(member.identity.behaviour(stretch.what).task).to_string(),
                from_s: stretch.from,
                to_s: stretch.to,
            })
            .collect(),
    };
    let mut telling = Telling::default();
    TaskFigure {
        title: format!("Tasks per robot: {}", summary.scenario),
        duration_s: summary.time_s,
        robots: simulation.model.team.iter().zip(&trace.robots).map(row).collect(),
        tasks: simulation.model.tasks.iter().map(|task| task.name.clone()).collect(),
        marks: marks(trace),
        progress: trace.progress.clone(),
        auctions: market.awards().filter(|(auction, _)| telling.tells(auction)).map(auction_mark).collect(),
    }
}

pub(crate) fn point(p: Vec2) -> [f64; 2] {
    [p.x, p.y]
}

pub(crate) fn shape(outline: &world::Outline) -> Shape {
    match outline {
        world::Outline::Circle { center, radius } => {
            Shape::Circle { center: point(*center), radius: *radius }
        }
        world::Outline::Polygon(corners) => Shape::Polygon(corners.iter().map(|c| point(*c)).collect()),
        world::Outline::Segment(a, b) => Shape::Segment(point(*a), point(*b)),
    }
}

/// An object on a map; one that was added later is marked.
pub(crate) fn object(object: &world::Object, trace: &Trace) -> Outline {
    let fill_role = if object.impassable() && !trace.objects.contains(&object.id) {
        FillRole::DisturbanceObstacle
    } else if object.impassable() {
        FillRole::Obstacle
    } else if object.penetrability < 1.0 {
        FillRole::SlowGround
    } else {
        FillRole::FastGround
    };
    Outline { shape: shape(&object.outline), fill_role, label: object.name.clone() }
}

/// An area on a map.
pub(crate) fn area(area: &world::Area) -> AreaOutline {
    AreaOutline { name: area.name.to_string(), kind: area.kind.to_string(), shape: shape(&area.outline) }
}

/// The existing items with their places at the start; an item that was added later has only one place.
fn items(trace: &Trace, world: &world::World) -> Vec<ItemMark> {
    let items = world.items.iter().enumerate().filter(|(_, item)| item.present);
    let mark = |(index, item): (usize, &world::Item)| ItemMark {
        from: point(*trace.items.get(index).unwrap_or(&item.position)),
        to: point(item.position),
        carried: item.holder.is_some(),
    };
    items.map(mark).collect()
}

/// A robot's pose on a map; NaN for an absent one.
pub(crate) fn pose(pose: &Pose, present: bool) -> (f64, f64, f64) {
    let x = if present { pose.position.x } else { f64::NAN };
    (x, pose.position.y, pose.heading)
}

/// The places where robots have asked people the way.
fn asked(trace: &Trace, simulation: &Simulation) -> Vec<map::PlaceMark> {
    let asked = trace.events.iter().filter(|logged| logged.event.kind == EventKind::AskedWay);
    let mark = |logged: &Logged| {
        let label = format!("{:.0} s: {}", logged.time.seconds(), logged.event.sentence(&*simulation.model));
        logged.event.place.map(|at| map::PlaceMark { at: point(at), what: "asked the way".into(), label })
    };
    asked.filter_map(mark).collect()
}

fn world_figure(trace: &Trace, simulation: &Simulation, summary: &Summary) -> WorldFigure {
    let world = &simulation.state.world;
    let robots = simulation.model.team.iter().zip(&trace.robots).zip(&world.bodies).enumerate();
    WorldFigure {
        title: format!("{} after {}", summary.scenario, crewlab_figures::axis::time_label(summary.time_s)),
        size: point(world.bounds.size()),
        origin: point(world.bounds.min),
        objects: world.objects().iter().map(|o| object(o, trace)).collect(),
        terrain: world.terrain.as_ref().map(|terrain| TerrainGrid {
            columns: terrain.columns,
            rows: terrain.rows,
            cell: terrain.cell,
            factors: terrain.factors.clone(),
        }),
        areas: world.present_areas().map(area).collect(),
        items: items(trace, world),
        marks: asked(trace, simulation),
        robots: robots
            .map(|(index, ((member, robot), body))| map::RobotPath {
                name: member.identity.name.clone(),
                index,
                radius: body.radius,
                start: pose(&robot.start, robot.present),
                end: pose(&body.pose, body.present),
                trail: robot.trail.clone(),
            })
            .collect(),
    }
}
