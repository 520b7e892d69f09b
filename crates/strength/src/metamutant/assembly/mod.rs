//! Compares the code of a metamutant's copies in assembly language, as GCC writes it for the GNU assembler.
//!
//! The name of each symbol of a copy contains the name of the copy's namespace. A symbol's block begins with its label.
//! The block of a function ends where its size is declared, a block of data with the last directive for data.
//!
//! The digest of a copy covers the blocks of its symbols, and those that can be reached from them through the symbols
//! that they name. Before blocks are hashed, everything is removed that depends on the other copies: a symbol becomes
//! its number in the order in which the symbols are reached, and so does a label inside of a block. A local label
//! outside of the block, such as that of a string, stands for the data after it.
//!
//! The code that initialises global variables is one function for all copies, and is not covered. No function of a copy
//! runs there ([`declarations`](super::declarations)), and changes outside of functions are left out.
//!
//! Copies with equal digests consist of the same instructions and data, and name the same symbols of libraries. So they
//! behave in the same way, even if they are in different metamutants. The converse does not hold: the compiler may
//! treat a function of a header in another way for each copy.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::{self, Write};

use super::source::{NAMESPACE, namespace};
use referee_judge::Digest;

/// The code of all copies.
pub(super) struct Codes {
    /// The digest of the code of each copy; `None` if the copy has no code.
    pub(super) digests: Vec<Option<Digest>>,
    /// Whether some code of the copies runs before `main` or after it, to initialise or to destroy global variables.
    pub(super) runs_before_main: bool,
}

/// The names that GCC gives to functions that initialise or destroy global variables contain one of these texts.
const OF_GLOBALS: [&str; 3] = ["_GLOBAL__", "__static_initialization_and_destruction", "__tcf_"];

/// The names of copies in assembly language have this number of digits after [`NAMESPACE`].
const DIGITS: usize = 5;

/// The code of a metamutant.
#[derive(Default)]
struct Unit<'t> {
    blocks: HashMap<&'t str, Block<'t>>,
    /// The data after each local label.
    data: HashMap<&'t str, Vec<&'t str>>,
}

/// The lines of a symbol, from its label on, and the numbers of the local labels among them.
struct Block<'t> {
    lines: Vec<&'t str>,
    inside: HashMap<&'t str, usize>,
}

/// Returns the code of all copies. `None` if the texts do not have the expected form.
pub(super) fn codes(texts: &[String], copies: usize) -> Option<Codes> {
    let mut unit = Unit::default();
    for text in texts {
        let lines: Vec<_> = text.lines().collect();
        let blocks = blocks(&lines);
        // The file with `main` only names the copies. Its local labels could have the names of others.
        if blocks.iter().any(|(label, _)| copy_of(label).is_some()) {
            unit.add(&lines, blocks)?;
        }
    }
    let symbols = unit.symbols_of_copies(copies)?;
    let digest = |symbols: &BTreeMap<String, &str>| (!symbols.is_empty()).then(|| Writer::new(&unit).digest(symbols));
    Some(Codes { digests: symbols.iter().map(digest).collect(), runs_before_main: unit.runs_before_main() })
}

impl<'t> Unit<'t> {
    /// Adds the lines of a file. Returns `None` if a symbol is defined a second time.
    fn add(&mut self, lines: &[&'t str], blocks: Vec<(&'t str, Vec<&'t str>)>) -> Option<()> {
        for (label, lines) in blocks {
            let labels = lines.iter().filter_map(|line| label_of(line)).filter(|label| is_local(label));
            let inside = labels.enumerate().map(|(number, label)| (label, number)).collect();
            if self.blocks.insert(label, Block { lines, inside }).is_some() {
                return None;
            }
        }
        for (at, line) in lines.iter().enumerate() {
            if let Some(label) = label_of(line).filter(|label| is_local(label)) {
                let data = lines[at + 1..].iter().copied().take_while(|line| is_data(line));
                self.data.insert(label, data.collect());
            }
        }
        Some(())
    }

    /// Whether functions that initialise or destroy global variables name symbols of copies.
    fn runs_before_main(&self) -> bool {
        let of_globals = self.blocks.iter().filter(|(label, _)| is_of_globals(label));
        of_globals.flat_map(|(_, block)| block.lines.iter().skip(1)).any(|line| line.contains(NAMESPACE))
    }

    /// Returns the symbols of each copy, by their names without the copy. `None` if there are more copies.
    fn symbols_of_copies(&self, copies: usize) -> Option<Vec<BTreeMap<String, &'t str>>> {
        let mut of_copies = vec![BTreeMap::new(); copies];
        for &label in self.blocks.keys().filter(|label| !is_of_globals(label)) {
            if let Some(copy) = copy_of(label) {
                of_copies.get_mut(copy)?.insert(label.replace(&namespace(copy), NAMESPACE), label);
            }
        }
        Some(of_copies)
    }
}

/// Writes the code of one copy in a form that does not depend on the other copies.
struct Writer<'u, 't> {
    unit: &'u Unit<'t>,
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
    fn new(unit: &'u Unit<'t>) -> Self {
        Writer { unit, text: String::new(), reached: Reached::default() }
    }

    /// Writes text, but not the numbers of copies in it. In a string, the name of a copy belongs to the name of a type
    /// or function. Elsewhere, it belongs to the name of a section.
    fn without_copies(&mut self, text: &str) {
        let mut parts = text.split(NAMESPACE);
        self.text += parts.next().unwrap_or_default();
        for part in parts {
            self.text += NAMESPACE;
            self.text += part.get(DIGITS..).unwrap_or(part);
        }
    }

    fn add(&mut self, part: fmt::Arguments<'_>) {
        // Writing to a string never fails.
        let _ = self.text.write_fmt(part);
    }

    /// Returns the digest of the copy with these symbols.
    fn digest(mut self, symbols: &BTreeMap<String, &'t str>) -> Digest {
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
            unit.data[label].iter().for_each(|line| self.line(line, block, &mut data));
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
            } else if unit.blocks.contains_key(part) {
                let number = self.reached.number(part);
                self.add(format_args!("@{number}"));
            } else {
                self.without_copies(without_number(part));
            }
        }
        self.text += "\n";
    }
}

/// Returns the number of the copy that a symbol belongs to; `None` if it belongs to no copy.
fn copy_of(symbol: &str) -> Option<usize> {
    let at = symbol.find(NAMESPACE)? + NAMESPACE.len();
    symbol.get(at..at + DIGITS)?.parse().ok()
}

fn is_of_globals(symbol: &str) -> bool {
    OF_GLOBALS.iter().any(|name| symbol.contains(name))
}

/// Returns the label that a line defines; `None` if it defines none.
fn label_of(line: &str) -> Option<&str> {
    if line.starts_with(char::is_whitespace) {
        return None;
    }
    line.strip_suffix(':').filter(|label| !label.is_empty() && !label.contains(char::is_whitespace))
}

fn is_local(label: &str) -> bool {
    label.starts_with(".L")
}

/// Returns whether the line is a directive that writes or reserves data.
fn is_data(line: &str) -> bool {
    const DATA: [&str; 19] = [
        ".ascii", ".asciz", ".string", ".byte", ".value", ".short", ".hword", ".2byte", ".long", ".word", ".int",
        ".4byte", ".quad", ".xword", ".dword", ".8byte", ".zero", ".octa", ".sleb128",
    ];
    let first = line.split_whitespace().next().unwrap_or_default();
    DATA.contains(&first)
}

/// Returns the symbols with their blocks. The rarely used part of a function, which has a label of its own, is
/// contained in the block of the function.
fn blocks<'t>(lines: &[&'t str]) -> Vec<(&'t str, Vec<&'t str>)> {
    let sizes: HashMap<&str, usize> =
        lines.iter().enumerate().filter_map(|(at, line)| Some((first_operand(line, &[".size"])?, at))).collect();
    let (mut blocks, mut past) = (Vec::new(), 0);
    for (at, line) in lines.iter().enumerate() {
        if let Some(label) = label_of(line).filter(|label| !is_local(label) && at >= past) {
            past = match sizes.get(label) {
                Some(&end) if end > at => end,
                _ => at + 1 + lines[at + 1..].iter().take_while(|line| is_data(line)).count(),
            };
            blocks.push((label, lines[at..past].to_vec()));
        }
        // These directives define a symbol without a label: zeros, or another name of a symbol.
        if let Some(symbol) = first_operand(line, &[".comm", ".set"]) {
            blocks.push((symbol, vec![*line]));
        }
    }
    blocks
}

fn first_operand<'t>(line: &'t str, directives: &[&str]) -> Option<&'t str> {
    let (directive, operands) = line.trim_start().split_once(char::is_whitespace)?;
    directives.contains(&directive).then(|| operands.split(',').next().map(str::trim)).flatten()
}

/// Returns the word without its number if it is a label where one of the two parts of a function begins or ends. Each
/// function names only its own.
fn without_number(word: &str) -> &str {
    let is_of_function = [".LCOLD", ".LHOT"].iter().any(|start| word.starts_with(start));
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the function `name` of a copy, as GCC writes it. `labels` is the number of its first label.
    fn function(copy: usize, name: &str, labels: usize, add: usize) -> String {
        let symbol = format!("_ZN18referee_copy_{copy:05}{}{name}Ev", name.len());
        let flags = if copy == 0 { ",\"a\",@progbits" } else { "" };
        format!(
            "\t.section\t.text.unlikely\n.LCOLDB{labels}:\n\t.text\n\t.globl\t{symbol}\n\t.type\t{symbol}, @function\n\
             {symbol}:\n.LFB{labels}:\n\tleaq\t.LC{labels}(%rip), %rdi\n\tcall\t_ZN18referee_copy_{copy:05}4nextEv\n\
             \tje\t.L{labels}\n\taddl\t${add}, %eax\n.L{labels}:\n\t.section\t.gcc_except_table{flags}\n\
             \t.uleb128 .LFB{labels}-.LCOLDB{labels}\n\t.text\n\t.size\t{symbol}, .-{symbol}\n"
        )
    }

    fn data(label: usize, text: &str) -> String {
        format!("\t.section\t.rodata.str1.1\n.LC{label}:\n\t.string\t\"{text}\"\n")
    }

    fn digests(texts: &[String], copies: usize) -> Vec<Digest> {
        codes(texts, copies).unwrap().digests.into_iter().map(Option::unwrap).collect()
    }

    #[test]
    fn copies_are_the_same_if_only_labels_and_namespaces_differ() {
        let text =
            data(1, "out of range") + &function(0, "f", 1, 5) + &data(9, "out of range") + &function(1, "f", 9, 5);
        let same = digests(&[text], 2);
        assert_eq!(same[0], same[1]);
        let other_number = data(1, "a") + &function(0, "f", 1, 5) + &data(9, "a") + &function(1, "f", 9, 6);
        let other_text = data(1, "a") + &function(0, "f", 1, 5) + &data(9, "b") + &function(1, "f", 9, 5);
        let other_name = data(1, "a") + &function(0, "f", 1, 5) + &data(9, "a") + &function(1, "g", 9, 5);
        let unknown_label = function(0, "f", 1, 5) + &function(1, "f", 9, 5);
        for text in [other_number, other_text, other_name, unknown_label] {
            let digests = digests(std::slice::from_ref(&text), 2);
            assert_ne!(digests[0], digests[1], "{text}");
        }
    }

    #[test]
    fn data_and_other_names_of_symbols_count() {
        let of = |copy: usize, lines: &str| lines.replace("OWN", &format!("_ZN18referee_copy_{copy:05}1"));
        let differ = |one: &str, other: &str| {
            let both = digests(&[of(0, one) + &of(1, other)], 2);
            both[0] != both[1]
        };
        let table = "\t.size\tOWNtE, 8\nOWNtE:\n\t.long\t1\n\t.long\t2\n\t.globl\tOWNsE\n";
        assert!(!differ(table, table));
        assert!(differ(table, &table.replace('2', "3")));
        assert!(differ("\t.comm\tOWNtE,4,4\n", "\t.comm\tOWNtE,8,8\n"));
        // The symbol of a third copy is another one.
        let (alias, symbol) = ("\t.set\tOWNfE,OWNgE\n", table.replace("OWNt", "OWNg"));
        let of_third = alias.replace("OWNgE", "_ZN18referee_copy_000021gE");
        let all = [of(0, &symbol), of(0, alias), of(1, &symbol), of(1, &of_third), of(2, &symbol), of(2, alias)];
        let digests = digests(&[all.concat()], 3);
        assert!(digests[0] == digests[2] && digests[0] != digests[1]);
    }

    #[test]
    fn code_for_global_variables_is_noticed() {
        let start = |called: &str| {
            format!(
                "_GLOBAL__sub_I__ZN18referee_copy_000001fEv:\n\tcall\t{called}\n\tret\n\
                                            \t.size\t_GLOBAL__sub_I__ZN18referee_copy_000001fEv, 9\n"
            )
        };
        let runs = |called: &str| {
            let text = start(called) + &function(0, "f", 1, 5);
            codes(&[text], 1).unwrap().runs_before_main
        };
        assert!(!runs("_ZNSt8ios_base4InitC1Ev") && runs("_ZN18referee_copy_000001gEv"));
    }

    #[test]
    fn a_copy_without_code_has_no_digest_and_an_unknown_copy_is_an_error() {
        let text = [function(1, "f", 1, 5)];
        assert!(codes(&text, 2).unwrap().digests[0].is_none());
        assert!(codes(&text, 1).is_none(), "there is no copy 1");
        let twice = [function(0, "f", 1, 5), function(0, "f", 1, 5)];
        assert!(codes(&twice, 1).is_none());
    }
}
