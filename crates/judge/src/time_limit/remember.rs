//! Caches the measured time limit in the store of results. The key covers everything on which the limit depends: the
//! submissions that bound it, all test cases, the output validators, the isolation, the machine and its software.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::cache::results::{CachedResults, ResultCache};
use crate::{JudgeError, Session, Submission, build};
use referee_grading::verdict::TimeBound;

/// The cached facts about the time limit of one package. They are valid only for the present state of its files.
pub(super) struct TimeLimitCache<'a> {
    result_cache: ResultCache<'a>,
    notes: CachedResults,
}

impl<'a> TimeLimitCache<'a> {
    /// Opens the cached notes about the package. Returns `None` if there is no cache, or if a file that the key covers
    /// cannot be read.
    pub(super) fn open(session: &Session<'a>) -> Result<Option<TimeLimitCache<'a>>, JudgeError> {
        if session.settings.cache.is_none() {
            return Ok(None);
        }
        let package = session.package;
        let session = session.with(session.settings.for_measuring());
        let ingredients = session.validator(&package.cases)?.ingredients(&session.settings);
        let Some(result_cache) = ResultCache::open(package, &package.cases, &session.settings, ingredients) else {
            return Ok(None);
        };
        let of = key_parts(&session)?;
        let notes = result_cache.notes_on_all_cases(&of);
        Ok(notes.map(|notes| TimeLimitCache { result_cache, notes }))
    }

    /// Returns the cached value `name`; `None` if there is none.
    pub(super) fn read<Value: DeserializeOwned>(&self, name: &str) -> Option<Value> {
        serde_json::from_slice(&self.notes.note(name)?).ok()
    }

    /// Caches `value` under `name`, unless a file has changed since the cache was opened.
    pub(super) fn store(&self, session: &Session<'a>, name: &str, value: &impl Serialize) {
        let Ok(Some(now)) = TimeLimitCache::open(session) else { return };
        if let Some(bytes) = serde_json::to_vec(value).ok().filter(|_| now.notes.has_same_key(&self.notes)) {
            self.result_cache.store_note(&self.notes, name, &bytes);
        }
    }
}

/// Returns the parts of the key: the package's margins, and two parts for each submission that bounds the limit. The
/// first contains the submission's name and expectations. The second is the key of its program, or empty if the program
/// cannot be built on this machine.
fn key_parts(session: &Session<'_>) -> Result<Vec<Vec<u8>>, JudgeError> {
    let mut of = vec![format!("{:?}", session.package.timing).into_bytes()];
    for submission in Submission::of_jury(session.package) {
        if submission.bounds(TimeBound::Lower) || submission.bounds(TimeBound::Upper) {
            let plan = build::plan(&session.source(&submission), &session.settings, session.site())?;
            of.push(format!("{} {:?}", submission.name, submission.expectations).into_bytes());
            of.push(plan.key().map(|key| key.as_bytes().to_vec()).unwrap_or_default());
        }
    }
    Ok(of)
}
