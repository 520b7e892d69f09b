//! Finds the smallest input on which a program fails.
//!
//! A hunt is a [`search`] followed by a [`shrink`]. Both know inputs only through an interface ([`input_source`]): an
//! input has a number, the program passes or fails on it, and smaller inputs can be made from it. Two modules implement
//! the interface. [`boards`] is for puzzles: the puzzle generates inputs, and its reference solvers know the answers.
//! [`texts`] is for all other packages: inputs come from the package's generators and from changes of its own inputs.
//! Input validators decide what is legal, and accepted submissions decide what is correct ([`jury`]). The judge decides
//! whether the program fails on an input, as for any test case ([`referee_judge::Trials`]).
//!
//! A wrong answer is preferred to a timeout: after a timeout, the hunt continues for a while ([`past_timeout`]).
//!
//! Every random choice depends only on the seed and the input's number, and the hunt takes the failing input with the
//! lowest number. So a repeated hunt with the same seed finds the same input for any number of jobs, if the time
//! suffices. [`mod@write`] turns a failing input into a test case.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

mod answer_key;
mod boards;
pub mod input_source;
mod jury;
mod past_timeout;
pub mod retry;
pub mod search;
pub mod shrink;
#[cfg(test)]
referee_judge::init_before_main!(referee_judge::SANDBOX);

#[cfg(test)]
mod test_support;
pub mod texts;
mod write;

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use boards::BoardSource;
use input_source::{Draw, InputSource};
use jury::Jury;
use search::{Search, Searched};
use shrink::{Shrink, Shrunk};
use texts::TextSource;

use referee_event::{BuildFinished, Event, HuntFinished, Undone};
use referee_generators::{self as generators, Draws, GenerateError};
use referee_grading::verdict::Verdict;
use referee_judge::{Contender, JudgeError, Session, Settings, Submission, Trials};
use referee_package::{Package, TestCase, TestFiles};

pub use answer_key::AnswerKey;
pub use write::{CaseName, WriteError, validate_find, write_files, write_find};

/// The settings of one hunt.
pub struct Hunt<'a> {
    /// The package.
    pub package: &'a Package,
    /// The program whose failures are searched for.
    pub submission: &'a Submission,
    /// The judge's settings.
    pub settings: &'a Settings,
    /// The puzzles whose boards the hunt can generate.
    pub answer_key: &'static dyn AnswerKey,
    /// The seed of all random choices.
    pub seed: u64,
    /// The only verdict that counts as a failure; `None` if every failure counts.
    pub wanted: Option<Verdict>,
    /// Whether the search continues after an input on which the package's own submissions fail or disagree. If false,
    /// such an input ends the search like an input on which the program fails.
    pub past_disputes: bool,
    /// The time at which the hunt began, including its preparation.
    pub started: Instant,
    /// The time limit of the whole hunt from `started` on: building, searching and shrinking.
    pub time: Duration,
}

/// Receives the progress of a hunt, and decides whether it continues.
pub trait Watch: Sync {
    /// The hunt has run the program on `inputs` inputs so far. `share` is the part of all possible inputs that was
    /// searched, from 0 to 1; `None` if the number of all possible inputs is unknown or too large to try.
    fn tried(&self, inputs: u64, share: Option<f64>);
    /// The shrinker has reduced a failing input to this size, in bytes.
    fn shrunk(&self, bytes: usize);
    /// Returns whether the user wants to stop.
    fn stop(&self) -> bool;
}

/// The reason why a hunt was impossible.
#[derive(Debug, thiserror::Error)]
pub enum HuntError {
    /// The judge failed, or the package cannot be used.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// The program cannot be built; contains the compiler's message.
    #[error("{0}")]
    NotBuilt(String),
    /// The time limit of the hunt ended while the programs were built, before any input was tried.
    #[error("the time of the hunt ({seconds} s) ended before any input was tried: building the programs took too long")]
    OutOfTime {
        /// The time limit of the whole hunt, in seconds.
        seconds: f64,
    },
    /// The package has neither a usable generator nor an input that is short enough.
    #[error("the package has no usable generator and no input of at most {} MiB", texts::LONGEST_OWN >> 20)]
    NoInputs,
}

/// The result of a hunt.
pub struct Hunted {
    /// The report.
    pub finished: HuntFinished,
    /// The exact bytes of the failing input after shrinking, and its answer; `None` if no failing input was found.
    pub find: Option<FoundCase>,
}

/// A failing input.
pub struct FoundCase {
    /// The bytes of the input.
    pub input: Vec<u8>,
    /// The correct answer; `None` if it is unknown.
    pub answer: Option<Vec<u8>>,
    /// Why it is unknown whether the input is legal; `None` if it is legal.
    pub unchecked: Option<String>,
}

impl Hunted {
    /// Sets whether the failing input is legal. `why_unknown` says why this is unknown; `None` if the input is
    /// certainly legal. Does nothing if no failing input was found.
    fn with_legality(mut self, why_unknown: Option<String>) -> Hunted {
        if let Some(found) = &mut self.find {
            self.finished.input_legal = why_unknown.is_none().then_some(true);
            self.finished.input_unchecked.clone_from(&why_unknown);
            found.unchecked = why_unknown;
        }
        self
    }
}

impl Hunt<'_> {
    /// Returns the time at which the hunt ends.
    fn deadline(&self) -> Instant {
        self.started + self.time
    }
}

/// Searches for a failing input and shrinks it. Passes the result of the build to `report`.
///
/// When the time is over, every program that still runs is stopped, and its result does not count. Fails if the program
/// cannot be built, if there are no inputs to try, or if the time ends before the search begins.
pub fn hunt(hunt: &Hunt<'_>, watch: &dyn Watch, report: &mut dyn FnMut(Event)) -> Result<Hunted, HuntError> {
    let settings = Settings { until: Some(hunt.deadline()), ..hunt.settings.clone() };
    match hunt_until_deadline(&Hunt { settings: &settings, ..*hunt }, watch, report) {
        // The search and the shrinker handle the deadline themselves. Therefore an interruption that arrives here comes
        // from the preparation.
        Err(HuntError::Judge(JudgeError::Interrupted)) if Instant::now() >= hunt.deadline() && !watch.stop() => {
            Err(HuntError::OutOfTime { seconds: hunt.time.as_secs_f64() })
        }
        result => result,
    }
}

fn hunt_until_deadline(hunt: &Hunt<'_>, watch: &dyn Watch, report: &mut dyn FnMut(Event)) -> Result<Hunted, HuntError> {
    let session = Session::open(hunt.package, hunt.settings)?;
    let trials = session.trials()?;
    let program = build(hunt, &trials, report)?;
    let jury = Jury::new(hunt.package, &trials, &hunt.submission.path);
    let cases = cases_or_empty(hunt.package);
    if let Some(puzzle) = hunt.answer_key.puzzle_of(hunt.package) {
        let inputs = BoardSource::new(
            (puzzle, hunt.answer_key),
            hunt.package,
            &trials,
            &program,
            &jury,
            default_case(&cases),
            (hunt.seed, boards::Order::of(hunt.wanted)),
        );
        let solvers = puzzle.solvers().iter().map(|solver| solver.name).collect::<Vec<_>>().join(", ");
        let truth = vec![format!("the reference solvers of {}: {solvers}", puzzle.name())];
        let hunted = search_and_shrink(hunt, &inputs, truth, Vec::new(), watch)?;
        // The puzzle itself makes the boards, so they keep its rules.
        return Ok(hunted.with_legality(None));
    }
    any_package(hunt, &session, (&trials, &program, &jury), &cases, watch)
}

/// Hunts in a package that belongs to no puzzle with reference solvers.
fn any_package(
    hunt: &Hunt<'_>,
    session: &Session<'_>,
    (trials, program, jury): (&Trials<'_>, &Contender, &Jury<'_>),
    cases: &[TestCase],
    watch: &dyn Watch,
) -> Result<Hunted, HuntError> {
    let examiner = session.input_examiner()?;
    let (draws, mut remarks) = open_generators(hunt)?;
    let own = TextSource::own(cases);
    if own.is_empty() && draws.is_empty() {
        return Err(HuntError::NoInputs);
    }
    remarks.extend(draws.unusable.iter().cloned());
    remarks.extend(
        examiner.unusable().iter().map(|one| format!("the input validator {} is not run: {}", one.name, one.reason)),
    );
    if examiner.names().is_empty() {
        remarks.push(
            "there is no usable input validator; an input counts as valid if no accepted submission fails on it".into(),
        );
    }
    let members = jury.members()?;
    let truth = members.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    remarks.extend(members.missing.iter().cloned());
    let communicates = hunt.package.kind.interactive || hunt.package.kind.multi_pass;
    match truth.len() {
        0 if communicates && !examiner.names().is_empty() => {}
        0 => remarks.push(
            "no other accepted submission can give expected answers; only crashes and exceeded limits count as failures"
                .into(),
        ),
        1 => remarks.push(
            "expected answers come from only one accepted submission, so its mistakes go unnoticed; add a second one"
                .into(),
        ),
        _ => {}
    }
    let (package, seed, examiner, draws) = (hunt.package, hunt.seed, &examiner, &draws);
    let inputs = TextSource {
        package,
        trials,
        program,
        jury,
        examiner,
        draws,
        cases,
        own,
        seed,
        empty_answers: OnceLock::new(),
    };
    let mut hunted = search_and_shrink(hunt, &inputs, truth, remarks, watch)?;
    hunted.finished.remarks.extend(draws.failures());
    hunted.finished.remarks.extend(examiner.abort_remarks());
    Ok(hunted.with_legality(examiner.why_unchecked()))
}

fn build(hunt: &Hunt<'_>, trials: &Trials<'_>, report: &mut dyn FnMut(Event)) -> Result<Contender, HuntError> {
    let (event, built): (BuildFinished, _) = trials.build(hunt.submission)?;
    report(Event::BuildFinished(event));
    built.map_err(HuntError::NotBuilt)
}

/// Returns the inputs that a hunt in the package of a puzzle tries, in the order of their numbers. Returns `None` if
/// the package belongs to no puzzle. An item is an error if the board of that number cannot be made.
pub fn puzzle_inputs(
    package: &Package,
    answer_key: &'static dyn AnswerKey,
    seed: u64,
) -> Option<impl Iterator<Item = Result<Vec<u8>, JudgeError>>> {
    let puzzle = answer_key.puzzle_of(package)?;
    let draws = boards::BoardDraws::new((puzzle, answer_key), package, (seed, boards::Order::QuickFirst), None);
    let drawn = (0..).map(move |number| draws.draw(number)).take_while(|draw| !matches!(draw, Ok(Draw::End)));
    Some(drawn.filter_map(|draw| match draw {
        Ok(Draw::Candidate(boards)) => Some(Ok(boards::print(&boards))),
        Ok(_) => None,
        Err(error) => Some(Err(error)),
    }))
}

/// Returns the package's test cases. If there are none, returns one test case without files and arguments. A generated
/// input is run with the files and arguments of one of the returned test cases.
fn cases_or_empty(package: &Package) -> Vec<TestCase> {
    if !package.cases.is_empty() {
        return package.cases.to_vec();
    }
    vec![TestCase {
        name: "secret/hunt".into(),
        paths: TestFiles::new(PathBuf::new(), PathBuf::new()),
        files: None,
        arguments: Arc::default(),
        output_validator_arguments: Arc::default(),
        input_validator_arguments: None,
        answer_validator_arguments: None,
        output: None,
        description: None,
    }]
}

/// Returns the test case whose arguments and files are used for an input that belongs to no particular test case: the
/// first secret one, or else the first.
pub fn default_case(cases: &[TestCase]) -> &TestCase {
    cases.iter().find(|case| case.name.starts_with("secret/")).unwrap_or(&cases[0])
}

/// Opens the package's generators. If `generators.yaml` cannot be read, returns a remark and ignores that file.
fn open_generators<'a>(hunt: &Hunt<'a>) -> Result<(Draws<'a>, Vec<String>), JudgeError> {
    let package = hunt.package;
    let mut remarks = Vec::new();
    let has_rules = package.root.join(generators::FILE).is_file();
    let rules = match has_rules.then(|| generators::read(package, &package.root)) {
        None => None,
        Some(Ok((rules, _))) => Some(rules),
        Some(Err(GenerateError::Judge(error))) => return Err(error),
        Some(Err(error)) => {
            remarks.push(format!("{} is not used: {error}", generators::FILE));
            None
        }
    };
    Ok((Draws::open(package, rules, hunt.settings)?, remarks))
}

fn search_and_shrink<G: InputSource>(
    hunt: &Hunt<'_>,
    inputs: &G,
    truth: Vec<String>,
    mut remarks: Vec<String>,
    watch: &dyn Watch,
) -> Result<Hunted, HuntError> {
    let (started, deadline) = (Instant::now(), hunt.deadline());
    let jobs = hunt.settings.jobs.max(1);
    let (wanted, past_disputes) = (hunt.wanted, hunt.past_disputes);
    let search = Search { jobs, wanted, past_disputes, from: 0, deadline, watch };
    let mut searched = search.run(inputs)?;
    past_timeout::prefer_other_failures(&search, inputs, &mut searched, &mut remarks)?;
    let seconds = started.elapsed().as_secs_f64();
    let find = searched.find.take();
    let before = find.as_ref().map(|find| inputs.bytes(&find.candidate).len());
    let shrink = Shrink { jobs, deadline, watch };
    let shrunk = find.map(|find| shrink.run(inputs, find)).transpose()?;
    let mut hunted = summary(hunt, inputs, &searched, shrunk);
    let finished = &mut hunted.finished;
    finished.bytes_before_shrinking = before;
    finished.seconds = seconds;
    finished.seconds_preparing = (started - hunt.started).as_secs_f64();
    finished.truth = truth;
    finished.remarks.splice(0..0, remarks);
    finished.remarks.extend((searched.cut > 0).then(|| {
        let inputs = if searched.cut == 1 { "input" } else { "inputs" };
        format!("the time of the hunt ended during the run on {} {inputs}; unfinished runs do not count", searched.cut)
    }));
    finished.remarks.extend(
        searched
            .first_unjudged
            .map(|reason| format!("{} of the inputs could not be judged; first reason: {reason}", searched.unjudged)),
    );
    Ok(hunted)
}

/// Returns which part of the hunt the deadline cut off; `None` if the hunt was complete or the user stopped it.
fn undone<P>(searched: &Searched<P>, shrunk: Option<&Shrunk<P>>) -> Option<Undone> {
    match shrunk {
        Some(Shrunk { minimal: false, interrupted: false, .. }) => Some(Undone::Shrinking),
        None if !searched.exhausted && !searched.interrupted => Some(Undone::Searching),
        _ => None,
    }
}

/// Returns the results of the search and the shrinker. The caller adds the times, the sources of the correct answers,
/// and further remarks.
fn summary<G: InputSource>(
    hunt: &Hunt<'_>,
    inputs: &G,
    searched: &Searched<G::Candidate>,
    shrunk: Option<Shrunk<G::Candidate>>,
) -> Hunted {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut finished = HuntFinished {
        package: hunt.package.name.clone(),
        submission: hunt.submission.name.clone(),
        seed: hunt.seed,
        found: false,
        kind: None,
        input: None,
        input_legal: None,
        input_unchecked: None,
        expected: None,
        got: None,
        message: None,
        truth: Vec::new(),
        tried: searched.tried,
        illegal: searched.illegal,
        unjudged: searched.unjudged,
        exhausted: searched.exhausted && shrunk.is_none(),
        seconds: 0.0,
        seconds_preparing: 0.0,
        undone: undone(searched, shrunk.as_ref()),
        exchanges: None,
        bytes_before_shrinking: None,
        bytes: None,
        shrink_tried: 0,
        minimal: None,
        interrupted: searched.interrupted,
        remarks: Vec::new(),
        written: Vec::new(),
    };
    let Some(shrunk) = shrunk else { return Hunted { finished, find: None } };
    finished.remarks.extend(inputs.remark(&shrunk.find.candidate));
    let (input, failure) = (inputs.bytes(&shrunk.find.candidate), shrunk.find.failure);
    finished.found = true;
    finished.kind = Some(failure.kind.name());
    finished.input = Some(text(&input));
    finished.expected = failure.expected.as_deref().map(text);
    finished.got = Some(text(&failure.got));
    finished.exchanges = failure.exchanges;
    finished.message = failure.message;
    finished.bytes = Some(input.len());
    finished.shrink_tried = shrunk.tried;
    finished.minimal = Some(shrunk.minimal);
    finished.interrupted |= shrunk.interrupted;
    Hunted { finished, find: Some(FoundCase { input, answer: failure.expected, unchecked: None }) }
}
