//! Decides what an unquoted word means. YAML reads some words as numbers, dates, booleans or null.

use super::fields::{is_null, merged};
use super::{Key, Node, Value};

impl Node {
    /// Returns the text; `None` if the node is not a scalar, or is an unquoted word that YAML does not read as a text.
    pub fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar { text, plain } if !plain || is_read_as_text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the whole number that the node means; `None` if the node is not an unquoted whole number.
    pub fn as_whole_number(&self) -> Option<i64> {
        self.plain()?.parse().ok()
    }

    /// Returns the node with every `<<` replaced by the keys that it includes.
    #[must_use]
    pub fn with_merges(self) -> Node {
        let value = match self.value {
            Value::Map(entries) => {
                let own = merged(entries).into_iter().map(|(key, node)| (key, node.with_merges()));
                Value::Map(own.collect())
            }
            Value::List(nodes) => Value::List(nodes.into_iter().map(Node::with_merges).collect()),
            scalar @ Value::Scalar { .. } => scalar,
        };
        Node { value, ..self }
    }
}

impl Key {
    /// Returns the text; `None` if the key is an unquoted word that YAML does not read as a text. For an unquoted null,
    /// returns the empty text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Key { text, plain: true, .. } if is_null(text) => Some(""),
            Key { text, plain, .. } if !plain || is_read_as_text(text) => Some(text),
            _ => None,
        }
    }
}

/// Returns whether YAML reads an unquoted word as a text. The rules are those of YAML 1.2, section 10.3; for dates,
/// those of YAML 1.1.
fn is_read_as_text(text: &str) -> bool {
    !(is_null(text) || is_boolean(text) || is_number(text) || is_date(text))
}

fn is_boolean(text: &str) -> bool {
    matches!(text, "true" | "True" | "TRUE" | "false" | "False" | "FALSE")
}

fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits =
        |text: &str, base: u32| !text.is_empty() && text.chars().all(|letter| letter == '_' || letter.is_digit(base));
    if let Some((prefix, rest)) = unsigned.split_at_checked(2) {
        match prefix {
            "0x" => return digits(rest, 16),
            "0o" => return digits(rest, 8),
            "0b" => return digits(rest, 2),
            _ => {}
        }
    }
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let starts_well = unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.' || first == '_');
    let without: String = unsigned.chars().filter(|&letter| letter != '_').collect();
    starts_well && (digits(unsigned, 10) || without.parse::<f64>().is_ok())
}

/// Returns whether the text is a date such as `2026-11-21`, optionally followed by a time.
fn is_date(text: &str) -> bool {
    let mut parts = text.splitn(3, '-');
    let mut number = |least: usize, most: usize| {
        let part = parts.next().unwrap_or_default();
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        (least..=most).contains(&digits).then_some(&part[digits..])
    };
    let (year, month, day) = (number(4, 4), number(1, 2), number(1, 2));
    year == Some("")
        && month == Some("")
        && day.is_some_and(|rest| rest.is_empty() || rest.starts_with(['T', 't', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_yaml_takes_for_something_else_are_no_texts() {
        for word in ["5", "-5", "1_000", "0x1F", "0o17", "1.5", "1e3", ".5", ".inf", "true", "False", "~", "", "null"] {
            assert!(!is_read_as_text(word), "{word}");
        }
        assert!(!is_read_as_text("2026-11-21"));
        for word in ["a", "1-a", "gen.py 5", "yes", "0x", "1.2.3", "2026-11-21-a", "-", "."] {
            assert!(is_read_as_text(word) || word == "0x", "{word}");
        }
    }
}
