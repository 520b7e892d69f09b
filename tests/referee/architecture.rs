//! Checks that docs/architecture.md lists exactly the dependencies of every crate of the workspace, and that no module
//! of the judge uses a module of a higher layer.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::support::files::in_repository;

/// For each crate, by its folder: the crates of the workspace on which it depends.
type Dependencies = BTreeMap<String, BTreeSet<String>>;

#[test]
fn the_page_has_the_dependencies_of_every_crate() {
    let page = std::fs::read_to_string(in_repository("docs/architecture.md")).expect("the page can be read");
    assert_eq!(dependencies_of_page(&page), dependencies_of_cargo());
}

/// Reads the table in docs/architecture.md. A row begins with a folder and ends with the names of crates.
fn dependencies_of_page(page: &str) -> Dependencies {
    let rows = page.lines().skip_while(|line| !line.starts_with("| crate ")).take_while(|line| line.starts_with('|'));
    let cells = rows.skip(2).map(|row| row.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>());
    cells.map(|cells| (quoted(cells[0]).remove(0), quoted(cells[2]).into_iter().collect())).collect()
}

/// Returns the texts between backticks.
fn quoted(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(|name| name.trim_end_matches('/').to_owned()).collect()
}

/// Returns the dependencies that Cargo reports. Leaves out the fuzz targets, and the dependencies that a crate has only
/// for its tests or its build script.
fn dependencies_of_cargo() -> Dependencies {
    let root = in_repository("");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).current_dir(&root);
    let metadata: Value =
        serde_json::from_slice(&cargo.output().expect("cargo runs").stdout).expect("cargo writes JSON");
    let workspace = Path::new(metadata["workspace_root"].as_str().expect("a path"));
    let folder = |path: &str| {
        let below = Path::new(path).strip_prefix(workspace).expect("a crate of the workspace").to_owned();
        below.to_str().expect("UTF-8").to_owned()
    };
    let mut arrows = Dependencies::new();
    for package in metadata["packages"].as_array().expect("a list") {
        let manifest = folder(package["manifest_path"].as_str().expect("a path"));
        let own = manifest.trim_end_matches("Cargo.toml").trim_end_matches('/');
        let is_own = |dependency: &&Value| dependency["kind"].is_null() && dependency["path"].is_string();
        let used = package["dependencies"].as_array().expect("a list").iter().filter(is_own);
        let name = |dependency: &Value| {
            let folder = folder(dependency["path"].as_str().expect("a path"));
            folder.rsplit('/').next().unwrap_or_default().to_owned()
        };
        if own != "fuzz/targets" {
            arrows.insert(if own.is_empty() { "src" } else { own }.to_owned(), used.map(name).collect());
        }
    }
    arrows
}

#[test]
fn modules_of_the_judge_use_modules_of_lower_layers_only() {
    let source = in_repository("crates/judge/src");
    let layers = layers_of(&std::fs::read_to_string(source.join("lib.rs")).expect("lib.rs can be read"));
    let mut upward = Vec::new();
    let mut uses = 0;
    for entry in walkdir::WalkDir::new(&source).into_iter().map(|entry| entry.expect("an entry")) {
        let file = entry.path().strip_prefix(&source).expect("a file of the crate").to_owned();
        if file.extension().is_none_or(|ending| ending != "rs") || file == Path::new("lib.rs") {
            continue;
        }
        let module = file.components().next().expect("a name").as_os_str().to_string_lossy().replace(".rs", "");
        let layer = *layers.get(&module).unwrap_or_else(|| panic!("lib.rs names no layer of {module}"));
        for used in modules_used(&std::fs::read_to_string(entry.path()).expect("a source can be read")) {
            let Some(below) = layers.get(&used) else { continue };
            uses += 1;
            if *below > layer {
                upward.push(format!("{} uses {used}", file.display()));
            }
        }
    }
    assert!(uses > 100, "only {uses} uses were found");
    assert_eq!(upward, Vec::<String>::new());
}

/// Returns the layer of each module, from the numbered list `# Layers` in a crate's documentation.
fn layers_of(lib: &str) -> BTreeMap<String, usize> {
    let list = lib.lines().skip_while(|line| *line != "//! # Layers").filter_map(|line| line.strip_prefix("//! "));
    let rows =
        list.filter_map(|line| line.split_once(". ").and_then(|(number, names)| Some((number.parse().ok()?, names))));
    rows.flat_map(|(number, names)| quoted(names).into_iter().map(move |name| (name, number))).collect()
}

/// Returns the names that follow `crate::` in the source, outside comments and tests. Most are top-level modules.
fn modules_used(source: &str) -> BTreeSet<String> {
    let code = source.split("\n#[cfg(test)]").next().unwrap_or_default();
    let code: String = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let word = |text: &str| text.chars().take_while(|one| one.is_ascii_lowercase() || *one == '_').collect::<String>();
    let mut found = BTreeSet::new();
    for after in code.split("crate::").skip(1) {
        match after.strip_prefix('{') {
            Some(group) => {
                let group = group.split(';').next().unwrap_or_default();
                found.extend(group.split(',').map(|item| word(item.trim())));
            }
            None => {
                found.insert(word(after));
            }
        }
    }
    found
}
