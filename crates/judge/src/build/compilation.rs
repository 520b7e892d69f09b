//! Gathers the sources of a program whose language is known, and compiles them.

mod with_prepared;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use walkdir::WalkDir;

use crate::build::awkward_names::PlainCopies;
use crate::build::compile::{self, CompileFailure, Compiler};
use crate::build::sources;
use crate::build::{Built, GONE, Role, Source, Step, executable_in, folder, is_full_disk, is_gone};
use crate::cache::build_cache::Key;
use crate::cache::results::ProgramKey;
use crate::cache::results::compile_error::{CompileError, is_about};
use crate::workspace::copy::CopyError;
use crate::workspace::folder::Folder;
use crate::workspace::prepared::Prepared;
use crate::workspace::room::{Free, Room, with_space};
use crate::workspace::site::Site;
use crate::{JudgeError, Settings};
use referee_event::NotJudged;
use referee_language::{Commands, Language, TemplateValues, Unready};
use referee_package::Package;
use referee_sandbox as sandbox;

/// Gathered sources, and the commands to compile and run them.
pub(crate) struct Compilation<'a> {
    language: &'a Language,
    /// The path of the program's file or folder.
    path: &'a Path,
    /// The entry point that the package or the user declares; `None` if it is not declared.
    entry_point: Option<&'a str>,
    sources: Vec<PathBuf>,
    /// The copies among the sources that have plain names.
    copies: PlainCopies,
    main: PathBuf,
    folder: Folder,
    commands: Commands,
    /// The folders of the language's tools: compiler, interpreter, libraries.
    tool_folders: Vec<PathBuf>,
    role: Role,
    /// The keys of the compiled program and of its results in the caches; `None` if no keys are needed, or if they
    /// cannot be computed.
    keys: Option<(Key, ProgramKey)>,
    settings: &'a Settings,
    site: Site<'a>,
}

/// Gathers the sources in a new folder. Returns how to compile them, or the reason why the program is refused or
/// skipped.
pub(crate) fn plan<'a>(
    source: &Source<'a>,
    language: &'a Language,
    settings: &'a Settings,
    site: Site<'a>,
) -> Result<Step<'a>, JudgeError> {
    if let Some(refused) = source.includes.and_then(|package| not_allowed(language, package)) {
        return Ok(Step::Nothing(Built::Refused(refused)));
    }
    if let Some(reason) = site.room.lacks_for(source.path).filter(|_| source.role == Role::Submission) {
        return Ok(Step::Nothing(Built::Refused(reason)));
    }
    let folder = folder(source, site)?;
    let mut own = match gather(source, language, folder.path()) {
        Ok(own) => own,
        Err(CopyError::Unfit(_)) if is_gone(source.path) => {
            return Ok(Step::Nothing(Built::Skipped(GONE.to_owned().into())));
        }
        Err(CopyError::Unfit(reason)) => return Ok(Step::Nothing(Built::Refused(reason))),
        Err(CopyError::System(source)) => return Err(JudgeError::System { doing: "copying the sources", source }),
    };
    if source.entry_point.is_some_and(|name| name.starts_with(['-', '@'])) {
        let reason = "its declared entry point starts with - or @, so the compiler would read the name as an option; \
                      rename the file or the class";
        return Ok(Step::Nothing(Built::Refused(reason.to_owned())));
    }
    let mut sources = sources_in(folder.path(), source, language);
    let copies = PlainCopies::make(language, &sources, source.entry_point, folder.path())
        .map_err(|source| JudgeError::System { doing: "copying the sources", source })?;
    copies.replace_in(&mut own);
    copies.replace_in(&mut sources);
    let main = match language.main_of(&sources, &own, source.entry_point) {
        Err(reason) => return Ok(Step::Nothing(Built::Refused(reason))),
        Ok(main) => main,
    };
    let parts = TemplateValues {
        sources: &sources,
        main,
        entry_point: source.entry_point.unwrap_or(language.entry_point()),
        folder: folder.path(),
        memory_mib: source.role.memory_bytes(settings) >> 20,
        prepared: None,
    };
    let mut commands = match language.commands(&parts) {
        Err(missing) => return Ok(Step::Nothing(Built::Skipped(unready(&missing)))),
        Ok(commands) => commands,
    };
    if source.role == Role::Jury {
        commands.environment.extend(folder_of_headers(source.added));
    }
    let tool_folders = language.tool_folders();
    if let Some(reason) = out_of_reach(&tool_folders, settings) {
        return Ok(Step::Nothing(Built::Skipped(reason)));
    }
    let keys = keys(language, &parts, settings, site);
    let (main, entry_point, role) = (main.to_path_buf(), source.entry_point, source.role);
    Ok(Step::Compile(Compilation {
        language,
        path: source.path,
        entry_point,
        sources,
        copies,
        main,
        folder,
        commands,
        tool_folders,
        role,
        keys,
        settings,
        site,
    }))
}

/// Returns the environment variable with which GCC and Clang also find headers for `#include <...>` in the folder of the
/// program; `None` if no headers were added. The key of the build covers the added headers, and thereby this variable.
fn folder_of_headers(added: &[PathBuf]) -> Option<(OsString, OsString)> {
    let is_header = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "h" || ending == "hpp");
    added.iter().any(is_header).then(|| ("CPATH".into(), ".".into()))
}

/// Returns the reason why a program cannot be compiled or run on this machine.
fn unready(missing: &Unready) -> NotJudged {
    let (reason, install) = match missing {
        Unready::MissingTool { tool, places, install } => (format!("{tool} is not installed{places}"), install),
        Unready::MissingPart { tool, missing, install } => {
            (format!("{tool} is installed, but its file {} is missing", missing.display()), install)
        }
    };
    NotJudged { reason, hint: Some(format!("install it with: {install}")) }
}

/// Returns the reason why programs cannot use the tools in the folders `tool_folders`; `None` if they can.
fn out_of_reach(tool_folders: &[PathBuf], settings: &Settings) -> Option<NotJudged> {
    let closed = sandbox::first_inaccessible_folder(tool_folders, settings.sandbox)?;
    let reason =
        format!("the tools of its language are in {}, a folder that the sandbox's user cannot enter", closed.display());
    let hint = "install the tools where every user can read them, or run `referee doctor` to see how to enable private \
                roots";
    Some(NotJudged { reason, hint: Some(hint.to_owned()) })
}

/// Returns the cache keys of the compiled program and of its results; `None` if no keys are needed, or if they cannot
/// be computed.
fn keys(
    language: &Language,
    parts: &TemplateValues<'_>,
    settings: &Settings,
    site: Site<'_>,
) -> Option<(Key, ProgramKey)> {
    if !settings.needs_keys() {
        return None;
    }
    let key = Key::of(language, parts, settings, site)?;
    let of_program = ProgramKey::of_source(&key, language, parts, settings.scope())?;
    Some((key, of_program))
}

/// Copies the program's own files and the package's included files into `folder`. Returns the sources among the
/// program's own files.
fn gather(source: &Source<'_>, language: &Language, folder: &Path) -> Result<Vec<PathBuf>, CopyError> {
    sources::gather(source, folder)?;
    sources::rename(language, &sources_in(folder, source, language), folder)?;
    let own = sources_in(folder, source, language);
    if let Some(package) = source.includes {
        sources::include_all(package, &language.id, folder)?;
    }
    Ok(own)
}

fn sources_in(folder: &Path, source: &Source<'_>, language: &Language) -> Vec<PathBuf> {
    if source.language.is_some() { language.declared_sources(folder) } else { language.sources(folder) }
}

/// Returns the reason why the package does not allow the language; `None` if it does.
fn not_allowed(language: &Language, package: &Package) -> Option<String> {
    let allowed = package.languages.as_ref().filter(|allowed| !allowed.contains(&language.id))?;
    Some(format!("the problem does not allow {}; allowed languages: {}", language.name, allowed.join(", ")))
}

/// The number of further attempts to compile a program while other programs fill the disk.
const ATTEMPTS: usize = 3;

/// The pause before a further attempt. The judge ends a program that fills the disk within milliseconds.
const PAUSE: Duration = Duration::from_millis(100);

impl Compilation<'_> {
    /// Returns the key of the program's results in the cache; `None` if there is no key.
    pub(crate) fn key(&self) -> Option<ProgramKey> {
        self.keys.as_ref().map(|(_, key)| *key)
    }

    /// The folder in which the sources are compiled.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The sources, relative to the folder in which they are compiled.
    pub(crate) fn sources(&self) -> &[PathBuf] {
        &self.sources
    }

    /// Returns a compiler that sees what the program's compiler sees, and that runs this command instead. Only the
    /// judge's own limits apply to the compiled files.
    pub(crate) fn compiler<'s>(&self, command: Vec<OsString>, settings: &'s Settings) -> Compiler<'s> {
        let (variables, readable) = (self.commands.environment.clone(), self.tool_folders.clone());
        Compiler { command, variables, readable, hidden: self.site.hidden(), room: None, settings }
    }

    /// Whether the program consists of sources only.
    pub(crate) fn has_only_sources(&self) -> bool {
        self.source_texts().is_some()
    }

    /// Returns the command that compiles several programs of the language in one process; `None` if the language has no
    /// such command, or if a tool is missing.
    pub(crate) fn command_together(&self) -> Option<Vec<OsString>> {
        self.language.compile_together(&self.parts(self.language.entry_point()))?.ok()
    }

    /// Returns the command that compiles the program as a [metamutant](super::metamutant); `None` if the language has no
    /// such command, or if a tool is missing.
    pub(crate) fn metamutant_command(&self) -> Option<Vec<OsString>> {
        self.language.compile_metamutant(&self.parts(self.language.entry_point()))?.ok()
    }

    /// Makes the program runnable. If its language is compiled, compiles the program or takes it from the cache. Also
    /// returns whether the compiled program or the compile error is that of an earlier run.
    pub(crate) fn make(self) -> Result<(Built, bool), JudgeError> {
        let of_program = self.key();
        if self.commands.compile.is_none() {
            let reported_entry_point =
                self.reported_entry_point(self.entry_point.unwrap_or(self.language.entry_point()));
            let executable =
                executable_in(self.commands, self.tool_folders, self.folder, self.role, self.settings, self.site);
            let executable = executable.with_language(&self.language.id, &reported_entry_point).with_key(of_program);
            return Ok((Built::Ready(executable), false));
        }
        let kept = self.settings.cache.as_deref().zip(self.keys.as_ref());
        let cached = kept.is_some_and(|(cache, (key, _))| cache.restore_to(key, self.folder.path()));
        let is_compiled = cached || self.settings.compiled.move_to(self.path, self.folder.path());
        if is_compiled && let Some(reason) = self.room().and_then(|room| room.lacks_for(self.folder.path())) {
            return Ok((Built::Failed(compile::refused(&reason)), cached));
        }
        if !cached {
            if !is_compiled && let Some((message, is_known)) = self.compile_error()? {
                return Ok((Built::Failed(message), is_known));
            }
            if let Some((cache, (key, _))) = kept {
                cache.store(key, self.folder.path());
            }
        }
        Ok((self.compiled(), cached))
    }

    /// Compiles the program. If it does not compile, returns the compiler's message, and whether it is that of an earlier
    /// run, in which case the compiler does not run. Remembers a message that is certainly about the sources.
    fn compile_error(&self) -> Result<Option<(String, bool)>, JudgeError> {
        let key = self.key().filter(|_| self.role == Role::Submission);
        let error = key.and_then(|key| CompileError::of(&key, self.settings));
        if let Some(known) = error.as_ref().and_then(CompileError::known) {
            return Ok(Some((known, true)));
        }
        let before = self.site.crowding.count();
        let Err(failure) = self.compile()? else { return Ok(None) };
        let is_certain = matches!(&failure, CompileFailure::Error(_, printed) if is_about(&self.sources, printed));
        let message = self.copies.with_original_names(failure.message());
        if let Some(error) = error.filter(|_| is_certain && self.site.crowding.count() == before) {
            error.remember(&message);
        }
        Ok(Some((message, false)))
    }

    /// Makes the program runnable, whose folder contains the compiled files.
    pub(crate) fn compiled(self) -> Built {
        let of_program = self.key();
        let found = match self.entry_point {
            Some(declared) => declared.to_owned(),
            None => match self.language.entry_point_in(self.folder.path(), &self.main) {
                Err(reason) => return Built::Failed(reason),
                Ok(found) => found,
            },
        };
        let reported_entry_point = self.reported_entry_point(&found);
        match self.language.commands(&self.parts(&found)) {
            Err(missing) => Built::Skipped(unready(&missing)),
            Ok(commands) => {
                let executable =
                    executable_in(commands, self.tool_folders, self.folder, self.role, self.settings, self.site);
                let executable = executable.with_language(&self.language.id, &reported_entry_point);
                Built::Ready(executable.with_key(of_program))
            }
        }
    }

    /// Returns the entry point in the form that static validators receive: `entry_point`, or the main file's path
    /// relative to the folder if `entry_point` is empty.
    fn reported_entry_point(&self, entry_point: &str) -> String {
        let main = self.main.strip_prefix(self.folder.path()).unwrap_or(&self.main);
        if entry_point.is_empty() { main.to_string_lossy().into_owned() } else { entry_point.to_owned() }
    }

    /// Compiles the program. If that fails while another program fills the disk, compiles again. The judge ends the
    /// other program soon, so that no program is CE because of another one.
    fn compile_with_space(&self) -> Result<Result<(), CompileFailure>, JudgeError> {
        let site = self.site;
        for _ in 0..ATTEMPTS {
            let before = site.crowding.count();
            let result = with_space(is_full_disk, || self.run_compiler(None))?;
            if matches!(result, Err(CompileFailure::Space(_))) {
                site.crowding.add();
                return Ok(result);
            }
            let was_crowded = || site.crowding.count() != before || !Free::of(site.workspace).has_room(site.room);
            if result.is_ok() || self.role != Role::Submission || !was_crowded() {
                return Ok(result);
            }
            thread::sleep(PAUSE);
        }
        self.run_compiler(None)
    }

    fn run_compiler(&self, prepared: Option<&Prepared>) -> Result<Result<(), CompileFailure>, JudgeError> {
        let with_prepared = prepared.and_then(|prepared| self.command_with(prepared));
        let Some(command) = with_prepared.or_else(|| self.commands.compile.clone()) else { return Ok(Ok(())) };
        let mut compiler = Compiler { room: self.room(), ..self.compiler(command, self.settings) };
        compiler.readable.extend(prepared.map(|prepared| prepared.folder().to_path_buf()));
        compile::compile(compiler, self.folder.path())
    }

    /// Returns the texts of the sources; `None` if the program has other files, too. Another file could be a header,
    /// and is then a part of the program whose first token is unknown.
    fn source_texts(&self) -> Option<Vec<Vec<u8>>> {
        let files = WalkDir::new(self.folder.path())
            .into_iter()
            .filter(|entry| entry.as_ref().map_or(true, |entry| !entry.file_type().is_dir()));
        let texts = files.map(|entry| {
            let path = entry.ok()?.into_path();
            let below = path.strip_prefix(self.folder.path()).ok()?;
            self.sources.iter().any(|source| source == below).then(|| fs::read(&path).ok()).flatten()
        });
        texts.collect()
    }

    /// Returns the space that the files of a submission may take; `None` for programs with [`Role::Jury`].
    fn room(&self) -> Option<Room> {
        (self.role == Role::Submission).then_some(self.site.room)
    }

    fn parts<'p>(&'p self, entry_point: &'p str) -> TemplateValues<'p> {
        TemplateValues {
            sources: &self.sources,
            main: &self.main,
            entry_point,
            folder: self.folder.path(),
            memory_mib: self.role.memory_bytes(self.settings) >> 20,
            prepared: None,
        }
    }
}
