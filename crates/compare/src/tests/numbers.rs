//! Tests the exact arithmetic against big integers.

use num_bigint::BigInt;
use proptest::prelude::*;

use super::*;

/// Generates a number and its text: digits with a point, leading and trailing zeros, and a power of ten.
fn number(most_digits: usize) -> impl Strategy<Value = (BigInt, String)> {
    let digits = prop::collection::vec(prop_oneof![3 => Just(0_u8), 1 => Just(9_u8), 2 => 0_u8..10], 1..most_digits);
    (digits, any::<prop::sample::Index>(), 0_i64..60, any::<bool>()).prop_map(|(digits, point, power, negative)| {
        let text: String = digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        let point = point.index(text.len() + 1);
        let behind = (text.len() - point) as i64;
        // The integer is the value in units of 10^-60.
        let size = text.parse::<BigInt>().unwrap() * BigInt::from(10).pow(power as u32);
        let exponent = power - 60 + behind;
        let sign = if negative { "-" } else { "" };
        (if negative { -size } else { size }, format!("{sign}{}.{}e{exponent}", &text[..point], &text[point..]))
    })
}

fn size(number: &BigInt) -> BigInt {
    BigInt::from(number.magnitude().clone())
}

fn is_near(flag: &str, limit: &str, wanted: &str, given: &BigInt) -> bool {
    accepts(&format!("{flag} {limit}"), wanted.as_bytes(), format!("{given}e-60").as_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn an_absolute_tolerance_is_exact(
        wanted in number(150), limit in number(40), off in -2..=2, sign in prop::sample::select(vec![-1, 1]),
    ) {
        let (limit, text) = (size(&limit.0), limit.1.replacen('-', "", usize::from(limit.1.starts_with('-'))));
        let given = &wanted.0 + &limit * sign + off;
        let near = size(&(&given - &wanted.0)) <= limit;
        prop_assert_eq!(is_near("float_absolute_tolerance", &text, &wanted.1, &given), near);
    }

    #[test]
    fn a_relative_tolerance_is_exact(
        wanted in number(150), limit in number(40), off in -2..=2, sign in prop::sample::select(vec![-1, 1]),
    ) {
        let (limit, text) = (size(&limit.0), limit.1.replacen('-', "", usize::from(limit.1.starts_with('-'))));
        let unit = BigInt::from(10).pow(60);
        let given = &wanted.0 + &limit * size(&wanted.0) / &unit * sign + off;
        let near = size(&(&given - &wanted.0)) * unit <= limit * size(&wanted.0);
        prop_assert_eq!(is_near("float_relative_tolerance", &text, &wanted.1, &given), near);
    }

    #[test]
    fn short_numbers_are_as_exact_as_long_ones(
        wanted in -99_999_i64..99_999, given in -99_999_i64..99_999, limit in 0..999_i64,
        places in (0_usize..12, 0_usize..12, 0_usize..12),
    ) {
        let text = |number: i64, places: usize| format!("{number}e-{places}");
        let units = |number: i64, places: usize| i128::from(number) * 10_i128.pow(12 - places as u32);
        let difference = (units(given, places.0) - units(wanted, places.1)).abs();
        let (answer, output) = (text(wanted, places.1), text(given, places.0));
        for zeros in ["", "00000000000000000000"] {
            let limit_text = format!("{zeros}{}", text(limit, places.2));
            let accepts = |flag: &str| accepts(&format!("{flag} {limit_text}"), answer.as_bytes(), output.as_bytes());
            prop_assert_eq!(accepts("float_absolute_tolerance"), difference <= units(limit, places.2));
            let part = units(limit, places.2) * units(wanted, places.1).abs();
            prop_assert_eq!(accepts("float_relative_tolerance"), difference * 10_i128.pow(12) <= part);
        }
    }
}

/// Each pair differs, although 64 bits cannot hold its exponents.
#[test]
fn exponents_of_any_size_are_exact() {
    let power = |exponent: BigInt| format!("1e{exponent}");
    let large = BigInt::from(10).pow(21);
    for sign in [1, -1] {
        let (one, next) = (power(&large * sign), power(&large * sign - 1));
        for arguments in ["float_relative_tolerance 0.5", "float_relative_tolerance 0"] {
            assert!(accepts(arguments, one.as_bytes(), one.as_bytes()));
            assert!(!accepts(arguments, one.as_bytes(), next.as_bytes()), "{one} and {next}");
            assert!(!accepts(arguments, next.as_bytes(), one.as_bytes()), "{next} and {one}");
        }
        // The same numbers in other notations: 10e-1 is 1.
        let same = format!("10e{}", &large * sign - 1);
        assert!(accepts("float_absolute_tolerance 0", one.as_bytes(), same.as_bytes()));
        assert!(accepts("float_relative_tolerance 0.9", one.as_bytes(), next.as_bytes()));
        assert!(!accepts("float_relative_tolerance 0.89", one.as_bytes(), next.as_bytes()));
    }
}

#[test]
fn an_enormous_exponent_of_zero_or_of_a_tiny_number_does_not_matter() {
    let zero = b"0e1000000000000000000000";
    let (tiny, other) = (b"1e-1000000000000000000000", b"-7e-9999999999999999999999999");
    for wanted in [&b"1e-9"[..], b"0", tiny, other, zero] {
        assert!(accepts("float_absolute_tolerance 1e-9", wanted, zero));
        assert!(accepts("float_absolute_tolerance 1e-8", wanted, tiny));
        assert!(accepts("float_absolute_tolerance 1e-8", wanted, other));
        assert_eq!(accepts("float_absolute_tolerance 0", wanted, tiny), wanted == tiny);
        assert_eq!(accepts("float_relative_tolerance 0.5", wanted, other), wanted == other);
    }
    assert!(!accepts("float_absolute_tolerance 1e-9", b"1.1e-9", zero));
    assert!(!accepts("float_absolute_tolerance 0", b"0", tiny));
}

#[test]
fn a_number_may_have_a_million_digits() {
    let answer = format!("0.{}", "3".repeat(1_000_000));
    assert!(accepts("float_absolute_tolerance 1e-1000000", answer.as_bytes(), format!("{answer}0").as_bytes()));
    let last = format!("{}4", &answer[..answer.len() - 1]);
    assert!(accepts("float_absolute_tolerance 1e-1000000", answer.as_bytes(), last.as_bytes()));
    assert!(!accepts("float_absolute_tolerance 9e-1000001", answer.as_bytes(), last.as_bytes()));
}

#[test]
fn a_number_is_whole_before_it_is_judged_in_whatever_pieces_it_comes() {
    for pieces in 1..12 {
        let is_near = |answer: &str| {
            let answer = std::io::BufReader::with_capacity(pieces, answer.as_bytes());
            compare(answer, b"1.2\n", &options("float_tolerance 0.5")).unwrap().is_none()
        };
        assert!(is_near("1.1000005\n") && !is_near("1.1e5\n") && !is_near("1.100e1\n"), "{pieces}");
    }
}

#[test]
fn a_tolerance_of_more_digits_than_are_reckoned_with_is_refused() {
    let parsed =
        |digits: usize| Options::parse(&["float_tolerance", &format!("0.{}", "1".repeat(digits))], Dialect::Spec);
    // The zero before the point counts as a digit.
    for (digits, is_read) in [(9_998, true), (9_999, true), (10_000, false), (10_001, false), (20_000, false)] {
        assert_eq!(parsed(digits).is_ok(), is_read, "{digits}");
    }
}

#[test]
fn a_token_of_the_answer_beyond_the_bound_is_text_in_whatever_pieces_it_comes() {
    let (short, long) = ("1".repeat(1 << 20), "1".repeat((1 << 20) + 1));
    for pieces in [1 << 10, 1 << 22] {
        let accepts = |answer: &str, output: &str| {
            let answer = std::io::BufReader::with_capacity(pieces, answer.as_bytes());
            compare(answer, output.as_bytes(), &options("float_tolerance 1e-6")).unwrap().is_none()
        };
        assert!(accepts(&short, &format!("{short}.0")));
        assert!(!accepts(&long, &format!("{long}.0")));
        assert!(accepts(&long, &long));
    }
}
