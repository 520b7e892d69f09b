//! Files of the package, copied through the gate that every reader of a package uses.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use super::Export;
use referee_package::links;

impl Export<'_> {
    /// The files of a folder of the package, by their path below it, with their real paths. A file is its only one, and
    /// has an empty path. Refuses the package if links there lead out of it.
    pub(super) fn below(&mut self, path: &Path) -> Vec<(String, PathBuf)> {
        let found = links::files(&self.package.root, path).unwrap_or_else(|refusals| {
            for refused in refusals {
                self.links.insert(refused.to_string());
            }
            Vec::new()
        });
        let named = |found: links::Found| Some((found.below.to_str()?.to_owned(), found.real));
        found.into_iter().filter_map(named).collect()
    }

    /// Copies a file of the package to `to` as it is.
    pub(super) fn file(&mut self, from: &Path, to: &str) {
        match links::resolve(&self.package.root, from) {
            Ok(real) => self.files.copy(to, &real),
            Err(refused) => drop(self.links.insert(refused.to_string())),
        }
    }

    /// Copies a file or folder to `to`. In the package's own programs constants are replaced, as legacy has none.
    pub(super) fn copy(&mut self, from: &Path, to: &str) {
        for (below, path) in self.below(from) {
            let target = if below.is_empty() { to.to_owned() } else { format!("{to}/{below}") };
            self.files.copy(&target, &path);
            if self.package.constants.is_empty() {
                continue;
            }
            if let Ok(text) = fs::read(&path)
                && let Cow::Owned(text) = self.package.constants.replaced_in(&text)
            {
                self.files.replace(&target, text);
            }
        }
    }
}
