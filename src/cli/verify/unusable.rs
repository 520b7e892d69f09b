//! Reports a package that cannot be read as a finding, so that every report contains the reason.

use std::path::Path;

use crate::cli::common::Reports;
use crate::cli::open::{self, Unopened};
use referee_event::{Event, Gravity, VerifyCheck, VerifyFinding, VerifyFinished, VerifyStarted};
use referee_package::{Finding, Severity};

/// The check to which the finding belongs.
const CHECK: &str = "format";

/// Reports why a package could not be opened.
pub(super) fn report(path: &Path, unopened: &Unopened, reports: &mut Reports) {
    let package = path.display().to_string();
    let findings: Vec<_> = match unopened {
        Unopened::Inaccessible(failure) => vec![VerifyFinding {
            message: failure.message.clone(),
            hint: failure.hint.clone(),
            ..empty_finding(&package, Gravity::Error)
        }],
        Unopened::Invalid(findings) => findings.list.iter().map(|finding| of_file(path, &package, finding)).collect(),
    };
    let count = |gravity| findings.iter().filter(|finding| finding.severity == gravity).count();
    let check = VerifyCheck {
        name: CHECK.to_owned(),
        about: "the package cannot be used".to_owned(),
        seconds: 0.0,
        errors: count(Gravity::Error),
        warnings: count(Gravity::Warning),
        notes: 0,
        skipped: None,
    };
    reports.event(&Event::VerifyStarted(VerifyStarted {
        package: package.clone(),
        folder: open::folder(path),
        title: String::new(),
        format: String::new(),
        cases: 0,
        submissions: 0,
    }));
    for finding in findings {
        reports.event(&Event::VerifyFinding(finding));
    }
    reports.event(&Event::VerifyCheck(check.clone()));
    reports.event(&Event::VerifyFinished(VerifyFinished {
        package,
        errors: check.errors,
        warnings: check.warnings,
        notes: 0,
        checks: vec![check],
        tools: Vec::new(),
        seconds: 0.0,
    }));
}

fn empty_finding(package: &str, severity: Gravity) -> VerifyFinding {
    VerifyFinding {
        package: package.to_owned(),
        check: CHECK.to_owned(),
        severity,
        place: None,
        case: None,
        submission: None,
        message: String::new(),
        hint: None,
    }
}

fn of_file(root: &Path, package: &str, finding: &Finding) -> VerifyFinding {
    let severity = if finding.severity == Severity::Error { Gravity::Error } else { Gravity::Warning };
    let path = finding.path.strip_prefix(root).unwrap_or(&finding.path);
    let position = finding.place.map(|(line, column)| format!(":{line}:{column}")).unwrap_or_default();
    VerifyFinding {
        place: Some(format!("{}{position}", path.display())),
        message: finding.message.clone(),
        ..empty_finding(package, severity)
    }
}
