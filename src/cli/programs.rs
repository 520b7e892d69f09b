//! Reads PROGRAM of the command line: a source file, a source folder or an executable.

use std::collections::BTreeSet;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::command_line::CommandLine;
use super::open::Opened;
use super::{Failure, mistaken, nearest};
use referee_files::regular;
use referee_judge::Submission;
use referee_language::{Detected, Shebangs, Table};
use referee_report::counted;
use referee_text::printable::printable;

/// Returns the program that the user named for the package `opened`. Fails if it does not exist, cannot be read or is a
/// package.
pub(super) fn submission_at(path: &Path, opened: &Opened) -> Result<Submission, Failure> {
    let about = "a PROGRAM is a source file, a folder of sources or an executable";
    let hint = || {
        let missing = path.symlink_metadata().is_err();
        let below = mistaken::below_package(path, opened);
        let near = || nearest::program(path).map(|near| format!("did you mean {near}? {about}"));
        missing.then(|| below.or_else(near)).flatten().unwrap_or_else(|| about.to_owned())
    };
    let unusable = |error| Failure::unusable(format!("{}: {error}", path.display())).with_hint(hint());
    if let Some(failure) = mistaken::as_program(path) {
        return Err(failure);
    }
    // An unreadable program is reported now. Later it would look like a fault of the program.
    if path.symlink_metadata().map_err(unusable)?.is_file() {
        regular::open(path).map_err(unusable)?;
    }
    let absolute = absolute(path).map_err(unusable)?;
    // The author of a program chooses its file name, so control characters must not reach the terminal.
    let name = printable(path.as_os_str().as_encoded_bytes()).replace('\n', "␊").replace('\t', "␉");
    Ok(Submission {
        name,
        path: absolute,
        language: None,
        entry_point: None,
        expectations: None,
        scores: Vec::new(),
        left_out: None,
        student: None,
    })
}

/// Returns the absolute path without `..`. A path through the package's folder and out again (`package/../a.py`) would
/// look like a path inside the package. Fails if the folder of the program cannot be read.
fn absolute(path: &Path) -> io::Result<PathBuf> {
    let absolute = std::path::absolute(path)?;
    if absolute.components().all(|part| part != Component::ParentDir) {
        return Ok(absolute);
    }
    // The program itself may be a link. Its name, not that of the link's target, tells the language.
    match (absolute.parent(), absolute.file_name()) {
        (Some(folder), Some(name)) => Ok(folder.canonicalize()?.join(name)),
        _ => absolute.canonicalize(),
    }
}

/// Returns whether the file or folder is an executable or a program of a known language.
pub(super) fn is_known(path: &Path, languages: &Table) -> bool {
    !matches!(languages.detect(path, None, Shebangs::Ignored), Detected::Unknown)
}

/// Fails if the program cannot be judged. Called only for a run with one program; a run with several programs skips
/// such a program.
pub(super) fn refuse_unknown(program: &Submission, languages: &Table) -> Result<(), Failure> {
    if is_known(&program.path, languages) {
        return Ok(());
    }
    let message = format!("{}: neither a source of a known language nor an executable", program.name);
    let known = format!("known languages: {}", languages.endings());
    let hint = if program.path.is_dir() {
        known
    } else {
        format!("{known}; if it is a source with another ending, add --as-language LANG")
    };
    Err(Failure::unusable(message).with_hint(hint))
}

/// A note with a command that the user may want instead.
pub(super) struct Note {
    pub(super) text: String,
    pub(super) command: Option<CommandLine>,
}

/// Returns a note if the paths are in the folder of a download of Moodle or Canvas: given as a whole, the folder would
/// be recognised. `None` if they are not.
pub(super) fn note_on_platform(paths: &[PathBuf]) -> Option<Note> {
    let folder = common_folder(paths)?;
    let has_name =
        |path: &PathBuf| path.file_name().and_then(|name| name.to_str()).is_some_and(referee_class::is_of_platform);
    let named = paths.iter().filter(|path| has_name(path)).count();
    if paths.len() < 2 || named < paths.len().div_ceil(2) {
        return None;
    }
    let text = format!(
        "the {} have the names of a download of Moodle or Canvas; to see students instead of files, give the folder:",
        counted(paths.len(), "program")
    );
    Some(Note { text, command: Some(CommandLine::current().joining(paths, folder)?) })
}

/// Returns the folder that directly contains all of the paths; `None` if there is none, or if it is not named.
pub(super) fn common_folder(paths: &[PathBuf]) -> Option<&Path> {
    let folder = paths.first()?.parent().filter(|folder| !folder.as_os_str().is_empty())?;
    paths.iter().all(|path| path.parent() == Some(folder)).then_some(folder)
}

/// Returns a note about folders whose files may be separate programs: they have several sources, in several languages
/// or without a main file. `None` if there is no such folder.
pub(super) fn note_on_folders(programs: &[Submission], languages: &Table) -> Option<Note> {
    let mut doubtful =
        programs.iter().filter_map(|program| Some((program, doubtful_sources(&program.path, languages)?)));
    let (first, sources) = doubtful.next()?;
    let (name, others) = (first.name.trim_end_matches('/'), doubtful.count());
    if programs.len() == 1 {
        let text = format!(
            "the {sources} sources in {name} are judged as one program; to judge each on its own, use --class:"
        );
        return Some(Note { text, command: Some(CommandLine::current().with_option("--class")) });
    }
    let more =
        if others == 0 { String::new() } else { format!(", and so are those in {}", counted(others, "more folder")) };
    let text = format!(
        "the {sources} sources in {name} are judged as one program{more}; to judge each source on its own, use {name}/*"
    );
    Some(Note { text, command: None })
}

/// Returns the number of sources in a folder whose files may be separate programs; `None` for other paths.
fn doubtful_sources(folder: &Path, languages: &Table) -> Option<usize> {
    if !folder.is_dir() {
        return None;
    }
    let sources = languages.sources_in(folder, Shebangs::Ignored);
    let kinds: BTreeSet<_> = sources.iter().map(|(_, language)| &language.id).collect();
    let is_main = |path: &Path| path.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("main"));
    let is_doubtful = kinds.len() > 1 || !sources.iter().any(|(path, _)| is_main(path));
    (sources.len() > 1 && is_doubtful).then_some(sources.len())
}
