//! Finds the open descriptors of a process. A thread can have descriptors of its own, and the main thread of a process
//! can have ended while the others go on. So the folder `/proc/PID/fd` alone can hide descriptors.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folders of descriptors of a process, one for each set of descriptors. `process` is the folder of the
/// process in `/proc`. Threads that share their descriptors may occur twice. Empty if the process has ended.
pub(super) fn folders(process: &Path) -> Vec<PathBuf> {
    let threads = fs::read_dir(process.join("task")).into_iter().flatten().filter_map(Result::ok);
    let mut different: Option<(i32, i32)> = None;
    let mut folders = Vec::new();
    for entry in threads {
        let Some(thread) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        // Most threads share their descriptors with the first one.
        if different.is_some_and(|(first, last)| are_shared(first, thread) || are_shared(last, thread)) {
            continue;
        }
        different = Some((different.map_or(thread, |(first, _)| first), thread));
        folders.push(entry.path().join("fd"));
    }
    folders
}

/// Whether two threads have the same descriptors. Returns false if the kernel does not say, or if a thread has ended.
fn are_shared(one: i32, other: i32) -> bool {
    // `KCMP_FILES` of include/uapi/linux/kcmp.h.
    const FILES: libc::c_long = 2;
    // SAFETY: the call takes numbers.
    unsafe { libc::syscall(libc::SYS_kcmp, libc::c_long::from(one), libc::c_long::from(other), FILES, 0, 0) == 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_with_descriptors_of_its_own_has_a_folder_of_its_own() {
        let own = std::process::id() as i32;
        assert!(are_shared(own, rustix::thread::gettid().as_raw_nonzero().get()) && !are_shared(own, 1));
        let before = folders(Path::new("/proc/self")).len();
        assert!(before >= 1);
        let with_another = std::thread::spawn(|| {
            // SAFETY: the call takes a number. It gives this thread a copy of the descriptors.
            assert_eq!(unsafe { libc::unshare(libc::CLONE_FILES) }, 0);
            folders(Path::new("/proc/self")).len()
        });
        assert!(with_another.join().unwrap() > 1);
        assert_eq!(folders(Path::new("/proc/-1")), Vec::<PathBuf>::new());
    }
}
