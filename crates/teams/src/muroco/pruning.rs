//! Prunes coalitions that lack capabilities before anybody bids (definitions 3.12, 3.17, 3.18).

use super::params::Pruning;
use super::vocabulary::{Bits, Vocabulary};
use crewlab_allocation::staff;
use crewlab_onboard::{Constraint, TaskId, TaskSpec};

/// True if a coalition with these capabilities, one set per robot, may be able to do these parts.
pub fn capable(
    pruning: Pruning,
    robots: &[&Bits],
    parts: &[TaskId],
    tasks: &[TaskSpec],
    vocabulary: &Vocabulary,
) -> bool {
    if robots.len() != parts.len() {
        return false;
    }
    let needs: Vec<&Constraint> =
        parts.iter().filter_map(|part| tasks.get(usize::from(part.0))).map(|task| &task.needs).collect();
    match pruning {
        Pruning::Off => true,
        Pruning::Union => needs.iter().all(|need| vocabulary.within_reach(robots, need)),
        Pruning::Each => needs.iter().all(|need| robots.iter().any(|bits| vocabulary.meets(bits, need))),
        Pruning::Perfect => staffed(robots, parts, tasks, vocabulary),
    }
}

/// True if every part can have its own capable robot.
pub fn staffed(robots: &[&Bits], parts: &[TaskId], tasks: &[TaskSpec], vocabulary: &Vocabulary) -> bool {
    let able = |part: usize, robot: usize| {
        let task = tasks.get(usize::from(parts[part].0));
        task.is_some_and(|task| vocabulary.meets(robots[robot], &task.needs))
    };
    staff(parts.len(), robots.len(), able).is_some()
}

/// The coalitions of a list, as bit masks over `robots`, that may be able to do one of the alternatives.
pub fn prune(
    pruning: Pruning,
    coalitions: &[u64],
    robots: &[&Bits],
    alternatives: &[Vec<TaskId>],
    tasks: &[TaskSpec],
    vocabulary: &Vocabulary,
) -> Vec<u64> {
    let able = |coalition: &u64| {
        let members: Vec<&Bits> = (0..robots.len())
            .filter(|place| coalition & (1 << place) != 0)
            .map(|place| robots[place])
            .collect();
        alternatives.iter().any(|parts| capable(pruning, &members, parts, tasks, vocabulary))
    };
    coalitions.iter().copied().filter(able).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two parts: one needs a and b, the other needs c.
    fn tasks() -> Vec<TaskSpec> {
        let mut tasks = vec![TaskSpec::new("ab", ""), TaskSpec::new("c", "")];
        tasks[0].needs = Constraint::all(&["a", "b"]);
        tasks[1].needs = Constraint::all(&["c"]);
        tasks
    }

    fn verdicts(robots: &[u64]) -> [bool; 4] {
        judge(tasks(), robots)
    }

    fn judge(tasks: Vec<TaskSpec>, robots: &[u64]) -> [bool; 4] {
        let datasheet = crewlab_onboard::Datasheet {
            radius: 0.1,
            max_speed: 1.0,
            max_turn: 1.0,
            sensors: Vec::new(),
            effectors: Vec::new(),
            further: Vec::new(),
        };
        let vocabulary = Vocabulary::of(&tasks, &datasheet);
        let sets: Vec<Bits> = robots.iter().map(|bits| vec![*bits]).collect();
        let sets: Vec<&Bits> = sets.iter().collect();
        [Pruning::Off, Pruning::Union, Pruning::Each, Pruning::Perfect]
            .map(|pruning| capable(pruning, &sets, &[TaskId(0), TaskId(1)], &tasks, &vocabulary))
    }

    #[test]
    fn each_pruning_sees_more_than_the_one_before() {
        let (a, b, c) = (1, 2, 4);
        assert_eq!(verdicts(&[a | b, c]), [true, true, true, true]);
        assert_eq!(verdicts(&[a | b | c, a]), [true, true, true, false], "one robot cannot do both parts");
        assert_eq!(verdicts(&[a, b | c]), [true, true, false, false], "a and b are on two robots");
        assert_eq!(verdicts(&[a | b, b]), [true, false, false, false], "nobody has c");
    }

    #[test]
    fn no_pruning_drops_a_coalition_for_what_only_some_of_its_robots_have() {
        let mut tasks = tasks();
        tasks[1].needs = Constraint::all(&["c"]).and(Constraint::all(&["a"]).negated());
        let (a, b, c) = (1, 2, 4);
        assert_eq!(
            judge(tasks.clone(), &[a | b, c]),
            [true; 4],
            "the union has a, but the robot with c does not"
        );
        assert_eq!(judge(tasks, &[a | b, a | c]), [true, false, false, false]);
    }
}
