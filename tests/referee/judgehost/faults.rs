//! Faults of the server and of the network, and judgehosts that are killed.

use super::fake::{FAULTS, Fault};
use super::server::{Server, Submission};
use super::{Lab, RIGHT, double, one_of_each};

/// Lets `fault` happen at the request with this number, starts the judgehost again if it was killed, and checks that each
/// submission gets one verdict. Returns `false` if there were fewer requests.
fn survives(fault: Fault, number: usize, submissions: fn() -> Vec<Submission>, expected: &[&str]) -> bool {
    let lab = Lab::new(Server::new("9.0.1", vec![double()], submissions()));
    lab.fake.lock().fault = Some((number, fault));
    let ended = lab.spawn(&[]).wait().unwrap();
    let request = lab.fake.lock().requests.get(number).cloned();
    if matches!(fault, Fault::Kills | Fault::KillsAfterwards) && request.is_some() {
        assert!(!ended.success(), "{fault:?} at {number}");
        lab.judge(&[]);
    } else {
        assert!(ended.success(), "{fault:?} at {number}: {request:?}");
    }
    assert_eq!(lab.internal_errors(), Vec::<String>::new(), "{fault:?} at {number}: {request:?}");
    let expected: Vec<_> = expected.iter().map(|word| vec![(*word).to_owned()]).collect();
    // The server forgets the tasks of an answer that never arrived, and no judgehost can know them: DOMjudge #2461.
    let is_lost_work =
        fault != Fault::Fails && fault != Fault::Kills && request.as_deref() == Some("POST judgehosts/fetch-work");
    if !is_lost_work {
        assert_eq!(lab.verdicts(), expected, "{fault:?} at {number}: {request:?}");
    }
    request.is_some()
}

fn right() -> Vec<Submission> {
    vec![Submission::new(0, "right.c", RIGHT)]
}

/// The number of the request with the first result: registering, asking for work, the configuration, the run script, the
/// compare script, the version, the version commands, the versions, the sources, the compilation, the test case.
const FIRST_RESULT: usize = 11;

#[test]
fn a_result_whose_answer_is_lost_counts_once() {
    needs!("gcc");
    assert!(survives(Fault::LosesAnswer, FIRST_RESULT, right, &["correct"]));
}

#[test]
fn a_judgehost_that_is_killed_after_a_result_finishes_its_work_after_a_restart() {
    needs!("gcc");
    assert!(survives(Fault::KillsAfterwards, FIRST_RESULT, right, &["correct"]));
}

#[test]
fn a_judgehost_that_is_killed_before_a_result_sends_it_after_a_restart() {
    needs!("gcc");
    assert!(survives(Fault::Kills, FIRST_RESULT, right, &["correct"]));
}

#[test]
#[ignore = "takes minutes: every fault at every request"]
fn no_fault_at_any_request_loses_or_doubles_a_verdict() {
    needs!("gcc");
    needs!("python3");
    for fault in FAULTS {
        let mut number = 0;
        while survives(fault, number, one_of_each, &["correct", "wrong-answer", "compiler-error"]) {
            number += 1;
        }
        assert!(number > FIRST_RESULT, "{fault:?}: only {number} requests");
    }
}
