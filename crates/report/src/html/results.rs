//! Packs the results of test cases. A page can have 100,000 of them, so they share lines: one line contains consecutive
//! results of a submission, and each result is a short array.
//!
//! ```json
//! {"type":"results","submission":"a.cpp","rows":[["secret/1","AC",1034,1120,3407872],[7,"TLE",1998,2050,3407872,-9,1],[8,"WA",998,1050,3407872,0,0,{"message":"line 1"}]]}
//! ```
//!
//! A row has the test case, the verdict, the CPU time and the wall time in microseconds, and the peak memory in bytes.
//! The next columns are left out at the end of a row if they have the values of an ordinary run:
//!
//! - the exit code, or the number of the signal as a negative number; `null` if the run has neither. Ordinary: 0
//! - flags: 1 if the time is close to the limit, plus 2 if the result is cached. Ordinary: 0. `close: null` and
//!   `close: false` become the same
//! - an object with the other fields of `case_finished` whose values differ from those of an ordinary run
//!
//! `key` is left out. A test case is its name in its first row of the page, and in later rows the number of names
//! before that one.

use std::collections::HashMap;
use std::io;

use serde::Serialize;

use super::messages::Messages;
use crate::jsonl::Figure;
use referee_event::CaseFinished;
use referee_grading::score::Written;

/// The size of a line, in bytes, from which on further results get a line of their own.
const LINE_BYTES: usize = 1 << 16;

/// The results that are not written yet.
#[derive(Default)]
pub(super) struct Results {
    /// The number of each test case that has a row.
    numbers: HashMap<String, usize>,
    submission: String,
    /// The rows in JSON, separated by commas.
    rows: String,
    count: usize,
}

/// Results in one line.
pub(super) struct Packed {
    pub(super) json: String,
    /// The number of results.
    pub(super) count: usize,
}

impl Results {
    /// Returns whether the page has a row for this test case.
    pub(super) fn has_case(&self, name: &str) -> bool {
        self.numbers.contains_key(name)
    }

    /// Returns whether this result can be added to the line that is not written yet.
    pub(super) fn accepts(&self, result: &CaseFinished) -> bool {
        self.count == 0 || (self.submission == result.submission && self.rows.len() < LINE_BYTES)
    }

    /// Adds a result, with these messages in place of its own.
    pub(super) fn add(&mut self, result: &CaseFinished, messages: &Messages<'_>) -> io::Result<()> {
        if self.count == 0 {
            self.submission.clone_from(&result.submission);
        } else {
            self.rows.push(',');
        }
        let case = if let Some(&number) = self.numbers.get(&result.case) {
            Case::Number(number)
        } else {
            self.numbers.insert(result.case.clone(), self.numbers.len());
            Case::Name(&result.case)
        };
        let micros = |seconds: Option<f64>| seconds.map(|seconds| (seconds * 1e6).round() as u64);
        let (cpu, wall) = (micros(result.cpu_seconds), micros(result.wall_seconds));
        let (ending, flags) = (ending(result), flags(result));
        let others = Others::of(result, messages);
        let (verdict, memory) = (result.verdict, result.memory_bytes);
        self.rows.push_str(&if others != Others::default() {
            serde_json::to_string(&(case, verdict, cpu, wall, memory, ending, flags, others))?
        } else if flags != 0 {
            serde_json::to_string(&(case, verdict, cpu, wall, memory, ending, flags))?
        } else if ending != Some(0) {
            serde_json::to_string(&(case, verdict, cpu, wall, memory, ending))?
        } else {
            serde_json::to_string(&(case, verdict, cpu, wall, memory))?
        });
        self.count += 1;
        Ok(())
    }

    /// Takes the results that are not written yet; `None` if there are none.
    pub(super) fn take(&mut self) -> io::Result<Option<Packed>> {
        if self.count == 0 {
            return Ok(None);
        }
        let submission = serde_json::to_string(&self.submission)?;
        let json = format!(r#"{{"type":"results","submission":{submission},"rows":[{}]}}"#, self.rows);
        self.rows.clear();
        Ok(Some(Packed { json, count: std::mem::take(&mut self.count) }))
    }
}

/// Returns the exit code, or the number of the signal as a negative number; `None` if the result has neither.
fn ending(result: &CaseFinished) -> Option<i32> {
    result.signal.map(|signal| -signal).or(result.exit_code)
}

fn flags(result: &CaseFinished) -> u8 {
    u8::from(result.close == Some(true)) + 2 * u8::from(result.cached)
}

#[derive(Serialize)]
#[serde(untagged)]
enum Case<'a> {
    Name(&'a str),
    Number(usize),
}

/// The fields of a result that have no column. Fields with the values of an ordinary run are left out.
#[derive(Default, PartialEq, Serialize)]
struct Others<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Figure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu_seconds_all: Option<&'a [f64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    team_message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    passes: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    given_score: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    given_multiplier: Option<String>,
}

impl<'a> Others<'a> {
    fn of(result: &'a CaseFinished, messages: &'a Messages<'_>) -> Others<'a> {
        Others {
            score: result.score.as_ref().map(Figure::from),
            cpu_seconds_all: result.cpu_seconds_all.as_deref(),
            message: messages.message.as_deref(),
            team_message: messages.team_message.as_deref(),
            passes: result.passes,
            given_score: result.given.score.as_ref().and_then(Written::exact),
            given_multiplier: result.given.multiplier.as_ref().and_then(Written::exact),
        }
    }
}
