//! Compares the output that a page shows with the real output. Measured numbers differ in every run, so only their
//! presence is compared. The number of blanks between words is ignored.

use super::page::ANYTHING;

/// The placeholder for a measured number.
const MEASURED: &str = "#";

/// The units of measured numbers.
const UNITS: [&str; 5] = ["s", "ms", "µs", "us", "MiB"];

/// Compares the output with the shown lines. Fails with the first line that differs.
pub(super) fn compared(shown: &[String], said: &str) -> Result<(), String> {
    let shown = without_blank_end(shown.iter().map(|line| without_figures(line)).collect());
    let said = without_blank_end(without_sandbox_lines(said).iter().map(|line| without_figures(line)).collect());
    let mut reached = vec![true];
    reached.resize(said.len() + 1, false);
    for (index, line) in shown.iter().enumerate() {
        let next = step(line, &reached, &said);
        if !next.contains(&true) {
            return Err(format!("the page shows line {}, but the output does not have it there: {line:?}", index + 1));
        }
        reached = next;
    }
    if reached.last() == Some(&true) {
        return Ok(());
    }
    let most = reached.iter().rposition(|&is| is).unwrap_or_default();
    Err(format!(
        "the output has more lines than the page shows, from here on: {:?}",
        said.get(most).cloned().unwrap_or_default()
    ))
}

/// Matches one more shown line, `line`. `reached[n]` says whether the shown lines before `line` match the first `n`
/// lines of the output. The result says the same for the shown lines up to and including `line`.
fn step(line: &str, reached: &[bool], said: &[String]) -> Vec<bool> {
    let mut next = vec![false; reached.len()];
    for (index, _) in reached.iter().enumerate().filter(|&(_, &is)| is) {
        if line.trim() == ANYTHING {
            next[index..].fill(true);
        } else if said.get(index).is_some_and(|said| is_like(line, said)) {
            next[index + 1] = true;
        }
    }
    next
}

/// Returns whether the line `said` matches `shown`, in which `...` matches any text.
fn is_like(shown: &str, said: &str) -> bool {
    let Some((start, rest)) = shown.split_once(ANYTHING) else { return shown == said };
    let Some(mut left) = said.strip_prefix(start) else { return false };
    let mut parts: Vec<_> = rest.split(ANYTHING).collect();
    let end = parts.pop().unwrap_or_default();
    for part in parts {
        let Some(at) = left.find(part) else { return false };
        left = &left[at + part.len()..];
    }
    left.ends_with(end)
}

/// Replaces the lines about parts of the sandbox that are not enforced. The replacement is `sandbox: full`, because the
/// pages were written on a machine that enforces all parts.
fn without_sandbox_lines(said: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut in_sandbox = false;
    for line in said.lines() {
        let is_first = line.starts_with("sandbox: partial");
        in_sandbox = is_first || in_sandbox && !line.is_empty();
        if is_first {
            lines.push("sandbox: full".to_owned());
        } else if !in_sandbox {
            lines.push(line.to_owned());
        }
    }
    lines
}

fn without_blank_end(mut lines: Vec<String>) -> Vec<String> {
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// Returns the line with its indentation, with one blank between words, and with placeholders for measured values. A
/// number before a unit is a measured value, except after the word `limit`. A number with three decimals is also a
/// measured value, because it is the CPU time in a table. If exactly one word follows such a number and is no unit,
/// this word is the memory in a table, which is measured, too.
fn without_figures(line: &str) -> String {
    let line = line.trim_end();
    let words: Vec<&str> = line.split_whitespace().collect();
    let indent = &line[..line.len() - line.trim_start().len()];
    let mut told: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    for (index, &word) in words.iter().enumerate() {
        let is_limit = index > 0 && words[index - 1] == "limit";
        if !is_limit && is_figure(word) && words.get(index + 1).is_some_and(|next| is_unit(next)) {
            MEASURED.clone_into(&mut told[index]);
        }
        if is_in_thousandths(word) {
            MEASURED.clone_into(&mut told[index]);
            if index + 2 == words.len() && !is_unit(words[index + 1]) {
                MEASURED.clone_into(&mut told[index + 1]);
            }
        }
    }
    format!("{indent}{}", told.join(" "))
}

fn is_unit(word: &str) -> bool {
    let word = word.trim_end_matches([',', ';', '.', ')', ':']);
    UNITS.contains(&word) || word == "per"
}

fn is_figure(word: &str) -> bool {
    let word = word.trim_start_matches(['(', '>']);
    word.contains(|letter: char| letter.is_ascii_digit())
        && word.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
}

fn is_in_thousandths(word: &str) -> bool {
    is_figure(word) && word.split_once('.').is_some_and(|(_, behind)| behind.len() == 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(shown: &str, said: &str) -> bool {
        compared(&shown.lines().map(str::to_owned).collect::<Vec<_>>(), said).is_ok()
    }

    #[test]
    fn dots_stand_for_any_lines_or_for_anything_in_one() {
        assert!(is("a\n...\nd", "a\nb\nc\nd\n") && is("a\n...", "a\n") && is("...", "") && is("", "\n"));
        assert!(is("a ... d ... f", "a b c d e f") && is("a...", "abc"));
        assert!(!is("a\n...\nd", "a\nb\n") && !is("...\nb\n...", "a\nc") && !is("a ... d", "a b c"));
        assert!(is("...\nb\n...\nb\nc", "a\nb\nb\nb\nc"), "the first match of a line need not be the right one");
    }

    #[test]
    fn what_is_measured_may_differ_and_all_else_may_not() {
        assert!(is("✓ AC  a.py   sample/1  0.020     6", "✓ AC  a.py      sample/1     0.113   124"));
        assert!(is("2 runs, 0.3 s", "2 runs, 12.1 s") && !is("2 runs, 0.3 s", "3 runs, 0.3 s"));
        assert!(is("7 in 0.2 s (35 per second)", "7 in 0.4 s (17 per second)"));
        assert!(!is("5 cases, time limit 2 s", "5 cases, time limit 3 s"));
        assert!(!is("✓ AC  a.py  0.020  6", "✓ AC  b.py  0.020  6") && !is("  a", "a") && !is("a", "  a"));
    }

    #[test]
    fn nothing_else_may_be_said_than_is_shown() {
        assert!(!is("", "a") && !is("a", "a\nb") && !is("a\nb", "a") && !is("a", "\na"));
    }

    #[test]
    fn a_sandbox_that_is_not_whole_is_told_by_the_report_and_hinders_no_page() {
        assert!(is("Sum\nsandbox: full\n\nall", "Sum\nsandbox: partial; partly enforced: cpu_time\nmemory\n\nall"));
        assert!(!is("sandbox: full", "sandbox: off, because of --sandbox off; only limits are enforced"));
    }
}
