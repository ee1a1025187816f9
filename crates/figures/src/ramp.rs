//! Colour scales for quantities, and the bar that explains them.

use super::palette::Colour;
use super::svg::{Element, Path, group, label, rect};
use super::theme::Ink;

/// A scale of colours from low to high.
#[derive(Debug, Clone, Copy)]
pub struct Ramp(&'static [u32]);

/// From bad (red) to good (green), as the links in figure 8 of SWARM.
pub const QUALITY: Ramp = Ramp(&[0xd0312d, 0xd9691a, 0xb58400, 0x6f8f1c, 0x23874a]);

/// From quiet (light) to loud (dark), as the noise in figure 9 of SWARM.
pub const NOISE: Ramp = Ramp(&[0xe9f8fb, 0xb2e2ec, 0x6cbfd1, 0x2c8ca3, 0x0f5a6e, 0x06323f]);

/// Steps in which a bar is drawn.
const STEPS: usize = 48;

impl Ramp {
    /// The colour of a share from 0 to 1.
    pub fn at(self, share: f64) -> Colour {
        let last = self.0.len() - 1;
        let place = if share.is_finite() { share.clamp(0.0, 1.0) * last as f64 } else { 0.0 };
        let low = (place.floor() as usize).min(last);
        let (one, two) = (Colour::new(self.0[low]), Colour::new(self.0[(low + 1).min(last)]));
        let part = place - low as f64;
        let mix =
            |one: u8, two: u8| (f64::from(one) + part * (f64::from(two) - f64::from(one))).round() as u8;
        Colour { red: mix(one.red, two.red), green: mix(one.green, two.green), blue: mix(one.blue, two.blue) }
    }

    /// A bar of all colours with a title on its left and labels below, each at its share of the bar.
    pub fn bar(self, title: &str, (left, top, width): (f64, f64, f64), labels: &[(f64, String)]) -> Element {
        let mut bar = group().with("shape-rendering", "crispEdges");
        let step = width / STEPS as f64;
        for index in 0..STEPS {
            let x = left + step * index as f64;
            bar.push(rect(x, top, step + 0.3, 11.0).fill(self.at((index as f64 + 0.5) / STEPS as f64)));
        }
        let mut ticks = Path::default();
        let mut words = group().fill(Ink::Muted);
        for (share, text) in labels {
            let x = left + width * share.clamp(0.0, 1.0);
            ticks.move_to(x, top + 11.0);
            ticks.vertical_to(top + 15.0);
            words.push(label(x, top + 27.0, 11.0, "middle", text));
        }
        words.push(label(left - 10.0, top + 9.5, 11.5, "end", title));
        group().child(bar).child(ticks.outline().stroke(Ink::Muted, 1.0)).child(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ramp_goes_from_end_to_end_and_takes_any_number() {
        assert_eq!(QUALITY.at(0.0).hex(), "#d0312d");
        assert_eq!(QUALITY.at(1.0).hex(), "#23874a");
        assert_eq!(QUALITY.at(f64::NAN), QUALITY.at(-3.0));
        assert_eq!(NOISE.at(7.0), NOISE.at(1.0));
        let brightness: Vec<f64> =
            (0..=10).map(|step| NOISE.at(f64::from(step) / 10.0).luminance()).collect();
        assert!(brightness.is_sorted_by(|one, two| one > two), "louder is darker");
    }
}
