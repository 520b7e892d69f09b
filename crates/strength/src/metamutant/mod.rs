//! Compiles many mutants of a program at once, as a metamutant: one program that contains a copy of the unchanged
//! program and a copy of each mutant. Compiling it takes much less time than compiling the mutants alone, because the
//! compiler starts once, reads headers once, and links once.
//!
//! [`cpp`] copies the whole program for each mutant, [`rust`] only the function that the mutant changes ([`source`] is
//! what they have in common). If some copies do not compile, the compiler's messages name them ([`messages`]), and the
//! next attempt is made without them; these mutants are compiled alone. [`assembly`] finds out which copies have the
//! same code.
//!
//! A copy could behave differently from the program alone. So the copy of the unchanged program is run on all test
//! cases first. If any result differs from that of the program, the metamutant is not used.

mod assembly;
mod cpp;
mod messages;
mod rust;
mod source;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::mutants::Mutant;
use crate::mutate::Mutation;
use crate::subject::{Role, Subject};
use referee_judge::{Contained, Digest, Intermediate, JudgeError, MetamutantBuild};
use source::{Code, Source, Written};

/// The number of attempts to compile a metamutant. After each one, the mutants that do not compile are left out.
const ATTEMPTS: usize = 6;

/// The smallest number of mutants in a metamutant. Compiling and testing it takes as long as compiling two mutants.
const FEWEST: usize = 3;

/// A program that metamutants can contain.
pub(super) struct Program {
    source: Box<dyn Source>,
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
    /// The number of the copy and its code, by the numbers of the mutants.
    copies: BTreeMap<usize, (usize, Code)>,
    /// The CPU time of the unchanged program on each test case; `None` if mutants need no more time and memory than
    /// alone.
    usual_times: Option<Arc<[Duration]>>,
}

/// Compiles and runs metamutants of one program.
pub(super) trait Builder {
    /// The folder for the sources.
    fn folder(&self) -> &Path;

    /// Compiles the sources, which contain `copies` programs.
    fn build(&self, copies: usize) -> Result<MetamutantBuild, JudgeError>;

    /// Runs copy 0, which is the unchanged program, on all tests. Returns its CPU time on each test where that is known;
    /// `None` if a result is not that of the unchanged program alone.
    fn times_of_the_program(&self, metamutant: &referee_judge::Metamutant)
    -> Result<Option<Vec<Duration>>, JudgeError>;
}

impl Program {
    /// Returns the program. `None` if metamutants cannot be written for its language or source.
    pub(super) fn of(subject: &Subject) -> Option<Program> {
        let [file] = &subject.sources[..] else { return None };
        if subject.path.is_dir() {
            return None;
        }
        let source = source::read(subject.grammar, &file.text)?;
        // The limits of validators are not those for which the runs of a slower metamutant are prepared.
        if source.is_slower() && subject.role != Role::Submission {
            return None;
        }
        Some(Program { source, is_refused: AtomicBool::new(false) })
    }
}

impl<'m> Draft<'m> {
    /// Returns the metamutant of these mutants of the program. `None` if it would contain too few mutants.
    pub(super) fn of(program: &Arc<Program>, mutants: &'m [Mutant]) -> Option<Draft<'m>> {
        let source = &program.source;
        let mut room = source.most_bytes();
        let mut fits = |mutant: &&Mutant| {
            let left = source.bytes_of_copy(&mutant.mutation).and_then(|bytes| room.checked_sub(bytes));
            room = left.unwrap_or(room);
            left.is_some()
        };
        let mutants: Vec<_> = mutants.iter().filter(&mut fits).collect();
        let id = blake3::hash(source.write(&mutations(&mutants)).files[0].1.as_bytes());
        (mutants.len() >= FEWEST).then(|| Draft { id: *id.as_bytes(), program: Arc::clone(program), mutants })
    }

    /// Compiles the metamutant. Returns `None` if it cannot be used, or if another one of the program could not be
    /// used. Fails if the judge fails.
    pub(super) fn compile(&self, builder: &dyn Builder) -> Result<Option<Metamutant>, JudgeError> {
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
    fn compile_without_failing(&self, builder: &dyn Builder) -> Result<Option<Metamutant>, JudgeError> {
        let mut mutants = self.mutants.clone();
        for _ in 0..ATTEMPTS {
            let written = self.program.source.write(&mutations(&mutants));
            for (name, text) in &written.files {
                fs::write(builder.folder().join(name), text).map_err(writing_failed)?;
            }
            match builder.build(written.lines.len())? {
                MetamutantBuild::Unavailable => return Ok(None),
                MetamutantBuild::Ready(program, made) => {
                    let metamutant = self.contents(program, &mutants, &written, &made);
                    return metamutant.map_or(Ok(None), |metamutant| self.tested(metamutant, builder));
                }
                MetamutantBuild::Failed(message) => {
                    let failed = messages::copies_named(&message, written.files[0].0, &written.lines);
                    // The other copies are those of the unchanged program. If one does not compile here, no copy does.
                    if failed.is_empty() || !failed.iter().all(|copy| (1..=mutants.len()).contains(copy)) {
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

    /// Returns the compiled metamutant. Leaves out mutants whose code is not known. Returns `None` if it cannot be used.
    fn contents(
        &self,
        program: Arc<referee_judge::Metamutant>,
        mutants: &[&Mutant],
        written: &Written,
        made: &Intermediate,
    ) -> Option<Metamutant> {
        let source = &self.program.source;
        let codes = source.codes(written, made, &mutations(mutants))?;
        let copies =
            (1..).zip(mutants).zip(codes).filter_map(|((copy, mutant), code)| Some((mutant.number, (copy, code?))));
        Some(Metamutant { program, copies: copies.collect(), usual_times: None })
    }

    /// Returns the metamutant if the unchanged program in it gets the same results as alone. If the metamutant is slower
    /// than the program, it remembers the times.
    fn tested(&self, metamutant: Metamutant, builder: &dyn Builder) -> Result<Option<Metamutant>, JudgeError> {
        let times = builder.times_of_the_program(&metamutant.program)?;
        let is_slower = self.program.source.is_slower();
        Ok(times.map(|times| Metamutant { usual_times: is_slower.then(|| times.into()), ..metamutant }))
    }
}

impl Metamutant {
    /// Returns the copy of the mutant with this number; `None` if the metamutant does not contain it. `of_the_program`
    /// is the digest of the unchanged program that is compiled alone. Mutants with the code of the unchanged program
    /// get this digest.
    pub(super) fn contained(&self, mutant: usize, of_the_program: Digest) -> Option<Contained> {
        let (number, code) = *self.copies.get(&mutant)?;
        let product = match code {
            Code::OfTheProgram => of_the_program,
            Code::Other(digest) => digest,
        };
        Some(Contained {
            metamutant: Arc::clone(&self.program),
            number,
            product,
            usual_times: self.usual_times.clone(),
        })
    }
}

fn mutations<'m>(mutants: &[&'m Mutant]) -> Vec<&'m Mutation> {
    mutants.iter().map(|mutant| &mutant.mutation).collect()
}

fn writing_failed(source: std::io::Error) -> JudgeError {
    JudgeError::System { doing: "writing the sources of mutants", source }
}
