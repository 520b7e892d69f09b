//! Shows people the result of `verify`: a line for each check, its findings below it, and a summary.

use std::collections::HashMap;

use super::table::{BAD, DIM, GOOD, ODD, counted, fitted, folded, one_line, painted, shortened, wrapped};
use super::verbosity::Verbosity;
use referee_event::{
    Event, Gravity, VerifyCheck, VerifyFinding, VerifyFinished, VerifyMargin, VerifyStarted, VerifyTimeLimit,
};
use referee_text::columns::columns;

/// The indentation of what belongs to a check, in columns.
const INDENT: usize = 6;

/// The maximum number of findings that are shown for one check and severity, unless the user asks for all.
const SHOWN: usize = 12;

/// Collects the findings and margins of a check until the check ends.
pub(super) struct Verification {
    verbosity: Verbosity,
    findings: Vec<VerifyFinding>,
    limit: Option<VerifyTimeLimit>,
    margins: Vec<VerifyMargin>,
}

impl Verification {
    pub(super) fn new(verbosity: Verbosity) -> Verification {
        Verification { verbosity, findings: Vec::new(), limit: None, margins: Vec::new() }
    }

    /// Returns the lines to show after `event`, on a screen of `width` columns.
    pub(super) fn lines(&mut self, event: &Event, width: usize) -> Vec<String> {
        match event {
            Event::VerifyStarted(started) => self.started(started, width),
            Event::VerifyFinding(finding) => {
                self.findings.push(finding.clone());
                Vec::new()
            }
            Event::VerifyTimeLimit(limit) => {
                self.limit = Some(limit.clone());
                Vec::new()
            }
            Event::VerifyMargin(margin) => {
                // Without -v, only the margin of a submission's slowest run is shown.
                if margin.is_slowest || self.verbosity == Verbosity::Verbose {
                    self.margins.push(margin.clone());
                }
                Vec::new()
            }
            Event::VerifyCheck(check) => self.check(check, width),
            Event::VerifyFinished(finished) => summary(finished, self.verbosity, width),
            _ => Vec::new(),
        }
    }

    fn started(&self, started: &VerifyStarted, width: usize) -> Vec<String> {
        if self.verbosity == Verbosity::Quiet {
            return Vec::new();
        }
        if started.format.is_empty() {
            return vec![shortened(&started.package, width.saturating_sub(INDENT))];
        }
        let title = if started.title.is_empty() { &started.package } else { &started.title };
        let (cases, submissions) = (counted(started.cases, "case"), counted(started.submissions, "submission"));
        let line = format!("{title} ({}), format {}: {cases}, {submissions}", started.package, started.format);
        vec![shortened(&line, width.saturating_sub(INDENT))]
    }

    fn check(&mut self, check: &VerifyCheck, width: usize) -> Vec<String> {
        let findings = std::mem::take(&mut self.findings);
        let (limit, margins) = (self.limit.take(), std::mem::take(&mut self.margins));
        let mut lines = Vec::new();
        if self.verbosity > Verbosity::Quiet || check.errors + check.warnings > 0 {
            lines.push(head(check, width));
        }
        if self.verbosity > Verbosity::Quiet {
            let reason = check.skipped.iter().flat_map(|reason| wrapped(reason, width.saturating_sub(2 * INDENT)));
            lines.extend(reason.map(|line| format!("      {}", painted(DIM, &line))));
            lines.extend(limit.iter().flat_map(|limit| limit_lines(limit, width)));
            lines.extend(margin_lines(&margins, limit.as_ref(), width));
        }
        for gravity in [Gravity::Error, Gravity::Warning, Gravity::Note] {
            let of_kind: Vec<_> = findings.iter().filter(|finding| finding.severity == gravity).collect();
            lines.extend(self.of_kind(&of_kind, gravity, width));
        }
        lines
    }

    fn of_kind(&self, findings: &[&VerifyFinding], gravity: Gravity, width: usize) -> Vec<String> {
        let is_verbose = self.verbosity == Verbosity::Verbose;
        if gravity == Gravity::Note && !is_verbose {
            return Vec::new();
        }
        let groups = alike(findings);
        let most = if is_verbose { groups.len() } else { SHOWN };
        let mut lines: Vec<_> = groups.iter().take(most).flat_map(|group| group_lines(group, width)).collect();
        if groups.len() > most {
            let more: usize = groups[most..].iter().map(Vec::len).sum();
            let plural = if more == 1 { "" } else { "s" };
            lines.push(format!("    {more} more {}{plural}; -v shows them", gravity.word()));
        }
        lines
    }
}

/// Returns the line of a check.
fn head(check: &VerifyCheck, width: usize) -> String {
    // The mark, the name, the time and the blanks take 26 columns.
    let about_width = width.saturating_sub(26).max(8);
    let (mark, style) = match (check.errors, check.warnings, &check.skipped) {
        (1.., ..) => ("✗", BAD),
        (0, 1.., _) => ("!", ODD),
        (0, 0, Some(_)) => ("-", ODD),
        (0, 0, None) => ("✓", GOOD),
    };
    let about = if check.about.is_empty() && check.skipped.is_some() { "skipped" } else { &check.about };
    let time = format!("{:.1} s", check.seconds);
    format!("{} {:<13} {} {time:>8}", painted(style, mark), check.name, fitted_start(about, about_width))
}

/// Fits `text` into exactly `width` columns. A longer text is cut at its end.
fn fitted_start(text: &str, width: usize) -> String {
    format!("{:<width$}", shortened(text, width))
}

/// Findings with the same text share one entry if there are at least this many of them.
const ALIKE: usize = 4;

/// The maximum number of places that a shared entry names.
const PLACES: usize = 3;

/// Puts findings with the same text into one group if there are at least [`ALIKE`] of them. Every other finding gets a
/// group of its own. The groups are in the order of their first findings.
fn alike<'a>(findings: &[&'a VerifyFinding]) -> Vec<Vec<&'a VerifyFinding>> {
    let key = |finding: &'a VerifyFinding| (finding.message.as_str(), finding.hint.as_deref());
    let mut by_text: HashMap<_, Vec<&VerifyFinding>> = HashMap::new();
    for finding in findings {
        by_text.entry(key(finding)).or_default().push(finding);
    }
    let group = |finding: &&'a VerifyFinding| match by_text.get_mut(&key(finding)) {
        Some(group) if group.len() >= ALIKE => Some(std::mem::take(group)),
        // This finding is already in the group that was returned for the first finding with the same text.
        Some(group) if group.is_empty() => None,
        _ => Some(vec![*finding]),
    };
    findings.iter().filter_map(group).collect()
}

/// Returns the lines of findings with the same text: the lines of the first finding, then the number of findings and
/// the places of the other findings.
fn group_lines(group: &[&VerifyFinding], width: usize) -> Vec<String> {
    let Some((first, others)) = group.split_first() else { return Vec::new() };
    let mut lines = finding_lines(first, width);
    if !others.is_empty() {
        let places: Vec<_> = others.iter().filter_map(|finding| place_of(finding)).collect();
        let named: Vec<_> = places.iter().take(PLACES - 1).map(|place| one_line(place)).collect();
        let more = others.len() - named.len();
        let at = match (named.is_empty(), more) {
            (true, _) => String::new(),
            (false, 0) => format!("; the others are at {}", named.join(", ")),
            (false, _) => format!("; the others are at {} and {more} more", named.join(", ")),
        };
        let indent = first.severity.word().len() + 8;
        let text = format!("{} findings like this in all{at}", group.len());
        lines.extend(
            message_lines(&text, width.saturating_sub(indent))
                .iter()
                .map(|line| format!("{}{line}", " ".repeat(indent))),
        );
    }
    lines
}

/// Returns the most exact place of a finding; `None` if the finding concerns no particular place.
fn place_of(finding: &VerifyFinding) -> Option<&str> {
    finding.place.as_deref().or(finding.case.as_deref()).or(finding.submission.as_deref())
}

fn finding_lines(finding: &VerifyFinding, width: usize) -> Vec<String> {
    let style = match finding.severity {
        Gravity::Error => BAD,
        Gravity::Warning => ODD,
        Gravity::Note => DIM,
    };
    let place = place_of(finding).map_or_else(String::new, |place| format!("{}: ", one_line(place)));
    let word = finding.severity.word();
    let text = format!("{place}{}", finding.message);
    let indent = word.len() + 6;
    let mut lines = Vec::new();
    for (index, line) in message_lines(&text, width.saturating_sub(indent)).iter().enumerate() {
        let start = if index == 0 { format!("    {}: ", painted(style, word)) } else { " ".repeat(indent) };
        lines.push(format!("{start}{line}"));
    }
    for line in finding.hint.iter().flat_map(|hint| message_lines(hint, width.saturating_sub(indent + 2))) {
        lines.push(format!("{}{}", " ".repeat(indent + 2), painted(DIM, &line)));
    }
    lines
}

/// The maximum number of lines that are shown of a message.
const MOST_LINES: usize = 12;

/// Breaks a message into lines of at most `width` columns, and returns the first [`MOST_LINES`] of them. The line
/// breaks of the message, such as those of a compiler's message, remain.
fn message_lines(text: &str, width: usize) -> Vec<String> {
    let lines = text.lines().flat_map(|line| folded(line, width));
    let mut lines: Vec<_> = lines.take(MOST_LINES + 1).collect();
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES);
        lines.push("…".to_owned());
    }
    lines
}

fn limit_lines(limit: &VerifyTimeLimit, width: usize) -> Vec<String> {
    let from = if limit.is_stated { "stated" } else { "measured" };
    let smallest = limit.smallest_seconds.map_or_else(
        || "the smallest allowed time limit is unknown".to_owned(),
        |seconds| format!("the smallest allowed time limit is {seconds} s"),
    );
    let text = format!(
        "time limit {} s, {from}; {smallest}. The time limit must be at least {} times the slowest run that must pass, \
         rounded up to a multiple of {} s. A run that must exceed the limit must take at least {} times the limit",
        limit.time_limit_seconds, limit.ac_to_time_limit, limit.resolution_seconds, limit.time_limit_to_tle
    );
    wrapped(&text, width.saturating_sub(INDENT)).iter().map(|line| format!("      {}", painted(DIM, line))).collect()
}

/// Returns the table of margins. Each row has the ratio of the time limit to the run time. If a run must exceed the
/// limit and does, the row has `1/` and the inverse of that ratio instead.
fn margin_lines(margins: &[VerifyMargin], limit: Option<&VerifyTimeLimit>, width: usize) -> Vec<String> {
    let (Some(limit), false) = (limit, margins.is_empty()) else { return Vec::new() };
    // Everything but the names of the submission and the test case takes 28 columns.
    let names = width.saturating_sub(28).max(12);
    let name_width = names * 8 / 13;
    let case_width = names - name_width;
    let title = format!(
        "      {} {} {:>8} {:>7}",
        fitted("submission", name_width),
        fitted("slowest case", case_width),
        "CPU s",
        "margin"
    );
    let rows = margins.iter().map(|margin| {
        let (mark, style) = match margin.kept {
            Some(true) => ("✓", GOOD),
            Some(false) => ("✗", BAD),
            None => (" ", DIM),
        };
        let seconds = format!("{}{:.3}", if margin.is_more { ">" } else { "" }, margin.seconds);
        let times = |factor: f64| if factor >= 1000.0 { ">999".to_owned() } else { format!("{factor:.1}") };
        let factor = match margin.bound.as_deref() {
            _ if margin.wall_limit_seconds.is_some() => "asleep".to_owned(),
            // The run must exceed the limit, and it takes at least as long as the limit. So the ratio of the limit to
            // the run time is at most 1.
            Some("upper") if margin.seconds >= limit.time_limit_seconds => {
                format!("1/{}", times(margin.seconds / limit.time_limit_seconds))
            }
            _ => margin.factor.map_or("-".to_owned(), |factor| format!("{}x", times(factor))),
        };
        let names = if margin.is_slowest {
            format!("{} {}", fitted(&margin.submission, name_width), fitted(&margin.case, case_width))
        } else {
            format!("  {}", fitted(&margin.case, names - 1))
        };
        format!("    {} {names} {seconds:>8} {factor:>7}", painted(style, mark))
    });
    let asleep = margins.iter().find_map(|margin| margin.wall_limit_seconds);
    let asleep = asleep
        .map(|limit| format!("      asleep: wall time, because the run slept beyond the wall limit of {limit} s"));
    let asleep = asleep.map(|line| painted(DIM, &line));
    std::iter::once(painted(DIM, &title)).chain(rows).chain(asleep).collect()
}

fn summary(finished: &VerifyFinished, verbosity: Verbosity, width: usize) -> Vec<String> {
    let style = match (finished.errors, finished.warnings) {
        (1.., _) => BAD,
        (0, 1..) => ODD,
        (0, 0) => GOOD,
    };
    let mut words = vec![counted(finished.errors, "error"), counted(finished.warnings, "warning")];
    words.extend((finished.notes > 0).then(|| counted(finished.notes, "note")));
    let name = shortened(&finished.package, 30.min(width / 2));
    let (words, seconds) = (words.join(", "), format!("{:.1} s", finished.seconds));
    let is_narrow = columns(&format!("{name}: {words}, {seconds}")) > width;
    let mut lines = if is_narrow {
        let below = wrapped(&format!("{words}, {seconds}"), width.saturating_sub(2));
        let below = below.iter().map(|line| format!("  {}", painted(style, line)));
        std::iter::once(format!("{name}:")).chain(below).collect()
    } else {
        vec![format!("{name}: {}, {seconds}", painted(style, &words))]
    };
    let left_out = finished.checks.iter().filter(|check| check.skipped.is_some()).count();
    let hidden = finished.notes > 0 && verbosity < Verbosity::Verbose;
    let remarks = [
        (left_out > 0).then(|| format!("{} skipped or incomplete", counted(left_out, "check"))),
        hidden.then(|| "-v shows the notes".to_owned()),
    ];
    let remarks: Vec<_> = remarks.into_iter().flatten().collect();
    if !remarks.is_empty() {
        lines.push(painted(DIM, &format!("  {}", remarks.join("; "))));
    }
    lines.push(String::new());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(place: &str, message: &str) -> VerifyFinding {
        VerifyFinding {
            package: "p".to_owned(),
            check: "inputs".to_owned(),
            severity: Gravity::Error,
            place: Some(place.to_owned()),
            case: None,
            submission: None,
            message: message.to_owned(),
            hint: None,
        }
    }

    #[test]
    fn findings_with_the_same_text_share_an_entry_with_a_count_and_three_places() {
        let many: Vec<_> = (1..=28).map(|number| finding(&format!("data/secret/{number}.in"), "NameError")).collect();
        let other = finding("data/secret/7.in", "is not UTF-8");
        let all: Vec<_> = many[..2].iter().chain([&other]).chain(&many[2..]).collect();
        let groups = alike(&all);
        assert_eq!(groups.iter().map(Vec::len).collect::<Vec<_>>(), [28, 1]);
        let lines = group_lines(&groups[0], 80).join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(lines.contains("data/secret/1.in: NameError"), "{lines}");
        let also = "28 findings like this in all; the others are at data/secret/2.in, data/secret/3.in and 25 more";
        assert!(lines.contains(also), "{lines}");
        // Findings without a place are only counted.
        let without_place = VerifyFinding { place: None, ..many[0].clone() };
        let lines = group_lines(&[&without_place; 4], 80).join(" ");
        assert!(lines.contains("4 findings like this in all") && !lines.contains("others"), "{lines}");
        // Few findings stay separate.
        assert_eq!(alike(&many[..3].iter().collect::<Vec<_>>()).len(), 3);
    }
}
