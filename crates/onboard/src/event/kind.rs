//! The kinds of events: one declaration gives each its name in files, its topic, and a description.

use serde::{Serialize, Serializer};
use std::fmt;

/// The topic of an event. Readers choose marks, colours and filters by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// A robot decides what to work on, or changes its mind.
    Decision,
    /// Robots agree on who does what.
    Market,
    /// A robot finds something out, or learns.
    Knowledge,
    /// A step of the work.
    Work,
    /// Something is finished.
    Done,
    /// Something went wrong unplanned.
    Trouble,
    /// The operator is asked, or answers.
    Question,
    /// A disturbance starts or ends.
    Disturbance,
    /// Something happens in the world.
    World,
}

macro_rules! kinds {
    ($($topic:ident { $($kind:ident $name:literal $text:literal)+ })+) => {
        /// What happened.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum EventKind {
            $($(#[doc = $text] $kind,)+)+
        }

        impl EventKind {
            /// All kinds.
            pub const ALL: &'static [EventKind] = &[$($(EventKind::$kind,)+)+];

            /// Its name in files.
            pub fn name(self) -> &'static str {
                match self { $($(EventKind::$kind => $name,)+)+ }
            }

            /// A one-line description.
            pub fn description(self) -> &'static str {
                match self { $($(EventKind::$kind => $text,)+)+ }
            }

            /// Its topic.
            pub fn topic(self) -> Topic {
                match self { $($(EventKind::$kind)|+ => Topic::$topic,)+ }
            }
        }
    };
}

kinds! {
    Decision {
        Activated "activated" "A robot begins to work on a task."
        Waiting "waiting" "A robot wants a task that a team-mate has."
        Ended "ended" "A robot's work on a task is over."
        Yielded "yielded" "A robot leaves a task to a team-mate that has it or wants it."
        Inhibited "inhibited" "A behaviour set waits because another one is active."
        Hidden "hidden" "A robot leaves a task to a team-mate that is better at it, as it has learned."
        Reset "reset" "A robot resets its motivation for a task, or its bid."
        Patient "patient" "A robot begins to wait for a team-mate's work."
        Impatient "impatient" "A robot stops waiting for a team-mate's work."
        Bored "bored" "An idle robot also considers tasks that others are better at."
        Leads "leads" "A robot becomes the leader of its group."
        Resigned "resigned" "A robot stops leading its group."
        JoinsGroup "joins-group" "A robot chooses a group."
        ChangesGroup "changes-group" "A robot chooses another group."
        Estimated "estimated" "A robot estimates the rewards of its alternatives and takes one of them."
        Decided "decided" "A group has decided what follows."
        Allocated "allocated" "A group has divided its work."
        Elected "elected" "A group has elected somebody who decides."
        Barrier "barrier" "A robot has ended a behaviour and waits for the rest of its group."
        ViewChanged "view-changed" "The team has agreed on who belongs to it."
        Rejoined "rejoined" "A robot that had stopped hears enough of its team again."
    }
    Market {
        Issued "issued" "A piece of work comes to the market."
        Announced "announced" "An auctioneer asks robots for bids."
        Auction "auction" "An auction ends with an award."
        NoSale "no-sale" "An auction ends without an award."
        Rejected "rejected" "A robot rejects an award."
        GivenBack "given-back" "A robot returns awarded work."
        Released "released" "A robot drops a piece of work because of others or of its plan."
        ReAnnounced "re-announced" "A piece of work is open again."
        Withdrawn "withdrawn" "A piece of work leaves the market because nobody asks for it."
        Duplicate "duplicate" "A robot notices that another one does the same work."
        TookChair "took-chair" "A robot becomes the team's auctioneer."
        LeftChair "left-chair" "A robot leaves the auctions to another robot."
        Bid "bid" "A robot puts a piece of work into its bundle."
        Won "won" "A team-mate agrees that the robot has a piece of work."
        Outbid "outbid" "A team-mate bids more for a piece of the robot's bundle."
        TakenOver "taken-over" "A robot takes over a piece of work that a silent team-mate had."
        Silent "silent" "A team-mate has been silent for too long: its work is free again."
    }
    Knowledge {
        Learned "learned" "A robot records how long a task took."
        FoundLocations "found-locations" "A robot has found the places of the mission."
        LocationsWrong "locations-wrong" "A robot discards the places that it had found."
        FoundDimensions "found-dimensions" "A robot has found the dimensions of a room."
        NotDusty "not-dusty" "A robot finds that something needs no dusting."
        Doubt "doubt" "A robot looks again for work that it believed to be done."
        Located "located" "A robot knows again where it is."
        Ordered "ordered" "A guidance vehicle has told a robot what is wanted now."
        ToldWay "told-way" "A robot has understood in which direction people point it."
        SeesGoal "sees-goal" "A robot sees the place that it looks for."
        Settled "settled" "A robot knows what became of a decision."
    }
    Work {
        Setback "setback" "An action fails, and the robot retries it."
        JoinedGroup "joined-group" "A robot has reached its group."
        BoundPassedOver "bound-passed-over" "A group does not wait for the other group's bound."
        OrderTaken "order-taken" "A person has told a robot what to bring."
        FollowsPerson "follows-person" "A robot follows a person."
        Dusted "dusted" "A piece of furniture is dusted, as far as the robot can tell."
        Done "done" "A robot's part of a piece of work is done."
    }
    Done {
        Completed "completed" "All parts of a piece of work are done."
        MissionCompleted "mission-completed" "Nothing is left to do."
        SpillCleared "spill-cleared" "A spill is cleared, as far as the robot can tell."
        QuadrantCleaned "quadrant-cleaned" "A quadrant of the floor is cleaned, as far as the robot can tell."
        BoundCompleted "bound-completed" "A group has arrived at its waypoint."
        Reported "reported" "A robot has reported progress."
        Served "served" "A person has received the order."
    }
    Trouble {
        Failed "failed" "A robot's work failed."
        LeftToOthers "left-to-others" "A robot makes no progress with a task and leaves it to others for a while."
        GivenUp "given-up" "The team gives a piece of work up: nobody can do it, it failed too often, or the operator says so."
        Exhausted "exhausted" "A robot is out of energy."
        SearchedInVain "searched-in-vain" "A robot has searched for a long time and found nothing."
        DumpingInVain "dumping-in-vain" "A robot has tried to empty a can without success."
        NoProgress "no-progress" "A working robot makes no progress."
        OutOfReach "out-of-reach" "Progress stands still, and something that must be reached for the mission is out of every robot's reach."
        MessageRefused "message-refused" "A message is too large for the robot's radio."
        Lost "lost" "A robot does not know where it is."
        DeadReckoning "dead-reckoning" "A robot that locates itself gets no scans: odometry alone tells it where it is."
        Deadlock "deadlock" "Two robots block each other where only one can pass, and one of them backs out."
        Stranded "stranded" "A robot hears too few of its team to decide anything, and stops."
        Split "split" "Robots of one group have gone different ways."
        DecisionRefused "decision-refused" "Software outside the simulator gave no valid decision for a robot."
    }
    Question {
        Question "question" "A robot asks the operator."
        QuestionWithdrawn "question-withdrawn" "A question no longer needs an answer."
        Answered "answered" "A robot hears the operator's answer."
    }
    Disturbance {
        Disturbance "disturbance" "A disturbance happens."
        DisturbanceDelayed "disturbance-delayed" "A disturbance, or its end, has to wait."
        DisturbanceOver "disturbance-over" "A disturbance is over."
        Refused "refused" "An intervention by a person is no longer possible."
    }
    World {
        Contact "contact" "A robot runs into something."
        Picked "picked" "A robot takes an item."
        Dropped "dropped" "A robot puts an item down."
        HandedOver "handed-over" "A robot gives an item to another one."
        Given "given" "A robot gives an item to a person."
        Arrived "arrived" "A person comes in."
        Taken "taken" "A robot takes the first or the last of a stock, such as dust."
        State "state" "A robot changes a state, such as a lit sign or an order that was taken."
        AskedWay "asked-way" "A robot has asked a person the way."
        Progress "progress" "The mission's progress changes."
        Trial "trial" "A trial of an experiment is over, and the referee prepares the next one."
    }
    Trouble {
        Stuck "stuck" "A robot at work gets nowhere, or nobody does what is left to do."
    }
    Work {
        StuckOver "stuck-over" "Something that was stuck gets on again."
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

/// By name, so that reordering the kinds does not change result hashes.
impl Serialize for EventKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_kebab_case_and_descriptions_are_sentences() {
        for kind in EventKind::ALL {
            let mut spelled = String::new();
            for letter in format!("{kind:?}").chars() {
                if letter.is_uppercase() && !spelled.is_empty() {
                    spelled.push('-');
                }
                spelled.push(letter.to_ascii_lowercase());
            }
            assert_eq!(kind.name(), spelled);
            assert!(kind.description().ends_with('.'), "{kind}");
        }
        let names: BTreeSet<&str> = EventKind::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(names.len(), EventKind::ALL.len());
    }
}
