//! Maps of the rules that become files of their own.

use super::Reader;
use referee_package::yaml::{Node, Value};

impl Reader<'_> {
    /// A map as the text of a file.
    pub(super) fn map_as_text(&mut self, node: &Node) -> Option<String> {
        match &node.value {
            Value::Map(entries) if entries.is_empty() => None,
            Value::Map(_) => {
                let text = referee_package::yaml::printed(self.text, node.place);
                if text.is_none() {
                    self.source.error(node.place, "this map is too strange to be written to a file of its own");
                }
                text
            }
            _ => {
                self.source.not_allowed(node, "keys with values (key: value)");
                None
            }
        }
    }
}
