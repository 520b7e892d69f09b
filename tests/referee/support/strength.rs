//! Runs `referee strength` on packages that tests may change, and reads its report.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

use super::command::{json, of_type, referee};
use super::person::copy_folder;
use super::program::temporary_folder;

/// Returns a copy of a small package with weak test data. The test may change the copy.
pub(crate) fn larger() -> (TempDir, PathBuf) {
    let folder = temporary_folder();
    let package = folder.path().join("larger");
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/strength/larger"), &package);
    (folder, package)
}

/// Returns the command `referee strength` for the accepted submissions of a package.
pub(crate) fn strength(package: &Path, arguments: &[&str]) -> Command {
    strength_of("accepted/*", package, arguments)
}

/// Returns the command `referee strength` for the programs of a package whose names match `only`.
pub(crate) fn strength_of(only: &str, package: &Path, arguments: &[&str]) -> Command {
    let mut command = referee(["strength"]);
    command.arg(package).args(["--only", only]).args(arguments);
    command
}

/// The summary, the mutants and the hunts of a report.
pub(crate) struct StrengthReport {
    pub(crate) code: i32,
    pub(crate) sum: Value,
    pub(crate) mutants: Vec<Value>,
    pub(crate) hunts: Vec<Value>,
}

impl StrengthReport {
    /// Returns the number of mutants with this fate.
    pub(crate) fn count(&self, fate: &str) -> usize {
        self.mutants.iter().filter(|mutant| text(mutant, "fate") == fate).count()
    }

    /// Returns the number of mutants of submissions that were killed with this verdict.
    pub(crate) fn verdicts(&self, verdict: &str) -> u64 {
        self.sum["by_verdict"][verdict].as_u64().unwrap_or_default()
    }
}

pub(crate) fn strength_report(command: Command) -> StrengthReport {
    let (code, lines) = json(command);
    let all = |name| of_type(&lines, name).into_iter().cloned().collect::<Vec<_>>();
    let sum = all("strength_finished");
    assert_eq!(sum.len(), 1, "{lines:?}");
    StrengthReport { code, sum: sum[0].clone(), mutants: all("mutant_finished"), hunts: all("survivor_hunted") }
}

pub(crate) fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or("-")
}

/// Describes a mutant in one line, for example `accepted/branch.c:6:9 negation killed sample/1 2`.
pub(crate) fn line(mutant: &Value) -> String {
    format!(
        "{}:{}:{} {} {} {} {}",
        text(mutant, "file"),
        mutant["line"],
        mutant["column"],
        text(mutant, "operator"),
        text(mutant, "fate"),
        text(mutant, "case"),
        mutant["killers"]
    )
}
