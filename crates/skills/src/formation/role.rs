//! What a robot can do in the mission: one behaviour set each.

use super::colour::Colour;
use crewlab_onboard::{BehaviourSpec, Constraint, TaskId};
use serde::{Deserialize, Serialize};

/// A behaviour set, and the task that it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// Stands up.
    StandUp,
    /// Looks for the blue paper on the wall, and turns towards it.
    SearchBlue,
    /// Looks for the pink marker, and turns the way its robot faces.
    SearchPink,
    /// Walks towards the paper, ahead of the triangle.
    Lead,
    /// Walks to the left behind the leader.
    FollowLeft,
    /// Walks to the right behind the leader.
    FollowRight,
    /// Turns towards the paper on the far wall.
    LineUpFirst,
    /// Takes the place behind the first.
    LineUpSecond,
    /// Takes the place behind the second.
    LineUpThird,
    /// Walks to the far wall.
    LineLead,
    /// Walks behind the first.
    LineMiddle,
    /// Walks behind the second.
    LineLast,
    /// Lies down.
    End,
    /// Only keeps looking at its colour: work beside other work.
    Watch,
}

/// A group of roles that the team has at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Phase {
    /// Standing up.
    StandUp,
    /// Searching.
    Search,
    /// Walking in a triangle.
    Triangle,
    /// Lining up.
    LineUp,
    /// Walking in a line.
    Line,
    /// Lying down.
    End,
}

impl Role {
    /// All roles, in the order of the tasks.
    pub const ALL: [Role; 14] = [
        Role::StandUp,
        Role::SearchBlue,
        Role::SearchPink,
        Role::Lead,
        Role::FollowLeft,
        Role::FollowRight,
        Role::LineUpFirst,
        Role::LineUpSecond,
        Role::LineUpThird,
        Role::LineLead,
        Role::LineMiddle,
        Role::LineLast,
        Role::End,
        Role::Watch,
    ];

    /// The name of its behaviour set and of its task.
    pub fn name(self) -> &'static str {
        match self {
            Role::StandUp => "stand-up",
            Role::SearchBlue => "search-blue",
            Role::SearchPink => "search-pink",
            Role::Lead => "lead",
            Role::FollowLeft => "follow-left",
            Role::FollowRight => "follow-right",
            Role::LineUpFirst => "line-up-first",
            Role::LineUpSecond => "line-up-second",
            Role::LineUpThird => "line-up-third",
            Role::LineLead => "line-lead",
            Role::LineMiddle => "line-middle",
            Role::LineLast => "line-last",
            Role::End => "end",
            Role::Watch => "watch",
        }
    }

    /// What it is, in one line.
    pub fn summary(self) -> &'static str {
        match self {
            Role::StandUp => "stand up; every robot for itself",
            Role::SearchBlue => "find the blue paper on the wall and turn towards it",
            Role::SearchPink => "find the pink marker and turn the way its robot faces",
            Role::Lead => "walk towards the blue paper, ahead of the triangle",
            Role::FollowLeft => "walk to the left behind the leader",
            Role::FollowRight => "walk to the right behind the leader",
            Role::LineUpFirst => "turn towards the far wall, as the first of a line",
            Role::LineUpSecond => "take the second place of the line",
            Role::LineUpThird => "take the third place of the line",
            Role::LineLead => "walk to the far wall, ahead of the line",
            Role::LineMiddle => "walk behind the first of the line",
            Role::LineLast => "walk behind the second of the line",
            Role::End => "lie down; every robot for itself",
            Role::Watch => "keep looking at the colour that one follows, beside other work",
        }
    }

    /// Its task.
    pub fn task(self) -> TaskId {
        TaskId(self as u16)
    }

    /// The role of a task; `None` if there is no such task.
    pub fn of(task: TaskId) -> Option<Role> {
        Role::ALL.get(usize::from(task.0)).copied()
    }

    /// When the team has it; `None` for one that belongs to no time.
    pub fn phase(self) -> Option<Phase> {
        match self {
            Role::StandUp => Some(Phase::StandUp),
            Role::SearchBlue | Role::SearchPink => Some(Phase::Search),
            Role::Lead | Role::FollowLeft | Role::FollowRight => Some(Phase::Triangle),
            Role::LineUpFirst | Role::LineUpSecond | Role::LineUpThird => Some(Phase::LineUp),
            Role::LineLead | Role::LineMiddle | Role::LineLast => Some(Phase::Line),
            Role::End => Some(Phase::End),
            Role::Watch => None,
        }
    }

    /// True if it walks and needs to see its colour for that.
    pub fn walks(self) -> bool {
        matches!(self.phase(), Some(Phase::Triangle | Phase::Line))
    }

    /// Its place in the line; `None` if it has none.
    pub fn place(self) -> Option<usize> {
        match self {
            Role::LineUpFirst | Role::LineLead => Some(0),
            Role::LineUpSecond | Role::LineMiddle => Some(1),
            Role::LineUpThird | Role::LineLast => Some(2),
            _ => None,
        }
    }

    /// The place in the line of a robot with this marker, unless the team agrees on something else.
    pub fn usual_place(colour: Colour) -> Option<usize> {
        Colour::TEAM.into_iter().position(|each| each == colour)
    }

    /// The behaviour set.
    fn set(self) -> BehaviourSpec {
        let needs = match self {
            Role::StandUp | Role::End => Constraint::all(&["legs"]),
            Role::Watch => Constraint::all(&["head", "colour-camera"]),
            _ => Constraint::all(&["drive", "head", "colour-camera"]),
        };
        BehaviourSpec::new(self.name(), self.task()).action(self.name(), needs)
    }
}

/// The behaviour sets that robots can have.
pub fn sets() -> Vec<BehaviourSpec> {
    Role::ALL.map(Role::set).to_vec()
}
