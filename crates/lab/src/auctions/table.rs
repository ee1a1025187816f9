//! auctions.csv.

use super::Auction;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// The columns, which are the fields of [`Auction`].
pub const COLUMNS: [&str; 17] = [
    "time_s",
    "auctioneer",
    "round",
    "task",
    "subject",
    "bids",
    "winners",
    "plan",
    "value",
    "price",
    "gap",
    "again",
    "again_why",
    "outcome",
    "ended_s",
    "outcome_why",
    "why",
];

/// Writes the table.
pub fn write<'a>(auctions: impl Iterator<Item = &'a Auction>, out: impl Write) -> io::Result<()> {
    let mut table = csv::WriterBuilder::new().has_headers(false).from_writer(out);
    table.write_record(COLUMNS)?;
    for auction in auctions {
        table.serialize(auction)?;
    }
    table.flush()
}

/// Reads the table; `None` if there is none.
pub fn read(path: &Path) -> Result<Option<Vec<Auction>>, String> {
    let Ok(file) = File::open(path) else { return Ok(None) };
    let rows = csv::Reader::from_reader(io::BufReader::new(file)).into_deserialize();
    rows.collect::<Result<Vec<Auction>, csv::Error>>().map(Some).map_err(|error| error.to_string())
}
