//! Gives each judgehost of a machine a core of its own, so that their measurements do not disturb one another.
//!
//! A lock file stands for each core. A process holds the lock until it ends, however it ends.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::{FlockOperation, flock};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The core of this process. No other judgehost with the same folder gets the core while this value exists.
#[derive(Debug)]
pub struct CoreSlot {
    core: usize,
    _lock: File,
}

/// The reason why a judgehost gets no core.
#[derive(Debug, thiserror::Error)]
pub enum SlotError {
    /// Another judgehost uses the core.
    #[error("another judgehost uses core {0}")]
    Taken(usize),
    /// Other judgehosts use all cores.
    #[error("other judgehosts use all {0} cores that this process may use")]
    AllTaken(usize),
    /// This process may not use the core.
    #[error("this process may not use core {core}; it may use: {allowed}")]
    NotAllowed {
        /// The core that the user wants.
        core: usize,
        /// The numbers of the cores that the process may use.
        allowed: String,
    },
    /// The system failed.
    #[error("cannot take a core: {0}")]
    System(#[from] io::Error),
}

impl CoreSlot {
    /// Takes the core `wanted`, or the first free one, and makes this process and the processes that it starts later run
    /// only there. The lock files are in `folder`, which exists.
    pub fn take(folder: &Path, wanted: Option<usize>) -> Result<CoreSlot, SlotError> {
        let allowed = sched_getaffinity(None).map_err(io::Error::from)?;
        let allowed: Vec<_> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
        let slot = match wanted {
            Some(core) if !allowed.contains(&core) => {
                let allowed = allowed.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
                return Err(SlotError::NotAllowed { core, allowed });
            }
            Some(core) => CoreSlot::lock(folder, core)?.ok_or(SlotError::Taken(core))?,
            None => {
                let free = allowed.iter().find_map(|&core| CoreSlot::lock(folder, core).transpose());
                free.transpose()?.ok_or(SlotError::AllTaken(allowed.len()))?
            }
        };
        let mut only = CpuSet::new();
        only.set(slot.core);
        sched_setaffinity(None, &only).map_err(io::Error::from)?;
        Ok(slot)
    }

    /// Locks a core. Returns `None` if another process has it.
    fn lock(folder: &Path, core: usize) -> Result<Option<CoreSlot>, SlotError> {
        let path = folder.join(format!("core-{core}.lock"));
        let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Some(CoreSlot { core, _lock: file })),
            Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
            Err(error) => Err(SlotError::System(error.into())),
        }
    }

    /// Returns the number of the core.
    pub fn core(&self) -> usize {
        self.core
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_judgehosts_get_the_same_core() {
        let folder = tempfile::tempdir().unwrap();
        let first = CoreSlot::lock(folder.path(), 0).unwrap().unwrap();
        assert_eq!(first.core(), 0);
        assert!(CoreSlot::lock(folder.path(), 0).unwrap().is_none());
        assert!(CoreSlot::lock(folder.path(), 1).unwrap().is_some());
        drop(first);
        assert!(CoreSlot::lock(folder.path(), 0).unwrap().is_some());
    }
}
