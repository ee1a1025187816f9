//! A file that one process appends to while others read it.

use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// A journal being written.
#[derive(Debug)]
pub(super) struct Journal {
    name: OsString,
    file: File,
}

impl Journal {
    /// A new journal with a unique name.
    pub(super) fn create(folder: &Path) -> io::Result<Journal> {
        // The names sort by start time, as far as clocks agree.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let process = std::process::id();
        for count in 0..u64::MAX {
            let name = OsString::from(format!("{now:015}-{process}-{count}.jsonl"));
            match OpenOptions::new().append(true).create_new(true).open(folder.join(&name)) {
                Ok(file) => return Ok(Journal { name, file }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    pub(super) fn name(&self) -> &OsStr {
        &self.name
    }

    /// Appends a line in one write.
    pub(super) fn append(&mut self, line: &str) -> io::Result<()> {
        self.file.write_all(line.as_bytes())
    }

    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// The position up to which a journal was read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reader {
    offset: u64,
}

impl Reader {
    /// The complete lines added since the last call. An unfinished line is left for later.
    pub(super) fn read(&mut self, path: &Path) -> io::Result<String> {
        let mut file = File::open(path)?;
        if file.metadata()?.len() <= self.offset {
            return Ok(String::new());
        }
        file.seek(SeekFrom::Start(self.offset))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        bytes.truncate(whole);
        self.offset += whole as u64;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
