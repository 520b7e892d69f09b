//! The order of submissions, as in an undivided run.

use super::{MergeError, Survey};
use referee_event::Partition;

/// Returns the index of the report of each submission, in the order of an undivided run. Fails if the reports are not
/// the parts of one run.
pub(super) fn in_order(names: &[String], surveys: &[Survey]) -> Result<Vec<usize>, MergeError> {
    let parts: Vec<_> = surveys.iter().map(|survey| survey.started.partition).collect();
    if parts.iter().all(Option::is_none) {
        let blocks = surveys.iter().enumerate().map(|(index, survey)| std::iter::repeat_n(index, survey.blocks));
        return Ok(blocks.flatten().collect());
    }
    let holders = holders(names, &parts)?;
    let all = surveys[0].started.submissions.unwrap_or_default();
    for ((survey, name), part) in surveys.iter().zip(names).zip(parts.iter().flatten()) {
        let text = match survey.started.submissions {
            Some(others) if others != all => {
                format!("{} is of a run with {all} submissions, and {name} of one with {others}", names[0])
            }
            _ if survey.blocks != part.share(all) => {
                let share = part.share(all);
                format!("{name} has {} of the {share} submissions of part {}/{}", survey.blocks, part.part, part.of)
            }
            _ => continue,
        };
        return Err(MergeError::Different(text));
    }
    Ok((0..all).map(|index| holders[index % holders.len()]).collect())
}

/// Returns the index of the report of each part, in the order of the parts.
fn holders(names: &[String], parts: &[Option<Partition>]) -> Result<Vec<usize>, MergeError> {
    let refused = |text: String| Err(MergeError::Different(text));
    let first = parts.iter().flatten().find(|part| part.is_legal());
    let of = first.map_or(0, |part| part.of);
    let mut holders: Vec<Option<usize>> = vec![None; of];
    for (index, part) in parts.iter().enumerate() {
        let name = &names[index];
        let Some(part) = part else {
            return refused(format!("{name} is the report of a whole run, but others are reports of parts"));
        };
        if !part.is_legal() {
            return refused(format!("{name}: there is no part {}/{}", part.part, part.of));
        }
        if part.of != of {
            return refused(format!("{name} is part {}/{}, but other reports are parts of {of}", part.part, part.of));
        }
        let place = part.part.checked_sub(1).and_then(|place| holders.get_mut(place));
        match place {
            None => return refused(format!("{name}: there is no part {}/{of}", part.part)),
            Some(Some(other)) => {
                return refused(format!("{} and {name} are both part {}/{of}", names[*other], part.part));
            }
            Some(free) => *free = Some(index),
        }
    }
    let lacking: Vec<_> = (1..=of).filter(|part| holders[part - 1].is_none()).map(|part| part.to_string()).collect();
    if !lacking.is_empty() {
        let few = lacking.iter().take(10).cloned().collect::<Vec<_>>().join(", ");
        let more = if lacking.len() > 10 { ", ..." } else { "" };
        let (parts, are) = if lacking.len() == 1 { ("part", "is") } else { ("parts", "are") };
        return refused(format!("of {of} parts, {parts} {few}{more} {are} missing"));
    }
    Ok(holders.into_iter().flatten().collect())
}
