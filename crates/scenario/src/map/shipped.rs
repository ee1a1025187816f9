//! Maps that come with the program, so that shipped scenarios need no folder.

/// A map that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct ShippedMap {
    /// Its name.
    pub name: &'static str,
    /// What it shows.
    pub summary: &'static str,
    /// A MovingAI map.
    pub text: &'static str,
    /// Side of a cell. [m]
    pub resolution: f64,
}

/// The maps, by the folder `shipped/`.
pub const MAPS: &[ShippedMap] = &[
    ShippedMap {
        name: "office",
        summary: "an office floor, 48 x 30 m: rooms along two corridors",
        text: include_str!("shipped/office.map"),
        resolution: 0.25,
    },
    ShippedMap {
        name: "hall",
        summary: "a building, 60 x 40 m: a corridor around a court, and halls with pillars",
        text: include_str!("shipped/hall.map"),
        resolution: 0.25,
    },
    ShippedMap {
        name: "warehouse",
        summary: "a warehouse, 40 x 30 m: shelves that leave a maze of aisles",
        text: include_str!("shipped/warehouse.map"),
        resolution: 0.25,
    },
];
