//! CPU times of this process and of its children, from the kernel.

use std::process::Command;

/// The unit of the CPU times in `/proc/self/stat` on Linux, in seconds.
const TICK: f64 = 0.01;

/// A CPU time, in seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CpuTime {
    pub(crate) user: f64,
    pub(crate) system: f64,
}

impl CpuTime {
    pub(crate) fn total(&self) -> f64 {
        self.user + self.system
    }

    fn minus(self, earlier: CpuTime) -> CpuTime {
        CpuTime { user: self.user - earlier.user, system: self.system - earlier.system }
    }
}

/// Runs a command and returns the CPU time that it takes. Panics if the command fails.
pub(crate) fn of_child(command: &mut Command) -> CpuTime {
    let before = read(15);
    assert!(command.status().expect("the program starts").success(), "{command:?} failed");
    read(15).minus(before)
}

/// Returns the CPU time that `work` takes in this process.
pub(crate) fn of_this_process(work: impl FnOnce()) -> CpuTime {
    let before = read(13);
    work();
    read(13).minus(before)
}

/// Reads a user time and the system time that follows it from `/proc/self/stat`. `field` is the index of the user time,
/// counted from 0.
fn read(field: usize) -> CpuTime {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    // The second field is the name of the process. The name is in brackets and may contain spaces.
    let after_name = &stat[stat.rfind(')').expect("a name in brackets") + 2..];
    let mut fields = after_name.split(' ').skip(field - 2).map(|ticks| ticks.parse::<f64>().expect("a number") * TICK);
    let mut next = || fields.next().expect("more fields");
    CpuTime { user: next(), system: next() }
}
