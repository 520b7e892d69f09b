//! Recognises places in sources. rustc stores them for the messages of panics: 16 bytes with the length of the file's
//! name, the line and the column, after the address of the name. The lines of copies differ, so they are replaced by
//! those of the program.

use std::collections::HashMap;

use super::first_operand;

/// The lines of the program from which the lines of a metamutant were made.
#[derive(Debug, Default)]
pub(in crate::metamutant) struct Lines {
    /// The name of the metamutant's file.
    pub(in crate::metamutant) file: &'static str,
    /// The number of a line of the program, for each line of the file; 0 for lines that belong to no copy.
    pub(in crate::metamutant) of_program: Vec<usize>,
}

/// The directives for an address, and for a text.
const ADDRESS: [&str; 3] = [".quad", ".xword", ".8byte"];
const TEXT: [&str; 2] = [".ascii", ".asciz"];

impl Lines {
    /// Returns the line in the program, and the column, if this is the data of a place in the file; else `None`. `data`
    /// is the data after each local label.
    pub(super) fn location(&self, lines: &[&str], data: &HashMap<&str, Vec<&str>>) -> Option<(usize, u32)> {
        let [address, place] = lines else { return None };
        let [name] = data.get(first_operand(address, &ADDRESS)?)?[..] else { return None };
        let (name, place) = (text(name)?, text(place)?);
        // Versions of rustc differ in whether a zero follows the name.
        if self.file.is_empty() || name.strip_suffix(b"\0").unwrap_or(&name) != self.file.as_bytes() {
            return None;
        }
        let number = |at: usize| Some(u32::from_le_bytes(place.get(at..at + 4)?.try_into().ok()?));
        let line = usize::try_from(number(8)?).ok()?.checked_sub(1)?;
        let of_program = *self.of_program.get(line).filter(|line| **line > 0)?;
        let is_place = place.len() == 16 && place.starts_with(&(self.file.len() as u64).to_le_bytes());
        is_place.then_some((of_program, number(12)?))
    }
}

/// Returns the bytes that a directive for text writes. `None` if the line is another directive.
fn text(line: &str) -> Option<Vec<u8>> {
    let (directive, rest) = line.trim().split_once(char::is_whitespace)?;
    let quoted = rest.trim().strip_prefix('"')?.strip_suffix('"')?;
    let (mut bytes, mut rest) = (Vec::new(), quoted.bytes());
    while let Some(byte) = rest.next() {
        bytes.push(if byte == b'\\' { escaped(&mut rest)? } else { byte });
    }
    if directive == ".asciz" {
        bytes.push(0);
    }
    TEXT.contains(&directive).then_some(bytes)
}

/// Returns the byte after a backslash: a letter for it, three octal digits, or the character itself.
fn escaped(rest: &mut std::str::Bytes<'_>) -> Option<u8> {
    let digit = |byte: u8| (b'0'..=b'7').contains(&byte).then(|| u32::from(byte - b'0'));
    Some(match rest.next()? {
        b'b' => 8,
        b't' => b'\t',
        b'n' => b'\n',
        b'f' => 12,
        b'r' => b'\r',
        high @ b'0'..=b'7' => u8::try_from(digit(high)? * 64 + digit(rest.next()?)? * 8 + digit(rest.next()?)?).ok()?,
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_the_file_has_the_line_of_the_program() {
        let data = HashMap::from([(".L1", vec!["\t.asciz\t\"mutants.rs\""]), (".L2", vec!["\t.asciz\t\"lib.rs\""])]);
        let lines = Lines { file: "mutants.rs", of_program: (100..140).collect() };
        let of = |label: &str, place: &str| lines.location(&[&format!("\t.quad\t{label}"), place], &data);
        let place = |line: &str| format!("\t.asciz\t\"\\n\\000\\000\\000\\000\\000\\000\\000{line}\\027\\000\\000\"");
        assert_eq!(of(".L1", &place("\\003\\000\\000\\000")), Some((102, 23)));
        assert_eq!(of(".L1", &place("\\\"\\000\\000\\000")), Some((133, 23)), "a quotation mark is 34");
        assert_eq!(of(".L1", &place("\\n\\000\\000\\000")), Some((109, 23)));
        assert_eq!(of(".L2", &place("\\003\\000\\000\\000")), None, "a place in another file");
        assert_eq!(of(".L1", &place("\\000\\000\\000\\000")), None, "there is no line 0");
        assert_eq!(of(".L1", &place("\\000\\001\\000\\000")), None, "the file has no line 256");
        let of_no_copy = Lines { file: "mutants.rs", of_program: vec![0; 40] };
        assert_eq!(of_no_copy.location(&["\t.quad\t.L1", &place("\\003\\000\\000\\000")], &data), None);
        let other_length = place("\\003\\000\\000\\000").replace("\\n", "\\t");
        assert_eq!(of(".L1", &other_length), None, "a name of nine letters");
        assert_eq!(of(".L1", "\t.quad\t5"), None);
        assert_eq!(of(".L1", "\t.asciz\t\"text\""), None);
        assert_eq!(Lines::default().location(&["\t.quad\t.L1", "\t.asciz\t\"\""], &data), None);
    }
}
