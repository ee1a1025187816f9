//! Hands robots a plan of the building before the start: what stands there then, and nothing that disturbances add.

use crate::model::Member;
use crewlab_navigation::PlanGuide;
use crewlab_navigation::routes::{Cell, CellGrid};
use crewlab_onboard::FloorPlan;
use crewlab_world::{GroundPlan, World};
use std::sync::Arc;

/// The most cells of a plan; beyond it the cells get larger.
const MOST_CELLS: usize = 1_000_000;

/// Gives every robot a plan with cells of this side [m]; robots of one size share it.
pub(crate) fn hand_out(world: &World, mut resolution: f64, team: &mut [Member]) {
    let cells = |resolution: f64| {
        let (columns, rows) = GroundPlan::size(&world.bounds, resolution);
        columns.saturating_mul(rows)
    };
    while cells(resolution) > MOST_CELLS {
        resolution *= 2.0;
    }
    let Some(grid) = grid(&world.ground_plan(resolution)) else { return };
    let mut plans: Vec<(f64, FloorPlan)> = Vec::new();
    for member in team {
        let radius = member.identity.datasheet.radius;
        let known = plans.iter().position(|(known, _)| *known == radius);
        let known = known.unwrap_or_else(|| {
            plans.push((radius, FloorPlan::new(Arc::new(PlanGuide::new(grid.clone(), radius)))));
            plans.len() - 1
        });
        member.identity.floor_plan = plans[known].1.clone();
    }
}

/// A plan as robots know maps; `None` never comes, since plans are small enough.
fn grid(plan: &GroundPlan) -> Option<CellGrid> {
    let cell = |occupied: &bool| if *occupied { Cell::Occupied } else { Cell::Free };
    let cells = plan.occupied.iter().map(cell).collect();
    CellGrid::from_cells(plan.columns, plan.rows, plan.resolution, plan.origin, cells).ok()
}
