//! Properties of every figure of an experiment, for any input.

use super::degradation::{self, DegradationFigure, DegradationGroup, DegradationPanel, DegradationPoint};
use super::forest::{self, ForestFigure, ForestRow};
use super::marginal::{self, MarginalFigure, MarginalParameter};
use super::search::{self, SearchFigure};
use super::spread::{self, SpreadFigure, SpreadGroup};
use super::survival::{self, SurvivalFigure, SurvivalGroup};
use super::tests::{HOSTILE, ODD, check, noise};
use crewlab_statistics::{Interval, Lifetime, Mean};

/// How a group differs from the one before.
fn time(group: usize, run: usize) -> f64 {
    8.0 + group as f64 * 0.7 + 6.0 * noise(run + 1000 * group) * noise(run + 77)
}

pub(super) fn spread_of(groups: usize, runs: usize, name: &str) -> SpreadFigure {
    let row = |group: usize| {
        let all: Vec<f64> = (0..runs).map(|run| time(group, run) * (1.0 + 0.1 * group as f64)).collect();
        let values: Vec<f64> = all.iter().copied().filter(|time| *time < 15.0).collect();
        let mean = Mean::of(&values);
        SpreadGroup {
            name: format!("{name}{group}"),
            unfinished: runs - values.len(),
            mean: mean.map(|mean| mean.mean),
            interval: mean.map(|mean| mean.interval()),
            values,
        }
    };
    SpreadFigure {
        title: format!("{name}: mission times"),
        subtitle: name.to_owned(),
        what: "time until the mission was completed".into(),
        unit: "min".into(),
        censored: true,
        limit: Some(15.0),
        groups: (0..groups).map(row).collect(),
    }
}

pub(super) fn survival_of(groups: usize, runs: usize, name: &str) -> SurvivalFigure {
    let lifetime = |group: usize, run: usize| {
        let time = 60.0 * time(group, run) * (0.6 + 0.15 * group as f64);
        let stop = if run % 11 == 5 { 400.0 } else { 900.0 };
        Lifetime { time: time.min(stop), observed: time < stop }
    };
    let curve = |group: usize| SurvivalGroup {
        name: format!("{name}{group}"),
        lifetimes: (0..runs).map(|run| lifetime(group, run)).collect(),
    };
    SurvivalFigure {
        title: format!("{name}: when missions are completed"),
        subtitle: name.to_owned(),
        until_s: 900.0,
        groups: (0..groups).map(curve).collect(),
    }
}

pub(super) fn degradation_of(groups: usize, levels: usize, name: &str) -> DegradationFigure {
    let points = |group: usize, share: bool| {
        let point = |step: usize| {
            let level = 100.0 * step as f64 / levels.max(2) as f64;
            let (value, half) = match share {
                true => ((1.1 - level / (60.0 + 12.0 * group as f64)).clamp(0.0, 1.0), 0.08),
                false => (9.0 + group as f64 + level / 15.0 + noise(step + group), 0.8),
            };
            let interval = Interval {
                low: (value - half).max(0.0),
                high: if share { (value + half).min(1.0) } else { value + half },
            };
            DegradationPoint { level, value, interval: Some(interval), partial: !share && level > 50.0 }
        };
        (0..levels).map(point).collect()
    };
    let panel = |what: &str, unit: &str, share: bool| DegradationPanel {
        what: what.into(),
        unit: unit.into(),
        share,
        groups: (0..groups)
            .map(|group| DegradationGroup { name: format!("{name}{group}"), points: points(group, share) })
            .collect(),
    };
    DegradationFigure {
        title: format!("{name}: fewer messages arrive"),
        subtitle: name.to_owned(),
        level: "messages lost".into(),
        level_unit: "%".into(),
        panels: vec![panel("Runs completed", "", true), panel("Time of the completed runs", "min", false)],
        note: "20 seeds per point.".into(),
    }
}

pub(super) fn forest_of(rows: usize, name: &str) -> ForestFigure {
    let row = |place: usize| {
        let estimate = 90.0 * (noise(place) - 0.6);
        let half = 10.0 + 40.0 * noise(place + 50);
        let significant = estimate.abs() > half;
        ForestRow {
            name: format!("{name}{place} against {name}{}", place + 1),
            estimate: Some(estimate),
            interval: Some(Interval { low: estimate - half, high: estimate + half }),
            p: Some(if significant {
                0.04 * noise(place) * noise(place + 3)
            } else {
                0.05 + 0.9 * noise(place)
            }),
            significant,
            pairs: 20 + place,
        }
    };
    ForestFigure {
        title: format!("{name}: differences seed by seed"),
        subtitle: name.to_owned(),
        what: "difference in mission time".into(),
        unit: "s".into(),
        below: "faster".into(),
        above: "slower".into(),
        p_label: "p (Holm)".into(),
        rows: (0..rows).map(row).collect(),
    }
}

fn tried(candidate: usize) -> Option<f64> {
    let value = 400.0 + 500.0 * noise(candidate) * noise(candidate + 9) + 300.0 / (1.0 + candidate as f64);
    (candidate % 17 != 16).then_some(value)
}

fn best_of(candidates: &[Option<f64>]) -> Option<usize> {
    let known = candidates.iter().enumerate().filter_map(|(index, value)| Some((index, (*value)?)));
    known.min_by(|one, two| one.1.total_cmp(&two.1)).map(|(index, _)| index)
}

pub(super) fn search_of(count: usize, name: &str) -> SearchFigure {
    let candidates: Vec<Option<f64>> = (0..count).map(tried).collect();
    SearchFigure {
        title: format!("{name}: tuning"),
        subtitle: name.to_owned(),
        what: "mean mission time".into(),
        unit: "s".into(),
        lower_is_better: true,
        logarithmic: false,
        default: Some(0),
        chosen: best_of(&candidates),
        candidates,
    }
}

pub(super) fn marginal_of(parameters: usize, count: usize, name: &str) -> MarginalFigure {
    let parameter = |place: usize| MarginalParameter {
        name: format!("{name}{place}"),
        unit: if place == 1 { "s".into() } else { String::new() },
        logarithmic: place % 3 == 1,
        settings: (0..count)
            .map(|step| match place % 3 {
                0 => 5.0 + 20.0 * noise(step + 100 * place),
                1 => libm::pow(10.0, 4.0 * noise(step + 31 * place) - 1.0),
                _ => (step % 3) as f64,
            })
            .collect(),
        choices: if place % 3 == 2 {
            vec!["never".into(), "sometimes".into(), "always".into()]
        } else {
            vec![]
        },
    };
    let values: Vec<Option<f64>> = (0..count).map(tried).collect();
    MarginalFigure {
        title: format!("{name}: what the parameters do"),
        subtitle: name.to_owned(),
        what: "mean mission time".into(),
        unit: "s".into(),
        logarithmic: false,
        parameters: (0..parameters).map(parameter).collect(),
        best: best_of(&values),
        default: Some(0),
        values,
    }
}

/// One figure of each kind, with this many groups and runs in each.
fn gallery(groups: usize, runs: usize, name: &str) -> Vec<String> {
    vec![
        spread::draw(&spread_of(groups, runs, name)),
        survival::draw(&survival_of(groups, runs, name)),
        degradation::draw(&degradation_of(groups, runs.min(12), name)),
        forest::draw(&forest_of(groups, name)),
        search::draw(&search_of(runs, name)),
        marginal::draw(&marginal_of(groups, runs, name)),
    ]
}

/// The text of a figure, without its marks and line breaks.
fn said(svg: &str) -> String {
    let texts = svg.split('<').filter_map(|piece| piece.split_once('>')).map(|(_, text)| text);
    texts.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

#[test]
fn figures_are_well_formed_for_few_and_for_many() {
    for groups in [0, 1, 2, 8, 30] {
        for runs in [0, 1, 2, 20, 200] {
            gallery(groups, runs, "alliance-").iter().for_each(|svg| check(svg));
        }
    }
    for svg in gallery(3, 5000, "r") {
        check(&svg);
    }
}

#[test]
fn names_of_any_kind_stay_text() {
    for name in [HOSTILE, "", &"a coordinator with a very long name ".repeat(5)] {
        for svg in gallery(5, 20, name) {
            check(&svg);
            assert!(!svg.contains("<script"));
        }
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    assert_eq!(gallery(4, 30, "r"), gallery(4, 30, "r"));
}

#[test]
fn odd_values_never_reach_a_figure() {
    for odd in ODD {
        let interval = Some(Interval { low: odd, high: -odd });
        let mut figure = spread_of(3, 10, "r");
        figure.limit = Some(odd);
        figure.groups[0].values.push(odd);
        figure.groups[1].mean = Some(odd);
        figure.groups[1].interval = interval;
        figure.groups[2].unfinished = usize::MAX / 4;
        check(&spread::draw(&figure));

        let mut figure = survival_of(3, 10, "r");
        figure.groups[0].lifetimes.push(Lifetime { time: odd, observed: true });
        check(&survival::draw(&figure));
        figure.until_s = odd;
        check(&survival::draw(&figure));

        let mut figure = degradation_of(3, 5, "r");
        let point = DegradationPoint { level: odd, value: odd, interval, partial: true };
        figure.panels[0].groups[0].points.push(point);
        figure.panels[1].groups[1].points.push(DegradationPoint { level: 20.0, ..point });
        figure.panels[1].groups[1].points.push(DegradationPoint { value: 20.0, ..point });
        check(&degradation::draw(&figure));

        let mut figure = forest_of(3, "r");
        figure.rows[0] = ForestRow { estimate: Some(odd), interval, p: Some(odd), ..figure.rows[0].clone() };
        figure.rows[1] = ForestRow { estimate: None, interval: None, p: None, ..figure.rows[1].clone() };
        check(&forest::draw(&figure));

        for logarithmic in [false, true] {
            let mut figure = search_of(10, "r");
            figure.candidates.extend([Some(odd), None]);
            (figure.default, figure.chosen, figure.logarithmic) = (Some(10), Some(99), logarithmic);
            check(&search::draw(&figure));

            let mut figure = marginal_of(3, 10, "r");
            figure.parameters.iter_mut().for_each(|parameter| parameter.settings.push(odd));
            figure.values.extend([Some(odd), Some(5.0)]);
            (figure.default, figure.best, figure.logarithmic) = (Some(10), Some(99), logarithmic);
            check(&marginal::draw(&figure));
        }
    }
}

#[test]
fn equal_values_are_drawn() {
    for value in [0.0, 7.0, -3.0, 1e-9] {
        let mut figure = spread_of(2, 5, "r");
        for group in &mut figure.groups {
            (group.values, group.mean, group.unfinished) = (vec![value; 5], Some(value), 0);
            group.interval = Some(Interval { low: value, high: value });
        }
        check(&spread::draw(&figure));
        let mut figure = search_of(5, "r");
        figure.candidates = vec![Some(value); 5];
        check(&search::draw(&figure));
        let mut figure = marginal_of(3, 5, "r");
        figure.values = vec![Some(value); 5];
        figure.parameters.iter_mut().for_each(|parameter| parameter.settings = vec![value; 5]);
        check(&marginal::draw(&figure));
    }
}

#[test]
fn runs_that_were_not_completed_are_hollow_and_counted() {
    let mut figure = spread_of(2, 20, "r");
    figure.groups[0].values = (0..13).map(f64::from).collect();
    figure.groups[0].unfinished = 7;
    figure.groups[1].unfinished = 0;
    let svg = spread::draw(&figure);
    assert!(
        svg.contains(">7 not completed<") && svg.contains(">13 of 20<") && svg.contains("stopped at 15 min")
    );
    assert!(svg.contains("time until the mission was completed [min]"));
    figure.groups[0].unfinished = 0;
    let svg = spread::draw(&figure);
    assert!(!said(&svg).contains("not completed") && !said(&svg).contains("stopped"));
}

#[test]
fn an_axis_that_hides_zero_says_so() {
    let mut figure = spread_of(1, 4, "r");
    figure.groups[0] = SpreadGroup {
        values: vec![1001.0, 1004.0],
        unfinished: 0,
        mean: None,
        interval: None,
        ..figure.groups[0].clone()
    };
    assert!(said(&spread::draw(&figure)).contains("does not begin at 0"));
    figure.groups[0].values = vec![1.0, 1004.0];
    assert!(!said(&spread::draw(&figure)).contains("does not begin at 0"));
}

#[test]
fn survival_counts_runs_in_progress_and_omits_bands_for_many_groups() {
    let figure = survival_of(3, 40, "team-");
    let svg = survival::draw(&figure);
    assert!(svg.contains("runs in progress") && svg.contains(">40<") && svg.contains("runs completed [%]"));
    assert_eq!(svg.matches("fill-opacity=\"0.14\"").count(), 3);
    assert!(said(&svg).contains("95 % intervals (log-log)"));
    let crowd = survival::draw(&survival_of(12, 40, "team-"));
    assert!(!crowd.contains("fill-opacity=\"0.14\"") && said(&crowd).contains("too many curves"));
}

#[test]
fn lines_do_not_bridge_levels_without_a_value() {
    let mut figure = degradation_of(1, 5, "r");
    figure.panels.truncate(1);
    let pieces = |figure: &DegradationFigure| {
        let svg = degradation::draw(figure);
        let line = svg.split("<path").find(|piece| piece.contains("stroke-width=\"2\"")).map(str::to_owned);
        line.map_or(0, |line| line.split("stroke").next().map_or(0, |data| data.matches('M').count()))
    };
    assert_eq!(pieces(&figure), 4);
    // The level stays on the axis because another group has it.
    let mut other = figure.panels[0].groups[0].clone();
    other.points.truncate(0);
    other.points.push(figure.panels[0].groups[0].points[2]);
    figure.panels[0].groups[0].points.remove(2);
    figure.panels[0].groups.push(other);
    assert_eq!(pieces(&figure), 2);
}

#[test]
fn partial_points_are_hollow_and_shares_go_to_a_hundred() {
    let svg = degradation::draw(&degradation_of(2, 6, "r"));
    assert!(
        said(&svg).contains("Hollow: not all runs")
            && svg.contains("Runs completed [%]")
            && svg.contains(">100<")
    );
    assert!(svg.contains("messages lost [%]") && svg.contains("Time of the completed runs [min]"));
    assert!(said(&svg).contains("20 seeds per point."));
}

#[test]
fn a_comparison_says_which_side_is_which_and_how_sure_it_is() {
    let mut figure = forest_of(2, "r");
    let row = |estimate: f64, p: f64, significant: bool| ForestRow {
        name: "muroco against alliance".into(),
        estimate: Some(estimate),
        interval: Some(Interval { low: estimate - 5.0, high: estimate + 5.0 }),
        p: Some(p),
        significant,
        pairs: 20,
    };
    figure.rows = vec![row(-34.0, 0.0004, true), row(2.0, 0.43, false)];
    let svg = forest::draw(&figure);
    assert!(svg.contains("← faster") && svg.contains("slower →") && svg.contains("p (Holm)"));
    assert!(svg.contains(">&lt; 0.001<") && svg.contains(">0.43<"));
    assert!(svg.contains("−34.0 (−39.0 to −29.0)") && svg.contains("+2.0 (−3.0 to +7.0)"));
    assert!(svg.contains("−34.0 (−39.0 to −29.0) s faster") && svg.contains("perhaps by chance"));
}

#[test]
fn a_search_shows_where_it_began_and_what_it_found() {
    let mut figure = search_of(30, "r");
    figure.candidates = vec![Some(500.0), Some(620.0), None, Some(431.0), Some(450.0)];
    (figure.default, figure.chosen) = (Some(0), Some(3));
    let svg = search::draw(&figure);
    assert!(
        svg.contains("default: 500 s") && svg.contains("chosen: 431 s") && svg.contains("Lower is better.")
    );
    assert!(svg.contains(">without a value<") && svg.contains("mean mission time [s]"));
    figure.logarithmic = true;
    assert!(said(&search::draw(&figure)).contains("is logarithmic"));
}

#[test]
fn a_search_that_found_nothing_better_says_it_once() {
    let mut figure = search_of(1, "r");
    (figure.default, figure.chosen) = (Some(0), Some(0));
    let svg = search::draw(&figure);
    assert!(svg.contains(">default and chosen: 700 s<") && !svg.contains(">default: 700 s<"));
}

#[test]
fn every_parameter_has_its_plot_and_the_best_is_marked_in_each() {
    let figure = marginal_of(4, 40, "parameter-");
    let svg = marginal::draw(&figure);
    assert!(
        (0..4).all(|place| svg.contains(&format!("parameter-{place}"))) && svg.contains("parameter-1 [s]")
    );
    assert!(svg.contains(">sometimes<") && svg.contains("best: ") && svg.contains("default: "));
    // Once in each plot and once in the legend.
    let best = format!("fill=\"{}\"", super::chart::colour(1).hex());
    assert_eq!(svg.matches(&best).count(), 5);
}
