//! Compares the results of every submission on every case with its expected verdicts.

use super::bench::Bench;
use super::finding::{Finding, Outcome, counted, listed};
use super::matrix::Row;
use referee_event::SubmissionFinished;
use referee_grading::verdict::Verdict;
use referee_judge::JudgeError;

pub(super) fn check(bench: &Bench<'_>) -> Result<Outcome, JudgeError> {
    if let Some(reason) = bench.why_not_judgeable() {
        return Ok(Outcome::skipped(reason));
    }
    let matrix = bench.matrix()?;
    let mut findings = Vec::new();
    for row in &matrix.rows {
        match (&row.finished, &row.skipped) {
            (Some(finished), _) => findings.extend(findings_on(row, finished)),
            (None, reason) => findings.push(skipped(row, reason.as_deref())),
        }
    }
    let about = format!(
        "{} on {}, {}",
        counted(matrix.rows.len(), "submission"),
        counted(bench.package.cases.len(), "case"),
        counted(matrix.runs, "run")
    );
    let left_out: Vec<_> = matrix.rows.iter().filter(|row| row.skipped.is_some()).map(Row::name).collect();
    let skipped = (!left_out.is_empty()).then(|| format!("not judged: {}", listed(&left_out)));
    Ok(Outcome { about, findings, skipped })
}

/// The maximum number of lines of a compiler's message that a finding quotes.
const MOST_LINES: usize = 8;

fn skipped(row: &Row, reason: Option<&str>) -> Finding {
    let reason = reason.unwrap_or("the reason is unknown");
    Finding::warning(format!("was not judged: {reason}")).of(row.name()).at(place(row))
}

/// Returns the findings on one submission.
fn findings_on(row: &Row, finished: &SubmissionFinished) -> Vec<Finding> {
    if finished.verdict == Verdict::JudgeError {
        let failed = row.cases.iter().find(|case| case.verdict == Verdict::JudgeError);
        let said = failed.and_then(|case| case.message.as_deref()).or(row.build_message.as_deref());
        let message = format!("could not be judged: {}", said.unwrap_or("the judge failed"));
        let finding = Finding::error(message).of(row.name()).at(place(row));
        return vec![Finding { case: failed.map(|case| case.case.clone()), ..finding }];
    }
    if finished.verdict == Verdict::CompileError {
        let said = row.build_message.as_deref().unwrap_or_default();
        let said: Vec<_> = said.lines().take(MOST_LINES).collect();
        // The last breach says whether the submission does not compile or is refused.
        let how = finished.breaches.last().map_or("does not compile", |breach| breach.reason.as_str());
        return vec![Finding::error(format!("{how}:\n{}", said.join("\n"))).of(row.name()).at(place(row))];
    }
    if finished.as_wanted {
        return Vec::new();
    }
    let broken = finished.breaches.iter().map(|breach| {
        let case = breach.case.clone();
        let said = case.as_ref().and_then(|name| row.cases.iter().find(|case| case.case == *name));
        let said = said.and_then(|case| case.message.as_deref()).and_then(|text| text.lines().next());
        let message = match said {
            Some(said) => format!("{breach}: {said}"),
            None => breach.to_string(),
        };
        let command = format!("referee grade PACKAGE PACKAGE/{}", place(row));
        Finding { case, ..Finding::error(message).of(row.name()).at(place(row)).hint(format!("run: {command}")) }
    });
    broken.collect()
}

/// Returns the submission's path, relative to the package.
pub(super) fn place(row: &Row) -> String {
    format!("submissions/{}", row.name())
}
