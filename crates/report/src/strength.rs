//! Shows people the results of `referee strength`: mutants, hunts of survivors, and a summary.

use std::collections::BTreeMap;

use super::hunted::{legality_lines, text};
use super::table::{self, BAD, DIM, GOOD, ODD, counted, fitted, one_line, painted, shortened, wrapped};
use super::verbosity::Verbosity;
use referee_event::{MutantFate, MutantFinished, StrengthFinished, SurvivorHunted};

/// The maximum number of cases that are named, unless the user asks for all.
const NAMES: usize = 12;

/// The maximum number of lines that are shown of a message.
const MESSAGE_LINES: usize = 12;

/// Returns `word` followed by `rest`, broken into lines. Only `word` is coloured.
fn headline(style: anstyle::Style, word: &str, rest: &str, width: usize) -> Vec<String> {
    table::headline(style, word, rest, width)
}

/// Shows mutants. A survivor is shown together with the result of its hunt, or in the summary if it was not hunted.
pub(super) struct Mutants {
    verbosity: Verbosity,
    survivors: BTreeMap<usize, MutantFinished>,
    /// The last shown input on which the jury submissions disagree or fail; `None` if there is none.
    disputed: Option<String>,
}

impl Mutants {
    pub(super) fn new(verbosity: Verbosity) -> Self {
        Mutants { verbosity, survivors: BTreeMap::new(), disputed: None }
    }

    /// Returns the lines to show about a mutant now. Returns no lines for a survivor, which is shown later.
    pub(super) fn mutant(&mut self, mutant: &MutantFinished, width: usize) -> Vec<String> {
        if mutant.fate == MutantFate::Survived {
            self.survivors.insert(mutant.number, mutant.clone());
            return Vec::new();
        }
        mutant_lines(mutant, self.verbosity, width)
    }

    /// Returns the lines about the result of hunting a survivor.
    pub(super) fn hunted(&mut self, hunted: &SurvivorHunted, width: usize) -> Vec<String> {
        let held = self.survivors.remove(&hunted.number);
        // A mutant that is declared equivalent was already shown.
        let mut lines = held.map_or_else(|| vec![String::new()], |mutant| survivor(&mutant, width));
        lines.extend(found(hunted, self.verbosity, width));
        if !hunted.killed && hunted.kind.is_some() && self.disputed != hunted.input {
            lines.extend(dispute(hunted, self.verbosity, width));
            self.disputed.clone_from(&hunted.input);
        }
        lines
    }

    /// Returns the lines of the survivors that were not hunted, followed by the summary.
    pub(super) fn summary(&mut self, all: &StrengthFinished, width: usize) -> Vec<String> {
        let mut lines: Vec<_> =
            std::mem::take(&mut self.survivors).values().flat_map(|mutant| survivor(mutant, width)).collect();
        lines.extend(summary(all, self.verbosity, width));
        lines
    }
}

fn place(mutant: &MutantFinished) -> String {
    let MutantFinished { number, file, line, column, operator, .. } = mutant;
    one_line(&format!(" #{number} {file}:{line}:{column} {operator}"))
}

fn survivor(mutant: &MutantFinished, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    lines.extend(headline(ODD, "survives", &place(mutant), width));
    lines.extend(diff(mutant, width));
    lines
}

/// Returns the lines about a mutant that does not survive.
fn mutant_lines(mutant: &MutantFinished, verbosity: Verbosity, width: usize) -> Vec<String> {
    let place = place(mutant);
    match mutant.fate {
        MutantFate::Unjudged => {
            let mut lines = headline(ODD, "unjudged", &place, width);
            lines.extend(mutant.message.iter().flat_map(|message| indented(message, width)));
            lines
        }
        MutantFate::Declared if verbosity > Verbosity::Quiet => {
            let mut lines = headline(DIM, "equivalent", &place, width);
            lines.extend(if verbosity == Verbosity::Verbose {
                diff(mutant, width)
            } else {
                vec![change(mutant, width)]
            });
            lines.extend(mutant.reason.iter().flat_map(|reason| indented(reason, width)));
            lines
        }
        _ if verbosity < Verbosity::Verbose => Vec::new(),
        MutantFate::Killed => {
            let by = mutant.case.as_deref().unwrap_or_default();
            let verdict = mutant.verdict.map(|verdict| verdict.to_string()).unwrap_or_default();
            headline(DIM, "killed", &format!("{place} by {} ({verdict})", one_line(by)), width)
        }
        MutantFate::SameMutant => {
            let other = mutant.same_as.map(|number| format!(" #{number}")).unwrap_or_default();
            headline(DIM, "same code", &format!("{place} as{other}"), width)
        }
        MutantFate::SameCode => headline(DIM, "same code", &format!("{place} as the program"), width),
        MutantFate::NotCompiled => headline(DIM, "not compiled", &place, width),
        MutantFate::Survived | MutantFate::Declared => Vec::new(),
    }
}

/// Returns the change with the lines around it. Long lines are cut so that the change remains visible.
fn diff(mutant: &MutantFinished, width: usize) -> Vec<String> {
    let lines: Vec<_> =
        mutant.diff.as_deref().unwrap_or_default().lines().filter(|line| !line.starts_with("@@")).collect();
    let left_out = left_out(&lines, width);
    let paint = |line: &&str| {
        let is_changed = line.starts_with(['-', '+']);
        let shown = if is_changed { without_start(line, left_out) } else { (*line).to_owned() };
        let shown = shortened(&shown, width.saturating_sub(2));
        match line.as_bytes().first() {
            Some(b'-') => format!("  {}", painted(BAD, &shown)),
            Some(b'+') => format!("  {}", painted(GOOD, &shown)),
            _ => format!("  {shown}"),
        }
    };
    lines.iter().map(paint).collect()
}

/// If a change begins in the last `AFTER` columns of the terminal or beyond its right edge, the start of the changed
/// line is left out.
const AFTER: usize = 20;

/// Returns how many characters are left out at the start of the old line, so that half of the screen shows what stands
/// before the change. The same number is left out of the new line.
fn left_out(lines: &[&str], width: usize) -> usize {
    let of = |sign: char| lines.iter().find_map(|line| line.strip_prefix(sign)).unwrap_or_default();
    let (old, new) = (of('-'), of('+'));
    let common = old.chars().zip(new.chars()).take_while(|(one, other)| one == other).count();
    if common + AFTER < width { 0 } else { common.saturating_sub(width / 2) }
}

fn without_start(line: &str, count: usize) -> String {
    if count == 0 {
        return line.to_owned();
    }
    let (sign, rest) = line.split_at(1);
    format!("{sign}…{}", rest.chars().skip(count).collect::<String>())
}

/// Returns the change in one line.
fn change(mutant: &MutantFinished, width: usize) -> String {
    let half = width.saturating_sub(8) / 2;
    format!(
        "  {}  ->  {}",
        shortened(&mutant.was, half.saturating_sub(1)).trim_end(),
        shortened(&mutant.is, half.saturating_sub(1)).trim_end()
    )
}

fn indented(text: &str, width: usize) -> Vec<String> {
    text.lines()
        .flat_map(|line| wrapped(&one_line(line), width.saturating_sub(4)))
        .map(|line| format!("  {line}"))
        .collect()
}

/// Returns the lines about the result of a hunt.
fn found(hunted: &SurvivorHunted, verbosity: Verbosity, width: usize) -> Vec<String> {
    let name = format!(" #{} of {}", hunted.number, one_line(&hunted.program));
    let mut lines = Vec::new();
    if let Some(other) = hunted.by_find_of {
        lines.extend(headline(
            BAD,
            "a hole",
            &format!("{name}: the input found for mutant #{other} kills this mutant, too"),
            width,
        ));
        return lines;
    }
    if hunted.killed {
        let kind = match hunted.kind.as_deref().unwrap_or_default() {
            "accepts" => {
                "the tests lack this case, which the mutant accepts and the unchanged validator rejects".to_owned()
            }
            "rejects" => {
                "the tests lack this case, which the mutant rejects and the unchanged validator accepts".to_owned()
            }
            "fails" => "the tests lack this case, on which the mutant fails".to_owned(),
            verdict => format!("the data lacks this input, on which the mutant gets {verdict}"),
        };
        let minimal = if hunted.minimal == Some(true) { "; no slightly smaller input has this result" } else { "" };
        lines.extend(headline(BAD, "a hole", &format!("{name}: {kind}{minimal}"), width));
        let all = verbosity == Verbosity::Verbose;
        lines.extend(text("input", hunted.input.as_deref(), all, width));
        lines.extend(legality_lines(hunted.input_unchecked.as_deref(), width));
        lines.extend(text("expected", hunted.expected.as_deref(), all, width));
        lines.extend(text("got", hunted.got.as_deref(), all, width));
        lines.extend(hunted.message.iter().flat_map(|message| indented(message, width)).take(MESSAGE_LINES));
    } else if hunted.kind.is_some() {
        let words = "the package's own accepted submissions disagree or fail on this input";
        lines.extend(headline(BAD, "a dispute", &format!("{name}: {words}"), width));
    } else {
        let tried = counted(hunted.tried as usize, "try").replace("trys", "tries");
        let word = match hunted {
            SurvivorHunted { exhausted: true, .. } => {
                format!("{name}: the mutant agrees with the program on all possible inputs")
            }
            SurvivorHunted { tried: 0, .. } => format!("{name}: not hunted"),
            _ if hunted.tried == hunted.unjudged => format!("{name}: none of {tried} could be judged"),
            SurvivorHunted { interrupted: true, .. } => format!("{name}: interrupted after {tried}"),
            _ => format!("{name}: nothing found in {tried} and {:.0} s", hunted.seconds),
        };
        let head = match hunted {
            SurvivorHunted { exhausted: true, .. } => "equivalent",
            SurvivorHunted { interrupted: true, .. } => "unknown",
            _ if hunted.tried == hunted.unjudged => "unknown",
            _ => "probably equivalent",
        };
        lines.extend(headline(DIM, head, &word, width));
    }
    lines.extend(hunted.remarks.iter().flat_map(|remark| indented(remark, width)));
    lines.extend(hunted.written.iter().map(|path| format!("  written: {}", one_line(&path.display().to_string()))));
    lines
}

/// Returns the lines about the input on which the jury submissions disagree or fail. Most survivors lead to the same
/// input, so the caller does not show an input that equals the last shown one.
fn dispute(hunted: &SurvivorHunted, verbosity: Verbosity, width: usize) -> Vec<String> {
    let all = verbosity == Verbosity::Verbose;
    let mut lines = text("input", hunted.input.as_deref(), all, width);
    lines.extend(legality_lines(hunted.input_unchecked.as_deref(), width));
    lines.extend(text("expected", hunted.expected.as_deref(), all, width));
    lines.extend(hunted.message.iter().flat_map(|message| indented(message, width)).take(MESSAGE_LINES));
    lines
}

/// Returns the summary.
fn summary(all: &StrengthFinished, verbosity: Verbosity, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    if verbosity > Verbosity::Quiet {
        lines.extend(table("program", &all.by_program, width));
        lines.push(String::new());
        lines.extend(table("kind of mistake", &all.by_operator, width));
        lines.push(String::new());
        lines.extend(cases(all, verbosity, width));
    }
    lines.extend(wrapped_painted(ODD, "wrongly declared", &all.wrongly_declared, width));
    lines.extend(wrapped_painted(ODD, "stale", &all.stale, width));
    lines.extend(wrapped_painted(ODD, "note", &all.remarks, width));
    lines.extend(head(all, width));
    lines
}

fn wrapped_painted(style: anstyle::Style, word: &str, all: &[String], width: usize) -> Vec<String> {
    all.iter().flat_map(|one| headline(style, word, &format!(": {}", one_line(one)), width)).collect()
}

fn head(all: &StrengthFinished, width: usize) -> Vec<String> {
    let killed = all.by_verdict.iter().map(|(verdict, count)| format!("{verdict} {count}")).collect::<Vec<_>>();
    let by = if killed.is_empty() { String::new() } else { format!(" (of submissions: {})", killed.join(", ")) };
    let (style, word) = match all {
        StrengthFinished { interrupted: true, .. } => (ODD, "interrupted"),
        StrengthFinished { disputed: 1.., .. } => (BAD, "an accepted submission is wrong"),
        StrengthFinished { holes: 1.., .. } => (BAD, "the data has holes"),
        StrengthFinished { wrongly_declared, .. } if !wrongly_declared.is_empty() => (BAD, "wrongly declared"),
        StrengthFinished { survived: 1.., .. } => (ODD, "unresolved survivors"),
        _ => (GOOD, "no hole found"),
    };
    let parts = [
        (all.holes, if all.holes == 1 { "hole" } else { "holes" }),
        (all.disputed, "disputed"),
        (all.equivalent_declared, "declared equivalent"),
        (all.equivalent_proved, "proved equivalent"),
        (all.equivalent_suspected, "probably equivalent"),
        (all.unjudged, "unjudged"),
    ];
    let alive = all.mutants - all.killed;
    let counts: Vec<_> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    let counts = if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
    let alive = if alive == 0 { String::new() } else { format!(", {alive} alive{counts}") };
    let rest = format!(": {} of {} killed{by}{alive}", all.killed, counted(all.mutants, "mutant"));
    let mut lines = headline(style, word, &rest, width);
    let drawn = if all.is_sample { format!(", a sample drawn with seed {}", all.seed) } else { String::new() };
    let left = format!(
        "{}{drawn}; not compiled: {}; same code as the program or another mutant: {}{}; {:.0} s",
        counted(all.changes, "change"),
        all.not_compiled,
        all.same_code,
        runs(all),
        all.seconds
    );
    lines.extend(wrapped(&left, width).iter().map(|line| painted(DIM, line)));
    lines
}

/// Returns how many runs had a process of their own, if some had not; otherwise an empty text.
fn runs(all: &StrengthFinished) -> String {
    match (all.runs_alone, all.runs_together) {
        (_, 0) => String::new(),
        (alone, together) => format!("; runs in a process of their own: {alone}, in a shared one: {together}"),
    }
}

/// Returns a table of counts below a heading.
fn table(heading: &str, counts: &BTreeMap<String, (usize, usize)>, width: usize) -> Vec<String> {
    // The numbers take 27 columns, and nine more stay free.
    let name_width = width.saturating_sub(36).max(8);
    let head =
        painted(DIM, &format!("{} {:>8} {:>8} {:>8}", fitted(heading, name_width), "mutants", "killed", "alive"));
    let row = |(name, (mutants, killed)): (&String, &(usize, usize))| {
        let alive = mutants - killed;
        let alive = if alive == 0 { format!("{:>8}", "-") } else { painted(ODD, &format!("{alive:>8}")) };
        format!("{} {mutants:>8} {killed:>8} {alive}", fitted(name, name_width))
    };
    std::iter::once(head).chain(counts.iter().map(row)).collect()
}

/// Returns the lines about the test cases: a small set that kills the same mutants as all cases, the cases that alone
/// kill a mutant, and the cases that kill none.
fn cases(all: &StrengthFinished, verbosity: Verbosity, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut list = |what: &str, names: Vec<String>| {
        let most = if verbosity == Verbosity::Verbose { usize::MAX } else { NAMES };
        let more = names.len().saturating_sub(most);
        let more = if more > 0 { format!(", and {more} more; -v shows all") } else { String::new() };
        let head = format!("{what} ({})", names.len());
        let named = names.into_iter().take(most).collect::<Vec<_>>().join(", ");
        let colon = if named.is_empty() { "" } else { ": " };
        lines.extend(wrapped(&format!("{head}{colon}{named}{more}"), width));
    };
    if let Some(minimal) = &all.minimal_cases {
        let is_smallest = all.minimal_is_proved == Some(true);
        list(
            if is_smallest {
                "smallest set of test cases that kills the same mutants"
            } else {
                "small set of test cases that kills the same mutants"
            },
            minimal.clone(),
        );
    }
    if let Some(sole) = &all.sole_killers {
        let names = sole.iter().map(|one| format!("{} ({})", one.case, one.mutants.len())).collect();
        list("test cases that alone kill some mutants, with the number of these mutants", names);
    }
    if let Some(idle) = &all.idle_cases {
        let known = if all.pairs_unknown > 0 {
            "test cases not seen to kill a mutant"
        } else {
            "test cases that kill no mutant of a submission"
        };
        list(known, idle.clone());
    }
    if all.pairs_unknown > 0 && all.minimal_cases.is_some() {
        let words = format!(
            "{} of mutant and test case not run, because the mutant had already failed on enough test cases",
            counted(all.pairs_unknown, "pair")
        );
        lines.extend(wrapped(&words, width).iter().map(|line| painted(DIM, line)));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_far_to_the_right_is_seen() {
        let line = |end: &str| format!("{}{end}", "a".repeat(90));
        let (old, new) = (format!("-{}", line(" < 1")), format!("+{}", line(" <= 1")));
        let left = left_out(&[" before", &old, &new, " after"], 80);
        assert_eq!(without_start(&old, left), format!("-…{} < 1", "a".repeat(38)));
        assert_eq!(without_start(&new, left), format!("+…{} <= 1", "a".repeat(38)));
        assert_eq!(left_out(&["-x = 1", "+x = 2"], 80), 0);
        assert_eq!(left_out(&["-only removed"], 40), 0);
    }
}
