//! Prints maps of the rules as separate files.

use super::Reader;
use referee_package::yaml::{Node, Value};

impl Reader<'_> {
    /// Returns a map as the text of a file. Returns `None` for an empty map. Reports an error and returns `None` if the
    /// node is not a map or cannot be printed.
    pub(super) fn map_as_text(&mut self, node: &Node) -> Option<String> {
        match &node.value {
            Value::Map(entries) if entries.is_empty() => None,
            Value::Map(_) => {
                let text = referee_package::yaml::printed(self.text, node.place);
                if text.is_none() {
                    self.source.error(
                        node.place,
                        "this map depends on another part of the file, such as an anchor; write the map out in full",
                    );
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
