//! The known results of one program.

use std::collections::HashMap;

use crate::outcome::case_result::CaseResult;
use referee_grading::verdict::Verdict;

/// The known results of a program on the test cases of a run, in their order. Results from the cache stay encoded,
/// because they take a tenth of the memory of a [`CaseResult`], and a package may have hundreds of thousands of test
/// cases.
#[derive(Default)]
pub(super) struct KnownResults {
    /// The encoded results, one after the other.
    encoded: Vec<u8>,
    /// Where the encoded result of each test case ends. It is empty if the test case has none. All results together are
    /// smaller than 4 GiB, because they come from two files of limited size.
    ends: Vec<u32>,
    /// The known verdict of each test case; `None` if it is unknown.
    verdicts: Vec<Option<Verdict>>,
    /// The results in the report of an interrupted run, by the index of the test case.
    reported: HashMap<usize, CaseResult>,
}

impl KnownResults {
    /// Adds the encoded result of the next test case, which comes from the cache.
    pub(super) fn add_encoded(&mut self, verdict: Verdict, encoded: &[u8]) {
        self.encoded.extend_from_slice(encoded);
        self.add(Some(verdict));
    }

    /// Adds the result of the next test case, which comes from the report of an interrupted run.
    pub(super) fn add_reported(&mut self, result: CaseResult) {
        let verdict = result.verdict;
        self.reported.insert(self.verdicts.len(), result);
        self.add(Some(verdict));
    }

    /// Adds the next test case, whose result is unknown.
    pub(super) fn add_unknown(&mut self) {
        self.add(None);
    }

    fn add(&mut self, verdict: Option<Verdict>) {
        self.ends.push(self.encoded.len() as u32);
        self.verdicts.push(verdict);
    }

    /// Returns the encoded result of a test case; `None` if it has none.
    pub(super) fn encoded(&self, index: usize) -> Option<&[u8]> {
        let start = index.checked_sub(1).map_or(0, |before| self.ends.get(before).copied().unwrap_or_default());
        let end = *self.ends.get(index)?;
        self.encoded.get(start as usize..end as usize).filter(|encoded| !encoded.is_empty())
    }

    /// Returns the result of a test case that an interrupted run reported; `None` if there is none.
    pub(super) fn reported(&self, index: usize) -> Option<&CaseResult> {
        self.reported.get(&index)
    }

    /// The known verdict of each test case; `None` if it is unknown.
    pub(super) fn verdicts(&self) -> &[Option<Verdict>] {
        &self.verdicts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Accepted, TimeLimitExceeded, WrongAnswer};

    #[test]
    fn each_test_case_has_the_result_that_was_added_for_it() {
        let mut known = KnownResults::default();
        known.add_unknown();
        known.add_encoded(Accepted, b"one");
        known.add_reported(CaseResult::of(WrongAnswer));
        known.add_encoded(TimeLimitExceeded, b"two");
        known.add_unknown();
        let encoded: Vec<_> = (0..6).map(|index| known.encoded(index)).collect();
        assert_eq!(encoded, [None, Some(&b"one"[..]), None, Some(b"two"), None, None]);
        let reported: Vec<_> = (0..6).map(|index| known.reported(index).map(|result| result.verdict)).collect();
        assert_eq!(reported, [None, None, Some(WrongAnswer), None, None, None]);
        assert_eq!(known.verdicts(), [None, Some(Accepted), Some(WrongAnswer), Some(TimeLimitExceeded), None]);
    }
}
