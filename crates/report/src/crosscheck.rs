//! Shows people whether the solvers of a puzzle agree.

use super::histogram;
use super::table::{BAD, DIM, GOOD, counted, painted, wrapped};
use super::verbosity::Verbosity;
use referee_event::{Counterexample, CrosscheckFinished, Scope};

/// The length of the longest bar of a histogram, in columns.
const BAR: u64 = 40;

/// Shows the result of a comparison, and the smallest board on which the solvers disagree or are wrong. Unless the user
/// asks for failures only, also shows the solvers, the boards that they do not support, and a histogram.
pub(super) fn lines(result: &CrosscheckFinished, verbosity: Verbosity) -> Vec<String> {
    let mark = if result.disagreements == 0 { painted(GOOD, "✓") } else { painted(BAD, "✗") };
    let scope = match result.scope {
        Scope::Sampled => "fixtures and random boards",
        Scope::Exhaustive => "exhaustive",
    };
    let mut lines = vec![format!(
        "{mark} {} ({scope}): {}, {}, {:.1} s",
        result.puzzle,
        counted(result.boards as usize, "board"),
        counted(result.disagreements as usize, "disagreement"),
        result.seconds
    )];
    if verbosity > Verbosity::Quiet {
        lines.push(format!("  solvers: {}", result.solvers.join(", ")));
        lines.push(format!(
            "  {} of moves replayed, {} proved",
            counted(result.moves_replayed as usize, "list"),
            counted(result.bounds_proved as usize, "bound")
        ));
        let declined = result.declined.iter();
        lines.extend(declined.map(|(solver, count)| format!("  {solver} does not support {count} of the boards")));
        add_histogram(&mut lines, result);
    }
    if let Some(smallest) = &result.smallest {
        add_counterexample(&mut lines, smallest);
    }
    lines
}

fn add_histogram(lines: &mut Vec<String>, result: &CrosscheckFinished) {
    let rows = histogram::rows(&result.histogram);
    let most = rows.iter().map(|(_, count)| *count).max().unwrap_or(1).max(1);
    for (answer, count) in rows {
        let bar = "#".repeat((count * BAR).div_ceil(most) as usize);
        lines.push(format!("  {answer:>12} {count:>12} {}", painted(DIM, &bar)));
    }
}

fn add_counterexample(lines: &mut Vec<String>, smallest: &Counterexample) {
    lines.push(format!("  {}", painted(BAD, "smallest board found")));
    lines.extend(wrapped(&smallest.reason, 76).into_iter().map(|line| format!("  {line}")));
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
        let lines = lines(&CrosscheckFinished::disputed(), Verbosity::Quiet);
        let plain: Vec<_> = lines.iter().map(|line| anstream::adapter::strip_str(line).to_string()).collect();
        assert_eq!(plain[0], "✗ flipgame (fixtures and random boards): 2 boards, 1 disagreement, 0.0 s");
        let rest = ["smallest board found", "bfs says 1, table says 2", "bw", "wb", "bfs: 1", "table: 2"];
        assert_eq!(plain[1..].iter().map(|line| line.trim()).collect::<Vec<_>>(), rest);
    }
}
