//! Parses a board strictly: m lines of exactly n characters `w` or `b`.

use super::board::{Board, PACKAGE_SIZE};
use crate::puzzle::Size;
use crate::text::{Illegal, Line, Lines, ReadError, TextPosition};

/// Reads the next board. Returns `None` at the end of the input. Skips blank lines before the board.
pub(super) fn read(lines: &mut Lines<'_>, size: Option<Size>) -> Result<Option<Board>, ReadError> {
    let size = size.unwrap_or(PACKAGE_SIZE);
    let mut board = Board::white(size).map_err(|allowed| no_such_size(size, allowed))?;
    let Some(first) = lines.next_nonempty_line()? else { return Ok(None) };
    board.set_row(0, pieces(&first, size.columns)?);
    for row in 1..size.rows {
        let allowed = format!("row {} of {}, {} characters 'w' or 'b'", row + 1, size.rows, size.columns);
        let line = lines.expect_line(&allowed)?;
        board.set_row(row, pieces(&line, size.columns)?);
    }
    Ok(Some(board))
}

/// Returns the black pieces of one row.
fn pieces(line: &Line, columns: usize) -> Result<u64, Illegal> {
    let mut blacks = 0;
    for column in 0..columns {
        match line.bytes.get(column) {
            Some(b'w') => {}
            Some(b'b') => blacks |= 1 << column,
            _ => return Err(line.illegal(column, format!("'w' or 'b' ({columns} in a row)"))),
        }
    }
    if line.bytes.len() > columns {
        return Err(line.illegal(columns, format!("the end of the line after {columns} pieces")));
    }
    Ok(blacks)
}

fn no_such_size(size: Size, allowed: String) -> Illegal {
    Illegal { place: TextPosition { line: 1, column: 1 }, found: format!("the board size {size}"), allowed }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str, size: Option<Size>) -> Result<Option<Board>, String> {
        read(&mut Lines::new(text.as_bytes()), size).map_err(|error| error.to_string())
    }

    #[test]
    fn a_legal_board_is_read_cell_by_cell() {
        let board = read_text("bwww\nwwwb\nwwww\nwbww\n", None).unwrap().unwrap();
        assert_eq!(board.rows(), [0b0001, 0b1000, 0, 0b0010]);
        assert_eq!(board.as_packed(), Some(0x2081));
    }

    #[test]
    fn blank_lines_before_a_board_are_skipped_and_the_last_line_feed_may_be_missing() {
        assert_eq!(read_text("\n\nwwww\nwwww\nwwww\nwwwb", None).unwrap(), Some(Board::packed(0x8000)));
    }

    #[test]
    fn an_empty_input_holds_no_board() {
        assert_eq!(read_text("", None).unwrap(), None);
        assert_eq!(read_text("\n\n", None).unwrap(), None);
    }

    #[test]
    fn a_board_is_followed_by_what_the_caller_may_read_next() {
        let mut lines = Lines::new(&b"wwww\nwwww\nwwww\nwwww\nbbbb\nwwww\nwwww\nwwww\n"[..]);
        assert_eq!(read(&mut lines, None).unwrap(), Some(Board::packed(0)));
        assert_eq!(read(&mut lines, None).unwrap(), Some(Board::packed(15)));
        assert_eq!(read(&mut lines, None).unwrap(), None);
    }

    #[test]
    fn boards_of_other_sizes_are_read_when_asked_for() {
        let size = Size { rows: 2, columns: 5 };
        let board = read_text("wwwwb\nbwwww\n", Some(size)).unwrap().unwrap();
        assert_eq!((board.rows(), board.size()), (&[16, 1][..], size));
    }

    #[test]
    fn every_illegal_text_is_refused_with_its_place() {
        let refused = [
            ("wwww\nwwxw\n", "line 2, column 3: found 'x', allowed: 'w' or 'b' (4 in a row)"),
            ("wwww\nwwBw\n", "line 2, column 3: found 'B', allowed: 'w' or 'b' (4 in a row)"),
            ("wwww\nwww\n", "line 2, column 4: found the end of the line, allowed: 'w' or 'b' (4 in a row)"),
            ("wwww\n\nwwww\n", "line 2, column 1: found the end of the line, allowed: 'w' or 'b' (4 in a row)"),
            ("wwwww\n", "line 1, column 5: found 'w', allowed: the end of the line after 4 pieces"),
            ("wwww \n", "line 1, column 5: found a blank, allowed: the end of the line after 4 pieces"),
            (
                "wwww\r\n",
                "line 1, column 5: found a carriage return (0x0D, a Windows line end), \
                 allowed: the end of the line after 4 pieces",
            ),
            (
                "wwww\nwwww\nwwww\n",
                "line 4, column 1: found the end of the input, allowed: row 4 of 4, 4 characters 'w' or 'b'",
            ),
        ];
        for (text, message) in refused {
            assert_eq!(read_text(text, None).unwrap_err(), message, "{text:?}");
        }
    }

    #[test]
    fn sizes_beyond_64_and_empty_sizes_are_refused() {
        for (rows, columns) in [(0, 4), (4, 0), (65, 4), (4, 65)] {
            let error = read_text("wwww\n", Some(Size { rows, columns })).unwrap_err();
            assert!(error.contains("1 to 64 rows and 1 to 64 columns"), "{error}");
        }
    }
}
