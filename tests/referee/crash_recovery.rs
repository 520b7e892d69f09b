//! A judge that is killed at any moment leaves nothing behind, and the run can be resumed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::support::command::{names_in, of_type, processes_below, referee, settings, without_measurements, write};
use super::support::leftovers::{groups_left, helpers_left, mounts};
use super::support::poll::{catches, is_interruptible_and_sleeps, wait_until};
use super::support::program::temporary_folder;

const SUM: &str = "tests/packages/judged/sum";

/// Submissions that run for a while or try to outlive the judge.
const PROGRAMS: [&str; 6] = [
    "tests/hostile/TLE/ignores_signals_and_spins.c",
    "tests/hostile/AC/child_holds_stdout.c",
    "tests/hostile/TLE/burns_in_children.c",
    "tests/hostile/RTE/kills_its_group.c",
    "tests/hostile/OLE/floods_stdout.c",
    "tests/hostile/TLE/closes_all_and_sleeps.c",
];

/// A run of `grade` with a report. It can be killed and resumed.
struct Run {
    report: PathBuf,
    temporary: PathBuf,
}

/// Returns whether the result in `line` meets two conditions: the program exceeded its CPU time limit, and its wall
/// time was more than twice its CPU time. Such a program had to wait for long.
fn has_waited(line: &str) -> bool {
    let line: Value = serde_json::from_str(line).expect("it is JSON");
    let seconds = |field: &str| line[field].as_f64().unwrap_or_default();
    let message = line["message"].as_str().unwrap_or_default();
    message.starts_with("more CPU time than the limit") && seconds("wall_seconds") > 2.0 * seconds("cpu_seconds")
}

/// Removes the exit code and the signal of an OLE result. They differ between runs: either the program ends by itself
/// after its pipes are closed, or the judge kills it first.
fn without_races(mut line: Value) -> Value {
    if line["verdict"] == "OLE" {
        line["exit_code"].take();
        line["signal"].take();
    }
    line
}

impl Run {
    fn in_folder(folder: &Path) -> Run {
        let temporary = folder.join("temporary");
        fs::create_dir_all(&temporary).unwrap();
        Run { report: folder.join("report.jsonl"), temporary }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
        command.args(["grade", SUM]).args(PROGRAMS).args(["--all-cases", "--time-limit", "0.4", "--no-cache"]);
        command.arg("--json").arg(&self.report).arg("--resume").arg(&self.report);
        command.env("TMPDIR", &self.temporary).env("XDG_CONFIG_HOME", settings().join("config"));
        command.env("XDG_CACHE_HOME", settings().join("cache")).current_dir(env!("CARGO_MANIFEST_DIR"));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn kill_after(&self, moment: Duration) {
        let mut child = self.command().spawn().expect("referee starts");
        std::thread::sleep(moment);
        let _ = kill_process(Pid::from_child(&child), Signal::KILL);
        child.wait().expect("referee can be waited for");
    }

    fn finish(&self) -> Vec<Value> {
        let code = self.command().status().expect("referee starts").code();
        assert_eq!(code, Some(1), "the run must finish, with rejected submissions");
        let text = fs::read_to_string(&self.report).expect("the report is there");
        let lines = text.lines().map(|line| serde_json::from_str(line).expect("it is JSON"));
        without_measurements(lines.map(without_races).collect())
    }

    /// Returns the lines of the results in the partial report, or in the complete report if there is no partial one.
    /// The times in these lines are exact to the nanosecond, so equal lines come from the same measurement.
    fn results(&self) -> Vec<String> {
        let part = self.report.with_extension("jsonl.part");
        let text = fs::read_to_string(part).or_else(|_| fs::read_to_string(&self.report)).unwrap_or_default();
        let whole = text.lines().filter(|line| line.starts_with("{\"type\":\"case_finished\"") && line.ends_with('}'));
        whole.map(str::to_owned).collect()
    }

    /// Returns the number of results in the partial report of a killed run; 0 if there is no partial report.
    fn result_count(&self) -> usize {
        if self.report.with_extension("jsonl.part").exists() { self.results().len() } else { 0 }
    }
}

/// Kills and resumes a run this many times, then lets it finish and checks what is left behind.
fn killed_and_resumed(kills: u32) {
    needs!("gcc");
    let (folder, undisturbed) = (temporary_folder(), temporary_folder());
    let mounts_before = mounts();
    let began = Instant::now();
    let wanted = Run::in_folder(undisturbed.path()).finish();
    let whole_run = began.elapsed();
    let run = Run::in_folder(folder.path());
    // The judge is killed at pseudorandom times, none later than the duration of the undisturbed run. The generator is
    // that of Numerical Recipes.
    let mut random = 20_260_722_u32;
    let (mut count, mut most) = (0, 0);
    for _ in 0..kills {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        run.kill_after(whole_run.mul_f64(f64::from(random >> 16) / f64::from(1 << 16)));
        if run.report.exists() {
            // The run finished before it was killed.
            fs::remove_file(&run.report).unwrap();
            count = 0;
            continue;
        }
        assert!(run.result_count() >= count, "the report lost results: {} of {count} are left", run.result_count());
        count = run.result_count();
        most = most.max(count);
    }
    assert!(most > 0, "no kill came while the run had results");
    let before = run.results();
    let found = run.finish();
    let after = run.results();
    // On a busy machine, a program may wait longer than it computes. The judge measures such a run again on purpose, so
    // its earlier result may be missing.
    let lost: Vec<_> = before.iter().filter(|time| !after.contains(time) && !has_waited(time)).collect();
    assert_eq!(lost, Vec::<&String>::new(), "the resumed run measured these results again");
    for (found, wanted) in found.iter().zip(&wanted) {
        assert_eq!(found, wanted);
    }
    assert_eq!(found.len(), wanted.len());
    assert_eq!(names_in(&run.temporary), Vec::<String>::new());
    assert_eq!(names_in(folder.path()), ["report.jsonl", "temporary"]);
    assert_eq!(processes_below(&run.temporary), Vec::<String>::new());
    assert_eq!(helpers_left(), Vec::<String>::new());
    assert_eq!(groups_left(), Vec::<String>::new());
    assert_eq!(mounts(), mounts_before);
}

#[test]
#[ignore = "takes ten seconds: many kills"]
fn a_judge_that_is_killed_again_and_again_leaves_nothing_and_goes_on_where_it_was() {
    killed_and_resumed(6);
}

#[test]
#[ignore = "takes four minutes: 100 kills"]
fn a_judge_that_is_killed_a_hundred_times_leaves_nothing_and_goes_on_where_it_was() {
    killed_and_resumed(100);
}

#[test]
fn what_is_taken_over_is_what_nothing_was_changed_of_since() {
    needs!("python3");
    let folder = temporary_folder();
    let report = folder.path().join("report.jsonl");
    let grade = |programs: &[&Path]| {
        let mut command = referee(["grade", SUM, "--no-cache"]);
        command.args(programs).arg("--json").arg(&report).arg("--resume").arg(&report);
        command.output().expect("referee starts");
        let text = fs::read_to_string(&report).expect("the report is there");
        text.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect::<Vec<Value>>()
    };
    let wall = |lines: &[Value], submission: &Path| -> Vec<Value> {
        let name = submission.display().to_string();
        let of_it = of_type(lines, "case_finished").into_iter().filter(|line| line["submission"] == name.as_str());
        of_it.map(|line| line["wall_seconds"].clone()).collect()
    };
    let one = write(folder.path(), "one.py", "print(sum(map(int, input().split())))\n");
    let two = write(folder.path(), "two.py", "a, b = map(int, input().split())\nprint(a + b)\n");
    let first = grade(&[&one, &two]);
    // If a result has the same time in both runs, to the nanosecond, the judge did not measure it again.
    let again = grade(&[&one, &two]);
    assert_eq!(wall(&first, &one), wall(&again, &one));
    write(folder.path(), "two.py", "a, b = map(int, input().split())\nprint(b + a)\n");
    let changed = grade(&[&one, &two]);
    assert_eq!(wall(&first, &one), wall(&changed, &one));
    assert_ne!(wall(&first, &two), wall(&changed, &two));
    assert!(
        of_type(&changed, "case_finished").iter().all(|line| line["key"].as_str().is_some_and(|key| key.len() == 32))
    );
}

#[test]
fn a_report_that_is_not_there_yet_is_nothing_to_go_on_from_and_no_error() {
    needs!("python3");
    let folder = temporary_folder();
    let right = write(folder.path(), "right.py", "print(sum(map(int, input().split())))\n");
    let report = folder.path().join("none.jsonl");
    let mut command = referee(["grade", SUM]);
    command
        .arg(right)
        .arg("--resume")
        .arg(&report)
        .assert()
        .code(0)
        .stderr(predicates::str::contains("nothing to resume"));
    fs::write(&report, "no report\n").unwrap();
    let mut command = referee(["grade", SUM, "--resume"]);
    command.arg(&report).assert().code(2).stderr(predicates::str::contains("none.jsonl:1:2: expected"));
}

#[test]
fn a_run_that_is_interrupted_before_it_has_caught_up_spoils_nothing() {
    needs!("gcc");
    let folder = temporary_folder();
    let run = Run::in_folder(folder.path());
    while run.result_count() < 6 {
        run.kill_after(Duration::from_millis(2500));
        assert!(!run.report.exists(), "six programs take longer");
    }
    let results = run.results();
    // The resumed run is interrupted before its new report contains the old results.
    let mut child = run.command().arg("tests/hostile/TLE/sleeps.c").spawn().expect("referee starts");
    wait_until("it can be interrupted", || is_interruptible_and_sleeps(&child));
    kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
    assert_eq!(child.wait().expect("it can be waited for").code(), Some(130));
    let left = run.results();
    assert!(results.iter().all(|result| left.contains(result)), "{} of {}", left.len(), results.len());
}

/// Proving the answers of coins takes seconds.
#[test]
fn a_verification_that_is_interrupted_finds_no_fault_in_the_package() {
    let folder = temporary_folder();
    let (report, part) = (folder.path().join("report.jsonl"), folder.path().join("report.jsonl.part"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.args(["verify", "cases/coins", "--only", "format,proof", "--json"]).arg(&report);
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("TMPDIR", folder.path()).stdout(Stdio::null());
    let mut child = command.spawn().expect("referee starts");
    let lines = || fs::read_to_string(&part).unwrap_or_default();
    wait_until("the checks begin", || lines().contains("verify_started"));
    kill_process(Pid::from_child(&child), Signal::TERM).expect("referee runs");
    assert_eq!(child.wait().expect("it can be waited for").code(), Some(130));
    assert!(!report.exists());
    assert!(!lines().contains("cannot be read") && !lines().contains("verify_finished"), "{}", lines());
}

/// A cluster that stops a job sends SIGTERM to its processes one after the other, so a program or compiler may get it
/// first. The shell script ends like a program in Java: it handles the signal, and its exit code says so.
#[test]
fn a_program_that_is_stopped_just_before_the_judge_has_no_verdict() {
    needs!("gcc", "g++");
    let folder = temporary_folder();
    for (name, text) in [
        ("sleeps.c", "#include <unistd.h>\nint main(void) { sleep(60); }\n"),
        ("compiles.cpp", "#include <bits/stdc++.h>\nint main() {}\n"),
        ("handles.sh", "trap 'exit 143' TERM\nwhile :; do :; done\n"),
    ] {
        let run = Run::in_folder(&folder.path().join(format!("of-{name}")));
        let program = write(folder.path(), name, text);
        let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
        command.args(["grade", SUM, "--time-limit", "60", "--no-cache", "--json"]).arg(&run.report).arg(program);
        command.current_dir(env!("CARGO_MANIFEST_DIR")).env("TMPDIR", &run.temporary).stdout(Stdio::null());
        let mut child = command.spawn().expect("referee starts");
        let is_program = |id: &String| {
            let read = |file: &str| fs::read_to_string(format!("/proc/{id}/{file}")).unwrap_or_default();
            let words = read("cmdline");
            let is_script = words.ends_with("/handles.sh\0") && catches(Signal::TERM, &read("status"));
            words.contains("/cc1plus\0") || words.ends_with("/program.out\0") || is_script
        };
        let programs = || processes_below(&run.temporary).into_iter().filter(is_program).collect::<Vec<_>>();
        wait_until("the program runs", || !programs().is_empty());
        for program in programs() {
            let id = Pid::from_raw(program.parse().expect("a number")).expect("a process");
            kill_process(id, Signal::TERM).expect("the program runs");
        }
        std::thread::sleep(Duration::from_millis(20));
        kill_process(Pid::from_child(&child), Signal::TERM).expect("referee runs");
        assert_eq!(child.wait().expect("it can be waited for").code(), Some(130), "{name}");
        let report =
            fs::read_to_string(&run.report).or_else(|_| fs::read_to_string(run.report.with_extension("jsonl.part")));
        assert!(!report.unwrap_or_default().contains("case_finished"), "{name}");
    }
}

#[test]
fn a_report_of_another_package_is_nothing_to_go_on_from() {
    let folder = temporary_folder();
    let report = folder.path().join("report.jsonl");
    let mut first = referee(["grade", SUM, "tests/hostile/WA/says_nothing.c", "--json"]);
    first.arg(&report).assert().code(1);
    let mut second = referee(["grade", "tests/packages/judged/tokens", "tests/hostile/WA/says_nothing.c", "--resume"]);
    second
        .arg(&report)
        .assert()
        .code(2)
        .stderr(predicates::str::contains("this is a report on the package sum, expected: tokens"));
}

#[test]
fn two_runs_do_not_write_the_same_report_at_the_same_time() {
    needs!("gcc");
    let folder = temporary_folder();
    let run = Run::in_folder(folder.path());
    let mut child = run.command().spawn().expect("referee starts");
    let part = run.report.with_extension("jsonl.part");
    for _ in 0..2000 {
        if part.exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut other = referee(["grade", SUM, "tests/hostile/WA/says_nothing.c", "--json"]);
    other
        .arg(&run.report)
        .assert()
        .code(2)
        .stderr(predicates::str::contains("another run is writing its partial report"));
    child.kill().expect("it runs");
    child.wait().expect("it can be waited for");
}
