//! Collects the details of submissions, which the report prints below the table. The memory is bounded.

use super::failure::{self, Extent};
use super::table::{BAD, DIM, ODD, colour, counted, fitted, one_line, painted, shortened, wrapped};
use super::{CaseDetails, scores, view};
use referee_event::{CaseFinished, GroupFinished, SubmissionFinished};
use referee_grading::verdict::Verdict;
use referee_text::columns::columns;

/// The number of failing submissions up to which details are shown in full, unless the user asks for all of them.
const MANY: usize = 5;

/// The maximum size of all stored details, in bytes. Later submissions get no details.
const MAX_BYTES: usize = 4 << 20;

/// Everything that the report knows about a judged submission, for its details.
pub(super) struct Judged<'a> {
    /// The name that the table shows.
    pub(super) name: &'a str,
    pub(super) submission: &'a SubmissionFinished,
    /// The message of a failed build.
    pub(super) build_message: Option<&'a str>,
    /// The failed case to show; `None` if there is none.
    pub(super) failure: Option<&'a CaseFinished>,
    pub(super) groups: &'a [GroupFinished],
    /// The lines about results near the time limit.
    pub(super) close: Vec<String>,
}

/// The lines about one submission.
#[derive(Debug)]
struct Entry {
    /// The lines in full; `None` if there are too many failing submissions.
    full: Option<Vec<String>>,
    short: Vec<String>,
    /// Whether the submission is not as expected, or its time is near the limit.
    is_remarkable: bool,
}

/// Collects the details of the submissions of a run.
#[derive(Debug, Default)]
pub(super) struct Details {
    shown: view::Details,
    entries: Vec<Entry>,
    /// The number of submissions that are not as expected.
    failing: usize,
    /// The size of the entries, and its maximum.
    bytes: usize,
    most_bytes: usize,
    /// The number of submissions without details, because `most_bytes` is reached.
    left_out: usize,
}

impl Details {
    pub(super) fn new(shown: view::Details) -> Details {
        Details { shown, most_bytes: MAX_BYTES, ..Details::default() }
    }

    /// Adds the details of a submission, laid out for a screen with `width` columns.
    pub(super) fn add(&mut self, judged: &Judged<'_>, case_details: Option<&dyn CaseDetails>, width: usize) {
        if self.shown == view::Details::None {
            return;
        }
        let is_failing = !judged.submission.as_wanted;
        let is_remarkable = is_failing || !judged.close.is_empty();
        self.failing += usize::from(is_failing);
        let lines = |is_short| lines(judged, case_details, Extent { width, is_short });
        let may_be_short = self.shown == view::Details::ShortIfMany;
        let short = if may_be_short { lines(true) } else { Vec::new() };
        if may_be_short && self.failing > MANY {
            self.entries.iter_mut().for_each(|entry| entry.full = None);
        }
        let full = (!may_be_short || self.failing <= MANY).then(|| lines(false));
        if full.as_ref().unwrap_or(&short).is_empty() {
            return;
        }
        let size = |lines: &[String]| lines.iter().map(|line| line.len() + size_of::<String>()).sum::<usize>();
        let bytes = size(&short) + full.as_deref().map_or(0, size);
        if self.bytes + bytes > self.most_bytes {
            self.left_out += usize::from(is_remarkable);
            return;
        }
        self.bytes += bytes;
        self.entries.push(Entry { full, short, is_remarkable });
    }

    /// Returns the lines of all details, each after an empty line. `submissions` is the number of rows of the table: the
    /// only submission always gets its details.
    pub(super) fn take(&mut self, submissions: usize) -> Vec<String> {
        let Details { shown, entries, failing, left_out, .. } = std::mem::take(self);
        let is_short = shown == view::Details::ShortIfMany && failing > MANY;
        let is_shown = |entry: &Entry| entry.is_remarkable || shown == view::Details::All || submissions == 1;
        let mut lines = Vec::new();
        for entry in entries.into_iter().filter(is_shown) {
            lines.push(String::new());
            lines.extend(entry.full.filter(|_| !is_short).unwrap_or(entry.short));
        }
        if left_out > 0 {
            let text = format!("{} without details, because there are too many", counted(left_out, "more submission"));
            lines.extend([String::new(), painted(ODD, &text)]);
        }
        if is_short {
            lines.extend([String::new(), painted(DIM, "--details failing shows inputs and outputs, too")]);
        }
        lines
    }
}

/// Returns the lines about a submission: its name and what failed, and below that everything else. Empty if there is
/// nothing to say.
fn lines(judged: &Judged<'_>, case_details: Option<&dyn CaseDetails>, extent: Extent) -> Vec<String> {
    let submission = judged.submission;
    let width = extent.width - 2;
    let indented = |line: &str| format!("  {line}");
    let mut lines: Vec<_> = judged.close.iter().map(|line| indented(&painted(ODD, &shortened(line, width)))).collect();
    lines.extend(scores::lines(submission, judged.groups, width).iter().map(|line| indented(line)));
    let message = submission.message.iter().flat_map(|message| wrapped(message, width));
    lines.extend(message.map(|line| indented(&painted(ODD, &line))));
    let breaches = submission.breaches.iter().flat_map(|breach| wrapped(&breach.to_string(), width));
    lines.extend(breaches.map(|line| indented(&painted(BAD, &line))));
    if let Some(message) = judged.build_message {
        lines.extend(failure::build_lines(message, extent));
    }
    if let Some(case) = judged.failure {
        lines.extend(failure::lines(case, case_details, extent));
    }
    if lines.is_empty() && submission.verdict == Verdict::Accepted {
        return lines;
    }
    lines.insert(0, head(judged, extent.width));
    lines
}

/// Returns the line with the submission's name, its verdict, and the test case of the failure.
fn head(judged: &Judged<'_>, width: usize) -> String {
    let verdict = judged.failure.map_or(judged.submission.verdict, |case| case.verdict);
    let what = judged.failure.map(|case| format!(" on {}", one_line(&case.case))).unwrap_or_default();
    let name = one_line(judged.name);
    let room = width.saturating_sub(": ".len() + verdict.code().len());
    let what = shortened(&what, room.saturating_sub(columns(&name)).max(room / 2));
    // The ends of names tell them apart.
    let name = fitted(&name, room.saturating_sub(columns(&what)).max(1));
    format!("{}: {}{what}", name.trim_end(), painted(colour(verdict), verdict.code()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn submission(name: &str) -> SubmissionFinished {
        SubmissionFinished {
            verdict: Verdict::WrongAnswer,
            as_wanted: false,
            message: Some("why".to_owned()),
            ..SubmissionFinished::accepted(name)
        }
    }

    fn add(details: &mut Details, submission: &SubmissionFinished, close: &[&str]) {
        let exhibit = referee_event::Exhibit::default();
        let case = CaseFinished {
            verdict: submission.verdict,
            exhibit: Some(Box::new(exhibit)),
            ..CaseFinished::accepted(0.1)
        };
        let judged = Judged {
            name: &submission.submission,
            submission,
            build_message: None,
            failure: Some(&case).filter(|_| submission.verdict != Verdict::Accepted),
            groups: &[],
            close: close.iter().map(|line| (*line).to_owned()).collect(),
        };
        details.add(&judged, None, 80);
    }

    fn plain(lines: &[String]) -> Vec<String> {
        lines.iter().map(|line| anstream::adapter::strip_str(line).to_string()).collect()
    }

    fn taken(shown: view::Details, failing: usize) -> Vec<String> {
        let mut details = Details::new(shown);
        (0..failing).for_each(|index| add(&mut details, &submission(&format!("{index}.py")), &[]));
        plain(&details.take(failing))
    }

    #[test]
    fn few_failing_submissions_get_full_details_and_many_get_short_ones() {
        let few = taken(view::Details::ShortIfMany, MANY);
        assert!(few.contains(&"  input".to_owned()) && few.contains(&"0.py: WA on a".to_owned()), "{few:?}");
        let many = taken(view::Details::ShortIfMany, MANY + 1);
        assert_eq!(many[..3], ["", "0.py: WA on a", "  why"]);
        assert_eq!(many.iter().filter(|line| line.ends_with("WA on a")).count(), MANY + 1);
        assert!(
            !many.contains(&"  input".to_owned()) && many.last().unwrap().contains("--details failing"),
            "{many:?}"
        );
        assert!(taken(view::Details::Failing, MANY + 1).contains(&"  input".to_owned()));
        assert_eq!(taken(view::Details::None, 2), Vec::<String>::new());
    }

    #[test]
    fn a_submission_that_is_as_expected_gets_details_if_its_time_is_near_the_limit_or_all_are_asked_for() {
        let wanted = SubmissionFinished { as_wanted: true, ..submission("a.py") };
        let shown = |how, close: &[&str], submissions| {
            let mut details = Details::new(how);
            add(&mut details, &wanted, close);
            plain(&details.take(submissions))
        };
        assert_eq!(shown(view::Details::Failing, &[], 2), Vec::<String>::new());
        assert_eq!(shown(view::Details::Failing, &["close"], 2)[..3], ["", "a.py: WA on a", "  close"]);
        assert_eq!(shown(view::Details::All, &[], 2)[1], "a.py: WA on a");
        assert_eq!(shown(view::Details::Failing, &[], 1)[1], "a.py: WA on a");
    }

    #[test]
    fn the_memory_is_bounded_and_what_is_left_out_is_counted() {
        let long = SubmissionFinished { message: Some("word ".repeat(1000)), ..submission("long.py") };
        let mut details = Details { most_bytes: 20_000, ..Details::new(view::Details::Failing) };
        (0..9).for_each(|_| add(&mut details, &long, &[]));
        assert!(details.bytes <= 20_000 && (1..9).contains(&details.left_out), "{}", details.bytes);
        assert!(plain(&details.take(9)).last().unwrap().contains("without details"));
    }

    #[test]
    fn a_long_name_is_cut_on_a_narrow_screen() {
        let name = "name".repeat(40);
        let mut details = Details::new(view::Details::Failing);
        add(&mut details, &submission(&name), &[]);
        assert!(plain(&details.take(1)).iter().all(|line| columns(line) <= 80));
    }
}
