//! Shows people the score of a submission in detail: the total first, then each group that contains no other groups.

use super::table::{DIM, colour, counted, one_line, painted};
use referee_event::{GroupFinished, SubmissionFinished};
use referee_grading::score::Score;
use referee_grading::verdict::Verdict;
use referee_text::columns::columns;

/// The maximum number of parts that name groups. A part names one group, or several with the same result.
const MOST_GROUPS: usize = 60;

/// The least number of consecutive groups with the same result that share a part.
const FOLDED: usize = 4;

/// Returns the lines about the score of a submission, at most `width` columns wide; empty if neither the submission nor a group has a score.
pub(super) fn lines(submission: &SubmissionFinished, groups: &[GroupFinished], width: usize) -> Vec<String> {
    let mut segments = Vec::new();
    if let Some(score) = &submission.score {
        let best = submission.max_score.as_ref().map(|best| format!(" of {}", figure(best))).unwrap_or_default();
        segments.push(Segment::plain(format!("score {}{best}", figure(score))));
    } else if groups.iter().all(|group| group.score.is_none() && group.max_score.is_none()) {
        return Vec::new();
    }
    let shown: Vec<_> = groups.iter().filter(|group| !contains_groups(group, groups)).collect();
    let parts: Vec<_> = shown.chunk_by(|one, other| result(one) == result(other)).flat_map(folded).collect();
    segments.extend(parts.iter().take(MOST_GROUPS).map(|part| part_segment(part)));
    let hidden: usize = parts.iter().skip(MOST_GROUPS).map(|part| part.len()).sum();
    if hidden > 0 {
        segments.push(Segment::plain(counted(hidden, "more group")));
    }
    if submission.cases_skipped > 0 {
        segments.push(Segment::plain(format!("{} not run", counted(submission.cases_skipped, "case"))));
    }
    joined(&segments, width)
}

/// Formats a score with few digits, because the exact decimal may have infinitely many digits.
pub(super) fn figure(score: &Score) -> String {
    if let Some(whole) = score.to_i64() {
        return whole.to_string();
    }
    let text = format!("{:.4}", score.to_f64());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Formats a score with at most two digits behind the point.
pub(super) fn rounded(score: &Score) -> String {
    let text = format!("{:.2}", score.to_f64());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A part of a line: its width in columns, and its coloured text.
struct Segment {
    columns: usize,
    painted: String,
}

impl Segment {
    fn plain(text: String) -> Segment {
        Segment { columns: columns(&text), painted: text }
    }
}

/// Returns whether the group contains other groups. The report shows those groups instead of this one.
fn contains_groups(group: &GroupFinished, groups: &[GroupFinished]) -> bool {
    let below = format!("{}/", group.group);
    groups.iter().any(|other| other.group.starts_with(&below))
}

/// Divides consecutive groups with the same result into parts: one part, or one for each group if there are few.
fn folded<'a, 'b>(groups: &'b [&'a GroupFinished]) -> impl Iterator<Item = &'b [&'a GroupFinished]> {
    groups.chunks(if groups.len() < FOLDED { 1 } else { groups.len() })
}

/// Returns what the report shows of a group: its verdict and its scores. The verdict is `None` if no case was run.
fn result(group: &GroupFinished) -> (Option<Verdict>, Option<&Score>, Option<&Score>) {
    // A group with finished cases has no verdict if the judge failed on one of them.
    let verdict = group.verdict.or_else(|| (group.cases_run > 0).then_some(Verdict::JudgeError));
    (verdict, group.score.as_ref(), group.max_score.as_ref())
}

/// Shows groups with the same result: one group, or the first and the last one.
fn part_segment(part: &[&GroupFinished]) -> Segment {
    let [first, .., last] = part else {
        return part.first().map_or(Segment::plain(String::new()), |one| group_segment(one));
    };
    let names = format!("{} to {} ({} groups)", name(first), name(last), part.len());
    segment(&names, first, " each")
}

fn group_segment(group: &GroupFinished) -> Segment {
    segment(&name(group), group, "")
}

fn name(group: &GroupFinished) -> String {
    one_line(group.group.strip_prefix("secret/").unwrap_or(&group.group))
}

/// Shows `name` and the result of a group. `each` follows the score, if there is one.
fn segment(name: &str, group: &GroupFinished, each: &str) -> Segment {
    let (verdict, score, most) = result(group);
    let score = match (score, most) {
        (Some(score), Some(most)) => format!(" {}/{}{each}", figure(score), figure(most)),
        (Some(score), None) => format!(" {}{each}", figure(score)),
        (None, _) => String::new(),
    };
    let style = verdict.map_or(DIM, colour);
    let verdict = verdict.map_or("not run", Verdict::code);
    let width = columns(name) + 1 + verdict.len() + columns(&score);
    Segment { columns: width, painted: format!("{name} {}{score}", painted(style, verdict)) }
}

/// Joins the segments with commas and breaks them into lines of at most `width` columns.
fn joined(segments: &[Segment], width: usize) -> Vec<String> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    for segment in segments {
        match lines.last_mut() {
            Some((columns, line)) if *columns + 2 + segment.columns < width => {
                *columns += 2 + segment.columns;
                line.push_str(", ");
                line.push_str(&segment.painted);
            }
            _ => lines.push((segment.columns, segment.painted.clone())),
        }
    }
    let last = lines.len().saturating_sub(1);
    let ended = |(index, (_, line)): (usize, (usize, String))| if index < last { line + "," } else { line };
    lines.into_iter().enumerate().map(ended).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(name: &str, verdict: Option<Verdict>, score: u64) -> GroupFinished {
        GroupFinished {
            submission: "a.py".to_owned(),
            group: name.to_owned(),
            verdict,
            score: Some(Score::whole(score)),
            max_score: Some(Score::whole(50)),
            cases_run: 1,
            cases_skipped: 0,
        }
    }

    fn told(group: &GroupFinished) -> String {
        anstream::adapter::strip_str(&group_segment(group).painted).to_string()
    }

    #[test]
    fn a_group_on_which_the_judge_failed_was_run_all_the_same() {
        let failed = GroupFinished { score: None, ..group("secret", None, 0) };
        assert_eq!(told(&failed), "secret JE");
        assert_eq!(told(&GroupFinished { cases_run: 0, ..failed }), "secret not run");
    }

    #[test]
    fn consecutive_groups_with_the_same_result_share_a_part() {
        let wrong = Some(Verdict::WrongAnswer);
        let of = |(index, (verdict, score)): (usize, (Option<Verdict>, u64))| {
            group(&format!("secret/{index:02}"), verdict, score)
        };
        let full = (Some(Verdict::Accepted), 50);
        let results = [&[full; 30][..], &[(wrong, 0); 3], &[full; 4], &[(wrong, 0)]].concat();
        let groups: Vec<_> = results.into_iter().enumerate().map(of).collect();
        let shown: Vec<_> = groups.iter().collect();
        let parts = shown.chunk_by(|one, other| result(one) == result(other)).flat_map(folded).map(part_segment);
        let texts: Vec<_> = parts.map(|part| anstream::adapter::strip_str(&part.painted).to_string()).collect();
        let wanted = [
            "00 to 29 (30 groups) AC 50/50 each",
            "30 WA 0/50",
            "31 WA 0/50",
            "32 WA 0/50",
            "33 to 36 (4 groups) AC 50/50 each",
            "37 WA 0/50",
        ];
        assert_eq!(texts, wanted);
    }

    #[test]
    fn a_score_has_as_many_digits_as_help() {
        assert_eq!(figure(&(Score::whole(100) / 3)), "33.3333");
        assert_eq!(figure(&Score::parse("12.50").unwrap()), "12.5");
        assert_eq!(figure(&Score::whole(100)), "100");
    }

    #[test]
    fn groups_are_told_in_lines_that_fit() {
        let groups: Vec<_> = (0..20).map(|index| group(&format!("secret/group{index}"), None, index)).collect();
        let segments: Vec<_> = groups.iter().map(group_segment).collect();
        let lines = joined(&segments, 72);
        assert!(lines.len() > 1);
        for line in lines {
            assert!(anstream::adapter::strip_str(&line).to_string().chars().count() <= 72, "{line}");
        }
        assert_eq!(told(&group("secret/a", Some(Verdict::WrongAnswer), 7)), "a WA 7/50");
        assert!(contains_groups(&group("secret", None, 0), &groups) && !contains_groups(&groups[1], &groups));
    }
}
