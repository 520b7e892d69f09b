//! Boards and moves as data that other code can draw.
//!
//! A [`Film`] shows a board and how it changes, move by move. It does not decide whether an answer is correct; the
//! checkers do. Films of a program's answer replay the moves with the code of the checkers.

/// The maximum number of frames in a film. An output may contain any number of moves, but people look at only a few.
pub const MOST_FRAMES: usize = 100;

/// The content of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// The field is empty.
    Free,
    /// A white piece.
    White,
    /// A black piece.
    Black,
    /// A coin with this letter, `A` or `B`.
    Coin(char),
}

impl Cell {
    /// Returns the letter for this content: `.`, `w`, `b`, or the letter of the coin.
    pub fn letter(self) -> char {
        match self {
            Cell::Free => '.',
            Cell::White => 'w',
            Cell::Black => 'b',
            Cell::Coin(letter) => letter,
        }
    }
}

/// The fields of a board, row by row; all rows have the same length.
pub type Grid = Vec<Vec<Cell>>;

/// A board at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The move that led here, in a few words.
    pub caption: String,
    /// The board after that move.
    pub grid: Grid,
    /// The fields that the move concerns, as pairs of row and column, counted from 0.
    pub marks: Vec<(usize, usize)>,
}

/// A board and its changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Film {
    /// The goal; `None` if the input does not state it.
    pub goal: Option<Grid>,
    /// The boards in order; the first is the start.
    pub frames: Vec<Frame>,
    /// Why the film ends here; `None` if all moves were played and lead to the goal.
    pub end: Option<String>,
}

impl Film {
    /// Creates a film that shows only the start.
    pub fn new(start: Grid, goal: Option<Grid>) -> Film {
        Film { goal, frames: vec![Frame { caption: "start".to_owned(), grid: start, marks: Vec::new() }], end: None }
    }

    /// Returns whether the film has the maximum number of frames. If it has, sets [`Film::end`].
    pub fn is_full(&mut self) -> bool {
        let is_full = self.frames.len() >= MOST_FRAMES;
        if is_full {
            self.end = Some(format!("only the first {} moves are shown", MOST_FRAMES - 1));
        }
        is_full
    }

    /// Adds the board after a move.
    pub fn push(&mut self, caption: String, grid: Grid, marks: Vec<(usize, usize)>) {
        self.frames.push(Frame { caption, grid, marks });
    }

    /// Returns the same film with this reason for its end.
    #[must_use]
    pub fn ended(mut self, reason: impl Into<String>) -> Film {
        self.end = Some(reason.into());
        self
    }
}

/// An instance in pictures, with a program's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The name of the instance within the input; empty if the input has only one instance.
    pub name: String,
    /// The correct answer in a word or a number: the minimum, `Impossible`, `YES`. `None` if the scene does not show
    /// it.
    pub right: Option<String>,
    /// The moves of the correct answer; `None` if the scene does not show them.
    pub expected: Option<Film>,
    /// The moves in the program's answer; `None` if there is no answer, or if the answer contains no moves.
    pub actual: Option<Film>,
    /// Why the program's answer is wrong; `None` if it is correct, or if there is no answer.
    pub wrong: Option<String>,
}
