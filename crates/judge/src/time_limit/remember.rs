//! Caches the measured time limit in the store of results. The key covers everything on which the limit depends: the
//! submissions that bound it, all test cases, the output validators, the isolation, the machine and its software.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::measure;
use crate::cache::results::{Ledger, Page};
use crate::{JudgeError, Session, Submission, build};
use referee_grading::verdict::TimeBound;

/// The cached facts about the time limit of one package in its present state.
pub(super) struct Memory<'a> {
    ledger: Ledger<'a>,
    page: Page,
}

impl<'a> Memory<'a> {
    /// Opens the page of the package. Returns `None` if there is no cache, or if a file that the key covers cannot be
    /// read.
    pub(super) fn open(session: &Session<'a>) -> Result<Option<Memory<'a>>, JudgeError> {
        if session.settings.cache.is_none() {
            return Ok(None);
        }
        let package = session.package;
        let session = session.with(measure::settings(&session.settings));
        let ingredients = session.validator(&package.cases)?.ingredients(&session.settings);
        let Some(ledger) = Ledger::open(package, &package.cases, &session.settings, ingredients) else {
            return Ok(None);
        };
        let of = of_submissions(&session)?;
        let page = ledger.page_of_all(&of);
        Ok(page.map(|page| Memory { ledger, page }))
    }

    /// Returns the cached value `name`; `None` if there is none.
    pub(super) fn read<Value: DeserializeOwned>(&self, name: &str) -> Option<Value> {
        serde_json::from_slice(&self.page.note(name)?).ok()
    }

    /// Caches `value` under `name`, unless a file has changed since the memory was opened.
    pub(super) fn keep(&self, session: &Session<'a>, name: &str, value: &impl Serialize) {
        let Ok(Some(now)) = Memory::open(session) else { return };
        if let Some(bytes) = serde_json::to_vec(value).ok().filter(|_| now.page.is_of_the_same(&self.page)) {
            self.ledger.keep_note(&self.page, name, &bytes);
        }
    }
}

/// Returns the package's margins, and the expectations and program key of each submission that bounds the limit. The
/// key of a program that cannot be built here is empty.
fn of_submissions(session: &Session<'_>) -> Result<Vec<Vec<u8>>, JudgeError> {
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
