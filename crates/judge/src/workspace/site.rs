//! The folders that programs of a run may be built in and must not see.

use std::path::{Path, PathBuf};

/// Where programs are built and run, and what must be kept from them.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    /// The judge's temporary folder.
    pub(crate) workspace: &'a Path,
    /// The package's folder.
    pub(crate) package: &'a Path,
    /// A folder elsewhere that holds test data: inputs that were drawn.
    pub(crate) drawn: Option<&'a Path>,
}

impl Site<'_> {
    pub(crate) fn package(&self) -> PathBuf {
        self.package.to_path_buf()
    }

    /// All that submissions must not see, and the package's own programs have to.
    pub(crate) fn hidden(&self) -> Vec<PathBuf> {
        std::iter::once(self.package()).chain(self.drawn.map(Path::to_path_buf)).collect()
    }
}
