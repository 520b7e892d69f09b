//! Shows people whether the solvers of a puzzle agree.

use super::histogram;
use super::table::{BAD, DIM, GOOD, counted, painted, wrapped};
use super::verbosity::Verbosity;
use referee_event::{Counterexample, CrosscheckFinished, Scope};

/// The length of the longest bar of a histogram, in columns.
const BAR: u64 = 40;

/// Shows the result of a comparison, and the smallest board on which the solvers disagree or are wrong. Unless the user
/// asks for failures only, also shows the solvers, the boards that they do not support, and a histogram. The lines have at
/// most `width` columns, except boards and answers.
pub(super) fn lines(result: &CrosscheckFinished, verbosity: Verbosity, width: usize) -> Vec<String> {
    let mark = if result.disagreements == 0 { painted(GOOD, "✓") } else { painted(BAD, "✗") };
    let scope = match result.scope {
        Scope::Sampled => "fixtures and random boards",
        Scope::Exhaustive => "exhaustive",
    };
    let indented = |text: &str| wrapped(text, width.saturating_sub(2)).into_iter().map(|line| format!("  {line}"));
    let sum = format!(
        "{} ({scope}): {}, {}, {:.1} s",
        result.puzzle,
        counted(result.boards as usize, "board"),
        counted(result.disagreements as usize, "disagreement"),
        result.seconds
    );
    let mut lines: Vec<_> = indented(&sum).collect();
    // The mark takes the place of the first blank. It may be coloured, so it must not be wrapped with the text.
    if let Some(first) = lines.first_mut() {
        first.replace_range(..1, &mark);
    }
    if verbosity > Verbosity::Quiet {
        lines.extend(indented(&format!("solvers: {}", result.solvers.join(", "))));
        lines.extend(indented(&format!(
            "{} of moves replayed, {} proved",
            counted(result.moves_replayed as usize, "list"),
            counted(result.bounds_proved as usize, "bound")
        )));
        for (solver, count) in &result.declined {
            lines.extend(indented(&format!("{solver} does not support {count} of the boards")));
        }
        add_histogram(&mut lines, result, width);
    }
    if let Some(smallest) = &result.smallest {
        add_counterexample(&mut lines, smallest, width);
    }
    lines
}

fn add_histogram(lines: &mut Vec<String>, result: &CrosscheckFinished, width: usize) {
    // The numbers and the blanks take 28 columns.
    let longest = BAR.min(width.saturating_sub(28).max(1) as u64);
    let rows = histogram::rows(&result.histogram);
    let most = rows.iter().map(|(_, count)| *count).max().unwrap_or(1).max(1);
    for (answer, count) in rows {
        let bar = "#".repeat((count * longest).div_ceil(most) as usize);
        lines.push(format!("  {answer:>12} {count:>12} {}", painted(DIM, &bar)));
    }
}

fn add_counterexample(lines: &mut Vec<String>, smallest: &Counterexample, width: usize) {
    lines.push(format!("  {}", painted(BAD, "smallest board found")));
    lines.extend(wrapped(&smallest.reason, width.saturating_sub(4)).into_iter().map(|line| format!("  {line}")));
    lines.extend(smallest.input.lines().map(|line| format!("    {line}")));
    for (solver, answer) in &smallest.answers {
        lines.push(format!("  {solver}: {}", answer.trim_end().replace('\n', "; ")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_on_which_solvers_disagree_is_shown_with_what_each_says() {
        let lines = lines(&CrosscheckFinished::disputed(), Verbosity::Quiet, 80);
        let plain: Vec<_> = lines.iter().map(|line| anstream::adapter::strip_str(line).to_string()).collect();
        assert_eq!(plain[0], "✗ flipgame (fixtures and random boards): 2 boards, 1 disagreement, 0.0 s");
        let rest = ["smallest board found", "bfs says 1, table says 2", "bw", "wb", "bfs: 1", "table: 2"];
        assert_eq!(plain[1..].iter().map(|line| line.trim()).collect::<Vec<_>>(), rest);
    }
}
