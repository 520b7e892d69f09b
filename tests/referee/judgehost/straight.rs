//! Judging without faults.

use predicates::str::contains;

use super::super::support::poll::wait_until;
use super::fake::text;
use super::server::{Problem, Server, Submission};
use super::{Lab, RIGHT, VERSIONS, double, one_of_each};

#[test]
fn each_version_of_the_server_gets_one_verdict_for_each_submission() {
    needs!("gcc");
    needs!("python3");
    for version in VERSIONS {
        let lab = Lab::new(Server::new(version, vec![double()], one_of_each()));
        let events = lab.judge(&[]);
        assert_eq!(lab.verdicts(), [["correct"], ["wrong-answer"], ["compiler-error"]], "{version}");
        assert_eq!(lab.internal_errors(), Vec::<String>::new(), "{version}");
        let shared = lab.fake.lock();
        let wrong = &shared.server.submissions[1];
        assert_eq!(wrong.results.keys().collect::<Vec<_>>(), [&0, &1], "{version}: the third case cannot change it");
        assert!(shared.server.submissions[2].compile_output.contains("undeclared"), "{version}");
        let right = &shared.server.submissions[0].results[&2];
        assert_eq!((text(right, "output_run").as_str(), right["testcasedir"].as_str()), ("100\n", "testcase1002"));
        assert!(right["runtime"].parse::<f64>().is_ok_and(|seconds| seconds < 5.0), "{version}");
        assert!(text(right, "metadata").contains("\nexitcode: 0\n"), "{version}: {}", text(right, "metadata"));
        let versions: Vec<_> = shared.server.reported_versions.iter().map(|form| text(form, "compiler")).collect();
        assert_eq!(versions, if version == "8.2.3" { vec![] } else { vec!["compiler 1.0"; 3] });
        assert_eq!(events.first().map(|event| event["event"].clone()), Some("registered".into()));
        assert_eq!(events.last().map(|event| event["event"].clone()), Some("ended".into()));
    }
}

#[test]
fn each_way_to_fail_has_its_word() {
    needs!("python3");
    let problem = Problem { memory: 64, ..Problem::equal(&[("1\n", "2\n")]) };
    let programs = [
        ("pass", "no-output"),
        ("print(3)", "wrong-answer"),
        ("while True: pass", "timelimit"),
        ("import time; time.sleep(1.5); print(2)", "timelimit"),
        ("print(2); raise SystemExit(1)", "run-error"),
        ("print('x' * 2000000)", "output-limit"),
        ("x = bytearray(1 << 30); print(2)", "run-error"),
        ("with open('f', 'w') as f: f.write('2')\nprint(open('f').read())", "run-error"),
    ];
    let submissions = programs.iter().map(|(program, _)| Submission::new(0, "program.py", program)).collect::<Vec<_>>();
    let lab = Lab::new(Server::new("9.0.1", vec![problem], submissions));
    lab.judge(&[]);
    let expected: Vec<_> = programs.iter().map(|(_, word)| vec![(*word).to_owned()]).collect();
    assert_eq!(lab.verdicts(), expected);
}

#[test]
fn the_memory_limit_has_a_verdict_of_its_own_if_the_user_wants_it() {
    needs!("gcc");
    let hog = "#include <stdlib.h>\n#include <string.h>\nint main(void){for(;;)memset(malloc(1<<20),1,1<<20);}\n";
    let problem = Problem { memory: 64, ..double() };
    let lab = Lab::new(Server::new("9.0.1", vec![problem], vec![Submission::new(0, "hog.c", hog)]));
    lab.judge(&["--memory-limit-verdict"]);
    assert_eq!(lab.verdicts(), [["memory-limit"]]);
}

#[test]
fn a_submission_has_at_most_as_many_threads_as_the_server_says_and_stays_on_its_core() {
    needs!("gcc");
    needs!("python3");
    let threads = |number| {
        format!(
            "import threading\nmay_end = threading.Event()\n\
             for _ in range({number}): threading.Thread(target=may_end.wait, daemon=True).start()\n\
             may_end.set()\nprint(2)"
        )
    };
    let leaving = "#define _GNU_SOURCE\n#include <sched.h>\n#include <stdio.h>\n#include <string.h>\nint main(void){\
                   cpu_set_t cores;memset(&cores,255,sizeof cores);int failed=sched_setaffinity(0,sizeof cores,&cores);\
                   sched_getaffinity(0,sizeof cores,&cores);printf(\"%d\\n\",failed+1+CPU_COUNT(&cores));}\n";
    let submissions = vec![
        Submission::new(0, "program.py", &threads(40)),
        Submission::new(0, "program.py", &threads(100)),
        Submission::new(0, "leaving.c", leaving),
    ];
    let problem = Problem::equal(&[("1\n", "2\n")]);
    let lab = Lab::new(Server::new("9.0.1", vec![problem], submissions));
    lab.judge(&[]);
    assert_eq!(lab.verdicts(), [["correct"], ["run-error"], ["correct"]]);
}

#[test]
fn tasks_that_cannot_be_done_are_reported() {
    for (task, words) in [
        (serde_json::json!({"type": "make_coffee", "judgetaskid": 7, "submitid": "3"}), "make_coffee"),
        (serde_json::json!({"type": "judging_run", "submitid": "3"}), "without an id"),
    ] {
        let mut server = Server::new("9.0.1", vec![], vec![]);
        server.first_answers.push(serde_json::json!([task]));
        let events = Lab::new(server).judge(&[]);
        let dropped = events.iter().find(|event| event["event"] == "dropped").expect("an event reports the task");
        assert!(
            dropped["submission"] == "3" && dropped["reason"].as_str().is_some_and(|text| text.contains(words)),
            "{dropped}"
        );
    }
}

#[test]
fn duplicate_and_reordered_tasks_and_try_again_change_no_verdict() {
    needs!("gcc");
    needs!("python3");
    let mut server = Server::new("9.0.1", vec![double()], one_of_each());
    server.is_disorderly = true;
    server.first_answers.push(serde_json::json!([{"type": "try_again"}]));
    let lab = Lab::new(server);
    let events = lab.judge(&[]);
    assert_eq!(lab.verdicts(), [["correct"], ["wrong-answer"], ["compiler-error"]]);
    assert_eq!(lab.internal_errors(), Vec::<String>::new());
    let judged = events.iter().filter(|event| event["event"] == "case_judged");
    let mut judged: Vec<_> = judged.map(|event| event["task"].as_str()).collect();
    let count = judged.len();
    judged.sort_unstable();
    judged.dedup();
    assert_eq!(judged.len(), count, "no task is judged twice");
    assert!(count >= 4, "{count}");
}

#[test]
fn scripts_and_test_cases_are_fetched_ahead_and_unknown_tasks_are_ignored() {
    let mut server = Server::new("9.0.1", vec![double()], vec![]);
    let task = serde_json::json!({
        "type": "prefetch", "judgetaskid": 7, "compare_script_id": "20", "testcase_id": "1001", "run_script_id": null
    });
    server.first_answers.push(serde_json::json!([task]));
    server.first_answers.push(serde_json::json!([{"type": "unheard_of", "judgetaskid": 8, "jobid": "1"}]));
    let lab = Lab::new(server);
    lab.judge(&[]);
    let shared = lab.fake.lock();
    let fetched: Vec<_> = shared.requests.iter().filter(|request| request.contains("get_files")).collect();
    assert_eq!(fetched, ["GET judgehosts/get_files/compare/20", "GET judgehosts/get_files/testcase/1001"]);
    assert_eq!(shared.server.internal_errors.len(), 0);
}

#[test]
fn the_jury_gets_the_whole_output_of_a_test_case() {
    needs!("python3");
    let mut server = Server::new("9.0.1", vec![double()], vec![]);
    server.submissions.push(Submission::new(0, "long.py", "print('x' * 100000)"));
    let task = serde_json::json!({"type": "debug_info", "judgetaskid": 9, "jobid": "100", "testcase_id": "1000"});
    let old = serde_json::json!({"type": "debug_info", "judgetaskid": 10, "jobid": "5", "testcase_id": "1000"});
    server.last_answer = Some(serde_json::json!([task, old]));
    let lab = Lab::new(server);
    let events = lab.judge(&[]);
    let shared = lab.fake.lock();
    assert_eq!(text(&shared.server.submissions[0].results[&0], "output_run").len(), 60000);
    assert_eq!(text(&shared.server.debug_info["9"], "output_run").len(), 100_001);
    assert_eq!(shared.server.debug_info.len(), 1);
    let dropped = events.iter().find(|event| event["event"] == "dropped").expect("the other judging is unknown");
    assert!(
        dropped["reason"].as_str().is_some_and(|reason| reason.contains("the judging 5 is not among")),
        "{dropped}"
    );
}

#[test]
fn the_jury_gets_a_debug_package_made_by_the_script_of_the_server() {
    needs!("python3");
    let mut server = Server::new("9.0.1", vec![double()], vec![]);
    let program = "print(2 * int(input()))\n";
    server.submissions.push(Submission::new(0, "a.py", program));
    let task = serde_json::json!({"type": "debug_info", "judgetaskid": 9, "jobid": "100", "run_script_id": "9"});
    server.last_answer = Some(serde_json::json!([task]));
    let lab = Lab::new(server);
    lab.judge(&[]);
    let shared = lab.fake.lock();
    let package = text(&shared.server.debug_info["9"], "full_debug");
    // The script of the test server writes the sources and the outputs with the names of their files.
    for part in ["compile/a.py <==", program, "testcase1000/program.out <==", "\n6\n", "\n100\n"] {
        assert!(package.contains(part), "{part}: {package}");
    }
}

#[test]
fn a_signal_lets_the_judgehost_finish_its_work() {
    needs!("python3");
    let slow = "import time; time.sleep(0.5); print(2 * int(input()))";
    let lab = Lab::new(Server::new("9.0.1", vec![double()], vec![Submission::new(0, "slow.py", slow)]));
    let mut child = lab.spawn(&[]);
    wait_until("the submission compiles", || lab.fake.lock().server.submissions[0].compiles.is_some());
    let id = rustix::process::Pid::from_raw(child.id() as i32).unwrap();
    rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(lab.verdicts(), [["correct"]]);
}

#[test]
fn two_judgehosts_share_neither_a_name_nor_a_core() {
    needs!("python3");
    let slow = "import time; time.sleep(0.8); print(2 * int(input()))";
    let lab = Lab::new(Server::new("9.0.1", vec![double()], vec![Submission::new(0, "slow.py", slow)]));
    let core = first_core();
    let mut child = lab.spawn(&["--core", &core]);
    wait_until("the submission compiles", || lab.fake.lock().server.submissions[0].compiles.is_some());
    let other = lab.run(&["--core", &core]);
    let said = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(said.contains(&format!("another judgehost uses core {core}")), "{said}");
    assert_eq!(other.status.code(), Some(2));
    let other = lab.run(&[]);
    let said = String::from_utf8_lossy(&other.stderr).into_owned();
    let is_alone = said.contains("other judgehosts use all 1 cores");
    assert!(said.contains("another judgehost with this name runs") || is_alone, "{said}");
    assert!(child.wait().unwrap().success());
    assert_eq!(lab.verdicts(), [["correct"]]);
}

#[test]
fn submissions_run_on_the_core_of_the_judgehost() {
    needs!("python3");
    let core = first_core();
    let program =
        "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('Cpus_allowed_list')))";
    let problem = Problem { time_limit: 10.0, ..Problem::equal(&[("", &format!("{core}\n"))]) };
    let lab = Lab::new(Server::new("9.0.1", vec![problem], vec![Submission::new(0, "cores.py", program)]));
    lab.judge(&["--core", &core]);
    assert_eq!(lab.verdicts(), [["correct"]]);
}

/// Returns the number of the first core that this process may use.
fn first_core() -> String {
    let allowed = rustix::thread::sched_getaffinity(None).unwrap();
    (0..rustix::thread::CpuSet::MAX_CPU).find(|&core| allowed.is_set(core)).unwrap().to_string()
}

#[test]
fn wrong_credentials_end_the_judgehost() {
    let lab = Lab::new(Server::new("9.0.1", vec![], vec![]));
    let mut command = super::referee(["judgehost", "--url", &lab.fake.url]);
    command.arg("--state").arg(lab.state.path().join("state"));
    command.env("REFEREE_JUDGEHOST_USER", "judgehost").env("REFEREE_JUDGEHOST_PASSWORD", "aWrongOne");
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("does not accept the user and the password") && !said.contains("aWrongOne"), "{said}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_submission_in_several_files_starts_with_the_first() {
    needs!("python3");
    let mut submission = Submission::new(0, "main.py", "from other import double\nprint(double(int(input())))\n");
    submission.files.push(("other.py".to_owned(), "def double(n):\n    return 2 * n\n".to_owned()));
    let lab = Lab::new(Server::new("9.0.1", vec![double()], vec![submission, Submission::new(0, "a.c", RIGHT)]));
    lab.judge(&[]);
    assert_eq!(lab.verdicts(), [["correct"], ["correct"]]);
}

#[test]
fn a_full_log_leads_to_a_warning_and_ends_nothing() {
    let lab = Lab::new(Server::new("9.0.1", vec![], vec![]));
    let log = |path: &str| lab.command(&["--json", path]).assert();
    log("/dev/full").code(0).stderr(contains("an event is lost: No space left on device"));
    log("/dev/null").code(0).stdout("");
}
