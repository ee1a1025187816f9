//! Tables of a run. The columns of a table are declared once, with [`table!`](crate::table): the header, the rows and the page in the
//! documents come from there, and tables are read by column name.

use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its unit; empty for texts, counts and shares.
    pub unit: &'static str,
    /// Its meaning.
    pub about: &'static str,
}

/// A row of a table.
pub trait Row {
    /// The columns.
    const COLUMNS: &'static [Column];

    /// Gives its cells, in the order of the columns.
    fn cells(&self, put: &mut dyn FnMut(&str) -> csv::Result<()>) -> csv::Result<()>;
}

/// Declares the columns of a table: for each its name, its unit, its meaning, and how a row fills it.
macro_rules! table {
    ($row:ty, |$this:ident| $($name:literal [$unit:literal] $about:literal => $cell:expr;)*) => {
        impl $crate::table::Row for $row {
            const COLUMNS: &'static [$crate::table::Column] =
                &[$($crate::table::Column { name: $name, unit: $unit, about: $about }),*];

            fn cells(&self, put: &mut dyn FnMut(&str) -> csv::Result<()>) -> csv::Result<()> {
                let $this = self;
                $(put(AsRef::<str>::as_ref(&$cell))?;)*
                Ok(())
            }
        }
    };
}
pub(crate) use table;

/// Writes the header of a table.
pub(crate) fn write_header<R: Row>(out: &mut csv::Writer<impl Write>) -> io::Result<()> {
    out.write_record(R::COLUMNS.iter().map(|column| column.name)).map_err(io::Error::from)
}

/// Writes a row of a table.
pub(crate) fn write_row<R: Row>(out: &mut csv::Writer<impl Write>, row: &R) -> io::Result<()> {
    row.cells(&mut |cell| out.write_field(cell))?;
    out.write_record(None::<&[u8]>).map_err(io::Error::from)
}

/// Reads a table by column name.
pub(crate) struct Reader {
    rows: csv::Reader<BufReader<File>>,
    header: csv::StringRecord,
    row: csv::StringRecord,
}

impl Reader {
    /// Opens a table; `None` if there is none.
    pub(crate) fn open(path: &Path) -> Result<Option<Reader>, String> {
        let Ok(file) = File::open(path) else { return Ok(None) };
        let mut rows = csv::Reader::from_reader(BufReader::new(file));
        let header = rows.headers().map_err(|error| error.to_string())?.clone();
        Ok(Some(Reader { rows, header, row: csv::StringRecord::new() }))
    }

    /// Moves on to the next row; false at the end.
    pub(crate) fn advance(&mut self) -> Result<bool, String> {
        self.rows.read_record(&mut self.row).map_err(|error| error.to_string())
    }

    /// A cell of this row; `None` if the table has no such column.
    pub(crate) fn cell(&self, column: &str) -> Option<&str> {
        self.row.get(self.header.iter().position(|name| name == column)?)
    }

    /// This row, deserialised: every field gets the column with its name.
    pub(crate) fn row<T: DeserializeOwned>(&self) -> Result<T, String> {
        self.row.deserialize(Some(&self.header)).map_err(|error| error.to_string())
    }

    /// All remaining rows.
    pub(crate) fn all<T: DeserializeOwned>(mut self) -> Result<Vec<T>, String> {
        let mut rows = Vec::new();
        while self.advance()? {
            rows.push(self.row()?);
        }
        Ok(rows)
    }
}

/// The columns of a table as a table in the documents.
pub fn document(file: &str, columns: &[Column]) -> String {
    let mut text = format!("| column of `{file}` | meaning |\n| --- | --- |\n");
    for Column { name, unit, about } in columns {
        let unit = if unit.is_empty() { String::new() } else { format!(" [{unit}]") };
        text += &format!("| `{name}` | {about}{unit} |\n");
    }
    text
}
