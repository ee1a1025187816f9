//! How robots make their maps the same over a radio that loses messages and has little room. Each says hello with a hash of its map. Who hears
//! a hash that differs from its own lists its tiles, page by page; who hears a list sends the tiles that differ. New tiles are sent without
//! being asked for.

use super::ledger::Ledger;
use super::mates::Mates;
use super::talk::{Page, Sheet, Talk, compress, expand};
use crewlab_navigation::Place;
use crewlab_navigation::atlas::{Atlas, Leaf};
use crewlab_onboard::geometry::{Vec2, vec2};
use crewlab_onboard::{Body, Message, Output, Situation, Time};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

/// Time between two turns to speak. [s]
const TURN: f64 = 0.5;
/// A tile of which something new was seen is sent after this time: by then there is more to send. [s]
const RIPE: f64 = 2.0;
/// Messages are not longer than this, whatever the radio accepts: a long one is lost more easily. [bytes]
const LONGEST: usize = 1200;
/// Bytes of a message around what it says.
const AROUND: usize = 40;
/// Bytes of an entry of a page, at most.
const ENTRY: usize = 16;
/// What may be saved up to be sent at once. [s]
const SAVED: f64 = 2.0;
/// Pages are numbered by the time, so many numbers per second.
const PER_SECOND: f64 = 10.0;
/// The base is in reach if something new was heard of its list within this time, even through others. [s]
const WORD: f64 = 5.0;

/// The state of the exchange.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Exchange {
    /// True for a base.
    base: bool,
    /// How much may be sent about the map. [bytes/s]
    rate: f64,
    pub(super) mates: Mates,
    pub(super) ledger: Ledger,
    /// When something new was last heard of what the base knows.
    word: Option<Time>,
    /// Bytes that may be sent now.
    saved: f64,
    /// Tiles that others lack.
    wanted: BTreeSet<Place>,
    /// Tiles of which the robot has seen something new, and since when.
    news: BTreeMap<Place, Time>,
    /// The last tile of the last page of the own list, and of that of the base.
    listed: [Option<Place>; 2],
    turns: u32,
    /// Bytes sent so far.
    pub(super) sent: u64,
}

impl Exchange {
    /// Nothing was said yet. `rate` in bytes per second.
    pub(super) fn new(base: bool, rate: f64) -> Exchange {
        Exchange {
            base,
            rate,
            mates: Mates::default(),
            ledger: Ledger::default(),
            word: None,
            saved: rate,
            wanted: BTreeSet::new(),
            news: BTreeMap::new(),
            listed: [None; 2],
            turns: 0,
            sent: 0,
        }
    }

    /// True if what the robot says reaches the base, directly or over others.
    pub(super) fn in_contact(&self, now: Time) -> bool {
        self.mates.base_near(now) || self.word.is_some_and(|word| now.within(word, WORD))
    }

    /// Learns from what others say.
    pub(super) fn hear(&mut self, inbox: &[Message], atlas: &mut Atlas, now: Time) {
        for message in inbox {
            match &message.body {
                Body::Motion(motion) => self.mates.moves(message.from, motion, now),
                Body::Knowledge(bytes) => match Talk::decode(bytes) {
                    Some(Talk::Hello { at, base, whole }) => {
                        let at = at.map(|[x, y]| vec2(x.into(), y.into()));
                        self.mates.greet(message.from, at, base, whole, now);
                        if base && !self.base && whole == atlas.whole() {
                            // It knows all that the robot knows, and has no reason to list it.
                            self.ledger.settle(atlas, stamp(now));
                        }
                    }
                    Some(Talk::Page(page)) => self.read(&page, atlas, now),
                    Some(Talk::Sheets(sheets)) => sheets.iter().for_each(|sheet| self.take(sheet, atlas)),
                    None => {}
                },
                _ => {}
            }
        }
    }

    /// Notes what a page says about the base, and what its owner lacks.
    fn read(&mut self, page: &Page, atlas: &Atlas, now: Time) {
        if page.of_base && !self.base && self.ledger.note(page) {
            self.word = Some(now);
        }
        let listed = |tile: &Place| {
            let place = page.leaves.binary_search_by_key(tile, |(tile, ..)| *tile).ok()?;
            Some(Leaf { print: page.leaves[place].1, count: page.leaves[place].2 })
        };
        if page.first <= page.last && !page.relayed {
            let lacking = atlas.leaves().range(page.first..=page.last);
            let lacking = lacking.filter(|(tile, leaf)| listed(tile) != Some(**leaf));
            self.wanted.extend(lacking.map(|(tile, _)| *tile));
        }
    }

    /// Takes over a tile. Who sends all that the robot knows of it makes it unnecessary to send it as well.
    fn take(&mut self, sheet: &Sheet, atlas: &mut Atlas) {
        if let Some(cells) = expand(&sheet.code) {
            atlas.learn(sheet.tile, &cells);
            if atlas.cells(sheet.tile).iter().zip(&cells).all(|(own, told)| own == told) {
                self.wanted.remove(&sheet.tile);
            }
        }
    }

    /// Says what is to be said.
    pub(super) fn speak(
        &mut self,
        atlas: &mut Atlas,
        at: Option<Vec2>,
        situation: &Situation,
        out: &mut Output,
    ) {
        let now = situation.now;
        self.saved = (self.saved + self.rate * situation.dt).min(self.rate * SAVED);
        for tile in atlas.take_news() {
            self.news.entry(tile).or_insert(now);
        }
        if !due(situation) {
            return;
        }
        self.turns = self.turns.wrapping_add(1);
        if !self.turns.is_multiple_of(2) {
            let at = at.map(|at| [at.x as f32, at.y as f32]);
            self.say(&Talk::Hello { at, base: self.base, whole: atlas.whole() }, out);
        }
        if self.mates.near(now).next().is_none() {
            // Whoever comes later asks for what it lacks.
            self.news.clear();
            self.wanted.clear();
            return;
        }
        let room = situation.radio.largest_message().min(LONGEST).saturating_sub(AROUND);
        if self.turns.is_multiple_of(2) && self.mates.near(now).any(|mate| mate.whole != atlas.whole()) {
            self.list(atlas, room, now, out);
        }
        self.send(atlas, room, now, out);
    }

    /// Sends the next page of the own list, and of that of the base.
    fn list(&mut self, atlas: &Atlas, room: usize, now: Time, out: &mut Output) {
        let most = (room / ENTRY).max(1);
        let after = self.listed[0].map_or(Bound::Unbounded, Bound::Excluded);
        let rest = atlas.leaves().range((after, Bound::Unbounded));
        let leaves: Vec<_> = rest.take(most).map(|(tile, leaf)| (*tile, leaf.print, leaf.count)).collect();
        let ends = leaves.len() < most;
        let edge = |tile: Option<Place>, edge: i32| tile.unwrap_or((edge, edge));
        let last = leaves.last().map(|(tile, ..)| *tile).filter(|_| !ends);
        let first = self.listed[0].map(|(x, y)| (x, y.saturating_add(1)));
        let page = Page {
            of_base: self.base,
            relayed: false,
            // The time, so that a later page always counts, even that of a base that has lost its memory.
            stamp: stamp(now),
            first: edge(first, i32::MIN),
            last: edge(last, i32::MAX),
            leaves,
        };
        self.say(&Talk::Page(page), out);
        self.listed[0] = last;
        if !self.base {
            let page = self.ledger.page(self.listed[1], most);
            self.listed[1] = page.as_ref().map(|page| page.last);
            if let Some(page) = page {
                self.say(&Talk::Page(page), out);
            }
        }
    }

    /// Sends tiles as long as there is room for them: what others lack first.
    fn send(&mut self, atlas: &Atlas, room: usize, now: Time, out: &mut Output) {
        let ripe = |since: &Time| !now.within(*since, RIPE - 1e-6);
        let news: Vec<Place> =
            self.news.iter().filter(|(_, since)| ripe(since)).map(|(tile, _)| *tile).collect();
        let mut tiles: Vec<Place> = self.wanted.iter().copied().collect();
        tiles.extend(news.into_iter().filter(|tile| !self.wanted.contains(tile)));
        let (mut sheets, mut size) = (Vec::new(), 0);
        for tile in tiles {
            let code = compress(&atlas.cells(tile));
            let bytes = code.len() + 12;
            if self.saved < (size + bytes) as f64 || bytes > room {
                break;
            }
            if size + bytes > room {
                self.say(&Talk::Sheets(std::mem::take(&mut sheets)), out);
                size = 0;
            }
            size += bytes;
            sheets.push(Sheet { tile, code });
            self.wanted.remove(&tile);
            self.news.remove(&tile);
        }
        if !sheets.is_empty() {
            self.say(&Talk::Sheets(sheets), out);
        }
    }

    fn say(&mut self, talk: &Talk, out: &mut Output) {
        let bytes = talk.encode();
        self.saved -= bytes.len() as f64;
        self.sent += bytes.len() as u64;
        out.say(Body::Knowledge(bytes));
    }
}

/// The number of a page.
fn stamp(now: Time) -> u32 {
    (now.seconds() * PER_SECOND) as u32
}

/// True if it is the robot's turn. Each robot has its own moment, so that not all talk at once.
fn due(situation: &Situation) -> bool {
    // Any share that differs from robot to robot; this one spreads consecutive numbers well.
    let phase = 0.618 * f64::from(situation.me.id.0);
    let turn = |time: f64| (time / TURN.max(situation.dt) + phase + 1e-9).floor();
    turn(situation.now.seconds()) > turn(situation.now.seconds() - situation.dt)
}
