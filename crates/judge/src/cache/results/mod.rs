//! Caches the results of test cases in a folder of the user's cache. The key of a result covers everything that the
//! result depends on.
//!
//! Two keys lead to a result ([`key`]). The first key is the name of a file in the [`store`]. It covers everything that
//! all test cases share: the program ([`program`]), limits, isolation, output validators, the machine and its software
//! ([`super::environment`]), and this very build of the judge. The second key finds the result in that file ([`record_file`]).
//! It covers the test case: its arguments, and the bytes of its input, its answer and its files beside the program. A
//! change of any of these changes a key, so the judge finds no result. If the change is undone, the judge finds the old
//! result again. Stored results are never changed.
//!
//! Only results that another run would reproduce are stored ([`cacheable`]), and only if no file has changed since it
//! was hashed ([`input_digest`]). The same keys find the results of an interrupted run in its report
//! ([`EarlierReport`]); the judge uses these results unchanged. A failure of the cache is not an error. If a result
//! cannot be read or is damaged, the judge runs the program. If a result cannot be written, it is not cached.

mod cacheable;
pub(crate) mod compile_error;
mod input_digest;
mod key;
mod known;
mod program;
mod record_file;
mod record_index;
mod store;
mod value;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use cacheable::CachePolicy;
use input_digest::CaseKey;
use known::KnownResults;
pub(crate) use program::ProgramKey;
use record_file::RecordFile;
pub(crate) use store::Store;

use crate::outcome::case_result::CaseResult;
use crate::{Settings, Submission};
use referee_event::{CaseFinished, TimeLimit};
use referee_grading::verdict::Verdict;
use referee_package::{Package, TestCase};

/// The results that an interrupted run wrote into its report.
pub trait EarlierReport: std::fmt::Debug + Send + Sync {
    /// Returns the results of a submission by the names of their test cases. Each result contains its key.
    fn results_of(&self, submission: &str) -> HashMap<String, CaseFinished>;
}

/// The properties of the output validators that verdicts depend on.
pub(crate) struct Ingredients {
    /// The name of each output validator, and the bytes that identify the validator. The package uses the name to give
    /// arguments to the validator.
    pub(crate) validators: Vec<(String, Vec<u8>)>,
    /// Whether the validators see the names of the test cases' files, and not only their contents.
    pub(crate) names_count: bool,
}

/// The cached results on the test cases of a run, for any program.
pub(crate) struct ResultCache<'a> {
    cases: &'a [TestCase],
    /// Digest of everything that a result depends on, except the program and the test case.
    context: blake3::Hash,
    /// The same digest for the runs that measure the time limit; `None` if the limit was not measured.
    measuring: Option<blake3::Hash>,
    validators: Vec<String>,
    /// Whether the validators see the names of the test cases' files, and not only their contents.
    names_count: bool,
    storage: Option<Storage>,
    earlier: Option<Arc<dyn EarlierReport>>,
    /// Whether results are written but not read, because the user requested new runs or the feedback files of runs.
    only_writes: bool,
    keys: Vec<OnceLock<Option<CaseKey>>>,
}

/// The store of results, and the rules that decide which results are stored.
struct Storage {
    store: Arc<Store>,
    policy: CachePolicy,
}

/// The cached results of one program and the notes about it, and the file to which new results and notes are added. A
/// note is other data under a name, such as the digest of a mutant's compiled program.
pub(crate) struct CachedResults {
    /// Digest of everything that a result depends on, except the test case.
    key: blake3::Hash,
    /// The store of the file; `None` if there is no file.
    store: Option<Arc<Store>>,
    file: Option<RecordFile>,
    /// The file with the results of the runs that measured the time limit; `None` if the limit was not measured.
    measuring: Option<RecordFile>,
    known: KnownResults,
}

impl<'a> ResultCache<'a> {
    /// Opens the cache of results. Returns `None` if no key is needed, or if the key of the run cannot be computed.
    pub(crate) fn open(
        package: &Package,
        cases: &'a [TestCase],
        settings: &Settings,
        validators: Option<Ingredients>,
    ) -> Option<ResultCache<'a>> {
        if !settings.needs_keys() {
            return None;
        }
        let Ingredients { validators, names_count } = validators?;
        let store = settings.cache.as_ref().and_then(|cache| cache.results());
        let storage = store.zip(CachePolicy::of(settings)).map(|(store, policy)| Storage {
            store: Arc::clone(store),
            policy: policy.with_one_timeout(store.is_of_mutants()),
        });
        Some(ResultCache {
            cases,
            context: key::of_context(package, settings, &validators)?,
            measuring: match settings.time_limit {
                TimeLimit::Measured { .. } => key::of_context(package, &settings.for_measuring(), &validators),
                TimeLimit::Stated(_) | TimeLimit::Provisional(_) => None,
            },
            validators: validators.into_iter().map(|(name, _)| name).collect(),
            names_count,
            storage,
            earlier: settings.earlier.clone(),
            only_writes: settings.feedback.is_some() || settings.anew,
            keys: cases.iter().map(|_| OnceLock::new()).collect(),
        })
    }

    /// Returns the known results of `program`, which is judged as `submission`. A result comes from the cache, or else
    /// from the report of an interrupted run.
    pub(crate) fn results_of(&self, program: &ProgramKey, submission: &Submission) -> CachedResults {
        let key = key::of_program(&self.context, program);
        let measuring =
            self.measuring.map(|context| key::of_program(&context, program)).and_then(|key| self.file(&key));
        let mut reported =
            self.earlier.as_ref().map(|earlier| earlier.results_of(&submission.name)).unwrap_or_default();
        let mut cached = self.nothing_known(key);
        cached.measuring = measuring;
        self.complete_by_shared(&mut cached, submission);
        for (index, case) in self.cases.iter().enumerate() {
            let reported = reported.remove(&*case.name);
            if let Some((verdict, encoded)) = self.read(&cached, index, submission) {
                cached.known.add_encoded(verdict, &encoded);
            } else if let Some(result) = reported.and_then(|one| self.result_of_earlier_run(&cached, index, one)) {
                cached.known.add_reported(result);
            } else {
                cached.known.add_unknown();
            }
        }
        if cached.known.verdicts().iter().any(Option::is_some) {
            cached.file.iter().chain(&cached.measuring).for_each(RecordFile::touch);
        }
        cached
    }

    /// Adds the results of other machines if the own ones are not complete.
    fn complete_by_shared(&self, cached: &mut CachedResults, submission: &Submission) {
        let Some(store) = cached.store.clone().filter(|store| store.is_shared() && !self.only_writes) else { return };
        let had_own = cached.file.as_ref().is_some_and(|file| !file.is_empty());
        let is_unknown = |index| self.read(cached, index, submission).is_none();
        if had_own && (0..self.cases.len()).any(is_unknown) {
            cached.file = cached.file.take().map(|file| store.with_shared(file, &cached.key));
        }
    }

    /// Returns the cached notes that depend on all test cases together and on the values `of`; `None` if a test case
    /// cannot be read.
    pub(crate) fn notes_on_all_cases(&self, of: &[Vec<u8>]) -> Option<CachedResults> {
        let cases: Option<Vec<_>> = (0..self.cases.len()).map(|index| Some(self.key(index)?.hash)).collect();
        let key = key::of_all_cases(&self.context, self.cases, &cases?, of);
        let cached = self.nothing_known(key);
        cached.file.iter().for_each(RecordFile::touch);
        Some(cached)
    }

    /// Returns the file of the key; `None` if nothing is stored.
    fn file(&self, key: &blake3::Hash) -> Option<RecordFile> {
        self.storage.as_ref().map(|storage| storage.store.file(key))
    }

    /// Returns the file of the key without any result.
    fn nothing_known(&self, key: blake3::Hash) -> CachedResults {
        let store = self.storage.as_ref().map(|storage| Arc::clone(&storage.store));
        let file = self.file(&key);
        CachedResults { key, store, file, measuring: None, known: KnownResults::default() }
    }

    /// Returns the verdict and the encoded result of a test case from the cache; `None` if there is no valid one.
    fn read(&self, cached: &CachedResults, index: usize, submission: &Submission) -> Option<(Verdict, Vec<u8>)> {
        // The files are hashed even if no result is read, so that a change while the program runs is noticed.
        let key = self.key(index)?;
        if self.only_writes {
            return None;
        }
        let case = &self.cases[index];
        let policy = &self.storage.as_ref()?.policy;
        let stored = |file: &RecordFile| {
            let encoded = file.read(&key.hash)?;
            let result = value::decode(&encoded, case)?;
            policy.may_be_cached(&result, submission, &case.name).then_some((result.verdict, encoded))
        };
        // The runs that measured the time limit had another limit. The result of such a run is valid under the measured
        // limit, too, unless the run came near the measured limit or exceeded it.
        let keeps_limit = |(verdict, _): &(Verdict, _)| *verdict != Verdict::TimeLimitExceeded;
        let measured = || cached.measuring.as_ref().and_then(stored).filter(keeps_limit);
        cached.file.as_ref().and_then(stored).or_else(measured)
    }

    /// Returns the known result of a test case; `None` if it is unknown.
    pub(crate) fn known(&self, cached: &CachedResults, index: usize) -> Option<CaseResult> {
        let Some(encoded) = cached.known.encoded(index) else { return cached.known.reported(index).cloned() };
        let result = value::decode(encoded, &self.cases[index])?;
        Some(CaseResult { key: self.report_key(cached, index), ..result })
    }

    /// Returns the result that an interrupted run reported. Returns `None` in three cases: the key of the result is
    /// unknown or has changed, the judge failed on the test case, or results are written but not read.
    fn result_of_earlier_run(
        &self,
        cached: &CachedResults,
        index: usize,
        reported: CaseFinished,
    ) -> Option<CaseResult> {
        let has_same_key = reported.key.is_some() && reported.key == self.report_key(cached, index);
        // A test case on which the judge failed is run again.
        let is_known = reported.verdict != Verdict::JudgeError;
        (has_same_key && is_known && !self.only_writes).then(|| CaseResult::of_event(reported))
    }

    /// Returns the digest that identifies a result in a report. It has half the length of a hash. That is enough,
    /// because no user gains anything by forging equal digests. Returns `None` if the test case has no key.
    fn report_key(&self, cached: &CachedResults, index: usize) -> Option<String> {
        let both = [cached.key.as_bytes(), self.key(index)?.hash.as_bytes()].map(<[u8; 32]>::as_slice).concat();
        Some(blake3::hash(&both).to_hex().as_str()[..32].to_owned())
    }

    /// Sets the key of a new result, and stores the result for later runs if it can be cached.
    pub(crate) fn store(
        &self,
        cached: &CachedResults,
        index: usize,
        finished: &mut CaseResult,
        submission: &Submission,
    ) {
        // If a file has changed since it was hashed, the key does not belong to this result, which is then not stored.
        let Some(key) = self.key(index).filter(|key| key.is_unchanged(&self.cases[index], || self.new_key(index)))
        else {
            return;
        };
        finished.key = self.report_key(cached, index).filter(|_| finished.given.is_readable());
        let Some((storage, file)) = self.storage.as_ref().zip(cached.file.as_ref()) else { return };
        if !storage.policy.may_be_cached(finished, submission, &self.cases[index].name) {
            return;
        }
        if self.only_writes && file.read(&key.hash).is_some() {
            return;
        }
        if let Some(bytes) = value::encode(finished) {
            storage.store.add(file, &key.hash, &bytes);
        }
    }

    /// Stores the note `name` about the program.
    pub(crate) fn store_note(&self, cached: &CachedResults, name: &str, note: &[u8]) {
        if let Some((storage, file)) = self.storage.as_ref().zip(cached.file.as_ref()) {
            storage.store.add(file, &key::of_note(name), note);
        }
    }

    /// Returns the key of a test case; `None` if a file cannot be read. The key is computed only once.
    /// [`ResultCache::store`] compares the files with it, and so notices that a file has changed since.
    fn key(&self, index: usize) -> Option<&CaseKey> {
        self.keys[index].get_or_init(|| self.new_key(index)).as_ref()
    }

    fn new_key(&self, index: usize) -> Option<CaseKey> {
        key::of_case(&self.cases[index], &self.validators, self.names_count)
    }
}

impl Drop for ResultCache<'_> {
    fn drop(&mut self) {
        if let Some(storage) = &self.storage {
            storage.store.enforce_limits_if_grown();
        }
    }
}

impl Drop for CachedResults {
    fn drop(&mut self) {
        if let Some((store, file)) = self.store.as_ref().zip(self.file.as_ref()) {
            store.share(file, &self.key);
        }
    }
}

impl CachedResults {
    /// Returns how many test cases the run will report: those up to the first one that is not accepted, or all of them
    /// if `all_cases` is true. Returns `None` if the result of one of these is unknown.
    pub(crate) fn reported_cases(&self, all_cases: bool) -> Option<usize> {
        for (index, verdict) in self.known.verdicts().iter().enumerate() {
            match verdict {
                None => return None,
                Some(Verdict::Accepted) => {}
                Some(_) if all_cases => {}
                Some(_) => return Some(index + 1),
            }
        }
        Some(self.known.verdicts().len())
    }

    /// Whether this value and `other` have the same key. Then they contain the results of the same program, or notes on
    /// the same test cases and values, under equal conditions.
    pub(crate) fn has_same_key(&self, other: &CachedResults) -> bool {
        self.key == other.key
    }

    /// Returns the note `name` about the program; `None` if there is none.
    pub(crate) fn note(&self, name: &str) -> Option<Vec<u8>> {
        self.file.as_ref()?.read(&key::of_note(name))
    }
}

#[cfg(test)]
mod tests;
