//! report-progress: from time to time one robot drives to the report site and reports.

use super::REPORT_SITE;
use super::knowledge::{Knowledge, Talk};
use crewlab_onboard::{Action, Behaviour, Command, Event, EventKind, Output, Situation};
use serde::{Deserialize, Serialize};

/// Reports progress. The task's order determines how often.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReportProgress;

impl Behaviour<Knowledge> for ReportProgress {
    fn applicable(&self, known: &Knowledge, _situation: &Situation) -> bool {
        known.sites.is_some() && !known.mobility.stuck()
    }

    fn cost(&self, known: &Knowledge, situation: &Situation) -> f64 {
        known.sites.map_or(f64::INFINITY, |sites| known.navigator.time_to(sites.report_site, situation))
    }

    fn act(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        let Some(sites) = known.sites else { return Command::stop() };
        let here = known.area(REPORT_SITE, sites.report_site, situation).is_some_and(|(site, _)| site.inside);
        match known.report {
            Some(report) if here => {
                known.reported = Some(situation.now);
                known.tell(&Talk::Reported, out);
                out.explain(
                    Event::new(EventKind::Reported).saying("progress was reported at the report site"),
                );
                Command::stop().with(report, Action::Work)
            }
            _ => known.navigator.go_to(sites.report_site, situation, out),
        }
    }
}
