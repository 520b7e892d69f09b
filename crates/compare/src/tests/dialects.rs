//! Tests the differences between the dialects. The expected results come from the programs of problemtools and
//! DOMjudge, built with the GNU C library on x86-64.

use Dialect::{Domjudge, Kattis, Spec};

use super::*;

fn accepted_by(arguments: &str, answer: &[u8], output: &[u8]) -> Vec<Dialect> {
    let accepts = |dialect: &Dialect| {
        let options = Options::parse(&arguments.split_whitespace().collect::<Vec<_>>(), *dialect).unwrap();
        compare(answer, output, &options).unwrap().is_none()
    };
    [Spec, Kattis, Domjudge].into_iter().filter(accepts).collect()
}

const ALL: [Dialect; 3] = [Spec, Kattis, Domjudge];
const TOOLS: [Dialect; 2] = [Kattis, Domjudge];

#[test]
fn kattis_ends_a_token_at_its_first_nul_and_domjudge_only_a_number() {
    for output in [&b"a\0"[..], b"a\0anything", b"A\0"] {
        assert_eq!(accepted_by("", b"a", output), [Kattis]);
        assert_eq!(accepted_by("", output, b"a"), [Kattis]);
    }
    assert_eq!(accepted_by("case_sensitive", b"a\0x", b"a\0y"), [Kattis]);
    assert_eq!(accepted_by("", b"\0x", b"\0"), [Kattis]);
    assert_eq!(accepted_by("", b"a", b"\0a"), []);
    assert_eq!(accepted_by("", b"a\0x", b"A\0X"), ALL);
    assert_eq!(accepted_by("float_tolerance 0", b"1", b"1.0\0x"), TOOLS);
    assert_eq!(accepted_by("float_tolerance 0", b"1", b"1\0x"), TOOLS);
    assert_eq!(accepted_by("float_tolerance 0", b"one", b"one\0x"), [Kattis]);
}

#[test]
fn domjudge_takes_a_tolerance_of_nan_as_none() {
    let domjudge = |arguments: &str, output: &[u8]| accepted_by(arguments, b"1", output).contains(&Domjudge);
    let parsed = |arguments: &[&str]| Options::parse(arguments, Domjudge).unwrap();
    assert_eq!(parsed(&["float_tolerance", "nan"]).tolerance, None);
    let both = ["float_absolute_tolerance", "nan", "float_relative_tolerance", "1"];
    assert_eq!(parsed(&both), parsed(&["float_relative_tolerance", "1"]));
    assert!(domjudge("float_relative_tolerance 1", b"2") && !domjudge("float_relative_tolerance 1", b"3"));
}

#[test]
fn the_tools_read_more_numbers_than_the_text() {
    for zero in ["0x0", "0X0p+1", "0e", "0E+", ".0e-", "0x.", "-0x0p-", "0x0P"] {
        assert_eq!(accepted_by("float_absolute_tolerance 1", b"0", zero.as_bytes()), TOOLS, "{zero}");
    }
    for no_number in
        ["", ".", "e1", ".e1", "0x", "0x.p", "0xp1", "1e1e", "1e+-", "1e1.", "0x1p1p", "1..", "--1", "infi", "nan()"]
    {
        assert_eq!(
            accepted_by("float_absolute_tolerance 1e9", b"0", format!("+{no_number}").as_bytes()),
            [],
            "{no_number}"
        );
    }
    for zero in ["0", "-0", "+.0", "0.", "00.00E-00", "0e99999999999999999999"] {
        assert_eq!(accepted_by("float_relative_tolerance 0", b"0", zero.as_bytes()), ALL, "{zero}");
    }
    assert_eq!(accepted_by("float_tolerance 0", b"0x1.8p-1", b"0.75"), TOOLS);
}

#[test]
fn only_domjudge_reads_infinities_and_what_is_not_a_number() {
    assert_eq!(accepted_by("float_tolerance 1", b"inf", b"INF"), ALL);
    assert_eq!(accepted_by("float_tolerance 1", b"inf", b"+Infinity"), [Domjudge]);
    assert_eq!(accepted_by("float_tolerance 1 case_sensitive", b"inf", b"INF"), [Domjudge]);
    assert_eq!(accepted_by("float_tolerance 1", b"nan", b"-NaN"), [Domjudge]);
    assert_eq!(accepted_by("float_tolerance 1", b"inf", b"-inf"), []);
    assert_eq!(accepted_by("float_tolerance 1", b"nan", b"inf"), []);
    assert_eq!(accepted_by("float_tolerance 1", b"0", b"nan"), []);
    assert_eq!(accepted_by("", b"nan", b"-nan"), [], "without a tolerance they are text");
}

#[test]
fn each_dialect_has_its_own_range_and_precision() {
    assert_eq!(accepted_by("float_relative_tolerance 0", b"0", b"1e-4000"), [Kattis]);
    assert_eq!(accepted_by("float_relative_tolerance 0", b"0", b"1e-5000"), TOOLS);
    assert_eq!(accepted_by("float_relative_tolerance 0.1", b"1e5000", b"2e5000"), [Domjudge]);
    assert_eq!(accepted_by("float_relative_tolerance 0.1", b"1e4000", b"2e4000"), []);
    assert_eq!(accepted_by("float_relative_tolerance 0.1", b"1e400", b"1.05e400"), [Spec, Domjudge]);
    assert_eq!(accepted_by("float_tolerance 0", b"1", b"1.00000000000000001"), [Kattis]);
    assert_eq!(accepted_by("float_tolerance 0", b"1", b"1.00000000000000000001"), TOOLS);
    assert_eq!(accepted_by("float_absolute_tolerance 0.1", b"1.0", b"1.1"), [Spec]);
    assert_eq!(accepted_by("float_relative_tolerance 1e-6", b"0", b"1e-300"), []);
}

#[test]
fn the_tools_take_the_last_of_several_tolerances_and_a_negative_one_as_none() {
    let parse = |arguments: &str, dialect| Options::parse(&arguments.split(' ').collect::<Vec<_>>(), dialect);
    assert!(parse("float_tolerance 1 float_tolerance 2", Spec).is_err());
    assert_eq!(accepted_by_tools("float_tolerance 5 float_tolerance 0", b"1", b"2"), []);
    assert_eq!(accepted_by_tools("float_tolerance 0 float_absolute_tolerance 5", b"1", b"2"), TOOLS);
    assert_eq!(accepted_by_tools("float_tolerance -1", b"1", b"1.0"), []);
    assert_eq!(accepted_by_tools("float_tolerance 0x1p0", b"1", b"2"), TOOLS);
    for arguments in ["what", "float_tolerance", "float_tolerance x", "float_tolerance 1x"] {
        assert!(ALL.iter().all(|dialect| parse(arguments, *dialect).is_err()), "{arguments}");
    }
    assert!(parse("float_tolerance inf", Kattis).is_err() && parse("float_tolerance inf", Domjudge).is_ok());
    assert!(parse("float_tolerance -1", Spec).is_err());
}

#[test]
fn refused_arguments_are_shown_with_at_most_40_characters() {
    let refused = |arguments: &[&str]| Options::parse(arguments, Spec).unwrap_err().to_string();
    let (ones, shown) = ("1".repeat(10_001), "1".repeat(40));
    let flag = "float_absolute_tolerance";
    assert_eq!(
        refused(&[flag, &ones]),
        format!(
            "{flag} must be followed by a number of at most 10000 digits; found \"{shown}...\", which has 10001 digits"
        )
    );
    let negative = format!("-{ones}");
    let found = format!("\"-{}...\"", "1".repeat(39));
    for (value, found) in [(negative.as_str(), found.as_str()), ("x", "\"x\"")] {
        let wanted = format!("{flag} must be followed by a number that is not negative, such as 1e-6; found {found}");
        assert_eq!(refused(&[flag, value]), wanted);
    }
    assert!(refused(&[flag]).ends_with("; found nothing"));
    assert!(refused(&[&ones]).contains(&format!("has no argument \"{shown}...\"; allowed: case_sensitive")));
    // Kattis has no maximum number of digits. It refuses this long text because it is not a number.
    let error = Options::parse(&[flag, &format!("{ones}x")], Kattis).unwrap_err();
    assert!(matches!(error, OptionsError::NotATolerance { .. }), "{error}");
}

fn accepted_by_tools(arguments: &str, answer: &[u8], output: &[u8]) -> Vec<Dialect> {
    let accepts = |dialect: &Dialect| {
        let options = Options::parse(&arguments.split(' ').collect::<Vec<_>>(), *dialect).unwrap();
        compare(answer, output, &options).unwrap().is_none()
    };
    TOOLS.into_iter().filter(accepts).collect()
}
