//! Names and reads the folders of control groups, and removes groups that killed judges left behind.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::super::init;
use rustix::process::{Pid, Signal};

/// Maximum number of bytes that are read from a list of members. The list of a group with `MAX_PROCESSES` members is
/// shorter.
const MAX_LIST_BYTES: u64 = 1 << 20;

/// Returns a unique name for the folder of a new group. The name contains the process number of this judge, so that a
/// later judge can recognise a stale group.
pub(super) fn new_name() -> String {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    format!("{}-{}-{}-{number}", init::name(), namespace().unwrap_or(0), std::process::id())
}

/// Finds the groups in `hierarchies` whose judge does not run any more, kills their processes and removes the groups.
/// Skips groups of judges in other PID namespaces, because this process cannot see whether those judges still run.
pub(super) fn remove_stale(hierarchies: &[&Path]) {
    let Some(namespace) = namespace() else { return };
    let prefix = format!("{}-{namespace}-", init::name());
    let is_stale = |name: &str| {
        let judge = name.strip_prefix(&prefix).and_then(|rest| rest.split('-').next());
        judge.is_some_and(|judge| !Path::new("/proc").join(judge).exists())
    };
    let names = |hierarchy: &&Path| {
        let entries = fs::read_dir(hierarchy).into_iter().flatten().filter_map(Result::ok);
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect::<Vec<_>>()
    };
    let stale: BTreeSet<_> = hierarchies.iter().flat_map(names).filter(|name| is_stale(name)).collect();
    for name in stale {
        for hierarchy in hierarchies {
            // Only groups of the pids controller have this file. With the limit 0 no process in them can fork.
            let _ = File::options()
                .write(true)
                .open(hierarchy.join(&name).join("pids.max"))
                .map(|file| file.write_at(b"0", 0));
        }
        for hierarchy in hierarchies {
            kill_members(&hierarchy.join(&name));
        }
        for hierarchy in hierarchies {
            remove(&hierarchy.join(&name));
        }
    }
}

/// Returns the process numbers of the group's members.
pub(super) fn members(folder: &Path) -> io::Result<Vec<i32>> {
    let mut text = String::new();
    File::open(folder.join("cgroup.procs"))?.take(MAX_LIST_BYTES).read_to_string(&mut text)?;
    Ok(text.lines().filter_map(|line| line.parse().ok()).collect())
}

/// Kills the members of the group at `folder`, whose judge has ended.
fn kill_members(folder: &Path) {
    for pid in members(folder).unwrap_or_default().into_iter().filter_map(Pid::from_raw) {
        let _ = rustix::process::kill_process(pid, Signal::KILL);
    }
}

/// Removes a group's folder. The kernel reports the group as busy for a moment after its last process has ended, so
/// this tries for up to 100 ms.
pub(super) fn remove(folder: &Path) {
    for _ in 0..200 {
        match fs::remove_dir(folder) {
            Err(error) if error.raw_os_error() == Some(libc::EBUSY) => std::thread::sleep(Duration::from_micros(500)),
            _ => return,
        }
    }
}

/// Returns the inode number of this process's PID namespace; `None` without /proc.
fn namespace() -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self/ns/pid").ok().map(|found| found.ino())
}

/// Returns the number in the line `KEY NUMBER` of the file. Fails if the file has no such line.
pub(super) fn value_of(file: &File, key: &str) -> io::Result<u64> {
    let text = small_text(file)?;
    let value = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.trim().parse().ok());
    value.ok_or_else(|| io::Error::other(format!("a file of the control group has no line {key}")))
}

/// Parses the whole file as a number.
pub(super) fn number(file: &File) -> io::Result<u64> {
    small_text(file)?.trim().parse().map_err(io::Error::other)
}

/// Reads the first 1024 bytes of a file. Every file that is read with this function is shorter.
fn small_text(file: &File) -> io::Result<String> {
    let mut bytes = [0; 1024];
    let length = file.read_at(&mut bytes, 0)?;
    String::from_utf8(bytes[..length].to_vec()).map_err(io::Error::other)
}
