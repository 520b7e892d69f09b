//! Finds the smallest set of test cases that kills the same mutants as all test cases. This module does no I/O.
//!
//! This is the hitting set problem. First, redundant mutants are removed: if every test case that kills mutant A also
//! kills mutant B, then B adds no requirement. If only one test case kills a mutant, that test case is in every
//! solution; in practice, such test cases kill most mutants. A greedy choice then gives a valid set. Finally, a branch
//! and bound search finds a smaller set, proves that there is none, or gives up after a bounded number of steps.

/// The indices of the test cases that kill a mutant, in increasing order.
pub(super) type Killers = Vec<usize>;

/// A set of test cases that kills every mutant that can be killed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cover {
    /// The indices of the chosen test cases, in increasing order.
    pub(super) cases: Vec<usize>,
    /// Whether the search proved that no smaller set exists.
    pub(super) is_smallest: bool,
}

/// The limit of the search: the total number of mutants visited over all branches.
const MOST_STEPS: usize = 5_000_000;

/// Returns a set of test cases that kills each mutant: the smallest one, unless the search reaches its limit. Mutants
/// that no test case kills are ignored.
pub(super) fn cover(mutants: &[Killers]) -> Cover {
    let requirements = without_redundant(mutants);
    let greedy = greedy(&requirements);
    let mut search = Search { requirements: &requirements, best: greedy, steps: 0 };
    search.branch(&mut Vec::new());
    let is_smallest = search.steps < MOST_STEPS;
    let mut cases = search.best;
    cases.sort_unstable();
    Cover { cases, is_smallest }
}

/// Removes mutants without killers, duplicates, and redundant mutants. Mutant B is redundant if all test cases that
/// kill some mutant A also kill B. Returns the remaining mutants, those with the fewest killers first.
fn without_redundant(mutants: &[Killers]) -> Vec<Killers> {
    let mut all: Vec<Killers> = mutants.iter().filter(|killers| !killers.is_empty()).cloned().collect();
    all.sort_by(|one, other| one.len().cmp(&other.len()).then_with(|| one.cmp(other)));
    all.dedup();
    let mut kept: Vec<Killers> = Vec::new();
    for killers in all {
        if !kept.iter().any(|other| is_subset(other, &killers)) {
            kept.push(killers);
        }
    }
    kept
}

/// Returns whether `superset` contains every element of `subset`. Both must be sorted.
fn is_subset(subset: &[usize], superset: &[usize]) -> bool {
    subset.iter().all(|case| superset.binary_search(case).is_ok())
}

/// Repeatedly chooses the test case that kills the largest number of remaining mutants, or the first of several such
/// test cases.
fn greedy(requirements: &[Killers]) -> Vec<usize> {
    let mut left: Vec<&Killers> = requirements.iter().collect();
    let mut chosen = Vec::new();
    while let Some(case) = most_wanted(&left) {
        chosen.push(case);
        left.retain(|killers| killers.binary_search(&case).is_err());
    }
    chosen
}

fn most_wanted(left: &[&Killers]) -> Option<usize> {
    let most = left.iter().flat_map(|killers| killers.iter().copied()).max()?;
    let mut counts = vec![0_usize; most + 1];
    for case in left.iter().flat_map(|killers| killers.iter()) {
        counts[*case] += 1;
    }
    let best = counts.iter().copied().max()?;
    counts.iter().position(|count| *count == best)
}

struct Search<'a> {
    requirements: &'a [Killers],
    best: Vec<usize>,
    steps: usize,
}

impl Search<'_> {
    /// Takes the first mutant that no chosen test case kills, and tries each test case that kills it. The mutants are
    /// ordered by their number of killers, so this mutant has the fewest killers of those that are left. The recursion
    /// depth is at most the size of the greedy choice.
    fn branch(&mut self, chosen: &mut Vec<usize>) {
        self.steps += self.requirements.len().max(1);
        if self.steps >= MOST_STEPS {
            return;
        }
        let left: Vec<&Killers> =
            self.requirements.iter().filter(|killers| !killers.iter().any(|case| chosen.contains(case))).collect();
        let Some(first) = left.first() else {
            if chosen.len() < self.best.len() {
                self.best.clone_from(chosen);
            }
            return;
        };
        if chosen.len() + lower_bound(&left) >= self.best.len() {
            return;
        }
        for case in *first {
            chosen.push(*case);
            self.branch(chosen);
            chosen.pop();
        }
    }
}

/// Returns a lower bound on the number of test cases that are needed: the size of a greedily chosen set of mutants, no
/// two of which have a killer in common.
fn lower_bound(left: &[&Killers]) -> usize {
    let mut taken: Vec<&Killers> = Vec::new();
    for killers in left {
        if !taken.iter().any(|other| killers.iter().any(|case| other.binary_search(case).is_ok())) {
            taken.push(killers);
        }
    }
    taken.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn smallest(mutants: &[&[usize]]) -> Vec<usize> {
        let cover = cover(&mutants.iter().map(|killers| killers.to_vec()).collect::<Vec<_>>());
        assert!(cover.is_smallest);
        cover.cases
    }

    #[test]
    fn a_case_that_alone_kills_a_mutant_is_needed() {
        assert_eq!(smallest(&[&[0, 1, 2], &[2], &[5]]), [2, 5]);
        assert_eq!(smallest(&[]), [0; 0]);
        assert_eq!(smallest(&[&[], &[3]]), [3]);
    }

    #[test]
    fn the_case_that_kills_most_is_not_always_needed() {
        // The greedy choice takes case 9, which kills four of the six mutants. It then needs two more cases for the
        // other two mutants.
        let mutants: [&[usize]; 6] = [&[1, 3, 9], &[1, 4, 9], &[2, 5, 9], &[2, 6, 9], &[1, 7], &[2, 8]];
        assert_eq!(greedy(&without_redundant(&mutants.map(<[usize]>::to_vec))), [9, 1, 2]);
        assert_eq!(smallest(&mutants), [1, 2]);
    }

    #[test]
    fn many_mutants_on_many_cases_end_soon() {
        // A cycle of 300 test cases, in which each pair of neighbours kills one mutant.
        let ring: Vec<Killers> = (0..300).map(|at| vec![at.min((at + 1) % 300), at.max((at + 1) % 300)]).collect();
        let cover = cover(&ring);
        assert!((150..=200).contains(&cover.cases.len()));
        assert!(ring.iter().all(|killers| killers.iter().any(|case| cover.cases.contains(case))));
    }

    proptest! {
        #[test]
        fn no_smaller_set_kills_all(
            mutants in prop::collection::vec(prop::collection::btree_set(0_usize..9, 1..5), 0..14)
        ) {
            let mutants: Vec<Killers> = mutants.into_iter().map(|killers| killers.into_iter().collect()).collect();
            let hits = |set: u32| mutants.iter().all(|killers| killers.iter().any(|case| set >> case & 1 == 1));
            let fewest = (0_u32..1 << 9).filter(|set| hits(*set)).map(u32::count_ones).min().unwrap();
            let cover = cover(&mutants);
            prop_assert!(cover.is_smallest);
            prop_assert_eq!(cover.cases.len(), fewest as usize);
            prop_assert!(hits(cover.cases.iter().map(|case| 1 << case).sum()));
        }
    }
}
