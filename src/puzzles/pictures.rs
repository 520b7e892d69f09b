//! Draws a puzzle's boards: those of an input, the moves of the correct answer, and the moves that a program printed.
//!
//! Pictures do not affect verdicts. Therefore they show the answer of the first reference solver that supports the
//! board, and no other solver confirms that answer.

use referee_picture::{Film, Scene};
use reference::puzzle::{Answer, Instance, Puzzle};
use reference::text::Tokens;

use crate::puzzles::agreed_answers::instances;

/// The largest number of boards drawn for one test case.
const MOST_SCENES: usize = 4;

/// Draws the first boards of an input, at most four. If the program's output is given and the input has several
/// boards, draws only boards on which the program is wrong. Empty if the input is not legal for the puzzle.
pub fn scenes(puzzle: &dyn Puzzle, input: &[u8], output: Option<&[u8]>) -> Vec<Scene> {
    let Ok(instances) = instances(puzzle, input) else { return Vec::new() };
    let count = instances.len();
    let mut output = output.map(Output::new);
    let mut scenes = Vec::new();
    for (index, instance) in instances.iter().enumerate() {
        if scenes.len() == MOST_SCENES {
            break;
        }
        let answer = answer(puzzle, &**instance);
        let (actual, wrong) = output.as_mut().map_or((None, None), |output| output.next(&**instance, answer.as_ref()));
        if output.is_some() && count > 1 && wrong.is_none() {
            continue;
        }
        scenes.push(Scene {
            name: if count == 1 { String::new() } else { format!("board {} of {count}", index + 1) },
            right: answer.as_ref().map(|answer| answer.value.to_string()),
            expected: answer.as_ref().map(|answer| instance.film(answer)),
            actual,
            wrong,
        });
    }
    scenes
}

/// A program's output with two independent readers: one reads the moves, the other checks the output.
struct Output<'a> {
    filmed: Tokens<'a>,
    judged: Tokens<'a>,
}

impl<'a> Output<'a> {
    fn new(output: &'a [u8]) -> Output<'a> {
        Output { filmed: Tokens::new(output), judged: Tokens::new(output) }
    }

    /// Reads the program's next answer. The first result is a film of the answer's moves; `None` if answers to this
    /// puzzle contain no moves. The second result is the reason why the answer is wrong; `None` if the answer is right,
    /// or if `answer` is `None`.
    fn next(&mut self, instance: &dyn Instance, answer: Option<&Answer>) -> (Option<Film>, Option<String>) {
        let film = instance.film_of_output(&mut self.filmed);
        let error = answer.and_then(|answer| instance.check(&mut self.judged, &answer.value).err());
        (film, error.map(|error| error.to_string()))
    }
}

fn answer(puzzle: &dyn Puzzle, instance: &dyn Instance) -> Option<Answer> {
    puzzle.solvers().iter().find_map(|solver| instance.solve(solver.name).ok())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use referee_picture::MOST_FRAMES;
    use referee_random::Random;
    use reference::puzzle::Value;
    use reference::registry::{ALL, by_name};

    use super::*;

    fn of(puzzle: &str, input: &str, output: Option<&str>) -> Vec<Scene> {
        scenes(by_name(puzzle).unwrap(), input.as_bytes(), output.map(str::as_bytes))
    }

    /// Returns the letters of the last picture.
    fn last(film: &referee_picture::Film) -> String {
        let letters = |row: &Vec<referee_picture::Cell>| row.iter().map(|cell| cell.letter()).collect::<String>();
        film.frames.last().unwrap().grid.iter().map(letters).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_right_answer_is_played_to_the_goal() {
        let flip = of("flipgame", "wwbb\nwbww\nwwbb\nwwww\n", None);
        let end = last(flip[0].expected.as_ref().unwrap());
        assert!(end == "wwww wwww wwww wwww" || end == "bbbb bbbb bbbb bbbb", "{end}");
        let coins = of("coins", "BABAA\n5\n", None);
        assert_eq!(last(coins[0].expected.as_ref().unwrap()).trim_matches('.'), "BBAAA");
        let swap = of("swapgame", "0110\n1000\n0001\n0000\n\n1010\n0000\n0101\n0000\n", None);
        assert_eq!(last(swap[0].expected.as_ref().unwrap()), "bwbw wwww wbwb wwww");
        let solitaire = of("solitaire", "4 4 4 5 5 4 6 5\n2 4 3 3 3 6 4 6\n", None);
        let film = solitaire[0].expected.as_ref().unwrap();
        assert_eq!((film.goal.as_ref(), film.frames.len() <= 9), (Some(&film.frames.last().unwrap().grid), true));
    }

    #[test]
    fn of_many_boards_those_are_shown_on_which_the_program_is_wrong() {
        let boards = "1 1 1 2 5 4 5 5\n4 5 1 2 5 4 1 3\n1 1 1 8 8 1 8 8\n4 4 4 5 5 4 5 5\n";
        let shown = of("solitaire", boards, Some("YES\nYES\n"));
        assert_eq!(shown.len(), 1);
        assert_eq!(shown[0].name, "board 2 of 2");
        assert!(shown[0].wrong.as_ref().unwrap().contains("line 2"), "{:?}", shown[0].wrong);
        assert_eq!(shown[0].right.as_deref(), Some("NO"));
        assert!(of("solitaire", boards, Some("YES\nNO\n")).is_empty());
        let impossible = of("flipgame", "wwww\nwwww\nwwwb\nwwww\n", None);
        assert_eq!(impossible[0].right.as_deref(), Some("Impossible"));
        assert!(!impossible[0].expected.as_ref().unwrap().frames[0].marks.is_empty(), "the proof is marked");
    }

    #[test]
    fn what_is_no_board_and_what_is_no_answer_have_no_pictures_and_do_no_harm() {
        assert!(of("flipgame", "hello\n", None).is_empty());
        let silent = of("coins", "BABAA\n5\n", Some(""));
        assert!(silent[0].wrong.is_some() && silent[0].actual.as_ref().unwrap().frames.len() == 1);
        let loud = of("swapgame", "0110\n1000\n0001\n0000\n\n1010\n0000\n0101\n0000\n", Some("\u{0}\u{ff}<b>"));
        assert!(loud[0].wrong.is_some());
    }

    fn is_drawable(film: &Film) -> bool {
        let size = |grid: &referee_picture::Grid| (grid.len(), grid.iter().map(Vec::len).collect::<Vec<_>>());
        let first = size(&film.frames[0].grid);
        let inside = |&(row, column): &(usize, usize)| row < first.0 && column < first.1[row];
        film.frames.len() <= MOST_FRAMES
            && film.frames.iter().all(|frame| size(&frame.grid) == first && frame.marks.iter().all(inside))
            && film.goal.as_ref().is_none_or(|goal| size(goal) == first)
    }

    #[test]
    fn all_moves_of_right_answers_are_shown() {
        let mut with_minima = std::collections::BTreeSet::new();
        for puzzle in ALL {
            for (seed, kind) in (1..).zip(puzzle.kinds()) {
                let instance = puzzle.generate(kind.name, None, &mut Random::new(seed, 0)).unwrap();
                let answer = answer(*puzzle, &*instance).unwrap();
                let film = instance.film(&answer);
                assert!(is_drawable(&film) && film.end.is_none(), "{} {}", puzzle.name(), kind.name);
                if let Value::Minimum(moves) = answer.value {
                    with_minima.insert(puzzle.name());
                    assert_eq!(film.frames.len(), moves as usize + 1, "{} {}", puzzle.name(), kind.name);
                }
                let film = instance.film_of_output(&mut Tokens::new(answer.text.as_bytes()));
                assert!(film.is_none_or(|film| is_drawable(&film) && film.end.is_none()), "{}", puzzle.name());
            }
        }
        assert!(with_minima.into_iter().eq(["coins", "flipgame", "swapgame"]), "solitaire asks for no minimum");
    }

    proptest! {
        #[test]
        fn whatever_is_printed_can_be_drawn(
            seed: u64,
            bytes in prop_oneof![
                proptest::collection::vec(any::<u8>(), 0..60),
                "[0-9]{1,3}(\n[1-5]{4}){0,9}".prop_map(String::into_bytes),
                "[0-9](\n[AB.]{2,14}){0,9}".prop_map(String::into_bytes),
            ],
        ) {
            for puzzle in ALL {
                let kinds = puzzle.kinds();
                let kind = kinds[seed as usize % kinds.len()].name;
                let instance = puzzle.generate(kind, None, &mut Random::new(seed, 0)).unwrap();
                if let Some(film) = instance.film_of_output(&mut Tokens::new(bytes.as_slice())) {
                    prop_assert!(is_drawable(&film), "{} {:?}", puzzle.name(), film);
                }
            }
        }
    }
}
