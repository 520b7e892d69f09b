//! Generates questions ([`Question`]) on which a mutant and the unchanged validator may disagree.

use referee_random::Random;

use super::edits;
use super::original::Original;
use super::question::Question;
use super::seeds::Seeds;
use super::validator_runner::ValidatorRunner;
use referee_grading::verdict::Verdict;
use referee_hunt::input_source::{CandidateResult, Draw, Failure, GOT_BYTES, InputSource, Kind};
use referee_hunt::texts::{mutate, reduce};
use referee_judge::JudgeError;

/// A validator, a mutant of it, and the texts from which questions are made.
pub(super) struct QuestionSource<'f, 'a> {
    pub(super) original: &'f Original<'a>,
    pub(super) mutant: &'f ValidatorRunner<'f>,
    pub(super) seeds: &'f Seeds,
    pub(super) seed: u64,
    /// Numbers near those in the changed lines. An off-by-one change of a limit shows only at the limit itself.
    pub(super) near: Vec<i128>,
    /// The search ends before the question with this number; `None` if the number of questions is unlimited.
    pub(super) end: Option<u64>,
}

/// To make one changed question, this many texts are drawn at random, and the one with the fewest lines is changed.
const SHORTEST_OF: usize = 2;

/// Each near number is written into at most this many places of the shortest text.
const MOST_PLACES: usize = 12;

/// The validators whose failure leaves a question without a result.
#[derive(Clone, Copy)]
enum Failed {
    /// The unchanged validator, so the mutant was not run.
    Original,
    /// The mutant, and the unchanged validator under the mutant's time limit.
    Both,
}

impl Failed {
    /// Says which validators failed. `message` comes from the unchanged validator for `Original`, and from the mutant
    /// for `Both`.
    fn reason(self, message: Option<String>) -> String {
        let colon = if message.as_ref().is_none_or(String::is_empty) { "" } else { ": " };
        let failed = match self {
            Failed::Original => "the unchanged validator fails",
            Failed::Both => "the mutant fails, and so does the unchanged validator under the mutant's time limit",
        };
        format!("{failed}{colon}{}", message.unwrap_or_default())
    }
}

impl QuestionSource<'_, '_> {
    /// Returns how the mutant disagrees with the validator; `None` if it does not, or if the unchanged validator fails
    /// on the question.
    pub(super) fn disagreement(&self, question: &Question) -> Result<Option<Failure>, JudgeError> {
        Ok(match self.examine(question)? {
            CandidateResult::Fails(failure) => Some(*failure),
            _ => None,
        })
    }

    /// Returns a question: the shortest text, with one of the near numbers written into one place. Each pair of a
    /// number and a place has its own `turn`. Returns `None` after the last pair.
    fn at_a_limit(&self, turn: usize) -> Option<Draw<Question>> {
        let text = self.seeds.texts.first()?;
        let place = turn.checked_div(self.near.len()).filter(|place| *place < MOST_PLACES)?;
        let bytes = edits::with_number_at(&text.bytes(), place, self.near[turn % self.near.len()])?;
        Some(Draw::Candidate(Question::new(&bytes, text.case)))
    }

    /// Draws one of the texts and changes it, either byte by byte or token by token.
    fn changed(&self, number: u64) -> Draw<Question> {
        let mut random = Random::new(self.seed, number);
        let drawn: Vec<_> = (0..SHORTEST_OF).filter_map(|_| random.pick(&self.seeds.texts)).collect();
        let (Some(text), Some(other)) = (drawn.iter().min_by_key(|text| text.lines.rows.len()), drawn.last()) else {
            return Draw::Nothing;
        };
        let near = random.pick(&self.near).copied().filter(|_| random.chance(1, 4));
        let bytes = if let Some(number) = near {
            edits::with_number(text.bytes(), number, &mut random)
        } else if random.chance(1, 3) {
            mutate::changed(&text.lines, &other.lines, &mut random).bytes()
        } else {
            edits::edited(text.bytes(), &other.bytes(), &mut random)
        };
        Draw::Candidate(Question::new(&bytes, text.case))
    }
}

impl InputSource for QuestionSource<'_, '_> {
    type Candidate = Question;

    fn draw(&self, number: u64) -> Result<Draw<Question>, JudgeError> {
        if self.end.is_some_and(|end| number >= end) {
            return Ok(Draw::End);
        }
        let (unchanged, turn) = (&self.seeds.unchanged, number / 2);
        Ok(match unchanged.get(turn as usize) {
            Some(question) if number.is_multiple_of(2) => Draw::Candidate(question.clone()),
            // Questions from `unchanged` have even numbers. All other numbers belong to changed questions, including
            // the even numbers after the last question from `unchanged`.
            _ => {
                let earlier = (unchanged.len() as u64).min(number.div_ceil(2));
                self.at_a_limit((number - earlier) as usize).unwrap_or_else(|| self.changed(number))
            }
        })
    }

    fn examine(&self, question: &Question) -> Result<CandidateResult, JudgeError> {
        let (bytes, case) = (question.bytes(), &self.seeds.cases[question.case]);
        let right = self.original.ruling(question, case, &bytes)?;
        if right.verdict == Verdict::JudgeError {
            return Ok(CandidateResult::Unjudged(Failed::Original.reason(right.message)));
        }
        let ruling = self.mutant.run(case, Some(&bytes))?;
        if ruling.verdict == right.verdict {
            return Ok(CandidateResult::Passes);
        }
        let has_failed = ruling.verdict == Verdict::JudgeError;
        if has_failed && self.original.fails_within_short_limit(case, &bytes)? {
            return Ok(CandidateResult::Unjudged(Failed::Both.reason(ruling.message)));
        }
        let message = if right.verdict == Verdict::Accepted { ruling.message } else { right.message };
        Ok(CandidateResult::Fails(Box::new(Failure {
            kind: Kind::Program(ruling.verdict),
            message: message.filter(|message| !message.is_empty()),
            expected: None,
            got: bytes[..bytes.len().min(GOT_BYTES)].to_vec(),
            exchanges: None,
            focus: None,
        })))
    }

    fn smaller<'b>(&'b self, question: &'b Question, _: &'b Failure) -> Box<dyn Iterator<Item = Question> + Send + 'b> {
        let case = question.case;
        Box::new(reduce::steps(&question.lines).map(move |step| Question::new(&step.bytes(), case)))
    }

    fn bytes(&self, question: &Question) -> Vec<u8> {
        question.bytes()
    }

    fn resumes_at_same_step(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_without_a_result_says_which_validators_failed() {
        let reason = Failed::Original.reason(Some("it crashes".to_owned()));
        assert_eq!(reason, "the unchanged validator fails: it crashes");
        assert_eq!(
            Failed::Both.reason(None),
            "the mutant fails, and so does the unchanged validator under the mutant's time limit"
        );
    }
}
