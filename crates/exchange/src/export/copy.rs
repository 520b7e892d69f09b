//! Copies files of the package. Like all code that reads package files, this module gets the real paths from [`links`].

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::Export;
use referee_files::regular;
use referee_package::links;

impl Export<'_> {
    /// Returns the files of a folder of the package. Each has its path relative to the folder, and its real path. If
    /// `path` is a file, the result is that file with an empty relative path. This function records links that are
    /// broken or lead out of the package, so that the export fails.
    pub(super) fn below(&mut self, path: &Path) -> Vec<(String, PathBuf)> {
        let found = self.package.boundary.files(path).unwrap_or_else(|refusals| {
            for refused in refusals {
                self.links.insert(refused.to_string());
            }
            Vec::new()
        });
        let named = |found: links::Found| Some((found.below.to_str()?.to_owned(), found.real));
        found.into_iter().filter_map(named).collect()
    }

    /// Copies a file of the package to `to`, unchanged.
    pub(super) fn copy_unchanged(&mut self, from: &Path, to: &str) {
        match links::resolve(&self.package.root, from) {
            Ok(real) => self.files.copy(to, &real),
            Err(refused) => drop(self.links.insert(refused.to_string())),
        }
    }

    /// Copies a file or folder to `to`, and replaces the package's constants in it by their values, because the legacy
    /// format has no constants.
    pub(super) fn copy(&mut self, from: &Path, to: &str) {
        for (below, path) in self.below(from) {
            let target = if below.is_empty() { to.to_owned() } else { format!("{to}/{below}") };
            self.files.copy(&target, &path);
            if self.package.constants.is_empty() {
                continue;
            }
            if let Ok(text) = regular::read(&path, regular::LARGEST_BYTES)
                && let Cow::Owned(text) = self.package.constants.replaced_in(&text)
            {
                self.files.replace(&target, text);
            }
        }
    }
}
