//! Tests of interactive and multi-pass problems that tests/packages cannot express: verdicts under load, reports,
//! machines without namespaces, measured time limits.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use predicates::str::{contains, is_match};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

use super::support::command::{json, of_type, referee, settings, write};
use super::support::files;
use super::support::program::temporary_folder;

const TALKS: &str = "tests/packages/judged/talks";

/// Submissions, each with its verdict. They may end before the validator has read anything, or after the validator has
/// ended.
const TRICKY: [(&str, &str); 6] = [
    ("wrong_answer/wrong_then_exit_1.sh", "WA"),
    ("wrong_answer/wrong_then_crashes.sh", "WA"),
    ("wrong_answer/wrong_then_dies_of_the_end.sh", "WA"),
    ("run_time_error/exit_1_without_a_word.sh", "RTE"),
    ("run_time_error/right_then_exit_1.sh", "RTE"),
    ("accepted/search.sh", "AC"),
];

/// Creates an interactive package with the submissions [`TRICKY`] and with this number of equal test cases.
fn tricky(cases: usize) -> TempDir {
    let folder = temporary_folder();
    let from = files::in_repository(TALKS);
    let copy = |name: &str| {
        let target = folder.path().join(name);
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(from.join(name), target).unwrap();
    };
    copy("problem.yaml");
    copy("output_validator/validate.py");
    for (name, _) in TRICKY {
        copy(&format!("submissions/{name}"));
    }
    let data = folder.path().join("data/secret");
    fs::create_dir_all(&data).unwrap();
    for case in 0..cases {
        fs::write(data.join(format!("{case:03}.in")), "73\n").unwrap();
        fs::write(data.join(format!("{case:03}.ans")), "").unwrap();
    }
    folder
}

/// Processes that keep every core busy until this value is dropped.
struct Load(Vec<Child>);

impl Load {
    fn of(processes: usize) -> Load {
        let busy = || Command::new("sh").args(["-c", "while :; do :; done"]).spawn().expect("a shell starts");
        Load((0..processes).map(|_| busy()).collect())
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Judges the package on a busy machine. The test stops and continues the judge repeatedly, so that the judge observes
/// events late. Returns the verdicts of each submission over all cases.
fn verdicts_of_a_sleepy_judge(package: &Path) -> Vec<(String, BTreeSet<String>)> {
    let _load = Load::of(4);
    let mut child = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["grade", &package.to_string_lossy(), "--time-limit", "60", "-j", "2", "--json", "-"])
        .env("XDG_CACHE_HOME", settings().join("cache"))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("referee starts");
    let mut out = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        out.read_to_string(&mut text).map(|_| text)
    });
    while child.try_wait().unwrap().is_none() {
        let id = Pid::from_child(&child);
        for signal in [Signal::STOP, Signal::CONT] {
            let _ = kill_process(id, signal);
            std::thread::sleep(Duration::from_millis(15));
        }
    }
    let text = reader.join().unwrap().unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let cases = of_type(&lines, "case_finished");
    TRICKY
        .iter()
        .map(|(name, _)| {
            let own = cases.iter().filter(|case| case["submission"] == *name);
            ((*name).to_owned(), own.map(|case| case["verdict"].as_str().unwrap().to_owned()).collect())
        })
        .collect()
}

fn the_verdict_is_one_and_right(cases: usize) {
    needs!("python3");
    let wanted: Vec<_> =
        TRICKY.iter().map(|(name, verdict)| ((*name).to_owned(), BTreeSet::from([(*verdict).to_owned()]))).collect();
    assert_eq!(verdicts_of_a_sleepy_judge(tricky(cases).path()), wanted);
}

#[test]
fn whoever_is_gone_first_the_verdict_is_the_same_on_a_busy_machine_with_a_judge_that_looks_late() {
    the_verdict_is_one_and_right(10);
}

#[test]
#[ignore = "takes a minute: 300 interactive runs of each submission"]
fn the_verdict_is_the_same_three_hundred_times() {
    the_verdict_is_one_and_right(300);
}

#[test]
fn what_was_said_last_is_shown_with_its_time_and_direction() {
    needs!("python3");
    let program = format!("{TALKS}/submissions/wrong_answer/one_more_line.sh");
    referee(["grade", TALKS, &program])
        .assert()
        .code(1)
        .stdout(contains("more after the right guess"))
        .stdout(contains("last messages"))
        .stdout(is_match(r"(?m)^ +\d+\.\d{3} s  submission > judge  50$").unwrap())
        .stdout(is_match(r"(?m)^ +\d+\.\d{3} s  judge > submission  higher$").unwrap())
        .stdout(is_match(r"(?m)^ +\d+\.\d{3} s  judge > submission  correct$").unwrap());
    let program = format!("{TALKS}/submissions/run_time_error/exit_1_without_a_word.sh");
    referee(["grade", TALKS, &program]).assert().code(1).stdout(contains("(no messages)"));
}

#[test]
fn who_floods_a_validator_that_reads_on_is_too_slow_and_the_judge_has_not_failed() {
    needs!("python3");
    let folder = temporary_folder();
    let package = folder.path().join("flooded");
    let problem = "problem_format_version: 2025-09\nname: Flooded\ntype: interactive\n\
                   uuid: 00000000-0000-4000-8000-000000000102\n\
                   limits:\n  time_limit: 20\n  output: 100\n  validation_time: 1\n";
    write(&package, "problem.yaml", problem);
    write(&package, "data/secret/1.in", "1\n");
    write(&package, "data/secret/1.ans", "");
    let reads = "import sys\nfor line in sys.stdin:\n    sum(range(3000))\nsys.exit(43)\n";
    write(&package, "output_validator/validate.py", reads);
    let program = write(folder.path(), "floods.sh", "yes\n");
    let mut command = referee(["grade", "--no-cache"]);
    command.arg(&package).arg(program);
    let (code, lines) = json(command);
    let case = of_type(&lines, "case_finished")[0];
    assert_eq!((code, case["verdict"].as_str()), (1, Some("TLE")), "{case}");
    let message = case["message"].as_str().unwrap_or_default();
    assert!(message.starts_with("the submission printed more than the output validator could read"), "{case}");
}

#[test]
fn passes_are_counted_and_a_failure_says_in_which_it_was() {
    needs!("python3");
    let package = "tests/packages/judged/talksinpasses";
    let (code, lines) = json(referee(["grade", package]));
    let cases = of_type(&lines, "case_finished");
    let of = |name: &str| cases.iter().find(|case| case["submission"].as_str().unwrap().ends_with(name)).unwrap();
    assert_eq!((code, &of("adds.sh")["passes"]), (0, &Value::from(3)));
    assert_eq!(of("in_the_first_pass.sh")["passes"], 1);
    let second = of("run_time_error/in_the_second_pass.sh");
    assert_eq!((&second["passes"], &second["message"]), (&Value::from(2), &Value::from("pass 2: exit code 1")));
    let (_, lines) = json(referee(["grade", TALKS, &format!("{TALKS}/submissions/accepted/search.sh")]));
    assert!(of_type(&lines, "case_finished")[0]["passes"].is_null(), "the problem has only one pass");
    let (code, lines) = json(referee(["grade", "tests/packages/judge-error/passes-without-end"]));
    let case = of_type(&lines, "case_finished")[0];
    assert_eq!((code, &case["passes"]), (3, &Value::from(2)), "the number of passes must not exceed the limit: {case}");
}

#[test]
fn the_slowest_pass_is_reported_and_not_their_sum() {
    needs!("python3");
    // The first two passes take about 0.3 s each, and the third takes almost no time. The limit of 0.6 s applies to
    // each pass, and not to their sum.
    let folder = temporary_folder();
    let first: u32 = fs::read_to_string(files::in_repository("tests/packages/judged/passes/data/secret/1.in"))
        .map(|text| text.trim().parse().unwrap())
        .unwrap();
    let burn = format!(
        "import time\nnumber = int(input())\nwhile number < {first} + 2 and time.process_time() < 0.3:\n    pass\n\
         print(number + 1)\n"
    );
    let program = folder.path().join("burns.py");
    fs::write(&program, burn).unwrap();
    let package = "tests/packages/judged/passes";
    let (code, lines) = json(referee(["grade", package, &program.to_string_lossy(), "--time-limit", "0.6"]));
    let case = of_type(&lines, "case_finished")[0];
    assert_eq!((code, &case["passes"]), (0, &Value::from(3)), "{case}");
    assert!((0.3..0.6).contains(&case["cpu_seconds"].as_f64().unwrap()), "{case}");
}

#[test]
fn without_namespaces_or_control_groups_verdicts_are_the_same() {
    needs!("python3");
    let package = tricky(1);
    for without in ["namespaces", "cgroups", "namespaces,cgroups"] {
        let mut command = referee(["grade", &package.path().to_string_lossy()]);
        // Without a private root, a program cannot run interpreters in folders that are closed to its user, so `PATH`
        // has only system folders.
        command.env("REFEREE_SANDBOX_WITHOUT", without).env("PATH", "/usr/local/bin:/usr/bin:/bin");
        let (code, lines) = json(command);
        let astray: Vec<_> =
            of_type(&lines, "submission_finished").into_iter().filter(|line| line["as_expected"] != true).collect();
        assert_eq!((code, astray), (0, Vec::new()), "{without}");
    }
}

#[test]
fn a_time_limit_is_measured_from_the_submissions_own_time_in_talks() {
    needs!("python3");
    let package = tricky(1);
    let yaml = fs::read_to_string(package.path().join("problem.yaml")).unwrap();
    fs::write(package.path().join("problem.yaml"), yaml.replace("  time_limit: 1\n", "")).unwrap();
    let (code, lines) = json(referee(["grade", &package.path().to_string_lossy()]));
    assert_eq!((code, &lines[0]["time_limit_seconds"]), (0, &Value::from(1.0)));
}
