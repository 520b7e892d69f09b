//! Runs compilers and interpreters to get their versions. A tool runs in the sandbox, as it does for submissions. If
//! the tool fails there, its version is unknown.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use referee_event::ToolFound;
use referee_language::{Found, Tool, remembered, search_path};
use referee_sandbox::{Ended, Input, Limits, Mode, Program, Run, Sandbox};
use referee_text::printable::printable;

/// Limits that suffice for any tool to print its version.
const LIMITS: Limits = Limits {
    cpu: Duration::from_secs(10),
    wall: Duration::from_secs(20),
    memory_bytes: 1 << 30,
    output_bytes: 1 << 16,
    until: None,
};

/// Returns the first line of a tool's version text; `None` if the tool is missing, fails or prints nothing. Each tool
/// is run at most once per process.
pub fn version(tool: &Tool) -> Option<String> {
    static VERSIONS: Mutex<Option<HashMap<PathBuf, Option<String>>>> = Mutex::new(None);
    let found = tool.find().ok()?;
    let known =
        VERSIONS.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().get(&found.path).cloned();
    if let Some(version_text) = known {
        return version_text;
    }
    let arguments = tool.version.iter().map(String::as_str);
    let version_text = remembered(&found.path, "version", arguments, || run_for_version(found, &tool.version));
    let mut all = VERSIONS.lock().unwrap_or_else(PoisonError::into_inner);
    all.get_or_insert_default().insert(found.path.clone(), version_text.clone());
    version_text
}

/// Returns the name, the path and the version of a tool, for reports; `None` if the tool is not installed.
pub fn found(tool: &Tool) -> Option<ToolFound> {
    let path = printable(tool.find().ok()?.path.as_os_str().as_encoded_bytes());
    Some(ToolFound { name: tool.name.clone(), path, version: version(tool) })
}

/// Returns the tools in the order of their paths, with only one tool for each path.
pub fn each_once<'a>(tools: impl Iterator<Item = &'a ToolFound>) -> Vec<ToolFound> {
    tools.map(|tool| (tool.path.as_str(), tool)).collect::<BTreeMap<_, _>>().into_values().cloned().collect()
}

fn run_for_version(found: &Found, arguments: &[String]) -> Option<String> {
    let command = std::iter::once(found.path.clone().into()).chain(arguments.iter().map(OsString::from));
    let sandbox = Sandbox::open(
        Program {
            environment: vec![("PATH".into(), search_path())],
            readable: found.folders.clone(),
            ..Program::new(command, "/")
        },
        Mode::Auto,
    );
    let run = Run { arguments: Vec::new(), input: Input::Empty, limits: LIMITS };
    let outcome = sandbox.run(&run).ok().filter(|outcome| outcome.ended == Ended::Exited(0))?;
    let version_text = [&outcome.stdout, &outcome.stderr].into_iter().find(|version_text| !version_text.is_empty())?;
    // A Java virtual machine may print a warning before the version.
    let is_warning = |line: &&[u8]| memchr::memmem::find(line, b"warning:").is_some();
    let lines = || version_text.split(|&byte| byte == b'\n');
    let line = lines().find(|line| !is_warning(line)).or_else(|| lines().next())?;
    Some(printable(line).trim().to_owned())
}
