//! Properties of every figure and of the page, for any input.

use super::airspace::{Airspace, DampingWall, JammerMark};
use super::airtime::{self, AirtimeFigure, AirtimeRow};
use super::auctions::{AuctionKind, AuctionMark};
use super::delivery::{self, DeliveryBin, DeliveryFigure};
use super::gantt::{self, TaskFigure, TaskRow, TaskSpan};
use super::layers::{self, LayerMark, LayersFigure, MapLayer, MarkShape};
use super::links::{self, LinkFigure, LinkLine};
use super::mark::Mark;
use super::motivation::{self, Band, BandState, Curve, MotivationFigure};
use super::noise::{self, NoiseField, NoiseFigure};
use super::page::{self, Badge, Figure, Page, PageTable, Section};
use super::wellformed;
use super::world::{
    self, AreaOutline, FillRole, ItemMark, Outline, PlaceMark, RobotPath, Shape, TerrainGrid, WorldFigure,
};

pub(super) const HOSTILE: &str = "<script>alert(\"1\")</script> & ']]>\u{0}\u{1b}\u{ffff}";

/// Invalid values from upstream errors.
pub(super) const ODD: [f64; 8] =
    [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, -5.0, 0.0, 1e-300];

/// A figure must stay below this [bytes].
const LARGEST: usize = 450_000;

/// A deterministic sequence without visible order, from 0 to 1.
pub(super) fn noise(step: usize) -> f64 {
    let mixed = (step as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40) as f64 / (1u64 << 24) as f64
}

fn marks(count: usize, name: &str) -> Vec<Mark> {
    (0..count).map(|index| Mark { at_s: 40.0 + index as f64 * 0.2, label: name.to_owned() }).collect()
}

fn motivation_of(curves: usize, samples: usize, name: &str) -> MotivationFigure {
    let curve = |index: usize| Curve {
        label: format!("{name}{index}"),
        colour_key: (name.to_owned(), index),
        samples: (0..samples)
            .map(|step| (step as f64 * 100.0 / samples as f64, 100.0 * noise(step + index)))
            .collect(),
        bands: (0..samples.min(5000))
            .map(|step| step as f64 * 0.02)
            .map(|from_s| Band {
                from_s,
                to_s: from_s + 0.01,
                state: if from_s < 50.0 { BandState::Active } else { BandState::Waiting },
            })
            .collect(),
    };
    MotivationFigure {
        title: name.to_owned(),
        subtitle: name.to_owned(),
        duration_s: 100.0,
        what: "motivation".into(),
        threshold: 100.0,
        curves: (0..curves).map(curve).collect(),
        marks: marks(10, name),
    }
}

fn auction(step: usize, at_s: f64, name: &str) -> AuctionMark {
    let kinds = [AuctionKind::First, AuctionKind::Again, AuctionKind::NoSale];
    AuctionMark { at_s, rows: vec![step % 7, step % 300], kind: kinds[step % 3], story: name.repeat(5) }
}

fn tasks_of(robots: usize, spans: usize, name: &str) -> TaskFigure {
    let length = 100.0 / spans.max(1) as f64;
    let span = |step: usize| TaskSpan {
        task: format!("{name}{}", step % 3),
        from_s: step as f64 * length,
        to_s: (step as f64 + 0.9) * length,
    };
    let row =
        |index: usize| TaskRow { name: format!("{name}{index}"), spans: (0..spans).map(span).collect() };
    TaskFigure {
        title: name.to_owned(),
        duration_s: 100.0,
        robots: (0..robots).map(row).collect(),
        tasks: vec![format!("{name}0")],
        marks: marks(10, name),
        progress: (0..spans).map(|step| (step as f64 * length, 100.0 * noise(step))).collect(),
        auctions: (0..spans).map(|step| auction(step, step as f64 * length, name)).collect(),
    }
}

/// Every kind of mark, about robots, about one that is not there, and about the world; `number` is the scale of all their numbers.
fn layers_of(robots: usize, marks: usize, number: f64, name: &str) -> LayersFigure {
    let place = |step: usize| [12.0 * number * noise(step), 8.0 * number * noise(step + 11)];
    let mark = |step: usize| LayerMark {
        robot: [None, Some(step), Some(usize::MAX)][step % 3],
        shape: match step % 4 {
            0 => MarkShape::Circle(place(step), number),
            1 => MarkShape::Disc(place(step), number),
            2 => MarkShape::Band(place(step), place(step + 1), number),
            _ => MarkShape::Cone(place(step), place(step + 1), number),
        },
        strength: number,
    };
    let layer = |first: usize| MapLayer {
        title: format!("{name}{first}"),
        marks: (first..first + marks).map(mark).collect(),
    };
    LayersFigure {
        map: world_of(robots, 5, name),
        plans: (0..robots).map(|robot| (0..50).map(|step| place(robot + step)).collect()).collect(),
        layers: (0..4).map(layer).collect(),
        coloured: robots == 1,
    }
}

fn world_of(robots: usize, places: usize, name: &str) -> WorldFigure {
    let place = |step: usize| [12.0 * noise(step), 8.0 * noise(step + 7_000_003)];
    let robot = |index: usize| RobotPath {
        name: format!("{name}{index}"),
        index,
        radius: 0.2,
        start: (1.0, 1.0, 0.3),
        end: (place(index)[0], place(index)[1], 2.0),
        trail: (0..places).map(|step| place(step + index)).collect(),
    };
    let shapes = [
        Shape::Circle { center: [4.0, 2.0], radius: 1.0 },
        Shape::Polygon((0..places.max(3)).map(place).collect()),
        Shape::Segment([1.0, 1.0], [2.0, 2.0]),
    ];
    let roles = [FillRole::Obstacle, FillRole::DisturbanceObstacle, FillRole::SlowGround];
    WorldFigure {
        title: name.to_owned(),
        size: [12.0, 8.0],
        origin: [0.0, 0.0],
        objects: shapes
            .iter()
            .zip(roles)
            .map(|(shape, fill_role)| Outline { shape: shape.clone(), fill_role, label: name.to_owned() })
            .collect(),
        terrain: Some(TerrainGrid {
            columns: 300,
            rows: 200,
            cell: 0.04,
            factors: (0..60_000).map(|step| 2.0 * noise(step)).collect(),
        }),
        areas: shapes
            .iter()
            .map(|shape| AreaOutline { name: name.to_owned(), kind: name.to_owned(), shape: shape.clone() })
            .collect(),
        marks: (0..places.min(9))
            .map(|step| PlaceMark { at: place(step), what: name.to_owned(), label: name.to_owned() })
            .collect(),
        items: (0..places)
            .map(|step| ItemMark { from: place(step), to: place(step + 9), carried: step % 50 == 0 })
            .collect(),
        robots: (0..robots).map(robot).collect(),
    }
}

fn airspace_of(walls: usize) -> Airspace {
    let place = |step: usize| [12.0 * noise(step), 8.0 * noise(step + 7_000_003)];
    let wall = |step: usize| DampingWall {
        shape: match step % 3 {
            0 => Shape::Segment(place(step), place(step + 1)),
            1 => Shape::Circle { center: place(step), radius: 0.3 },
            _ => Shape::Polygon(vec![[2.0, 2.0], [3.0, 2.0], [3.0, 3.0]]),
        },
        damping_db: 4.0 + step as f64,
    };
    Airspace {
        walls: (0..walls).map(wall).collect(),
        jammers: vec![JammerMark { at: [5.0, 5.0], power_dbm: 10.0 }],
    }
}

/// A team in which all robots hear each other; the more their numbers differ, the worse.
fn links_of(robots: usize, walls: usize, name: &str) -> LinkFigure {
    let mut links = Vec::new();
    for from in 0..robots {
        for to in (0..robots).filter(|to| *to != from) {
            let success = 1.0 - from.abs_diff(to) as f64 / robots as f64;
            links.push(LinkLine { from, to, rate_mbps: 54.0 * success * success, success });
        }
    }
    LinkFigure {
        title: name.to_owned(),
        subtitle: name.to_owned(),
        map: world_of(robots, 0, name),
        airspace: airspace_of(walls),
        links,
        fastest_mbps: 54.0,
        silent: vec![0, robots + 3],
    }
}

fn noise_of(cells: usize, name: &str) -> NoiseFigure {
    NoiseFigure {
        title: name.to_owned(),
        subtitle: name.to_owned(),
        map: world_of(2, 0, name),
        airspace: airspace_of(3),
        field: NoiseField {
            columns: cells,
            rows: cells,
            levels: (0..cells * cells).map(|step| -90.0 + 20.0 * noise(step)).collect(),
        },
    }
}

fn delivery_of(bins: usize, name: &str) -> DeliveryFigure {
    let length = 100.0 / bins.max(1) as f64;
    let bin = |step: usize| DeliveryBin {
        from_s: step as f64 * length,
        to_s: (step + 1) as f64 * length,
        delivered: step as u64 % 5,
        latency_ms: (!step.is_multiple_of(5)).then(|| 4.0 * noise(step)),
        lost: (0..12).map(|reason| (step as u64 * reason) % 3).collect(),
    };
    DeliveryFigure {
        title: name.to_owned(),
        subtitle: name.to_owned(),
        duration_s: 100.0,
        bins: (0..bins).map(bin).collect(),
        reasons: (0..12).map(|reason| format!("{name}{reason}")).collect(),
        marks: marks(10, name),
    }
}

fn airtime_of(robots: usize, name: &str) -> AirtimeFigure {
    let row = |index: usize| AirtimeRow {
        name: format!("{name}{index}"),
        index,
        sending_s: noise(index),
        receiving_s: noise(index + 1),
    };
    AirtimeFigure {
        title: name.to_owned(),
        subtitle: name.to_owned(),
        duration_s: 100.0,
        robots: (0..robots).map(row).collect(),
    }
}

fn page_of(name: &str, svgs: Vec<String>) -> Page {
    let table = PageTable {
        heading: name.to_owned(),
        note: name.to_owned(),
        columns: vec![name.to_owned(), "n".to_owned()],
        rows: (0..5).map(|row| vec![name.to_owned(), row.to_string(), "surplus".to_owned()]).collect(),
        filter: true,
        ..PageTable::default()
    };
    let figures = svgs.into_iter().map(|svg| Figure { caption: name.to_owned(), svg }).collect();
    Page {
        title: name.to_owned(),
        lead: name.to_owned(),
        verdict: Badge::Completed,
        facts: vec![(name.to_owned(), name.to_owned())],
        sections: vec![Section {
            heading: name.to_owned(),
            text: format!("{name}\n\n{name}"),
            code: name.to_owned(),
            table: Some(PageTable { links: vec![name.to_owned()], ..table.clone() }),
            figures,
        }],
        tables: vec![table.clone(), table],
        footer: name.to_owned(),
    }
}

/// One figure of each kind.
fn gallery(name: &str) -> Vec<String> {
    vec![
        motivation::draw(&motivation_of(3, 500, name)),
        gantt::draw(&tasks_of(3, 20, name)),
        world::draw(&world_of(3, 50, name)),
        layers::draw(&layers_of(3, 20, 1.0, name)),
        links::draw(&links_of(3, 2, name)),
        noise::draw(&noise_of(8, name)),
        delivery::draw(&delivery_of(20, name)),
        airtime::draw(&airtime_of(3, name)),
    ]
}

pub(super) fn check(svg: &str) {
    wellformed::check(svg);
    for word in ["NaN", "inf", "id=\"", "url("] {
        assert!(!svg.contains(word), "{word} in a figure");
    }
    assert!(svg.len() < LARGEST, "{} bytes", svg.len());
    // This applies to places and sizes; text may need more decimals.
    let tags = svg.split('<').filter_map(|piece| piece.split('>').next());
    let long_decimals = tags
        .flat_map(|tag| tag.split(|letter: char| !letter.is_ascii_digit() && letter != '.'))
        .any(|number| number.split_once('.').is_some_and(|(_, decimals)| decimals.len() > 2));
    assert!(!long_decimals, "more than two decimals");
}

#[test]
fn figures_are_well_formed() {
    gallery("robot-").iter().for_each(|svg| check(svg));
}

#[test]
fn hostile_names_stay_text() {
    for svg in gallery(HOSTILE) {
        check(&svg);
        assert!(!svg.contains("<script"));
    }
    let html = page::render(&page_of(HOSTILE, vec![HOSTILE.to_owned()]));
    assert_eq!(html.matches("<script").count(), 1, "the page's own script only");
    assert!(!html.contains('\u{0}'));
}

#[test]
fn empty_figures_are_drawn() {
    for count in [0, 1] {
        check(&motivation::draw(&motivation_of(count, 0, "")));
        check(&gantt::draw(&tasks_of(count, 0, "")));
        check(&world::draw(&world_of(count, 0, "")));
        check(&motivation::draw(&motivation_of(count, 1, "")));
        check(&layers::draw(&layers_of(count, count, 1.0, "")));
        check(&links::draw(&links_of(count, 0, "")));
        check(&noise::draw(&noise_of(count, "")));
        check(&delivery::draw(&delivery_of(count, "")));
        check(&airtime::draw(&airtime_of(count, "")));
    }
    assert!(
        page::render(&Page { facts: vec![], sections: vec![], tables: vec![], ..page_of("", vec![]) })
            .contains("<h1>")
    );
}

#[test]
fn odd_values_never_reach_a_figure() {
    for odd in ODD {
        let mut figure = motivation_of(2, 10, "r");
        figure.duration_s = odd;
        figure.threshold = odd;
        figure.curves[0].samples.extend([(odd, 5.0), (5.0, odd)]);
        figure.curves[1].bands.push(Band { from_s: odd, to_s: -odd, state: BandState::Waiting });
        figure.marks.push(Mark { at_s: odd, label: "odd".to_owned() });
        check(&motivation::draw(&figure));

        let mut figure = tasks_of(2, 3, "r");
        figure.duration_s = odd;
        figure.progress.extend([(odd, 50.0), (50.0, odd)]);
        figure.robots[0].spans.push(TaskSpan { task: "odd".to_owned(), from_s: 1.0, to_s: odd });
        check(&gantt::draw(&figure));
    }
}

#[test]
fn odd_values_never_reach_a_figure_of_the_radio() {
    for odd in ODD {
        let mut figure = links_of(3, 2, "r");
        figure.fastest_mbps = odd;
        figure.links[0].rate_mbps = odd;
        figure.links[1].success = odd;
        figure.airspace.walls[0].damping_db = odd;
        figure.airspace.jammers[0] = JammerMark { at: [odd, 1.0], power_dbm: odd };
        figure.links.push(LinkLine { from: 99, to: 1, rate_mbps: 1.0, success: 1.0 });
        check(&links::draw(&figure));

        let mut figure = noise_of(3, "r");
        figure.field.levels[0] = odd;
        check(&noise::draw(&figure));
        figure.field.columns = usize::MAX;
        check(&noise::draw(&figure));

        let mut figure = delivery_of(4, "r");
        figure.duration_s = odd;
        figure.bins[0].from_s = odd;
        figure.bins[1].to_s = odd;
        figure.bins[2].latency_ms = Some(odd);
        check(&delivery::draw(&figure));

        let mut figure = airtime_of(2, "r");
        figure.duration_s = odd;
        figure.robots[0].sending_s = odd;
        check(&airtime::draw(&figure));
    }
}

#[test]
fn every_direction_and_every_missing_link_of_a_small_team_is_drawn() {
    let mut figure = links_of(3, 0, "r");
    figure.links.retain(|link| link.from + link.to < 3);
    let svg = links::draw(&figure);
    assert_eq!(svg.matches("of broadcasts arrive").count(), 4, "two links, both directions");
    assert!(svg.contains("r0 to r1: 24 Mbit/s") && svg.contains(">no link</text>"));
    assert!(!links::draw(&links_of(3, 0, "r")).contains(">no link</text>"));
}

#[test]
fn a_crowd_shows_its_shortest_links_and_says_so() {
    let svg = links::draw(&links_of(100, 0, "r"));
    assert!(svg.contains("shortest links of each robot"));
    assert!(!links::draw(&links_of(20, 0, "r")).contains("shortest links of each robot"));
}

#[test]
fn many_robots_share_the_last_row_of_the_airtime() {
    let svg = airtime::draw(&airtime_of(100, "r"));
    assert!(svg.contains("mean of 60 others"));
}

#[test]
fn losses_are_counted_by_reason_in_the_legend() {
    let mut figure = delivery_of(3, "because ");
    for (step, bin) in figure.bins.iter_mut().enumerate() {
        bin.lost = vec![0, 2, step as u64, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    }
    let svg = delivery::draw(&figure);
    assert!(svg.contains("because 1 (6)") && svg.contains("because 2 (3)") && !svg.contains("because 3"));
    figure.bins.iter_mut().for_each(|bin| bin.lost.clear());
    assert!(!delivery::draw(&figure).contains("copies lost"), "an empty panel was drawn");
}

#[test]
fn odd_places_never_reach_a_map() {
    for odd in ODD {
        let mut figure = world_of(2, 5, "r");
        figure.size = [odd, 8.0];
        figure.origin = [odd, odd];
        figure.robots[0].start = (odd, odd, odd);
        figure.robots[0].radius = odd;
        figure.robots[1].trail.push([odd, 1.0]);
        figure.items.push(ItemMark { from: [odd, 1.0], to: [1.0, odd], carried: true });
        figure.areas[0].shape = Shape::Circle { center: [odd, 1.0], radius: odd };
        figure.areas[1].shape = Shape::Polygon(vec![[odd, odd]]);
        figure.terrain = Some(TerrainGrid { columns: usize::MAX, rows: 3, cell: odd, factors: vec![odd; 9] });
        check(&world::draw(&figure));
        check(&layers::draw(&layers_of(2, 4, odd, "r")));
        figure.terrain = Some(TerrainGrid { columns: 3, rows: 3, cell: 1.0, factors: vec![odd; 9] });
        check(&world::draw(&figure));
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    assert_eq!(gallery("blue"), gallery("blue"));
    let render = || page::render(&page_of("blue", gallery("blue")));
    assert_eq!(render(), render());
}

#[test]
fn a_million_samples_stay_small() {
    check(&motivation::draw(&motivation_of(1, 1_000_000, "r")));
    check(&gantt::draw(&tasks_of(1, 1_000_000, "r")));
    let mut map = world_of(1, 50_000, "r");
    let circling =
        |step: usize| [6.0 + 5.0 * (step as f64 * 1e-3).cos(), 4.0 + 3.0 * (step as f64 * 1.37e-3).sin()];
    map.robots[0].trail = (0..1_000_000).map(circling).collect();
    check(&world::draw(&map));
}

#[test]
fn large_teams_stay_small() {
    check(&motivation::draw(&motivation_of(200, 5_000, "r")));
    check(&gantt::draw(&tasks_of(200, 5_000, "r")));
    check(&world::draw(&world_of(200, 5_000, "r")));
    check(&layers::draw(&layers_of(200, 100_000, 1.0, "r")));
    check(&links::draw(&links_of(200, 1_000, "r")));
    check(&airtime::draw(&airtime_of(5_000, "r")));
    check(&delivery::draw(&delivery_of(240, "r")));
    check(&noise::draw(&noise_of(80, "r")));
}

#[test]
fn ids_in_a_page_are_unique() {
    let mut svgs = gallery("blue");
    svgs.extend(gallery("blue"));
    let html = page::render(&page_of("blue", svgs));
    let mut ids: Vec<&str> = html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let count = ids.len();
    assert!(count >= 6);
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
    let target = |rest: &str| rest.split('"').next().map(str::to_owned);
    for link in html.split("href=\"#").skip(1).filter_map(target) {
        assert!(ids.contains(&link.as_str()), "#{link} leads nowhere");
    }
}

#[test]
fn a_page_loads_nothing() {
    let html = page::render(&page_of("blue", gallery("blue")));
    let outside = html.replace("http://www.w3.org/2000/svg", "");
    for word in ["http://", "https://", "src=", "@import", "<link", "<img"] {
        assert!(!outside.contains(word), "{word}");
    }
    assert!(
        html.contains("<html lang=\"en\">")
            && html.contains("scope=\"col\"")
            && html.contains("role=\"img\"")
    );
}
