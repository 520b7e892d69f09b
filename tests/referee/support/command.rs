//! The `referee` command as a user runs it.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use assert_cmd::Command;
use serde_json::Value;

/// The timeout of a command in the tests. Even on the slowest machine, only a command that hangs exceeds it.
pub(crate) const LIMIT: Duration = Duration::from_secs(180);

/// Returns the command `referee` with `arguments`: it runs in the repository's root, without a terminal, with a
/// timeout.
pub(crate) fn referee<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    // The tests expect UTF-8 and 80 columns.
    for name in ["LC_ALL", "LC_CTYPE", "LANG", "TERM", "COLUMNS"] {
        command.env_remove(name);
    }
    let own = settings();
    command.env("XDG_CONFIG_HOME", own.join("config")).env("XDG_CACHE_HOME", own.join("cache"));
    command.args(arguments).timeout(LIMIT);
    command
}

/// Returns a folder that replaces the user's settings and caches, so that tests neither read nor change them.
pub(crate) fn settings() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("settings");
        // Remove the files of an earlier run of the tests.
        let _ = std::fs::remove_dir_all(&folder);
        // A file instead of the folder `results` or `mutants` turns off that cache, because most tests need real runs.
        // Tests of these caches use folders of their own.
        let caches = folder.join("cache/referee");
        std::fs::create_dir_all(&caches).expect("a folder can be made");
        for name in ["results", "mutants"] {
            std::fs::write(caches.join(name), "").expect("a file can be written");
        }
        folder
    })
}

/// Runs `command` with `--json -` and returns its exit code and the objects on its standard output.
pub(crate) fn json(mut command: Command) -> (i32, Vec<Value>) {
    let output = command.args(["--json", "-"]).output().expect("referee starts");
    let code = output.status.code().expect("referee is not killed");
    let text = String::from_utf8(output.stdout).expect("JSON lines are UTF-8");
    let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    (code, text.lines().map(parse).collect())
}

/// Returns the parts of the sandbox that a run of `command` reports.
pub(crate) fn sandbox_parts(command: Command) -> Value {
    let (_, lines) = json(command);
    lines[0]["sandbox"]["parts"].clone()
}

/// Returns the objects of one type, in their order.
pub(crate) fn of_type<'a>(lines: &'a [Value], name: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["type"] == name).collect()
}

/// Writes a file into `folder`, and returns its path.
pub(crate) fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("a folder can be made");
    std::fs::write(&path, text).expect("a file can be written");
    path
}

/// Returns the ids of the processes whose working directory is below `folder`. Includes processes whose working
/// directory was removed. If `folder` contains the temporary files of a run, these processes are the programs of that
/// run.
pub(crate) fn processes_below(folder: &Path) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").expect("/proc can be read").filter_map(Result::ok);
    let inside = |process: &std::fs::DirEntry| {
        std::fs::read_link(process.path().join("cwd")).is_ok_and(|directory| directory.starts_with(folder))
    };
    let name = |process: std::fs::DirEntry| process.file_name().to_string_lossy().into_owned();
    processes.filter(inside).map(name).collect()
}

/// Returns the names of the entries of `folder`.
pub(crate) fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read").filter_map(Result::ok);
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Returns the lines without the fields that differ between runs: times, memory, and whether the result was cached.
pub(crate) fn without_measurements(mut lines: Vec<Value>) -> Vec<Value> {
    const MEASURED: [&str; 9] = [
        "seconds",
        "cpu_seconds",
        "cpu_seconds_all",
        "cpu_seconds_max",
        "close",
        "wall_seconds",
        "memory_bytes",
        "memory_bytes_max",
        "cached",
    ];
    for object in lines.iter_mut().filter_map(Value::as_object_mut) {
        object.retain(|name, _| !MEASURED.contains(&name.as_str()));
        if let Some(Value::String(message)) = object.get_mut("message") {
            without_times(message);
        }
    }
    lines
}

/// Removes the times of a program from the message that it exceeded a time limit, because they differ between runs.
fn without_times(message: &mut String) {
    if message.starts_with("more CPU time than") || message.starts_with("more wall time than") {
        let first_line = message.lines().next().unwrap_or_default();
        let end = first_line.find(" allows").map_or(first_line.len(), |at| at + " allows".len());
        message.truncate(end);
    }
}
