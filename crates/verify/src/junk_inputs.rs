//! Runs the input validators on corrupted inputs. A strict validator rejects them.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::Read;

use super::Check;
use super::bench::{Bench, not_asked};
use super::finding::{Finding, Outcome, counted};
use super::inputs::{abort_remarks, is_exhausted, rejects};
use super::mutations::{self, Mutation};
use referee_event::Gravity;
use referee_judge::{InputExaminer, InputVerdict, JudgeError};
use referee_package::{Package, TestCase};

/// The number of inputs of the package that are corrupted.
const PICKED: usize = 4;

/// The number of runs of the validators on each of these inputs while it is unchanged.
const TIMES: usize = 5;

/// The minimum number of corrupted inputs for the finding that validators which accept all of them check nothing.
const MANY: usize = 10;

/// An input of the package, to be corrupted.
struct Picked<'a> {
    case: &'a TestCase,
    bytes: Vec<u8>,
}

pub(super) fn check(bench: &Bench<'_>) -> Result<Outcome, JudgeError> {
    let examiner = bench.inputs()?;
    if examiner.names().is_empty() {
        return Ok(Outcome::skipped("there is no input validator that can be run"));
    }
    if !examiner.unusable().is_empty() {
        return Ok(Outcome::skipped("not every input validator can be run, and another one may reject it"));
    }
    let (picked, real) = pick(bench.package);
    let mut crash = None;
    for picked in &picked {
        let words = examiner.judge(picked.case)?;
        if is_exhausted(&words) {
            return Ok(Outcome::skipped("an input validator exceeds its limits on an unchanged input"));
        }
        let failed = words.iter().position(|word| matches!(word, InputVerdict::Aborted(_) | InputVerdict::Failed(_)));
        crash = crash.or(failed.map(|index| (index, picked.case)));
    }
    let mut findings = unsteady(bench, examiner, &picked)?;
    // If a validator fails on valid inputs, its failures on corrupted ones mean nothing.
    if let Some((index, case)) = crash {
        let reason = format!("the input validator {} fails on {} without changes", examiner.names()[index], case.name);
        return Ok(Outcome { findings, ..Outcome::skipped(reason) });
    }
    let tasks: Vec<_> = picked
        .iter()
        .flat_map(|picked| mutations::of(&picked.bytes).into_iter().map(move |mutation| (picked, mutation)))
        .filter(|(_, mutation)| mutation.variants.iter().all(|variant| !real.contains(&hash(variant))))
        .collect();
    let exhausted = |came: &Came| matches!(came, Came::Exhausted(..));
    let ask = |(picked, mutation): &(&Picked<'_>, Mutation)| all_words(examiner, picked.case, mutation);
    let words = bench.each_until(Check::JunkInputs, &tasks, exhausted, ask)?;
    findings.extend(not_asked(tasks.len(), words.len(), "corrupted input"));
    findings.extend(told(&tasks, &words, &examiner.names(), failing(bench.package)));
    findings.extend(abort_remarks(bench, examiner));
    let about = format!("{} corrupted in {}", counted(picked.len(), "input"), counted(tasks.len(), "way"));
    Ok(Outcome { about, findings, skipped: None })
}

/// Returns a few inputs of different sizes, and the hashes of all inputs that are known to be valid.
fn pick(package: &Package) -> (Vec<Picked<'_>>, HashSet<blake3::Hash>) {
    let mut read = Vec::new();
    let mut real = HashSet::new();
    for case in &package.cases {
        let mut bytes = Vec::new();
        let file = File::open(&case.input).map(|file| file.take(mutations::LARGEST_BYTES as u64 + 1));
        if file.and_then(|mut file| file.read_to_end(&mut bytes)).is_err() || bytes.len() > mutations::LARGEST_BYTES {
            continue;
        }
        real.insert(hash(&bytes));
        read.push((case, bytes.len()));
    }
    read.sort_by_key(|(_, size)| *size);
    let last = read.len().saturating_sub(1);
    let mut places: Vec<_> = (0..PICKED).map(|part| part * last / (PICKED - 1)).collect();
    places.dedup();
    let picked = places.into_iter().filter_map(|place| read.get(place));
    let picked = picked.filter_map(|&(case, _)| Some(Picked { case, bytes: std::fs::read(&case.input).ok()? }));
    (picked.collect(), real)
}

fn hash(bytes: &[u8]) -> blake3::Hash {
    blake3::hash(bytes)
}

/// Returns findings on validators that give different results for the same input.
fn unsteady(
    bench: &Bench<'_>,
    examiner: &InputExaminer<'_>,
    picked: &[Picked<'_>],
) -> Result<Vec<Finding>, JudgeError> {
    let names = examiner.names();
    let often = bench.each(Check::JunkInputs, picked, |picked| {
        (0..TIMES).map(|_| examiner.judge(picked.case)).collect::<Result<Vec<_>, _>>()
    })?;
    let mut findings = Vec::new();
    for (picked, words) in picked.iter().zip(&often) {
        let differs = |index: &usize| words.iter().any(|word| kind(&word[*index]) != kind(&words[0][*index]));
        findings.extend((0..names.len()).find(differs).map(|index| {
            let message = format!("the input validator {} gives different results for the same input", names[index]);
            Finding::error(message)
                .on(picked.case.name.clone())
                .hint("make its result depend only on the input and the arguments")
        }));
    }
    Ok(findings)
}

fn kind(word: &InputVerdict) -> u8 {
    match word {
        InputVerdict::Valid => 0,
        InputVerdict::Invalid(_) | InputVerdict::Aborted(_) => 1,
        InputVerdict::Failed(_) | InputVerdict::Exhausted(_) => 2,
    }
}

/// The result of corrupting one input in one way.
enum Came {
    Rejected,
    Accepted,
    /// No validator rejected it, and the one with this index failed.
    Failed(usize, String),
    /// No validator rejected it, and the one with this index reached a limit.
    Exhausted(usize, String),
}

fn all_words(examiner: &InputExaminer<'_>, case: &TestCase, mutation: &Mutation) -> Result<Came, JudgeError> {
    for variant in &mutation.variants {
        let words = examiner.judge_instead(case, variant)?;
        let failed = words.iter().enumerate().find_map(|(index, word)| match word {
            InputVerdict::Failed(how) => Some(Came::Failed(index, how.clone())),
            InputVerdict::Exhausted(how) => Some(Came::Exhausted(index, how.clone())),
            _ => None,
        });
        match failed {
            _ if words.iter().any(rejects) => return Ok(Came::Rejected),
            Some(came) => return Ok(came),
            None => {}
        }
    }
    Ok(Came::Accepted)
}

/// Returns the severity of a rejection without exit code 43. The older versions of the format accept every exit code
/// except 42 as a rejection, and their validators often use assertions.
fn failing(package: &Package) -> Gravity {
    if package.version.is_legacy() { Gravity::Note } else { Gravity::Warning }
}

/// Returns one finding for each way of corrupting an input, with the first case that shows it.
fn told(tasks: &[(&Picked<'_>, Mutation)], came: &[Came], names: &[String], failing: Gravity) -> Vec<Finding> {
    if came.len() >= MANY && came.iter().all(|came| matches!(came, Came::Accepted)) {
        let message = format!("the input validators accept every corrupted input ({} tried)", came.len());
        let worst = tasks.iter().map(|(_, mutation)| mutation.gravity).min().unwrap_or(Gravity::Warning);
        let finding = Finding::new(worst, message).hint("exit with code 43 for every invalid input");
        return tasks.first().map(|(picked, _)| finding.on(picked.case.name.clone())).into_iter().collect();
    }
    let mut accepted: BTreeMap<String, Finding> = BTreeMap::new();
    let mut failed = None;
    for ((picked, mutation), came) in tasks.iter().zip(came) {
        // The same corruption at another position or of another input is not reported again.
        let kind = mutation.what.split(" in line ").next().unwrap_or_default().to_owned();
        match came {
            Came::Rejected => {}
            Came::Accepted => {
                let message = format!("the input validators accept an input with {}", mutation.what);
                accepted.entry(kind).or_insert_with(|| {
                    Finding::new(mutation.gravity, message).on(picked.case.name.clone()).hint(format!(
                        "copy {}.in, changed this way, to data/invalid_input; a validator must exit with 43",
                        picked.case.name
                    ))
                });
            }
            Came::Failed(index, how) | Came::Exhausted(index, how) => {
                failed.get_or_insert_with(|| {
                    let message = format!(
                        "the input validator {} does not reject an input with {}, it {how}",
                        names[*index], mutation.what
                    );
                    Finding::new(failing, message)
                        .on(picked.case.name.clone())
                        .hint("exit with code 43 for every invalid input")
                });
            }
        }
    }
    accepted.into_values().chain(failed).collect()
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{assert_lines, given, told as lines};
    use super::*;

    /// Returns the findings if the validators accept every corrupted input; the inputs are corrupted in `ways` ways.
    fn accepted(ways: usize) -> Vec<String> {
        let given = given(&[]);
        let picked = Picked { case: &given.package.cases[0], bytes: Vec::new() };
        let mutation = |way| Mutation {
            what: format!("fault {way} in line {way}"),
            gravity: if way == 0 { Gravity::Note } else { Gravity::Warning },
            variants: Vec::new(),
        };
        let tasks: Vec<_> = (0..ways).map(|way| (&picked, mutation(way))).collect();
        let came: Vec<_> = tasks.iter().map(|_| Came::Accepted).collect();
        lines(&told(&tasks, &came, &[], Gravity::Warning))
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
