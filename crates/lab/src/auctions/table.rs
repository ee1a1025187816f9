//! auctions.csv.

use super::Auction;
use crate::table::{Reader, table, write_header, write_row};
use std::io::{self, Write};
use std::path::Path;

// Fields are read by column name.
table! { Auction, |row|
    "time_s" ["s"] "when it was decided" => number(row.time_s);
    "auctioneer" [""] "who auctioned" => row.auctioneer;
    "round" [""] "the auctioneer's number of the round" => optional(row.round);
    "task" [""] "the task" => row.task;
    "subject" [""] "which piece of the task; 0 if it is not divided" => row.subject.to_string();
    "bids" [""] "all bids, best first; for plans, part by part. A bid is a reward: the value of the work minus its cost [s]" => row.bids;
    "winners" [""] "who won; empty if nobody did" => row.winners;
    "plan" [""] "`alone`, or the plan with which the winners do it" => row.plan;
    "value" ["s"] "value of the award" => row.value.map_or(String::new(), number);
    "price" ["s"] "what the others lose because the winners are busy; empty if unknown" => row.price.map_or(String::new(), number);
    "gap" [""] "the largest possible distance from the best allocation, as a share; empty if unknown" => row.gap.map_or(String::new(), number);
    "again" [""] "whether the piece had been awarded before and came back" => row.again.to_string();
    "again_why" [""] "why it came back" => row.again_why;
    "outcome" [""] "`completed`, `open-again`, `rejected`, `given-up`, `withdrawn`, `no-sale`; `awarded` or `under-way` if it was not over at the end" => row.outcome.name();
    "ended_s" ["s"] "time of the outcome; empty if it was not over at the end" => row.ended_s.map_or(String::new(), number);
    "outcome_why" [""] "why" => row.outcome_why;
    "why" [""] "the auction in the coordinator's words" => row.why;
}

/// All digits, with at least one after the decimal point.
fn number(value: f64) -> String {
    format!("{value:?}")
}

fn optional(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// Writes the table.
pub fn write<'a>(auctions: impl Iterator<Item = &'a Auction>, out: impl Write) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    write_header::<Auction>(&mut table)?;
    for auction in auctions {
        write_row(&mut table, auction)?;
    }
    table.flush()
}

/// Reads the table; `None` if there is none.
pub fn read(path: &Path) -> Result<Option<Vec<Auction>>, String> {
    Reader::open(path)?.map(Reader::all).transpose()
}
