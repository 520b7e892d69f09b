//! Draws boards, and the moves of a certificate.

use super::check::fields;
use super::{PIECES, Pair, SIDE};
use crate::puzzle::Answer;
use referee_picture::{Cell, Film, Grid};

/// Returns a film of the moves in the certificate of `answer`. Without a valid certificate, as for a NO, it shows only
/// the start and the goal.
pub(super) fn film(pair: &Pair, answer: &Answer) -> Film {
    let mut before = pair.start.sorted();
    let mut film = Film::new(grid(before), Some(grid(pair.goal.sorted())));
    let way: Option<Vec<_>> = answer.certificate.iter().flatten().skip(1).map(|&digits| fields(digits)).collect();
    for (number, after) in (1..).zip(way.unwrap_or_default()) {
        if film.is_full() {
            break;
        }
        let moved = |from: [u8; PIECES], to: [u8; PIECES]| from.into_iter().filter(move |field| !to.contains(field));
        let marks: Vec<_> = moved(before, after).chain(moved(after, before)).map(place).collect();
        let caption = match marks[..] {
            [(row, column), (to_row, to_column)] => {
                let (row, column, to_row, to_column) = (row + 1, column + 1, to_row + 1, to_column + 1);
                format!("move {number}: row {row}, column {column} to row {to_row}, column {to_column}")
            }
            _ => format!("move {number}"),
        };
        film.push(caption, grid(after), marks);
        before = after;
    }
    film
}

fn place(field: u8) -> (usize, usize) {
    (usize::from(field / SIDE), usize::from(field % SIDE))
}

fn grid(pieces: [u8; PIECES]) -> Grid {
    let mut grid = vec![vec![Cell::Free; usize::from(SIDE)]; usize::from(SIDE)];
    for (row, column) in pieces.into_iter().map(place) {
        grid[row][column] = Cell::Black;
    }
    grid
}
