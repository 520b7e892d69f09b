//! Changes numbers. A changed number keeps the style of the original: prefix, separators, width and suffix.

use super::grammar::Grammar;

/// How a language writes numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// Whether a leading 0 makes a number octal.
    octal: bool,
    /// The separator between digits.
    separator: char,
}

/// Numbers from this value on count as limits and moduli rather than steps.
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
struct Whole<'a> {
    prefix: &'a str,
    digits: &'a str,
    suffix: &'a str,
    radix: u32,
    value: u128,
}

/// Returns the numbers that a programmer could have written by mistake. If the number only sets how much memory is
/// reserved, only a smaller number is returned.
pub(super) fn others(text: &str, style: Style, is_room: bool) -> Vec<String> {
    // Some grammars include the sign in the number.
    if let Some(positive) = text.strip_prefix('-') {
        return others(positive, style, is_room).into_iter().map(|other| format!("-{other}")).collect();
    }
    let Some(whole) = read(text, style) else {
        return if is_room { Vec::new() } else { broken(text).into_iter().collect() };
    };
    let value = whole.value;
    let values: &[u128] = match value {
        0 if is_room => &[],
        0 => &[1],
        _ if is_room && value > LARGE => &[value / 2],
        _ if is_room => &[value - 1],
        _ if value > LARGE => &[value - 1, value / 2],
        _ => &[value + 1, value - 1],
    };
    values.iter().map(|&value| whole.write(value, style)).collect()
}

/// Returns whether the other number is greater by one, or with `more` false, less by one.
pub(super) fn is_next(text: &str, other: &str, style: Style, more: bool) -> bool {
    match (read(text, style), read(other, style)) {
        (Some(old), Some(new)) if more => new.value == old.value + 1,
        (Some(old), Some(new)) => new.value + 1 == old.value,
        _ => false,
    }
}

/// Returns whether the number looks like a hash multiplier or a seed: any other value works as well.
pub(super) fn looks_random(text: &str) -> bool {
    let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) else { return false };
    let digits: Vec<u8> =
        digits.bytes().filter(u8::is_ascii_hexdigit).map(|digit| digit.to_ascii_lowercase()).collect();
    let mut different = digits.clone();
    different.sort_unstable();
    different.dedup();
    digits.len() >= 8 && different.len() >= 6
}

fn read(text: &str, style: Style) -> Option<Whole<'_>> {
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
    // Larger values are not worth changing, and could overflow.
    (is_suffix && value <= u128::from(u64::MAX)).then_some(Whole {
        prefix: &text[..prefix],
        digits,
        suffix,
        radix,
        value,
    })
}

impl Whole<'_> {
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

/// Returns a changed floating-point number: 0 becomes 1, a tolerance grows by a factor of 1000, any other is halved.
fn broken(text: &str) -> Option<String> {
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
    // Rounding keeps a power of ten a power of ten.
    let rounded = format!("{new:.12e}").parse().unwrap_or(new);
    Some(format!("{}{suffix}", written(rounded)))
}

/// Writes the number with a point or an exponent, so that it stays a floating-point number.
fn written(value: f64) -> String {
    let is_plain = (1e-4..1e7).contains(&value.abs());
    if is_plain { format!("{value:?}") } else { format!("{value:e}") }
}
