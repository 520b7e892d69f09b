//! Many processes write the same entries at the same time, and one of them is killed. No reader may miss an entry or get
//! a damaged one. If another program removes entries meanwhile, a reader may miss them.
//!
//! The variable `SHARED_CACHE_FOLDERS` names folders to use instead of a temporary one, separated by colons. They must
//! be one folder, as several machines see it: tests/shared-cache/nfs mounts it twice. `SHARED_CACHE_ROUNDS` is how often
//! each process writes and reads.

#![allow(clippy::expect_used, clippy::panic, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread;
use std::time::Duration;

use referee_shared_cache::{Access, Name, Options, SharedCache};

/// The variables that tell a process of this test what to do.
const ROLE: &str = "SHARED_CACHE_ROLE";
const FOLDER: &str = "SHARED_CACHE_FOLDER";
/// The role of a process that reads, and of one that reads while entries are removed.
const READER: &str = "reader";
const READER_DURING_REMOVALS: &str = "reader during removals";

const NAMES: u8 = 4;
const WRITERS: u8 = 4;
const READERS: u8 = 3;

/// The number of a writer that never ends by itself.
const VICTIM: u8 = u8::MAX;

/// Largest number of bytes of an entry. It is not a multiple of any block or page.
const MOST_BYTES: usize = 100_003;

fn rounds() -> u32 {
    std::env::var("SHARED_CACHE_ROUNDS").map_or(15, |text| text.parse().expect("SHARED_CACHE_ROUNDS is a number"))
}

fn open(folder: &Path) -> SharedCache {
    let options = Options {
        address: folder.to_str().expect("the path is UTF-8").to_owned(),
        access: Access::ReadAndWrite,
        secret: Some(b"secret".to_vec()),
        authorization: None,
        is_interrupted: || false,
    };
    SharedCache::open(&options).expect("the folder exists")
}

fn name(number: u8) -> Name {
    Name::of("results", &[number])
}

/// Returns what a writer writes in a round: the two numbers, then bytes that follow from them.
fn contents(writer: u8, round: u32) -> Vec<u8> {
    let seed = u64::from(writer) << 32 | u64::from(round);
    let length = (seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize % MOST_BYTES;
    let mut bytes = vec![writer];
    bytes.extend(round.to_le_bytes());
    bytes.extend(
        (0..length as u64).map(|index| (seed.wrapping_add(index).wrapping_mul(0x2545_f491_4f6c_dd1d) >> 56) as u8),
    );
    bytes
}

fn write(cache: &SharedCache, writer: u8) {
    let last = if writer == VICTIM { u32::MAX } else { rounds() };
    for round in 0..last {
        cache.put(&name((round % u32::from(NAMES)) as u8), &contents(writer, round));
        assert_eq!(cache.trouble(), None);
    }
}

fn read(cache: &SharedCache, may_miss: bool) {
    for round in 0..2 * rounds() {
        let bytes = cache.get(&name((round % u32::from(NAMES)) as u8));
        assert_eq!(cache.trouble(), None);
        let Some(bytes) = bytes else {
            assert!(may_miss, "round {round}: the entry is missing or damaged");
            continue;
        };
        let (writer, own_round) = (bytes[0], u32::from_le_bytes(bytes[1..5].try_into().expect("four bytes")));
        assert!(bytes == contents(writer, own_round), "round {round}: parts of different entries");
    }
}

/// Does what the variables say, in a process that the other test starts; otherwise nothing.
#[test]
fn a_process_of_the_other_test() {
    let (Ok(role), Some(folder)) = (std::env::var(ROLE), std::env::var_os(FOLDER)) else { return };
    let cache = open(Path::new(&folder));
    match role.parse() {
        Ok(writer) => write(&cache, writer),
        Err(_) => read(&cache, role == READER_DURING_REMOVALS),
    }
}

fn start(folder: &Path, role: &str) -> Child {
    let mut command = Command::new(std::env::current_exe().expect("this program has a path"));
    command.args(["--exact", "a_process_of_the_other_test", "--nocapture"]).env(ROLE, role).env(FOLDER, folder);
    command.stdout(std::process::Stdio::null()).spawn().expect("this program starts")
}

/// Returns the folder through which each machine sees the cache.
fn folders(own: &Path) -> Vec<PathBuf> {
    match std::env::var_os("SHARED_CACHE_FOLDERS") {
        Some(folders) => std::env::split_paths(&folders).collect(),
        None => vec![own.to_owned()],
    }
}

/// Starts the writers and the readers, each on the next machine.
fn start_all(folders: &[PathBuf], reader: &str) -> Vec<Child> {
    let readers = (0..READERS).map(|_| reader.to_owned());
    let roles = (0..WRITERS).map(|writer| writer.to_string()).chain(readers);
    roles.zip(folders.iter().cycle()).map(|(role, folder)| start(folder, &role)).collect()
}

fn all_succeed(processes: Vec<Child>) {
    for mut process in processes {
        assert!(process.wait().expect("a child can be waited for").success());
    }
}

#[test]
fn every_entry_is_whole_although_many_processes_write_and_one_is_killed() {
    let own = tempfile::tempdir().expect("a folder can be made");
    let folders = folders(own.path());
    let cache = open(&folders[0]);
    for number in 0..NAMES {
        cache.put(&name(number), &contents(0, u32::from(number)));
    }
    assert_eq!(cache.trouble(), None);
    let mut victim = start(folders.last().expect("there is a folder"), &VICTIM.to_string());
    // On NFS, a reader may miss an entry that others replace all the time.
    let reader = if folders.len() == 1 { READER } else { READER_DURING_REMOVALS };
    let processes = start_all(&folders, reader);
    thread::sleep(Duration::from_millis(100));
    victim.kill().expect("a child can be killed");
    let killed = victim.wait().expect("a child can be waited for");
    assert_eq!(killed.code(), None, "the writer ended by itself");
    all_succeed(processes);
    for folder in &folders {
        read(&open(folder), false);
    }
}

#[test]
fn entries_that_are_removed_meanwhile_are_missing_and_never_damaged() {
    let own = tempfile::tempdir().expect("a folder can be made");
    // A folder of its own, because the tests run at the same time.
    let folders: Vec<_> = folders(own.path()).iter().map(|folder| folder.join("removed")).collect();
    std::fs::create_dir(&folders[0]).expect("a folder can be made");
    let processes = start_all(&folders, READER_DURING_REMOVALS);
    // The command of docs/caching.md, without the condition on the time, and only for finished entries: unfinished ones
    // are never old.
    for _ in 0..30 {
        let mut find = Command::new("find");
        find.arg(&folders[0]).args(["-type", "f", "-not", "-name", ".*", "-delete"]);
        // `find` fails if a writer replaces an entry at the same time.
        find.stderr(std::process::Stdio::null()).status().expect("find starts");
        thread::sleep(Duration::from_millis(10));
    }
    all_succeed(processes);
}
