//! The programs of a class, and the options about them. `referee_class` recognises the files of a class.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};

use super::command_line::CommandLine;
use super::open::Opened;
use super::programs::{common_folder, note_on_folders, note_on_platform, refuse_unknown, submission_at};
use super::{Failure, class_table, mistaken};
use referee_class::{AsLanguage, Ask, Attempt, Class, Collector, Endings, Listing, ListingError, Options, Recognised};
use referee_event::ClassLayout;
use referee_judge::Submission;
use referee_language::{Shebangs, Table};
use referee_sandbox::interrupt;

/// The options about the programs of a class.
#[derive(Debug, Args)]
pub(super) struct ClassArguments {
    /// Judge the files or folders in PROGRAM, a folder or .zip, each on its own
    ///
    /// By default, a folder of folders and the downloads of Moodle and Canvas are a class, and a folder with sources
    /// directly in it is one program.
    #[arg(
        long = "class",
        value_name = "WHEN",
        num_args = 0..=1,
        require_equals = true,
        default_value = "auto",
        default_missing_value = "always",
        hide_default_value = true,
        help_heading = "Classes"
    )]
    when: When,

    /// Print which files would be judged as whose program, and judge nothing
    #[arg(long, requires = "programs", conflicts_with_all = [
        "watch", "resume", "feedback", "json", "junit", "html", "github", "csv", "gradebook", "html_per_submission",
        "moodle_feedback", "similarity",
    ], help_heading = "Classes")]
    pub(super) dry_run: bool,

    /// Read files as sources in LANG, e.g. python3=.txt; without ENDING, those with endings that no language has
    ///
    /// `LANG=` is for files without an ending. The option can be given several times. `referee doctor` lists the
    /// languages.
    #[arg(long, value_name = "LANG[=ENDING]", value_parser = as_language, requires = "programs", help_heading = "Classes")]
    as_language: Vec<AsLanguage>,

    /// Judge every attempt of a student, not only the latest
    #[arg(long, requires = "programs", help_heading = "Classes")]
    all_attempts: bool,
}

/// When PROGRAM is a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum When {
    /// If its names show that it is one.
    Auto,
    /// Always: every file or folder in it is a program.
    Always,
    /// Never: it is one program.
    Never,
}

/// Parses `LANG[=ENDING]`.
fn as_language(text: &str) -> Result<AsLanguage, String> {
    let (language, ending) = match text.split_once('=') {
        Some((language, ending)) => (language, Some(ending.strip_prefix('.').unwrap_or(ending))),
        None => (text, None),
    };
    let is_ending = |ending: &str| !ending.contains(['/', '.']);
    if language.is_empty() || !ending.is_none_or(is_ending) {
        return Err("allowed: a language and perhaps an ending, such as python3 or python3=.txt".to_owned());
    }
    Ok(AsLanguage { language: language.to_owned(), ending: ending.map(str::to_owned) })
}

/// The programs that the user named.
pub(super) struct Programs {
    pub(super) submissions: Vec<Submission>,
    /// The class; `None` if the programs are no class. Its copies of the sources exist as long as this value.
    pub(super) class: Option<Class>,
    /// Keeps the copies of single programs.
    _copies: Vec<Class>,
}

/// A reader of the programs that the user named.
pub(super) struct Reader<'a> {
    pub(super) arguments: &'a ClassArguments,
    pub(super) opened: &'a Opened,
    pub(super) languages: &'a Table,
    pub(super) shebangs: Shebangs,
}

impl ClassArguments {
    /// Fails if an option for a class is given without a PROGRAM.
    pub(super) fn refuse_without_program(&self) -> Result<(), Failure> {
        if self.when == When::Auto {
            return Ok(());
        }
        Err(Failure::unusable("--class is for programs of yours, and no PROGRAM is given")
            .with_hint("name the folder or .zip of the class after the package"))
    }
}

impl Reader<'_> {
    /// Reads the programs at these paths. A single folder or archive may be a class. Fails if a program does not exist
    /// or cannot be read, and if the only program cannot be judged.
    pub(super) fn read(&self, paths: &[PathBuf]) -> Result<Programs, Failure> {
        let endings = Endings::new(self.languages, &self.arguments.as_language)
            .map_err(|message| Failure::unusable(format!("--as-language: {message}")))?;
        if let Some(class) = self.class_at(paths, &endings)? {
            let submissions = class.attempts.iter().map(|attempt| submission(attempt, &paths[0], true)).collect();
            return Ok(Programs { submissions, class: Some(class), _copies: Vec::new() });
        }
        let mut copies = Vec::new();
        let submissions: Vec<_> =
            paths.iter().map(|path| self.program_at(path, &endings, &mut copies)).collect::<Result<_, _>>()?;
        if let ([only], true) = (submissions.as_slice(), copies.is_empty()) {
            refuse_unknown(only, self.languages)?;
        }
        let note = || note_on_platform(paths).or_else(|| note_on_folders(&submissions, self.languages));
        if let Some(note) = (self.arguments.when == When::Auto).then(note).flatten() {
            super::eprint_message("note: ", 6, &note.text);
            super::eprint_command(note.command.as_ref());
        }
        Ok(Programs { submissions, class: None, _copies: copies })
    }

    /// Returns the class at the only path; `None` if it is one program. Fails if the user says that several paths are a
    /// class, or if an archive is neither a class nor a package.
    fn class_at(&self, paths: &[PathBuf], endings: &Endings) -> Result<Option<Class>, Failure> {
        let [path] = paths else { return self.refuse_several(paths, endings).map(|()| None) };
        let is_archive = mistaken::is_archive(path) && path.is_file();
        if let Some(failure) = mistaken::as_package_in_place_of_program(path) {
            return Err(failure);
        }
        if !path.is_dir() && !is_archive {
            return match self.arguments.when {
                When::Always if path.exists() => {
                    Err(Failure::unusable(format!("--class: {} is one file", path.display()))
                        .with_hint("name the folder or .zip of the class"))
                }
                _ => Ok(None),
            };
        }
        if self.arguments.when == When::Never && !is_archive {
            return Ok(None);
        }
        let listing = Listing::open(path).map_err(|error| unreadable(path, &error))?;
        let ask = if self.arguments.when == When::Always { Ask::Always } else { Ask::IfClear };
        match referee_class::recognise(&listing, endings, ask) {
            _ if self.arguments.when == When::Never => {
                Err(Failure::unusable(format!("--class=never: {} is an archive", path.display()))
                    .with_hint("unpack it to judge it as one program"))
            }
            Recognised::Class(found) => {
                let class = self.collector(endings).collect(listing, found);
                class.map(Some).map_err(|error| uncopied(&error))
            }
            Recognised::Program if self.arguments.when == When::Always => {
                Err(Failure::unusable(format!("{} has no files of students", path.display())))
            }
            Recognised::Program if is_archive => Err(unclear_archive(path)),
            Recognised::Program => Ok(None),
        }
    }

    /// Fails if one of several paths is a class, or if the user says that they are a class together.
    fn refuse_several(&self, paths: &[PathBuf], endings: &Endings) -> Result<(), Failure> {
        match self.arguments.when {
            When::Never => return Ok(()),
            When::Auto => return refuse_class_among(paths, endings),
            When::Always => {}
        }
        let message = format!("--class takes one folder or .zip, and {} paths are given", paths.len());
        let failure = Failure::unusable(message).with_hint("name the folder of the class, not the files in it");
        let folder = common_folder(paths);
        Err(failure.with_command(folder.and_then(|folder| CommandLine::current().joining(paths, folder))))
    }

    fn collector<'a>(&'a self, endings: &'a Endings) -> Collector<'a> {
        let options = Options { all_attempts: self.arguments.all_attempts, shebangs: self.shebangs };
        Collector { languages: self.languages, endings, options }
    }

    /// Returns the program at `path`. If the user declares the language of its files, the judge gets a copy, in which
    /// the files have the endings of that language.
    fn program_at(&self, path: &Path, endings: &Endings, copies: &mut Vec<Class>) -> Result<Submission, Failure> {
        let named = submission_at(path, self.opened)?;
        if self.arguments.as_language.is_empty() || (!path.is_dir() && !endings.is_declared(path)) {
            return Ok(named);
        }
        let listing = Listing::open_program(path).map_err(|error| unreadable(path, &error))?;
        let class = self.collector(endings).collect_program(listing).map_err(|error| uncopied(&error))?;
        let copied = class.attempts.first().map(|attempt| submission(attempt, path, false));
        copies.push(class);
        Ok(copied.map_or(named.clone(), |copied| Submission { name: named.name, ..copied }))
    }
}

/// Returns the submission of an attempt. `path` is that of the class. A program that is no student's has no student.
fn submission(attempt: &Attempt, path: &Path, is_of_student: bool) -> Submission {
    let program = attempt.program.as_ref().ok();
    Submission {
        name: attempt.submission.clone(),
        path: program.map_or_else(|| path.to_path_buf(), |program| program.path.clone()),
        language: program.and_then(|program| program.language.clone()),
        entry_point: program.and_then(|program| program.entry_point.clone()),
        expectations: None,
        scores: Vec::new(),
        left_out: attempt.program.as_ref().err().cloned(),
        student: is_of_student.then(|| Arc::new(attempt.student.clone())),
    }
}

/// Fails if one of the paths is a folder that would be a class as the only one. As one of several programs, the files of
/// all students would be judged as one program. If all paths are in one folder, each of them may be one student's
/// program that consists of folders. So only the names of a platform are refused there.
fn refuse_class_among(paths: &[PathBuf], endings: &Endings) -> Result<(), Failure> {
    let are_together = common_folder(paths).is_some();
    let is_class = |path: &&PathBuf| {
        path.is_dir()
            && mistaken::as_program(path).is_none()
            && Listing::open(path).is_ok_and(|listing| {
                match referee_class::recognise(&listing, endings, Ask::IfClear) {
                    Recognised::Class(found) => !are_together || found.layout != ClassLayout::Folders,
                    Recognised::Program => false,
                }
            })
    };
    let Some(class) = paths.iter().find(is_class) else { return Ok(()) };
    let message =
        format!("{} has the programs of several students, and {} paths are given", class.display(), paths.len());
    let hint = "name only that folder after the package; if it is one program, use --class=never";
    let command = CommandLine::current().joining(paths, class);
    Err(Failure::unusable(message).with_hint(hint).with_command(command))
}

fn unreadable(path: &Path, error: &ListingError) -> Failure {
    if interrupt::happened() {
        return Failure::interrupted();
    }
    let is_about_archive = matches!(error, ListingError::Archive(_) | ListingError::Empty | ListingError::Encrypted);
    let separator = if is_about_archive { "" } else { ":" };
    let failure = Failure::unusable(format!("{}{separator} {error}", path.display()));
    match error {
        ListingError::Empty => failure.with_hint("download or create it again"),
        ListingError::Encrypted => failure.with_hint("unpack it with its password, and name the folder"),
        _ => failure,
    }
}

fn uncopied(error: &std::io::Error) -> Failure {
    if interrupt::happened() {
        return Failure::interrupted();
    }
    let folder = referee_files::temporary::parent();
    Failure::judge(format!("the programs of the class cannot be copied to {}: {error}", folder.display()))
        .with_hint("set TMPDIR to another folder for temporary files")
}

/// Returns the refusal of an archive that may be one program or the files of several students.
fn unclear_archive(path: &Path) -> Failure {
    let message = format!(
        "{} is an archive, but neither a download of Moodle or Canvas nor one folder per student",
        path.display()
    );
    Failure::unusable(message)
        .with_hint("if it is one program, unpack it; if each file in it is the program of a student, use --class")
        .with_command(Some(CommandLine::current().with_option("--class")))
}

impl Programs {
    /// Returns the package's own submissions.
    pub(super) fn of_package(submissions: Vec<Submission>) -> Programs {
        Programs { submissions, class: None, _copies: Vec::new() }
    }

    /// Says what was taken for what, in one line on standard error.
    pub(super) fn print_summary(&self, path: &Path) {
        let Some(class) = &self.class else { return };
        super::eprint_message("", 0, &class_table::summary(class, path));
    }

    /// Prints on standard output which files belong to which student. `most_bytes` is the package's limit on the total
    /// size of a program's sources, in bytes.
    pub(super) fn print_table(&self, path: &Path, languages: &Table, most_bytes: u64) -> Result<(), Failure> {
        let table = match &self.class {
            Some(class) => class_table::of_class(class, path, most_bytes),
            None => class_table::of_programs(&self.submissions, languages, most_bytes),
        };
        super::print_text(&table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_stands_alone_or_with_an_ending() {
        let one = |language: &str, ending: Option<&str>| {
            Ok(AsLanguage { language: language.to_owned(), ending: ending.map(str::to_owned) })
        };
        assert_eq!(as_language("python3"), one("python3", None));
        assert_eq!(as_language("python3=.txt"), one("python3", Some("txt")));
        assert_eq!(as_language("python3=txt"), one("python3", Some("txt")));
        assert_eq!(as_language("python3="), one("python3", Some("")));
        assert_eq!(as_language("C++=.h"), one("C++", Some("h")));
        for wrong in ["", "=.txt", "python3=a/b", "python3=tar.gz"] {
            assert!(as_language(wrong).is_err(), "{wrong}");
        }
    }
}
