//! Computes the key of a program.

use std::path::{Path, PathBuf};

use blake3::Hasher;

use crate::cache::build_cache::Key;
use crate::cache::build_cache::contents::{hash_field, hash_folder};
use crate::cache::build_cache::key::identity;
use crate::cache::environment::Scope;
use referee_language::{Language, TemplateValues, Tool};

/// The key of a program: a digest of its sources, and of the tools that compile and run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProgramKey(blake3::Hash);

impl ProgramKey {
    pub(crate) fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    /// Returns the key of a program with sources; `None` if a tool is missing. `product` is the key of the compiled
    /// program, which covers the sources, the compiler's command and tools, and the isolation.
    pub(crate) fn of_source(
        product: &Key,
        language: &Language,
        parts: &TemplateValues<'_>,
        scope: Scope,
    ) -> Option<ProgramKey> {
        let mut hasher = started("source");
        hash_field(&mut hasher, product.name().as_bytes());
        // The command is computed as if the program ran in the folder `/`, so that the key does not depend on the name
        // of a temporary folder. The key need not cover the entry point, because the compiled program determines it.
        let commands = language.commands(&TemplateValues { folder: Path::new("/"), ..parts.clone() }).ok()?;
        let variables = commands.environment.into_iter().flat_map(|(name, value)| [name, value]);
        for word in commands.run.into_iter().chain(variables) {
            hash_field(&mut hasher, word.as_encoded_bytes());
        }
        add_libraries(&mut hasher, language.tools().into_iter().map(AsRef::as_ref), scope);
        Some(ProgramKey(hasher.finalize()))
    }

    /// Returns the key of an executable, from the contents of its folder. Apart from this folder, an isolated program
    /// sees only the system's own software, which is part of the environment's digest. Without isolation no result is
    /// cached.
    pub(crate) fn of_executable(folder: &Path) -> Option<ProgramKey> {
        let mut hasher = started("executable");
        hash_folder(&mut hasher, folder).ok()?;
        Some(ProgramKey(hasher.finalize()))
    }

    /// Returns the key of a folder with the scripts `build` and `run`, which may use the tools of `languages`.
    pub(crate) fn of_scripts<'a>(
        folder: &Path,
        languages: impl Iterator<Item = &'a Language>,
        scope: Scope,
    ) -> Option<ProgramKey> {
        let mut hasher = started("scripts");
        hash_folder(&mut hasher, folder).ok()?;
        for tool in languages.flat_map(Language::tools) {
            // A tool that is not installed counts as empty, because the scripts cannot use it.
            hash_field(&mut hasher, &identity(tool, scope).unwrap_or_default());
            add_libraries(&mut hasher, std::iter::once(tool.as_ref()), scope);
        }
        Some(ProgramKey(hasher.finalize()))
    }
}

fn started(kind: &str) -> Hasher {
    let mut hasher = Hasher::new();
    hash_field(&mut hasher, kind.as_bytes());
    hasher
}

/// Names of the folders with packages that users installed for an interpreter, below its `lib/` or `lib/python*/`.
const LIBRARIES: [&str; 3] = ["site-packages", "dist-packages", "node_modules"];

/// Adds what shows that a package was installed in or removed from the folders with packages of users.
fn add_libraries<'a>(hasher: &mut Hasher, tools: impl Iterator<Item = &'a Tool>, scope: Scope) {
    for found in tools.filter_map(|tool| tool.find().ok()) {
        let lib = found.home.join("lib");
        let below = std::fs::read_dir(&lib).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
        let is_pythons =
            |path: &PathBuf| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"python"));
        let mut places: Vec<_> = std::iter::once(lib.clone()).chain(below.filter(is_pythons)).collect();
        places.sort();
        for folder in places.iter().flat_map(|place| LIBRARIES.map(|name| place.join(name))) {
            hash_field(hasher, scope.stamp(&folder).as_bytes());
        }
    }
}
