//! The answer checker, with rules and a board type of its own, which has rows of characters instead of bits.
//!
//! A pair has up to 2.3 * 10^14 shortest paths, so the checker replays the moves of an answer instead of comparing them
//! with other moves. Each move must exchange two adjacent cells of different colours. The number of moves must be the
//! announced one and the minimum, and the last move must lead to the goal.

use crate::puzzle::{Answer, CheckError, Evidence, Value};
use crate::text::{TextPosition, Token, Tokens};

use super::{Board, CELLS, Pair, SIDE};

/// Reads one answer from `output` and checks it. `right` is the smallest number of steps.
pub fn check(pair: Pair, output: &mut Tokens<'_>, right: &Value) -> Result<(), CheckError> {
    let token = expect(output, "the number of steps")?;
    let announced = number(&token)?;
    let Value::Minimum(minimum) = *right else {
        return wrong(
            token.place,
            format!(
                "the reference answer is {right}, expected the smallest number of steps: a legal pair of boards always \
                 has a solution"
            ),
        );
    };
    if announced > u64::from(minimum) {
        return wrong(token.place, format!("the answer announces {}, but {minimum} are enough", steps(announced)));
    }
    let replayed = replay(pair, announced, output);
    if announced == u64::from(minimum) {
        return replayed;
    }
    match replayed {
        Err(error @ (CheckError::Unreadable(_) | CheckError::Undecided { .. })) => Err(error),
        Err(CheckError::Wrong { reason, .. }) => wrong(
            token.place,
            format!(
                "the answer announces {}, but at least {minimum} are needed (the replay found: {reason})",
                steps(announced)
            ),
        ),
        Ok(()) => wrong(
            token.place,
            format!("{announced} steps lead to the goal, so the reference answer {minimum} is not the minimum"),
        ),
    }
}

/// Replays the moves of `answer`, and verifies its certificate if it has one: 16 heights, row by row, that prove the
/// number of steps.
///
/// Suppose that the heights of adjacent cells differ by at most one. Then one step, which moves one `1` to an adjacent
/// cell, raises the sum of the heights under all `1`s by at most one. So the number of steps is at least the sum over
/// the goal minus the sum over the start.
pub fn verify(pair: Pair, answer: &Answer) -> Result<Evidence, String> {
    let Value::Minimum(minimum) = answer.value else {
        return Err(format!(
            "the answer is {}, expected the smallest number of steps: boards with equally many '1's always have a \
             solution",
            answer.value
        ));
    };
    let mut output = Tokens::new(answer.text.as_bytes());
    check(pair, &mut output, &answer.value).map_err(|error| error.to_string())?;
    if let Some(token) = output.next_token().map_err(|error| error.to_string())? {
        return Err(format!(
            "{}: found {} after the last step, expected the end of the output",
            token.place,
            token.quoted()
        ));
    }
    if let Some(heights) = &answer.certificate {
        prove(pair, heights, minimum)?;
    }
    Ok(Evidence { moves_replayed: true, bound_proved: answer.certificate.is_some() })
}

/// Checks that `heights` prove that fewer than `minimum` steps are not enough.
fn prove(pair: Pair, heights: &[i64], minimum: u32) -> Result<(), String> {
    if heights.len() != CELLS {
        return Err(format!("the certificate has {} heights, the board has {CELLS} cells", heights.len()));
    }
    let height = |row: usize, column: usize| heights[SIDE * row + column];
    for (row, column) in (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (row, column))) {
        let below = row + 1 < SIDE && height(row, column).abs_diff(height(row + 1, column)) > 1;
        let right = column + 1 < SIDE && height(row, column).abs_diff(height(row, column + 1)) > 1;
        if below || right {
            let cell = cell_name(row, column);
            return Err(format!("the certificate's height at cell {cell} differs by more than one from a neighbour's"));
        }
    }
    let sum = |board: Board| -> i128 {
        heights
            .iter()
            .enumerate()
            .filter(|(cell, _)| board.0 >> cell & 1 == 1)
            .map(|(_, &height)| i128::from(height))
            .sum()
    };
    let bound = sum(pair.goal()) - sum(pair.start());
    if bound == i128::from(minimum) {
        return Ok(());
    }
    Err(format!("the certificate proves a lower bound of {bound}, not {minimum}"))
}

/// Reads `count` moves and plays them on the start. Fails unless they lead to the goal.
fn replay(pair: Pair, count: u64, output: &mut Tokens<'_>) -> Result<(), CheckError> {
    let mut board = rows(pair.start());
    for step in 1..=count {
        let token = expect(output, &format!("step {step} of {count}"))?;
        let [first, second] = parse_move(&token, step)?;
        play(&mut board, first, second)
            .or_else(|reason| wrong(token.place, format!("step {step} ({}): {reason}", token.quoted())))?;
    }
    let goal = rows(pair.goal());
    let off = (0..CELLS)
        .map(|cell| (cell / SIDE, cell % SIDE))
        .find(|&(row, column)| board[row][column] != goal[row][column]);
    let Some((row, column)) = off else {
        return Ok(());
    };
    let (is, should) = (board[row][column], goal[row][column]);
    let cell = cell_name(row, column);
    wrong(output.place(), format!("after {} cell {cell} is '{is}', but '{should}' on the second board", steps(count)))
}

pub(super) type Rows = [[char; SIDE]; SIDE];
pub(super) type Cell = (usize, usize);

pub(super) fn rows(board: Board) -> Rows {
    let mut rows = [['0'; SIDE]; SIDE];
    for (line, row) in board.to_string().lines().zip(&mut rows) {
        for (character, cell) in line.chars().zip(row) {
            *cell = character;
        }
    }
    rows
}

/// Plays one move. Fails with the reason if it is not allowed.
pub(super) fn play(board: &mut Rows, first: Cell, second: Cell) -> Result<(), String> {
    let (one, other) = (board[first.0][first.1], board[second.0][second.1]);
    let distance = first.0.abs_diff(second.0) + first.1.abs_diff(second.1);
    let (from, to) = (cell_name(first.0, first.1), cell_name(second.0, second.1));
    if distance != 1 {
        return Err(format!("cells {from} and {to} are not neighbours in a row or column"));
    }
    if one == other {
        return Err(format!("cells {from} and {to} are both '{one}'; a step must exchange a '0' and a '1'"));
    }
    board[first.0][first.1] = other;
    board[second.0][second.1] = one;
    Ok(())
}

/// Returns a cell as answers write it: row and column from 1.
fn cell_name(row: usize, column: usize) -> String {
    format!("{}{}", row + 1, column + 1)
}

fn expect(output: &mut Tokens<'_>, what: &str) -> Result<Token, CheckError> {
    let token = output.next_token()?;
    token.map_or_else(|| wrong(output.place(), format!("the output ends here, expected {what}")), Ok)
}

/// Returns the announced number of steps. It must be written as in the statement: digits, without a sign and without
/// leading zeros. A number that does not fit into 64 bits becomes `u64::MAX`.
pub(super) fn number(token: &Token) -> Result<u64, CheckError> {
    let digits = !token.bytes.is_empty() && token.bytes.iter().all(u8::is_ascii_digit);
    let padded = token.bytes.len() > 1 && token.bytes.starts_with(b"0");
    if !digits || padded {
        return wrong(
            token.place,
            format!("found {}, expected the number of steps, digits without sign or leading zeros", token.quoted()),
        );
    }
    let value =
        token.bytes.iter().fold(0_u64, |value, digit| value.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
    Ok(value)
}

/// Returns the two cells of a move.
pub(super) fn parse_move(token: &Token, step: u64) -> Result<[Cell; 2], CheckError> {
    let coordinate = |digit: u8| (b'1'..=b'4').contains(&digit).then(|| usize::from(digit - b'1'));
    let coordinates: Option<Vec<usize>> = token.bytes.iter().map(|&digit| coordinate(digit)).collect();
    match coordinates.as_deref() {
        Some(&[row, column, other_row, other_column]) => Ok([(row, column), (other_row, other_column)]),
        _ => wrong(
            token.place,
            format!(
                "found {}, expected step {step} as four digits from 1 to 4: row, column, row, column",
                token.quoted()
            ),
        ),
    }
}

fn steps(count: u64) -> String {
    format!("{count} {}", if count == 1 { "step" } else { "steps" })
}

fn wrong<T>(place: TextPosition, reason: String) -> Result<T, CheckError> {
    Err(CheckError::Wrong { place, reason })
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
