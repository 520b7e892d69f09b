//! The time limit of a package that states none: measured with the jury submissions, or provisional.

use std::time::Duration;

use super::Failure;
use referee_event::{Measuring, TimeLimit};
use referee_judge::{self as judge, Measured, Settings, TooFast};
use referee_package::Package;
use referee_sandbox::Mode;

/// The time limit for a package that states none and whose limit was not measured. Few problems have a larger limit.
const PROVISIONAL: Duration = Duration::from_secs(10);

/// Returns the time limit that the run times of the jury submissions determine. Runs the submissions unless the cache
/// has the limit. Warns about submissions that should exceed the limit by a certain factor and do not.
pub(super) fn measured(package: &Package, settings: &Settings) -> Result<TimeLimit, Failure> {
    let session = judge::Session::open(package, settings).map_err(Failure::from_judge_error)?;
    let measured = if let Some(known) = session.remembered_time_limit().map_err(Failure::from_judge_error)? {
        known
    } else {
        super::eprint_message(
            "",
            0,
            &format!("{} states no time limit; measuring the limit with the jury submissions", package.name),
        );
        session
            .measured_time_limit(&mut |_| {})
            .map_err(Failure::from_judge_error)
            .map_err(|failure| failure.with_hint("set limits.time_limit in problem.yaml, or give --time-limit"))?
    };
    print_limit(package, &measured);
    let (too_fast, cost) = session.submissions_too_fast(measured.limit).map_err(Failure::from_judge_error)?;
    for TooFast { submission, seconds, wanted_seconds, is_asleep } in too_fast {
        let factor = package.timing.time_limit_to_tle;
        let of_wall_time = if is_asleep { " of wall time" } else { "" };
        super::warn(&format!(
            "{submission} should exceed {factor} times the time limit: it took {seconds:.3} s{of_wall_time}, \
             expected at least {wanted_seconds:.3} s"
        ));
    }
    let (runs, seconds) = (measured.cost.runs + cost.runs, measured.cost.seconds + cost.seconds);
    Ok(TimeLimit::Measured { limit: measured.limit, cost: Measuring { runs, seconds } })
}

/// Returns the time limit that an earlier run measured, or a provisional one.
pub(super) fn remembered(package: &Package, settings: &Settings) -> Result<TimeLimit, Failure> {
    let session = judge::Session::open(package, settings).map_err(Failure::from_judge_error)?;
    if let Some(measured) = session.remembered_time_limit().map_err(Failure::from_judge_error)? {
        print_limit(package, &measured);
        return Ok(TimeLimit::Measured { limit: measured.limit, cost: Measuring::default() });
    }
    let seconds = PROVISIONAL.as_secs();
    let measuring = if settings.cache.is_some() && settings.sandbox != Mode::Off {
        "to measure the limit with the jury submissions, run `referee grade` without a program; "
    } else {
        ""
    };
    super::eprint_line(format_args!(
        "{} states no time limit; using {seconds} s for now; {measuring}to set the limit, use --time-limit",
        package.name
    ));
    Ok(TimeLimit::Provisional(PROVISIONAL))
}

fn print_limit(package: &Package, measured: &Measured) {
    let Measured { limit, slowest, submission, case, cost } = measured;
    let (times, slowest) = (package.timing.ac_to_time_limit, slowest.as_secs_f64());
    let remembered = if cost.runs == 0 { ", measured by an earlier run" } else { "" };
    let text = format!(
        "time limit {} s: {times} times the {slowest:.3} s of {submission} on {case}, \
         rounded up to a multiple of {} s{remembered}",
        limit.as_secs_f64(),
        package.timing.resolution
    );
    super::eprint_message("", 0, &text);
}
