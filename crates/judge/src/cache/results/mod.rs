//! Caches the results of test cases in a folder of the user's cache. The key of a result covers everything that the
//! result depends on.
//!
//! A result has two keys. The [`key`] of a page covers everything that all test cases share: the program ([`program`]),
//! limits, isolation, output validators, the machine and its software ([`environment`]), and this very build of the
//! judge. A page is a file in the [`store`], named by its key. In a page each result has the key of its test case: the
//! bytes of the input, the answer and the files beside the program, and the arguments. When anything changes, the judge
//! looks for other keys; when it is changed back, the old results are found again. Stored results are never changed.
//!
//! Only results that another run would reproduce are stored ([`cacheable`]), and only if the hashed files are the files
//! of the run ([`input_digest`]). The same keys find the results of an interrupted run in its report ([`Earlier`]); the
//! judge uses these unchanged. Failures of the cache are not errors: if a result cannot be read, is damaged, or cannot
//! be written, the program is run.

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

/// The results that an interrupted run wrote into its report.
pub trait Earlier: std::fmt::Debug + Send + Sync {
    /// Returns the results of a submission by the names of their test cases. Each result contains its key.
    fn results_of(&self, submission: &str) -> HashMap<String, CaseFinished>;
}

/// The parts of output validators that verdicts depend on.
pub(crate) struct Ingredients {
    /// The name of each output validator, by which the package gives it arguments, and the bytes that identify the
    /// validator.
    pub(crate) validators: Vec<(String, Vec<u8>)>,
    /// Whether the validators see the names of files, not only their contents.
    pub(crate) names_count: bool,
}

/// Access to the cached results of a run's test cases, for any program.
pub(crate) struct Ledger<'a> {
    cases: &'a [TestCase],
    /// Digest of everything that a result depends on, except the program and the test case.
    bench: blake3::Hash,
    validators: Vec<String>,
    /// Whether the validators see the names of files, not only their contents.
    names_count: bool,
    kept: Option<Kept>,
    earlier: Option<Arc<dyn Earlier>>,
    /// Whether results are only written and not read, because the user requested new runs or the feedback files of
    /// runs.
    only_writes: bool,
    keys: Vec<OnceLock<Option<CaseKey>>>,
}

/// The store of results, and the rules for which results it keeps.
struct Kept {
    store: Arc<Store>,
    certainty: Certainty,
}

/// The known results of one program, and the file to which new results are added.
pub(crate) struct Page {
    /// Digest of everything that a result depends on, except the test case.
    key: blake3::Hash,
    file: Option<page::File>,
    /// The known result of each test case; `None` if it is unknown, or after `recall` has taken it out.
    known: Vec<Mutex<Option<CaseResult>>>,
    /// The known verdict of each test case; `None` if it is unknown.
    verdicts: Vec<Option<Verdict>>,
}

impl<'a> Ledger<'a> {
    /// Opens the ledger. Returns `None` if no key is needed, or if the key of the run cannot be computed.
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

    /// Returns the known results of the program, judged as `submission`.
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

    /// Returns the page for data that depends on all test cases together and on `of`; `None` if a test case cannot be
    /// read.
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
        // The files are hashed in any case. So a change while the program runs is noticed.
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

    /// Returns the result of an interrupted run if its key is equal; `None` otherwise.
    fn take_over(&self, page: &Page, index: usize, told: CaseFinished) -> Option<CaseResult> {
        let is_of_the_same = told.key.is_some() && told.key == self.name_of(page, index);
        // A test case on which the judge failed is run again.
        let is_known = told.verdict != Verdict::JudgeError;
        (is_of_the_same && is_known && !self.only_writes).then(|| CaseResult::of_event(told))
    }

    /// Returns the digest that identifies a result in a report. It has half the length of a hash. That is enough,
    /// because forging two equal digests gains nothing. Returns `None` if the test case has no key.
    fn name_of(&self, page: &Page, index: usize) -> Option<String> {
        let both = [page.key.as_bytes(), self.key(index)?.hash.as_bytes()].map(<[u8; 32]>::as_slice).concat();
        Some(blake3::hash(&both).to_hex().as_str()[..32].to_owned())
    }

    /// Sets the key of a new result, and stores the result for later runs if it can be cached.
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

    /// Stores the note `name` about the program.
    pub(crate) fn keep_note(&self, page: &Page, name: &str, note: &[u8]) {
        if let Some((kept, file)) = self.kept.as_ref().zip(page.file.as_ref()) {
            kept.store.keep(file, &key::of_note(name), note);
        }
    }

    /// Returns the key of a test case; `None` if a file cannot be read. The key is computed once, so that later changes
    /// of the files are noticed.
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
    /// Returns how many test cases will be reported if the results of all these are known; otherwise `None`.
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

    /// Whether both pages belong to the same program, judged in the same way.
    pub(crate) fn is_of_the_same(&self, other: &Page) -> bool {
        self.key == other.key
    }

    /// Returns the note `name` about the program; `None` if there is none.
    pub(crate) fn note(&self, name: &str) -> Option<Vec<u8>> {
        self.file.as_ref()?.read(&key::of_note(name))
    }

    /// Takes out the known result of a test case; `None` if there is none, or if it was taken before.
    pub(crate) fn recall(&self, index: usize) -> Option<CaseResult> {
        self.known.get(index)?.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

#[cfg(test)]
mod tests;
