//! Divides the mutants into groups that are compiled together.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};

use super::metamutant::{Draft, Metamutant, Program};
use super::mutants::Mutant;
use super::subject::Subject;
use referee_judge::{Digest, JudgeError};

/// Maximum number of mutants that are compiled together. Starting a compiler takes as long as compiling about twenty
/// small programs, so larger groups would save little. While a group is compiled, no mutant of the group can run.
const MOST: usize = 64;

/// The groups of mutants that are compiled together.
pub(super) struct Groups<'m>(Vec<Group<'m>>);

/// Mutants of one program.
pub(super) struct Group<'m> {
    mutants: &'m [Mutant],
    subject: &'m Subject,
    /// The program for metamutants, which all groups of its mutants share. It is read when it is first needed.
    program: Arc<OnceLock<Option<Arc<Program>>>>,
    /// The metamutant that can contain the mutants; `None` if there is none. It is written when it is first needed.
    draft: OnceLock<Option<Draft<'m>>>,
    progress: Mutex<Progress>,
}

/// What was done with the mutants of a group.
#[derive(Default)]
struct Progress {
    is_compiled: bool,
    metamutant: Option<Arc<Metamutant>>,
    /// The number of mutants that need not be run any more.
    finished: usize,
}

/// Compiles mutants of one program together. Returns the metamutant that contains them; `None` if there is none.
type Compile<'a> = dyn Fn(&[Mutant], Option<&Draft<'_>>) -> Result<Option<Metamutant>, JudgeError> + 'a;

impl<'m> Groups<'m> {
    /// Divides the mutants of these programs into groups. They must be ordered by their numbers.
    pub(super) fn of(mutants: &'m [Mutant], subjects: &'m [Subject]) -> Groups<'m> {
        let mut groups = Vec::new();
        for of_one_program in mutants.chunk_by(|one, other| one.subject == other.subject) {
            let program = Arc::default();
            groups.extend(of_one_program.chunks(MOST).map(|mutants| Group {
                mutants,
                subject: &subjects[mutants[0].subject],
                program: Arc::clone(&program),
                draft: OnceLock::new(),
                progress: Mutex::default(),
            }));
        }
        Groups(groups)
    }

    /// Returns the group that contains the mutant.
    pub(super) fn of_mutant(&self, mutant: &Mutant) -> Option<&Group<'m>> {
        self.0.get(self.index(mutant))
    }

    fn index(&self, mutant: &Mutant) -> usize {
        self.0.partition_point(|group| group.mutants.iter().all(|one| one.number < mutant.number))
    }

    /// Calls `compile` with the group of the mutant and its metamutant, unless it was called before. If another caller
    /// is compiling this group, compiles the next group that was not begun, and then waits. Returns the compiled
    /// metamutant. Fails if `compile` fails.
    pub(super) fn compile(
        &self,
        mutant: &Mutant,
        compile: &Compile<'_>,
    ) -> Result<Option<Arc<Metamutant>>, JudgeError> {
        let index = self.index(mutant);
        let Some(group) = self.0.get(index) else { return Ok(None) };
        if let Err(TryLockError::WouldBlock) = group.progress.try_lock() {
            for later in &self.0[index + 1..] {
                if let Ok(progress) = later.progress.try_lock()
                    && !progress.is_compiled
                {
                    later.compile(progress, compile)?;
                    break;
                }
            }
        }
        group.compile(group.progress.lock().unwrap_or_else(PoisonError::into_inner), compile)
    }
}

impl<'m> Group<'m> {
    /// Identifies the metamutant that can contain the mutants; `None` if there is none.
    pub(super) fn metamutant(&self) -> Option<Digest> {
        self.draft().map(|draft| draft.id)
    }

    fn draft(&self) -> Option<&Draft<'m>> {
        let program = || self.program.get_or_init(|| Program::of(self.subject).map(Arc::new)).as_ref();
        self.draft.get_or_init(|| Draft::of(program()?, self.mutants)).as_ref()
    }

    /// Calls `compile` with the mutants and their metamutant, unless it was called before.
    fn compile(
        &self,
        mut progress: MutexGuard<'_, Progress>,
        compile: &Compile<'_>,
    ) -> Result<Option<Arc<Metamutant>>, JudgeError> {
        if !progress.is_compiled {
            // A group of one mutant gains nothing.
            if self.mutants.len() > 1 {
                progress.metamutant = compile(self.mutants, self.draft())?.map(Arc::new);
            }
            progress.is_compiled = true;
        }
        Ok(progress.metamutant.clone())
    }

    /// Records that a mutant of the group was run. Removes the metamutant after the last one.
    pub(super) fn finish_one(&self) {
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        progress.finished += 1;
        if progress.finished == self.mutants.len() {
            progress.metamutant = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::mutate::{Grammar, Mutation, Operator};
    use crate::subject::Role;

    fn mutant(number: usize, subject: usize) -> Mutant {
        let (operator, replacement) = (Operator::Boundary, String::new());
        Mutant {
            number,
            subject,
            file: 0,
            mutation: Mutation { operator, span: 0..0, replacement, line: 1, column: 1 },
        }
    }

    fn subject() -> Subject {
        let (name, path, tools) = ("accepted/a.cpp".to_owned(), "a.cpp".into(), Vec::new());
        Subject { name, role: Role::Submission, index: 0, path, grammar: Grammar::Cpp, tools, sources: Vec::new() }
    }

    #[test]
    fn a_group_has_mutants_of_one_program_and_is_compiled_once() {
        // Numbers are missing, as in a sample.
        let mutants: Vec<_> = (1..=150).map(|number| mutant(2 * number, usize::from(number > 100))).collect();
        let subjects = [subject(), subject()];
        let (groups, compiled) = (Groups::of(&mutants, &subjects), RefCell::new(Vec::new()));
        let compile = |group: &[Mutant], _: Option<&Draft<'_>>| {
            compiled.borrow_mut().push((group[0].number, group[group.len() - 1].number));
            Ok(None)
        };
        for mutant in [&mutants[149], &mutants[0], &mutants[63], &mutants[64], &mutants[99], &mutants[100]] {
            groups.compile(mutant, &compile).unwrap();
        }
        assert_eq!(compiled.into_inner(), [(202, 300), (2, 128), (130, 200)]);
    }

    #[test]
    fn a_group_of_one_is_not_compiled_together() {
        let (mutants, subjects) = ([mutant(1, 0), mutant(2, 1)], [subject(), subject()]);
        let groups = Groups::of(&mutants, &subjects);
        let compile = |_: &[Mutant], _: Option<&Draft<'_>>| panic!("one mutant gains nothing");
        groups.compile(&mutants[0], &compile).unwrap();
    }

    #[test]
    fn a_worker_that_would_wait_for_its_group_compiles_the_next_one() {
        let (mutants, subjects): (Vec<_>, _) = ((1..=128).map(|number| mutant(number, 0)).collect(), [subject()]);
        let groups = Groups::of(&mutants, &subjects);
        let (begun, is_begun) = mpsc::channel();
        let (next, is_next) = mpsc::channel();
        let (first, second) = (Mutex::new((begun, is_next)), Mutex::new(next));
        let compile = |group: &[Mutant], _: Option<&Draft<'_>>| {
            if group[0].number == 1 {
                let (begun, is_next) = &*first.lock().unwrap();
                begun.send(()).unwrap();
                is_next.recv_timeout(Duration::from_mins(1)).expect("the other worker compiles the second group");
            } else {
                second.lock().unwrap().send(()).unwrap();
            }
            Ok(None)
        };
        thread::scope(|scope| {
            scope.spawn(|| groups.compile(&mutants[0], &compile).unwrap());
            is_begun.recv().unwrap();
            groups.compile(&mutants[1], &compile).unwrap();
        });
    }
}
