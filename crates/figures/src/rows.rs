//! The heights of rows, from three robots to thousands.

/// Distance that a name needs from the previous one [px].
const NAME_PITCH: f64 = 11.5;

/// Rows of equal height, one below the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rows {
    /// Number of rows.
    pub count: usize,
    /// The first row's upper edge [px].
    pub top: f64,
    /// From one row to the next [px].
    pub pitch: f64,
}

impl Rows {
    /// `count` rows of at most `roomy` [px] each that together stay below `tallest` [px] as long as a row has at least one pixel.
    pub fn new(count: usize, top: f64, roomy: f64, tallest: f64) -> Self {
        let pitch = (tallest / count.max(1) as f64).clamp(1.0, roomy);
        Self { count, top, pitch }
    }

    /// All rows together [px].
    pub fn height(self) -> f64 {
        self.pitch * self.count as f64
    }

    /// The lower edge of the last row.
    pub fn bottom(self) -> f64 {
        self.top + self.height()
    }

    /// The middle of a row.
    pub fn middle(self, row: usize) -> f64 {
        self.top + self.pitch * (row as f64 + 0.5)
    }

    /// The height of the bar inside a row.
    pub fn bar(self) -> f64 {
        if self.pitch >= 6.0 { self.pitch * 0.72 } else { self.pitch * 0.86 }
    }

    /// Whether a row shows its name; when rows are narrow, only every n-th does.
    pub fn names(self, row: usize) -> bool {
        let every = (NAME_PITCH / self.pitch).ceil().max(1.0) as usize;
        row.is_multiple_of(every)
    }

    /// The font size of names.
    pub fn font(self) -> f64 {
        if self.pitch >= 16.0 { 12.0 } else { 10.0 }
    }
}
