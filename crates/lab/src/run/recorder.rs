//! The tables of a run: events, positions, levels, messages.

use super::air::LinkSample;
use super::{Folder, RunError};
use crewlab_sim::onboard::{Coordinator, Event, Gauge, GaugeState, Message, RobotId};
use crewlab_sim::radio::Fate;
use crewlab_sim::{Logged, Model, Simulation};
use csv::Writer;
use std::fs::File;
use std::io::{self, BufWriter};

type Table = Writer<BufWriter<File>>;

const LINK_COLUMNS: [&str; 9] =
    ["time_s", "from", "to", "distance_m", "walls_db", "rx_dbm", "sinr_db", "success", "rate_mbps"];

/// Writes a run's tables.
pub(super) struct Recorder {
    events: Table,
    robots: Table,
    /// One per coordinator with levels that has run, by its name.
    levels: Vec<(String, Table)>,
    radio: Table,
    /// Only if the radio is a physical one.
    links: Option<Table>,
    every: u64,
    next: u64,
    /// Decimals that times need.
    decimals: usize,
    folder: std::path::PathBuf,
    /// The temporary folder of the files.
    inside: std::path::PathBuf,
}

const LEVEL_COLUMNS: [&str; 5] = ["time_s", "robot", "behaviour", "level", "state"];

fn table(folder: &Folder, name: &str, columns: &[&str]) -> Result<Table, RunError> {
    let mut table = Writer::from_writer(folder.file(name)?);
    table.write_record(columns).map_err(|error| folder.write_error(error.into()))?;
    Ok(table)
}

/// A state's name in tables.
pub(super) fn state_name(state: GaugeState) -> &'static str {
    match state {
        GaugeState::Hibernating => "hibernating",
        GaugeState::Waiting => "waiting",
        GaugeState::Active => "active",
    }
}

/// An event's numbers in one cell.
pub(super) fn details(event: &Event) -> String {
    let terms: Vec<String> =
        event.terms.iter().map(|term| format!("{}={:.4}", term.name, term.value)).collect();
    // Four decimals are enough to read; trailing zeros are noise.
    let tidy = |term: &String| term.trim_end_matches('0').trim_end_matches('.').to_string();
    terms.iter().map(tidy).collect::<Vec<_>>().join(" ")
}

/// An event's robot, behaviour set, task and team-mate by name; empty where there is none.
pub(super) fn names<'a>(logged: &'a Logged, model: &'a Model) -> [&'a str; 4] {
    let robot = |id: Option<RobotId>| id.map_or("", |id| model.robot_name(id));
    let behaviour = match (logged.robot, logged.event.behaviour) {
        (Some(id), Some(behaviour)) => {
            let identity = &model.team[usize::from(id.0)].identity;
            identity.behaviours.get(usize::from(behaviour.0)).map_or("", |spec| &spec.name)
        }
        _ => "",
    };
    let task = logged.event.task.map_or("", |task| model.task_name(task));
    [robot(logged.robot), behaviour, task, robot(logged.event.other)]
}

impl Recorder {
    /// Opens the tables; positions and levels are recorded at this interval. [ns]
    pub(super) fn new(folder: &Folder, simulation: &Simulation, every: u64) -> Result<Recorder, RunError> {
        Ok(Recorder {
            events: table(
                folder,
                "events.csv",
                &["time_s", "robot", "event", "behaviour", "task", "other", "why", "details"],
            )?,
            robots: table(
                folder,
                "robots.csv",
                &["time_s", "robot", "x_m", "y_m", "heading_rad", "behaviour", "carrying"],
            )?,
            levels: Vec::new(),
            radio: table(
                folder,
                "radio.csv",
                &[
                    "sent_s",
                    "sender",
                    "receiver",
                    "kind",
                    "bytes",
                    "number",
                    "lamport",
                    "outcome",
                    "settled_s",
                    "latency_ms",
                    "rssi_dbm",
                    "sinr_db",
                ],
            )?,
            links: simulation
                .state
                .radio
                .as_physical()
                .map(|_| table(folder, "links.csv", &LINK_COLUMNS))
                .transpose()?,
            every,
            next: 0,
            decimals: [3, 6]
                .into_iter()
                .find(|n| simulation.model.tick.is_multiple_of(10u64.pow(9 - *n)))
                .unwrap_or(9) as usize,
            folder: folder.target().to_path_buf(),
            inside: folder.inside().to_path_buf(),
        })
    }

    fn stamp(&self, seconds: f64) -> String {
        format!("{seconds:.0$}", self.decimals)
    }

    /// Records all positions at the start.
    pub(super) fn start(&mut self, simulation: &Simulation) -> io::Result<()> {
        self.sample(simulation)?;
        self.next = self.every;
        Ok(())
    }

    /// Records one tick.
    pub(super) fn tick(&mut self, simulation: &Simulation, log: &[Logged]) -> Result<(), RunError> {
        self.record(simulation, log).map_err(|error| RunError::Write(self.folder.clone(), error))
    }

    fn record(&mut self, simulation: &Simulation, log: &[Logged]) -> io::Result<()> {
        for logged in log {
            let [robot, behaviour, task, other] = names(logged, &simulation.model);
            let (time, details) = (self.stamp(logged.time.seconds()), details(&logged.event));
            self.events.write_record([
                &time,
                robot,
                logged.event.kind.name(),
                behaviour,
                task,
                other,
                &logged.event.why,
                &details,
            ])?;
        }
        for fate in &simulation.fates {
            self.settled(fate, &simulation.model)?;
        }
        if simulation.now().0 >= self.next {
            self.sample(simulation)?;
            self.next = simulation.now().0.saturating_add(self.every);
        }
        Ok(())
    }

    /// Records the fate of one copy of a message.
    fn settled(&mut self, fate: &Fate, model: &Model) -> io::Result<()> {
        let name = |node: u32| match u16::try_from(node) {
            Ok(robot) => model.robot_name(RobotId(robot)),
            Err(_) => "operator",
        };
        let message = Message::decode(&fate.payload);
        let (kind, number, lamport) =
            message.as_ref().map_or(("?", 0, 0), |m| (m.body.kind(), m.number, m.lamport));
        let outcome = fate.lost.map_or("delivered", |why| why.name());
        // Times on the air lie within ticks.
        let seconds = |nanoseconds: u64| format!("{:.6}", nanoseconds as f64 * 1e-9);
        let latency = fate.settled.saturating_sub(fate.sent) as f64 * 1e-6;
        let latency = if fate.lost.is_none() { format!("{latency:.3}") } else { String::new() };
        let level = |level: Option<f64>| {
            level.filter(|level| level.is_finite()).map_or(String::new(), |level| format!("{level:.2}"))
        };
        self.radio.write_record([
            &seconds(fate.sent),
            name(fate.sender),
            name(fate.receiver),
            kind,
            &fate.payload.len().to_string(),
            &number.to_string(),
            &lamport.to_string(),
            outcome,
            &seconds(fate.settled),
            &latency,
            &level(fate.signal.map(|signal| signal.rssi)),
            &level(fate.signal.map(|signal| signal.sinr)),
        ])?;
        Ok(())
    }

    /// Records the links at one moment.
    pub(super) fn links(&mut self, sample: &LinkSample, simulation: &Simulation) -> Result<(), RunError> {
        let written = self.write_links(sample, &simulation.model);
        written.map_err(|error| RunError::Write(self.folder.clone(), error))
    }

    fn write_links(&mut self, sample: &LinkSample, model: &Model) -> io::Result<()> {
        let time = self.stamp(sample.at);
        let Some(table) = &mut self.links else { return Ok(()) };
        let name = |robot: usize| model.robot_name(RobotId(robot as u16));
        // Infinite values (no noise at all) are left empty.
        let level = |level: f64| if level.is_finite() { format!("{level:.2}") } else { String::new() };
        for (from, to, link) in &sample.links {
            table.write_record([
                &time,
                name(*from),
                name(*to),
                &format!("{:.3}", link.distance),
                &level(link.walls),
                &level(link.rx),
                &level(link.sinr),
                &format!("{:.6}", link.success),
                &format!("{:.3}", link.rate * 1e-6),
            ])?;
        }
        Ok(())
    }

    fn sample(&mut self, simulation: &Simulation) -> io::Result<()> {
        let time = self.stamp(simulation.now().seconds());
        let mut gauges: Vec<Gauge> = Vec::new();
        for (index, (member, robot)) in simulation.model.team.iter().zip(&simulation.state.robots).enumerate()
        {
            let (identity, body) = (&member.identity, &simulation.state.world.bodies[index]);
            // A robot without energy does nothing, whatever its software did last.
            let running = !body.down();
            let active = robot
                .software
                .active
                .filter(|_| running)
                .map_or("", |choice| &identity.behaviour(choice.behaviour).name);
            self.robots.write_record([
                &time,
                &identity.name,
                &format!("{:.4}", body.pose.position.x),
                &format!("{:.4}", body.pose.position.y),
                &format!("{:.4}", body.pose.heading),
                active,
                &body.holding.map_or(String::new(), |item| item.to_string()),
            ])?;
            gauges.clear();
            if running {
                robot.software.coordinator.gauges(&mut gauges);
            }
            for gauge in &gauges {
                let behaviour = &identity.behaviour(gauge.behaviour).name;
                let level = format!("{:.4}", gauge.level);
                let table = self.levels_of(simulation.state.coordinator(&simulation.model))?;
                table.write_record([&time, &identity.name, behaviour, &level, state_name(gauge.state)])?;
            }
        }
        Ok(())
    }

    /// The table of a coordinator's levels, created when it first has any.
    fn levels_of(&mut self, coordinator: &str) -> io::Result<&mut Table> {
        let known = self.levels.iter().position(|(name, _)| name == coordinator);
        let place = match known {
            Some(place) => place,
            None => {
                let file = File::create(self.inside.join(format!("{coordinator}.csv")))?;
                let mut table = Writer::from_writer(BufWriter::new(file));
                table.write_record(LEVEL_COLUMNS)?;
                self.levels.push((coordinator.to_string(), table));
                self.levels.len() - 1
            }
        };
        Ok(&mut self.levels[place].1)
    }

    /// Flushes all tables.
    pub(super) fn finish(mut self) -> Result<(), RunError> {
        let tables = [&mut self.events, &mut self.robots, &mut self.radio]
            .into_iter()
            .chain(self.levels.iter_mut().map(|(_, table)| table))
            .chain(&mut self.links);
        for table in tables {
            table.flush().map_err(|error| RunError::Write(self.folder.clone(), error))?;
        }
        Ok(())
    }
}
