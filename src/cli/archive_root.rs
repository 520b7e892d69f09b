//! The option `--root`: the folder of an archive. Links in a package's programs may lead to files in that folder.

use std::path::PathBuf;

use clap::Args;

use super::Failure;
use referee_package::ArchiveRoot;

/// The option that names the archive of a package.
#[derive(Debug, Args)]
pub(super) struct ArchiveArguments {
    /// Follow links in the package's programs to files in DIR, which contains the package; links in data/ must stay in
    /// the package
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
}

impl ArchiveArguments {
    /// Returns whether the user named a folder.
    pub(super) fn is_given(&self) -> bool {
        self.root.is_some()
    }

    /// Returns the archive; `None` if the user names none. Fails if it is not a folder that can be read.
    pub(super) fn open(&self) -> Result<Option<ArchiveRoot>, Failure> {
        let open = |folder: &PathBuf| {
            ArchiveRoot::open(folder)
                .map_err(|reason| Failure::unusable(format!("--root {}: {reason}", folder.display())))
        };
        self.root.as_ref().map(open).transpose()
    }
}
