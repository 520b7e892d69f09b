use super::*;
use crate::puzzle::{CheckError, Declined, Evidence, GenerateError, Kind, Repetition, Size, Solver};
use crate::text::{Lines, ReadError, Tokens};
use referee_picture::Film;
use referee_random::Random;

/// A puzzle whose solvers return the values that the test prescribes.
struct Scripted(Vec<Result<Value, &'static str>>);

const SOLVERS: [Solver; 3] =
    [Solver { name: "a", method: "" }, Solver { name: "b", method: "" }, Solver { name: "c", method: "" }];

impl Puzzle for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }
    fn question(&self) -> &'static str {
        ""
    }
    fn solvers(&self) -> &'static [Solver] {
        &SOLVERS
    }
    fn kinds(&self) -> &'static [Kind] {
        &[]
    }
    fn generator_version(&self) -> u32 {
        1
    }
    fn repetition(&self) -> Repetition {
        Repetition::One
    }
    fn read(&self, _: &mut Lines<'_>, _: Option<Size>) -> Result<Option<Box<dyn Instance>>, ReadError> {
        Ok(None)
    }
    fn generate(&self, _: &str, _: Option<Size>, _: &mut Random) -> Result<Box<dyn Instance>, GenerateError> {
        Err(GenerateError(String::new()))
    }
    fn exhaustive_argument(&self) -> &'static str {
        ""
    }
    fn exhaustive_parts(&self) -> u32 {
        0
    }
    fn exhaustive_part(&self, _: u32, _: &mut Tally) {}
}

impl Instance for Scripted {
    fn print(&self) -> String {
        "board\n".to_owned()
    }
    fn solve(&self, solver: &str) -> Result<Answer, Declined> {
        let index = SOLVERS.iter().position(|known| known.name == solver).unwrap();
        let value = self.0[index].clone().map_err(|reason| Declined(reason.to_owned()))?;
        Ok(Answer { text: value.to_string(), value, certificate: None })
    }
    fn check(&self, _: &mut Tokens<'_>, _: &Value) -> Result<(), CheckError> {
        Ok(())
    }
    fn film(&self, _: &Answer) -> Film {
        Film::new(Vec::new(), None)
    }
    fn film_of_output(&self, _: &mut Tokens<'_>) -> Option<Film> {
        None
    }
    /// Rejects the answer 99, as if its moves did not replay.
    fn verify(&self, answer: &Answer) -> Result<Evidence, String> {
        if answer.value == Value::Minimum(99) {
            return Err("move 1 is not legal".to_owned());
        }
        Ok(Evidence { moves_replayed: true, bound_proved: false })
    }
    fn shrink(&self) -> Vec<Box<dyn Instance>> {
        Vec::new()
    }
    fn weight(&self) -> u64 {
        0
    }
}

fn compared(said: [Result<Value, &'static str>; 3]) -> Tally {
    let scripted = Scripted(said.into());
    let mut tally = Tally::default();
    tally.compare(&scripted, &scripted);
    tally
}

#[test]
fn one_solver_that_says_otherwise_is_a_disagreement_with_everybodys_answer() {
    let tally = compared([Ok(Value::Minimum(3)), Ok(Value::Minimum(3)), Ok(Value::Minimum(4))]);
    assert_eq!((tally.boards, tally.disagreements, tally.histogram.len()), (1, 1, 0));
    let example = &tally.examples[0];
    assert_eq!(example.reason, "a says 3, c says 4");
    assert_eq!(example.answers.len(), 3);
    assert_eq!(example.input, "board\n");
}

#[test]
fn an_answer_that_does_not_hold_is_a_disagreement_even_if_all_give_it() {
    let tally = compared([Ok(Value::Minimum(99)), Ok(Value::Minimum(99)), Ok(Value::Minimum(99))]);
    assert_eq!(tally.examples[0].reason, "a: move 1 is not legal");
}

#[test]
fn a_solver_that_declines_is_counted_and_the_others_decide() {
    let tally = compared([Err("too large"), Ok(Value::Impossible), Ok(Value::Impossible)]);
    assert_eq!((tally.disagreements, tally.declined.get("a")), (0, Some(&1)));
    assert_eq!(tally.histogram.get(&Value::Impossible), Some(&1));
}

#[test]
fn nobody_serving_a_board_is_no_agreement() {
    assert_eq!(compared([Err("no"), Err("no"), Err("no")]).disagreements, 1);
}

#[test]
fn the_sharper_of_two_bounds_is_held_against_the_minimum() {
    let tally = compared([Ok(Value::AtMost(5)), Ok(Value::AtMost(9)), Ok(Value::Minimum(6))]);
    assert_eq!(tally.examples[0].reason, "a says at most 5, c says 6");
    let tally = compared([Ok(Value::AtMost(9)), Ok(Value::AtMost(5)), Ok(Value::Minimum(5))]);
    assert_eq!(tally.histogram.get(&Value::Minimum(5)), Some(&1));
}

#[test]
fn tallies_of_parts_add_up_and_keep_the_first_examples() {
    let mut sum = Tally::default();
    for _ in 0..20 {
        sum.merge(compared([Ok(Value::Yes), Ok(Value::No), Ok(Value::Yes)]));
        sum.merge(compared([Ok(Value::Yes), Ok(Value::Yes), Ok(Value::Yes)]));
    }
    assert_eq!((sum.boards, sum.disagreements, sum.examples.len()), (40, 20, MOST_EXAMPLES));
    assert_eq!(sum.histogram.get(&Value::Yes), Some(&20));
    // The answers are checked one after the other, up to the first disagreement. The moves of an answer are replayed
    // before its value is compared. So two answers are replayed if the second one disagrees, and three if none does.
    assert_eq!(sum.moves_replayed, 20 * 2 + 20 * 3);
}

#[test]
fn a_solver_that_declines_after_a_contradiction_is_counted_too() {
    let tally = compared([Ok(Value::Minimum(3)), Ok(Value::Minimum(4)), Err("too large")]);
    assert_eq!((tally.disagreements, tally.declined.get("c")), (1, Some(&1)));
}
