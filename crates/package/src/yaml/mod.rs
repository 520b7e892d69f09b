//! Reads YAML files into trees whose nodes know their source positions. No other module depends on the YAML library.
//!
//! Deserialising into types would stop at the first invalid key. This module reads the whole file first, and its
//! callers then take the keys that they know ([`fields`]). So one reading reports all mistakes.

mod fields;
mod meaning;
mod print;
mod source;

use std::collections::HashMap;
use std::path::Path;

use granit_parser::{Event, Parser, ScalarStyle, ScanError, Span, StrInput};

use super::bounded;
use super::constants::Constants;
use super::findings::Findings;

pub(crate) use fields::OF_GROUPS;
pub use fields::{Fields, shortened};
pub use print::printed;
pub use source::Source;

/// A line and a column, each counted from 1.
pub type Position = (u64, u64);

/// A value and its source position.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where the value begins.
    pub place: Position,
    /// The value.
    pub value: Value,
}

/// A YAML value. A scalar without quotes may mean a number or null.
#[derive(Clone, Debug)]
pub enum Value {
    /// A word, a number or a longer text.
    Scalar {
        /// The characters, without quotes.
        text: String,
        /// Whether it has no quotes.
        plain: bool,
    },
    /// A list.
    List(Vec<Node>),
    /// Keys with their values, in the order of the file.
    Map(Vec<(Key, Node)>),
}

/// A key and its source position.
#[derive(Clone, Debug)]
pub struct Key {
    /// Where the key begins.
    pub place: Position,
    /// The characters, without quotes.
    pub text: String,
    /// Whether the key has no quotes and so may mean a number or null.
    pub(crate) plain: bool,
}

/// The maximum size of a YAML file, in bytes. Real files are small; a larger one is a mistake or an attack.
const LARGEST_BYTES: u64 = 4 << 20;

/// The largest number of values allowed in a file, counted after aliases are expanded. A short file can expand to an
/// exponential size, because aliases can contain aliases.
const MOST_NODES: usize = 100_000;

/// The largest total length of all texts in a file, in bytes, counted after aliases are expanded.
const MOST_TEXT_BYTES: usize = 16 << 20;

/// Reads a YAML file. Reports an error and returns `None` if the file is unreadable or invalid. An empty file counts as
/// a map without keys.
pub fn read(path: &Path, findings: &mut Findings) -> Option<Node> {
    parse(&text(path, findings)?, path, findings)
}

/// Reads a YAML file like [`read`], after replacing the package's constants in it.
pub(crate) fn read_with(constants: &Constants, path: &Path, findings: &mut Findings) -> Option<Node> {
    let text = text(path, findings)?;
    parse(&constants.replaced(&text), path, findings)
}

/// Parses YAML text. Reports an error and returns `None` if it is invalid.
pub fn parse(text: &str, path: &Path, findings: &mut Findings) -> Option<Node> {
    if text.starts_with('\u{feff}') {
        findings.error_at(path, Some((1, 1)), "the file begins with a byte order mark; remove it");
        return None;
    }
    match Builder::new(text).document() {
        Ok(node) => Some(node),
        Err((place, message)) => {
            findings.error_at(path, Some(place), message);
            None
        }
    }
}

/// The source position where parsing failed, and the reason.
type ParseFailure = (Position, String);

/// The size of a part of the tree.
#[derive(Clone, Copy, Default)]
struct Size {
    nodes: usize,
    text_bytes: usize,
}

/// Builds a tree from the events of the YAML library.
struct Builder<'a> {
    parser: Parser<'a, StrInput<'a>>,
    /// The node of each anchor, with its size.
    anchors: HashMap<usize, (Node, Size)>,
    /// The size of the tree so far, with aliases expanded.
    size: Size,
}

impl<'a> Builder<'a> {
    fn new(text: &'a str) -> Self {
        Builder { parser: Parser::new_from_str(text), anchors: HashMap::new(), size: Size::default() }
    }

    fn document(mut self) -> Result<Node, ParseFailure> {
        loop {
            match self.event()? {
                (Event::StreamEnd, _) => return Ok(Node { place: (1, 1), value: Value::Map(Vec::new()) }),
                (event, span) if event.is_node() => {
                    let node = self.node(event, span)?;
                    return self.end(node);
                }
                _ => {}
            }
        }
    }

    /// Reads to the end of the file, and fails if there is a second document.
    fn end(mut self, node: Node) -> Result<Node, ParseFailure> {
        loop {
            match self.event()? {
                (Event::StreamEnd, _) => return Ok(node),
                (Event::DocumentStart(..), span) => {
                    return Err((start(&span), "a second YAML document begins here; only one is allowed".to_owned()));
                }
                _ => {}
            }
        }
    }

    fn event(&mut self) -> Result<(Event<'a>, Span), ParseFailure> {
        loop {
            match self.parser.next_event() {
                None => return Ok((Event::StreamEnd, Span::default())),
                Some(Err(error)) => return Err(unreadable(&error)),
                Some(Ok((Event::Comment(..), _))) => {}
                Some(Ok(event)) => return Ok(event),
            }
        }
    }

    fn node(&mut self, event: Event<'a>, span: Span) -> Result<Node, ParseFailure> {
        let place = start(&span);
        let before = self.size;
        let text_bytes = event.scalar().map_or(0, |(text, _)| text.len());
        self.count(Size { nodes: 1, text_bytes }, place)?;
        let (anchor, value) = match event {
            Event::Alias(id) => {
                let (node, size) =
                    self.anchors.get(&id).cloned().ok_or((place, "this alias has no anchor".to_owned()))?;
                self.count(size, place)?;
                return Ok(Node { place, ..node });
            }
            Event::Scalar(text, style, anchor, _) => {
                (anchor, Value::Scalar { text: text.into_owned(), plain: style == ScalarStyle::Plain })
            }
            Event::SequenceStart(_, anchor, _) => (anchor, Value::List(self.list()?)),
            Event::MappingStart(_, anchor, _) => (anchor, Value::Map(self.map()?)),
            _ => return Err((place, "expected a value here".to_owned())),
        };
        let node = Node { place, value };
        if anchor != 0 {
            let nodes = self.size.nodes - before.nodes;
            let size = Size { nodes, text_bytes: self.size.text_bytes - before.text_bytes };
            // The copy of the node for later aliases needs memory as well, so it counts too.
            self.count(size, place)?;
            self.anchors.insert(anchor, (node.clone(), size));
        }
        Ok(node)
    }

    fn list(&mut self) -> Result<Vec<Node>, ParseFailure> {
        let mut nodes = Vec::new();
        loop {
            match self.event()? {
                (Event::SequenceEnd, _) => return Ok(nodes),
                (event, span) => nodes.push(self.node(event, span)?),
            }
        }
    }

    fn map(&mut self) -> Result<Vec<(Key, Node)>, ParseFailure> {
        let mut entries: Vec<(Key, Node)> = Vec::new();
        loop {
            let (event, span) = self.event()?;
            if event == Event::MappingEnd {
                return Ok(entries);
            }
            let key = match self.node(event, span)? {
                Node { place, value: Value::Scalar { text, plain } } => Key { place, text, plain },
                Node { place, .. } => return Err((place, "a key must be a text, not a list or a map".to_owned())),
            };
            let (event, span) = self.event()?;
            let node = self.node(event, span)?;
            entries.push((key, node));
        }
    }

    fn count(&mut self, more: Size, place: Position) -> Result<(), ParseFailure> {
        self.size.nodes += more.nodes;
        self.size.text_bytes += more.text_bytes;
        if self.size.text_bytes > MOST_TEXT_BYTES {
            return Err((
                place,
                format!("there are more than {} MiB of text after expanding aliases", MOST_TEXT_BYTES >> 20),
            ));
        }
        if self.size.nodes > MOST_NODES {
            return Err((place, format!("there are more than {MOST_NODES} values after expanding aliases")));
        }
        Ok(())
    }
}

fn start(span: &Span) -> Position {
    (span.start.line() as u64, span.start.col() as u64 + 1)
}

fn unreadable(error: &ScanError) -> ParseFailure {
    let marker = error.marker();
    ((marker.line() as u64, marker.col() as u64 + 1), format!("invalid YAML: {}", error.info()))
}

/// Reads the text of a YAML file. Reports an error and returns `None` if the file is unreadable, too large or not
/// UTF-8.
pub fn text(path: &Path, findings: &mut Findings) -> Option<String> {
    match bounded::read(path, LARGEST_BYTES) {
        Ok(bytes) => String::from_utf8(bytes).map_err(|_| findings.error(path, "the file is not UTF-8")).ok(),
        Err(reason) => {
            findings.error(path, reason);
            None
        }
    }
}
