//! Generates questions on which a mutant and its validator may disagree.

use referee_random::Random;

use super::edits;
use super::original::Original;
use super::question::Question;
use super::seeds::Stock;
use super::validator_runner::Panel;
use referee_grading::verdict::Verdict;
use referee_hunt::input_source::{CandidateResult, Draw, Failure, GOT_BYTES, InputSource, Kind};
use referee_hunt::texts::{mutate, reduce};
use referee_judge::JudgeError;

/// A validator, a mutant of it, and the texts from which questions are made.
pub(super) struct Field<'f, 'a> {
    pub(super) original: &'f Original<'a>,
    pub(super) mutant: &'f Panel<'f>,
    pub(super) stock: &'f Stock,
    pub(super) seed: u64,
    /// The number of the question at which the search ends; `None` if only the time limit ends it.
    pub(super) end: Option<u64>,
}

/// How many texts are drawn at random; the shortest of them is changed.
const SHORTEST_OF: usize = 2;

impl Field<'_, '_> {
    /// Returns how the mutant disagrees with the validator; `None` if it does not. A question on which the validator
    /// itself fails has no correct answer, and gives `None`.
    pub(super) fn disagreement(&self, question: &Question) -> Result<Option<Failure>, JudgeError> {
        Ok(match self.examine(question)? {
            CandidateResult::Fails(failure) => Some(*failure),
            _ => None,
        })
    }

    /// Draws one of the texts and changes it, either byte by byte or token by token.
    fn changed(&self, number: u64) -> Draw<Question> {
        let mut random = Random::new(self.seed, number);
        let drawn: Vec<_> = (0..SHORTEST_OF).filter_map(|_| random.pick(&self.stock.texts)).collect();
        let (Some(text), Some(other)) = (drawn.iter().min_by_key(|text| text.sheet.rows.len()), drawn.last()) else {
            return Draw::Nothing;
        };
        let bytes = if random.chance(1, 3) {
            mutate::changed(&text.sheet, &other.sheet, &mut random).bytes()
        } else {
            edits::edited(text.bytes(), &other.bytes(), &mut random)
        };
        Draw::Candidate(Question::new(&bytes, text.like))
    }
}

impl InputSource for Field<'_, '_> {
    type Candidate = Question;

    fn draw(&self, number: u64) -> Result<Draw<Question>, JudgeError> {
        if self.end.is_some_and(|end| number >= end) {
            return Ok(Draw::End);
        }
        let (listed, turn) = (&self.stock.listed, number / 2);
        Ok(match listed.get(turn as usize) {
            Some(question) if number.is_multiple_of(2) => Draw::Candidate(question.clone()),
            _ => self.changed(number),
        })
    }

    fn examine(&self, question: &Question) -> Result<CandidateResult, JudgeError> {
        let (bytes, case) = (question.bytes(), &self.stock.likes[question.like]);
        let right = self.original.say(question, case, &bytes)?;
        if right.verdict == Verdict::JudgeError {
            return Ok(CandidateResult::Unjudged(right.message.unwrap_or_default()));
        }
        let ruling = self.mutant.ask(case, Some(&bytes))?;
        if ruling.verdict == right.verdict {
            return Ok(CandidateResult::Passes);
        }
        let has_failed = ruling.verdict == Verdict::JudgeError;
        if has_failed && self.original.fails_in_a_hurry(case, &bytes)? {
            return Ok(CandidateResult::Unjudged(ruling.message.unwrap_or_default()));
        }
        let words = if right.verdict == Verdict::Accepted { ruling.message } else { right.message };
        Ok(CandidateResult::Fails(Box::new(Failure {
            kind: Kind::Program(ruling.verdict),
            message: words.filter(|words| !words.is_empty()),
            expected: None,
            got: bytes[..bytes.len().min(GOT_BYTES)].to_vec(),
            focus: None,
        })))
    }

    fn smaller<'b>(&'b self, question: &'b Question, _: &'b Failure) -> Box<dyn Iterator<Item = Question> + Send + 'b> {
        let like = question.like;
        Box::new(reduce::steps(&question.sheet).map(move |step| Question::new(&step.bytes(), like)))
    }

    fn bytes(&self, question: &Question) -> Vec<u8> {
        question.bytes()
    }

    fn goes_on_behind(&self) -> bool {
        true
    }
}
