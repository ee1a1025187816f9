//! join-group: waits for a random time, listens to who joins which team, chooses, and goes to the team's gathering point.

use super::knowledge::{Approach, Knowledge, Mate};
use super::route::Group;
use crewlab_onboard::{Behaviour, Command, Event, EventKind, Output, RobotId, Situation, Time};
use serde::{Deserialize, Serialize};

/// A robot that has chosen a team.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member<'a> {
    /// Its place in the fixed order.
    pub order: (i32, RobotId),
    /// The name of its type.
    pub kind: &'a str,
    /// Its team.
    pub group: Group,
    /// True once it was at the gathering point: it stays.
    pub joined: bool,
}

fn member(mate: &Mate) -> Option<Member<'_>> {
    let report = &mate.report;
    let group = report.group?;
    Some(Member { order: mate.order(), kind: &report.kind, group, joined: report.joined })
}

fn size(group: Group, members: &[Member]) -> usize {
    members.iter().filter(|member| member.group == group).count()
}

fn size_of_kind(group: Group, kind: &str, members: &[Member]) -> usize {
    members.iter().filter(|member| member.group == group && member.kind == kind).count()
}

/// The team with the fewest robots of this kind, then the smaller team, then the nearer one.
pub fn choose(kind: &str, handy: Group, members: &[Member]) -> Group {
    let load = |group: Group| (size_of_kind(group, kind, members), size(group, members));
    if load(handy) <= load(handy.other()) { handy } else { handy.other() }
}

/// True if this member must change to the other team because several chose at once. Its team must have two more of its kind than
/// the other; or be larger by two and have one more of its kind. Of all members that could change for the same reason and have not
/// joined yet, only the last in the fixed order does. `others` is everybody else.
pub fn must_change(me: &Member, others: &[Member]) -> bool {
    let (mine, other) = (me.group, me.group.other());
    let surplus = |kind: &str| {
        let here = size_of_kind(mine, kind, others) + usize::from(kind == me.kind);
        here.saturating_sub(size_of_kind(other, kind, others))
    };
    let candidates = || others.iter().filter(|member| member.group == mine && !member.joined);
    let last = |reason: &dyn Fn(&Member) -> bool| !candidates().any(|m| reason(m) && m.order > me.order);
    let uneven = |member: &Member| surplus(member.kind) >= 2;
    if me.joined {
        false
    } else if uneven(me) {
        last(&|member| member.kind == me.kind)
    } else {
        let larger = 1 + size(mine, others) >= size(other, others) + 2;
        let odd = |member: &Member| surplus(member.kind) == 1;
        // Balancing the kinds balances the sizes too, so that comes first.
        larger && odd(me) && !candidates().any(uneven) && last(&odd)
    }
}

/// Joins a team.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JoinGroup {
    /// When the random wait is over.
    choose_at: Option<Time>,
    /// When it last chose.
    chosen: Time,
    approach: Approach,
}

impl JoinGroup {
    /// The team whose standing place is nearer, which settles ties.
    fn handy(known: &Knowledge, situation: &Situation) -> Group {
        let distance = |group: Group| known.navigator.time_to(known.place_of(group), situation);
        if distance(Group::Second) < distance(Group::First) { Group::Second } else { Group::First }
    }

    fn first_choice(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) {
        let members: Vec<Member> = known.heard(situation.now).filter_map(member).collect();
        let group = choose(&situation.me.robot_type, JoinGroup::handy(known, situation), &members);
        let sizes = Group::BOTH.map(|group| size(group, &members) as f64);
        let why = "it has fewest robots of the same type, then fewest robots, then it is nearer";
        let event = Event::new(EventKind::JoinsGroup).saying(why).with("group", f64::from(group.number()));
        out.explain(event.with("first-group", sizes[0]).with("second-group", sizes[1]));
        (known.group, self.chosen) = (Some(group), situation.now);
    }

    /// Chooses again if several chose the same team at once. Everybody gets the time to hear of it first.
    fn reconsider(&mut self, group: Group, known: &mut Knowledge, situation: &Situation, out: &mut Output) {
        if situation.now.since(self.chosen) < 1.5 * known.briefing.report_period {
            return;
        }
        let others: Vec<Member> = known.heard(situation.now).filter_map(member).collect();
        let order = (situation.me.priority, situation.me.id);
        let me = Member { order, kind: &situation.me.robot_type, group, joined: known.joined };
        if must_change(&me, &others) {
            let why = "several chose the same group at once, and this robot is the last in the fixed order";
            let event = Event::new(EventKind::ChangesGroup).saying(why);
            out.explain(event.with("group", f64::from(group.other().number())));
            (known.group, self.chosen) = (Some(group.other()), situation.now);
        }
    }
}

impl Behaviour<Knowledge> for JoinGroup {
    fn applicable(&self, known: &Knowledge, _situation: &Situation) -> bool {
        !known.joined
    }

    fn cost(&self, known: &Knowledge, situation: &Situation) -> f64 {
        let group = known.group.unwrap_or_else(|| JoinGroup::handy(known, situation));
        known.navigator.time_to(known.place_of(group), situation)
    }

    fn act(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        let wait = known.briefing.longest_wait;
        let choose_at = *self.choose_at.get_or_insert_with(|| {
            Time::from_seconds(situation.now.seconds() + out.random.between(0.0, wait))
        });
        match known.group {
            None if situation.now >= choose_at => self.first_choice(known, situation, out),
            None => return Command::stop(),
            Some(group) => self.reconsider(group, known, situation, out),
        }
        let (Some(rest), Some(pose)) = (known.rest(), known.navigator.pose(situation)) else {
            return Command::stop();
        };
        let place = known.place_at(rest, situation);
        self.approach.note(place, pose.position, situation.now);
        let near = known.with_team(pose.position, rest, situation);
        if near && self.approach.arrived(pose.position, f64::INFINITY, situation.now) {
            (known.joined, known.settled) = (true, true);
            let group = known.group.map_or(0.0, |group| f64::from(group.number()));
            let why = "it has come to where its group gathers";
            out.explain(Event::new(EventKind::JoinedGroup).saying(why).with("group", group));
            return Command::stop();
        }
        known.navigator.go_to(place, situation, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Robots by number: their type, and their team once they have chosen.
    type Team = Vec<(&'static str, Option<Group>)>;

    fn members(team: &Team, without: usize) -> Vec<Member<'static>> {
        let member = |(i, (kind, group)): (usize, &(&'static str, Option<Group>))| {
            let order = (0, RobotId::from_index(i));
            group.map(|group| Member { order, kind, group, joined: false })
        };
        let others = team.iter().enumerate().filter(|(i, _)| *i != without);
        others.filter_map(member).collect()
    }

    fn count(team: &Team, kind: &str, group: Group) -> usize {
        team.iter().filter(|robot| **robot == (kind, Some(group))).count()
    }

    fn assert_even(team: &Team) {
        for kind in ["scout", "guard"] {
            let sizes = Group::BOTH.map(|group| count(team, kind, group));
            assert!(sizes[0].abs_diff(sizes[1]) <= 1, "{team:?}");
        }
        let sizes = Group::BOTH.map(|group| size(group, &members(team, usize::MAX)));
        assert!(sizes[0].abs_diff(sizes[1]) <= 1, "{team:?}");
    }

    fn undecided(scouts: usize, guards: usize) -> Team {
        [vec![("scout", None); scouts], vec![("guard", None); guards]].concat()
    }

    #[test]
    fn the_fewest_of_ones_type_count_first_then_the_size_then_the_way() {
        let team: Team = vec![("scout", Some(Group::First)), ("guard", Some(Group::Second))];
        let others = members(&team, usize::MAX);
        assert_eq!(choose("scout", Group::First, &others), Group::Second);
        assert_eq!(choose("guard", Group::Second, &others), Group::First);
        assert_eq!(choose("tank", Group::Second, &others), Group::Second, "all equal: the handy one");
        let team: Team = vec![("scout", Some(Group::First))];
        assert_eq!(choose("guard", Group::First, &members(&team, usize::MAX)), Group::Second);
    }

    #[test]
    fn one_after_the_other_they_come_out_even() {
        for (scouts, guards) in [(4, 4), (3, 4), (1, 0), (5, 2), (3, 3)] {
            let mut team = undecided(scouts, guards);
            for i in 0..team.len() {
                let handy = if i % 3 == 0 { Group::Second } else { Group::First };
                team[i].1 = Some(choose(team[i].0, handy, &members(&team, i)));
            }
            assert_even(&team);
        }
    }

    #[test]
    fn all_at_once_they_come_out_even_after_a_few_changes() {
        for (scouts, guards) in [(4, 4), (3, 4), (1, 1), (5, 2), (1, 0)] {
            let mut team = undecided(scouts, guards);
            team.iter_mut().for_each(|robot| robot.1 = Some(Group::First));
            // In every round all decide at once by what they heard in the round before.
            for _ in 0..scouts + guards {
                let before = team.clone();
                for (i, robot) in team.iter_mut().enumerate() {
                    let Some(group) = robot.1 else { continue };
                    let order = (0, RobotId::from_index(i));
                    let me = Member { order, kind: robot.0, group, joined: false };
                    if must_change(&me, &members(&before, i)) {
                        robot.1 = Some(group.other());
                    }
                }
            }
            assert_even(&team);
        }
    }

    #[test]
    fn a_robot_that_has_joined_stays() {
        let team: Team = vec![("scout", Some(Group::First)); 3];
        let me = Member { order: (0, RobotId(9)), kind: "scout", group: Group::First, joined: true };
        assert!(!must_change(&me, &members(&team, usize::MAX)));
        assert!(must_change(&Member { joined: false, ..me }, &members(&team, usize::MAX)));
    }
}
