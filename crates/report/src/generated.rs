//! Shows people which test cases were generated, and which files of the package have changed, or would change if the
//! test cases were written.

use super::table::{BAD, DIM, GOOD, ODD, counted, one_line, painted, shortened, wrapped};
use super::verbosity::Verbosity;
use referee_event::{CaseGenerated, Change, GenerateFinished};

/// The indentation of what belongs to a test case, in columns.
const INDENT: usize = 10;

/// The maximum number of lines that are shown of a message.
const MESSAGE_LINES: usize = 8;

/// The maximum number of paths that are listed for one kind of change, unless the user asks for all.
const MAX_PATHS: usize = 20;

/// Returns the lines about one case, on a screen of `width` columns; empty if there is nothing to report.
pub(super) fn lines(case: &CaseGenerated, verbosity: Verbosity, width: usize) -> Vec<String> {
    let room = width.saturating_sub(INDENT);
    let name = one_line(&case.case);
    let mut lines = match case.change {
        None => vec![format!("{} {name}", painted(BAD, "failed   "))],
        Some(Change::Unchanged) if verbosity < Verbosity::Verbose => Vec::new(),
        Some(_) if verbosity == Verbosity::Quiet => Vec::new(),
        Some(Change::Unchanged) => vec![format!("{} {name}", painted(DIM, "unchanged"))],
        Some(Change::New) => vec![format!("{} {name}", painted(GOOD, "new      "))],
        Some(Change::Changed) => vec![format!("{} {name} ({})", painted(ODD, "changed  "), changes(case))],
    };
    if verbosity == Verbosity::Verbose {
        let what = [
            case.command.as_deref().map(str::to_owned),
            case.same_as.as_ref().map(|other| format!("same rule as {other}")),
        ];
        lines.extend(
            what.into_iter().flatten().map(|text| painted(DIM, &format!("          {}", shortened(&text, room)))),
        );
    }
    let message = case.message.iter().flat_map(|message| message.lines().take(MESSAGE_LINES));
    lines.extend(message.flat_map(|line| wrapped(line, room)).map(|line| format!("          {line}")));
    for remark in case.unmatched.iter().chain(&case.remarks) {
        let prefix = format!("{}: {}", name, one_line(remark));
        let is_wrong = case.unmatched.contains(remark);
        let style = if is_wrong { BAD } else { ODD };
        let word = if is_wrong { "no match " } else { "remark   " };
        for (index, line) in wrapped(&prefix, room).iter().enumerate() {
            lines.push(if index == 0 {
                format!("{} {line}", painted(style, word))
            } else {
                format!("          {line}")
            });
        }
    }
    lines
}

fn changes(case: &CaseGenerated) -> String {
    let changed = case.files.iter().filter(|(_, change)| **change != Change::Unchanged);
    let all: Vec<_> = changed
        .map(|(ending, change)| if *change == Change::New { format!("new {ending}") } else { ending.clone() })
        .collect();
    all.join(", ")
}

/// Returns the summary, and the changes of files that belong to no test case.
pub(super) fn summary(found: &GenerateFinished, verbosity: Verbosity, width: usize) -> Vec<String> {
    let room = width.saturating_sub(INDENT);
    let mut lines = Vec::new();
    if verbosity > Verbosity::Quiet {
        for (path, change) in &found.others {
            let (style, word) = if *change == Change::New { (GOOD, "new      ") } else { (ODD, "changed  ") };
            lines.push(format!("{} {}", painted(style, word), one_line(path)));
        }
        let removed = if found.written.is_some() { "removed  " } else { "to remove" };
        paths(&mut lines, removed, &found.removed, verbosity);
        paths(&mut lines, "kept     ", &found.kept, verbosity);
        if !found.kept.is_empty() {
            let why = "no rule makes these files. `generate` keeps them if generators.yaml has unknown keys, or if a \
                       visualizer or interactor, which `generate` does not run, may have made them";
            lines.extend(wrapped(why, room).into_iter().map(|line| painted(DIM, &format!("          {line}"))));
        }
        if !lines.is_empty() || found.new + found.changed + found.failed > 0 {
            lines.push(String::new());
        }
    }
    let numbers = [
        (found.failed, "failed"),
        (found.unmatched, "without a match"),
        (found.new, "new"),
        (found.changed, "changed"),
        (found.unchanged, "unchanged"),
    ];
    let numbers: Vec<_> =
        numbers.iter().filter(|(number, _)| *number > 0).map(|(number, word)| format!("{number} {word}")).collect();
    let removed = found.removed.len();
    let state = if found.written.is_some() { "removed" } else { "to remove" };
    let removed = if removed > 0 { format!("; {} {state}", counted(removed, "path")) } else { String::new() };
    let style = if found.as_wanted { GOOD } else { BAD };
    let word = if found.as_wanted { "generated" } else { "not all as expected" };
    let text =
        format!(": {}: {}{removed}, {:.1} s", counted(found.cases, "case"), numbers.join(", "), found.wall_seconds);
    let mut text = wrapped(&format!("{word}{text}"), width).into_iter();
    lines.extend(text.next().map(|line| line.replacen(word, &painted(style, word), 1)));
    lines.extend(text);
    if let Some(folder) = &found.written {
        let is_changed = found.new + found.changed + found.removed.len() + found.others.len() > 0;
        let what = if is_changed { "written to" } else { "nothing to change in" };
        lines.push(format!("{what} {}", one_line(folder)));
    }
    if let Some(folder) = &found.trash {
        lines.push(format!("removed and overwritten files are in {}", one_line(folder)));
    }
    lines
}

fn paths(lines: &mut Vec<String>, word: &str, paths: &[String], verbosity: Verbosity) {
    let shown = if verbosity == Verbosity::Verbose { paths.len() } else { paths.len().min(MAX_PATHS) };
    lines.extend(paths[..shown].iter().map(|path| format!("{} {}", painted(ODD, word), one_line(path))));
    if shown < paths.len() {
        lines.push(format!("{} and {} more; -v shows them", painted(ODD, word), paths.len() - shown));
    }
}
