//! Divides the mutants into groups that are compiled together.

use std::sync::{Mutex, PoisonError};

use super::mutants::Mutant;
use referee_judge::JudgeError;

/// Maximum number of mutants that are compiled together. Starting a compiler takes as long as compiling about twenty
/// small programs, so larger groups would save little. While a group is compiled, no mutant of the group can run.
const MOST: usize = 64;

/// The groups of mutants that are compiled together.
pub(super) struct Groups<'m>(Vec<Group<'m>>);

/// Mutants of one program.
struct Group<'m> {
    mutants: &'m [Mutant],
    /// Whether the group was compiled.
    is_compiled: Mutex<bool>,
}

impl<'m> Groups<'m> {
    /// Divides the mutants into groups. They must be ordered by their numbers.
    pub(super) fn of(mutants: &'m [Mutant]) -> Groups<'m> {
        let of_one_program = mutants.chunk_by(|one, other| one.subject == other.subject);
        let group = |mutants| Group { mutants, is_compiled: Mutex::new(false) };
        Groups(of_one_program.flat_map(|mutants| mutants.chunks(MOST)).map(group).collect())
    }

    /// Calls `compile` with the group of this mutant, unless the group was compiled before. Other callers for the same
    /// group wait. Fails if `compile` fails.
    pub(super) fn compile(
        &self,
        mutant: &Mutant,
        compile: &dyn Fn(&[Mutant]) -> Result<(), JudgeError>,
    ) -> Result<(), JudgeError> {
        let after = self.0.partition_point(|group| group.mutants.iter().all(|one| one.number < mutant.number));
        let Some(group) = self.0.get(after) else { return Ok(()) };
        let mut is_compiled = group.is_compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if !*is_compiled {
            // A group of one mutant gains nothing.
            if group.mutants.len() > 1 {
                compile(group.mutants)?;
            }
            *is_compiled = true;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::mutate::{Mutation, Operator};

    fn mutant(number: usize, subject: usize) -> Mutant {
        let (operator, replacement) = (Operator::Boundary, String::new());
        Mutant {
            number,
            subject,
            file: 0,
            mutation: Mutation { operator, span: 0..0, replacement, line: 1, column: 1 },
        }
    }

    #[test]
    fn a_group_has_mutants_of_one_program_and_is_compiled_once() {
        // Numbers are missing, as in a sample.
        let mutants: Vec<_> = (1..=150).map(|number| mutant(2 * number, usize::from(number > 100))).collect();
        let (groups, compiled) = (Groups::of(&mutants), RefCell::new(Vec::new()));
        let compile = |group: &[Mutant]| {
            compiled.borrow_mut().push((group[0].number, group[group.len() - 1].number));
            Ok(())
        };
        for mutant in [&mutants[149], &mutants[0], &mutants[63], &mutants[64], &mutants[99], &mutants[100]] {
            groups.compile(mutant, &compile).unwrap();
        }
        assert_eq!(compiled.into_inner(), [(202, 300), (2, 128), (130, 200)]);
    }

    #[test]
    fn a_group_of_one_is_not_compiled_together() {
        let mutants = [mutant(1, 0), mutant(2, 1)];
        let groups = Groups::of(&mutants);
        groups.compile(&mutants[0], &|_| panic!("one mutant gains nothing")).unwrap();
    }
}
