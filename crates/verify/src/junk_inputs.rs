//! Runs the input validators on corrupted inputs. A strict validator rejects them.

use std::collections::{BTreeMap, HashSet};

use super::Check;
use super::bench::{Bench, not_tried};
use super::finding::{Finding, Outcome, counted};
use super::inputs::{abort_remarks, is_exhausted, rejects, why_no_validator};
use super::mutations::{self, Mutation};
use referee_event::Gravity;
use referee_files::regular;
use referee_judge::{InputExaminer, InputVerdict, JudgeError};
use referee_package::{Package, TestCase};

/// The maximum number of inputs of the package that are corrupted.
const PICKED: usize = 4;

/// The number of times that the validators run on each unchanged input. All runs must give the same result.
const TIMES: usize = 5;

/// If at least this many corrupted inputs are tried and the validators accept them all, a single finding says so.
const MANY: usize = 10;

/// An input of the package, to be corrupted.
struct Picked<'a> {
    case: &'a TestCase,
    bytes: Vec<u8>,
}

pub(super) fn check(bench: &Bench<'_>) -> Result<Outcome, JudgeError> {
    let examiner = bench.input_examiner()?;
    if examiner.names().is_empty() {
        return Ok(Outcome::skipped(why_no_validator(examiner)));
    }
    if !examiner.unusable().is_empty() {
        let reason =
            "some input validators cannot be run, so it is unknown whether the package rejects corrupted inputs";
        return Ok(Outcome::skipped(reason));
    }
    let (picked, real) = pick(bench.package);
    let mut crash = None;
    for picked in &picked {
        let verdicts = examiner.judge(picked.case)?;
        if is_exhausted(&verdicts) {
            let reason =
                format!("an input validator exceeds its limits on the unchanged input of {}", picked.case.name);
            return Ok(Outcome::skipped(reason));
        }
        let failed =
            verdicts.iter().position(|verdict| matches!(verdict, InputVerdict::Aborted(_) | InputVerdict::Failed(_)));
        crash = crash.or(failed.map(|index| (index, picked.case)));
    }
    let mut findings = nondeterministic(bench, examiner, &picked)?;
    // If a validator fails on valid inputs, its failures on corrupted ones mean nothing.
    if let Some((index, case)) = crash {
        let reason =
            format!("the input validator {} fails on the unchanged input of {}", examiner.names()[index], case.name);
        return Ok(Outcome { findings, ..Outcome::skipped(reason) });
    }
    let tasks: Vec<_> = picked
        .iter()
        .flat_map(|picked| mutations::of(&picked.bytes).into_iter().map(move |mutation| (picked, mutation)))
        .filter(|(_, mutation)| mutation.variants.iter().all(|variant| !real.contains(&hash(variant))))
        .collect();
    let exhausted = |reaction: &Reaction| matches!(reaction, Reaction::Exhausted(..));
    let run = |(picked, mutation): &(&Picked<'_>, Mutation)| try_variants(examiner, picked.case, mutation);
    let reactions = bench.each_until(Check::JunkInputs, &tasks, exhausted, run)?;
    findings.extend(not_tried(tasks.len(), reactions.len(), "corrupted input"));
    findings.extend(findings_on(&tasks, &reactions, &examiner.names(), gravity_of_failures(bench.package)));
    findings.extend(abort_remarks(bench, examiner));
    let about = format!("{} corrupted in {}", counted(picked.len(), "input"), counted(tasks.len(), "way"));
    Ok(Outcome { about, findings, skipped: None })
}

/// Returns a few inputs of different sizes, and the hashes of all inputs. Neither includes inputs of more than
/// [`mutations::LARGEST_BYTES`] bytes.
fn pick(package: &Package) -> (Vec<Picked<'_>>, HashSet<blake3::Hash>) {
    let mut read = Vec::new();
    let mut real = HashSet::new();
    for case in package.cases.iter() {
        let Ok(bytes) = regular::read(&case.input(), mutations::LARGEST_BYTES as u64) else { continue };
        real.insert(hash(&bytes));
        read.push((case, bytes.len()));
    }
    read.sort_by_key(|(_, size)| *size);
    let last = read.len().saturating_sub(1);
    let mut places: Vec<_> = (0..PICKED).map(|part| part * last / (PICKED - 1)).collect();
    places.dedup();
    let picked = places.into_iter().filter_map(|place| read.get(place));
    let picked = picked.filter_map(|&(case, _)| {
        Some(Picked { case, bytes: regular::read(&case.input(), mutations::LARGEST_BYTES as u64).ok()? })
    });
    (picked.collect(), real)
}

fn hash(bytes: &[u8]) -> blake3::Hash {
    blake3::hash(bytes)
}

/// Returns findings on validators that give different results when they run on the same input again.
fn nondeterministic(
    bench: &Bench<'_>,
    examiner: &InputExaminer<'_>,
    picked: &[Picked<'_>],
) -> Result<Vec<Finding>, JudgeError> {
    let names = examiner.names();
    let often = bench.each(Check::JunkInputs, picked, |picked| {
        (0..TIMES).map(|_| examiner.judge(picked.case)).collect::<Result<Vec<_>, _>>()
    })?;
    let mut findings = Vec::new();
    for (picked, verdicts) in picked.iter().zip(&often) {
        let differs =
            |index: &usize| verdicts.iter().any(|verdict| kind(&verdict[*index]) != kind(&verdicts[0][*index]));
        findings.extend((0..names.len()).find(differs).map(|index| {
            let message = format!("the input validator {} gives different results for the same input", names[index]);
            Finding::error(message)
                .on(picked.case.name.to_string())
                .hint("make the validator's result depend only on the input and the arguments")
        }));
    }
    Ok(findings)
}

fn kind(verdict: &InputVerdict) -> u8 {
    match verdict {
        InputVerdict::Valid => 0,
        InputVerdict::Invalid(_) | InputVerdict::Aborted(_) => 1,
        InputVerdict::Failed(_) | InputVerdict::Exhausted(_) => 2,
    }
}

/// The reaction of the input validators to one input, corrupted in one way.
enum Reaction {
    Rejected,
    Accepted,
    /// No validator rejected the input, and the validator with this index failed; the text says how.
    Failed(usize, String),
    /// No validator rejected the input, and the validator with this index exceeded a limit; the text names the limit.
    Exhausted(usize, String),
}

/// Runs the validators on the variants of a mutation, until they reject a variant or a validator fails.
fn try_variants(examiner: &InputExaminer<'_>, case: &TestCase, mutation: &Mutation) -> Result<Reaction, JudgeError> {
    for variant in &mutation.variants {
        let verdicts = examiner.judge_instead(case, variant)?;
        let failed = verdicts.iter().enumerate().find_map(|(index, verdict)| match verdict {
            InputVerdict::Failed(how) => Some(Reaction::Failed(index, how.clone())),
            InputVerdict::Exhausted(how) => Some(Reaction::Exhausted(index, how.clone())),
            _ => None,
        });
        match failed {
            _ if verdicts.iter().any(rejects) => return Ok(Reaction::Rejected),
            Some(reaction) => return Ok(reaction),
            None => {}
        }
    }
    Ok(Reaction::Accepted)
}

/// Returns the severity of the finding on a validator that fails on a corrupted input instead of exiting with code 43.
/// For the legacy format, the finding is only a note: this format accepts every exit code except 42 as a rejection, and
/// validators of legacy packages often use assertions.
fn gravity_of_failures(package: &Package) -> Gravity {
    if package.version.is_legacy() { Gravity::Note } else { Gravity::Warning }
}

/// Returns one finding for each kind of corruption that the validators accept, with the first test case on which they
/// accept it. Also returns one finding on the first failure of a validator. If the validators accept all of at least
/// [`MANY`] corrupted inputs, returns a single finding instead.
fn findings_on(
    tasks: &[(&Picked<'_>, Mutation)],
    reactions: &[Reaction],
    names: &[String],
    failing: Gravity,
) -> Vec<Finding> {
    if reactions.len() >= MANY && reactions.iter().all(|reaction| matches!(reaction, Reaction::Accepted)) {
        let message = format!("the input validators accept every corrupted input ({} tried)", reactions.len());
        let worst = tasks.iter().map(|(_, mutation)| mutation.gravity).min().unwrap_or(Gravity::Warning);
        let finding =
            Finding::new(worst, message).hint("make an input validator exit with code 43 for every invalid input");
        return tasks.first().map(|(picked, _)| finding.on(picked.case.name.to_string())).into_iter().collect();
    }
    let mut accepted: BTreeMap<String, Finding> = BTreeMap::new();
    let mut failed = None;
    for ((picked, mutation), reaction) in tasks.iter().zip(reactions) {
        // The same corruption at another position or of another input is not reported again.
        let kind = mutation.what.split(" in line ").next().unwrap_or_default().to_owned();
        match reaction {
            Reaction::Rejected => {}
            Reaction::Accepted => {
                let message = format!("the input validators accept an input with {}", mutation.what);
                accepted.entry(kind).or_insert_with(|| {
                    Finding::new(mutation.gravity, message).on(picked.case.name.to_string()).hint(format!(
                        "copy data/{}.in with this change to data/invalid_input, and make a validator reject the copy \
                         with exit code 43",
                        picked.case.name
                    ))
                });
            }
            Reaction::Failed(index, how) | Reaction::Exhausted(index, how) => {
                failed.get_or_insert_with(|| {
                    let message = format!(
                        "the input validator {} does not reject an input with {}: it {how}",
                        names[*index], mutation.what
                    );
                    Finding::new(failing, message)
                        .on(picked.case.name.to_string())
                        .hint("make the validator exit with code 43 for every invalid input")
                });
            }
        }
    }
    accepted.into_values().chain(failed).collect()
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{as_lines as lines, assert_lines, test_package};
    use super::*;

    /// Returns the findings on validators that accept every corrupted input. There is one input, corrupted in `ways`
    /// ways.
    fn accepted(ways: usize) -> Vec<String> {
        let fixture = test_package(&[]);
        let picked = Picked { case: &fixture.package.cases[0], bytes: Vec::new() };
        let mutation = |way| Mutation {
            what: format!("fault {way} in line {way}"),
            gravity: if way == 0 { Gravity::Note } else { Gravity::Warning },
            variants: Vec::new(),
        };
        let tasks: Vec<_> = (0..ways).map(|way| (&picked, mutation(way))).collect();
        let reactions: Vec<_> = tasks.iter().map(|_| Reaction::Accepted).collect();
        lines(&findings_on(&tasks, &reactions, &[], Gravity::Warning))
    }

    #[test]
    fn who_accepts_whatever_it_is_given_is_told_once_but_only_if_that_is_much() {
        assert_lines(
            &accepted(MANY),
            &["warning sample/1: the input validators accept every corrupted input (10 tried)"],
        );
        let few = accepted(MANY - 1);
        assert_eq!(few.len(), MANY - 1);
        assert!(few[0].starts_with("note sample/1: the input validators accept an input with fault 0 in line 0"));
    }
}
