//! Describes the software of this machine, so that a remembered result is not used after the software has changed.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Files and folders that change when the system's software changes: the package managers' lists of installed packages,
/// the list of shared libraries, and the folders of software that was installed by hand.
pub const SYSTEM: [&str; 16] = [
    "/var/lib/dpkg/status",
    "/var/lib/rpm",
    "/usr/lib/sysimage/rpm",
    "/var/lib/pacman/local",
    "/lib/apk/db/installed",
    "/nix/var/nix/db/db.sqlite",
    "/etc/os-release",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/usr/lib",
    "/usr/lib64",
    "/usr/bin",
    "/usr/include",
    "/usr/local/include",
    "/usr/local/lib",
    "/usr/local/bin",
];

/// Returns the path, size and modification time of a file or folder.
pub fn stamp(path: &Path) -> String {
    let found = path.metadata().map(|found| (found.len(), found.mtime(), found.mtime_nsec())).ok();
    format!("{} {found:?}", path.display())
}
