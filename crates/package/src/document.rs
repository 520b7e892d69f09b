//! The content of a package's YAML file without source positions. Converters to other formats use it; judging does not.

use std::path::Path;

use super::findings::Findings;
use super::yaml::{self, Node, Value};

/// The content of a YAML file, without source positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Document {
    /// A scalar: a word, a number or a longer text.
    Scalar {
        /// The text.
        text: String,
        /// Whether the text has no quotes in the file.
        plain: bool,
    },
    /// A list.
    List(Vec<Document>),
    /// Keys with their values, in the order of the file.
    Map(Vec<(String, Document)>),
}

impl Document {
    /// Reads a YAML file of at most 4 MiB. Fails with the findings if the file is unreadable or invalid.
    pub fn read(path: &Path) -> Result<Document, Findings> {
        let mut findings = Findings::default();
        yaml::read(path, &mut findings).map(Document::from).ok_or(findings)
    }

    /// Returns the text of a scalar; `None` for unquoted `~` and other spellings of null, and for lists and maps.
    pub fn text(&self) -> Option<&str> {
        match self {
            Document::Scalar { text, plain }
                if !(*plain && ["", "~", "null", "Null", "NULL"].contains(&text.as_str())) =>
            {
                Some(text)
            }
            _ => None,
        }
    }

    /// Returns the value of a key; `None` if this is not a map or lacks the key.
    pub fn get(&self, key: &str) -> Option<&Document> {
        self.entries().iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Returns the keys with their values; none if this is not a map.
    pub fn entries(&self) -> &[(String, Document)] {
        if let Document::Map(entries) = self { entries } else { &[] }
    }

    /// Returns the texts of a list, without its nulls, lists and maps. A single text counts as a list of one; a map has
    /// no texts.
    pub fn texts(&self) -> Vec<String> {
        match self {
            Document::List(items) => items.iter().filter_map(Document::text).map(str::to_owned).collect(),
            _ => self.text().map(str::to_owned).into_iter().collect(),
        }
    }
}

impl From<Node> for Document {
    fn from(node: Node) -> Document {
        match node.value {
            Value::Scalar { text, plain } => Document::Scalar { text, plain },
            Value::List(nodes) => Document::List(nodes.into_iter().map(Document::from).collect()),
            Value::Map(entries) => {
                Document::Map(entries.into_iter().map(|(key, node)| (key.text, Document::from(node))).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_no_text_unless_it_is_quoted() {
        let scalar = |text: &str, plain| Document::Scalar { text: text.to_owned(), plain };
        for nothing in ["", "~", "null", "Null", "NULL"] {
            assert_eq!(scalar(nothing, true).text(), None, "{nothing:?}");
            assert_eq!(scalar(nothing, false).text(), Some(nothing));
        }
        assert_eq!(scalar("nullable", true).text(), Some("nullable"));
    }
}
