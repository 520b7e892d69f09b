//! Test suites, and writing them as JUnit XML.

use std::borrow::Borrow;
use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::escape::escape;
use quick_xml::events::{BytesEnd, BytesStart, BytesText, Event};

use referee_event::ToolFound;
use referee_text::printable::printable;

/// Tests that belong together. The caller passes the tests to [`Suite::write`]. So nothing has to store them: a
/// submission has as many tests as the package has test cases.
#[derive(Debug, Default)]
pub(super) struct Suite {
    pub(super) name: String,
    /// The tools that were used.
    pub(super) tools: Vec<ToolFound>,
    /// The points of the submission; `None` if it has none.
    pub(super) points: Option<f64>,
}

/// One test.
#[derive(Debug)]
pub(super) struct Test {
    pub(super) name: String,
    /// The name of the tested object. The class and the name together must be unique, because readers merge duplicates.
    pub(super) class: String,
    /// The run time in seconds; `None` if it is unknown.
    pub(super) seconds: Option<f64>,
    pub(super) outcome: Outcome,
    /// Further output.
    pub(super) output: String,
}

/// The result of a test.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Passed,
    /// The test failed.
    Failed {
        /// The reason, in one line.
        message: String,
        text: String,
    },
    /// The result is unknown, because the judge failed.
    Error(String),
    /// The test was not run, for this reason.
    Skipped(String),
}

impl Suite {
    /// Writes the suite with these tests, and with `facts` about the run. Iterates over the tests twice, because the
    /// suite begins with their counts.
    pub(super) fn write<W: Write>(
        &self,
        xml: &mut Writer<W>,
        facts: &[(String, String)],
        mut tests: impl Iterator<Item = impl Borrow<Test>> + Clone,
    ) -> io::Result<()> {
        let mut counts = Counts::default();
        tests.clone().for_each(|test| counts.add(test.borrow()));
        let mut start = BytesStart::new("testsuite");
        add_attribute(&mut start, "name", &self.name);
        add_attribute(&mut start, "tests", &counts.tests.to_string());
        add_attribute(&mut start, "failures", &counts.failures.to_string());
        add_attribute(&mut start, "errors", &counts.errors.to_string());
        add_attribute(&mut start, "skipped", &counts.skipped.to_string());
        add_attribute(&mut start, "time", &time(counts.seconds));
        xml.write_event(Event::Start(start))?;
        self.write_properties(xml, facts)?;
        tests.try_for_each(|test| test.borrow().write(xml))?;
        xml.write_event(Event::End(BytesEnd::new("testsuite")))
    }

    fn write_properties<W: Write>(&self, xml: &mut Writer<W>, facts: &[(String, String)]) -> io::Result<()> {
        let tool = |tool: &ToolFound| Some((tool.path.clone(), tool.version.clone()?));
        let points = self.points.map(|points| ("points".to_owned(), points.to_string()));
        let mut all = facts.iter().cloned().chain(self.tools.iter().filter_map(tool)).chain(points).peekable();
        if all.peek().is_none() {
            return Ok(());
        }
        xml.write_event(Event::Start(BytesStart::new("properties")))?;
        for (name, value) in all {
            let mut property = BytesStart::new("property");
            add_attribute(&mut property, "name", &name);
            add_attribute(&mut property, "value", &value);
            xml.write_event(Event::Empty(property))?;
        }
        xml.write_event(Event::End(BytesEnd::new("properties")))
    }
}

/// The counts at the beginning of a suite.
#[derive(Default)]
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
    /// The sum of the known run times.
    seconds: f64,
}

impl Counts {
    fn add(&mut self, test: &Test) {
        self.tests += 1;
        self.seconds += test.seconds.unwrap_or_default();
        match test.outcome {
            Outcome::Passed => {}
            Outcome::Failed { .. } => self.failures += 1,
            Outcome::Error(_) => self.errors += 1,
            Outcome::Skipped(_) => self.skipped += 1,
        }
    }
}

impl Test {
    pub(super) fn passed(class: &str, name: &str) -> Test {
        let (class, name) = (class.to_owned(), name.to_owned());
        Test { name, class, seconds: None, outcome: Outcome::Passed, output: String::new() }
    }

    pub(super) fn with_outcome(self, outcome: Outcome) -> Test {
        Test { outcome, ..self }
    }

    fn write<W: Write>(&self, xml: &mut Writer<W>) -> io::Result<()> {
        let mut start = BytesStart::new("testcase");
        add_attribute(&mut start, "name", &self.name);
        add_attribute(&mut start, "classname", &self.class);
        if let Some(seconds) = self.seconds {
            add_attribute(&mut start, "time", &time(seconds));
        }
        if self.outcome == Outcome::Passed && self.output.is_empty() {
            return xml.write_event(Event::Empty(start));
        }
        xml.write_event(Event::Start(start))?;
        match &self.outcome {
            Outcome::Passed => {}
            Outcome::Failed { message, text } => element(xml, "failure", Some(message), text)?,
            Outcome::Error(message) => element(xml, "error", Some(message), "")?,
            Outcome::Skipped(reason) => element(xml, "skipped", Some(reason), "")?,
        }
        if !self.output.is_empty() {
            element(xml, "system-out", None, &self.output)?;
        }
        xml.write_event(Event::End(BytesEnd::new("testcase")))
    }
}

fn element<W: Write>(xml: &mut Writer<W>, name: &str, message: Option<&str>, text: &str) -> io::Result<()> {
    let mut start = BytesStart::new(name);
    if let Some(message) = message {
        add_attribute(&mut start, "message", message);
    }
    if text.is_empty() {
        return xml.write_event(Event::Empty(start));
    }
    xml.write_event(Event::Start(start))?;
    xml.write_event(Event::Text(BytesText::from_escaped(escaped(text))))?;
    xml.write_event(Event::End(BytesEnd::new(name)))
}

/// Adds an attribute. Line feeds in the value are lost, because XML parsers replace them with blanks.
fn add_attribute(start: &mut BytesStart<'_>, key: &str, value: &str) {
    start.push_attribute((key.as_bytes(), escaped(value).as_bytes()));
}

/// Escapes `text` for XML. Also escapes the start of CI commands (`::` at the start of a line, `##[` anywhere), because
/// CI services read them if the report goes to standard output.
fn escaped(text: &str) -> String {
    let text = clean(text);
    let escaped = escape(&text).replace("##", "&#35;#");
    let line = |line: &str| match line.trim_start() {
        start if start.starts_with("::") => line.replacen(':', "&#58;", 1),
        _ => line.to_owned(),
    };
    escaped.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Replaces control characters, U+FFFE and U+FFFF, which XML cannot express, by symbols or escapes.
fn clean(text: &str) -> String {
    printable(text.as_bytes()).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

fn time(seconds: f64) -> String {
    format!("{seconds:.6}")
}
