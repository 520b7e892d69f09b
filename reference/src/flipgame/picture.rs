//! Draws boards, and the rounds of a certificate played on them.

use super::board::Board;
use super::check::{cells_of, pieces, play, touched};
use crate::puzzle::{Answer, Value};
use referee_picture::{Cell, Film, Grid};

/// Returns a film of the rounds in the certificate of `answer`, or a picture of the pattern that proves the board
/// Impossible. Without a valid certificate, the film shows only the board.
pub(super) fn film(board: &Board, answer: &Answer) -> Film {
    let mut black = pieces(board);
    let mut film = Film::new(grid(&black), None);
    let Some(Ok(cells)) = answer.certificate.as_deref().map(|numbers| cells_of(board, numbers)) else {
        return film;
    };
    if answer.value == Value::Impossible {
        "Impossible: every round turns an even number of the marked pieces, and an odd number of them is black"
            .clone_into(&mut film.frames[0].caption);
        film.frames[0].marks = cells;
        return film;
    }
    for (number, cell) in (1..).zip(cells) {
        if film.is_full() {
            break;
        }
        play(&mut black, cell);
        let caption = format!("round {number}: row {}, column {}", cell.0 + 1, cell.1 + 1);
        film.push(caption, grid(&black), touched(&black, cell));
    }
    film
}

fn grid(black: &[Vec<bool>]) -> Grid {
    let piece = |&black: &bool| if black { Cell::Black } else { Cell::White };
    black.iter().map(|row| row.iter().map(piece).collect()).collect()
}
