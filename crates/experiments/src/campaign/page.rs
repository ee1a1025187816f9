//! A campaign's result as one self-contained page.

use super::report::{CampaignReport, CauseGroup, LevelCount};
use super::setting::FACTORS;
use super::text::{headline, runs, spread};
use crewlab_figures::page::{Badge, Page, PageTable, Section, render};

/// The page.
pub fn page(report: &CampaignReport) -> String {
    let mut sections = vec![Section {
        heading: "Causes".into(),
        text: EXPLAINED.into(),
        table: Some(causes(report)),
        ..Section::default()
    }];
    sections.extend(report.groups.iter().filter(|group| !group.explained).map(section));
    sections.push(Section {
        heading: "Where it happens".into(),
        text: "Runs at each level of each factor, whatever the other factors.".into(),
        table: Some(levels(report)),
        ..Section::default()
    });
    sections.extend(report.groups.iter().filter(|group| group.explained).map(section));
    sections.push(Section {
        heading: "What was asked".into(),
        code: report.asked.clone(),
        ..Section::default()
    });
    let fact = |name: &str, value: usize| (name.to_string(), value.to_string());
    render(&Page {
        title: "A campaign: where teams do not finish, and why".into(),
        lead: headline(report),
        verdict: if report.missing == 0 { Badge::Completed } else { Badge::Stopped },
        facts: vec![
            fact("Runs", report.runs),
            fact("Settings", report.settings),
            fact("Completed", report.completed),
            fact("Could not be completed", report.explained),
            fact("Unexplained", report.unexplained),
            fact("Not done yet", report.missing),
        ],
        sections,
        tables: Vec::new(),
        footer: format!(
            "Run by crewlab {}. summary.json beside this page lists every run named here.",
            report.crewlab
        ),
    })
}

const EXPLAINED: &str = "A run is explained if no team could have done better: every robot that could do a task is lost, nobody can get to what is left, what is left depends on a robot that cannot move, the scenario was refused before the run, or the time limit came while progress was still being made. All other runs that were not completed are unexplained: somebody was stuck, or something was left that nobody did.";

fn kind(group: &CauseGroup) -> &'static str {
    if group.explained { "explained" } else { "unexplained" }
}

fn causes(report: &CampaignReport) -> PageTable {
    let row = |group: &CauseGroup| {
        vec![kind(group).into(), group.mission.clone(), group.label.clone(), group.runs.len().to_string()]
    };
    PageTable {
        columns: ["Kind", "Mission", "Cause", "Runs"].map(String::from).to_vec(),
        rows: report.groups.iter().map(row).collect(),
        filter: report.groups.len() > 20,
        ..PageTable::default()
    }
}

/// A group with all its runs and their commands.
fn section(group: &CauseGroup) -> Section {
    let spreads = FACTORS.iter().enumerate().skip(1);
    let spreads: Vec<String> =
        spreads.map(|(factor, name)| format!("{name}: {}", spread(group, factor))).collect();
    let row = |run: &super::IncompleteRun| {
        vec![
            run.levels[1..].join(", "),
            run.seed.to_string(),
            format!("{:.0} %", run.progress * 100.0),
            run.words.clone(),
            run.command.clone(),
        ]
    };
    Section {
        heading: format!("{}: {} ({}, {})", group.mission, group.label, runs(group.runs.len()), kind(group)),
        text: spreads.join("; ") + ".",
        code: group.runs.first().map_or(String::new(), |run| run.command.clone()),
        table: Some(PageTable {
            columns: ["Setting", "Seed", "Done", "Cause", "Command"].map(String::from).to_vec(),
            rows: group.runs.iter().map(row).collect(),
            filter: group.runs.len() > 20,
            ..PageTable::default()
        }),
        ..Section::default()
    }
}

fn levels(report: &CampaignReport) -> PageTable {
    let row = |factor: &str, count: &LevelCount| {
        let share = 100.0 * count.unexplained as f64 / count.runs.max(1) as f64;
        vec![
            factor.to_string(),
            count.level.clone(),
            count.runs.to_string(),
            count.completed.to_string(),
            format!("{} ({share:.0} %)", count.unexplained),
        ]
    };
    let rows =
        report.factors.iter().flat_map(|(factor, counts)| counts.iter().map(|count| row(factor, count)));
    PageTable {
        columns: ["Factor", "Level", "Runs", "Completed", "Unexplained"].map(String::from).to_vec(),
        rows: rows.collect(),
        filter: true,
        ..PageTable::default()
    }
}
