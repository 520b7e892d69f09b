//! Checks the margins between the time limit and the run times that bound it. See the section "Limits" of format
//! 2025-09 and the section "limits" of the legacy format.
//!
//! The run time of a submission is its time on its slowest test case. T_ac is the longest run time of the submissions
//! that must keep the limit. T_tle is the shortest run time of the submissions that must exceed it. The rules are
//! `T_ac * ac_to_time_limit <= time_limit` and `time_limit * time_limit_to_tle <= T_tle`. A run that seems too slow is
//! repeated while no other program runs, because the machine may have been busy.

#[cfg(test)]
mod tests;

use std::time::Duration;

use super::bench::{Bench, Limit};
use super::finding::{Finding, Outcome, counted};
use super::margins::{self, ROUNDING};
use super::matrix::{Matrix, Row};
use super::submissions;
use referee_event::{CaseFinished, Event, Gravity, VerifyTimeLimit};
use referee_grading::verdict::{TimeBound, Verdict};
use referee_judge::{self as judge, JudgeError, Reached, Settings};

/// Of this many slowest runs, those that break the margin are measured again.
const MOST_AGAIN: usize = 6;

/// The number of times that a run which breaks the margin is measured again.
const TIMES_AGAIN: usize = 3;

/// A run whose time is a lower bound for the time limit.
#[derive(Clone, Debug)]
struct Run {
    row: usize,
    case: String,
    seconds: f64,
    /// Whether the judge stopped the run. The full run time would then be longer than `seconds`.
    is_more: bool,
}

impl Run {
    fn is_faster_than(&self, other: &Run) -> bool {
        (self.is_more, self.seconds) < (other.is_more, other.seconds)
    }
}

pub(super) fn check(bench: &Bench<'_>, report: &mut dyn FnMut(Event)) -> Result<Outcome, JudgeError> {
    if let Some(reason) = bench.why_not_judgeable() {
        return Ok(Outcome::skipped(reason));
    }
    let limit = bench.limit()?;
    let matrix = bench.matrix()?;
    if !matrix.rows.iter().any(Row::was_judged) {
        return Ok(Outcome::skipped("no submission could be judged on every case"));
    }
    let seconds = limit.time.as_secs_f64();
    let lower = lower_bounds(bench, matrix, seconds)?;
    let reached = upper_bounds(bench, matrix, limit)?;
    report_limit(bench, limit, smallest_limit(bench, &lower), report);
    margins::report_margins(bench, matrix, &reached, seconds, report);
    let findings = findings(bench, matrix, limit, &lower, &reached);
    let has_failed = |row: &Row| !row.cases.is_empty() && !row.was_judged();
    let is_sure = !lower.is_empty() && !matrix.rows.iter().any(has_failed);
    if is_sure && !findings.iter().any(|finding| finding.gravity == Gravity::Error) {
        bench.set_suitable_limit(limit.time);
    }
    let about = format!(
        "{} to keep the limit, {} to exceed it",
        counted(lower.len(), "run"),
        counted(reached.len(), "submission")
    );
    Ok(Outcome { about, findings, skipped: None })
}

/// Returns the smallest time limit that gives every run its margin; `None` if there are no runs or some run was
/// stopped.
fn smallest_limit(bench: &Bench<'_>, runs: &[Run]) -> Option<Duration> {
    let slowest = runs.iter().max_by(|one, other| one.seconds.total_cmp(&other.seconds))?;
    let all_known = !runs.iter().any(|run| run.is_more);
    all_known.then(|| bench.package.timing.time_limit(Duration::from_secs_f64(slowest.seconds)))
}

fn findings(bench: &Bench<'_>, matrix: &Matrix, limit: &Limit, runs: &[Run], reached: &[Reached]) -> Vec<Finding> {
    let (seconds, smallest) = (limit.time.as_secs_f64(), smallest_limit(bench, runs));
    let mut findings = from_below(bench, matrix, runs, seconds, smallest);
    findings.extend(from_above(bench, reached, seconds));
    findings.extend(not_a_multiple(bench, limit));
    findings.extend(near_the_limit(bench, matrix, seconds));
    findings.extend(smallest.and_then(|smallest| no_limit_fits(bench, reached, smallest)));
    findings
}

fn report_limit(bench: &Bench<'_>, limit: &Limit, smallest: Option<Duration>, report: &mut dyn FnMut(Event)) {
    let timing = bench.package.timing;
    report(Event::VerifyTimeLimit(VerifyTimeLimit {
        package: bench.package.name.clone(),
        time_limit_seconds: limit.time.as_secs_f64(),
        is_stated: limit.measured.is_none(),
        smallest_seconds: smallest.map(|smallest| smallest.as_secs_f64()),
        ac_to_time_limit: timing.ac_to_time_limit,
        time_limit_to_tle: timing.time_limit_to_tle,
        resolution_seconds: timing.resolution,
    }));
}

/// Returns every run whose time is a lower bound for the limit. The runs are sorted by their first measured time, the
/// slowest first. Of the [`MOST_AGAIN`] slowest runs, those that break the margin are measured again.
fn lower_bounds(bench: &Bench<'_>, matrix: &Matrix, limit: f64) -> Result<Vec<Run>, JudgeError> {
    let mut runs = Vec::new();
    for (index, row) in matrix.rows.iter().enumerate().filter(|(_, row)| row.was_judged()) {
        let bounding = row.cases.iter().filter(|case| row.bound(&case.case) == Some(TimeBound::Lower));
        runs.extend(bounding.map(|case| run(index, case, limit)));
    }
    runs.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
    let factor = bench.package.timing.ac_to_time_limit;
    for run in runs.iter_mut().take(MOST_AGAIN).filter(|run| run.is_more || run.seconds * factor > limit) {
        measure_again(bench, &matrix.rows[run.row], run)?;
    }
    Ok(runs)
}

fn run(row: usize, case: &CaseFinished, limit: f64) -> Run {
    let is_more = case.was_cut_short();
    let seconds = case.cpu_seconds.unwrap_or(0.0);
    Run { row, case: case.case.clone(), seconds: if is_more { seconds.max(limit) } else { seconds }, is_more }
}

/// Runs the submission alone on the test case several times. Replaces `run` with the fastest of the new runs if that
/// run is faster.
fn measure_again(bench: &Bench<'_>, row: &Row, run: &mut Run) -> Result<(), JudgeError> {
    let case: Vec<_> = bench.package.cases.iter().filter(|case| *case.name == *run.case).cloned().collect();
    let cases: Vec<_> = case.iter().cycle().take(TIMES_AGAIN * case.len()).cloned().collect();
    let settings = Settings { jobs: 1, ..bench.settings()? };
    let time = settings.time();
    let session = bench.session.with(settings);
    session
        .judge_all(&cases, std::slice::from_ref(&row.submission), &mut |event| {
            let Event::CaseFinished(again) = event else { return };
            let again = self::run(run.row, &again, time.as_secs_f64());
            if again.is_faster_than(run) {
                *run = again;
            }
        })
        .map(drop)
}

/// Returns the run times of the submissions that must exceed the limit. Submissions on which the judge failed are left
/// out.
fn upper_bounds(bench: &Bench<'_>, matrix: &Matrix, limit: &Limit) -> Result<Vec<Reached>, JudgeError> {
    let wanted = limit.time.mul_f64(bench.package.timing.time_limit_to_tle);
    let row = |name: &str| matrix.rows.iter().find(|row| row.name() == name);
    let is_fast = |submission: &str, case: &str| row(submission).is_some_and(|row| is_fast(row, case));
    let mut reached = judge::slowest_of_upper_bounds(&bench.session.with(bench.settings()?), wanted, &is_fast)?;
    reached.retain(|reached| row(&reached.submission).is_some_and(Row::was_judged));
    for reached in reached.iter_mut().filter(|reached| reached.case.is_none()) {
        let cases = row(&reached.submission).map_or(&[][..], |row| &row.cases);
        let known = cases.iter().filter(|case| case.cpu_seconds.is_some());
        known.for_each(|case| reached.see_whole(case, limit.time));
    }
    Ok(reached)
}

/// Returns whether the submission finished the test case within the limit. A longer time limit would not change that
/// result.
fn is_fast(row: &Row, case: &str) -> bool {
    let found = row.cases.iter().find(|found| found.case == case);
    found.is_some_and(|found| found.verdict != Verdict::TimeLimitExceeded)
}

/// Reports submissions that must keep the limit but do not keep it with the required margin, each with its slowest
/// case. If no submission must keep the limit, reports this fact instead.
fn from_below(
    bench: &Bench<'_>,
    matrix: &Matrix,
    runs: &[Run],
    limit: f64,
    smallest: Option<Duration>,
) -> Vec<Finding> {
    let factor = bench.package.timing.ac_to_time_limit;
    let legacy = bench.package.version.is_legacy();
    if runs.is_empty() {
        let finding = Finding::new(
            if legacy { Gravity::Note } else { Gravity::Error },
            "no submission sets a lower bound for the time limit",
        );
        return vec![finding.hint("add an accepted submission that must keep the time limit")];
    }
    let mut seen_rows = std::collections::BTreeSet::new();
    let broken = runs.iter().filter(|run| run.is_more || run.seconds * factor > limit + ROUNDING);
    let first = broken.filter(|run| seen_rows.insert(run.row));
    let finding = |run: &Run| {
        let row = &matrix.rows[run.row];
        let time = format!("{}{:.3} s", if run.is_more { "more than " } else { "" }, run.seconds);
        let message = format!(
            "takes {time} on {}; the time limit must be at least {factor} times as long, but is {limit} s",
            run.case
        );
        // For the legacy format, this is only a warning: the format has no field for a time limit, so each judge sets
        // its own.
        let finding = Finding::new(if legacy { Gravity::Warning } else { Gravity::Error }, message);
        let finding = finding.of(row.name()).on(run.case.clone()).at(submissions::place(row));
        match smallest {
            Some(smallest) => finding.hint(format!(
                "raise the time limit to {} s; --write-time-limit writes the new limit to the package",
                smallest.as_secs_f64()
            )),
            None => finding.hint(
                "raise the time limit, or declare use_for_time_limit: false for the submission in submissions.yaml",
            ),
        }
    };
    first.map(finding).collect()
}

/// Reports submissions that must exceed the limit but do not exceed it by the required margin.
fn from_above(bench: &Bench<'_>, reached: &[Reached], limit: f64) -> Vec<Finding> {
    let factor = bench.package.timing.time_limit_to_tle;
    let gravity = if bench.package.version.is_legacy() { Gravity::Warning } else { Gravity::Error };
    let near = reached.iter().filter(|reached| !reached.is_more && !reached.is_asleep);
    let near = near.filter(|reached| reached.seconds + ROUNDING < limit * factor);
    let finding = |reached: &Reached| {
        let Reached { submission, seconds, .. } = reached;
        let case = reached.case.clone().unwrap_or_default();
        let message = format!(
            "must take at least {factor} times the time limit ({:.3} s), but takes {seconds:.3} s{} on its slowest \
             case {case}",
            limit * factor,
            wall(reached, limit)
        );
        let finding = Finding::new(gravity, message).of(submission.clone()).at(format!("submissions/{submission}"));
        let hint = "lower the time limit, add a case on which the submission is slower, or declare \
                    use_for_time_limit: false for the submission in submissions.yaml";
        Finding { case: reached.case.clone(), ..finding }.hint(hint)
    };
    near.map(finding).collect()
}

/// Returns words for a message: the wall time and the wall limit of a run that mostly slept. Empty for other runs.
fn wall(reached: &Reached, limit: f64) -> String {
    let allowed = judge::wall_limit(Duration::from_secs_f64(limit)).as_secs_f64();
    match reached.wall_seconds {
        Some(wall) if wall > limit && wall > 2.0 * reached.seconds => {
            format!(" of CPU time and {wall:.3} s of wall time (wall limit: {allowed} s)")
        }
        _ => String::new(),
    }
}

/// Returns a finding if no time limit keeps both margins: the smallest limit for the submissions that must keep it is
/// too large for the submissions that must exceed it. Returns `None` if some limit keeps both.
fn no_limit_fits(bench: &Bench<'_>, reached: &[Reached], smallest: Duration) -> Option<Finding> {
    let factor = bench.package.timing.time_limit_to_tle;
    let fastest = reached
        .iter()
        .filter(|reached| !reached.is_more && reached.case.is_some())
        .filter(|reached| !reached.is_asleep && !judge::is_asleep(reached.seconds, reached.wall_seconds, smallest))
        .min_by(|one, other| one.seconds.total_cmp(&other.seconds))?;
    let needed = smallest.as_secs_f64() * factor;
    (fastest.seconds + ROUNDING < needed).then(|| {
        let message = format!(
            "no time limit keeps both margins: the slowest run that must keep the limit requires a limit of at least \
             {} s, so {} must take at least {needed:.3} s, but takes {:.3} s",
            smallest.as_secs_f64(),
            fastest.submission,
            fastest.seconds
        );
        Finding::error(message)
            .at("problem.yaml")
            .hint("add larger cases, or change limits.time_multipliers, which sets the margins")
    })
}

/// Returns a finding if the package states a time limit that is not a multiple of the package's time resolution; `None`
/// otherwise. Packages of the legacy format never get this finding.
fn not_a_multiple(bench: &Bench<'_>, limit: &Limit) -> Option<Finding> {
    let (resolution, seconds) = (bench.package.timing.resolution, limit.time.as_secs_f64());
    let steps = seconds / resolution;
    let fits = (steps - steps.round()).abs() < 1e-6;
    let is_stated = bench.package.limits.time == Some(limit.time) && !bench.package.version.is_legacy();
    (is_stated && !fits).then(|| {
        let message = format!("the time limit of {seconds} s is not a multiple of the time resolution, {resolution} s");
        Finding::error(message).at("problem.yaml").hint("change limits.time_limit or limits.time_resolution")
    })
}

/// Reports submissions that were accepted with a run time near the limit on a test case on which they need not keep the
/// limit. On a slower machine, they might exceed the limit there.
fn near_the_limit(bench: &Bench<'_>, matrix: &Matrix, limit: f64) -> Vec<Finding> {
    let factor = bench.package.timing.ac_to_time_limit;
    let free = matrix.rows.iter().filter(|row| row.submission.expectations.iter().flatten().next().is_some());
    let near = free.filter_map(|row| {
        let is_free = |case: &&CaseFinished| row.bound(&case.case).is_none();
        let is_near = |case: &&CaseFinished| {
            case.verdict == Verdict::Accepted && case.cpu_seconds.is_some_and(|seconds| seconds * factor > limit)
        };
        Some((row, row.cases.iter().filter(is_free).find(is_near)?))
    });
    let finding = |(row, case): (&Row, &CaseFinished)| {
        let seconds = case.cpu_seconds.unwrap_or(0.0);
        let message = format!(
            "may exceed the time limit of {limit} s on a slower machine: takes {seconds:.3} s on {}",
            case.case
        );
        Finding::note(message).of(row.name()).on(case.case.clone()).at(submissions::place(row))
    };
    near.map(finding).collect()
}
