//! A minimal SVG writer: elements, attributes, paths, escaped text.

use super::palette::Colour;
use super::theme::Ink;

/// The fonts of every figure; each platform has one of them.
const FONTS: &str =
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";

/// Writes a number with at most two decimals and no trailing zeros; non-finite numbers become `0`.
pub fn number(value: f64) -> String {
    if !value.is_finite() {
        return "0".to_owned();
    }
    let mut text = format!("{value:.2}");
    while text.ends_with('0') {
        text.pop();
    }
    if text.ends_with('.') {
        text.pop();
    }
    if text == "-0" { "0".to_owned() } else { text }
}

/// Escapes text for use in XML and HTML, both between tags and inside double-quoted attributes.
///
/// Line breaks become spaces and characters that XML 1.0 forbids become U+FFFD.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            forbidden if forbidden.is_control() => out.push('\u{fffd}'),
            plain => out.push(plain),
        }
    }
    out
}

/// A value of an attribute.
pub trait AttributeValue {
    /// The value as unescaped text.
    fn into_text(self) -> String;
}

impl AttributeValue for f64 {
    fn into_text(self) -> String {
        number(self)
    }
}

impl AttributeValue for &str {
    fn into_text(self) -> String {
        self.to_owned()
    }
}

impl AttributeValue for String {
    fn into_text(self) -> String {
        self
    }
}

/// A paint: an ink that follows the page's theme, or a fixed colour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Paint {
    /// Light or dark with the page.
    Ink(Ink),
    /// Always the same.
    Colour(Colour),
}

impl From<Ink> for Paint {
    fn from(ink: Ink) -> Self {
        Self::Ink(ink)
    }
}

impl From<Colour> for Paint {
    fn from(colour: Colour) -> Self {
        Self::Colour(colour)
    }
}

#[derive(Debug, Clone)]
enum Node {
    Element(Element),
    Text(String),
}

/// One SVG element with its attributes and children.
#[derive(Debug, Clone)]
pub struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    children: Vec<Node>,
}

impl Element {
    /// An empty element.
    pub fn new(name: &'static str) -> Self {
        Self { name, attributes: Vec::new(), children: Vec::new() }
    }

    /// Adds one attribute.
    pub fn with(mut self, key: &'static str, value: impl AttributeValue) -> Self {
        self.attributes.push((key, value.into_text()));
        self
    }

    /// Fills the shape.
    pub fn fill(self, paint: impl Into<Paint>) -> Self {
        match paint.into() {
            Paint::Ink(ink) => self.with("fill", ink.light()).class(ink.fill_class()),
            Paint::Colour(colour) => self.with("fill", colour.hex()),
        }
    }

    /// Outlines the shape; the width is in pixels.
    pub fn stroke(self, paint: impl Into<Paint>, width: f64) -> Self {
        let painted = match paint.into() {
            Paint::Ink(ink) => self.with("stroke", ink.light()).class(ink.stroke_class()),
            Paint::Colour(colour) => self.with("stroke", colour.hex()),
        };
        painted.with("stroke-width", width)
    }

    /// Outlines text with the surface colour, so that it stays readable on top of other lines.
    pub fn halo(self) -> Self {
        self.stroke(Ink::Surface, 3.0).with("stroke-linejoin", "round").with("paint-order", "stroke")
    }

    /// Adds a tooltip.
    pub fn tooltip(self, text: &str) -> Self {
        self.child(Element::new("title").text(text))
    }

    /// Appends a child and returns the parent.
    pub fn child(mut self, child: Element) -> Self {
        self.push(child);
        self
    }

    /// Appends text.
    pub fn text(mut self, text: &str) -> Self {
        self.children.push(Node::Text(text.to_owned()));
        self
    }

    /// Appends a child.
    pub fn push(&mut self, child: Element) {
        self.children.push(Node::Element(child));
    }

    /// The element and everything in it as markup.
    pub fn render(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn class(mut self, class: &str) -> Self {
        match self.attributes.iter_mut().find(|(key, _)| *key == "class") {
            Some((_, classes)) => {
                classes.push(' ');
                classes.push_str(class);
            }
            None => self.attributes.push(("class", class.to_owned())),
        }
        self
    }

    fn write(&self, out: &mut String) {
        out.push('<');
        out.push_str(self.name);
        for (key, value) in &self.attributes {
            out.push(' ');
            out.push_str(key);
            out.push_str("=\"");
            out.push_str(&escape(value));
            out.push('"');
        }
        if self.children.is_empty() {
            out.push_str("/>");
            return;
        }
        out.push('>');
        for child in &self.children {
            match child {
                Node::Element(element) => element.write(out),
                Node::Text(text) => out.push_str(&escape(text)),
            }
        }
        out.push_str("</");
        out.push_str(self.name);
        out.push('>');
    }
}

/// The root of a figure: white when opened alone, following the page's theme when inlined.
pub fn document(width: f64, height: f64, label: &str) -> Element {
    Element::new("svg")
        .with("xmlns", "http://www.w3.org/2000/svg")
        .with("viewBox", format!("0 0 {} {}", number(width), number(height)))
        .with("width", width)
        .with("height", height)
        .with("role", "img")
        .with("aria-label", label)
        .with("font-family", FONTS)
        .with("font-size", "12")
        .child(rect(0.0, 0.0, width, height).fill(Ink::Surface))
}

/// A group.
pub fn group() -> Element {
    Element::new("g")
}

/// A group moved by the given distance.
pub fn moved(x: f64, y: f64) -> Element {
    group().with("transform", format!("translate({} {})", number(x), number(y)))
}

/// A rectangle.
pub fn rect(x: f64, y: f64, width: f64, height: f64) -> Element {
    Element::new("rect")
        .with("x", x)
        .with("y", y)
        .with("width", width.max(0.0))
        .with("height", height.max(0.0))
}

/// A straight line.
pub fn line(from: (f64, f64), to: (f64, f64)) -> Element {
    Element::new("line").with("x1", from.0).with("y1", from.1).with("x2", to.0).with("y2", to.1)
}

/// A circle.
pub fn circle(x: f64, y: f64, radius: f64) -> Element {
    Element::new("circle").with("cx", x).with("cy", y).with("r", radius.max(0.0))
}

/// A line of text; `anchor` is `start`, `middle` or `end`, `size` in pixels.
pub fn label(x: f64, y: f64, size: f64, anchor: &'static str, content: &str) -> Element {
    let text = Element::new("text").with("x", x).with("y", y).with("font-size", size);
    let anchored = if anchor == "start" { text } else { text.with("text-anchor", anchor) };
    anchored.text(content)
}

/// The data of a `<path>`, built step by step.
#[derive(Debug, Clone, Default)]
pub struct Path {
    data: String,
}

impl Path {
    /// The polyline through these points.
    pub fn polyline(points: &[(f64, f64)]) -> Self {
        let mut path = Self::default();
        for (index, &(x, y)) in points.iter().enumerate() {
            path.step(if index == 0 { 'M' } else { 'L' }, &[x, y]);
        }
        path
    }

    /// Appends another path.
    pub fn add(&mut self, other: &Self) {
        self.data.push_str(&other.data);
    }

    /// Starts a new piece.
    pub fn move_to(&mut self, x: f64, y: f64) {
        self.step('M', &[x, y]);
    }

    /// Draws a horizontal line.
    pub fn horizontal_to(&mut self, x: f64) {
        self.step('H', &[x]);
    }

    /// Draws a vertical line.
    pub fn vertical_to(&mut self, y: f64) {
        self.step('V', &[y]);
    }

    /// Closes the piece.
    pub fn close(&mut self) {
        self.data.push('Z');
    }

    /// Whether nothing was drawn.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// The `<path>` element, unfilled unless a fill is added.
    pub fn outline(self) -> Element {
        self.area().with("fill", "none")
    }

    /// The `<path>` element, to be filled.
    pub fn area(self) -> Element {
        Element::new("path").with("d", self.data)
    }

    fn step(&mut self, command: char, coordinates: &[f64]) {
        self.data.push(command);
        for (index, &coordinate) in coordinates.iter().enumerate() {
            if index > 0 {
                self.data.push(' ');
            }
            self.data.push_str(&number(coordinate));
        }
    }
}
