//! Remembers the results of test cases in a folder of the user's cache. The key of a result covers everything that the
//! result depends on.
//!
//! A result has two keys. The [`key`] of a page covers what is the same for all cases: the program ([`program`]),
//! limits, isolation, output validators, the machine and its software ([`environment`]), and this very build of the
//! judge. A page is a file of that name in the [`store`]. In a page each result has the key of its case: the bytes of
//! the input, the answer and the files beside the program, and the arguments. When anything changes, the judge looks
//! for other keys; when it is changed back, the old results are found again. Nothing is ever updated.
//!
//! Only results that another run would reproduce are kept ([`cacheable`]), and only if the hashed files are the files
//! of the run ([`input_digest`]). The same keys find the results of an interrupted run in its report ([`Earlier`]);
//! these are taken as they are. Nothing here is an error: if a result cannot be read, is damaged, or cannot be written,
//! it is unknown, and the program is run.

mod cacheable;
mod environment;
mod input_digest;
mod key;
mod page;
mod program;
mod store;
mod value;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cacheable::Certainty;
use input_digest::CaseKey;
pub(crate) use program::ProgramKey;
pub(crate) use store::Store;

use crate::outcome::case_result::CaseResult;
use crate::{Settings, Submission};
use referee_event::CaseFinished;
use referee_grading::verdict::Verdict;
use referee_package::{Package, TestCase};

/// What an earlier run has told of submissions.
pub trait Earlier: std::fmt::Debug + Send + Sync {
    /// The results of a submission, by the names of their cases, with their keys.
    fn results_of(&self, submission: &str) -> HashMap<String, CaseFinished>;
}

/// What verdicts depend on besides the case and the output.
pub(crate) struct Ingredients {
    /// Each output validator's name, under which it gets its arguments, and what identifies it.
    pub(crate) validators: Vec<(String, Vec<u8>)>,
    /// Whether the validators see the names of files, not only their contents.
    pub(crate) names_count: bool,
}

/// The known results of the cases of one run, for any program.
pub(crate) struct Ledger<'a> {
    cases: &'a [TestCase],
    /// Of everything but the program and the case.
    bench: blake3::Hash,
    validators: Vec<String>,
    /// Whether what validators see is more than bytes.
    names_count: bool,
    kept: Option<Kept>,
    earlier: Option<Arc<dyn Earlier>>,
    /// Whether results are only written, because the user wants files that only real runs make.
    only_writes: bool,
    keys: Vec<OnceLock<Option<CaseKey>>>,
}

/// Where results are kept, and which.
struct Kept {
    store: Arc<Store>,
    certainty: Certainty,
}

/// The known results of one program, and the place where more are kept.
pub(crate) struct Page {
    /// Of the program and everything else but the case.
    key: blake3::Hash,
    file: Option<page::File>,
    /// By case. Each is asked for once.
    known: Vec<Mutex<Option<CaseResult>>>,
    /// The known verdicts.
    verdicts: Vec<Option<Verdict>>,
}

impl<'a> Ledger<'a> {
    /// Opens the ledger; `None` if nothing is remembered and no report carries keys.
    pub(crate) fn open(
        package: &Package,
        cases: &'a [TestCase],
        settings: &Settings,
        validators: Option<Ingredients>,
    ) -> Option<Ledger<'a>> {
        if !settings.needs_keys() {
            return None;
        }
        let Ingredients { validators, names_count } = validators?;
        let store = settings.cache.as_ref().and_then(|cache| cache.results());
        let kept = store.zip(Certainty::under(settings)).map(|(store, certainty)| Kept {
            store: Arc::clone(store),
            certainty: certainty.taking_slow_as_slow(store.is_of_mutants()),
        });
        Some(Ledger {
            cases,
            bench: key::of_bench(package, settings, &validators)?,
            validators: validators.into_iter().map(|(name, _)| name).collect(),
            names_count,
            kept,
            earlier: settings.earlier.clone(),
            only_writes: settings.feedback.is_some() || settings.anew,
            keys: cases.iter().map(|_| OnceLock::new()).collect(),
        })
    }

    /// All that is known of the program, judged as `submission`.
    pub(crate) fn page(&self, program: &ProgramKey, submission: &Submission) -> Page {
        let key = key::of_page(&self.bench, program);
        let file = self.kept.as_ref().map(|kept| kept.store.page(&key));
        let mut told = self.earlier.as_ref().map(|earlier| earlier.results_of(&submission.name)).unwrap_or_default();
        let mut page = Page { key, file, known: Vec::new(), verdicts: Vec::new() };
        for (index, case) in self.cases.iter().enumerate() {
            let told = told.remove(&case.name);
            let known = self.recall(&page, index, submission).or_else(|| self.take_over(&page, index, told?));
            page.verdicts.push(known.as_ref().map(|known| known.verdict));
            page.known.push(Mutex::new(known));
        }
        if let Some(file) = page.file.as_ref().filter(|_| page.verdicts.iter().any(Option::is_some)) {
            file.touch();
        }
        page
    }

    /// Returns the page for what follows from all cases together and from `of`; `None` if not all cases can be read.
    pub(crate) fn page_of_all(&self, of: &[Vec<u8>]) -> Option<Page> {
        let cases: Option<Vec<_>> = (0..self.cases.len()).map(|index| Some(self.key(index)?.hash)).collect();
        let key = key::of_all(&self.bench, self.cases, &cases?, of);
        let file = self.kept.as_ref().map(|kept| kept.store.page(&key));
        if let Some(file) = &file {
            file.touch();
        }
        Some(Page { key, file, known: Vec::new(), verdicts: Vec::new() })
    }

    fn recall(&self, page: &Page, index: usize, submission: &Submission) -> Option<CaseResult> {
        // Made in any case, and so before the program is run: a change while it runs is noticed.
        let key = self.key(index)?;
        if self.only_writes {
            return None;
        }
        let bytes = page.file.as_ref()?.read(&key.hash)?;
        let finished = value::decode(&bytes, &self.cases[index])?;
        let finished = self
            .kept
            .as_ref()?
            .certainty
            .is_certain(&finished, submission, &self.cases[index].name)
            .then_some(finished)?;
        Some(CaseResult { key: self.name_of(page, index), ..finished })
    }

    /// What an earlier run has told, if it is of the same.
    fn take_over(&self, page: &Page, index: usize, told: CaseFinished) -> Option<CaseResult> {
        let is_of_the_same = told.key.is_some() && told.key == self.name_of(page, index);
        // What the judge could not find out it tries again.
        let is_known = told.verdict != Verdict::JudgeError;
        (is_of_the_same && is_known && !self.only_writes).then(|| CaseResult::of_event(told))
    }

    /// Returns the digest that identifies a result in a report. It has half the length of a hash, which is enough where
    /// nobody gains from making two equal.
    fn name_of(&self, page: &Page, index: usize) -> Option<String> {
        let both = [page.key.as_bytes(), self.key(index)?.hash.as_bytes()].map(<[u8; 32]>::as_slice).concat();
        Some(blake3::hash(&both).to_hex().as_str()[..32].to_owned())
    }

    /// Names what a result is of that was found out now, and keeps it for later runs if it is one for them.
    pub(crate) fn keep(&self, page: &Page, index: usize, finished: &mut CaseResult, submission: &Submission) {
        // If a file has changed since it was hashed, the result belongs to other files.
        let Some(key) = self.key(index).filter(|key| key.is_still_true()) else { return };
        finished.key = self.name_of(page, index).filter(|_| finished.given.is_readable());
        let Some((kept, file)) = self.kept.as_ref().zip(page.file.as_ref()) else { return };
        if !kept.certainty.is_certain(finished, submission, &self.cases[index].name) {
            return;
        }
        if self.only_writes && file.read(&key.hash).is_some() {
            return;
        }
        if let Some(bytes) = value::encode(finished) {
            kept.store.keep(file, &key.hash, &bytes);
        }
    }

    /// Keeps something else that was found out of the program, by its name.
    pub(crate) fn keep_note(&self, page: &Page, name: &str, note: &[u8]) {
        if let Some((kept, file)) = self.kept.as_ref().zip(page.file.as_ref()) {
            kept.store.keep(file, &key::of_note(name), note);
        }
    }

    /// Made once: the files must be what they were when it was made, whenever they are read.
    fn key(&self, index: usize) -> Option<&CaseKey> {
        let make = || key::of_case(&self.cases[index], &self.validators, self.names_count);
        self.keys[index].get_or_init(make).as_ref()
    }
}

impl Drop for Ledger<'_> {
    fn drop(&mut self) {
        if let Some(kept) = &self.kept {
            kept.store.keep_within_bounds_if_it_grew();
        }
    }
}

impl Page {
    /// If the result of every case that will be reported is known: how many these are.
    pub(crate) fn known_end(&self, all_cases: bool) -> Option<usize> {
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

    /// Whether both pages are about the same program, or the same programs.
    pub(crate) fn is_of_the_same(&self, other: &Page) -> bool {
        self.key == other.key
    }

    /// Something else that is known of the program.
    pub(crate) fn note(&self, name: &str) -> Option<Vec<u8>> {
        self.file.as_ref()?.read(&key::of_note(name))
    }

    /// Returns the known result of a case; `None` if there is none.
    pub(crate) fn recall(&self, index: usize) -> Option<CaseResult> {
        self.known.get(index)?.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

#[cfg(test)]
mod tests;
