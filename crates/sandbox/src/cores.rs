//! The number of cores of the machine.

use std::fs;
use std::sync::OnceLock;

/// Returns the number of cores that this process and its programs can use at once. The number is cached, because
/// determining it takes longer than running a small program.
pub fn usable_cores() -> u32 {
    static CORES: OnceLock<u32> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, |count| count.get() as u32))
}

/// Returns the number of cores that are switched on; `None` if the kernel does not list them.
pub(super) fn cores_online() -> Option<u32> {
    count(&fs::read_to_string("/sys/devices/system/cpu/online").ok()?)
}

/// Counts the cores in a list such as `0-3,6`.
fn count(list: &str) -> Option<u32> {
    list.trim().split(',').try_fold(0, |sum: u32, part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        sum.checked_add(last.checked_sub(first)?.checked_add(1)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_cores_is_counted() {
        let lists = ["0\n", "0-1\n", "0-3,6,8-9\n", "", "3-1", "a-b", "0-4294967295"];
        assert_eq!(lists.map(count), [Some(1), Some(2), Some(7), None, None, None, None]);
    }
}
