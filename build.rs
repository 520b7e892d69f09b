//! Rebuilds the binary if a file in cases/ changes, because the bundled packages are embedded in it. Passes a hash of
//! their files to the code as `REFEREE_CASES`; it names their folder in the cache. Passes a hash of the judge's sources
//! to the code as `REFEREE_BUILD`. The cache uses this hash to ignore results of other builds.

use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files and folders from which the judge is built.
const SOURCES: [&str; 6] = ["src", "crates", "reference/src", "Cargo.toml", "Cargo.lock", "build.rs"];

/// The environment variables that also affect the generated code.
const VARIABLES: [&str; 4] = ["TARGET", "PROFILE", "OPT_LEVEL", "CARGO_ENCODED_RUSTFLAGS"];

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
    let compiler = env::var_os("RUSTC").and_then(|rustc| Command::new(rustc).arg("-vV").output().ok());
    compiler.map(|output| output.stdout).hash(&mut hasher);
    println!("cargo:rustc-env=REFEREE_BUILD={:016x}", hasher.finish());
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
