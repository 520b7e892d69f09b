//! What a program is, in one number.

use std::path::{Path, PathBuf};

use blake3::Hasher;

use super::environment::stamp;
use crate::cache::build_cache::Key;
use crate::cache::build_cache::contents::{hash_field, hash_folder};
use crate::cache::build_cache::key::identity;
use referee_language::{Language, Parts, Tool};

/// By what the results of a program are known: everything that it was made of, and that runs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProgramKey(blake3::Hash);

impl ProgramKey {
    pub(crate) fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    /// Returns the key of a program with sources. `product` is the key of the compiler's result: sources, commands,
    /// tools, isolation.
    pub(crate) fn of_source(product: &Key, language: &Language, parts: &Parts<'_>) -> Option<ProgramKey> {
        let mut hasher = started("source");
        hash_field(&mut hasher, product.name().as_bytes());
        // As if all programs ran in the same folder. The entry point is what the compiler makes it.
        let commands = language.commands(&Parts { folder: Path::new("/"), ..parts.clone() }).ok()?;
        let variables = commands.environment.into_iter().flat_map(|(name, value)| [name, value]);
        for word in commands.run.into_iter().chain(variables) {
            hash_field(&mut hasher, word.as_encoded_bytes());
        }
        add_libraries(&mut hasher, language.tools().into_iter().map(AsRef::as_ref));
        Some(ProgramKey(hasher.finalize()))
    }

    /// Returns the key of an executable, in the folder in which it runs. An isolated program finds only the system's
    /// own software besides, which is part of the environment's digest. Without isolation nothing is kept.
    pub(crate) fn of_executable(folder: &Path) -> Option<ProgramKey> {
        let mut hasher = started("executable");
        hash_folder(&mut hasher, folder).ok()?;
        Some(ProgramKey(hasher.finalize()))
    }

    /// Of a folder with scripts that say how it is built and run, with the tools of `languages`.
    pub(crate) fn of_scripts<'a>(folder: &Path, languages: impl Iterator<Item = &'a Language>) -> Option<ProgramKey> {
        let mut hasher = started("scripts");
        hash_folder(&mut hasher, folder).ok()?;
        for tool in languages.flat_map(Language::tools) {
            // A tool that is not here cannot be used.
            hash_field(&mut hasher, &identity(tool).unwrap_or_default());
            add_libraries(&mut hasher, std::iter::once(tool.as_ref()));
        }
        Some(ProgramKey(hasher.finalize()))
    }
}

fn started(kind: &str) -> Hasher {
    let mut hasher = Hasher::new();
    hash_field(&mut hasher, kind.as_bytes());
    hasher
}

/// Where interpreters keep what people have installed for them, from the folder above their `bin/`.
const LIBRARIES: [&str; 3] = ["site-packages", "dist-packages", "node_modules"];

/// When something was installed for an interpreter last, or removed.
fn add_libraries<'a>(hasher: &mut Hasher, tools: impl Iterator<Item = &'a Tool>) {
    for found in tools.filter_map(|tool| tool.find().ok()) {
        let lib = found.home.join("lib");
        let below = std::fs::read_dir(&lib).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
        let is_pythons =
            |path: &PathBuf| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"python"));
        let mut places: Vec<_> = std::iter::once(lib.clone()).chain(below.filter(is_pythons)).collect();
        places.sort();
        for folder in places.iter().flat_map(|place| LIBRARIES.map(|name| place.join(name))) {
            hash_field(hasher, stamp(&folder).as_bytes());
        }
    }
}
