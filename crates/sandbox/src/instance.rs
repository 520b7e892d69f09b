//! Sandboxes and their instances. An instance is a zygote with its control group, for one run at a time.

use std::io;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};

use super::clone::Step;
use super::folder_usage::FolderLimit;
use super::idle::Owner;
use super::monitor::{Ran, SlotRef};
use super::scratch::{self, Properties};
use super::streams::{KeptStreams, MayKeep};
use super::zygote::Zygote;
use super::{
    ExcessOutput, Limits, MIN_MEMORY_BYTES, Mode, Outcome, Program, Run, SandboxError, cgroup, init, machine,
    remembered, resource_limits, run, system,
};

/// A sandbox for one program. Several threads can run the program at the same time, each any number of times.
#[derive(Debug)]
pub struct Sandbox {
    program: Program,
    mode: Mode,
    /// Identifies the idle zygotes of this sandbox, which no instance is using.
    idle: Owner,
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        self.idle.end();
    }
}

/// A zygote and its control group. The zygote is dropped first, because only an empty group can be removed.
#[derive(Debug)]
pub(super) struct Slot {
    zygote: Zygote,
    group: Option<cgroup::ControlGroup>,
    kept: KeptStreams,
    /// The properties of the new writable folder, if the folder may be emptied for the next instance.
    scratch: Option<Properties>,
}

impl Slot {
    /// Makes the zygote ready for the next instance. Returns whether that was possible.
    fn clear(&self, program: &Program) -> bool {
        if self.group.as_ref().is_some_and(|group| !group.can_be_used_again(self.zygote.warm_bytes())) {
            return false;
        }
        match (&self.scratch, self.zygote.scratch()) {
            (Some(as_made), Some(folder)) => scratch::empty(folder, as_made).unwrap_or(false),
            _ => program.scratch.is_none(),
        }
    }
}

impl Sandbox {
    /// Makes a sandbox for `program`. This call starts no process; the first run starts the zygote.
    pub fn open(program: Program, mode: Mode) -> Self {
        Sandbox { program, mode, idle: Owner::new() }
    }

    /// Makes a sandbox of the same mode for a changed copy of this sandbox's program.
    #[must_use]
    pub fn with_changed(&self, change: impl FnOnce(&mut Program)) -> Sandbox {
        let mut program = self.program.clone();
        change(&mut program);
        Sandbox::open(program, self.mode)
    }

    /// Runs the program once, until it ends or exceeds a limit.
    pub fn run(&self, run: &Run<'_>) -> Result<Outcome, SandboxError> {
        self.instance()?.run(run)
    }

    /// Returns an instance with an idle zygote, or with a new one if none is idle. The caller can put files into the
    /// program's writable folder before a run, and read the folder afterwards.
    pub fn instance(&self) -> Result<Instance<'_>, SandboxError> {
        let slot = self.idle.take().map_or_else(|| self.new_slot(), Ok)?;
        Ok(Instance { sandbox: self, slot: Some(slot), has_run: false })
    }

    fn new_slot(&self) -> Result<Slot, SandboxError> {
        if !init::is_done() {
            return Err(SandboxError::NotInitialised);
        }
        let machine = machine::in_mode(self.mode);
        let grouped = machine.no_groups.is_none();
        if self.mode != Mode::Off {
            remembered::check_groups()?;
        }
        let plan = machine.plan(&self.program);
        // The zygote and its warm process are members of the group, too.
        let members = self.program.processes + 1 + u64::from(plan.warm_until.is_some());
        let group = grouped.then(|| cgroup::ControlGroup::new(members)).transpose();
        let group = group.map_err(system("making a control group"))?;
        let join_files = group.as_ref().map(cgroup::ControlGroup::join_files).unwrap_or_default();
        let zygote = Zygote::start(&plan, &join_files).map_err(|error| SandboxError::Isolation {
            reason: format!("{error}{}", remembered::forget()),
            source: error.error(),
        })?;
        if self.mode != Mode::Off {
            remembered::check_isolation(machine, zygote.in_force())?;
        }
        let may_keep = MayKeep::of(zygote.in_namespace(), &plan);
        let is_reused = zygote.in_namespace() && self.program.scratch.as_ref().is_some_and(|scratch| scratch.is_reused);
        let scratch = zygote.scratch().filter(|_| is_reused).and_then(|folder| Properties::of(folder).ok());
        Ok(Slot { zygote, group, kept: KeptStreams::new(may_keep), scratch })
    }

    fn is_without_groups(&self) -> bool {
        self.mode != Mode::Off && machine::in_mode(self.mode).no_groups.is_some()
    }
}

/// What a run needs.
pub(super) struct Prepared<'a> {
    pub(super) slot: SlotRef<'a>,
    /// The resource limits that the program inherits.
    pub(super) resources: Vec<(u32, u64)>,
    pub(super) kept: &'a mut KeptStreams,
}

/// An isolated environment for runs of one program, one run at a time.
#[derive(Debug)]
pub struct Instance<'a> {
    sandbox: &'a Sandbox,
    /// The zygote and its group; `None` once a run has failed or the zygote has ended.
    slot: Option<Slot>,
    has_run: bool,
}

impl Instance<'_> {
    /// Returns the writable folder in the private root of the program. Other processes can reach it only through this
    /// descriptor. `None` if the program has no writable folder, if it runs without namespaces and writes to
    /// [`crate::Scratch::path`] on the machine, or if the instance has lost its zygote.
    pub fn private_scratch(&self) -> Option<BorrowedFd<'_>> {
        let zygote = &self.slot.as_ref()?.zygote;
        zygote.scratch().filter(|_| zygote.in_namespace())
    }

    /// Runs the program once, until it ends or exceeds a limit.
    pub fn run(&mut self, run: &Run<'_>) -> Result<Outcome, SandboxError> {
        self.run_with(run, ExcessOutput::EndsTheRun)
    }

    /// Runs the program once, as [`Instance::run`] does, and treats too much output as `excess` says.
    pub fn run_with(&mut self, run: &Run<'_>, excess: ExcessOutput) -> Result<Outcome, SandboxError> {
        let ran = match self.try_run(run, excess)? {
            Ran::ZygoteGone if self.replace_zygote()? => self.try_run(run, excess)?,
            ran => ran,
        };
        self.outcome_of(ran)
    }

    fn try_run(&mut self, run: &Run<'_>, excess: ExcessOutput) -> Result<Ran, SandboxError> {
        let ran = run::run(self.prepare(&run.limits)?, run, excess);
        if ran.is_err() {
            self.slot = None;
        }
        ran
    }

    /// Prepares a run.
    pub(super) fn prepare(&mut self, limits: &Limits) -> Result<Prepared<'_>, SandboxError> {
        let program = &self.sandbox.program;
        let Some(slot) = &mut self.slot else {
            return Err(system("using an instance whose run has failed")(io::Error::from(io::ErrorKind::NotConnected)));
        };
        if let Some(group) = &mut slot.group {
            group.begin(limits.memory_bytes.max(MIN_MEMORY_BYTES)).map_err(system("preparing a control group"))?;
        }
        let inside = slot.zygote.in_namespace();
        let is_without_groups = self.sandbox.is_without_groups();
        let facts = resource_limits::LimitFacts {
            processes: program.processes,
            file_bytes: program.scratch.as_ref().and_then(|scratch| scratch.largest_file(inside)),
            is_without_groups,
            // This probes the machine, which must not happen if the sandbox is off.
            shared_user: if inside || !is_without_groups { None } else { machine::shared_user(&program.identity) },
        };
        let resources = resource_limits::limits(limits, facts);
        let folder = program.scratch.as_ref().filter(|_| !inside).map(|scratch| FolderLimit {
            path: &scratch.path,
            bytes: scratch.bytes,
            files: scratch.files,
            is_of_own_user: self.sandbox.mode == Mode::Off || machine::capabilities().first_spare_user.is_none(),
        });
        let (zygote, group) = (&slot.zygote, slot.group.as_ref());
        Ok(Prepared { slot: SlotRef { zygote, group, folder }, resources, kept: &mut slot.kept })
    }

    /// Returns the outcome of a run. Fails if the zygote had ended or could not start the program.
    pub(super) fn outcome_of(&mut self, ran: Ran) -> Result<Outcome, SandboxError> {
        match ran {
            Ran::ZygoteGone => {
                self.slot = None;
                Err(system("requesting a run from the sandbox's helper process")(io::Error::from(
                    io::ErrorKind::BrokenPipe,
                )))
            }
            // The zygote reports why it could not start the program, and can be used again.
            Ran::NotStarted(step, error) => Err(not_started(&self.sandbox.program, step, error)),
            Ran::Ended { outcome, zygote_lives } => {
                self.has_run = true;
                if !zygote_lives {
                    self.slot = None;
                }
                Ok(outcome)
            }
        }
    }

    /// Starts a new zygote, because the old zygote ended while it was idle. If the program has a writable folder in
    /// which files may have been, starts no zygote and returns `false`: the files were lost with the old zygote.
    pub(super) fn replace_zygote(&mut self) -> Result<bool, SandboxError> {
        if self.sandbox.program.scratch.as_ref().is_some_and(|scratch| self.has_run || !scratch.is_reused) {
            return Ok(false);
        }
        self.slot = Some(self.sandbox.new_slot()?);
        Ok(true)
    }

    /// Drops the zygote after an error in the middle of a run. This kills every process of the run.
    pub(super) fn discard_zygote(&mut self) {
        self.slot = None;
    }
}

impl Drop for Instance<'_> {
    /// Returns the zygote to the sandbox for the next instance. Drops the zygote instead if its program had a writable
    /// folder that cannot be emptied, because the next run must not see its files. Also drops a zygote whose control
    /// group cannot be used again.
    fn drop(&mut self) {
        if let Some(slot) = self.slot.take().filter(|slot| slot.clear(&self.sandbox.program)) {
            self.sandbox.idle.keep(slot);
        }
    }
}

/// Returns the error of a failed start. It is [`SandboxError::Start`] if the cause is the program's own file, which was
/// built from a submission. Every other cause is a failure of the judge: an interpreter that cannot be executed, a
/// missing folder, or a lack of processes, descriptors or memory.
fn not_started(program: &Program, step: Step, source: io::Error) -> SandboxError {
    use rustix::io::Errno;
    // These errors come from the machine. All others come from the file.
    let of_the_judge = [Errno::NOMEM, Errno::AGAIN, Errno::MFILE, Errno::NFILE, Errno::NOBUFS, Errno::INTR];
    let file = program.command.first().map(PathBuf::from).unwrap_or_default();
    let is_own = Errno::from_io_error(&source).is_some_and(|found| !of_the_judge.contains(&found));
    if is_own && step == Step::Execute && file.starts_with(&program.directory) {
        return SandboxError::Start { program: file.display().to_string(), source };
    }
    let doing = match step {
        Step::Clone => "making a process",
        Step::Streams => "connecting a program's streams",
        Step::Limits => "setting a program's resource limits",
        Step::Isolation => "isolating a program",
        Step::Directory => return unusable("entering", &program.directory, &source),
        Step::Execute => return unusable("executing", &file, &source),
    };
    system(doing)(source)
}

fn unusable(doing: &str, path: &Path, source: &io::Error) -> SandboxError {
    let source = io::Error::new(source.kind(), format!("{doing} {}: {source}", path.display()));
    SandboxError::System { doing: "starting a program", source }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rustix::process::{Signal, kill_process};

    use super::super::{Ended, Input, Scratch};
    use super::*;

    /// Kills the zygote and waits until its end is visible.
    fn kill(slot: &Slot) {
        kill_process(slot.zygote.pid(), Signal::KILL).unwrap();
        std::thread::sleep(Duration::from_millis(50));
    }

    #[test]
    fn an_idle_zygote_that_ended_is_replaced_unless_files_are_lost_with_it() {
        if machine::capabilities().isolation.namespaces.is_none() {
            return eprintln!("skipped, there are no namespaces");
        }
        let folder = tempfile::tempdir().unwrap();
        let (path, bytes, files) = (folder.path().to_path_buf(), 1 << 20, 1 << 10);
        let scratch = Some(Scratch { path, bytes, files, file_bytes: None, is_reused: true });
        let program = Program { scratch, ..Program::new(["/bin/sh", "-c", "exit 7"], "/") };
        let sandbox = Sandbox::open(program, Mode::Auto);
        let time = Duration::from_secs(10);
        let limits = Limits { cpu: time, wall: time, memory_bytes: 1 << 30, output_bytes: 1 << 20, until: None };
        let run = Run { arguments: Vec::new(), input: Input::Empty, limits };
        assert_eq!(sandbox.run(&run).unwrap().ended, Ended::Exited(7));
        let slot = sandbox.idle.take().expect("the zygote is idle");
        kill(&slot);
        sandbox.idle.keep(slot);
        let mut instance = sandbox.instance().unwrap();
        assert_eq!(instance.run(&run).unwrap().ended, Ended::Exited(7));
        kill(instance.slot.as_ref().unwrap());
        assert!(instance.run(&run).is_err(), "the files of the first run are lost");
    }
}
