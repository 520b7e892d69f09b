//! Measures the cost of a run in the sandbox, compared with `posix_spawn` of the same program.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::sandbox_for;
use referee_event::Cost;
use referee_sandbox::{Ended, Input, Limits, Run, Sandbox, interrupt};

/// The number of runs in the sandbox, and also the number of runs without the sandbox. The two kinds alternate, so that
/// disturbances affect both.
const RUNS: usize = 500;

/// The number of sandboxes that are set up, to measure how long that takes.
const SETUPS: usize = 20;

/// The usual paths of a program that does nothing. The first one that exists is measured.
const IDLE_PROGRAMS: [&str; 3] = ["/bin/true", "/usr/bin/true", "/run/current-system/sw/bin/true"];

const LIMITS: Limits = Limits {
    cpu: Duration::from_secs(5),
    wall: Duration::from_secs(10),
    memory_bytes: 1 << 28,
    output_bytes: 1 << 16,
    until: None,
};

/// Measures the cost. Returns `None` if a run fails, the machine has none of [`IDLE_PROGRAMS`], or the user interrupts.
pub(super) fn measure() -> Option<Cost> {
    let program = IDLE_PROGRAMS.into_iter().find(|path| Path::new(path).exists())?;
    let sandbox = sandbox_for(vec![program.into()], Vec::new());
    run_in(&sandbox)?;
    let (mut spawned, mut in_sandbox, mut setups) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..RUNS {
        if interrupt::happened() {
            return None;
        }
        spawned.push(timed(|| spawn(program))?);
        in_sandbox.push(timed(|| run_in(&sandbox))?);
    }
    for _ in 0..SETUPS {
        let fresh = sandbox_for(vec![program.into()], Vec::new());
        setups.push(timed(|| fresh.instance().ok().map(drop))?);
    }
    Some(Cost {
        runs: RUNS,
        spawn_seconds: median(spawned)?,
        sandbox_seconds: median(in_sandbox)?,
        setup_seconds: median(setups)?,
    })
}

fn run_in(sandbox: &Sandbox) -> Option<()> {
    let run = Run { arguments: Vec::new(), input: Input::Empty, limits: LIMITS };
    sandbox.run(&run).ok().filter(|outcome| outcome.ended == Ended::Exited(0)).map(drop)
}

fn spawn(program: &str) -> Option<()> {
    let mut command = Command::new(program);
    command.env_clear().stdin(Stdio::inherit()).stdout(Stdio::inherit()).stderr(Stdio::inherit());
    command.status().ok().filter(std::process::ExitStatus::success).map(drop)
}

fn timed(work: impl FnOnce() -> Option<()>) -> Option<f64> {
    let started = Instant::now();
    work().map(|()| started.elapsed().as_secs_f64())
}

fn median(mut times: Vec<f64>) -> Option<f64> {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied()
}
