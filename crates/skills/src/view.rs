//! The display of a robot's internal state, from its own percept and plan.

use crate::AnySkills;
use crewlab_control::costs::cost_field;
use crewlab_control::{Considered, CostField};
use crewlab_onboard::geometry::Pose;
use crewlab_onboard::{Controller, Goal, Identity, Limits, Percept, Performer, Scan};

impl AnySkills {
    /// The cost field of a robot's steering on the way to the first point of its plan. The rows are parallel to the x axis of the
    /// world if the robot has a working compass, otherwise they point straight ahead of it; `None` if nothing measures ranges.
    /// [m]
    pub fn cost_field(&self, me: &Identity, percept: &Percept, cell: f64, half: f64) -> Option<CostField> {
        let sheet = &me.datasheet;
        if let AnySkills::Swarm(swarm) = self {
            return pose(me, percept).map(|pose| swarm.cost_field(me, &pose, cell, half));
        }
        let scanner = sheet.sensor("range-scanner").or_else(|| sheet.sensor("low-proximity"))?;
        let sensor = sheet.sensors.get(usize::from(scanner.0))?;
        let scan = Scan::of(sensor, percept.ranges(scanner));
        let limits = Limits { radius: sheet.radius, max_speed: sheet.max_speed, max_turn: sheet.max_turn };
        let heading = sheet.sensor("compass").and_then(|compass| percept.angle(compass));
        let position = sheet.sensor("position").and_then(|sensor| percept.point(sensor));
        let margin = self.controller().map_or(0.0, Controller::margin);
        let mut plan = Vec::new();
        self.skills().plan(&mut plan);
        let goal = plan.first().zip(position.zip(heading)).map(|(goal, (position, heading))| {
            let pose = Pose { position, heading };
            Goal { bearing: pose.bearing(*goal), distance: position.distance(*goal) }
        });
        let heading = heading.unwrap_or(0.0);
        Some(cost_field(&scan, (&limits, margin), goal, heading, cell, half))
    }

    /// The plan and the cheapest other trajectory that a robot has considered, with what each costs it; nothing if it does not plan by
    /// costs.
    pub fn considered(&self, me: &Identity, percept: &Percept) -> Vec<Considered> {
        match (self, pose(me, percept)) {
            (AnySkills::Swarm(swarm), Some(pose)) => swarm.considered(me, &pose),
            _ => Vec::new(),
        }
    }
}

/// Where a robot believes to be, by its sensors.
pub(crate) fn pose(me: &Identity, percept: &Percept) -> Option<Pose> {
    let position = percept.point(me.datasheet.sensor("position")?)?;
    let heading = percept.angle(me.datasheet.sensor("compass")?)?;
    Some(Pose { position, heading })
}
