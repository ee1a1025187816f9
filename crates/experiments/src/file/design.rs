//! The designs: which combinations of levels are run.

use rand_philox::Philox;

/// All combinations; the last factor changes fastest.
pub(crate) fn grid<T: Clone>(levels: &[Vec<T>]) -> Vec<Vec<T>> {
    levels.iter().fold(vec![Vec::new()], |cells, levels| {
        let with = |cell: &Vec<T>, level: &T| [cell.as_slice(), std::slice::from_ref(level)].concat();
        cells.iter().flat_map(|cell| levels.iter().map(move |level| with(cell, level))).collect()
    })
}

/// A Latin hypercube in the unit cube: along every axis there is one point in each of as many equal parts as there are points.
/// Deterministic.
pub(crate) fn latin_hypercube(axes: usize, points: usize) -> Vec<Vec<f64>> {
    let mut cube = vec![Vec::with_capacity(axes); points];
    for axis in 0..axes {
        let mut random = Philox::new([0x4c61_7469, axis as u32], 0);
        let mut unit = || (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let mut order: Vec<usize> = (0..points).collect();
        for last in (1..points).rev() {
            order.swap(last, (unit() * (last + 1) as f64) as usize);
        }
        for (point, part) in cube.iter_mut().zip(order) {
            point.push((part as f64 + unit()) / points as f64);
        }
    }
    cube
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_has_every_combination_once() {
        assert_eq!(grid(&[vec![1, 2], vec![3, 4]]), [[1, 3], [1, 4], [2, 3], [2, 4]]);
        assert_eq!(grid::<u8>(&[]), [Vec::<u8>::new()]);
    }

    #[test]
    fn a_latin_hypercube_has_one_point_in_each_part_of_each_axis() {
        let (axes, points) = (5, 37);
        let cube = latin_hypercube(axes, points);
        for axis in 0..axes {
            let mut parts: Vec<usize> =
                cube.iter().map(|point| (point[axis] * points as f64) as usize).collect();
            parts.sort_unstable();
            assert_eq!(parts, (0..points).collect::<Vec<_>>());
        }
        // Each axis is shuffled independently.
        assert!((0..points).any(|at| cube[at][0] != cube[at][1]));
        assert_eq!(cube, latin_hypercube(axes, points));
    }
}
