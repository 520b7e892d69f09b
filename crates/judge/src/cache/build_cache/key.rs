//! Computes the key of a compiled program, a digest of everything that the compiler's result depends on.

use std::ffi::OsString;
use std::path::Path;

use blake3::Hasher;

use super::contents::{hash_field, hash_folder};
use crate::cache::environment::Scope;
use crate::toolchain;
use crate::workspace::site::Site;
use crate::{Settings, enforcement};
use referee_language::{Language, TemplateValues, Tool, search_path};

/// Version of the format. Raise it when the contents of an entry, or their meaning, change.
const FORMAT: u32 = 1;

/// The key of an entry in the build cache, and the name of its folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key(String);

impl Key {
    pub(crate) fn name(&self) -> &str {
        &self.0
    }

    #[cfg(test)]
    pub(super) fn for_tests(name: &str) -> Key {
        Key(name.to_owned())
    }

    /// Returns the key of the compiled program; `None` if a part of the key cannot be determined. The program is then
    /// not cached.
    pub(crate) fn of(
        language: &Language,
        parts: &TemplateValues<'_>,
        settings: &Settings,
        site: Site<'_>,
    ) -> Option<Key> {
        let mut hasher = Hasher::new();
        let mut field = |bytes: &[u8]| hash_field(&mut hasher, bytes);
        field(&FORMAT.to_le_bytes());
        field(env!("CARGO_PKG_VERSION").as_bytes());
        field(language.id.as_bytes());
        for word in command(language, parts)? {
            field(&word);
        }
        field(parts.main.as_os_str().as_encoded_bytes());
        field(parts.entry_point.as_bytes());
        field(search_path().as_encoded_bytes());
        let scope = settings.scope();
        for tool in language.tools() {
            field(&identity(tool, scope)?);
        }
        // On one machine, the compiler's size and time change with its headers and libraries.
        if scope == Scope::SameKind {
            scope.facts().iter().for_each(|fact| field(fact.as_bytes()));
        }
        for fact in isolation_and_limits(settings, site)? {
            field(&fact);
        }
        hash_folder(&mut hasher, parts.folder).ok()?;
        Some(Key(hasher.finalize().to_hex().to_string()))
    }

    /// Returns the key of a precompiled header or an archive of a compiler's classes; `None` if a part of the key cannot
    /// be determined. `command` and `variables` are the words and the environment of the compiler. They name the header
    /// and contain no path of a temporary folder. No part of the key comes from a submission or a package. The system's
    /// headers are part of the key in the form of the lists of installed software, because a compiler does not check
    /// whether they have changed.
    pub(crate) fn of_prepared(
        language: &Language,
        command: &[OsString],
        variables: &[(OsString, OsString)],
        settings: &Settings,
    ) -> Option<Key> {
        let mut hasher = Hasher::new();
        let mut field = |bytes: &[u8]| hash_field(&mut hasher, bytes);
        field(b"header");
        field(&FORMAT.to_le_bytes());
        field(env!("CARGO_PKG_VERSION").as_bytes());
        field(search_path().as_encoded_bytes());
        field(&serde_json::to_vec(&enforcement(settings.sandbox)).ok()?);
        for tool in language.tools() {
            field(&identity(tool, Scope::ThisMachine)?);
        }
        for fact in Scope::ThisMachine.facts() {
            field(fact.as_bytes());
        }
        for word in variables.iter().flat_map(|(name, value)| [name, value]).chain(command) {
            field(word.as_encoded_bytes());
        }
        Some(Key(hasher.finalize().to_hex().to_string()))
    }
}

/// Returns the compiler's command and environment, as if the program were compiled in the folder `/`. Otherwise the key
/// would depend on the name of a temporary folder. The result contains the memory limit only if the language's command
/// uses that limit.
fn command(language: &Language, parts: &TemplateValues<'_>) -> Option<Vec<Vec<u8>>> {
    let commands = language.commands(&TemplateValues { folder: Path::new("/"), ..parts.clone() }).ok()?;
    let variables = commands.environment.into_iter().flat_map(|(name, value)| [name, value]);
    Some(
        commands
            .compile
            .unwrap_or_default()
            .into_iter()
            .chain(variables)
            .map(std::ffi::OsString::into_encoded_bytes)
            .collect(),
    )
}

/// Returns the path and version of a tool, and what shows that its file has changed; `None` if one of them is unknown.
/// The file alone is not enough, because a tool may be a script that starts other programs.
pub(crate) fn identity(tool: &Tool, scope: Scope) -> Option<Vec<u8>> {
    let real = tool.find().ok()?.path.canonicalize().ok()?;
    let file = scope.version_of_file(&real)?;
    let version = toolchain::version(tool)?;
    Some(format!("{} {file} {version}", real.display()).into_bytes())
}

/// Returns the isolation and the limits of the compiler, and the folders that are hidden from it; `None` if they cannot
/// be encoded. Isolation belongs to the key because a program that was compiled under weaker isolation must not be used
/// under stronger isolation. Hidden folders belong to it because a source can include any file that is not hidden.
fn isolation_and_limits(settings: &Settings, site: Site<'_>) -> Option<Vec<Vec<u8>>> {
    let limits = &settings.limits;
    let isolation = serde_json::to_vec(&enforcement(settings.sandbox)).ok()?;
    let allowed = format!("{:?} {}", limits.compilation_time, limits.compilation_memory_bytes).into_bytes();
    // Temporary folders are left out, because a bundled package is unpacked into a new temporary folder in each run.
    // That is safe: a program sees only those temporary folders that the judge shows to it.
    let temporary = referee_files::temporary::parent();
    let hidden = site.hidden().into_iter().filter(|folder| !folder.starts_with(&temporary));
    Some(
        [isolation, allowed].into_iter().chain(hidden.map(|path| path.into_os_string().into_encoded_bytes())).collect(),
    )
}
