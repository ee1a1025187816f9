//! An event as a sentence for people. All wording is here and in [`Reason::text`]; nothing reads it again.

use super::{Event, EventKind, Plight, Reason, key};
use crate::robot_id::RobotId;
use crate::task::{Piece, TaskId};
use std::borrow::Cow;

/// Number of robots that a sentence names before it counts the rest.
const MOST_NAMES: usize = 5;

/// The names of robots and tasks.
pub trait Names {
    /// A robot's name.
    fn robot(&self, robot: RobotId) -> Cow<'_, str>;

    /// A task's name.
    fn task(&self, task: TaskId) -> Cow<'_, str>;

    /// Several robots' names.
    fn list(&self, robots: &[RobotId]) -> String {
        robots.iter().map(|robot| self.robot(*robot)).collect::<Vec<_>>().join(", ")
    }

    /// Several robots' names and the verb; the first few names if there are many.
    fn are(&self, robots: &[RobotId]) -> String {
        let verb = if robots.len() == 1 { "is" } else { "are" };
        match robots.len().checked_sub(MOST_NAMES).filter(|more| *more > 1) {
            Some(more) => format!("{} and {more} more {verb}", self.list(&robots[..MOST_NAMES])),
            None => format!("{} {verb}", self.list(robots)),
        }
    }

    /// A piece of work.
    fn title(&self, piece: Piece) -> String {
        let task = self.task(piece.task);
        if piece.subject == 0 { task.into() } else { format!("{task} {}", piece.subject) }
    }
}

impl Event {
    /// Why it happened, as text without a sentence around it, for places where the subject is visible. `None` if the kind says it
    /// all.
    pub fn because(&self, names: &dyn Names) -> Option<String> {
        match &self.reason {
            Some(reason) => Some(reason.text(&self.words, names)),
            None => (!self.words.is_empty()).then(|| self.words.to_string()),
        }
    }

    /// The event as a sentence.
    pub fn sentence(&self, names: &dyn Names) -> String {
        use EventKind as Kind;
        let words = &*self.words;
        let because = self.because(names);
        let why = || because.clone().unwrap_or_else(|| self.kind.description().to_string());
        let other = || self.other.map_or("a team-mate".into(), |robot| names.robot(robot));
        let thing = |otherwise: &str| self.thing.clone().unwrap_or_else(|| otherwise.to_string());
        let number = |name: &str| self.number(name).unwrap_or_default();
        let piece = self.task.map(|task| Piece { task, subject: self.subject });
        let title = || piece.map_or("it".to_string(), |piece| names.title(piece));
        match (self.kind, &self.reason) {
            // A robot's decision.
            (Kind::Waiting, None) => "motivation reached the threshold while a team-mate has the task".into(),
            (Kind::Hidden, None) => "a team-mate is better at the task, as far as was learned".into(),
            (Kind::Inhibited, None) => "another behaviour set is active".into(),
            (Kind::Patient, None) => "a team-mate is heard working on the task".into(),
            (Kind::Impatient, None) if self.other.is_some() => {
                "the team-mate has had the task for longer than it is given".into()
            }
            (Kind::Impatient, None) => "nobody is heard working on the task any more".into(),
            (Kind::Bored, None) => {
                "idle for a long time: tasks that others are better at are considered, too".into()
            }
            (Kind::Decided | Kind::Elected, None) => format!("after {}, {words}", thing("it")),
            (Kind::Allocated, None) => format!("of {}, {words}", thing("it")),
            (Kind::Barrier, None) => format!("has ended {}, {words}", thing("it")),
            // The market.
            (Kind::Issued, None) => format!("{} has to be done, and this robot auctions it", title()),
            (Kind::Announced, Some(_)) => format!("round {}: {}", number(key::ROUND), why()),
            (Kind::Auction | Kind::NoSale, _) if words.is_empty() => {
                format!("{}: {} bid; {}", title(), self.bidders(names), self.award(names))
            }
            (Kind::Withdrawn, None) => {
                format!("nobody has asked for {} for a while: it is done or cancelled", title())
            }
            (Kind::Completed, None) => format!("all parts of {} are done", title()),
            (Kind::Done, None) => format!("its part of {} is done", title()),
            (Kind::Rejected, _) => format!("{} was awarded, but {}", title(), why()),
            (Kind::GivenBack | Kind::Released, _) => format!("{}: {}", title(), why()),
            (Kind::ReAnnounced, Some(Reason::ReportedDone)) => {
                format!("{} was reported done, but it is not", title())
            }
            (Kind::ReAnnounced, _) => format!("{} is open again: {}", title(), why()),
            (Kind::GivenUp, Some(Reason::FailedOften(times))) => format!(
                "non-recoverable, reported to the operator: {} failed {times} times: {words}",
                title()
            ),
            (Kind::GivenUp, Some(Reason::OperatorGaveUp)) => {
                format!("the operator has given up {}: it is not auctioned any more", title())
            }
            (Kind::GivenUp, _) => {
                format!("non-recoverable for now, reported to the operator: {}: {}", title(), why())
            }
            (Kind::Setback, _) => format!("{}: recoverable, the action is tried again", why()),
            (Kind::Duplicate, None) => format!(
                "{} does the same: whoever has it from round {} keeps it",
                other(),
                number(key::ROUND)
            ),
            (Kind::TookChair, None) => "nobody before it in the queue is heard: it auctions now".into(),
            (Kind::LeftChair, None) => {
                "a robot before it in the queue is heard: that one auctions now".into()
            }
            (Kind::Bid, None) => "it adds most to the value of the path, and nobody bids more".into(),
            (Kind::Won, None) => "a team-mate agrees".into(),
            (Kind::Outbid, None) => "a team-mate bids more".into(),
            (Kind::TakenOver, None) => "a silent team-mate had it, and nobody bids more".into(),
            (Kind::Silent, None) => {
                "a team-mate has been silent for too long: its pieces are free again".into()
            }
            // The operator.
            (Kind::Question, Some(_)) => format!("{words} ({})", why()),
            (Kind::QuestionWithdrawn, None) => format!("no longer needs an answer: {words}"),
            (Kind::Answered, Some(_)) => format!("{} to: {words}", why()),
            (Kind::MessageRefused, None) => {
                let what = self.thing.as_ref().map_or(String::new(), |kind| format!(" ({kind})"));
                let (size, limit) = (number(key::BYTES), number(key::LIMIT));
                format!("a message{what} of {size} bytes is larger than the {limit} that the radio accepts")
            }
            // The world.
            (Kind::Disturbance, Some(_)) => format!("{words} ({})", why()),
            (Kind::DisturbanceOver, None) => format!("over: {words}"),
            (Kind::Contact, None) => match (&self.thing, self.other, self.number(key::OBJECT)) {
                (Some(thing), ..) => format!("ran into {thing}"),
                (None, Some(_), _) => "ran into a robot".into(),
                (None, None, Some(_)) => "ran into an object".into(),
                (None, None, None) => "ran into the border".into(),
            },
            (Kind::Contact, Some(Reason::Struck)) => format!("was hit by {}", thing("an object")),
            (Kind::Picked, None) => "took an item".into(),
            (Kind::Dropped, None) => match &self.thing {
                Some(area) => format!("put an item down in the {area}"),
                None => "put an item down outside all areas".into(),
            },
            (Kind::HandedOver, None) => "gave an item to a robot".into(),
            (Kind::Given, None) => format!("gave an item to {}", thing("a person")),
            (Kind::Arrived, None) => format!("{} comes in", thing("a person")),
            (Kind::State, Some(Reason::Became(state))) => format!("{} is {state}", thing("a place")),
            (Kind::Taken, Some(Reason::Took { stock, all: true })) => {
                format!("{} has no {stock} left", thing("an object"))
            }
            (Kind::Taken, Some(Reason::Took { stock, all: false })) => {
                format!("begins to take {stock} from {}", thing("an object"))
            }
            (Kind::AskedWay, None) => match self.number(key::DIRECTION) {
                Some(direction) => format!("{} points to {direction:.0}°", thing("a person")),
                None => format!("{} does not know the way", thing("a person")),
            },
            (Kind::ToldWay, None) => format!("goes to {:.0}°, as people pointed", number(key::DIRECTION)),
            (Kind::SeesGoal, None) => "sees the goal and goes there".into(),
            (Kind::FollowsPerson, None) => format!("follows {} across the street", thing("a person")),
            (Kind::Progress, None) => "measured in the world".into(),
            (Kind::MissionCompleted, None) => "nothing is left to do".into(),
            (Kind::Exhausted, None) => "out of energy: the robot stops".into(),
            (Kind::Lost, None) => match &self.thing {
                Some(thing) => format!("does not know where it is: no readings from {thing}"),
                None => "does not know where it is: its scans do not fit its map".into(),
            },
            (Kind::DeadReckoning, None) => "gets no scans: only odometry tells it where it is".into(),
            (Kind::Located, None) => "knows where it is again".into(),
            (Kind::Deadlock, None) => {
                format!("{} comes the other way where only one can pass: backs out", other())
            }
            (Kind::NoProgress, None) => {
                "active, but it stays where it is and has neither picked up nor put down anything".into()
            }
            (Kind::Stuck, Some(Reason::Stuck(plight))) => self.stuck(plight, names),
            (Kind::StuckOver, Some(Reason::Stuck(plight))) => {
                let after = span(number(key::SECONDS));
                match plight {
                    Plight::NoProgress => format!("the mission makes progress again, after {after}"),
                    Plight::Neglected => format!("{}: somebody goes for it after {after}", self.remains()),
                    Plight::Unstaffed(_) => format!("somebody works on {} again, after {after}", title()),
                    Plight::Circling => format!("is no longer stuck, after circling for {after}"),
                    Plight::Blocked => format!("is no longer stuck, after trying to move for {after}"),
                    Plight::Waiting => format!("is no longer stuck, after standing for {after}"),
                    Plight::WalledIn | Plight::DriveDead | Plight::EmergencyStop | Plight::CutOff => {
                        format!("is no longer stuck, after {after}; before: {}", why())
                    }
                }
            }
            _ => why(),
        }
    }

    /// How long who or what has been stuck where.
    fn stuck(&self, plight: &Plight, names: &dyn Names) -> String {
        let long = span(self.number(key::SECONDS).unwrap_or_default());
        let place = || self.place.map_or(String::new(), |at| format!(" at ({:.1}, {:.1})", at.x, at.y));
        let at = self.thing.as_ref().map_or_else(place, |area| format!(" in the {area}"));
        let against = match (&self.thing, self.other) {
            (Some(thing), _) => format!(" against {thing}"),
            (None, Some(robot)) => format!(" against {}", names.robot(robot)),
            (None, None) => String::new(),
        };
        let task = self.task.map_or("the work".into(), |task| names.task(task));
        let more = match self.number(key::MORE) {
            Some(more) => format!("; the same is true of {more} more"),
            None => String::new(),
        };
        match plight {
            Plight::Circling => format!("has circled{at} for {long} without any progress, on {task}"),
            Plight::Blocked => {
                format!("has tried to move{place}{against} for {long} in vain, on {task}", place = place())
            }
            Plight::Waiting => format!("has stood{at} for {long} while nothing progresses, on {task}"),
            Plight::Neglected => format!("{}: nobody has gone for it for {long}{more}", self.remains()),
            Plight::Unstaffed(idle) => {
                format!("nobody has worked on {task} for {long}, while {} idle", names.are(idle))
            }
            Plight::NoProgress => format!("the mission has made no progress for {long}"),
            Plight::WalledIn | Plight::DriveDead | Plight::EmergencyStop | Plight::CutOff => {
                format!("{}, for {long}", Reason::Stuck(plight.clone()).text("", names))
            }
        }
    }

    /// What is left to do, and where.
    fn remains(&self) -> String {
        let thing = self.thing.as_deref().unwrap_or("something");
        let number = self.number(key::ITEM);
        let what = number.map_or(thing.to_string(), |item| format!("item {item} ({thing})"));
        let verb = if number.is_some() { "lies" } else { "is left" };
        self.place.map_or(what.clone(), |at| format!("{what} {verb} at ({:.1}, {:.1})", at.x, at.y))
    }

    /// All bids as text.
    fn bidders(&self, names: &dyn Names) -> String {
        // If all bids are for the whole, the parts are not named.
        let parts = self.bids.iter().any(|bid| Some(bid.part) != self.task);
        let bid = |bid: &super::Bid| {
            let name = names.robot(bid.robot);
            if parts {
                format!("{name} {:.0} for {}", bid.value, names.task(bid.part))
            } else {
                format!("{name} {:.0}", bid.value)
            }
        };
        if self.bids.is_empty() {
            return "nobody".into();
        }
        self.bids.iter().map(bid).collect::<Vec<_>>().join(", ")
    }

    /// The winners as text.
    fn award(&self, names: &dyn Names) -> String {
        let winners: Vec<RobotId> = self.bids.iter().filter(|bid| bid.won).map(|bid| bid.robot).collect();
        let verb = match winners.len() {
            0 => return "nobody gets it".into(),
            1 => "gets it",
            _ => "get it",
        };
        let how = match &self.reason {
            Some(reason @ Reason::Awarded { plan: Some(_) }) => format!(" {}", reason.text("", names)),
            _ => String::new(),
        };
        let value = self.number(key::VALUE).map_or(String::new(), |value| format!(" for {value:.0}"));
        format!("{} {verb}{how}{value}", names.list(&winners))
    }
}

/// A duration in words: seconds up to two minutes, then minutes, then hours. [s]
pub fn span(seconds: f64) -> String {
    if seconds < 120.0 {
        format!("{seconds:.0} s")
    } else if seconds < 7200.0 {
        format!("{:.0} min", seconds / 60.0)
    } else {
        format!("{:.1} h", seconds / 3600.0)
    }
}
