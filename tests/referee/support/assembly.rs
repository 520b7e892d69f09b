//! Compares programs in assembly language.

use std::collections::BTreeMap;

/// Returns the parts of a program in assembly language: its functions and variables. The numbers of local labels count
/// from the beginning of a part, and the contents of constants stand in place of their labels.
pub(crate) fn parts(assembly: &str) -> Vec<String> {
    let starts_section =
        |line: &str| ["\t.section\t", "\t.text", "\t.data", "\t.bss"].iter().any(|start| line.starts_with(start));
    let mut sections: Vec<Vec<&str>> = vec![Vec::new()];
    for line in assembly.lines() {
        if starts_section(line) {
            sections.push(Vec::new());
        }
        sections.last_mut().expect("a section").push(line);
    }
    let (constants, others): (Vec<_>, Vec<_>) =
        sections.into_iter().partition(|section| section.first().is_some_and(|line| holds_constants(line)));
    let contents = contents_by_label(&constants.concat());
    let mut parts = Vec::new();
    for section in others {
        // An attribute of a function may stand behind any other function.
        let is_attribute =
            |line: &&str| [".weak", ".globl", ".hidden", ".set"].iter().any(|start| line.trim().starts_with(start));
        let (attributes, lines): (Vec<_>, Vec<_>) =
            section.into_iter().filter(|line| *line != "\t.text").partition(is_attribute);
        parts.extend(attributes.into_iter().map(str::to_owned));
        parts.push(with_own_labels(&lines.join("\n"), &contents));
    }
    parts.retain(|part| !part.is_empty());
    parts.sort();
    parts
}

/// Returns whether the section that begins with this line holds constants which the linker merges.
fn holds_constants(line: &str) -> bool {
    line.contains(".rodata") && [".str", ".cst"].iter().any(|kind| line.contains(kind))
}

/// Returns the text after each label.
fn contents_by_label<'t>(lines: &[&'t str]) -> BTreeMap<&'t str, Vec<&'t str>> {
    let mut contents: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut label = "";
    for line in lines.iter().filter(|line| !line.starts_with("\t.section") && !line.starts_with("\t.align")) {
        match line.strip_suffix(':') {
            Some(next) => label = next,
            None => contents.entry(label).or_default().push(line.trim()),
        }
    }
    contents
}

/// Replaces the labels of constants with the contents, and numbers all other local labels anew.
fn with_own_labels(text: &str, contents: &BTreeMap<&str, Vec<&str>>) -> String {
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut pieces = text.split(".L");
    let mut result = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let letters = piece.find(|letter: char| !letter.is_ascii_uppercase()).unwrap_or(piece.len());
        let digits = piece[letters..].find(|letter: char| !letter.is_ascii_digit()).unwrap_or(piece.len() - letters);
        let (label, rest) = piece.split_at(letters + digits);
        result += &contents.get(format!(".L{label}").as_str()).map_or_else(
            || {
                let next = numbers.len();
                format!(".L#{}", numbers.entry(label.to_owned()).or_insert(next))
            },
            |content| format!("<{}>", content.join(" ")),
        );
        result += rest;
    }
    result
}

#[test]
fn programs_with_other_functions_or_constants_have_other_parts() {
    let program = |constant: &str, instruction: &str| {
        format!(
            "\t.section\t.text.main\nmain:\n.LFB7:\n\t{instruction}\n\tlea .LC3(%rip), %rdi\n\tjmp .L4\n\
             \t.section\t.rodata.main.str1.1\n.LC3:\n\t.string \"{constant}\"\n"
        )
    };
    let same = program("a", "nop").replace(".LC3", ".LC9").replace(".LFB7", ".LFB12");
    assert_eq!(parts(&program("a", "nop")), parts(&same));
    assert_ne!(parts(&program("a", "nop")), parts(&program("b", "nop")));
    assert_ne!(parts(&program("a", "nop")), parts(&program("a", "ret")));
    assert_ne!(parts(&program("a", "jmp .LFB7")), parts(&program("a", "jmp .L4")));
}
