//! Writes the code of one copy in a form that does not depend on the other copies: a symbol becomes its number in the
//! order in which the symbols are reached, and so does a label inside of a block. A local label outside of the block,
//! such as that of a string, stands for the data after it.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::{self, Write};

use super::{Block, EXCEPTIONS, Lines, Unit, is_of_globals};
use crate::metamutant::source::{COPY, DIGITS};
use referee_judge::Digest;

/// Writes the code of one copy in a form that does not depend on the other copies.
pub(super) struct Writer<'u, 't> {
    unit: &'u Unit<'t>,
    lines: &'u Lines,
    text: String,
    reached: Reached<'t>,
}

/// Names in the order in which they are reached.
#[derive(Default)]
struct Reached<'t> {
    numbers: HashMap<&'t str, usize>,
    /// The names whose lines are not written yet.
    open: VecDeque<&'t str>,
}

impl<'t> Reached<'t> {
    /// Returns the number of the name.
    fn number(&mut self, name: &'t str) -> usize {
        let next = self.numbers.len();
        let number = *self.numbers.entry(name).or_insert(next);
        if number == next {
            self.open.push_back(name);
        }
        number
    }
}

impl<'u, 't> Writer<'u, 't> {
    pub(super) fn new(unit: &'u Unit<'t>, lines: &'u Lines) -> Self {
        Writer { unit, lines, text: String::new(), reached: Reached::default() }
    }

    /// Writes text, but not the numbers of copies in it. In a string, the name of a copy belongs to the name of a type
    /// or function. Elsewhere, it belongs to the name of a section.
    fn without_copies(&mut self, text: &str) {
        let mut parts = text.split(COPY);
        self.text += parts.next().unwrap_or_default();
        for part in parts {
            self.text += COPY;
            self.text += part.get(DIGITS..).unwrap_or(part);
        }
    }

    fn add(&mut self, part: fmt::Arguments<'_>) {
        // Writing to a string never fails.
        let _ = self.text.write_fmt(part);
    }

    /// Returns the digest of the copy with these symbols.
    pub(super) fn digest(mut self, symbols: &BTreeMap<String, &'t str>) -> Digest {
        for (name, symbol) in symbols {
            let number = self.reached.number(symbol);
            self.add(format_args!("{name} is {number}\n"));
        }
        while let Some(symbol) = self.reached.open.pop_front() {
            self.block(symbol);
        }
        *blake3::hash(self.text.as_bytes()).as_bytes()
    }

    /// Writes the lines of the symbol, and the data that they name.
    fn block(&mut self, symbol: &str) {
        let unit = self.unit;
        let Some(block) = unit.blocks.get(symbol) else { return };
        let mut data = Reached::default();
        block.lines.iter().for_each(|line| self.line(line, block, &mut data));
        while let Some(label) = data.open.pop_front() {
            self.text += "data\n";
            let lines = &unit.data[label];
            match self.lines.location(lines, &unit.data) {
                Some((line, column)) => self.add(format_args!("line {line}, column {column}\n")),
                None => lines.iter().for_each(|line| self.line(line, block, &mut data)),
            }
        }
        self.text += "end\n";
    }

    /// Writes a line of the block, or of data that the block names.
    fn line(&mut self, line: &'t str, block: &Block<'t>, data: &mut Reached<'t>) {
        let unit = self.unit;
        for (is_word, part) in words(without_flags(line)) {
            if !is_word {
                self.without_copies(part);
            } else if let Some(number) = block.inside.get(part) {
                self.add(format_args!(".L{number}"));
            } else if unit.data.get(part).is_some_and(|lines| !lines.is_empty()) {
                self.add(format_args!(".D{}", data.number(part)));
            } else if unit.blocks.contains_key(part) && !is_of_globals(part) {
                let number = self.reached.number(part);
                self.add(format_args!("@{number}"));
            } else {
                self.without_copies(without_number(part));
            }
        }
        self.text += "\n";
    }
}

/// Returns the word without its number if it is the label of a function's table of exceptions, or one where one of the
/// two parts of a function begins or ends. Each function names only its own.
fn without_number(word: &str) -> &str {
    let is_of_function = [".LCOLD", ".LHOT", EXCEPTIONS].iter().any(|start| word.starts_with(start));
    if is_of_function { word.trim_end_matches(|letter: char| letter.is_ascii_digit()) } else { word }
}

/// Returns the line without the flags of a section, which GCC writes only where it names the section first.
fn without_flags(line: &str) -> &str {
    let is_section = line.trim_start().starts_with(".section");
    line.split_once(',').filter(|_| is_section).map_or(line, |(section, _)| section)
}

/// Splits a line into words, which consist of the characters of symbols, and the text between them. The value is true
/// for words. Text in quotes is one part, which is not a word.
fn words(line: &str) -> impl Iterator<Item = (bool, &str)> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let first = *rest.as_bytes().first()?;
        let is_word = is_of_symbol(first);
        let is_end = |byte: &u8| *byte == b'"' || is_of_symbol(*byte) != is_word;
        let end = if first == b'"' { None } else { rest.as_bytes().iter().position(is_end) };
        // Bytes that are not ASCII are never the end of a part, apart from the end of the line.
        let (part, after) = rest.split_at_checked(end.unwrap_or(rest.len())).unwrap_or((rest, ""));
        rest = after;
        Some((is_word, part))
    })
}

fn is_of_symbol(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$')
}
