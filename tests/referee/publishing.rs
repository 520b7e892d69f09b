//! Every crate of the workspace can be published: crates.io accepts its manifest, and it contains its licences.
//!
//! The step `publish` of .ci/long builds each crate from the files that would be published.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::support::assert_none;
use super::support::files::in_repository;

/// The crates that only builds in the workspace need.
const NOT_PUBLISHED: [&str; 2] = ["fuzz-targets", "referee-workspace-hack"];

/// The categories of crates.io that fit. crates.io refuses unknown ones, but only when a crate is published.
const CATEGORIES: [&str; 14] = [
    "algorithms",
    "caching",
    "command-line-utilities",
    "development-tools::debugging",
    "development-tools::testing",
    "encoding",
    "filesystem",
    "mathematics",
    "os::linux-apis",
    "parser-implementations",
    "security",
    "text-processing",
    "visualization",
    "web-programming::http-client",
];

/// Returns the crates of the workspace as `cargo metadata` describes them.
fn crates() -> Vec<Value> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).current_dir(in_repository(""));
    let output = cargo.output().expect("cargo runs").stdout;
    let metadata: Value = serde_json::from_slice(&output).expect("cargo writes JSON");
    metadata["packages"].as_array().expect("a list").clone()
}

fn text<'a>(package: &'a Value, key: &str) -> &'a str {
    package[key].as_str().unwrap_or_default()
}

fn list(package: &Value, key: &str) -> Vec<String> {
    let items = package[key].as_array().into_iter().flatten();
    items.filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

#[test]
fn all_crates_but_those_of_the_workspace_are_published() {
    let kept: Vec<_> = crates()
        .iter()
        .filter(|package| package["publish"].as_array().is_some_and(Vec::is_empty))
        .map(|package| text(package, "name").to_owned())
        .collect();
    assert_eq!(
        kept.iter().collect::<std::collections::BTreeSet<_>>(),
        NOT_PUBLISHED.map(str::to_owned).iter().collect()
    );
}

#[test]
fn published_crates_say_what_a_registry_asks() {
    let mut faults = Vec::new();
    for package in crates().iter().filter(|package| !package["publish"].is_array()) {
        let name = text(package, "name");
        let manifest = PathBuf::from(text(package, "manifest_path"));
        let folder = manifest.parent().expect("a manifest lies in a folder");
        let mut expect = |is_right: bool, what: &str| {
            if !is_right {
                faults.push(format!("{name}: {what}"));
            }
        };
        expect(name == "referee" || name.starts_with("referee-"), "the name must begin with referee-");
        expect(text(package, "description").len() > 20, "no description");
        expect(text(package, "license") == "MIT OR Apache-2.0", "another licence");
        expect(folder.join(text(package, "readme")).is_file(), "the readme is missing");
        for (licence, begins) in [("LICENSE-MIT", "MIT License"), ("LICENSE-APACHE", "Apache License")] {
            let copy = std::fs::read_to_string(folder.join(licence)).unwrap_or_default();
            expect(copy.contains(begins), &format!("{licence} is missing; link it to the one of the workspace"));
        }
        let (keywords, categories) = (list(package, "keywords"), list(package, "categories"));
        expect((1..=5).contains(&keywords.len()), "there must be one to five keywords");
        expect(keywords.iter().all(|word| is_keyword(word)), "a keyword has at most 20 letters, digits, - and _");
        expect((1..=5).contains(&categories.len()), "there must be one to five categories");
        expect(categories.iter().all(|one| CATEGORIES.contains(&one.as_str())), "an unknown category");
        for dependency in package["dependencies"].as_array().expect("a list") {
            let is_exact = text(dependency, "req") == format!("={}", text(package, "version"));
            let what = format!("the version of {} must be an exact one", text(dependency, "name"));
            expect(dependency["path"].is_null() || is_exact, &what);
        }
    }
    assert_none(&faults);
}

fn is_keyword(word: &str) -> bool {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    word.len() <= 20 && word.starts_with(|first: char| first.is_ascii_alphanumeric()) && word.chars().all(fits)
}

/// In a program that is installed from crates.io, all crates but the command's own are dependencies.
#[test]
fn an_overflow_also_stops_a_judge_that_is_installed_from_a_registry() {
    let manifest = std::fs::read_to_string(in_repository("Cargo.toml")).expect("it can be read");
    let profile = manifest.split("[profile.release.package]\n").nth(1).expect("dependencies have a profile");
    let checked: Vec<_> = profile
        .lines()
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.strip_suffix(" = { overflow-checks = true }"))
        .collect();
    let mut judges: Vec<String> = crates().iter().map(|package| text(package, "name").to_owned()).collect();
    judges.retain(|name| {
        !NOT_PUBLISHED.contains(&name.as_str()) && !["referee", "referee-reference"].contains(&name.as_str())
    });
    judges.sort();
    assert_eq!(checked, judges);
}

#[test]
fn binstall_finds_the_tarballs_of_a_release() {
    let all = crates();
    let command = all.iter().find(|package| text(package, "name") == "referee").expect("the command is a crate");
    let section = &command["metadata"]["binstall"];
    let filled = |key: &str| {
        let values = [
            ("{ repo }", "https://example.org/referee"),
            ("{ version }", "1.2.3"),
            ("{ target }", "x86_64-unknown-linux-musl"),
            ("{ bin }", "referee"),
            ("{ binary-ext }", ""),
        ];
        values.iter().fold(text(section, key).to_owned(), |text, (name, value)| text.replace(name, value))
    };
    assert_eq!(
        filled("pkg-url"),
        "https://example.org/referee/releases/download/v1.2.3/referee-1.2.3-x86_64-unknown-linux-musl.tar.gz"
    );
    assert_eq!(Path::new(&filled("bin-dir")), Path::new("referee-1.2.3-x86_64-unknown-linux-musl/referee"));
    assert_eq!(filled("pkg-fmt"), "tgz");
}
