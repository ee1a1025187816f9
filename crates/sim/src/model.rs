//! The constants of a run.

use crate::goal::Goal;
use crewlab_control::{AnyController, ControllerParams};
use crewlab_missions::AnyMission;
use crewlab_onboard::locating;
use crewlab_onboard::{Identity, LayerSpec, Names, RobotId, Software, TaskId, TaskSpec, Time};
use crewlab_radio::Wall;
use crewlab_skills::{AnyBriefing, AnySkills};
use crewlab_teams::{AnyCoordinator, Boot, Missing, Params};
use crewlab_world::RobotType;
use crewlab_world::aspect::ENERGY;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;

/// When messages become audible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Visibility {
    /// Messages of a tick are heard in the next one at the earliest.
    #[default]
    EndOfTick,
    /// Robots are processed in order, and each hears the messages of those before it in the same tick.
    SameTick,
}

/// One robot as built.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its identity, as its software knows it.
    pub identity: Identity,
    /// The name of its controller.
    pub controller: String,
    /// Its hardware; its software does not see this.
    pub hardware: Arc<RobotType>,
}

impl Member {
    /// True if it has a battery that can run empty.
    pub fn has_battery(&self) -> bool {
        self.hardware.aspects.iter().any(|aspect| aspect.name == ENERGY)
    }
}

/// The constants of a run.
#[derive(Clone, Debug)]
pub struct Model {
    /// The seed of all random streams.
    pub seed: u64,
    /// Length of a tick. [ns]
    pub tick: u64,
    /// The time limit.
    pub until: Time,
    /// The run ends when the mission has made no progress for this long. [s]
    pub give_up: Option<f64>,
    /// What must hold at the time limit for a mission without an end to count as completed.
    pub goal: Option<Goal>,
    /// When messages become audible.
    pub visibility: Visibility,
    /// The mission.
    pub mission: AnyMission,
    /// The briefing of its robots.
    pub briefing: AnyBriefing,
    /// Its tasks.
    pub tasks: Vec<TaskSpec>,
    /// The robots.
    pub team: Vec<Member>,
    /// Their names and numbers.
    pub roster: Vec<(String, RobotId)>,
    /// Robots that are absent until they are added.
    pub reserve: Vec<RobotId>,
    /// The coordinator's name at the start.
    pub coordinator: String,
    /// All coordinators' parameters.
    pub parameters: Params,
    /// All controllers' parameters.
    pub controllers: ControllerParams,
    /// The robots' map of the walls at the start, for predicting links.
    pub floor_plan: Vec<Wall>,
}

impl Model {
    /// Length of a tick. [s]
    pub fn dt(&self) -> f64 {
        self.tick as f64 * 1e-9
    }

    /// The layers on which robots draw: those of the mission, then those of robots that locate themselves, if there are any.
    pub fn layers(&self) -> Vec<LayerSpec> {
        let located = self.team.iter().any(|member| member.identity.datasheet.locates_itself());
        let own = if located { locating::LAYERS } else { &[] };
        [self.mission.layers(), own].concat()
    }

    /// Software for a robot that starts again, with the coordinator of this name.
    pub(crate) fn reboot(
        &self,
        robot: RobotId,
        coordinator: &str,
    ) -> Option<Software<AnyCoordinator, AnySkills>> {
        // It has booted once, so it boots again.
        let coordinator = self.coordinate(robot, coordinator, true)?.ok()?;
        let Member { identity, controller, .. } = &self.team[robot];
        let controller = AnyController::boot(controller, &self.controllers, identity)?;
        Some(Software::new(coordinator, self.briefing.boot(identity, controller)))
    }

    /// A freshly booted coordinator for a robot, or its missing parameters; `None` if the name is unknown. `restarted` is true if the
    /// robot's software starts again.
    pub(crate) fn coordinate(
        &self,
        robot: RobotId,
        name: &str,
        restarted: bool,
    ) -> Option<Result<AnyCoordinator, Vec<Missing>>> {
        let boot = Boot {
            me: &self.team[robot].identity,
            tasks: &self.tasks,
            roster: &self.roster,
            signals: self.mission.signals(),
            restarted,
            reserve: &self.reserve,
        };
        AnyCoordinator::boot(name, &self.parameters, &boot)
    }

    /// All robots, in the order of the team.
    pub fn robots(&self) -> impl DoubleEndedIterator<Item = RobotId> + ExactSizeIterator + Clone + use<> {
        RobotId::team(self.team.len())
    }

    /// A robot's name.
    pub fn robot_name(&self, robot: RobotId) -> &str {
        self.team.get(robot.index()).map_or("?", |member| &member.identity.name)
    }

    /// The robot of this name.
    pub fn robot(&self, name: &str) -> Option<RobotId> {
        self.team.iter().find(|member| member.identity.name == name).map(|member| member.identity.id)
    }

    /// A task's name.
    pub fn task_name(&self, task: TaskId) -> &str {
        self.tasks.get(usize::from(task.0)).map_or("?", |task| &task.name)
    }
}

impl Names for Model {
    fn robot(&self, robot: RobotId) -> Cow<'_, str> {
        self.robot_name(robot).into()
    }

    fn task(&self, task: TaskId) -> Cow<'_, str> {
        self.task_name(task).into()
    }
}
