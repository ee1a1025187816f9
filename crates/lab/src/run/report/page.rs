//! A run's report: one self-contained page.

use super::figures::{Drawn, Part, capital, gauge_words};
use crate::auctions::{Auction, Market, Telling};
use crate::run::interactions::Agreements;
use crate::run::summary::Summary;
use crate::run::tables::{details, names};
use crate::run::trace::Trace;
use crate::run::{Agreement, Told};
use crewlab_figures::axis::time_label;
use crewlab_figures::page::{Badge, Figure, Page, PageTable, Section, render as render_page};
use crewlab_sim::Simulation;
use crewlab_sim::teams::{self, Memories, PlainTable};

/// The report as HTML.
pub(crate) fn render(
    figures: &[Drawn],
    trace: &Trace,
    told: Told,
    simulation: &Simulation,
    summary: &Summary,
    learned: Option<&Memories>,
) -> String {
    let section = |heading: &str, text: &str, part: Part| Section {
        heading: heading.into(),
        text: text.into(),
        figures: figures
            .iter()
            .filter(|figure| figure.part == part)
            .map(|figure| Figure { caption: figure.caption.clone(), svg: figure.svg.clone() })
            .collect(),
        ..Section::default()
    };
    let market = told.market;
    let sections = vec![
        section("Who did what", "", Part::Tasks),
        section("The plan", &plan_text(summary), Part::Plan),
        section("Measures over time", "", Part::Measures),
        section("The world", "", Part::World),
        section("Decisions: one task, all robots", gauge_words(trace).meaning, Part::Shared),
        section("Decisions: one robot, all behaviour sets", "", Part::Robots),
        section("How coordination went", "", Part::Indicators),
        section("The radio", &radio_text(summary), Part::Radio),
    ];
    let sections = sections.into_iter().filter(|section| !section.figures.is_empty());
    render_page(&Page {
        title: format!("{}, seed {}", summary.scenario, summary.seed),
        lead: summary.sentence(),
        verdict: if summary.completed { Badge::Completed } else { Badge::Stopped },
        facts: facts(summary, trace),
        sections: stuck(summary).into_iter().chain(sections).collect(),
        tables: [
            Some(robots(summary)),
            auctions(market, summary),
            agreements(told.agreements),
            losses(summary),
            Some(accounts(summary)),
            learned.and_then(|memories| remembered(simulation, memories)),
            Some(events(trace, simulation)),
        ]
        .into_iter()
        .flatten()
        .collect(),
        footer: format!(
            "Made by crewlab {}. The scenario.yaml next to this page is complete: run it again with \
             `crewlab run scenario.yaml` and get the same result hash, {}.",
            crate::VERSION,
            summary.result_hash
        ),
    })
}

/// Why the mission was not completed, and who was stuck: what a reader wants to know first.
fn stuck(summary: &Summary) -> Option<Section> {
    let why = summary.incomplete.as_ref()?;
    let row = |case: &crate::run::StuckSummary| {
        vec![
            case.robot.clone().unwrap_or_default(),
            case.plight.into(),
            case.task.clone().unwrap_or_default(),
            case.place_m.map_or(String::new(), |[x, y]| format!("({x:.1}, {y:.1})")),
            time_label(case.since_s),
            case.words.clone(),
        ]
    };
    let table = PageTable {
        columns: ["Robot", "How", "Task", "Where", "Since", "In words"].map(String::from).to_vec(),
        rows: summary.stuck.iter().take(200).map(row).collect(),
        filter: summary.stuck.len() > 20,
        ..PageTable::default()
    };
    let episodes = match summary.stuck_episodes {
        0 => "Nothing was recognised as stuck during the run.".to_string(),
        n => format!(
            "During the run something got stuck {n} times: the events `stuck` and `stuck-over` below."
        ),
    };
    Some(Section {
        heading: "Why it was not completed".into(),
        text: format!("{}.\n\n{episodes}", capital(&why.words)),
        table: (!summary.stuck.is_empty()).then_some(table),
        ..Section::default()
    })
}

/// The position of the progress among the facts.
const PROGRESS: usize = 4;

fn facts(summary: &Summary, trace: &Trace) -> Vec<(String, String)> {
    let fact = |name: &str, value: String| (name.to_string(), value);
    let messages = &summary.messages;
    let mut facts = vec![
        fact("Mission", summary.mission.clone()),
        fact("Coordinator", summary.coordinator.clone()),
        fact("Seed", summary.seed.to_string()),
        fact("Simulated time", time_label(summary.time_s)),
        fact("Progress", format!("{:.0} %", summary.progress * 100.0)),
        fact("Robots", summary.robots.to_string()),
        fact(
            "Messages",
            format!("{} sent, {} delivered, {} lost", messages.sent, messages.delivered, messages.lost),
        ),
        fact("Broadcasts", messages.broadcasts.to_string()),
        fact("Unicasts", messages.unicasts.to_string()),
        fact("Bytes sent", messages.bytes.to_string()),
        fact("Collisions", summary.collisions.to_string()),
        fact("Disturbances", trace.marks.len().to_string()),
        fact("Heterogeneity", format!("{:.2}", summary.heterogeneity)),
    ];
    // Next to the progress.
    let measures = summary.measures.iter().map(|measure| (capital(measure.spec.title), measure.words()));
    facts.splice(PROGRESS + 1..PROGRESS + 1, measures);
    if let Some(market) = &summary.auctions {
        facts.push(fact("Auctions", format!("{} ({} again)", market.auctions, market.re_auctions)));
        facts.extend(market.performance.map(|q| fact("Team performance", format!("{q:.2}"))));
    }
    facts
}

/// A caption for the figures of the radio.
fn radio_text(summary: &Summary) -> String {
    let Some(words) = summary.radio.sentence() else { return String::new() };
    format!(
        "{words} Every copy of every message with its fate is in radio.csv. To find out why two robots did or did not hear \
         each other, use: crewlab explain RUN --link A B --at TIME."
    )
}

/// The communication costs.
fn accounts(summary: &Summary) -> PageTable {
    let radio = &summary.radio;
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut row = |name: &str, value: String, per: Option<String>| {
        rows.push(vec![name.into(), value, per.unwrap_or_default()]);
    };
    let task = radio.per_completed_task.as_ref();
    row(
        "Messages handed to the radio",
        radio.messages.to_string(),
        task.map(|t| format!("{:.1}", t.messages)),
    );
    row("Bytes in them", radio.bytes.to_string(), task.map(|t| format!("{:.0}", t.bytes)));
    row("Copies, one per receiver", radio.copies.to_string(), None);
    row("Copies delivered", radio.delivered.to_string(), None);
    for (why, count) in radio.reasons() {
        row(&format!("Copies lost: {why}"), count.to_string(), None);
    }
    row("Copies still on their way at the end", radio.in_flight.to_string(), None);
    row("Messages that the robot's own radio refused", radio.refused.to_string(), None);
    row("Duplicates that receivers dropped", radio.duplicates.to_string(), None);
    if radio.transmissions > 0 {
        let airtime = |seconds: f64| format!("{seconds:.3} s");
        let energy = |joules: f64| format!("{joules:.1} J");
        row("Transmissions, retries and forwarding included", radio.transmissions.to_string(), None);
        row("Time on the air", airtime(radio.airtime_s), task.map(|t| airtime(t.airtime_s)));
        row("Energy of all radios", energy(radio.energy_j), task.map(|t| energy(t.energy_j)));
    }
    PageTable {
        heading: "Communication costs".into(),
        note: format!(
            "Coordinator {}; {} tasks were completed. A task counts when it is finished; a recurring one counts \
             each time.",
            summary.coordinator, radio.completed_tasks
        ),
        columns: ["What", "Total", "Per completed task"].map(String::from).to_vec(),
        rows,
        filter: false,
        ..PageTable::default()
    }
}

fn robots(summary: &Summary) -> PageTable {
    let row = |robot: &crate::run::summary::RobotSummary| {
        vec![
            robot.name.clone(),
            robot.robot_type.clone(),
            format!("{:.1} m", robot.travelled_m),
            robot.collisions.to_string(),
            time_label(robot.working_s),
            time_label(robot.idle_s),
        ]
    };
    let teamwork = &summary.teamwork;
    let stability = teamwork.coalition_stability.map_or(String::new(), |share| {
        format!(
            " {:.0} % of {} coalitions completed the work they were awarded.",
            share * 100.0,
            teamwork.coalitions
        )
    });
    PageTable {
        heading: "The team".into(),
        note: format!("Overall: {}.{stability}", teamwork.sentence()),
        columns: ["Robot", "Type", "Driven", "Collisions", "At work", "Idle"].map(String::from).to_vec(),
        rows: summary.team.iter().take(200).map(row).collect(),
        filter: false,
        ..PageTable::default()
    }
}

/// Number of auctions shown, besides all repeated ones.
const MOST_AUCTIONS: usize = 200;
/// Largest number of repeated auctions shown.
const MOST_AGAIN: usize = 1000;

/// The bids, the winners, and the outcomes.
fn auctions(market: &Market, summary: &Summary) -> Option<PageTable> {
    let counts = summary.auctions.as_ref().filter(|_| !market.is_empty())?;
    let row = |auction: &Auction| {
        vec![
            format!("{:.1} s", auction.time_s),
            auction.round.map_or(String::new(), |round| round.to_string()),
            auction.title(),
            auction.bidding().to_string(),
            auction.award(),
            auction.again_why.clone(),
            auction.end(),
        ]
    };
    let (mut again, mut rows, mut telling) = (0, Vec::new(), Telling::default());
    for auction in market.auctions().filter(|auction| telling.tells(auction)) {
        again += usize::from(auction.again);
        if rows.len() < MOST_AUCTIONS || (auction.again && again <= MOST_AGAIN) {
            rows.push(row(auction));
        }
    }
    let mut note = format!(
        "{}. Bids are rewards in seconds: the value of the work minus its cost. A price is what the rest of the \
         team loses because the winner is not free for other work.",
        counts.sentence()
    );
    if counts.performance.is_some() {
        note += " Team performance is the reward of all completed work divided by the utility of all issued work.";
    }
    if rows.len() < counts.auctions as usize {
        note += " Further auctions of work that had found no taker before are left out. Of long runs, only the first auctions and \
                 the repeated ones are shown; auctions.csv has all.";
    }
    Some(PageTable {
        heading: "Auctions".into(),
        note,
        columns: ["Time", "Round", "Work", "Bids", "Winner", "Auctioned again because", "Outcome"]
            .map(String::from)
            .to_vec(),
        rows,
        filter: true,
        ..PageTable::default()
    })
}

/// What agreements cost.
fn plan_text(summary: &Summary) -> String {
    let Some(interactions) = &summary.interactions else { return String::new() };
    let uses: u64 = interactions.points.iter().map(|point| point.uses).sum();
    let splits = match interactions.splits {
        0 => String::new(),
        1 => " Once, robots of one group went different ways.".to_string(),
        n => format!(" Robots of one group went different ways {n} times."),
    };
    format!(
        "{uses} agreements at {} points. A use of all points at which robots decide takes {:.2} s, of all at which they divide \
         their work {:.2} s.{splits} stacks.csv has every robot's stack and what it waits for over time.",
        interactions.points.len(),
        interactions.synchronisation_s,
        interactions.allocation_s
    )
}

/// Number of agreements shown.
const MOST_AGREEMENTS: usize = 500;

/// What the team agreed on, how, and what that was based on.
fn agreements(agreements: &Agreements) -> Option<PageTable> {
    let all = agreements.all();
    let row = |agreement: &Agreement| {
        vec![
            format!("{:.1} s", agreement.time_s),
            agreement.behaviour.clone(),
            agreement.event.clone(),
            agreement.seconds.map_or(String::new(), |seconds| format!("{seconds:.2} s")),
            agreement.how.clone(),
        ]
    };
    (!all.is_empty()).then(|| PageTable {
        heading: "Agreements".into(),
        note: "At which behaviour of the plan the team agreed, how long that took after robots had come to it, by which protocol, on \
               what, and what robots contributed. Of long runs, the first ones are shown; agreements.csv has all."
            .into(),
        columns: ["Time", "Behaviour", "What", "Took", "How"].map(String::from).to_vec(),
        rows: all.iter().take(MOST_AGREEMENTS).map(row).collect(),
        filter: all.len() > 20,
        ..PageTable::default()
    })
}

/// The lost robots, and who took over.
fn losses(summary: &Summary) -> Option<PageTable> {
    let reallocation = summary.reallocation.as_ref()?;
    let row = |loss: &crate::run::RobotLoss| {
        let task = loss.task.clone().unwrap_or_default();
        vec![
            format!("{:.1} s", loss.at_s),
            loss.robot.clone(),
            loss.why.into(),
            if loss.subject == 0 { task } else { format!("{task} {}", loss.subject) },
            loss.by.clone().unwrap_or_default(),
            loss.after_s.map_or(String::new(), |after| format!("{after:.1} s")),
            loss.outcome.words().into(),
        ]
    };
    Some(PageTable {
        heading: "Lost robots".into(),
        note: format!("{}.", reallocation.sentence()),
        columns: ["Time", "Robot", "How", "Worked on", "Taken over by", "After", "Outcome"]
            .map(String::from)
            .to_vec(),
        rows: reallocation.losses.iter().take(MOST_AGAIN).map(row).collect(),
        filter: reallocation.losses.len() > 50,
        ..PageTable::default()
    })
}

/// What the team remembers, in the words of its coordinator.
fn remembered(simulation: &Simulation, memories: &Memories) -> Option<PageTable> {
    let kind = teams::kind(simulation.state.coordinator(&simulation.model))?;
    let PlainTable { heading, note, columns, rows } = (kind.remembered)(memories)?;
    Some(PageTable { heading, note, columns, rows, ..PageTable::default() })
}

fn events(trace: &Trace, simulation: &Simulation) -> PageTable {
    let row = |logged: &crewlab_sim::Logged| {
        let [robot, behaviour, task, other] = names(logged, &simulation.model).map(String::from);
        let about = if behaviour.is_empty() { task } else { behaviour };
        let event = logged.event.kind.to_string();
        let time = format!("{:.1} s", logged.time.seconds());
        vec![
            time,
            robot,
            event,
            about,
            other,
            logged.event.sentence(&*simulation.model),
            details(&logged.event, &simulation.model),
        ]
    };
    let shown = trace.events.len();
    let note = if shown < trace.event_count {
        format!("The first {shown} of {} events; all are in events.csv.", trace.event_count)
    } else {
        "Every decision with its reason and its numbers.".to_string()
    };
    PageTable {
        heading: "Events".into(),
        note,
        columns: ["Time", "Robot", "Event", "About", "Team-mate", "Why", "Numbers"]
            .map(String::from)
            .to_vec(),
        rows: trace.events.iter().map(row).collect(),
        filter: true,
        ..PageTable::default()
    }
}
