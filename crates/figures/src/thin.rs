//! Removes invisible points, so that a figure stays small however long the run was.

/// A point on the figure [px].
pub type Point = (f64, f64);

/// Total number of points of all lines in a figure; about 180 kB of path data.
pub const BUDGET: usize = 12_000;

/// Keeps the first, lowest, highest and last point of every column of the given width [px].
///
/// Points must be in order of x. The drawn line covers the same pixels as before when columns are at most a pixel wide.
pub fn by_column(points: &[Point], column_width: f64) -> Vec<Point> {
    let mut kept = Vec::new();
    let mut start = 0;
    while let Some(first) = points.get(start) {
        let column = (first.0 / column_width).floor();
        let rest = points.get(start..).unwrap_or_default();
        let length =
            rest.iter().take_while(|point| (point.0 / column_width).floor() == column).count().max(1);
        keep_extremes(rest.get(..length).unwrap_or_default(), &mut kept);
        start += length;
    }
    kept
}

fn keep_extremes(column: &[Point], kept: &mut Vec<Point>) {
    let by_height = |one: &usize, two: &usize| column[*one].1.total_cmp(&column[*two].1);
    let lowest = (0..column.len()).min_by(by_height);
    let highest = (0..column.len()).max_by(by_height);
    let mut chosen = [Some(0), lowest, highest, column.len().checked_sub(1)];
    chosen.sort_unstable();
    let mut previous = None;
    for index in chosen.into_iter().flatten() {
        if previous != Some(index) {
            kept.extend(column.get(index));
        }
        previous = Some(index);
    }
}

/// Drops points closer than `spacing` [px] to the last kept one; first and last stay.
pub fn by_distance(points: &[Point], spacing: f64) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for &point in points {
        if kept.last().is_none_or(|last| distance(*last, point) >= spacing) {
            kept.push(point);
        }
    }
    if let Some(&last) = points.last()
        && kept.last() != Some(&last)
    {
        kept.push(last);
    }
    kept
}

/// Drops points that lie within `tolerance` [px] of the line through their neighbours (Ramer, Douglas and Peucker).
pub fn straighten(points: &[Point], tolerance: f64) -> Vec<Point> {
    let Some(last) = points.len().checked_sub(1) else {
        return Vec::new();
    };
    let mut keep = vec![false; points.len()];
    keep[0] = true;
    keep[last] = true;
    let mut open = vec![(0, last)];
    while let Some((from, to)) = open.pop() {
        if let Some((middle, off)) = farthest(points, from, to)
            && off > tolerance
        {
            keep[middle] = true;
            open.push((from, middle));
            open.push((middle, to));
        }
    }
    points.iter().zip(keep).filter(|(_, kept)| *kept).map(|(point, _)| *point).collect()
}

/// Thins a line in order of x to about `budget` points.
pub fn curve(points: &[Point], width: f64, budget: usize) -> Vec<Point> {
    let column_width = (4.0 * width / budget.max(4) as f64).max(0.5);
    straighten(&by_column(points, column_width), 0.12)
}

/// Thins lines in the plane towards `budget` points in total, by removing invisible points and then nearly invisible ones.
///
/// Lines that are still too long stay so: removing more points would draw wrong paths.
pub fn together(mut lines: Vec<Vec<Point>>, budget: usize) -> Vec<Vec<Point>> {
    let mut tolerance = 0.3;
    while tolerance < 3.0 {
        lines = lines.iter().map(|line| straighten(line, tolerance)).collect();
        if count(&lines) <= budget {
            break;
        }
        tolerance *= 1.6;
    }
    lines
}

/// Cuts off the beginnings of lines until `budget` points are left; returns whether anything was cut.
pub fn latest(lines: &mut [Vec<Point>], budget: usize) -> bool {
    if count(lines) <= budget {
        return false;
    }
    let each = (budget / lines.len().max(1)).max(2);
    for line in lines {
        line.drain(..line.len().saturating_sub(each));
    }
    true
}

fn count(lines: &[Vec<Point>]) -> usize {
    lines.iter().map(Vec::len).sum()
}

fn farthest(points: &[Point], from: usize, to: usize) -> Option<(usize, f64)> {
    let inner = points.get(from + 1..to)?.iter();
    let offsets = inner
        .enumerate()
        .map(|(index, point)| (from + 1 + index, off_line(*point, points[from], points[to])));
    offsets.max_by(|one, two| one.1.total_cmp(&two.1))
}

/// The distance of a point from the segment between two others.
fn off_line(point: Point, from: Point, to: Point) -> f64 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let squared = dx * dx + dy * dy;
    if squared <= 0.0 {
        return distance(point, from);
    }
    let share = (((point.0 - from.0) * dx + (point.1 - from.1) * dy) / squared).clamp(0.0, 1.0);
    distance(point, (from.0 + share * dx, from.1 + share * dy))
}

fn distance(one: Point, two: Point) -> f64 {
    libm::hypot(one.0 - two.0, one.1 - two.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_straight_line_needs_two_points() {
        let line: Vec<Point> =
            (0..10_000).map(|step| (f64::from(step) * 0.07, f64::from(step) * 0.03)).collect();
        assert_eq!(curve(&line, 700.0, 4000), [line[0], line[9999]]);
    }

    #[test]
    fn a_spike_of_one_sample_survives() {
        let mut line: Vec<Point> = (0..100_000).map(|step| (f64::from(step) * 0.007, 0.0)).collect();
        line[54_321].1 = 80.0;
        assert!(curve(&line, 700.0, 4000).iter().any(|point| point.1 == 80.0));
    }

    #[test]
    fn a_resting_robot_leaves_few_points() {
        let trail = vec![(3.0, 4.0); 5000];
        assert_eq!(by_distance(&trail, 0.5), [(3.0, 4.0)]);
        assert!(straighten(&[], 1.0).is_empty());
    }
}
