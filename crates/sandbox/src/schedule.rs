//! Reads what the kernel counts for each thread: how long it ran on a core, and how long it was ready and waited for one.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::time::ClockId;

use super::stat_line::StatLine;

/// The clock tick of `/proc/PID/stat` on x86-64 and aarch64.
const TICK: Duration = Duration::from_millis(10);

/// The time that a thread has been on a core or ready to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Schedule {
    pub(super) ran: Duration,
    /// The time for which the thread waited for a core. A wait counts when it ends.
    pub(super) waited: Duration,
}

impl Schedule {
    /// Returns the time since an earlier reading of the same thread. If a figure is smaller than before, the thread
    /// number now belongs to a new thread, so the whole time counts.
    pub(super) fn since(self, before: Schedule) -> Schedule {
        match (self.ran.checked_sub(before.ran), self.waited.checked_sub(before.waited)) {
            (Some(ran), Some(waited)) => Schedule { ran, waited },
            _ => self,
        }
    }

    /// Returns the schedule of the calling thread; `None` if the kernel does not count it.
    pub(super) fn of_this_thread() -> Option<Schedule> {
        let mut line = [0; MAX_LINE_BYTES];
        let length = OWN_SCHEDULE.with(|file| file.as_ref()?.read_at(&mut line, 0).ok())?;
        parse(str::from_utf8(&line[..length]).ok()?)
    }
}

/// A line of three numbers is shorter.
const MAX_LINE_BYTES: usize = 128;

thread_local! {
    /// The schedule of this thread. It stays open, because a run reads it several times.
    static OWN_SCHEDULE: Option<File> = File::open("/proc/thread-self/schedstat").ok();
}

/// The reading of one thread.
pub(super) struct Reading {
    pub(super) thread: i32,
    pub(super) schedule: Schedule,
    /// The start of the thread, as time since the machine's start, rounded down to clock ticks.
    pub(super) start: Duration,
    /// Whether the thread has asked the kernel to prefer others.
    pub(super) is_lowered: bool,
    /// Whether the thread is on a core or ready to run.
    pub(super) is_ready: bool,
}

/// Returns a reading of each thread of a process. Empty if the process has ended, or if the kernel does not count
/// waiting times.
pub(super) fn threads(process: i32) -> impl Iterator<Item = Reading> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().filter_map(Result::ok);
    tasks.filter_map(|task| read(task.file_name().to_str()?.parse().ok()?, &task.path()))
}

fn read(thread: i32, folder: &Path) -> Option<Reading> {
    let schedule = parse(&fs::read_to_string(folder.join("schedstat")).ok()?)?;
    let Stat { state, nice, start, policy } = parse_stat(&fs::read_to_string(folder.join("stat")).ok()?)?;
    let is_lowered = nice > own_nice_value().max(0) || (policy == libc::SCHED_IDLE && own_policy() != libc::SCHED_IDLE);
    Some(Reading { thread, schedule, start, is_lowered, is_ready: state == 'R' })
}

fn own_nice_value() -> i32 {
    rustix::process::getpriority_process(None).unwrap_or(0)
}

fn own_policy() -> i32 {
    // SAFETY: the call takes a number; 0 stands for the caller.
    unsafe { libc::syscall(libc::SYS_sched_getscheduler, 0) as i32 }
}

/// The time since the machine's start, to compare with [`Reading::start`].
pub(super) fn time_since_boot() -> Duration {
    Duration::try_from(rustix::time::clock_gettime(ClockId::Boottime)).unwrap_or_default()
}

/// Whether a thread with this [`Reading::start`] has started after `time`. If it started in the same clock tick, this
/// returns true.
pub(super) fn started_after(start: Duration, time: Duration) -> bool {
    start + TICK > time
}

/// Parses three numbers: nanoseconds on a core, nanoseconds waiting for a core, and the number of time slices.
fn parse(schedstat: &str) -> Option<Schedule> {
    let mut numbers = schedstat.split_whitespace().map(|number| number.parse().ok().map(Duration::from_nanos));
    Some(Schedule { ran: numbers.next()??, waited: numbers.next()?? })
}

/// What the `stat` of a thread says about its scheduling.
#[derive(Debug, PartialEq, Eq)]
struct Stat {
    /// The letter of proc(5), such as `S` for a thread that sleeps.
    state: char,
    nice: i32,
    /// The start as time since the machine's start.
    start: Duration,
    policy: i32,
}

fn parse_stat(stat: &str) -> Option<Stat> {
    let line = StatLine::split(stat)?;
    Some(Stat { state: line.get(3)?, nice: line.get(19)?, start: line.time(22)?, policy: line.get(41)? })
}

/// Measures how long the calling thread waits for a core between two calls.
#[derive(Clone, Debug)]
pub(super) struct OwnWait {
    /// `None` if the kernel does not count waiting times.
    before: Option<Schedule>,
    /// The time of the reading `before`.
    read_at: Instant,
}

impl OwnWait {
    pub(super) fn new() -> OwnWait {
        OwnWait { before: Schedule::of_this_thread(), read_at: Instant::now() }
    }

    /// Forgets the waiting time so far if the last reading is older than `age`.
    pub(super) fn forget_if_older(&mut self, age: Duration) {
        if self.read_at.elapsed() > age {
            *self = OwnWait::new();
        }
    }

    /// Returns the waiting time since the last call; 0 if the kernel does not count it.
    pub(super) fn since_the_last_call(&mut self) -> Duration {
        let before = std::mem::replace(self, OwnWait::new()).before;
        self.before.zip(before).map_or(Duration::ZERO, |(now, before)| now.since(before).waited)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl OwnWait {
        /// Makes a value whose first call returns the waiting time since the start of the thread.
        pub(in super::super) fn since_the_start() -> OwnWait {
            OwnWait { before: Some(Schedule::default()), ..OwnWait::new() }
        }
    }

    #[test]
    fn every_thread_is_read() {
        assert_eq!(parse("3884491 250 7\n").map(|found| found.waited), Some(Duration::from_nanos(250)));
        assert_eq!(parse("cut"), None);
        let own = std::process::id() as i32;
        let now = time_since_boot();
        let found: Vec<_> = threads(own).collect();
        assert!(found.iter().any(|reading| reading.thread == own));
        // The thread that reads is on a core.
        let this = rustix::thread::gettid().as_raw_nonzero().get();
        assert!(found.iter().any(|reading| reading.thread == this && reading.is_ready));
        assert!(found.iter().all(|reading| reading.start <= now && !reading.is_lowered));
        assert_eq!(threads(-1).count(), 0);
    }

    #[test]
    fn a_new_thread_has_started_since_an_earlier_time() {
        let before = time_since_boot();
        std::thread::sleep(3 * TICK);
        let between = time_since_boot();
        let (number, to_end) = (std::sync::mpsc::channel(), std::sync::mpsc::channel::<()>());
        let thread = std::thread::spawn(move || {
            number.0.send(rustix::thread::gettid().as_raw_nonzero().get()).unwrap();
            to_end.1.recv().unwrap();
        });
        let id = number.1.recv().unwrap();
        let start = threads(std::process::id() as i32).find(|reading| reading.thread == id).unwrap().start;
        to_end.0.send(()).unwrap();
        thread.join().unwrap();
        assert!(started_after(start, before) && started_after(start, between));
        assert!(!started_after(start, time_since_boot() + 2 * TICK));
    }

    #[test]
    fn the_name_of_a_process_does_not_matter() {
        let fields = (4..=52).map(|number| number.to_string()).collect::<Vec<_>>().join(" ");
        let expected = Stat { state: 'R', nice: 19, start: 22 * TICK, policy: 41 };
        assert_eq!(parse_stat(&format!("7 (a) b (c) R {fields}")), Some(expected));
        assert_eq!(parse_stat("7 (a) S 1"), None);
    }

    #[test]
    fn a_thread_with_a_higher_nice_value_is_lowered() {
        let mut child = std::process::Command::new("nice").args(["-n", "19", "sleep", "60"]).spawn().unwrap();
        let late = std::time::Instant::now() + Duration::from_secs(10);
        let is_lowered = || threads(child.id() as i32).any(|reading| reading.is_lowered);
        while !is_lowered() && std::time::Instant::now() < late {
            std::thread::sleep(Duration::from_millis(5));
        }
        let found = is_lowered();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(found);
    }
}
