//! Parses inputs strictly: four rows, at most one blank line, four rows, and as many `1`s in the second board as in the
//! first.

use super::{Board, Input, Pair, SIDE};
use crate::puzzle::Size;
use crate::text::{Illegal, Line, Lines, ReadError, TextPosition};

/// Reads the next pair. Returns `None` at the end of the input. Skips blank lines before the first board.
pub(super) fn read(lines: &mut Lines<'_>, size: Option<Size>) -> Result<Option<Input>, ReadError> {
    if let Some(size) = size.filter(|size| size.rows != SIDE || size.columns != SIDE) {
        let allowed = "4x4, the only size swapgame has";
        return Err(Illegal { found: format!("the board size {size}"), ..lines.at_end(allowed) }.into());
    }
    let Some(first) = lines.next_nonempty_line()? else {
        return Ok(None);
    };
    let start = board(lines, &first, "first")?;
    let mut second = lines.expect_line("a blank line or row 1 of the second board")?;
    let blank_line = second.bytes.is_empty();
    if blank_line {
        second = lines.expect_line("row 1 of the second board")?;
    }
    let goal = board(lines, &second, "second")?;
    let pair = Pair::new(start, goal).ok_or_else(|| unequal(start, first.place(0), goal, second.place(0)))?;
    Ok(Some(Input { pair, blank_line }))
}

/// Reads the board whose first row is `first`; Messages call the board `which`, for example "first".
fn board(lines: &mut Lines<'_>, first: &Line, which: &str) -> Result<Board, ReadError> {
    let mut ones = row(first, 1, which)?;
    for number in 2..=SIDE {
        let line = lines.expect_line(&format!("row {number} of the {which} board"))?;
        ones |= row(&line, number, which)? << (SIDE * (number - 1));
    }
    Ok(Board(ones))
}

/// Returns the four bits of one row.
fn row(line: &Line, number: usize, which: &str) -> Result<u16, Illegal> {
    let mut ones = 0;
    for column in 0..SIDE {
        match line.bytes.get(column) {
            Some(b'0') => {}
            Some(b'1') => ones |= 1 << column,
            _ => {
                return Err(
                    line.illegal(column, format!("'0' or '1' (row {number} of the {which} board has 4 of them)"))
                );
            }
        }
    }
    if line.bytes.len() > SIDE {
        return Err(line.illegal(SIDE, format!("the end of the line (row {number} of the {which} board)")));
    }
    Ok(ones)
}

/// Returns the error for two boards with different numbers of `1`s.
fn unequal(start: Board, start_place: TextPosition, goal: Board, goal_place: TextPosition) -> Illegal {
    let (first, second) = (start.ones(), goal.ones());
    Illegal {
        place: goal_place,
        found: format!("a second board with {second} {} '1'", if second == 1 { "cell" } else { "cells" }),
        allowed: format!("{first}, as many as the first board at line {} has", start_place.line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Instance;

    fn read_text(text: &str) -> Result<Option<Input>, ReadError> {
        read(&mut Lines::new(text.as_bytes()), None)
    }

    fn message(text: &str) -> String {
        read_text(text).unwrap_err().to_string()
    }

    #[test]
    fn rows_fill_the_board_from_the_top_left() {
        let input = read_text("1000\n0000\n0000\n0001\n\n0110\n0000\n0000\n0000\n").unwrap().unwrap();
        assert_eq!((input.pair.start(), input.pair.goal()), (Board(0x8001), Board(0x0006)));
        assert!(input.blank_line);
    }

    #[test]
    fn the_blank_line_is_optional_and_kept_in_print() {
        for text in
            ["1000\n0000\n0000\n0001\n0110\n0000\n0000\n0000\n", "1111\n0000\n1100\n0000\n\n1111\n0000\n0000\n0011\n"]
        {
            assert_eq!(read_text(text).unwrap().unwrap().print(), text);
        }
    }

    #[test]
    fn several_pairs_follow_one_another_until_the_end() {
        let text =
            "0001\n0000\n0000\n0000\n1000\n0000\n0000\n0000\n\n\n0000\n0000\n0000\n0000\n\n0000\n0000\n0000\n0000";
        let mut lines = Lines::new(text.as_bytes());
        assert_eq!(read(&mut lines, None).unwrap().unwrap().pair.start(), Board(8));
        assert_eq!(read(&mut lines, None).unwrap().unwrap().pair.start(), Board(0));
        assert!(read(&mut lines, None).unwrap().is_none());
    }

    #[test]
    fn an_empty_input_holds_no_pair() {
        assert!(read_text("").unwrap().is_none());
        assert!(read_text("\n\n").unwrap().is_none());
    }

    #[test]
    fn a_second_blank_line_between_the_boards_is_refused() {
        assert_eq!(
            message("0000\n0000\n0000\n0000\n\n\n0000\n0000\n0000\n0000\n"),
            "line 6, column 1: found the end of the line, allowed: '0' or '1' (row 1 of the second board has 4 of them)"
        );
    }

    #[test]
    fn unequal_counts_are_refused_with_both_counts_and_the_place_of_the_second_board() {
        assert_eq!(
            message("1000\n0000\n0000\n0001\n\n0100\n0000\n0000\n0000\n"),
            "line 6, column 1: found a second board with 1 cell '1', allowed: 2, as many as the first board at line 1 has"
        );
    }

    #[test]
    fn rubbish_is_refused_where_it_stands() {
        for (text, start) in [
            ("0100\n0200\n", "line 2, column 2: found '2', allowed: '0' or '1' (row 2 of the first board"),
            ("010\n", "line 1, column 4: found the end of the line, allowed: '0' or '1' (row 1"),
            ("01000\n", "line 1, column 5: found '0', allowed: the end of the line"),
            ("0100\r\n", "line 1, column 5: found a carriage return (0x0D, a Windows line end), allowed: the end"),
            ("0100 \n", "line 1, column 5: found a blank, allowed: the end of the line"),
            (" 0100\n", "line 1, column 1: found a blank, allowed: '0' or '1'"),
            ("0 1 0 0\n", "line 1, column 2: found a blank"),
            ("0100\n\n0100\n", "line 2, column 1: found the end of the line, allowed: '0' or '1' (row 2"),
            ("0100\n0000\n0000\n", "line 4, column 1: found the end of the input, allowed: row 4 of the first board"),
            (
                "0100\n0000\n0000\n0000\n",
                "line 5, column 1: found the end of the input, allowed: a blank line or row 1",
            ),
            (
                "0100\n0000\n0000\n0000\n\n",
                "line 6, column 1: found the end of the input, allowed: row 1 of the second",
            ),
            (
                "0100\n0000\n0000\n0000\n \n",
                "line 5, column 1: found a blank, allowed: '0' or '1' (row 1 of the second",
            ),
            ("0100\n0000\n0000\n0000\n0100\n0000\n0000\n000", "line 8, column 4: found the end of the line"),
        ] {
            assert!(message(text).starts_with(start), "{text:?}: {}", message(text));
        }
    }

    #[test]
    fn any_other_size_is_refused() {
        let size = Some(Size { rows: 4, columns: 5 });
        let error = read(&mut Lines::new(&b"0000\n"[..]), size).unwrap_err().to_string();
        assert_eq!(error, "line 1, column 1: found the board size 4x5, allowed: 4x4, the only size swapgame has");
        assert!(read(&mut Lines::new(&b""[..]), Some(Size { rows: 4, columns: 4 })).unwrap().is_none());
    }
}
