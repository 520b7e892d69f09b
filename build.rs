//! Rebuilds the binary if a file in cases/ changes, because the bundled packages are embedded in it. Passes a hash of
//! their files to the code as `REFEREE_CASES`; it names their folder in the cache. Passes a hash of the judge's sources
//! to the code as `REFEREE_BUILD`. The cache uses this hash to ignore results of other builds. Passes what
//! `--version --verbose` prints: `REFEREE_COMMIT`, `REFEREE_TARGET`, `REFEREE_FEATURES` and `REFEREE_PROFILE`.

use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files and folders from which the judge is built.
const SOURCES: [&str; 6] = ["src", "crates", "reference/src", "Cargo.toml", "Cargo.lock", "build.rs"];

/// The environment variables that also affect the generated code.
const VARIABLES: [&str; 3] = ["TARGET", "PROFILE", "OPT_LEVEL"];

fn main() {
    println!("cargo:rerun-if-changed=cases");
    let mut cases = DefaultHasher::new();
    hash(Path::new("cases"), &mut cases);
    println!("cargo:rustc-env=REFEREE_CASES={:016x}", cases.finish());
    let mut hasher = DefaultHasher::new();
    for source in SOURCES {
        println!("cargo:rerun-if-changed={source}");
        hash(Path::new(source), &mut hasher);
    }
    for variable in VARIABLES {
        env::var_os(variable).hash(&mut hasher);
    }
    compiler_flags().hash(&mut hasher);
    let compiler = env::var_os("RUSTC").and_then(|rustc| Command::new(rustc).arg("-vV").output().ok());
    compiler.map(|output| output.stdout).hash(&mut hasher);
    println!("cargo:rustc-env=REFEREE_BUILD={:016x}", hasher.finish());
    println!("cargo:rustc-env=REFEREE_COMMIT={}", commit().as_deref().unwrap_or("unknown"));
    println!("cargo:rustc-env=REFEREE_TARGET={}", env::var("TARGET").as_deref().unwrap_or("unknown"));
    println!("cargo:rustc-env=REFEREE_FEATURES={}", features());
    println!("cargo:rustc-env=REFEREE_PROFILE={}", profile().as_deref().unwrap_or("unknown"));
}

/// Returns the flags of the compiler that affect the generated code. Leaves out `--remap-path-prefix`, which names the
/// folder of the sources; otherwise builds in different folders would differ.
fn compiler_flags() -> Vec<String> {
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    flags.split('\u{1f}').filter(|flag| !flag.starts_with("--remap-path-prefix=")).map(str::to_owned).collect()
}

/// Returns the commit of the sources, with ` (modified)` if a file from which the judge is built is new or was changed.
/// Returns `None` if the sources are neither a repository of their own nor a crate that names its commit.
fn commit() -> Option<String> {
    published_commit().or_else(commit_of_repository)
}

/// Reads the commit from the file that `cargo package` puts into a crate.
fn published_commit() -> Option<String> {
    println!("cargo:rerun-if-changed=Cargo.toml");
    let text = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, after) = text.split_once("\"sha1\"")?;
    let hash = after.split('"').nth(1)?;
    Some(format!("{hash}{}", if text.contains("\"dirty\"") { MODIFIED } else { "" }))
}

const MODIFIED: &str = " (modified)";

/// Asks git for the commit. A repository that only contains the folder of the sources, such as one of a home folder,
/// says nothing about them.
fn commit_of_repository() -> Option<String> {
    let top = PathBuf::from(git(&["rev-parse", "--show-toplevel"])?);
    if top.canonicalize().ok()? != env::current_dir().ok()?.canonicalize().ok()? {
        return None;
    }
    // Git adds a line to the log of HEAD whenever another commit is checked out.
    for name in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", name])?;
        if Path::new(&path).exists() {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    let hash = git(&["rev-parse", "HEAD"])?;
    let changed = git(&[&["status", "--porcelain", "--untracked-files=normal", "--", "cases"][..], &SOURCES].concat())?;
    Some(format!("{hash}{}", if changed.is_empty() { "" } else { MODIFIED }))
}

/// Returns the output of git without the line feed at its end; `None` if git fails or is not installed.
fn git(arguments: &[&str]) -> Option<String> {
    // The variable keeps `git status` from writing the repository's index.
    let output = Command::new("git").env("GIT_OPTIONAL_LOCKS", "0").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim_end().to_owned())
}

/// Returns the enabled features of the command, separated by commas, or `none`.
fn features() -> String {
    let name =
        |variable: String| variable.strip_prefix("CARGO_FEATURE_").map(|name| name.to_lowercase().replace('_', "-"));
    let mut names: Vec<_> =
        env::vars().filter_map(|(variable, _)| name(variable)).filter(|name| name != "default").collect();
    names.sort();
    if names.is_empty() { "none".to_owned() } else { names.join(",") }
}

/// Returns the name of Cargo's profile: the folder above `build/` in the path of this script's output. Cargo's variable
/// PROFILE knows only `debug` and `release`.
fn profile() -> Option<String> {
    let output = PathBuf::from(env::var_os("OUT_DIR")?);
    let build = output.ancestors().find(|folder| folder.file_name().is_some_and(|name| name == "build"))?;
    Some(build.parent()?.file_name()?.to_str()?.to_owned())
}

/// Hashes a file with its path, or all files below a folder, sorted by path.
fn hash(path: &Path, hasher: &mut DefaultHasher) {
    path.hash(hasher);
    if let Ok(text) = fs::read(path) {
        return text.hash(hasher);
    }
    let mut entries: Vec<PathBuf> =
        fs::read_dir(path).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        hash(&path, hasher);
    }
}
