//! Runs a program in Java on several test cases in one process, because starting the virtual machine takes longer than
//! most runs.
//!
//! The program's classes are loaded anew for each test case, so its static variables are fresh. But a run in the same
//! process is not the run that the judge promises: its time and its memory are those of a machine that is already warm.
//! So nothing here decides a verdict. The caller learns which outputs the program writes, and if an output is not the
//! one that it expects, or is missing, it judges the program alone on that test case.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use crate::Settings;
use crate::build::executable::Executable;
use crate::build::{self, Built, Role, Source};
use crate::workspace::folder::Folder;
use crate::workspace::site::Site;
use referee_files::regular;
use referee_package::TestCase;
use referee_sandbox::{Captured, Ended, Input, Limits, Outcome, Run};

/// The program that runs another program on several inputs.
const DRIVER: (&str, &str) = ("RunTogether.java", include_str!("RunTogether.java"));

/// The part of the time limit that a run may take. A run in a new process takes longer, because the virtual machine
/// interprets the program at first.
const PART_OF_LIMIT: u32 = 10;

/// Maximum size of an input, and of all inputs or outputs together, in bytes.
const LARGEST_INPUT_BYTES: u64 = 1 << 20;
const MOST_BYTES: u64 = 16 << 20;

/// The time in which the virtual machine starts and ends.
const START: Duration = Duration::from_secs(2);

/// A run that ended normally.
pub(crate) struct Ran {
    /// The CPU time of the run.
    pub(crate) time: Duration,
    pub(crate) output: Captured,
}

/// The compiled driver. It is compiled when it is first used.
#[derive(Default)]
pub(crate) struct Together(OnceLock<Option<Executable>>);

impl Together {
    /// Runs the program on the test cases, in order, until a run does not end in time. Returns the runs before that one,
    /// and `None` in place of a run that failed or took too long. Returns no run if the program is not in Java, or if
    /// the runs together exceed a limit.
    pub(crate) fn run(
        &self,
        program: &Executable,
        cases: &[&TestCase],
        settings: &Settings,
        site: Site<'_>,
    ) -> Vec<Option<Ran>> {
        let (language, entry_point) = program.language_and_entry_point();
        if language != "java" {
            return Vec::new();
        }
        let Some(driver) = self.0.get_or_init(|| driver(settings, site).ok().flatten()) else { return Vec::new() };
        let most = settings.time() / PART_OF_LIMIT;
        let start = |inputs: &Path| {
            let count = cases.len().try_into().unwrap_or(u32::MAX);
            let cpu = START + most.saturating_mul(count);
            let limits = Limits { cpu, wall: cpu * 2, output_bytes: MOST_BYTES, ..settings.submission_limits(1.0) };
            let arguments =
                vec![program.folder().into(), entry_point.into(), most.as_millis().max(1).to_string().into()];
            driver.beside(program).run(&Run { arguments, input: Input::File(inputs), limits })
        };
        let Ok(inputs) = write_inputs(cases, site.workspace) else { return Vec::new() };
        match start(&inputs.path().join(INPUTS)) {
            Ok(Outcome { ended: Ended::Exited(0), crossed: None, stdout, .. }) => runs(&stdout),
            _ => Vec::new(),
        }
    }
}

/// Compiles the driver like a submission. Returns `None` if it cannot be run.
fn driver(settings: &Settings, site: Site<'_>) -> io::Result<Option<Executable>> {
    let folder = Folder::new_in(site.workspace, "together-", 0o755)?;
    let path = folder.path().join(DRIVER.0);
    fs::write(&path, DRIVER.1)?;
    let source = Source {
        path: &path,
        language: None,
        entry_point: None,
        code_bytes: None,
        folder_name: None,
        role: Role::Submission,
        boundary: None,
        constants: None,
        added: &[],
        includes: None,
    };
    let plain = settings.without_cache();
    Ok(match build::build(&source, &plain, site).map(|build| build.result) {
        Ok(Built::Ready(driver)) => Some(driver),
        _ => None,
    })
}

const INPUTS: &str = "inputs";

/// Writes the number of inputs, and each input after its length, to a file in a new folder. Fails if the inputs are too
/// large or cannot be read.
fn write_inputs(cases: &[&TestCase], workspace: &Path) -> io::Result<Folder> {
    let mut all = length(cases.len())?.to_vec();
    for case in cases {
        let input = regular::read(&case.input(), LARGEST_INPUT_BYTES)?;
        all.extend(length(input.len())?);
        all.extend(input);
        if all.len() as u64 > MOST_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
    }
    let folder = Folder::new_in(workspace, "inputs-", 0o700)?;
    fs::write(folder.path().join(INPUTS), all)?;
    Ok(folder)
}

fn length(of: usize) -> io::Result<[u8; 4]> {
    i32::try_from(of).map(i32::to_be_bytes).map_err(io::Error::other)
}

/// Reads what the driver wrote: the time of each run, the length of its output, and the output. Stops where the text is
/// not as expected.
fn runs(written: &[u8]) -> Vec<Option<Ran>> {
    let (mut runs, mut rest) = (Vec::new(), written);
    while let Some((milliseconds, after)) = rest.split_first_chunk::<4>()
        && let Some((length, after)) = after.split_first_chunk::<4>()
        && let Ok(length) = usize::try_from(u32::from_be_bytes(*length))
        && let Some((output, after)) = after.split_at_checked(length)
    {
        let time = u64::try_from(i32::from_be_bytes(*milliseconds)).map(Duration::from_millis);
        runs.push(time.ok().map(|time| Ran { time, output: Captured::of(output.to_vec()) }));
        rest = after;
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(written: &[u8]) -> Vec<Option<(u128, Vec<u8>)>> {
        let run = |ran: &Option<Ran>| ran.as_ref().map(|run| (run.time.as_millis(), run.output.to_vec()));
        runs(written).iter().map(run).collect()
    }

    #[test]
    fn runs_are_read_up_to_the_first_damaged_one() {
        let written =
            [&[0, 0, 1, 0, 0, 0, 0, 2][..], b"ab", &[255, 255, 255, 255, 0, 0, 0, 0], &[0, 0, 0, 9, 0, 0, 0, 0]]
                .concat();
        let all = [Some((256, b"ab".to_vec())), None, Some((9, Vec::new()))];
        assert_eq!(read(&written), all);
        assert_eq!(read(&written[..25]), all[..2]);
        for damaged in [&[][..], &[0; 7], &[255; 9], &[0, 0, 0, 0, 127, 255, 255, 255, 1], &[0, 0, 0, 0, 0, 0, 0, 2, 1]]
        {
            assert_eq!(read(damaged), [], "{damaged:?}");
        }
    }
}
