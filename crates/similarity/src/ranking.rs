//! Finds the pairs of programs that share the most.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::comparison::{Comparison, Stored, Unfit};
use crate::family::Family;
use crate::regions::{self, Region};
use crate::weights::Weights;

/// The least weight of a program's fingerprints. Two shorter programs are similar by chance.
const LEAST_WEIGHT: f64 = 10.0;

/// Two programs that share code.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The first program, in the order in which the programs were added.
    pub a: String,
    /// The second program.
    pub b: String,
    /// The share of `a` that is also in `b`, from 0 to 1. Template and common code do not count.
    pub share_of_a: f64,
    /// The share of `b` that is also in `a`, from 0 to 1.
    pub share_of_b: f64,
    /// What pairs are sorted by: see [`similarity`].
    pub similarity: f64,
    /// The number of lines of `a` in regions.
    pub lines_a: usize,
    /// The number of lines of `b` in regions.
    pub lines_b: usize,
    /// The places that both have in common, in the order of `a`.
    pub regions: Vec<Region>,
}

/// The result of a comparison.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Similar {
    /// The most similar pairs, the most similar first.
    pub pairs: Vec<Pair>,
    /// The number of pairs at or above the threshold, also if `pairs` does not have them all.
    pub similar: usize,
    /// The number of programs that were compared.
    pub compared: usize,
    /// The programs that were not compared, with the reason.
    pub skipped: Vec<(String, Unfit)>,
    /// The programs of which only the beginning was compared.
    pub cut: Vec<String>,
}

/// Returns the similarity of two programs from the shares of both.
pub(crate) fn similarity(share_of_a: f64, share_of_b: f64) -> f64 {
    f64::midpoint(share_of_a, share_of_b)
}

/// A pair by its indices in the family's programs.
#[derive(Clone, Copy)]
struct Candidate {
    a: usize,
    b: usize,
    share_of_a: f64,
    share_of_b: f64,
}

impl Candidate {
    /// Orders by similarity, the highest first, and then by position.
    fn order(&self, other: &Candidate) -> Ordering {
        let of = |one: &Candidate| similarity(one.share_of_a, one.share_of_b);
        of(other).total_cmp(&of(self)).then((self.a, self.b).cmp(&(other.a, other.b)))
    }
}

/// Compares all programs, and returns the `most` most similar pairs.
pub(crate) fn rank(mut comparison: Comparison, most: usize, threshold: f64) -> Similar {
    let mut similar = Similar { cut: std::mem::take(&mut comparison.cut), ..Similar::default() };
    similar.skipped = std::mem::take(&mut comparison.skipped);
    let families = std::mem::take(&mut comparison.families);
    for (family, programs) in &families {
        let weights = Weights::of(programs.iter().map(|program| program.prints.as_slice()));
        let totals: Vec<_> = programs.iter().map(|program| total(program, &weights)).collect();
        for (program, total) in programs.iter().zip(&totals) {
            if *total < LEAST_WEIGHT {
                similar.skipped.push((program.name.clone(), Unfit::TooShort));
            } else {
                similar.compared += 1;
            }
        }
        let (candidates, at_threshold) = candidates(programs, &weights, &totals, (most, threshold));
        similar.similar += at_threshold;
        similar.pairs.extend(candidates.iter().map(|one| pair(&comparison, family, programs, one)));
    }
    similar.pairs.sort_by(|one, other| other.similarity.total_cmp(&one.similarity));
    similar.pairs.truncate(most);
    similar
}

fn total(program: &Stored, weights: &Weights) -> f64 {
    program.prints.iter().map(|&print| weights.of_print(print)).sum()
}

/// Returns the `most` most similar pairs of a family, and the number of pairs at or above the threshold.
fn candidates(
    programs: &[Stored],
    weights: &Weights,
    totals: &[f64],
    (most, threshold): (usize, f64),
) -> (Vec<Candidate>, usize) {
    let mut holders: HashMap<u64, Vec<u32>> = HashMap::new();
    for (index, program) in programs.iter().enumerate().filter(|(index, _)| totals[*index] >= LEAST_WEIGHT) {
        for print in program.prints.iter().filter(|&&print| weights.of_print(print) > 0.0) {
            holders.entry(*print).or_default().push(index as u32);
        }
    }
    let (mut best, mut shared, mut at_threshold) = (Vec::new(), vec![0.0; programs.len()], 0);
    for (a, program) in programs.iter().enumerate() {
        for print in &program.prints {
            let Some(list) = holders.get(print).filter(|list| list.len() > 1) else { continue };
            let weight = weights.of_print(*print);
            // The programs are in ascending order, so those after `a` are at the end of the list.
            for &b in list.iter().rev().take_while(|&&b| b as usize > a) {
                shared[b as usize] += weight;
            }
        }
        for (b, weight) in shared.iter_mut().enumerate().skip(a + 1) {
            let weight = std::mem::take(weight);
            let is_same = program.author.is_some() && program.author == programs[b].author;
            if weight > 0.0 && !is_same && totals[a] >= LEAST_WEIGHT {
                let share_of = |total: f64| (weight / total).min(1.0);
                let pair = Candidate { a, b, share_of_a: share_of(totals[a]), share_of_b: share_of(totals[b]) };
                at_threshold += usize::from(similarity(pair.share_of_a, pair.share_of_b) >= threshold);
                best.push(pair);
            }
        }
        if best.len() > 4 * most.max(1000) {
            keep_best(&mut best, most);
        }
    }
    keep_best(&mut best, most);
    (best, at_threshold)
}

fn keep_best(best: &mut Vec<Candidate>, most: usize) {
    best.sort_by(Candidate::order);
    best.truncate(most);
}

fn pair(comparison: &Comparison, family: &Family, programs: &[Stored], one: &Candidate) -> Pair {
    let (a, b) = (&programs[one.a], &programs[one.b]);
    let found = regions::find(comparison, family, a, b);
    Pair {
        a: a.name.clone(),
        b: b.name.clone(),
        share_of_a: one.share_of_a,
        share_of_b: one.share_of_b,
        similarity: similarity(one.share_of_a, one.share_of_b),
        lines_a: found.lines_a,
        lines_b: found.lines_b,
        regions: found.regions,
    }
}
