//! Writes YAML trees as text.

use std::fmt::Write as _;

use crate::quoted::quoted;
use referee_package::Document;

/// Returns the entries of a map as lines, indented by `indent` blanks.
pub(super) fn lines(entries: &[(String, Document)], indent: usize) -> String {
    let mut text = String::new();
    for (key, value) in entries {
        let _ = writeln!(text, "{:indent$}{}:{}", "", key_text(key), value_text(value, indent));
    }
    text
}

fn key_text(key: &str) -> String {
    let plain = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    if plain { key.to_owned() } else { quoted(key) }
}

/// Returns the text after `key:`.
fn value_text(value: &Document, indent: usize) -> String {
    match value {
        Document::Scalar { .. } => format!(" {}", scalar(value)),
        Document::List(items) if items.iter().all(|item| matches!(item, Document::Scalar { .. })) => {
            let items: Vec<_> = items.iter().map(scalar).collect();
            format!(" [{}]", items.join(", "))
        }
        Document::List(items) => {
            let item = |item: &Document| match item {
                Document::Map(entries) => {
                    let text = lines(entries, indent + 4);
                    format!("\n{:1$}-{2}", "", indent + 2, &text.trim_end()[indent + 3..])
                }
                other => format!("\n{:1$}-{2}", "", indent + 2, value_text(other, indent + 2)),
            };
            items.iter().map(item).collect()
        }
        Document::Map(entries) if entries.is_empty() => " {}".to_owned(),
        Document::Map(entries) => format!("\n{}", lines(entries, indent + 2).trim_end()),
    }
}

/// Returns a scalar as YAML. An unquoted text stays unquoted only if it is a number or a word without special
/// characters.
fn scalar(value: &Document) -> String {
    let Document::Scalar { text, plain } = value else { return String::new() };
    let bare = |byte: u8| byte.is_ascii_alphanumeric() || b"._+-~".contains(&byte);
    let is_number = || text.parse::<f64>().is_ok();
    if *plain && !text.is_empty() && text.bytes().all(bare) && (!text.starts_with('-') || is_number()) {
        text.clone()
    } else if *plain && text.is_empty() {
        "~".to_owned()
    } else {
        quoted(text)
    }
}

/// Returns an unquoted word or number.
pub(super) fn plain(text: impl Into<String>) -> Document {
    Document::Scalar { text: text.into(), plain: true }
}

/// Returns a quoted text.
pub(super) fn text(text: impl Into<String>) -> Document {
    Document::Scalar { text: text.into(), plain: false }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn trees() -> impl Strategy<Value = Document> {
        let leaf = prop_oneof![".{0,12}".prop_map(text), "[a-z0-9.]{1,6}".prop_map(plain)];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Document::List),
                proptest::collection::btree_map("[a-zA-Z :#]{1,6}", inner, 1..4)
                    .prop_map(|map| Document::Map(map.into_iter().collect())),
            ]
        })
    }

    #[test]
    fn numbers_are_numbers_to_whoever_reads_them_and_texts_are_texts() {
        let written = |document| lines(&[("a".to_owned(), document)], 0);
        assert_eq!(written(plain("-1.5")), "a: -1.5\n");
        assert_eq!(written(plain("-")), "a: \"-\"\n");
        assert_eq!(written(text("-1.5")), "a: \"-1.5\"\n");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn what_is_written_reads_as_what_it_was(entries in proptest::collection::btree_map("[a-z]{1,5}", trees(), 1..4)) {
            let tree = Document::Map(entries.into_iter().collect());
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.yaml");
            std::fs::write(&path, lines(tree.entries(), 0)).unwrap();
            prop_assert_eq!(Document::read(&path), Ok(tree));
        }
    }
}
