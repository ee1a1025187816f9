//! Why something happened, as data.

use super::plight::Plight;
use super::sentence::Names;
use crate::estimate::{Appraisal, Settlement};
use crate::robot_id::RobotId;
use crate::task::Piece;
use serde::Serialize;

/// Why a disturbance happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Cause {
    /// Planned for a fixed time.
    Planned,
    /// Planned for a random time within a span.
    PlannedWithin,
    /// Planned repeatedly; the number of times so far.
    Repeated(u32),
    /// Because a condition became true.
    Condition(String),
    /// At random; the number of times so far.
    Chance(u32),
    /// Because somebody called it by this name.
    Called(String),
}

impl Cause {
    /// The cause in words.
    pub fn text(&self) -> String {
        match self {
            Cause::Planned => "planned".into(),
            Cause::PlannedWithin => "planned, at a drawn time".into(),
            Cause::Repeated(number) => format!("planned, no. {number}"),
            Cause::Condition(condition) => format!("because {condition}"),
            Cause::Chance(number) => format!("by chance, no. {number}"),
            Cause::Called(name) => format!("called as {name}"),
        }
    }
}

/// Why something happened, if its kind alone does not say it. New reasons go to the end of the list: the position is part of the
/// result hash.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Reason {
    /// The motivation for a task reached the threshold.
    ThresholdReached,
    /// It is the nearest.
    Nearest,
    /// It was drawn at random.
    Drawn,
    /// It is the first piece of the robot's path.
    FirstOfPath,
    /// It is the cheapest of the tasks that several may do.
    CheapestShared,
    /// Several may do it at a time.
    NoAuctionNeeded,
    /// The robot won it, or its part of it.
    Won {
        /// The piece of work.
        piece: Piece,
        /// In which auction.
        round: u32,
        /// Together with these robots.
        with: Vec<RobotId>,
    },
    /// It makes no sense any more.
    NoLongerApplicable,
    /// It is done.
    Done,
    /// Nobody wants it now.
    Unwanted,
    /// A team-mate mentioned the task for the first time.
    SpokenOf,
    /// The team disagrees on who has it.
    Disagreement,
    /// A team-mate with precedence took the task at the same time.
    TakenAtOnce,
    /// A team-mate with precedence works on the task.
    Outranked,
    /// The time before yielding is over and a team-mate wants the task.
    TimeToYield,
    /// The time before giving up is over.
    TimeToGiveUp,
    /// There was no progress for too long.
    Stalled,
    /// A task was done from beginning to end.
    DoneWhole,
    /// A task was interrupted.
    BrokenOff,
    /// A part of a task took longer than was expected of the whole.
    PartTookLong,
    /// It was planned after something that is lost or ended.
    PlannedAfterLost,
    /// Pieces of work are offered to robots.
    Offered {
        /// The pieces.
        pieces: Vec<Piece>,
        /// The robots.
        to: Vec<RobotId>,
        /// True if one of the pieces was offered before.
        again: bool,
    },
    /// The robot is committed to something else.
    Engaged,
    /// The robot's bid was for another auction, or is too old.
    StaleBid,
    /// There is no such plan.
    NoSuchPlan,
    /// The award is not for this robot.
    NotForIt,
    /// A plan's parts and the robots of an award do not match.
    PartsDoNotFit,
    /// The robot can no longer do it.
    Unable,
    /// These robots did not confirm an award.
    Unconfirmed(Vec<RobotId>),
    /// This partner did not confirm its part.
    PartUnconfirmed(RobotId),
    /// A partner did not confirm in time.
    ConfirmationLate,
    /// This robot fell silent.
    FellSilent(RobotId),
    /// This robot gave it back.
    GaveBack(RobotId),
    /// This robot does something else.
    DoesOther(RobotId),
    /// This robot says so; the event's words are what it says.
    Says(RobotId),
    /// Another robot has it from an older auction.
    OlderRound,
    /// It can no longer be done in this way.
    WayBlocked,
    /// The reward fell below what was pledged.
    RewardFell {
        /// The reward expected now. [s]
        to: f64,
        /// The reward pledged. [s]
        pledged: f64,
    },
    /// It was reported done, but it is not.
    ReportedDone,
    /// It failed too often; the event's words are what went wrong.
    FailedOften(u32),
    /// Nobody in reach has the capabilities.
    NobodyCan,
    /// The operator said so.
    OperatorGaveUp,
    /// Robots take it by a plan of this name; without one a robot does it alone.
    Awarded {
        /// The plan's name.
        plan: Option<String>,
    },
    /// The operator can choose among these answers.
    Choices(Vec<String>),
    /// The operator chose this answer.
    Answer(String),
    /// A disturbance.
    Disturbed {
        /// Why it happened.
        cause: Cause,
        /// Its duration, unless it is permanent. [s]
        lasts: Option<f64>,
    },
    /// A moving object hit the robot.
    Struck,
    /// Something is in this state now.
    Became(String),
    /// A robot takes of a stock.
    Took {
        /// The stock's name.
        stock: String,
        /// True if it took the last of it.
        all: bool,
    },
    /// Somebody or something is stuck.
    Stuck(Plight),
    /// What a robot knew and expected when it decided.
    Estimated(Box<Appraisal>),
    /// What became of a decision.
    Settled(Settlement),
    /// Another way to do the work is worth more by now.
    BetterWay,
}

impl Reason {
    /// The reason as text. `words` are those of the event: what a plug-in or a team-mate says.
    pub fn text(&self, words: &str, names: &dyn Names) -> String {
        let text = match self {
            Reason::ThresholdReached => "motivation reached the threshold and nobody else has the task",
            Reason::Nearest => "the nearest applicable task that nobody was heard on",
            Reason::Drawn => "drawn among the applicable tasks that nobody was heard on",
            Reason::FirstOfPath => "the first piece of the path, and nobody bids more",
            Reason::CheapestShared => "the cheapest shared task, as there is nothing to bid for",
            Reason::NoAuctionNeeded => "several may do it at a time: no auction is needed",
            Reason::Won { piece, round, with } => {
                let title = names.title(*piece);
                return match with.as_slice() {
                    [] => format!("won {title} in round {round}"),
                    with => format!("won its part of {title} in round {round}, with {}", names.list(with)),
                };
            }
            Reason::NoLongerApplicable => "no longer applicable",
            Reason::Done => "it is done",
            Reason::Unwanted => "it is not wanted now",
            Reason::SpokenOf => "a team-mate mentioned the task for the first time",
            Reason::Disagreement => "the team disagrees on who has it: it is bid for again",
            Reason::TakenAtOnce => "a team-mate with a lower priority number took the task at the same time",
            Reason::Outranked => "a team-mate with a lower priority number works on the task",
            Reason::TimeToYield => {
                "active for longer than the time before yielding and a team-mate wants the task"
            }
            Reason::TimeToGiveUp => "active for longer than the time before giving up",
            Reason::Stalled => "no progress for longer than it should take: it is left to others",
            Reason::DoneWhole => "the task was done from beginning to end",
            Reason::BrokenOff => "the task was interrupted: it takes at least as long as was expected",
            Reason::PartTookLong => {
                "only a part of the task was done, and that took longer than was expected of all of it"
            }
            Reason::PlannedAfterLost => "it was planned after a piece that is lost or ended",
            Reason::Offered { pieces, to, again } => {
                let titles: Vec<String> = pieces.iter().map(|piece| names.title(*piece)).collect();
                let word = if *again { "announced again" } else { "announced" };
                return format!("{} {word} to {}", titles.join(", "), names.list(to));
            }
            Reason::Engaged => "the robot is committed to something else by now",
            Reason::StaleBid => "its bid was for another auction, or is too old",
            Reason::NoSuchPlan => "there is no such plan",
            Reason::NotForIt => "the award is not for this robot",
            Reason::PartsDoNotFit => "its parts and its robots do not match",
            Reason::Unable => "it can no longer do it",
            Reason::Unconfirmed(robots) => return format!("{} did not confirm", names.list(robots)),
            Reason::PartUnconfirmed(robot) => {
                return format!("{} did not confirm its part", names.robot(*robot));
            }
            Reason::ConfirmationLate => "a partner did not confirm in time",
            Reason::FellSilent(robot) => return format!("{} fell silent", names.robot(*robot)),
            Reason::GaveBack(robot) => return format!("{} gave it back", names.robot(*robot)),
            Reason::DoesOther(robot) => return format!("{} does something else", names.robot(*robot)),
            Reason::Says(robot) => return format!("{} says: {words}", names.robot(*robot)),
            Reason::OlderRound => "another robot has it from an older round",
            Reason::WayBlocked => "it can no longer be done in this way",
            Reason::RewardFell { to, pledged } => {
                return format!("the reward fell to {to:.0}, below the pledged {pledged:.0}");
            }
            Reason::ReportedDone => "it was reported done, but it is not",
            Reason::FailedOften(times) => return format!("it failed {times} times: {words}"),
            Reason::NobodyCan => "nobody in reach has the capabilities",
            Reason::OperatorGaveUp => "the operator has given it up",
            Reason::Awarded { plan: None } => "one robot does it alone",
            Reason::Awarded { plan: Some(plan) } => return format!("as {plan}"),
            Reason::Choices(choices) => return choices.join(" / "),
            Reason::Answer(choice) => return format!("the operator's answer is `{choice}`"),
            Reason::Disturbed { cause, lasts } => {
                let span = lasts.map(|seconds| format!(", for {seconds} s")).unwrap_or_default();
                return format!("{}{span}", cause.text());
            }
            Reason::Struck => "a moving object hit it",
            Reason::Became(state) => return format!("it is {state}"),
            Reason::Took { stock, all: true } => return format!("no {stock} is left"),
            Reason::Took { stock, all: false } => return format!("{stock} is taken from it"),
            Reason::Stuck(plight) => match plight {
                Plight::Circling => "drives around within a small circle",
                Plight::Blocked => "tries to move and stays where it is",
                Plight::Waiting => "stands still, and so does the mission",
                Plight::WalledIn => "cannot move: walled in",
                Plight::DriveDead => "cannot move: its drive is dead",
                Plight::EmergencyStop => "cannot move: its emergency stop is pressed",
                Plight::CutOff => "has stopped: it hears too few of its team",
                Plight::Neglected => "nobody goes for it",
                Plight::Unstaffed(idle) => {
                    return format!("nobody works on it, and {} idle", names.are(idle));
                }
                Plight::NoProgress => "the mission makes no progress",
            },
            Reason::Estimated(appraisal) => {
                let all: Vec<String> = appraisal.estimates.iter().map(|one| one.text()).collect();
                return all.join("; ");
            }
            Reason::BetterWay => "the reward fell, and this way is worth more by now",
            Reason::Settled(Settlement { success, cost, reward, .. }) => {
                let end = if *success { "done" } else { "failed" };
                return format!("{end} at a cost of {cost:.1}, which leaves a reward of {reward:.1}");
            }
        };
        text.to_string()
    }
}
