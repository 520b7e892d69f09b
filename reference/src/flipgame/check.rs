//! Checks answers: a program's output against the correct value, and a solver's answer against the rules. This module
//! implements the rules separately from the solvers: it plays a round by a loop over the pieces. So the checker does
//! not repeat an error in a solver's rules.

use super::board::Board;
use crate::puzzle::{Answer, CheckError, Evidence, Value};
use crate::text::{Token, Tokens};

/// Returns the value as text. An upper bound is printed in words, so that no checker takes it for a minimum.
pub(super) fn text_of(value: &Value) -> String {
    match value {
        Value::AtMost(rounds) => format!("at most {rounds} (the solver did not look for the minimum)\n"),
        value => format!("{value}\n"),
    }
}

/// Reads one token and compares it with the correct value. If that value is only an upper bound, a larger number is
/// wrong, and any other token is undecided.
pub(super) fn check(output: &mut Tokens<'_>, right: &Value) -> Result<(), CheckError> {
    let end = output.place();
    let Some(token) = output.next_token()? else {
        return Err(CheckError::Wrong { place: end, reason: format!("the output ends here, expected {right}") });
    };
    if let Value::AtMost(most) = right
        && rounds_in(&token).is_none_or(|rounds| rounds <= *most)
    {
        let reason = format!("found {}; the fewest rounds are only known to be at most {most}", token.quoted());
        return Err(CheckError::Undecided { place: token.place, reason });
    }
    match reason_against(&token, right) {
        None => Ok(()),
        Some(reason) => Err(CheckError::Wrong { place: token.place, reason }),
    }
}

/// Returns the reason why the token is wrong; `None` if it is right.
fn reason_against(token: &Token, right: &Value) -> Option<String> {
    let found = token.quoted();
    match right {
        Value::Minimum(_) | Value::Impossible if token.bytes == right.to_string().as_bytes() => None,
        Value::AtMost(most) => Some(format!("found {found}, expected the fewest rounds, which are at most {most}")),
        Value::Impossible if rounds_in(token).is_some() => {
            Some(format!("found {found}, expected 'Impossible': no sequence of rounds makes this board one colour"))
        }
        _ if token.bytes.eq_ignore_ascii_case(b"impossible") => {
            Some(format!("found {found}, expected '{right}' (exactly so; case matters)"))
        }
        Value::Minimum(fewest) => Some(match rounds_in(token) {
            Some(rounds) if rounds > *fewest => format!("found {found}, expected '{fewest}': fewer rounds are enough"),
            Some(rounds) if rounds < *fewest => format!("found {found}, expected '{fewest}': that is too few rounds"),
            Some(_) => format!("found {found}, expected '{fewest}', digits without sign or leading zeros"),
            None => format!("found {found}, expected '{fewest}', a number of rounds"),
        }),
        _ => Some(format!("found {found}, expected '{right}'")),
    }
}

fn rounds_in(token: &Token) -> Option<u32> {
    std::str::from_utf8(&token.bytes).ok()?.parse().ok()
}

/// Verifies `answer` as far as its certificate allows. The certificate is a list of cells, numbered row by row from 0:
/// the rounds to play, or for an Impossible board the quiet pattern that [`prove_impossible`] needs.
pub(super) fn verify(board: &Board, answer: &Answer) -> Result<Evidence, String> {
    if answer.text != text_of(&answer.value) {
        return Err(format!("the text is {:?}, expected the text of the value {}", answer.text, answer.value));
    }
    let cells = answer.certificate.as_deref().map(|numbers| cells_of(board, numbers)).transpose()?;
    match (&answer.value, cells) {
        (Value::Minimum(_) | Value::AtMost(_) | Value::Impossible, None) => Ok(Evidence::default()),
        (Value::Minimum(rounds) | Value::AtMost(rounds), Some(cells)) => {
            replay(board, *rounds, &cells)?;
            Ok(Evidence { moves_replayed: true, bound_proved: answer.value == Value::Minimum(0) })
        }
        (Value::Impossible, Some(cells)) => {
            prove_impossible(board, &cells)?;
            Ok(Evidence { moves_replayed: false, bound_proved: true })
        }
        (Value::Yes | Value::No, _) => {
            Err(format!("the value is {}, expected a number of rounds or Impossible", answer.value))
        }
    }
}

pub(super) type Cell = (usize, usize);

pub(super) fn cells_of(board: &Board, numbers: &[i64]) -> Result<Vec<Cell>, String> {
    let mut named = vec![false; board.cells()];
    let mut cells = Vec::new();
    for &number in numbers {
        let Some(named) = usize::try_from(number).ok().and_then(|cell| named.get_mut(cell)) else {
            return Err(format!("the certificate names cell {number} of a board of {} cells", board.cells()));
        };
        if std::mem::replace(named, true) {
            return Err(format!("the certificate names cell {number} twice"));
        }
        cells.push((number as usize / board.size().columns, number as usize % board.size().columns));
    }
    Ok(cells)
}

/// Plays the rounds. Fails unless all pieces have one colour afterwards.
fn replay(board: &Board, rounds: u32, cells: &[Cell]) -> Result<(), String> {
    if cells.len() != rounds as usize {
        return Err(format!("the answer has {rounds} rounds, but its certificate has {}", cells.len()));
    }
    let mut black = pieces(board);
    for &cell in cells {
        play(&mut black, cell);
    }
    let blacks = black.iter().flatten().filter(|&&black| black).count();
    if blacks == 0 || blacks == board.cells() {
        Ok(())
    } else {
        Err(format!("the rounds leave {blacks} of {} pieces black", board.cells()))
    }
}

/// Verifies a quiet pattern that proves a board Impossible.
///
/// A pattern is quiet if every round turns an even number of its pieces. So no round changes whether the number of
/// black pieces in the pattern is even or odd. On the white board this number is 0, and on the black board it is the
/// size of the pattern. If the number is odd on this board, and the size of the pattern is even, neither goal can be
/// reached.
fn prove_impossible(board: &Board, pattern: &[Cell]) -> Result<(), String> {
    let mut turned = vec![vec![0_u32; board.size().columns]; board.size().rows];
    for &(row, column) in pattern {
        for (r, c) in touched(&turned, (row, column)) {
            turned[r][c] += 1;
        }
    }
    if turned.iter().flatten().any(|times| times % 2 == 1) {
        return Err(
            "the certificate proves nothing: a round turns an odd number of the pieces in its pattern".to_owned()
        );
    }
    if pattern.len() % 2 == 1 {
        return Err(
            "the certificate does not exclude the black board: its pattern has an odd number of pieces".to_owned()
        );
    }
    if pattern.iter().filter(|&&(row, column)| board.is_black(row, column)).count() % 2 == 0 {
        return Err("the certificate proves nothing: its pattern holds an even number of black pieces".to_owned());
    }
    Ok(())
}

pub(super) fn pieces(board: &Board) -> Vec<Vec<bool>> {
    let row = |row| (0..board.size().columns).map(|column| board.is_black(row, column)).collect();
    (0..board.size().rows).map(row).collect()
}

/// Plays one round: turns the piece in `cell` and its neighbours above, below, left and right.
pub(super) fn play(black: &mut [Vec<bool>], cell: Cell) {
    for (row, column) in touched(black, cell) {
        black[row][column] = !black[row][column];
    }
}

/// Returns the cells that a round at `cell` turns. The relation is symmetric, so these are also the rounds that turn
/// `cell`.
pub(super) fn touched<T>(field: &[Vec<T>], (row, column): Cell) -> Vec<Cell> {
    let near = |&(r, c): &Cell| row.abs_diff(r) + column.abs_diff(c) <= 1;
    let rows = row.saturating_sub(1)..=(row + 1).min(field.len() - 1);
    rows.flat_map(|r| {
        let columns = column.saturating_sub(1)..=(column + 1).min(field[r].len() - 1);
        columns.map(move |c| (r, c))
    })
    .filter(near)
    .collect()
}
