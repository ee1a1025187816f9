//! Conditions about a run, such as `robots.blue.task == "find-locations" && time > 20.0`: their variables and values. The language
//! itself is that of [`crewlab_expression`].

use super::Inventory;
use crate::model::Model;
use crate::state::State;
use crewlab_expression::{Part, Refusal, Type, Value, Vocabulary};
use crewlab_onboard::RobotId;
use serde::{Deserialize, Serialize};

/// A condition about a run, with names and types checked.
pub type Condition = crewlab_expression::Condition<Fact>;

/// A variable of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fact {
    /// Time since the start. [s]
    Time,
    /// Progress of the mission, 0 to 1.
    Progress,
    /// An attribute of a robot.
    Robot(RobotId, OfRobot),
    /// How many robots work on a task.
    Workers(u32),
    /// Whether the operator wants a task.
    Open(u32),
}

/// The attributes of a robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum OfRobot {
    Task,
    Behaviour,
    Action,
    X,
    Y,
    Energy,
    Travelled,
    Holding,
    Alive,
    Leader,
}

/// The attributes of a robot, with their types.
const OF_ROBOT: [(&str, OfRobot, Type); 10] = [
    ("task", OfRobot::Task, Type::Text),
    ("behaviour", OfRobot::Behaviour, Type::Text),
    ("action", OfRobot::Action, Type::Text),
    ("x", OfRobot::X, Type::Number),
    ("y", OfRobot::Y, Type::Number),
    ("energy", OfRobot::Energy, Type::Number),
    ("travelled", OfRobot::Travelled, Type::Number),
    ("holding", OfRobot::Holding, Type::Truth),
    ("alive", OfRobot::Alive, Type::Truth),
    ("leader", OfRobot::Leader, Type::Truth),
];

impl Vocabulary for Inventory<'_> {
    type Variable = Fact;

    fn names(&self) -> String {
        let of_robot = OF_ROBOT.map(|(name, ..)| name).join(", .");
        format!("time, progress, robots.NAME.{of_robot}, tasks.NAME.robots, .open")
    }

    fn units(&self) -> &str {
        "times are in seconds, lengths in metres"
    }

    fn resolve(&self, name: &[Part]) -> Result<(Fact, Type), Refusal> {
        let (first, parts) = (name[0].text.as_str(), &name[1..]);
        let whole = |fact: Fact, kind: Type, count: usize| match parts.get(count) {
            None => Ok((fact, kind)),
            Some(more) => {
                let message = format!("this name has no further parts, found `{}`", more.text);
                Err(Refusal::Part { part: count + 1, message })
            }
        };
        let member = |number: usize, what: &str, known: &[&str]| {
            let Some(part) = parts.get(number) else {
                let message = format!("the name is incomplete; there are {}", self.names());
                return Err(Refusal::Part { part: number + 1, message });
            };
            let found = known.iter().position(|one| *one == part.text);
            found.ok_or_else(|| Refusal::unknown_part(number + 1, what, &part.text, known))
        };
        match first {
            "time" => whole(Fact::Time, Type::Number, 0),
            "progress" => whole(Fact::Progress, Type::Number, 0),
            "robots" => {
                let robot = RobotId::from_index(member(0, "robot", &self.robots)?);
                let known = OF_ROBOT.map(|(name, ..)| name);
                let (_, asked, kind) = OF_ROBOT[member(1, "robot attribute", &known)?];
                if asked == OfRobot::Leader && !self.leaders {
                    let message = "this mission's robots have no leaders".into();
                    return Err(Refusal::Part { part: 2, message });
                }
                whole(Fact::Robot(robot, asked), kind, 2)
            }
            "tasks" => {
                let task = member(0, "task", &self.tasks)? as u32;
                match member(1, "task attribute", &["robots", "open"])? {
                    0 => whole(Fact::Workers(task), Type::Number, 2),
                    _ => whole(Fact::Open(task), Type::Truth, 2),
                }
            }
            _ => Err(Refusal::Unknown),
        }
    }

    /// A task that is compared with a text must exist.
    fn check_text(&self, fact: &Fact, text: &str) -> Result<(), String> {
        let task = matches!(fact, Fact::Robot(_, OfRobot::Task));
        if !task || text.is_empty() || self.tasks.contains(&text) {
            return Ok(());
        }
        Err(format!("there is no task `{text}`; there are {}", self.tasks.join(", ")))
    }
}

/// Whether a condition holds now.
pub(super) fn holds(condition: &Condition, model: &Model, state: &State, now: f64) -> bool {
    condition.holds(|fact| value(*fact, model, state, now))
}

fn value<'a>(fact: Fact, model: &'a Model, state: &'a State, now: f64) -> Value<'a> {
    match fact {
        Fact::Time => Value::Number(now),
        Fact::Progress => Value::Number(state.verdict.progress),
        Fact::Robot(robot, asked) => of_robot(robot, asked, model, state),
        Fact::Workers(task) => {
            let works =
                |robot: &RobotId| state.task_of(model, *robot).is_some_and(|t| u32::from(t.0) == task);
            Value::Number(model.robots().filter(works).count() as f64)
        }
        Fact::Open(task) => Value::Truth(state.operator.wants(task as usize)),
    }
}

fn of_robot<'a>(robot: RobotId, asked: OfRobot, model: &'a Model, state: &'a State) -> Value<'a> {
    let (body, software) = (&state.world.bodies[robot], &state.robots[robot].software);
    let active = software.active.filter(|_| !body.down());
    match asked {
        OfRobot::Task => {
            let task = state.task_of(model, robot);
            Value::Text(task.map_or("", |task| model.task_name(task)))
        }
        OfRobot::Behaviour => {
            let identity = &model.team[robot].identity;
            Value::Text(active.map_or("", |choice| &identity.behaviour(choice.behaviour).name))
        }
        OfRobot::Action => {
            let behaviour = active.map(|choice| model.team[robot].identity.behaviour(choice.behaviour));
            let stage = active.and_then(|_| software.skills().stage());
            let action = behaviour.zip(stage).and_then(|(spec, stage)| spec.actions.get(stage));
            Value::Text(action.map_or("", |action| &action.name))
        }
        OfRobot::X => Value::Number(body.pose.position.x),
        OfRobot::Y => Value::Number(body.pose.position.y),
        OfRobot::Energy => Value::Number(body.energy().unwrap_or(1.0)),
        OfRobot::Travelled => Value::Number(body.travelled),
        OfRobot::Holding => Value::Truth(body.holding.is_some()),
        OfRobot::Alive => Value::Truth(!body.down()),
        OfRobot::Leader => Value::Truth(!body.down() && software.skills().leads()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inventory() -> Inventory<'static> {
        Inventory { robots: vec!["blue", "rover-1"], tasks: vec!["find-locations"], ..Inventory::default() }
    }

    fn error(text: &str) -> (usize, String) {
        let error = Condition::parse(text, &inventory()).expect_err(text);
        (error.column, error.message)
    }

    #[test]
    fn conditions_in_the_documents_are_accepted() {
        for text in [
            r#"robots.blue.task == "find-locations" && time > 20.0"#,
            "progress >= 0.5 || !robots.blue.alive",
            "robots.blue.action == 'grasp' && robots.blue.x > 4.5",
            "robots['rover-1'].x - 1 < -2 * (3 + robots.rover-1.y)",
            "tasks.find-locations.robots == 0 && tasks.find-locations.open",
            "true != false",
        ] {
            assert!(Condition::parse(text, &inventory()).is_ok(), "{text}");
        }
    }

    #[test]
    fn errors_are_reported_with_their_positions() {
        assert_eq!(error("time >").0, 7);
        let (column, message) = error("robots.bleu.task == 'x'");
        assert!(column == 7 && message.contains("no robot `bleu`") && message.contains("blue"), "{message}");
        assert!(error("robots.blue.tusk == 'x'").1.contains("task"));
        let (column, message) = error("time > 20 s");
        assert!(column == 11, "{column} {message}");
        assert!(error("time > 20s").1.contains("seconds"));
        assert!(error("time + 1").1.contains("true or false"));
        assert!(error("time == 'now'").1.contains("two of the same kind"));
        assert!(error("speed > 1").1.contains("there is no `speed`"));
        assert!(error("(time > 1").1.contains("expected `)`"));
        assert!(error("'open").1.contains("no end"));
        assert!(error(&format!("time{} > 1", "+time".repeat(20_000))).1.contains("too long"));
        assert!(error("robots.blue.task == 'find-location'").1.contains("find-locations"));
        assert!(error("robots.blue.leader").1.contains("no leaders"));
        assert!(error("robots.blue.x-1 > 2").1.contains("spaces"));
        assert!(error("robots.blue > 2").1.contains("incomplete"));
        assert!(error("time.x > 2").1.contains("no further parts"));
        assert!(error(&"(".repeat(5000)).1.contains("deeply"));
        assert!(error(&"!".repeat(5000)).1.contains("deeply"));
        assert!(error("").1.contains("found the end"));
        assert!(error("time > 1 time").1.contains("an operator or the end"));
    }
}
