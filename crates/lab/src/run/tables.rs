//! The tables of a run and their columns.

use super::localisation::Belief;
use super::stacks::StackRow;
use crate::table::{Column, Row, table};
use crewlab_sim::address;
use crewlab_sim::onboard::{Bid, Event, GaugeState, Identity, Level, Message, Pose, RobotId, Term, Vec2};
use crewlab_sim::radio::{Fate, Link, NodeId};
use crewlab_sim::teams::IndicatorSpec;
use crewlab_sim::world::Body;
use crewlab_sim::{Logged, Model};

/// All tables with their columns, for the documents. Tables of levels are named after their coordinator.
pub fn tables() -> [(&'static str, &'static [Column]); 12] {
    [
        ("events.csv", EventRow::COLUMNS),
        ("robots.csv", RobotRow::COLUMNS),
        ("poses.csv", PoseRow::COLUMNS),
        ("COORDINATOR.csv", LevelRow::COLUMNS),
        ("indicators.csv", IndicatorRow::COLUMNS),
        ("stacks.csv", StackRow::COLUMNS),
        ("agreements.csv", super::interactions::Agreement::COLUMNS),
        ("radio.csv", MessageRow::COLUMNS),
        ("links.csv", LinkRow::COLUMNS),
        ("auctions.csv", crate::auctions::Auction::COLUMNS),
        ("estimates.csv", crate::estimates::EstimateRow::COLUMNS),
        ("timing.csv", super::timing::TimingRow::COLUMNS),
    ]
}

/// Something that happened.
pub(super) struct EventRow<'a> {
    pub time: String,
    pub logged: &'a Logged,
    pub model: &'a Model,
}

impl EventRow<'_> {
    fn name(&self, of: usize) -> &str {
        names(self.logged, self.model)[of]
    }

    fn subject(&self) -> String {
        let subject = self.logged.event.subject;
        if subject == 0 { String::new() } else { subject.to_string() }
    }

    fn metres(&self, along: fn(Vec2) -> f64) -> String {
        self.logged.event.place.map_or(String::new(), |at| tidy(along(at)))
    }
}

table! { EventRow<'_>, |row|
    "time_s" ["s"] "when it happened" => row.time;
    "robot" [""] "the robot that reports it; empty for the world and the mission" => row.name(0);
    "event" [""] "its kind; `crewlab list events` describes them" => row.logged.event.kind.name();
    "behaviour" [""] "the behaviour set that it is about" => row.name(1);
    "task" [""] "the task that it is about" => row.name(2);
    "other" [""] "another robot that takes part" => row.name(3);
    "why" [""] "the event as a sentence for people; programs should use the other columns" => row.logged.event.sentence(row.model);
    "details" [""] "numbers behind it, `name=value`, or `name(robot)=value` for another robot's" => details(&row.logged.event, row.model);
    "subject" [""] "the piece of the task; empty if it is not divided" => row.subject();
    "thing" [""] "the area, object or person that it is about" => row.logged.event.thing.as_deref().unwrap_or_default();
    "x_m" ["m"] "where" => row.metres(|at| at.x);
    "y_m" ["m"] "where" => row.metres(|at| at.y);
    "bids" [""] "all bids of an auction: robot, part and reward [s], with a star behind those that won" => bids(&row.logged.event, row.model);
}

/// Where a robot is and what it does.
pub(super) struct RobotRow<'a> {
    pub time: &'a str,
    pub identity: &'a Identity,
    pub body: &'a Body,
    /// The behaviour set that is active.
    pub active: &'a str,
}

table! { RobotRow<'_>, |row|
    "time_s" ["s"] "when" => row.time;
    "robot" [""] "its name" => row.identity.name;
    "x_m" ["m"] "position" => format!("{:.4}", row.body.pose.position.x);
    "y_m" ["m"] "position" => format!("{:.4}", row.body.pose.position.y);
    "heading_rad" ["rad"] "heading, counter-clockwise from east" => format!("{:.4}", row.body.pose.heading);
    "behaviour" [""] "the active behaviour set; empty if none" => row.active;
    "carrying" [""] "the number of the item that it carries; empty if none" =>
        row.body.holding.map_or(String::new(), |item| item.to_string());
}

/// Where a robot that locates itself believes to be.
pub(super) struct PoseRow<'a> {
    pub time: &'a str,
    pub robot: &'a str,
    pub belief: Belief,
}

impl PoseRow<'_> {
    fn believed(&self, of: impl Fn(&Pose) -> f64) -> String {
        self.belief.believed.map_or(String::new(), |pose| format!("{:.4}", of(&pose)))
    }
}

table! { PoseRow<'_>, |row|
    "time_s" ["s"] "when" => row.time;
    "robot" [""] "its name" => row.robot;
    "x_m" ["m"] "where it believes to be; empty while it is lost" => row.believed(|pose| pose.position.x);
    "y_m" ["m"] "where it believes to be" => row.believed(|pose| pose.position.y);
    "heading_rad" ["rad"] "where it believes to look" => row.believed(|pose| pose.heading);
    "error_m" ["m"] "how far it is from there" => row.belief.distance().map_or(String::new(), |error| format!("{error:.4}"));
    "error_rad" ["rad"] "how far it is turned from there" => row.belief.turn().map_or(String::new(), |error| format!("{error:.4}"));
}

/// A level that a coordinator bases its decisions on.
pub(super) struct LevelRow<'a> {
    pub time: &'a str,
    pub identity: &'a Identity,
    pub level: &'a Level,
}

table! { LevelRow<'_>, |row|
    "time_s" ["s"] "when" => row.time;
    "robot" [""] "whose level" => row.identity.name;
    "behaviour" [""] "the behaviour set that it is for" => row.identity.behaviour(row.level.gauge.behaviour).name;
    "subject" [""] "what of the task it is about, such as a frequency or a quadrant; 0 if the task is not divided" => row.level.subject.to_string();
    "level" [""] "the level: a motivation, a bid" => format!("{:.4}", row.level.gauge.level);
    "state" [""] "`hibernating`, `waiting` or `active`" => state_name(row.level.gauge.state);
}

/// A number that a coordinator or a mission gives about how its work goes.
pub(super) struct IndicatorRow<'a> {
    pub time: &'a str,
    pub identity: &'a Identity,
    pub source: &'a str,
    pub spec: &'a IndicatorSpec,
    pub value: f64,
}

table! { IndicatorRow<'_>, |row|
    "time_s" ["s"] "when" => row.time;
    "robot" [""] "the robot that it is about" => row.identity.name;
    "source" [""] "the coordinator or the mission that gives it" => row.source;
    "indicator" [""] "its name; `crewlab list indicators` describes it" => row.spec.name;
    "value" [""] "its value; no row while it is undefined" => tidy(row.value);
}

table! { StackRow<'_>, |row|
    "time_s" ["s"] "from when on" => row.time;
    "robot" [""] "its name" => row.model.robot_name(row.robot);
    "stack" [""] "the behaviours that it executes, the outermost first; empty if none, or if it does not run" => row.stack();
    "waits_at" [""] "the point that it has reached before the team has gone on, such as `decide walk`; empty while it waits for nobody" => row.point();
    "missing" [""] "who has not contributed there yet, as far as it knows" => row.missing();
    "said" [""] "what robots have contributed there, as far as it knows" => row.said();
}

/// The fate of one copy of a message.
pub(super) struct MessageRow<'a> {
    pub fate: &'a Fate,
    pub message: Option<Message>,
    pub model: &'a Model,
}

impl MessageRow<'_> {
    fn node(&self, node: NodeId) -> &str {
        address::robot(node).map_or("operator", |robot| self.model.robot_name(robot))
    }
}

table! { MessageRow<'_>, |row|
    "sent_s" ["s"] "when it was handed to the radio" => seconds(row.fate.sent);
    "sender" [""] "who sent it; `operator` from outside" => row.node(row.fate.sender);
    "receiver" [""] "the receiver of this copy" => row.node(row.fate.receiver);
    "kind" [""] "the kind of message" => row.message.as_ref().map_or("?", |message| message.body.kind());
    "bytes" ["bytes"] "its size" => row.fate.payload.len().to_string();
    "number" [""] "its number among the sender's messages" =>
        row.message.as_ref().map_or(0, |message| message.number).to_string();
    "lamport" [""] "its logical time" => row.message.as_ref().map_or(0, |message| message.lamport).to_string();
    "outcome" [""] "`delivered`, or why it was lost" => row.fate.lost.map_or("delivered", |why| why.name());
    "settled_s" ["s"] "when it arrived or was lost" => seconds(row.fate.settled);
    "latency_ms" ["ms"] "time from sending to arrival; empty if it was lost" => latency(row.fate);
    "rssi_dbm" ["dBm"] "received power; empty without a signal" =>
        level(row.fate.signal.map_or(f64::NAN, |signal| signal.rssi));
    "sinr_db" ["dB"] "signal against noise and interference; empty without a signal" =>
        level(row.fate.signal.map_or(f64::NAN, |signal| signal.sinr));
}

/// A link at one moment.
pub(super) struct LinkRow<'a> {
    pub time: &'a str,
    pub from: &'a str,
    pub to: &'a str,
    pub link: &'a Link,
}

table! { LinkRow<'_>, |row|
    "time_s" ["s"] "when" => row.time;
    "from" [""] "the sender" => row.from;
    "to" [""] "the receiver" => row.to;
    "distance_m" ["m"] "distance" => format!("{:.3}", row.link.distance);
    "walls_db" ["dB"] "damping of the walls in between" => level(row.link.walls);
    "rx_dbm" ["dBm"] "received power" => level(row.link.rx);
    "sinr_db" ["dB"] "signal against noise and jammers; empty without any noise" => level(row.link.sinr);
    "success" [""] "probability that a broadcast of 200 bytes arrives if nobody else sends" => format!("{:.6}", row.link.success);
    "rate_mbps" ["Mbit/s"] "the fastest usable rate; 0 if there is none" => format!("{:.3}", row.link.rate * 1e-6);
}

/// Times on the air lie within ticks.
fn seconds(nanoseconds: u64) -> String {
    format!("{:.6}", nanoseconds as f64 * 1e-9)
}

fn latency(fate: &Fate) -> String {
    let latency = fate.settled.saturating_sub(fate.sent) as f64 * 1e-6;
    if fate.lost.is_none() { format!("{latency:.3}") } else { String::new() }
}

/// A level in decibels. A level that is not finite (no noise at all) is left empty.
fn level(level: f64) -> String {
    if level.is_finite() { format!("{level:.2}") } else { String::new() }
}

/// A state's name in tables.
fn state_name(state: GaugeState) -> &'static str {
    match state {
        GaugeState::Hibernating => "hibernating",
        GaugeState::Waiting => "waiting",
        GaugeState::Active => "active",
    }
}

/// Four decimals, without trailing zeros.
fn tidy(value: f64) -> String {
    format!("{value:.4}").trim_end_matches('0').trim_end_matches('.').to_string()
}

/// An event's numbers in one cell.
pub(super) fn details(event: &Event, model: &Model) -> String {
    let term = |term: &Term| match term.of {
        Some(robot) => format!("{}({})={}", term.name, model.robot_name(robot), tidy(term.value)),
        None => format!("{}={}", term.name, tidy(term.value)),
    };
    event.terms.iter().map(term).collect::<Vec<_>>().join(" ")
}

/// All bids of an auction in one cell.
fn bids(event: &Event, model: &Model) -> String {
    let bid = |bid: &Bid| {
        let star = if bid.won { "*" } else { "" };
        format!("{} {} {}{star}", model.robot_name(bid.robot), model.task_name(bid.part), tidy(bid.value))
    };
    event.bids.iter().map(bid).collect::<Vec<_>>().join("; ")
}

/// An event's robot, behaviour set, task and team-mate by name; empty where there is none.
pub(super) fn names<'a>(logged: &'a Logged, model: &'a Model) -> [&'a str; 4] {
    let robot = |id: Option<RobotId>| id.map_or("", |id| model.robot_name(id));
    let behaviour = match (logged.robot, logged.event.behaviour) {
        (Some(id), Some(behaviour)) => {
            let identity = &model.team[id].identity;
            identity.behaviours.get(usize::from(behaviour.0)).map_or("", |spec| &spec.name)
        }
        _ => "",
    };
    let task = logged.event.task.map_or("", |task| model.task_name(task));
    [robot(logged.robot), behaviour, task, robot(logged.event.other)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::document;

    #[test]
    fn the_page_on_results_has_all_columns() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results.md");
        let page = std::fs::read_to_string(path).expect("a readable page");
        for (file, columns) in tables() {
            let table = document(file, columns);
            assert!(page.contains(&table), "docs/results.md should have this table:\n{table}");
        }
    }
}
