//! Reports what a hunt for a surviving mutant found.

use super::super::no_find;
use crate::mutants::Mutant;
use crate::subject::Subject;
use referee_event::{HuntFinished, SurvivorHunted};
use referee_judge::CaseResult;

/// The value of `kind` in the report of an input on which the package's accepted submissions fail or disagree.
const DISPUTED: &str = "jury";

/// Returns the report of an input on which the unchanged program fails.
pub(super) fn dispute(hunted: SurvivorHunted, finished: &CaseResult) -> SurvivorHunted {
    let words = finished.message.as_deref().map(first_line).unwrap_or_default();
    let message = format!("the unchanged program {} gets {} on this input: {words}", hunted.program, finished.verdict);
    let message = Some(message.trim_end_matches(": ").to_owned());
    SurvivorHunted { killed: false, kind: Some(DISPUTED.to_owned()), got: None, message, ..hunted }
}

/// Returns the report of a survivor that the test case found for the survivor `number` kills.
pub(super) fn killed_by(number: usize, finished: &CaseResult, mutant: &Mutant, subject: &Subject) -> SurvivorHunted {
    SurvivorHunted {
        killed: true,
        by_find_of: Some(number),
        kind: Some(finished.verdict.to_string()),
        message: finished.message.clone(),
        tried: 1,
        ..no_find(mutant, subject)
    }
}

/// Returns the report of a survivor that was hunted.
pub(super) fn report(finished: HuntFinished, mutant: &Mutant, subject: &Subject) -> SurvivorHunted {
    let is_jury = finished.kind.as_deref() == Some(DISPUTED);
    SurvivorHunted {
        killed: finished.found && !is_jury,
        kind: finished.kind,
        input: finished.input,
        input_legal: finished.input_legal,
        input_unchecked: finished.input_unchecked,
        expected: finished.expected,
        got: finished.got,
        message: finished.message,
        tried: finished.tried,
        unjudged: finished.unjudged,
        // If some inputs could not be judged, an exhausted search does not prove that the mutant is equivalent.
        exhausted: finished.exhausted && finished.unjudged == 0,
        interrupted: finished.interrupted,
        seconds: finished.seconds,
        minimal: finished.minimal,
        remarks: finished.remarks,
        ..no_find(mutant, subject)
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
