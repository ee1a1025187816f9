//! Shared parts of the figures of experiments: labelled axes, marks, names at the ends of lines, and notes.

use super::axis::{self, Scale, tick_label, usable};
use super::heading::MARGIN;
use super::palette::{Colour, robot_colour, robot_dash};
use super::svg::{Element, Path, circle, group, label, line, number, rect};
use super::text;
use super::theme::Ink;

/// The width of these figures [px].
pub const WIDTH: f64 = 960.0;

/// The font of ticks and notes [px].
pub const SMALL: f64 = 11.0;

/// Largest number of dots; of more, every n-th is drawn.
pub const MOST_DOTS: usize = 4000;

/// The colour of a group by its index.
pub fn colour(place: usize) -> Colour {
    robot_colour("", place)
}

/// The line of a group by its index: groups of the same colour differ in their dashes.
pub fn stroked(element: Element, place: usize, width: f64) -> Element {
    let drawn = element.stroke(colour(place), width);
    match robot_dash("", place) {
        Some(dash) => drawn.with("stroke-dasharray", dash),
        None => drawn,
    }
}

/// A quantity with its unit, as shown next to an axis.
pub fn titled(what: &str, unit: &str) -> String {
    if unit.is_empty() { what.to_owned() } else { format!("{what} [{unit}]") }
}

/// A measured value, rounded for reading.
pub fn spoken_value(value: f64) -> String {
    if !usable(value) {
        return "–".to_owned();
    }
    let text = match value.abs() {
        size if size >= 1e6 || (size > 0.0 && size < 0.005) => format!("{value:.1e}"),
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => number((value * 10.0).round() / 10.0),
        _ => number(value),
    };
    text.replace('-', "−")
}

/// A value with its unit.
pub fn with_unit(value: f64, unit: &str) -> String {
    format!("{} {unit}", spoken_value(value)).trim_end().to_owned()
}

/// A deterministic share from 0 to 1 without visible order, for jittering dots.
pub fn strewn(index: usize) -> f64 {
    // Multiples of the golden ratio fill the range evenly, however many there are.
    (index as f64 * 0.618_033_988_749_894_9).fract()
}

/// The lowest and highest of the values that can be drawn.
pub fn extent(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let mut usable = values.into_iter().filter(|value| usable(*value));
    let first = usable.next()?;
    Some(usable.fold((first, first), |(low, high), value| (low.min(value), high.max(value))))
}

/// An axis: values along one side of a plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    scale: Scale,
    ticks: Vec<(f64, String)>,
    logarithmic: bool,
}

impl Axis {
    /// A linear axis over an extent. It begins at 0 unless that would leave more than half of it empty.
    pub fn new(extent: Option<(f64, f64)>, range: (f64, f64), wanted: usize) -> Self {
        let (mut low, mut high) = extent.unwrap_or((0.0, 1.0));
        if low >= 0.0 && low <= high / 2.0 {
            low = 0.0;
        } else if high <= 0.0 && high >= low / 2.0 {
            high = 0.0;
        }
        Self::exactly((low, high), range, wanted)
    }

    /// A linear axis over an extent, extended to the next round numbers only.
    pub fn exactly((low, high): (f64, f64), range: (f64, f64), wanted: usize) -> Self {
        let (low, high) = match high - low {
            nothing if nothing <= low.abs() * 1e-9 => {
                (low - low.abs() * 0.1, high + (low.abs() * 0.1).max(1e-6))
            }
            _ => (low, high),
        };
        let step = axis::nice_step(high - low, wanted);
        let ends = ((low / step + 1e-9).floor() * step, (high / step - 1e-9).ceil() * step);
        let ticks = axis::ticks(ends.0, ends.1, step);
        Self {
            scale: Scale::new(ends, range),
            ticks: ticks.into_iter().map(|tick| (tick, tick_label(tick, step))).collect(),
            logarithmic: false,
        }
    }

    /// A logarithmic axis; a linear one if some value is not above 0.
    pub fn logarithmic(extent: Option<(f64, f64)>, range: (f64, f64), wanted: usize) -> Self {
        let Some((low, high)) = extent.filter(|(low, _)| *low > 1e-12) else {
            return Self::new(extent, range, wanted);
        };
        let (low, high) = if high / low < 1.2 { (low / 1.2, high * 1.2) } else { (low, high) };
        let (from, to) = (libm::log10(low), libm::log10(high));
        let room = (to - from) * 0.05;
        let ends = (libm::pow(10.0, from - room), libm::pow(10.0, to + room));
        let ticks: Vec<f64> = if to - from < 1.0 {
            axis::ticks(ends.0, ends.1, axis::nice_step(high - low, wanted))
        } else {
            // Powers of ten and, if there are few of them, their multiples by two and five as well.
            let factors: &[f64] = if to - from < 3.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
            let every = ((to - from) / wanted.max(1) as f64).ceil().max(1.0) as i32;
            let powers =
                (from.floor() as i32..=to.ceil() as i32).filter(|power| power.rem_euclid(every) == 0);
            let all = powers.flat_map(|power| {
                factors.iter().map(move |factor| factor * libm::pow(10.0, f64::from(power)))
            });
            all.filter(|tick| (ends.0..=ends.1).contains(tick)).collect()
        };
        Self {
            scale: Scale::new((from - room, to + room), range),
            ticks: ticks.into_iter().map(|tick| (tick, spoken_value(tick))).collect(),
            logarithmic: true,
        }
    }

    /// An axis along the bottom with as many ticks as their labels leave room for.
    pub fn along(extent: Option<(f64, f64)>, range: (f64, f64), logarithmic: bool) -> Self {
        let make = |wanted| match logarithmic {
            true => Self::logarithmic(extent, range, wanted),
            false => Self::new(extent, range, wanted),
        };
        [8, 6, 5, 4, 3].into_iter().map(make).find(Self::has_room).unwrap_or_else(|| make(2)).thinned()
    }

    /// An axis with these ticks.
    pub fn with_ticks(domain: (f64, f64), range: (f64, f64), ticks: Vec<(f64, String)>) -> Self {
        Self { scale: Scale::new(domain, range), ticks, logarithmic: false }.thinned()
    }

    /// An upright axis with these ticks.
    pub fn with_levels(domain: (f64, f64), range: (f64, f64), ticks: Vec<(f64, String)>) -> Self {
        Self { scale: Scale::new(domain, range), ticks, logarithmic: false }
    }

    /// How many ticks are labelled.
    pub fn tick_count(&self) -> usize {
        self.ticks.len()
    }

    /// The pixel of a value, kept inside the plot; `None` if it cannot be drawn.
    pub fn at(&self, value: f64) -> Option<f64> {
        let placed = if self.logarithmic { libm::log10(value) } else { value };
        usable(placed).then(|| self.scale.clamped(placed))
    }

    /// True if the axis shows 0, which the length of bars and the height of points suggest.
    pub fn shows_zero(&self) -> bool {
        !self.logarithmic && self.scale.contains(0.0)
    }

    /// True if the axis is logarithmic.
    pub fn is_logarithmic(&self) -> bool {
        self.logarithmic
    }

    /// Horizontal grid lines only.
    pub fn lines(&self, left: f64, right: f64) -> Element {
        let mut drawn = group().stroke(Ink::Grid, 1.0);
        for y in self.ticks.iter().filter_map(|(tick, _)| self.at(*tick)) {
            drawn.push(line((left, y), (right, y)));
        }
        drawn
    }

    /// The widest label [px].
    pub fn label_width(&self) -> f64 {
        self.ticks.iter().map(|(_, words)| text::width(words, SMALL)).fold(0.0, f64::max)
    }

    /// Horizontal grid lines with their labels on the left, and the title along the side.
    pub fn upright(&self, left: f64, right: f64, title: &str) -> Element {
        let mut drawn = group();
        for (tick, words) in &self.ticks {
            let Some(y) = self.at(*tick) else { continue };
            drawn.push(line((left, y), (right, y)).stroke(Ink::Grid, 1.0));
            drawn.push(label(left - 8.0, y + 4.0, SMALL, "end", words).fill(Ink::Muted));
        }
        if title.is_empty() {
            return drawn;
        }
        let (bottom, top) = self.scale.range();
        let (x, y) = (left - 8.0 - self.label_width() - 12.0, (top + bottom) / 2.0);
        let shown = text::shorten(title, 11.5, (bottom - top).abs() + 24.0);
        let turn = format!("translate({} {}) rotate(-90)", number(x), number(y));
        drawn.child(label(0.0, 0.0, 11.5, "middle", &shown).fill(Ink::Muted).with("transform", turn))
    }

    /// Vertical grid lines with their labels and the title below.
    pub fn level(&self, top: f64, bottom: f64, title: &str) -> Element {
        let (left, right) = self.scale.range();
        let mut drawn = group();
        for (tick, words) in &self.ticks {
            let Some(x) = self.at(*tick) else { continue };
            drawn.push(line((x, top), (x, bottom)).stroke(Ink::Grid, 1.0));
            drawn.push(label(x, bottom + 16.0, SMALL, "middle", words).fill(Ink::Muted));
        }
        drawn.push(line((left, bottom), (right, bottom)).stroke(Ink::Frame, 1.0));
        if title.is_empty() {
            return drawn;
        }
        let shown = text::shorten(title, 11.5, right - left + 60.0);
        drawn.child(label((left + right) / 2.0, bottom + 35.0, 11.5, "middle", &shown).fill(Ink::Muted))
    }

    /// Short ticks below a plot with their labels and the title.
    pub fn ticked(&self, left: f64, right: f64, bottom: f64, title: &str) -> Element {
        let mut drawn = group().child(line((left, bottom), (right, bottom)).stroke(Ink::Frame, 1.0));
        for (tick, words) in &self.ticks {
            let Some(x) = self.at(*tick) else { continue };
            drawn.push(line((x, bottom), (x, bottom + 4.0)).stroke(Ink::Frame, 1.0));
            drawn.push(label(x, bottom + 17.0, SMALL, "middle", words).fill(Ink::Muted));
        }
        let shown = text::shorten(title, 11.5, right - left + 40.0);
        drawn.child(label((left + right) / 2.0, bottom + 36.0, 11.5, "middle", &shown).fill(Ink::Muted))
    }

    /// True if no label touches the next.
    fn has_room(&self) -> bool {
        self.thinned().ticks.len() == self.ticks.len()
    }

    /// Without the labels that would touch the previous one.
    pub fn thinned(&self) -> Self {
        let mut end = f64::NEG_INFINITY;
        let mut ticks = Vec::new();
        for (tick, words) in &self.ticks {
            let half = text::width(words, SMALL) / 2.0;
            let Some(x) = self.at(*tick).filter(|x| x - half > end + 6.0) else { continue };
            end = x + half;
            ticks.push((*tick, words.clone()));
        }
        Self { ticks, ..self.clone() }
    }
}

/// The place left of a plot for tick labels and the axis's title [px].
pub fn gutter(axis: &Axis) -> f64 {
    MARGIN + 16.0 + axis.label_width() + 8.0
}

/// A mark by the index of its group, so that a figure can be read without colours: disc, square, triangle, diamond.
pub fn mark(place: usize, x: f64, y: f64, size: f64) -> Element {
    let corners: &[(f64, f64)] = match place % 4 {
        0 => return circle(x, y, size),
        1 => return rect(x - size * 0.9, y - size * 0.9, size * 1.8, size * 1.8),
        2 => &[(0.0, -1.25), (1.15, 0.85), (-1.15, 0.85)],
        _ => &[(0.0, -1.35), (1.35, 0.0), (0.0, 1.35), (-1.35, 0.0)],
    };
    let points: Vec<(f64, f64)> = corners.iter().map(|(dx, dy)| (x + size * dx, y + size * dy)).collect();
    let mut path = Path::polyline(&points);
    path.close();
    path.area()
}

/// A filled mark, or a hollow one where something is missing.
pub fn painted(element: Element, paint: Colour, hollow: bool) -> Element {
    if hollow {
        element.fill(Ink::Surface).stroke(paint, 1.8)
    } else {
        element.fill(paint).stroke(paint, 1.0)
    }
}

/// An interval as a line with short ends; `None` if it cannot be drawn. Takes the positions of its ends [px].
pub fn whisker(low: Option<f64>, high: Option<f64>, at: f64, upright: bool, width: f64) -> Option<Path> {
    let (low, high) = low.zip(high)?;
    let mut path = Path::default();
    let turn = |along: f64, aside: f64| if upright { (aside, along) } else { (along, aside) };
    for (from, to) in [(turn(low, at), turn(high, at))]
        .into_iter()
        .chain([low, high].map(|end| (turn(end, at - width), turn(end, at + width))))
    {
        path.add(&Path::polyline(&[from, to]));
    }
    Some(path)
}

/// A name beside the last point of a line.
pub struct End {
    /// Which group.
    pub place: usize,
    /// Its name.
    pub name: String,
    /// The last point [px].
    pub at: (f64, f64),
}

/// Font size of names at the ends of lines, and the height that one needs [px].
const NAME: f64 = 12.0;
const NAME_GAP: f64 = 14.5;

/// Names next to a plot whose right edge is `right`, each as near to its line's end as the others allow.
pub fn names_at_ends(ends: &[End], right: f64, room: f64, low: f64, high: f64) -> Element {
    let wanted: Vec<f64> = ends.iter().map(|end| end.at.1).collect();
    let places = apart(&wanted, NAME_GAP, low, high);
    let mut drawn = group();
    for (end, y) in ends.iter().zip(places) {
        let shown = text::squeeze(&end.name, NAME, room - 16.0);
        let lead =
            Path::polyline(&[(end.at.0 + 4.0, end.at.1), (right + 4.0, y), (right + 12.0, y)]).outline();
        drawn.push(lead.stroke(colour(end.place), 0.9).with("stroke-opacity", "0.7"));
        let words = label(right + 16.0, y + 4.0, NAME, "start", &shown).fill(Ink::Text);
        drawn.push(if shown == end.name { words } else { words.tooltip(&end.name) });
    }
    drawn
}

/// Room for the names at the ends of lines [px], at most `most`.
pub fn room_for_names<'a>(names: impl Iterator<Item = &'a str>, most: f64) -> f64 {
    (names.map(|name| text::width(name, NAME)).fold(0.0, f64::max) + 18.0).min(most)
}

/// Height that a plot needs for its names [px].
pub fn tall_enough(names: usize, least: f64) -> f64 {
    least.max(NAME_GAP * names as f64 + 6.0)
}

/// Moves positions apart so that none are nearer than the gap, as little as possible and, if there is room, within bounds.
pub fn apart(places: &[f64], gap: f64, low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|&one, &two| places[one].total_cmp(&places[two]));
    let mut sorted: Vec<f64> = order.iter().map(|&index| places[index].clamp(low, high.max(low))).collect();
    for _ in 0..100 {
        for index in 1..sorted.len() {
            let lack = gap - (sorted[index] - sorted[index - 1]);
            if lack > 0.0 {
                sorted[index - 1] -= lack / 2.0;
                sorted[index] += lack / 2.0;
            }
        }
    }
    for index in 0..sorted.len() {
        let least = if index == 0 { low } else { sorted[index - 1] + gap };
        sorted[index] = sorted[index].max(least);
    }
    let mut most = high;
    for place in sorted.iter_mut().rev() {
        *place = place.min(most);
        most = *place - gap;
    }
    let mut result = vec![0.0; places.len()];
    order.into_iter().zip(sorted).for_each(|(index, place)| result[index] = place);
    result
}

/// Notes below a plot, from `top` on; returns them with their lower edge.
pub fn notes(sentences: &[String], top: f64) -> (Element, f64) {
    let mut drawn = group().fill(Ink::Muted);
    let mut baseline = top;
    for line in text::wrap(&sentences.join(" "), SMALL, WIDTH - 2.0 * MARGIN, 6) {
        baseline += 15.0;
        drawn.push(label(MARGIN, baseline, SMALL, "start", &line));
    }
    (drawn, baseline + 14.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_distance() {
        for places in [vec![5.0; 9], vec![0.0, 100.0, 100.0, 101.0], vec![], vec![40.0]] {
            let mut moved = apart(&places, 10.0, 0.0, 100.0);
            assert!(moved.iter().all(|place| (-1e-9..=100.0).contains(place)), "{moved:?}");
            moved.sort_by(f64::total_cmp);
            assert!(moved.windows(2).all(|pair| pair[1] - pair[0] > 10.0 - 1e-9), "{moved:?}");
        }
        assert_eq!(apart(&[20.0, 60.0], 10.0, 0.0, 100.0), [20.0, 60.0]);
    }

    #[test]
    fn axes_begin_at_zero_where_that_wastes_no_room() {
        let axis = |low, high| Axis::new(Some((low, high)), (0.0, 100.0), 5);
        assert!(axis(40.0, 100.0).shows_zero());
        assert!(!axis(90.0, 100.0).shows_zero());
        assert!(axis(-100.0, -10.0).shows_zero() && axis(-5.0, 8.0).shows_zero());
        assert!(axis(0.0, 0.0).at(0.0).is_some());
        assert_eq!(axis(7.0, 7.0).at(f64::NAN), None);
    }

    #[test]
    fn a_logarithmic_axis_has_round_ticks_however_far_it_goes() {
        for (low, high) in [(1.0, 1.0), (3.0, 40.0), (1e-6, 1e6), (200.0, 900.0)] {
            let axis = Axis::along(Some((low, high)), (0.0, 500.0), true);
            assert!((2..=14).contains(&axis.ticks.len()), "{:?}", axis.ticks);
        }
        assert!(Axis::logarithmic(Some((0.0, 5.0)), (0.0, 1.0), 5).shows_zero());
    }
}
