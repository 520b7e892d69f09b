//! Finds the places that two programs have in common.

use std::collections::{BTreeSet, HashMap};

use crate::comparison::{Comparison, Stored};
use crate::family::Family;
use crate::grams::{EXCLUDED, GUARANTEE};

/// The maximum number of places of a hash in `b` that are tried for one place in `a`.
const MOST_PLACES: usize = 4;

/// The maximum length of a run, in tokens. A longer region consists of several runs.
const MOST_TOKENS: usize = 1000;

/// The minimum length of a region, in tokens. Shorter ones count as shared, but a reader would see only noise.
const LEAST_TOKENS: usize = 2 * GUARANTEE;

/// The maximum number of regions of a pair. The page and the report must not grow with hostile sources.
const MOST_REGIONS: usize = 100;

/// Lines of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name of the file.
    pub file: String,
    /// The first line, counted from 1.
    pub first_line: u32,
    /// The last line, which is part of the place.
    pub last_line: u32,
}

/// A place in one program and the place in the other that has the same code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The place in the first program.
    pub a: Place,
    /// The place in the second program.
    pub b: Place,
}

/// The regions of a pair, and the number of lines in them.
pub(crate) struct Found {
    pub(crate) regions: Vec<Region>,
    pub(crate) lines_a: usize,
    pub(crate) lines_b: usize,
}

/// A run of equal tokens: the file and the first token in both programs.
#[derive(Clone, Copy)]
struct Run {
    a: (usize, usize),
    b: (usize, usize),
    length: usize,
}

/// Finds the regions of `a` and `b`. Goes through `a`, takes the longest run of equal tokens that begins at each token,
/// and continues behind it. A run has at least [`LEAST_TOKENS`] tokens. Its part of `b` is one that no earlier run took, if
/// there is such a part.
pub(crate) fn find(comparison: &Comparison, family: &Family, a: &Stored, b: &Stored) -> Found {
    let mut places: HashMap<u64, Vec<(usize, usize)>> = HashMap::new();
    for (file, stored) in b.files.iter().enumerate() {
        for (at, hash) in comparison.own_hashes(family, &stored.tokens).into_iter().enumerate() {
            let places = places.entry(hash).or_default();
            if hash != EXCLUDED && places.len() < MOST_PLACES {
                places.push((file, at));
            }
        }
    }
    let mut taken: Vec<Vec<bool>> = b.files.iter().map(|file| vec![false; file.tokens.len()]).collect();
    let mut runs = Vec::new();
    for (file, stored) in a.files.iter().enumerate() {
        let hashes = comparison.own_hashes(family, &stored.tokens);
        let mut at = 0;
        while at < hashes.len() {
            let starts = if hashes[at] == EXCLUDED { None } else { places.get(&hashes[at]) };
            let run = starts.and_then(|starts| longest((a, b), (file, at), starts, &taken));
            let Some(run) = run else {
                at += 1;
                continue;
            };
            taken[run.b.0][run.b.1..run.b.1 + run.length].fill(true);
            runs.push(run);
            at += run.length;
        }
    }
    found(a, b, &runs)
}

/// Returns the longest run from `from` in `a`. Runs at places that are taken come last.
fn longest(
    (a, b): (&Stored, &Stored),
    from: (usize, usize),
    starts: &[(usize, usize)],
    taken: &[Vec<bool>],
) -> Option<Run> {
    let of_a = &a.files[from.0].tokens[from.1..];
    let runs = starts.iter().map(|&(file, at)| {
        let of_b = &b.files[file].tokens[at..];
        let pairs = of_a.iter().zip(of_b).take(MOST_TOKENS);
        let length = pairs.take_while(|(one, other)| one.code == other.code).count();
        Run { a: from, b: (file, at), length }
    });
    runs.filter(|run| run.length >= LEAST_TOKENS).max_by_key(|run| (!taken[run.b.0][run.b.1], run.length))
}

fn found(a: &Stored, b: &Stored, runs: &[Run]) -> Found {
    let place = |program: &Stored, (file, at): (usize, usize), length: usize| {
        let stored = &program.files[file];
        let line = |at: usize| stored.tokens.get(at).map_or(0, |token| token.line);
        Place { file: stored.name.clone(), first_line: line(at), last_line: line(at + length - 1) }
    };
    let mut regions: Vec<Region> = Vec::new();
    let (mut lines_a, mut lines_b) = (BTreeSet::new(), BTreeSet::new());
    for run in runs {
        let (of_a, of_b) = (place(a, run.a, run.length), place(b, run.b, run.length));
        lines_a.extend((of_a.first_line..=of_a.last_line).map(|line| (run.a.0, line)));
        lines_b.extend((of_b.first_line..=of_b.last_line).map(|line| (run.b.0, line)));
        match regions.last_mut().filter(|last| follows(&last.a, &of_a) && follows(&last.b, &of_b)) {
            Some(last) => (last.a.last_line, last.b.last_line) = (of_a.last_line, of_b.last_line),
            None => regions.push(Region { a: of_a, b: of_b }),
        }
    }
    regions.truncate(MOST_REGIONS);
    Found { regions, lines_a: lines_a.len(), lines_b: lines_b.len() }
}

/// Returns whether the second place begins in the last line of the first one, or in the next line.
fn follows(first: &Place, second: &Place) -> bool {
    first.file == second.file && (first.last_line..=first.last_line + 1).contains(&second.first_line)
}
