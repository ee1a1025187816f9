//! The link budget for people and programs, in `crewlab link` and `crewlab explain` alike.

use crewlab_sim::radio::physics::{Budget, BudgetLine, Service};
use serde::Serialize;

/// A link budget. Without noise, levels are infinite, which JSON writes as null.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LinkBudget {
    /// Distance. [m]
    pub distance_m: f64,
    /// Received power. [dBm]
    pub rx_dbm: f64,
    /// All noise and interference. [dBm]
    pub noise_dbm: f64,
    /// Signal-to-interference-plus-noise ratio. [dB]
    pub sinr_db: f64,
    /// A unicast message.
    #[serde(flatten)]
    pub unicast: Delivery,
    /// A broadcast.
    pub broadcast: Delivery,
    /// The terms, in the order of the computation.
    pub lines: Vec<Line>,
}

/// The performance of a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Delivery {
    /// Modulation.
    pub mode: String,
    /// Rate. [Mbit/s]
    pub rate_mbps: f64,
    /// Probability that it arrives at the first attempt.
    pub success: f64,
    /// Time from when the medium is free until software has it. [ms]
    pub delay_ms: f64,
}

/// One line of a budget.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Unit of the value; 1 for a share.
    pub unit: &'static str,
    /// Its explanation.
    pub note: String,
}

impl From<Budget> for LinkBudget {
    fn from(budget: Budget) -> LinkBudget {
        let unicast =
            Service { mode: budget.mode, rate: budget.rate, success: budget.success, delay: budget.delay };
        LinkBudget {
            distance_m: budget.distance,
            rx_dbm: budget.rx,
            noise_dbm: budget.noise,
            sinr_db: budget.sinr,
            unicast: unicast.into(),
            broadcast: budget.broadcast.into(),
            lines: budget.lines.into_iter().map(Line::from).collect(),
        }
    }
}

impl LinkBudget {
    /// The budget line by line, in columns.
    pub fn table(&self, indent: &str) -> String {
        table(&self.lines, indent)
    }
}

/// The lines of a budget in columns.
pub fn table(lines: &[Line], indent: &str) -> String {
    let cells: Vec<[String; 4]> = lines.iter().map(Line::cells).collect();
    let width = |column: usize| cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    let line = |[name, value, unit, note]: &[String; 4]| {
        let [first, second, third] = widths;
        format!("{indent}{name:first$}  {value:>second$} {unit:third$}  {note}").trim_end().to_string() + "\n"
    };
    cells.iter().map(line).collect()
}

impl Line {
    /// Name, value, unit and note in readable form.
    fn cells(&self) -> [String; 4] {
        let (value, unit, digits) = match self.unit {
            "s" => (self.value * 1e3, "ms", 4),
            "1" => (self.value * 100.0, "%", 2),
            unit => (self.value, unit, 3),
        };
        let value = if value.is_infinite() {
            if value > 0.0 { "inf".into() } else { "-inf".into() }
        } else {
            // Values that round to 0 have no sign.
            let text = format!("{value:.digits$}");
            let nothing = text.chars().all(|c| "-0.".contains(c));
            if nothing { text.trim_start_matches('-').into() } else { text }
        };
        [self.name.clone(), value, unit.into(), self.note.clone()]
    }
}

impl From<BudgetLine> for Line {
    fn from(BudgetLine { name, value, unit, note }: BudgetLine) -> Line {
        Line { name, value, unit, note: tidy(&note) }
    }
}

impl From<Service> for Delivery {
    fn from(service: Service) -> Delivery {
        Delivery {
            mode: service.mode,
            rate_mbps: service.rate / 1e6,
            success: service.success,
            delay_ms: service.delay * 1e3,
        }
    }
}

/// A note without superfluous decimals.
fn tidy(note: &str) -> String {
    let short = |word: &str| match word.split_once('.').map(|(_, decimals)| decimals.len()) {
        Some(3..) => word.parse::<f64>().map_or(word.to_string(), |number| format!("{number:.2}")),
        _ => word.to_string(),
    };
    note.split(' ').map(short).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_have_few_decimals_and_keep_all_else() {
        assert_eq!(tidy("friis over 10.950102354 m at 2.4 GHz"), "friis over 10.95 m at 2.4 GHz");
        assert_eq!(tidy("1 of 5.5 dB each, e.g.wood..."), "1 of 5.5 dB each, e.g.wood...");
    }

    #[test]
    fn budgets_are_read_in_percent_and_milliseconds() {
        let line = |value, unit| table(&[Line { name: "x".into(), value, unit, note: String::new() }], "  ");
        assert_eq!(line(0.5, "1"), "  x  50.00 %\n");
        assert_eq!(line(0.0012, "s"), "  x  1.2000 ms\n");
        assert_eq!(line(f64::INFINITY, "dB"), "  x  inf dB\n");
    }
}
