//! Compiling, in a sandbox as strong as that of the submission itself: a compiler does what the source says.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::build::executable::environment;
use crate::build::normalize_modes;
use crate::outcome::classify::{ending_words, limit_words};
use crate::workspace::copy::{self, CopyError, Purpose};
use crate::workspace::folder::{path_of, remove_tree};
use crate::{JudgeError, Settings};
use referee_language::COMPILER_CACHE;
use referee_package::Limits;
use referee_sandbox::{
    Ended, Identity, Input, Limits as RunLimits, Outcome, Program, Run, Sandbox, SandboxError, Scratch,
};
use referee_text::printable::printable;

/// What a compiler may print; more is cut off and ends it.
const OUTPUT_BYTES: u64 = 8 << 20;

/// What of it is kept for people.
const MESSAGE_BYTES: usize = 8 << 10;

/// What a compiler may write, its temporary files included.
const FILES_BYTES: u64 = 1 << 30;

/// What of it is kept: the program.
const PRODUCT_BYTES: u64 = 256 << 20;

/// How many files it may make. A class a file, and many classes.
const FILES: u64 = 1 << 14;

/// How to compile.
pub(crate) struct Compiler<'a> {
    pub(crate) command: Vec<OsString>,
    /// Environment variables beyond those that every program gets.
    pub(crate) variables: Vec<(OsString, OsString)>,
    /// What it needs besides the system's own folders.
    pub(crate) readable: Vec<PathBuf>,
    /// What it must not see.
    pub(crate) hidden: Vec<PathBuf>,
    pub(crate) settings: &'a Settings,
}

/// Compiles the sources in `folder`, and puts what comes of it into their place. The inner error is the compiler's
/// message.
pub(crate) fn compile(compiler: Compiler<'_>, folder: &Path) -> Result<Result<(), String>, JudgeError> {
    let Limits { compilation_time, compilation_memory_bytes, .. } = compiler.settings.limits;
    let limits = RunLimits {
        cpu: compilation_time,
        wall: compilation_time * 2 + Duration::from_secs(1),
        memory_bytes: compilation_memory_bytes,
        output_bytes: OUTPUT_BYTES,
        until: compiler.settings.until,
    };
    let program = Program {
        command: compiler.command,
        directory: folder.to_path_buf(),
        environment: [environment(folder), compiler.variables].concat(),
        readable: compiler.readable,
        hidden: compiler.hidden,
        scratch: Some(Scratch { path: folder.to_path_buf(), bytes: FILES_BYTES, files: FILES }),
        identity: Identity::Nobody,
    };
    let sandbox = Sandbox::open(program, compiler.settings.sandbox);
    let mut instance = sandbox.instance().map_err(failed)?;
    if let Some(private) = instance.private_scratch() {
        carry(folder, &path_of(private), Purpose::ToCompile).map_err(|error| unable(copied(error)))?;
    }
    let outcome = instance.run(&Run { arguments: Vec::new(), input: Input::Empty, limits }).map_err(failed)?;
    if !matches!(outcome, Outcome { ended: Ended::Exited(0), crossed: None, .. }) {
        return Ok(Err(complaint(&outcome)));
    }
    let Some(private) = instance.private_scratch() else {
        remove_caches(folder).map_err(unable)?;
        return normalize_modes::settle(folder, PRODUCT_BYTES)
            .map(|settled| settled.map_err(|reason| format!("what the compiler made: {reason}")))
            .map_err(unable);
    };
    // What the sources were goes, so that nothing stands in the way of what came of them.
    std::fs::remove_dir_all(folder).map_err(unable)?;
    match carry(&path_of(private), folder, Purpose::Compiled) {
        Ok(()) => Ok(Ok(())),
        Err(CopyError::Unfit(reason)) => Ok(Err(format!("what the compiler made: {reason}"))),
        Err(CopyError::System(source)) => Err(unable(source)),
    }
}

/// What only the compiler needs is not kept. A link in its place stays, and leads nowhere.
fn remove_caches(folder: &Path) -> io::Result<()> {
    let cache = folder.join(COMPILER_CACHE);
    let is_folder = cache.symlink_metadata().is_ok_and(|found| found.is_dir());
    if is_folder { remove_tree(&cache) } else { Ok(()) }
}

fn carry(from: &Path, to: &Path, purpose: Purpose) -> Result<(), CopyError> {
    copy::copy(from, to, if purpose == Purpose::Compiled { PRODUCT_BYTES } else { FILES_BYTES }, purpose)
}

fn copied(error: CopyError) -> io::Error {
    match error {
        CopyError::Unfit(reason) => io::Error::other(reason),
        CopyError::System(source) => source,
    }
}

fn unable(source: io::Error) -> JudgeError {
    JudgeError::System { doing: "copying a program", source }
}

fn failed(error: SandboxError) -> JudgeError {
    match error {
        SandboxError::Interrupted => JudgeError::Interrupted,
        error => JudgeError::System { doing: "compiling", source: io::Error::other(error) },
    }
}

/// Whether it was time, memory or the machine that the compiler lacked, by its message: then the program may compile
/// all the same. The last is what GCC says when its own compiler proper is killed.
pub(crate) fn lacked_something(message: &str) -> bool {
    [USED, WITHOUT_A_WORD].iter().any(|start| message.starts_with(start))
        || message.contains("Killed signal terminated program")
}

const USED: &str = "the compiler used ";
const WITHOUT_A_WORD: &str = "the compiler ended without a word, with ";

fn complaint(outcome: &Outcome) -> String {
    let said: Vec<u8> = outcome.stderr.iter().chain(outcome.stdout.iter()).copied().take(MESSAGE_BYTES).collect();
    let text = printable(&said);
    match outcome.crossed {
        Some(limit) => format!("{USED}{}\n{text}", limit_words(limit)),
        None if text.trim().is_empty() => {
            format!("{WITHOUT_A_WORD}{}", ending_words(outcome.ended))
        }
        None => text,
    }
}
