//! How far run times are from the time limit, for the report.

use super::bench::Bench;
use super::matrix::{Matrix, Row};
use crate::event::{CaseFinished, Event, VerifyMargin};
use crate::judge::Reached;
use crate::verdict::{TimeBound, Verdict};

/// Tells the margin of every run, each submission's slowest first.
pub(super) fn tell(bench: &Bench<'_>, matrix: &Matrix, reached: &[Reached], limit: f64, report: &mut dyn FnMut(Event)) {
    for row in matrix.rows.iter().filter(|row| row.was_judged()) {
        let of_row = reached.iter().find(|reached| reached.submission == row.name());
        let mut margins: Vec<_> = row.cases.iter().map(|case| margin(bench, row, case, of_row, limit)).collect();
        // Where two take as long the earlier one is shown.
        margins.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
        if let Some(first) = margins.first_mut() {
            first.is_slowest = true;
        }
        for margin in margins {
            report(Event::VerifyMargin(margin));
        }
    }
}

fn margin(bench: &Bench<'_>, row: &Row, case: &CaseFinished, reached: Option<&Reached>, limit: f64) -> VerifyMargin {
    let timing = bench.package.timing;
    let longer = reached.filter(|reached| reached.case.as_ref() == Some(&case.case));
    let stopped = case.verdict == Verdict::TimeLimitExceeded;
    let own = case.cpu_seconds.unwrap_or(0.0);
    // Who was stopped takes at least as long as the limit; on the wall that is not seen in its CPU time.
    let own = if stopped { own.max(limit) } else { own };
    let (seconds, is_more) = longer.map_or((own, stopped), |longer| (longer.seconds, longer.is_more));
    let bound = row.bound(&case.case);
    let kept = match bound {
        Some(TimeBound::Lower) => Some(!stopped && seconds * timing.ac_to_time_limit <= limit),
        // It is the slowest case that counts, and of the others nothing is asked.
        Some(TimeBound::Upper) => {
            longer.map(|longer| longer.is_more || longer.seconds >= limit * timing.time_limit_to_tle)
        }
        None => None,
    };
    VerifyMargin {
        package: bench.package.name.clone(),
        submission: row.name().to_owned(),
        case: case.case.clone(),
        seconds,
        is_more,
        bound: bound.map(|bound| if bound == TimeBound::Lower { "lower" } else { "upper" }.to_owned()),
        is_slowest: false,
        factor: (seconds > 0.0).then(|| limit / seconds),
        kept,
    }
}
