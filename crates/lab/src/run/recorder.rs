//! The tables of a run: events, positions, levels, messages.

use super::air::LinkSample;
use super::indicators;
use super::localisation::Belief;
use super::stacks::{StackRow, Stacks};
use super::summary::rounded;
use super::tables::{EventRow, IndicatorRow, LevelRow, LinkRow, MessageRow, PoseRow, RobotRow};
use super::{RunError, RunFolder};
use crate::table::{Row, write_header, write_row};
use crewlab_sim::onboard::{Coordinator, Level, Message};
use crewlab_sim::{Logged, Model, Simulation};
use csv::Writer;
use std::fs::File;
use std::io::{self, BufWriter};

type Table = Writer<BufWriter<File>>;

/// Writes a run's tables.
pub(super) struct Recorder {
    events: Table,
    robots: Table,
    /// Only once a robot locates itself.
    poses: Option<Table>,
    /// Only if the mission has measures.
    measures: Option<Table>,
    /// One per coordinator with levels that has run, by its name.
    levels: Vec<(String, Table)>,
    /// Only once there is an indicator.
    indicators: Option<Table>,
    /// Only if the team carries out a plan.
    stacks: Option<Table>,
    radio: Table,
    /// Only if the radio is a physical one.
    links: Option<Table>,
    every: u64,
    next: u64,
    /// Number of decimals that times need.
    decimals: usize,
    folder: std::path::PathBuf,
    /// The temporary folder of the files.
    inside: std::path::PathBuf,
}

fn table<R: Row>(folder: &RunFolder, name: &str) -> Result<Table, RunError> {
    let mut table = Writer::from_writer(folder.file(name)?);
    write_header::<R>(&mut table).map_err(|error| folder.write_error(error))?;
    Ok(table)
}

/// The table of the mission's measures over time, one column each.
fn measures_table(folder: &RunFolder, simulation: &Simulation) -> Result<Option<Table>, RunError> {
    let specs = simulation.model.mission.measures();
    if specs.is_empty() {
        return Ok(None);
    }
    let mut table = Writer::from_writer(folder.file("measures.csv")?);
    let columns = ["time_s"].into_iter().chain(specs.iter().map(|spec| spec.name));
    table.write_record(columns).map_err(|error| folder.write_error(error.into()))?;
    Ok(Some(table))
}

impl Recorder {
    /// Opens the tables; positions and levels are recorded at this interval. [ns]
    pub(super) fn new(folder: &RunFolder, simulation: &Simulation, every: u64) -> Result<Recorder, RunError> {
        Ok(Recorder {
            events: table::<EventRow>(folder, "events.csv")?,
            robots: table::<RobotRow>(folder, "robots.csv")?,
            poses: None,
            measures: measures_table(folder, simulation)?,
            levels: Vec::new(),
            indicators: None,
            stacks: None,
            radio: table::<MessageRow>(folder, "radio.csv")?,
            links: simulation
                .state
                .radio
                .as_physical()
                .map(|_| table::<LinkRow>(folder, "links.csv"))
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
        let model = &simulation.model;
        for logged in log {
            let time = self.stamp(logged.time.seconds());
            write_row(&mut self.events, &EventRow { time, logged, model })?;
        }
        for fate in &simulation.fates {
            let message = Message::decode(&fate.payload);
            write_row(&mut self.radio, &MessageRow { fate, message, model })?;
        }
        if simulation.now().0 >= self.next {
            self.sample(simulation)?;
            self.next = simulation.now().0.saturating_add(self.every);
        }
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
        for (from, to, link) in &sample.links {
            write_row(
                table,
                &LinkRow { time: &time, from: model.robot_name(*from), to: model.robot_name(*to), link },
            )?;
        }
        Ok(())
    }

    /// Records where robots stand in their team's plan, as far as that is new.
    pub(super) fn stacks(&mut self, stacks: &Stacks, simulation: &Simulation) -> Result<(), RunError> {
        let time = self.stamp(simulation.now().seconds());
        for row in stacks.news(&time, &simulation.model) {
            let written = self.stack_table().and_then(|table| write_row(table, &row));
            written.map_err(|error| RunError::Write(self.folder.clone(), error))?;
        }
        Ok(())
    }

    fn sample(&mut self, simulation: &Simulation) -> io::Result<()> {
        let time = self.stamp(simulation.now().seconds());
        if let Some(table) = &mut self.measures {
            // An undefined value is left empty.
            let cell = |value: Option<f64>| value.map_or(String::new(), |value| rounded(value).to_string());
            table.write_record(
                [time.clone()].into_iter().chain(simulation.measures().into_iter().map(cell)),
            )?;
        }
        for belief in Belief::all(simulation) {
            let row = PoseRow { time: &time, robot: simulation.model.robot_name(belief.robot), belief };
            write_row(self.poses()?, &row)?;
        }
        let coordinator = simulation.state.coordinator(&simulation.model);
        let sources = indicators::sources(simulation);
        let mut levels: Vec<Level> = Vec::new();
        for (member, robot) in simulation.model.team.iter().zip(&simulation.state.robots) {
            let (identity, body) = (&member.identity, &simulation.state.world.bodies[member.identity.id]);
            // A robot without energy does nothing, whatever its software decided last.
            let running = !body.down();
            let active = robot
                .software
                .active
                .filter(|_| running)
                .map_or("", |choice| &identity.behaviour(choice.behaviour).name);
            write_row(&mut self.robots, &RobotRow { time: &time, identity, body, active })?;
            levels.clear();
            if running {
                robot.software.coordinator.levels(&mut levels);
            }
            for level in &levels {
                let table = self.levels_of(coordinator)?;
                write_row(table, &LevelRow { time: &time, identity, level })?;
            }
            if running && !sources.is_empty() {
                let values = indicators::values(simulation, robot);
                for ((source, spec), value) in sources.iter().zip(values) {
                    let Some(value) = value else { continue };
                    let row = IndicatorRow { time: &time, identity, source, spec, value };
                    write_row(self.indicators()?, &row)?;
                }
            }
        }
        Ok(())
    }

    /// A table that is created in the middle of a run.
    fn late_table<R: Row>(&self, name: &str) -> io::Result<Table> {
        let mut table = Writer::from_writer(BufWriter::new(File::create(self.inside.join(name))?));
        write_header::<R>(&mut table)?;
        Ok(table)
    }

    /// The table of believed poses, created when there is the first one.
    fn poses(&mut self) -> io::Result<&mut Table> {
        let table = match self.poses.take() {
            Some(table) => table,
            None => self.late_table::<PoseRow>("poses.csv")?,
        };
        Ok(self.poses.insert(table))
    }

    /// The table of indicators, created when there is the first one.
    fn indicators(&mut self) -> io::Result<&mut Table> {
        let table = match self.indicators.take() {
            Some(table) => table,
            None => self.late_table::<IndicatorRow>("indicators.csv")?,
        };
        Ok(self.indicators.insert(table))
    }

    /// The table of stacks, created when there is the first one.
    fn stack_table(&mut self) -> io::Result<&mut Table> {
        let table = match self.stacks.take() {
            Some(table) => table,
            None => self.late_table::<StackRow>("stacks.csv")?,
        };
        Ok(self.stacks.insert(table))
    }

    /// The table of a coordinator's levels, created when it first has any.
    fn levels_of(&mut self, coordinator: &str) -> io::Result<&mut Table> {
        let known = self.levels.iter().position(|(name, _)| name == coordinator);
        let place = match known {
            Some(place) => place,
            None => {
                let table = self.late_table::<LevelRow>(&format!("{coordinator}.csv"))?;
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
            .chain(&mut self.poses)
            .chain(&mut self.measures)
            .chain(&mut self.indicators)
            .chain(&mut self.stacks)
            .chain(&mut self.links);
        for table in tables {
            table.flush().map_err(|error| RunError::Write(self.folder.clone(), error))?;
        }
        Ok(())
    }
}
