//! Finds mutants that compile to the same code as an earlier mutant, so that they need not be run.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

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
}
