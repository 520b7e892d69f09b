//! What `referee verify` says of small packages that hold many odd things at once: all that is wrong, as bad as it is,
//! and nothing of what is right.

mod of_data;
mod of_submissions;
mod of_validators;

use std::path::Path;

use super::support::command::{json, of_type, referee, write};

/// What a run of `verify` has told.
struct Told {
    code: i32,
    /// For each finding its severity, where it is, of which submission, and the message.
    findings: Vec<String>,
    /// For each check what it looked at, and why it was skipped.
    checks: Vec<String>,
    margins: Vec<serde_json::Value>,
}

/// Writes the files into `folder` and does these checks.
fn verified(folder: &Path, files: &[(&str, &str)], arguments: &[&str]) -> Told {
    // Judges want folders of such names.
    let folder = &folder.join("odd");
    for (name, text) in files {
        write(folder, name, text);
    }
    let mut command = referee(["verify"]);
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
    Told { code, findings, checks, margins }
}

/// Every line begins as is wanted, and there are no others.
fn assert_lines(found: &[String], wanted: &[&str]) {
    let fits = found.len() == wanted.len() && found.iter().zip(wanted).all(|(line, wanted)| line.starts_with(wanted));
    assert!(fits, "found: {found:#?}\nwanted: {wanted:#?}");
}
