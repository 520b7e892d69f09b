//! Runs compilers. Their sandbox is as strong as the sandbox of submissions, because a source can make its compiler
//! read files and run code.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::build::executable::environment;
use crate::build::normalize_modes;
use crate::outcome::classify::{ending_words, limit_words};
use crate::outcome::own_paths::shortened;
use crate::workspace::copy::{self, CopyError, Purpose};
use crate::workspace::folder::{path_of, remove_tree};
use crate::workspace::room::Room;
use crate::{JudgeError, Settings};
use referee_language::COMPILER_CACHE;
use referee_package::Limits;
use referee_sandbox::{
    Crossed, Ended, Input, Limits as RunLimits, Outcome, Program, Run, Sandbox, SandboxError, Scratch,
    has_private_root, interrupt,
};
use referee_text::printable::printable;
use referee_text::size;

/// Maximum output of a compiler, in bytes. The sandbox ends a compiler that prints more.
const OUTPUT_BYTES: u64 = 8 << 20;

/// Maximum length of the compiler's message that users see, in bytes.
const MESSAGE_BYTES: usize = 8 << 10;

/// Maximum total size of the files that a compiler writes, with its temporary files, in bytes. It is DOMjudge's default
/// (`script_filesize_limit`), so that a program with several hundred MiB of static data compiles here as well.
const FILES_BYTES: u64 = 2560 << 20;

/// Maximum size of the compiled program, in bytes.
const PRODUCT_BYTES: u64 = 1 << 30;

/// Maximum number of files that a compiler writes. A Java compiler writes one file for each class.
const FILES: u64 = 1 << 14;

/// GCC prints this, after the name of the signal, if a signal ends a process that it started.
const SIGNAL_OF_GCC: &str = " signal terminated program";

/// A compiler's command, and the files that it can see.
pub(crate) struct Compiler<'a> {
    pub(crate) command: Vec<OsString>,
    /// Environment variables in addition to those of every program.
    pub(crate) variables: Vec<(OsString, OsString)>,
    /// Folders that the compiler can read in addition to the system's.
    pub(crate) readable: Vec<PathBuf>,
    /// Folders that the compiler cannot see.
    pub(crate) hidden: Vec<PathBuf>,
    /// The space that the compiled files may take; `None` if only the judge's own limits apply.
    pub(crate) room: Option<Room>,
    pub(crate) settings: &'a Settings,
}

/// Why there is no compiled program. Each variant contains the message for the user.
#[derive(Debug)]
pub(crate) enum CompileFailure {
    /// The compiler ended by itself with an error. The second field is all that it printed.
    Error(String, Vec<u8>),
    /// The compiler exceeded a limit or was killed.
    Ended(String),
    /// The compiler wrote more than it may.
    Space(String),
    /// The compiler succeeded, but the judge does not accept the compiled files.
    Refused(String),
}

impl CompileFailure {
    pub(crate) fn message(self) -> String {
        match self {
            CompileFailure::Error(message, _)
            | CompileFailure::Ended(message)
            | CompileFailure::Space(message)
            | CompileFailure::Refused(message) => message,
        }
    }

    fn refused(reason: &str) -> CompileFailure {
        CompileFailure::Refused(refused(reason))
    }
}

/// Compiles the sources in `folder`, which then contains the compiled program. The inner error is the reason why there
/// is no program. The outer error is a failure of the judge.
pub(crate) fn compile(compiler: Compiler<'_>, folder: &Path) -> Result<Result<(), CompileFailure>, JudgeError> {
    let Limits { compilation_time, compilation_memory_bytes, .. } = compiler.settings.limits;
    let limits = RunLimits {
        cpu: compilation_time,
        wall: compilation_time * 2 + Duration::from_secs(1),
        memory_bytes: compilation_memory_bytes,
        output_bytes: OUTPUT_BYTES,
        until: compiler.settings.until,
    };
    let room = compiler.room;
    let scratch = scratch(folder, room, compiler.settings);
    let (most_bytes, most_files) = (scratch.bytes, scratch.files);
    let program = Program {
        environment: [environment(folder), compiler.variables].concat(),
        readable: compiler.readable,
        hidden: compiler.hidden,
        scratch: Some(scratch),
        keeps_cores: compiler.settings.keeps_cores,
        ..Program::new(compiler.command, folder)
    };
    let sandbox = Sandbox::open(program, compiler.settings.sandbox);
    let mut instance = sandbox.instance().map_err(compiling_failed)?;
    if let Some(private) = instance.private_scratch() {
        copy_limited(folder, &path_of(private), Purpose::ToCompile).map_err(|error| copying_failed(io_error(error)))?;
    }
    let outcome =
        instance.run(&Run { arguments: Vec::new(), input: Input::Empty, limits }).map_err(compiling_failed)?;
    if outcome.crossed == Some(Crossed::Files) {
        let most = size::bytes(most_bytes);
        let message =
            format!("{USED}more space or more files than it may write: at most {most} and {most_files} files");
        return Ok(Err(CompileFailure::Space(message)));
    }
    if !matches!(outcome, Outcome { ended: Ended::Exited(0), crossed: None, .. }) {
        let message = failure_message(&outcome, &limits, folder);
        // GCC exits with the code of a compile error, even if the signal was for the judge's processes.
        if message.contains(SIGNAL_OF_GCC) && interrupt::follows() {
            return Err(JudgeError::Interrupted);
        }
        let ended_itself = matches!(outcome, Outcome { ended: Ended::Exited(_), crossed: None, .. });
        let printed = || [&*outcome.stderr, &*outcome.stdout].concat();
        return Ok(Err(if ended_itself {
            CompileFailure::Error(message, printed())
        } else {
            CompileFailure::Ended(message)
        }));
    }
    let private = instance.private_scratch();
    let compiled = private.map_or_else(|| folder.to_path_buf(), path_of);
    if let Some(reason) = room.and_then(|room| room.lacks_for(&compiled)) {
        return Ok(Err(CompileFailure::refused(&reason)));
    }
    let Some(private) = private else {
        remove_caches(folder).map_err(copying_failed)?;
        return normalize_modes::normalize(folder, PRODUCT_BYTES)
            .map(|normalized| normalized.map_err(|reason| CompileFailure::refused(&reason)))
            .map_err(copying_failed);
    };
    // The sources are removed, so that none of them collides with a compiled file.
    std::fs::remove_dir_all(folder).map_err(copying_failed)?;
    match copy_limited(&path_of(private), folder, Purpose::Compiled) {
        Ok(()) => Ok(Ok(())),
        Err(CopyError::Unfit(reason)) => Ok(Err(CompileFailure::refused(&reason))),
        Err(CopyError::System(source)) => Err(copying_failed(source)),
    }
}

/// Returns the permission to write into `folder`, with limits on the size and the number of files. `room` is the space
/// for the compiled files in the judge's temporary folder. Without a private root, the compiler writes into this
/// temporary folder, so the limits are at most twice `room`: the compiler's temporary files may take as much space
/// again as the compiled files.
fn scratch(folder: &Path, room: Option<Room>, settings: &Settings) -> Scratch {
    let on_disk = room.filter(|_| !has_private_root(settings.sandbox));
    let bytes = on_disk.map_or(FILES_BYTES, |room| (2 * room.bytes).min(FILES_BYTES));
    let files = on_disk.map_or(FILES, |room| (2 * room.files).min(FILES));
    Scratch { path: folder.to_path_buf(), bytes, files, file_bytes: None, is_reused: false }
}

/// Returns the message for compiled files that the judge does not accept because of `reason`.
pub(crate) fn refused(reason: &str) -> String {
    format!("the judge refuses the compiled files: {reason}")
}

/// Removes the folder of the compiler's own cache. A link in place of this folder stays, because the judge follows no
/// links.
fn remove_caches(folder: &Path) -> io::Result<()> {
    let cache = folder.join(COMPILER_CACHE);
    let is_folder = cache.symlink_metadata().is_ok_and(|found| found.is_dir());
    if is_folder { remove_tree(&cache) } else { Ok(()) }
}

fn copy_limited(from: &Path, to: &Path, purpose: Purpose) -> Result<(), CopyError> {
    copy::copy(from, to, if purpose == Purpose::Compiled { PRODUCT_BYTES } else { FILES_BYTES }, purpose)
}

fn io_error(error: CopyError) -> io::Error {
    match error {
        CopyError::Unfit(reason) => io::Error::other(reason),
        CopyError::System(source) => source,
    }
}

fn copying_failed(source: io::Error) -> JudgeError {
    JudgeError::System { doing: "copying a program", source }
}

fn compiling_failed(error: SandboxError) -> JudgeError {
    match error {
        SandboxError::Interrupted => JudgeError::Interrupted,
        error => JudgeError::System { doing: "compiling", source: io::Error::other(error) },
    }
}

/// Whether the message shows that the compiler exceeded a limit, was killed, or failed without a message. The program
/// may then compile in another run.
pub(crate) fn may_compile_next_time(message: &str) -> bool {
    [USED, NO_MESSAGE].iter().any(|start| message.starts_with(start)) || message.contains(SIGNAL_OF_GCC)
}

const USED: &str = "the compiler used ";
const NO_MESSAGE: &str = "the compiler printed no message and ended with ";

/// Returns the message of a compiler that failed in `folder`.
fn failure_message(outcome: &Outcome, limits: &RunLimits, folder: &Path) -> String {
    let said: Vec<u8> = outcome.stderr.iter().chain(outcome.stdout.iter()).copied().take(MESSAGE_BYTES).collect();
    let workspace = folder.parent().unwrap_or(folder);
    let text = printable(&shortened(&said, workspace));
    match outcome.crossed {
        Some(limit) => format!("{USED}{}\n{text}", limit_words(limit, limits, &outcome.usage)),
        None if text.trim().is_empty() => {
            format!("{NO_MESSAGE}{}", ending_words(outcome.ended))
        }
        None => text,
    }
}
