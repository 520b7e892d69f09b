//! Tests with the flip game and a solver that gives wrong answers.

use referee_picture::Film;
use reference::flipgame::Flipgame;
use reference::puzzle::{
    Answer, CheckError, Declined, Evidence, GenerateError, Instance, Kind, Puzzle, Repetition, Size, Solver, Value,
};
use reference::text::Tokens;

use super::*;

/// The flip game. Its second solver is wrong on some boards.
struct WithALiar {
    /// The second solver claims that boards with at least this many black pieces have no solution.
    blacks: u64,
}

struct Board {
    board: Box<dyn Instance>,
    blacks: u64,
}

const SOLVERS: &[Solver] = &[Solver { name: "table", method: "" }, Solver { name: "liar", method: "" }];

impl WithALiar {
    fn wrapped(&self, board: Box<dyn Instance>) -> Box<dyn Instance> {
        Box::new(Board { board, blacks: self.blacks })
    }
}

impl Puzzle for WithALiar {
    fn name(&self) -> &'static str {
        "flipgame"
    }

    fn question(&self) -> &'static str {
        Flipgame.question()
    }

    fn solvers(&self) -> &'static [Solver] {
        SOLVERS
    }

    fn kinds(&self) -> &'static [Kind] {
        Flipgame.kinds()
    }

    fn generator_version(&self) -> u32 {
        1
    }

    fn repetition(&self) -> Repetition {
        Repetition::One
    }

    fn read(&self, lines: &mut Lines<'_>, size: Option<Size>) -> Result<Option<Box<dyn Instance>>, ReadError> {
        Ok(Flipgame.read(lines, size)?.map(|board| self.wrapped(board)))
    }

    fn generate(
        &self,
        kind: &str,
        size: Option<Size>,
        random: &mut Random,
    ) -> Result<Box<dyn Instance>, GenerateError> {
        Flipgame.generate(kind, size, random).map(|board| self.wrapped(board))
    }

    fn exhaustive_argument(&self) -> &'static str {
        ""
    }

    fn exhaustive_parts(&self) -> u32 {
        0
    }

    fn exhaustive_part(&self, _part: u32, _tally: &mut Tally) {}
}

impl Instance for Board {
    fn print(&self) -> String {
        self.board.print()
    }

    fn solve(&self, solver: &str) -> Result<Answer, Declined> {
        let truth = self.board.solve("table")?;
        if solver == "liar" && self.weight() >= self.blacks {
            return Ok(Answer { value: Value::Impossible, text: "Impossible\n".to_owned(), certificate: None });
        }
        Ok(truth)
    }

    fn check(&self, output: &mut Tokens<'_>, right: &Value) -> Result<(), CheckError> {
        self.board.check(output, right)
    }

    fn verify(&self, answer: &Answer) -> Result<Evidence, String> {
        self.board.verify(answer)
    }

    fn film(&self, answer: &Answer) -> Film {
        self.board.film(answer)
    }

    fn film_of_output(&self, output: &mut Tokens<'_>) -> Option<Film> {
        self.board.film_of_output(output)
    }

    fn shrink(&self) -> Vec<Box<dyn Instance>> {
        let steps = self.board.shrink().into_iter();
        steps.map(|board| Box::new(Board { board, blacks: self.blacks }) as Box<dyn Instance>).collect()
    }

    fn weight(&self) -> u64 {
        self.board.weight()
    }
}

struct NoWatch;

impl Watch for NoWatch {
    fn progress(&self, _done: u64, _total: u64) {}

    fn stop(&self) -> bool {
        false
    }
}

fn compared(blacks: u64) -> CrosscheckFinished {
    let fixtures = vec![("two.in".to_owned(), &b"bbbb\nwwww\nbbbb\nwwww\n"[..])];
    let plan = BoardSelection::Sampled(Sample { boards: 100, seed: 1, fixtures });
    crosscheck(&WithALiar { blacks }, &plan, &NoWatch).unwrap()
}

#[test]
fn who_lies_is_found_out_and_shown_on_a_board_that_no_step_makes_smaller() {
    let result = compared(3);
    assert!(result.disagreements > 0 && result.boards == 101, "{result:?}");
    let smallest = result.smallest.unwrap();
    let board = Flipgame.read(&mut Lines::new(smallest.input.as_bytes()), None).unwrap().unwrap();
    let is_lied_about = |board: &dyn Instance| {
        board.weight() >= 3 && board.solve("bfs").is_ok_and(|answer| answer.value != Value::Impossible)
    };
    assert!(is_lied_about(board.as_ref()), "{smallest:?}");
    assert!(board.shrink().iter().all(|step| !is_lied_about(step.as_ref())), "{smallest:?}");
    let [(truth, _), (liar, lie)] = &smallest.answers[..] else { panic!("{smallest:?}") };
    assert_eq!((truth.as_str(), liar.as_str(), lie.as_str()), ("table", "liar", "Impossible\n"));
    assert!(smallest.reason.contains("table says") && smallest.reason.contains("liar says"), "{smallest:?}");
}

#[test]
fn who_agrees_everywhere_is_no_liar() {
    let result = compared(17);
    assert_eq!((result.boards, result.disagreements, result.smallest), (101, 0, None));
}
