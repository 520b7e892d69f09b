//! Remembers compile errors, so that a program that does not compile is not compiled again in each run.
//!
//! An error that is remembered although the program compiles in another run would be a wrong verdict in all later runs.
//! So only an error that is certainly about the sources is remembered ([`is_about`]). Its key covers the software of the
//! machine, and it is not passed on to other machines.

use std::path::PathBuf;
use std::sync::Arc;

use super::cacheable::CachePolicy;
use super::key;
use super::program::ProgramKey;
use super::record_file::RecordFile;
use super::store::Store;
use crate::Settings;

/// The place of a program's compile error in the cache.
pub(crate) struct CompileError {
    store: Arc<Store>,
    file: RecordFile,
    /// Whether an error of an earlier run may be used.
    is_read: bool,
}

/// The name of the record with the compiler's message.
const MESSAGE: &str = "message";

impl CompileError {
    /// Returns the place of the program's compile error; `None` if it is not remembered with these settings.
    pub(crate) fn of(program: &ProgramKey, settings: &Settings) -> Option<CompileError> {
        let store = settings.cache.as_ref()?.results().filter(|store| !store.is_of_mutants())?;
        CachePolicy::of(settings)?;
        let file = store.local_file(&key::of_compile_error(program, settings)?);
        Some(CompileError { store: Arc::clone(store), file, is_read: !settings.anew && settings.feedback.is_none() })
    }

    /// Returns the message of the compiler in an earlier run; `None` if there is none.
    pub(crate) fn known(&self) -> Option<String> {
        let message = self.file.read(&key::of_note(MESSAGE)).filter(|_| self.is_read)?;
        self.file.touch();
        String::from_utf8(message).ok()
    }

    /// Remembers the compiler's message.
    pub(crate) fn remember(&self, message: &str) {
        self.store.add(&self.file, &key::of_note(MESSAGE), message.as_bytes());
    }
}

/// Parts of messages of compilers that lack memory, space, a file or another resource, in lower case. The same program
/// may compile in another run. A message of another kind may contain such words, too; then it is not remembered.
const ABOUT_THE_MACHINE: [&str; 23] = [
    "allocat",
    "memory",
    "no space",
    "disk",
    "quota",
    "input/output",
    "i/o error",
    "too many open",
    "no such file",
    "file not found",
    "cannot open",
    "unavailable",
    "fork",
    "errno",
    "permission",
    "read-only",
    "killed",
    "terminated",
    "signal",
    "internal",
    "crash",
    "timed out",
    "stale",
];

/// Returns whether what a compiler printed is certainly about the sources: it names a line of one of them, and nothing in
/// it could be about the machine.
pub(crate) fn is_about(sources: &[PathBuf], printed: &[u8]) -> bool {
    let printed = String::from_utf8_lossy(printed).to_lowercase();
    let names: Vec<_> =
        sources.iter().filter_map(|source| Some(source.file_name()?.to_str()?.to_lowercase())).collect();
    names.iter().any(|name| names_a_line_of(name, &printed))
        && !ABOUT_THE_MACHINE.iter().any(|words| printed.contains(words))
}

/// Returns whether a text names a line of the file `name`, as `name:3`, `name(3` or `"name", line 3`.
fn names_a_line_of(name: &str, text: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let after = &text[at + name.len()..];
        let number = [":", "(", "\", line "].iter().find_map(|between| after.strip_prefix(between));
        number.is_some_and(|number| number.starts_with(|first: char| first.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_about_main(printed: &str) -> bool {
        is_about(&[PathBuf::from("folder/Main.cpp"), PathBuf::from("other.py")], printed.as_bytes())
    }

    #[test]
    fn an_error_in_a_line_of_a_source_is_about_the_sources() {
        assert!(is_about_main("Main.cpp:3:5: error: 'x' was not declared in this scope"));
        assert!(is_about_main("error[E0425]: cannot find value\n --> Main.cpp:3:5"));
        assert!(is_about_main("Main.cpp(12,3): error CS1002: ; expected"));
        assert!(is_about_main("  File \"other.py\", line 3\nSyntaxError: invalid syntax"));
    }

    #[test]
    fn an_error_without_a_line_of_a_source_is_not_certain() {
        assert!(!is_about_main(""));
        assert!(!is_about_main("/usr/bin/ld: cannot find -lpthread"));
        assert!(!is_about_main("/usr/include/stdio.h:3:5: error: expected ';'"));
        assert!(!is_about_main("Main.cpp: file not recognised"));
    }

    #[test]
    fn an_error_that_may_be_about_the_machine_is_not_certain() {
        for cause in [
            "fatal error: bits/stdc++.h: Cannot allocate memory",
            "fatal error: error writing to /tmp/x.s: No space left on device",
            "internal compiler error: Segmentation fault",
            "fatal error: Killed signal terminated program cc1plus",
            "fatal error: stdio.h: Permission denied",
            "fatal error: testlib.h: No such file or directory",
            "fatal error: stdio.h: Input/output error",
            "Cannot fork",
        ] {
            assert!(!is_about_main(&format!("Main.cpp:1:10: {cause}")), "{cause}");
        }
    }
}
