//! Reads `problem.xml` as a tree in which every element knows its source position. The XML library refuses document
//! types, so entities cannot expand. [`super::tags`] checks the text before the library parses it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use roxmltree::{Document, Node, ParsingOptions};

use super::tags;
use crate::{ExchangeError, file_error, short};
use referee_files::regular;
use referee_package::{bounded, links};
use referee_text::printable::printable;

/// The hint for an invalid problem.xml.
const CORRECT_XML: &str =
    "correct problem.xml at this position, or correct the problem in Polygon and build the package again";

/// The largest problem.xml allowed, in bytes. Real files are small; a larger one is a mistake or an attack.
const LARGEST_BYTES: u64 = 16 << 20;

/// The largest number of elements, attributes and texts allowed.
const MOST_NODES: u32 = 1 << 20;

/// Reads the file at `path`; messages call it `shown`. Fails if it is unreadable, too large or not UTF-8.
pub(super) fn text(path: &Path, shown: &Path) -> Result<String, ExchangeError> {
    if let Some(why) = bounded::unfit(path) {
        return Err(file_error(shown, format_args!("{why}; a Polygon package contains a file problem.xml")));
    }
    let bytes = regular::read(path, LARGEST_BYTES).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => file_error(shown, format_args!("has more than the {LARGEST_BYTES} bytes allowed")),
        _ => file_error(shown, format_args!("cannot be read: {error}")),
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = memchr::memchr_iter(b'\n', before).count() + 1;
        let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
        ExchangeError::unusable(format!("{}:{line}:{column}: found bytes that are not UTF-8", shown.display()))
            .with_remedy(CORRECT_XML)
    })
}

/// Parses `text`, which comes from the file that the user knows as `path`. Fails if it is invalid.
pub(super) fn parse<'a>(text: &'a str, path: &Path) -> Result<Document<'a>, ExchangeError> {
    if let Some((start, wrong)) = tags::find_forbidden_tag(text) {
        let (row, column) = row_and_column(&text[..start]);
        let reason = format!("{}:{row}:{column}: {wrong}", path.display());
        return Err(ExchangeError::unusable(reason).with_remedy(CORRECT_XML));
    }
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| {
        let mut at = error.pos();
        if matches!(error, roxmltree::Error::UnexpectedEndOfStream | roxmltree::Error::UnclosedRootNode) {
            // The library gives no position for these errors, so the message names the end of the text.
            (at.row, at.col) = row_and_column(text);
        }
        let message = error.to_string();
        // The library repeats the position at the end of its message, so that part is removed.
        let message = message.split(" at ").next().unwrap_or(&message);
        let reason = format!("{}:{}:{}: {}", path.display(), at.row, at.col, printable(message.as_bytes()));
        ExchangeError::unusable(reason).with_remedy(CORRECT_XML)
    })
}

/// Returns the line and column at the end of a text, each counted from 1.
fn row_and_column(text: &str) -> (u32, u32) {
    let row = memchr::memchr_iter(b'\n', text.as_bytes()).count() as u32 + 1;
    (row, text.rsplit('\n').next().unwrap_or_default().chars().count() as u32 + 1)
}

/// An element of the file. It gives access to values, and creates errors that name its source position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element<'a> {
    pub(super) node: Node<'a, 'a>,
    path: &'a Path,
}

impl<'a> Element<'a> {
    pub(super) fn root(document: &'a Document<'a>, path: &'a Path) -> Result<Self, ExchangeError> {
        let root = Element { node: document.root_element(), path };
        if root.name() != "problem" {
            return Err(root.wrong(format_args!("found the element <{}>, allowed: <problem>", root.name())));
        }
        Ok(root)
    }

    pub(super) fn name(&self) -> &'a str {
        self.node.tag_name().name()
    }

    /// Returns the child elements.
    pub(super) fn children(&self) -> impl Iterator<Item = Element<'a>> + use<'a> {
        let path = self.path;
        self.node.children().filter(Node::is_element).map(move |node| Element { node, path })
    }

    /// Returns the child elements with this name.
    pub(super) fn all(&self, name: &'static str) -> impl Iterator<Item = Element<'a>> + use<'a> {
        self.children().filter(move |child| child.name() == name)
    }

    /// Follows a path such as `assets/checker`, each time to the first child element with the next name; `None` if an
    /// element of the path is missing.
    pub(super) fn down(&self, way: &'static str) -> Option<Element<'a>> {
        let mut found = *self;
        for name in way.split('/') {
            found = found.children().find(|child| child.name() == name)?;
        }
        Some(found)
    }

    /// Follows the path `way` like [`Element::down`], and returns all children called `name` of the element there.
    /// Empty if there is no such element.
    pub(super) fn below(&self, way: &'static str, name: &'static str) -> Vec<Element<'a>> {
        self.down(way).map(|found| found.all(name).collect()).unwrap_or_default()
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&'a str> {
        self.node.attribute(name).filter(|value| !value.is_empty())
    }

    pub(super) fn required(&self, name: &str) -> Result<&'a str, ExchangeError> {
        self.attribute(name).ok_or_else(|| self.wrong(format_args!("<{}> has no attribute {name:?}", self.name())))
    }

    /// Returns the text of a child element; `None` if there is no such element or its text is empty.
    pub(super) fn child_text(&self, name: &'static str) -> Option<&'a str> {
        self.down(name).and_then(|child| child.node.text()).map(str::trim).filter(|text| !text.is_empty())
    }

    /// Returns the whole number in a child element; `None` if there is no such element. Fails unless the number is from
    /// 1 to `most`.
    pub(super) fn number(&self, name: &'static str, most: u64) -> Result<Option<u64>, ExchangeError> {
        let Some(child) = self.down(name) else { return Ok(None) };
        let text = child.node.text().unwrap_or_default().trim();
        match text.parse::<u64>() {
            Ok(number) if (1..=most).contains(&number) => Ok(Some(number)),
            _ => Err(child.wrong(format_args!("found {text:?} in <{name}>, allowed: a whole number from 1 to {most}"))),
        }
    }

    /// Returns the element's file, line and column.
    pub(super) fn place(&self) -> String {
        let at = self.node.document().text_pos_at(self.node.range().start);
        format!("{}:{}:{}", self.path.display(), at.row, at.col)
    }

    pub(super) fn wrong(&self, message: impl std::fmt::Display) -> ExchangeError {
        let message = message.to_string();
        ExchangeError::unusable(format!("{}: {}", self.place(), short(&message))).with_remedy(CORRECT_XML)
    }
}

/// Refuses a package with links that are broken or lead out of it: the import would copy their targets into the new
/// package.
pub(super) fn check_links(root: &Path) -> Result<(), ExchangeError> {
    let refusals = links::Boundary::of_package(root).refused_below(root);
    let list: Vec<_> = refusals.iter().take(MOST_LINKS).map(ToString::to_string).collect();
    if list.is_empty() { Ok(()) } else { Err(ExchangeError::unusable(list.join("\n")).with_remedy(COPIES)) }
}

/// The hint for refused links and folders.
const COPIES: &str = "replace links by copies of the files, and make folders readable; nothing was imported";

/// The largest number of links that a message lists.
const MOST_LINKS: usize = 20;

/// Returns the real path of a file that `problem.xml` names; `None` if there is no file at that path in the package.
pub(super) fn existing_file(root: &Path, path: &str) -> Option<PathBuf> {
    links::resolve(root, &root.join(path)).ok().filter(|found| found.is_file())
}

/// Returns why the file at a path of `problem.xml` cannot be used. `None` if it can, or if there is nothing at the
/// path.
pub(super) fn unfit(root: &Path, path: &str) -> Option<String> {
    let path = root.join(path);
    path.symlink_metadata().ok()?;
    match links::resolve(root, &path) {
        Err(refused) => Some(refused.reason()),
        Ok(real) => (!real.is_file()).then(|| "is not a regular file".to_owned()),
    }
}

/// Returns why there is no usable file at a path of `problem.xml`.
pub(super) fn why_unusable(root: &Path, path: &str) -> String {
    unfit(root, path).unwrap_or_else(|| "is not in the package".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        let path = Path::new("p/problem.xml");
        let document = match parse(text, path) {
            Err(error) => return error.to_string(),
            Ok(document) => document,
        };
        Element::root(&document, path).unwrap_err().to_string()
    }

    #[test]
    fn only_what_is_not_there_is_said_to_be_missing() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("package");
        std::fs::create_dir_all(root.join("folder")).unwrap();
        std::fs::write(root.join("file"), "1").unwrap();
        std::fs::write(folder.path().join("secret"), "1").unwrap();
        for (name, target) in [("out", "../secret"), ("nowhere", "x"), ("inner", "file")] {
            std::os::unix::fs::symlink(target, root.join(name)).unwrap();
        }
        let found = ["file", "inner", "none", "out", "nowhere", "folder"].map(|name| unfit(&root, name));
        let found = found.map(Option::unwrap_or_default);
        assert_eq!(found[..3], [""; 3]);
        assert!(found[3].starts_with("is a link that leads out of the package, to ../secret ("), "{}", found[3]);
        assert_eq!(found[4..], ["is a link that leads nowhere: x does not exist", "is not a regular file"]);
    }

    #[test]
    fn what_is_wrong_has_its_line_and_column() {
        assert!(refused("<problem>\n  <names>\n</problem>").starts_with("p/problem.xml:3:1: "));
        assert_eq!(
            refused("<?xml version=\"1.0\"?>\n <contest/>"),
            "p/problem.xml:2:2: found the element <contest>, allowed: <problem>"
        );
    }

    #[test]
    fn entities_that_grow_are_refused_before_they_do() {
        let bomb = "<!DOCTYPE p [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;\">]>\n<problem>&b;</problem>";
        assert!(refused(bomb).starts_with("p/problem.xml:1:1: "), "{}", refused(bomb));
    }

    #[test]
    fn a_path_that_leads_out_of_the_package_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("package");
        std::fs::create_dir(&root).unwrap();
        std::fs::write(root.join("a"), "").unwrap();
        std::fs::write(folder.path().join("b"), "").unwrap();
        assert!(existing_file(&root, "a").is_some());
        assert!(existing_file(&root, "../b").is_none());
        assert!(existing_file(&root, "/etc/passwd").is_none());
    }
}
