//! Runs every fuzz target on its corpus and on randomly changed texts from it.
//!
//! A coverage-guided fuzzer finds more, but this test needs only Rust, so it always runs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a missing file must fail the test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fuzz_targets::ALL;
use referee_random::Random;

/// The maximum number of changed texts per target. The test tries fewer if [`TIME`] runs out.
const TRIES: u64 = 3000;
const TIME: Duration = Duration::from_secs(8);

fn corpus(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

/// Returns a text with a few random changes: bytes are changed, removed, inserted, repeated, or replaced by a piece of
/// another text.
fn changed(texts: &[(PathBuf, Vec<u8>)], random: &mut Random) -> Vec<u8> {
    let pick = |random: &mut Random| texts[random.below(texts.len() as u64) as usize].1.clone();
    let mut text = pick(random);
    for _ in 0..=random.below(4) {
        let place = |random: &mut Random, text: &[u8]| random.below(text.len() as u64 + 1) as usize;
        let (one, other) = (place(random, &text), place(random, &text));
        let (start, end) = (one.min(other), one.max(other).min(one.min(other) + 40));
        match random.below(6) {
            0 => drop(text.drain(start..end)),
            1 => text.insert(start, random.below(256) as u8),
            2 => {
                let piece = text[start..end].to_vec();
                text.splice(start..start, piece);
            }
            3 => {
                let donor = pick(random);
                let from = place(random, &donor);
                let to = donor.len().min(from + 40);
                text.splice(start..end, donor[from..to].iter().copied());
            }
            _ if start < text.len() => text[start] = random.below(256) as u8,
            _ => {}
        }
    }
    text
}

fn try_all(target: &str) {
    let (_, run) = ALL.iter().find(|(name, _)| *name == target).expect("the target is in ALL");
    let texts = corpus(target);
    assert!(texts.len() >= 5, "{target} has a corpus");
    for (path, text) in &texts {
        eprintln!("{}", path.display());
        run(text);
    }
    let (started, mut random) = (Instant::now(), Random::new(8, 0));
    for number in 0..TRIES {
        if started.elapsed() > TIME {
            eprintln!("stopped after {number} of {TRIES} tries, because the time ran out");
            return;
        }
        let text = changed(&texts, &mut random);
        // The test framework shows this output only on failure. The last text is then the one that failed.
        eprintln!("{number}: {}", text.escape_ascii());
        run(&text);
    }
}

#[test]
fn boards_are_read_or_refused() {
    try_all("boards");
}

#[test]
fn checkers_take_what_solvers_say_and_nothing_else() {
    try_all("checkers");
}

#[test]
fn outputs_are_compared_as_the_rules_say() {
    try_all("comparison");
}

#[test]
fn rules_for_making_test_cases_are_read_or_refused() {
    try_all("generators_yaml");
}

#[test]
fn files_of_packages_are_read_or_refused() {
    try_all("package_files");
}

#[test]
fn reports_are_read_or_refused() {
    try_all("reports");
}

#[test]
fn what_is_made_smaller_is_legal_and_smaller() {
    try_all("shrinkers");
}
