//! What robots tell each other about their maps.

use crewlab_navigation::Place;
use crewlab_navigation::atlas::AREA;
use crewlab_navigation::routes::Cell;
use serde::{Deserialize, Serialize};

/// Cells per byte of a tile that is packed by the base three.
const PER_BYTE: usize = 5;
/// Bytes of a packed tile.
const PACKED: usize = AREA.div_ceil(PER_BYTE);
/// Longest run of equal cells in one byte.
const LONGEST: usize = 85;

/// A message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Talk {
    /// "Here I am, and this is a hash of all that I know."
    Hello {
        /// Where the sender is, if it knows. [m]
        at: Option<[f32; 2]>,
        /// True for a base.
        base: bool,
        /// The hash of its map.
        whole: u32,
    },
    /// "These tiles are known."
    Page(Page),
    /// "This is in these tiles."
    Sheets(Vec<Sheet>),
}

/// Part of the list of the tiles that somebody knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Page {
    /// True if it is about the base.
    pub(super) of_base: bool,
    /// True if somebody else than its owner passes it on.
    pub(super) relayed: bool,
    /// Its number: later pages of the same owner have higher numbers.
    pub(super) stamp: u32,
    /// The page is complete from this tile ...
    pub(super) first: Place,
    /// ... to this one.
    pub(super) last: Place,
    /// The tiles, in order: place, hash and number of known cells.
    pub(super) leaves: Vec<(Place, u16, u16)>,
}

/// A tile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Sheet {
    /// Its place.
    pub(super) tile: Place,
    /// Its cells, compressed.
    pub(super) code: Vec<u8>,
}

impl Talk {
    pub(super) fn encode(&self) -> Vec<u8> {
        // Plain data into a growing vector cannot fail; an empty message is ignored.
        postcard::to_stdvec(self).unwrap_or_default()
    }

    /// `None` for a damaged message, or another mission's.
    pub(super) fn decode(bytes: &[u8]) -> Option<Talk> {
        let (talk, rest) = postcard::take_from_bytes::<Talk>(bytes).ok()?;
        let sound = match &talk {
            Talk::Hello { at, .. } => {
                at.is_none_or(|at| at.iter().all(|value| value.is_finite() && value.abs() < 1e5))
            }
            Talk::Page(page) => page.leaves.is_sorted_by_key(|(tile, ..)| *tile),
            Talk::Sheets(_) => true,
        };
        (rest.is_empty() && sound).then_some(talk)
    }
}

/// Compresses the cells of a tile: runs of equal cells, or five cells per byte if that is shorter.
pub(super) fn compress(cells: &[Cell; AREA]) -> Vec<u8> {
    let mut runs = Vec::new();
    let mut rest = &cells[..];
    while let Some(first) = rest.first() {
        let length = rest.iter().take(LONGEST).take_while(|cell| *cell == first).count();
        runs.push((length as u8 - 1) * 3 + *first as u8);
        rest = &rest[length..];
    }
    // What does not end in a run of the unknown is implied by the size of a tile.
    while runs.last().is_some_and(|run| run % 3 == Cell::Unknown as u8) {
        runs.pop();
    }
    if runs.len() < PACKED {
        return runs;
    }
    let pack = |group: &[Cell]| group.iter().rev().fold(0, |byte, cell| byte * 3 + *cell as u8);
    cells.chunks(PER_BYTE).map(pack).collect()
}

fn cell(number: u8) -> Cell {
    match number {
        1 => Cell::Free,
        2 => Cell::Occupied,
        _ => Cell::Unknown,
    }
}

/// The cells of a compressed tile; `None` if that is not one.
pub(super) fn expand(code: &[u8]) -> Option<[Cell; AREA]> {
    let mut cells = [Cell::Unknown; AREA];
    if code.len() == PACKED {
        for (group, byte) in cells.chunks_mut(PER_BYTE).zip(code) {
            let mut rest = *byte;
            for place in group {
                *place = cell(rest % 3);
                rest /= 3;
            }
        }
        return Some(cells);
    }
    let mut at = 0;
    for run in code {
        let end = at + usize::from(run / 3) + 1;
        cells.get_mut(at..end)?.fill(cell(run % 3));
        at = end;
    }
    (code.len() < PACKED).then_some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tile(numbers: &[u8]) -> [Cell; AREA] {
        std::array::from_fn(|index| cell(numbers[index % numbers.len()]))
    }

    proptest! {
        #[test]
        fn a_compressed_tile_is_the_same_tile(numbers in prop::collection::vec(0..3_u8, 1..300)) {
            let cells = tile(&numbers);
            let code = compress(&cells);
            prop_assert!(code.len() <= PACKED);
            prop_assert_eq!(expand(&code), Some(cells));
        }

        #[test]
        fn any_bytes_are_a_tile_or_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let _ = expand(&bytes);
            let _ = Talk::decode(&bytes);
        }
    }

    #[test]
    fn plain_tiles_are_short_and_runs_that_are_too_long_are_refused() {
        assert_eq!(compress(&tile(&[0])), Vec::<u8>::new());
        assert_eq!(compress(&tile(&[1])).len(), 4);
        assert_eq!(expand(&[255, 255, 255, 255]), None);
        assert_eq!(expand(&[0; PACKED + 1]), None);
    }

    #[test]
    fn a_hello_from_nowhere_is_not_believed() {
        let hello = |x: f32| Talk::Hello { at: Some([x, 0.0]), base: false, whole: 7 };
        assert_eq!(Talk::decode(&hello(1.0).encode()), Some(hello(1.0)));
        assert_eq!(Talk::decode(&hello(f32::NAN).encode()), None);
    }
}
