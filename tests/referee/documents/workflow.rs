//! Workflows that a page shows: they must be YAML, and their commands are run like the page's own.

use std::path::Path;

use referee_package::Document;

use super::page::{ANYTHING, Code, Typed};

/// The paths where GitHub and GitLab look for workflows.
const FOLDERS: [&str; 2] = [".github/workflows/", ".gitlab-ci.yml"];
/// The keys of a workflow whose values are commands.
const KEYS: [&str; 4] = ["run", "before_script", "script", "after_script"];

/// Returns the commands of the file, if it is a workflow. Invalid YAML is a complaint.
pub(super) fn commands(name: &str, path: &Path, complaints: &mut Vec<String>) -> Vec<String> {
    if !FOLDERS.iter().any(|folder| name.starts_with(folder)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    match Document::read(path) {
        Ok(document) => collect(&document, &mut found),
        Err(findings) => complaints.push(format!("{name} is not valid YAML: {findings}")),
    }
    if found.is_empty() {
        complaints.push(format!("{name} contains no command"));
    }
    found
}

fn collect(document: &Document, found: &mut Vec<String>) {
    if let Document::List(items) = document {
        for item in items {
            collect(item, found);
        }
    }
    for (key, value) in document.entries() {
        if KEYS.contains(&key.as_str()) {
            // A text of several lines is a script with one command per line.
            found.extend(value.texts().iter().flat_map(|text| text.lines()).map(str::to_owned));
        } else {
            collect(value, found);
        }
    }
}

impl Typed {
    /// Returns a command of a workflow. The command must end with code 0, because otherwise the workflow would stop. It
    /// may print anything.
    pub(super) fn of_workflow(command: &str) -> Typed {
        Typed { shown: vec![ANYTHING.to_owned()], ..Typed::new(0, command, Code::Is(0)) }
    }
}
