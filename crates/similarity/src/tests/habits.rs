//! Habits of students: two students write the same algorithm in different ways.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use referee_random::Random;
use regex::{Captures, Regex};

use super::honest::{Draft, Written};

/// Returns the compiled pattern. Compiles each pattern only once, because that is slow without optimisation.
fn compiled(pattern: &str) -> Regex {
    static COMPILED: LazyLock<Mutex<HashMap<String, Regex>>> = LazyLock::new(Mutex::default);
    let mut compiled = COMPILED.lock().expect("no thread panics here");
    compiled.entry(pattern.to_owned()).or_insert_with(|| Regex::new(pattern).expect("a pattern")).clone()
}

/// Rewrites a draft by the habits of one student.
pub(super) fn apply(draft: &mut Draft, random: &mut Random) {
    let written = draft.written;
    let habits = Habits {
        uses_while: random.chance(1, 3),
        swaps: random.chance(1, 3),
        adds_long: random.chance(1, 3),
        adds_one: random.chance(1, 3),
        avoids_max: random.chance(1, 2),
        names_sizes: random.chance(1, 3),
    };
    for block in draft.functions.iter_mut().chain([&mut draft.main]) {
        let text = habits.of_lines(written, &block.join("\n"), random);
        *block = text.lines().map(str::to_owned).collect();
        if habits.uses_while {
            without_for(written, block, random);
        }
    }
}

#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a habit that a student has or not")]
struct Habits {
    /// Writes counting loops with `while`.
    uses_while: bool,
    /// Writes `b > a` for `a < b`.
    swaps: bool,
    /// Writes `a = a + b` for `a += b`.
    adds_long: bool,
    /// Writes `a += 1` for `a++`.
    adds_one: bool,
    /// Writes `if` for `max`.
    avoids_max: bool,
    /// Stores an index expression in a variable first.
    names_sizes: bool,
}

impl Habits {
    fn of_lines(self, written: Written, text: &str, random: &mut Random) -> String {
        let mut text = text.to_owned();
        let mut rewrite = |is_habit: bool, pattern: &str, with: &str| {
            let pattern = compiled(&format!("(?m){pattern}"));
            let replaced = |found: &Captures<'_>| {
                let mut to = String::new();
                found.expand(with, &mut to);
                if random.chance(4, 5) { to } else { found[0].to_owned() }
            };
            if is_habit {
                text = pattern.replace_all(&text, replaced).into_owned();
            }
        };
        let operand = r"\$\w+(?:\[\$\w+\])?";
        for (sign, other) in [(" < ", " > "), (" <= ", " >= ")] {
            let pattern = format!("^( *(?:if|while) \\(?)({operand}){sign}({operand})(\\)|:)");
            rewrite(self.swaps, &pattern, &format!("$1${{3}}{other}${{2}}$4"));
        }
        if written == Written::Python {
            rewrite(self.avoids_max, r"^( *)(\$\w+) = max\((\$\w+), (.*)\)$", "$1if $4 > $3:\n$1    $2 = $4");
            rewrite(self.adds_long, r"^( *)(\$\w+) \+= (.*)$", "$1$2 = $2 + $3");
            let pattern = format!("^( *)if ({operand}) in (\\$\\w+):$");
            rewrite(self.names_sizes, &pattern, "$1$$known = $2 in $3\n$1if $$known:");
        } else {
            let pattern = r"^( *)(\$\w+) = (?:Math\.|std::)?max\((\$\w+), (.*)\);$";
            rewrite(self.avoids_max, pattern, "$1if ($4 > $3) $2 = $4;");
            rewrite(self.adds_one, r"(\$\w+)\+\+(;|\))", "$1 += 1$2");
            rewrite(self.adds_long, r"^( *)(\$\w+) \+= ([^;]*);$", "$1$2 = $2 + $3;");
            rewrite(self.names_sizes, r"^( *)for \(int (\$\w+) = ([^;]*); ", "$1int $2;\n$1for ($2 = $3; ");
        }
        text
    }
}

/// Turns some counting loops with blocks into `while` loops.
fn without_for(written: Written, block: &mut Vec<String>, random: &mut Random) {
    let pattern = match written {
        Written::Python => r"^( *)for (\$\w+) in range\(([^,()]+(?:\([^()]*\))?)\):()$",
        _ => r"^( *)for \(((?:int|size_t)? ?\$\w+ = [^;]*); ([^;]*); ([^;{]*)\) \{$",
    };
    let pattern = compiled(pattern);
    let mut at = 0;
    while at < block.len() {
        let found = pattern.captures(&block[at]).map(|found| [1, 2, 3, 4].map(|part| found[part].to_owned()));
        let Some([blanks, first, until, step]) = found.filter(|_| random.chance(2, 3)) else {
            at += 1;
            continue;
        };
        let is_inside = |line: &&String| line.starts_with(&format!("{blanks} "));
        let length = block[at + 1..].iter().take_while(is_inside).count();
        let inside = &block[at + 1..at + 1 + length];
        if !inside.iter().any(|line| line.contains("continue")) {
            let (begin, header, end) = match written {
                Written::Python => {
                    (format!("{first} = 0"), format!("while {first} < {until}:"), format!("{first} += 1"))
                }
                _ => (format!("{first};"), format!("while ({until}) {{"), format!("{step};")),
            };
            block.insert(at + 1 + length, format!("{blanks}    {end}"));
            block[at] = format!("{blanks}{header}");
            block.insert(at, format!("{blanks}{begin}"));
            at += 1;
        }
        at += 1;
    }
}
