//! Numbers test cases and groups. The number comes before the name, as in `1-small`. Only the members of a list get
//! numbers; the members of a map get none.

use super::count::Count;
use super::ending::TEXTS;
use referee_package::yaml::{Node, Value};

/// What a value in the tree of rules describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Case,
    Group,
    Neither,
}

/// Keys of test cases. A map with one of these keys, or with a key from [`TEXTS`], is a test case.
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

/// Returns the value of a key; `None` if the node is not a map or lacks the key.
pub(super) fn value<'a>(node: &'a Node, key: &str) -> Option<&'a Node> {
    match &node.value {
        Value::Map(entries) => entries.iter().find(|(found, _)| found.text == key).map(|(_, value)| value),
        _ => None,
    }
}

/// Returns how many test cases below a group get numbers. All test cases of the file share one sequence of numbers.
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

/// Returns how many groups of a list get numbers. Each list of groups has its own sequence of numbers.
pub(super) fn groups(list: &[Node]) -> usize {
    list.iter().filter_map(map).flatten().filter(|(_, node)| kind(node) == Kind::Group).count()
}

fn map(node: &Node) -> Option<&Vec<(referee_package::yaml::Key, Node)>> {
    match &node.value {
        Value::Map(entries) => Some(entries),
        _ => None,
    }
}

/// The sequence of numbers for names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers {
    next: usize,
    width: usize,
}

impl Numbers {
    /// Creates a sequence for up to `most` names. All numbers have the same number of digits.
    pub(super) fn new(most: usize) -> Self {
        Numbers { next: 1, width: most.to_string().len() }
    }

    /// Returns the name with the next number in front; only the number if the name is empty.
    pub(super) fn name(&mut self, base: &str) -> String {
        let number = format!("{:0width$}", self.next, width = self.width);
        self.next += 1;
        if base.is_empty() { number } else { format!("{number}-{base}") }
    }
}
