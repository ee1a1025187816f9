//! Everything that can be seen from a point: rows of cells are swept away from it, with the slopes that are not yet cut off.

use super::bits::Bits;
use super::sight::{PARTS, Spot};
use super::tiles::Window;

/// Slopes `dx/dy` of lines of sight.
type Slopes = (f64, f64);

/// Calls `visit` with parts of rows (row, first and last column) that are seen from a spot over cells of a set, up to `range` cells
/// away in each direction. Each cell whose centre is seen is in one of them; so are some that a neighbour in their row hides. Returns the rectangle of cells in which something was seen or stood in the way: if nothing
/// changes there, the view does not change.
pub fn view(passable: &Bits, from: Spot, range: i32, mut visit: impl FnMut(i32, i32, i32)) -> Window {
    let (column, row) = from.cell();
    let (first, last) = run(passable, column, row);
    let (first, last) = (first.max(column - range), last.min(column + range));
    let mut seen = Window { left: first - 1, low: row - 1, right: last + 2, high: row + 2 };
    if first > last {
        return seen;
    }
    visit(row, first, last);
    for up in [1, -1] {
        sweep(passable, from, (first, last), up * range.max(1), &mut seen, &mut visit);
    }
    seen
}

/// The cells of a set around a cell in its row; the first is behind the last if there are none.
fn run(passable: &Bits, column: i32, row: i32) -> (i32, i32) {
    if !passable.has((column, row)) {
        return (column + 1, column);
    }
    (passable.previous(row, column, false) + 1, passable.next(row, column, false) - 1)
}

fn sweep(
    passable: &Bits,
    from: Spot,
    (first, last): (i32, i32),
    range: i32,
    seen: &mut Window,
    visit: &mut impl FnMut(i32, i32, i32),
) {
    let (x, y) = (from.x as f64 / PARTS as f64, from.y as f64 / PARTS as f64);
    let (start, up, farthest) = (from.cell().1, range.signum(), f64::from(range.abs()));
    // Distance to the border of the row.
    let rim = if up > 0 { f64::from(start + 1) - y } else { y - f64::from(start) };
    let edge = rim.max(0.5 / PARTS as f64);
    let mut open = vec![((f64::from(first) - x) / edge, (f64::from(last + 1) - x) / edge)];
    let mut rest = Vec::new();
    let mut row = start;
    let mut near = rim;
    while !open.is_empty() {
        row += up;
        if row < 0 || row >= passable.rows() as i32 || (row - start).abs() > range.abs() {
            break;
        }
        let far = near + 1.0;
        rest.clear();
        for slopes in &open {
            let widest = farthest / (near + 0.5);
            let slopes = (slopes.0.max(-widest), slopes.1.min(widest));
            let column = |slope: f64| x + slope * (near + 0.5) - 0.5;
            visit(row, -floor(-column(slopes.0)), floor(column(slopes.1)));
            narrow(passable, row, x, (near.max(1e-9), far), slopes, seen, &mut rest);
        }
        (seen.low, seen.high) = (seen.low.min(row - 1), seen.high.max(row + 2));
        std::mem::swap(&mut open, &mut rest);
        near = far;
    }
}

/// Rounds down without a call: this is asked for very often.
fn floor(value: f64) -> i32 {
    let whole = value as i32;
    whole.saturating_sub(i32::from(f64::from(whole) > value))
}

/// Takes from `slopes` what the cells of a row between two distances cut off.
fn narrow(
    passable: &Bits,
    row: i32,
    x: f64,
    (near, far): (f64, f64),
    (mut low, high): Slopes,
    seen: &mut Window,
    rest: &mut Vec<Slopes>,
) {
    // The cells that lines of these slopes touch.
    let leftmost = floor(x + low * if low < 0.0 { far } else { near });
    let rightmost = floor(x + high * if high < 0.0 { near } else { far });
    let end = passable.columns() as i32;
    let (leftmost, rightmost) = (leftmost.max(-1), rightmost.min(end));
    (seen.left, seen.right) = (seen.left.min(leftmost), seen.right.max(rightmost + 1));
    let mut column = leftmost;
    while column <= rightmost && low <= high {
        // Nothing is passable beyond the ends of a row.
        let (first, last) = match column {
            -1 => (-1, passable.next(row, 0, true) - 1),
            _ => {
                let first = passable.next(row, column, false);
                (first, if first < end { passable.next(row, first, true) - 1 } else { end })
            }
        };
        if first > rightmost {
            break;
        }
        let last = if last + 1 >= end { i32::MAX } else { last };
        let left = if first < 0 { f64::NEG_INFINITY } else { f64::from(first) - x };
        let right = if last == i32::MAX { f64::INFINITY } else { f64::from(last + 1) - x };
        let (shadow, light) =
            (left / if left > 0.0 { far } else { near }, right / if right > 0.0 { near } else { far });
        if shadow > low {
            rest.push((low, high.min(shadow)));
        }
        low = low.max(light);
        if last == i32::MAX {
            return;
        }
        column = last + 1;
    }
    if low <= high {
        rest.push((low, high));
    }
}

#[cfg(test)]
mod tests {
    use super::super::sight::sees;
    use super::*;
    use crewlab_onboard::{Stream, StreamKind};

    /// A grid with obstacles at random places.
    fn cluttered(seed: u64, share: f64) -> Bits {
        let mut random = Stream::new(seed, StreamKind::World, 0, 0);
        let mut bits = Bits::new(90, 70);
        for row in 0..70 {
            (0..90).filter(|_| !random.chance(share)).for_each(|column| bits.add((column, row)));
        }
        bits
    }

    #[test]
    fn everything_that_lines_of_sight_reach_is_in_the_view() {
        for (seed, share) in [(1, 0.02), (2, 0.05), (3, 0.2), (4, 0.0)] {
            let bits = cluttered(seed, share);
            for (x, y) in [(45, 35), (0, 0), (89, 69), (10, 60), (70, 2)] {
                if !bits.has((x, y)) {
                    continue;
                }
                let from = Spot::centre((x, y));
                let mut seen = Bits::new(90, 70);
                let window = view(&bits, from, 100, |row, first, last| {
                    (first.max(0)..=last.min(89)).for_each(|column| seen.add((column, row)));
                });
                let (mut missing, mut extra) = (0, 0);
                for row in 0..70 {
                    for column in 0..90 {
                        let line = sees(&bits, from, Spot::centre((column, row)));
                        missing += usize::from(line && !seen.has((column, row)));
                        extra += usize::from(!line && bits.has((column, row)) && seen.has((column, row)));
                        let inside = column >= window.left
                            && column < window.right
                            && row >= window.low
                            && row < window.high;
                        assert!(!line || inside, "({column}, {row}) is outside of {window:?}");
                    }
                }
                assert_eq!(missing, 0, "seed {seed} from ({x}, {y}), {extra} too many");
                assert!(extra * 2 <= seen.count(), "seed {seed}: {extra} of {} are hidden", seen.count());
            }
        }
    }
}
