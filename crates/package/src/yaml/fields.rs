//! Reads the keys of a map, and reports every key or value that is not allowed.

use std::collections::{HashMap, HashSet};

use super::{Key, Node, Position, Source, Value};
use crate::findings::MOST as MOST_FINDINGS;
use referee_text::typo::nearest;

/// The keys of a map that have not been taken yet.
pub struct Fields {
    /// Where the map begins.
    pub place: Position,
    entries: Vec<(Key, Node)>,
    /// Every key that a caller tried to take. Messages list these as the allowed keys.
    known: Vec<&'static str>,
}

/// The largest total size allowed for the texts in a list, in bytes.
const MOST_LIST_BYTES: usize = 64 << 10;

/// The largest number of characters of a value that a message quotes.
const LONGEST_QUOTE: usize = 40;

impl Source<'_> {
    /// Returns the keys of a map. Grading uses all of them, so a key with two different values is an error. Reports an
    /// error and returns `None` if the node is neither a map nor null.
    pub fn fields(&mut self, node: Node) -> Option<Fields> {
        self.fields_except(node, &[])
    }

    /// Returns the keys of a map. Grading ignores the keys in `unused`, so two different values of such a key are only
    /// a warning. Reports an error and returns `None` if the node is neither a map nor null.
    pub(crate) fn fields_except(&mut self, node: Node, unused: &[&str]) -> Option<Fields> {
        let place = node.place;
        match node.value {
            Value::Map(entries) => {
                Some(Fields { place, entries: self.unique(merged(entries), unused), known: Vec::new() })
            }
            Value::Scalar { ref text, plain: true } if is_null(text) => {
                Some(Fields { place, entries: Vec::new(), known: Vec::new() })
            }
            _ => {
                self.not_allowed(&node, "keys with values (key: value)");
                None
            }
        }
    }

    /// Keeps each key once. A repeated key is an error if grading uses it and its values differ. For a key that grading
    /// ignores, the last value counts, as in the YAML library of problemtools.
    fn unique(&mut self, entries: Vec<(Key, Node)>, unused: &[&str]) -> Vec<(Key, Node)> {
        let mut unique: Vec<(Key, Node)> = Vec::new();
        let mut seen = HashMap::new();
        for (key, node) in entries {
            let Some(&index) = seen.get(&key.text) else {
                seen.insert(key.text.clone(), unique.len());
                unique.push((key, node));
                continue;
            };
            let (first, value): &mut (Key, Node) = &mut unique[index];
            let twice = format!("the key {:?} is given twice", shortened(&key.text));
            let line = first.place.0;
            if value.has_same_value_as(&node) {
                self.warning(key.place, format!("{twice}, with the same value as in line {line}; remove one of them"));
            } else if unused.contains(&key.text.as_str()) {
                *value = node;
                let message = format!(
                    "{twice}, and line {line} has another value; the value here counts, so remove the one in line \
                     {line}"
                );
                self.warning(key.place, message);
            } else {
                self.error(key.place, format!("{twice}, and line {line} has another value; remove one of them"));
            }
        }
        unique
    }

    /// Returns a text; numbers count as texts. Reports an error and returns `None` for lists and maps.
    pub fn text(&mut self, node: &Node) -> Option<String> {
        if let Value::Scalar { text, .. } = &node.value {
            return Some(text.clone());
        }
        self.not_allowed(node, "a text or a number");
        None
    }

    /// Returns a text. Reports an error and returns `None` for anything else, also for an unquoted word that YAML reads
    /// as a number, a date or a boolean.
    pub(crate) fn proper_text(&mut self, node: &Node) -> Option<String> {
        if let Some(text) = node.as_text() {
            return Some(text.to_owned());
        }
        match node.plain() {
            Some(text) if !node.is_null() => {
                let text = shortened(text);
                self.error(node.place, format!("found {text}, which YAML does not read as a text; write \"{text}\""));
            }
            _ => self.not_allowed(node, "a text"),
        }
        None
    }

    /// Returns a list of texts. Reports an error and returns `None` if the node is not a list, or if its texts are too
    /// long or contain a NUL character. Items that are not texts are reported and left out.
    pub fn texts(&mut self, node: &Node) -> Option<Vec<String>> {
        let Value::List(nodes) = &node.value else {
            self.not_allowed(node, "a list of texts ([a, b])");
            return None;
        };
        let texts: Vec<_> = nodes.iter().filter_map(|node| self.text(node)).collect();
        // The texts become arguments of programs on every test case, so they must not contain NUL and must not be long.
        if texts.iter().any(|text| text.contains('\0')) {
            self.error(node.place, "this list contains a NUL character; remove it");
            return None;
        }
        if texts.iter().map(String::len).sum::<usize>() > MOST_LIST_BYTES {
            self.error(node.place, format!("this list has more than {MOST_LIST_BYTES} bytes; shorten it"));
            return None;
        }
        Some(texts)
    }

    /// Returns one text or a non-empty list of texts. Reports an error and returns `None` otherwise.
    pub fn one_or_more(&mut self, node: &Node) -> Option<Vec<String>> {
        match &node.value {
            Value::Scalar { text, .. } => Some(vec![text.clone()]),
            Value::List(nodes) if nodes.is_empty() => {
                self.not_allowed(node, "a text or a list of at least one text ([a, b])");
                None
            }
            _ => self.texts(node),
        }
    }

    /// Reads `true` or `false`, or a spelling of YAML 1.1 such as `yes` or `off`. Reports an error and returns `None`
    /// for any other value.
    pub(crate) fn boolean(&mut self, node: &Node) -> Option<bool> {
        match node.plain() {
            Some("true" | "True" | "TRUE" | "yes" | "Yes" | "on") => Some(true),
            Some("false" | "False" | "FALSE" | "no" | "No" | "off") => Some(false),
            _ => {
                self.not_allowed(node, "true, false");
                None
            }
        }
    }

    /// Returns a whole number from `least` to `most`. Reports an error and returns `None` otherwise.
    pub fn whole_number(&mut self, node: &Node, least: u64, most: u64) -> Option<u64> {
        let number = node.plain().and_then(|text| text.parse().ok()).filter(|number| (least..=most).contains(number));
        if number.is_none() {
            self.not_allowed(node, format!("a whole number from {least} to {most}"));
        }
        number
    }

    /// Returns a number that satisfies `fits`; `allowed` describes such numbers in the message. Reports an error and
    /// returns `None` otherwise.
    pub(crate) fn number(&mut self, node: &Node, allowed: &str, fits: fn(f64) -> bool) -> Option<f64> {
        let number = node.plain().and_then(|text| text.parse::<f64>().ok()).filter(|&number| fits(number));
        if number.is_none() {
            self.not_allowed(node, allowed);
        }
        number
    }

    /// Returns the value that `words` assigns to the node's text. Reports an error and returns `None` for any other
    /// text.
    pub(crate) fn word<T: Copy>(&mut self, node: &Node, words: &[(&str, T)]) -> Option<T> {
        let found = node.scalar().and_then(|text| words.iter().find(|(word, _)| *word == text));
        if found.is_none() {
            self.not_allowed(node, words.iter().map(|(word, _)| format!("{word:?}")).collect::<Vec<_>>().join(", "));
        }
        found.map(|&(_, meaning)| meaning)
    }
}

impl Fields {
    /// Creates the fields of a map whose only key is `key`, with the value `text`.
    pub fn of_one(place: Position, key: &str, text: &str) -> Fields {
        let value = Value::Scalar { text: text.to_owned(), plain: false };
        let key = Key { place, text: key.to_owned(), plain: true };
        Fields { place, entries: vec![(key, Node { place, value })], known: Vec::new() }
    }

    /// Takes the value of a key; `None` if the key is missing or its value is null.
    pub fn take(&mut self, key: &'static str) -> Option<Node> {
        self.known.push(key);
        self.take_unlisted(key)
    }

    /// Takes the value of a key that messages do not list as an allowed key. `None` if the key is missing or its value
    /// is null.
    pub fn take_unlisted(&mut self, key: &str) -> Option<Node> {
        let index = self.entries.iter().position(|(found, _)| found.text == key)?;
        Some(self.entries.remove(index).1).filter(|node| !node.is_null())
    }

    /// Returns whether the key exists and has not been taken yet, with or without a value.
    pub fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|(found, _)| found.text == key)
    }

    /// Returns whether all keys have been taken.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Takes the values of those keys that exist and are not null, in the order of `keys`.
    pub fn take_all(&mut self, keys: &[&'static str]) -> Vec<(&'static str, Node)> {
        keys.iter().filter_map(|&key| Some((key, self.take(key)?))).collect()
    }

    /// Returns the keys that were not taken, and the names of the keys that a caller tried to take.
    pub fn rest(self) -> (Vec<(Key, Node)>, Vec<&'static str>) {
        (self.entries, self.known)
    }

    /// Reports every key that was not taken. If a known key is similar, the message suggests it.
    pub fn finish(self, source: &mut Source<'_>) {
        self.finish_with_places(source, |_| None);
    }

    /// Reports every key that was not taken, like [`Fields::finish`]. `place_of` returns where a key belongs; `None` if
    /// the key belongs nowhere else.
    pub(crate) fn finish_with_places(self, source: &mut Source<'_>, place_of: impl Fn(&str) -> Option<String>) {
        // No more findings are listed, and finding the most similar key takes long.
        for (key, _) in self.entries.iter().take(MOST_FINDINGS) {
            let allowed = self.known.join(", ");
            let meant = same_in_another_version(&key.text, &self.known).or_else(|| nearest(&key.text, &self.known));
            let meant = match (meant, place_of(&key.text)) {
                (_, Some(place)) => format!("; it belongs in {place}"),
                (Some(meant), None) => format!("; did you mean {meant}?"),
                (None, None) => String::new(),
            };
            source.error(key.place, format!("unknown key {:?}, allowed: {allowed}{meant}", shortened(&key.text)));
        }
    }
}

/// Limits with the same meaning in different versions of the format: the legacy name, and the name since 2023-07.
const RENAMED_LIMITS: [(&str, &str); 2] =
    [("time_multiplier", "time_multipliers"), ("time_safety_margin", "time_multipliers")];

/// Settings of test groups with the same meaning: the legacy name, and the name since 2023-07.
pub(crate) const OF_GROUPS: [(&str, &str); 2] =
    [("input_validator_flags", "input_validator_args"), ("output_validator_flags", "output_validator_args")];

/// Returns the known key that means the same as `key` in another version of the format; `None` if there is none.
fn same_in_another_version(key: &str, known: &[&'static str]) -> Option<&'static str> {
    let other = |&(legacy, dated): &(&'static str, &'static str)| match key {
        _ if key == legacy => Some(dated),
        _ if key == dated => Some(legacy),
        _ => None,
    };
    RENAMED_LIMITS.iter().chain(&OF_GROUPS).filter_map(other).find(|name| known.contains(name))
}

impl Node {
    /// Returns the text of a scalar; `None` for lists and maps.
    pub(crate) fn scalar(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Returns the text of an unquoted scalar; `None` for anything else.
    pub(crate) fn plain(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar { text, plain: true } => Some(text),
            _ => None,
        }
    }

    /// Returns whether both nodes have the same value. Their source positions do not matter.
    fn has_same_value_as(&self, other: &Node) -> bool {
        match (&self.value, &other.value) {
            (Value::Scalar { text, plain }, Value::Scalar { text: other, plain: is_plain }) => {
                (text, plain) == (other, is_plain)
            }
            (Value::List(nodes), Value::List(others)) => {
                nodes.len() == others.len() && nodes.iter().zip(others).all(|(one, other)| one.has_same_value_as(other))
            }
            (Value::Map(entries), Value::Map(others)) => {
                let same = |(one, other): (&(Key, Node), &(Key, Node))| {
                    one.0.text == other.0.text && one.1.has_same_value_as(&other.1)
                };
                entries.len() == others.len() && entries.iter().zip(others).all(same)
            }
            _ => false,
        }
    }

    /// Returns whether the value is empty, `~` or `null`, without quotes.
    pub fn is_null(&self) -> bool {
        self.plain().is_some_and(is_null)
    }

    /// Describes the value for a message.
    pub fn quoted(&self) -> String {
        match &self.value {
            Value::Scalar { text, plain: true } if text.parse::<f64>().is_ok() => shortened(text),
            Value::Scalar { text, .. } => format!("{:?}", shortened(text)),
            Value::List(_) => "a list".to_owned(),
            Value::Map(_) => "keys with values".to_owned(),
        }
    }
}

/// Resolves `<<`, which includes the keys of another map (YAML 1.1). The map's own keys take precedence.
pub(super) fn merged(entries: Vec<(Key, Node)>) -> Vec<(Key, Node)> {
    let (merges, mut own): (Vec<_>, Vec<_>) = entries.into_iter().partition(|(key, _)| key.text == "<<");
    let mut included = Vec::new();
    for (_, node) in merges {
        let maps = match node.value {
            Value::List(nodes) => nodes,
            _ => vec![node],
        };
        let entries =
            maps.into_iter().filter_map(|node| if let Value::Map(map) = node.value { Some(map) } else { None });
        included.extend(entries.flatten());
    }
    let mut seen: HashSet<_> = own.iter().map(|(key, _)| key.text.clone()).collect();
    own.extend(included.into_iter().filter(|(key, _)| seen.insert(key.text.clone())));
    own
}

pub(super) fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

/// Cuts a text to the number of characters that a message quotes. A cut text ends with `...`.
pub fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(LONGEST_QUOTE).collect();
    if shown.len() < text.len() {
        shown.push_str("...");
    }
    shown
}
