//! Evaluates a condition on the state of a run.

use super::{Node, OfRobot, Operator};
use crate::model::Model;
use crate::state::State;

/// Whether a condition holds.
pub(super) fn holds(root: &Node, model: &Model, state: &State, now: f64) -> bool {
    Evaluation { model, state, now }.truth(root)
}

enum Value<'a> {
    Number(f64),
    Text(&'a str),
    Truth(bool),
}

struct Evaluation<'a> {
    model: &'a Model,
    state: &'a State,
    now: f64,
}

impl<'a> Evaluation<'a> {
    fn value(&self, node: &'a Node) -> Value<'a> {
        match node {
            Node::Number(number) => Value::Number(*number),
            Node::Text(text) => Value::Text(text),
            Node::Truth(truth) => Value::Truth(*truth),
            Node::Time => Value::Number(self.now),
            Node::Progress => Value::Number(self.state.verdict.progress),
            Node::Robot(robot, asked) => self.of_robot(*robot as usize, *asked),
            Node::Workers(task) => Value::Number(self.workers(*task as usize) as f64),
            Node::Open(task) => Value::Truth(self.state.operator.wants(*task as usize)),
            Node::Not(inner) => Value::Truth(!self.truth(inner)),
            Node::Negative(inner) => Value::Number(-self.number(inner)),
            Node::Both(operator, left, right) => self.both(*operator, left, right),
        }
    }

    fn number(&self, node: &'a Node) -> f64 {
        // Types were checked when the condition was read.
        match self.value(node) {
            Value::Number(number) => number,
            _ => f64::NAN,
        }
    }

    fn truth(&self, node: &'a Node) -> bool {
        matches!(self.value(node), Value::Truth(true))
    }

    fn both(&self, operator: Operator, left: &'a Node, right: &'a Node) -> Value<'a> {
        let truth = Value::Truth;
        let number = |of: fn(f64, f64) -> f64| Value::Number(of(self.number(left), self.number(right)));
        let compare = |of: fn(&f64, &f64) -> bool| truth(of(&self.number(left), &self.number(right)));
        match operator {
            Operator::Or => truth(self.truth(left) || self.truth(right)),
            Operator::And => truth(self.truth(left) && self.truth(right)),
            Operator::Equal => truth(self.equal(left, right)),
            Operator::Unequal => truth(!self.equal(left, right)),
            Operator::Less => compare(f64::lt),
            Operator::AtMost => compare(f64::le),
            Operator::Greater => compare(f64::gt),
            Operator::AtLeast => compare(f64::ge),
            Operator::Plus => number(|a, b| a + b),
            Operator::Minus => number(|a, b| a - b),
            Operator::Times => number(|a, b| a * b),
            Operator::Over => number(|a, b| a / b),
        }
    }

    fn equal(&self, left: &'a Node, right: &'a Node) -> bool {
        match (self.value(left), self.value(right)) {
            (Value::Number(a), Value::Number(b)) => a == b,
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::Truth(a), Value::Truth(b)) => a == b,
            _ => false,
        }
    }

    fn workers(&self, task: usize) -> usize {
        let robots = 0..self.state.robots.len();
        robots
            .filter(|robot| self.state.task_of(self.model, *robot).is_some_and(|t| usize::from(t.0) == task))
            .count()
    }

    fn of_robot(&self, robot: usize, asked: OfRobot) -> Value<'a> {
        let (body, software) = (&self.state.world.bodies[robot], &self.state.robots[robot].software);
        let active = software.active.filter(|_| !body.down());
        match asked {
            OfRobot::Task => {
                let task = self.state.task_of(self.model, robot);
                Value::Text(task.map_or("", |task| self.model.task_name(task)))
            }
            OfRobot::Behaviour => {
                let identity = &self.model.team[robot].identity;
                Value::Text(active.map_or("", |choice| &identity.behaviour(choice.behaviour).name))
            }
            OfRobot::Action => {
                let behaviour =
                    active.map(|choice| self.model.team[robot].identity.behaviour(choice.behaviour));
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
}
