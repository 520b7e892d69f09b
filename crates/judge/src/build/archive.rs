//! Makes archives of a compiler's own classes. A Java compiler is a Java program. It takes more time to load and check its
//! classes than to compile a short source. The Java virtual machine can write the loaded classes to an archive when it
//! ends, and map them from the archive the next time.
//!
//! The archive is that of a source which this module contains. Without the archive, the compiler writes the same files.

use std::time::Duration;

use crate::JudgeError;
use crate::build::own_source::OwnSource;
use crate::build::preparer::Preparer;
use crate::workspace::prepared::{Kind, Prepared};
use referee_language::Language;

/// A source that makes the compiler use its most important classes. Java 17 needs 1.5 s to make the archive.
const TYPICAL_PROGRAM: OwnSource = OwnSource {
    source: ("TypicalProgram.java", include_str!("TypicalProgram.java")),
    kind: Kind::Archive,
    command: Language::compiler_archive,
    most_time: Duration::from_secs(15),
};

/// Returns the archive of the language's compiler; `None` if there is none yet, or if it cannot be made. Fails only if
/// the run was interrupted.
pub(crate) fn get(preparer: &Preparer<'_>) -> Result<Option<Prepared>, JudgeError> {
    let language = preparer.language;
    let identity = TYPICAL_PROGRAM.identity(language);
    let Some(key) = identity.and_then(|identity| preparer.key(&identity)) else { return Ok(None) };
    preparer.get(&key, Kind::Archive, || {
        let doing = format!("archiving the classes of the compiler of {}", language.name);
        let _busy = preparer.settings.activity.begin(doing);
        TYPICAL_PROGRAM.make(preparer, preparer.site.workspace)
    })
}
