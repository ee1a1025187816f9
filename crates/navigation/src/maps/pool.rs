//! Many planes that share tiles, written so that a shared tile is written once. Who shares with whom survives.

use super::tiles::{AREA, Tile, Tiles};
use crate::Place;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;

/// A plane whose tiles are in a pool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Plan {
    low: Place,
    columns: i32,
    rows: i32,
    /// One more than the tile's number in the pool; 0 where there is none.
    tiles: Vec<u32>,
}

/// The distinct tiles of some planes, in the order in which they first occur, and what each plane consists of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pool<T> {
    tiles: Vec<Vec<T>>,
    planes: Vec<Plan>,
}

impl<T: Copy> Pool<T> {
    /// Collects the tiles of some planes.
    pub fn pack<'a>(planes: impl Iterator<Item = &'a Tiles<T>>) -> Pool<T>
    where
        T: 'a,
    {
        // Only looked up, never iterated: addresses decide who shares, not the order.
        let mut seen: HashMap<*const T, u32> = HashMap::new();
        let mut tiles: Vec<Vec<T>> = Vec::new();
        let mut number = |tile: &Tile<T>| {
            *seen.entry(tile.as_ptr()).or_insert_with(|| {
                tiles.push(tile.to_vec());
                tiles.len() as u32
            })
        };
        let mut plan = |plane: &Tiles<T>| Plan {
            low: plane.low,
            columns: plane.columns,
            rows: plane.rows,
            tiles: plane.tiles.iter().map(|tile| tile.as_ref().map_or(0, &mut number)).collect(),
        };
        let planes = planes.map(&mut plan).collect();
        Pool { tiles, planes }
    }

    /// The planes again; `None` if the pool contradicts itself.
    pub fn unpack(self) -> Option<Vec<Tiles<T>>> {
        let tiles: Vec<Tile<T>> = self.tiles.into_iter().map(Arc::from).collect();
        let sound = tiles.iter().all(|tile| tile.len() == AREA);
        let plane = |plan: Plan| {
            let size = i64::from(plan.columns.max(0)) * i64::from(plan.rows.max(0));
            let tile = |number: &u32| match number.checked_sub(1) {
                Some(index) => tiles.get(index as usize).cloned().map(Some),
                None => Some(None),
            };
            let tiles = plan.tiles.iter().map(tile).collect::<Option<Vec<_>>>()?;
            let plane = Tiles { low: plan.low, columns: plan.columns, rows: plan.rows, tiles };
            (sound && plane.tiles.len() as i64 == size).then_some(plane)
        };
        self.planes.into_iter().map(plane).collect()
    }

    /// The number of distinct tiles.
    pub fn distinct(&self) -> usize {
        self.tiles.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_tiles_are_written_once_and_shared_again() {
        let mut first = Tiles::<i16>::default();
        for column in 0..8 {
            *first.get_mut((column * 16, 3)).expect("near") = 1 + column as i16;
        }
        let mut second = first.clone();
        *second.get_mut((0, 3)).expect("near") = 9;
        let pool = Pool::pack([&first, &second, &first].into_iter());
        assert_eq!(pool.distinct(), 9);
        let planes = pool.clone().unpack().expect("a sound pool");
        assert_eq!(planes, [first.clone(), second, first]);
        assert_eq!(Pool::pack(planes.iter()), pool, "who shares with whom survives");
    }

    #[test]
    fn a_pool_that_contradicts_itself_is_refused() {
        let mut plane = Tiles::<i16>::default();
        *plane.get_mut((0, 0)).expect("near") = 1;
        let sound = Pool::pack([&plane].into_iter());
        let mut short = sound.clone();
        short.tiles[0].pop();
        let mut dangling = sound.clone();
        dangling.planes[0].tiles[0] = 7;
        let mut sized = sound;
        sized.planes[0].columns += 1;
        assert!([short, dangling, sized].into_iter().all(|pool| pool.unpack().is_none()));
    }
}
