//! Puts the submissions of several reports into the order of a run without `--partition`.

use super::{MergeError, Survey};
use referee_event::Partition;

/// Returns, for each submission in the order of a run without `--partition`, the index of the report that contains the
/// submission. Reports of whole runs keep their order. If any report is the report of a part, fails unless the reports
/// are all parts of one run, each part once.
pub(super) fn in_order(names: &[String], surveys: &[Survey]) -> Result<Vec<usize>, MergeError> {
    let parts: Vec<_> = surveys.iter().map(|survey| survey.started.partition).collect();
    if parts.iter().all(Option::is_none) {
        let submission_count =
            surveys.iter().enumerate().map(|(index, survey)| std::iter::repeat_n(index, survey.submission_count));
        return Ok(submission_count.flatten().collect());
    }
    let report_of_part = report_of_part(names, &parts)?;
    let all = surveys[0].started.submissions.unwrap_or_default();
    for ((survey, name), part) in surveys.iter().zip(names).zip(parts.iter().flatten()) {
        let text = match survey.started.submissions {
            Some(others) if others != all => {
                format!("{} is from a run with {all} submissions, but {name} is from a run with {others}", names[0])
            }
            _ if survey.submission_count != part.share(all) => {
                let share = part.share(all);
                format!(
                    "{name} is part {}/{}; number of submissions expected: {share}, found: {}",
                    part.part, part.of, survey.submission_count
                )
            }
            _ => continue,
        };
        return Err(MergeError::Different(text));
    }
    Ok((0..all).map(|index| report_of_part[index % report_of_part.len()]).collect())
}

/// Returns, for each part in order, the index of its report. Fails unless the reports are all parts of one run, each
/// part once.
fn report_of_part(names: &[String], parts: &[Option<Partition>]) -> Result<Vec<usize>, MergeError> {
    let refused = |text: String| Err(MergeError::Different(text));
    let first = parts.iter().flatten().find(|part| part.is_legal());
    let of = first.map_or(0, |part| part.of);
    let mut report_of_part: Vec<Option<usize>> = vec![None; of];
    for (index, part) in parts.iter().enumerate() {
        let name = &names[index];
        let Some(part) = part else {
            return refused(format!("{name} is the report of a whole run, but other reports are reports of parts"));
        };
        if !part.is_legal() {
            return refused(format!("{name} says that it is part {}/{}, which does not exist", part.part, part.of));
        }
        if part.of != of {
            let text =
                format!("{name} is part {}/{}, but other reports are from a run of {of} parts", part.part, part.of);
            return refused(text);
        }
        let place = part.part.checked_sub(1).and_then(|place| report_of_part.get_mut(place));
        match place {
            None => return refused(format!("{name} says that it is part {}/{of}, which does not exist", part.part)),
            Some(Some(other)) => {
                return refused(format!("{} and {name} are both part {}/{of}", names[*other], part.part));
            }
            Some(free) => *free = Some(index),
        }
    }
    let missing: Vec<_> =
        (1..=of).filter(|part| report_of_part[part - 1].is_none()).map(|part| part.to_string()).collect();
    if !missing.is_empty() {
        let few = missing.iter().take(10).cloned().collect::<Vec<_>>().join(", ");
        let more = if missing.len() > 10 { ", ..." } else { "" };
        let (parts, are) = if missing.len() == 1 { ("part", "is") } else { ("parts", "are") };
        return refused(format!("{parts} {few}{more} of {of} {are} missing"));
    }
    Ok(report_of_part.into_iter().flatten().collect())
}
