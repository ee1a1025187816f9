//! The secret for access from other machines.

use std::fmt;
use std::hint::black_box;
use std::io;

/// Characters that need no escape in an address or a cookie.
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// A secret that goes into the address of the page.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A new one from the system's random numbers.
    pub fn random() -> io::Result<Token> {
        let mut bytes = [0; 24];
        getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
        Ok(Token(bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte & 63)])).collect()))
    }

    /// One that a person chose: 8 to 128 letters, digits, `-` and `_`.
    pub fn chosen(text: &str) -> Result<Token, String> {
        let known = text.bytes().all(|byte| ALPHABET.contains(&byte));
        if known && (8..=128).contains(&text.len()) {
            Ok(Token(text.into()))
        } else {
            Err("a token is 8 to 128 letters, digits, `-` and `_`".into())
        }
    }

    /// As part of an address.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Compares in constant time.
    pub(super) fn is(&self, other: &str) -> bool {
        let (mine, other) = (self.0.as_bytes(), other.as_bytes());
        let differences = mine.iter().zip(other).fold(0, |sum, (a, b)| black_box(sum | (a ^ b)));
        differences == 0 && mine.len() == other.len()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}
