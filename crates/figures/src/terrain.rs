//! The speed of the ground as a raster of tints.

use super::axis::usable;
use super::ground::role_colour;
use super::svg::{Element, Path, group};
use super::viewport::Viewport;
use super::world::{FillRole, TerrainGrid};

/// Cells along one side at most; a finer grid is averaged.
const MOST_CELLS: usize = 64;

/// Shades per role.
const SHADES: i32 = 4;

/// Whether the grid has ground of this role.
pub fn occurs(grid: &TerrainGrid, role: FillRole) -> bool {
    grid.factors.iter().any(|factor| match role {
        FillRole::SlowGround => shade(*factor) < 0,
        FillRole::FastGround => shade(*factor) > 0,
        FillRole::Obstacle | FillRole::DisturbanceObstacle => false,
    })
}

/// Draws the grid: one path per shade, runs of equal cells joined. A grid with too few factors is not drawn.
pub fn terrain(grid: &TerrainGrid, view: &Viewport) -> Element {
    let mut drawn = group().with("shape-rendering", "crispEdges");
    let cells = grid.columns.checked_mul(grid.rows);
    if !usable(grid.cell)
        || grid.cell <= 0.0
        || cells.is_none_or(|cells| cells == 0 || cells > grid.factors.len())
    {
        return drawn;
    }
    let block = grid.columns.max(grid.rows).div_ceil(MOST_CELLS).max(1);
    let raster = shades(grid, block);
    for level in (-SHADES..=SHADES).filter(|level| *level != 0) {
        let path = runs(&raster, level, grid.cell * block as f64, view);
        if !path.is_empty() {
            let role = if level < 0 { FillRole::SlowGround } else { FillRole::FastGround };
            let opacity = 0.08 + 0.09 * f64::from(level.abs());
            drawn.push(path.area().fill(role_colour(role)).with("fill-opacity", opacity));
        }
    }
    drawn
}

/// The shade of a factor: negative is slow, positive is fast, zero is ordinary ground.
fn shade(factor: f64) -> i32 {
    if factor.is_nan() {
        return 0;
    }
    let doublings = factor.clamp(0.05, 20.0).log2();
    let size = (doublings.abs() * 2.0).ceil().min(f64::from(SHADES)) as i32;
    if doublings.abs() < 0.03 { 0 } else { size * doublings.signum() as i32 }
}

/// The shades of blocks of cells, row by row from below.
fn shades(grid: &TerrainGrid, block: usize) -> Vec<Vec<i32>> {
    let (columns, rows) =
        (grid.columns.div_ceil(block).min(MOST_CELLS), grid.rows.div_ceil(block).min(MOST_CELLS));
    (0..rows).map(|row| (0..columns).map(|column| shade(mean(grid, block, column, row))).collect()).collect()
}

/// The mean factor of a block; cells without a number do not count.
fn mean(grid: &TerrainGrid, block: usize, column: usize, row: usize) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for y in row * block..((row + 1) * block).min(grid.rows) {
        for x in column * block..((column + 1) * block).min(grid.columns) {
            let factor = grid.factors.get(y * grid.columns + x).copied().unwrap_or(f64::NAN);
            if factor.is_finite() {
                sum += factor;
                count += 1.0;
            }
        }
    }
    sum / count
}

fn runs(raster: &[Vec<i32>], level: i32, side: f64, view: &Viewport) -> Path {
    let mut path = Path::default();
    for (row, cells) in raster.iter().enumerate() {
        let mut start = 0;
        for run in cells.chunk_by(|one, two| one == two) {
            let end = start + run.len();
            if run.first() == Some(&level) {
                rectangle(&mut path, (start, end), row, side, view);
            }
            start = end;
        }
    }
    path
}

fn rectangle(path: &mut Path, columns: (usize, usize), row: usize, side: f64, view: &Viewport) {
    let [left, bottom] = view.origin();
    let corner =
        |column: usize, row: usize| view.at([left + column as f64 * side, bottom + row as f64 * side]);
    if let (Some(low), Some(high)) = (corner(columns.0, row), corner(columns.1, row + 1)) {
        path.move_to(low.0, low.1);
        path.horizontal_to(high.0);
        path.vertical_to(high.1);
        path.horizontal_to(low.0);
        path.close();
    }
}
