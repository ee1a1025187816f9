//! The map as planners want it: one grid of cells that follows the atlas, and the planner on it. All of it can be made again from the atlas.

use crewlab_navigation::Place;
use crewlab_navigation::atlas::Atlas;
use crewlab_navigation::maps::TILE;
use crewlab_navigation::routes::{CellGrid, RoutePlanner, RouteSettings};
use crewlab_onboard::geometry::vec2;

/// The grid grows by whole blocks of so many tiles, so that it need not grow often.
const BLOCK: i32 = 4;

/// The grid and its planner.
#[derive(Clone, Debug)]
pub(super) struct Desk {
    /// The lower left tile of the grid, and its size. [tiles]
    low: Place,
    size: Place,
    grid: CellGrid,
    pub(super) planner: RoutePlanner,
}

/// The lower left tile and the size of a box of whole blocks around all tiles, with a margin; `None` if there are none.
fn frame(atlas: &Atlas) -> Option<(Place, Place)> {
    let tiles = || atlas.leaves().keys();
    let (left, right) = (tiles().map(|tile| tile.0).min()?, tiles().map(|tile| tile.0).max()?);
    let (bottom, top) = (tiles().map(|tile| tile.1).min()?, tiles().map(|tile| tile.1).max()?);
    let down = |tile: i32| (tile - 1).div_euclid(BLOCK) * BLOCK;
    let up = |tile: i32| ((tile + 1).div_euclid(BLOCK) + 1) * BLOCK;
    let low = (down(left), down(bottom));
    Some((low, (up(right) - low.0, up(top) - low.1)))
}

impl Desk {
    /// A desk with the whole atlas on it; `None` if that is empty or absurdly large.
    fn new(atlas: &Atlas, settings: RouteSettings) -> Option<Desk> {
        let (low, size) = frame(atlas)?;
        let corner = vec2(f64::from(low.0 * TILE), f64::from(low.1 * TILE)) * atlas.cell();
        let (columns, rows) = ((size.0 * TILE) as usize, (size.1 * TILE) as usize);
        let mut grid = CellGrid::new(columns, rows, atlas.cell(), corner).ok()?;
        atlas.leaves().keys().for_each(|tile| draw(atlas, *tile, low, &mut grid));
        let planner = RoutePlanner::new(settings, grid.clone());
        Some(Desk { low, size, grid, planner })
    }

    /// Brings a desk up to date with an atlas; makes a new one where there is none.
    pub(super) fn update(
        desk: Option<Box<Desk>>,
        atlas: &mut Atlas,
        settings: RouteSettings,
    ) -> Option<Box<Desk>> {
        let fresh = atlas.take_fresh();
        match desk {
            Some(mut desk) if frame(atlas) == Some((desk.low, desk.size)) => {
                if !fresh.is_empty() {
                    fresh.iter().for_each(|tile| draw(atlas, *tile, desk.low, &mut desk.grid));
                    desk.planner.update(&desk.grid);
                }
                Some(desk)
            }
            _ => Desk::new(atlas, settings).map(Box::new),
        }
    }

    /// The place of the grid's lower left cell in the atlas.
    pub(super) fn corner(&self) -> Place {
        (self.low.0 * TILE, self.low.1 * TILE)
    }
}

/// Copies a tile to the grid.
fn draw(atlas: &Atlas, tile: Place, low: Place, grid: &mut CellGrid) {
    let corner = ((tile.0 - low.0) * TILE, (tile.1 - low.1) * TILE);
    for (index, cell) in atlas.cells(tile).into_iter().enumerate() {
        let (column, row) = (index as i32 % TILE, index as i32 / TILE);
        grid.set((corner.0 + column, corner.1 + row), cell);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_navigation::atlas::AREA;
    use crewlab_navigation::routes::Cell;

    #[test]
    fn a_desk_that_has_followed_an_atlas_equals_a_new_one() {
        let (mut atlas, settings) = (Atlas::new(0.1), RouteSettings::default());
        let mut desk = Desk::update(None, &mut atlas, settings);
        assert!(desk.is_none(), "there is nothing to draw");
        for tile in [(0, 0), (1, 0), (-7, 2), (1, 1)] {
            let mut cells = [Cell::Free; AREA];
            cells[17] = Cell::Occupied;
            atlas.learn(tile, &cells);
            desk = Desk::update(desk, &mut atlas, settings);
            let (followed, new) =
                (desk.as_ref().expect("a map"), Desk::new(&atlas, settings).expect("a map"));
            assert_eq!((&followed.grid, followed.corner()), (&new.grid, new.corner()));
            assert_eq!(followed.planner.frontiers(), new.planner.frontiers());
        }
    }
}
