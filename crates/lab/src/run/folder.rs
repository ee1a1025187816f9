//! The folder of a run's results. It is filled under another name and gets its own when everything is in it, so that
//! an interrupted run never looks complete.

use super::RunError;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// A folder being filled. Dropped before it is complete, it disappears.
#[derive(Debug)]
pub struct Folder {
    target: PathBuf,
    partial: PathBuf,
    replace: bool,
    complete: bool,
}

impl Folder {
    /// Prepares a folder for results; refuses one that exists, unless `force` is set and it holds older results.
    pub fn create(target: &Path, force: bool) -> Result<Folder, RunError> {
        let replace = target.symlink_metadata().is_ok();
        if replace && !force {
            return Err(RunError::Exists(target.to_path_buf()));
        }
        if replace && !target.join("manifest.json").is_file() {
            return Err(RunError::NotResults(target.to_path_buf()));
        }
        let mut name = target.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".partial-{}", std::process::id()));
        let partial = target.with_file_name(name);
        let folder = Folder { target: target.to_path_buf(), partial, replace, complete: false };
        fs::create_dir_all(folder.partial.join("plots")).map_err(|error| folder.write_error(error))?;
        Ok(folder)
    }

    /// A file to be written bit by bit.
    pub fn file(&self, name: &str) -> Result<BufWriter<File>, RunError> {
        let path = self.partial.join(name);
        File::create(&path).map(BufWriter::new).map_err(|error| RunError::Write(path, error))
    }

    /// Writes a whole file.
    pub fn write(&self, name: &str, text: &str) -> Result<(), RunError> {
        let path = self.partial.join(name);
        fs::write(&path, text).map_err(|error| RunError::Write(path, error))
    }

    /// Where the results will be.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// A failed write somewhere in this folder.
    pub fn write_error(&self, error: io::Error) -> RunError {
        RunError::Write(self.target.clone(), error)
    }

    /// Gives the folder its own name.
    pub fn complete(mut self) -> Result<(), RunError> {
        if self.replace {
            fs::remove_dir_all(&self.target).map_err(|error| self.write_error(error))?;
        } else if self.target.symlink_metadata().is_ok() {
            // Somebody else finished the same folder while this run was going on.
            return Err(RunError::Exists(self.target.clone()));
        }
        fs::rename(&self.partial, &self.target).map_err(|error| self.write_error(error))?;
        self.complete = true;
        Ok(())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !self.complete {
            // What cannot be removed stays under its partial name and is no result.
            let _ = fs::remove_dir_all(&self.partial);
        }
    }
}
