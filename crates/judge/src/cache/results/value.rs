//! Encodes results for the cache. The test case's own input and description are not stored, because the package
//! contains them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::outcome::case_result::CaseResult;
use crate::outcome::excerpt::beginning;
use referee_event::{Excerpt, Exchange, Exhibit};
use referee_grading::score::{Given, Score, Written};
use referee_grading::verdict::Verdict;
use referee_package::TestCase;

/// Maximum size of an encoded result, in bytes. Larger results are not cached.
pub(super) const LARGEST_BYTES: usize = 256 << 10;

#[derive(Serialize, Deserialize)]
struct StoredResult {
    verdict: Verdict,
    cpu_seconds: Option<f64>,
    wall_seconds: Option<f64>,
    memory_bytes: Option<u64>,
    exit_code: Option<i32>,
    signal: Option<i32>,
    message: Option<String>,
    team_message: Option<String>,
    /// The exact score from the validator's score file, or the reason why it is invalid; `None` if there is no such
    /// file.
    score: Option<Result<String, String>>,
    multiplier: Option<Result<String, String>>,
    passes: Option<u32>,
    exhibit: Option<StoredExhibit>,
}

#[derive(Serialize, Deserialize)]
struct StoredExhibit {
    /// The input of a later pass; `None` for the test case's own input.
    input: Option<StoredExcerpt>,
    expected: StoredExcerpt,
    output: StoredExcerpt,
    stderr: StoredExcerpt,
    exchanges: Option<Vec<StoredExchange>>,
}

#[derive(Serialize, Deserialize)]
struct StoredExchange {
    by_submission: bool,
    at: Duration,
    bytes: Vec<u8>,
    whole_bytes: u64,
}

#[derive(Serialize, Deserialize)]
struct StoredExcerpt {
    first_line: usize,
    bytes: Vec<u8>,
    whole_bytes: usize,
}

/// Encodes a result; `None` if it is too large.
pub(super) fn encode(finished: &CaseResult) -> Option<Vec<u8>> {
    let CaseResult {
        verdict,
        given,
        cpu_seconds,
        wall_seconds,
        memory_bytes,
        exit_code,
        signal,
        message,
        team_message,
        passes,
        cached: _,
        // Outputs are compared only when a submission runs twice, and then no result is taken from the cache.
        output_hash: _,
        // Whether the stack overflowed matters only while times are measured.
        overflowed_stack: _,
        // Only results close to the time limit are measured more than once, and such results are not cached.
        cpu_seconds_all: _,
        close: _,
        // This key follows from the key of the file and the key of the record.
        key: _,
        // Only a caller without a result cache asks for the whole output.
        written: _,
        exhibit,
    } = finished.clone();
    let exhibit = exhibit.map(|exhibit| {
        let Exhibit { description: _, input, expected, output, stderr, exchanges } = *exhibit;
        StoredExhibit {
            input: passes.filter(|&passes| passes > 1).map(|_| input.into()),
            expected: expected.into(),
            output: output.into(),
            stderr: stderr.into(),
            exchanges: exchanges.map(|exchanges| exchanges.into_iter().map(StoredExchange::from).collect()),
        }
    });
    let (score, multiplier) = (given.score.map(written), given.multiplier.map(written));
    let stored = StoredResult {
        verdict,
        cpu_seconds,
        wall_seconds,
        memory_bytes,
        exit_code,
        signal,
        message,
        team_message,
        score,
        multiplier,
        passes,
        exhibit,
    };
    postcard::to_allocvec(&stored).ok().filter(|bytes| bytes.len() <= LARGEST_BYTES)
}

/// Decodes the result on `case`; `None` if the bytes are not a result.
pub(super) fn decode(bytes: &[u8], case: &TestCase) -> Option<CaseResult> {
    let stored: StoredResult = postcard::from_bytes(bytes).ok()?;
    let exhibit = stored.exhibit.map(|exhibit| {
        let StoredExhibit { input, expected, output, stderr, exchanges } = exhibit;
        Box::new(Exhibit {
            description: case.description.as_deref().cloned(),
            input: input.map_or_else(|| beginning(&case.input()), Excerpt::from),
            expected: expected.into(),
            output: output.into(),
            stderr: stderr.into(),
            exchanges: exchanges.map(|exchanges| exchanges.into_iter().map(Exchange::from).collect()),
        })
    });
    Some(CaseResult {
        given: Given { score: read(stored.score)?, multiplier: read(stored.multiplier)? },
        cpu_seconds: stored.cpu_seconds,
        wall_seconds: stored.wall_seconds,
        memory_bytes: stored.memory_bytes,
        exit_code: stored.exit_code,
        signal: stored.signal,
        message: stored.message,
        team_message: stored.team_message,
        passes: stored.passes,
        cached: true,
        close: stored.cpu_seconds.map(|_| false),
        exhibit,
        ..CaseResult::of(stored.verdict)
    })
}

fn written(written: Written) -> Result<String, String> {
    match written {
        Written::Number(score) => Ok(score.exact()),
        Written::Empty => Err(String::new()),
        Written::Unreadable(why) => Err(why),
    }
}

/// Returns the content of a score file from its stored form. Returns `Some(None)` if there was no score file, and
/// `None` if the stored form is invalid.
#[expect(clippy::option_option, reason = "a missing score file and an unreadable stored score are different")]
fn read(stored: Option<Result<String, String>>) -> Option<Option<Written>> {
    match stored {
        None => Some(None),
        Some(Err(why)) if why.is_empty() => Some(Some(Written::Empty)),
        Some(Err(why)) => Some(Some(Written::Unreadable(why))),
        Some(Ok(text)) => Some(Some(Written::Number(Score::of_exact(&text)?))),
    }
}

impl From<Excerpt> for StoredExcerpt {
    fn from(excerpt: Excerpt) -> StoredExcerpt {
        let Excerpt { first_line, bytes, whole_bytes } = excerpt;
        StoredExcerpt { first_line, bytes, whole_bytes }
    }
}

impl From<StoredExcerpt> for Excerpt {
    fn from(stored: StoredExcerpt) -> Excerpt {
        Excerpt { first_line: stored.first_line, bytes: stored.bytes, whole_bytes: stored.whole_bytes }
    }
}

impl From<Exchange> for StoredExchange {
    fn from(exchange: Exchange) -> StoredExchange {
        let Exchange { by_submission, at, bytes, whole_bytes } = exchange;
        StoredExchange { by_submission, at, bytes, whole_bytes }
    }
}

impl From<StoredExchange> for Exchange {
    fn from(stored: StoredExchange) -> Exchange {
        let StoredExchange { by_submission, at, bytes, whole_bytes } = stored;
        Exchange { by_submission, at, bytes, whole_bytes }
    }
}
