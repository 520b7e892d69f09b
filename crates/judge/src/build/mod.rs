//! Builds programs: detects the language of each, compiles it if necessary, and makes it runnable.

mod archive;
mod awkward_names;
pub(crate) mod compilation;
pub(crate) mod compile;
pub(crate) mod executable;
mod header_plugin;
mod headers;
pub(crate) mod metamutant;
mod normalize_modes;
mod own_source;
mod preparer;
pub(crate) mod product_digest;
pub(crate) mod run_folder;
pub(crate) mod script;
pub(crate) mod sources;
pub(crate) mod together;
pub(crate) mod workdir;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::build::executable::{Executable, environment, folder_in};
use crate::cache::results::ProgramKey;
use crate::toolchain;
use crate::workspace::folder::Folder;
use crate::workspace::room::{is_full, with_space};
use crate::workspace::site::Site;
use crate::{JudgeError, Settings, Substitutes};
use compilation::Compilation;
use referee_event::{NotJudged, ToolFound};
use referee_files::regular;
use referee_language::{BINARY, Commands, Detected, Language, Table};
use referee_package::links::Boundary;
use referee_package::{Constants, Package};
use referee_sandbox::{Identity, MAX_PROCESSES, Program};
use referee_text::printable::printable;

/// A program to build.
pub(crate) struct Source<'a> {
    pub(crate) path: &'a Path,
    pub(crate) language: Option<&'a str>,
    pub(crate) entry_point: Option<&'a str>,
    /// Maximum total size of the sources, in bytes; `None` if the package sets no limit.
    pub(crate) code_bytes: Option<u64>,
    /// The name of the folder in which the program is built and from which it runs; `None` if the name is random. The
    /// name has no `/`.
    pub(crate) folder_name: Option<&'a OsStr>,
    /// Whether the program is a submission or belongs to the package.
    pub(crate) role: Role,
    /// Symbolic links in the program may lead only into these folders. `None` if the program is outside of any package:
    /// then no link is followed.
    pub(crate) boundary: Option<&'a Boundary>,
    /// The values that replace `{{name}}` in the sources; `None` if the sources are used unchanged. The sources of the
    /// user's submissions are always used unchanged.
    pub(crate) constants: Option<&'a Constants>,
    /// Files that are copied beside the program's own files. A file in the package must not be a link out of the
    /// package. A file outside of the package may be a link, because it comes from the user.
    pub(crate) added: &'a [PathBuf],
    /// The package whose list of allowed languages applies, and whose included files replace the program's files of the
    /// same names. `None` for programs of the package that are not submissions.
    pub(crate) includes: Option<&'a Package>,
}

impl<'a> Source<'a> {
    /// Returns the sources of a validator or grader of the package. The build copies the files `added` beside the
    /// program's own files.
    pub(crate) fn of_package(path: &'a Path, package: &'a Package, added: &'a [PathBuf]) -> Source<'a> {
        Source {
            path,
            language: None,
            entry_point: None,
            code_bytes: None,
            folder_name: None,
            role: Role::Jury,
            boundary: Some(&package.boundary),
            constants: Some(&package.constants),
            added,
            includes: None,
        }
    }
}

/// The role of a program, which decides what it can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A program that is judged. It cannot see the package.
    Submission,
    /// A program of the package, such as a validator. It can read the package.
    Jury,
}

impl Role {
    /// The memory limit of the program, in bytes.
    pub(crate) fn memory_bytes(self, settings: &Settings) -> u64 {
        match self {
            Role::Submission => settings.limits.memory_bytes,
            Role::Jury => settings.limits.validation_memory_bytes,
        }
    }
}

/// The result of building a program.
pub(crate) struct Build<Program = Executable> {
    pub(crate) language: String,
    pub(crate) seconds: f64,
    /// Whether the compiled program or the compile error came from the cache.
    pub(crate) cached: bool,
    /// The compilers and interpreters of the language, with their versions; empty if no cache key is needed.
    pub(crate) tools: Vec<ToolFound>,
    /// Whether the program runs with its language or with the language's substitute, and why. `None` if the language
    /// has no substitute, or if the settings do not use substitutes for this program.
    pub(crate) remark: Option<String>,
    pub(crate) result: Built<Program>,
}

impl Build<()> {
    /// Returns the result for a program that is skipped for the given reason.
    pub(crate) fn skipped(reason: NotJudged) -> Self {
        let language = "unknown".to_owned();
        let result = Built::Skipped(reason);
        Build { language, seconds: 0.0, cached: false, tools: Vec::new(), remark: None, result }
    }
}

pub(crate) enum Built<Program = Executable> {
    /// The program can be run.
    Ready(Program),
    /// The program does not compile. Contains the compiler's message.
    Failed(String),
    /// The program breaks a rule of the package or of the judge, so it is not compiled. Contains the rule. The verdict
    /// is the same as for a program that does not compile.
    Refused(String),
    /// This machine cannot build the program.
    Skipped(NotJudged),
    /// The judge failed while it built the program. Contains the error.
    Broken(String),
}

/// Maximum size of a program that is given as an executable, in bytes.
const LARGEST_EXECUTABLE_BYTES: u64 = 1 << 30;

pub(crate) fn build(source: &Source<'_>, settings: &Settings, site: Site<'_>) -> Result<Build, JudgeError> {
    plan(source, settings, site)?.make()
}

/// A build before the compiler is run. The language and the sources of the program are known.
pub(crate) struct BuildPlan<'a> {
    started: Instant,
    language: String,
    tools: Vec<ToolFound>,
    remark: Option<String>,
    step: Result<Step<'a>, JudgeError>,
}

/// The remaining step of a build: none, or compiling.
pub(crate) enum Step<'a> {
    Nothing(Built),
    Compile(Compilation<'a>),
}

/// Detects the language of a program, and gathers its sources in a new folder. A program with a file `build` or `run`
/// is built at once. An executable is only copied.
pub(crate) fn plan<'a>(
    source: &Source<'a>,
    settings: &'a Settings,
    site: Site<'a>,
) -> Result<BuildPlan<'a>, JudgeError> {
    let started = Instant::now();
    let (mut tools, mut remark) = (Vec::new(), None);
    let (language, step) = if let Some(reason) = link_from_outside(source, site) {
        ("unknown".to_owned(), Ok(Step::Nothing(Built::Skipped(reason.into()))))
    } else if let Some(refused) = link_out_of_the_package(source, site) {
        ("unknown".to_owned(), Ok(Step::Nothing(Built::Refused(refused))))
    } else if source.role == Role::Jury && script::has_scripts(source.path) {
        (
            "scripts".to_owned(),
            with_space(is_full_disk, || script::from_scripts(source, settings, site)).map(Step::Nothing),
        )
    } else {
        match settings.languages.detect(source.path, source.language, settings.shebangs) {
            Detected::Unknown => {
                let reason = if is_gone(source.path) {
                    GONE.to_owned()
                } else {
                    unknown_language_message(source, &settings.languages)
                };
                ("unknown".to_owned(), Ok(Step::Nothing(Built::Skipped(reason.into()))))
            }
            Detected::Executable => (
                "executable".to_owned(),
                with_space(is_full_disk, || executable(source, settings, site)).map(Step::Nothing),
            ),
            Detected::Source(detected) => {
                let language = with_substitute(detected, source.role, settings, &mut remark);
                if settings.needs_keys() {
                    tools.extend(language.tools().iter().filter_map(|tool| toolchain::found(tool)));
                }
                if source.role == Role::Submission {
                    add_to(&mut remark, &language.remarks());
                }
                (
                    language.name.clone(),
                    with_space(is_full_disk, || compilation::plan(source, language, settings, site)),
                )
            }
        }
    };
    match step {
        Err(JudgeError::Interrupted) => Err(JudgeError::Interrupted),
        step => Ok(BuildPlan { started, language, tools, remark, step }),
    }
}

/// Whether the judge failed because the disk is full.
pub(crate) fn is_full_disk(error: &JudgeError) -> bool {
    matches!(error, JudgeError::System { source, .. } if is_full(source))
}

/// Returns the language whose commands build and run a program in the language `detected`. That is the substitute of
/// `detected`, if the settings ask for it and its tools are installed, and otherwise `detected` itself. If the settings
/// ask for a substitute and the language has one, writes into `remark` which of the two languages is used.
fn with_substitute<'a>(
    detected: &'a Language,
    role: Role,
    settings: &Settings,
    remark: &mut Option<String>,
) -> &'a Language {
    let applies = match settings.substitutes {
        Substitutes::Never => false,
        Substitutes::OfSubmissions => role == Role::Submission,
        Substitutes::Always => true,
    };
    let Some(substitute) = detected.substitute().filter(|_| applies) else { return detected };
    let Some(missing) = substitute.unready() else {
        *remark = Some(format!("run with {}, as on Kattis and DOMjudge", substitute.name));
        return substitute;
    };
    *remark = Some(format!(
        "run with {}, but Kattis and DOMjudge use {}, so verdicts near the time limit may differ; {missing}",
        detected.name, substitute.name
    ));
    detected
}

/// Adds the remarks of a language to the remark on a build.
fn add_to(remark: &mut Option<String>, others: &[&str]) {
    let all = remark.take().into_iter().chain(others.iter().map(|other| (*other).to_owned()));
    *remark = Some(all.collect::<Vec<_>>().join("; ")).filter(|joined| !joined.is_empty());
}

impl BuildPlan<'_> {
    /// Returns the key of the program's results; `None` if the program cannot be run, or if it has no key.
    pub(crate) fn key(&self) -> Option<ProgramKey> {
        match self.step.as_ref().ok()? {
            Step::Nothing(Built::Ready(program)) => program.key(),
            Step::Nothing(_) => None,
            Step::Compile(compilation) => compilation.key(),
        }
    }

    /// The folder with the gathered sources; `None` if no step remains, for example for an executable or for a program
    /// that is skipped.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match self.step.as_ref().ok()? {
            Step::Nothing(_) => None,
            Step::Compile(compilation) => Some(compilation.folder()),
        }
    }

    /// Builds the program.
    pub(crate) fn make(self) -> Result<Build, JudgeError> {
        let made = self.step.and_then(|step| match step {
            Step::Nothing(built) => Ok((built, false)),
            Step::Compile(compilation) => compilation.make(),
        });
        let (result, cached) = match made {
            Err(JudgeError::Interrupted) => return Err(JudgeError::Interrupted),
            // The judge continues with the other programs.
            Err(error) => (Built::Broken(error.to_string()), false),
            Ok(made) => made,
        };
        let seconds = self.started.elapsed().as_secs_f64();
        Ok(Build { language: self.language, seconds, cached, tools: self.tools, remark: self.remark, result })
    }

    /// Returns the result for a program that need not be built, because all its results are cached.
    pub(crate) fn without_building(self) -> Build<()> {
        let seconds = self.started.elapsed().as_secs_f64();
        let BuildPlan { language, tools, remark, .. } = self;
        Build { language, seconds, cached: true, tools, remark, result: Built::Ready(()) }
    }
}

/// The reason for skipping a program whose file was removed during the run.
pub(crate) const GONE: &str = "its file was removed during the run";

pub(crate) fn is_gone(path: &Path) -> bool {
    path.metadata().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
}

/// Returns the reason for skipping a submission if it is outside of the package and its path is a symbolic link;
/// otherwise `None`. Such a link could lead to any file that the judge may read, or to another student's program. Links
/// inside a package are allowed, because the package's author chooses where they lead.
fn link_from_outside(source: &Source<'_>, site: Site<'_>) -> Option<String> {
    let is_own = source.role == Role::Jury || source.path.starts_with(site.package());
    let target = (!is_own).then(|| source.path.read_link().ok()).flatten()?;
    Some(format!(
        "it is a symbolic link to {}; give the target instead of the link",
        printable(target.as_os_str().as_encoded_bytes())
    ))
}

/// Returns the reason for refusing a program in the package. The program is refused if its path cannot be resolved, or
/// leads out of the package's [`Boundary`] through a link; otherwise returns `None`. The judge neither detects the
/// language of a refused program nor copies it.
fn link_out_of_the_package(source: &Source<'_>, site: Site<'_>) -> Option<String> {
    let is_own = source.path.starts_with(site.package());
    is_own.then(|| site.boundary.resolve(source.path).err()).flatten().map(|refused| refused.to_string())
}

fn unknown_language_message(source: &Source<'_>, languages: &Table) -> String {
    match source.language {
        Some(id) => format!("its declared language {id:?} is unknown; known languages: {}", languages.ids()),
        None => {
            "it is neither a source of a known language nor an executable; run `referee doctor` to list the languages"
                .to_owned()
        }
    }
}

fn executable(source: &Source<'_>, settings: &Settings, site: Site<'_>) -> Result<Built, JudgeError> {
    if let Some(allowed) = source.includes.and_then(|package| package.languages.as_ref()) {
        let allowed = allowed.join(", ");
        return Ok(Built::Refused(format!("the problem does not allow executables; allowed languages: {allowed}")));
    }
    match regular::open(source.path).and_then(|file| file.metadata()) {
        Err(error) => {
            return Ok(Built::Skipped(NotJudged {
                reason: format!("the judge cannot read the executable: {error}"),
                hint: Some("make the file readable, because the judge runs a copy".to_owned()),
            }));
        }
        Ok(found) if found.len() > LARGEST_EXECUTABLE_BYTES => {
            return Ok(Built::Refused(format!(
                "the executable has more than the {LARGEST_EXECUTABLE_BYTES} bytes allowed"
            )));
        }
        Ok(found) => {
            let lacks = site.room.lacks_for_executable(found.len());
            if let Some(reason) = lacks.filter(|_| source.role == Role::Submission) {
                return Ok(Built::Refused(reason));
            }
        }
    }
    let folder = folder(source, site)?;
    let copy = folder.path().join(BINARY);
    fs::copy(source.path, &copy)
        .and_then(|_| fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)))
        .map_err(|source| JudgeError::System { doing: "copying the executable", source })?;
    let commands =
        Commands { compile: None, run: vec![copy.into_os_string()], environment: Vec::new(), warm_until: None };
    let key = settings.needs_keys().then(|| ProgramKey::of_executable(folder.path())).flatten();
    let executable = executable_in(commands, Vec::new(), folder, source.role, settings, site);
    Ok(Built::Ready(executable.with_language("executable", BINARY).with_key(key)))
}

/// Makes a folder for the program. The folder has the name [`Source::folder_name`] if that is given.
pub(crate) fn folder(source: &Source<'_>, site: Site<'_>) -> Result<Folder, JudgeError> {
    let made = folder_in(site.workspace).and_then(|folder| match source.folder_name {
        Some(name) => folder.below(name, 0o755),
        None => Ok(folder),
    });
    made.map_err(|source| JudgeError::System { doing: "making a folder for a program", source })
}

/// Returns the executable that was built in `folder`. `role` decides which folders the program can read.
pub(crate) fn executable_in(
    commands: Commands,
    tool_folders: Vec<PathBuf>,
    folder: Folder,
    role: Role,
    settings: &Settings,
    site: Site<'_>,
) -> Executable {
    let mut readable = tool_folders;
    readable.push(folder.path().to_path_buf());
    let (hidden, identity) = match role {
        Role::Submission => (site.hidden(), Identity::Nobody),
        Role::Jury => {
            readable.extend(site.hidden());
            (Vec::new(), Identity::OwnerOf(site.package().to_path_buf()))
        }
    };
    let may_be_warm = settings.warm && role == Role::Submission;
    let program = Program {
        command: commands.run,
        directory: folder.path().to_path_buf(),
        environment: [environment(folder.path()), commands.environment].concat(),
        readable,
        hidden,
        scratch: None,
        identity,
        warm_until: commands.warm_until.filter(|_| may_be_warm),
        processes: if role == Role::Submission { settings.processes } else { MAX_PROCESSES },
        keeps_cores: settings.keeps_cores,
    };
    Executable::new(program, settings.sandbox, folder)
}
