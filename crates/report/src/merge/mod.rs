//! Merges several reports into one. If the reports are those of all parts of one run (`--partition`), the merged report
//! has the submissions in the order that a run without `--partition` has. Reports of whole runs follow one another.
//!
//! Merging reads all reports twice. The first pass checks all reports, so that nothing is written if they are
//! incomplete or do not belong together. The second pass emits the events line by line, so that the memory does not
//! depend on the size of the reports.

mod order;
mod reader;
mod totals;

use std::collections::HashMap;
use std::fs::File;

use reader::{Next, Reader};

use super::jsonl::read::Unreadable;
use referee_event::{Event, Measuring, Overall, Partition, RunFinished, RunStarted, TimeLimit, TimeLimitSource};

/// A report in a file that can be read more than once.
pub struct Source {
    /// The path of the report, as the user gave it.
    pub name: String,
    /// The file.
    pub file: File,
}

/// The reason why reports cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A report cannot be used.
    #[error("{name}:{unreadable}")]
    Report {
        /// The name of the report.
        name: String,
        /// The position and the reason.
        unreadable: Unreadable,
    },
    /// A report is incomplete.
    #[error("{0}: the report is incomplete, because its run did not finish")]
    Unfinished(String),
    /// The reports do not belong together.
    #[error("{0}")]
    Different(String),
}

/// The totals of all reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// The number of submissions judged.
    pub submissions: usize,
    /// Whether everything ended as expected.
    pub as_wanted: bool,
    /// The number of submissions on which the judge or the package failed.
    pub judge_errors: usize,
    /// The number of submissions that the user named and that were not judged.
    pub unjudged: usize,
    /// The number of submissions that were found and not judged.
    pub skipped: usize,
    /// Whether a report compares its submissions with one another. The merged report has no comparison, because no
    /// report compares the submissions of different reports.
    pub lacks_comparison: bool,
}

/// The result of the first pass over a report.
struct Survey {
    started: RunStarted,
    finished: RunFinished,
    /// The number of submissions, including skipped ones.
    submission_count: usize,
    /// The names of the submissions.
    submissions: Vec<String>,
    judge_errors: usize,
}

/// Passes the events of all `sources` to `report`, as the events of one run.
pub fn merge(sources: Vec<Source>, report: &mut dyn FnMut(Event)) -> Result<Merged, MergeError> {
    let mut surveys = Vec::with_capacity(sources.len());
    let mut readers = Vec::with_capacity(sources.len());
    for source in sources {
        let mut reader = Reader::open(source);
        surveys.push(reader.survey()?);
        reader.rewind()?;
        readers.push(reader);
    }
    let mut names: Vec<_> = readers.iter().map(|reader| reader.name.clone()).collect();
    check_same_work(&names, &surveys)?;
    let order = order::in_order(&names, &surveys)?;
    check_no_duplicates(&names, &surveys)?;
    let Some(started) = merged_start(&surveys) else {
        return Err(MergeError::Different("there are no reports to merge".to_owned()));
    };
    report(Event::RunStarted(started));
    for index in order {
        if let Next::End(_) = readers[index].next_submission(report)? {
            return Err(MergeError::Unfinished(names.swap_remove(index)));
        }
    }
    let finished = merged_end(&surveys);
    let merged = Merged {
        submissions: finished.submissions,
        as_wanted: finished.as_wanted,
        judge_errors: surveys.iter().map(|survey| survey.judge_errors).sum(),
        unjudged: finished.unjudged,
        skipped: finished.skipped,
        lacks_comparison: readers.iter().any(|reader| reader.has_comparison),
    };
    report(Event::RunFinished(finished));
    Ok(merged)
}

/// Checks that `source` is the complete report of this part of a run. Fails if the report is incomplete, cannot be read
/// or is about something else.
pub fn check_part(source: Source, part: Partition) -> Result<(), MergeError> {
    let mut reader = Reader::open(source);
    let found = reader.survey()?.started.partition;
    if found == Some(part) {
        return Ok(());
    }
    let found = found.map_or("a whole run".to_owned(), |found| format!("part {}/{}", found.part, found.of));
    let text = format!("{} is the report of {found}, expected part {}/{}", reader.name, part.part, part.of);
    Err(MergeError::Different(text))
}

/// Checks that all reports are about the same package and test cases, with the same limits. If they are reports of
/// parts, also checks that all parts belong to the same list of submissions.
fn check_same_work(names: &[String], surveys: &[Survey]) -> Result<(), MergeError> {
    let Some((first, others)) = surveys.split_first() else { return Ok(()) };
    for (survey, name) in others.iter().zip(&names[1..]) {
        let differ = |what: &str, one: String, other: String| {
            let text = format!("{} and {name} are not reports of one run: {what} {one} and {other}", names[0]);
            Err(MergeError::Different(text))
        };
        let (one, other) = (&first.started, &survey.started);
        if one.package != other.package {
            return differ("the packages are", one.package.clone(), other.package.clone());
        }
        let limits = [one, other].map(|started| started.time_limit.map(TimeLimit::duration));
        if limits[0] != limits[1] {
            let [one, other] =
                limits.map(|limit| limit.map_or("none".to_owned(), |limit| format!("{} s", limit.as_secs_f64())));
            return differ("the time limits are", one, other);
        }
        if one.partition.is_some() && one.submissions_digest != other.submissions_digest {
            let text = format!(
                "{} and {name} are not reports of one run: they have different submissions, or the same \
                 submissions in a different order (the order of `*` depends on LC_COLLATE)",
                names[0]
            );
            return Err(MergeError::Different(text));
        }
        if one.cases_digest != other.cases_digest {
            let text = format!(
                "{} and {name} are not reports of one run: they have different test cases, or different values of one \
                 of the options --as, --sandbox, --repeat, --stop-early, --all-cases, --points and --weight",
                names[0]
            );
            return Err(MergeError::Different(text));
        }
        if one.memory_limit_bytes != other.memory_limit_bytes {
            let bytes = |limit: Option<u64>| limit.map_or("none".to_owned(), |limit| format!("{} MiB", limit >> 20));
            return differ("the memory limits are", bytes(one.memory_limit_bytes), bytes(other.memory_limit_bytes));
        }
    }
    Ok(())
}

/// Checks that no submission is in two reports of whole runs. A submission that is twice in one report is allowed,
/// because the user may name a program twice.
fn check_no_duplicates(names: &[String], surveys: &[Survey]) -> Result<(), MergeError> {
    let mut holders = HashMap::new();
    for (index, survey) in surveys.iter().enumerate().filter(|(_, survey)| survey.started.partition.is_none()) {
        for submission in &survey.submissions {
            match holders.insert(submission, index) {
                Some(other) if other != index => {
                    let text = format!(
                        "{} and {} both contain {submission}; merge only one of these reports",
                        names[other], names[index]
                    );
                    return Err(MergeError::Different(text));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

fn merged_start(surveys: &[Survey]) -> Option<RunStarted> {
    let first = surveys.first()?;
    Some(RunStarted {
        jobs: surveys.iter().map(|survey| survey.started.jobs).max()?,
        // The merged report names the weakest sandbox of all reports.
        sandbox: surveys.iter().min_by_key(|survey| sandbox_rank(survey))?.started.sandbox.clone(),
        submissions: Some(surveys.iter().map(|survey| survey.submission_count).sum()),
        partition: None,
        submissions_digest: common_value(surveys.iter().map(|survey| &survey.started.submissions_digest)),
        time_limit: merged_time_limit(surveys),
        time_limit_basis: common_value(surveys.iter().map(|survey| &survey.started.time_limit_basis)),
        has_declared: surveys.iter().any(|survey| survey.started.has_declared),
        ..first.started.clone()
    })
}

/// Returns the time limit, which is the same in all reports, with the total cost of measuring it. The limit is
/// provisional if it is provisional in any report. `None` if no report has a limit.
fn merged_time_limit(surveys: &[Survey]) -> Option<TimeLimit> {
    let limits = || surveys.iter().filter_map(|survey| survey.started.time_limit);
    let first = limits().next()?;
    if limits().any(|limit| limit.source() == TimeLimitSource::Provisional) {
        return Some(TimeLimit::Provisional(first.duration()));
    }
    let add = |sum: Measuring, cost: Measuring| Measuring {
        runs: sum.runs.saturating_add(cost.runs),
        seconds: sum.seconds + cost.seconds,
    };
    let cost = limits().filter_map(TimeLimit::cost).reduce(add);
    Some(cost.map_or(first, |cost| TimeLimit::Measured { limit: first.duration(), cost }))
}

/// Returns the value if all values are equal; `None` if they differ, or if all are `None`.
fn common_value<'a>(mut all: impl Iterator<Item = &'a Option<String>>) -> Option<String> {
    let first = all.next()?;
    all.all(|other| other == first).then(|| first.clone()).flatten()
}

/// Returns the rank of a report's sandbox: the higher, the more the sandbox enforced.
fn sandbox_rank(survey: &Survey) -> u8 {
    match survey.started.sandbox.as_ref().map(|found| found.overall) {
        None => 0,
        Some(Overall::Off) => 1,
        Some(Overall::Partial) => 2,
        Some(Overall::Full) => 3,
    }
}

fn merged_end(surveys: &[Survey]) -> RunFinished {
    let ends = || surveys.iter().map(|survey| &survey.finished);
    // A forged report may contain any number, so the sum must not overflow.
    let sum = |count: fn(&RunFinished) -> usize| ends().map(count).fold(0, usize::saturating_add);
    RunFinished {
        as_wanted: ends().all(|end| end.as_wanted),
        submissions: sum(|end| end.submissions),
        skipped: sum(|end| end.skipped),
        unjudged: sum(|end| end.unjudged),
        cases_run: sum(|end| end.cases_run),
        wall_seconds: ends().map(|end| end.wall_seconds).fold(0.0, f64::max),
    }
}

#[cfg(test)]
mod tests;
