//! All ways to staff the parts of a plan with different robots, of which only few have to be looked at.

/// Largest number of ways that are tried.
const MOST_WAYS: f64 = 1e6;

/// Passes every way to give each part one of its robots, no robot twice, to `visit`. Of each row (a score per robot, `None` for those
/// that cannot do the part) only as many robots as there are parts are tried, those with the highest scores: whoever uses another one
/// can exchange it for a better one that is free. So the best way by any value that never falls when a score rises is among them.
/// With more than seven parts, fewer robots are tried.
pub fn injections(rows: &[Vec<Option<f64>>], visit: &mut dyn FnMut(&[usize])) {
    let parts = rows.len().max(1);
    let affordable = libm::pow(MOST_WAYS, 1.0 / parts as f64) as usize;
    let best = |row: &Vec<Option<f64>>| {
        let mut able: Vec<(usize, f64)> =
            row.iter().enumerate().filter_map(|(robot, score)| Some((robot, (*score)?))).collect();
        able.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        able.into_iter().take(parts.min(affordable.max(2))).map(|(robot, _)| robot).collect()
    };
    let candidates: Vec<Vec<usize>> = rows.iter().map(best).collect();
    staff(&candidates, &mut Vec::with_capacity(parts), visit);
}

fn staff(candidates: &[Vec<usize>], chosen: &mut Vec<usize>, visit: &mut dyn FnMut(&[usize])) {
    let Some(row) = candidates.get(chosen.len()) else { return visit(chosen) };
    for robot in row {
        if !chosen.contains(robot) {
            chosen.push(*robot);
            staff(candidates, chosen, visit);
            chosen.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_used_twice_and_only_the_best_are_tried() {
        let rows = vec![vec![Some(3.0), Some(2.0), Some(1.0)], vec![Some(3.0), None, Some(1.0)]];
        let mut ways = Vec::new();
        injections(&rows, &mut |way| ways.push(way.to_vec()));
        assert_eq!(ways, [[0, 2], [1, 0], [1, 2]]);
    }
}
