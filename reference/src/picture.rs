//! Boards and moves as pictures: data, for others to draw.
//!
//! A [`Film`] shows a board and what becomes of it, move by move. It proves nothing and decides nothing: what is right
//! is said by the checkers, whose replaying code the films of printed answers use.

/// More pictures of one answer nobody looks at, and an output may hold any number of moves.
pub const MOST_FRAMES: usize = 100;

/// What lies on a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Nothing.
    Free,
    /// A white piece.
    White,
    /// A black piece.
    Black,
    /// A coin with this letter, `A` or `B`.
    Coin(char),
}

impl Cell {
    /// The letter for it: `.`, `w`, `b`, or the coin's own.
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
    /// What was done, in a few words.
    pub caption: String,
    /// The board after that.
    pub grid: Grid,
    /// The fields that it is about, as rows and columns from 0.
    pub marks: Vec<(usize, usize)>,
}

/// A board and what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Film {
    /// What the board is to become, where the input says it.
    pub goal: Option<Grid>,
    /// At least the start.
    pub frames: Vec<Frame>,
    /// Why it ends here, where that is not because all moves were played and lead to the goal.
    pub end: Option<String>,
}

impl Film {
    /// A film that shows the start so far.
    pub fn new(start: Grid, goal: Option<Grid>) -> Film {
        Film { goal, frames: vec![Frame { caption: "start".to_owned(), grid: start, marks: Vec::new() }], end: None }
    }

    /// Whether it has as many frames as it may have; says so if it has.
    pub(crate) fn is_full(&mut self) -> bool {
        let is_full = self.frames.len() >= MOST_FRAMES;
        if is_full {
            self.end = Some(format!("only the first {} moves are shown", MOST_FRAMES - 1));
        }
        is_full
    }

    /// Adds what the board is after a move.
    pub(crate) fn push(&mut self, caption: String, grid: Grid, marks: Vec<(usize, usize)>) {
        self.frames.push(Frame { caption, grid, marks });
    }

    /// The same film, which ends for this reason.
    pub(crate) fn ended(mut self, reason: impl Into<String>) -> Film {
        self.end = Some(reason.into());
        self
    }
}

/// An instance in pictures, and what a program made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// Which one of an input's instances; empty if it is the only one.
    pub name: String,
    /// The right answer in a word or a number: the minimum, `Impossible`, `YES`.
    pub right: Option<String>,
    /// Its moves.
    pub expected: Option<Film>,
    /// The program's; `None` if there is none, or answers of this puzzle have no moves.
    pub actual: Option<Film>,
    /// Why the program's is not right; `None` if it is, or there is none.
    pub wrong: Option<String>,
}
