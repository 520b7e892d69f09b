//! Measures the memory of several processes that share pages.
//!
//! The sum of their resident memory (RSS) counts a shared page once for each process. So the judge adds up their
//! proportional memory (PSS): if `n` processes map a page, each has the `n`th part of the page. The judge reads one
//! process after the other. If a process unmaps a page meanwhile, the parts of the others grow, and the sum can be too
//! large, by at most the memory that was unmapped. So the judge subtracts that memory, and the result is a lower bound.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::time::ClockId;

use super::super::syscall;
use super::super::zygote::descendants::Stat;
use super::shared::{Buffers, SharedObjects, has_small_pages_only};

/// Maximum CPU time for each of the two parts of a measurement. Meanwhile the judge checks no limit. Processes that are not
/// measured in this time count as 0. A program can make the first part slow, with hundreds of processes that have
/// hundreds of descriptors each, so the second part has a time of its own.
const LONGEST: Duration = Duration::from_millis(50);

/// Maximum wall time for each part. On a busy machine, the judge waits for a core most of this time.
const LONGEST_WALL: Duration = Duration::from_millis(200);

/// The judge waits between two measurements for at least this many times as long as a measurement takes.
const PAUSE: u32 = 10;

/// The longest time for which [`PAUSE`] makes the judge wait. On a busy machine, a measurement may take long only
/// because the judge has no core.
const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// With fewer page faults than this, a program can have hidden only little shared memory, so the judge does not look
/// for it.
const FEW_FAULTS: u64 = 1024;

/// The memory of one run.
#[derive(Debug)]
pub(super) struct Memory {
    peak_bytes: u64,
    several: bool,
    objects: SharedObjects,
    due: Instant,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory { peak_bytes: 0, several: false, objects: SharedObjects::default(), due: Instant::now() }
    }
}

/// A process of the run.
struct Process {
    /// The folder of the process in `/proc`, or the folder of one of its threads.
    folder: PathBuf,
    resident_bytes: u64,
}

/// The sums in `/proc/PID/smaps_rollup`, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Proportional {
    /// The proportional memory (PSS), in memory or in swap space.
    all: u64,
    /// The part of `all` that is shared anonymous memory or files in memory; `None` before Linux 5.4.
    shared: Option<u64>,
    /// The part of `all` that is private anonymous memory in small pages; 0 before Linux 5.4.
    small_anonymous: u64,
}

impl Memory {
    /// Whether the last sample found memory whose peak the kernel does not record: that of several processes, or memory
    /// that no process maps.
    pub(super) fn needs_many_samples(&self) -> bool {
        self.several || !self.objects.is_empty()
    }

    /// The largest measurement so far; `None` if none found a process.
    pub(super) fn peak_bytes(&self) -> Option<u64> {
        Some(self.peak_bytes).filter(|&bytes| bytes > 0)
    }

    /// Measures the memory of `processes`, if that is due and can change the peak. `faults` is the number of page
    /// faults of the run so far.
    pub(super) fn sample(&mut self, processes: &BTreeMap<i32, Stat>, faults: u64) {
        let found = distinct(processes);
        self.several = found.len() > 1;
        for process in &found {
            self.peak_bytes = self.peak_bytes.max(process.resident_bytes);
        }
        let now = Instant::now();
        if now < self.due || (!self.several && faults < FEW_FAULTS && has_few_files(&found)) {
            return;
        }
        let measured = self.measure(found, faults);
        self.peak_bytes = self.peak_bytes.max(measured);
        self.due = Instant::now() + (now.elapsed() * PAUSE).min(LONGEST_PAUSE);
    }

    fn measure(&mut self, mut processes: Vec<Process>, faults: u64) -> u64 {
        let is_late = deadline();
        // The largest come first, because there may not be time for all.
        processes.sort_by_key(|process| std::cmp::Reverse(process.resident_bytes));
        let (mut buffers, mut maps) = (Buffers::default(), Vec::new());
        for process in processes.iter().take_while(|_| !is_late()) {
            buffers.add_of(&process.folder);
            if faults >= FEW_FAULTS {
                maps.extend(fs::read_to_string(process.folder.join("maps")));
            }
            if self.several {
                // The process may have had a short peak between two samples. If no parent waits for the process, its
                // peak is lost when it ends.
                self.peak_bytes = self.peak_bytes.max(own_peak_bytes(&process.folder).unwrap_or(0));
            }
        }
        let objects =
            if is_late() { self.objects.bytes() } else { self.objects.update(maps.iter().map(String::as_str)) };
        let buffers = buffers.bytes();
        let faulted = has_small_pages_only().then(|| faults.saturating_mul(syscall::page_bytes()));
        let resident: u64 = processes.iter().map(|process| process.resident_bytes).sum();
        let most = resident.saturating_add(objects.min(faulted.unwrap_or(u64::MAX))).saturating_add(buffers);
        // Reading the proportional memory is slow, and it is never more than the resident memory.
        if most <= self.peak_bytes || (!self.several && objects == 0) {
            let largest = processes.first().map_or(0, |process| process.resident_bytes);
            return largest + buffers;
        }
        let (readings, unmapped) = read_all(&processes, deadline());
        sum_of(&readings, unmapped, objects, faulted).saturating_add(buffers)
    }
}

/// Returns a function that returns whether [`LONGEST`] or [`LONGEST_WALL`] has passed since this call.
fn deadline() -> impl Fn() -> bool {
    let cpu = || Duration::try_from(rustix::time::clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default();
    let (began, began_cpu) = (Instant::now(), cpu());
    move || began.elapsed() > LONGEST_WALL || cpu().saturating_sub(began_cpu) > LONGEST
}

/// Reads the proportional memory of the processes until `is_late`. Also returns how much memory they have given up
/// meanwhile, in bytes.
fn read_all(processes: &[Process], is_late: impl Fn() -> bool) -> (Vec<Proportional>, u64) {
    let (mut readings, mut read) = (Vec::new(), Vec::new());
    for process in processes.iter().take_while(|_| !is_late()) {
        if let Some(reading) = proportional(&process.folder, process.resident_bytes) {
            readings.push(reading);
            read.push(process);
        }
    }
    let before_and_after =
        read.into_iter().map(|process| (process.resident_bytes, resident_bytes(&process.folder).unwrap_or(0)));
    (readings, unmapped_bytes(before_and_after))
}

/// Returns how much memory the processes have given up between two readings, in bytes.
fn unmapped_bytes(before_and_after: impl Iterator<Item = (u64, u64)>) -> u64 {
    before_and_after.map(|(before, after)| before.saturating_sub(after)).sum()
}

/// Returns the memory of all processes together. `unmapped` is the memory that they unmapped while the readings were
/// taken. `objects` is the size of their shared anonymous mappings. `faulted` is the memory that all their page faults
/// can have brought in, an upper bound on the used part of these mappings; `None` if page faults give no bound.
fn sum_of(readings: &[Proportional], unmapped: u64, objects: u64, faulted: Option<u64>) -> u64 {
    let (mut all, mut shared, mut small_anonymous) = (0, Some(0), 0);
    for read in readings {
        all += read.all;
        shared = shared.zip(read.shared).map(|(sum, more)| sum + more);
        small_anonymous += read.small_anonymous;
    }
    let used = faulted.map_or(objects, |faulted| objects.min(faulted.saturating_sub(small_anonymous)));
    let hidden = shared.map_or(0, |shared: u64| used.saturating_sub(shared));
    all.saturating_add(hidden).saturating_sub(unmapped)
}

/// Returns the processes that have memory of their own. A process that is about to execute another program may share
/// the memory of its parent (`vfork`).
fn distinct(processes: &BTreeMap<i32, Stat>) -> Vec<Process> {
    let is_shared = |(process, stat): &(&i32, &Stat)| {
        let parent = processes.get(&stat.parent);
        parent.is_some_and(|parent| parent.virtual_bytes == stat.virtual_bytes)
            && syscall::share_memory(**process, stat.parent)
    };
    processes.iter().filter(|one| !is_shared(one)).filter_map(|(&process, stat)| with_memory(process, stat)).collect()
}

/// Returns the process; `None` if it has no memory, because it has ended. If its main thread has ended, another thread
/// shows its memory.
fn with_memory(process: i32, stat: &Stat) -> Option<Process> {
    let folder = PathBuf::from(format!("/proc/{process}"));
    if stat.resident_bytes > 0 {
        return Some(Process { folder, resident_bytes: stat.resident_bytes });
    }
    if stat.threads < 2 {
        return None;
    }
    let threads = fs::read_dir(folder.join("task")).ok()?.filter_map(Result::ok);
    threads.map(|thread| thread.path()).find_map(|folder| {
        let resident_bytes = resident_bytes(&folder).filter(|&bytes| bytes > 0)?;
        Some(Process { folder, resident_bytes })
    })
}

fn has_few_files(processes: &[Process]) -> bool {
    processes.iter().all(|process| !super::shared::may_have_buffers(&process.folder))
}

/// Reads the resident memory of a process in bytes; `None` if it has ended.
fn resident_bytes(folder: &Path) -> Option<u64> {
    let text = fs::read_to_string(folder.join("statm")).ok()?;
    Some(text.split_whitespace().nth(1)?.parse::<u64>().ok()? * syscall::page_bytes())
}

/// Reads the peak of the resident memory of a process in bytes; `None` if it has ended.
fn own_peak_bytes(folder: &Path) -> Option<u64> {
    kibibytes(&fs::read_to_string(folder.join("status")).ok()?, "VmHWM:")
}

/// Reads the proportional memory of a process; `None` if it has ended. If the judge may not read it, or the kernel does
/// not have it (before Linux 4.14), returns the resident memory instead.
fn proportional(folder: &Path, resident_bytes: u64) -> Option<Proportional> {
    match fs::read_to_string(folder.join("smaps_rollup")) {
        Ok(text) => parse(&text),
        Err(error) if error.raw_os_error() == Some(libc::ESRCH) => None,
        Err(error) if error.kind() == io::ErrorKind::NotFound && !folder.exists() => None,
        Err(_) => Some(Proportional { all: resident_bytes, shared: None, small_anonymous: 0 }),
    }
}

fn parse(text: &str) -> Option<Proportional> {
    Some(Proportional {
        all: kibibytes(text, "Pss:")? + kibibytes(text, "SwapPss:").unwrap_or(0),
        shared: kibibytes(text, "Pss_Shmem:"),
        small_anonymous: kibibytes(text, "Pss_Anon:")
            .unwrap_or(0)
            .saturating_sub(kibibytes(text, "AnonHugePages:").unwrap_or(0)),
    })
}

/// Returns the figure after `name` in bytes. The text has it in kibibytes.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    fn process(all: u64, shared: u64) -> Proportional {
        Proportional { all: all * MIB, shared: Some(shared * MIB), small_anonymous: (all - shared) * MIB }
    }

    fn sum(readings: &[Proportional], unmapped: u64, objects: u64, faulted: Option<u64>) -> u64 {
        sum_of(readings, unmapped * MIB, objects * MIB, faulted.map(|faulted| faulted * MIB)) / MIB
    }

    #[test]
    fn shared_memory_counts_once() {
        assert_eq!(sum(&[process(25, 20); 5], 0, 100, Some(130)), 125);
        assert_eq!(sum(&[process(26, 25); 2], 0, 100, Some(120)), 102, "the judge could not read all processes");
    }

    #[test]
    fn pages_of_shared_memory_count_that_no_process_maps_at_the_moment() {
        assert_eq!(sum(&[process(2, 1)], 0, 800, Some(801)), 801);
        assert_eq!(sum(&[process(2, 1)], 0, 800, None), 801, "faults say nothing about huge pages");
        assert_eq!(sum(&[process(2, 1)], 0, 8000, Some(11)), 11, "most of a large mapping is unused");
        assert_eq!(sum(&[process(102, 0)], 0, 8000, Some(104)), 104, "private memory caused most faults");
        let old = Proportional { shared: None, ..process(102, 100) };
        assert_eq!(sum(&[old], 0, 100, Some(104)), 102, "an old kernel does not say what is shared");
    }

    #[test]
    fn shared_memory_counts_no_more_than_once_while_processes_end() {
        // The first process is read while two processes map 100 MiB, and ends before the second is read.
        let both = unmapped_bytes([(101 * MIB, 0), (101 * MIB, 101 * MIB)].into_iter()) / MIB;
        assert_eq!(both, 101);
        assert!(sum(&[process(51, 50), process(101, 100)], both, 100, Some(210)) <= 101);
        // The same with eight processes, each of which ends as soon as it has been read.
        let readings: Vec<_> = (1..=8).rev().map(|mappers| process(100 / mappers, 100 / mappers)).collect();
        assert!(sum(&readings, 7 * 100, 100, Some(800)) <= 100);
    }

    #[test]
    fn a_process_that_grows_is_not_taken_for_one_that_shrinks() {
        assert_eq!(unmapped_bytes([(5, 9), (7, 4)].into_iter()), 3);
    }

    #[test]
    fn the_sums_are_read_in_kibibytes() {
        let text = "00400000-7fff00000000 ---p 00000000 00:00 0    [rollup]\nRss:  900 kB\nPss:   500 kB\nPss_Dirty:   1 kB\n\
                    Pss_Anon:  400 kB\nPss_File:  30 kB\nPss_Shmem:  70 kB\nAnonHugePages:   100 kB\nSwapPss:   8 kB\n";
        let wanted = Proportional { all: 508 << 10, shared: Some(70 << 10), small_anonymous: 300 << 10 };
        assert_eq!(parse(text), Some(wanted));
        assert_eq!(parse("Rss: 900 kB\n"), None);
        let old = parse("Pss: 500 kB\nAnonHugePages: 100 kB\n").unwrap();
        assert_eq!((old.shared, old.small_anonymous), (None, 0));
    }

    #[test]
    fn the_memory_of_this_process_is_read() {
        let own = Path::new("/proc/self");
        let (resident, peak) = (resident_bytes(own).unwrap(), own_peak_bytes(own).unwrap());
        assert!(resident > 0 && peak > 0);
        let read = proportional(own, 1).unwrap();
        assert!(read.all > 1 && read.all <= 2 * peak, "{read:?}");
        assert_eq!(proportional(Path::new("/proc/0"), 1), None);
    }
}
