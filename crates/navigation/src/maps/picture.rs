//! Grey pictures: PGM and PNG.

use super::raster::check_size;
use png::{BitDepth, ColorType, Decoder, Transformations};
use std::io::Cursor;

/// A grey picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Pixels from left to right.
    pub columns: usize,
    /// Pixels from top to bottom.
    pub rows: usize,
    /// Row by row from the top: 0 black to 255 white.
    pub pixels: Vec<u8>,
}

impl Picture {
    /// Reads a PGM (P2, P5) or PNG picture. Colours become their mean, as `map_server` has it; transparency is ignored.
    pub fn read(bytes: &[u8]) -> Result<Picture, String> {
        match bytes {
            [b'P', b'2' | b'5', ..] => pgm(bytes),
            [0x89, b'P', b'N', b'G', ..] => png(bytes),
            _ => Err("it is neither a PGM (P2, P5) nor a PNG picture".into()),
        }
    }

    /// The picture as binary PGM.
    pub fn to_pgm(&self) -> Vec<u8> {
        let mut bytes = format!("P5\n{} {}\n255\n", self.columns, self.rows).into_bytes();
        bytes.extend_from_slice(&self.pixels);
        bytes
    }

    /// The picture as PNG.
    pub fn to_png(&self) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.columns as u32, self.rows as u32);
        encoder.set_color(ColorType::Grayscale);
        encoder.set_depth(BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(|error| error.to_string())?;
        writer.write_image_data(&self.pixels).map_err(|error| error.to_string())?;
        writer.finish().map_err(|error| error.to_string())?;
        Ok(bytes)
    }
}

/// The words of a PGM header, and what follows them.
struct Words<'a>(&'a [u8]);

impl Words<'_> {
    /// The next number; comments run from `#` to the end of the line.
    fn number(&mut self, what: &str) -> Result<usize, String> {
        loop {
            match self.0 {
                [b'#', ..] => {
                    let end = self.0.iter().position(|byte| *byte == b'\n').unwrap_or(self.0.len());
                    self.0 = &self.0[end..];
                }
                [byte, rest @ ..] if byte.is_ascii_whitespace() => self.0 = rest,
                _ => break,
            }
        }
        let end = self.0.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(end);
        self.0 = rest;
        let word = std::str::from_utf8(word).unwrap_or_default();
        word.parse().map_err(|_| format!("the PGM picture is cut off or damaged: {what} is missing"))
    }
}

fn pgm(bytes: &[u8]) -> Result<Picture, String> {
    let plain = bytes.starts_with(b"P2");
    let mut words = Words(bytes.get(2..).unwrap_or_default());
    let (columns, rows) = (words.number("its width")?, words.number("its height")?);
    check_size(columns, rows)?;
    let white = words.number("its largest grey")?;
    if !(1..=65_535).contains(&white) {
        return Err(format!("the largest grey of a PGM picture is from 1 to 65535, found {white}"));
    }
    let grey = |value: usize| (value.min(white) * 255 / white) as u8;
    let count = columns * rows;
    if plain {
        let pixels = (0..count).map(|at| words.number(&format!("pixel {at} of {count}")).map(grey));
        return Ok(Picture { columns, rows, pixels: pixels.collect::<Result<_, _>>()? });
    }
    // One white space separates the header from the pixels.
    let data = words.0.get(1..).unwrap_or_default();
    let wide = white > 255;
    let needed = count * if wide { 2 } else { 1 };
    if data.len() < needed {
        return Err(format!(
            "the PGM picture is cut off: {needed} bytes of pixels are needed, {} are there",
            data.len()
        ));
    }
    // Some programs end the file with a new line; more than that belongs to a larger picture.
    let rest = data[needed..].iter().filter(|byte| !byte.is_ascii_whitespace()).count();
    if rest > 0 {
        return Err(format!(
            "the PGM picture says {columns} x {rows} pixels, which are {needed} bytes, but {} are there",
            data.len()
        ));
    }
    let pixels = match wide {
        true => data[..needed]
            .chunks_exact(2)
            .map(|two| grey(usize::from(two[0]) << 8 | usize::from(two[1])))
            .collect(),
        false => data[..needed].iter().map(|byte| grey(usize::from(*byte))).collect(),
    };
    Ok(Picture { columns, rows, pixels })
}

fn png(bytes: &[u8]) -> Result<Picture, String> {
    let broken = |error: png::DecodingError| format!("the PNG picture is damaged: {error}");
    let mut decoder = Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::normalize_to_color8());
    let info = decoder.read_header_info().map_err(broken)?;
    let (columns, rows) = (info.width as usize, info.height as usize);
    check_size(columns, rows)?;
    let mut reader = decoder.read_info().map_err(broken)?;
    let size = reader.output_buffer_size().ok_or("the PNG picture is too large")?;
    let mut data = vec![0; size];
    let frame = reader.next_frame(&mut data).map_err(broken)?;
    data.truncate(frame.buffer_size());
    // What is transparent is white, as in most programs that show it: paper without ink.
    let on_paper =
        |grey: u32, alpha: u8| ((grey * u32::from(alpha) + 255 * (255 - u32::from(alpha))) / 255) as u8;
    let sum = |colours: &[u8]| colours.iter().copied().map(u32::from).sum::<u32>();
    let grey = |pixel: &[u8]| match pixel {
        [colours @ .., alpha] if pixel.len() == 4 => on_paper(sum(colours) / 3, *alpha),
        [grey, alpha] => on_paper(u32::from(*grey), *alpha),
        [_, _, _] => (sum(pixel) / 3) as u8,
        [grey, ..] => *grey,
        [] => 0,
    };
    let pixels = data.chunks(frame.color_type.samples()).map(grey).collect();
    Ok(Picture { columns, rows, pixels })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pictures_survive_both_formats(columns in 1..40usize, rows in 1..40usize, seed in any::<u8>()) {
            let pixels = (0..columns * rows).map(|at| (at as u8).wrapping_mul(31) ^ seed).collect();
            let picture = Picture { columns, rows, pixels };
            prop_assert_eq!(Picture::read(&picture.to_pgm()), Ok(picture.clone()));
            prop_assert_eq!(Picture::read(&picture.to_png().expect("a picture")), Ok(picture));
        }

        #[test]
        fn damaged_pictures_are_refused_without_harm(cut in 0..200usize, at in 0..200usize, byte in any::<u8>()) {
            let picture = Picture { columns: 10, rows: 9, pixels: (0..90).collect() };
            for mut bytes in [picture.to_pgm(), picture.to_png().expect("a picture")] {
                let place = at % bytes.len();
                bytes[place] = byte;
                bytes.truncate(bytes.len().saturating_sub(cut));
                // Whatever it is, it is a picture of the size that it says or a message.
                if let Ok(read) = Picture::read(&bytes) {
                    prop_assert_eq!(read.pixels.len(), read.columns * read.rows);
                }
            }
        }
    }

    #[test]
    fn headers_that_lie_cost_no_memory() {
        let refused = |bytes: &[u8]| Picture::read(bytes).expect_err("a lie");
        assert!(refused(b"P5 4000000000 4000000000 255 ").contains("at most"));
        assert!(refused(b"P5 99999999999999999999 1 255 ").contains("width"));
        assert!(
            refused(b"P5 4000 4000 255 abc").contains("16000000 bytes of pixels are needed, 3 are there")
        );
        assert!(refused(b"P2 2 2 255 1 2 3").contains("pixel 3 of 4"));
        assert!(refused(b"P5 2 1 255 abcd").contains("2 x 1 pixels, which are 2 bytes, but 4 are there"));
        assert!(Picture::read(b"P5 2 1 255 ab\n").is_ok());
        assert!(refused(b"P5 0 7 255 ").contains("0 x 7"));
        assert!(refused(b"GIF89a").contains("neither"));
    }

    #[test]
    fn plain_and_wide_pictures_are_read() {
        let read = Picture::read(b"P2\n# a comment\n2 1\n# another\n15\n0 15\n").expect("a picture");
        assert_eq!(read.pixels, [0, 255]);
        let read = Picture::read(b"P5 2 1 65535\n\x00\x00\xff\xff").expect("a picture");
        assert_eq!(read.pixels, [0, 255]);
    }
}
