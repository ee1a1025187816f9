//! Recorded logs: odometry and scans as CSV, plain or compressed with gzip. Rows are read one by one, so the length of a log costs
//! no memory.

use super::scanner::Scanner;
use crewlab_sim::onboard::geometry::{Pose, vec2};
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// The longest line that is accepted. [bytes]
const LONGEST_LINE: u64 = 1 << 20;
/// The most scans that are accepted: a day at 10 Hz.
const MOST_SCANS: usize = 864_000;
/// Positions farther from the origin are damaged. [m]
const FARTHEST: f64 = 1e5;
/// Ranges are from 0 to this. [m]
const LONGEST_RANGE: f64 = 1e6;

/// What is wrong with a log, and where.
#[derive(Debug, thiserror::Error)]
#[error("{}{}", .line.map_or(String::new(), |line| format!("line {line}: ")), .message)]
pub struct LogError {
    line: Option<usize>,
    message: String,
}

impl LogError {
    pub(super) fn at(line: usize, message: String) -> LogError {
        LogError { line: Some(line), message }
    }

    pub(super) fn empty() -> LogError {
        LogError { line: None, message: "the log has no scans".into() }
    }
}

/// One scan.
#[derive(Clone, Debug)]
pub struct Row {
    /// When it was taken. [s]
    pub time: f64,
    /// Where odometry says the robot was.
    pub odometry: Pose,
    /// Where it was according to the reference, if the log has one.
    pub reference: Option<Pose>,
    /// The free distance along each ray. [m]
    pub ranges: Vec<f64>,
}

/// A log that is being read.
pub struct Log<R> {
    lines: R,
    /// The number of the last line that was read.
    line: usize,
    scans: usize,
    columns: usize,
    time: usize,
    odometry: [usize; 3],
    reference: Option<[usize; 3]>,
    /// The column of the first range.
    first: usize,
    angles: Vec<f64>,
    reach: f64,
}

/// The angles of rays over a field of view, the first one to the right. [rad] Scanners divide a degree evenly: 180 rays over 180°
/// are 1° apart and end at 89°, 181 rays are as well and end at 90°.
fn angles(rays: usize, field: f64) -> Vec<f64> {
    let even = |step: f64| (step * 8.0 - (step * 8.0).round()).abs() < 1e-9;
    let (whole, inner) = (field / rays as f64, field / (rays.max(2) - 1) as f64);
    let step = if even(whole) && !even(inner) { whole } else { inner };
    (0..rays).map(|ray| (-field / 2.0 + step * ray as f64).to_radians()).collect()
}

impl Log<Box<dyn BufRead>> {
    /// Opens a file; its content says whether it is compressed. Rays are spread over `field` [deg]; ranges from `reach` on saw
    /// nothing. [m]
    pub fn open(file: &Path, field: f64, reach: f64) -> Result<Self, LogError> {
        let problem = |error: std::io::Error| LogError { line: None, message: error.to_string() };
        let mut plain = BufReader::new(File::open(file).map_err(problem)?);
        let compressed = plain.fill_buf().map_err(problem)?.starts_with(&[0x1f, 0x8b]);
        let lines: Box<dyn BufRead> =
            if compressed { Box::new(BufReader::new(MultiGzDecoder::new(plain))) } else { Box::new(plain) };
        Log::new(lines, field, reach)
    }
}

impl<R: BufRead> Log<R> {
    /// Reads the header. What it says about the scanner counts; `field` and `reach` are for logs that say nothing.
    pub fn new(mut lines: R, field: f64, reach: f64) -> Result<Log<R>, LogError> {
        let mut line = 0;
        let mut header = next_line(&mut lines, &mut line)?.ok_or_else(LogError::empty)?;
        let scanner = header.starts_with('#').then(|| Scanner::parse(&header)).transpose()?;
        if scanner.is_some() {
            header = next_line(&mut lines, &mut line)?.ok_or_else(LogError::empty)?;
        }
        let names: Vec<&str> = header.trim_start_matches('\u{feff}').split(',').map(str::trim).collect();
        let column = |name: &str| names.iter().position(|other| *other == name);
        let needed = |name: &str| {
            let message = "this line names the columns: t, odom_x, odom_y, odom_theta, r0, r1, ...";
            column(name).ok_or_else(|| LogError::at(line, format!("there is no column `{name}`; {message}")))
        };
        let reference = [column("ref_x"), column("ref_y"), column("ref_theta")];
        let odometry = [needed("odom_x")?, needed("odom_y")?, needed("odom_theta")?];
        let (time, first) = (needed("t")?, needed("r0")?);
        let rays =
            (0..).take_while(|ray| names.get(first + ray) == Some(&format!("r{ray}").as_str())).count();
        // A name that is off would leave out all rays behind it.
        let is_ray = |name: &&&str| {
            name.strip_prefix('r').is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
        };
        if let Some(odd) = names.iter().skip(first + rays).chain(&names[..first]).find(is_ray) {
            let message = format!(
                "the column `{odd}` is out of order: rays are r0, r1, ... in a row, and r{rays} was expected"
            );
            return Err(LogError::at(line, message));
        }
        if reference.iter().any(Option::is_some) && reference.iter().any(Option::is_none) {
            let message = "a reference has three columns: ref_x, ref_y and ref_theta".into();
            return Err(LogError::at(line, message));
        }
        Ok(Log {
            lines,
            line,
            scans: 0,
            columns: names.len(),
            time,
            odometry,
            reference: match reference {
                [Some(x), Some(y), Some(theta)] => Some([x, y, theta]),
                _ => None,
            },
            first,
            angles: scanner.map_or_else(|| angles(rays, field), |scanner| scanner.angles(rays)),
            reach: scanner.map_or(reach, |scanner| scanner.reach),
        })
    }

    /// Directions of the rays relative to the front. [rad]
    pub fn angles(&self) -> &[f64] {
        &self.angles
    }

    /// Ranges from this on saw nothing. [m]
    pub fn reach(&self) -> f64 {
        self.reach
    }

    fn row(&self, text: &str) -> Result<Row, LogError> {
        let cells: Vec<&str> = text.split(',').collect();
        if cells.len() != self.columns {
            let message = format!("{} columns are named, but this line has {}", self.columns, cells.len());
            return Err(LogError::at(self.line, message));
        }
        let number = |column: usize, largest: f64| {
            let said = cells[column].trim();
            let value = said.parse::<f64>().ok().filter(|value| value.abs() <= largest);
            value.ok_or_else(|| {
                let said: String = said.chars().take(40).collect();
                let message = format!("column {}: `{said}` is not a number up to {largest:e}", column + 1);
                LogError::at(self.line, message)
            })
        };
        let pose = |columns: [usize; 3]| {
            let [x, y, heading] = columns;
            let position = vec2(number(x, FARTHEST)?, number(y, FARTHEST)?);
            Ok::<_, LogError>(Pose { position, heading: number(heading, FARTHEST)? })
        };
        let ranges = self.first..self.first + self.angles.len();
        Ok(Row {
            time: number(self.time, 1e12)?,
            odometry: pose(self.odometry)?,
            reference: self.reference.map(pose).transpose()?,
            ranges: ranges.map(|column| number(column, LONGEST_RANGE)).collect::<Result<_, _>>()?,
        })
    }
}

impl<R: BufRead> Iterator for Log<R> {
    type Item = Result<Row, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let text = match next_line(&mut self.lines, &mut self.line) {
                Ok(text) => text?,
                Err(error) => return Some(Err(error)),
            };
            if text.trim().is_empty() {
                continue;
            }
            self.scans += 1;
            if self.scans > MOST_SCANS {
                let message = format!("the log has more than {MOST_SCANS} scans: use a part of it");
                return Some(Err(LogError::at(self.line, message)));
            }
            return Some(self.row(&text));
        }
    }
}

/// The next line, without its end; `None` at the end of the log.
fn next_line(lines: &mut impl BufRead, line: &mut usize) -> Result<Option<String>, LogError> {
    let mut bytes = Vec::new();
    *line += 1;
    let read = lines.take(LONGEST_LINE + 1).read_until(b'\n', &mut bytes);
    let read = read.map_err(|error| LogError::at(*line, format!("cannot be read: {error}")))?;
    if read as u64 > LONGEST_LINE {
        return Err(LogError::at(*line, format!("longer than {LONGEST_LINE} bytes: this is no log")));
    }
    if read == 0 {
        return Ok(None);
    }
    let text = String::from_utf8(bytes).map_err(|_| LogError::at(*line, "not UTF-8 text".into()))?;
    Ok(Some(text.trim_end_matches(['\n', '\r']).to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "t,odom_x,odom_y,odom_theta,r0,r1,r2\n";

    fn read(text: &str) -> Result<Vec<Row>, String> {
        let log = Log::new(text.as_bytes(), 180.0, 50.0).map_err(|error| error.to_string())?;
        log.collect::<Result<_, _>>().map_err(|error| error.to_string())
    }

    #[test]
    fn rows_are_read_by_the_names_of_their_columns() {
        let rows = read(&format!("{HEAD}0.5,1,2,3,4,5,6\r\n\n1,1,2,3,4,5,6")).expect("a log");
        assert_eq!(
            (rows.len(), rows[0].odometry.position.y, &rows[0].ranges[..]),
            (2, 2.0, &[4.0, 5.0, 6.0][..])
        );
    }

    #[test]
    fn damage_is_reported_with_its_line() {
        let said = |text: &str| read(text).expect_err("damage");
        assert_eq!(said(&format!("{HEAD}1,2,3\n")), "line 2: 7 columns are named, but this line has 3");
        assert!(said(&format!("{HEAD}0,1,2,3,4,5,6\n0,1,2,x,4,5,6\n")).starts_with("line 3: column 4: `x`"));
        assert!(said(&format!("{HEAD}0,1e300,2,3,4,5,6\n")).starts_with("line 2: column 2"));
        assert!(said(&format!("{HEAD}0,1,2,3,nan,5,6\n")).starts_with("line 2: column 5"));
        assert!(said("a,b\n").contains("no column `odom_x`"));
        assert!(said("").contains("no scans"));
        assert!(said(&"x".repeat(2_000_000)).contains("longer than"));
    }

    #[test]
    fn rays_divide_a_degree_evenly() {
        let ends = |rays| angles(rays, 180.0).last().copied().unwrap_or_default().to_degrees();
        assert!(
            (ends(180) - 89.0).abs() < 1e-9
                && (ends(181) - 90.0).abs() < 1e-9
                && (ends(361) - 90.0).abs() < 1e-9
        );
        assert!((ends(37) - 90.0).abs() < 1e-9, "5° apart");
    }
}
