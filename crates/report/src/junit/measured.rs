//! The results of `crosscheck`, `generate`, `hunt` and `strength` as tests: one for each puzzle, test case, program or
//! mutant.

use std::collections::BTreeMap;

use super::suite::{Outcome, Test};
use crate::hunted::legality;
use referee_event::{
    CaseGenerated, CrosscheckFinished, HuntFinished, MutantFate, MutantFinished, StrengthFinished, SurvivorHunted,
};

/// Returns the test of a puzzle's solvers.
pub(super) fn crosschecked(result: &CrosscheckFinished) -> Test {
    let test = Test { seconds: Some(result.seconds), ..Test::passed("crosscheck", &result.puzzle) };
    if result.disagreements == 0 {
        return test;
    }
    let text = result.smallest.as_ref().map(|example| {
        let answers = example.answers.iter().map(|(solver, answer)| format!("{solver}:\n{answer}\n"));
        format!("{}\n{}\n{}", example.reason, example.input, answers.collect::<String>())
    });
    let message = format!("a disagreement or a wrong answer on {} of {} boards", result.disagreements, result.boards);
    test.with_outcome(Outcome::Failed { message, text: text.unwrap_or_default() })
}

/// Returns the test of a generated test case.
pub(super) fn generated(case: &CaseGenerated) -> Test {
    let test = Test { seconds: case.seconds, ..Test::passed("generate", &case.case) };
    match (&case.message, case.unmatched.is_empty()) {
        (Some(message), _) => test.with_outcome(Outcome::Failed { message: message.clone(), text: String::new() }),
        (None, true) => test,
        (None, false) => test.with_outcome(Outcome::Failed {
            message: "the test case lacks a property that its rule requires".to_owned(),
            text: case.unmatched.join("\n"),
        }),
    }
}

/// Returns the test of a program that was hunted.
pub(super) fn hunted(found: &HuntFinished) -> Test {
    let test = Test { seconds: Some(found.seconds), ..Test::passed("hunt", &found.submission) };
    if !found.found {
        return test;
    }
    test.with_outcome(Outcome::Failed {
        message: failure_message(found.kind.as_deref().unwrap_or_default(), found.message.as_deref()),
        text: texts([&found.input, &found.input_unchecked, &found.expected, &found.got]),
    })
}

fn failure_message(kind: &str, reason: Option<&str>) -> String {
    let kind = if kind == "jury" { "the package's own accepted submissions fail" } else { kind };
    reason.map_or_else(|| kind.to_owned(), |reason| format!("{kind}: {reason}"))
}

fn texts([input, unchecked, expected, got]: [&Option<String>; 4]) -> String {
    let part = |title: &str, text: &Option<String>| text.as_ref().map(|text| format!("{title}:\n{text}\n"));
    let legality = unchecked.as_deref().map(|reason| format!("{}\n", legality(reason)));
    let parts = [part("input", input), legality, part("expected", expected), part("output", got)];
    parts.into_iter().flatten().collect()
}

/// Mutants and the results of hunting them.
#[derive(Default)]
pub(super) struct Mutants {
    /// The tests by number of the mutant, each with the mutant's diff; the diff is empty if the mutant was killed.
    tests: BTreeMap<usize, (Test, String)>,
}

impl Mutants {
    /// Adds a mutant. Ignores a mutant that does not compile, or that compiles to the same code as the program or
    /// another mutant.
    pub(super) fn mutant(&mut self, mutant: &MutantFinished) {
        let name = format!("#{} {}:{}:{} {}", mutant.number, mutant.file, mutant.line, mutant.column, mutant.operator);
        let test = Test::passed(&mutant.program, &name);
        let test = match mutant.fate {
            MutantFate::NotCompiled | MutantFate::SameCode | MutantFate::SameMutant => return,
            MutantFate::Killed => test,
            MutantFate::Declared => {
                let reason = mutant.reason.as_deref().unwrap_or_default();
                Test { output: format!("declared equivalent: {reason}"), ..test }
            }
            // A hunt of the survivor replaces this outcome, unless the hunt is inconclusive.
            MutantFate::Survived => {
                test.with_outcome(Outcome::Skipped("no test case distinguishes the mutant from the program".to_owned()))
            }
            MutantFate::Unjudged => test.with_outcome(Outcome::Error(mutant.message.clone().unwrap_or_default())),
        };
        self.tests.insert(mutant.number, (test, mutant.diff.clone().unwrap_or_default()));
    }

    /// Adds the result of hunting a survivor. If the hunt judged at least one input, was not interrupted and found
    /// nothing, the mutant is probably equivalent, and its test passes.
    pub(super) fn hunted(&mut self, hunted: &SurvivorHunted) {
        let Some((test, diff)) = self.tests.get_mut(&hunted.number) else { return };
        let failed = |message: &str| {
            let texts = texts([&hunted.input, &hunted.input_unchecked, &hunted.expected, &hunted.got]);
            Outcome::Failed { message: message.to_owned(), text: format!("{diff}{texts}") }
        };
        if hunted.killed {
            test.outcome = failed("the test data lacks the input that the hunt found");
        } else if hunted.kind.is_some() {
            test.outcome = failed("an accepted submission of the package fails on the input that the hunt found");
        } else if hunted.tried > hunted.unjudged && !hunted.interrupted {
            let word = if hunted.exhausted { "equivalent on all" } else { "probably equivalent after" };
            test.outcome = Outcome::Passed;
            test.output = format!("{word} {} inputs\n{diff}", hunted.tried);
        }
    }

    /// Returns the tests of all mutants, and a failed test for each wrong declaration of an equivalent mutant.
    pub(super) fn tests(self, sum: &StrengthFinished) -> Vec<Test> {
        let wrong = sum.wrongly_declared.iter().enumerate().map(|(index, words)| {
            let name = format!("declaration {}", index + 1);
            let outcome = Outcome::Failed { message: words.clone(), text: String::new() };
            Test::passed("equivalent_mutants.yaml", &name).with_outcome(outcome)
        });
        self.tests.into_values().map(|(test, _)| test).chain(wrong).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_on_which_the_packages_own_submissions_fail_is_told_in_words() {
        let reason = "the accepted submission a.c gets WA: no";
        let wanted = format!("the package's own accepted submissions fail: {reason}");
        assert_eq!(failure_message("jury", Some(reason)), wanted);
        assert_eq!(failure_message("RTE", Some("exit code 1")), "RTE: exit code 1");
        assert_eq!(failure_message("WA", None), "WA");
    }

    #[test]
    fn solvers_that_disagree_fail_with_the_board_and_what_each_says() {
        let Outcome::Failed { message, text } = crosschecked(&CrosscheckFinished::disputed()).outcome else {
            panic!("it fails")
        };
        assert_eq!(message, "a disagreement or a wrong answer on 1 of 2 boards");
        assert_eq!(text, "bfs says 1, table says 2\nbw\nwb\n\nbfs:\n1\n\ntable:\n2\n\n");
    }
}
