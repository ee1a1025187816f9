//! Figures and the report page: everything Crewlab shows about a finished run.
//!
//! Each figure is plain data with one `draw` function that returns an SVG document; [`page::render`] puts such documents
//! into one self-contained HTML page. Nothing here reads a file, a clock or a random number: same input, same bytes.
//!
//! Deliberately absent: element ids in figures. Hatching uses dashes and clipping uses nested `<svg>` viewports,
//! so any number of figures can be inlined in one page without their ids colliding.

pub mod airspace;
pub mod airtime;
pub mod auctions;
pub mod axis;
pub mod bars;
pub mod curves;
pub mod degradation;
pub mod delivery;
pub mod forest;
pub mod gantt;
pub mod graph;
pub mod layers;
pub mod learning;
pub mod links;
pub mod marginal;
pub mod mark;
pub mod measure;
pub mod motivation;
pub mod noise;
pub mod page;
pub mod palette;
pub mod plan_graph;
pub mod plan_text;
pub mod route;
pub mod search;
pub mod spread;
pub mod states;
pub mod storyboard;
pub mod survey;
pub mod survival;
pub mod svg;
pub mod theme;
pub mod world;

mod chart;
pub use chart::with_unit;
mod ground;
mod heading;
mod legend;
mod placement;
mod plan_layout;
mod ramp;
mod rows;
mod spans;
mod strip;
mod table;
mod team;
mod terrain;
mod text;
mod thin;
mod viewport;

#[cfg(test)]
mod analysis_tests;
#[cfg(test)]
mod experiment_tests;
#[cfg(test)]
mod plan_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod wellformed;
