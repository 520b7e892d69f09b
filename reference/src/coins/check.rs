//! The output checker: replays the rows of an answer with its own implementation of the rule, and verifies
//! certificates.
//!
//! From each row to the next, it tries every way of moving two touching coins to any place nearby, legal or not. Then
//! it checks whether the rule allows the move that leads to the next row. So it can say which part of the rule was
//! broken.

use super::{Board, Coin};
use crate::puzzle::{Answer, CheckError, Evidence, Value};
use crate::text::{TextPosition, Token, Tokens};

/// The proof that a start is impossible.
///
/// D is the sum of the positions of all coins A minus the sum of the positions of all coins B. A move never changes D,
/// because it shifts one A and one B by the same distance. Gaps are even, so the goal row lies an even number of cells
/// away from the start. Shifting the goal row by two cells changes its D by twice (number of A minus number of B). So
/// the start can reach a goal only if the D of the start and the D of the goal are equal modulo `modulus`, or equal if
/// `modulus` is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImpossibilityProof {
    /// D of the start, with positions counted from its first coin.
    pub start: i64,
    /// D of the goal with the coins A on the left.
    pub a_first: i64,
    /// D of the goal with the coins B on the left.
    pub b_first: i64,
    /// Twice the absolute difference between the numbers of A and B.
    pub modulus: i64,
}

/// Checks one answer in a program's output.
pub(super) fn output(board: &Board, tokens: &mut Tokens<'_>, right: &Value) -> Result<(), CheckError> {
    let wanted = match right {
        Value::Impossible => "Impossible".to_owned(),
        other => other.to_string(),
    };
    let first = expect(tokens, &format!("'{wanted}'"))?;
    if first.bytes != wanted.as_bytes() {
        let why = match right {
            Value::Impossible => format!("no sequence of at most {} moves sorts {}", board.limit(), board.row()),
            _ => format!("the fewest moves that sort {} are {wanted}", board.row()),
        };
        return wrong(first.place, format!("found {}, expected '{wanted}': {why}", first.quoted()));
    }
    let Value::Minimum(moves) = right else { return Ok(()) };
    let mut replay = Replay::new(board);
    for number in 0..=*moves {
        let token = expect(tokens, &format!("row {number} of rows 0 to {moves}"))?;
        if let Err(reason) = replay.row(&token.bytes) {
            return wrong(token.place, format!("row {number} of rows 0 to {moves}, {}: {reason}", token.quoted()));
        }
        if number == *moves
            && let Err(reason) = replay.finish()
        {
            return wrong(token.place, format!("row {number} (the last), {}: {reason}", token.quoted()));
        }
    }
    Ok(())
}

fn expect(tokens: &mut Tokens<'_>, wanted: &str) -> Result<Token, CheckError> {
    match tokens.next_token()? {
        Some(token) => Ok(token),
        None => Err(CheckError::Wrong {
            place: tokens.place(),
            reason: format!("found the end of the output, expected {wanted}"),
        }),
    }
}

fn wrong(place: TextPosition, reason: String) -> Result<(), CheckError> {
    Err(CheckError::Wrong { place, reason })
}

/// Verifies a solver's answer as far as possible: its moves, or its certificate. Fails with the reason if it is wrong.
pub(super) fn verify(board: &Board, answer: &Answer) -> Result<Evidence, String> {
    match &answer.value {
        Value::Minimum(moves) => {
            verify_moves(board, *moves, &answer.text)?;
            // Zero moves are always the minimum. For any other number, the only evidence that it is the minimum is that
            // the solvers agree.
            Ok(Evidence { moves_replayed: true, bound_proved: *moves == 0 })
        }
        Value::Impossible if answer.text == "Impossible\n" => {
            if let Some(certificate) = &answer.certificate {
                verify_impossibility(board, certificate)?;
            }
            Ok(Evidence { moves_replayed: false, bound_proved: answer.certificate.is_some() })
        }
        Value::Impossible => {
            Err(format!("the text is {:?}, expected \"Impossible\\n\" for an impossible start", answer.text))
        }
        other => Err(format!("the value is '{other}', expected a number of moves or Impossible")),
    }
}

fn verify_moves(board: &Board, moves: u32, text: &str) -> Result<(), String> {
    if moves > board.limit() {
        return Err(format!("{moves} moves, but the limit is {}", board.limit()));
    }
    let mut lines = text.lines();
    if lines.next() != Some(moves.to_string().as_str()) || !text.ends_with('\n') {
        return Err(format!("the text does not begin with the line '{moves}', or its last line has no line end"));
    }
    let mut replay = Replay::new(board);
    for (number, line) in lines.enumerate() {
        replay.row(line.as_bytes()).map_err(|reason| format!("row {number} '{line}': {reason}"))?;
    }
    if replay.rows != moves + 1 {
        return Err(format!("found {} rows for {moves} moves, expected {}", replay.rows, moves + 1));
    }
    replay.finish()
}

/// Computes the four numbers of the certificate from the letters. Fails if the certificate has other numbers, or if
/// they do not rule out both goals.
fn verify_impossibility(board: &Board, certificate: &[i64]) -> Result<(), String> {
    let row = board.row();
    let a: String = row.chars().filter(|&letter| letter == 'A').collect();
    let b: String = row.chars().filter(|&letter| letter == 'B').collect();
    let modulus = 2 * (a.len() as i64 - b.len() as i64).abs();
    let expected = [signed_sum(&row), signed_sum(&format!("{a}{b}")), signed_sum(&format!("{b}{a}")), modulus];
    if certificate != expected {
        return Err(format!("the certificate {certificate:?} should be {expected:?}"));
    }
    for goal in &expected[1..3] {
        let apart = expected[0] - goal;
        if apart == 0 || modulus != 0 && apart % modulus == 0 {
            return Err(format!("the certificate {certificate:?} does not rule out the goal with D = {goal}"));
        }
    }
    Ok(())
}

/// Returns D of a row: the sum of the positions of all coins A minus the sum of the positions of all coins B.
fn signed_sum(row: &str) -> i64 {
    row.chars().zip(0..).map(|(letter, at)| if letter == 'A' { at } else { -at }).sum()
}

/// Follows an answer row by row.
pub(super) struct Replay<'a> {
    board: &'a Board,
    before: Vec<u8>,
    rows: u32,
    /// The position at which the last row begins minus the position at which the row before it begins, in cells;
    /// positive to the right.
    shift: i64,
}

impl<'a> Replay<'a> {
    pub(super) fn new(board: &'a Board) -> Self {
        Replay { board, before: Vec::new(), rows: 0, shift: 0 }
    }

    /// Adds the next row of the answer. Fails with the reason if this row cannot follow the rows before it.
    pub(super) fn row(&mut self, row: &[u8]) -> Result<(), String> {
        self.well_formed(row)?;
        if self.rows == 0 {
            let start = self.board.row();
            if row != start.as_bytes() {
                return Err(format!("the first row must be the start, {start}"));
            }
        } else {
            self.shift = one_move(&self.before, row)?;
        }
        self.before = row.to_vec();
        self.rows += 1;
        Ok(())
    }

    /// Returns the position at which the last row begins minus the position at which the row before it begins, in
    /// cells. The positions are such that coins that were not moved lie on the same cells in both rows.
    pub(super) fn shift(&self) -> i64 {
        self.shift
    }

    fn well_formed(&self, row: &[u8]) -> Result<(), String> {
        if let Some(at) = row.iter().position(|byte| !matches!(byte, b'A' | b'B' | b'.')) {
            return Err(format!("character {} is neither 'A', 'B' nor '.'", at + 1));
        }
        let count = |letter| row.split(|&byte| byte == letter).count() - 1;
        let a = self.board.coins().iter().filter(|&&coin| coin == Coin::A).count();
        let b = self.board.coins().len() - a;
        if (count(b'A'), count(b'B')) != (a, b) {
            return Err(format!("{} A and {} B, but the start has {a} A and {b} B", count(b'A'), count(b'B')));
        }
        if row.first() == Some(&b'.') || row.last() == Some(&b'.') {
            return Err(
                "the row begins or ends with '.'; print only the cells from the first coin to the last".to_owned()
            );
        }
        // A legal move makes the row at most two cells wider. This bound keeps the work small, whatever the program
        // prints.
        if row.len() > a + b + 2 * self.rows as usize {
            return Err(format!("{} cells wide, but no row after move {} can be so wide", row.len(), self.rows));
        }
        match row.split(|&byte| byte != b'.').find(|gap| gap.len() % 2 == 1) {
            Some(gap) => Err(format!("found a gap of {} cells; legal moves leave only even gaps", gap.len())),
            None => Ok(()),
        }
    }

    /// Fails unless the last row is a goal.
    pub(super) fn finish(&self) -> Result<(), String> {
        if self.before.contains(&b'.') {
            return Err("the last row has gaps, but a goal has none".to_owned());
        }
        let changes = self.before.windows(2).filter(|pair| pair[0] != pair[1]).count();
        if changes == 1 {
            Ok(())
        } else {
            Err("the last row must have all A on one side and all B on the other".to_owned())
        }
    }
}

/// The number of free cells added on both sides of a row while moves are tried.
const MARGIN: usize = 6;

/// Checks that one legal move leads from `before` to `after`. Printed rows do not say where they begin. Returns the
/// position at which `after` begins, in cells to the right of the beginning of `before`; negative to the left. Fails
/// with the reason if no legal move leads there.
fn one_move(before: &[u8], after: &[u8]) -> Result<i64, String> {
    if before == after {
        return Err("the same row as the one before; each row must be one move after the row before it".to_owned());
    }
    let mut table = vec![b'.'; MARGIN];
    table.extend_from_slice(before);
    table.extend_from_slice(&[b'.'; MARGIN]);
    let mut reason = None;
    // Tries pairs that kept their order first: if several moves give the same row, the simpler explanation is reported.
    for turned in [false, true] {
        for from in MARGIN..table.len() - MARGIN {
            if table[from] == b'.' || table[from + 1] == b'.' {
                continue;
            }
            for to in 0..table.len() - 1 {
                let Some((first, _)) = carried(&table, from, to, turned).filter(|(_, row)| row == after) else {
                    continue;
                };
                match broken_rule(&table, from, to, turned) {
                    None => return Ok(first as i64 - MARGIN as i64),
                    Some(rule) => reason = reason.or(Some(rule)),
                }
            }
        }
    }
    Err(reason.map_or_else(
        || "no move of two touching coins leads here from the row before".to_owned(),
        |rule| format!("not a legal move from the row before: {rule}"),
    ))
}

/// Puts the pair at `from` down at `to`, with its coins exchanged if `turned` is true. Returns the position at which
/// the new row begins, and its cells from the first coin to the last. Returns `None` if there is no room.
fn carried(table: &[u8], from: usize, to: usize, turned: bool) -> Option<(usize, Vec<u8>)> {
    let mut table = table.to_vec();
    let mut pair = [table[from], table[from + 1]];
    if turned {
        pair.reverse();
    }
    table[from..from + 2].fill(b'.');
    if table[to..to + 2] != *b".." {
        return None;
    }
    table[to..to + 2].copy_from_slice(&pair);
    let first = table.iter().position(|&cell| cell != b'.')?;
    let last = table.iter().rposition(|&cell| cell != b'.')?;
    Some((first, table[first..=last].to_vec()))
}

/// Returns the part of the rule that is broken if the pair moves from `from` to `to`; `None` if the move is legal.
fn broken_rule(table: &[u8], from: usize, to: usize, turned: bool) -> Option<&'static str> {
    let touched = if to > from { table[from + 2] } else { table[from - 1] };
    if table[from] == table[from + 1] {
        Some("the two coins moved must be different")
    } else if turned {
        Some("the two coins moved must keep their order")
    } else if touched == b'.' {
        Some("a coin must touch the pair on the side to which the pair moves")
    } else if landing(table, from, to > from) == to {
        None
    } else {
        Some("the pair must pass over all the coins that touch it and land right next to them")
    }
}

fn landing(table: &[u8], from: usize, to_the_right: bool) -> usize {
    if to_the_right {
        let mut cell = from + 2;
        while table[cell] != b'.' {
            cell += 1;
        }
        cell
    } else {
        let mut cell = from - 1;
        while table[cell] != b'.' {
            cell -= 1;
        }
        cell - 1
    }
}
