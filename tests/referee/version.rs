//! `--version`, and what it says about the build with `--verbose`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::support::command::referee;
use super::support::files::in_repository;
use super::support::program::temporary_folder;

const ONE_LINE: &str = concat!("referee ", env!("CARGO_PKG_VERSION"), "\n");

fn printed(arguments: &[&str]) -> String {
    let output = referee(arguments).output().expect("referee starts");
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()), "{arguments:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn the_version_alone_is_one_line() {
    for arguments in [&["--version"][..], &["-V"], &["--color", "never", "--version"], &["--version", "grade"]] {
        assert_eq!(printed(arguments), ONE_LINE, "{arguments:?}");
    }
}

#[test]
fn the_verbose_version_says_how_the_program_was_built() {
    let text = printed(&["--version", "--verbose"]);
    for arguments in [&["--version", "-v"][..], &["-v", "--version"], &["-vV"], &["-Vv"]] {
        assert_eq!(printed(arguments), text, "{arguments:?}");
    }
    let (first, facts) = text.split_at(ONE_LINE.len());
    assert_eq!(first, ONE_LINE);
    let facts: Vec<_> = facts.lines().map(|line| line.split_once(": ").expect("a name and a value")).collect();
    let names: Vec<_> = facts.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["commit", "target", "features", "profile", "build"]);
    // Cargo puts the tests into the folder deps/ of the profile.
    let tests = std::env::current_exe().expect("the path of the tests is known");
    let profile = tests.ancestors().nth(2).and_then(Path::file_name).expect("a folder");
    assert_eq!(facts[3].1, profile.to_str().expect("UTF-8"));
    assert!(facts[1].1.starts_with(std::env::consts::ARCH), "{text}");
}

#[test]
fn verbose_alone_is_wrong_use() {
    referee(["-v"]).assert().code(2);
    referee(["-v", "doctor"]).assert().code(2).stderr(predicates::str::contains("--version"));
}

/// The build script as a program of its own, with a folder in which it can run.
struct BuildScript {
    program: PathBuf,
    _compiled: TempDir,
    sources: TempDir,
}

impl BuildScript {
    fn new() -> Self {
        let compiled = temporary_folder();
        let program = compiled.path().join("build");
        let mut rustc = Command::new("rustc");
        rustc.args(["--edition", "2024", "-o"]).arg(&program).arg(in_repository("build.rs"));
        assert!(rustc.status().expect("rustc starts").success());
        BuildScript { program, _compiled: compiled, sources: temporary_folder() }
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.sources.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
        fs::write(path, text).expect("a file can be written");
    }

    /// Runs git in the folder of the sources, without the user's settings. Returns its output.
    fn git(&self, arguments: &[&str]) -> String {
        let mut git = Command::new("git");
        git.current_dir(self.sources.path()).env("HOME", self.sources.path()).env("GIT_CONFIG_NOSYSTEM", "1");
        let author = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
        let output = git.args(author).args(arguments).output().expect("git starts");
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).expect("UTF-8").trim_end().to_owned()
    }

    /// Returns the value that the script, run in the folder `within` of the sources, passes to the code as `variable`.
    fn value(&self, variable: &str, within: &str, environment: &[(&str, &str)]) -> String {
        let mut script = Command::new(&self.program);
        script.current_dir(self.sources.path().join(within)).env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin");
        let output = script.envs(environment.iter().copied()).output().expect("the script starts");
        assert!(output.status.success(), "{output:?}");
        let prefix = format!("cargo:rustc-env={variable}=");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        text.lines().find_map(|line| line.strip_prefix(&prefix)).expect("the script passes it").to_owned()
    }

    fn commit(&self, within: &str) -> String {
        self.value("REFEREE_COMMIT", within, &[])
    }
}

#[test]
fn the_commit_is_that_of_the_sources_or_unknown() {
    needs!("git");
    let script = BuildScript::new();
    script.write("referee/src/main.rs", "");
    assert_eq!(script.commit("referee"), "unknown", "no repository");

    script.git(&["init", "-q"]);
    script.git(&["add", "."]);
    script.git(&["commit", "-q", "-m", "home"]);
    assert_eq!(script.commit("referee"), "unknown", "the repository of a folder above");

    script.write("referee/.cargo_vcs_info.json", "{\n  \"git\": {\n    \"sha1\": \"0123abcd\"\n  }\n}");
    assert_eq!(script.commit("referee"), "0123abcd", "a crate from a registry");
    script.write("referee/.cargo_vcs_info.json", "{\"git\": {\"sha1\": \"0123abcd\", \"dirty\": true}}");
    assert_eq!(script.commit("referee"), "0123abcd (modified)", "a crate that was packed with changes");
}

#[test]
fn the_commit_says_if_the_sources_were_changed() {
    needs!("git");
    let script = BuildScript::new();
    script.write("src/main.rs", "");
    script.write("docs/page.md", "");
    script.git(&["init", "-q"]);
    script.git(&["add", "."]);
    script.git(&["commit", "-q", "-m", "sources"]);
    let hash = script.git(&["rev-parse", "HEAD"]);
    assert_eq!(script.commit(""), hash);
    script.write("docs/page.md", "changed");
    assert_eq!(script.commit(""), hash, "the program is not built from the documentation");
    script.write("cases/new/problem.yaml", "name: New");
    assert_eq!(script.commit(""), format!("{hash} (modified)"), "a new file that no commit contains");
    fs::remove_dir_all(script.sources.path().join("cases")).expect("a folder can be removed");
    assert_eq!(script.commit(""), hash);
    script.write("src/main.rs", "fn main() {}");
    assert_eq!(script.commit(""), format!("{hash} (modified)"));
}

#[test]
fn the_build_script_names_features_and_profile() {
    let script = BuildScript::new();
    let output = [("OUT_DIR", "/build/target/x86_64-unknown-linux-musl/dist/build/referee-0123/out")];
    assert_eq!(script.value("REFEREE_PROFILE", "", &output), "dist");
    assert_eq!(script.value("REFEREE_PROFILE", "", &[]), "unknown");
    assert_eq!(script.value("REFEREE_FEATURES", "", &[("CARGO_FEATURE_DEFAULT", "1")]), "none");
    let features = [("CARGO_FEATURE_TWO_WORDS", "1"), ("CARGO_FEATURE_ONE", "1")];
    assert_eq!(script.value("REFEREE_FEATURES", "", &features), "one,two-words");
}

#[test]
fn two_builds_in_different_folders_have_the_same_build_number() {
    let script = BuildScript::new();
    let build = |flags: &str| script.value("REFEREE_BUILD", "", &[("CARGO_ENCODED_RUSTFLAGS", flags)]);
    let first = build("-Copt-level=3\u{1f}--remap-path-prefix=/home/a=/referee");
    assert_eq!(build("-Copt-level=3\u{1f}--remap-path-prefix=/home/b=/referee"), first);
    assert_ne!(build("-Copt-level=2\u{1f}--remap-path-prefix=/home/a=/referee"), first);
}
