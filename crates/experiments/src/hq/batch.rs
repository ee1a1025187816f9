//! Batches of runs, each a task of HyperQueue.

/// Divides runs into batches of at most `most`. The last ones are smaller: while more runs are left than there are cores, there
/// is a batch for each core.
pub(super) fn divide(runs: &[usize], most: usize, cores: usize) -> Vec<&[usize]> {
    let (mut batches, mut rest) = (Vec::new(), runs);
    while !rest.is_empty() {
        let (batch, others) = rest.split_at((rest.len() / cores.max(1)).clamp(1, most.max(1)));
        batches.push(batch);
        rest = others;
    }
    batches
}

/// Runs as the argument of a task: `3`, `0-49`, `0-7,12`.
pub fn words(runs: &[usize]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for run in runs {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(*run) => *last = *run,
            _ => ranges.push((*run, *run)),
        }
    }
    let word = |(first, last): &(usize, usize)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    ranges.iter().map(word).collect::<Vec<_>>().join(",")
}

/// Parses the output of [`words`]; `None` if it is malformed, or names a run not below `end`.
pub fn read(words: &str, end: usize) -> Option<Vec<usize>> {
    let mut runs = Vec::new();
    for word in words.trim().split(',') {
        let (first, last) = word.split_once('-').unwrap_or((word, word));
        let (first, last) = (first.parse::<usize>().ok()?, last.parse::<usize>().ok()?);
        if first > last || last >= end {
            return None;
        }
        runs.extend(first..=last);
    }
    Some(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_is_in_one_batch_and_the_last_ones_are_small() {
        for (count, most, cores) in
            [(0, 50, 1), (1, 50, 8), (5, 1, 0), (100, 50, 2), (10_000, 50, 64), (64, 0, 3)]
        {
            let runs: Vec<usize> = (0..count).collect();
            let batches = divide(&runs, most, cores);
            assert_eq!(batches.concat(), runs);
            let sizes: Vec<usize> = batches.iter().map(|batch| batch.len()).collect();
            assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
            assert!(sizes.iter().all(|size| (1..=most.max(1)).contains(size)), "{sizes:?}");
        }
        let runs: Vec<usize> = (0..20).collect();
        let sizes: Vec<usize> = divide(&runs, 5, 2).iter().map(|batch| batch.len()).collect();
        assert_eq!(sizes, [5, 5, 5, 2, 1, 1, 1]);
    }

    #[test]
    fn runs_round_trip() {
        for runs in [vec![3], vec![0, 1, 2], vec![0, 1, 5, 7, 8], vec![9, 3]] {
            assert_eq!(read(&words(&runs), 10), Some(runs));
        }
        for wrong in ["", "x", "1,", "3-1", "-1", "10", "0-10", "1 2", "99999999999999999999"] {
            assert_eq!(read(wrong, 10), None, "{wrong}");
        }
    }
}
