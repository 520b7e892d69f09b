//! Compares [`GroupScorer`] with a model that evaluates the whole tree at once, without order, skipped cases or states.

mod dated;
mod domjudge;
mod legacy;

use proptest::prelude::*;

use super::*;
use crate::verdict::Verdict;

/// The result of a test case of a generated package. The multiplier is in hundredths.
#[derive(Clone, Copy, Debug)]
struct Made {
    verdict: Verdict,
    multiplier: Option<u64>,
}

fn verdicts() -> impl Strategy<Value = Verdict> {
    // Accepted cases are the most frequent, because they affect most rules.
    prop_oneof![
        6 => Just(Verdict::Accepted),
        1 => Just(Verdict::WrongAnswer),
        1 => Just(Verdict::RunTimeError),
        1 => Just(Verdict::TimeLimitExceeded),
    ]
}

fn made() -> impl Strategy<Value = Made> {
    (verdicts(), proptest::option::weighted(0.3, 0..=100_u64))
        .prop_map(|(verdict, multiplier)| Made { verdict, multiplier })
}

fn group(name: &str, parent: Option<usize>, children: Vec<Child>, way: Way) -> TestGroup {
    TestGroup { name: name.to_owned(), parent, children, way }
}

fn no_grader(_: &[String], _: &[SubResult]) -> GraderResult {
    Err("there is none".to_owned())
}

/// Scores `results`, one for each test case of `tree`. Returns the outcome, and the indices of the test cases whose
/// results count, in order.
fn outcome(tree: &Tree, results: &[Made]) -> (Outcome, Vec<usize>) {
    let mut scorer = GroupScorer::new(tree);
    let (mut case, mut asked) = (0, Vec::new());
    while case < results.len() {
        match scorer.reach(case, &mut no_grader) {
            Relevance::SkipTo(end) => {
                assert!(end > case, "it goes on");
                case = end;
            }
            Relevance::Counts => {
                asked.push(case);
                let made = results[case];
                // The validator follows the rules: it writes no multiplier where that is forbidden.
                let may_write = matches!(scorer.rule(case), CaseRule::Bounded(_)) && made.verdict == Verdict::Accepted;
                let part = made.multiplier.filter(|_| may_write).map(|part| Written::Number(Score::whole(part) / 100));
                let given = Given { score: None, multiplier: part };
                let score = scorer.rule(case).score(made.verdict, &given).expect("it keeps the rules");
                scorer.add(case, made.verdict, score);
                case += 1;
            }
        }
    }
    (scorer.finish(&mut no_grader), asked)
}
