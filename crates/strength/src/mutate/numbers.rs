//! Changes numbers. A changed number keeps the style of the original: prefix, separators, width and suffix.

use referee_grammar::Grammar;

/// How a language writes numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// Whether a leading 0 makes a number octal.
    octal: bool,
    /// The separator between digits.
    separator: char,
}

/// Numbers above this value count as limits or moduli; smaller ones count as steps, sizes or indices.
const LARGE: u128 = 1000;
/// Floating-point numbers below this value count as tolerances.
const TOLERANCE: f64 = 1e-3;

impl Style {
    pub(super) fn of(grammar: Grammar) -> Self {
        Self {
            octal: matches!(grammar, Grammar::C | Grammar::Cpp | Grammar::Java),
            separator: if grammar == Grammar::Cpp || grammar == Grammar::C { '\'' } else { '_' },
        }
    }
}

/// The parts of an integer literal.
struct IntegerLiteral<'a> {
    prefix: &'a str,
    digits: &'a str,
    suffix: &'a str,
    radix: u32,
    value: u128,
}

/// Returns the numbers that a programmer could have written by mistake. If `is_capacity` is true, the number only sets
/// how much memory is reserved, and this function returns at most one number, which is smaller.
pub(super) fn others(text: &str, style: Style, is_capacity: bool) -> Vec<String> {
    // Some grammars include the sign in the number. A second sign is an operator, so the text is not a number.
    match text.strip_prefix('-') {
        Some(positive) if positive.starts_with('-') => Vec::new(),
        Some(positive) => {
            others_of_unsigned(positive, style, is_capacity).into_iter().map(|other| format!("-{other}")).collect()
        }
        None => others_of_unsigned(text, style, is_capacity),
    }
}

fn others_of_unsigned(text: &str, style: Style, is_capacity: bool) -> Vec<String> {
    let Some(literal) = read(text, style) else {
        return if is_capacity { Vec::new() } else { other_float(text).into_iter().collect() };
    };
    let value = literal.value;
    let values: &[u128] = match value {
        0 if is_capacity => &[],
        0 => &[1],
        _ if is_capacity && value > LARGE => &[value / 2],
        _ if is_capacity => &[value - 1],
        _ if value > LARGE => &[value - 1, value / 2],
        _ => &[value + 1, value - 1],
    };
    values.iter().map(|&value| literal.write(value, style)).collect()
}

/// Returns whether `other` is one more than `text`, or one less if `more` is false.
pub(super) fn is_next(text: &str, other: &str, style: Style, more: bool) -> bool {
    match (read(text, style), read(other, style)) {
        (Some(old), Some(new)) if more => new.value == old.value + 1,
        (Some(old), Some(new)) => new.value + 1 == old.value,
        _ => false,
    }
}

/// Returns whether the text is a hexadecimal number that looks like a hash multiplier or a seed, for which any other
/// value works as well.
pub(super) fn looks_random(text: &str) -> bool {
    let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) else { return false };
    let digits: Vec<u8> =
        digits.bytes().filter(u8::is_ascii_hexdigit).map(|digit| digit.to_ascii_lowercase()).collect();
    let mut different = digits.clone();
    different.sort_unstable();
    different.dedup();
    digits.len() >= 8 && different.len() >= 6
}

/// Parses an integer literal. Returns `None` for other text, and for values of more than 64 bits.
fn read(text: &str, style: Style) -> Option<IntegerLiteral<'_>> {
    let lower = text.get(..2).unwrap_or_default().to_ascii_lowercase();
    let (prefix, radix) = match lower.as_str() {
        "0x" => (2, 16),
        "0b" => (2, 2),
        "0o" => (2, 8),
        _ if style.octal && text.len() > 1 && text.starts_with('0') && text.as_bytes()[1].is_ascii_digit() => (1, 8),
        _ => (0, 10),
    };
    let rest = text.get(prefix..)?;
    let is_part = |letter: char| letter.is_digit(radix) || letter == style.separator;
    let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
    let (digits, suffix) = rest.split_at(end);
    let is_suffix = suffix.chars().all(|letter| letter.is_ascii_alphanumeric())
        && !suffix.starts_with(['e', 'E', 'p', 'P', 'f', 'F', 'd', 'D'])
        && !suffix.starts_with(|letter: char| letter.is_ascii_digit());
    let value = u128::from_str_radix(&digits.replace(style.separator, ""), radix).ok()?;
    // Larger values are not changed, because they could overflow.
    (is_suffix && value <= u128::from(u64::MAX)).then_some(IntegerLiteral {
        prefix: &text[..prefix],
        digits,
        suffix,
        radix,
        value,
    })
}

impl IntegerLiteral<'_> {
    fn write(&self, value: u128, style: Style) -> String {
        let is_upper = self.digits.contains(|letter: char| letter.is_ascii_uppercase());
        let plain = match self.radix {
            16 if is_upper => format!("{value:X}"),
            16 => format!("{value:x}"),
            8 => format!("{value:o}"),
            2 => format!("{value:b}"),
            _ => value.to_string(),
        };
        let places = self.digits.chars().filter(|&letter| letter != style.separator).count();
        let padded = if self.radix == 10 { plain } else { format!("{plain:0>places$}") };
        format!("{}{}{}", self.prefix, self.separated(&padded, style), self.suffix)
    }

    /// Inserts the separators at the same positions as in the original, counted from the end.
    fn separated(&self, digits: &str, style: Style) -> String {
        let mut old = self.digits.chars().rev().peekable();
        let mut reversed = String::new();
        for digit in digits.chars().rev() {
            if old.peek() == Some(&style.separator) {
                reversed.push(style.separator);
                old.next();
            }
            reversed.push(digit);
            old.next();
        }
        reversed.chars().rev().collect()
    }
}

/// Returns a changed floating-point number: 0 becomes 1, a tolerance grows by a factor of 1000, any other number is
/// halved. Returns `None` if the text is not a decimal number.
fn other_float(text: &str) -> Option<String> {
    let end = text.find(|letter: char| !(letter.is_ascii_digit() || ".eE+-_'".contains(letter))).unwrap_or(text.len());
    let (number, suffix) = text.split_at(end);
    if number.starts_with("0x") || number.starts_with("0X") || suffix.len() > 4 {
        return None;
    }
    let value: f64 = number.replace(['_', '\''], "").parse().ok()?;
    let new = match value {
        0.0 => 1.0,
        _ if value < TOLERANCE => value * 1000.0,
        _ => value / 2.0,
    };
    if !new.is_finite() {
        return None;
    }
    // Rounding removes the error of the multiplication, so that a power of ten stays a power of ten.
    let rounded = format!("{new:.12e}").parse().unwrap_or(new);
    Some(format!("{}{suffix}", format_float(rounded)))
}

/// Writes the number with a point or an exponent, so that it stays a floating-point number.
fn format_float(value: f64) -> String {
    let is_plain = (1e-4..1e7).contains(&value.abs());
    if is_plain { format!("{value:?}") } else { format!("{value:e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_one_sign_at_most() {
        let style = Style::of(Grammar::C);
        assert_eq!(others("-5", style, false), ["-6", "-4"]);
        for signs in [2, 3, 500_000] {
            assert!(others(&format!("{}1", "-".repeat(signs)), style, false).is_empty(), "{signs}");
        }
    }
}
