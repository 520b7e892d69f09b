//! Encodes results for the cache. Data that the test case's files and the settings contain is not stored.

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
struct Kept {
    verdict: Verdict,
    cpu_seconds: Option<f64>,
    wall_seconds: Option<f64>,
    memory_bytes: Option<u64>,
    exit_code: Option<i32>,
    signal: Option<i32>,
    message: Option<String>,
    team_message: Option<String>,
    /// The exact score from the validator's score file, or the reason why it is invalid; `None` without the file.
    score: Option<Result<String, String>>,
    multiplier: Option<Result<String, String>>,
    passes: Option<u32>,
    exhibit: Option<KeptExhibit>,
}

#[derive(Serialize, Deserialize)]
struct KeptExhibit {
    /// The input of a later pass; `None` for the test case's own input.
    input: Option<KeptExcerpt>,
    expected: KeptExcerpt,
    output: KeptExcerpt,
    stderr: KeptExcerpt,
    exchanges: Option<Vec<KeptExchange>>,
}

#[derive(Serialize, Deserialize)]
struct KeptExchange {
    by_submission: bool,
    at: Duration,
    bytes: Vec<u8>,
    whole_bytes: u64,
}

#[derive(Serialize, Deserialize)]
struct KeptExcerpt {
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
        // This matters only while times are measured.
        overflowed_stack: _,
        // A cached result is not close to the time limit, so it was measured once.
        cpu_seconds_all: _,
        close: _,
        // The page stores the key beside the value.
        key: _,
        exhibit,
    } = finished.clone();
    let exhibit = exhibit.map(|exhibit| {
        let Exhibit { description: _, input, expected, output, stderr, exchanges } = *exhibit;
        KeptExhibit {
            input: passes.filter(|&passes| passes > 1).map(|_| input.into()),
            expected: expected.into(),
            output: output.into(),
            stderr: stderr.into(),
            exchanges: exchanges.map(|exchanges| exchanges.into_iter().map(KeptExchange::from).collect()),
        }
    });
    let (score, multiplier) = (given.score.map(written), given.multiplier.map(written));
    let kept = Kept {
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
    postcard::to_allocvec(&kept).ok().filter(|bytes| bytes.len() <= LARGEST_BYTES)
}

/// Decodes the result on `case`; `None` if the bytes are not a result.
pub(super) fn decode(bytes: &[u8], case: &TestCase) -> Option<CaseResult> {
    let kept: Kept = postcard::from_bytes(bytes).ok()?;
    let exhibit = kept.exhibit.map(|exhibit| {
        let KeptExhibit { input, expected, output, stderr, exchanges } = exhibit;
        Box::new(Exhibit {
            description: case.description.clone(),
            input: input.map_or_else(|| beginning(&case.input), Excerpt::from),
            expected: expected.into(),
            output: output.into(),
            stderr: stderr.into(),
            exchanges: exchanges.map(|exchanges| exchanges.into_iter().map(Exchange::from).collect()),
        })
    });
    Some(CaseResult {
        given: Given { score: read(kept.score)?, multiplier: read(kept.multiplier)? },
        cpu_seconds: kept.cpu_seconds,
        wall_seconds: kept.wall_seconds,
        memory_bytes: kept.memory_bytes,
        exit_code: kept.exit_code,
        signal: kept.signal,
        message: kept.message,
        team_message: kept.team_message,
        passes: kept.passes,
        cached: true,
        close: kept.cpu_seconds.map(|_| false),
        exhibit,
        ..CaseResult::of(kept.verdict)
    })
}

fn written(written: Written) -> Result<String, String> {
    match written {
        Written::Number(score) => Ok(score.exact()),
        Written::Unreadable(why) => Err(why),
    }
}

/// Returns `None` if the stored value is not a score, and `Some(None)` if there was no score.
#[expect(clippy::option_option, reason = "a missing score file and an unreadable stored score are different")]
fn read(kept: Option<Result<String, String>>) -> Option<Option<Written>> {
    match kept {
        None => Some(None),
        Some(Err(why)) => Some(Some(Written::Unreadable(why))),
        Some(Ok(text)) => Some(Some(Written::Number(Score::of_exact(&text)?))),
    }
}

impl From<Excerpt> for KeptExcerpt {
    fn from(excerpt: Excerpt) -> KeptExcerpt {
        let Excerpt { first_line, bytes, whole_bytes } = excerpt;
        KeptExcerpt { first_line, bytes, whole_bytes }
    }
}

impl From<KeptExcerpt> for Excerpt {
    fn from(kept: KeptExcerpt) -> Excerpt {
        Excerpt { first_line: kept.first_line, bytes: kept.bytes, whole_bytes: kept.whole_bytes }
    }
}

impl From<Exchange> for KeptExchange {
    fn from(exchange: Exchange) -> KeptExchange {
        let Exchange { by_submission, at, bytes, whole_bytes } = exchange;
        KeptExchange { by_submission, at, bytes, whole_bytes }
    }
}

impl From<KeptExchange> for Exchange {
    fn from(kept: KeptExchange) -> Exchange {
        let KeptExchange { by_submission, at, bytes, whole_bytes } = kept;
        Exchange { by_submission, at, bytes, whole_bytes }
    }
}
