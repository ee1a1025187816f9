//! Colours for robots, tasks and areas.
//!
//! Every colour has a contrast of at least 3:1 to the light and to the dark surface, so one set is enough for both.

/// An sRGB colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour {
    /// Red part.
    pub red: u8,
    /// Green part.
    pub green: u8,
    /// Blue part.
    pub blue: u8,
}

impl Colour {
    /// From `0xrrggbb`.
    pub const fn new(code: u32) -> Self {
        Self { red: (code >> 16) as u8, green: (code >> 8) as u8, blue: code as u8 }
    }

    /// As `#rrggbb`.
    pub fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }

    /// Relative luminance by WCAG 2, from 0 (black) to 1 (white).
    pub fn luminance(self) -> f64 {
        let channel = |value: u8| {
            let share = f64::from(value) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { libm::pow((share + 0.055) / 1.055, 2.4) }
        };
        0.2126 * channel(self.red) + 0.7152 * channel(self.green) + 0.0722 * channel(self.blue)
    }

    /// Contrast ratio to another colour by WCAG 2, from 1 to 21.
    pub fn contrast(self, other: Self) -> f64 {
        let (one, two) = (self.luminance(), other.luminance());
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
    }

    /// The better readable of white and black for text on this colour.
    pub fn ink(self) -> Self {
        let (white, black) = (Self::new(0xffffff), Self::new(0x000000));
        if self.contrast(white) >= self.contrast(black) { white } else { black }
    }
}

/// Colours of robots that are named after a colour.
const NAMED: [(&str, u32); 27] = [
    ("blue", 0x2f6fd6),
    ("gold", 0xb58400),
    ("green", 0x2e9150),
    ("red", 0xd64541),
    ("orange", 0xd9691a),
    ("purple", 0x8e5bc9),
    ("violet", 0x7a63e0),
    ("yellow", 0xa08a00),
    ("pink", 0xd8589a),
    ("magenta", 0xc03fae),
    ("cyan", 0x0f93ad),
    ("teal", 0x158a83),
    ("turquoise", 0x12988c),
    ("brown", 0x9c6239),
    ("bronze", 0xa5702a),
    ("copper", 0xb8673a),
    ("olive", 0x7b8426),
    ("lime", 0x5f9a17),
    ("navy", 0x4b6bb0),
    ("indigo", 0x6a63d9),
    ("maroon", 0xb04a5a),
    ("coral", 0xe0604c),
    ("silver", 0x8593a3),
    ("grey", 0x7d838c),
    ("gray", 0x7d838c),
    ("white", 0x8d949e),
    ("black", 0x676d76),
];

/// A cycle that stays distinguishable under the common kinds of colour blindness (after Okabe and Ito, at medium brightness).
const CYCLE: [u32; 8] = [0x0072b2, 0xd55e00, 0x009570, 0xb9589a, 0xa87b00, 0x3390c8, 0x8a63c9, 0x7d838c];

/// Colours for tasks, in an order that keeps neighbours distinguishable.
const TASKS: [u32; 12] = [
    0x4477b8, 0xd1703c, 0x3f9468, 0x9a68b8, 0xb08a1e, 0x3a96a8, 0xc75a78, 0x74892f, 0x7c74d0, 0xa8703f,
    0x2f8f8a, 0x7e8792,
];

/// Line patterns for further rounds of the cycle; the first is solid.
const DASHES: [Option<&str>; 5] = [None, Some("7 3"), Some("2 2.5"), Some("9 3 2 3"), Some("14 4")];

/// The colour of a robot: its own if it is named after one, otherwise by its index in the team.
pub fn robot_colour(name: &str, index: usize) -> Colour {
    named(name).unwrap_or_else(|| pick(&CYCLE, index))
}

/// The line pattern (`stroke-dasharray`) that distinguishes robots of the same colour; `None` is solid.
pub fn robot_dash(name: &str, index: usize) -> Option<&'static str> {
    if named(name).is_some() {
        return None;
    }
    DASHES.get(index / CYCLE.len() % DASHES.len()).copied().flatten()
}

/// The colour of a task by its index in the list of tasks.
pub fn task_colour(index: usize) -> Colour {
    pick(&TASKS, index)
}

/// The tint of an area: fixed for kinds that missions share, otherwise by order of appearance.
pub fn area_colour(kind: &str, index: usize) -> Colour {
    const KINDS: [(&str, u32); 8] = [
        ("spill", 0xd9691a),
        ("source", 0xd9691a),
        ("deposit", 0x2e9150),
        ("goal", 0x2e9150),
        ("report", 0x2f6fd6),
        ("base", 0x2f6fd6),
        ("start", 0x7d838c),
        ("charg", 0xa08a00),
    ];
    let lower = kind.to_lowercase();
    let known = KINDS.iter().find(|(word, _)| lower.contains(word));
    known.map_or_else(|| pick(&TASKS, index + 3), |&(_, code)| Colour::new(code))
}

fn named(name: &str) -> Option<Colour> {
    let lower = name.trim().to_lowercase();
    NAMED.iter().find(|(word, _)| *word == lower).map(|&(_, code)| Colour::new(code))
}

fn pick(cycle: &[u32], index: usize) -> Colour {
    let code = cycle.get(index % cycle.len().max(1)).copied();
    Colour::new(code.unwrap_or(0x7d838c))
}

#[cfg(test)]
mod tests {
    use super::super::theme::Ink;
    use super::*;

    fn parse(hex: &str) -> Colour {
        Colour::new(u32::from_str_radix(hex.trim_start_matches('#'), 16).expect("a theme colour"))
    }

    #[test]
    fn every_colour_is_visible_on_both_surfaces() {
        let named = NAMED.iter().map(|&(_, code)| code);
        for code in named.chain(CYCLE).chain(TASKS) {
            let colour = Colour::new(code);
            for surface in [Ink::Surface.light(), Ink::Surface.dark()] {
                let contrast = colour.contrast(parse(surface));
                assert!(contrast >= 3.0, "{} on {surface}: {contrast:.2}", colour.hex());
            }
            assert!(colour.contrast(colour.ink()) >= 4.5, "text on {}", colour.hex());
        }
    }

    #[test]
    fn text_inks_are_readable() {
        for ink in [Ink::Text, Ink::Muted, Ink::Alert] {
            assert!(parse(ink.light()).contrast(parse(Ink::Surface.light())) >= 4.5);
            assert!(parse(ink.dark()).contrast(parse(Ink::Surface.dark())) >= 4.5);
        }
    }

    #[test]
    fn a_robot_named_after_a_colour_has_that_colour() {
        assert_eq!(robot_colour("Blue", 7), robot_colour("blue", 0));
        assert_ne!(robot_colour("robot-1", 1), robot_colour("robot-2", 2));
        assert_eq!(robot_dash("robot-1", 1), None);
        assert!(robot_dash("robot-9", 9).is_some());
    }
}
