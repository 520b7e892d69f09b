//! Finds processes, mounts and control groups that a judge left behind on this machine.

use std::path::Path;
use std::time::{Duration, Instant};

use super::command::referee;

/// Returns the helper processes whose judge has ended. Waits up to 10 s until there are none, because a helper ends
/// shortly after its judge and not at the same time.
pub(crate) fn helpers_left() -> Vec<String> {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let left: Vec<_> = processes().filter_map(|process| orphaned_helper(&process)).collect();
        if left.is_empty() || Instant::now() > deadline {
            return left;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn processes() -> impl Iterator<Item = String> {
    let entries = std::fs::read_dir("/proc").expect("/proc can be read").filter_map(Result::ok);
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).filter(|name| name.parse::<u32>().is_ok())
}

/// Returns a description of the process if it is a helper whose parent is not a judge; otherwise `None`.
fn orphaned_helper(process: &str) -> Option<String> {
    let name = |process: &str| std::fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let field = |key: &str| status.lines().find_map(|line| line.strip_prefix(key)).map_or("", str::trim);
    let (own, parent) = (name(process), field("PPid:"));
    let is_helper = matches!(own.trim(), "referee-zygote" | "referee-spawner");
    // A zombie that waits for init counts as ended, because the judge cannot reap it.
    let is_over = field("State:").starts_with('Z') && parent == "1";
    let is_orphaned = is_helper && !is_over && !name(parent).starts_with("referee");
    is_orphaned
        .then(|| format!("{process} {} {}, child of {parent} {}", own.trim(), field("State:"), name(parent).trim()))
}

/// Returns the mounts that this process sees.
pub(crate) fn mounts() -> String {
    std::fs::read_to_string("/proc/self/mountinfo").expect("mounts can be read")
}

/// Returns the control groups of ended judges that no later judge removes. Other tests may have killed judges only just
/// now. Therefore this function first starts up to five judges, which should remove the groups of the killed judges.
pub(crate) fn groups_left() -> Vec<String> {
    for _ in 0..5 {
        if groups_of_ended_judges().is_empty() {
            return Vec::new();
        }
        referee(["grade", "tests/packages/judged/sum", "tests/hostile/WA/reads_nothing.c"]).assert().code(1);
    }
    groups_of_ended_judges()
}

/// Returns the control groups of ended judges that are inside the control groups of this process.
fn groups_of_ended_judges() -> Vec<String> {
    let own = std::fs::read_to_string("/proc/self/cgroup").expect("the own groups can be read");
    let bases = own.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next()?, fields.next()?);
        Some(format!("/sys/fs/cgroup/{controllers}{path}"))
    });
    let entries = bases.filter_map(|base| std::fs::read_dir(base).ok()).flatten().filter_map(Result::ok);
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    // The third part of the name is the judge's process id. Groups of running judges are ignored, because other tests
    // judge at the same time.
    let is_gone = |name: &String| {
        let judge = name.strip_prefix("referee-").and_then(|rest| rest.split('-').nth(1));
        judge.is_some_and(|judge| !Path::new("/proc").join(judge).exists())
    };
    names.filter(is_gone).collect()
}
