//! What was made of the runs: tables, statistics, a page.

use crate::folder::{Folder, FolderError};
use crate::plan::Plan;
use crate::store::Store;
use crate::table;

/// Writes everything that can be said about the runs that are there.
pub fn write(plan: &Plan, store: &Store, folder: &Folder) -> Result<(), FolderError> {
    folder.write_table("runs", &table::runs(plan, store))
}
