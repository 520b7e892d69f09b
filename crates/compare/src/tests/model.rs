//! Tests the comparison against a simple model, which compares token by token with both texts in memory.

use std::io::BufReader;

use proptest::prelude::*;

use super::super::bytes::is_blank;
use super::super::mismatch::shortened;
use super::super::scanf::c_string;
use super::super::tolerance::Nearness;
use super::*;

/// Returns the run that begins at `from`: of whitespace if `blank` is true, of other bytes otherwise.
fn run(text: &[u8], from: usize, blank: bool) -> &[u8] {
    let rest = &text[from..];
    &rest[..rest.iter().position(|&byte| is_blank(byte) != blank).unwrap_or(rest.len())]
}

/// Compares token by token. This is the model that the real comparison must agree with.
pub(super) fn compare_plainly(answer: &[u8], output: &[u8], options: &Options) -> Option<Mismatch> {
    let (mut a, mut o) = (0, 0);
    loop {
        let (wanted, found) = (run(answer, a, true), run(output, o, true));
        let kind = if options.space_change_sensitive && wanted != found {
            Some(Kind::Whitespace { expected: shortened(wanted), got: shortened(found) })
        } else {
            (a, o) = (a + wanted.len(), o + found.len());
            match (run(answer, a, false), run(output, o, false)) {
                ([], []) => return None,
                ([], found) => Some(Kind::TooLong { got: shortened(found) }),
                (wanted, []) => Some(Kind::TooShort { expected: shortened(wanted) }),
                (wanted, found) => token(wanted, found, options),
            }
        };
        if let Some(kind) = kind {
            let line = |text: &[u8]| text.split(|&byte| byte == b'\n').count();
            let (answer_line, output_line) = (line(&answer[..a]), line(&output[..o]));
            return Some(Mismatch { kind, answer_offset: a, output_offset: o, answer_line, output_line });
        }
        (a, o) = (a + run(answer, a, false).len(), o + run(output, o, false).len());
    }
}

fn token(wanted: &[u8], found: &[u8], options: &Options) -> Option<Kind> {
    let (expected, got) = (shortened(wanted), shortened(found));
    let nearness = options.tolerance.as_ref().map_or(Nearness::Text, |tolerance| tolerance.compare(wanted, found));
    let cut = |text| if options.dialect == Dialect::Kattis { c_string(text) } else { text };
    let (wanted, found) = (cut(wanted), cut(found));
    match nearness {
        Nearness::Near => None,
        Nearness::Far => Some(Kind::Number { expected, got }),
        Nearness::NotANumber => Some(Kind::NotANumber { expected, got }),
        Nearness::Text if wanted == found => None,
        Nearness::Text if !wanted.eq_ignore_ascii_case(found) => Some(Kind::Token { expected, got }),
        Nearness::Text => options.case_sensitive.then_some(Kind::LetterCase { expected, got }),
    }
}

/// Generates pieces of a text: mostly single bytes, and sometimes a run of up to 199 bytes. Such a run can be longer
/// than a block of 64 bytes.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let bytes = b" \n\r\t\x0b\x0c01e+-.aAbB\0\xa0\xff".to_vec();
    prop_oneof![
        30 => prop::sample::select(bytes).prop_map(|byte| vec![byte]),
        1 => (prop::sample::select(b"aA 1\n".to_vec()), 1_usize..200).prop_map(|(byte, times)| vec![byte; times]),
    ]
}

/// Generates an answer, and an output that at most four edits make from it.
fn texts() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let edit = (any::<prop::sample::Index>(), 0..4, piece());
    (prop::collection::vec(piece(), 0..40), prop::collection::vec(edit, 0..5)).prop_map(|(pieces, edits)| {
        let answer = pieces.concat();
        let mut output = answer.clone();
        for (index, what, piece) in edits {
            let at = index.index(output.len() + 1);
            match what {
                0 => drop(output.splice(at..at, piece)),
                1 => output.truncate(at),
                2 => output[at..].make_ascii_uppercase(),
                _ => drop(output.splice(at..(at + 1).min(output.len()), piece)),
            }
        }
        (answer, output)
    })
}

pub(super) fn any_options() -> impl Strategy<Value = Options> {
    let flags = ["case_sensitive", "space_change_sensitive", "float_tolerance 0.5", "float_absolute_tolerance 0"];
    let dialects = vec![Dialect::Spec, Dialect::Kattis, Dialect::Domjudge];
    (prop::sample::subsequence(flags[..3].to_vec(), 0..=3), prop::bool::ANY, prop::sample::select(dialects)).prop_map(
        move |(chosen, exact, dialect)| {
            let chosen = if exact && chosen.is_empty() { flags[3].to_owned() } else { chosen.join(" ") };
            Options::parse(&chosen.split_whitespace().collect::<Vec<_>>(), dialect).unwrap()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn the_comparer_finds_what_the_plain_rules_find_in_pieces_of_any_size(
        (answer, output) in texts(), options in any_options(), piece in 1_usize..100,
    ) {
        let expected = compare_plainly(&answer, &output, &options);
        let whole = compare(&answer[..], &output, &options).unwrap();
        prop_assert_eq!(&whole, &expected);
        let pieces = compare(BufReader::with_capacity(piece, &answer[..]), &output, &options).unwrap();
        prop_assert_eq!(&pieces, &expected);
        let bytes = compare(BufReader::with_capacity(1, &answer[..]), &output, &options).unwrap();
        prop_assert_eq!(&bytes, &expected);
    }
}
