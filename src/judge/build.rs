//! From sources to something that runs: copy, compile, remember the command.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use walkdir::WalkDir;

use super::classify::{ending_words, limit_words};
use super::{JudgeError, Settings};
use crate::language::{self, Detected, Language, Parts};
use crate::package::Limits;
use crate::printable::printable;
use crate::sandbox::{Ended, Input, Limits as RunLimits, Mode, Outcome, Program, Run, Sandbox, SandboxError};

/// What is to be built.
pub(super) struct Source<'a> {
    pub(super) path: &'a Path,
    pub(super) language: Option<&'a str>,
    pub(super) entry_point: Option<&'a str>,
    /// The largest total size of the sources, where that is limited.
    pub(super) code_bytes: Option<u64>,
}

/// What came of it.
pub(super) struct Build<Program = Ready> {
    pub(super) language: String,
    pub(super) seconds: f64,
    pub(super) result: Built<Program>,
}

pub(super) enum Built<Program = Ready> {
    /// It can be run.
    Ready(Program),
    /// It does not compile; the compiler's words.
    Failed(String),
    /// This machine cannot build it; why, and what to do.
    Skipped(String),
}

/// A program that can be run. Its folder is removed with it.
pub(super) struct Ready {
    pub(super) sandbox: Sandbox,
    _folder: TempDir,
}

/// The largest total size of sources for which the package sets no limit: its own validators.
const UNLIMITED_CODE_BYTES: u64 = 1 << 30;

/// What a compiler may print; more is cut off and ends it.
const COMPILER_OUTPUT_BYTES: u64 = 1 << 20;

/// What of it is kept for people.
const COMPILER_MESSAGE_BYTES: usize = 8 << 10;

pub(super) fn build(source: &Source<'_>, settings: &Settings, workspace: &Path) -> Result<Build, JudgeError> {
    let started = Instant::now();
    let (language, result) = match language::detect(source.path, source.language) {
        Detected::Unknown => ("unknown".to_owned(), Built::Skipped(unknown(source))),
        Detected::Executable => ("executable".to_owned(), executable(source.path, settings.sandbox, workspace)?),
        Detected::Source(language) => (language.name.to_owned(), from_source(source, language, settings, workspace)?),
    };
    Ok(Build { language, seconds: started.elapsed().as_secs_f64(), result })
}

fn unknown(source: &Source<'_>) -> String {
    match source.language {
        Some(id) => format!("its declared language {id:?} is not known here; known: {}", language::endings()),
        None => format!("neither sources of a known language nor an executable; known: {}", language::endings()),
    }
}

fn executable(path: &Path, mode: Mode, workspace: &Path) -> Result<Built, JudgeError> {
    let folder = folder_in(workspace)?;
    let copy = folder.path().join("program.out");
    fs::copy(path, &copy)
        .and_then(|_| fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)))
        .map_err(|source| JudgeError::System { doing: "copying the executable", source })?;
    Ok(ready(vec![copy.into_os_string()], folder, mode))
}

fn from_source(
    source: &Source<'_>,
    language: &Language,
    settings: &Settings,
    workspace: &Path,
) -> Result<Built, JudgeError> {
    let folder = folder_in(workspace)?;
    match copy_sources(source.path, folder.path(), source.code_bytes.unwrap_or(UNLIMITED_CODE_BYTES)) {
        Ok(()) => {}
        Err(CopyError::Unfit(reason)) => return Ok(Built::Failed(reason)),
        Err(CopyError::System(source)) => return Err(JudgeError::System { doing: "copying the sources", source }),
    }
    let sources = language.sources(folder.path());
    let Some(main) = language.main_of(&sources) else {
        return Ok(Built::Failed(format!("no source file of {} found", language.name)));
    };
    let parts = Parts {
        sources: &sources,
        main,
        entry_point: source.entry_point.unwrap_or(language.entry_point),
        folder: folder.path(),
        memory_mib: settings.limits.memory_bytes >> 20,
    };
    let commands = match language.commands(&parts) {
        Err(missing) => return Ok(Built::Skipped(missing.to_string())),
        Ok(commands) => commands,
    };
    let Some(compile) = commands.compile else { return Ok(ready(commands.run, folder, settings.sandbox)) };
    if let Err(message) = compiled(compile, folder.path(), settings)? {
        return Ok(Built::Failed(message));
    }
    let found = language.entry_point_in(folder.path(), main);
    let entry_point = source.entry_point.unwrap_or(&found);
    match language.commands(&Parts { entry_point, ..parts }) {
        Err(missing) => Ok(Built::Skipped(missing.to_string())),
        Ok(commands) => Ok(ready(commands.run, folder, settings.sandbox)),
    }
}

fn folder_in(workspace: &Path) -> Result<TempDir, JudgeError> {
    tempfile::Builder::new()
        .prefix("program-")
        .tempdir_in(workspace)
        .map_err(|source| JudgeError::System { doing: "making a folder for a program", source })
}

fn ready(command: Vec<OsString>, folder: TempDir, mode: Mode) -> Built {
    Built::Ready(Ready { sandbox: open(command, folder.path(), mode), _folder: folder })
}

fn open(command: Vec<OsString>, folder: &Path, mode: Mode) -> Sandbox {
    let environment = vec![
        ("PATH".into(), language::search_path()),
        ("LANG".into(), "C.UTF-8".into()),
        // Compilers and run-times keep caches and temporary files; they go when the folder goes.
        ("HOME".into(), folder.as_os_str().to_owned()),
        ("TMPDIR".into(), folder.as_os_str().to_owned()),
    ];
    Sandbox::open(Program { command, directory: folder.to_path_buf(), environment }, mode)
}

enum CopyError {
    /// The submission holds something that is not graded.
    Unfit(String),
    System(io::Error),
}

/// Copies a file, or the files of a folder, of at most `most` bytes in all. Links are not followed: they would bring
/// files of the judge's user into the submission's reach. Neither are pipes and devices, which may never end.
fn copy_sources(from: &Path, to: &Path, most: u64) -> Result<(), CopyError> {
    let mut total = 0;
    for entry in WalkDir::new(from).follow_root_links(true).sort_by_file_name() {
        let entry = entry.map_err(|error| CopyError::Unfit(format!("cannot be read: {error}")))?;
        let metadata = if entry.depth() == 0 { from.metadata() } else { entry.path().symlink_metadata() };
        let metadata = metadata.map_err(|error| unreadable(&entry, &error))?;
        let target = target(&entry, from, to);
        if metadata.is_dir() {
            fs::create_dir_all(&target).map_err(CopyError::System)?;
            continue;
        }
        if !metadata.is_file() {
            let name = printable(entry.file_name().as_encoded_bytes());
            return Err(CopyError::Unfit(format!("{name} is neither a file nor a folder; links are not followed")));
        }
        total += metadata.len();
        if total > most {
            return Err(CopyError::Unfit(format!("the sources have more than the {most} bytes allowed")));
        }
        let mut source = File::open(entry.path()).map_err(|error| unreadable(&entry, &error))?;
        let mut copy = File::create(&target).map_err(CopyError::System)?;
        // The file may grow while it is copied.
        io::copy(&mut (&mut source).take(most), &mut copy).map_err(CopyError::System)?;
    }
    Ok(())
}

fn unreadable(entry: &walkdir::DirEntry, error: &io::Error) -> CopyError {
    let name = printable(entry.file_name().as_encoded_bytes());
    CopyError::Unfit(format!("{name} cannot be read: {error}"))
}

/// Where the file or folder goes: a single file keeps its name, the files of a folder their places in it.
fn target(entry: &walkdir::DirEntry, from: &Path, to: &Path) -> PathBuf {
    match entry.path().strip_prefix(from) {
        Ok(below) if !below.as_os_str().is_empty() => to.join(below),
        _ if entry.path().is_dir() => to.to_path_buf(),
        _ => to.join(entry.file_name()),
    }
}

/// Compiles in `folder`. The inner error is the compiler's message.
fn compiled(command: Vec<OsString>, folder: &Path, settings: &Settings) -> Result<Result<(), String>, JudgeError> {
    let Limits { compilation_time, compilation_memory_bytes, .. } = settings.limits;
    let limits = RunLimits {
        cpu: compilation_time,
        wall: compilation_time * 2 + Duration::from_secs(1),
        memory_bytes: compilation_memory_bytes,
        stdout_bytes: COMPILER_OUTPUT_BYTES,
        stderr_bytes: COMPILER_OUTPUT_BYTES,
    };
    let run = Run { arguments: Vec::new(), input: Input::Empty, limits };
    match open(command, folder, settings.sandbox).run(&run) {
        Ok(Outcome { ended: Ended::Exited(0), crossed: None, .. }) => Ok(Ok(())),
        Ok(outcome) => Ok(Err(complaint(&outcome))),
        Err(SandboxError::Interrupted) => Err(JudgeError::Interrupted),
        Err(error) => Err(JudgeError::System { doing: "compiling", source: io::Error::other(error) }),
    }
}

fn complaint(outcome: &Outcome) -> String {
    let said: Vec<u8> =
        outcome.stderr.iter().chain(outcome.stdout.iter()).copied().take(COMPILER_MESSAGE_BYTES).collect();
    let text = printable(&said);
    match outcome.crossed {
        Some(limit) => format!("the compiler used {}\n{text}", limit_words(limit)),
        None if text.trim().is_empty() => {
            format!("the compiler ended without a word, with {}", ending_words(outcome.ended))
        }
        None => text,
    }
}
