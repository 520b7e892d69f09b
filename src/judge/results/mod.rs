//! What earlier runs have found out: results of cases, kept in a folder of the user's, by everything that they are made
//! of.
//!
//! A result is known by two keys. The [`key`] of a page is made of all that is the same for all cases: the program
//! ([`program`]), limits, walls, the output validators, the machine and its software ([`surroundings`]), and this very
//! build of the judge. A page is a file of that name in the [`store`]. In it each result has the key of its case: the
//! bytes of the input, the answer and the files beside the program, and the arguments. So whatever changes, other
//! keys are looked for, and what was kept under the old ones is found again when it is changed back. Nothing is ever
//! updated.
//!
//! Kept is only what another run would find out, too ([`certain`]), and only if what was hashed is what was run on
//! ([`fed`]). Nothing here is ever an error: what cannot be read, is damaged, or cannot be written is not known, and
//! then the program is run.

mod certain;
mod fed;
mod key;
mod page;
mod program;
mod store;
mod surroundings;
mod value;

use std::sync::{Mutex, OnceLock, PoisonError};

use certain::Certainty;
use fed::CaseKey;
pub(super) use program::ProgramKey;
pub(super) use store::Store;

use super::validator::Validator;
use super::{Settings, Submission};
use crate::event::CaseFinished;
use crate::package::{Package, TestCase};
use crate::verdict::Verdict;

/// What is known of the cases of one run, by any program.
pub(super) struct Ledger<'a> {
    store: &'a Store,
    cases: &'a [TestCase],
    /// Of everything but the program and the case.
    bench: blake3::Hash,
    validators: Vec<String>,
    /// Whether what validators see is more than bytes.
    names_count: bool,
    certainty: Certainty,
    /// Files that somebody wants to have come of runs alone.
    only_writes: bool,
    keys: Vec<OnceLock<Option<CaseKey>>>,
}

/// What is known of one program, and where more is kept.
pub(super) struct Page {
    file: page::File,
    /// By case. Each is asked for once.
    known: Vec<Mutex<Option<CaseFinished>>>,
    /// What is known, in short.
    verdicts: Vec<Option<Verdict>>,
}

impl<'a> Ledger<'a> {
    /// `None` where nothing is remembered.
    pub(super) fn open(
        package: &Package,
        cases: &'a [TestCase],
        settings: &'a Settings,
        validator: &Validator,
    ) -> Option<Ledger<'a>> {
        let store = settings.cache.as_ref()?.results()?;
        let ingredients = validator.ingredients(settings)?;
        let certainty = Certainty::under(settings)?.taking_slow_as_slow(store.is_of_mutants());
        Some(Ledger {
            store,
            cases,
            bench: key::of_bench(package, settings, &ingredients)?,
            validators: ingredients.into_iter().map(|(name, _)| name).collect(),
            names_count: matches!(validator, Validator::Custom(_)),
            certainty,
            only_writes: settings.feedback.is_some() || settings.anew,
            keys: cases.iter().map(|_| OnceLock::new()).collect(),
        })
    }

    /// All that is known of the program, judged as `submission`.
    pub(super) fn page(&self, program: &ProgramKey, submission: &Submission) -> Page {
        let file = self.store.page(&key::of_page(&self.bench, program));
        let recalled = |index| self.recall(&file, index, submission);
        let known: Vec<_> = (0..self.cases.len()).map(recalled).collect();
        if known.iter().any(Option::is_some) {
            file.touch();
        }
        let verdicts = known.iter().map(|known| known.as_ref().map(|known| known.verdict)).collect();
        Page { file, known: known.into_iter().map(Mutex::new).collect(), verdicts }
    }

    fn recall(&self, file: &page::File, index: usize, submission: &Submission) -> Option<CaseFinished> {
        // Made in any case, and so before the program is run: a change while it runs is noticed.
        let key = self.key(index)?;
        if self.only_writes {
            return None;
        }
        let case = &self.cases[index];
        let kept = file.read(&key.hash)?;
        let finished = value::decode(&kept, case, &submission.name)?;
        self.certainty.is_certain(&finished, submission).then_some(finished)
    }

    /// Keeps a result for later runs, if it is one for them.
    pub(super) fn keep(&self, page: &Page, index: usize, finished: &CaseFinished, submission: &Submission) {
        if !self.certainty.is_certain(finished, submission) {
            return;
        }
        // What was changed since it was hashed is not what the result is of.
        let Some(key) = self.key(index).filter(|key| key.is_still_true()) else { return };
        if self.only_writes && page.file.read(&key.hash).is_some() {
            return;
        }
        if let Some(kept) = value::encode(finished) {
            self.store.keep(&page.file, &key.hash, &kept);
        }
    }

    /// Keeps something else that was found out of the program, by its name.
    pub(super) fn keep_note(&self, page: &Page, name: &str, kept: &[u8]) {
        self.store.keep(&page.file, &key::of_note(name), kept);
    }

    /// Made once: the files must be what they were when it was made, whenever they are read.
    fn key(&self, index: usize) -> Option<&CaseKey> {
        let make = || key::of_case(&self.cases[index], &self.validators, self.names_count);
        self.keys[index].get_or_init(make).as_ref()
    }
}

impl Drop for Ledger<'_> {
    fn drop(&mut self) {
        self.store.keep_within_bounds_if_it_grew();
    }
}

impl Page {
    /// If the result of every case that will be reported is known: how many these are.
    pub(super) fn known_end(&self, all_cases: bool) -> Option<usize> {
        for (index, verdict) in self.verdicts.iter().enumerate() {
            match verdict {
                None => return None,
                Some(Verdict::Accepted) => {}
                Some(_) if all_cases => {}
                Some(_) => return Some(index + 1),
            }
        }
        Some(self.verdicts.len())
    }

    /// Something else that is known of the program.
    pub(super) fn note(&self, name: &str) -> Option<Vec<u8>> {
        self.file.read(&key::of_note(name))
    }

    /// What is known of a case.
    pub(super) fn recall(&self, index: usize) -> Option<CaseFinished> {
        self.known.get(index)?.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

#[cfg(test)]
mod tests;
