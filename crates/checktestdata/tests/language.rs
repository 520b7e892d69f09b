//! Tests every construct of the language with valid and invalid inputs and programs, and the position of each error.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of a test may fail as the test does"
)]

use std::time::{Duration, Instant};

use referee_checktestdata::{Failure, Limits, Program};

const LIMITS: Limits = Limits { until: None, is_interrupted: || false, memory_bytes: 64 << 20 };

/// Checks an input. Returns the text of the failure, or an empty text.
fn check(program: &str, input: &str) -> String {
    let program = Program::parse(program.as_bytes()).unwrap_or_else(|error| panic!("{program}: {error}"));
    program.check(input.as_bytes(), LIMITS).map_or_else(|failure| failure.to_string(), |()| String::new())
}

/// Asserts for each program and input that the failure begins with the expected text. If this text is empty, the input
/// must be accepted.
fn assert_all(rows: &[(&str, &str, &str)]) {
    for (program, input, expected) in rows {
        let found = check(program, input);
        let is_right = if expected.is_empty() { found.is_empty() } else { found.starts_with(expected) };
        assert!(is_right, "{program}\non {input:?}: found {found:?}, expected {expected:?}");
    }
}

#[test]
fn literals_match_exactly() {
    assert_all(&[
        ("SPACE NEWLINE", " \n", ""),
        ("SPACE", "\t", "1:1: found \"\\t\", expected a space (SPACE at 1:1 of the validator)"),
        ("NEWLINE", "\r\n", "1:1: found \"\\r\", expected the end of the line"),
        ("STRING(\"ab\") NEWLINE", "ab\n", ""),
        ("STRING(\"ab\")", "ac", "1:1: found \"ac\", expected \"ab\""),
        ("NEWLINE\n  EOF", "\nx", "2:1: found \"x\", expected the end of the input (EOF at 2:3 of the validator)"),
        ("NEWLINE", "\n\n", "2:1: found the end of the line, expected the end of the input"),
        ("NEWLINE # comment", "", "1:1: found the end of the input, expected the end of the line"),
    ]);
}

#[test]
fn integers_have_no_leading_zeros_and_any_size() {
    assert_all(&[
        ("INT(-5, 10)", "-5", ""),
        ("INT(0, 10)", "0", ""),
        ("INT(0, 10)", "11", "1:1: found \"11\", expected a number from 0 to 10"),
        ("INT(0, 10)", "007", "1:1: found \"007\", expected an integer without leading zeros"),
        ("INT(-1, 10)", "-0", "1:1: found \"-0\", expected an integer without leading zeros"),
        ("INT(0, 10)", "+1", "1:1: found \"+1\", expected an integer"),
        ("INT(0, 10)", "", "1:1: found the end of the input"),
        ("INT(0, 10^30)", "1000000000000000000000000000000", ""),
        ("INT(0, 10^30)", "1000000000000000000000000000001", "1:1: found \"100000000000000000000000...\""),
        ("INT(-2^63, 2^63 - 1)", "-9223372036854775808", ""),
        ("INT(-2^63, 2^63 - 1)", "9223372036854775807", ""),
        ("INT(-2^63, 2^63 - 1)", "9223372036854775808", "1:1: found \"9223372036854775808\", expected a number from -"),
        ("INT(0, 10^18 - 1)", "999999999999999999", ""),
        ("INT(0, 10^18 - 1)", "1000000000000000000", "1:1: found \"1000000000000000000\", expected a number from 0"),
        ("INT(-10^18, 10^18, x) ASSERT(x == -10^18)", "-1000000000000000000", ""),
        ("INT(0, 2^64)", "-1", "1:1: found \"-1\", expected a number from 0 to 18446744073709551616"),
        ("INT(-2^64, 2^64) SPACE INT(2^64, 2^64)", "0 18446744073709551616", ""),
        ("INT(0, 5 / 0)", "x", "1:1: division by zero"),
        ("INT(0, n)", "x", "1:1: the variable n is not set"),
        ("SET(n = 3) INT(-10, -n)", "0", "1:1: found \"0\", expected a number from -10 to -3"),
        ("SET(n = 3, a[2] = n + 1) INT(-n, a[n - 1], a[-n])", "-3", ""),
        ("SET(n = 3, a[2] = n + 1) INT(-n, a[n - 1], a[-n])", "5", "1:1: found \"5\", expected a number from -3 to 4"),
        ("INT(1.5, 3)", "2", "1:1: a bound of INT is a float, expected an integer"),
    ]);
}

#[test]
fn floats_are_exact_and_have_a_notation() {
    assert_all(&[
        ("FLOAT(0, 1)", "0.5", ""),
        ("FLOAT(0, 0.3)", "0.30000000000000000000000000000001", "1:1: found \"0.3000000000000000000000...\""),
        ("FLOAT(0, 100)", "1e2", ""),
        ("FLOAT(0, 100)", "1.", "1:1: found \"1.\", expected a float"),
        ("FLOAT(0, 100)", ".5", "1:1: found \".5\", expected a float"),
        ("FLOAT(0, 100)", "01.5", "1:1: found \"01.5\", expected a float"),
        ("FLOAT(-1, 1)", "-0.0", "1:1: found \"-0.0\", expected zero without a sign"),
        ("FLOAT(0, 9, x, FIXED)", "1.5", ""),
        ("FLOAT(0, 9, x, FIXED)", "1e0", "1:2: found \"e0\", expected the end of the input"),
        ("FLOAT(0, 9, x, SCIENTIFIC)", "1.5E+0", ""),
        ("FLOAT(0, 9, x, SCIENTIFIC)", "1.5", "1:1: found \"1.5\", expected a float with an exponent"),
        ("FLOATP(0, 9, 1, 2)", "1.25", ""),
        ("FLOATP(0, 9, 1, 2)", "1", "1:1: found \"1\", expected a float with 1 to 2 decimals"),
        ("FLOATP(0, 9, 1, 2)", "1.255", "1:1: found \"1.255\", expected a float with 1 to 2 decimals"),
        ("FLOATP(0, 99, 0, 2)", "12.5e0", "1:1: found \"12.5e0\", expected one digit from 1 to 9"),
        ("FLOATP(0, 9, 0.5, 2)", "1.5", "1:1: the numbers of decimals of FLOATP must be non-negative integers"),
    ]);
}

#[test]
fn regular_expressions_match_and_are_remembered() {
    assert_all(&[
        ("REGEX(\"[a-z]+\", s) ASSERT(STRLEN(s) == 3)", "abc", ""),
        ("REGEX(\"[a-z]+\")", "ABC", "1:1: found \"ABC\", expected a match of \"[a-z]+\""),
        ("REGEX(\"p|ps\")", "ps", "1:2: found \"s\", expected the end of the input"),
        ("SET(r = \"[01]{2}\") REGEX(r) REGEX(r)", "0110", ""),
        ("SET(r = \"[\") REGEX(r)", "0", "1:14: the regular expression is wrong at byte 1: this set has no end"),
    ]);
}

#[test]
fn expressions_follow_precedence() {
    let values = [
        ("2 + 3 * 4", "14"),
        ("(2 + 3) * 4", "20"),
        ("-2^2", "-4"),
        ("2^3^2", "64"),
        ("7 / 2 * 2", "6"),
        ("-7 / 2", "-3"),
        ("-7 % 3", "-1"),
        ("10 - 2 - 3", "5"),
        ("1.5 * 2", "3"),
        ("STRLEN(\"a\\n\")", "2"),
        ("10^18 * 10^18", "10^36"),
    ];
    for (expression, value) in values {
        assert_eq!(check(&format!("ASSERT({expression} == {value})"), ""), "", "{expression}");
        assert!(check(&format!("ASSERT({expression} != {value})"), "").contains("the assertion is false"));
    }
}

#[test]
fn conditions_follow_precedence() {
    let tests = ["1 < 2 || 1 > 2 && 1 > 2", "!1 > 2", "!(1 < 2 && 2 < 1)", "\"a\" < \"b\"", "ISEOF", "!MATCH(\"a\")"];
    for test in tests {
        assert_eq!(check(&format!("ASSERT({test})"), ""), "", "{test}");
    }
    assert_all(&[
        ("IF(MATCH(\"ab\")) STRING(\"b\") ELSE STRING(\"x\") END", "b", ""),
        ("IF(MATCH(\"ab\")) STRING(\"b\") ELSE STRING(\"x\") END", "x", ""),
        ("IF(ISEOF) ELSE NEWLINE END", "\n", ""),
        ("NEWLINE ASSERT(1 == 2)", "\n", "2:1: the assertion is false (ASSERT at 1:9 of the validator)"),
    ]);
}

#[test]
fn loops_count_and_separate() {
    assert_all(&[
        ("REP(3, SPACE) INT(0, 9) END", "1 2 3", ""),
        ("REP(3, SPACE) INT(0, 9) END", "1 2", "1:4: found the end of the input, expected a space (SPACE at 1:8"),
        ("REP(0) INT(0, 9) END", "", ""),
        ("REP(-1) END", "", "1:1: the number of repetitions is -1, expected a non-negative integer"),
        ("REPI(i, 3, SPACE) INT(i, i) END ASSERT(i == 3)", "0 1 2", ""),
        ("WHILE(!ISEOF, NEWLINE) INT(0, 9) END", "1\n2", ""),
        ("WHILEI(i, i < 2) STRING(\"x\") END ASSERT(i == 2)", "xx", ""),
        ("REPI(a[7], 2) END ASSERT(a[7] == 2)", "", ""),
        ("REP(2) REP(2) STRING(\"a\") END STRING(\"b\") END", "aabaab", ""),
    ]);
}

#[test]
fn arrays_are_compared_and_forgotten() {
    let read = "REPI(i, 3, SPACE) INT(0, 9, a[i]) END";
    assert_eq!(check(&format!("{read} ASSERT(UNIQUE(a))"), "1 2 3"), "");
    assert!(check(&format!("{read} ASSERT(UNIQUE(a))"), "1 2 1").contains("the assertion is false"));
    assert_eq!(check(&format!("{read} ASSERT(INARRAY(2, a) && !INARRAY(5, a))"), "1 2 1"), "");
    assert_eq!(check(&format!("{read} UNSET(a) ASSERT(!INARRAY(2, a))"), "1 2 1"), "");
    let pairs = "REPI(i, 2, SPACE) INT(0, 9, x[i]) SPACE INT(0, 9, y[i]) END ASSERT(UNIQUE(x, y))";
    assert_eq!(check(pairs, "1 2 1 3"), "");
    assert!(check(pairs, "1 2 1 2").contains("the assertion is false"));
    assert_all(&[
        ("SET(a = 1, b = 2, a[0] = 2, b[0] = 2) ASSERT(UNIQUE(a, b))", "", ""),
        ("SET(a = 1, b = 2, a[0] = 1, b[0] = 2) ASSERT(UNIQUE(a, b))", "", "1:1: the assertion is false"),
        ("SET(a = 1, a[0] = 1, b[0] = 2) ASSERT(UNIQUE(a, b))", "", "1:1: UNIQUE requires that a and b have the same"),
        ("SET(a[0] = 1) ASSERT(UNIQUE(a, b))", "", "1:1: UNIQUE requires that a and b have the same indices"),
        ("SET(a[1, 2] = 5, b = a[1, 2]) ASSERT(b == 5)", "", ""),
        ("SET(b = a[1])", "", "1:1: the variable a[1] is not set"),
        ("SET(a[0.5] = 1)", "", "1:1: an index of a is a float, expected an integer"),
        ("SET(a[-1] = 3, a[10^20] = 4) ASSERT(a[-1] + a[10^20] == 7)", "", ""),
    ]);
}

#[test]
fn wrong_types_say_nothing_about_the_input() {
    for (program, message) in [
        ("SET(b = 1) ASSERT(b == \"1\")", "cannot compare an integer with a string"),
        ("SET(b = 1) SET(a = \"x\" + b)", "cannot compute with a string and an integer"),
        ("SET(a = 1 / 0)", "division by zero"),
        ("SET(b = 1) SET(a = b % 0)", "division by zero"),
        ("SET(b = 1.5) SET(a = b % 2)", "% needs integers"),
        ("SET(b = 2) SET(a = b ^ -1)", "the exponent of ^"),
        ("SET(b = 9) SET(a = b ^ 999999999)", "the result would have more than"),
        ("STRING(5)", "found an integer, expected a string"),
        ("SET(a = -\"x\")", "cannot negate a string"),
    ] {
        let found = Program::parse(program.as_bytes()).unwrap().check(b"", LIMITS);
        let Err(Failure::Broken { message: found, .. }) = found else { panic!("{program}: {found:?}") };
        assert!(found.contains(message), "{program}: {found}");
    }
}

#[test]
fn mistakes_in_programs_have_a_position() {
    for (program, expected) in [
        ("INT(1)", "1:6: found \")\", expected \",\""),
        ("INT(1, 2, 3)", "1:11: found 3, expected a variable"),
        ("FLOAT(1, 2, x, ROUND)", "1:16: found ROUND, expected FIXED or SCIENTIFIC"),
        ("REP(3)\n  SPACE", "2:8: found the end of the program, expected the END of this REP"),
        ("SPACE END", "1:7: found END, expected a command; no REP, REPI, WHILE, WHILEI or IF is open here"),
        ("IF(1 < 2) ELSE ELSE END", "1:16: found ELSE, expected the END of this IF"),
        ("TABS", "1:1: found TABS, expected a command: SPACE, NEWLINE"),
        ("ASSERT(1)", "1:8: found a value, expected a condition"),
        ("INT(1 < 2, 3)", "1:5: found a condition, expected a number or a string"),
        ("ASSERT(1 && 2 < 3)", "1:10: found a value, expected a condition on both sides of &&"),
        ("ASSERT((1 < 2) < 3)", "1:16: found a condition, expected a value on both sides of <"),
        ("ASSERT(!3)", "1:8: found a value after !, expected a condition"),
        ("REGEX(\"a**\")", "1:7: the regular expression is wrong at byte 3"),
        ("SET(a = 1 % 0)", "1:11: division by zero"),
        ("REP(2, REP(2)) END END", "1:8: found REP, expected a command"),
        ("1", "1:1: found 1, expected a command"),
    ] {
        let found = Program::parse(program.as_bytes()).unwrap_err().to_string();
        assert!(found.starts_with(expected), "{program}: {found}");
    }
}

#[test]
fn nothing_runs_or_grows_for_ever() {
    let soon = Limits { until: Some(Instant::now() + Duration::from_millis(50)), ..LIMITS };
    let endless = Program::parse(b"WHILE(1 < 2) END").unwrap();
    assert_eq!(endless.check(b"", soon), Err(Failure::OutOfTime));
    let growing = Program::parse(b"WHILEI(i, 1 < 2) SET(a[i] = i) END").unwrap();
    assert_eq!(growing.check(b"", Limits { memory_bytes: 1 << 20, ..LIMITS }), Err(Failure::OutOfMemory(1)));
    let deep = ["ASSERT(", &"(".repeat(100_000), "1"].concat();
    assert!(Program::parse(deep.as_bytes()).unwrap_err().message.contains("nested more than 200 levels deep"));
    let long = ["ASSERT(0 < 1", &"+ 1".repeat(100_000), ")"].concat();
    assert!(Program::parse(long.as_bytes()).unwrap_err().message.contains("operators in one command"));
}

#[test]
fn long_numbers_are_checked_without_being_expanded() {
    let nines = "9".repeat(1_000_000);
    assert_all(&[
        ("FLOAT(0, 1)", "1e-1000000", ""),
        ("FLOAT(0, 1)", "1e-99999999999999999999", ""),
        ("FLOAT(0, 1)", "1e1000000", "1:1: found \"1e1000000\", expected a number from 0 to 1"),
        ("FLOAT(0, 1)", &format!("0.{nines}"), ""),
        ("FLOAT(0, 1)", &format!("1.{nines}"), "1:1: found \"1.9999"),
        ("INT(0, 9)", &nines, "1:1: found \"9999"),
        ("INT(0, 9, a)", &nines, "1:1: found \"9999"),
        ("FLOAT(0, 1, a)", "1e-1000000", "1:1: found \"1e-1000000\", expected at most 19000 digits"),
        ("INT(0, 10 ^ 1000, a) ASSERT(a * 10 == 10 ^ 1000 - 10)", &"9".repeat(999), ""),
    ]);
    let source = "SET(a = 1e-1000000)";
    let message = Program::parse(source.as_bytes()).unwrap_err().message;
    assert!(message.contains("this number has more than 19000 digits"), "{message}");
}

#[test]
fn a_long_number_does_not_outlast_the_time_or_an_interrupt() {
    let program = Program::parse(b"INT(0, 10 ^ 2000, a)").unwrap();
    let (input, past) = ("1".repeat(1500), Some(Instant::now()));
    assert_eq!(program.check(input.as_bytes(), Limits { until: past, ..LIMITS }), Err(Failure::OutOfTime));
    let interrupted = Limits { is_interrupted: || true, ..LIMITS };
    assert_eq!(program.check(input.as_bytes(), interrupted), Err(Failure::Interrupted));
}
