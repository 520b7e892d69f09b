//! Splits a program into tokens.

use crate::{Position, SyntaxError};

/// A token and its start.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token<'a> {
    pub(crate) kind: Kind<'a>,
    /// The offset of the token's first byte from the start of the program.
    pub(crate) start: usize,
}

/// The parts of a program. Whitespace and comments are left out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind<'a> {
    /// The digits of an integer literal.
    Integer(&'a str),
    /// A literal with a fraction, an exponent or leading zeros.
    Float(&'a str),
    /// The bytes of a string literal, after its escapes are resolved.
    String(Vec<u8>),
    /// A name in capital letters.
    Keyword(&'a str),
    /// The name of a variable.
    Variable(&'a str),
    /// An operator, a bracket or a comma.
    Symbol(&'static str),
}

/// All symbols except `]`. A symbol comes before every symbol that is a prefix of it, so that the first match is the
/// longest one.
const SYMBOLS: [&str; 20] =
    ["<=", ">=", "==", "!=", "&&", "||", "<", ">", "=", "!", "+", "-", "*", "/", "%", "^", ",", "(", ")", "["];

/// Splits the program. Fails at the first byte that begins no token, and at a string without an end or with an invalid
/// escape.
pub(crate) fn split(text: &[u8]) -> Result<Vec<Token<'_>>, SyntaxError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let rest = &text[at..];
        let length = match byte {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => {
                at += 1;
                continue;
            }
            b'#' => {
                at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
                continue;
            }
            b'"' => {
                string_length(rest).ok_or_else(|| error(text, at, "this string has no closing quote".to_owned()))?
            }
            b'0'..=b'9' | b'.' => number_length(rest).ok_or_else(|| unknown(text, at))?,
            b'A'..=b'Z' => run(rest, u8::is_ascii_uppercase),
            b'a'..=b'z' => run(rest, |byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()),
            b']' => 1,
            _ => SYMBOLS
                .iter()
                .find(|symbol| rest.starts_with(symbol.as_bytes()))
                .ok_or_else(|| unknown(text, at))?
                .len(),
        };
        let word = str::from_utf8(&rest[..length]).unwrap_or_default();
        let kind = match byte {
            b'"' => Kind::String(unescaped(&rest[1..length - 1]).map_err(|message| error(text, at, message))?),
            b'0'..=b'9' | b'.' if is_integer(word) => Kind::Integer(word),
            b'0'..=b'9' | b'.' => Kind::Float(word),
            b'A'..=b'Z' => Kind::Keyword(word),
            b'a'..=b'z' => Kind::Variable(word),
            b']' => Kind::Symbol("]"),
            _ => Kind::Symbol(SYMBOLS.iter().find(|symbol| **symbol == word).copied().unwrap_or_default()),
        };
        tokens.push(Token { kind, start: at });
        at += length;
    }
    Ok(tokens)
}

fn error(text: &[u8], offset: usize, message: String) -> SyntaxError {
    SyntaxError { position: Position::at(text, offset), message }
}

fn unknown(text: &[u8], offset: usize) -> SyntaxError {
    error(text, offset, format!("found {:?}, which begins no command, number or string", char::from(text[offset])))
}

fn run(text: &[u8], belongs: impl Fn(&u8) -> bool) -> usize {
    text.iter().take_while(|byte| belongs(byte)).count()
}

/// Returns the length of the string literal at the start of `text`, with its quotes; `None` if it has no end.
fn string_length(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        match text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// Returns the length of the number at the start of `text`; `None` for a dot without a digit.
fn number_length(text: &[u8]) -> Option<usize> {
    let digits = |from: usize| run(&text[from.min(text.len())..], u8::is_ascii_digit);
    let whole = digits(0);
    let mut end = whole;
    if text.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        if whole + fraction == 0 {
            return None;
        }
        end += 1 + fraction;
    }
    if let Some(b'e' | b'E') = text.get(end) {
        let sign = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        end += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    Some(end)
}

fn is_integer(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit()) && (word == "0" || !word.starts_with('0'))
}

/// Resolves the escapes of a string. A backslash that begins no escape is kept. Fails if an octal escape is above 377.
fn unescaped(text: &[u8]) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let octal = run(&text[at..], |byte| (b'0'..=b'7').contains(byte)).min(3);
        if octal > 0 {
            let code = text[at..at + octal].iter().fold(0_u32, |code, digit| code * 8 + u32::from(digit - b'0'));
            let byte = u8::try_from(code).map_err(|_| format!("found \\{code:o}, allowed: \\0 to \\377"))?;
            bytes.push(byte);
            at += octal;
            continue;
        }
        match text.get(at) {
            Some(b'\n') => {}
            Some(b'n') => bytes.push(b'\n'),
            Some(b't') => bytes.push(b'\t'),
            Some(b'r') => bytes.push(b'\r'),
            Some(b'b') => bytes.push(0x08),
            Some(escaped @ (b'"' | b'\\')) => bytes.push(*escaped),
            other => {
                bytes.push(b'\\');
                bytes.extend(other);
            }
        }
        at += 1;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind<'_>> {
        split(text.as_bytes()).unwrap().into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn numbers_names_and_symbols_are_told_apart() {
        let expected = [
            Kind::Keyword("INT"),
            Kind::Symbol("("),
            Kind::Integer("10"),
            Kind::Symbol("^"),
            Kind::Float("1.5e-3"),
            Kind::Symbol("<="),
            Kind::Variable("a1"),
            Kind::Symbol("["),
            Kind::Float("007"),
            Kind::Symbol("]"),
        ];
        assert_eq!(kinds("INT(10^1.5e-3 <=a1 # comment )\n[007]"), expected);
    }

    #[test]
    fn escapes_of_strings_are_resolved() {
        assert_eq!(kinds(r#""a\n\t\"\\\101\q""#), [Kind::String(b"a\n\t\"\\A\\q".to_vec())]);
        assert_eq!(kinds("\"a\\\nb\""), [Kind::String(b"ab".to_vec())]);
    }

    #[test]
    fn an_error_names_line_and_column() {
        let error = |text: &str| split(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(error("SPACE\n  \"abc"), "2:3: this string has no closing quote");
        assert_eq!(error("INT(1 $ 2)"), "1:7: found '$', which begins no command, number or string");
        assert_eq!(error("STRING(\"\\777\")"), "1:8: found \\777, allowed: \\0 to \\377");
    }
}
