//! The tests make typical mistakes in copies of the bundled packages. `referee verify` finds each mistake, and reports
//! nothing in an unchanged copy.

pub(crate) mod copy;
mod of_data;
mod of_programs;
mod of_submissions;
mod of_validators;

use rayon::prelude::*;
use serde_json::Value;

use super::support::assert_none;
use super::support::command::{json, of_type, referee};
use copy::Copy;

/// A mistake, and the finding that `verify` must report.
struct Fault {
    /// A description of the mistake.
    what: &'static str,
    /// The package in whose copy the mistake is made.
    package: &'static str,
    plant: fn(&Copy),
    /// The check that must find the mistake.
    check: &'static str,
    severity: &'static str,
    /// A part of the message of the finding.
    says: &'static str,
    /// A part of the finding's path, or its test case.
    at: &'static str,
}

fn faults() -> impl Iterator<Item = &'static Fault> {
    let lists = [of_data::FAULTS, of_validators::FAULTS, of_programs::FAULTS, of_submissions::FAULTS];
    lists.into_iter().flatten()
}

fn findings(copy: &Copy, checks: &str) -> (i32, Vec<Value>) {
    let mut command = referee(["verify", "--only", checks]);
    command.arg(copy.path());
    let (code, lines) = json(command);
    (code, of_type(&lines, "verify_finding").into_iter().cloned().collect())
}

/// Makes the mistake in a copy of the package and verifies the copy. Returns a complaint if the expected finding is
/// missing, or if the exit code does not agree with the findings; otherwise `None`.
fn complaint(fault: &Fault) -> Option<String> {
    let copy = Copy::of(fault.package);
    (fault.plant)(&copy);
    let (code, found) = findings(&copy, fault.check);
    let has = |finding: &Value, key: &str, part: &str| finding[key].as_str().is_some_and(|text| text.contains(part));
    let fits = |finding: &&Value| {
        finding["severity"] == fault.severity
            && has(finding, "message", fault.says)
            && (has(finding, "place", fault.at) || has(finding, "case", fault.at) || fault.at.is_empty())
    };
    let wanted = i32::from(found.iter().any(|finding| finding["severity"] == "error"));
    if !found.iter().any(|finding| fits(&finding)) {
        return Some(format!("{}: not found, but {found:#?}", fault.what));
    }
    (code != wanted).then(|| format!("{}: exit code {code}, wanted {wanted}", fault.what))
}

#[test]
#[ignore = "takes half a minute: 30 faults"]
fn every_fault_that_is_planted_in_a_copy_of_our_packages_is_found() {
    needs!("python3", "g++");
    assert!(faults().count() >= 30);
    let faults: Vec<_> = faults().collect();
    assert_none(&faults.par_iter().filter_map(|fault| complaint(fault)).collect::<Vec<_>>());
}

#[test]
#[ignore = "takes minutes: most checks of three packages"]
fn a_copy_without_a_fault_has_no_error_no_warning_and_none_of_what_is_said_of_faults() {
    needs!("python3", "g++");
    for package in ["flipgame", "swapgame", "coins"] {
        let copy = Copy::of(package);
        let checks: std::collections::BTreeSet<_> =
            faults().filter(|fault| fault.package == package).map(|fault| fault.check).collect();
        let checks = checks.into_iter().collect::<Vec<_>>().join(",");
        let (code, found) = findings(&copy, &checks);
        let bad: Vec<_> = found.iter().filter(|finding| finding["severity"] != "note").collect();
        assert!(code == 0 && bad.is_empty(), "{package}: {bad:#?}");
        for fault in faults().filter(|fault| fault.package == package) {
            let said = found.iter().any(|finding| finding["message"].as_str().unwrap().contains(fault.says));
            assert!(!said, "{package}: {}: {found:#?}", fault.what);
        }
    }
}
