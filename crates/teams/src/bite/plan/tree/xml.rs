//! A reader for the part of XML that behaviour trees use: elements with attributes. It has no entities but the predefined ones and
//! reads no other file, so that no text can make it large or slow.

use crate::Misfit;
use std::ops::Range;

/// Files larger than this are refused. [bytes]
const LARGEST: usize = 4 << 20;
/// Elements within each other are at most this deep.
const DEEPEST: usize = 64;

/// An attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) value: String,
    /// Its value without quotes.
    pub(super) span: Range<usize>,
    pub(super) name_span: Range<usize>,
}

/// An element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) tag: String,
    /// Its tag's name.
    pub(super) span: Range<usize>,
    pub(super) attributes: Vec<Attribute>,
    pub(super) children: Vec<Element>,
}

impl Element {
    /// The attribute of this name.
    pub(super) fn get(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }
}

/// The root element of a text.
pub(super) fn read(text: &str) -> Result<Element, Misfit> {
    if text.len() > LARGEST {
        return Err(Misfit::error(0..0, format!("the file is larger than {} MiB", LARGEST >> 20)));
    }
    let mut reader = Reader { text, at: 0 };
    if text.starts_with('\u{feff}') {
        reader.at = '\u{feff}'.len_utf8();
    }
    reader.skip_text(None)?;
    let root = reader.element(0)?;
    reader.skip_text(None)?;
    match reader.rest() {
        "" => Ok(root),
        _ => Err(reader.error("the file goes on after its root element has ended")),
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn error(&self, message: impl Into<String>) -> Misfit {
        let length = self.rest().chars().next().map_or(0, char::len_utf8);
        Misfit::error(self.at..self.at + length, message)
    }

    fn blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn takes(&mut self, what: &str) -> bool {
        let found = self.rest().starts_with(what);
        if found {
            self.at += what.len();
        }
        found
    }

    /// Goes on behind the end of what begins here.
    fn skip_to(&mut self, end: &str, what: &str) -> Result<(), Misfit> {
        match self.rest().find(end) {
            Some(found) => self.at += found + end.len(),
            None => return Err(self.error(format!("{what} that begins here has no end: `{end}` is missing"))),
        }
        Ok(())
    }

    /// Goes on at the next tag: blanks, comments and instructions mean nothing.
    fn skip_text(&mut self, inside: Option<&str>) -> Result<(), Misfit> {
        loop {
            self.blanks();
            let rest = self.rest();
            if rest.starts_with("<!--") {
                self.skip_to("-->", "the comment")?;
            } else if rest.starts_with("<?") {
                self.skip_to("?>", "the instruction")?;
            } else if rest.starts_with("<!") {
                return Err(
                    self.error("document types and CDATA are not accepted: a behaviour tree needs none")
                );
            } else if rest.is_empty() || rest.starts_with('<') {
                return match inside {
                    Some(tag) if rest.is_empty() => {
                        Err(self.error(format!("`<{tag}>` is not closed: `</{tag}>` is missing at the end")))
                    }
                    _ => Ok(()),
                };
            } else {
                return Err(self.error("a behaviour tree has no text between its elements"));
            }
        }
    }

    fn name(&mut self, what: &str) -> Result<(&'t str, Range<usize>), Misfit> {
        let rest = self.rest();
        let length = rest.find(|c: char| !(c.is_alphanumeric() || "_-.:".contains(c))).unwrap_or(rest.len());
        if length == 0 || rest.starts_with(|c: char| c.is_ascii_digit() || "-.".contains(c)) {
            return Err(self.error(format!("{what} is missing here")));
        }
        let span = self.at..self.at + length;
        self.at += length;
        Ok((&rest[..length], span))
    }

    fn element(&mut self, depth: usize) -> Result<Element, Misfit> {
        if !self.takes("<") {
            return Err(self.error("an element such as `<root>` is missing here"));
        }
        let (tag, span) = self.name("the name of an element")?;
        if depth >= DEEPEST {
            return Err(Misfit::error(span, format!("elements are nested more than {DEEPEST} levels deep")));
        }
        let mut element = Element { tag: tag.into(), span, attributes: Vec::new(), children: Vec::new() };
        loop {
            self.blanks();
            if self.takes("/>") {
                return Ok(element);
            }
            if self.takes(">") {
                break;
            }
            let attribute = self.attribute(tag)?;
            if element.get(&attribute.name).is_some() {
                let message = format!("`{}` is given twice", attribute.name);
                return Err(Misfit::error(attribute.name_span, message));
            }
            element.attributes.push(attribute);
        }
        loop {
            self.skip_text(Some(tag))?;
            let start = self.at;
            if self.takes("</") {
                let (end, _) = self.name("the name of an element")?;
                self.blanks();
                let closed = self.takes(">");
                if end != tag {
                    let message = format!("`</{end}>` ends what `<{tag}>` has begun");
                    return Err(Misfit::error(start..self.at, message));
                }
                return if closed { Ok(element) } else { Err(self.error("`>` is missing here")) };
            }
            element.children.push(self.element(depth + 1)?);
        }
    }

    fn attribute(&mut self, tag: &str) -> Result<Attribute, Misfit> {
        let (name, name_span) = self.name(&format!("the end of `<{tag}` or an attribute"))?;
        self.blanks();
        if !self.takes("=") {
            return Err(self.error(format!("`{name}` needs a value: `{name}=\"...\"`")));
        }
        self.blanks();
        let quote = self.rest().chars().next().filter(|quote| matches!(quote, '"' | '\''));
        let Some(quote) = quote else { return Err(self.error("a value is written in quotes")) };
        self.at += 1;
        let start = self.at;
        self.skip_to(&quote.to_string(), "the value")?;
        let span = start..self.at - 1;
        let raw = &self.text[span.clone()];
        if let Some(place) = raw.find('<') {
            let at = start + place;
            return Err(Misfit::error(at..at + 1, "a value has no `<`: write `&lt;`, or close the quote"));
        }
        let value = unescaped(raw).map_err(|(place, what)| {
            let message = format!("`{what}` is no character: known are `&lt;`, `&gt;`, `&amp;`, `&quot;`, `&apos;` and numbers such as `&#10;`");
            Misfit::error(start + place..start + place + what.len(), message)
        })?;
        Ok(Attribute { name: name.into(), value, span, name_span })
    }
}

/// The text with its character references replaced, or the place and text of one that is unknown.
fn unescaped(raw: &str) -> Result<String, (usize, &str)> {
    let (mut text, mut rest) = (String::with_capacity(raw.len()), raw);
    while let Some(start) = rest.find('&') {
        text.push_str(&rest[..start]);
        let place = raw.len() - rest.len() + start;
        let reference = &rest[start..];
        let end = reference.find(';').map_or_else(|| reference.ceil_char_boundary(1), |end| end + 1);
        let reference = &reference[..end];
        let number =
            |digits: &str, base: u32| u32::from_str_radix(digits, base).ok().and_then(char::from_u32);
        let character = match reference {
            "&lt;" => Some('<'),
            "&gt;" => Some('>'),
            "&amp;" => Some('&'),
            "&quot;" => Some('"'),
            "&apos;" => Some('\''),
            _ => reference.strip_prefix("&#").and_then(|code| code.strip_suffix(';')).and_then(|code| {
                match code.strip_prefix('x') {
                    Some(digits) => number(digits, 16),
                    None => number(code, 10),
                }
            }),
        };
        text.push(character.ok_or((place, reference))?);
        rest = &rest[start + end..];
    }
    text.push_str(rest);
    Ok(text)
}
