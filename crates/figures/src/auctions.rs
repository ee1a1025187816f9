//! Auctions on a time axis: a lane of marks, and lines to the winners of repeated auctions.

use serde::{Deserialize, Serialize};

use super::axis::{Scale, time_label};
use super::heading::MARGIN;
use super::legend::LegendEntry;
use super::rows::Rows;
use super::svg::{Element, Path, circle, group, label, line, rect};
use super::text;
use super::theme::Ink;

/// Height of the lane [px].
pub const LANE: f64 = 18.0;

/// Largest number of marks of each kind in a figure; the table of auctions has all.
const MOST: usize = 160;

/// Marks of a kind that are closer than this are drawn as one [px].
const APART: f64 = 3.0;

/// Longest story in a tooltip [px at a font size of 1].
const STORY: f64 = 150.0;

/// The kind of an auction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AuctionKind {
    /// The first award of a piece of work.
    First,
    /// An award of work that had come back.
    Again,
    /// Nobody got it.
    NoSale,
}

/// One auction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuctionMark {
    /// When [s].
    pub at_s: f64,
    /// Rows of the robots that won.
    pub rows: Vec<usize>,
    /// Its kind.
    pub kind: AuctionKind,
    /// The work, the winners, and why it was auctioned again.
    pub story: String,
}

fn symbol(kind: AuctionKind, x: f64, y: f64) -> Element {
    match kind {
        AuctionKind::First => circle(x, y, 3.2).fill(Ink::Muted),
        AuctionKind::Again => diamond(x, y, 5.5),
        AuctionKind::NoSale => circle(x, y, 2.4).fill(Ink::Surface).stroke(Ink::Frame, 1.2),
    }
}

/// A diamond that stands out on bars of any colour.
fn diamond(x: f64, y: f64, size: f64) -> Element {
    let mut path = Path::polyline(&[(x, y - size), (x + size, y), (x, y + size), (x - size, y)]);
    path.close();
    path.area().fill(Ink::Text).stroke(Ink::Surface, 1.2)
}

/// The legend of the marks that occur.
pub fn legend(auctions: &[AuctionMark]) -> impl Iterator<Item = LegendEntry> {
    let kinds = [
        (AuctionKind::First, "auctioned"),
        (AuctionKind::Again, "auctioned again"),
        (AuctionKind::NoSale, "auctioned, nobody got it"),
    ];
    let occurs = |kind: AuctionKind| auctions.iter().any(|auction| auction.kind == kind);
    let kinds = kinds.map(|(kind, text)| (kind, text, occurs(kind)));
    kinds.into_iter().filter(|(_, _, occurs)| *occurs).map(|(kind, text, _)| LegendEntry {
        symbol: symbol(kind, 6.5, 0.0),
        symbol_width: 13.0,
        text: text.to_owned(),
    })
}

/// The empty lane with its name.
pub fn lane(left: f64, right: f64, middle: f64) -> Element {
    group()
        .child(rect(left, middle - LANE / 2.0, right - left, LANE).fill(Ink::Track))
        .child(label(MARGIN, middle + 4.0, 11.5, "start", "auctions").fill(Ink::Muted))
}

/// The marks. Repeated auctions are drawn last: they matter most.
pub fn draw(auctions: &[AuctionMark], time: Scale, rows: Rows, middle: f64) -> Element {
    let mut drawn = group();
    for kind in [AuctionKind::NoSale, AuctionKind::First, AuctionKind::Again] {
        for (auction, more) in apart(auctions, kind, time) {
            let x = time.clamped(auction.at_s);
            if kind == AuctionKind::Again {
                drawn.push(links(auction, x, rows, middle));
            }
            let more = if more == 0 { String::new() } else { format!(" (and {more} more around that time)") };
            let story = text::shorten(&auction.story, 1.0, STORY);
            let words = format!("{}: {story}{more}", time_label(auction.at_s.round()));
            drawn.push(symbol(kind, x, middle).tooltip(&words));
        }
    }
    drawn
}

/// The distinguishable marks of one kind, each with the number of others it stands for.
fn apart(auctions: &[AuctionMark], kind: AuctionKind, time: Scale) -> Vec<(&AuctionMark, usize)> {
    let mut kept: Vec<(&AuctionMark, usize)> = Vec::new();
    let mut gap = APART;
    loop {
        kept.clear();
        for auction in auctions.iter().filter(|auction| auction.kind == kind && time.contains(auction.at_s)) {
            let x = time.clamped(auction.at_s);
            match kept.last_mut().filter(|(last, _)| (x - time.clamped(last.at_s)).abs() < gap) {
                Some((_, more)) => *more += 1,
                None => kept.push((auction, 0)),
            }
        }
        if kept.len() <= MOST {
            return kept;
        }
        gap *= 1.5;
    }
}

/// From the lane to the rows of the winners.
fn links(auction: &AuctionMark, x: f64, rows: Rows, middle: f64) -> Element {
    let mut drawn = group();
    let winners = auction.rows.iter().filter(|row| **row < rows.count);
    let Some(last) = winners.clone().max() else { return drawn };
    drawn.push(
        line((x, middle), (x, rows.middle(*last))).stroke(Ink::Text, 1.0).with("stroke-opacity", "0.55"),
    );
    let size = (rows.bar() / 2.0).min(4.5);
    winners.for_each(|row| drawn.push(diamond(x, rows.middle(*row), size)));
    drawn
}
