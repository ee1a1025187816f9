//! join-group: wait for a random time, listen to who joins which team, choose, and go to where that team gathers.

use super::knowledge::{Approach, Knowledge, Mate};
use super::route::Group;
use crewlab_onboard::{Behaviour, Command, Event, Output, RobotId, Situation, Time};
use serde::{Deserialize, Serialize};

/// Somebody who has chosen a team.
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

/// The team with fewest robots of this kind, then the smaller team, then the one that is handy.
pub fn choose(kind: &str, handy: Group, members: &[Member]) -> Group {
    let load = |group: Group| (size_of_kind(group, kind, members), size(group, members));
    if load(handy) <= load(handy.other()) { handy } else { handy.other() }
}

/// True if this member must change to the other team because several chose at once: its team has two more of its kind
/// than the other, or one more of its kind and is larger by two, and it is the last in the fixed order among those of
/// its kind that have not joined yet. `others` is everybody else.
pub fn must_change(me: &Member, others: &[Member]) -> bool {
    let (mine, other) = (me.group, me.group.other());
    let of_kind = 1 + size_of_kind(mine, me.kind, others);
    let of_kind_there = size_of_kind(other, me.kind, others);
    let larger_by_two = 1 + size(mine, others) >= size(other, others) + 2;
    let uneven = of_kind >= of_kind_there + 2 || (of_kind > of_kind_there && larger_by_two);
    let after_me = |m: &Member| m.group == mine && m.kind == me.kind && !m.joined && m.order > me.order;
    uneven && !me.joined && !others.iter().any(after_me)
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
        let distance = |group: Group| known.pilot.time_to(known.route.rest(group, known.done), situation);
        if distance(Group::Second) < distance(Group::First) { Group::Second } else { Group::First }
    }

    fn first_choice(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) {
        let members: Vec<Member> = known.heard(situation.now).filter_map(member).collect();
        let group = choose(&situation.me.robot_type, JoinGroup::handy(known, situation), &members);
        let sizes = Group::BOTH.map(|group| size(group, &members) as f64);
        let why = "it has fewest robots of the same type, then fewest robots, then it is nearer";
        let event = Event::new("joins-group", why).with("group", f64::from(group.number()));
        out.explain(event.with("first-group", sizes[0]).with("second-group", sizes[1]));
        (known.group, self.chosen) = (Some(group), situation.now);
    }

    /// Chooses anew if several chose the same team at once. Everybody gets the time to hear of it first.
    fn reconsider(&mut self, group: Group, known: &mut Knowledge, situation: &Situation, out: &mut Output) {
        if situation.now.since(self.chosen) < 1.5 * known.mission.report_period {
            return;
        }
        let others: Vec<Member> = known.heard(situation.now).filter_map(member).collect();
        let order = (situation.me.priority, situation.me.id);
        let me = Member { order, kind: &situation.me.robot_type, group, joined: known.joined };
        if must_change(&me, &others) {
            let why = "several chose the same group at once, and this robot is the last in the fixed order";
            let event = Event::new("changes-group", why);
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
        known.pilot.time_to(known.route.rest(group, known.done), situation)
    }

    fn act(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        let wait = known.mission.longest_wait;
        let choose_at = *self.choose_at.get_or_insert_with(|| {
            Time::from_seconds(situation.now.seconds() + out.random.between(0.0, wait))
        });
        match known.group {
            None if situation.now >= choose_at => self.first_choice(known, situation, out),
            None => return Command::stop(),
            Some(group) => self.reconsider(group, known, situation, out),
        }
        let (Some(rest), Some(pose)) = (known.rest(), known.pilot.pose(situation)) else {
            return Command::stop();
        };
        let place = known.place_at(rest, situation);
        self.approach.note(place, pose.position, situation.now);
        let near = known.with_team(pose.position, rest, situation);
        if near && self.approach.arrived(pose.position, f64::INFINITY, situation.now) {
            (known.joined, known.settled) = (true, true);
            let group = known.group.map_or(0.0, |group| f64::from(group.number()));
            let why = "it has come to where its group gathers";
            out.explain(Event::new("joined-group", why).with("group", group));
            return Command::stop();
        }
        known.pilot.go_to(place, situation)
    }
}
