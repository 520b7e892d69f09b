//! Compares the code of a metamutant's copies in assembly language, as GCC writes it for the GNU assembler.
//!
//! The name of each symbol of a copy contains the name of the copy's namespace. The code of a copy consists of the
//! blocks that begin with the label of such a symbol. A block of a function ends where its size is declared, a block of
//! data with the last directive for data. Before blocks are hashed, two things are made independent of the copy: the
//! own namespace in names of symbols, and the numbers of local labels. A local label outside of the block, such as that
//! of a string, stands for the data after it.
//!
//! Copies with equal digests consist of the same instructions and data. They refer to the same symbols outside of the
//! copies, or to their own symbols of the same names. So they behave in the same way. The converse does not hold: if
//! the compiler makes a variant of a function from a header for each copy, the copies refer to different symbols.

use std::collections::{BTreeMap, HashMap};

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

/// A labelled part of the code: the lines from the label on.
struct Block<'t> {
    label: &'t str,
    lines: Vec<&'t str>,
}

/// Returns the code of all copies of the metamutant `id`. `None` if the texts do not have the expected form.
pub(super) fn codes(id: &Digest, texts: &[String], copies: usize) -> Option<Codes> {
    let mut of_copies: Vec<BTreeMap<String, Digest>> = vec![BTreeMap::new(); copies];
    let mut runs_before_main = false;
    for text in texts {
        let lines: Vec<_> = text.lines().collect();
        let data = data(&lines);
        for block in blocks(&lines) {
            if OF_GLOBALS.iter().any(|name| block.label.contains(name)) {
                runs_before_main |= block.lines.iter().skip(1).any(|line| line.contains(NAMESPACE));
                continue;
            }
            let Some(copy) = copy_of(block.label) else { continue };
            let own = namespace(copy);
            let (name, digest) = (block.label.replace(&own, NAMESPACE), block.digest(&own, &data));
            // The texts must not define a symbol twice, and every copy must have a number.
            if of_copies.get_mut(copy)?.insert(name, digest).is_some() {
                return None;
            }
        }
    }
    let digest = |symbols: &BTreeMap<String, Digest>| {
        let mut hasher = blake3::Hasher::new();
        hasher.update(id);
        for (name, digest) in symbols {
            hasher.update(&(name.len() as u64).to_le_bytes()).update(name.as_bytes()).update(digest);
        }
        (!symbols.is_empty()).then(|| *hasher.finalize().as_bytes())
    };
    Some(Codes { digests: of_copies.iter().map(digest).collect(), runs_before_main })
}

/// Returns the number of the copy that a symbol belongs to; `None` if it belongs to no copy.
fn copy_of(symbol: &str) -> Option<usize> {
    let at = symbol.find(NAMESPACE)? + NAMESPACE.len();
    symbol.get(at..at + DIGITS)?.parse().ok()
}

/// Returns the label that a line defines; `None` if it defines none.
fn label(line: &str) -> Option<&str> {
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

/// Returns the data after each local label, by the label.
fn data<'t>(lines: &[&'t str]) -> HashMap<&'t str, Vec<&'t str>> {
    let mut data = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        if let Some(label) = label(line).filter(|label| is_local(label)) {
            data.insert(label, lines[at + 1..].iter().copied().take_while(|line| is_data(line)).collect());
        }
    }
    data
}

/// Returns the blocks of all symbols. The rarely used part of a function, which has a label of its own, is contained in
/// the block of the function.
fn blocks<'t>(lines: &[&'t str]) -> Vec<Block<'t>> {
    let sizes: HashMap<&str, usize> =
        lines.iter().enumerate().filter_map(|(at, line)| Some((sized(line)?, at))).collect();
    let (mut blocks, mut past) = (Vec::new(), 0);
    for (at, line) in lines.iter().enumerate() {
        if let Some(label) = label(line).filter(|label| !is_local(label) && at >= past) {
            past = match sizes.get(label) {
                Some(&end) if end > at => end,
                _ => at + 1 + lines[at + 1..].iter().take_while(|line| is_data(line)).count(),
            };
            blocks.push(Block { label, lines: lines[at..past].to_vec() });
        }
        if let Some(label) = defined_without_a_label(line) {
            blocks.push(Block { label, lines: vec![line] });
        }
    }
    blocks
}

/// Returns the symbol whose size the line declares.
fn sized(line: &str) -> Option<&str> {
    first_operand(line, &[".size"])
}

/// Returns the symbol for which the line reserves zeros, or which it defines as another name of a symbol.
fn defined_without_a_label(line: &str) -> Option<&str> {
    first_operand(line, &[".comm", ".set"])
}

fn first_operand<'t>(line: &'t str, directives: &[&str]) -> Option<&'t str> {
    let (directive, operands) = line.trim_start().split_once(char::is_whitespace)?;
    directives.contains(&directive).then(|| operands.split(',').next().map(str::trim)).flatten()
}

impl Block<'_> {
    /// Returns the digest of the block in the copy whose namespace is `own`. `data` is the data after local labels.
    fn digest(&self, own: &str, data: &HashMap<&str, Vec<&str>>) -> Digest {
        let inside: HashMap<&str, usize> = self
            .lines
            .iter()
            .filter_map(|line| label(line))
            .enumerate()
            .map(|(number, label)| (label, number))
            .collect();
        let mut hasher = blake3::Hasher::new();
        for line in self.lines.iter().map(|line| without_flags(line)) {
            for (is_word, part) in words(line) {
                let number = inside.get(part).filter(|_| is_local(part));
                match (is_word && is_local(part)).then_some(number) {
                    Some(Some(number)) => hasher.update(format!(".L{number}").as_bytes()),
                    Some(None) => match data.get(part).filter(|lines| !lines.is_empty()) {
                        Some(lines) => hasher.update(lines.join("\n").as_bytes()),
                        None => hasher.update(without_number(part).as_bytes()),
                    },
                    None => hasher.update(part.replace(own, NAMESPACE).as_bytes()),
                };
            }
            hasher.update(b"\n");
        }
        *hasher.finalize().as_bytes()
    }
}

/// Returns the name of a label outside of the block. Of the labels where the two parts of a function begin and end,
/// each function names only its own, so their numbers do not matter.
fn without_number(label: &str) -> &str {
    let is_of_function = [".LCOLD", ".LHOT"].iter().any(|start| label.starts_with(start));
    if is_of_function { label.trim_end_matches(|letter: char| letter.is_ascii_digit()) } else { label }
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
        let first = rest.chars().next()?;
        let is_word = is_of_symbol(first);
        let end = if first == '"' {
            rest.len()
        } else {
            rest.find(|letter: char| letter == '"' || is_of_symbol(letter) != is_word).unwrap_or(rest.len())
        };
        let (part, after) = rest.split_at(end);
        rest = after;
        Some((is_word, part))
    })
}

fn is_of_symbol(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '$')
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
        codes(&[7; 32], texts, copies).unwrap().digests.into_iter().map(Option::unwrap).collect()
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
        // A symbol of a third copy is another one, even if it has the same name there.
        let alias = "\t.set\tOWNfE,OWNgE\n";
        assert!(!differ(alias, alias));
        assert!(differ(alias, "\t.set\tOWNfE,_ZN18referee_copy_000021gE\n"));
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
            codes(&[7; 32], &[text], 1).unwrap().runs_before_main
        };
        assert!(!runs("_ZNSt8ios_base4InitC1Ev") && runs("_ZN18referee_copy_000001gEv"));
    }

    #[test]
    fn a_copy_without_code_has_no_digest_and_an_unknown_copy_is_an_error() {
        let text = [function(1, "f", 1, 5)];
        assert!(codes(&[7; 32], &text, 2).unwrap().digests[0].is_none());
        assert!(codes(&[7; 32], &text, 1).is_none(), "there is no copy 1");
        let twice = [function(0, "f", 1, 5), function(0, "f", 1, 5)];
        assert!(codes(&[7; 32], &twice, 1).is_none());
        assert_ne!(digests(&twice[..1], 1), {
            let codes = codes(&[8; 32], &twice[..1], 1).unwrap();
            codes.digests.into_iter().map(Option::unwrap).collect::<Vec<_>>()
        });
    }
}
