//! The command in an unusual environment: its parent process ignores signals, or the shell has tiny limits.

use std::fs;
use std::path::PathBuf;

use predicates::prelude::*;
use predicates::str::contains;

use super::support::files;
use super::support::person::Person;
use super::support::program::{print_skipped, temporary_folder};

const SUM: &str = "tests/packages/judged/sum";

/// Returns the command `referee` with `arguments`, which a shell starts after the commands `before`.
fn started(person: &Person, before: &str, arguments: &[&str]) -> assert_cmd::Command {
    let mut command = person.referee(Vec::<&str>::new());
    let program = command.get_program().to_owned();
    let own: Vec<_> = command.get_args().map(ToOwned::to_owned).collect();
    command = person.command("sh".as_ref());
    let text = format!("{before}\nexec \"$0\" \"$@\"");
    let name = own.last().cloned().unwrap_or(program);
    command.arg("-c").arg(text).arg(name).args(arguments);
    command.env("TMPDIR", std::env::temp_dir());
    command
}

#[test]
fn a_parent_that_ignores_ended_children_changes_no_verdict() {
    let (cache, package) = (temporary_folder(), files::in_repository(SUM));
    let mut command = started(&Person::Myself, "trap '' CHLD", &["grade", "--no-cache"]);
    command.arg(package).env("XDG_CACHE_HOME", cache.path());
    command.assert().code(0).stdout(contains("✓ AC").and(contains("is not installed").not()));
    let mut command = started(&Person::Myself, "trap '' CHLD", &["doctor"]);
    command.assert().code(0).stdout(contains("bash is not installed").not());
}

#[test]
fn a_tiny_stack_is_raised_or_refused_with_a_hint() {
    let mut command = started(&Person::Myself, "ulimit -S -s 64", &["grade", "flipgame", "--help"]);
    command.assert().code(0);
    let mut command = started(&Person::Myself, "ulimit -s 64", &["schema"]);
    let ended = command.output().unwrap();
    let errors = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(ended.status.success() || errors.contains("is limited to 64 KiB (ulimit -s)"), "{errors}");
}

#[test]
fn threads_that_the_system_refuses_are_an_error_with_a_hint() {
    let person = needs!(Person::ordinary());
    let mut command = started(&person, "ulimit -p 1 2>/dev/null || ulimit -u 1", &["grade"]);
    command.arg("flipgame").assert().code(2).stderr(contains("threads, and the system refuses them"));
}

/// A control group that limits processes. Dropping this value removes the group.
struct SmallGroup(PathBuf);

impl SmallGroup {
    /// Makes a group that allows `most` processes; an error where only root can make groups, or in another version of
    /// control groups.
    fn new(most: u32) -> Result<SmallGroup, String> {
        let folder = PathBuf::from(format!("/sys/fs/cgroup/pids/referee-tests-{}", std::process::id()));
        fs::create_dir(&folder).map_err(|error| format!("a control group for processes: {error}"))?;
        let group = SmallGroup(folder);
        fs::write(group.0.join("pids.max"), most.to_string()).map_err(|error| error.to_string())?;
        Ok(group)
    }
}

impl Drop for SmallGroup {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

#[test]
fn a_control_group_with_too_few_processes_for_compilers_is_an_error_with_a_hint() {
    let group = match SmallGroup::new(20) {
        Ok(group) => group,
        Err(missing) => return print_skipped(&missing),
    };
    let join = format!("echo $$ > {}/cgroup.procs", group.0.display());
    let mut command = started(&Person::Myself, &join, &["grade", "-j", "2", "--no-cache"]);
    let refused = contains("-j 2 needs 22 threads and processes").and(contains("more of 20"));
    command.arg(files::in_repository(SUM)).assert().code(2).stderr(refused.and(contains("--pids-limit")));
    let mut command = started(&Person::Myself, &join, &["grade", "-j", "1", "--no-cache"]);
    command.arg(files::in_repository(SUM)).assert().code(0).stdout(contains("all as expected"));
}
