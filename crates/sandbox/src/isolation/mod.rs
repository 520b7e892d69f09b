//! Sets up the isolation of a program, in this order: a private root ([`root`]), another user, no privileges, Landlock
//! ([`landlock`]), the filter of system calls ([`filter`]).
//!
//! A zygote isolates itself once, and every program that it starts inherits the isolation and adds a second filter. Without namespaces the
//! zygote is not isolated, so that it can kill the processes that a program leaves behind. Each program then applies
//! the [`Lockdown`] before its exec.

mod filter;
mod landlock;
mod root;

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

use serde::{Deserialize, Serialize};

use super::plan::{SetupError, ZygotePlan};

/// The part of the isolation that a process applies to itself. All its values are prepared, so that applying it needs
/// only system calls.
pub(super) struct Lockdown {
    identity: Option<u32>,
    drops_capabilities: bool,
    rules: Option<OwnedFd>,
    filter: Option<Vec<libc::sock_filter>>,
}

/// Details of the isolation that is in force. The zygote reports them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct InForce {
    /// The version of Landlock that is in force; 0 if Landlock is not in force.
    pub(super) landlock: u32,
    /// Whether programs have a /proc.
    pub(super) proc: bool,
    /// Whether the kernel counts the CPU time of all processes that the zygote starts, without a control group.
    pub(super) task_clock: bool,
}

/// The result of [`prepare`].
pub(super) struct Prepared {
    pub(super) lockdown: Lockdown,
    pub(super) in_force: InForce,
    pub(super) scratch: Option<OwnedFd>,
    /// The arguments with which only the zygote may call `setsid`.
    pub(super) session_key: [u32; 2],
}

/// If there are namespaces, moves this process into the private root. Prepares the rest of the isolation.
pub(super) fn prepare(plan: &ZygotePlan) -> Result<Prepared, SetupError> {
    let inside = plan.isolation.namespaces.is_some();
    let (scratch, proc) = if inside {
        let root = root::build(plan)?;
        (root.scratch, root.has_proc)
    } else {
        (plan.scratch.as_ref().map(|scratch| root::open_scratch(&scratch.path)).transpose()?, true)
    };
    if let (Some(folder), Some(user)) = (&scratch, plan.identity) {
        let (owner, group) = (rustix::fs::Uid::from_raw(user), rustix::fs::Gid::from_raw(user));
        rustix::fs::fchown(folder, Some(owner), Some(group))
            .map_err(SetupError::during("changing the owner of the writable folder"))?;
    }
    if let (Some(scratch), Some(user), false) = (&plan.scratch, plan.identity, inside) {
        change_owner_of_contents(std::path::Path::new(&scratch.path), user)
            .map_err(SetupError::during("changing the owner of files in the writable folder"))?;
    }
    let rules = plan.isolation.landlock.then(|| landlock::rules(plan)).transpose()?;
    let zygote = rustix::process::getpid().as_raw_nonzero().get().unsigned_abs();
    let session_key = random_key().map_err(SetupError::during("making a random key"))?;
    let facts = filter::ProgramFacts {
        zygote,
        in_namespace: inside,
        may_write: plan.scratch.is_some(),
        is_counted: plan.is_counted,
        keeps_cores: plan.keeps_cores,
        session_key,
        keeps_warm: plan.warm_until.is_some(),
    };
    let filter = plan.isolation.filter.then(|| filter::program(facts));
    let in_force =
        InForce { landlock: if plan.isolation.landlock { landlock::version() } else { 0 }, proc, task_clock: false };
    let lockdown =
        Lockdown { identity: plan.identity, drops_capabilities: inside || plan.identity.is_some(), rules, filter };
    Ok(Prepared { lockdown, in_force, scratch, session_key })
}

fn random_key() -> io::Result<[u32; 2]> {
    let mut bytes = [0; 8];
    rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())?;
    let [a, b, c, d, e, f, g, h] = bytes;
    Ok([u32::from_ne_bytes([a, b, c, d]), u32::from_ne_bytes([e, f, g, h])])
}

/// Changes the owner of everything in `folder`. No program has seen the folder yet, so its contents do not change
/// meanwhile.
fn change_owner_of_contents(folder: &std::path::Path, user: u32) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        std::os::unix::fs::lchown(&path, Some(user), Some(user))?;
        if path.symlink_metadata()?.is_dir() {
            change_owner_of_contents(&path, user)?;
        }
    }
    Ok(())
}

/// Whether the filter of the warm process with the number `warm` refuses a system call with these first arguments
/// because it names that process.
#[cfg(target_arch = "x86_64")]
pub(super) fn protects(warm: u32, call: libc::c_long, arguments: [u64; 2]) -> bool {
    filter::protects(warm, call, arguments)
}

/// Whether the kernel has Landlock.
pub(super) fn has_landlock() -> bool {
    landlock::version() > 0
}

/// Whether this version of Landlock prevents a program from sending signals to processes outside its sandbox.
pub(super) fn blocks_signals(landlock_version: u32) -> bool {
    landlock_version >= landlock::SIGNALS_SINCE
}

/// Whether the kernel can filter system calls.
pub(super) fn has_filter() -> bool {
    // Linux has both this query and this action since version 4.14. The filter needs the action, so an older kernel
    // counts as having no filter.
    let action = libc::SECCOMP_RET_KILL_PROCESS;
    // SAFETY: the pointer is to a live local variable of the right type.
    unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action) == 0 }
}

/// The step of a lockdown that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LockdownStep {
    User,
    Privileges,
    Landlock,
    Filter,
}

impl LockdownStep {
    pub(super) fn doing(self) -> &'static str {
        match self {
            LockdownStep::User => "becoming another user",
            LockdownStep::Privileges => "giving up privileges",
            LockdownStep::Landlock => "applying Landlock rules",
            LockdownStep::Filter => "applying the filter of system calls",
        }
    }
}

impl Lockdown {
    /// Returns what each program of a zygote that keeps its program warm applies to itself, in addition to the
    /// isolation that it inherits. `None` if the zygote keeps nothing warm: then its own isolation is that of its
    /// programs.
    pub(super) fn of_programs(plan: &ZygotePlan) -> Option<Lockdown> {
        plan.warm_until.as_ref().map(|_| Lockdown::of_filter(filter::of_warm_programs(None)))
    }

    /// Returns what the process with the number `warm` applies to itself, so that the programs that are forked from it
    /// cannot change it.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn of_warm_process(warm: u32) -> Lockdown {
        Lockdown::of_filter(filter::of_warm_programs(Some(warm)))
    }

    fn of_filter(filter: Vec<libc::sock_filter>) -> Lockdown {
        Lockdown { identity: None, drops_capabilities: false, rules: None, filter: Some(filter) }
    }

    /// Whether there is nothing to apply.
    pub(super) fn is_empty(&self) -> bool {
        self.identity.is_none() && !self.drops_capabilities && self.rules.is_none() && self.filter.is_none()
    }

    /// Isolates the calling process irrevocably. It only makes system calls on prepared values, so a child that shares
    /// its parent's memory may call it.
    pub(super) fn apply(&self) -> Result<(), LockdownStep> {
        // SAFETY: each call takes numbers, or pointers to values that live until it returns: the empty sets of
        // capabilities, and the filter's program, which `self` owns. The raw calls change only this thread, which is
        // the only one of its process.
        unsafe {
            if let Some(user) = self.identity {
                let become_user = libc::syscall(libc::SYS_setgroups, 0, std::ptr::null::<u32>()) == 0
                    && libc::syscall(libc::SYS_setresgid, user, user, user) == 0
                    && libc::syscall(libc::SYS_setresuid, user, user, user) == 0;
                if !become_user {
                    return Err(LockdownStep::User);
                }
            }
            if self.drops_capabilities && !drop_capabilities() {
                return Err(LockdownStep::Privileges);
            }
            if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 {
                return Err(LockdownStep::Privileges);
            }
            if let Some(rules) = &self.rules
                && libc::syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), 0) != 0
            {
                return Err(LockdownStep::Landlock);
            }
            if let Some(filter) = &self.filter {
                let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_ptr().cast_mut() };
                // Without this flag, kernels before 5.16 turn on slow mitigations against speculative execution for the
                // whole program.
                let flags = libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW;
                if libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const program) != 0 {
                    return Err(LockdownStep::Filter);
                }
            }
        }
        Ok(())
    }

    /// Applies the lockdown like [`Lockdown::apply`]. An error describes the step that failed.
    pub(super) fn apply_to_self(&self) -> Result<(), SetupError> {
        self.apply().map_err(|step| SetupError::during(step.doing())(io::Error::last_os_error()))
    }
}

#[repr(C)]
struct CapabilityHeader {
    version: u32,
    pid: i32,
}

/// Gives up all capabilities, including those that user 0 would regain at exec. Returns whether it succeeded.
///
/// # Safety
/// The calling process has one thread.
unsafe fn drop_capabilities() -> bool {
    // From include/uapi/linux/capability.h and securebits.h.
    const VERSION_3: u32 = 0x2008_0522;
    const NO_ROOT_LOCKED: libc::c_ulong = 0b11;
    let header = CapabilityHeader { version: VERSION_3, pid: 0 };
    let none = [0u32; 6];
    // SAFETY: the pointers are to live values in the kernel's layout for this version: a header and two triples.
    unsafe {
        // The kernel refuses this call if the process lacks CAP_SETPCAP. Such a process cannot regain capabilities
        // anyway, so a failure is ignored.
        libc::prctl(libc::PR_SET_SECUREBITS, NO_ROOT_LOCKED, 0, 0, 0);
        libc::syscall(libc::SYS_capset, &raw const header, none.as_ptr()) == 0
    }
}
