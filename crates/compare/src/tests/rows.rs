//! Tests long texts of many numbers, which the fast path compares, against the model. It also tests each pair of numbers
//! against integers of any size.

use std::io::BufReader;

use num_bigint::{BigInt, Sign};
use proptest::prelude::*;

use super::super::decimal::Decimal;
use super::super::tolerance::Nearness;
use super::model::compare_plainly;
use super::*;

/// Numbers of digits at which the fast path, a word, and an integer of 64 or 128 bits end.
const COUNTS: [usize; 22] = [0, 0, 1, 1, 1, 2, 3, 5, 6, 7, 8, 9, 14, 15, 16, 17, 18, 19, 20, 37, 38, 39];

fn digits() -> impl Strategy<Value = String> {
    let digit = prop_oneof![2 => Just('0'), 2 => Just('9'), 3 => prop::char::range('0', '9')];
    (prop::sample::select(COUNTS.to_vec()), prop::collection::vec(digit, 40))
        .prop_map(|(count, digits)| digits[..count].iter().collect())
}

/// Generates numbers and, seldom, tokens that only look like numbers.
fn token() -> impl Strategy<Value = String> {
    let sign = prop::sample::select(vec!["", "", "", "-", "-", "+"]);
    let point = prop::sample::select(vec![".", ".", ".", ""]);
    let exponents = vec!["", "", "", "", "", "", "", "", "e0", "e-7", "E+12", "e038", "e-0039", "e400", "e-4000"];
    let number = (sign, digits(), point, digits(), prop::sample::select(exponents))
        .prop_map(|(sign, whole, point, fraction, exponent)| format!("{sign}{whole}{point}{fraction}{exponent}"));
    prop_oneof![
        40 => number,
        1 => prop::sample::select(vec!["-", ".", "+.", "1e", "--1", "1..5", "Case", "#1:", "0x1", "1\0", "1-", "1+2"])
            .prop_map(str::to_owned),
    ]
    .prop_filter("a token must not be empty", |token| !token.is_empty())
}

/// The ways to write a number of the answer in the output. Most of them keep its value.
#[derive(Clone, Copy, Debug)]
enum Edit {
    Same,
    MoreZeros,
    FewerDigits(usize),
    NextDigit,
    AnyDigit(usize),
    Exponent,
    Plus,
    OtherSign,
    Letter,
    Other,
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        20 => Just(Edit::Same),
        30 => Just(Edit::MoreZeros),
        30 => (1_usize..12).prop_map(Edit::FewerDigits),
        10 => Just(Edit::NextDigit),
        4 => (0_usize..40).prop_map(Edit::AnyDigit),
        5 => Just(Edit::Exponent),
        3 => Just(Edit::Plus),
        1 => Just(Edit::OtherSign),
        1 => Just(Edit::Letter),
        1 => Just(Edit::Other),
    ]
}

fn edited(token: &str, edit: Edit, other: &str) -> String {
    let has_exponent = token.contains(['e', 'E']);
    match edit {
        Edit::MoreZeros if has_exponent => token.to_uppercase(),
        Edit::MoreZeros if token.contains('.') => format!("{token}00"),
        Edit::MoreZeros => format!("{token}.0"),
        Edit::FewerDigits(count) => match token.split_once('.') {
            Some((whole, fraction)) if fraction.len() > count => {
                format!("{whole}.{}", &fraction[..fraction.len() - count])
            }
            _ => token.to_owned(),
        },
        Edit::NextDigit => match token.as_bytes().last() {
            Some(last @ b'0'..=b'8') => format!("{}{}", &token[..token.len() - 1], char::from(last + 1)),
            _ => token.to_owned(),
        },
        Edit::AnyDigit(index) => {
            let other = |digit| if digit == '9' { '8' } else { '9' };
            let index = index % token.len();
            token.char_indices().map(|(at, c)| if at == index && c.is_ascii_digit() { other(c) } else { c }).collect()
        }
        Edit::Exponent if has_exponent => token.to_owned(),
        Edit::Exponent => format!("{token}e00"),
        Edit::Plus if token.starts_with(['+', '-']) => token.to_owned(),
        Edit::Plus => format!("+{token}"),
        Edit::OtherSign => format!("-{}", token.trim_start_matches('-')),
        Edit::Letter => format!("{token}x"),
        Edit::Same => token.to_owned(),
        Edit::Other => other.to_owned(),
    }
}

/// A token of the answer and of the output, and the whitespace after each.
type Cell = (String, String, &'static str, &'static str);

fn row() -> impl Strategy<Value = Vec<Cell>> {
    let blanks = vec![" ", "\n", "\r\n", " \n", "\t", "  ", "\n\n\n", "                    \n"];
    let cell = (token(), edit(), token(), prop::sample::select(blanks.clone()), prop::sample::select(blanks), 0..4)
        .prop_map(|(token, edit, other, blank, other_blank, kept)| {
            let output = edited(&token, edit, &other);
            (token, output, blank, if kept == 0 { other_blank } else { blank })
        });
    prop::collection::vec(cell, 1..80)
}

fn cells() -> impl Strategy<Value = Vec<Cell>> {
    // Rows of one cell, repeated, have runs of numbers that are written in the same way.
    let repeated = (row(), 1_usize..60).prop_map(|(row, times)| vec![row[0].clone(); times]);
    prop_oneof![1 => row(), 1 => (repeated, row()).prop_map(|(first, second)| [first, second].concat())]
}

/// The flags of a tolerance. The limit counts for the absolute difference, for the relative one, or for both.
const FLAGS: [&str; 3] = ["float_tolerance", "float_absolute_tolerance", "float_relative_tolerance"];
const LIMITS: [&str; 8] =
    ["1e-6", "1e-6", "1e-9", "0", "0.5", "1e-30", "123456789.0123456789012345678901", "99999999999999999999e20"];

/// Decides with integers of any size. Returns `None` if a power of ten is too large for that.
fn slow_nearness(flag: &str, limit: &str, wanted: &str, given: &str) -> Option<Nearness> {
    /// The integers are in units of ten to the power of minus this.
    const PLACES: i64 = 120;
    let integer = |text: &str| {
        let number = Decimal::parse(text.as_bytes())?;
        let all = [number.whole, number.fraction].concat();
        let size = BigInt::from_radix_be(
            if number.negative { Sign::Minus } else { Sign::Plus },
            &all.iter().map(|digit| digit - b'0').collect::<Vec<_>>(),
            10,
        )?;
        let power = PLACES + number.exponent - number.fraction.len() as i64;
        Some((0..600).contains(&power).then(|| size * BigInt::from(10).pow(power as u32)))
    };
    let Some(wanted) = integer(wanted) else { return Some(Nearness::Text) };
    let Some(given) = integer(given) else { return Some(Nearness::NotANumber) };
    let (wanted, given, limit) = (wanted?, given?, integer(limit)??);
    let size = |number: &BigInt| BigInt::from(number.magnitude().clone());
    let difference = size(&(given - &wanted));
    let absolute = !flag.contains("relative") && difference <= limit;
    let relative =
        !flag.contains("absolute") && difference * BigInt::from(10).pow(PLACES as u32) <= limit * size(&wanted);
    Some(if absolute || relative { Nearness::Near } else { Nearness::Far })
}

/// Returns `usual` test cases, or as many as the environment variable `PROPTEST_CASES` asks for.
fn config(usual: u32) -> ProptestConfig {
    let asked = std::env::var_os("PROPTEST_CASES").is_some();
    if asked { ProptestConfig::default() } else { ProptestConfig::with_cases(usual) }
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn rows_of_numbers_are_compared_as_the_plain_rules_compare_them(
        cells in cells(), flag in prop::sample::select(FLAGS.to_vec()), limit in prop::sample::select(LIMITS.to_vec()),
        others in prop::sample::select(vec!["", "", "", "case_sensitive", "space_change_sensitive"]),
        dialect in prop::sample::select(vec![Dialect::Spec, Dialect::Spec, Dialect::Kattis, Dialect::Domjudge]),
        piece in 1_usize..3000, ends in any::<bool>(),
    ) {
        let arguments = format!("{flag} {limit} {others}");
        let options = Options::parse(&arguments.split_whitespace().collect::<Vec<_>>(), dialect).unwrap();
        let mut answer = cells.iter().flat_map(|cell| [&cell.0, cell.2]).collect::<String>();
        let mut output = cells.iter().flat_map(|cell| [&cell.1, cell.3]).collect::<String>();
        if ends {
            // Without text at the end, the last numbers are too near to the end for the fast path.
            for text in [&mut answer, &mut output] {
                text.push_str(&"the same words at the end of both texts ".repeat(3));
            }
        }
        let expected = compare_plainly(answer.as_bytes(), output.as_bytes(), &options);
        let whole = compare(answer.as_bytes(), output.as_bytes(), &options).unwrap();
        prop_assert_eq!(&whole, &expected, "{}\n{}", answer, output);
        for piece in [piece, 1 + piece % 64] {
            let found = compare(BufReader::with_capacity(piece, answer.as_bytes()), output.as_bytes(), &options).unwrap();
            prop_assert_eq!(&found, &expected, "{}\n{}", answer, output);
        }
        let text = |token: &str| token.as_bytes().to_vec();
        for (wanted, given, ..) in cells.iter().filter(|_| dialect == Dialect::Spec) {
            let found = options.tolerance.as_ref().unwrap().compare(&text(wanted), &text(given));
            let slow = slow_nearness(flag, limit, wanted, given).unwrap_or(found);
            prop_assert_eq!(found, slow, "{} {}", wanted, given);
        }
    }

    #[test]
    fn texts_that_differ_in_whitespace_only_are_accepted_and_lines_are_counted(
        words in prop::collection::vec(("[a-cA 0-9]{1,40}", "[ \t]{0,2}", 0_usize..8, any::<bool>()), 1..200),
        piece in 1_usize..3000, upper in any::<bool>(), last in prop::sample::select(vec!["x", "y", ""]),
    ) {
        let (mut answer, mut output) = (String::new(), String::new());
        for (index, (word, blanks, end, breaks)) in words.iter().enumerate() {
            let end = ["\n", "\r\n", " \n", "\n\n", "\n                                        ", "\t", "  ", "\n"][*end];
            answer.extend([word.as_str(), index.to_string().as_str(), if *breaks { "\n" } else { " " }]);
            let word = if upper && index.is_multiple_of(7) { word.to_uppercase() } else { word.clone() };
            output.extend([&word, index.to_string().as_str(), blanks, end]);
        }
        (answer, output) = (answer + "x", output + last);
        for arguments in ["", "case_sensitive", "float_tolerance 1e-6"] {
            let expected = compare_plainly(answer.as_bytes(), output.as_bytes(), &options(arguments));
            let whole = compare(answer.as_bytes(), output.as_bytes(), &options(arguments)).unwrap();
            prop_assert_eq!(&whole, &expected, "{:?}\n{:?}", answer, output);
            let pieces = BufReader::with_capacity(piece, answer.as_bytes());
            prop_assert_eq!(&compare(pieces, output.as_bytes(), &options(arguments)).unwrap(), &expected);
        }
    }
}
