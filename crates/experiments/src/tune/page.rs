//! The report of a tuning.

use super::space::{Domain, Parameter};
use super::spec::Goal;
use super::summary::{TuningSummary, endings};
use super::tuner::{Candidate, CandidateFate, Tuned};
use super::tuning::Tuning;
use super::verdict::{PairedComparison, RunResult, TuningVerdict};
use super::words::{probability, with_interval};
use crate::file::spec::Scale;
use crewlab_figures::forest::{self, ForestFigure, ForestRow};
use crewlab_figures::marginal::{self, MarginalFigure, MarginalParameter};
use crewlab_figures::page::{Badge, Figure, Page, PageTable, Section, render};
use crewlab_figures::search::{self, SearchFigure};
use crewlab_figures::spread::{self, SpreadFigure, SpreadGroup};
use crewlab_statistics::mean;

/// The page as HTML.
pub(super) fn text(tuning: &Tuning, tuned: &Tuned, summary: &TuningSummary) -> String {
    let found = summary.verdict != TuningVerdict::NothingBetter;
    let mut comparison = vec![runs(tuning, tuned, summary, found)];
    if found {
        comparison.push(differences(summary));
    }
    let warnings = summary.warnings.iter().map(|warning| format!("Warning: {warning}."));
    let section = |heading: &str, text: String, figures: Vec<Figure>| Section {
        heading: heading.into(),
        text,
        figures,
        ..Section::default()
    };
    let held_out = format!(
        "The verdict is based on {} seeds that the search has not seen. {}",
        summary.effort.held_out,
        warnings.collect::<Vec<_>>().join("\n\n")
    );
    render(&Page {
        title: format!("Tuning: {}", summary.name),
        lead: summary.sentence.clone(),
        verdict: Badge::Completed,
        facts: facts(summary),
        sections: vec![
            section("Result on the held-out seeds", held_out, comparison),
            section("The search", effort_in_words(summary), vec![searched(tuned, summary)]),
            section(
                "Which parameters matter",
                "Each plot shows all candidates: where good ones crowd together, the parameter matters; where they are \
                 spread over the whole width, it does not."
                    .into(),
                vec![marginals(tuning, tuned, summary)],
            ),
        ],
        tables: vec![parameters(summary), candidates(tuning, tuned)],
        footer: format!(
            "Made by crewlab {}. tuned.yaml beside this page is the best candidate as a scenario; tuning.yaml is the \
             tuning file, which always gives the same result.",
            crewlab_lab::VERSION
        ),
    })
}

/// The figures that get their own files.
pub(super) fn plots(tuning: &Tuning, tuned: &Tuned, summary: &TuningSummary) -> [(&'static str, Figure); 2] {
    [("search", searched(tuned, summary)), ("parameters", marginals(tuning, tuned, summary))]
}

fn facts(summary: &TuningSummary) -> Vec<(String, String)> {
    let fact = |name: &str, value: String| (name.to_string(), value);
    let held_out = &summary.held_out;
    let shown = |number: Option<f64>| with_interval(number, None, summary.measure);
    let mut facts = vec![
        fact("Scenario", summary.scenario.clone()),
        fact("Goal", format!("{} {}", summary.goal.name(), summary.title)),
        fact("Default, held-out", shown(held_out.default.mean)),
        fact("Best, held-out", shown(held_out.best.mean)),
    ];
    if summary.verdict != TuningVerdict::NothingBetter {
        facts.extend(summary.share().map(|share| fact("Change", share)));
        facts.push(fact("Wilcoxon", probability(held_out.p)));
    }
    facts.extend([
        fact(
            "Completed",
            format!(
                "{} -> {} of {}",
                held_out.default.completed, held_out.best.completed, held_out.best.runs
            ),
        ),
        fact("Candidates", summary.effort.candidates.to_string()),
        fact("Runs of the search", summary.effort.runs.to_string()),
        fact("Runs saved", summary.effort.saved_runs.to_string()),
    ]);
    facts
}

fn effort_in_words(summary: &TuningSummary) -> String {
    let effort = &summary.effort;
    let failed = match effort.failed {
        0 => String::new(),
        count => format!(" {count} cannot be used: see the table."),
    };
    format!(
        "{} candidates on the same {} seeds, beginning with the unchanged scenario. {} were given up when they were clearly worse than the \
         best so far on the same seeds, which saved {} of {} runs; their values are estimates.{failed}",
        effort.candidates,
        effort.seeds,
        effort.given_up,
        effort.saved_runs,
        effort.saved_runs + effort.runs
    )
}

/// Every run on the held-out seeds.
fn runs(tuning: &Tuning, tuned: &Tuned, summary: &TuningSummary, found: bool) -> Figure {
    let best = found.then_some(("best", summary.best - 1));
    let group = |(name, which): (&str, usize)| {
        let cell = tuned.candidates.get(which).and_then(|candidate| candidate.cell.as_ref());
        spread_of(name, &endings(cell, &tuning.held_out, &tuned.store, tuning.column), summary)
    };
    let figure = SpreadFigure {
        title: format!("{} on the held-out seeds", capital(summary.title)),
        subtitle: "one dot per run; both have the same seeds".into(),
        what: summary.title.into(),
        unit: summary.unit.into(),
        censored: is_time(summary),
        limit: limit(tuning, summary),
        groups: [Some(("default", 0)), best].into_iter().flatten().map(group).collect(),
    };
    Figure { caption: "Every run on the held-out seeds.".into(), svg: spread::draw(&figure) }
}

fn is_time(summary: &TuningSummary) -> bool {
    summary.metric == "time_s"
}

/// The time limit of runs, if the axis shows time.
fn limit(tuning: &Tuning, summary: &TuningSummary) -> Option<f64> {
    is_time(summary).then(|| tuning.default.scenario["run"]["until"].as_f64()).flatten()
}

/// The time of a mission that was not completed is unknown; any other metric has its value.
fn spread_of(name: &str, endings: &[RunResult], summary: &TuningSummary) -> SpreadGroup {
    let shown = |ending: &&RunResult| ending.completed || !is_time(summary);
    let values: Vec<f64> = endings.iter().filter(shown).filter_map(|ending| ending.value).collect();
    let side = PairedComparison::of(&[], endings).best;
    let all = values.len() == endings.len();
    SpreadGroup {
        name: name.into(),
        unfinished: endings.len() - values.len(),
        mean: mean(&values),
        interval: side.interval.filter(|_| all),
        values,
    }
}

/// Differences on the search seeds and on the held-out seeds.
fn differences(summary: &TuningSummary) -> Figure {
    let row = |name: &str, comparison: &PairedComparison| ForestRow {
        name: name.into(),
        estimate: comparison.difference,
        interval: comparison.interval,
        p: comparison.p,
        significant: comparison.is_significant(),
        pairs: comparison.pairs,
    };
    let (below, above) = match summary.goal {
        Goal::Minimise => ("better", "worse"),
        Goal::Maximise => ("worse", "better"),
    };
    let figure = ForestFigure {
        title: "Best minus default, seed by seed".into(),
        subtitle: "the best was chosen on the search seeds, so its gain there is overestimated".into(),
        what: format!("difference in {}", summary.title),
        unit: summary.unit.into(),
        below: below.into(),
        above: above.into(),
        p_label: "p".into(),
        rows: vec![row("search seeds", &summary.search), row("held-out seeds", &summary.held_out)],
    };
    Figure {
        caption: "How much of the gain is left on the held-out seeds.".into(),
        svg: forest::draw(&figure),
    }
}

fn searched(tuned: &Tuned, summary: &TuningSummary) -> Figure {
    let figure = SearchFigure {
        title: "Candidates in the order tried".into(),
        subtitle: format!("mean over {} seeds; estimates for those given up early", summary.effort.seeds),
        what: summary.title.into(),
        unit: summary.unit.into(),
        lower_is_better: summary.goal == Goal::Minimise,
        logarithmic: false,
        candidates: tuned.candidates.iter().map(|candidate| candidate.mean).collect(),
        default: Some(0),
        chosen: Some(summary.best - 1),
    };
    Figure {
        caption: "The search: the result of each candidate, and the best so far.".into(),
        svg: search::draw(&figure),
    }
}

fn marginals(tuning: &Tuning, tuned: &Tuned, summary: &TuningSummary) -> Figure {
    let parameter = |(place, parameter): (usize, &Parameter)| {
        let setting = |candidate: &Candidate| {
            candidate.settings[place].as_ref().map_or(f64::NAN, |setting| setting.number)
        };
        let (unit, logarithmic, choices) = match &parameter.domain {
            Domain::Numbers(span) => (span.unit.clone(), span.scale == Scale::Log, Vec::new()),
            Domain::Choices(choices) => {
                (String::new(), false, choices.iter().map(|(shown, _)| shown.clone()).collect())
            }
        };
        MarginalParameter {
            name: parameter.name.clone(),
            unit,
            logarithmic,
            settings: tuned.candidates.iter().map(setting).collect(),
            choices,
        }
    };
    let figure = MarginalFigure {
        title: format!("{} against each parameter", capital(summary.title)),
        subtitle: format!("mean over {} seeds; estimates for those given up early", summary.effort.seeds),
        what: summary.title.into(),
        unit: summary.unit.into(),
        logarithmic: false,
        values: tuned.candidates.iter().map(|candidate| candidate.mean).collect(),
        parameters: tuning.space.parameters.iter().enumerate().map(parameter).collect(),
        best: Some(summary.best - 1),
        default: Some(0),
    };
    Figure { caption: "All candidates by the value of each parameter.".into(), svg: marginal::draw(&figure) }
}

fn parameters(summary: &TuningSummary) -> PageTable {
    let row = |chosen: &super::summary::Chosen| {
        let bound = chosen.bound.map_or(String::new(), |bound| format!("at the {bound} value allowed"));
        vec![chosen.name.clone(), chosen.key.clone(), chosen.default.clone(), chosen.best.clone(), bound]
    };
    PageTable {
        heading: "Parameters".into(),
        note: String::new(),
        columns: ["parameter", "key", "default", "best", ""].map(String::from).to_vec(),
        rows: summary.parameters.iter().map(row).collect(),
        ..PageTable::default()
    }
}

fn candidates(tuning: &Tuning, tuned: &Tuned) -> PageTable {
    let mut order: Vec<usize> = (0..tuned.candidates.len()).collect();
    let loss =
        |which: &usize| tuned.candidates[*which].mean.map_or(f64::INFINITY, |mean| tuning.goal.loss(mean));
    order.sort_by(|one, other| loss(one).total_cmp(&loss(other)));
    let row = |which: usize| {
        let candidate = &tuned.candidates[which];
        let fate = match &candidate.fate {
            CandidateFate::Complete => String::new(),
            CandidateFate::GivenUp => "given up".into(),
            CandidateFate::Failed(reason) => reason.clone(),
        };
        let number = if which == 0 { "1 (default)".into() } else { (which + 1).to_string() };
        let mean = with_interval(candidate.mean, None, tuning.metric);
        let mut row = vec![number, mean, candidate.values.len().to_string()];
        row.extend(candidate.shown.iter().cloned());
        row.push(fate);
        row
    };
    let mut columns = vec!["candidate".to_string(), format!("mean {}", tuning.metric.title), "runs".into()];
    columns.extend(tuning.space.parameters.iter().map(|parameter| parameter.name.clone()));
    columns.push(String::new());
    PageTable {
        heading: "All candidates, the best first".into(),
        note: "Means of those given up are estimates. Also in candidates.csv.".into(),
        columns,
        rows: order.into_iter().map(row).collect(),
        filter: true,
        ..PageTable::default()
    }
}

fn capital(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
