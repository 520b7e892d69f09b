//! Draws the row of the input, and then the rows of an answer, one after the other.

use super::Board;
use super::check::Replay;
use crate::text::{Token, Tokens};
use referee_picture::{Cell, Film, Grid};

/// The width of the widest row that is drawn, in cells. Legal moves can make rows wider, by two cells at a time.
const WIDEST: usize = 64;

/// Returns a film of the rows of an answer. It ends with the first row to which no legal move leads from the row
/// before.
pub(super) fn film(board: &Board, output: &mut Tokens<'_>) -> Film {
    let mut rows = Rows::new(board);
    let end = match output.next_token() {
        Ok(Some(token)) => match announced(&token) {
            Some(moves) => rows.follow(moves, output),
            None if token.bytes == b"Impossible" => None,
            None => Some(format!("found {}, expected a number of moves or 'Impossible'", token.quoted())),
        },
        Ok(None) => Some("the output is empty, expected a number of moves or 'Impossible'".to_owned()),
        Err(error) => Some(error.to_string()),
    };
    rows.film(end)
}

fn announced(token: &Token) -> Option<u64> {
    std::str::from_utf8(&token.bytes).ok()?.parse().ok()
}

/// Rows with their positions on one long table, so that coins that were not moved stay in place.
struct Rows<'a> {
    replay: Replay<'a>,
    /// The position of each row's first cell, and its cells.
    placed: Vec<(i64, Vec<u8>)>,
    /// The caption of each row.
    captions: Vec<String>,
}

impl<'a> Rows<'a> {
    fn new(board: &'a Board) -> Self {
        let start = (0, board.row().into_bytes());
        Rows { replay: Replay::new(board), placed: vec![start], captions: vec!["start".to_owned()] }
    }

    /// Follows as many rows as the answer announces. Returns why it stopped; `None` if all rows are right.
    fn follow(&mut self, moves: u64, output: &mut Tokens<'_>) -> Option<String> {
        for number in 0..=moves {
            if self.placed.len() >= referee_picture::MOST_FRAMES {
                return Some(format!("only the first {} moves are shown", self.placed.len() - 1));
            }
            let token = match output.next_token() {
                Ok(Some(token)) => token,
                Ok(None) => return Some(format!("the output ends before row {number} of rows 0 to {moves}")),
                Err(error) => return Some(error.to_string()),
            };
            if token.bytes.len() > WIDEST {
                return Some(format!("row {number} is too wide to be drawn"));
            }
            let legal = self.replay.row(&token.bytes);
            if number > 0 {
                self.push(&token, number, legal.is_ok());
            }
            if let Err(reason) = legal {
                return Some(format!("row {number}, {}: {reason}", token.quoted()));
            }
        }
        self.replay.finish().err()
    }

    fn push(&mut self, token: &Token, number: u64, is_legal: bool) {
        let row = &token.bytes;
        let (at, before) = &self.placed[self.placed.len() - 1];
        if !row.iter().all(|cell| matches!(cell, b'A' | b'B' | b'.')) {
            return;
        }
        // If no legal move leads to this row, it is placed so that as many cells as possible stay the same.
        let nearest = || (-4..=4).min_by_key(|&shift: &i64| (differing(before, row, shift), shift.abs())).unwrap_or(0);
        let shift = if is_legal { self.replay.shift() } else { nearest() };
        self.placed.push((at + shift, row.clone()));
        self.captions.push(if is_legal { format!("move {number}") } else { format!("row {number}: not a legal move") });
    }

    fn film(self, end: Option<String>) -> Film {
        let first = self.placed.iter().map(|(at, _)| *at).min().unwrap_or(0);
        let last = self.placed.iter().map(|(at, row)| at + row.len() as i64).max().unwrap_or(0);
        let cells = |(at, row): &(i64, Vec<u8>)| (first..last).map(|place| cell(row, place - at)).collect::<Vec<_>>();
        let lines: Vec<Vec<Cell>> = self.placed.iter().map(cells).collect();
        let mut film = Film::new(vec![lines[0].clone()], None);
        for (two, caption) in lines.windows(2).zip(self.captions.into_iter().skip(1)) {
            let marks = (0..two[1].len()).filter(|&place| two[0][place] != two[1][place]);
            let marks = marks.map(|place| (0, place)).collect();
            film.push(caption, Grid::from([two[1].clone()]), marks);
        }
        film.end = end;
        film
    }
}

fn cell(row: &[u8], place: i64) -> Cell {
    match usize::try_from(place).ok().and_then(|place| row.get(place)) {
        Some(&letter @ (b'A' | b'B')) => Cell::Coin(char::from(letter)),
        _ => Cell::Free,
    }
}

/// Returns the number of cells on which two rows differ. The second row begins `shift` cells to the right of the first.
fn differing(before: &[u8], after: &[u8], shift: i64) -> usize {
    let from = shift.min(0);
    let to = (before.len() as i64).max(after.len() as i64 + shift);
    (from..to).filter(|&place| cell(before, place) != cell(after, place - shift)).count()
}

#[cfg(test)]
mod tests {
    use super::super::Coin::{A, B};
    use super::*;

    fn played(output: &str) -> Film {
        let board = Board::new(vec![B, A, B, A, A], 9).unwrap();
        film(&board, &mut Tokens::new(output.as_bytes()))
    }

    fn lines(film: &Film) -> Vec<String> {
        film.frames.iter().map(|frame| frame.grid[0].iter().map(|cell| cell.letter()).collect()).collect()
    }

    #[test]
    fn coins_that_are_not_moved_stay_where_they_are() {
        let film = played("3\nBABAA\nBABA..A\nB..AABA\nBBAAA\n");
        assert_eq!(lines(&film), ["..BABAA", "BABA..A", "B..AABA", "BBAAA.."]);
        assert_eq!(film.frames[1].marks, [(0, 0), (0, 1), (0, 4), (0, 5)]);
        assert_eq!(film.end, None);
    }

    #[test]
    fn a_row_that_no_move_leads_to_is_shown_and_ends_the_film() {
        let film = played("1\nBABAA\nAABAB\n");
        assert_eq!(lines(&film).len(), 2);
        assert!(film.end.unwrap().starts_with("row 1, 'AABAB'"));
        assert_eq!(played("1\nBABAA\n<script>\n").frames.len(), 1);
        assert!(played("Impossible\n").end.is_none());
        assert!(played("").end.is_some());
        assert!(played("many\n").end.is_some());
    }

    #[test]
    fn a_row_that_drifts_too_far_apart_ends_the_film_in_its_place() {
        let rows: Vec<String> = (0..40).map(|moves| format!("A{}BA", ".".repeat(2 * moves))).collect();
        let board = Board::new(vec![A, B, A], 40).unwrap();
        let text = format!("39\n{}\n", rows.join("\n"));
        let film = film(&board, &mut Tokens::new(text.as_bytes()));
        assert!(film.end.is_some(), "{:?}", lines(&film));
        assert!(film.frames.iter().all(|frame| frame.grid[0].len() <= 2 * WIDEST));
    }
}
