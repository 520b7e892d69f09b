//! Compiles several programs in one process, because starting a compiler can take much longer than compiling a small
//! program.
//!
//! The compiled files are the same as if each program had been compiled alone. [`Compilation`](super::compilation) uses
//! them when it builds the program. A program that does not compile here, for whatever reason, is compiled alone, so
//! its verdict and its message do not depend on the other programs. All of them are compiled in the same sandbox. So
//! only programs that do not harm one another belong together, such as the mutants of one program.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::build::compilation::Compilation;
use crate::build::compile;
use crate::build::executable::folder_in;
use crate::build::{self, Source, Step};
use crate::workspace::site::Site;
use crate::{JudgeError, Settings};
use referee_files::regular;
use referee_package::Limits;

/// The programs that call the compilers of Java and of Python for several programs.
const DRIVERS: [(&str, &str); 2] = [
    ("CompileTogether.java", include_str!("CompileTogether.java")),
    ("CompileTogether.py", include_str!("CompileTogether.py")),
];

/// The file to which the driver writes the folders of the programs that compile.
const COMPILED: &str = "compiled";

/// Maximum length of that file, in bytes.
const LONGEST_LIST: u64 = 1 << 20;

/// A program to compile together with others.
pub(crate) struct Member<'a> {
    pub(crate) source: Source<'a>,
    /// The path of the sources when the program is built later.
    pub(crate) path: PathBuf,
}

/// Compiles the programs together, and adds those that compile to the settings' [`Settings::compiled`]. Does nothing
/// if their language cannot do that. All programs must be in the same language.
pub(crate) fn compile(members: &[Member<'_>], settings: &Settings, site: Site<'_>) -> Result<(), JudgeError> {
    let plain = settings.without_cache();
    let mut programs: Vec<(Compilation<'_>, &PathBuf)> = Vec::new();
    for Member { source, path } in members {
        if let Some(compilation) = compilation(source, &plain, site)?.filter(Compilation::has_only_sources) {
            if compilation.command_together().is_none() {
                return Ok(());
            }
            programs.push((compilation, path));
        }
    }
    let Some((first, _)) = programs.first() else { return Ok(()) };
    let Some(mut command) = first.command_together() else { return Ok(()) };
    let above = Arc::new(folder_in(site.workspace).map_err(failed)?);
    for (number, (compilation, _)) in programs.iter().enumerate() {
        let name = number.to_string();
        fs::rename(compilation.folder(), above.path().join(&name)).map_err(failed)?;
        command.extend([OsString::new(), name.into()]);
        command.extend(compilation.sources().iter().map(|source| source.as_os_str().to_owned()));
    }
    for (name, text) in DRIVERS {
        fs::write(above.path().join(name), text).map_err(failed)?;
    }
    let settings_for_all = for_all(&plain, programs.len());
    if compile::compile(first.compiler(command, &settings_for_all), above.path())?.is_err() {
        return Ok(());
    }
    for (number, (_, path)) in programs.iter().enumerate() {
        if is_listed(&above.path().join(COMPILED), number) {
            settings.compiled.add((*path).clone(), above.path().join(number.to_string()), &above);
        }
    }
    Ok(())
}

/// Gathers the sources of the program; `None` if it need not be compiled or cannot be.
pub(crate) fn compilation<'a>(
    source: &Source<'a>,
    settings: &'a Settings,
    site: Site<'a>,
) -> Result<Option<Compilation<'a>>, JudgeError> {
    Ok(match build::plan(source, settings, site)?.step {
        Ok(Step::Compile(compilation)) => Some(compilation),
        _ => None,
    })
}

/// Returns settings whose limit on the compiler's time suffices for `count` programs.
pub(crate) fn for_all(settings: &Settings, count: usize) -> Settings {
    let compilation_time = settings.limits.compilation_time.saturating_mul(count.try_into().unwrap_or(u32::MAX));
    Settings { limits: Limits { compilation_time, ..settings.limits }, ..settings.clone() }
}

fn is_listed(list: &Path, number: usize) -> bool {
    let read = regular::read_to_string(list, LONGEST_LIST).unwrap_or_default();
    read.lines().any(|line| line.parse() == Ok(number))
}

fn failed(source: io::Error) -> JudgeError {
    JudgeError::System { doing: "copying the sources of programs that are compiled together", source }
}
