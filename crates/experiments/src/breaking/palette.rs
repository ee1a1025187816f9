//! The palette: every disturbance that is possible in a scenario, per robot, device or place, and time.

use super::ladder::{nice, rounded};
use super::mishap::{ALL, BY_ITSELF, KINDS, Mishap, MishapKind, MishapTarget, Schedule};
use super::outside;
use crewlab_lab::sim::Member;
use crewlab_scenario::Scenario;

/// Number of moments of the undisturbed run that are tried.
const MOMENTS: usize = 6;
/// Default duration of a restart after a crash. [s]
const RESTART: f64 = 10.0;
/// Number of robots of larger teams that are considered.
const MOST_ROBOTS: usize = 64;

/// The possible disturbances of a scenario, the smallest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Palette {
    /// All disturbances at all times tried.
    pub mishaps: Vec<Mishap>,
    /// True if robots were left out because the team is large.
    pub thinned: bool,
}

impl Palette {
    /// All possible disturbances of these kinds in a run that takes `nominal` seconds undisturbed, for the robots present at the start
    /// and the world around them. Temporary ones end at `over` seconds.
    pub fn new(scenario: &Scenario, nominal: f64, over: f64, kinds: &[String]) -> Palette {
        let (model, state) = &scenario.start;
        let bodies = model.team.iter().zip(&state.world.bodies);
        let there: Vec<&Member> = bodies.filter(|(_, body)| body.present).map(|(member, _)| member).collect();
        let every = there.len().div_ceil(MOST_ROBOTS).max(1);
        let some: Vec<&Member> = there.iter().step_by(every).copied().collect();
        let mut all: Vec<Mishap> = Vec::new();
        for member in &some {
            let whom = MishapTarget::Robot(member.identity.name.clone());
            all.extend(of_robot(member, there.len()).into_iter().map(|what| mishap(what, whom.clone())));
        }
        if there.len() > 1 {
            let team = [MishapKind::RadioLossy, MishapKind::RadioDead];
            all.extend(team.into_iter().map(|what| mishap(what, MishapTarget::All(there.len()))));
        }
        all.extend(outside::all(scenario, &some, there.len(), outside::end(nominal, over)));
        let tried = |kind: &str| match kinds {
            [] => KINDS[..BY_ITSELF].contains(&kind),
            _ => kinds.iter().any(|wanted| wanted == kind || wanted == ALL),
        };
        all.retain(|mishap| tried(mishap.what.kind()));
        let moments = moments(nominal);
        let mut mishaps: Vec<Mishap> = all
            .iter()
            .flat_map(|mishap| moments.iter().map(|at| Mishap { at: *at, ..mishap.clone() }))
            .collect();
        let alone = |mishap: &Mishap| Schedule::new(vec![mishap.clone()]);
        mishaps.sort_by(|one, other| alone(one).smaller(&alone(other)));
        Palette { mishaps, thinned: every > 1 }
    }

    /// Milder disturbances of the same robot at the same time, the mildest first; for those that hit all robots, also those that hit
    /// one in the same way.
    pub fn milder<'a>(&'a self, than: &'a Mishap) -> impl Iterator<Item = Mishap> + 'a {
        // Times change while a schedule shrinks, so the palette's own times are ignored here.
        let first = move |place: usize, mishap: &Mishap| {
            !self.mishaps[..place].iter().any(|before| before.same_subject(mishap))
        };
        // A disturbance of all may be replaced by one of a single robot.
        let one = matches!(than.whom, MishapTarget::All(_));
        let same = move |mishap: &Mishap| {
            let hit = mishap.whom == than.whom || (one && mishap.what.kind() == than.what.kind());
            hit && mishap.severity() < than.severity()
        };
        let found = self.mishaps.iter().enumerate().filter(move |(place, m)| same(m) && first(*place, m));
        found.map(|(_, mishap)| Mishap { at: than.at, ..mishap.clone() })
    }
}

fn of_robot(member: &Member, team: usize) -> Vec<MishapKind> {
    let sheet = &member.identity.datasheet;
    let mut all = vec![MishapKind::DriveSlower, MishapKind::Crash, MishapKind::DriveDead];
    if team > 1 {
        all.extend([
            MishapKind::RadioLossy,
            MishapKind::RadioDeaf,
            MishapKind::RadioMute,
            MishapKind::RadioDead,
            MishapKind::Partition,
        ]);
    }
    all.extend(sheet.sensors.iter().map(|sensor| MishapKind::SensorDead(sensor.name.clone())));
    let tools = sheet.effectors.iter().filter(|effector| effector.name != "drive");
    all.extend(tools.map(|effector| MishapKind::EffectorDead(effector.name.clone())));
    all.extend([MishapKind::EmergencyStop, MishapKind::Trap, MishapKind::Stop]);
    all
}

/// A disturbance at its worst, from the start of the run and for good.
pub(super) fn mishap(what: MishapKind, whom: MishapTarget) -> Mishap {
    let (lasts, level) = ((what == MishapKind::Crash).then_some(RESTART), what.worst());
    Mishap { what, whom, at: 0.0, lasts, level }
}

/// Round times in the middle of equal parts of the run.
fn moments(nominal: f64) -> Vec<f64> {
    let step = nice(nominal / 50.0);
    let middle = |part: usize| (part as f64 + 0.5) / MOMENTS as f64 * nominal;
    let mut moments: Vec<f64> = (0..MOMENTS).map(|part| rounded(middle(part), step)).collect();
    moments.dedup();
    moments
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_lab::sim::missions;
    use crewlab_scenario::{Request, load};

    fn scenario(name: &str, disturbances: Vec<String>) -> Scenario {
        let request = Request { scenario: name.into(), disturbances, ..Request::default() };
        load(&request).unwrap_or_else(|problems| panic!("{name}: {problems}"))
    }

    #[test]
    fn everything_in_it_can_happen_in_every_shipped_scenario() {
        for shipped in missions::KINDS.iter().flat_map(|kind| kind.shipped) {
            let all = [ALL.to_string()];
            let palette = Palette::new(&scenario(shipped.name, Vec::new()), 517.3, 2000.0, &all);
            let all = Schedule::new(palette.mishaps.clone());
            let disturbed = scenario(shipped.name, all.lines());
            let count = disturbed.resolved["disturbances"].as_array().map_or(0, Vec::len);
            assert!(count >= all.mishaps().len() && !palette.mishaps.is_empty(), "{}", shipped.name);
        }
    }

    /// Without named kinds, a search tries only faults of robots and of the communication between them.
    #[test]
    fn the_world_outside_is_tried_only_by_name() {
        let scenario = scenario("waste-cleanup", Vec::new());
        let count = |kinds: &[&str]| {
            let kinds: Vec<String> = kinds.iter().map(|kind| kind.to_string()).collect();
            Palette::new(&scenario, 517.3, 2000.0, &kinds).mishaps.len()
        };
        assert_eq!((count(&[]), count(&KINDS[..BY_ITSELF])), (360, 360));
        assert_eq!((count(&["all"]), count(&KINDS)), (480, 480));
        // Two clocks' faults of three robots; crates in five places; two spills.
        assert_eq!(["clock", "object-added", "items-moved"].map(|kind| count(&[kind])), [36, 30, 12]);
        // The ideal radio and robots without batteries.
        assert_eq!(["noise", "bandwidth", "jammer", "battery"].map(|kind| count(&[kind])), [0; 4]);
    }

    #[test]
    fn kinds_and_what_is_milder() {
        let kinds = ["radio".to_string(), "stop".into()];
        let palette = Palette::new(&scenario("waste-cleanup", Vec::new()), 517.3, 2000.0, &kinds);
        // Four faults of three radios, two of all radios and three deaths, at six times each.
        assert_eq!(palette.mishaps.len(), (4 * 3 + 2 + 3) * 6);
        let times: Vec<f64> = palette.mishaps.iter().rev().map(|mishap| mishap.at).take(6).collect();
        assert_eq!(times, [40.0, 130.0, 220.0, 300.0, 390.0, 470.0]);
        let stop = Mishap { at: 77.0, ..mishap(MishapKind::Stop, MishapTarget::Robot("gold".into())) };
        let milder: Vec<String> = palette.milder(&stop).map(|mishap| mishap.words()).collect();
        assert_eq!(milder[0], "gold's radio loses 90 % of what it sends and receives at 77 s, for good");
        assert_eq!(milder.len(), 4);
        let all = Mishap { at: 77.0, ..mishap(MishapKind::RadioDead, MishapTarget::All(3)) };
        assert_eq!(palette.milder(&all).count(), 4 * 3 + 1);
        assert_eq!(palette.milder(&palette.mishaps[0]).count(), 0);
    }
}
