//! Inputs for packages without a puzzle: their own inputs, outputs of their generators with other seeds, and changed
//! copies of their own inputs.
//!
//! An input is legal if all input validators accept it. Accepted submissions decide what is correct. The output of the
//! first submission becomes the answer, and the second submission must be accepted with that answer. If it is not, the
//! input shows a mistake in the package, not in the program.

pub mod mutate;
pub mod reduce;
pub mod tokens;

use std::sync::{Arc, OnceLock};

use referee_files::regular;
use referee_random::Random;

use super::input_source::{CandidateResult, Draw, Failure, GOT_BYTES, InputSource, Kind};
use super::jury::{Jury, Members};
use super::retry::judge_with_retry;
use referee_event::Exchange;
use referee_generators::Draws;
use referee_grading::verdict::Verdict;
use referee_judge::{self as judge, CaseResult, Contender, InputExaminer, JudgeError, Trials};
use referee_package::{Package, TestCase};
use tokens::TokenLines;

/// An input.
#[derive(Clone)]
pub(super) struct Text {
    lines: Arc<TokenLines>,
    /// The index of the test case whose arguments and files are used with the input.
    template: usize,
}

/// The source of text inputs.
pub(super) struct TextSource<'a> {
    pub(super) package: &'a Package,
    pub(super) trials: &'a Trials<'a>,
    pub(super) program: &'a Contender,
    pub(super) jury: &'a Jury<'a>,
    pub(super) examiner: &'a InputExaminer<'a>,
    pub(super) draws: &'a Draws<'a>,
    /// The package's test cases; one test case without files and arguments if the package has none.
    pub(super) cases: &'a [TestCase],
    /// The package's own inputs, except long ones.
    pub(super) own: Vec<Text>,
    pub(super) seed: u64,
    /// Whether the answer files of all test cases are empty, once that is known.
    pub(super) empty_answers: OnceLock<bool>,
}

/// The maximum size of a package's own input that is used, in bytes.
pub(super) const LONGEST_OWN: u64 = 1 << 20;

/// The maximum total size of the package's own inputs in memory, in bytes.
const MOST_OWN_BYTES: usize = 64 << 20;

/// How many inputs are drawn at random for one changed input. Of these, the input with the fewest lines is changed.
const SHORTEST_OF: usize = 3;

impl Text {
    fn new(bytes: &[u8], template: usize) -> Text {
        Text { lines: Arc::new(TokenLines::read(bytes)), template }
    }
}

impl TextSource<'_> {
    /// Reads the package's own inputs in order, except long and unreadable ones, until the memory for them is full.
    pub(super) fn own(cases: &[TestCase]) -> Vec<Text> {
        let mut bytes_left = MOST_OWN_BYTES;
        let mut own = Vec::new();
        for (template, case) in cases.iter().enumerate() {
            let Ok(bytes) = regular::read(&case.input(), LONGEST_OWN) else { continue };
            let Some(left) = bytes_left.checked_sub(bytes.len()) else { break };
            bytes_left = left;
            own.push(Text::new(&bytes, template));
        }
        own
    }

    fn mutated(&self, number: u64) -> Draw<Text> {
        let mut random = Random::new(self.seed, number);
        let drawn: Vec<_> = (0..SHORTEST_OF).filter_map(|_| random.pick(&self.own)).collect();
        let (Some(text), Some(other)) = (drawn.iter().min_by_key(|text| text.lines.rows.len()), drawn.last()) else {
            return Draw::Nothing;
        };
        let changed = mutate::changed(&text.lines, &other.lines, &mut random);
        // A change may have moved tokens and removed the whitespace between them. Reading the bytes again gives the
        // actual tokens.
        Draw::Candidate(Text::new(&changed.bytes(), text.template))
    }

    fn generated(&self, number: u64) -> Result<Draw<Text>, JudgeError> {
        let Some(drawn) = self.draws.draw(number, self.seed)? else { return Ok(Draw::Nothing) };
        let place = |wanted: &dyn Fn(&str) -> bool| self.cases.iter().position(|case| wanted(&case.name));
        let own = drawn.case.and_then(|name| place(&|case| case == name));
        let template = own.or_else(|| place(&|case| case.starts_with("secret/"))).unwrap_or(0);
        Ok(Draw::Candidate(Text::new(&drawn.input, template)))
    }

    /// Runs the input validators. Returns `None` if all accept the input; otherwise the result for the input.
    fn refusal(&self, text: &Text, bytes: &[u8]) -> Result<Option<CandidateResult>, JudgeError> {
        let verdicts = self.examiner.judge_instead(&self.cases[text.template], bytes)?;
        for (name, verdict) in self.examiner.names().iter().zip(verdicts) {
            match verdict {
                judge::InputVerdict::Valid => {}
                judge::InputVerdict::Invalid(_) | judge::InputVerdict::Aborted(_) => {
                    return Ok(Some(CandidateResult::Illegal));
                }
                judge::InputVerdict::Failed(reason) | judge::InputVerdict::Exhausted(reason) => {
                    return Ok(Some(CandidateResult::Unjudged(format!("the input validator {name} {reason}"))));
                }
            }
        }
        Ok(None)
    }

    /// Returns the answer to the input; empty if there is no accepted submission, or if the package is interactive or
    /// multi-pass. The inner error is the result for an input on which the first accepted submission fails.
    fn answer(
        &self,
        text: &Text,
        bytes: &[u8],
        members: &Members,
    ) -> Result<Result<Vec<u8>, CandidateResult>, JudgeError> {
        let kind = self.package.kind;
        let [(name, first), ..] = &members[..] else { return Ok(Ok(Vec::new())) };
        // If submission and validator communicate, the output of a submission is not the answer. Either no answer is
        // needed, or only the setter can write it.
        if kind.interactive || kind.multi_pass {
            return Ok(Ok(Vec::new()));
        }
        let attempt = self.trials.attempt(first, &self.cases[text.template], bytes)?;
        Ok(match attempt.failure {
            None => Ok(attempt.output.to_vec()),
            Some((verdict, reason)) => {
                let said = Said { output: attempt.output.to_vec(), exchanges: None };
                Err(self.jury_failed(name, verdict, Some(reason), None, said))
            }
        })
    }

    /// Returns the result for an input on which an accepted submission fails.
    fn jury_failed(
        &self,
        name: &str,
        verdict: Verdict,
        reason: Option<String>,
        expected: Option<&[u8]>,
        said: Said,
    ) -> CandidateResult {
        let reason = reason.unwrap_or_default();
        if verdict == Verdict::JudgeError {
            return CandidateResult::Unjudged(reason);
        }
        // Without an input validator, the input itself may be illegal.
        if self.examiner.names().is_empty() {
            return CandidateResult::Illegal;
        }
        CandidateResult::Fails(Box::new(Failure {
            kind: Kind::Jury,
            message: Some(format!("the accepted submission {name} gets {verdict}: {reason}")),
            expected: expected.map(<[u8]>::to_vec),
            got: said.output[..said.output.len().min(GOT_BYTES)].to_vec(),
            exchanges: said.exchanges,
            focus: None,
        }))
    }

    fn has_input_validator(&self) -> bool {
        !self.examiner.names().is_empty()
    }

    /// Returns whether the answer files of all test cases are empty.
    fn answers_are_empty(&self) -> bool {
        let is_empty = |case: &TestCase| case.answer().metadata().is_ok_and(|found| found.len() == 0);
        *self.empty_answers.get_or_init(|| self.cases.iter().all(is_empty))
    }

    fn judged(&self, text: &Text, bytes: &[u8]) -> Result<CandidateResult, JudgeError> {
        let members = self.jury.members()?;
        let answer = match self.answer(text, bytes, members)? {
            Ok(answer) => answer,
            Err(result) => return Ok(result),
        };
        let case = self.trials.case(&self.cases[text.template], bytes, &answer)?;
        let communicates = self.package.kind.interactive || self.package.kind.multi_pass;
        let needs_no_answer = self.package.kind.interactive && self.has_input_validator() && self.answers_are_empty();
        // If there is an answer, it is the first submission's own output, so the first submission is skipped.
        for (name, member) in members.iter().skip(usize::from(!communicates)) {
            let finished = self.trials.judge(member, &case)?;
            if finished.verdict != Verdict::Accepted {
                let said = said(&finished);
                return Ok(self.jury_failed(name, finished.verdict, finished.message, Some(&answer), said));
            }
        }
        let finished = judge_with_retry(self.trials, self.program, &case)?;
        Ok(match finished.verdict {
            Verdict::Accepted => CandidateResult::Passes,
            Verdict::JudgeError => CandidateResult::Unjudged(finished.message.unwrap_or_default()),
            // Without accepted submissions, the answer is unknown, so only crashes and exceeded limits count. If all
            // answer files of an interactive package are empty, its validator needs no answer, but the input must be
            // legal.
            Verdict::WrongAnswer if members.is_empty() && !needs_no_answer => CandidateResult::Passes,
            verdict => {
                let said = said(&finished);
                CandidateResult::Fails(Box::new(Failure {
                    kind: Kind::Program(verdict),
                    got: said.output,
                    exchanges: said.exchanges,
                    message: finished.message,
                    expected: (!communicates && !members.is_empty()).then_some(answer),
                    focus: None,
                }))
            }
        })
    }
}

/// What a program said in a run.
struct Said {
    /// The stored part of its output.
    output: Vec<u8>,
    /// Its last messages to and from the output validator; `None` if they are unknown.
    exchanges: Option<Vec<Exchange>>,
}

fn said(finished: &CaseResult) -> Said {
    let exhibit = finished.exhibit.as_deref();
    Said {
        output: exhibit.map(|exhibit| exhibit.output.bytes.clone()).unwrap_or_default(),
        exchanges: exhibit.and_then(|exhibit| exhibit.exchanges.clone()),
    }
}

impl InputSource for TextSource<'_> {
    type Candidate = Text;

    fn draw(&self, number: u64) -> Result<Draw<Text>, JudgeError> {
        let turn = number / 3;
        match number % 3 {
            0 => Ok(self.own.get(turn as usize).map_or(Draw::Nothing, |text| Draw::Candidate(text.clone()))),
            1 => self.generated(turn),
            _ => Ok(self.mutated(turn)),
        }
    }

    fn examine(&self, text: &Text) -> Result<CandidateResult, JudgeError> {
        let bytes = text.lines.bytes();
        match self.refusal(text, &bytes)? {
            Some(result) => Ok(result),
            None => self.judged(text, &bytes),
        }
    }

    fn smaller<'b>(&'b self, text: &'b Text, _: &'b Failure) -> Box<dyn Iterator<Item = Text> + Send + 'b> {
        let template = text.template;
        Box::new(reduce::steps(&text.lines).map(move |step| Text::new(&step.bytes(), template)))
    }

    fn bytes(&self, text: &Text) -> Vec<u8> {
        text.lines.bytes()
    }

    fn remark(&self, text: &Text) -> Option<String> {
        let TestCase { name, arguments, files, .. } = &self.cases[text.template];
        let is_plain = arguments.is_empty() && files.is_none();
        (!is_plain).then(|| {
            format!("the hunt used the arguments and files of {name}; a test case with this input needs them, too")
        })
    }

    /// Shrinking does not restart: the steps that did not help on the larger input seldom help on the smaller one.
    fn resumes_at_same_step(&self) -> bool {
        true
    }
}
