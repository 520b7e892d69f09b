//! Samples of interactive problems: `.interaction` files show an interaction, and contestants can download the
//! `.download` files.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::support::command::{json, of_type, referee, write};
use super::support::files;
use super::support::person::copy_folder;
use super::support::program::temporary_folder;

/// Creates an interactive package of the format 2025-09 with a sample.
fn package() -> (TempDir, PathBuf) {
    let folder = temporary_folder();
    let root = folder.path().join("talks");
    copy_folder(&files::in_repository("tests/packages/judged/talks"), &root);
    for (name, text) in [("1.in", "1\n"), ("1.ans", ""), ("1.interaction", "<1\n>2\n")] {
        write(&root, &format!("data/sample/{name}"), text);
    }
    (folder, root)
}

/// Returns the format findings of `verify` about files in `data/sample/`, each as `SEVERITY PLACE: MESSAGE`.
fn findings(root: &std::path::Path) -> Vec<String> {
    let mut command = referee(["verify", "--only", "format"]);
    command.arg(root);
    let (_, lines) = json(command);
    let told = of_type(&lines, "verify_finding");
    assert_eq!(of_type(&lines, "verify_finished").len(), 1, "{lines:?}");
    let text = |finding: &serde_json::Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let of_sample = told.into_iter().filter(|finding| text(finding, "place").starts_with("data/sample/"));
    let line = |finding: &serde_json::Value| {
        format!("{} {}: {}", text(finding, "severity"), text(finding, "place"), text(finding, "message"))
    };
    of_sample.map(line).collect()
}

#[test]
fn an_interaction_with_downloads_is_right_and_statements_beside_it_are_wrong() {
    let (_folder, package) = package();
    write(&package, "data/sample/1.in.download", "1\n");
    write(&package, "data/sample/1.ans.download", "");
    assert_eq!(findings(&package), Vec::<String>::new());
    write(&package, "data/sample/1.in.statement", "1\n");
    let shown = "must not exist beside an .interaction file, because the statement shows only the interaction; remove \
                 one of the two files";
    assert_eq!(findings(&package), [format!("error data/sample/1.in.statement: {shown}")]);
}

#[test]
fn the_advice_on_an_interaction_alone_leads_to_a_package_without_remarks() {
    let (_folder, package) = package();
    let needs = "the statement shows this interaction instead of the input and the answer; add 1.in.download and \
                 1.ans.download for contestants to download";
    assert_eq!(findings(&package), [format!("warning data/sample/1.interaction: {needs}")]);
    for file in ["1.in.download", "1.ans.download"] {
        fs::copy(package.join("data/sample/1.in"), package.join("data/sample").join(file))
            .expect("a file can be copied");
    }
    assert_eq!(findings(&package), Vec::<String>::new());
}
