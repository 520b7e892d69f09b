//! Waits for other processes, with a timeout.

use std::fs;
use std::process::Child;
use std::time::{Duration, Instant};

use rustix::process::Signal;

/// Waits until the condition is true. Fails after a timeout.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < deadline, "timed out: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Returns whether the process has installed a handler for SIGINT and sleeps.
pub(crate) fn is_interruptible_and_sleeps(child: &Child) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    catches(Signal::INT, &status) && field("State:", &status).starts_with('S')
}

/// Returns whether a process has installed a handler for the signal. `status` is the text of its file in /proc.
pub(crate) fn catches(signal: Signal, status: &str) -> bool {
    let caught = u64::from_str_radix(field("SigCgt:", status), 16).unwrap_or(0);
    caught & 1 << (signal.as_raw() - 1) != 0
}

/// Returns the value of a field of /proc/PID/status; the empty text if there is no such field.
fn field<'s>(key: &str, status: &'s str) -> &'s str {
    status.lines().find_map(|line| line.strip_prefix(key)).map_or("", str::trim)
}
