//! Parses a test case strictly: two lines, each with eight digits from 1 to 8, one blank between two digits, and
//! nothing else.

use crate::text::{Illegal, Line, Lines, ReadError};

use super::{Configuration, Field, PIECES, Pair};

const FIRST: &str = "the first configuration: eight numbers from 1 to 8, one blank between them";
const SECOND: &str = "the second configuration of the test case: eight numbers from 1 to 8, one blank between them";

/// Reads the next test case. Returns `None` at the end of the input. Skips blank lines before the test case.
pub(super) fn pair(lines: &mut Lines<'_>) -> Result<Option<Pair>, ReadError> {
    let Some(first) = lines.next_nonempty_line()? else {
        return Ok(None);
    };
    let start = configuration(&first, FIRST)?;
    let second = lines.expect_line(SECOND)?;
    if second.bytes.is_empty() {
        return Err(second.illegal(0, SECOND).into());
    }
    let goal = configuration(&second, SECOND)?;
    Ok(Some(Pair { start, goal }))
}

fn configuration(line: &Line, whole: &str) -> Result<Configuration, Illegal> {
    let mut coordinates = [0_i8; 2 * PIECES];
    for (which, coordinate) in coordinates.iter_mut().enumerate() {
        if which > 0 {
            blank(line, 2 * which - 1, which, whole)?;
        }
        *coordinate = digit(line, 2 * which)?;
    }
    let end = 4 * PIECES - 1;
    if line.bytes.len() > end {
        return Err(line.illegal(end, "the end of the line after eight numbers"));
    }
    distinct(line, coordinates)
}

fn digit(line: &Line, index: usize) -> Result<i8, Illegal> {
    match line.bytes.get(index) {
        Some(byte @ b'1'..=b'8') => Ok((byte - b'1') as i8),
        _ => Err(line.illegal(index, "a number from 1 to 8")),
    }
}

fn blank(line: &Line, index: usize, numbers: usize, whole: &str) -> Result<(), Illegal> {
    match line.bytes.get(index) {
        Some(b' ') => Ok(()),
        // The line ends early. The message says how many numbers are missing. It does not say that a blank is missing.
        None => Err(line.illegal(index, missing(2 * PIECES - numbers, whole))),
        Some(_) => Err(line.illegal(index, "one blank after a number from 1 to 8")),
    }
}

fn missing(numbers: usize, whole: &str) -> String {
    format!("{numbers} more {} of {whole}", if numbers == 1 { "number" } else { "numbers" })
}

fn distinct(line: &Line, coordinates: [i8; 2 * PIECES]) -> Result<Configuration, Illegal> {
    let mut fields: Vec<Field> = Vec::with_capacity(PIECES);
    for (piece, at) in coordinates.chunks_exact(2).enumerate() {
        match Field::at(at[0], at[1]) {
            Some(field) if !fields.contains(&field) => fields.push(field),
            _ => return Err(repeated(line, piece, at)),
        }
    }
    let fields: Result<[Field; PIECES], _> = fields.try_into();
    fields.ok().and_then(Configuration::new).ok_or_else(|| line.illegal(0, "four different fields"))
}

fn repeated(line: &Line, piece: usize, at: &[i8]) -> Illegal {
    Illegal {
        place: line.place(4 * piece),
        found: format!("the field {} {} a second time", at[0] + 1, at[1] + 1),
        allowed: "four different fields".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        pair(&mut Lines::new(text.as_bytes())).unwrap_err().to_string()
    }

    const SAMPLE: &str = "4 4 4 5 5 4 6 5\n2 4 3 3 3 6 4 6\n";

    #[test]
    fn the_sample_of_the_statement_is_read_field_by_field() {
        let read = pair(&mut Lines::new(SAMPLE.as_bytes())).unwrap().unwrap();
        assert_eq!(read.start.fields().map(Field::number), [27, 28, 35, 44]);
        assert_eq!(read.goal.fields().map(Field::number), [11, 18, 21, 29]);
        assert_eq!(read.to_string(), SAMPLE);
    }

    #[test]
    fn cases_follow_one_another_with_or_without_blank_lines_up_to_the_end() {
        let text = format!("\n{SAMPLE}\n\n{SAMPLE}{}", SAMPLE.trim_end());
        let mut lines = Lines::new(text.as_bytes());
        for _ in 0..3 {
            assert!(pair(&mut lines).unwrap().is_some());
        }
        assert!(pair(&mut lines).unwrap().is_none());
    }

    #[test]
    fn an_empty_input_holds_no_case() {
        assert!(pair(&mut Lines::new(&b""[..])).unwrap().is_none());
        assert!(pair(&mut Lines::new(&b"\n\n"[..])).unwrap().is_none());
    }

    #[test]
    fn half_a_case_is_refused_behind_its_first_line() {
        assert_eq!(
            error("4 4 4 5 5 4 6 5\n"),
            format!("line 2, column 1: found the end of the input, allowed: {SECOND}")
        );
        assert_eq!(
            error("4 4 4 5 5 4 6 5\n\n2 4 3 3 3 6 4 6\n"),
            format!("line 2, column 1: found the end of the line, allowed: {SECOND}")
        );
    }

    #[test]
    fn a_number_out_of_range_is_refused_where_it_stands() {
        for (text, place, found) in [
            ("4 4 4 9 5 4 6 5\n", "line 1, column 7", "'9'"),
            ("0 4 4 5 5 4 6 5\n", "line 1, column 1", "'0'"),
            ("4 4 4 5 5 4 6 -1\n", "line 1, column 15", "'-'"),
            ("4 4 x 5 5 4 6 1\n", "line 1, column 5", "'x'"),
        ] {
            assert_eq!(error(text), format!("{place}: found {found}, allowed: a number from 1 to 8"));
        }
        assert_eq!(
            error("4 12 4 5 5 4 6 5\n"),
            "line 1, column 4: found '2', allowed: one blank after a number from 1 to 8"
        );
    }

    #[test]
    fn a_missing_or_an_extra_number_is_refused() {
        assert_eq!(
            error("4 4 4 5 5 4 6\n"),
            format!("line 1, column 14: found the end of the line, allowed: 1 more number of {FIRST}")
        );
        assert_eq!(
            error("4 4 4 5 5 4 6 5 1\n"),
            "line 1, column 16: found a blank, allowed: the end of the line after eight numbers"
        );
        assert_eq!(
            error("4 4 4 5 5 4 6 \n"),
            "line 1, column 15: found the end of the line, allowed: a number from 1 to 8"
        );
    }

    #[test]
    fn a_field_named_twice_is_refused_at_its_second_mention() {
        assert_eq!(
            error("4 4 4 5 4 4 6 5\n"),
            "line 1, column 9: found the field 4 4 a second time, allowed: four different fields"
        );
        assert!(error("4 4 4 5 5 4 6 5\n1 1 2 2 3 3 2 2\n").starts_with("line 2, column 13: found the field 2 2"));
    }

    #[test]
    fn double_blanks_tabs_leading_blanks_and_carriage_returns_are_refused() {
        assert!(error("4  4 4 5 5 4 6 5\n").starts_with("line 1, column 3: found a blank"));
        assert!(error("4\t4 4 5 5 4 6 5\n").starts_with("line 1, column 2: found a tab"));
        assert!(error(" 4 4 4 5 5 4 6 5\n").starts_with("line 1, column 1: found a blank"));
        assert!(error("4 4 4 5 5 4 6 5\r\n").starts_with("line 1, column 16: found a carriage return (0x0D"));
    }
}
