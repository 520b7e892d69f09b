//! Inputs of any package: its own, those of its generators under other seeds, and changed ones.
//!
//! Legal is what all input validators accept. What is right, accepted submissions say: the first one's output becomes
//! the answer, and the second one must be accepted with it. Where they do not agree the package itself has failed.

pub(crate) mod mutate;
pub(crate) mod reduce;
pub(crate) mod sheet;

use std::sync::Arc;

use reference::random::Random;

use super::asked::judged;
use super::ground::{Draw, Failure, GOT_BYTES, Ground, Kind, Word};
use super::jury::{Jury, Members};
use crate::event::CaseFinished;
use crate::generators::Draws;
use crate::judge::{self, Contender, InputExaminer, JudgeError, Trials};
use crate::package::{Package, TestCase};
use crate::verdict::Verdict;
use sheet::Sheet;

/// An input.
#[derive(Clone)]
pub(super) struct Text {
    sheet: Arc<Sheet>,
    /// The number of the test case whose arguments and files go with it.
    like: usize,
}

/// Where texts come from.
pub(super) struct TextGround<'a> {
    pub(super) package: &'a Package,
    pub(super) trials: &'a Trials<'a>,
    pub(super) program: &'a Contender,
    pub(super) jury: &'a Jury<'a>,
    pub(super) examiner: &'a InputExaminer<'a>,
    pub(super) draws: &'a Draws<'a>,
    /// The package's test cases, or one without anything if it has none.
    pub(super) cases: &'a [TestCase],
    /// The package's own inputs, but for long ones.
    pub(super) own: Vec<Text>,
    pub(super) seed: u64,
}

/// Longer inputs are not changed and tried.
pub(super) const LONGEST_OWN: u64 = 1 << 20;

/// No more of the package's own inputs are held, in bytes.
const MOST_OWN_BYTES: usize = 64 << 20;

/// How many inputs are drawn to change the shortest of them.
const SHORTEST_OF: usize = 3;

impl Text {
    fn new(bytes: &[u8], like: usize) -> Text {
        Text { sheet: Arc::new(Sheet::read(bytes)), like }
    }
}

impl TextGround<'_> {
    /// The package's own inputs that are short enough.
    pub(super) fn own(cases: &[TestCase]) -> Vec<Text> {
        let mut room = MOST_OWN_BYTES;
        let mut own = Vec::new();
        for (like, case) in cases.iter().enumerate() {
            if !case.input.metadata().is_ok_and(|found| found.is_file() && found.len() <= LONGEST_OWN) {
                continue;
            }
            let Ok(bytes) = std::fs::read(&case.input) else { continue };
            let Some(left) = room.checked_sub(bytes.len()) else { break };
            room = left;
            own.push(Text::new(&bytes, like));
        }
        own
    }

    fn mutated(&self, number: u64) -> Draw<Text> {
        let mut random = Random::new(self.seed, number);
        let drawn: Vec<_> = (0..SHORTEST_OF).filter_map(|_| random.pick(&self.own)).collect();
        let (Some(text), Some(other)) = (drawn.iter().min_by_key(|text| text.sheet.rows.len()), drawn.last()) else {
            return Draw::Nothing;
        };
        let changed = mutate::changed(&text.sheet, &other.sheet, &mut random);
        // Words may have changed places with blanks in them gone: what is tried is what would be read again.
        Draw::Prey(Text::new(&changed.bytes(), text.like))
    }

    fn generated(&self, number: u64) -> Result<Draw<Text>, JudgeError> {
        let Some(drawn) = self.draws.draw(number, self.seed)? else { return Ok(Draw::Nothing) };
        let place = |wanted: &dyn Fn(&str) -> bool| self.cases.iter().position(|case| wanted(&case.name));
        let own = drawn.case.and_then(|name| place(&|case| case == name));
        let like = own.or_else(|| place(&|case| case.starts_with("secret/"))).unwrap_or(0);
        Ok(Draw::Prey(Text::new(&drawn.input, like)))
    }

    /// Whether the input is legal; else what that means.
    fn refusal(&self, text: &Text, bytes: &[u8]) -> Result<Option<Word>, JudgeError> {
        let words = self.examiner.judge_instead(&self.cases[text.like], bytes)?;
        for (name, word) in self.examiner.names().iter().zip(words) {
            match word {
                judge::Word::Valid => {}
                judge::Word::Invalid(_) | judge::Word::Aborted(_) => return Ok(Some(Word::Illegal)),
                judge::Word::Failed(reason) | judge::Word::Exhausted(reason) => {
                    return Ok(Some(Word::Unjudged(format!("the input validator {name}: {reason}"))));
                }
            }
        }
        Ok(None)
    }

    /// The answer to the input, or what it means that there is none.
    fn answer(&self, text: &Text, bytes: &[u8], members: &Members) -> Result<Result<Vec<u8>, Word>, JudgeError> {
        let kind = self.package.kind;
        let [(name, first), ..] = &members[..] else { return Ok(Ok(Vec::new())) };
        // Where submission and validator talk, nobody needs an answer, or nobody but the setter can give it.
        if kind.interactive || kind.multi_pass {
            return Ok(Ok(Vec::new()));
        }
        let attempt = self.trials.attempt(first, &self.cases[text.like], bytes)?;
        Ok(match attempt.failure {
            None => Ok(attempt.output.to_vec()),
            Some((verdict, reason)) => Err(self.jury_failed(name, verdict, Some(reason), None, &attempt.output)),
        })
    }

    /// An accepted submission is not accepted.
    fn jury_failed(
        &self,
        name: &str,
        verdict: Verdict,
        reason: Option<String>,
        expected: Option<&[u8]>,
        got: &[u8],
    ) -> Word {
        let reason = reason.unwrap_or_default();
        if verdict == Verdict::JudgeError {
            return Word::Unjudged(reason);
        }
        // Nobody has said that the input is legal.
        if self.examiner.names().is_empty() {
            return Word::Illegal;
        }
        Word::Fails(Box::new(Failure {
            kind: Kind::Jury,
            message: Some(format!("the accepted submission {name} gets {verdict}: {reason}")),
            expected: expected.map(<[u8]>::to_vec),
            got: got[..got.len().min(GOT_BYTES)].to_vec(),
            focus: None,
        }))
    }

    fn judged(&self, text: &Text, bytes: &[u8]) -> Result<Word, JudgeError> {
        let members = self.jury.members()?;
        let answer = match self.answer(text, bytes, members)? {
            Ok(answer) => answer,
            Err(word) => return Ok(word),
        };
        let case = self.trials.case(&self.cases[text.like], bytes, &answer)?;
        let talks = self.package.kind.interactive || self.package.kind.multi_pass;
        // The first one's output is the answer, where there is one.
        for (name, member) in members.iter().skip(usize::from(!talks)) {
            let finished = self.trials.judge(member, &case)?;
            if finished.verdict != Verdict::Accepted {
                let got = output(&finished);
                return Ok(self.jury_failed(name, finished.verdict, finished.message, Some(&answer), &got));
            }
        }
        let finished = judged(self.trials, self.program, &case)?;
        Ok(match finished.verdict {
            Verdict::Accepted => Word::Passes,
            Verdict::JudgeError => Word::Unjudged(finished.message.unwrap_or_default()),
            // Without anybody who knows the answer only what decides alone counts.
            Verdict::WrongAnswer if members.is_empty() => Word::Passes,
            verdict => Word::Fails(Box::new(Failure {
                kind: Kind::Program(verdict),
                got: output(&finished),
                message: finished.message,
                expected: (!talks && !members.is_empty()).then_some(answer),
                focus: None,
            })),
        })
    }
}

/// What the program wrote, as far as it is kept.
fn output(finished: &CaseFinished) -> Vec<u8> {
    finished.exhibit.as_ref().map(|exhibit| exhibit.output.bytes.clone()).unwrap_or_default()
}

impl Ground for TextGround<'_> {
    type Prey = Text;

    fn draw(&self, number: u64) -> Result<Draw<Text>, JudgeError> {
        let turn = number / 3;
        match number % 3 {
            0 => Ok(self.own.get(turn as usize).map_or(Draw::Nothing, |text| Draw::Prey(text.clone()))),
            1 => self.generated(turn),
            _ => Ok(self.mutated(turn)),
        }
    }

    fn examine(&self, text: &Text) -> Result<Word, JudgeError> {
        let bytes = text.sheet.bytes();
        match self.refusal(text, &bytes)? {
            Some(word) => Ok(word),
            None => self.judged(text, &bytes),
        }
    }

    fn smaller<'b>(&'b self, text: &'b Text, _: &'b Failure) -> Box<dyn Iterator<Item = Text> + Send + 'b> {
        let like = text.like;
        Box::new(reduce::steps(&text.sheet).map(move |step| Text::new(&step.bytes(), like)))
    }

    fn bytes(&self, text: &Text) -> Vec<u8> {
        text.sheet.bytes()
    }

    fn remark(&self, text: &Text) -> Option<String> {
        let like = &self.cases[text.like];
        let is_plain = like.arguments.is_empty() && like.files.is_none();
        let name = &like.name;
        (!is_plain).then(|| format!("it was run with the arguments and files of {name}; a test case needs them, too"))
    }

    /// Thousands of steps that helped nothing a moment ago will not do so now.
    fn goes_on_behind(&self) -> bool {
        true
    }
}
