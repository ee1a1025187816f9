//! The folder of a run's results. It is filled under a temporary name and renamed when it is complete, so that an interrupted run
//! never looks complete.

use super::RunError;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// A folder being filled. If it is dropped before it is complete, it is removed, with the parents that were created for it.
#[derive(Debug)]
pub struct RunFolder {
    target: PathBuf,
    partial: PathBuf,
    /// Parents that did not exist before, the innermost first.
    parents: Vec<PathBuf>,
    replace: bool,
    complete: bool,
}

/// True if a folder holds the results of a finished run: our own manifest is in it.
fn holds_results(folder: &Path) -> bool {
    let manifest = fs::read(folder.join("manifest.json")).unwrap_or_default();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap_or_default();
    manifest["crewlab"].is_string() && manifest["result_hash"].is_string()
}

impl RunFolder {
    /// Prepares a folder for results; refuses one that exists, unless `force` is set and it holds older results.
    pub fn create(target: &Path, force: bool) -> Result<RunFolder, RunError> {
        RunFolder::create_with(target, force, "plots")
    }

    /// The same with another subfolder instead of that for figures.
    pub fn create_with(target: &Path, force: bool, inside: &str) -> Result<RunFolder, RunError> {
        let replace = target.symlink_metadata().is_ok();
        if replace && !force {
            return Err(RunError::Exists(target.to_path_buf()));
        }
        if replace && !holds_results(target) {
            return Err(RunError::NotResults(target.to_path_buf()));
        }
        let Some(name) = target.file_name() else { return Err(RunError::NoName(target.to_path_buf())) };
        let mut partial = name.to_os_string();
        partial.push(format!(".partial-{}", std::process::id()));
        let missing = target.ancestors().skip(1).take_while(|p| !p.as_os_str().is_empty() && !p.exists());
        let folder = RunFolder {
            target: target.to_path_buf(),
            partial: target.with_file_name(partial),
            parents: missing.map(Path::to_path_buf).collect(),
            replace,
            complete: false,
        };
        fs::create_dir_all(folder.partial.join(inside)).map_err(|error| folder.write_error(error))?;
        Ok(folder)
    }

    /// A file to be written incrementally.
    pub fn file(&self, name: &str) -> Result<BufWriter<File>, RunError> {
        let path = self.partial.join(name);
        File::create(&path).map(BufWriter::new).map_err(|error| self.write_error(error))
    }

    /// Writes a whole file.
    pub fn write(&self, name: &str, text: &str) -> Result<(), RunError> {
        fs::write(self.partial.join(name), text)
            .map_err(|error| RunError::Write(self.target.join(name), error))
    }

    /// Where the results will be.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// The temporary folder.
    pub fn inside(&self) -> &Path {
        &self.partial
    }

    /// A failed write somewhere in this folder.
    pub fn write_error(&self, error: io::Error) -> RunError {
        RunError::Write(self.target.clone(), error)
    }

    /// Renames the folder to its final name. An older one is moved away only during the renaming.
    pub fn complete(mut self) -> Result<(), RunError> {
        let mut old = self.partial.clone().into_os_string();
        old.push("-old");
        let old = PathBuf::from(old);
        if self.replace {
            fs::rename(&self.target, &old).map_err(|error| self.write_error(error))?;
        } else if self.target.symlink_metadata().is_ok() {
            // Another process finished the same folder during this run.
            return Err(RunError::Exists(self.target.clone()));
        }
        if let Err(error) = fs::rename(&self.partial, &self.target) {
            if self.replace {
                // Best effort: the older results are moved back.
                let _ = fs::rename(&old, &self.target);
            }
            return Err(self.write_error(error));
        }
        self.complete = true;
        if self.replace {
            // The new results are in place; an older copy that cannot be removed is harmless.
            let _ = fs::remove_dir_all(&old);
        }
        Ok(())
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        if self.complete {
            return;
        }
        // What cannot be removed stays under its temporary name and does not count as a result.
        let _ = fs::remove_dir_all(&self.partial);
        for parent in &self.parents {
            let _ = fs::remove_dir(parent);
        }
    }
}
