//! Finds mutants that compile to the same code as an earlier mutant, so that they need not be run.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::against::Compiled;
use super::mutants::Mutant;
use referee_judge::Digest;

/// The mutants with the smallest numbers so far, by the program that was mutated and the code that they compile to.
#[derive(Default)]
pub(super) struct Products(Mutex<HashMap<(usize, Digest), usize>>);

impl Products {
    /// Records that the mutant compiles to this code. Returns the number of an earlier mutant of the program that
    /// compiles to the same code; `None` if no such mutant was compiled yet. With several workers, an earlier mutant
    /// may be compiled later.
    pub(super) fn earlier(&self, mutant: &Mutant, product: Digest) -> Option<usize> {
        // Every change is a single assignment, so the map is intact even after a panic.
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let first = first.entry((mutant.subject, product)).or_insert(mutant.number);
        *first = mutant.number.min(*first);
        (*first < mutant.number).then_some(*first)
    }
}

/// What the code of a reported mutant is equal to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Likeness {
    /// The mutant has the same code as the program.
    Program,
    /// The mutant has the same code as the mutant with this number, which was reported earlier.
    Mutant(usize),
    /// The mutant's code is new, or it has none.
    New,
}

/// The mutants reported so far, by the program that was mutated and their code.
#[derive(Default)]
pub(super) struct Reported(HashMap<(usize, Digest), Likeness>);

impl Reported {
    /// Adds a mutant. Returns what its code is like. A mutant that was run in a metamutant and compiled alone has two
    /// digests; either of them shows a likeness.
    pub(super) fn add(&mut self, mutant: &Mutant, compiled: Compiled, in_metamutant: Option<Digest>) -> Likeness {
        let own = if let Compiled::Different(product) = compiled { Some(product) } else { None };
        let keys = [in_metamutant, own].map(|digest| Some((mutant.subject, digest?)));
        let known = keys.iter().flatten().find_map(|key| self.0.get(key)).copied();
        let likeness = if compiled == Compiled::Same { Likeness::Program } else { known.unwrap_or(Likeness::New) };
        let of_others = if likeness == Likeness::New { Likeness::Mutant(mutant.number) } else { likeness };
        for key in keys.into_iter().flatten() {
            self.0.entry(key).or_insert(of_others);
        }
        likeness
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::{Mutation, Operator};

    fn mutant(number: usize, subject: usize) -> Mutant {
        let (operator, replacement) = (Operator::Boundary, String::new());
        let mutation = Mutation { operator, span: 0..0, replacement, line: 1, column: 1 };
        Mutant { number, subject, file: 0, mutation }
    }

    #[test]
    fn only_earlier_mutants_of_the_same_program_count() {
        let products = Products::default();
        let earlier = |number, subject, product| products.earlier(&mutant(number, subject), [product; 32]);
        assert_eq!(earlier(5, 0, 1), None);
        assert_eq!(earlier(5, 0, 1), None, "a mutant is not earlier than itself");
        assert_eq!([earlier(6, 0, 1), earlier(7, 0, 2), earlier(8, 1, 1)], [Some(5), None, None]);
        // An earlier mutant that is compiled later must be run, and it is the first one from then on.
        assert_eq!([earlier(3, 0, 1), earlier(9, 0, 1)], [None, Some(3)]);
    }

    #[test]
    fn a_mutant_is_like_the_first_one_with_either_of_its_digests() {
        let mut reported = Reported::default();
        let different = |product| Compiled::Different([product; 32]);
        let mut add = |number, subject, compiled, in_metamutant: Option<u8>| {
            reported.add(&mutant(number, subject), compiled, in_metamutant.map(|digest| [digest; 32]))
        };
        assert_eq!(add(1, 0, different(1), None), Likeness::New);
        assert_eq!(add(2, 0, different(1), None), Likeness::Mutant(1));
        assert_eq!(add(3, 1, different(1), None), Likeness::New, "another program");
        // A survivor is compiled alone after its run in the metamutant. The next one with its code there is not run.
        assert_eq!(add(4, 0, different(5), Some(4)), Likeness::New);
        assert_eq!(add(5, 0, different(4), None), Likeness::Mutant(4));
        assert_eq!(add(6, 0, different(5), Some(6)), Likeness::Mutant(4));
        assert_eq!(add(7, 0, different(6), None), Likeness::Mutant(4));
        assert_eq!(add(8, 0, Compiled::Same, Some(8)), Likeness::Program);
        assert_eq!(add(9, 0, different(8), None), Likeness::Program);
        assert_eq!(add(10, 0, Compiled::Failed, None), Likeness::New);
    }
}
