//! Parses the input: a row of 2 to 9 letters, and a number from 0 to 40 on the next line.
//!
//! The parser accepts no blanks, signs, leading zeros or carriage returns, because submissions read them in different
//! ways. The caller handles the lines after these two.

use super::{Board, Coin, LARGEST_LIMIT_READ, MOST_COINS_READ};
use crate::puzzle::Size;
use crate::text::{Illegal, Line, Lines, ReadError, TextPosition};

const ROW: &str = "a row of 2 to 9 coins 'A' and 'B', both letters present";
const LIMIT: &str = "the move limit, a number from 0 to 40 without sign, blanks or leading zeros";

/// Reads the next board. Returns `None` at the end of the input. Fails if the input is illegal.
pub(super) fn board(lines: &mut Lines<'_>, size: Option<Size>) -> Result<Option<Board>, ReadError> {
    if let Some(size) = size {
        let place = TextPosition { line: 1, column: 1 };
        let allowed = "no size, because the input gives the length of the row".to_owned();
        return Err(Illegal { place, found: format!("the size {size}"), allowed }.into());
    }
    let Some(line) = lines.next_nonempty_line()? else { return Ok(None) };
    let coins = row(&line)?;
    let line = lines.expect_line(LIMIT)?;
    let limit = limit(&line)?;
    let refused = || line.illegal(0, LIMIT);
    Ok(Some(Board::new(coins, limit).ok_or_else(refused)?))
}

fn row(line: &Line) -> Result<Vec<Coin>, Illegal> {
    let mut coins = Vec::new();
    for (at, byte) in line.bytes.iter().enumerate() {
        if at == MOST_COINS_READ && matches!(byte, b'A' | b'B') {
            return Err(line.illegal(at, "the line's end after at most 9 coins"));
        }
        coins.push(match byte {
            b'A' => Coin::A,
            b'B' => Coin::B,
            _ => return Err(line.illegal(at, ROW)),
        });
    }
    match coins.first() {
        Some(&first) if !coins.contains(&first.other()) => Err(line.illegal(coins.len(), missing(first.other()))),
        _ => Ok(coins),
    }
}

fn missing(coin: Coin) -> String {
    format!("{ROW}; there is no '{}' yet", coin.letter())
}

fn limit(line: &Line) -> Result<u32, Illegal> {
    if let Some(at) = line.bytes.iter().position(|byte| !byte.is_ascii_digit()) {
        return Err(line.illegal(at, LIMIT));
    }
    // Three digits are enough to reject a number as too large. If all digits were taken, the message could quote a very
    // long line.
    let digits: String = line.bytes.iter().take(3).map(|&byte| char::from(byte)).collect();
    match digits.parse::<u32>() {
        Ok(limit) if limit <= LARGEST_LIMIT_READ && digits == limit.to_string() => Ok(limit),
        Ok(_) if digits.len() < line.bytes.len() => Err(refused_number(line, format!("{digits}..."))),
        Ok(_) => Err(refused_number(line, digits)),
        Err(_) => Err(line.illegal(0, LIMIT)),
    }
}

fn refused_number(line: &Line, found: String) -> Illegal {
    Illegal { found, ..line.illegal(0, LIMIT) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Option<Board>, String> {
        board(&mut Lines::new(text.as_bytes()), None).map_err(|error| error.to_string())
    }

    #[test]
    fn a_row_and_a_limit_are_read_back_as_they_are_printed() {
        let text = "ABBA\n40\n";
        assert_eq!(read(text).unwrap().unwrap().to_string(), text);
        assert_eq!(read("\n\nBA\n0").unwrap().unwrap().to_string(), "BA\n0\n");
    }

    #[test]
    fn an_input_without_lines_is_no_board() {
        assert_eq!(read(""), Ok(None));
        assert_eq!(read("\n\n"), Ok(None));
    }

    #[test]
    fn illegal_inputs_are_refused_at_their_place() {
        let cases = [
            ("AxB\n1\n", "line 1, column 2: found 'x'"),
            ("AB\r\n1\n", "line 1, column 3: found a carriage return"),
            ("A.B\n1\n", "line 1, column 2: found '.'"),
            ("AB \n1\n", "line 1, column 3: found a blank"),
            ("AAA\n1\n", "line 1, column 4: found the end of the line"),
            ("A\n1\n", "line 1, column 2: found the end of the line"),
            ("ABABABABAB\n1\n", "line 1, column 10: found 'B'"),
            ("AB\n", "line 2, column 1: found the end of the input"),
            ("AB\n\n1\n", "line 2, column 1: found the end of the line"),
            ("AB\n41\n", "line 2, column 1: found 41"),
            ("AB\n100\n", "line 2, column 1: found 100"),
            ("AB\n07\n", "line 2, column 1: found 07"),
            ("AB\n00\n", "line 2, column 1: found 00"),
            ("AB\n+7\n", "line 2, column 1: found '+'"),
            ("AB\n-1\n", "line 2, column 1: found '-'"),
            ("AB\n7 \n", "line 2, column 2: found a blank"),
            ("AB\n7\r\n", "line 2, column 2: found a carriage return"),
            ("AB\n99999999999999999999\n", "line 2, column 1: found 999..."),
        ];
        for (text, expected) in cases {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(expected), "{text:?}: {error}");
        }
    }

    #[test]
    fn a_size_is_refused() {
        let mut lines = Lines::new(&b"AB\n1\n"[..]);
        assert!(board(&mut lines, Some(Size { rows: 1, columns: 2 })).is_err());
    }
}
