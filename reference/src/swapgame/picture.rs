//! Draws boards, and the steps of an answer played on them.

use super::Pair;
use super::check::{Rows, number, parse_move, play, rows};
use crate::puzzle::CheckError;
use crate::text::Tokens;
use referee_picture::{Cell, Film, Grid};

/// Returns a film of the steps of an answer, as far as they are legal.
pub(super) fn film(pair: Pair, output: &mut Tokens<'_>) -> Film {
    let film = Film::new(grid(&rows(pair.start())), Some(grid(&rows(pair.goal()))));
    match output.next_token() {
        Ok(Some(token)) => match number(&token) {
            Ok(announced) => steps(pair, announced, output, film),
            Err(error) => film.ended(reason(&error)),
        },
        Ok(None) => film.ended("the output is empty, expected the number of steps"),
        Err(error) => film.ended(error.to_string()),
    }
}

fn steps(pair: Pair, announced: u64, output: &mut Tokens<'_>, mut film: Film) -> Film {
    let mut board = rows(pair.start());
    for step in 1..=announced {
        if film.is_full() {
            return film;
        }
        let token = match output.next_token() {
            Ok(Some(token)) => token,
            Ok(None) => return film.ended(format!("the output ends before step {step} of {announced}")),
            Err(error) => return film.ended(error.to_string()),
        };
        let [first, second] = match parse_move(&token, step) {
            Ok(cells) => cells,
            Err(error) => return film.ended(reason(&error)),
        };
        if let Err(reason) = play(&mut board, first, second) {
            return film.ended(format!("step {step} ({}): {reason}", token.quoted()));
        }
        film.push(format!("step {step}: {}", token.quoted()), grid(&board), vec![first, second]);
    }
    if board == rows(pair.goal()) { film } else { film.ended("the last step does not lead to the second board") }
}

/// Returns the reason of an error without its position, which refers to the output and not to the picture.
fn reason(error: &CheckError) -> String {
    match error {
        CheckError::Wrong { reason, .. } | CheckError::Undecided { reason, .. } => reason.clone(),
        CheckError::Unreadable(error) => error.to_string(),
    }
}

fn grid(rows: &Rows) -> Grid {
    let piece = |&digit: &char| if digit == '1' { Cell::Black } else { Cell::White };
    rows.iter().map(|row| row.iter().map(piece).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Board;
    use super::*;

    fn played(output: &str) -> Film {
        // One black piece goes from the first cell to the third.
        let pair = Pair::new(Board(0b1), Board(0b100)).unwrap();
        film(pair, &mut Tokens::new(output.as_bytes()))
    }

    fn first_rows(film: &Film) -> Vec<String> {
        film.frames.iter().map(|frame| frame.grid[0].iter().map(|cell| cell.letter()).collect()).collect()
    }

    #[test]
    fn every_step_is_a_picture() {
        let film = played("2\n1112\n1312\n");
        assert_eq!(first_rows(&film), ["bwww", "wbww", "wwbw"]);
        assert_eq!((film.frames[2].marks.clone(), film.end.as_deref()), (vec![(0, 2), (0, 1)], None));
        assert_eq!(film.goal.unwrap()[0][2], Cell::Black);
    }

    #[test]
    fn a_film_ends_where_the_answer_cannot_be_played() {
        let film = played("3\n1112\n1314\n1312\n");
        assert_eq!(first_rows(&film), ["bwww", "wbww"]);
        assert!(film.end.unwrap().contains("step 2 ('1314')"));
        assert_eq!(played("1\n1112\n").end.as_deref(), Some("the last step does not lead to the second board"));
        assert_eq!(played("2\n1112\n").end.as_deref(), Some("the output ends before step 2 of 2"));
        assert_eq!(played("").frames.len(), 1);
    }

    #[test]
    fn an_answer_without_end_has_a_film_with_an_end() {
        let back_and_forth = format!("{}\n{}", u64::MAX, "1112\n".repeat(5000));
        let film = played(&back_and_forth);
        assert_eq!(film.frames.len(), referee_picture::MOST_FRAMES);
        assert!(film.end.is_some());
    }
}
