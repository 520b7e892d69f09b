//! Generates different honest solutions of one problem, in Python, C++ and Java. Nobody runs them.
//!
//! The problem: given n, k and n numbers, print how many pairs differ by k, how many pairs are out of order, the lengths
//! of the longest stretches without repeated numbers and with ascending numbers, and the least number that occurs once.
//!
//! Each file in `honest/` has several ways to read the input and several algorithms for each of the five parts. `⟦a¦b⟧`
//! is a choice between two ways to write something, `$x` is a name that every student chooses, and `@ret(x)` returns or
//! prints the result. Helper functions stand before a line `~~~`.

use std::collections::HashMap;

use referee_random::Random;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    Python,
    Cpp,
    Java,
}

impl Written {
    pub(super) fn id(self) -> &'static str {
        match self {
            Written::Python => "python3",
            Written::Cpp => "cpp",
            Written::Java => "java",
        }
    }

    fn ways(self) -> &'static str {
        match self {
            Written::Python => include_str!("honest/python.txt"),
            Written::Cpp => include_str!("honest/cpp.txt"),
            Written::Java => include_str!("honest/java.txt"),
        }
    }
}

/// A program whose names are not chosen yet: `$x` is a name.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) written: Written,
    /// Imports and the like.
    pub(super) head: Vec<String>,
    pub(super) functions: Vec<Vec<String>>,
    pub(super) main: Vec<String>,
}

/// Returns a solution.
pub(super) fn solution(written: Written, random: &mut Random) -> Draft {
    let mut draft = Draft { written, head: head(written, random), functions: Vec::new(), main: Vec::new() };
    let (_, read) = way(written, "read", random);
    draft.main.extend(read);
    let uses_functions = random.chance(1, 2);
    for part in ["pairs", "inversions", "distinct", "climb", "rare"] {
        let (helper, mut body) = way(written, part, random);
        let helper: Vec<_> = helper.iter().map(|line| line.replace("$f", &format!("$help_{part}"))).collect();
        for line in &mut body {
            *line = line.replace("$f(", &format!("$help_{part}("));
        }
        if !helper.is_empty() {
            draft.functions.push(helper);
        }
        let result = body.pop().unwrap_or_default().replace("@ret", "");
        if uses_functions {
            draft.functions.push(function(written, part, &body, &result));
            draft.main.push(print(written, &format!("$do_{part}({})", arguments(part)), random));
        } else {
            draft.main.extend(inner_scope(written, body, print(written, &result, random)));
        }
    }
    draft.main = main(written, std::mem::take(&mut draft.main), random);
    super::habits::apply(&mut draft, random);
    draft
}

fn arguments(part: &str) -> &'static str {
    if part == "pairs" { "$n, $k, $a" } else { "$a, $n" }
}

fn function(written: Written, part: &str, body: &[String], result: &str) -> Vec<String> {
    let (name, arguments) = (format!("$do_{part}"), arguments(part));
    let typed = |list: &str| {
        let of = |one: &str| match one {
            "$a" => format!("{list} {one}"),
            _ => format!("int {one}"),
        };
        arguments.split(", ").map(of).collect::<Vec<_>>().join(", ")
    };
    let (begin, end) = match written {
        Written::Python => (format!("def {name}({arguments}):"), None),
        Written::Cpp => (format!("long long {name}({}) {{", typed("vector<int> &")), Some("}")),
        Written::Java => (format!("static long {name}({}) {{", typed("int[]")), Some("}")),
    };
    let result = result.trim_start_matches('(').strip_suffix(')').unwrap_or_default();
    let semicolon = if written == Written::Python { "" } else { ";" };
    let mut lines = vec![begin];
    lines.extend(body.iter().map(|line| format!("    {line}")));
    lines.push(format!("    return {result}{semicolon}"));
    lines.extend(end.map(str::to_owned));
    lines
}

/// Encloses the body in braces, so that the parts can use the same names.
fn inner_scope(written: Written, body: Vec<String>, print: String) -> Vec<String> {
    if written == Written::Python {
        return body.into_iter().chain([print]).collect();
    }
    let inner = body.into_iter().chain([print]).map(|line| format!("    {line}"));
    ["{".to_owned()].into_iter().chain(inner).chain(["}".to_owned()]).collect()
}

fn print(written: Written, result: &str, random: &mut Random) -> String {
    let ways: &[&str] = match written {
        Written::Python => &["print(@)", "sys.stdout.write(str(@) + \"\\n\")", "print(str(@))", "print(\"%d\" % @)"],
        Written::Cpp => &["cout << @ << endl;", "cout << @ << '\\n';", "printf(\"%lld\\n\", (long long)@);"],
        Written::Java => {
            &["System.out.println(@);", "System.out.printf(\"%d\\n\", @);", "System.out.print(@ + \"\\n\");"]
        }
    };
    random.pick(ways).map_or_else(String::new, |way| way.replace('@', result))
}

fn head(written: Written, random: &mut Random) -> Vec<String> {
    let text = match written {
        Written::Python => "⟦import sys¦import sys, itertools¦⟧\nfrom collections import *\n⟦from bisect import *\n¦⟧",
        Written::Cpp => {
            "⟦#include <bits/stdc++.h>¦#include <algorithm>\n#include <iostream>\n#include <map>¦\
                         #include <iostream>\n#include <vector>⟧\nusing namespace std;\n⟦typedef long long ll;¦\
                         const int MAXN = 200005;\nint cnt[MAXN];¦#define all(x) x.begin(), x.end()¦⟧"
        }
        Written::Java => {
            "⟦import java.util.*;¦import java.util.Scanner;\nimport java.util.HashMap;⟧\nimport java.io.*;"
        }
    };
    lines(&chosen(text, random))
}

fn main(written: Written, body: Vec<String>, random: &mut Random) -> Vec<String> {
    let indented = |begin: &str, end: &[&str]| {
        let inner = body.iter().map(|line| format!("    {line}"));
        [begin.to_owned()].into_iter().chain(inner).chain(end.iter().map(|&line| line.to_owned())).collect()
    };
    match (written, random.below(3)) {
        (Written::Python, 0) => indented("def $main():", &["$main()"]),
        (Written::Python, 1) => indented("def $main():", &["if __name__ == \"__main__\":", "    $main()"]),
        (Written::Python, _) => body,
        (Written::Cpp, 0) => indented("int main() {", &["    return 0;", "}"]),
        (Written::Cpp, _) => indented("int main() {", &["}"]),
        (Written::Java, 0) => indented("public static void main(String[] args) throws IOException {", &["}"]),
        (Written::Java, _) => indented("public static void main(String[] args) throws Exception {", &["}"]),
    }
}

/// Chooses a way to do a part of the task. Returns the helper function, which may be empty, and the body.
fn way(written: Written, part: &str, random: &mut Random) -> (Vec<String>, Vec<String>) {
    let title = format!("=== {part}\n");
    let all = written.ways().split_once(&title).map_or("", |(_, rest)| rest);
    let all = all.split("\n=== ").next().unwrap_or_default();
    let ways: Vec<_> = all.split("\n---\n").collect();
    let way = chosen(random.pick(&ways).copied().unwrap_or_default(), random);
    let (helper, body) = way.split_once("\n~~~\n").unwrap_or(("", &way));
    (lines(helper), lines(body))
}

fn lines(text: &str) -> Vec<String> {
    text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
}

/// Decides every choice of a text.
fn chosen(text: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    // Inner choices first.
    while let Some(end) = text.find('⟧') {
        let start = text[..end].rfind('⟦').expect("a choice begins");
        let ways: Vec<_> = text[start + '⟦'.len_utf8()..end].split('¦').collect();
        let way = random.pick(&ways).map(|&way| way.to_owned()).unwrap_or_default();
        text.replace_range(start..end + '⟧'.len_utf8(), &way);
    }
    text
}

/// Chooses the names of a draft, and returns the program.
pub(super) fn named(draft: &Draft, random: &mut Random) -> String {
    let blocks: Vec<_> = draft.functions.iter().chain([&draft.main]).map(|block| block.join("\n")).collect();
    let (head, body) = (draft.head.join("\n"), blocks.join("\n\n"));
    let text = if draft.written == Written::Java {
        let inner: Vec<_> = body.lines().map(|line| format!("    {line}")).collect();
        format!("{head}\n\npublic class Main {{\n{}\n}}\n", inner.join("\n"))
    } else {
        format!("{head}\n\n{body}\n")
    };
    let mut names = HashMap::new();
    let mut parts = text.split('$');
    let mut named = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|one: char| !one.is_ascii_alphanumeric() && one != '_').unwrap_or(part.len());
        let count = names.len();
        named += names.entry(part[..end].to_owned()).or_insert_with(|| name(count, random));
        named += &part[end..];
    }
    named
}

fn name(number: usize, random: &mut Random) -> String {
    const STEMS: [&str; 12] =
        ["value", "cur", "x", "numbers", "res", "idx", "tmp", "my", "left", "data", "foo", "zaehler"];
    format!("{}{}", random.pick(&STEMS).copied().unwrap_or_default(), number * 10 + random.below(10) as usize)
}
