//! The HTML report: one self-contained page, which loads no other file.
//!
//! The page is a fixed frame ([`frame`]) around JSON lines: those of `--json`, and further ones ([`extra`]) with texts
//! of test cases, outputs, diffs and pictures of boards. The lines `case_finished` are packed ([`results`]). The script
//! of the page draws all this. The report is a stream, so that memory does not grow with the run.
//!
//! A page on 1,000 submissions and 100 test cases must be smaller than 10 MB, also if every result is a failure. So
//! the texts have a budget ([`SizeBudget`]), namely the space that the rows of results leave ([`Html::run_started`]).
//! The more results a run can have, the shorter are the texts of each. The bound does not count scores, times of
//! repeated measurements, numbers of passes, and the lines of test groups.
//!
//! The output of a submission cannot become code: the JSON contains no `<`, the script inserts strings as text only,
//! and the content security policy of the page allows only this script, by its hash.

mod budget;
mod extra;
mod frame;
mod messages;
pub mod per_submission;
mod results;
mod summary_remarks;

use std::io::{self, Write};
use std::rc::Rc;

use serde::Serialize;

use super::atomic_output::{CheckedOutput, Destination};
use super::first_error::first_error;
use super::{CaseDetails, Report, counted, jsonl};
use budget::SizeBudget;
use extra::Extra;
use messages::Messages;
use referee_event::{BuildFinished, CaseFinished, Event, HuntFinished, RunStarted, SimilarityFinished, SurvivorHunted};
use results::Results;
use summary_remarks::SummaryRemarks;

/// The size of a page, in bytes, up to which texts are planned.
const PAGE_BYTES: usize = 9_900_000;

/// The maximum size of a row with a failed result that has no score, in bytes.
const ROW_BYTES: usize = 46;

/// The planned size of all lines about a submission, except its results and texts, in bytes.
const SUBMISSION_BYTES: usize = 800;

/// The size of a line of results without its rows and the name of the submission, in bytes. An exhibit before a result
/// begins a new line.
const LINE_BYTES: usize = 46;

/// The smallest total size of all texts, in bytes. It applies if the rows of results need most of the page.
const LEAST_TEXT_BYTES: usize = 3_000_000;

/// The maximum total size of outputs, their pictures and messages, in bytes, unless the number of results is known.
/// Later outputs are left out, because the first failures are the most useful.
const OUTPUT_BYTES: usize = 2_500_000;

/// The maximum total size of inputs and answers, in bytes, unless the number of results is known.
const CASE_BYTES: usize = 1_250_000;

/// The maximum total size of results, in bytes. Browsers cannot show a page that is much larger.
const RESULT_BYTES: usize = 160 << 20;

/// The maximum total size of the sources of similar programs, in bytes.
const SOURCE_BYTES: usize = 3_000_000;

/// Writes a page.
pub struct Html {
    out: CheckedOutput,
    heading: String,
    case_details: Option<Rc<dyn CaseDetails>>,
    is_begun: bool,
    outputs: SizeBudget,
    cases: SizeBudget,
    results: SizeBudget,
    sources: SizeBudget,
    /// The results that are not written yet.
    pending: Results,
    summary: SummaryRemarks,
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
            outputs: SizeBudget::of(OUTPUT_BYTES),
            cases: SizeBudget::of(CASE_BYTES),
            results: SizeBudget::of(RESULT_BYTES),
            sources: SizeBudget::of(SOURCE_BYTES),
            pending: Results::default(),
            summary: SummaryRemarks::default(),
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

    /// Gives the texts the space that the rows of results leave, if the number of results is known. Divides it among
    /// the results and the test cases that the run can have.
    fn run_started(&mut self, run: &RunStarted) {
        let all = run.submissions.unwrap_or(1);
        let submissions = run.partition.map_or(all, |partition| partition.share(all));
        if run.planned > 0 {
            let frame = frame::head(&self.heading).len() + frame::tail().len();
            let rows = run.planned.saturating_mul(ROW_BYTES);
            let others = rows.saturating_add(submissions.saturating_mul(SUBMISSION_BYTES)).saturating_add(frame);
            let texts = PAGE_BYTES.saturating_sub(others).max(LEAST_TEXT_BYTES);
            self.cases = SizeBudget::of(texts / 3);
            self.outputs = SizeBudget::of(texts - texts / 3);
        }
        self.outputs.share_among(run.planned);
        self.cases.share_among(run.cases);
    }

    /// Returns the event with as much of the message as fits into the budget.
    fn build_finished(&mut self, build: &BuildFinished) -> io::Result<Event> {
        let mut build = build.clone();
        if let Some(message) = build.message.take() {
            let share = self.outputs.next_share();
            let (shown, bytes) = messages::cut(message_of_at_most(&message, share), share)?;
            // A failed build always has a message, so a mark replaces a message that does not fit.
            let fits = self.outputs.take(bytes, 1);
            build.message = Some(if fits { shown.into_owned() } else { "…".to_owned() });
        }
        Ok(Event::BuildFinished(build))
    }

    /// Writes what the page has about a result, except the result itself, which [`Html::write_pending`] writes later.
    fn case_finished(&mut self, result: &CaseFinished) -> io::Result<()> {
        if !self.pending.has_case(&result.case) {
            self.write_case_texts(&result.case)?;
        }
        let messages = self.write_exhibit(result)?;
        if !self.pending.accepts(result) {
            self.write_pending()?;
        }
        self.pending.add(result, &messages)
    }

    /// Writes where the first error of a failed build begins, unless its message begins with it.
    fn write_first_error(&mut self, build: &BuildFinished) -> io::Result<()> {
        let message = build.message.as_deref().filter(|_| !build.ok);
        match message.and_then(first_error).filter(|line| *line > 0) {
            Some(at) => self.out.write_all(&line(&Extra::FirstError { submission: &build.submission, line: at })?),
            None => Ok(()),
        }
    }

    fn write_pending(&mut self) -> io::Result<()> {
        let Some(packed) = self.pending.take()? else { return Ok(()) };
        let json = safe_line(packed.json);
        if self.results.take(json.len(), packed.count) { self.out.write_all(&json) } else { Ok(()) }
    }

    /// Writes the texts of a test case before its first result, if they fit into the budget.
    fn write_case_texts(&mut self, name: &str) -> io::Result<()> {
        let share = self.cases.next_share();
        let case_details = self.case_details.as_deref().filter(|_| self.cases.has_space());
        let Some(texts) = case_details.and_then(|case_details| case_details.case(name)) else { return Ok(()) };
        let json = line_of_at_most(share, extra::case_texts(name, &texts, case_details))?;
        if self.cases.take(json.len(), 1) { self.out.write_all(&json) } else { Ok(()) }
    }

    /// Writes the texts and pictures of a result before that result, if they and the messages of the result fit into
    /// the budget. Returns the messages, which are empty if they do not fit.
    fn write_exhibit<'a>(&mut self, result: &'a CaseFinished) -> io::Result<Messages<'a>> {
        let share = self.outputs.next_share();
        let is_empty = result.exhibit.is_none() && result.message.is_none() && result.team_message.is_none();
        if is_empty || !self.outputs.has_space() {
            return Ok(Messages::default());
        }
        let messages = Messages::of(result, share / 4)?;
        let exhibit = extra::exhibit(result, self.case_details.as_deref());
        let most = share.saturating_sub(messages.bytes + LINE_BYTES + result.submission.len());
        let json = exhibit.map(|exhibit| line_of_at_most(most, exhibit)).transpose()?;
        let exhibit_bytes = json.as_ref().map_or(0, |json| json.len() + LINE_BYTES + result.submission.len());
        if !self.outputs.take(exhibit_bytes + messages.bytes, 1) {
            return Ok(Messages::default());
        }
        if let Some(json) = json {
            // The exhibit belongs to the next result of the page.
            self.write_pending()?;
            self.out.write_all(&json)?;
        }
        Ok(messages)
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
        if self.outputs.take(json.len(), 1) { self.out.write_all(&json) } else { Ok(()) }
    }

    /// Writes the sources of similar programs, those of the most similar ones first.
    fn similar(&mut self, found: &SimilarityFinished) -> io::Result<()> {
        for source in &found.sources {
            let json = line(&extra::similar_source(source))?;
            if self.sources.take(json.len(), 1) {
                self.out.write_all(&json)?;
            }
        }
        Ok(())
    }

    /// Writes descriptions of the data that did not fit, and resets the counters.
    fn write_left_out(&mut self) -> io::Result<()> {
        let budgets = [
            (&mut self.cases, "the texts of ", "test case", ""),
            (&mut self.outputs, "the outputs and messages of ", "run", ""),
            (&mut self.results, "", "result", " and other lines"),
            (&mut self.sources, "the sources of ", "similar program", ""),
        ];
        let mut json = Vec::new();
        for (budget, before, noun, after) in budgets {
            let refused = budget.take_refused();
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
        self.summary.event(event);
        match event {
            Event::CaseFinished(result) => return self.case_finished(result),
            Event::RunStarted(run) => self.run_started(run),
            _ => {}
        }
        self.write_pending()?;
        let cut = if let Event::BuildFinished(build) = event { Some(self.build_finished(build)?) } else { None };
        let event = cut.as_ref().unwrap_or(event);
        let Some(json) = jsonl::line(event) else { return Ok(()) };
        let json = line(&json)?;
        // The budget applies only to the types of events that can occur often in a run. Other events are always
        // written.
        if is_one_of_many(event) && !self.results.take(json.len(), 1) {
            return Ok(());
        }
        if matches!(event, Event::RunFinished(_)) {
            self.write_left_out()?;
            let (doubts, remarks) = self.summary.sentences();
            if doubts.len() + remarks.len() > 0 {
                self.out.write_all(&line(&Extra::Remarks { doubts: &doubts, remarks: &remarks })?)?;
            }
        }
        self.out.write_all(&json)?;
        match event {
            Event::BuildFinished(build) => self.write_first_error(build),
            Event::HuntFinished(found) => self.hunted(found),
            Event::SurvivorHunted(hunted) => self.survivor(hunted),
            Event::SimilarityFinished(found) => self.similar(found),
            _ => Ok(()),
        }
    }

    fn finish(mut self: Box<Self>, is_complete: bool) -> io::Result<()> {
        self.begin()?;
        self.write_pending()?;
        self.write_left_out()?;
        self.out.write_all(frame::tail().as_bytes())?;
        self.out.flush()?;
        self.out.finish(is_complete)
    }
}

/// Returns the part of a build's message to show if it may have `most_bytes` bytes. If it has more, the lines before its
/// first error are left out.
fn message_of_at_most(message: &str, most_bytes: usize) -> &str {
    let first = first_error(message).filter(|_| message.len() > most_bytes).unwrap_or(0);
    let before: usize = message.split_inclusive('\n').take(first).map(str::len).sum();
    &message[before..]
}

/// Returns whether a run can have more events of this type than a page can hold.
fn is_one_of_many(event: &Event) -> bool {
    matches!(
        event,
        Event::BuildFinished(_)
            | Event::GroupFinished(_)
            | Event::CaseGenerated(_)
            | Event::VerifyFinding(_)
            | Event::VerifyMargin(_)
            | Event::MutantFinished(_)
            | Event::SurvivorHunted(_)
    )
}

/// Returns a line of JSON with at most `most_bytes` bytes if cutting the texts in `extra` suffices for that.
fn line_of_at_most(most_bytes: usize, mut extra: Extra<'_>) -> io::Result<Vec<u8>> {
    let mut json = line(&extra)?;
    if json.len() > most_bytes && extra.drop_large_pictures(most_bytes / 2)? {
        json = line(&extra)?;
    }
    while json.len() > most_bytes && extra.halve() {
        json = line(&extra)?;
    }
    Ok(json)
}

fn line(line: &impl Serialize) -> io::Result<Vec<u8>> {
    Ok(safe_line(serde_json::to_string(line)?))
}

/// Returns a line of JSON without `<`, so that the line cannot close the HTML element that contains it.
fn safe_line(json: String) -> Vec<u8> {
    let mut json = jsonl::escaped(json);
    if json.contains('<') {
        // JSON has `<` only in strings, and in a string the escape stands for `<`.
        json = json.replace('<', "\\u003c");
    }
    json.push('\n');
    json.into_bytes()
}

#[cfg(test)]
mod tests;
