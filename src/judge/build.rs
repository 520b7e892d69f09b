//! From sources to something that runs: copy, compile, remember the command.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::compile::{self, Compiler};
use super::copy::CopyError;
use super::folder::Folder;
use super::products;
use super::ready::{Ready, Site, environment, folder_in};
use super::{JudgeError, Settings, script, sources};
use crate::language::{Commands, Detected, Language, Parts, Table};
use crate::package::{Constants, Package};
use crate::sandbox::{self, Identity, Program};

/// What is to be built.
pub(super) struct Source<'a> {
    pub(super) path: &'a Path,
    pub(super) language: Option<&'a str>,
    pub(super) entry_point: Option<&'a str>,
    /// The largest total size of the sources, where that is limited.
    pub(super) code_bytes: Option<u64>,
    /// Whose program it is.
    pub(super) role: Role,
    /// The folder of the package that it is a part of, if it is.
    pub(super) package: Option<&'a Path>,
    /// What `{{name}}` stands for in it, where that is replaced: in the package's own programs.
    pub(super) constants: Option<&'a Constants>,
    /// Files to put beside its own.
    pub(super) added: &'a [PathBuf],
    /// The package whose included files it gets, and whose languages it may be written in.
    pub(super) includes: Option<&'a Package>,
}

/// Whose a program is, and so what it may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It must not see the package.
    Submission,
    /// It is part of the package, and reads it.
    Jury,
}

impl Role {
    /// The memory that it may use.
    fn memory_bytes(self, settings: &Settings) -> u64 {
        match self {
            Role::Submission => settings.limits.memory_bytes,
            Role::Jury => settings.limits.validation_memory_bytes,
        }
    }
}

/// What came of it.
pub(super) struct Build<Program = Ready> {
    pub(super) language: String,
    pub(super) seconds: f64,
    /// Whether it was compiled by an earlier run.
    pub(super) cached: bool,
    pub(super) result: Built<Program>,
}

pub(super) enum Built<Program = Ready> {
    /// It can be run.
    Ready(Program),
    /// It does not compile; the compiler's words.
    Failed(String),
    /// This machine cannot build it; why, and what to do.
    Skipped(String),
    /// The judge failed in building it.
    Broken(String),
}

/// The largest executable that is taken as it is.
const LARGEST_EXECUTABLE_BYTES: u64 = 1 << 30;

pub(super) fn build(source: &Source<'_>, settings: &Settings, site: Site<'_>) -> Result<Build, JudgeError> {
    let started = Instant::now();
    if source.role == Role::Jury && script::has_scripts(source.path) {
        return built("scripts".to_owned(), script::from_scripts(source, settings, site), started);
    }
    let (language, result) = match settings.languages.detect(source.path, source.language, settings.shebangs) {
        Detected::Unknown => ("unknown".to_owned(), Ok(Built::Skipped(unknown(source, &settings.languages)))),
        Detected::Executable => ("executable".to_owned(), executable(source, settings, site)),
        Detected::Source(language) => (language.name.clone(), from_source(source, language, settings, site)),
    };
    built(language, result, started)
}

fn built(language: String, result: Result<Built, JudgeError>, started: Instant) -> Result<Build, JudgeError> {
    let result = match result {
        Err(JudgeError::Interrupted) => return Err(JudgeError::Interrupted),
        // One program that cannot be built is no reason not to judge the others.
        Err(error) => Built::Broken(error.to_string()),
        Ok(built) => built,
    };
    let cached = matches!(&result, Built::Ready(program) if program.is_cached());
    Ok(Build { language, seconds: started.elapsed().as_secs_f64(), cached, result })
}

fn unknown(source: &Source<'_>, languages: &Table) -> String {
    match source.language {
        Some(id) => format!("its declared language {id:?} is not known here; known: {}", languages.ids()),
        None => {
            "neither sources of a known language nor an executable; `referee doctor` lists the languages".to_owned()
        }
    }
}

fn executable(source: &Source<'_>, settings: &Settings, site: Site<'_>) -> Result<Built, JudgeError> {
    if let Some(allowed) = source.includes.and_then(|package| package.languages.as_ref()) {
        let allowed = allowed.join(", ");
        return Ok(Built::Failed(format!("executables are not among the languages this problem allows: {allowed}")));
    }
    match fs::File::open(source.path).and_then(|file| file.metadata()) {
        Err(error) => return Ok(Built::Skipped(format!("it cannot be read: {error}; a copy of it is what is run"))),
        Ok(found) if found.len() > LARGEST_EXECUTABLE_BYTES => {
            return Ok(Built::Failed(format!("it has more than the {LARGEST_EXECUTABLE_BYTES} bytes allowed")));
        }
        Ok(_) => {}
    }
    let folder = folder(site)?;
    let copy = folder.path().join("program.out");
    fs::copy(source.path, &copy)
        .and_then(|_| fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)))
        .map_err(|source| JudgeError::System { doing: "copying the executable", source })?;
    let commands = Commands { compile: None, run: vec![copy.into_os_string()], environment: Vec::new() };
    let ready = ready(commands, Vec::new(), folder, source.role, settings, site);
    Ok(Built::Ready(ready.with_name("executable", "program.out")))
}

fn from_source(
    source: &Source<'_>,
    language: &Language,
    settings: &Settings,
    site: Site<'_>,
) -> Result<Built, JudgeError> {
    if let Some(refused) = source.includes.and_then(|package| not_allowed(language, package)) {
        return Ok(Built::Failed(refused));
    }
    let folder = folder(site)?;
    let sources = |folder: &Path| match source.language {
        Some(_) => language.declared_sources(folder),
        None => language.sources(folder),
    };
    let gathered = sources::gather(source, folder.path()).and_then(|()| {
        let own = sources(folder.path());
        if let Some(package) = source.includes {
            sources::include_all(package, &language.id, folder.path())?;
        }
        Ok(own)
    });
    let own = match gathered {
        Ok(own) => own,
        Err(CopyError::Unfit(reason)) => return Ok(Built::Failed(reason)),
        Err(CopyError::System(source)) => return Err(JudgeError::System { doing: "copying the sources", source }),
    };
    if source.entry_point.is_some_and(|name| name.starts_with(['-', '@'])) {
        return Ok(Built::Failed("its declared entry point begins with - or @, which is an option".to_owned()));
    }
    let sources = sources(folder.path());
    let main = match language.main_of(&sources, &own, source.entry_point) {
        Err(reason) => return Ok(Built::Failed(reason)),
        Ok(main) => main,
    };
    let parts = Parts {
        sources: &sources,
        main,
        entry_point: source.entry_point.unwrap_or(language.entry_point()),
        folder: folder.path(),
        memory_mib: source.role.memory_bytes(settings) >> 20,
    };
    let commands = match language.commands(&parts) {
        Err(missing) => return Ok(Built::Skipped(missing.to_string())),
        Ok(commands) => commands,
    };
    let homes = language.tool_folders();
    if let Some(closed) = sandbox::closed_to_programs(&homes, settings.sandbox) {
        return Ok(Built::Skipped(format!(
            "its tools are in {}, where the user that programs run as cannot go; `referee doctor` says how to get a \
             private root, or install them for everybody",
            closed.display()
        )));
    }
    // A file is an entry point as it is called in the folder.
    let main_name = main.strip_prefix(folder.path()).unwrap_or(main).to_string_lossy().into_owned();
    let starts_at = |name: &str| if name.is_empty() { main_name.clone() } else { name.to_owned() };
    let Some(command) = commands.compile.clone() else {
        let starts_at = starts_at(parts.entry_point);
        let ready = ready(commands, homes, folder, source.role, settings, site);
        return Ok(Built::Ready(ready.with_name(&language.id, &starts_at)));
    };
    let slot = products::slot(language, &parts, settings, site);
    let cached = slot.as_ref().is_some_and(|slot| slot.restore(folder.path()));
    if !cached {
        let (variables, readable) = (commands.environment, homes.clone());
        let compiler = Compiler { command, variables, readable, hidden: site.hidden(), settings };
        if let Err(message) = compile::compile(compiler, folder.path())? {
            return Ok(Built::Failed(message));
        }
        if let Some(slot) = slot {
            slot.keep(folder.path());
        }
    }
    let found = language.entry_point_in(folder.path(), main);
    let entry_point = source.entry_point.unwrap_or(&found);
    match language.commands(&Parts { entry_point, ..parts }) {
        Err(missing) => Ok(Built::Skipped(missing.to_string())),
        Ok(commands) => {
            let ready = ready(commands, homes, folder, source.role, settings, site);
            Ok(Built::Ready(ready.with_name(&language.id, &starts_at(entry_point)).with_cached(cached)))
        }
    }
}

/// Why the problem may not be solved in the language, if so.
fn not_allowed(language: &Language, package: &Package) -> Option<String> {
    let allowed = package.languages.as_ref().filter(|allowed| !allowed.contains(&language.id))?;
    Some(format!("{} is not among the languages this problem allows: {}", language.name, allowed.join(", ")))
}

pub(super) fn folder(site: Site<'_>) -> Result<Folder, JudgeError> {
    folder_in(site.workspace).map_err(|source| JudgeError::System { doing: "making a folder for a program", source })
}

/// What came of building in `folder`, with what it may see.
pub(super) fn ready(
    commands: Commands,
    homes: Vec<PathBuf>,
    folder: Folder,
    role: Role,
    settings: &Settings,
    site: Site<'_>,
) -> Ready {
    let mut readable = homes;
    readable.push(folder.path().to_path_buf());
    let (hidden, identity) = match role {
        Role::Submission => (site.hidden(), Identity::Nobody),
        Role::Jury => {
            readable.extend(site.hidden());
            (Vec::new(), Identity::OwnerOf(site.package()))
        }
    };
    let program = Program {
        command: commands.run,
        directory: folder.path().to_path_buf(),
        environment: [environment(folder.path()), commands.environment].concat(),
        readable,
        hidden,
        scratch: None,
        identity,
    };
    Ready::new(program, settings.sandbox, folder)
}
