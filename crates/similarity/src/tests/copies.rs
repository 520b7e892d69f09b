//! Disguises programs as a student does who copied them.

use referee_random::Random;

use super::honest::{Draft, Written, named};

/// What a copyist changed.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a change that is made or not")]
pub(super) struct Disguise {
    pub(super) renamed: bool,
    pub(super) reformatted: bool,
    pub(super) reordered: bool,
    pub(super) padded: bool,
}

/// Returns the copy of a draft. `names` must be the stream that named the original: names stay unless they are renamed.
pub(super) fn copy(draft: &Draft, disguise: Disguise, names: &mut Random, random: &mut Random) -> String {
    let mut draft = draft.clone();
    if disguise.padded {
        pad(&mut draft, random);
    }
    if disguise.reordered {
        reorder(&mut draft, random);
    }
    let text = if disguise.renamed { named(&draft, random) } else { named(&draft, names) };
    if disguise.reformatted { reformatted(draft.written, &text, random) } else { text }
}

fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

/// Inserts statements without effect before some lines, and an unused function.
fn pad(draft: &mut Draft, random: &mut Random) {
    let statements: &[&str] = match draft.written {
        Written::Python => &[
            "$u = 0",
            "$u2 = [1, 2, 3]",
            "if 1 > 2: print($z)",
            "$u3 = 5 * 7 - 3",
            "assert True",
            "$u4 = max(3, 4); $u5 = $u4 - 1",
        ],
        _ => &[
            "int $u = 0;",
            "if (1 > 2) { int $u2 = 7; }",
            "double $u3 = 2.5 * 4;",
            "int $u4 = 3; $u4 = $u4 * 2; int $u5 = $u4;",
        ],
    };
    for block in draft.functions.iter_mut().chain([&mut draft.main]) {
        let mut padded: Vec<String> = Vec::new();
        for (number, line) in block.iter().enumerate() {
            let is_inside = number > 0 && !indent(line).is_empty() && !line.trim_start().starts_with(['}', '.']);
            let continues = ["else", "elif"].iter().any(|word| line.trim_start().starts_with(word));
            // Without braces, the statement before a line may be its loop.
            let follows = padded
                .last()
                .is_some_and(|last| last.ends_with([';', '{', '}', ':']) || draft.written == Written::Python);
            if is_inside && follows && !continues && random.chance(1, 6) {
                let statement = random.pick(statements).copied().unwrap_or_default();
                padded.push(format!("{}{statement}", indent(line)));
            }
            padded.push(line.clone());
        }
        *block = padded;
    }
    let unused = match draft.written {
        Written::Python => "def $unused($p, $q):\n    while $p < $q:\n        $p = $p * 2 + 1\n    return [$p, $q]",
        Written::Cpp => "int $unused(int $p, int $q) {\n    while ($p < $q) $p = $p * 2 + 1;\n    return $p + $q;\n}",
        Written::Java => {
            "static int $unused(int $p, int $q) {\n    while ($p < $q) $p = $p * 2 + 1;\n    return $p;\n}"
        }
    };
    draft.functions.push(unused.lines().map(str::to_owned).collect());
}

/// Reverses the functions, and swaps neighbouring assignments.
fn reorder(draft: &mut Draft, random: &mut Random) {
    draft.functions.reverse();
    random.shuffle(&mut draft.functions);
    for block in draft.functions.iter_mut().chain([&mut draft.main]) {
        let mut at = 1;
        while at < block.len() {
            let is_simple = |line: &str| {
                let words = ["for", "if", "while", "return", "else", "elif", "def", "do"];
                let first = line.trim_start().split([' ', '(']).next().unwrap_or_default();
                line.contains("= ") && !words.contains(&first) && !line.ends_with(['{', ':', ','])
            };
            let are_neighbours = indent(&block[at - 1]) == indent(&block[at]);
            if are_neighbours && is_simple(&block[at - 1]) && is_simple(&block[at]) && random.chance(2, 3) {
                block.swap(at - 1, at);
                at += 1;
            }
            at += 1;
        }
    }
}

/// Changes blanks, line breaks, braces and comments.
fn reformatted(written: Written, text: &str, random: &mut Random) -> String {
    let mut result = String::new();
    for line in text.lines() {
        let (blanks, code) = (indent(line).len() / 4, line.trim());
        let (comment, width) = if written == Written::Python { ("# my own idea", 2) } else { ("/* my own idea */", 1) };
        let is_plain = !code.starts_with('#') && !code.is_empty();
        if is_plain && random.chance(1, 4) {
            result.extend(["\n", &" ".repeat(blanks * width), comment, "\n"]);
        }
        let code = if written == Written::Python || code.contains('"') || code.starts_with('#') {
            code.to_owned()
        } else {
            code.replace(" {", "\n{").replace(" = ", "=").replace("; ", ";\n").replace(" + ", "+")
        };
        result += &" ".repeat(blanks * width);
        result += &code;
        let joins = written != Written::Python && is_plain && !code.contains("//") && random.chance(1, 3);
        result += if joins { " " } else { "\n" };
    }
    result
}
