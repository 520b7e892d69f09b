//! Precompiles headers. For many C++ programs, reading the header takes most of the compiler's time.
//!
//! A precompiled header depends only on the compiler, its command and the system's headers. Neither a submission nor a
//! package has any influence on it. The judge makes it in the sandbox, with the limits of compilers, and stores it in
//! the user's cache. A run uses a copy in its own temporary folder, which is checked against the cache's digest once.
//! Compilers can read the copy; the programs that they compile cannot see it. If no precompiled header can be made or
//! used, programs are compiled without one.
//!
//! Mutants of a program all begin with the same `#include` lines. So all of these headers are precompiled together, in
//! one file that is found in place of the first header. The include guards then make the compiler skip the others. The
//! program decides which headers these are. So such a file serves only this run, and is not stored in the cache.
//!
//! If the language has a plugin for its compiler, a header can also contain the templates that it uses, instantiated
//! ([`Templates`]).

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::build::compile::{self, Compiler};
use crate::build::executable::folder_in;
use crate::build::header_plugin::{self, HeaderPlugin};
use crate::cache::build_cache::{Cache, Key};
use crate::workspace::folder::Folder;
use crate::workspace::headers::{PROGRAMS_BEFORE, PrecompiledHeader, SharedHeaders};
use crate::workspace::room::Free;
use crate::workspace::site::Site;
use crate::{JudgeError, Settings};
use referee_language::{Language, TemplateValues};
use referee_package::Limits;

/// The space that must be free in the temporary folder before a header is copied or made there, in bytes.
const FREE_BYTES: u64 = 1 << 30;

/// The time and memory that a compiler may use for a header even if the package allows less for a program. GCC 12 uses
/// 5 s of CPU time and 0.4 GiB on a slow machine, and writes 0.1 GiB.
const LEAST_TIME: Duration = Duration::from_secs(60);
const LEAST_MEMORY_BYTES: u64 = 2 << 30;

/// The folder of the precompiled header, relative to the folder in which it is made.
const HEADERS: &str = "headers";

/// A macro that exists only while the other headers are read, so that no program sees it.
const GUARD: &str = "REFEREE_READS_OTHER_HEADERS";

/// Where the compiler instantiates the templates that the functions of a header use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Templates {
    /// At the end of each program, as without a precompiled header. The compiled programs are the same, byte for byte.
    InPrograms,
    /// In the header, which saves half of the time that remains. The compiled programs do the same, but their functions
    /// may be in another order. A pragma in a program has no influence on these templates, as it would have at the end.
    InHeader,
}

/// A header that the compiler of some program can use.
pub(crate) struct Request<'a> {
    pub(crate) language: &'a Language,
    /// The name of the header, as in an `#include` line.
    pub(crate) header: &'a str,
    /// Headers that the program includes directly after it, and that are precompiled with it.
    pub(crate) others: &'a [&'a str],
    pub(crate) templates: Templates,
    /// Holds the header for several sessions; `None` if this session holds it, and the user's cache stores it.
    pub(crate) shared: Option<&'a SharedHeaders>,
    /// Environment variables of the compiler.
    pub(crate) variables: &'a [(OsString, OsString)],
    /// Folders that the compiler can read in addition to the system's.
    pub(crate) readable: &'a [PathBuf],
    pub(crate) settings: &'a Settings,
    pub(crate) site: Site<'a>,
}

impl Request<'_> {
    /// Returns the precompiled header; `None` if there is none yet, or if it cannot be made. Fails only if the run was
    /// interrupted.
    pub(crate) fn get(&self) -> Result<Option<PrecompiledHeader>, JudgeError> {
        let Some(key) = self.key() else { return Ok(None) };
        let make = || {
            let made = self.make()?;
            if let Some((cache, header)) = self.cache().zip(made.as_ref()) {
                cache.store(&key, header.files());
            }
            Ok(made)
        };
        let Some(shared) = self.shared else {
            let headers = self.site.headers;
            let programs_before = headers.programs_before(self.templates == Templates::InHeader);
            return headers.get(key.name(), programs_before, || self.restore(&key), make);
        };
        let name = [&[key.name(), self.header], self.others].concat().join(" ");
        let mut is_new = false;
        let make = || self.make().inspect(|made| is_new = made.is_some());
        let header = shared.headers().get(&name, PROGRAMS_BEFORE, || None, make)?;
        if is_new {
            shared.made(&name);
        }
        Ok(header)
    }

    /// The user's cache of precompiled headers; `None` if there is none.
    fn cache(&self) -> Option<&Cache> {
        self.settings.cache.as_ref()?.headers()
    }

    /// Returns the path of the file that includes the header. The path is relative to the folder in which the compiler
    /// runs.
    fn including_file(&self) -> PathBuf {
        Path::new(HEADERS).join(self.header)
    }

    /// Returns the compiler's command; `None` if the language precompiles no headers, or if a tool is missing. `plugin` is
    /// the plugin that the compiler loads.
    fn command(&self, folder: &Path, plugin: Option<&Path>) -> Option<Vec<OsString>> {
        let main = self.including_file();
        let (sources, memory_mib) = ([main.clone()], self.settings.limits.compilation_memory_bytes >> 20);
        let values = TemplateValues {
            sources: &sources,
            main: &main,
            entry_point: "",
            folder,
            memory_mib,
            headers: None,
            plugin,
        };
        self.language.precompile(&values)?.ok()
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
        let of_plugin = self.wants_plugin().then(|| header_plugin::identity(self.language)).flatten();
        let mut command = self.command(Path::new("/"), None)?;
        command.extend(of_plugin.into_iter().flatten());
        Key::of_header(self.language, &command, self.variables, self.settings)
    }

    fn wants_plugin(&self) -> bool {
        self.templates == Templates::InHeader
    }

    /// Makes a folder for the header; `None` if there is too little space.
    fn folder(&self) -> Option<Folder> {
        let workspace = self.workspace();
        Free::of(workspace).has(FREE_BYTES).then(|| folder_in(workspace).ok()).flatten()
    }

    fn workspace(&self) -> &Path {
        self.shared.map_or(self.site.workspace, SharedHeaders::workspace)
    }

    /// Copies the header from the user's cache; `None` if the cache has no undamaged copy.
    fn restore(&self, key: &Key) -> Option<PrecompiledHeader> {
        let (cache, folder) = (self.cache()?, self.folder()?);
        cache.restore_to(key, folder.path()).then(|| PrecompiledHeader::new(folder, HEADERS))
    }

    /// Returns the limits for making the header. A package's own limits are for its programs, and may be too low.
    fn limits(&self) -> Limits {
        let own = &self.settings.limits;
        Limits {
            compilation_time: own.compilation_time.max(LEAST_TIME),
            compilation_memory_bytes: own.compilation_memory_bytes.max(LEAST_MEMORY_BYTES),
            ..*own
        }
    }

    /// Makes the header in a new folder; `None` if there is too little space, or if the compiler fails.
    fn make(&self) -> Result<Option<PrecompiledHeader>, JudgeError> {
        let _busy = self.settings.activity.begin(format!("precompiling {}", self.header));
        let settings = Settings { limits: self.limits(), ..self.settings.clone() };
        if let Some(plugin) = self.plugin(&settings)?
            && let Some(made) = self.make_with(Some(&plugin), &settings)?
        {
            return Ok(Some(made));
        }
        self.make_with(None, &settings)
    }

    /// Compiles the plugin; `None` if the header needs none, or if it cannot be compiled.
    fn plugin(&self, settings: &Settings) -> Result<Option<HeaderPlugin>, JudgeError> {
        let workspace = self.workspace();
        let compiler = |command| self.compiler(command, None, settings);
        if self.wants_plugin() { HeaderPlugin::make(self.language, workspace, compiler) } else { Ok(None) }
    }

    fn make_with(
        &self,
        plugin: Option<&HeaderPlugin>,
        settings: &Settings,
    ) -> Result<Option<PrecompiledHeader>, JudgeError> {
        let Some(folder) = self.folder() else { return Ok(None) };
        let file_of_plugin = plugin.map(HeaderPlugin::file);
        let Some(command) = self.command(folder.path(), file_of_plugin.as_deref()) else { return Ok(None) };
        // `include_next` makes the compiler search the folders after this one. So this file serves two purposes: the
        // header is made from it, and it stands for the header if a program includes the header a second time.
        let text = self.text();
        let pragma = if plugin.is_some() { format!("{}\n", header_plugin::PRAGMA) } else { String::new() };
        self.write(folder.path(), &(text.clone() + &pragma))?;
        if compile::compile(self.compiler(command, plugin, settings), folder.path())?.is_err() {
            return Ok(None);
        }
        if plugin.is_some() {
            // Programs do not know the pragma.
            self.write(folder.path(), &text)?;
        }
        Ok(Some(PrecompiledHeader::new(folder, HEADERS)))
    }

    /// Writes the file that includes the header.
    fn write(&self, folder: &Path, text: &str) -> Result<(), JudgeError> {
        let file = folder.join(self.including_file());
        fs::create_dir_all(file.parent().unwrap_or(folder))
            .and_then(|()| fs::write(&file, text))
            .map_err(|source| JudgeError::System { doing: "writing a header", source })
    }

    fn compiler<'c>(
        &'c self,
        command: Vec<OsString>,
        plugin: Option<&HeaderPlugin>,
        settings: &'c Settings,
    ) -> Compiler<'c> {
        let of_plugin = plugin.map(|plugin| plugin.folder().to_owned());
        Compiler {
            command,
            variables: self.variables.to_vec(),
            readable: self.readable.iter().cloned().chain(of_plugin).collect(),
            hidden: self.site.hidden(),
            room: None,
            settings,
        }
    }
}
