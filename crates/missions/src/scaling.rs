//! How a mission is tried with other teams and in other rooms than its own.

/// A room in which a mission makes sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoomKind {
    /// Its name.
    pub name: &'static str,
    /// What differs from the mission's defaults, as in `--set`: its size and, where it takes longer, the time limit.
    pub sets: &'static [&'static str],
}

/// The mission's own room.
pub const OWN_ROOM: RoomKind = RoomKind { name: "own", sets: &[] };

/// How a mission scales. Robots are entries of `team.robots` without name and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scaling {
    /// The first robot. Alone it can do every task, if the mission allows a team of one.
    pub first: &'static str,
    /// The kinds of the other robots, which are shared among them equally.
    pub others: &'static [&'static str],
    /// The smallest and the largest team that make sense.
    pub robots: (u32, u32),
    /// The rooms, the mission's own among them.
    pub rooms: &'static [RoomKind],
}

impl Scaling {
    /// A team of this size, as the value of `team.robots` in YAML. Names tell the kinds apart: `a`, `b-1`, `b-2`, `c-1`, ...
    pub fn team(&self, robots: u32) -> String {
        let kinds = self.others.len().max(1) as u32;
        let rest = robots.saturating_sub(1);
        let mut entries = vec![format!("{{name: a, {}}}", self.first)];
        for (place, other) in (0..kinds).zip(self.others) {
            let count = rest / kinds + u32::from(place < rest % kinds);
            let name = char::from(b'b' + (place % 25) as u8);
            if count > 0 {
                entries.push(format!("{{name: {name}, {other}, count: {count}}}"));
            }
        }
        format!("[{}]", entries.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_has_as_many_robots_as_asked_for() {
        let scaling =
            Scaling { first: "type: all", others: &["type: x", "type: y"], robots: (1, 9), rooms: &[] };
        assert_eq!(scaling.team(1), "[{name: a, type: all}]");
        assert_eq!(scaling.team(2), "[{name: a, type: all}, {name: b, type: x, count: 1}]");
        assert_eq!(
            scaling.team(6),
            "[{name: a, type: all}, {name: b, type: x, count: 3}, {name: c, type: y, count: 2}]"
        );
    }
}
