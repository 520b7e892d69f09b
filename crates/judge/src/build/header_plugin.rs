//! Compiles a plugin with which GCC instantiates templates when it precompiles a header.
//!
//! The functions of `<bits/stdc++.h>` use hundreds of templates. GCC stores a list of these templates in the precompiled
//! header, and instantiates all of them at the end of every program, which takes longer than most programs themselves.
//! With the plugin, GCC stores them instantiated. The C++ standard allows a compiler to instantiate a template at either
//! point. Programs themselves are compiled without the plugin.
//!
//! This is an experiment, and no language uses it by default. GCC decides at the end of a program which constructors and
//! destructors share their code, but it has to decide that for the instantiated ones when it makes the header. So it can
//! inline and specialise other functions than without the plugin. A program with undefined behaviour could then get
//! another verdict, depending on whether the header was ready when the program was compiled.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::build::compile::{self, Compiler};
use crate::build::executable::folder_in;
use crate::workspace::folder::Folder;
use crate::{JudgeError, Settings};
use referee_language::{Language, TemplateValues};
use referee_package::Limits;

/// The source of the plugin.
const SOURCE: (&str, &str) = ("InstantiateTemplates.cpp", include_str!("InstantiateTemplates.cpp"));

/// The line that instantiates all templates which the text before it uses.
pub(crate) const PRAGMA: &str = "#pragma referee instantiate";

/// The file of the plugin in its folder.
const PLUGIN: &str = "program.out";

/// The time in which the plugin must be compiled. GCC needs 0.1 s.
const MOST_TIME: Duration = Duration::from_secs(10);

/// A compiled plugin. Its folder exists as long as this value.
pub(crate) struct HeaderPlugin(Folder);

impl HeaderPlugin {
    /// Compiles the plugin in a new folder of `workspace`; `None` if the language has no plugin, or if its compiler
    /// cannot compile it. `compiler` returns the compiler that runs the command passed to it. Fails only if the run was
    /// interrupted.
    pub(crate) fn make<'a>(
        language: &Language,
        workspace: &Path,
        compiler: impl FnOnce(Vec<OsString>) -> Compiler<'a>,
    ) -> Result<Option<HeaderPlugin>, JudgeError> {
        let Ok(folder) = folder_in(workspace) else { return Ok(None) };
        let Some(command) = command(language, folder.path()) else { return Ok(None) };
        if fs::write(folder.path().join(SOURCE.0), SOURCE.1).is_err() {
            return Ok(None);
        }
        let compiled = compile::compile(compiler(command), folder.path())?;
        Ok((compiled.is_ok() && file_in(folder.path()).is_file()).then_some(HeaderPlugin(folder)))
    }

    /// The folder of the plugin, which the compiler must be able to read.
    pub(crate) fn folder(&self) -> &Path {
        self.0.path()
    }

    /// The file that the compiler loads.
    pub(crate) fn file(&self) -> PathBuf {
        file_in(self.folder())
    }
}

/// Returns the settings for compiling the plugin: `settings`, with less time.
pub(crate) fn settings(settings: &Settings) -> Settings {
    Settings { limits: Limits { compilation_time: MOST_TIME, ..settings.limits }, ..settings.clone() }
}

/// Returns the file of the plugin in `folder`.
pub(crate) fn file_in(folder: &Path) -> PathBuf {
    folder.join(PLUGIN)
}

/// Returns all that a header depends on if it is made with the plugin: the command and the source of the plugin. `None`
/// if the language has no plugin.
pub(crate) fn identity(language: &Language) -> Option<Vec<OsString>> {
    let mut words = command(language, Path::new("/"))?;
    words.push(SOURCE.1.into());
    Some(words)
}

/// Returns the command that compiles the plugin in `folder`; `None` if the language has no plugin, or if a tool is
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
    language.precompile_plugin(&values)?.ok()
}
