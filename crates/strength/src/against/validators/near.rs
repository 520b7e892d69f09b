//! Finds numbers near those in the changed lines of a source. The hunt tries these numbers, because an off-by-one
//! change of a limit shows only at the limit itself.

use std::collections::BTreeSet;

/// The maximum number of different numbers that [`near_numbers`] returns.
const MOST_NEAR: usize = 64;

/// The largest literal that is read. Larger literals are skipped, because they are not limits.
const LARGEST: i128 = u64::MAX as i128;

/// Returns the whole numbers that occur in a source text before or after a change, and the numbers one below and one
/// above each of them. Each number is returned with both signs. If there are more than [`MOST_NEAR`], returns only
/// those near the first literals.
pub(super) fn near_numbers(was: &str, is: &str) -> Vec<i128> {
    let mut found = BTreeSet::new();
    for value in literals(was).into_iter().chain(literals(is)) {
        let next = [value - 1, value, value + 1];
        for number in next.iter().copied().chain(next.iter().map(|number| -number)) {
            if found.len() < MOST_NEAR {
                found.insert(number);
            }
        }
    }
    found.into_iter().collect()
}

/// Returns the values of the decimal literals of whole numbers, in any of the languages: `100000`, `100'000`,
/// `100_000`, `1e5` and `100000.0`. Skips literals in other bases, and digits in names.
fn literals(source: &str) -> Vec<i128> {
    let letters = source.as_bytes();
    let is_word = |letter: &u8| letter.is_ascii_alphanumeric() || *letter == b'_';
    let mut found = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        if !is_word(&letters[at]) {
            at += 1;
            continue;
        }
        // A literal continues after a digit separator, a decimal point or the sign of an exponent. Other words end
        // there.
        let end = literal_end(letters, at).unwrap_or_else(|| {
            let rest = letters[at..].iter().position(|letter| !is_word(letter));
            rest.map_or(letters.len(), |length| at + length)
        });
        found.extend(value(&source[at..end]));
        at = end;
    }
    found
}

/// Returns the end of the decimal literal that begins at `at`; `None` if none begins there.
fn literal_end(letters: &[u8], at: usize) -> Option<usize> {
    letters[at].is_ascii_digit().then_some(())?;
    let mut end = at;
    while let Some(letter) = letters.get(end) {
        let digit_follows = letters.get(end + 1).is_some_and(u8::is_ascii_digit);
        let is_exponent_sign =
            end > at && letters[end - 1].eq_ignore_ascii_case(&b'e') && matches!(letter, b'+' | b'-');
        let goes_on = letter.is_ascii_alphanumeric()
            || *letter == b'_'
            || (digit_follows && (matches!(letter, b'\'' | b'.') || is_exponent_sign));
        if !goes_on {
            break;
        }
        end += 1;
    }
    Some(end)
}

/// Returns the value of a literal; `None` if it is not a whole number in decimal digits.
fn value(literal: &str) -> Option<i128> {
    let text: String = literal.chars().filter(|letter| !matches!(letter, '_' | '\'')).collect();
    let text = text.to_ascii_lowercase();
    // The rest is a type suffix, as in 5LL, 5u64 and 5.0f.
    let text = text.split(['u', 'l', 'i', 'f']).next().unwrap_or_default();
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() || ![whole, fraction].concat().bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let fraction = fraction.trim_end_matches('0');
    let shift = exponent.parse::<u32>().ok()?.checked_sub(u32::try_from(fraction.len()).ok()?)?;
    let value = [whole, fraction].concat().parse::<i128>().ok()?.checked_mul(10_i128.checked_pow(shift)?)?;
    (value <= LARGEST).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_next_to_those_of_the_changed_line_are_found() {
        let near = near_numbers("Int(-100, 100)", "Int(-100, 101)");
        assert_eq!(near, [-102, -101, -100, -99, 99, 100, 101, 102]);
        assert!(near_numbers("99999999999999999999999", "x").is_empty());
    }

    #[test]
    fn the_numbers_near_the_first_literals_are_kept_with_both_signs() {
        let comparisons: Vec<_> = (1..=50).map(|number| format!("x{number} < {number}000")).collect();
        let near = near_numbers(&comparisons.join(" "), "");
        assert_eq!(near.len(), MOST_NEAR);
        assert!([-1001, -1000, 999, 1001, 9_999, 10_001].iter().all(|number| near.contains(number)), "{near:?}");
    }

    #[test]
    fn literals_are_read_as_the_languages_write_them() {
        for (source, wanted) in [
            ("Int(1, 1e5);", &[1, 100_000][..]),
            ("Int(-200'000, 2e+5)", &[200_000, 200_000]),
            ("1_000_000 <= x <= 10**9", &[1_000_000, 10, 9]),
            ("x <= 50000.0 || x > 1.5e3 || y < 0.5", &[50_000, 1_500]),
            ("const long long M = 1000000LL, N = 5u, R = 7_i64;", &[1_000_000, 5, 7]),
            ("x2 + a_10 + 0x1f + y[3]", &[3]),
            ("1e-5 1e400 1..10 'a'", &[1, 10]),
            ("\u{e9} 7 \u{e9}", &[7]),
        ] {
            assert_eq!(literals(source), wanted, "{source}");
        }
    }
}
