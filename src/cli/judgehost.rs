//! `referee judgehost`: judges the submissions of a DOMjudge server.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::choices::sandbox_mode;
use super::judgehost_connection::ConnectionArguments;
use super::judging::{check_sandbox, open_cache};
use super::languages::LanguageArguments;
use super::numbers::whole_number_in;
use super::{Exit, Failure, destination, eprint_line, open_files, process_limits, secrets, warn};
use referee_files::trusted;
use referee_judge::Settings;
use referee_judgehost::{
    Api, CoreSlot, JudgingOptions, Options, Progress, SlotError, Stops, Toolchain, WorkError, work,
};
use referee_language::CommandsOf;
use referee_package::Limits;
use referee_sandbox::{Mode, interrupt};

/// Judge the submissions of a DOMjudge server instead of DOMjudge's own judgehosts
///
/// Asks the server for work until it gets SIGTERM or Ctrl-C. It then finishes its work and ends; a second signal ends it
/// at once. A journal on disk keeps unfinished work, and the next start finishes it. docs/judgehost.md describes the
/// differences from DOMjudge's judgehosts.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  referee judgehost
  referee judgehost --secret restapi.secret --core 2
  referee judgehost --url https://contest.example/domjudge --ca our-ca.pem
  referee judgehost --toolchain server --json /var/log/judgehost.jsonl")]
pub(super) struct Arguments {
    #[command(flatten)]
    connection: ConnectionArguments,

    /// The judgehost's name on the server [default: the name of the machine and the core, such as judge1-2]
    #[arg(long, value_parser = name, value_name = "NAME")]
    name: Option<String>,

    /// The core on which programs run [default: the first one that no other judgehost has]
    #[arg(long, value_name = "N", value_parser = whole_number_in(0..=1023_usize), allow_negative_numbers = true)]
    core: Option<usize>,

    /// Keep the journal and the cache in DIR; all judgehosts of a machine share it
    ///
    /// The default is systemd's STATE_DIRECTORY, and otherwise referee/judgehost in XDG_STATE_HOME or ~/.local/state.
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,

    /// Whose commands compile submissions and compare outputs
    #[arg(long, value_name = "WHOSE", default_value = "own")]
    toolchain: Whose,

    /// Report memory-limit instead of run-error if a program exceeds the memory limit
    #[arg(long)]
    memory_limit_verdict: bool,

    /// End as soon as the server has no work
    #[arg(long)]
    until_idle: bool,

    /// How strictly to isolate programs
    #[arg(long, value_parser = sandbox_mode(), value_name = "MODE", default_value = "auto")]
    sandbox: Mode,

    #[command(flatten)]
    languages: LanguageArguments,

    /// Write each event as a JSON line to FILE (- is standard output)
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    json: Option<PathBuf>,

    /// Print only failures
    #[arg(short, long, help_heading = "Reports")]
    quiet: bool,
}

/// The value of `--toolchain`.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Whose {
    /// Our own languages and comparison instead of DOMjudge's default scripts; other scripts run as they are
    Own,
    /// The server's compile and compare scripts, as DOMjudge's judgehosts do
    Server,
}

/// Parses the name of a judgehost.
fn name(text: &str) -> Result<String, String> {
    let is_legal = |letter: char| letter.is_ascii_alphanumeric() || "_.-".contains(letter);
    if text.is_empty() || text.len() > 64 || text.starts_with('.') || !text.chars().all(is_legal) {
        return Err("allowed: 1 to 64 letters, digits, `_`, `.` and `-`, not beginning with `.`".to_owned());
    }
    Ok(text.to_owned())
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    interrupt::finish_work_first();
    let client = arguments.connection.client()?;
    let state = state_folder(arguments.state.as_deref())?;
    let slot = CoreSlot::take(&state, arguments.core).map_err(|error| without_core(&error))?;
    check_sandbox(arguments.sandbox)?;
    check_credentials_are_hidden(arguments.sandbox)?;
    let name = arguments.name.clone().map_or_else(|| default_name(slot.core()), Ok)?;
    let folder = own_folder(&state.join(&name))?;
    let settings = settings(arguments)?;
    let log = Log::open(arguments)?;
    let report = |event| log.write(&event);
    let stops = Stops { is_asked: &interrupt::is_asked, is_now: &interrupt::happened };
    let api = Api::new(client, &name, stops, &report);
    let options = Options {
        folder: &folder,
        settings: &settings,
        toolchain: match arguments.toolchain {
            Whose::Own => Toolchain::Own,
            Whose::Server => Toolchain::Server,
        },
        default_scripts: arguments.connection.default_scripts(),
        judging: JudgingOptions { memory_limit_verdict: arguments.memory_limit_verdict },
        ends_when_idle: arguments.until_idle,
    };
    work(&api, &options).map(|()| Exit::AsExpected).map_err(|error| failure(error, &arguments.connection))
}

/// Fails if programs could read the credentials, unless the user has switched the sandbox off; then warns.
fn check_credentials_are_hidden(mode: Mode) -> Result<(), Failure> {
    match secrets::exposure_of_files(mode) {
        None => Ok(()),
        Some(_) if mode == Mode::Off => {
            warn("with --sandbox off, every submission can read the password of this judgehost");
            Ok(())
        }
        Some((why, remedy)) => {
            let remedy = remedy.map(|remedy| format!("{remedy}\n")).unwrap_or_default();
            Err(Failure::unusable(format!("submissions could read the password of this judgehost: {why}"))
                .with_hint(format!("{remedy}if you trust every submission, use --sandbox off")))
        }
    }
}

fn failure(error: WorkError, connection: &ConnectionArguments) -> Failure {
    match error {
        WorkError::Interrupted => Failure::interrupted().with_note("the journal keeps the unfinished work"),
        WorkError::Unauthorized => {
            Failure::unusable(error).with_hint(format!("check the user and the password in {}", connection.origin()))
        }
        WorkError::NotRegistered(_) => Failure::unusable(error).with_hint("check the URL of the server"),
        WorkError::OtherServer { .. } => Failure::unusable(error).with_hint(
            "start the judgehost for that server, which finishes the work; or move the journal away, and rejudge the \
             submissions that wait there",
        ),
        WorkError::Journal(_) => Failure::unusable(error),
        WorkError::Files(_) => Failure::judge(error),
    }
}

fn without_core(error: &SlotError) -> Failure {
    let failure = Failure::unusable(error);
    match error {
        SlotError::System(_) => failure,
        _ => failure.with_hint("start at most one judgehost for each core; --core chooses one"),
    }
}

/// Returns the settings that are the same for all problems.
fn settings(arguments: &Arguments) -> Result<Settings, Failure> {
    open_files::allow_for(1)?;
    process_limits::allow_for(1)?;
    let languages = Arc::new(arguments.languages.load_like(Some(CommandsOf::Domjudge))?);
    Ok(Settings {
        sandbox: arguments.sandbox,
        cache: open_cache(false, false, None),
        build: Some(env!("REFEREE_BUILD")),
        keeps_cores: true,
        ..Settings::new(Duration::from_secs(1), Limits::default(), languages)
    })
}

/// Returns the folder of the journals and caches of all judgehosts of this machine. Makes it if it does not exist.
pub(super) fn state_folder(given: Option<&Path>) -> Result<PathBuf, Failure> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let default = || {
        let state = absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")));
        Some(state?.join("referee/judgehost"))
    };
    let chosen = given.map(Path::to_path_buf).or_else(|| absolute("STATE_DIRECTORY")).or_else(default);
    let chosen = chosen.ok_or_else(|| {
        Failure::unusable("no folder for the journal: none of STATE_DIRECTORY, XDG_STATE_HOME and HOME is set")
            .with_hint("name a folder with --state")
    })?;
    own_folder(&std::path::absolute(&chosen)?)
}

/// Makes a folder that no other user can change, unless it exists.
fn own_folder(folder: &Path) -> Result<PathBuf, Failure> {
    trusted::own_folder(folder)
        .map_err(|error| Failure::unusable(error).with_hint("choose a folder that only you can change with --state"))
}

fn default_name(core: usize) -> Result<String, Failure> {
    let machine = rustix::system::uname();
    let machine = machine.nodename().to_string_lossy();
    name(&format!("{machine}-{core}")).map_err(|_| {
        Failure::unusable(format!("{machine:?} cannot be a part of a judgehost's name")).with_hint("give --name")
    })
}

/// Where the events go.
struct Log {
    json: Option<Mutex<Box<dyn Write + Send>>>,
    /// Whether the user has been warned of a lost event.
    warned: Once,
    is_quiet: bool,
}

impl Log {
    fn open(arguments: &Arguments) -> Result<Log, Failure> {
        let open = |path: &PathBuf| -> Result<Box<dyn Write + Send>, Failure> {
            if destination::is_stdout(path) {
                return Ok(Box::new(io::stdout()));
            }
            let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
            Ok(Box::new(file.map_err(|error| Failure::unusable(format!("--json {}: {error}", path.display())))?))
        };
        let json = arguments.json.as_ref().map(open).transpose()?.map(Mutex::new);
        Ok(Log { json, warned: Once::new(), is_quiet: arguments.quiet })
    }

    /// Writes an event. An error only leads to a warning, because the judgehost must not end when a log is full.
    fn write(&self, event: &Progress) {
        if let Some(json) = &self.json
            && let Ok(mut line) = serde_json::to_vec(event)
        {
            line.push(b'\n');
            let mut json = json.lock().unwrap_or_else(PoisonError::into_inner);
            if let Err(error) = json.write_all(&line).and_then(|()| json.flush()) {
                self.warned.call_once(|| warn(&format!("--json: an event is lost: {error}; later ones may be, too")));
            }
        }
        if !self.is_quiet || is_failure(event) {
            eprint_line(line_of(event));
        }
    }
}

fn is_failure(event: &Progress) -> bool {
    matches!(
        event,
        Progress::Retried { .. }
            | Progress::AssumedStored { .. }
            | Progress::InternalError { .. }
            | Progress::Dropped { .. }
    )
}

/// Returns a line for people.
fn line_of(event: &Progress) -> String {
    match event {
        Progress::Registered { server, name } => format!("{name} is registered at {server}"),
        Progress::Recovered { tasks } => format!("finishing {tasks} tasks of an earlier run, from the journal"),
        Progress::ScriptChosen { kind, id, hash, replaced } => {
            let words = if *replaced { "is DOMjudge's own, and is replaced" } else { "runs as it is" };
            format!("{kind} script {id} ({hash}) {words}")
        }
        Progress::JobStarted { submission, tasks } => format!("submission {submission}: {tasks} test cases"),
        Progress::Compiled { submission, success, seconds } => {
            let words = if *success { "compiled" } else { "does not compile" };
            format!("submission {submission}: {words} ({seconds:.1} s)")
        }
        Progress::CaseJudged { submission, testcase, verdict, cpu_seconds, memory_bytes, .. } => {
            let seconds = cpu_seconds.map(|seconds| format!(", {seconds:.3} s")).unwrap_or_default();
            let memory = memory_bytes.map(|bytes| format!(", {} MiB", bytes >> 20)).unwrap_or_default();
            format!("submission {submission}: test case {testcase}: {verdict}{seconds}{memory}")
        }
        Progress::JobFinished { submission } => format!("submission {submission}: finished"),
        Progress::Retried { request, error, wait_seconds } => {
            format!("{request} failed: {error}; next attempt in {wait_seconds:.1} s")
        }
        Progress::AssumedStored { task } => {
            format!("the server failed on the repeated result of task {task}, which it has stored before")
        }
        Progress::InternalError { description, disabled } => {
            format!("internal error: {description}; the server disables {disabled}")
        }
        Progress::Dropped { submission, reason } => format!("submission {submission} is given up: {reason}"),
        Progress::Idle => "the server has no work".to_owned(),
        Progress::Ended => "all work is finished".to_owned(),
    }
}
