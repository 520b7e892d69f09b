//! Checks a program's YES or NO against the correct answer, and a solver's answer against the rules.
//!
//! The solvers generate moves. This module tests instead whether one move leads from one configuration to another:
//! exactly one piece moves, within its row or column, by one field or by two fields over another piece.

use crate::puzzle::{Answer, CheckError, Evidence, Value};
use crate::text::Tokens;

use super::{MOVES, PIECES, Pair, Path, SIDE};

/// Reads the answer to one test case and checks it.
pub fn check(output: &mut Tokens<'_>, right: &Value) -> Result<(), CheckError> {
    let Some(token) = output.next_token()? else {
        let reason = "found the end of the output, expected YES or NO for another test case".to_owned();
        return Err(CheckError::Wrong { place: output.place(), reason });
    };
    let wrong = |reason| Err(CheckError::Wrong { place: token.place, reason });
    match token.bytes.as_slice() {
        b"YES" | b"NO" if token.bytes == right.to_string().as_bytes() => Ok(()),
        b"YES" | b"NO" => wrong(format!("found {}, the right answer is {right}", token.quoted())),
        other if other.eq_ignore_ascii_case(b"yes") || other.eq_ignore_ascii_case(b"no") => {
            wrong(format!("found {}, expected YES or NO in capital letters", token.quoted()))
        }
        _ => wrong(format!("found {}, expected YES or NO", token.quoted())),
    }
}

/// Verifies what can be proved about `answer` without the solver that gave it. A certificate proves a YES. A NO is
/// proved if a lower bound on the number of moves (see [`lower_bound`]) exceeds eight. Fails if the answer is refuted.
pub fn verify(pair: &Pair, answer: &Answer) -> Result<Evidence, String> {
    if answer.text != format!("{}\n", answer.value) {
        return Err(format!("the text is {:?}, expected the text of the value {}", answer.text, answer.value));
    }
    let (start, goal) = (pair.start.sorted(), pair.goal.sorted());
    match (&answer.value, &answer.certificate) {
        (Value::Yes, Some(certificate)) => {
            replay(start, goal, certificate)?;
            Ok(Evidence { moves_replayed: true, bound_proved: false })
        }
        (Value::Yes, None) if lower_bound(start, goal) > MOVES => Err(format!(
            "the answer is YES, but more than {MOVES} moves are needed to bring the pieces to the rows and columns \
                 of the goal"
        )),
        (Value::Yes, None) => Ok(Evidence::default()),
        (Value::No, Some(_)) => {
            Err("the answer is NO and has a certificate, but only a YES may have a certificate".to_owned())
        }
        (Value::No, None) if start == goal || is_move(start, goal) => {
            Err("the answer is NO, but the goal is the start or one move away from it".to_owned())
        }
        (Value::No, None) => Ok(Evidence { moves_replayed: false, bound_proved: lower_bound(start, goal) > MOVES }),
        (other, _) => Err(format!("the value is {other}, expected YES or NO")),
    }
}

/// Returns a configuration as eight digits `rcrcrcrc` from 1 to 8, the form used in certificates.
pub fn digits(pieces: &[u8; PIECES]) -> i64 {
    let mut sorted = *pieces;
    sorted.sort_unstable();
    sorted.iter().fold(0, |digits, field| digits * 100 + i64::from(field / SIDE + 1) * 10 + i64::from(field % SIDE + 1))
}

/// Returns the sorted fields for eight digits; `None` if they are not a configuration.
pub(super) fn fields(mut digits: i64) -> Option<[u8; PIECES]> {
    let mut pieces = [0; PIECES];
    for piece in &mut pieces {
        let (row, column) = (digits / 10 % 10, digits % 10);
        if !(1..=8).contains(&row) || !(1..=8).contains(&column) {
            return None;
        }
        *piece = ((row - 1) * 8 + column - 1) as u8;
        digits /= 100;
    }
    pieces.sort_unstable();
    (digits == 0 && pieces.windows(2).all(|two| two[0] < two[1])).then_some(pieces)
}

fn replay(start: [u8; PIECES], goal: [u8; PIECES], certificate: &[i64]) -> Result<(), String> {
    let way: Path = certificate
        .iter()
        .map(|&number| {
            fields(number).ok_or_else(|| format!("the number {number} in the certificate is no configuration"))
        })
        .collect::<Result<_, _>>()?;
    if way.first() != Some(&start) || way.last() != Some(&goal) {
        return Err("the certificate does not lead from the start to the goal".to_owned());
    }
    if way.len() - 1 > MOVES as usize {
        return Err(format!("the certificate has {} moves, but at most {MOVES} are allowed", way.len() - 1));
    }
    match way.windows(2).position(|two| !is_move(two[0], two[1])) {
        Some(at) => {
            Err(format!("no legal move leads from {} to {} in the certificate", certificate[at], certificate[at + 1]))
        }
        None => Ok(()),
    }
}

/// Returns whether one legal move leads from `before` to `after`, both sorted.
pub fn is_move(before: [u8; PIECES], after: [u8; PIECES]) -> bool {
    let mut left = before.iter().filter(|field| !after.contains(field));
    let mut entered = after.iter().filter(|field| !before.contains(field));
    let (Some(from), None, Some(to), None) = (left.next(), left.next(), entered.next(), entered.next()) else {
        return false;
    };
    let (rows, columns) = ((from / SIDE).abs_diff(to / SIDE), (from % SIDE).abs_diff(to % SIDE));
    let between = u8::midpoint(*from, *to);
    match (rows, columns) {
        (0, 1) | (1, 0) => true,
        (0, 2) | (2, 0) => before.contains(&between),
        _ => false,
    }
}

/// Returns a lower bound on the number of moves: the fewest moves that correct the rows plus the fewest that correct
/// the columns. A move changes the row of a piece or its column, never both.
pub fn lower_bound(start: [u8; PIECES], goal: [u8; PIECES]) -> u32 {
    line_moves(start.map(|field| field / SIDE), goal.map(|field| field / SIDE))
        + line_moves(start.map(|field| field % SIDE), goal.map(|field| field % SIDE))
}

/// Returns the fewest moves in the one-dimensional puzzle, in which any number of pieces may share a line. Finds them
/// by breadth-first search. A state counts the pieces on each line, with four bits per line.
fn line_moves(from: [u8; PIECES], to: [u8; PIECES]) -> u32 {
    let (from, to) = (counts(from), counts(to));
    let mut level = vec![from];
    let mut seen = level.clone();
    for moves in 0.. {
        if level.contains(&to) {
            return moves;
        }
        let mut next: Vec<u32> = level.iter().flat_map(|&state| line_neighbours(state)).collect();
        next.sort_unstable();
        next.dedup();
        next.retain(|state| !seen.contains(state));
        if next.is_empty() {
            break;
        }
        seen.extend(&next);
        level = next;
    }
    u32::MAX / 2
}

fn counts(lines: [u8; PIECES]) -> u32 {
    lines.iter().map(|line| 1 << (4 * line)).sum()
}

fn line_neighbours(state: u32) -> impl Iterator<Item = u32> {
    let on = move |line: i32| (0..8).contains(&line) && (state >> (4 * line)) & 15 > 0;
    (0..8_i32).filter(move |&line| on(line)).flat_map(move |line| {
        [-2, -1, 1, 2]
            .into_iter()
            .filter(move |by: &i32| (0..8).contains(&(line + by)) && (by.abs() == 1 || on(line + by / 2)))
            .map(move |by| state - (1 << (4 * line)) + (1 << (4 * (line + by))))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Puzzle;
    use crate::solitaire::Solitaire;
    use crate::text::Lines;

    #[test]
    fn the_lower_bound_adds_the_moves_of_rows_and_columns() {
        // Computed by hand. If the pieces are in columns 0, 1, 2, 3 and must reach columns 1, 2, 3, 4, the first piece
        // jumps twice. The same holds for rows.
        assert_eq!(lower_bound([0, 1, 2, 3], [0, 1, 2, 3]), 0);
        assert_eq!(lower_bound([0, 1, 2, 3], [0, 1, 2, 4]), 1);
        assert_eq!(lower_bound([0, 1, 2, 3], [1, 2, 3, 4]), 2);
        assert_eq!(lower_bound([0, 8, 16, 24], [8, 16, 24, 32]), 2);
        // Columns 0 to 3 become columns 0 to 3 again, and one piece moves down two rows without a piece to jump over.
        assert_eq!(lower_bound([0, 1, 2, 3], [1, 2, 3, 16]), 2);
        // The pieces must cross 28 rows and 16 columns, at most two with each move.
        assert!(lower_bound([0, 1, 2, 3], [60, 61, 62, 63]) >= 14 + 8);
    }

    #[test]
    fn eight_digits_of_four_fields_are_a_configuration_and_nothing_else_is() {
        assert_eq!(fields(11_12_13_88), Some([0, 1, 2, 63]));
        for none in [11_12_13_13, 1_11_12_13_88, 11_12_13_89, 11_12_13_08, 12_13_88] {
            assert_eq!(fields(none), None, "{none}");
        }
    }

    #[test]
    fn a_yes_without_a_certificate_is_refuted_where_rows_and_columns_are_too_far_apart() {
        let answered = |text: &str, value: Value| {
            let pair = Solitaire.read(&mut Lines::new(text.as_bytes()), None).unwrap().unwrap();
            pair.verify(&Answer { text: format!("{value}\n"), value, certificate: None })
        };
        let (far, near) = ("1 1 1 2 1 3 1 4\n8 5 8 6 8 7 8 8\n", "1 1 1 2 1 3 1 4\n1 2 1 3 1 4 1 5\n");
        assert!(answered(far, Value::Yes).is_err());
        assert!(answered(far, Value::No).unwrap().bound_proved);
        assert_eq!(answered(near, Value::Yes), Ok(Evidence::default()));
        assert!(!answered(near, Value::No).unwrap().bound_proved);
    }
}
