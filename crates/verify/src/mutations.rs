//! Ways to corrupt an input. This module does no I/O.
//!
//! A strict validator accepts only one spelling of an input, so that programs can rely on it: some programs read
//! numbers by columns, split at single blanks, or read to the end of the file. The section "Input Validators" of the
//! format says that the validator checks "the format of the input". For every problem, a validator must therefore
//! reject misplaced whitespace and line ends, bytes that are not text, and anything after the end. How large a number
//! may be depends on the problem, but no problem allows a number of hundreds of digits among numbers of a few digits.

use referee_event::Gravity;

/// A way to corrupt an input.
pub(super) struct Mutation {
    /// The description of the corruption, which completes "an input with ...".
    pub(super) what: String,
    /// The severity of the finding if the validators accept the corrupted inputs.
    pub(super) gravity: Gravity,
    /// The corrupted inputs. Any one of them may happen to be legal, so there is a finding only if the validators
    /// accept all of them.
    pub(super) variants: Vec<Vec<u8>>,
}

/// The maximum size of an input that is corrupted, in bytes. Each input is copied many times, so the copies of a larger
/// input would take too much memory.
pub(super) const LARGEST_BYTES: usize = 1 << 20;

/// The maximum number of integers that are corrupted in each input.
const MOST_NUMBERS: usize = 6;

/// Returns all ways to corrupt `input`.
pub(super) fn of(input: &[u8]) -> Vec<Mutation> {
    let mut all = vec![
        strict("nothing in it", vec![Vec::new()]),
        strict("bytes that are not UTF-8 text", vec![b"\xc3\x28\xff\x80\n".to_vec(), [input, b"\xff\xfe\n"].concat()]),
        strict("junk in it", vec![b"Vk%2(qY]t=\n".to_vec(), b"\n".to_vec()]),
        strict("extra data after its end", after_the_end(input)),
        strict("an empty line at its end", vec![[input, b"\n"].concat()]),
        strict("a blank at its beginning", vec![[b" ", input].concat()]),
        strict("an empty line at its beginning", vec![[b"\n", input].concat()]),
    ];
    if let Some(body) = input.strip_suffix(b"\n") {
        all.push(strict("no line feed at its end", vec![body.to_vec()]));
        all.push(strict("a blank at the end of its last line", vec![[body, b" \n"].concat()]));
        all.push(strict("extra data at the end of its last line", more_on_the_last_line(body)));
        all.push(strict("a NUL byte at its end", vec![[body, b"\0\n"].concat()]));
        all.push(strict("carriage returns (CR LF)", vec![replaced(input, b"\n", b"\r\n")]));
    }
    if let Some(feed) = memchr::memchr(b'\n', input).filter(|&feed| feed + 1 < input.len()) {
        let (first, rest) = input.split_at(feed);
        all.push(strict("a blank at the end of its first line", vec![[first, b" ", rest].concat()]));
        all.push(strict("an empty line after its first line", vec![[first, b"\n", rest].concat()]));
    }
    if let Some(blank) = memchr::memchr(b' ', input) {
        let (before, after) = (&input[..blank], &input[blank + 1..]);
        all.push(strict("two blanks instead of one", vec![[before, b"  ", after].concat()]));
        all.push(strict("a tab instead of a blank", vec![[before, b"\t", after].concat()]));
        all.push(strict("a line feed instead of a blank", vec![[before, b"\n", after].concat()]));
    }
    all.extend(cut_short(input));
    all.extend(numbers(input));
    all
}

fn strict(what: &str, variants: Vec<Vec<u8>>) -> Mutation {
    Mutation { what: what.to_owned(), gravity: Gravity::Warning, variants }
}

/// Returns three copies of the input: one followed by a number, one by a word, and one by bytes that are neither. A
/// problem whose input is a list up to the end of the file may allow one of these copies, but not all three.
fn after_the_end(input: &[u8]) -> Vec<Vec<u8>> {
    [b"42\n".as_slice(), b"hello\n", b"\x01~\x7f\n"].iter().map(|more| [input, more].concat()).collect()
}

fn more_on_the_last_line(body: &[u8]) -> Vec<Vec<u8>> {
    [b" 42\n".as_slice(), b" hello\n", b" \x01~\x7f\n"].iter().map(|more| [body, more].concat()).collect()
}

fn replaced(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut done = Vec::with_capacity(text.len() * 2);
    let mut rest = text;
    while let Some(at) = memchr::memmem::find(rest, from) {
        done.extend_from_slice(&rest[..at]);
        done.extend_from_slice(to);
        rest = &rest[at + from.len()..];
    }
    done.extend_from_slice(rest);
    done
}

/// Returns two copies of the input: one without the last line, and one with only the first half of that line. For a
/// problem whose input is a list of lines up to the end of the file, both copies may be legal. Returns `None` if the
/// input has only one line or does not end with a line feed.
fn cut_short(input: &[u8]) -> Option<Mutation> {
    let body = input.strip_suffix(b"\n")?;
    let feed = memchr::memrchr(b'\n', body)?;
    let half = feed + 1 + (body.len() - feed - 1) / 2;
    let mut variants = vec![input[..=feed].to_vec(), [&input[..half], b"\n"].concat()];
    // If the last line is empty, its first half is the whole line, and that copy is equal to the input.
    variants.retain(|variant| variant != input);
    Some(Mutation { what: "its last line cut short or left out".to_owned(), gravity: Gravity::Note, variants })
}

/// The position of a number in a text, in bytes.
struct Number {
    start: usize,
    end: usize,
}

/// Finds the integers that are probably numbers. Skips integers that may be strings of digits or rows of a board: those
/// with leading zeros, more than 10 digits, or more than 3 digits that are all 0 or 1.
fn find_numbers(input: &[u8]) -> Vec<Number> {
    let is_part = |byte: &u8| !byte.is_ascii_whitespace();
    let mut found = Vec::new();
    let mut at = 0;
    while at < input.len() {
        let Some(start) = input[at..].iter().position(is_part).map(|skipped| at + skipped) else { break };
        let end = input[start..].iter().position(u8::is_ascii_whitespace).map_or(input.len(), |length| start + length);
        let digits = input[start..end].strip_prefix(b"-").unwrap_or(&input[start..end]);
        let is_plain = !digits.starts_with(b"0") || digits.len() == 1;
        // A text such as 1011 may be a row of a board instead of a number.
        let is_binary = digits.len() > 3 && digits.iter().all(|digit| b"01".contains(digit));
        if (1..=10).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit) && is_plain && !is_binary {
            found.push(Number { start, end });
        }
        at = end;
    }
    found
}

/// Corrupts the first few numbers and the last one.
fn numbers(input: &[u8]) -> Vec<Mutation> {
    let mut found = find_numbers(input);
    if found.len() > MOST_NUMBERS {
        let last = found.pop();
        found.truncate(MOST_NUMBERS - 1);
        found.extend(last);
    }
    found.iter().flat_map(|number| corrupted_number(input, number)).collect()
}

fn corrupted_number(input: &[u8], number: &Number) -> Vec<Mutation> {
    let (before, own, after) = (&input[..number.start], &input[number.start..number.end], &input[number.end..]);
    let (line, column) = line_and_column(input, number.start);
    let with = |spelling: &[u8]| vec![[before, spelling, after].concat()];
    let is_negative = own.starts_with(b"-");
    let digits = own.strip_prefix(b"-").unwrap_or(own);
    let sign: &[u8] = if is_negative { b"-" } else { b"" };
    let huge = [sign, b"1", &[b'0'; 400]].concat();
    let at = format!("in line {line}, column {column}");
    let mut all = vec![
        strict(&format!("a leading zero {at}"), with(&[sign, b"0", digits].concat())),
        strict(&format!("a number of 401 digits {at}"), with(&huge)),
        Mutation {
            gravity: Gravity::Note,
            ..strict(&format!("a number multiplied by a million {at}"), with(&[own, b"000000"].concat()))
        },
    ];
    if !is_negative {
        all.push(strict(&format!("a leading plus {at}"), with(&[b"+", own].concat())));
        all.push(strict(&format!("-0 {at}"), with(b"-0")));
        let negative = strict(&format!("a negative number {at}"), with(&[b"-", own].concat()));
        // For the number 0, this mutation would be the same as -0 above.
        all.extend((own != b"0").then_some(Mutation { gravity: Gravity::Note, ..negative }));
    }
    all.push(strict(&format!("a fraction {at}"), with(&[own, b".5"].concat())));
    all
}

/// Returns the line and the column of the byte at `offset`, both counted from 1.
fn line_and_column(text: &[u8], offset: usize) -> (usize, usize) {
    let before = &text[..offset];
    let start = memchr::memrchr(b'\n', before).map_or(0, |feed| feed + 1);
    (memchr::memchr_iter(b'\n', before).count() + 1, offset - start + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn variants(input: &[u8], what: &str) -> Vec<Vec<u8>> {
        of(input).into_iter().find(|mutation| mutation.what == what).map(|found| found.variants).unwrap_or_default()
    }

    #[test]
    fn line_ends_and_blanks_are_spoilt_where_there_are_any() {
        assert_eq!(variants(b"1 2\n3\n", "carriage returns (CR LF)"), [b"1 2\r\n3\r\n"]);
        assert_eq!(variants(b"1 2\n3\n", "two blanks instead of one"), [b"1  2\n3\n"]);
        assert_eq!(variants(b"1 2\n3\n", "a blank at the end of its first line"), [b"1 2 \n3\n"]);
        assert_eq!(variants(b"1\n3\n", "two blanks instead of one"), Vec::<Vec<u8>>::new());
        assert_eq!(variants(b"1\n", "no line feed at its end"), [b"1"]);
        assert_eq!(variants(b"1", "no line feed at its end"), Vec::<Vec<u8>>::new());
    }

    #[test]
    fn numbers_are_known_from_rows_of_a_board() {
        let found = |text: &[u8]| find_numbers(text).len();
        assert_eq!(found(b"3 -4\n0 12\n"), 4);
        assert_eq!(found(b"0110 1011 bwbb 12345678901 007 1.5\n"), 0);
    }

    #[test]
    fn a_number_is_respelt_at_its_place() {
        assert_eq!(variants(b"7\n-12 3\n", "a leading zero in line 2, column 1"), [b"7\n-012 3\n"]);
        assert_eq!(variants(b"7\n-12 3\n", "a leading plus in line 2, column 5"), [b"7\n-12 +3\n"]);
        assert_eq!(variants(b"7\n-12 3\n", "a leading plus in line 2, column 1"), Vec::<Vec<u8>>::new());
    }

    #[test]
    fn many_numbers_are_not_all_changed() {
        let input = b"1 ".repeat(5000);
        assert!(of(&input).len() < 100);
        assert_eq!(variants(&input, "a fraction in line 1, column 1").len(), 1);
        assert_eq!(
            variants(&input, "a fraction in line 1, column 9999").len(),
            1,
            "the last one is often a sum or a seed"
        );
    }

    #[test]
    fn what_may_be_legal_by_chance_is_a_note_or_has_variants_that_cannot_all_be() {
        let notes = of(b"5\n12\n").into_iter().filter(|mutation| mutation.gravity == Gravity::Note);
        let mut notes: Vec<_> = notes.map(|mutation| mutation.what).collect();
        notes.sort();
        let wanted = [
            "a negative number in line 1, column 1",
            "a negative number in line 2, column 1",
            "a number multiplied by a million in line 1, column 1",
            "a number multiplied by a million in line 2, column 1",
            "its last line cut short or left out",
        ];
        assert_eq!(notes, wanted);
        for more in ["extra data after its end", "extra data at the end of its last line"] {
            assert_eq!(variants(b"5\n", more).len(), 3, "a number, a word and neither");
        }
        assert_eq!(variants(b"5\n12\n", "its last line cut short or left out"), [b"5\n".to_vec(), b"5\n1\n".to_vec()]);
    }

    proptest! {
        #[test]
        fn nothing_is_left_as_it_was(input in proptest::collection::vec(prop_oneof![Just(b' '), Just(b'\n'), Just(b'-'), b'0'..=b'9', any::<u8>()], 0..40)) {
            let mutations = of(&input);
            prop_assert!(!mutations.is_empty());
            for mutation in mutations {
                // These two mutations ignore the input, so their result may be equal to it. The caller excludes results
                // that are real inputs.
                let fixed = ["nothing in it", "junk in it"].contains(&mutation.what.as_str());
                prop_assert!(fixed || mutation.variants.iter().all(|variant| *variant != input), "{}", mutation.what);
            }
        }
    }
}
