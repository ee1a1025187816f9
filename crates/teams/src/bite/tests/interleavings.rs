//! All interleavings of a small council: three members, of which two may lead; every order in which messages can arrive, with one message
//! lost or one member stopped. No two of them ever decide differently, and a view that is decided is respected.

use crate::bite::council::{Council, Entry, Member, Motion, View};
use crewlab_onboard::RobotId;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What members propose: their number, or a view without the last member.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Word(u8, Option<View>);

impl Entry for Word {
    fn view(&self) -> Option<&View> {
        self.1.as_ref()
    }
}

#[derive(Clone)]
struct World {
    members: Vec<Council<Word>>,
    stopped: Option<usize>,
    /// Messages under way: from, to.
    air: Vec<(usize, usize, Motion<Word>)>,
    /// What each has learned, place by place.
    learned: Vec<Vec<Word>>,
    may_lose: bool,
    may_stop: bool,
    campaigns: u8,
    /// What each of the two leaders may still propose.
    proposals: [u8; 2],
    /// True if the first proposal is a view without the last member.
    regroups: bool,
}

fn member(place: usize) -> Member {
    Member { robot: RobotId(place as u16), life: 0 }
}

impl World {
    fn new(may_lose: bool, may_stop: bool, regroups: bool) -> World {
        let view = View((0..3).map(member).collect());
        World {
            members: (0..3).map(|place| Council::new(member(place), view.clone())).collect(),
            stopped: None,
            air: Vec::new(),
            learned: vec![Vec::new(); 3],
            may_lose,
            may_stop,
            campaigns: u8::from(!regroups),
            proposals: [1, 1],
            regroups,
        }
    }

    fn after(&mut self, place: usize, say: Vec<Motion<Word>>) {
        while let Some(word) = self.members[place].take() {
            self.learned[place].push(word);
        }
        for motion in say {
            // Answers matter to whoever asked. Those who overhear them learn decisions sooner, which rehearsals try with chance; here it
            // would only make more worlds.
            let asked = match &motion {
                Motion::Promise { ballot, .. } | Motion::Accept { ballot, .. } => {
                    Some(ballot.leader.robot.index())
                }
                Motion::Decided { .. } if !self.regroups => continue,
                _ => None,
            };
            let hears = |to: &usize| {
                *to != place && self.stopped != Some(*to) && asked.is_none_or(|asked| asked == *to)
            };
            for to in (0..3).filter(hears) {
                self.air.push((place, to, motion.clone()));
            }
        }
    }

    /// What can happen next.
    fn successors(&self) -> Vec<World> {
        let mut worlds = Vec::new();
        for place in 0..self.air.len() {
            let mut next = self.clone();
            let (from, to, motion) = next.air.remove(place);
            let mut say = Vec::new();
            next.members[to].hear(member(from), motion, &mut say);
            next.after(to, say);
            worlds.push(next);
            if self.may_lose {
                let mut next = self.clone();
                next.air.remove(place);
                next.may_lose = false;
                worlds.push(next);
            }
        }
        for place in (0..2).filter(|place| self.stopped != Some(*place)) {
            if self.proposals[place] > 0 && self.members[place].can_propose() {
                let mut next = self.clone();
                next.proposals[place] -= 1;
                let view = (place == 0 && self.regroups).then(|| View(vec![member(0), member(1)]));
                let mut say = Vec::new();
                next.members[place].propose(Word(place as u8, view), &mut say);
                next.after(place, say);
                worlds.push(next);
            }
            if place == 1 && self.campaigns > 0 && !self.members[place].leads() {
                let mut next = self.clone();
                next.campaigns -= 1;
                let mut say = Vec::new();
                next.members[place].campaign(&mut say);
                next.after(place, say);
                worlds.push(next);
            }
        }
        if self.may_stop {
            for place in 0..3 {
                let mut next = self.clone();
                (next.stopped, next.may_stop) = (Some(place), false);
                next.air.retain(|(_, to, _)| *to != place);
                worlds.push(next);
            }
        }
        worlds
    }

    /// Tells worlds apart. The order of messages under way does not matter.
    fn key(&self) -> Vec<u8> {
        let mut air: Vec<Vec<u8>> =
            self.air.iter().map(|message| postcard::to_stdvec(message).expect("bytes")).collect();
        air.sort();
        let rest = (
            &self.members,
            &self.learned,
            self.stopped,
            self.may_lose,
            self.may_stop,
            self.campaigns,
            self.proposals,
        );
        let mut key = postcard::to_stdvec(&rest).expect("bytes");
        key.extend(air.concat());
        key
    }
}

/// Visits every reachable world; gives how many there are, and the sets of words that were decided at each place.
fn explore(start: World) -> (usize, BTreeMap<usize, BTreeSet<u8>>) {
    let mut seen: BTreeSet<u128> = BTreeSet::new();
    let mut decided: BTreeMap<usize, BTreeSet<u8>> = BTreeMap::new();
    let mut open = vec![start];
    while let Some(world) = open.pop() {
        assert!(seen.len() < 3_000_000, "too many worlds");
        for place in 0..2 {
            let at: BTreeSet<u8> =
                world.learned.iter().filter_map(|words| words.get(place)).map(|word| word.0).collect();
            assert!(at.len() <= 1, "two members decided differently at place {place}: {:?}", world.learned);
            decided.entry(place).or_default().extend(at);
        }
        for next in world.successors() {
            // Two independent 64-bit digests: with some hundred thousand worlds a coincidence is out of the question.
            let key = next.key();
            let digest = |start: u64, prime: u64| {
                key.iter()
                    .fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(prime).rotate_left(5))
            };
            let (low, high) =
                (digest(0xcbf2_9ce4_8422_2325, 0x0100_0000_01b3), digest(7, 0x9e37_79b9_7f4a_7c15));
            if seen.insert(u128::from(high) << 64 | u128::from(low)) {
                open.push(next);
            }
        }
    }
    (seen.len(), decided)
}

#[test]
fn no_order_of_messages_makes_two_members_decide_differently() {
    let (worlds, decided) = explore(World::new(false, false, false));
    assert!(worlds > 1000, "{worlds}");
    // Both leaders get their way in some order, so the test has seen them compete.
    assert!(decided[&0].len() >= 2, "{decided:?}");
}

#[test]
fn nor_while_the_view_changes() {
    let (worlds, _) = explore(World::new(false, false, true));
    assert!(worlds > 200, "{worlds}");
}

#[test]
fn nor_if_one_message_is_lost() {
    let (worlds, _) = explore(World::new(true, false, false));
    assert!(worlds > 3000, "{worlds}");
}

#[test]
fn nor_if_one_member_stops() {
    let (worlds, _) = explore(World::new(false, true, false));
    assert!(worlds > 3000, "{worlds}");
}
