//! A CSV file whose cells can be replaced, while every other byte stays as it was: the order of rows and columns, the
//! delimiter, the quotes, the line ends and the encoding.

use std::collections::BTreeMap;
use std::ops::Range;

use csv_core::{ReadFieldResult, ReaderBuilder};

use super::encoding::Encoding;

/// The delimiters of the platforms and of spreadsheets.
const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A parsed file, and the replacements of its cells.
#[derive(Debug)]
pub(super) struct Worksheet {
    bytes: Vec<u8>,
    encoding: Encoding,
    delimiter: u8,
    rows: Vec<Vec<Cell>>,
    /// The new texts, by row and column.
    replaced: BTreeMap<(usize, usize), String>,
}

#[derive(Debug)]
struct Cell {
    /// The position of the cell in the parsed bytes, with its quotes.
    raw: Range<usize>,
    text: String,
}

impl Worksheet {
    /// Parses a file with each delimiter, and returns the first result that `is_known` accepts. Without such a result,
    /// returns the one with the most columns. `None` if the file is not a text.
    pub(super) fn read(bytes: Vec<u8>, is_known: impl Fn(&Worksheet) -> bool) -> Option<Worksheet> {
        let (encoding, bytes) = Encoding::detect(bytes)?;
        if bytes.contains(&0) {
            return None;
        }
        let parsed = |delimiter: u8| {
            let rows = parse(&bytes, delimiter, encoding);
            Worksheet { bytes: bytes.clone(), encoding, delimiter, rows, replaced: BTreeMap::new() }
        };
        let mut all: Vec<_> = DELIMITERS.iter().map(|&delimiter| parsed(delimiter)).collect();
        if let Some(index) = all.iter().position(is_known) {
            return Some(all.swap_remove(index));
        }
        all.into_iter().max_by_key(|sheet| sheet.rows.first().map_or(0, Vec::len))
    }

    /// Returns the texts of the first row.
    pub(super) fn header(&self) -> Vec<&str> {
        self.rows.first().map(|row| row.iter().map(|cell| cell.text.trim()).collect()).unwrap_or_default()
    }

    /// Returns the indices of all rows below the first.
    pub(super) fn rows(&self) -> Range<usize> {
        1.min(self.rows.len())..self.rows.len()
    }

    /// Returns the text of a cell without blanks around it; `None` if the row has no such column.
    pub(super) fn cell(&self, row: usize, column: usize) -> Option<&str> {
        self.rows.get(row)?.get(column).map(|cell| cell.text.trim())
    }

    /// Replaces the text of a cell. Returns whether the row has such a column. `text` must be ASCII, so that it is the
    /// same in every encoding.
    pub(super) fn replace(&mut self, row: usize, column: usize, text: String) -> bool {
        debug_assert!(text.is_ascii());
        let exists = self.cell(row, column).is_some();
        if exists {
            self.replaced.insert((row, column), text);
        }
        exists
    }

    /// Returns the file with its replaced cells.
    pub(super) fn written(&self) -> Vec<u8> {
        let (mut written, mut copied) = (Vec::with_capacity(self.bytes.len() + 1024), 0);
        for ((row, column), text) in &self.replaced {
            let raw = &self.rows[*row][*column].raw;
            written.extend(&self.bytes[copied..raw.start]);
            written.extend(self.formatted(text, self.bytes[raw.clone()].starts_with(b"\"")).bytes());
            copied = raw.end;
        }
        written.extend(&self.bytes[copied..]);
        self.encoding.encode(written)
    }

    /// Returns a text as a cell. A cell that was quoted stays quoted.
    fn formatted(&self, text: &str, was_quoted: bool) -> String {
        let is_special = |byte: u8| byte == self.delimiter || b"\"\r\n".contains(&byte);
        if was_quoted || text.bytes().any(is_special) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text.to_owned()
        }
    }
}

/// Parses all rows. Empty lines are no rows.
fn parse(bytes: &[u8], delimiter: u8, encoding: Encoding) -> Vec<Vec<Cell>> {
    let mut reader = ReaderBuilder::new().delimiter(delimiter).build();
    // A cell is at most as long as the file, so the output is never full.
    let mut output = vec![0; bytes.len() + 1];
    let mut position = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let (mut rows, mut row) = (Vec::new(), Vec::new());
    let (mut start, mut length) = (position, 0);
    loop {
        let (result, read, wrote) = reader.read_field(&bytes[position..], &mut output[length..]);
        position += read;
        length += wrote;
        match result {
            ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => {}
            ReadFieldResult::Field { record_end } => {
                let raw = trimmed(bytes, start..position, delimiter, row.is_empty());
                row.push(Cell { raw, text: encoding.decode(&output[..length]) });
                (start, length) = (position, 0);
                if record_end {
                    rows.push(std::mem::take(&mut row));
                }
            }
            ReadFieldResult::End => return rows,
        }
    }
}

/// Removes the delimiter or line end after a cell, and the line ends before the first cell of a row.
fn trimmed(bytes: &[u8], mut raw: Range<usize>, delimiter: u8, is_first: bool) -> Range<usize> {
    let is_line_end = |byte: u8| byte == b'\r' || byte == b'\n';
    while is_first && raw.start < raw.end && is_line_end(bytes[raw.start]) {
        raw.start += 1;
    }
    if raw.start < raw.end && bytes[raw.end - 1] == delimiter {
        raw.end -= 1;
        return raw;
    }
    while raw.start < raw.end && is_line_end(bytes[raw.end - 1]) {
        raw.end -= 1;
    }
    raw
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Worksheet {
        Worksheet::read(text.as_bytes().to_vec(), |_| false).unwrap()
    }

    #[test]
    fn only_the_replaced_cells_change() {
        let text = "\u{feff}Name;\"Grade\";x\r\n\r\n\"A;\"\"B\"\"\";;\"\"\r\nC;\"7,5\";last";
        let mut sheet = read(text);
        assert_eq!(sheet.header(), ["Name", "Grade", "x"]);
        assert_eq!(sheet.rows(), 1..3);
        assert_eq!((sheet.cell(1, 0), sheet.cell(2, 1), sheet.cell(2, 3)), (Some("A;\"B\""), Some("7,5"), None));
        assert_eq!(sheet.written(), text.as_bytes());
        assert!(sheet.replace(1, 1, "1;2".to_owned()) && sheet.replace(2, 1, "8".to_owned()));
        assert!(sheet.replace(2, 2, String::new()) && !sheet.replace(2, 3, String::new()));
        let expected = "\u{feff}Name;\"Grade\";x\r\n\r\n\"A;\"\"B\"\"\";\"1;2\";\"\"\r\nC;\"8\";";
        assert_eq!(String::from_utf8(sheet.written()).unwrap(), expected);
    }

    #[test]
    fn the_delimiter_is_found_by_the_caller_or_by_the_number_of_columns() {
        assert_eq!(read("a\tb\tc,d\n1\t2\t3\n").header(), ["a", "b", "c,d"]);
        let sheet = Worksheet::read(b"a;b,c\n".to_vec(), |sheet| sheet.header().contains(&"b,c")).unwrap();
        assert_eq!(sheet.header(), ["a", "b,c"]);
        assert!(Worksheet::read(b"\0\x01".to_vec(), |_| true).is_none());
        assert_eq!(read("").rows(), 0..0);
    }

    #[test]
    fn line_ends_in_quotes_belong_to_the_cell() {
        let mut sheet = read("a,b\n\"1\n2\",x\n3,y");
        assert_eq!((sheet.rows(), sheet.cell(1, 0)), (1..3, Some("1\n2")));
        sheet.replace(1, 0, "z".to_owned());
        assert_eq!(sheet.written(), b"a,b\n\"z\",x\n3,y");
    }

    /// Writes cells as CSV.
    fn joined(cells: &[Vec<(String, bool)>], delimiter: char, line_end: &str) -> String {
        let cell = |(text, is_quoted): &(String, bool)| {
            if *is_quoted {
                format!("\"{}\"", text.replace('"', "\"\""))
            } else {
                text.replace(['"', '\n', '\r', ',', ';', '\t'], "")
            }
        };
        cells
            .iter()
            .map(|row| row.iter().map(cell).collect::<Vec<_>>().join(&delimiter.to_string()) + line_end)
            .collect()
    }

    proptest! {
        #[test]
        fn a_file_is_copied_byte_for_byte(
            cells in prop::collection::vec(prop::collection::vec(("[a-zä \",;\n\t=]{0,6}", any::<bool>()), 3), 1..6),
            delimiter in prop::sample::select(vec![',', ';', '\t']),
            line_end in prop::sample::select(vec!["\n", "\r\n"]),
        ) {
            let text = joined(&cells, delimiter, line_end);
            let mut sheet = read(&text);
            prop_assert_eq!(sheet.written(), text.as_bytes());
            for row in 0..sheet.rows.len() {
                for column in 0..sheet.rows[row].len() {
                    sheet.replace(row, column, "#".to_owned());
                }
            }
            let replaced = String::from_utf8(sheet.written()).unwrap();
            prop_assert!(replaced.chars().all(|character| "#\"\r\n".contains(character) || DELIMITERS.contains(&(character as u8))), "{}", replaced);
        }

        #[test]
        fn no_file_makes_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            if let Some(mut sheet) = Worksheet::read(bytes.clone(), |_| false) {
                prop_assert_eq!(sheet.written(), bytes);
                sheet.replace(0, 0, "x".to_owned());
                sheet.written();
            }
        }
    }
}
