//! Decides whether a run has exceeded a limit, and which one first.

use std::time::Duration;

use super::super::cgroup::ControlGroup;
use super::super::cores::usable_cores;
use super::super::folder_usage::FolderUsage;
use super::super::sampling::Sampler;
use super::super::stack;
use super::super::zygote::{Zygote, descendants};
use super::super::{Crossed, Ended, SandboxError, Usage, system};
use super::Monitor;

/// The interval between two checks of a program's memory.
const MEMORY_TICK: Duration = Duration::from_millis(20);

/// The shortest interval between two reads of a control group's CPU clock.
pub(in super::super) const CPU_TICK: Duration = Duration::from_millis(1);

/// The interval between two measurements of the time that the run waited for a core. Each measurement reads two files
/// for each of up to 16 threads.
const WAITING_TICK: Duration = Duration::from_millis(50);

/// The interval between two measurements of the time that the run waited for a core, once the wall limit may be
/// exceeded.
const WALL_TICK: Duration = Duration::from_millis(5);

/// The capacity of a new pipe. A program that has printed less since the last measurement has not waited for the judge.
const PIPE_BYTES: u64 = 64 * 1024;

impl Monitor<'_> {
    /// Returns the time after which the limits must be checked next. It is the shortest of three: the wall time left,
    /// the CPU time left if every core works for the program, and the interval of memory checks or of samples.
    pub(in super::super) fn time_to_next_check(&self) -> Duration {
        let wall = self.limits.wall.saturating_sub(self.own_wall());
        let cpu = self.limits.cpu.saturating_sub(self.cpu_seen) / usable_cores();
        let usage = match &self.sampler {
            Some(sampler) => sampler.time_to_next(cpu),
            None => cpu.max(CPU_TICK).min(MEMORY_TICK),
        };
        let folder = self.folder.as_ref().map_or(MEMORY_TICK, FolderUsage::time_to_next);
        wall.max(WALL_TICK).min(usage).min(folder) + Duration::from_micros(100)
    }

    /// Returns the wall time that counts against the limit: without excluded time and without time spent waiting for a
    /// core.
    pub(in super::super) fn own_wall(&self) -> Duration {
        self.started.elapsed().saturating_sub(self.excluded + self.waiting.total().unwrap_or_default())
    }

    /// Returns whether the wall limit is exceeded; false until the next measurement is due. The monitor measures the
    /// time spent waiting for a core only when the wall time is large, because a measurement is slow. Most programs end
    /// or exceed their CPU limit before that.
    fn exceeds_wall_limit_now(&mut self) -> bool {
        let wall = self.own_wall();
        if wall <= self.limits.cpu.min(self.limits.wall / 2) {
            return false;
        }
        let tick = if wall > self.limits.wall { WALL_TICK } else { WAITING_TICK };
        if !self.waiting.is_due(tick) {
            return false;
        }
        let is_held_up = self.has_relayed || self.read_bytes >= PIPE_BYTES;
        (self.has_relayed, self.read_bytes) = (false, 0);
        self.waiting.measure(&programs(self.zygote, self.group), is_held_up);
        self.waiting.is_already_beyond(self.limits.wall, self.started.elapsed().saturating_sub(self.excluded))
    }

    fn writes_too_much_now(&mut self) -> bool {
        let (zygote, group) = (self.zygote, self.group);
        self.folder.as_mut().is_some_and(|folder| folder.is_exceeded_now(|| programs(zygote, group)))
    }

    pub(super) fn sampled_memory(&self) -> Option<u64> {
        self.sampler.as_ref().and_then(Sampler::memory_bytes)
    }

    /// Checks the limits. Returns the limit that the program exceeds; `None` if it exceeds none.
    pub(in super::super) fn check_limits(&mut self) -> Result<Option<Crossed>, SandboxError> {
        if let Some(group) = self.group {
            self.cpu_seen = group.cpu().map_err(system("reading a program's CPU time"))?;
        }
        if let Some(sampler) = &mut self.sampler
            && sampler.sample_if_due()
        {
            self.cpu_seen = sampler.cpu(Duration::ZERO);
        }
        self.stack.sample(self.group);
        self.crossed = if self.stdout.spool.overflowed() || self.stderr.spool.overflowed() {
            Some(Crossed::Output)
        } else if self.sampled_memory() > Some(self.limits.memory_bytes) {
            Some(Crossed::Memory)
        } else if self.writes_too_much_now() {
            Some(Crossed::Files)
        } else if self.cpu_seen > self.limits.cpu.saturating_add(self.cpu_allowance) {
            Some(Crossed::Cpu)
        } else if self.exceeds_wall_limit_now() {
            Some(Crossed::Wall)
        } else {
            None
        };
        if matches!(self.crossed, Some(Crossed::Cpu | Crossed::Wall))
            && self.stack.is_endless_now(self.stack_bytes, self.group)
        {
            self.crossed = Some(Crossed::Stack);
        }
        Ok(self.crossed)
    }

    /// Decides which limit the program exceeded first. A program can exceed a limit and end before the next check, so
    /// this also compares the final figures with the limits. After the kernel has killed one process for lack of
    /// memory, the others may continue and end in any way. So if memory ran out, `ended` says nothing about the limit.
    pub(super) fn first_crossed(&mut self, ended: Ended, usage: &Usage, out_of_memory: bool) -> Option<Crossed> {
        let too_much = usage.memory_bytes.is_some_and(|bytes| bytes > self.limits.memory_bytes);
        let out_of_memory = out_of_memory || too_much || self.crossed == Some(Crossed::Memory);
        let overflowed = !out_of_memory
            && match ended {
                Ended::Signaled(libc::SIGSEGV) => stack::is_filled(self.stack_bytes, usage.memory_bytes),
                Ended::Signaled(libc::SIGABRT) => {
                    self.stack.was_large(self.stack_bytes)
                        || (stack::is_filled(self.stack_bytes, usage.memory_bytes)
                            && self.stderr.spool.contains(stack::MESSAGE_OF_RUST))
                }
                _ => false,
            };
        if self.stdout.spool.overflowed() || self.stderr.spool.overflowed() {
            Some(Crossed::Output)
        } else if overflowed || (out_of_memory && self.stack.was_endless(self.limits.memory_bytes)) {
            Some(Crossed::Stack)
        } else if out_of_memory {
            Some(Crossed::Memory)
        } else if self.crossed.is_some() {
            self.crossed
        } else if self.folder.as_mut().is_some_and(|folder| folder.is_exceeded(&[])) {
            Some(Crossed::Files)
        } else if usage.cpu > self.limits.cpu {
            Some(Crossed::Cpu)
        } else if self.waiting.is_beyond(self.limits.wall, usage.wall.saturating_sub(self.excluded)) {
            Some(Crossed::Wall)
        } else {
            None
        }
    }
}

/// Returns the processes of the program: those of the zygote's group, or the zygote's descendants if it has no group.
fn programs(zygote: &Zygote, group: Option<&ControlGroup>) -> Vec<i32> {
    let own = zygote.pid().as_raw_nonzero().get();
    match group {
        Some(group) => group.members().unwrap_or_default().into_iter().filter(|&process| process != own).collect(),
        None => descendants::all_below(own),
    }
}
