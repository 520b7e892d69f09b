//! Compiles many mutants of a program at once, as a metamutant: one program that contains a copy of the unchanged
//! program and a copy of each mutant. Compiling it takes little longer than compiling one mutant, because the compiler
//! reads the headers and compiles their templates only once.
//!
//! [`source`] writes the sources, if [`declarations`] shows that the program can be copied. If some copies do not
//! compile, the compiler's messages name them ([`messages`]), and the next attempt is made without them; these mutants
//! are compiled alone. [`assembly`] finds out which copies have the same code.
//!
//! A copy could behave differently from the program alone. So the copy of the unchanged program is run on all test
//! cases first. If any result differs from that of the program, the metamutant is not used.

mod assembly;
mod declarations;
mod messages;
mod source;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::mutants::Mutant;
use crate::mutate::Mutation;
use crate::subject::{Role, Subject};
use assembly::Codes;
use referee_judge::{CaseResult, Contained, Digest, JudgeError, MetamutantBuild, MutantRunner, Submission};
use source::Source;

/// The number of attempts to compile a metamutant. After each one, the mutants that do not compile are left out.
const ATTEMPTS: usize = 6;

/// The smallest number of mutants in a metamutant. Compiling and testing it takes as long as compiling two mutants.
const FEWEST: usize = 3;

/// Maximum size of the copies in a metamutant, in bytes. The compiler needs memory for all of them at once. Ordinary
/// programs are so short that their groups of mutants take less.
const LARGEST_BYTES: usize = 1 << 20;

/// A program that metamutants can contain.
pub(super) struct Program {
    source: Source,
    /// Whether a metamutant of the program could not be used. No other one is compiled then, because the reason is
    /// almost always in the program.
    is_refused: AtomicBool,
}

/// The sources of a metamutant that was not compiled yet.
pub(super) struct Draft<'m> {
    /// Identifies the program and the mutants.
    pub(super) id: Digest,
    program: Arc<Program>,
    /// The mutants in the copies 1, 2 and so on. Copy 0 is the unchanged program.
    mutants: Vec<&'m Mutant>,
}

/// A compiled metamutant.
pub(super) struct Metamutant {
    program: Arc<referee_judge::Metamutant>,
    /// The digest of the code of the unchanged program.
    original: Digest,
    /// The number of the copy and the digest of its code, by the numbers of the mutants.
    copies: BTreeMap<usize, (usize, Digest)>,
}

/// Compiles and tests a metamutant.
pub(super) struct Builder<'a> {
    pub(super) runner: &'a MutantRunner<'a>,
    /// A submission like the unchanged program, with its sources in `folder`.
    pub(super) submission: Submission,
    pub(super) folder: &'a Path,
    /// Whether the unchanged program may get this result on the test case with this index.
    pub(super) is_expected: &'a dyn Fn(usize, &CaseResult) -> bool,
}

impl Program {
    /// Returns the program. `None` if metamutants cannot be written for its language or source.
    pub(super) fn of(subject: &Subject) -> Option<Program> {
        let [file] = &subject.sources[..] else { return None };
        if subject.role != Role::Submission || subject.path.is_dir() {
            return None;
        }
        let source = Source::of(subject.grammar, &file.text)?;
        Some(Program { source, is_refused: AtomicBool::new(false) })
    }
}

impl<'m> Draft<'m> {
    /// Returns the metamutant of these mutants of the program. `None` if it would contain too few mutants.
    pub(super) fn of(program: &Arc<Program>, mutants: &'m [Mutant]) -> Option<Draft<'m>> {
        let source = &program.source;
        let most = LARGEST_BYTES / source.len().max(1);
        let fit = mutants.iter().filter(|mutant| source.can_contain(&mutant.mutation));
        let mutants: Vec<_> = fit.take(most).collect();
        let id = blake3::hash(source.write(&mutations(&mutants)).mutants.as_bytes());
        (mutants.len() >= FEWEST).then(|| Draft { id: *id.as_bytes(), program: Arc::clone(program), mutants })
    }

    /// Compiles the metamutant. Returns `None` if it cannot be used, or if another one of the program could not be
    /// used. Fails if the judge fails.
    pub(super) fn compile(&self, builder: &Builder<'_>) -> Result<Option<Metamutant>, JudgeError> {
        if self.program.is_refused.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let compiled = self.compile_without_failing(builder)?;
        if compiled.is_none() {
            self.program.is_refused.store(true, Ordering::Relaxed);
        }
        Ok(compiled)
    }

    /// Compiles the metamutant without the mutants that do not compile in it.
    fn compile_without_failing(&self, builder: &Builder<'_>) -> Result<Option<Metamutant>, JudgeError> {
        let mut mutants = self.mutants.clone();
        for _ in 0..ATTEMPTS {
            let written = self.program.source.write(&mutations(&mutants));
            for (name, text) in [(source::MUTANTS, &written.mutants), (source::START, &written.start)] {
                fs::write(builder.folder.join(name), text).map_err(writing_failed)?;
            }
            let copies = mutants.len() + 1;
            match builder.runner.build_metamutant(&builder.submission, copies)? {
                MetamutantBuild::Unavailable => return Ok(None),
                MetamutantBuild::Ready(program, made) => {
                    // Every text belongs to one of the two sources, and only one of these names the headers.
                    if made.preprocessed.is_empty()
                        || made.preprocessed.iter().any(|text| self.program.source.may_hide(text))
                    {
                        return Ok(None);
                    }
                    let codes = assembly::codes(&made.assembly, copies);
                    let metamutant = codes.and_then(|codes| self.contents(program, &mutants, &codes));
                    return metamutant.map_or(Ok(None), |metamutant| builder.tested(metamutant));
                }
                MetamutantBuild::Failed(message) => {
                    let failed = messages::copies_named(&message, &written.lines);
                    // Copy 0 is the unchanged program. If it does not compile here, no copy does.
                    if failed.is_empty() || failed.contains(&0) {
                        return Ok(None);
                    }
                    let numbered = (1..).zip(mutants).filter(|(copy, _)| !failed.contains(copy));
                    mutants = numbered.map(|(_, mutant)| mutant).collect();
                }
            }
            if mutants.len() < FEWEST {
                break;
            }
        }
        Ok(None)
    }

    /// Returns the compiled metamutant with the code of its copies. Leaves out mutants whose code is not known: if code
    /// runs before `main`, it cannot be told which copy a change outside of all functions belongs to.
    fn contents(
        &self,
        program: Arc<referee_judge::Metamutant>,
        mutants: &[&Mutant],
        codes: &Codes,
    ) -> Option<Metamutant> {
        let original = codes.digests.first().copied().flatten()?;
        let is_known =
            |mutant: &Mutant| !codes.runs_before_main || self.program.source.is_in_a_function(&mutant.mutation);
        let copies = (1..).zip(mutants).filter(|(_, mutant)| is_known(mutant));
        let copies = copies.filter_map(|(copy, mutant)| Some((mutant.number, (copy, codes.digests[copy]?))));
        Some(Metamutant { program, original, copies: copies.collect() })
    }
}

impl Builder<'_> {
    /// Runs the copy of the unchanged program on all test cases. Returns the metamutant if all results are as expected.
    fn tested(&self, metamutant: Metamutant) -> Result<Option<Metamutant>, JudgeError> {
        let original = (&*metamutant.program, 0);
        let results = self.runner.run_copy(&self.submission.name, original, self.is_expected)?;
        let is_right = results.iter().enumerate().all(|(index, result)| (self.is_expected)(index, result));
        Ok(Some(metamutant).filter(|_| is_right))
    }
}

impl Metamutant {
    /// Returns the copy of the mutant with this number; `None` if the metamutant does not contain it. `of_the_program`
    /// is the digest of the unchanged program that is compiled alone. Mutants with the code of the unchanged program
    /// get this digest.
    pub(super) fn contained(&self, mutant: usize, of_the_program: Digest) -> Option<Contained> {
        let (number, digest) = *self.copies.get(&mutant)?;
        let product = if digest == self.original { of_the_program } else { digest };
        Some(Contained { metamutant: Arc::clone(&self.program), number, product })
    }
}

fn mutations<'m>(mutants: &[&'m Mutant]) -> Vec<&'m Mutation> {
    mutants.iter().map(|mutant| &mutant.mutation).collect()
}

fn writing_failed(source: std::io::Error) -> JudgeError {
    JudgeError::System { doing: "writing the sources of mutants", source }
}
