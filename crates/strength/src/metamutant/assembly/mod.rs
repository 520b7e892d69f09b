//! Compares the code of a metamutant's copies in assembly language, as GCC and rustc write it for the GNU assembler.
//!
//! The name of each symbol of a copy contains the name of the copy. A symbol's block begins with its label. The block of
//! a function ends where its size is declared, or after its table of exceptions, a block of data with the last directive
//! for data.
//!
//! If the copies are programs, the digest of a copy covers the blocks of its symbols; if they are functions, it covers
//! the block of the function. It also covers the blocks that can be reached from these through the symbols that they
//! name, apart from functions that choose between copies or initialise global variables. Before blocks are hashed, everything is removed that depends
//! on the other copies ([`writer`]).
//!
//! The code that initialises global variables is one function for all copies, and is not covered. No function of a copy
//! runs there, changes outside of functions are left out, and the code may not influence other copies ([`globals`]).
//!
//! Copies with equal digests consist of the same instructions and data, and name the same symbols of libraries. So they
//! behave in the same way, even if they are in different metamutants. The converse does not hold: the compiler may
//! treat a function of a header in another way for each copy.

mod globals;
mod location;
mod writer;

use std::collections::{BTreeMap, HashMap};

use super::source::{COPY, DIGITS, copy_name};
pub(super) use location::Lines;
use referee_judge::Digest;
use writer::Writer;

/// The code of copies of a program.
pub(super) struct Codes {
    /// The digest of the code of each copy; `None` if the copy has no code.
    pub(super) digests: Vec<Option<Digest>>,
    /// Whether some code of the copies runs before `main` or after it, to initialise or to destroy global variables.
    pub(super) runs_before_main: bool,
}

/// The names that GCC gives to functions that initialise or destroy global variables begin with one of these texts.
/// `__tls_init` initialises the variables of a thread. (In an unnamed namespace, names contain `_GLOBAL__N_`, but begin
/// with `_ZN`.)
const OF_GLOBALS: [&str; 6] = [
    "_GLOBAL__I_",
    "_GLOBAL__D_",
    "_GLOBAL__sub_",
    "_Z41__static_initialization_and_destruction_0",
    "__tcf_",
    "__tls_init",
];

/// The section for tables of exceptions, and the beginning of the labels that LLVM gives to them.
const TABLE: &str = ".gcc_except_table";
const EXCEPTIONS: &str = "GCC_except_table";

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

/// Returns the code of copies of a program. `None` if the texts do not have the expected form, or if the code that
/// initialises global variables could influence other copies.
pub(super) fn of_programs(texts: &[String], copies: usize) -> Option<Codes> {
    let unit = Unit::of(texts)?;
    let symbols = unit.symbols_of_copies(copies).filter(|_| !globals::may_influence_others(&unit))?;
    let lines = Lines::default();
    let digest =
        |symbols: &BTreeMap<String, &str>| (!symbols.is_empty()).then(|| Writer::new(&unit, &lines).digest(symbols));
    Some(Codes { digests: symbols.iter().map(digest).collect(), runs_before_main: unit.runs_before_main() })
}

/// Returns the digests of the code of copies of functions, by the numbers of the copies; `None` for copies without code
/// of their own. `lines` are the lines of the program from which the metamutant's lines were made. Returns `None` if the
/// texts do not have the expected form.
pub(super) fn of_functions(texts: &[String], copies: usize, lines: &Lines) -> Option<Vec<Option<Digest>>> {
    let unit = Unit::of(texts)?;
    let digest = |copy: usize| {
        let name = copy_name(copy);
        // The names of closures and types in the function continue after its name.
        let symbol = *unit.blocks.keys().find(|symbol| symbol.ends_with(&name))?;
        let root = BTreeMap::from([(symbol.replace(&name, COPY), symbol)]);
        Some(Writer::new(&unit, lines).digest(&root))
    };
    Some((0..copies).map(digest).collect())
}

impl<'t> Unit<'t> {
    /// Reads the files. Returns `None` if a symbol is defined twice.
    fn of(texts: &'t [String]) -> Option<Unit<'t>> {
        let mut unit = Unit::default();
        for text in texts {
            let lines: Vec<_> = text.lines().collect();
            let blocks = blocks(&lines);
            // The file with `main` only names the copies. Its local labels could have the names of others.
            if blocks.iter().any(|(label, _)| copy_of(label).is_some()) {
                unit.add(&lines, blocks)?;
            }
        }
        // A function of no copy that names copies chooses between them. Its code depends on all of them.
        unit.blocks.retain(|label, block| copy_of(label).is_some() || is_of_globals(label) || !block.names_copies());
        Some(unit)
    }

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
        self.blocks.iter().any(|(label, block)| is_of_globals(label) && block.names_copies())
    }

    /// Returns the symbols of each copy, by their names without the copy. `None` if there are more copies.
    fn symbols_of_copies(&self, copies: usize) -> Option<Vec<BTreeMap<String, &'t str>>> {
        let mut of_copies = vec![BTreeMap::new(); copies];
        for &label in self.blocks.keys().filter(|label| !is_of_globals(label)) {
            if let Some(copy) = copy_of(label) {
                of_copies.get_mut(copy)?.insert(label.replace(&copy_name(copy), COPY), label);
            }
        }
        Some(of_copies)
    }
}

impl Block<'_> {
    fn names_copies(&self) -> bool {
        self.lines.iter().skip(1).any(|line| line.contains(COPY))
    }
}

/// Returns the number of the copy that a symbol belongs to; `None` if it belongs to no copy.
fn copy_of(symbol: &str) -> Option<usize> {
    let at = symbol.find(COPY)? + COPY.len();
    symbol.get(at..at + DIGITS)?.parse().ok()
}

fn is_of_globals(symbol: &str) -> bool {
    OF_GLOBALS.iter().any(|beginning| symbol.starts_with(beginning))
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
                Some(&end) if end > at => past_exceptions(lines, end),
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

/// Returns the position after the function's table of exceptions, where LLVM writes it directly after the line `end`, in
/// which the function's size is declared. Returns `end` if there is no such table.
fn past_exceptions(lines: &[&str], end: usize) -> usize {
    let is_section = |line: &&str| first_operand(line, &[".section"]).is_some() || line.trim() == ".text";
    let is_table = |line: &&str| first_operand(line, &[".section"]).is_some_and(|name| name.starts_with(TABLE));
    let Some(table) = lines[end..].iter().take(3).position(is_section).map(|at| end + at) else {
        return end;
    };
    if !is_table(&lines[table]) {
        return end;
    }
    table + 1 + lines[table + 1..].iter().take_while(|line| !is_section(line)).count()
}

fn first_operand<'t>(line: &'t str, directives: &[&str]) -> Option<&'t str> {
    let (directive, operands) = line.trim_start().split_once(char::is_whitespace)?;
    directives.contains(&directive).then(|| operands.split(',').next().map(str::trim)).flatten()
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
        of_programs(texts, copies).unwrap().digests.into_iter().map(Option::unwrap).collect()
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
        // A function of a header, such as a constructor.
        let fill = |called: &str| format!("fill{called}:\n\tcall\t{called}\n\tret\n\t.size\tfill{called}, 9\n");
        let start = |instruction: &str| {
            let name = "_GLOBAL__sub_I__ZN18referee_copy_000001fEv";
            format!("{name}:\n\t{instruction}\n\tret\n\t.size\t{name}, 9\n")
        };
        let runs = |instruction: &str| {
            let text = start(instruction) + &function(0, "f", 1, 5) + &fill("_Znwm") + &fill("srand");
            of_programs(&[text], 1).map(|codes| codes.runs_before_main)
        };
        for harmless in ["_ZNSt8ios_base4InitC1Ev", "_Znwm@PLT", "_ZSt20__throw_length_errorPKc", "fill_Znwm"] {
            assert_eq!(runs(&format!("call\t{harmless}")), Some(false), "{harmless}");
        }
        assert_eq!(runs("movl\t$5, _ZN18referee_copy_000001tE(%rip)"), Some(true));
        let variable = |copy: usize| format!("_ZN18referee_copy_{copy:05}1tE");
        let of_thread = start(&format!("movl\t$5, {}(%rip)\n\tmovl\t$5, {}(%rip)", variable(0), variable(1)))
            .replace("_GLOBAL__sub_I__ZN18referee_copy_000001fEv", "__tls_init");
        let uses = |copy: usize| {
            let function = function(copy, "f", copy, 5).replace("addl", "call\t__tls_init\n\taddl");
            format!("{}:\n\t.long\t0\n", variable(copy)) + &data(copy, "") + &function
        };
        let codes = of_programs(&[of_thread + &uses(0) + &uses(1)], 2).unwrap();
        assert!(codes.runs_before_main && codes.digests[0] == codes.digests[1]);
        // These could influence other copies.
        for called in ["srand", "fillsrand", "*%rax", "_ZNSo9_M_insertIdEERSoT_@PLT"] {
            assert_eq!(runs(&format!("call\t{called}")), None, "{called}");
        }
        assert_eq!(runs("movq\t$0, _ZSt4cout(%rip)"), None);
        assert_eq!(runs("movq\tstdin@GOTPCREL(%rip), %rax"), None);
    }

    #[test]
    fn a_function_of_an_unnamed_namespace_is_no_code_for_global_variables() {
        let unnamed = |copy: usize, add: usize| {
            function(copy, "12_GLOBAL__N_11f", 1, add).replace("1612_GLOBAL__N_11fEv", "12_GLOBAL__N_11fEv")
                + "\tmovq\tstderr(%rip), %rdi\n"
        };
        let codes = of_programs(&[unnamed(0, 5) + &unnamed(1, 6)], 2).unwrap();
        assert!(!codes.runs_before_main && codes.digests[0] != codes.digests[1]);
    }

    #[test]
    fn a_copy_without_code_has_no_digest_and_an_unknown_copy_is_an_error() {
        let text = [function(1, "f", 1, 5)];
        assert!(of_programs(&text, 2).unwrap().digests[0].is_none());
        assert!(of_programs(&text, 1).is_none(), "there is no copy 1");
        let twice = [function(0, "f", 1, 5), function(0, "f", 1, 5)];
        assert!(of_programs(&twice, 1).is_none());
    }

    /// Returns a copy of the function `f`, as rustc writes it: it calls `g`, and panics in the line with this number.
    fn of_rust(copy: usize, add: usize, line: usize) -> String {
        let symbol = format!("_RNvCs1_7mutants20f_referee_copy_{copy:05}");
        format!(
            "\t.section\t.text.referee_copy_{copy:05},\"ax\",@progbits\n\t.type\t{symbol},@function\n{symbol}:\n\
             .Lfunc_begin{copy}:\n\t.cfi_lsda 27, .Lexception{copy}\n\taddl\t${add}, %eax\n.Ltmp{copy}:\n\
             \tcallq\t_RNvCs1_7mutants1g\n\tleaq\t.Lanon.{copy}(%rip), %rdi\n.Lfunc_end{copy}:\n\
             \t.size\t{symbol}, .Lfunc_end{copy}-{symbol}\n\t.cfi_endproc\n\
             \t.section\t.gcc_except_table.{symbol},\"a\",@progbits\nGCC_except_table{copy}:\n.Lexception{copy}:\n\
             \t.uleb128 .Ltmp{copy}-.Lfunc_begin{copy}\n\n\
             \t.section\t.data.rel.ro\n.Lanon.{copy}:\n\t.quad\t.Lname\n\
             \t.asciz\t\"\\n\\000\\000\\000\\000\\000\\000\\000\\{line:03o}\\000\\000\\000\\005\\000\\000\"\n\
             \t.size\t.Lanon.{copy}, 24\n"
        )
    }

    #[test]
    fn functions_are_the_same_if_only_their_numbers_and_places_differ() {
        // The function that chooses between the copies of g is another one if there are other copies.
        let choice =
            "_RNvCs1_7mutants1g:\n\tjmp\t_RNvCs1_7mutants20g_referee_copy_00009\n\t.size\t_RNvCs1_7mutants1g, 9\n";
        let name = "\t.section\t.rodata\n.Lname:\n\t.asciz\t\"mutants.rs\"\n";
        let lines = Lines { file: "mutants.rs", of_program: (0..60).map(|line| line % 10).collect() };
        let all = [of_rust(1, 5, 23), of_rust(2, 5, 33), of_rust(3, 6, 33), of_rust(4, 5, 34)].concat() + choice + name;
        let digests = of_functions(&[all], 6, &lines).unwrap();
        assert!(digests[1].is_some() && digests[1] == digests[2], "only the number of the copy differs");
        assert_ne!(digests[1], digests[3], "another number is added");
        assert_ne!(digests[1], digests[4], "another line of the program panics");
        assert_eq!((digests[0], digests[5]), (None, None), "these copies have no code");
        let other = of_rust(7, 5, 53) + &choice.replace("00009", "00008") + name;
        assert_eq!(
            of_functions(std::slice::from_ref(&other), 8, &lines).unwrap()[7],
            digests[1],
            "a copy in another metamutant"
        );
        let other_table = other.replace("\t.uleb128", "\t.uleb128 1\n\t.uleb128");
        assert_ne!(of_functions(&[other_table], 8, &lines).unwrap()[7], digests[1], "exceptions end elsewhere");
    }
}
