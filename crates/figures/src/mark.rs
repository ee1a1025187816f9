//! Marks on a time axis (disturbances, milestones): dotted lines with labels that avoid each other.

use serde::{Deserialize, Serialize};

use super::axis::{Scale, time_label};
use super::svg::{Element, group, label, line};
use super::text;
use super::theme::Ink;

const FONT: f64 = 11.0;
const LANE: f64 = 14.0;
const WIDEST: f64 = 240.0;

/// Number of lanes of labels above a plot; a mark without a free lane has only its line and tooltip.
const MOST_LANES: usize = 10;

/// Largest number of lines in a figure; further marks are counted but not drawn.
const MOST_LINES: usize = 400;

/// An event at one moment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// When [s].
    pub at_s: f64,
    /// What, in a few words.
    pub label: String,
}

/// A label's position: its lane counted from the plot upwards, and its extent [px].
struct Placed {
    x: f64,
    tooltip: String,
    words: String,
    left: f64,
    lane: Option<usize>,
}

/// All marks of a figure, arranged above its plot.
pub struct Marks {
    placed: Vec<Placed>,
    lanes: usize,
}

impl Marks {
    /// Arranges the marks that lie on the axis; labels stay left of `limit` [px].
    ///
    /// Labels start at their line and go right. Laying them out from the last to the first lets an earlier line rise left
    /// of all later labels, so that no line crosses a label. Labels that would pass `limit` are mirrored.
    pub fn arrange(marks: &[Mark], scale: Scale, limit: f64) -> Self {
        let mut placed: Vec<Placed> = marks
            .iter()
            .filter(|mark| scale.contains(mark.at_s))
            .take(MOST_LINES)
            .map(|mark| Placed::new(mark, scale, limit))
            .collect();
        placed.sort_by(|one, two| one.x.total_cmp(&two.x));
        let mirrored = |place: &Placed| place.left < place.x;
        let (to_left, to_right): (Vec<usize>, Vec<usize>) =
            (0..placed.len()).partition(|&index| mirrored(&placed[index]));
        let mut taken: Vec<(usize, f64, f64)> = Vec::new();
        for index in to_right.into_iter().rev().chain(to_left) {
            let (left, right) = placed[index].extent();
            let is_free = |lane: &usize| {
                !taken.iter().any(|&(other, from, to)| other == *lane && left < to && right > from)
            };
            placed[index].lane = (0..MOST_LANES).find(is_free);
            taken.extend(placed[index].lane.map(|lane| (lane, left, right)));
        }
        let lanes = taken.iter().map(|(lane, _, _)| lane + 1).max().unwrap_or(0);
        Self { placed, lanes }
    }

    /// Room for the labels above the plot [px].
    pub fn height(&self) -> f64 {
        if self.lanes == 0 { 0.0 } else { LANE * self.lanes as f64 + 4.0 }
    }

    /// Lines from the labels through the plot, whose upper edge is `top`, down to `bottom`.
    pub fn lines(&self, top: f64, bottom: f64) -> Element {
        let mut lines =
            group().stroke(Ink::Alert, 1.2).with("stroke-dasharray", "1.5 3").with("stroke-linecap", "round");
        let mut previous = f64::NEG_INFINITY;
        for place in &self.placed {
            let start = place.lane.map_or(top, |lane| top - 3.0 - LANE * lane as f64);
            let drawn = line((place.x, start), (place.x, bottom)).tooltip(&place.tooltip);
            // Lines that nearly touch would form a solid area in front of the data.
            lines.push(if place.x - previous < 4.0 { drawn.with("stroke-opacity", "0.4") } else { drawn });
            previous = place.x;
        }
        lines
    }

    /// The labels above the plot, whose upper edge is `top`.
    pub fn labels(&self, top: f64) -> Element {
        let mut labels = group().fill(Ink::Alert).halo();
        for place in &self.placed {
            let Some(lane) = place.lane else { continue };
            let baseline = top - 6.0 - LANE * lane as f64;
            let (x, anchor) =
                if place.left < place.x { (place.x + 1.0, "end") } else { (place.x - 1.0, "start") };
            labels.push(label(x, baseline, FONT, anchor, &place.words).tooltip(&place.tooltip));
        }
        labels
    }
}

impl Placed {
    fn new(mark: &Mark, scale: Scale, limit: f64) -> Self {
        let x = scale.clamped(mark.at_s);
        let words = text::shorten(&mark.label, FONT, WIDEST);
        let width = text::width(&words, FONT);
        let left = if x + width > limit { x - width } else { x };
        Self { x, tooltip: format!("{} at {}", mark.label, time_label(mark.at_s)), words, left, lane: None }
    }

    fn extent(&self) -> (f64, f64) {
        (self.left - 2.0, self.left + text::width(&self.words, FONT) + 6.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arranged(times: &[f64]) -> Marks {
        let marks: Vec<Mark> =
            times.iter().map(|&at_s| Mark { at_s, label: "robot blue is trapped".to_owned() }).collect();
        Marks::arrange(&marks, Scale::of_time(100.0, 50.0, 750.0), 900.0)
    }

    #[test]
    fn labels_never_overlap() {
        let times: Vec<f64> = (0..60).map(|index| f64::from(index) * 1.7 % 100.0).collect();
        let marks = arranged(&times);
        for (index, one) in marks.placed.iter().enumerate() {
            for two in
                marks.placed.iter().skip(index + 1).filter(|two| two.lane.is_some() && two.lane == one.lane)
            {
                assert!(one.extent().0 >= two.extent().1 || one.extent().1 <= two.extent().0);
            }
        }
    }

    #[test]
    fn lone_marks_share_one_lane() {
        assert_eq!(arranged(&[5.0, 40.0, 80.0]).lanes, 1);
        assert_eq!(arranged(&[]).height(), 0.0);
        assert_eq!(arranged(&[f64::NAN, -5.0, 1e9]).lanes, 0);
    }

    #[test]
    fn crowded_marks_stack() {
        assert_eq!(arranged(&[50.0; 10]).lanes, 10);
        assert_eq!(arranged(&[50.0; 30]).lanes, 10);
    }
}
