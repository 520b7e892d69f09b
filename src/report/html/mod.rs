//! HTML: one self-contained page that asks for nothing from anywhere, for people.
//!
//! The page is a fixed frame ([`frame`]) around JSON lines: those of `--json`, and between them what a page shows
//! beside ([`extra`]): texts of test cases, outputs, diffs, pictures of boards. Its script makes the page of them. It
//! is written as a stream, so that memory does not grow with the run.
//!
//! Whatever a submission writes stays text: it lies in JSON in which no `<` stands, the script puts it on the page as
//! text only, and the page's policy lets nothing run but that script, which it names by its hash.

mod extra;
mod frame;

use std::collections::HashSet;
use std::io::{self, Write};
use std::rc::Rc;

use serde::Serialize;

use super::whole::{Destination, Whole};
use super::{Backdrop, Report, jsonl};
use crate::event::{CaseFinished, Event, HuntFinished, SurvivorHunted};
use extra::Extra;

/// Outputs and their pictures have this much room; the first failures of each submission say most.
const OUTPUT_BYTES: usize = 24 << 20;

/// Inputs and answers have this much.
const CASE_BYTES: usize = 24 << 20;

/// Results have this much. Browsers can hold no page that is much larger.
const RESULT_BYTES: usize = 160 << 20;

/// Writes a page.
pub struct Html {
    out: Whole,
    heading: String,
    backdrop: Option<Rc<dyn Backdrop>>,
    is_begun: bool,
    /// Test cases whose texts were told.
    told: HashSet<String>,
    outputs: Room,
    cases: Room,
    results: Room,
}

impl Html {
    /// Writes to `out`. `heading` tells in one line what the run is about, `backdrop` knows its package.
    pub fn new(out: Box<dyn Destination>, heading: String, backdrop: Option<Rc<dyn Backdrop>>) -> Self {
        Html {
            out: Whole::new(out),
            heading,
            backdrop,
            is_begun: false,
            told: HashSet::new(),
            outputs: Room::of(OUTPUT_BYTES),
            cases: Room::of(CASE_BYTES),
            results: Room::of(RESULT_BYTES),
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

    /// The texts of a test case, before its first result.
    fn case_told(&mut self, name: &str) -> io::Result<()> {
        if !self.told.insert(name.to_owned()) {
            return Ok(());
        }
        let backdrop = self.backdrop.as_deref().filter(|_| self.cases.has_some());
        let Some(texts) = backdrop.and_then(|backdrop| backdrop.case(name)) else { return Ok(()) };
        let told = line(&extra::case_told(name, &texts, backdrop))?;
        if self.cases.take(&told) { self.out.write_all(&told) } else { Ok(()) }
    }

    /// What there is to see of a result, before it.
    fn exhibit(&mut self, case: &CaseFinished) -> io::Result<()> {
        if case.exhibit.is_none() || !self.outputs.has_some() {
            return Ok(());
        }
        let Some(told) = extra::exhibit(case, self.backdrop.as_deref()) else { return Ok(()) };
        let told = line(&told)?;
        if self.outputs.take(&told) { self.out.write_all(&told) } else { Ok(()) }
    }

    fn hunted(&mut self, found: &HuntFinished) -> io::Result<()> {
        let find = extra::Find {
            number: None,
            input: found.input.as_deref(),
            expected: found.expected.as_deref(),
            got: found.got.as_deref(),
            is_wrong_answer: found.kind.as_deref() == Some("WA"),
        };
        self.find(&find)
    }

    fn survivor(&mut self, hunted: &SurvivorHunted) -> io::Result<()> {
        let find = extra::Find {
            number: Some(hunted.number),
            input: hunted.input.as_deref(),
            expected: hunted.expected.as_deref(),
            got: hunted.got.as_deref(),
            is_wrong_answer: hunted.kind.as_deref() == Some("WA"),
        };
        self.find(&find)
    }

    fn find(&mut self, find: &extra::Find<'_>) -> io::Result<()> {
        if !self.outputs.has_some() {
            return Ok(());
        }
        let Some(told) = extra::find_told(find, self.backdrop.as_deref()) else { return Ok(()) };
        let told = line(&told)?;
        if self.outputs.take(&told) { self.out.write_all(&told) } else { Ok(()) }
    }

    /// What there was no room for, once.
    fn left_out(&mut self) -> io::Result<()> {
        let rooms = [
            (&mut self.cases, "the texts of {} test cases"),
            (&mut self.outputs, "the outputs of {} runs"),
            (&mut self.results, "{} lines of results"),
        ];
        let mut told = Vec::new();
        for (room, words) in rooms {
            let refused = std::mem::take(&mut room.refused);
            if refused > 0 {
                let what = words.replace("{}", &refused.to_string());
                told.extend(line(&Extra::LeftOut { what: &what })?);
            }
        }
        self.out.write_all(&told)
    }
}

impl Report for Html {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.begin()?;
        if let Event::CaseFinished(case) = event {
            self.case_told(&case.case)?;
            self.exhibit(case)?;
        }
        let Some(told) = jsonl::line(event) else { return Ok(()) };
        let told = line(&told)?;
        // What many have is bounded; what a run has once is always told.
        if is_one_of_many(event) && !self.results.take(&told) {
            return Ok(());
        }
        if matches!(event, Event::RunFinished(_)) {
            self.left_out()?;
        }
        self.out.write_all(&told)?;
        match event {
            Event::HuntFinished(found) => self.hunted(found),
            Event::SurvivorHunted(hunted) => self.survivor(hunted),
            _ => Ok(()),
        }
    }

    fn finish(mut self: Box<Self>, is_whole: bool) -> io::Result<()> {
        self.begin()?;
        self.left_out()?;
        self.out.write_all(frame::tail().as_bytes())?;
        self.out.flush()?;
        self.out.finish(is_whole)
    }
}

/// Whether a run can have more of these than a page can hold.
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

/// How many bytes of something there may be.
struct Room {
    left: usize,
    /// How many pieces did not fit.
    refused: usize,
}

impl Room {
    fn of(bytes: usize) -> Room {
        Room { left: bytes, refused: 0 }
    }

    /// Whether anything may fit; what cannot is counted, and need not be made.
    fn has_some(&mut self) -> bool {
        self.refused += usize::from(self.left == 0);
        self.left > 0
    }

    /// Whether this fits. After the first piece that does not, none does: what is left out is the end.
    fn take(&mut self, piece: &[u8]) -> bool {
        let fits = piece.len() <= self.left;
        self.left = if fits { self.left - piece.len() } else { 0 };
        self.refused += usize::from(!fits);
        fits
    }
}

/// A line of JSON that cannot end the element it stands in.
fn line(line: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut json = jsonl::escaped(serde_json::to_string(line)?);
    if json.contains('<') {
        // Outside strings JSON has none.
        json = json.replace('<', "\\u003c");
    }
    json.push('\n');
    Ok(json.into_bytes())
}

#[cfg(test)]
mod tests;
