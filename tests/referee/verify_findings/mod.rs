//! Findings of `referee verify` in small packages with many mistakes: it reports every mistake with its severity, and
//! nothing else.

mod of_data;
mod of_submissions;
mod of_validators;

use std::path::Path;

use assert_cmd::Command;

use super::support::command::{json, of_type, referee, write};

/// The report of a run of `verify`.
struct Report {
    code: i32,
    /// Each finding: its severity, its path (or its test case if it has no path), and its message.
    findings: Vec<String>,
    /// Each check: what it examined, and why it was skipped.
    checks: Vec<String>,
    margins: Vec<serde_json::Value>,
}

/// Writes the files into a package in `folder`, and runs `referee verify` on it with `arguments`.
fn verified(folder: &Path, files: &[(&str, &str)], arguments: &[&str]) -> Report {
    verified_in(referee(["verify"]), folder, files, arguments)
}

/// Like [`verified`], but runs `command`.
fn verified_in(mut command: Command, folder: &Path, files: &[(&str, &str)], arguments: &[&str]) -> Report {
    // The folder's own name could be a further finding, because the format restricts the names of package folders.
    let folder = &folder.join("odd");
    for (name, text) in files {
        write(folder, name, text);
    }
    command.args(arguments).arg(folder);
    let (code, lines) = json(command);
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let told = |line: &&serde_json::Value| {
        let place = if line["place"].is_null() { &line["case"] } else { &line["place"] };
        format!("{} {}: {}", text(&line["severity"]), text(place), text(&line["message"]))
    };
    let check = |line: &serde_json::Value| format!("{}; {}", text(&line["about"]), text(&line["skipped"]));
    let checks = of_type(&lines, "verify_finished")[0]["checks"].as_array().unwrap().iter().map(check).collect();
    let findings = of_type(&lines, "verify_finding").iter().map(told).collect();
    let margins = of_type(&lines, "verify_margin").into_iter().cloned().collect();
    Report { code, findings, checks, margins }
}

/// Fails unless the lines begin with the expected texts, in order, and there are no other lines.
fn assert_lines(found: &[String], wanted: &[&str]) {
    let fits = found.len() == wanted.len() && found.iter().zip(wanted).all(|(line, wanted)| line.starts_with(wanted));
    assert!(fits, "found: {found:#?}\nwanted: {wanted:#?}");
}
