//! The HTML report: one self-contained page, which loads no other file.
//!
//! The page is a fixed frame ([`frame`]) around JSON lines: those of `--json`, and further ones ([`extra`]) with texts
//! of test cases, outputs, diffs and pictures of boards. The script of the page draws them. The report is a stream, so
//! that memory does not grow with the run.
//!
//! The output of a submission cannot become code: the JSON contains no `<`, the script inserts strings as text only,
//! and the content security policy of the page allows only this script, by its hash.

mod extra;
mod frame;

use std::collections::HashSet;
use std::io::{self, Write};
use std::rc::Rc;

use serde::Serialize;

use super::atomic_output::{CheckedOutput, Destination};
use super::{CaseDetails, Report, counted, jsonl};
use extra::Extra;
use referee_event::{CaseFinished, Event, HuntFinished, SurvivorHunted};

/// The maximum total size of outputs and their pictures, in bytes. Later outputs are left out, because the first
/// failures are the most useful.
const OUTPUT_BYTES: usize = 24 << 20;

/// The maximum total size of inputs and answers, in bytes.
const CASE_BYTES: usize = 24 << 20;

/// The maximum total size of results, in bytes. Browsers cannot show a page that is much larger.
const RESULT_BYTES: usize = 160 << 20;

/// Writes a page.
pub struct Html {
    out: CheckedOutput,
    heading: String,
    case_details: Option<Rc<dyn CaseDetails>>,
    is_begun: bool,
    /// The names of the test cases whose texts are already written.
    written_cases: HashSet<String>,
    outputs: SizeBudget,
    cases: SizeBudget,
    results: SizeBudget,
}

impl Html {
    /// Writes the page to `out`. `heading` is a line about the run. `case_details` provides the texts of the package;
    /// `None` if the run has no package.
    pub fn new(out: Box<dyn Destination>, heading: String, case_details: Option<Rc<dyn CaseDetails>>) -> Self {
        Html {
            out: CheckedOutput::new(out),
            heading,
            case_details,
            is_begun: false,
            written_cases: HashSet::new(),
            outputs: SizeBudget::of(OUTPUT_BYTES),
            cases: SizeBudget::of(CASE_BYTES),
            results: SizeBudget::of(RESULT_BYTES),
        }
    }

    fn begin(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.is_begun, true) {
            return Ok(());
        }
        self.out.write_all(frame::head(&self.heading).as_bytes())?;
        let page = Extra::Page { heading: &self.heading, version: env!("CARGO_PKG_VERSION") };
        self.out.write_all(&line(&page)?)
    }

    /// Writes the texts of a test case before its first result, if they fit into the budget.
    fn write_case_texts(&mut self, name: &str) -> io::Result<()> {
        if !self.written_cases.insert(name.to_owned()) {
            return Ok(());
        }
        let case_details = self.case_details.as_deref().filter(|_| self.cases.has_space());
        let Some(texts) = case_details.and_then(|case_details| case_details.case(name)) else { return Ok(()) };
        let json = line(&extra::case_texts(name, &texts, case_details))?;
        if self.cases.take(&json) { self.out.write_all(&json) } else { Ok(()) }
    }

    /// Writes the texts and pictures of a result before that result, if they fit into the budget.
    fn write_exhibit(&mut self, case: &CaseFinished) -> io::Result<()> {
        if case.exhibit.is_none() || !self.outputs.has_space() {
            return Ok(());
        }
        let Some(json) = extra::exhibit(case, self.case_details.as_deref()) else { return Ok(()) };
        let json = line(&json)?;
        if self.outputs.take(&json) { self.out.write_all(&json) } else { Ok(()) }
    }

    fn hunted(&mut self, found: &HuntFinished) -> io::Result<()> {
        let find = extra::Find {
            number: None,
            input: found.input.as_deref(),
            expected: found.expected.as_deref(),
            got: found.got.as_deref(),
            is_wrong_answer: found.kind.as_deref() == Some("WA"),
        };
        self.write_find(&find)
    }

    fn survivor(&mut self, hunted: &SurvivorHunted) -> io::Result<()> {
        let find = extra::Find {
            number: Some(hunted.number),
            input: hunted.input.as_deref(),
            expected: hunted.expected.as_deref(),
            got: hunted.got.as_deref(),
            is_wrong_answer: hunted.kind.as_deref() == Some("WA"),
        };
        self.write_find(&find)
    }

    fn write_find(&mut self, find: &extra::Find<'_>) -> io::Result<()> {
        if !self.outputs.has_space() {
            return Ok(());
        }
        let Some(json) = extra::find_texts(find, self.case_details.as_deref()) else { return Ok(()) };
        let json = line(&json)?;
        if self.outputs.take(&json) { self.out.write_all(&json) } else { Ok(()) }
    }

    /// Writes descriptions of the data that did not fit, and resets the counters.
    fn write_left_out(&mut self) -> io::Result<()> {
        let budgets = [
            (&mut self.cases, "the texts of ", "test case", ""),
            (&mut self.outputs, "the outputs of ", "run", ""),
            (&mut self.results, "", "line", " of results"),
        ];
        let mut json = Vec::new();
        for (budget, before, noun, after) in budgets {
            let refused = std::mem::take(&mut budget.refused);
            if refused > 0 {
                let what = format!("{before}{}{after}", counted(refused, noun));
                json.extend(line(&Extra::LeftOut { what: &what })?);
            }
        }
        self.out.write_all(&json)
    }
}

impl Report for Html {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.begin()?;
        if let Event::CaseFinished(case) = event {
            self.write_case_texts(&case.case)?;
            self.write_exhibit(case)?;
        }
        let Some(json) = jsonl::line(event) else { return Ok(()) };
        let json = line(&json)?;
        // The budget applies only to the types of events that can occur often in a run. Other events are always
        // written.
        if is_one_of_many(event) && !self.results.take(&json) {
            return Ok(());
        }
        if matches!(event, Event::RunFinished(_)) {
            self.write_left_out()?;
        }
        self.out.write_all(&json)?;
        match event {
            Event::HuntFinished(found) => self.hunted(found),
            Event::SurvivorHunted(hunted) => self.survivor(hunted),
            _ => Ok(()),
        }
    }

    fn finish(mut self: Box<Self>, is_complete: bool) -> io::Result<()> {
        self.begin()?;
        self.write_left_out()?;
        self.out.write_all(frame::tail().as_bytes())?;
        self.out.flush()?;
        self.out.finish(is_complete)
    }
}

/// Returns whether a run can have more events of this type than a page can hold.
fn is_one_of_many(event: &Event) -> bool {
    matches!(
        event,
        Event::BuildFinished(_)
            | Event::CaseFinished(_)
            | Event::GroupFinished(_)
            | Event::CaseGenerated(_)
            | Event::VerifyFinding(_)
            | Event::VerifyMargin(_)
            | Event::MutantFinished(_)
            | Event::SurvivorHunted(_)
    )
}

/// The remaining space for one kind of data, in bytes.
struct SizeBudget {
    left: usize,
    /// The number of JSON lines that did not fit.
    refused: usize,
}

impl SizeBudget {
    fn of(bytes: usize) -> SizeBudget {
        SizeBudget { left: bytes, refused: 0 }
    }

    /// Returns whether any space is left. If not, counts the caller's next line as refused, so the caller need not
    /// create that line.
    fn has_space(&mut self) -> bool {
        self.refused += usize::from(self.left == 0);
        self.left > 0
    }

    /// Returns whether this line fits. After the first line that does not fit, all lines are refused, so that only the
    /// end of the data is missing.
    fn take(&mut self, piece: &[u8]) -> bool {
        let fits = piece.len() <= self.left;
        self.left = if fits { self.left - piece.len() } else { 0 };
        self.refused += usize::from(!fits);
        fits
    }
}

/// Returns a line of JSON without `<`, so that the line cannot close the HTML element that contains it.
fn line(line: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut json = jsonl::escaped(serde_json::to_string(line)?);
    if json.contains('<') {
        // JSON has `<` only in strings, and in a string the escape stands for `<`.
        json = json.replace('<', "\\u003c");
    }
    json.push('\n');
    Ok(json.into_bytes())
}

#[cfg(test)]
mod tests;
