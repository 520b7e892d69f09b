//! docs/architecture.md names the dependencies that every crate of the workspace has.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::support::files::in_repository;

/// The folder of each crate, and the names of the crates of the workspace that it depends on.
type Arrows = BTreeMap<String, BTreeSet<String>>;

#[test]
fn the_page_has_the_dependencies_of_every_crate() {
    let page = std::fs::read_to_string(in_repository("docs/architecture.md")).expect("the page can be read");
    assert_eq!(arrows_of_page(&page), arrows_of_cargo());
}

/// Reads the table of the page. Its rows begin with a folder, and end with the names of crates.
fn arrows_of_page(page: &str) -> Arrows {
    let rows = page.lines().skip_while(|line| !line.starts_with("| crate ")).take_while(|line| line.starts_with('|'));
    let cells = rows.skip(2).map(|row| row.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>());
    cells.map(|cells| (quoted(cells[0]).remove(0), quoted(cells[2]).into_iter().collect())).collect()
}

/// Returns what stands between backticks.
fn quoted(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(|name| name.trim_end_matches('/').to_owned()).collect()
}

/// Asks Cargo. Dependencies of tests and of the build script are none of the program's.
fn arrows_of_cargo() -> Arrows {
    let root = in_repository("");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).current_dir(&root);
    let told: Value = serde_json::from_slice(&cargo.output().expect("cargo runs").stdout).expect("cargo writes JSON");
    let workspace = Path::new(told["workspace_root"].as_str().expect("a path"));
    let folder = |path: &str| {
        let below = Path::new(path).strip_prefix(workspace).expect("a crate of the workspace").to_owned();
        below.to_str().expect("UTF-8").to_owned()
    };
    let mut arrows = Arrows::new();
    for package in told["packages"].as_array().expect("a list") {
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
