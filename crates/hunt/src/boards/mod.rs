//! Inputs of a puzzle. The puzzle generates and shrinks boards, and its reference solvers know the answers.
//!
//! In this process, the puzzle's own checker checks the program's output. If the program crashes or exceeds a limit, or
//! if the checker rejects the output, the judge runs the program on the input again. For this run, the reference
//! solvers compute an answer on which all of them agree. Only the judge's verdict counts.

mod draws;
mod enumeration;

use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Instant;

use reference::puzzle::{Instance, Puzzle};
use reference::text::Tokens;

use super::AnswerKey;
use super::input_source::{CandidateResult, Draw, Failure, GOT_BYTES, InputSource, Kind};
use super::jury::Jury;
use super::retry::judge_with_retry;
use draws::effort;
pub(super) use draws::{BoardDraws, Order};
use referee_grading::verdict::Verdict;
use referee_judge::{Attempt, Contender, JudgeError, Trials};
use referee_package::{Package, TestCase};

/// The boards of an input, in order.
type Boards = Vec<Arc<dyn Instance>>;

/// The source of boards.
pub(super) struct BoardSource<'a> {
    puzzle: &'static dyn Puzzle,
    answer_key: &'static dyn AnswerKey,
    trials: &'a Trials<'a>,
    program: &'a Contender,
    jury: &'a Jury<'a>,
    /// The test case whose arguments and files are used with every input.
    template: &'a TestCase,
    draws: BoardDraws,
}

impl<'a> BoardSource<'a> {
    pub(super) fn new(
        (puzzle, answer_key): (&'static dyn Puzzle, &'static dyn AnswerKey),
        package: &Package,
        trials: &'a Trials<'a>,
        program: &'a Contender,
        jury: &'a Jury<'a>,
        template: &'a TestCase,
        (seed, order): (u64, Order),
    ) -> Self {
        let draws = BoardDraws::new((puzzle, answer_key), package, (seed, order), trials.until());
        BoardSource { puzzle, answer_key, trials, program, jury, template, draws }
    }

    /// Returns the index of the first board whose answer in the output is wrong, or the number of boards if something
    /// follows the last answer. Returns `None` if all is correct.
    fn first_wrong(&self, boards: &Boards, output: &[u8]) -> Result<Option<usize>, JudgeError> {
        let solver = self.puzzle.solvers()[0].name;
        let mut tokens = Tokens::new(output);
        for (index, board) in boards.iter().enumerate() {
            self.draws.check_time()?;
            let value = board.value_in_table().or_else(|| board.solve(solver).ok().map(|answer| answer.value));
            if value.is_none_or(|value| board.check(&mut tokens, &value).is_err()) {
                return Ok(Some(index));
            }
        }
        Ok(match tokens.next_token() {
            Ok(None) => None,
            _ => Some(boards.len()),
        })
    }

    /// Returns the correct answers to the boards. The inner error says why there are none, for example because solvers
    /// disagree. The outer error means that the time of the hunt is over or that the solvers' thread failed.
    ///
    /// A solver may need seconds for a board. So, if the hunt has a deadline, the solvers run on their own thread,
    /// which is abandoned at the deadline.
    fn answer(&self, boards: &Boards) -> Result<Result<Vec<u8>, String>, JudgeError> {
        let Some(until) = self.trials.until() else { return Ok(answer(self.answer_key, self.puzzle, boards)) };
        let (answer_key, puzzle, boards) = (self.answer_key, self.puzzle, boards.clone());
        let (sender, receiver) = mpsc::channel();
        let solve = move || {
            let boards = boards.chunks(1).take_while(|_| Instant::now() < until);
            let texts: Result<Vec<_>, _> = boards.map(|board| answer(answer_key, puzzle, board)).collect();
            // Sending fails if the hunt no longer waits for the answer.
            let _ = sender.send(texts.map(|texts| texts.concat()));
        };
        thread::Builder::new()
            .spawn(solve)
            .map_err(|source| JudgeError::System { doing: "starting a thread for reference solvers", source })?;
        let answered = receiver.recv_timeout(until.saturating_duration_since(Instant::now()));
        self.draws.check_time()?;
        answered.map_err(|_| board_error("the reference solvers stopped without an answer"))
    }

    /// Returns the result of a run of the program on the boards.
    fn examined(&self, boards: &Boards, attempt: &Attempt) -> Result<CandidateResult, JudgeError> {
        let focus = self.first_wrong(boards, &attempt.output)?;
        if attempt.failure.is_none() && focus.is_none() {
            return Ok(CandidateResult::Passes);
        }
        self.judged(boards, attempt, focus)
    }

    /// Judges the program on the boards as the judge does on any test case.
    fn judged(&self, boards: &Boards, attempt: &Attempt, focus: Option<usize>) -> Result<CandidateResult, JudgeError> {
        let input = print(boards);
        let answer = match self.answer(boards)? {
            Ok(answer) => answer,
            Err(reason) => return Ok(CandidateResult::Unjudged(reason)),
        };
        let case = self.trials.case(self.template, &input, &answer)?;
        let finished = judge_with_retry(self.trials, self.program, &case)?;
        let verdict = finished.verdict;
        match verdict {
            Verdict::Accepted => return Ok(CandidateResult::Passes),
            Verdict::JudgeError => return Ok(CandidateResult::Unjudged(finished.message.unwrap_or_default())),
            // If the accepted submissions fail on the input, too, it may be too hard for any program within the limits.
            verdict if verdict.is_exceeded_limit() && !self.jury.is_accepted(self.trials, &case)? => {
                return Ok(CandidateResult::Unjudged("the accepted submissions fail on this input, too".to_owned()));
            }
            _ => {}
        }
        Ok(CandidateResult::Fails(Box::new(Failure {
            kind: Kind::Program(verdict),
            message: finished.message,
            expected: Some(answer),
            got: attempt.output[..attempt.output.len().min(GOT_BYTES)].to_vec(),
            exchanges: None,
            focus,
        })))
    }
}

impl InputSource for BoardSource<'_> {
    type Candidate = Boards;

    fn draw(&self, number: u64) -> Result<Draw<Boards>, JudgeError> {
        self.draws.draw(number)
    }

    fn share(&self, number: u64) -> Option<f64> {
        self.draws.share(number)
    }

    fn examine(&self, boards: &Boards) -> Result<CandidateResult, JudgeError> {
        let attempt = self.trials.attempt(self.program, self.template, &print(boards))?;
        self.examined(boards, &attempt)
    }

    /// Does not let the judge confirm a timeout, which would take at least one time limit more.
    fn examine_except_timeouts(&self, boards: &Boards) -> Result<CandidateResult, JudgeError> {
        let attempt = self.trials.attempt(self.program, self.template, &print(boards))?;
        if matches!(attempt.failure, Some((Verdict::TimeLimitExceeded, _))) {
            return Ok(CandidateResult::Passes);
        }
        self.examined(boards, &attempt)
    }

    fn effort(&self, boards: &Boards) -> Option<u64> {
        Some(effort(boards))
    }

    fn smaller<'b>(&'b self, boards: &'b Boards, failure: &'b Failure) -> Box<dyn Iterator<Item = Boards> + Send + 'b> {
        Box::new(fewer(boards, failure.focus).chain(lighter(boards)))
    }

    fn bytes(&self, boards: &Boards) -> Vec<u8> {
        print(boards)
    }

    /// Shrinking restarts at the first step, because the puzzle returns the most promising step first.
    fn resumes_at_same_step(&self) -> bool {
        false
    }
}

/// Returns the concatenated answers to the boards. Fails if the solvers do not agree on a board.
fn answer(answer_key: &dyn AnswerKey, puzzle: &dyn Puzzle, boards: &[Arc<dyn Instance>]) -> Result<Vec<u8>, String> {
    let mut text = String::new();
    for board in boards {
        answer_key.check_agreement(puzzle, board.as_ref())?;
        let answer = board.solve(puzzle.solvers()[0].name).map_err(|unserved| unserved.to_string())?;
        text += &answer.text;
    }
    Ok(text.into_bytes())
}

fn board_error(reason: &str) -> JudgeError {
    JudgeError::System { doing: "making or solving a board", source: std::io::Error::other(reason.to_owned()) }
}

/// Returns the input that consists of these boards.
pub(super) fn print(boards: &Boards) -> Vec<u8> {
    boards.iter().map(|board| board.print()).collect::<String>().into_bytes()
}

/// Returns inputs with fewer boards. The first two contain the board at `focus` alone, and all boards up to it. Then
/// follow the inputs without the first half and without the second half of the boards, the inputs without each quarter
/// of the boards, and so on, down to the inputs without a single board.
fn fewer(boards: &Boards, focus: Option<usize>) -> impl Iterator<Item = Boards> + Send + '_ {
    let count = boards.len();
    let focus = focus.filter(|focus| *focus < count && count > 1);
    let alone = focus.map(|focus| vec![Arc::clone(&boards[focus])]);
    let up_to = focus.filter(|focus| focus + 1 < count).map(|focus| boards[..=focus].to_vec());
    let sizes = std::iter::successors(Some(count / 2), |size| Some(size / 2)).take_while(|size| *size > 0);
    let without = sizes.flat_map(move |size| {
        (0..count).step_by(size).map(move |start| {
            let end = (start + size).min(count);
            [&boards[..start], &boards[end..]].concat()
        })
    });
    alone.into_iter().chain(up_to).chain(without.filter(|left| !left.is_empty()))
}

/// Returns inputs in which one board is replaced by a smaller one.
fn lighter(boards: &Boards) -> impl Iterator<Item = Boards> + Send + '_ {
    boards.iter().enumerate().flat_map(move |(index, board)| {
        board.shrink().into_iter().map(move |lighter| {
            let mut boards = boards.clone();
            boards[index] = Arc::from(lighter);
            boards
        })
    })
}
