//! Recognises the programs of a class: one file or folder per student, the downloads of Moodle and Canvas, and clones
//! of GitHub Classroom.
//!
//! The work has four steps. [`Listing`] lists the files of a folder or an archive, and reads none of them. [`recognise`]
//! finds the students in that list by the names of files and folders alone. [`Collector`] chooses the sources of each
//! student and copies them into a temporary folder, under the names that the student gave them. The result is a
//! [`Class`]: a program for each attempt that is judged, or the reason why it cannot be judged.
//!
//! # Names are the platform's, contents are the students'
//!
//! A student may choose the names and contents of files, and so may try to leave the folder, to fill the disk, or to
//! take the place of another student. No file of a student ends the run or reaches another student's program: links are
//! not followed, sizes and numbers are limited, and a path of an archive is only ever compared, never written to.
//!
//! # What this crate does not do
//!
//! It does not compile or run anything, and does not unpack archives that a student handed in.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

mod attempts;
mod canvas;
mod central_directory;
mod choice;
mod collect;
mod endings;
mod folder;
mod github;
mod ignored;
mod kinds;
mod layout;
mod level;
mod likely;
mod listing;
mod main_file;
mod moodle;
mod names;
mod program_language;
mod shown_names;
mod students;
mod zipped;

use std::path::PathBuf;

use referee_event::{ClassLayout, NotJudged, Student};

pub use collect::{Collector, Options};
pub use endings::{AsLanguage, Endings};
pub use layout::{Ask, Found, Recognised, recognise};
pub use likely::holds_programs;
pub use listing::{Listing, ListingError};

/// Returns whether the name of a file or folder has the form of a download of Moodle or Canvas.
pub fn is_of_platform(name: &str) -> bool {
    moodle::parse(name).is_some() || canvas::parse(name).is_some()
}

/// The recognised programs of a class.
#[derive(Debug)]
pub struct Class {
    /// How the programs are stored.
    pub layout: ClassLayout,
    /// The attempts that are judged, or that cannot be judged, sorted by the names of the students.
    pub attempts: Vec<Attempt>,
    /// Files that belong to no student and are not judged, as relative paths.
    pub ignored: Vec<String>,
    /// Holds the copies of the sources. The folder is removed when this value is dropped.
    pub(crate) _copies: tempfile::TempDir,
}

/// One attempt of a student.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The name in the run: printable and unique.
    pub submission: String,
    /// The student, the number of the attempt, and the judged files.
    pub student: Student,
    /// The files that were handed in and count, under the names that the student gave them.
    pub own_files: Vec<String>,
    /// The program; the error is the reason why there is none: the files that were found, and the allowed ones.
    pub program: Result<Program, NotJudged>,
}

/// The program of one attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The copy: a file, or a folder of several files. Exists as long as the [`Class`].
    pub path: PathBuf,
    /// The id of the language; `None` if the judge detects it.
    pub language: Option<String>,
    /// The display name of the language.
    pub language_name: String,
    /// The total size of the copied sources, in bytes.
    pub bytes: u64,
    /// The file or class with which the program starts; `None` if the judge decides.
    pub entry_point: Option<String>,
    /// Says which of several files the program starts with, which are left out, or that a file is a link; `None` if there
    /// is nothing to say.
    pub remark: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_every_form_are_read_without_a_panic() {
        let parts = ["_", "1", "LATE", "anon", "_assignsubmission_", "file", ".py", "-2", "é", ""];
        for name in (0..parts.len().pow(5)).map(|number| {
            let digit = |place: u32| parts[number / parts.len().pow(place) % parts.len()];
            (0..5).map(digit).collect::<String>()
        }) {
            let moodle = moodle::parse(&name);
            assert!(moodle.is_none_or(|read| read.id.parse::<u64>().is_ok()), "{name}");
            if let Some(read) = canvas::parse(&name) {
                assert!(name.ends_with(&read.rest) && name.contains(&read.user), "{name}");
                canvas::resubmission(&read.rest);
            }
            assert_eq!(
                format!("{}.{}", endings::stem_of(&name), endings::ending_of(&name)).trim_end_matches('.'),
                name.trim_end_matches('.')
            );
            github::users(&name, &[&name, "a-b"]);
        }
    }
}
