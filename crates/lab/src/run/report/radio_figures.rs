//! The figures of the radio. Each is drawn only if it shows something.

use super::figures::{Drawn, Part, marks};
use crate::run::air::{AirTrace, Moment, Noise, airspace, map};
use crate::run::summary::Summary;
use crate::run::trace::Trace;
use crewlab_figures::airtime::{self, AirtimeFigure, AirtimeRow};
use crewlab_figures::axis::time_label;
use crewlab_figures::delivery::{self, DeliveryFigure};
use crewlab_figures::links::{self, LinkFigure};
use crewlab_figures::noise::{self, NoiseFigure};
use crewlab_sim::Simulation;
use crewlab_sim::address::node;
use crewlab_sim::onboard::RobotId;
use crewlab_sim::radio::{Physical, Radio};

/// A moment at which links are on average this much worse than at the end gets its own figure.
const MUCH_WORSE: f64 = 0.1;
/// Noise that differs less than this from place to place is not worth a map. [dB]
const UNIFORM: f64 = 0.5;

/// Draws the figures of the radio.
pub(super) fn draw(air: &AirTrace, trace: &Trace, simulation: &Simulation, summary: &Summary) -> Vec<Drawn> {
    let mut figures = Vec::new();
    let drawn = |file: &str, caption: &str, svg: String| Drawn {
        file: file.into(),
        part: Part::Radio,
        caption: caption.into(),
        svg,
    };
    if let Some(radio) = simulation.state.radio.as_physical()
        && let Some(last) = &air.last
    {
        let scene = Scene { trace, simulation, radio, summary };
        let caption = "Which robots could communicate at the end of the run, and at which rate.";
        figures.push(drawn("links", caption, links::draw(&scene.links(last, "at the end"))));
        if let Some(worst) = air.worst.as_ref().filter(|worst| worst.mean < last.mean - MUCH_WORSE) {
            let caption = "The same at the time when links were worst.";
            let figure = scene.links(worst, "when they were worst");
            figures.push(drawn("links-worst", caption, links::draw(&figure)));
        }
        if let Some(loudest) = air.loudest.as_ref().filter(|loudest| varies(loudest)) {
            let caption = "Noise that a receiver would measure in each place: its own, that of the surroundings \
                           and that of jammers while they are on.";
            figures.push(drawn("noise", caption, noise::draw(&scene.noise(loudest))));
        }
        figures.extend(
            scene
                .airtime()
                .map(|figure| drawn("airtime", "Each robot's use of the medium.", airtime::draw(&figure))),
        );
    }
    if worth_telling(simulation) {
        let (bins, reasons) = air.delivery(summary.time_s);
        let figure = DeliveryFigure {
            title: "Messages over time".into(),
            subtitle: format!(
                "every receiver's copy counts, at the time of sending; {}, seed {}",
                summary.scenario, summary.seed
            ),
            duration_s: summary.time_s,
            bins,
            reasons,
            marks: marks(trace),
        };
        let caption = "The share of copies that arrived, their latency, and the reasons for losses.";
        figures.push(drawn("delivery", caption, delivery::draw(&figure)));
    }
    figures
}

/// False if every message arrived in the next tick, as with a plain ideal radio.
fn worth_telling(simulation: &Simulation) -> bool {
    let tally = simulation.state.radio.tally();
    let settled = tally.delivered + tally.lost.total() > 0;
    let late = tally.mean_latency().is_some_and(|seconds| seconds > 1.5 * simulation.model.dt());
    settled && (simulation.state.radio.as_physical().is_some() || tally.lost.total() > 0 || late)
}

fn varies(noise: &Noise) -> bool {
    noise.field.range().is_some_and(|(low, high)| high - low > UNIFORM)
}

struct Scene<'a> {
    trace: &'a Trace,
    simulation: &'a Simulation,
    radio: &'a Physical,
    summary: &'a Summary,
}

impl Scene<'_> {
    fn links(&self, moment: &Moment, when: &str) -> LinkFigure {
        let map = map(&moment.world, self.trace, self.simulation);
        let (shown, team) = (map.robots.len(), self.simulation.model.team.len());
        let inside = moment.links.iter().filter(|link| link.from < shown && link.to < shown);
        let possible = team * team.saturating_sub(1);
        let first =
            if shown < team { format!("; the first {shown} robots are shown") } else { String::new() };
        let silent = |robot: &RobotId| match self.radio.node(node(*robot)) {
            // The radio's state is the last one; a robot that is down never sends.
            Some(node) if when == "at the end" => !(node.alive && node.speaks && node.hears),
            _ => moment.world.bodies[*robot].down(),
        };
        let present = |robot: &RobotId| moment.world.bodies[*robot].present;
        LinkFigure {
            title: format!("Radio links {when}: {}", self.summary.scenario),
            subtitle: format!(
                "after {}; {} of {possible} links let messages through, counted per direction; a broadcast \
                 reaches {:.0} % of the others on average{first}",
                time_label(moment.at),
                moment.links.len(),
                moment.mean * 100.0
            ),
            airspace: airspace(&moment.world),
            links: inside.copied().collect(),
            fastest_mbps: self.radio.fastest_rate().unwrap_or(0.0) * 1e-6,
            silent: RobotId::team(shown).filter(present).filter(silent).map(RobotId::index).collect(),
            map,
        }
    }

    fn noise(&self, noise: &Noise) -> NoiseFigure {
        NoiseFigure {
            title: format!("Noise: {}", self.summary.scenario),
            subtitle: match noise.at > 0.0 {
                true => format!("after {}, when it was loudest", time_label(noise.at)),
                false => "at the start; it was never louder".into(),
            },
            map: map(&noise.world, self.trace, self.simulation),
            airspace: airspace(&noise.world),
            field: noise.field.clone(),
        }
    }

    fn airtime(&self) -> Option<AirtimeFigure> {
        let seconds = |nanoseconds: u64| nanoseconds as f64 * 1e-9;
        let row = |member: &crewlab_sim::Member| {
            let usage = self.radio.usage(node(member.identity.id));
            AirtimeRow {
                name: member.identity.name.clone(),
                index: member.identity.id.index(),
                sending_s: seconds(usage.sending),
                receiving_s: seconds(usage.receiving),
            }
        };
        let robots: Vec<AirtimeRow> = self.simulation.model.team.iter().map(row).collect();
        let sent: f64 = robots.iter().map(|robot| robot.sending_s).sum();
        (sent > 0.0).then(|| AirtimeFigure {
            title: format!("Airtime per robot: {}", self.summary.scenario),
            subtitle: format!(
                "together {sent:.3} s on the air in {}; where robots do not hear each other, they may send at the \
                 same time",
                time_label(self.summary.time_s)
            ),
            duration_s: self.summary.time_s,
            robots,
        })
    }
}
