//! YAML files as trees in which every node knows its place: the only module that knows which library reads YAML.
//!
//! Deserialising into types would stop at the first key that is wrong. Here a file is read whole, and then asked for
//! its keys ([`fields`]), so that one reading tells everything that is wrong with it.

mod fields;
mod meaning;
mod print;

use std::collections::HashMap;
use std::path::Path;

use granit_parser::{Event, Parser, ScalarStyle, ScanError, Span, StrInput};

use super::bounded;
use super::constants::Constants;
use super::findings::Findings;

pub use fields::{Fields, Source, shortened};
pub use print::printed;

/// Line and column, each from 1.
pub type Place = (u64, u64);

/// A value with its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where the value begins.
    pub place: Place,
    /// The value.
    pub value: Value,
}

/// What YAML can say.
#[derive(Clone, Debug)]
pub enum Value {
    /// A word, a number, a text. `plain` is one without quotes, which may stand for a number or for nothing.
    Scalar {
        /// The characters, without quotes.
        text: String,
        /// Whether it has no quotes.
        plain: bool,
    },
    /// A list.
    List(Vec<Node>),
    /// Keys with values, in the order of the file.
    Map(Vec<(Key, Node)>),
}

/// A key with its place.
#[derive(Clone, Debug)]
pub struct Key {
    /// Where the key begins.
    pub place: Place,
    /// The characters, without quotes.
    pub text: String,
    /// Whether it is written without quotes, and so may stand for a number or for nothing.
    pub(crate) plain: bool,
}

/// YAML files of a package are small; a larger one is a mistake or an attack.
const LARGEST_BYTES: u64 = 4 << 20;

/// So many values, aliases expanded, and so many bytes of text in them. What aliases stand for grows exponentially with
/// the length of the file.
const MOST_NODES: usize = 100_000;
const MOST_TEXT_BYTES: usize = 16 << 20;

/// Reads a YAML file. What is wrong with it goes to `findings`; an empty file is one without keys.
pub fn read(path: &Path, findings: &mut Findings) -> Option<Node> {
    parse(&text(path, findings)?, path, findings)
}

/// The same for a file in which the package's constants are replaced before it is read.
pub(crate) fn read_with(constants: &Constants, path: &Path, findings: &mut Findings) -> Option<Node> {
    let text = text(path, findings)?;
    parse(&constants.replaced(&text), path, findings)
}

/// Reads YAML that is in memory already.
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

/// Where reading had to stop, and why.
type Trouble = (Place, String);

/// How large a part of the tree is.
#[derive(Clone, Copy, Default)]
struct Size {
    nodes: usize,
    text_bytes: usize,
}

/// Makes a tree of the library's events.
struct Builder<'a> {
    parser: Parser<'a, StrInput<'a>>,
    /// What names stand for, with how many nodes that is.
    anchors: HashMap<usize, (Node, Size)>,
    size: Size,
}

impl<'a> Builder<'a> {
    fn new(text: &'a str) -> Self {
        Builder { parser: Parser::new_from_str(text), anchors: HashMap::new(), size: Size::default() }
    }

    fn document(mut self) -> Result<Node, Trouble> {
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

    /// Refuses a second document.
    fn end(mut self, node: Node) -> Result<Node, Trouble> {
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

    fn event(&mut self) -> Result<(Event<'a>, Span), Trouble> {
        loop {
            match self.parser.next_event() {
                None => return Ok((Event::StreamEnd, Span::default())),
                Some(Err(error)) => return Err(unreadable(&error)),
                Some(Ok((Event::Comment(..), _))) => {}
                Some(Ok(event)) => return Ok(event),
            }
        }
    }

    fn node(&mut self, event: Event<'a>, span: Span) -> Result<Node, Trouble> {
        let place = start(&span);
        let before = self.size;
        let text_bytes = event.scalar().map_or(0, |(text, _)| text.len());
        self.count(Size { nodes: 1, text_bytes }, place)?;
        let (anchor, value) = match event {
            Event::Alias(id) => {
                let (node, size) = self.anchors.get(&id).cloned().ok_or((place, "an alias of nothing".to_owned()))?;
                self.count(size, place)?;
                return Ok(Node { place, ..node });
            }
            Event::Scalar(text, style, anchor, _) => {
                (anchor, Value::Scalar { text: text.into_owned(), plain: style == ScalarStyle::Plain })
            }
            Event::SequenceStart(_, anchor, _) => (anchor, Value::List(self.list()?)),
            Event::MappingStart(_, anchor, _) => (anchor, Value::Map(self.map()?)),
            _ => return Err((place, "this is no value".to_owned())),
        };
        let node = Node { place, value };
        if anchor != 0 {
            let nodes = self.size.nodes - before.nodes;
            let size = Size { nodes, text_bytes: self.size.text_bytes - before.text_bytes };
            // A copy is kept, which takes room as well.
            self.count(size, place)?;
            self.anchors.insert(anchor, (node.clone(), size));
        }
        Ok(node)
    }

    fn list(&mut self) -> Result<Vec<Node>, Trouble> {
        let mut nodes = Vec::new();
        loop {
            match self.event()? {
                (Event::SequenceEnd, _) => return Ok(nodes),
                (event, span) => nodes.push(self.node(event, span)?),
            }
        }
    }

    fn map(&mut self) -> Result<Vec<(Key, Node)>, Trouble> {
        let mut entries: Vec<(Key, Node)> = Vec::new();
        loop {
            let (event, span) = self.event()?;
            if event == Event::MappingEnd {
                return Ok(entries);
            }
            let key = match self.node(event, span)? {
                Node { place, value: Value::Scalar { text, plain } } => Key { place, text, plain },
                Node { place, .. } => return Err((place, "a key must be a word".to_owned())),
            };
            let (event, span) = self.event()?;
            let node = self.node(event, span)?;
            entries.push((key, node));
        }
    }

    fn count(&mut self, more: Size, place: Place) -> Result<(), Trouble> {
        self.size.nodes += more.nodes;
        self.size.text_bytes += more.text_bytes;
        if self.size.text_bytes > MOST_TEXT_BYTES {
            return Err((
                place,
                format!("there are more than {} MiB of text, aliases counted as what they mean", MOST_TEXT_BYTES >> 20),
            ));
        }
        if self.size.nodes > MOST_NODES {
            return Err((place, format!("there are more than {MOST_NODES} values, aliases counted as what they mean")));
        }
        Ok(())
    }
}

fn start(span: &Span) -> Place {
    (span.start.line() as u64, span.start.col() as u64 + 1)
}

fn unreadable(error: &ScanError) -> Trouble {
    let marker = error.marker();
    ((marker.line() as u64, marker.col() as u64 + 1), format!("this is no YAML: {}", error.info()))
}

/// The text of a YAML file.
pub fn text(path: &Path, findings: &mut Findings) -> Option<String> {
    match bounded::read(path, LARGEST_BYTES) {
        Ok(bytes) => String::from_utf8(bytes).map_err(|_| findings.error(path, "the file is not UTF-8")).ok(),
        Err(reason) => {
            findings.error(path, reason);
            None
        }
    }
}
