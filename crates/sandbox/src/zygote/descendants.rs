//! Finds and kills processes with `/proc`. The zygote uses this module to kill processes if there is no namespace, and
//! the judge uses it to inspect the processes of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use rustix::process::{Pid, Signal};

use super::super::deadline::Deadline;
use super::super::stat_line::StatLine;
use super::super::syscall;

/// Maximum wait for killed processes. They normally end within microseconds, unless they hang in the kernel.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The fields of `/proc/PID/stat` that the sandbox needs.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Stat {
    /// Whether its tracer has stopped it.
    pub(in super::super) is_traced: bool,
    pub(in super::super) parent: i32,
    /// User and system time of the process itself, rounded down to clock ticks.
    pub(in super::super) own_cpu: Duration,
    /// User and system time of the children that the process has waited for.
    pub(in super::super) waited_cpu: Duration,
    /// The number of page faults of the process itself.
    pub(in super::super) own_faults: u64,
    /// The number of page faults of the children that the process has waited for.
    pub(in super::super) waited_faults: u64,
    pub(in super::super) threads: u64,
    /// The time of the start, in clock ticks since the machine's start.
    pub(in super::super) start: u64,
    /// The size of the address space in bytes, used or not.
    pub(in super::super) virtual_bytes: u64,
    pub(in super::super) resident_bytes: u64,
}

/// Kills and reaps all descendants. Returns the largest memory peak among them, in bytes.
///
/// The caller adopts orphans, so it has no descendants left once it has no children. This function stops all processes
/// before it kills them. Otherwise each kill would let a running process fork again within the process limit.
pub(super) fn kill_all() -> io::Result<u64> {
    let (mut peak, mut deadline) = (0, Deadline::new(TIMEOUT));
    loop {
        match reap_ended(&mut peak) {
            Err(error) if error.raw_os_error() == Some(libc::ECHILD) => return Ok(peak),
            result => result?,
        }
        if deadline.has_passed() {
            return Err(io::Error::other("processes of a program cannot be killed"));
        }
        let mut stopped = BTreeSet::new();
        loop {
            let caller = rustix::process::getpid().as_raw_nonzero().get();
            let found: BTreeSet<_> = descendants_of(caller).into_keys().collect();
            let new: Vec<_> = found.difference(&stopped).copied().collect();
            if new.is_empty() || deadline.has_passed() {
                break;
            }
            for &pid in &new {
                signal(pid, Signal::STOP);
            }
            stopped.extend(new);
        }
        for &pid in &stopped {
            signal(pid, Signal::KILL);
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// Reaps children that have ended, without waiting for the others.
fn reap_ended(peak: &mut u64) -> io::Result<()> {
    while let Some(reaped) = syscall::reap_ended()? {
        *peak = reaped.peak_memory_bytes.max(*peak);
    }
    Ok(())
}

fn signal(pid: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(pid) {
        let _ = rustix::process::kill_process(pid, signal);
    }
}

/// Returns the descendants of `ancestor` by process number, with their figures.
pub(in super::super) fn descendants_of(ancestor: i32) -> BTreeMap<i32, Stat> {
    let mut others: BTreeMap<_, _> = processes().filter_map(|pid| Some((pid, stat(pid)?))).collect();
    let mut found = BTreeMap::new();
    let mut parents = vec![ancestor];
    while let Some(parent) = parents.pop() {
        let children: Vec<_> = others.iter().filter(|(_, stat)| stat.parent == parent).map(|(&pid, _)| pid).collect();
        parents.extend(&children);
        found.extend(children.into_iter().filter_map(|pid| others.remove_entry(&pid)));
    }
    found
}

/// Returns the process numbers of all descendants of `ancestor`.
pub(in super::super) fn all_below(ancestor: i32) -> Vec<i32> {
    descendants_of(ancestor).into_keys().collect()
}

/// Returns the CPU time of all living descendants of `ancestor`, and of the children that these have waited for.
pub(in super::super) fn cpu_below(ancestor: i32) -> Duration {
    descendants_of(ancestor).values().map(|stat| stat.own_cpu + stat.waited_cpu).sum()
}

/// Returns the child of `parent` with the lowest process number; `None` if there is no child. Leaves out the warm
/// process of a zygote, the only process that is traced. Searches among `members`, or among all processes if that is
/// `None`.
pub(in super::super) fn first_child(parent: i32, members: Option<&[i32]>) -> Option<i32> {
    let is_child = |pid: &i32| stat(*pid).is_some_and(|stat| stat.parent == parent && !stat.is_traced);
    match members {
        Some(members) => members.iter().copied().filter(is_child).min(),
        None => processes().filter(is_child).min(),
    }
}

/// Returns whether every thread of the processes `zygote` and `others` sleeps, so that none runs or is ready to run. If
/// `others` is empty, checks the zygote's descendants instead. Checks all threads of a process, because its main thread
/// may sleep while other threads work. Returns false if all of `others` have ended: the zygote is about to report it.
pub(in super::super) fn all_sleep(zygote: i32, others: &[i32]) -> bool {
    let found: BTreeSet<i32> =
        if others.is_empty() { descendants_of(zygote).into_keys().collect() } else { others.iter().copied().collect() };
    let mut is_one_alive = false;
    // A process that has disappeared does not count as asleep: its end may wake up its parent, or the zygote is about
    // to report it.
    let all_asleep = std::iter::once(zygote).chain(found).all(|pid| {
        threads(pid).is_some_and(|states| {
            is_one_alive |= pid != zygote && states.iter().any(|state| !matches!(state, 'Z' | 'X'));
            !states.is_empty() && states.into_iter().all(is_asleep)
        })
    });
    all_asleep && is_one_alive
}

/// Returns the state of each thread of a process; `None` if the process has ended.
fn threads(pid: i32) -> Option<Vec<char>> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    let state = |path: PathBuf| StatLine::split(&fs::read_to_string(path).ok()?)?.get(3);
    tasks.map(|task| state(task.ok()?.path().join("stat"))).collect()
}

/// Whether the state is asleep, stopped, or ended but not reaped.
fn is_asleep(state: char) -> bool {
    matches!(state, 'S' | 'T' | 't' | 'Z' | 'X')
}

fn processes() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Returns the figures of a process; `None` if there is no such process.
pub(in super::super) fn stat(pid: i32) -> Option<Stat> {
    parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// Parses a line of `/proc/PID/stat`. `None` if the line is incomplete.
fn parse(line: &str) -> Option<Stat> {
    let line = StatLine::split(line)?;
    let number = |field| line.get::<u64>(field);
    Some(Stat {
        is_traced: line.get::<char>(3)? == 't',
        parent: line.get(4)?,
        own_faults: number(10)? + number(12)?,
        waited_faults: number(11)? + number(13)?,
        own_cpu: line.time(14)? + line.time(15)?,
        waited_cpu: line.time(16)? + line.time(17)?,
        threads: number(20)?,
        start: number(22)?,
        virtual_bytes: number(23)?,
        resident_bytes: number(24)? * syscall::page_bytes(),
    })
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command, Stdio};

    use super::*;

    #[test]
    fn a_name_with_parentheses_does_not_shift_the_fields() {
        let line =
            "12 (a) 1 (b) S 7 12 12 0 -1 4194560 95 40 2 1 150 50 30 10 20 0 6 0 5 2600000 3 18446744073709551615";
        let stat = parse(line).unwrap();
        assert_eq!((stat.parent, stat.threads, stat.start, stat.virtual_bytes), (7, 6, 5, 2_600_000));
        assert_eq!(stat.resident_bytes, 3 * syscall::page_bytes());
        assert_eq!((stat.own_faults, stat.waited_faults), (97, 41));
        let ticks = |count: u64| Duration::from_millis(count * 1000 / syscall::clock_ticks_per_second());
        assert_eq!((stat.own_cpu, stat.waited_cpu), (ticks(200), ticks(40)));
    }

    #[test]
    fn an_incomplete_line_has_no_fields() {
        assert!(parse("12 (a) S 7 12").is_none());
        assert!(parse("").is_none());
    }

    #[test]
    fn a_child_is_found_with_its_memory_and_another_process_is_not() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let id = child.id() as i32;
        let has_memory = |stat: &Stat| stat.resident_bytes > 10_000;
        // The kernel counts pages in batches and can show them late.
        let late = std::time::Instant::now() + std::time::Duration::from_secs(10);
        let mut found = descendants_of(std::process::id() as i32);
        while !found.get(&id).is_some_and(has_memory) && std::time::Instant::now() < late {
            found = descendants_of(std::process::id() as i32);
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(found.get(&id).is_some_and(has_memory));
        assert!(!found.contains_key(&1));
    }

    #[test]
    fn a_process_that_its_control_group_does_not_list_is_found_awake() {
        // The shell sleeps until the busy shell has ended.
        let mut zygote = Command::new("sh").args(["-c", "sh -c 'while :; do :; done'; :"]).spawn().unwrap();
        let id = zygote.id() as i32;
        let mut listed = Command::new("sleep").arg("600").spawn().unwrap();
        let (mut sleeps, mut is_awake) = (false, false);
        for _ in 0..500 {
            sleeps = all_sleep(id, &[listed.id() as i32]);
            is_awake = !all_below(id).is_empty() && !all_sleep(id, &[]);
            if sleeps && is_awake {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        for below in all_below(id) {
            signal(below, Signal::KILL);
        }
        for child in [&mut zygote, &mut listed] {
            let _ = child.kill();
            child.wait().unwrap();
        }
        assert_eq!((sleeps, is_awake), (true, true));
    }

    #[test]
    fn a_program_that_has_ended_and_is_not_reaped_does_not_sleep() {
        let start =
            |name: &str| Command::new(name).arg("600").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let (mut zygote, mut living, mut ended) = (start("sleep"), start("sleep"), start("true"));
        let id = |child: &Child| child.id() as i32;
        // The kernel may still be loading the program.
        let sleeps = |others: &[i32]| {
            (0..500).any(|_| {
                all_sleep(id(&zygote), others) || {
                    std::thread::sleep(Duration::from_millis(10));
                    false
                }
            })
        };
        assert!(sleeps(&[id(&living), id(&ended)]));
        assert!(!all_sleep(id(&zygote), &[id(&ended)]));
        for child in [&mut zygote, &mut living, &mut ended] {
            let _ = child.kill();
            child.wait().unwrap();
        }
    }
}
