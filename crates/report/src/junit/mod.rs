//! Writes JUnit XML, which GitLab, Jenkins and some actions for GitHub display. The table below lists the suites and
//! their tests.
//!
//! The format has no specification. This module writes what the Jenkins plugin, GitLab and the common readers agree on:
//! `testsuites`, `testsuite`, `testcase` with `failure`, `error`, `skipped` and `system-out`.
//!
//! | command | suite | tests |
//! |---|---|---|
//! | `grade` | a submission | its verdict as a whole, and each test case |
//! | `verify` | a package | each check |
//! | `crosscheck` | the run | each puzzle |
//! | `generate` | the run | each test case |
//! | `hunt` | the run | the program |
//! | `strength` | the run | each mutant that compiles to distinct code, and each wrong declaration |
//!
//! A suite is written as soon as it is complete, so that memory does not grow with the number of submissions.

mod graded;
mod measured;
mod suite;
mod verified;

use std::borrow::Borrow;
use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, Event as Xml};

use super::Report;
use super::atomic_output::{CheckedOutput, Destination};
use graded::CaseResult;
use measured::Mutants;
use referee_event::{BuildFinished, Event, RunStarted, VerifyFinding};
use suite::{Outcome, Suite, Test};

/// Writes JUnit XML.
pub struct Junit {
    xml: Writer<CheckedOutput>,
    is_begun: bool,
    /// Facts about the run, repeated in every suite, because readers show one suite at a time.
    facts: Vec<(String, String)>,
    /// The build and the cases of the submission that is being judged.
    build: Option<BuildFinished>,
    cases: Vec<CaseResult>,
    /// The findings about the package that is being verified.
    findings: Vec<VerifyFinding>,
    mutants: Mutants,
    /// The suite of the run, for the tests that belong to no submission or package.
    run: Suite,
    /// The tests of that suite.
    tests_of_run: Vec<Test>,
}

impl Junit {
    /// Writes the report to `out`.
    pub fn new(out: Box<dyn Destination>) -> Self {
        Junit {
            xml: Writer::new_with_indent(CheckedOutput::new(out), b' ', 2),
            is_begun: false,
            facts: Vec::new(),
            build: None,
            cases: Vec::new(),
            findings: Vec::new(),
            mutants: Mutants::default(),
            run: Suite::default(),
            tests_of_run: Vec::new(),
        }
    }

    /// Writes the head. The report is well-formed even if the run fails before its first event.
    fn begin(&mut self, name: &str) -> io::Result<()> {
        if std::mem::replace(&mut self.is_begun, true) {
            return Ok(());
        }
        self.run.name = format!("referee {name}");
        self.xml.write_event(Xml::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        self.xml.write_event(Xml::Start(BytesStart::new("testsuites")))
    }

    fn write(&mut self, suite: &Suite, tests: impl Iterator<Item = impl Borrow<Test>> + Clone) -> io::Result<()> {
        suite.write(&mut self.xml, &self.facts, tests)?;
        self.xml.get_mut().flush()
    }
}

impl Report for Junit {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::RunStarted(run) => {
                self.begin(&run.package)?;
                self.facts = facts(run);
            }
            Event::BuildFinished(build) => self.build = Some(build.clone()),
            Event::CaseFinished(case) => self.cases.push(CaseResult::of(case)),
            Event::SubmissionFinished(done) => {
                let (build, cases) = (self.build.take(), std::mem::take(&mut self.cases));
                let suite = graded::suite(done, build.as_ref());
                return self.write(&suite, graded::tests(done, build.as_ref(), &cases));
            }
            Event::SubmissionSkipped(skipped) => {
                let test = Test::passed(&skipped.submission, "as expected")
                    .with_outcome(Outcome::Skipped(skipped.reason_and_hint()));
                let suite = Suite { name: skipped.submission.clone(), ..Suite::default() };
                return self.write(&suite, std::iter::once(&test));
            }
            Event::VerifyFinding(finding) => self.findings.push(finding.clone()),
            Event::VerifyFinished(done) => {
                let findings = std::mem::take(&mut self.findings);
                return self.write(&verified::suite(done), verified::tests(done, &findings).iter());
            }
            Event::CrosscheckFinished(result) => self.tests_of_run.push(measured::crosschecked(result)),
            Event::CaseGenerated(case) => self.tests_of_run.push(measured::generated(case)),
            Event::HuntFinished(found) => {
                self.run.tools.extend(self.build.take().map(|build| build.tools).unwrap_or_default());
                self.tests_of_run.push(measured::hunted(found));
            }
            Event::MutantFinished(mutant) => self.mutants.mutant(mutant),
            Event::SurvivorHunted(hunted) => self.mutants.hunted(hunted),
            Event::StrengthFinished(sum) => {
                self.run.tools.extend(sum.tools.iter().cloned());
                let tests = std::mem::take(&mut self.mutants).tests(sum);
                self.tests_of_run.extend(tests);
            }
            // These events are not tests, or other events contain their data.
            Event::GroupFinished(_)
            | Event::DoctorFinished(_)
            | Event::GenerateFinished(_)
            | Event::SimilarityFinished(_)
            | Event::VerifyStarted(_)
            | Event::VerifyTimeLimit(_)
            | Event::VerifyMargin(_)
            | Event::VerifyCheck(_)
            | Event::RunFinished(_) => {}
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, is_complete: bool) -> io::Result<()> {
        self.begin("")?;
        let (run, tests) = (std::mem::take(&mut self.run), std::mem::take(&mut self.tests_of_run));
        if !tests.is_empty() {
            self.write(&run, tests.iter())?;
        }
        self.xml.write_event(Xml::End(BytesEnd::new("testsuites")))?;
        let mut out = self.xml.into_inner();
        out.write_all(b"\n")?;
        out.finish(is_complete)
    }
}

fn facts(run: &RunStarted) -> Vec<(String, String)> {
    let version = ("referee".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
    let sandbox = run.sandbox.as_ref().map(|found| ("sandbox".to_owned(), found.overall.word().to_owned()));
    std::iter::once(version).chain(sandbox).collect()
}
