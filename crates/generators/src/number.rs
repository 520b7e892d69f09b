//! Numbers in front of names: lists of cases and groups are numbered, maps are not.

use super::count::Count;
use super::ending::TEXTS;
use referee_package::yaml::{Node, Value};

/// What a value in the tree stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Case,
    Group,
    Neither,
}

/// A map with any of these keys, or of those of files, is a case.
pub(super) const KEYS: [&str; 4] = ["copy", "generate", "count", "match"];

pub(super) fn kind(node: &Node) -> Kind {
    let is_of_cases = |key: &str| KEYS.contains(&key) || TEXTS.contains(&key);
    match &node.value {
        Value::Map(entries) if entries.iter().any(|(key, _)| is_of_cases(&key.text)) => Kind::Case,
        Value::Map(_) => Kind::Group,
        Value::Scalar { .. } if node.is_null() || node.as_text().is_some() => Kind::Case,
        _ => Kind::Neither,
    }
}

/// The value of a key of a map.
pub(super) fn value<'a>(node: &'a Node, key: &str) -> Option<&'a Node> {
    match &node.value {
        Value::Map(entries) => entries.iter().find(|(found, _)| found.text == key).map(|(_, value)| value),
        _ => None,
    }
}

/// How many cases below a group get numbers. One count goes through all of the file.
pub(super) fn cases(group: &Node) -> usize {
    let (entries, is_numbered): (Vec<&Node>, bool) = match value(group, "data").map(|data| (&data.value, data)) {
        Some((Value::List(nodes), _)) => (nodes.iter().collect(), true),
        Some((Value::Map(_), data)) => (vec![data], false),
        _ => return 0,
    };
    let values = entries.into_iter().filter_map(map).flatten();
    let of_value = |(_, node): &(_, Node)| match kind(node) {
        Kind::Case if is_numbered => repetitions(node),
        Kind::Group => cases(node),
        _ => 0,
    };
    values.map(of_value).sum()
}

fn repetitions(case: &Node) -> usize {
    value(case, "count").and_then(|node| Count::read(node).ok()).map_or(1, |count| count.numbers.len())
}

/// How many groups of a list get numbers. They count for themselves.
pub(super) fn groups(list: &[Node]) -> usize {
    list.iter().filter_map(map).flatten().filter(|(_, node)| kind(node) == Kind::Group).count()
}

fn map(node: &Node) -> Option<&Vec<(referee_package::yaml::Key, Node)>> {
    match &node.value {
        Value::Map(entries) => Some(entries),
        _ => None,
    }
}

/// The next numbers of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers {
    next: usize,
    width: usize,
}

impl Numbers {
    /// For `most` names.
    pub(super) fn new(most: usize) -> Self {
        Numbers { next: 1, width: most.to_string().len() }
    }

    /// A name with the next number in front.
    pub(super) fn name(&mut self, base: &str) -> String {
        let number = format!("{:0width$}", self.next, width = self.width);
        self.next += 1;
        if base.is_empty() { number } else { format!("{number}-{base}") }
    }
}
