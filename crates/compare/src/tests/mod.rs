mod blanks;
mod dialects;
mod extended;
mod model;
mod numbers;
mod rows;

use super::*;

fn options(arguments: &str) -> Options {
    Options::parse(&arguments.split_whitespace().collect::<Vec<_>>(), Dialect::Spec).unwrap()
}

fn accepts(arguments: &str, answer: &[u8], output: &[u8]) -> bool {
    compare(answer, output, &options(arguments)).unwrap().is_none()
}

fn complaint(arguments: &str, answer: &[u8], output: &[u8]) -> String {
    compare(answer, output, &options(arguments)).unwrap().unwrap().to_string()
}

#[test]
fn whitespace_does_not_count_by_default() {
    assert!(accepts("", b"1 2\n3\n", b"\t1\r\n2\x0b\x0c3"));
    assert!(accepts("", b"", b" \n\n"));
}

#[test]
fn nul_bytes_and_no_break_spaces_are_not_whitespace() {
    assert!(!accepts("", b"a\n", b"a\0anything\n"));
    assert!(!accepts("", b"a b\n", b"a\xc2\xa0b\n"));
    assert!(!accepts("", b"a\n", b"\xef\xbb\xbfa\n"));
}

#[test]
fn only_ascii_letters_are_folded_and_only_unless_case_counts() {
    assert!(accepts("", b"Impossible\n", b"IMPOSSIBLE\n"));
    assert_eq!(
        complaint("case_sensitive", b"Impossible\n", b"impossible\n"),
        "line 1: expected \"Impossible\", got \"impossible\": upper and lower case differ"
    );
    assert!(!accepts("", "ä".as_bytes(), "Ä".as_bytes()));
}

#[test]
fn every_blank_counts_when_asked_for() {
    assert!(accepts("space_change_sensitive", b"1 2\n", b"1 2\n"));
    assert!(!accepts("space_change_sensitive", b"1 2\n", b"1  2\n"));
    assert!(!accepts("space_change_sensitive", b"1 2\n", b"1 2"));
    assert!(!accepts("space_change_sensitive", b"1 2\n", b" 1 2\n"));
}

#[test]
fn lines_are_counted_in_both_texts_where_they_differ_in_blanks_for_long() {
    // Whitespace is replaced one byte for one byte, so that whole blocks differ only in whitespace.
    let text = |every: u32, end: &str| {
        let word = |index: u32| format!("{}{}", index % 10, if index.is_multiple_of(every) { '\n' } else { ' ' });
        (0..20_000).map(word).chain([end.to_owned()]).collect::<String>()
    };
    for arguments in [&[][..], &["case_sensitive"]] {
        let options = Options::parse(arguments, Dialect::Spec).unwrap();
        for (every, every_other) in [(7, 5), (1, 30_000), (30_000, 1)] {
            let (answer, output) = (text(every, "end\n"), text(every_other, "here\n"));
            let found = compare(answer.as_bytes(), output.as_bytes(), &options).unwrap().unwrap();
            let line = |text: &str, offset: usize| 1 + text[..offset].matches('\n').count();
            assert_eq!((found.answer_offset, found.output_offset), (40_000, 40_000));
            assert_eq!(found.answer_line, line(&answer, 40_000), "{every}, {every_other}");
            assert_eq!(found.output_line, line(&output, 40_000), "{every}, {every_other}");
        }
    }
}

#[test]
fn the_first_wrong_place_is_named_with_its_line() {
    assert_eq!(complaint("", b"1\n2\n3\n", b"1\n2\n4\n"), "line 3: expected \"3\", got \"4\"");
    assert_eq!(complaint("", b"1\n2\n", b"1\n"), "the output ends where \"2\" is expected (answer line 2)");
    assert_eq!(complaint("", b"1\n", b"1\nJudge: AC\n"), "line 2: expected the end of the output, got \"Judge:\"");
}

#[test]
fn tokens_in_messages_are_escaped_and_cut() {
    let loud = complaint("", b"a\n", b"\x1b[31mred\n");
    assert_eq!(loud, "line 1: expected \"a\", got \"\\x1b[31mred\"");
    let long = complaint("", b"a\n", &[b'x'; 100]);
    assert!(long.ends_with("x...\""), "{long}");
}

#[test]
fn a_number_may_be_off_by_either_tolerance() {
    assert!(accepts("float_tolerance 1e-6", b"1000000\n", b"1000000.9\n"), "relative");
    assert!(accepts("float_tolerance 1e-6", b"0.0000001\n", b"0\n"), "absolute");
    assert!(!accepts("float_absolute_tolerance 1e-6", b"1000000\n", b"1000000.9\n"));
    assert!(!accepts("float_relative_tolerance 1e-6", b"0.0000001\n", b"0\n"));
    assert!(accepts("float_relative_tolerance 1e-6", b"0\n", b"-0.0e7\n"), "zero in any spelling");
    assert!(accepts("float_absolute_tolerance 0.1", b"1.0\n", b"1.1\n"), "the border belongs to it, exactly");
    assert!(!accepts("float_absolute_tolerance 0.1", b"1.0\n", b"1.1000000000000000000000000000001\n"));
}

#[test]
fn text_is_text_even_where_numbers_are_tolerated() {
    assert!(!accepts("float_tolerance 1e-6", b"1\n", b"one\n"));
    assert!(accepts("float_tolerance 1e-6", b"NaN\n", b"nan\n"), "not in the grammar, so compared as text");
    assert!(!accepts("float_tolerance 1e-6", b"1\n", b"0x1\n"));
    assert!(!accepts("float_tolerance 1e-6", b"1\n", b"1e\n"));
    assert!(!accepts("", b"1\n", b"1.0\n"), "without a tolerance numbers are text");
}

#[test]
fn numbers_beyond_every_float_are_compared_exactly() {
    assert!(!accepts("float_relative_tolerance 1e-6", b"1e5000\n", b"2e5000\n"));
    assert!(!accepts("float_relative_tolerance 1e-6", b"1e-4000\n", b"0\n"));
    assert!(accepts("float_absolute_tolerance 1e-6", b"1e-4000\n", b"0\n"));
    assert!(!accepts("float_tolerance 1e-6", b"1e999999999999999999999\n", b"1\n"));
    assert!(accepts("float_tolerance 1e-6", b"1e-999999999999999999999\n", b"-1e-99999999\n"));
    assert!(!accepts("float_absolute_tolerance 1", b"0\n", b"1.0000000000000000000000000000000000000001\n"));
    assert!(accepts("float_absolute_tolerance 1", b"0\n", b"0.9999999999999999999999999999999999999999\n"));
    assert!(!accepts("float_absolute_tolerance 1", b"-1e-99999999\n", b"1\n"), "a hair more than one");
}

#[test]
fn arguments_that_are_not_understood_are_the_packages_error() {
    let error = |arguments: &[&str]| Options::parse(arguments, Dialect::Spec).unwrap_err().to_string();
    assert!(error(&["case_insensitive"]).contains("has no argument \"case_insensitive\""));
    assert!(error(&["float_tolerance"]).contains("found nothing"));
    assert!(error(&["float_tolerance", "-1"]).contains("found \"-1\""));
    assert!(error(&["float_tolerance", "1e-6", "float_tolerance", "1e-9"]).contains("set already"));
    assert!(error(&["float_absolute_tolerance", "1e-6", "float_tolerance", "1e-9"]).contains("set already"));
    let both = Options::parse(&["float_absolute_tolerance", "1e-6", "float_relative_tolerance", "1e-9"], Dialect::Spec);
    assert!(matches!(both.unwrap().tolerance, Some(Tolerance::Exact { absolute: Some(_), relative: Some(_) })));
}

proptest::proptest! {
    #[test]
    fn whole_numbers_are_within_a_tolerance_just_when_their_difference_is(given: i32, wanted: i32, limit: u16) {
        let near = (i64::from(given) - i64::from(wanted)).abs() <= i64::from(limit);
        let arguments = format!("float_absolute_tolerance {limit}");
        proptest::prop_assert_eq!(
            accepts(&arguments, wanted.to_string().as_bytes(), format!("{given}.0").as_bytes()), near
        );
    }

    #[test]
    fn no_bytes_make_the_comparison_panic_and_equality_is_accepted(answer: Vec<u8>, output: Vec<u8>) {
        let _ = compare(&answer[..], &output, &options("float_tolerance 1e-9 case_sensitive"));
        proptest::prop_assert!(compare(&answer[..], &answer, &options("space_change_sensitive")).unwrap().is_none());
    }
}

#[test]
fn a_number_with_an_absurd_exponent_is_compared_at_once() {
    for limit in ["float_absolute_tolerance 1e-6", "float_relative_tolerance 1e-6", "float_tolerance 1e-6"] {
        for zero in ["0e4000000000", "-0.0E9223372036854775807", "0e-99999999999999999999"] {
            assert!(accepts(limit, b"0", zero.as_bytes()), "{zero}");
            assert!(!accepts(limit, b"1", zero.as_bytes()), "{zero}");
        }
        for far in ["1e4000000000", "-1e99999999999999999999"] {
            assert!(!accepts(limit, b"0", far.as_bytes()), "{far}");
            assert!(!accepts(limit, b"1", far.as_bytes()), "{far}");
        }
    }
    assert!(accepts("float_absolute_tolerance 1e-6", b"0", b"1e-4000000000"));
    assert!(accepts("float_absolute_tolerance 1e4000000000", b"0", b"-1e3999999999"));
    assert!(!accepts("float_relative_tolerance 1e-6", b"0", b"1e-4000000000"));
}

#[test]
fn a_million_tiny_numbers_are_compared_in_no_time() {
    let answer = "1 ".repeat(1 << 16);
    let output = "1e-39000 ".repeat(1 << 16);
    let options = options("float_absolute_tolerance 2");
    assert!(compare(answer.as_bytes(), output.as_bytes(), &options).unwrap().is_none());
}

proptest::proptest! {
    #[test]
    fn powers_of_ten_decide_as_exact_numbers_do(
        a in -99_i64..99, b in -99_i64..99, c in 0_i64..99, x in 0_u32..30, y in 0_u32..30, z in 0_u32..30,
    ) {
        let number = |digits: i64, power: u32| i128::from(digits) * 10_i128.pow(power);
        let near = (number(a, x) - number(b, y)).abs() <= number(c, z);
        let text = |digits: i64, power: u32| format!("{digits}e{power}");
        let limit = format!("float_absolute_tolerance {}", text(c, z));
        proptest::prop_assert_eq!(accepts(&limit, text(b, y).as_bytes(), text(a, x).as_bytes()), near);
    }
}
