//! Places labels without overlaps.

/// A box on the figure [px], y down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Extent {
    /// The box of a given size around a point.
    pub fn around(x: f64, y: f64, width: f64, height: f64) -> Self {
        Self {
            left: x - width / 2.0,
            top: y - height / 2.0,
            right: x + width / 2.0,
            bottom: y + height / 2.0,
        }
    }

    fn overlaps(self, other: Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn is_within(self, other: Self) -> bool {
        self.left >= other.left
            && self.right <= other.right
            && self.top >= other.top
            && self.bottom <= other.bottom
    }
}

/// The occupied boxes.
pub struct Placement {
    bounds: Extent,
    taken: Vec<Extent>,
}

impl Placement {
    /// Without occupied boxes inside `bounds`.
    pub fn new(bounds: Extent) -> Self {
        Self { bounds, taken: Vec::new() }
    }

    /// Marks a box as occupied.
    pub fn reserve(&mut self, taken: Extent) {
        self.taken.push(taken);
    }

    /// Takes the first candidate without overlap inside the bounds; returns its index in the list.
    pub fn choose(&mut self, candidates: &[Extent]) -> Option<usize> {
        let is_free = |candidate: &Extent| {
            candidate.is_within(self.bounds) && !self.taken.iter().any(|taken| taken.overlaps(*candidate))
        };
        let chosen = candidates.iter().position(is_free)?;
        self.taken.extend(candidates.get(chosen));
        Some(chosen)
    }
}

/// Boxes for a label beside a disc, nearest and easiest to read first, in two rings.
pub fn beside(x: f64, y: f64, radius: f64, width: f64, height: f64) -> Vec<Extent> {
    let mut boxes = Vec::new();
    for gap in [3.0, 15.0] {
        let across = radius + gap + width / 2.0;
        let along = radius + gap + height / 2.0;
        let slant = (radius + gap) * 0.75;
        let (dx, dy) = (slant + width / 2.0, slant + height / 2.0);
        let offsets = [
            (across, 0.0),
            (-across, 0.0),
            (0.0, -along),
            (0.0, along),
            (dx, -dy),
            (dx, dy),
            (-dx, -dy),
            (-dx, dy),
        ];
        boxes.extend(offsets.map(|(right, down)| Extent::around(x + right, y + down, width, height)));
    }
    boxes
}
