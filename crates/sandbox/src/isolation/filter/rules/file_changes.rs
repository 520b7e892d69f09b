//! Calls that change the properties of files.

/// Calls that change modes, owners, times and extended attributes of files.
pub(super) fn changes_of_files() -> impl Iterator<Item = libc::c_long> {
    BY_PATH.iter().chain(OF_OPEN_FILES).chain(BY_PATH_ON_THIS_ARCHITECTURE).copied()
}

/// Calls that change modes, owners and extended attributes of files by path.
const BY_PATH: &[libc::c_long] = &[
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchownat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
];

/// The number of this call on all architectures. Not every C library has a name for it.
pub(in super::super) const FCHMODAT2: libc::c_long = 452;

/// Calls that change modes, owners and extended attributes of open files, and `utimensat`, which changes times.
const OF_OPEN_FILES: &[libc::c_long] =
    &[libc::SYS_fchmod, libc::SYS_fchown, libc::SYS_utimensat, libc::SYS_fsetxattr, libc::SYS_fremovexattr];

/// Further calls that change modes, owners and times of files by path. They exist only on this architecture.
#[cfg(target_arch = "x86_64")]
const BY_PATH_ON_THIS_ARCHITECTURE: &[libc::c_long] =
    &[libc::SYS_chmod, libc::SYS_chown, libc::SYS_lchown, libc::SYS_utime, libc::SYS_utimes, libc::SYS_futimesat];
#[cfg(not(target_arch = "x86_64"))]
const BY_PATH_ON_THIS_ARCHITECTURE: &[libc::c_long] = &[];
