//! Sandbox instances and their use: one zygote and its control group for each run that happens at the same time.

use std::io;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::clone::Step;
use super::monitor::{Ran, SlotRef};
use super::zygote::Zygote;
use super::{Limits, Mode, Outcome, Program, Run, SandboxError, cgroup, init, machine, plan, run, spawn, system};

/// One program, run many times, also at the same time.
#[derive(Debug)]
pub struct Sandbox {
    program: Program,
    mode: Mode,
    /// Places that no run is using.
    idle: Mutex<Vec<Slot>>,
}

/// A zygote in its control group. They go in this order.
#[derive(Debug)]
struct Slot {
    zygote: Zygote,
    group: Option<cgroup::Group>,
}

impl Sandbox {
    /// Prepares to run `program`. Nothing is started yet.
    pub fn open(program: Program, mode: Mode) -> Self {
        Sandbox { program, mode, idle: Mutex::new(Vec::new()) }
    }

    /// Runs the program once, to its end or to the limit it crosses first.
    pub fn run(&self, run: &Run<'_>) -> Result<Outcome, SandboxError> {
        self.instance()?.run(run)
    }

    /// A place for a run, for a caller that puts files into the program's folder before it or takes some out after it.
    pub fn instance(&self) -> Result<Instance<'_>, SandboxError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let slot = idle.map_or_else(|| self.new_slot(), Ok)?;
        Ok(Instance { sandbox: self, slot: Some(slot) })
    }

    fn new_slot(&self) -> Result<Slot, SandboxError> {
        if !init::is_done() {
            return Err(SandboxError::NotInitialised);
        }
        let machine = machine::found();
        let grouped = self.mode != Mode::Off && machine.no_groups.is_none();
        let group = grouped.then(cgroup::Group::new).transpose().map_err(system("making a control group"))?;
        let mut plan = machine.plan(&self.program);
        if self.mode == Mode::Off {
            plan = plan::Plan { isolation: plan::Isolation::NONE, identity: None, ..plan };
        }
        let join_files = group.as_ref().map(cgroup::Group::join_files).unwrap_or_default();
        let zygote = Zygote::start(&plan, &join_files)
            .map_err(|error| SandboxError::Isolation { reason: error.to_string(), source: error.error() })?;
        Ok(Slot { zygote, group })
    }

    fn is_without_groups(&self) -> bool {
        self.mode != Mode::Off && machine::found().no_groups.is_some()
    }
}

/// A place for a run of one program.
#[derive(Debug)]
pub struct Instance<'a> {
    sandbox: &'a Sandbox,
    /// Gone once something went wrong with it.
    slot: Option<Slot>,
}

impl Instance<'_> {
    /// The folder that the program may write; `None` if it is [`crate::Scratch::path`] itself. It is one that only the
    /// program can see.
    pub fn private_scratch(&self) -> Option<BorrowedFd<'_>> {
        let zygote = &self.slot.as_ref()?.zygote;
        zygote.scratch().filter(|_| zygote.in_namespace())
    }

    /// Runs the program once, to its end or to the limit it crosses first.
    pub fn run(&mut self, run: &Run<'_>) -> Result<Outcome, SandboxError> {
        let ran = match self.try_run(run)? {
            Ran::ZygoteGone if self.renew()? => self.try_run(run)?,
            ran => ran,
        };
        self.settle(ran)
    }

    fn try_run(&mut self, run: &Run<'_>) -> Result<Ran, SandboxError> {
        let (slot, resources) = self.prepare(&run.limits)?;
        let ran = run::run(slot, run, resources);
        if ran.is_err() {
            self.slot = None;
        }
        ran
    }

    /// Makes ready for a run: where it is, and what it inherits.
    pub(super) fn prepare(&mut self, limits: &Limits) -> Result<(SlotRef<'_>, Vec<(u32, u64)>), SandboxError> {
        let program = &self.sandbox.program;
        let Some(slot) = &mut self.slot else {
            return Err(system("using a place that is gone")(io::Error::from(io::ErrorKind::NotConnected)));
        };
        if let Some(group) = &mut slot.group {
            group.begin(limits.memory_bytes).map_err(system("preparing a control group"))?;
        }
        let inside = slot.zygote.in_namespace();
        let rules = spawn::Rules {
            file_bytes: program.scratch.as_ref().filter(|_| !inside).map(|scratch| scratch.bytes),
            is_without_groups: self.sandbox.is_without_groups(),
            is_alone: inside,
        };
        let resources = spawn::limits(limits, rules);
        Ok((SlotRef { zygote: &slot.zygote, group: slot.group.as_ref() }, resources))
    }

    /// Turns the end of a run into the result for the caller.
    pub(super) fn settle(&mut self, ran: Ran) -> Result<Outcome, SandboxError> {
        match ran {
            Ran::ZygoteGone => {
                self.slot = None;
                Err(system("asking for a run")(io::Error::from(io::ErrorKind::BrokenPipe)))
            }
            // The zygote is fine, and knows why there was no run.
            Ran::NotStarted(step, error) => Err(not_started(&self.sandbox.program, step, error)),
            Ran::Ended { outcome, zygote_lives } => {
                if !zygote_lives {
                    self.slot = None;
                }
                Ok(outcome)
            }
        }
    }

    /// Makes a new zygote, because the old one ended while it was idle. An instance with a writable folder has lost its
    /// files with the zygote; it gets none, and the result is false.
    pub(super) fn renew(&mut self) -> Result<bool, SandboxError> {
        if self.sandbox.program.scratch.is_some() {
            return Ok(false);
        }
        self.slot = Some(self.sandbox.new_slot()?);
        Ok(true)
    }

    /// Something went wrong in the middle of a run; whatever goes on there ends.
    pub(super) fn give_up(&mut self) {
        self.slot = None;
    }
}

impl Drop for Instance<'_> {
    /// A place without a folder that could be written holds nothing of its last run.
    fn drop(&mut self) {
        let Some(slot) = self.slot.take() else { return };
        let again = slot.group.as_ref().is_none_or(cgroup::Group::can_be_used_again);
        if again && self.sandbox.program.scratch.is_none() {
            self.sandbox.idle.lock().unwrap_or_else(PoisonError::into_inner).push(slot);
        }
    }
}

/// Decides whether a failed start is due to the program's own file, which was made from a submission. Every other
/// reason is the judge's failure: an interpreter that cannot be executed, a folder, a lack of processes, memory or
/// descriptors.
fn not_started(program: &Program, step: Step, source: io::Error) -> SandboxError {
    use rustix::io::Errno;
    // What a file can be like is the file's own; that there is no room is not.
    let of_the_judge = [Errno::NOMEM, Errno::AGAIN, Errno::MFILE, Errno::NFILE, Errno::NOBUFS, Errno::INTR];
    let file = program.command.first().map(PathBuf::from).unwrap_or_default();
    let is_own = Errno::from_io_error(&source).is_some_and(|found| !of_the_judge.contains(&found));
    if is_own && step == Step::Execute && file.starts_with(&program.directory) {
        return SandboxError::Start { program: file.display().to_string(), source };
    }
    let doing = match step {
        Step::Clone => "making a process",
        Step::Streams => "connecting a program's streams",
        Step::Limits => "limiting a program",
        Step::Isolation => "isolating a program",
        Step::Directory => return unusable("going to", &program.directory, &source),
        Step::Execute => return unusable("executing", &file, &source),
    };
    system(doing)(source)
}

fn unusable(doing: &str, path: &Path, source: &io::Error) -> SandboxError {
    let source = io::Error::new(source.kind(), format!("{doing} {}: {source}", path.display()));
    SandboxError::System { doing: "starting a program", source }
}
