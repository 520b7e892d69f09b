//! A YAML file of a package as it stands: for who translates it and does not judge by it.

use std::path::Path;

use super::findings::Findings;
use super::yaml::{self, Node, Value};

/// What a YAML file says, without its places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Document {
    /// A word, a number, a text; `plain` is one without quotes.
    Scalar {
        /// The text.
        text: String,
        /// Whether it stands without quotes.
        plain: bool,
    },
    /// A list.
    List(Vec<Document>),
    /// Keys with values, in the order of the file.
    Map(Vec<(String, Document)>),
}

impl Document {
    /// Reads the file, with the bounds that every file of a package has. `Err` says what is wrong, with its place.
    pub fn read(path: &Path) -> Result<Document, Findings> {
        let mut findings = Findings::default();
        yaml::read(path, &mut findings).map(Document::from).ok_or(findings)
    }

    /// The text of a scalar; of `~` and the like, none.
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

    /// The value of a key, if this is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Document> {
        self.entries().iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The keys with their values; none if this is no map.
    pub fn entries(&self) -> &[(String, Document)] {
        if let Document::Map(entries) = self { entries } else { &[] }
    }

    /// The texts of a list, or of the one text that stands for a list.
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
