//! Maps of cells: what a robot builds while it drives, and what people store in files.

mod fusion;
pub mod movingai;
mod occupancy;
mod picture;
mod pool;
mod raster;
pub mod ros;
mod tiles;

pub use fusion::{CellWindow, fuse};
pub use occupancy::{CellState, Evidence, OccupancyGrid};
pub use picture::Picture;
pub use pool::Pool;
pub use raster::{MOST_CELLS, Raster, check_size};
pub use tiles::{TILE, Tiles};
