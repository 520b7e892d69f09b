//! Compilers and interpreters: where they are on this machine.

use std::collections::HashMap;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use super::Unready;

/// A compiler or an interpreter.
#[derive(Debug)]
pub struct Tool {
    /// The command.
    pub name: &'static str,
    /// The Debian package that has it.
    pub package: &'static str,
    /// Version managers put a script in the tool's place, which costs more than most programs and needs the user's
    /// home. Run with these arguments it tells where the real tool, or the folder above its `bin/`, is.
    real: Option<&'static [&'static str]>,
    /// What makes it say its version.
    pub version: &'static str,
}

/// Every tool that the table of languages names.
pub(super) static TOOLS: &[Tool] = &[
    Tool { name: "gcc", package: "gcc", real: None, version: "--version" },
    Tool { name: "g++", package: "g++", real: None, version: "--version" },
    Tool { name: "javac", package: "default-jdk-headless", real: None, version: "--version" },
    Tool { name: "java", package: "default-jre-headless", real: None, version: "--version" },
    Tool {
        name: "python3",
        package: "python3",
        real: Some(&["-c", "import sys; print(sys.executable)"]),
        version: "--version",
    },
    Tool { name: "rustc", package: "rustc", real: Some(&["--print", "sysroot"]), version: "--version" },
];

/// Where tools and their helpers (the linker, the assembler) are looked for: where the judge's own shell would.
pub fn search_path() -> OsString {
    std::env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into())
}

/// The absolute path of the tool called `name`. Looked up once per process.
pub fn find(name: &str) -> Result<PathBuf, Unready> {
    static FOUND: Mutex<Option<HashMap<&'static str, Option<PathBuf>>>> = Mutex::new(None);
    let Some(tool) = TOOLS.iter().find(|tool| tool.name == name) else {
        return Err(Unready::MissingTool { tool: "an unknown tool", package: "none" });
    };
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    let path = found.get_or_insert_default().entry(tool.name).or_insert_with(|| locate(tool));
    path.clone().ok_or(Unready::MissingTool { tool: tool.name, package: tool.package })
}

fn locate(tool: &Tool) -> Option<PathBuf> {
    let first = std::env::split_paths(&search_path()).map(|folder| folder.join(tool.name)).find(|path| runs(path))?;
    Some(tool.real.and_then(|arguments| real(&first, tool.name, arguments)).unwrap_or(first))
}

/// The folders that a tool needs to work: the one above its `bin/`, and that of what it is a link to.
pub fn homes(tool: &Path) -> Vec<PathBuf> {
    let real = tool.canonicalize().unwrap_or_else(|_| tool.to_path_buf());
    let mut homes = vec![home(tool), home(&real)];
    homes.dedup();
    homes
}

/// The folder above `bin/`, unless that is a person's: then no more than the tool's own folder.
fn home(tool: &Path) -> PathBuf {
    let folder = tool.parent().unwrap_or(tool);
    let person = std::env::var_os("HOME").map(PathBuf::from);
    let is_a_persons = |path: &Path| {
        let local = person.as_deref().map(|home| home.join(".local"));
        path.parent().is_none() || Some(path) == person.as_deref() || Some(path) == local.as_deref()
    };
    match folder.parent() {
        Some(above) if folder.ends_with("bin") && !is_a_persons(above) => above.to_path_buf(),
        _ => folder.to_path_buf(),
    }
}

fn runs(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

fn real(shim: &Path, name: &str, arguments: &[&str]) -> Option<PathBuf> {
    let output = Command::new(shim).args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let said = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    let candidates = [said.join("bin").join(name), said];
    candidates.into_iter().find(|path| path.is_absolute() && runs(path))
}
