//! Shows people the result of `referee doctor`.

use super::table::{BAD, DIM, GOOD, ODD, cut, painted, shortened, wrapped};
use referee_event::{Cost, DoctorFinished, LanguageFound, Overall, Protection, State};

/// The column in which explanations begin.
const INDENT: usize = 28;

/// On a screen with fewer columns, explanations begin on a line of their own, in the column [`NARROW_INDENT`].
const NARROW: usize = 60;
const NARROW_INDENT: usize = 4;

/// Returns the lines about a machine, on a screen of `width` columns.
pub(super) fn lines(found: &DoctorFinished, width: usize) -> Vec<String> {
    let overall = match found.sandbox.overall {
        Overall::Full => painted(GOOD, "full"),
        Overall::Partial => painted(ODD, "partial"),
        Overall::Off => painted(BAD, "off"),
    };
    let mut lines = vec![format!("sandbox: {overall}")];
    lines.extend(found.sandbox.parts.iter().flat_map(|(name, part)| part_lines(name, part, width)));
    lines.extend([String::new(), "mechanisms".to_owned()]);
    lines.extend(found.mechanisms.iter().flat_map(|(name, part)| part_lines(name, part, width)));
    lines.extend([String::new(), "languages".to_owned()]);
    lines.extend(found.languages.iter().flat_map(|language| language_lines(language, width)));
    lines.extend([String::new(), "cost of a run".to_owned()]);
    lines.extend(cost_lines(found.cost.as_ref(), width));
    lines
}

fn part_lines(name: &str, part: &Protection, width: usize) -> Vec<String> {
    let style = match part.state {
        State::Enforced => GOOD,
        State::Partial => ODD,
        State::Not => BAD,
    };
    let head = format!("  {name:<16}{} ", painted(style, &format!("{:<9}", part.state.word())));
    let mut lines = hanging(&head, &part.why, width);
    if let Some(remedy) = &part.remedy {
        lines.extend(hanging(&" ".repeat(INDENT), &format!("→ {remedy}"), width));
    }
    lines
}

/// Sets `text` to the right of `head`, or below it on a narrow screen, broken into lines. All lines after the first begin
/// in the same column.
fn hanging(head: &str, text: &str, width: usize) -> Vec<String> {
    let is_narrow = width < NARROW;
    let indent = if is_narrow { NARROW_INDENT } else { INDENT };
    let room = width.saturating_sub(indent).max(1);
    let parts: Vec<_> = wrapped(text, room).iter().flat_map(|line| cut(line, room)).collect();
    let blank = " ".repeat(indent);
    let heads = Some(head.trim_end().to_owned()).filter(|head| is_narrow && !head.is_empty());
    let start = |index: usize| if index == 0 && !is_narrow { head } else { &blank };
    heads.into_iter().chain(parts.iter().enumerate().map(|(index, part)| format!("{}{part}", start(index)))).collect()
}

fn language_lines(found: &LanguageFound, width: usize) -> Vec<String> {
    let name = shortened(&found.language, 15);
    let mut lines: Vec<_> = found
        .tools
        .iter()
        .map(|tool| {
            let version = tool.version.as_deref().unwrap_or("prints no version in the sandbox");
            let style = if tool.version.is_some() { GOOD } else { ODD };
            let version = painted(style, &shortened(version, width.saturating_sub(INDENT).max(8)));
            format!("  {name:<16}{:<9} {version}", shortened(&tool.name, 9))
        })
        .collect();
    let labelled = |style, label: &str, text: &str| {
        let head = format!("  {name:<16}{} ", painted(style, &format!("{label:<9}")));
        hanging(&head, text, width)
    };
    lines.extend(found.missing.iter().flat_map(|missing| labelled(BAD, "missing", missing)));
    lines.extend(found.remark.iter().flat_map(|remark| labelled(ODD, "remark", remark)));
    lines
}

fn cost_lines(cost: Option<&Cost>, width: usize) -> Vec<String> {
    let Some(cost) = cost else {
        return vec![format!("  {}", painted(ODD, "could not be measured"))];
    };
    let ratio = cost.sandbox_seconds / cost.spawn_seconds;
    let lines = [
        ("without a sandbox", cost.spawn_seconds, "posix_spawn of a program that does nothing".to_owned(), DIM),
        (
            "in the sandbox",
            cost.sandbox_seconds,
            format!("{ratio:.2} times as long, median of {} runs", cost.runs),
            anstyle::Style::new(),
        ),
        ("setting up a sandbox", cost.setup_seconds, "once for each program".to_owned(), DIM),
    ];
    let line = |(name, seconds, more, style): &(&str, f64, String, anstyle::Style)| {
        let head = format!("  {name:<24}{:>7.2} ms", seconds * 1e3);
        if head.len() + 2 + more.len() <= width {
            return vec![format!("{head}  {}", painted(*style, more))];
        }
        let room = width.saturating_sub(NARROW_INDENT);
        let below = wrapped(more, room).into_iter().map(|line| format!("    {}", painted(*style, &line)));
        std::iter::once(head).chain(below).collect()
    };
    lines.iter().flat_map(line).collect()
}
