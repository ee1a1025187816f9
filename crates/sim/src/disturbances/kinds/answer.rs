//! The operator answers a robot's question.

use super::super::about::{About, Subject};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use crewlab_onboard::Question;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The operator answers a question by radio. Waits for a question that was not asked yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Answer {
    /// The robot that asked.
    pub robot: String,
    /// The number of its question, counted from 1.
    #[schemars(range(min = 1))]
    pub question: u32,
    /// One of the question's choices.
    pub choice: String,
}

impl Disturb for Answer {
    const ABOUT: About = About {
        listed: false,
        ..About::new(
            Subject::Question,
            "the operator answers a robot's question with one of its choices, by radio; waits for a question that was not asked yet",
            "{at: 3 min, answer: {robot: blue, question: 1, choice: give up}}",
        )
    };

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        inventory.robot("robot", &self.robot)?;
        if self.question == 0 {
            return Err(Complaint::new("question", "questions are counted from 1"));
        }
        if self.choice.trim().is_empty() {
            return Err(Complaint::new("choice", "an answer must be one of the choices of the question"));
        }
        Ok(())
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let Some(robot) = scene.model.robot(&self.robot) else {
            return Attempt::NotYet(format!("there is no robot {}", self.robot));
        };
        let open = scene.state.robots[robot].software.questions();
        let Some(asked) = open.iter().find(|question| question.number == self.question) else {
            return Attempt::NotYet(format!("{} has no open question {}", self.robot, self.question));
        };
        let Question { choices, text, .. } = asked;
        let Some(choice) = choices.iter().position(|choice| *choice == self.choice) else {
            let known = choices.join("`, `");
            return Attempt::NotYet(format!(
                "`{}` is not an answer to: {text} Accepted: `{known}`",
                self.choice
            ));
        };
        scene.state.operator.answer(scene.now, robot, self.question, choice as u8);
        let (question, choice) = (self.question, &self.choice);
        let what = |name: &str| format!("the operator answers `{choice}` to question {question} of {name}");
        scene.done_to(&[robot], what)
    }
}
