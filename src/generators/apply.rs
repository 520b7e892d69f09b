//! Putting what was made where it belongs. Everything is written under other names first; then names are changed, which
//! takes no time, so that nobody ever finds half a file.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::content::Wanted;
use super::plan::Plan;
use crate::sandbox::interrupt;

/// Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// A file or folder stands in the way, or there is no room.
    #[error("cannot write {}: {source}", path.display())]
    Unfit {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The user interrupted it.
    #[error("interrupted")]
    Interrupted,
}

fn unfit(path: &Path) -> impl Fn(io::Error) -> ApplyError {
    move |source| ApplyError::Unfit { path: path.to_path_buf(), source }
}

impl Plan {
    /// Makes the folder `target` what it is to be. Until the last file has been written under another name nothing in
    /// it changes; after that nothing interrupts.
    pub fn apply(&self, target: &Path) -> Result<(), ApplyError> {
        let above = target.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let stage = tempfile::Builder::new().prefix(".referee-").tempdir_in(above).map_err(unfit(above))?;
        let staged = |index: usize| stage.path().join(format!("new-{index}"));
        for (index, (path, wanted)) in self.writes.iter().enumerate() {
            if interrupt::happened() {
                return Err(ApplyError::Interrupted);
            }
            write(wanted, &staged(index)).map_err(unfit(&target.join(path)))?;
        }
        for (index, path) in self.removed.iter().enumerate() {
            let path = target.join(path);
            fs::rename(&path, stage.path().join(format!("old-{index}"))).map_err(unfit(&path))?;
        }
        for folder in &self.folders {
            let folder = target.join(folder);
            fs::create_dir_all(&folder).map_err(unfit(&folder))?;
        }
        for (index, (path, _)) in self.writes.iter().enumerate() {
            let path = target.join(path);
            fs::rename(staged(index), &path).map_err(unfit(&path))?;
        }
        Ok(())
    }
}

fn write(wanted: &Wanted, path: &Path) -> io::Result<()> {
    match wanted {
        Wanted::File(from) => io::copy(&mut File::open(from)?, &mut File::create(path)?).map(drop),
        Wanted::Text(text) => fs::write(path, text),
        Wanted::Link(target) => std::os::unix::fs::symlink(target, path),
    }
}
