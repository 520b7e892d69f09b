//! Precompiles headers. For many C++ programs, reading the header takes most of the compiler's time.
//!
//! The [`Preparer`] makes a header that the table of languages names, and stores it in the user's cache.
//!
//! Mutants of a program all begin with the same `#include` lines. So all of these headers are precompiled together, in
//! one file that is found in place of the first header. The include guards then make the compiler skip the others. The
//! program decides which headers these are. So such a file serves only this run, and is not stored in the cache.
//!
//! If a file of languages adds a plugin for the compiler, a header can also contain the templates that it uses,
//! instantiated ([`Templates`]).

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::JudgeError;
use crate::build::compile;
use crate::build::header_plugin::{PLUGIN, PRAGMA};
use crate::build::preparer::{Preparer, new_folder};
use crate::cache::build_cache::Key;
use crate::workspace::prepared::{HEADERS, Kind, MUTANTS_BEFORE, Prepared, SharedHeaders};
use referee_language::TemplateValues;

/// A macro that exists only while the other headers are read, so that no program sees it.
const GUARD: &str = "REFEREE_READS_OTHER_HEADERS";

/// Where the compiler instantiates the templates that the functions of a header use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Templates {
    /// At the end of each program, as without a precompiled header. The compiled programs are the same, byte for byte.
    InPrograms,
    /// In the header, which saves a third of the time that remains. The compiled programs do the same, but functions may
    /// be in another order, and the compiler may inline and specialise others. Unlike at the end of a program, a pragma
    /// in the program has no influence on these templates.
    InHeader,
}

/// A header that the compiler of some program can use.
pub(crate) struct Request<'a> {
    /// The name of the header, as in an `#include` line.
    pub(crate) header: &'a str,
    /// Headers that the program includes directly after it, and that are precompiled with it.
    pub(crate) others: &'a [&'a str],
    pub(crate) templates: Templates,
    /// Holds the header for several sessions; `None` if this session holds it, and the user's cache stores it.
    pub(crate) shared: Option<&'a SharedHeaders>,
    pub(crate) preparer: Preparer<'a>,
}

impl Request<'_> {
    /// Returns the precompiled header; `None` if there is none yet, or if it cannot be made. Fails only if the run was
    /// interrupted.
    pub(crate) fn get(&self) -> Result<Option<Prepared>, JudgeError> {
        let Some(key) = self.key() else { return Ok(None) };
        let Some(shared) = self.shared else {
            return self.preparer.get(&key, Kind::Header, || self.make());
        };
        let name = [&[key.name(), self.header], self.others].concat().join(" ");
        let mut is_new = false;
        let make = || self.make().inspect(|made| is_new = made.is_some());
        let header = shared.headers().get(&name, MUTANTS_BEFORE, || None, make)?;
        if is_new {
            shared.made(&name);
        }
        Ok(header)
    }

    /// Returns the path of the file that includes the header. The path is relative to the folder in which the compiler
    /// runs.
    fn including_file(&self) -> PathBuf {
        Path::new(HEADERS).join(self.header)
    }

    /// Returns the compiler's command; `None` if the language precompiles no headers, or if a tool is missing. `plugin` is
    /// the plugin that the compiler loads.
    fn command(&self, folder: &Path, plugin: Option<&Prepared>) -> Option<Vec<OsString>> {
        let main = self.including_file();
        let memory_mib = self.preparer.settings.limits.compilation_memory_bytes >> 20;
        let prepared = plugin.map(Prepared::file);
        let values = TemplateValues { memory_mib, prepared, ..TemplateValues::of_source(&main, folder) };
        self.preparer.language.precompile(&values)?.ok()
    }

    /// Returns the text of the file from which the header is made. One of the other headers may include this file again:
    /// `cassert` has no guard and includes `assert.h`. The second inclusion skips the other headers.
    fn text(&self) -> String {
        let own = format!("#include_next <{}>", self.header);
        let others = self.others.iter().map(|other| format!("#include <{other}>"));
        let guarded = [format!("#ifndef {GUARD}"), format!("#define {GUARD}")].into_iter().chain(others);
        let lines: Vec<_> = if self.others.is_empty() {
            vec![own]
        } else {
            let end = [format!("#undef {GUARD}"), "#endif".to_owned()];
            std::iter::once(own).chain(guarded).chain(end).collect()
        };
        lines.join("\n") + "\n"
    }

    /// Returns the key of the header; `None` if it cannot be determined.
    fn key(&self) -> Option<Key> {
        let of_plugin = self.wants_plugin().then(|| PLUGIN.identity(self.preparer.language)).flatten();
        let mut command = self.command(Path::new("/"), None)?;
        command.extend(of_plugin.into_iter().flatten());
        self.preparer.key(&command)
    }

    fn wants_plugin(&self) -> bool {
        self.templates == Templates::InHeader
    }

    /// The folder in which the header is made.
    fn workspace(&self) -> &Path {
        self.shared.map_or(self.preparer.site.workspace, SharedHeaders::workspace)
    }

    /// Makes the header in a new folder; `None` if there is too little space, or if the compiler fails.
    fn make(&self) -> Result<Option<Prepared>, JudgeError> {
        let _busy = self.preparer.settings.activity.begin(format!("precompiling {}", self.header));
        let plugin = if self.wants_plugin() { PLUGIN.make(&self.preparer, self.workspace())? } else { None };
        if let Some(plugin) = plugin
            && let Some(made) = self.make_with(Some(&plugin))?
        {
            return Ok(Some(made));
        }
        self.make_with(None)
    }

    fn make_with(&self, plugin: Option<&Prepared>) -> Result<Option<Prepared>, JudgeError> {
        let Some(folder) = new_folder(self.workspace()) else { return Ok(None) };
        let Some(command) = self.command(folder.path(), plugin) else { return Ok(None) };
        // `include_next` makes the compiler search the folders after this one. So this file serves two purposes: the
        // header is made from it, and it stands for the header if a program includes the header a second time.
        let text = self.text();
        self.write(folder.path(), &(text.clone() + plugin.map_or("", |_| PRAGMA)))?;
        let settings = self.preparer.settings();
        let compiler = self.preparer.compiler(command, plugin.map(Prepared::folder), &settings);
        if compile::compile(compiler, folder.path())?.is_err() {
            return Ok(None);
        }
        if plugin.is_some() {
            // Programs do not know the pragma.
            self.write(folder.path(), &text)?;
        }
        Ok(Some(Prepared::new(folder, Kind::Header)))
    }

    /// Writes the file that includes the header.
    fn write(&self, folder: &Path, text: &str) -> Result<(), JudgeError> {
        let file = folder.join(self.including_file());
        fs::create_dir_all(file.parent().unwrap_or(folder))
            .and_then(|()| fs::write(&file, text))
            .map_err(|source| JudgeError::System { doing: "writing a header", source })
    }
}
