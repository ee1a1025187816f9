//! The target of a disturbance.

use super::{Complaint, Inventory, Scene};
use crewlab_onboard::RobotId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The target: a robot's name, `all`, `random` (a running robot), `leader`, or `{doing: TASK}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Target {
    /// A robot's name, `all`, `random` or `leader`.
    Word(String),
    /// The robot that is doing a task when it happens.
    Doing {
        /// The task.
        doing: String,
    },
}

/// The words that are not names of robots.
const ALL: &str = "all";
const RANDOM: &str = "random";
const LEADER: &str = "leader";

impl Target {
    /// Error if there can be no such robot.
    pub(super) fn check(&self, key: &'static str, inventory: &Inventory) -> Result<(), Complaint> {
        match self {
            Target::Doing { doing } => inventory.task(key, doing).map(|_| ()),
            Target::Word(word) if word == ALL || word == RANDOM => Ok(()),
            Target::Word(word) if word == LEADER && !inventory.robots.contains(&LEADER) => {
                if inventory.leaders {
                    Ok(())
                } else {
                    Err(Complaint::new(key, "this mission's robots have no leaders"))
                }
            }
            Target::Word(word) => inventory.robot(key, word).map(|_| ()),
        }
    }

    /// The targeted robots now, or why there are none.
    pub(super) fn resolve(&self, scene: &mut Scene) -> Result<Vec<RobotId>, String> {
        let bodies = &scene.state.world.bodies;
        let everyone = RobotId::team(bodies.len());
        match self {
            Target::Doing { doing } => {
                let does = |robot: &RobotId| {
                    let task = scene.state.task_of(scene.model, *robot);
                    task.is_some_and(|task| scene.model.task_name(task) == doing)
                };
                let found = everyone.clone().find(does);
                found.map(|robot| vec![robot]).ok_or_else(|| format!("nobody does {doing} now"))
            }
            Target::Word(word) => match (scene.model.robot(word), word.as_str()) {
                (Some(robot), _) if bodies[robot].present => Ok(vec![robot]),
                (Some(_), _) => Err(format!("{word} is not there")),
                (None, ALL) => Ok(everyone.filter(|robot| bodies[*robot].present).collect()),
                (None, LEADER) => {
                    let leads = |robot: &RobotId| {
                        !bodies[*robot].down() && scene.state.robots[*robot].software.skills().leads()
                    };
                    let leaders: Vec<RobotId> = everyone.filter(leads).collect();
                    pick(leaders, scene).ok_or_else(|| "nobody leads now".into())
                }
                _ => {
                    let running: Vec<RobotId> = everyone.filter(|robot| !bodies[*robot].down()).collect();
                    pick(running, scene).ok_or_else(|| "no robot runs".into())
                }
            },
        }
    }
}

fn pick(robots: Vec<RobotId>, scene: &mut Scene) -> Option<Vec<RobotId>> {
    robots.get(scene.random.below(robots.len())).map(|robot| vec![*robot])
}
