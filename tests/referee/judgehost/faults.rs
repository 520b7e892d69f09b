//! Faults of the server and of the network, and judgehosts that are killed.

use std::io::{BufRead as _, BufReader};

use super::fake::{At, FAULTS, Fault};
use super::server::{Problem, Server, Submission};
use super::{Lab, RIGHT, double, one_of_each, start};

/// Lets `fault` happen at a request, starts the judgehost again if it was killed, and checks that each submission gets one
/// verdict. Returns `false` if there was no such request.
fn survives(fault: Fault, at: At, version: &'static str, submissions: fn() -> Vec<Submission>) -> bool {
    let lab = Lab::new(Server::new(version, vec![double()], submissions()));
    lab.fake.lock().fault = Some((at, fault));
    let ended = lab.spawn(&[]).wait().unwrap();
    let request = lab.fake.lock().faulty.clone();
    if matches!(fault, Fault::Kills | Fault::KillsAfterwards) && request.is_some() {
        assert!(!ended.success(), "{fault:?} at {at:?} of {version}");
        lab.judge(&[]);
    } else {
        assert!(ended.success(), "{fault:?} at {at:?} of {version}: {request:?}");
    }
    assert_eq!(lab.internal_errors(), Vec::<String>::new(), "{fault:?} at {at:?} of {version}: {request:?}");
    // The server forgets the tasks of an answer that never arrived, and no judgehost can know them: DOMjudge #2461.
    let is_lost_work =
        fault != Fault::Fails && fault != Fault::Kills && request.as_deref() == Some("POST judgehosts/fetch-work");
    assert_one_verdict_each(&lab, usize::from(is_lost_work), &format!("{fault:?} at {at:?} of {version}: {request:?}"));
    let left: Vec<_> = std::fs::read_dir(lab.temporary()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.is_empty(), "{fault:?} at {at:?} of {version}: {request:?}: {left:?} is left");
    request.is_some()
}

/// Checks that each submission has its verdict once, but for at most `most_lost` submissions without a verdict.
fn assert_one_verdict_each(lab: &Lab, most_lost: usize, when: &str) {
    let verdicts = lab.verdicts();
    for (index, (verdicts, expected)) in verdicts.iter().zip(EXPECTED).enumerate() {
        assert!(verdicts.is_empty() || *verdicts == [expected], "{when}: submission {index}: {verdicts:?}");
    }
    let lost = verdicts.iter().filter(|verdicts| verdicts.is_empty()).count();
    assert!(lost <= most_lost, "{when}: {lost} submissions have no verdict");
}

/// The verdicts of [`one_of_each`].
const EXPECTED: [&str; 3] = ["correct", "wrong-answer", "compiler-error"];

/// The first of [`one_of_each`].
fn right() -> Vec<Submission> {
    vec![Submission::new(0, "right.c", RIGHT)]
}

const FIRST_RESULT: At = At::First("POST judgehosts/add-judging-run");
const SOURCES: &str = "GET judgehosts/get_files/source";
const COMPILATION: &str = "PUT judgehosts/update-judging";

#[test]
fn a_result_whose_answer_is_lost_counts_once() {
    needs!("gcc");
    assert!(survives(Fault::LosesAnswer, FIRST_RESULT, "9.0.1", right));
}

#[test]
fn a_judgehost_that_is_killed_after_a_result_finishes_its_work_after_a_restart() {
    needs!("gcc");
    assert!(survives(Fault::KillsAfterwards, FIRST_RESULT, "9.0.1", right));
}

#[test]
fn a_judgehost_that_is_killed_before_a_result_sends_it_after_a_restart() {
    needs!("gcc");
    assert!(survives(Fault::Kills, FIRST_RESULT, "9.0.1", right));
}

#[test]
fn a_result_that_the_server_fails_to_store_is_sent_until_it_has_it() {
    needs!("gcc");
    for (version, hides_results) in [("9.0.1", false), ("9.0.1", true), ("8.2.3", false)] {
        let mut server = Server::new(version, vec![double()], right());
        // More failures than those after which the judgehost may assume that a result is stored.
        (server.failing_results, server.hides_results) = (4, hides_results);
        let lab = Lab::new(server);
        let events = lab.judge(&[]);
        assert_eq!(lab.verdicts(), [["correct"]], "{version}, {hides_results}");
        assert_eq!(lab.internal_errors(), Vec::<String>::new(), "{version}, {hides_results}");
        assert!(events.iter().all(|event| event["event"] != "assumed_stored"), "{version}, {hides_results}");
    }
}

#[test]
#[ignore = "takes more than a minute: ten attempts with growing pauses"]
fn a_result_that_the_server_never_stores_is_an_internal_error() {
    needs!("gcc");
    let mut server = Server::new("9.0.1", vec![double()], right());
    server.failing_results = u32::MAX;
    let lab = Lab::new(server);
    lab.judge(&[]);
    assert_eq!(lab.verdicts(), [Vec::<String>::new()]);
    let errors = lab.internal_errors();
    assert!(errors.len() == 1 && errors[0].contains("\"testcaseid\":\"1000\""), "{errors:?}");
}

#[test]
fn tasks_of_a_lost_answer_are_judged_if_the_server_gives_them_back() {
    needs!("gcc");
    for fault in [Fault::LosesAnswer, Fault::CutsAnswer, Fault::FailsAfterwards, Fault::KillsAfterwards] {
        let mut server = Server::new("10.0.0", vec![double()], right());
        server.gives_back = true;
        let lab = Lab::new(server);
        // The first request registers the judgehost, the second one asks for work.
        lab.fake.lock().fault = Some((At::Number(1), fault));
        lab.spawn(&[]).wait().unwrap();
        // Each start registers the judgehost. Without a kill, it has to register by itself.
        if fault == Fault::KillsAfterwards {
            lab.judge(&[]);
        }
        assert_eq!(lab.verdicts(), [["correct"]], "{fault:?}");
        assert_eq!(lab.internal_errors(), Vec::<String>::new(), "{fault:?}");
    }
}

#[test]
fn a_judgehost_without_work_ends_at_once_even_if_the_server_is_down() {
    let lab = Lab::new(Server::new("9.0.1", vec![], vec![]));
    let secret = lab.state.path().join("dead.secret");
    // No program listens on port 1.
    std::fs::write(&secret, "default http://127.0.0.1:1/api/v4 user aSecret\n").unwrap();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["judgehost", "--name", "judge-1", "--secret"])
        .arg(&secret)
        .arg("--state")
        .arg(lab.state.path().join("state"))
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // It has failed to register once, and waits.
    let mut said = BufReader::new(child.stderr.take().unwrap());
    said.read_line(&mut String::new()).unwrap();
    let id = rustix::process::Pid::from_raw(child.id() as i32).unwrap();
    rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    // It makes at most two further attempts: without the signal it would try for ever.
    let rest = said.lines().map_while(Result::ok).filter(|line| line.contains("registering failed")).count();
    assert!(rest <= 3, "{rest} further attempts");
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_server_that_fails_on_everything_for_a_while_loses_no_submission() {
    needs!("gcc");
    for asked in [SOURCES, "GET judgehosts/get_files/testcase", COMPILATION] {
        let lab = Lab::new(Server::new("9.0.1", vec![double()], right()));
        // More failures than those of one request after which a judgehost gives up, if the server answers others.
        lab.fake.lock().outage = Some((asked, 9));
        lab.judge(&[]);
        assert_eq!(lab.fake.lock().outage, None, "{asked} was asked");
        assert_eq!(lab.verdicts(), [["correct"]], "{asked}");
        assert_eq!(lab.internal_errors(), Vec::<String>::new(), "{asked}");
    }
}

#[test]
fn work_of_another_server_stays_in_the_journal() {
    needs!("gcc");
    let one = Lab::new(Server::new("9.0.1", vec![double()], right()));
    one.fake.lock().fault = Some((FIRST_RESULT, Fault::Kills));
    assert!(!one.spawn(&[]).wait().unwrap().success());
    let other = Lab::new(Server::new("9.0.1", vec![double()], right()));
    let refused = other.command_as("judge-1", &one.state.path().join("state"), &[]).assert().code(2);
    let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(said.contains(&one.fake.url) && said.contains(&other.fake.url) && said.contains("journal.jsonl"), "{said}");
    assert_eq!(other.fake.lock().requests, Vec::<String>::new(), "the other server hears nothing");
    one.judge(&[]);
    assert_eq!(one.verdicts(), [["correct"]]);
}

#[test]
fn a_fault_or_a_kill_while_a_request_and_other_work_overlap_loses_nothing() {
    needs!("gcc");
    for (fault, asked) in [
        (Fault::Kills, SOURCES),
        (Fault::LosesAnswer, SOURCES),
        // The first result is there before the second attempt, and must wait for it.
        (Fault::Fails, COMPILATION),
        (Fault::Kills, COMPILATION),
        (Fault::KillsAfterwards, COMPILATION),
        (Fault::LosesAnswer, COMPILATION),
    ] {
        assert!(survives(fault, At::First(asked), "9.0.1", right), "{asked} was asked");
    }
}

#[test]
fn a_second_signal_ends_a_judgehost_whose_server_hangs() {
    needs!("gcc");
    for (asked, has_work) in [("POST judgehosts/fetch-work", false), (SOURCES, true), (COMPILATION, true)] {
        let lab = Lab::new(Server::new("9.0.1", vec![double()], if has_work { right() } else { vec![] }));
        lab.fake.lock().fault = Some((At::First(asked), Fault::Hangs));
        let mut child = lab.spawn(&[]);
        let id = rustix::process::Pid::from_raw(child.id() as i32).unwrap();
        while lab.fake.lock().faulty.is_none() {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        // Without the second signal, the judgehost waits a minute for the answer.
        let begun = std::time::Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed().as_secs() < 40, "the judgehost still waits for an answer to {asked}");
            rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(300));
        }
        if has_work {
            lab.judge(&[]);
            assert_eq!(lab.verdicts(), [["correct"]], "{asked}");
        }
    }
}

#[test]
fn sources_that_cannot_be_used_are_an_internal_error() {
    let lab = Lab::new(Server::new("9.0.1", vec![double()], vec![Submission::new(0, "../right.c", RIGHT)]));
    lab.judge(&[]);
    let errors = lab.internal_errors();
    assert!(errors.len() == 1 && errors[0].contains("testcase") && errors[0].contains("sources"), "{errors:?}");
}

#[test]
fn a_limit_that_no_program_can_keep_is_an_internal_error_and_not_the_teams_fault() {
    needs!("gcc");
    for (problem, reason) in [
        (Problem { memory: 0, ..double() }, "run_config.memory_limit = 0 KiB or left it out, expected more than 0"),
        (Problem { time_limit: -1.0, ..double() }, "run_config.time_limit = -1 seconds, expected more than 0"),
    ] {
        let lab = Lab::new(Server::new("9.0.1", vec![problem], right()));
        lab.judge(&[]);
        assert_eq!(lab.verdicts(), [Vec::<String>::new()]);
        let errors = lab.internal_errors();
        assert!(
            errors.len() == 1 && errors[0].contains("\"testcaseid\":\"1000\"") && errors[0].contains(reason),
            "{errors:?}"
        );
    }
}

#[test]
#[ignore = "takes minutes: every fault at every request"]
fn no_fault_at_any_request_loses_or_doubles_a_verdict() {
    needs!("gcc");
    needs!("python3");
    for fault in FAULTS {
        for (version, submissions) in [("9.0.1", one_of_each as fn() -> _), ("8.2.3", right), ("10.0.0", right)] {
            let mut number = 0;
            while survives(fault, At::Number(number), version, submissions) {
                number += 1;
            }
            // Registration, work, configuration, sources, compilation, test case, result.
            assert!(number > 7, "{fault:?}, {version}: only {number} requests");
        }
    }
}

/// Kills the judgehost at times that do not depend on requests: during compilations, runs and writes of the journal.
#[test]
#[ignore = "takes a minute: dozens of kills"]
fn a_judgehost_that_is_killed_again_and_again_loses_and_doubles_no_verdict() {
    needs!("gcc");
    needs!("python3");
    let lab = Lab::new(Server::new("9.0.1", vec![double()], one_of_each()));
    for round in 0..40 {
        let mut child = lab.spawn(&[]);
        std::thread::sleep(std::time::Duration::from_millis(40 + 23 * round));
        let has_ended = child.try_wait().unwrap().is_some();
        let _ = child.kill();
        child.wait().unwrap();
        if has_ended {
            break;
        }
    }
    lab.judge(&[]);
    assert_eq!(lab.internal_errors(), Vec::<String>::new());
    // A kill between the server's answer to a question for work and the journal loses the tasks, as with every
    // judgehost: DOMjudge #2461.
    assert_one_verdict_each(&lab, 1, "many kills");
}

/// Judgehosts with state folders of their own share the cores, which judgehosts of one folder do not.
#[test]
#[ignore = "takes minutes: eight judgehosts on the cores of this machine"]
fn eight_judgehosts_that_share_the_cores_give_each_submission_one_right_verdict() {
    needs!("gcc");
    needs!("python3");
    let submissions: Vec<_> = (0..20).flat_map(|_| one_of_each()).collect();
    let expected: Vec<_> = (0..20).flat_map(|_| EXPECTED.map(|verdict| vec![verdict.to_owned()])).collect();
    let mut server = Server::new("9.0.1", vec![Problem { time_limit: 30.0, ..double() }], submissions);
    server.batch = 1;
    let lab = Lab::new(server);
    let states: Vec<_> = (0..8).map(|_| tempfile::tempdir().unwrap()).collect();
    let children: Vec<_> = states
        .iter()
        .enumerate()
        .map(|(index, state)| start(&lab.command_as(&format!("judge-{index}"), state.path(), &[])))
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(lab.verdicts(), expected);
    assert_eq!(lab.internal_errors(), Vec::<String>::new());
}
