//! Makes archives of a compiler's own classes. A Java compiler is a Java program. It takes more time to load and check its
//! classes than to compile a short source. The Java virtual machine can write the loaded classes to an archive when it
//! ends, and map them from the archive the next time.
//!
//! The archive is that of a source which this module contains. Without the archive, the compiler writes the same files.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::JudgeError;
use crate::build::compile;
use crate::build::preparer::{Preparer, new_folder};
use crate::workspace::prepared::Prepared;
use referee_language::{Language, TemplateValues};

/// A source that makes the compiler use its most important classes.
const SOURCE: (&str, &str) = ("TypicalProgram.java", include_str!("TypicalProgram.java"));

/// The time in which the archive must be made. Java 17 needs 1.5 s.
const MOST_TIME: Duration = Duration::from_secs(15);

/// The archive in its folder.
const ARCHIVE: &str = "program.out";

/// Returns the archive of the language's compiler; `None` if there is none yet, or if it cannot be made. Fails only if
/// the run was interrupted.
pub(crate) fn get(preparer: &Preparer<'_>) -> Result<Option<Prepared>, JudgeError> {
    let Some(mut identity) = command(preparer.language, Path::new("/")) else { return Ok(None) };
    identity.push(SOURCE.1.into());
    let Some(key) = preparer.key(&identity) else { return Ok(None) };
    preparer.get(&key, true, ARCHIVE, || make(preparer))
}

/// Makes the archive in a new folder; `None` if there is too little space, or if the compiler fails.
fn make(preparer: &Preparer<'_>) -> Result<Option<Prepared>, JudgeError> {
    let language = preparer.language;
    let _busy = preparer.settings.activity.begin(format!("archiving the classes of the compiler of {}", language.name));
    let mut settings = preparer.settings();
    settings.limits.compilation_time = MOST_TIME;
    let Some(folder) = new_folder(preparer.site.workspace) else { return Ok(None) };
    let Some(command) = command(language, folder.path()) else { return Ok(None) };
    fs::write(folder.path().join(SOURCE.0), SOURCE.1)
        .map_err(|source| JudgeError::System { doing: "writing a source", source })?;
    let compiled = compile::compile(preparer.compiler(command, None, &settings), folder.path())?;
    let is_made = compiled.is_ok() && folder.path().join(ARCHIVE).is_file();
    Ok(is_made.then(|| Prepared::new(folder, ARCHIVE)))
}

/// Returns the command that makes the archive in `folder`; `None` if the language has no such command, or if a tool is
/// missing.
fn command(language: &Language, folder: &Path) -> Option<Vec<OsString>> {
    let sources = [PathBuf::from(SOURCE.0)];
    let values = TemplateValues {
        sources: &sources,
        main: &sources[0],
        entry_point: "",
        folder,
        memory_mib: 0,
        headers: None,
        plugin: None,
        archive: None,
    };
    language.compiler_archive(&values)?.ok()
}
