//! Where a behaviour wants to go next: a checkpoint w_cp, and the first waypoint on the way there.

use crate::routes::{Frontier, NoRoute, Origin, Route, RoutePlanner, Waypoint};
use crewlab_onboard::geometry::Vec2;
use serde::{Deserialize, Serialize};

/// What a robot is on its way to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AimKind {
    /// The checkpoint itself.
    Checkpoint,
    /// The nearest place to the checkpoint where the robot can be.
    Substitute,
    /// A frontier.
    Frontier,
}

/// A checkpoint and the way there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Aim {
    /// What the robot is on its way to.
    pub kind: AimKind,
    /// Where that is. [m]
    pub at: Vec2,
    /// The way there.
    pub route: Route,
}

impl Aim {
    /// Straight to a place, without a plan.
    pub fn straight(from: Vec2, at: Vec2) -> Aim {
        let route = Route::over(from, vec![Waypoint { at, origin: Origin::Goal }]);
        Aim { kind: AimKind::Checkpoint, at, route }
    }

    fn planned(planner: &mut RoutePlanner, from: Vec2, at: Vec2, kind: AimKind) -> Result<Aim, NoRoute> {
        planner.plan(from, at).map(|route| Aim { kind, at, route })
    }

    /// To a checkpoint. If no path leads there: to whatever is nearest to it, a frontier (B.5) or, within `tolerance`, a place where
    /// the robot can be. [m]
    pub fn towards(planner: &mut RoutePlanner, from: Vec2, at: Vec2, tolerance: f64) -> Result<Aim, NoRoute> {
        Aim::planned(planner, from, at, AimKind::Checkpoint).or_else(|reason| {
            let start = planner.space().depart(from)?.spot.cell();
            let region = planner.space().region(start).ok_or(reason)?;
            let point = |place| planner.space().grid().point(place);
            let reachable = |frontier: &Frontier| planner.space().region(frontier.access) == Some(region);
            let frontiers = planner.frontiers().into_iter().filter(reachable);
            let frontiers = frontiers.map(|frontier| (point(frontier.access), AimKind::Frontier));
            let near = planner.space().nearest(at, region, tolerance).filter(|_| tolerance > 0.0);
            let near = near.map(|place| (point(place), AimKind::Substitute));
            let distance = |(place, _): &(Vec2, AimKind)| place.distance(at);
            let best =
                near.into_iter().chain(frontiers).min_by(|one, two| distance(one).total_cmp(&distance(two)));
            let (place, kind) = best.ok_or(reason)?;
            Aim::planned(planner, from, place, kind)
        })
    }

    /// To the frontier with the largest I(f) - γ c(f) (B.4): the unknown area seen from there, less γ times the way. Nothing if no
    /// frontier can be reached. γ in [m²/m]
    pub fn explore(planner: &mut RoutePlanner, from: Vec2, gamma: f64) -> Result<Option<Aim>, NoRoute> {
        let field = planner.field(from)?;
        let side = planner.space().grid().resolution();
        let utility = |frontier: &Frontier| {
            let way = field.length(frontier.access)? * side;
            Some((frontier.value as f64 * side * side - gamma * way, frontier.access))
        };
        let rated = planner.frontiers();
        let rated = rated.iter().filter_map(utility);
        // Of equal ones the first counts.
        let best = rated.reduce(|best, other| if other.0 > best.0 { other } else { best });
        let Some((_, access)) = best else { return Ok(None) };
        let at = planner.space().grid().point(access);
        Aim::planned(planner, from, at, AimKind::Frontier).map(Some)
    }
}
