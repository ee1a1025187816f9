//! Estimates of text width, without a font.

/// An upper estimate of a character's width as a share of the font size: a little wider than Arial, about as wide as the
/// widest of the usual interface fonts.
fn advance(character: char) -> f64 {
    match character {
        'i' | 'j' | 'l' | 'I' | '|' | '!' | '.' | ',' | ':' | ';' | '\'' => 0.32,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | ' ' | '-' | '/' => 0.38,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.95,
        'A'..='Z' | '&' | '…' => 0.72,
        ' '..='~' => 0.61,
        '\u{2e80}'..='\u{ffef}' | '\u{1f000}'..='\u{3ffff}' => 1.05,
        _ => 0.68,
    }
}

/// The width of a line of text [px] at a font size [px].
pub fn width(text: &str, size: f64) -> f64 {
    text.chars().map(advance).sum::<f64>() * size
}

/// The text itself, or as much of it as fits into `room` [px] followed by an ellipsis.
pub fn shorten(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut left = room / size - advance('…');
    let mut short = String::new();
    for character in text.chars() {
        left -= advance(character);
        if left < 0.0 {
            break;
        }
        short.push(character);
    }
    format!("{}…", short.trim_end())
}

/// The text itself, or its beginning and end around an ellipsis: names often differ at the end only.
pub fn squeeze(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let tail_room = (room - advance('…') * size) * 0.4;
    let mut tail = String::new();
    for character in text.chars().rev() {
        if width(&tail, size) + advance(character) * size > tail_room {
            break;
        }
        tail.insert(0, character);
    }
    let head = shorten(text, size, room - width(&tail, size));
    format!("{head}{}", tail.trim_start())
}

/// The text broken at spaces into at most `most` lines of `room` [px]; the last one is shortened if need be.
pub fn wrap(text: &str, size: f64, room: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let full = lines.len() >= most;
        match lines.last_mut() {
            Some(line) if full || width(line, size) + width(word, size) + 0.38 * size <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.iter().map(|line| shorten(line, size, room)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortened_text_fits() {
        let long = "find-locations-methodical".repeat(8);
        for room in [0.0, 5.0, 40.0, 200.0] {
            let short = shorten(&long, 12.0, room);
            assert!(short == "…" || width(&short, 12.0) <= room, "{short}");
            let squeezed = squeeze(&long, 12.0, room);
            assert!(squeezed == "…" || width(&squeezed, 12.0) <= room, "{squeezed}");
        }
        assert_eq!(shorten("blue", 12.0, 100.0), "blue");
        assert!(squeeze(&format!("{long}-7"), 12.0, 90.0).ends_with("-7"));
    }

    #[test]
    fn wrapping_keeps_the_number_of_lines() {
        let lines = wrap(&"one two three ".repeat(50), 12.0, 120.0, 2);
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().all(|line| width(line, 12.0) <= 120.0));
        assert!(wrap("", 12.0, 120.0, 2).is_empty());
    }
}
