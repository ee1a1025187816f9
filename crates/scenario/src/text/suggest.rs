//! Finding the word someone meant to write.

/// The longest word that is compared, in characters; a typo is unlikely in longer ones.
const LONGEST: usize = 64;

/// The candidate nearest to `word`, or `None` if all are too different to be a typo.
///
/// Upper and lower case, hyphens, underscores and spaces make no difference. About one typo in three characters is tolerated,
/// three at most. A candidate that the word abbreviates (`coord` for `coordinator`) is found too.
pub fn did_you_mean<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let word = plain(word);
    let length = word.chars().count();
    if length > LONGEST {
        return None;
    }
    let ranked =
        candidates.into_iter().filter_map(|candidate| Some((distance(&word, length, candidate)?, candidate)));
    ranked.min_by_key(|(distance, _)| *distance).map(|(_, candidate)| candidate)
}

fn distance(word: &str, length: usize, candidate: &str) -> Option<usize> {
    let candidate = plain(candidate);
    if word == candidate {
        return Some(0);
    }
    let allowed = (length / 3).min(3);
    let abbreviates = length >= 3 && candidate.starts_with(word);
    if candidate.chars().count().abs_diff(length) > allowed {
        return abbreviates.then_some(allowed + 1);
    }
    let distance = strsim::osa_distance(word, &candidate);
    if distance <= allowed { Some(distance) } else { abbreviates.then_some(allowed + 1) }
}

fn plain(word: &str) -> String {
    word.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_are_found_and_other_words_are_not() {
        let names = ["threshold", "side-range", "coordinator", "s", "min", "Hz"];
        let check = |word, expected| assert_eq!(did_you_mean(word, names), expected, "{word}");
        check("treshold", Some("threshold"));
        check("Side_Range", Some("side-range"));
        check("siderange", Some("side-range"));
        check("coord", Some("coordinator"));
        check("mni", Some("min"));
        check("hz", Some("Hz"));
        check("S", Some("s"));
        check("x", None);
        check("banana", None);
        check("", None);
        check(&"a".repeat(100_000), None);
    }

    #[test]
    fn the_nearest_wins_and_the_first_of_equals() {
        assert_eq!(did_you_mean("robots", ["robot", "robots"]), Some("robots"));
        assert_eq!(did_you_mean("cat", ["bat", "hat"]), Some("bat"));
    }
}
