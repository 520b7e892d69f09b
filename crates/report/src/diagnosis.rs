//! Shows people the result of `referee doctor`.

use super::table::{BAD, DIM, GOOD, ODD, cut, painted, shortened, wrapped};
use referee_event::{Cost, DoctorFinished, LanguageFound, Overall, Protection, State};

/// The width of a terminal, in columns.
const WIDTH: usize = 80;

/// The column in which explanations begin.
const INDENT: usize = 28;

pub(super) fn lines(found: &DoctorFinished) -> Vec<String> {
    let overall = match found.sandbox.overall {
        Overall::Full => painted(GOOD, "full"),
        Overall::Partial => painted(ODD, "partial"),
        Overall::Off => painted(BAD, "off"),
    };
    let mut lines = vec![format!("sandbox: {overall}")];
    lines.extend(found.sandbox.parts.iter().flat_map(|(name, part)| part_lines(name, part)));
    lines.extend([String::new(), "mechanisms".to_owned()]);
    lines.extend(found.mechanisms.iter().flat_map(|(name, part)| part_lines(name, part)));
    lines.extend([String::new(), "languages".to_owned()]);
    lines.extend(found.languages.iter().flat_map(language_lines));
    lines.extend([String::new(), "cost of a run".to_owned()]);
    lines.extend(cost_lines(found.cost.as_ref()));
    lines
}

fn part_lines(name: &str, part: &Protection) -> Vec<String> {
    let style = match part.state {
        State::Enforced => GOOD,
        State::Partial => ODD,
        State::Not => BAD,
    };
    let head = format!("  {name:<16}{} ", painted(style, &format!("{:<9}", part.state.word())));
    let mut lines = hanging(&head, &part.why);
    if let Some(remedy) = &part.remedy {
        lines.extend(hanging(&" ".repeat(INDENT), &format!("→ {remedy}")));
    }
    lines
}

/// Sets `text` to the right of `head`, broken into lines. All lines after the first begin at the column [`INDENT`].
fn hanging(head: &str, text: &str) -> Vec<String> {
    let blank = " ".repeat(INDENT);
    let parts: Vec<_> = wrapped(text, WIDTH - INDENT).iter().flat_map(|line| cut(line, WIDTH - INDENT)).collect();
    parts.iter().enumerate().map(|(index, part)| format!("{}{part}", if index == 0 { head } else { &blank })).collect()
}

fn language_lines(found: &LanguageFound) -> Vec<String> {
    let name = shortened(&found.language, 15);
    let mut lines: Vec<_> = found
        .tools
        .iter()
        .map(|tool| {
            let version = tool.version.as_deref().unwrap_or("prints no version in the sandbox");
            let style = if tool.version.is_some() { GOOD } else { ODD };
            let version = painted(style, &shortened(version, WIDTH - INDENT));
            format!("  {name:<16}{:<9} {version}", shortened(&tool.name, 9))
        })
        .collect();
    let labelled = |style, label: &str, text: &str| {
        let head = format!("  {name:<16}{} ", painted(style, &format!("{label:<9}")));
        hanging(&head, text)
    };
    lines.extend(found.missing.iter().flat_map(|missing| labelled(BAD, "missing", missing)));
    lines.extend(found.remark.iter().flat_map(|remark| labelled(ODD, "remark", remark)));
    lines
}

fn cost_lines(cost: Option<&Cost>) -> Vec<String> {
    let Some(cost) = cost else {
        return vec![format!("  {}", painted(ODD, "could not be measured"))];
    };
    let line = |name: &str, seconds: f64, more: String| format!("  {name:<24}{:>7.2} ms  {more}", seconds * 1e3);
    let ratio = cost.sandbox_seconds / cost.spawn_seconds;
    vec![
        line("without a sandbox", cost.spawn_seconds, painted(DIM, "posix_spawn of a program that does nothing")),
        line("in the sandbox", cost.sandbox_seconds, format!("{ratio:.2} times as long, median of {} runs", cost.runs)),
        line("setting up a sandbox", cost.setup_seconds, painted(DIM, "once for each program")),
    ]
}
