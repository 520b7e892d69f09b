//! Reads the archive back and compares it with the package it was made from.

use std::io;
use std::path::Path;

use super::submissions::outcomes;
use super::{ArchiveError, Judge};
use crate::ExchangeError;
use referee_files::regular;
use referee_grading::score::Way;
use referee_package::{self as package, Limits, Package, TestCase};

pub(super) fn read_back(original: &Package, to: Judge, archive: &Path) -> Result<Package, ArchiveError> {
    let back = package::load(archive).map_err(|findings| ExchangeError::Differs(findings.to_string()))?;
    let mut wrong = Vec::new();
    cases(original, &back, &mut wrong);
    // Neither Kattis nor DOMjudge generates test data, and the legacy format has no key for the time limit of
    // generators. So this limit is not compared.
    let wanted = Limits {
        generation_time: back.limits.generation_time,
        unstated_memory: back.limits.unstated_memory,
        ..original.limits
    };
    if wanted != back.limits {
        wrong.push(format!("limits: {:?}, expected {wanted:?}", back.limits));
    }
    let margins = |package: &Package| (package.timing.ac_to_time_limit, package.timing.time_limit_to_tle);
    if margins(original) != margins(&back) {
        wrong.push(format!("time multipliers: {:?}, expected {:?}", margins(&back), margins(original)));
    }
    if original.kind != back.kind {
        wrong.push(format!("type: {:?}, expected {:?}", back.kind.words(), original.kind.words()));
    }
    let names = |package: &Package| package.output_validators.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
    if names(original) != names(&back) {
        wrong.push(format!("output validators: {:?}, expected {:?}", names(&back), names(original)));
    }
    let best = |package: &Package| package.tree.whole().and_then(|whole| package.tree.best(whole).cloned());
    if to == Judge::Kattis && best(original) != best(&back) {
        wrong.push(format!("best score: {:?}, expected {:?}", best(&back), best(original)));
    }
    let same_verdicts = |package: &Package| {
        let first = package.tree.groups.first();
        !package.tree.scoring || first.is_none_or(|group| matches!(group.way, Way::Legacy(_)))
    };
    // If the groups of a scoring package are in format 2025-09, an export for Kattis can change verdicts. The expected
    // verdicts of the submissions then change as well, so they are not compared.
    if to == Judge::Domjudge || same_verdicts(original) {
        submissions(original, &back, to, &mut wrong);
    }
    if wrong.is_empty() { Ok(back) } else { Err(ExchangeError::Differs(wrong.join("\n")).into()) }
}

fn cases(original: &Package, back: &Package, wrong: &mut Vec<String>) {
    if original.cases.len() != back.cases.len() {
        wrong.push(format!("found {} test cases, expected {}", back.cases.len(), original.cases.len()));
        return;
    }
    let validators: Vec<&str> = match original.output_validators.as_slice() {
        [] => vec!["default"],
        programs => programs.iter().map(|program| program.name.as_str()).collect(),
    };
    for (one, other) in original.cases.iter().zip(back.cases.iter()) {
        let arguments = |case: &TestCase| {
            validators.iter().map(|name| case.output_validator_arguments.of(name)).collect::<Vec<_>>()
        };
        if one.name != other.name
            || one.description.as_deref().map(|text| text.trim()) != other.description.as_deref().map(String::as_str)
        {
            wrong.push(format!(
                "test case {} of the archive does not match test case {} of the source: the name or the description \
                 differs",
                other.name, one.name
            ));
        } else if !same(&one.input(), &other.input()) || !same(&one.answer(), &other.answer()) {
            wrong.push(format!("test case {}: the input or the answer differs from the source", one.name));
        } else if arguments(one) != arguments(other) {
            wrong.push(format!(
                "test case {}: output validator arguments {:?}, expected {:?}",
                one.name,
                arguments(other),
                arguments(one)
            ));
        }
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    regular::read(path, regular::LARGEST_BYTES)
}

fn same(one: &Path, other: &Path) -> bool {
    match (read(one), read(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Checks for each set of possible verdicts that both packages have the same number of submissions with this set.
fn submissions(original: &Package, back: &Package, to: Judge, wrong: &mut Vec<String>) {
    let declared = |package: &Package| {
        let mut sets: Vec<_> = package.submissions.iter().map(outcomes).collect();
        // Two kinds of submissions are not compared. The legacy format has no folder for submissions that must not
        // compile, whose set is empty. Kattis also has no folder for submissions with several possible verdicts.
        sets.retain(|set| !set.is_empty() && (to == Judge::Domjudge || set.len() == 1));
        sets.sort();
        sets
    };
    if declared(original) != declared(back) {
        wrong.push(format!(
            "declared verdicts of the submissions: {:?}, expected {:?}",
            declared(back),
            declared(original)
        ));
    }
}
