//! The only place that knows which library reads YAML.

use std::path::Path;

use serde::de::DeserializeOwned;

use super::findings::Findings;

/// YAML files of a package are small; a larger one is a mistake or an attack.
const LARGEST_BYTES: u64 = 4 << 20;

/// What is quoted of a line at most, in characters.
const LONGEST_QUOTE: usize = 40;

/// Reads a YAML file. What is wrong with it goes to `findings`; an empty file is an empty map.
pub(super) fn read<T: DeserializeOwned + Default>(path: &Path, findings: &mut Findings) -> Option<T> {
    let text = text(path, findings)?;
    if text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
        return Some(T::default());
    }
    match serde_saphyr::from_str(&text) {
        Ok(value) => Some(value),
        Err(error) => {
            let place = error.location().map(|location| (location.line(), location.column()));
            findings.error_at(path, place, message(error.without_snippet(), &text));
            None
        }
    }
}

/// What was found and what is allowed, in the words of a setter; the library speaks to programmers.
fn message(error: &serde_saphyr::Error, text: &str) -> String {
    use serde_saphyr::Error::{DuplicateMappingKey, InvalidScalar, SerdeUnknownField, SerdeUnknownVariant, Unexpected};
    match error {
        DuplicateMappingKey { key: Some(key), .. } => format!("the key {key:?} is given twice"),
        SerdeUnknownField { field, expected, .. } => {
            format!("unknown key {field:?}, allowed: {}", expected.join(", "))
        }
        SerdeUnknownVariant { variant, expected, .. } => {
            format!("found {variant:?}, allowed: {}", expected.join(", "))
        }
        InvalidScalar { ty, location } => format!("found {}, allowed: {}", found(text, *location), in_words(ty)),
        Unexpected { expected, location } => {
            format!("found {}, allowed: {}", found(text, *location), in_words(expected))
        }
        other => without_place(&other.to_string()).to_owned(),
    }
}

/// The library ends its messages with the place, which [`super::Finding`] tells already.
fn without_place(text: &str) -> &str {
    &text[..text.find(" at line ").unwrap_or(text.len())]
}

fn in_words(expected: &str) -> &str {
    match expected {
        "mapping start" => "keys with values (key: value)",
        "sequence start" => "a list ([a, b])",
        "floating point" => "a number",
        "string scalar" | "scalar" => "a word or a number",
        other => other,
    }
}

/// What stands at the place, up to the end of its line.
fn found(text: &str, place: serde_saphyr::Location) -> String {
    let line = usize::try_from(place.line()).ok().and_then(|line| text.lines().nth(line.checked_sub(1)?));
    let before = usize::try_from(place.column()).unwrap_or(1).saturating_sub(1);
    let shown: String = line.unwrap_or_default().chars().skip(before).take(LONGEST_QUOTE).collect();
    format!("{:?}", shown.trim_end())
}

fn text(path: &Path, findings: &mut Findings) -> Option<String> {
    let size = std::fs::metadata(path).map(|metadata| metadata.len());
    match size.and_then(|size| if size > LARGEST_BYTES { Ok(None) } else { std::fs::read(path).map(Some) }) {
        Ok(Some(bytes)) => String::from_utf8(bytes).map_err(|_| findings.error(path, "the file is not UTF-8")).ok(),
        Ok(None) => {
            findings.error(path, format!("the file is larger than {} MiB", LARGEST_BYTES >> 20));
            None
        }
        Err(error) => {
            findings.error(path, format!("cannot be read: {error}"));
            None
        }
    }
}
