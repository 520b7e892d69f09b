//! The traits that every puzzle implements.
//!
//! A [`Puzzle`] makes [`Instance`]s, either by reading or by generating them. All other operations are methods of the
//! instance. Both traits are object-safe, so that the [`registry`](crate::registry) can hold all puzzles.

use std::fmt;

use crate::disagreement::Tally;
use crate::text::{Lines, ReadError, TextPosition, Tokens};
use referee_picture::Film;
use referee_random::Random;

/// One of the board puzzles.
pub trait Puzzle: Sync {
    /// Returns the name of the puzzle and of its problem package, in lower-case letters only.
    fn name(&self) -> &'static str;

    /// Returns the question that the puzzle asks, in one line of at most 72 characters.
    fn question(&self) -> &'static str;

    /// Returns all solvers; the first one is the default.
    fn solvers(&self) -> &'static [Solver];

    /// Returns all kinds of instances that the generator can make.
    fn kinds(&self) -> &'static [Kind];

    /// Returns the generator's version. Raise it whenever the same kind, size and seed no longer give the same
    /// instances as before.
    fn generator_version(&self) -> u32;

    /// Returns the board sizes, other than the package's, on which the solvers are compared. Empty if all boards have
    /// one size.
    fn sizes(&self) -> &'static [Size] {
        &[]
    }

    /// Returns how many instances one input file of the problem package holds.
    fn repetition(&self) -> Repetition;

    /// Reads the next instance. Skips blank lines before it. `size` is the board's size for puzzles with several sizes;
    /// `None` means the package's size. Returns `None` at the end of the input. Fails if the text is not legal or
    /// cannot be read.
    fn read(&self, lines: &mut Lines<'_>, size: Option<Size>) -> Result<Option<Box<dyn Instance>>, ReadError>;

    /// Generates an instance. `kind` is one of [`Puzzle::kinds`]; `size` is as for [`Puzzle::read`]. Fails if no such
    /// instance can be made.
    fn generate(&self, kind: &str, size: Option<Size>, random: &mut Random)
    -> Result<Box<dyn Instance>, GenerateError>;

    /// Returns the default number of random boards for a comparison. Two cores compare that many in about ten seconds
    /// or less.
    fn usual_boards(&self) -> u64 {
        2000
    }

    /// Returns the number of different legal instances if they are few enough to try all of them, and 0 otherwise.
    fn instance_count(&self) -> u64 {
        0
    }

    /// Returns instance number `index`, counted from 0; instances of a low [`effort_level`] come first. Returns `None`
    /// if `index` is not below [`Puzzle::instance_count`].
    fn nth(&self, _index: u64) -> Option<Box<dyn Instance>> {
        None
    }

    /// Returns a paragraph that explains to users how the exhaustive comparison covers all instances, and why it misses
    /// none.
    fn exhaustive_argument(&self) -> &'static str;

    /// Returns the number of independent parts of the exhaustive comparison. Parts may run in any order, in parallel.
    fn exhaustive_parts(&self) -> u32;

    /// Runs part `part` (from 0) of the exhaustive comparison and adds the results to `tally`.
    fn exhaustive_part(&self, part: u32, tally: &mut Tally);
}

/// One board, or one pair of boards, that has an answer.
pub trait Instance: Send + Sync {
    /// Returns the instance as the problem package writes it, with a line end after every line.
    fn print(&self) -> String;

    /// Solves the instance with the solver called `solver` (one of [`Puzzle::solvers`]). Fails if the solver declines
    /// it.
    fn solve(&self, solver: &str) -> Result<Answer, Declined>;

    /// Reads one answer from `output` and compares it with the correct value. Tokens after the answer are left for the
    /// next instance. Fails if the answer is wrong, undecided or unreadable.
    fn check(&self, output: &mut Tokens<'_>, right: &Value) -> Result<(), CheckError>;

    /// Verifies an answer without trusting its solver: replays its moves and checks its certificate. Fails with the
    /// reason if the answer is wrong.
    fn verify(&self, answer: &Answer) -> Result<Evidence, String>;

    /// Returns a film of the board while the moves in a solver's `answer`, or in its certificate, are played.
    fn film(&self, answer: &Answer) -> Film;

    /// Returns a film of the moves that a program printed, as far as they can be played. Reads the answer from
    /// `output`. Returns `None` if programs print no moves for this puzzle.
    fn film_of_output(&self, output: &mut Tokens<'_>) -> Option<Film>;

    /// Returns smaller instances to try next when a failing input is shrunk. All are legal and have a lower
    /// [`Instance::weight`].
    fn shrink(&self) -> Vec<Box<dyn Instance>>;

    /// Returns how large or complex the instance is; every shrink step lowers it.
    fn weight(&self) -> u64;

    /// Returns an estimate of the number of positions that a search visits to solve the instance. Returns 0 for puzzles
    /// whose instances are all solved quickly.
    fn effort(&self) -> u64 {
        0
    }

    /// Returns the correct value from a table. Returns `None` if no table contains the instance; then a solver must
    /// compute the value.
    fn value_in_table(&self) -> Option<Value> {
        None
    }

    /// Returns a different instance with the same value, which takes less time to make than [`Puzzle::generate`] takes
    /// for a new one. Returns `None` if the puzzle has no such instances.
    fn variation(&self, _random: &mut Random) -> Option<Box<dyn Instance>> {
        None
    }
}

/// The largest [`Instance::effort`] of level 0. Most programs, in any language, visit that many positions in less than
/// a tenth of a second.
pub const QUICK_EFFORT: u64 = 8192;

/// Returns the level of an [`Instance::effort`]: the smallest number k for which it is at most [`QUICK_EFFORT`] times
/// 4^k.
pub fn effort_level(effort: u64) -> u32 {
    (0..u64::BITS / 2).find(|level| effort.div_ceil(1 << (2 * level)) <= QUICK_EFFORT).unwrap_or(0)
}

/// A solver's name and its method in one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solver {
    /// The name, as in the option `--solver`.
    pub name: &'static str,
    /// The method, in at most 60 characters.
    pub method: &'static str,
}

/// A kind of instances that a generator makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The name, as in the option `--kind`.
    pub name: &'static str,
    /// A description of the special property of these instances, in at most 80 characters.
    pub about: &'static str,
}

/// The height and width of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.columns)
    }
}

/// How many instances one input file of a problem package holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// Exactly one.
    One,
    /// One or more, until the end of the file.
    UntilEnd,
}

/// The part of an answer that is the same for every correct answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// The goal can be reached within the limit.
    Yes,
    /// The goal cannot be reached within the limit.
    No,
    /// The smallest number of moves that reaches the goal.
    Minimum(u32),
    /// A number of moves that reaches the goal; the solver did not check whether fewer do.
    AtMost(u32),
    /// The goal cannot be reached, or not within the limit if the puzzle has one.
    Impossible,
}

impl Value {
    /// Returns whether both values can be true of the same instance.
    pub fn agrees_with(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::AtMost(_), Value::AtMost(_)) => true,
            (Value::AtMost(upper), Value::Minimum(minimum)) | (Value::Minimum(minimum), Value::AtMost(upper)) => {
                minimum <= upper
            }
            _ => self == other,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Yes => f.write_str("YES"),
            Value::No => f.write_str("NO"),
            Value::Minimum(moves) => write!(f, "{moves}"),
            Value::AtMost(moves) => write!(f, "at most {moves}"),
            Value::Impossible => f.write_str("Impossible"),
        }
    }
}

/// A solver's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The part that is the same for every correct answer.
    pub value: Value,
    /// The answer in the problem's output format, with a line end after every line.
    pub text: String,
    /// Numbers with which [`Instance::verify`] can prove the value; each puzzle's module documents them. `None` if the
    /// solver gives no certificate.
    pub certificate: Option<Vec<i64>>,
}

/// The result of [`Instance::verify`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Whether the moves were replayed and reach the goal. This proves that the value is not too small.
    pub moves_replayed: bool,
    /// Whether the certificate proves that nothing better exists, so that the value is not too large.
    pub bound_proved: bool,
}

/// The error of a solver that does not support an instance. Contains the reason, in words for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Declined(pub String);

/// The error of a generator that cannot make the requested instance. Contains the reason, in words for the user. If the
/// kind is unknown, it also contains the allowed kinds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct GenerateError(pub String);

/// The reason why a checker does not accept an answer.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The answer is wrong.
    #[error("{place}: {reason}")]
    Wrong {
        /// The position in the output.
        place: TextPosition,
        /// The error, and the text that was expected.
        reason: String,
    },
    /// The correct value is known only as a bound, so the answer is neither right nor wrong.
    #[error("{place}: {reason}")]
    Undecided {
        /// The position in the output.
        place: TextPosition,
        /// The bound that is known instead of the exact value.
        reason: String,
    },
    /// The output could not be read.
    #[error(transparent)]
    Unreadable(#[from] std::io::Error),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{coins::Coins, flipgame::Flipgame, solitaire::Solitaire, swapgame::SwapGame};

    const PUZZLES: [&dyn Puzzle; 4] = [&Flipgame, &SwapGame, &Solitaire, &Coins];

    #[test]
    fn whoever_says_how_many_boards_there_are_has_each_of_them_and_none_more() {
        for puzzle in PUZZLES {
            let last = puzzle.instance_count().checked_sub(1).map(|last| puzzle.nth(last).is_some());
            assert_ne!(last, Some(false), "{}", puzzle.name());
            assert!(puzzle.nth(puzzle.instance_count()).is_none(), "{}", puzzle.name());
        }
        // flipgame: 16 pieces of two colours. coins: rows of 2 to 9 coins with both letters, and limits from 0 to 40.
        // The other two puzzles have too many instances to try them all.
        let rows: u64 = (2..=9).map(|coins| (1 << coins) - 2).sum();
        assert_eq!(PUZZLES.map(Puzzle::instance_count), [65_536, 0, 0, rows * 41]);
    }

    #[test]
    fn a_level_ends_at_four_times_the_effort_of_the_level_before() {
        let efforts = [0, 8192, 8193, 32_768, 32_769, 131_072, u64::MAX];
        assert_eq!(efforts.map(effort_level), [0, 0, 1, 1, 2, 2, 26]);
    }

    #[test]
    fn of_all_instances_those_of_a_low_level_come_first() {
        for puzzle in PUZZLES {
            let levels = (0..puzzle.instance_count()).filter_map(|index| puzzle.nth(index));
            assert!(levels.map(|instance| effort_level(instance.effort())).is_sorted(), "{}", puzzle.name());
        }
    }

    #[test]
    fn a_variation_and_the_table_have_the_value_that_the_solver_finds() {
        for puzzle in PUZZLES {
            let solved = |instance: &dyn Instance| instance.solve(puzzle.solvers()[0].name).unwrap().value;
            for (kind, index) in puzzle.kinds().iter().zip(0..) {
                let mut random = Random::new(5, index);
                let instance = puzzle.generate(kind.name, None, &mut random).unwrap();
                let value = solved(instance.as_ref());
                let variation = instance.variation(&mut random);
                let others = [instance.value_in_table(), variation.map(|other| solved(other.as_ref()))];
                assert!(others.iter().flatten().all(|other| *other == value), "{}: {others:?}", instance.print());
            }
        }
    }

    #[test]
    fn a_comparison_of_as_many_boards_as_usual_compares_some() {
        for puzzle in PUZZLES {
            assert!(puzzle.usual_boards() >= 100, "{}", puzzle.name());
        }
    }

    #[test]
    fn values_agree_if_both_can_be_true() {
        let (minimum, most) = (Value::Minimum, Value::AtMost);
        for (one, other, agree) in [
            (Value::Yes, Value::Yes, true),
            (Value::Yes, Value::No, false),
            (minimum(3), minimum(3), true),
            (minimum(3), minimum(4), false),
            (most(3), most(9), true),
            (minimum(3), most(3), true),
            (minimum(4), most(3), false),
            (most(3), Value::Impossible, false),
            (minimum(3), Value::Impossible, false),
        ] {
            assert_eq!((one.agrees_with(&other), other.agrees_with(&one)), (agree, agree), "{one} and {other}");
        }
    }
}
