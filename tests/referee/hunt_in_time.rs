//! `referee hunt --seconds`: the whole command ends within that time, even if its programs sleep or crash.

use std::time::{Duration, Instant};

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use super::support::command::{json, of_type, referee, write};
use super::support::program::temporary_folder;

/// The time of a whole hunt, in seconds. It suffices for the builds before the search, even on a busy machine.
const SECONDS: u64 = 15;

/// The additional time for the start and the cleanup of the judge, while other tests use all cores. The hunt must end
/// within [`SECONDS`] plus this time. A hunt that waited for a single try of the sleeping program would take more than
/// 90 s.
const SLACK: Duration = Duration::from_secs(30);

#[test]
fn a_hunt_ends_in_its_time_and_a_program_that_is_stopped_then_gets_no_verdict() {
    let folder = temporary_folder();
    let program = write(folder.path(), "loop.py", "import time\nwhile True: time.sleep(1)\n");
    let hunt = |jobs: &str| {
        // The program sleeps, so one try would take the wall limit, about three times the time limit of 30 s.
        let mut command = referee(["hunt", "coins", "--time-limit", "30", "-j", jobs]);
        command.args(["--seconds", &SECONDS.to_string()]).arg(&program);
        let began = Instant::now();
        let (code, lines) = json(command);
        assert!(began.elapsed() < Duration::from_secs(SECONDS) + SLACK, "{:?}", began.elapsed());
        let finished = &of_type(&lines, "hunt_finished")[0];
        assert_eq!((code, &finished["found"], &finished["kind"]), (0, &Value::Bool(false), &Value::Null));
        assert_eq!((&finished["undone"], &finished["tried"]), (&Value::from("searching"), &Value::from(0)));
        assert_eq!(finished["interrupted"], false);
        assert!(finished["remarks"].to_string().contains("the time of the hunt ended during the run"), "{finished}");
    };
    // The hunts only wait, so they run at the same time.
    std::thread::scope(|scope| {
        scope.spawn(|| hunt("1"));
        scope.spawn(|| hunt("2"));
    });
}

#[test]
fn shrinking_has_what_the_search_leaves_of_the_time() {
    let folder = temporary_folder();
    // The program crashes on boards with many black fields. Shrinking tries many smaller boards, and each of them takes
    // at least half a second.
    let text = "import sys, time\ntime.sleep(0.5)\nif sys.stdin.read().count('b') > 4: sys.exit(3)\nprint('x')\n";
    let program = write(folder.path(), "slow.py", text);
    let mut command = referee(["hunt", "flipgame", "--for", "rte", "--seconds", "12", "-j", "1"]);
    command.arg(&program);
    let began = Instant::now();
    let (code, lines) = json(command);
    assert!(began.elapsed() < Duration::from_secs(12) + SLACK, "{:?}", began.elapsed());
    let finished = &of_type(&lines, "hunt_finished")[0];
    assert_eq!((code, &finished["kind"], &finished["minimal"]), (1, &Value::from("RTE"), &Value::Bool(false)));
    assert_eq!(finished["undone"], "shrinking");
}

#[test]
fn time_that_is_over_before_the_search_is_said_and_is_no_hunt_without_a_find() {
    let folder = temporary_folder();
    let program = write(folder.path(), "wrong.py", "print(1)\n");
    let mut command = referee(["hunt", "coins", "--seconds", "0.001"]);
    command
        .arg(&program)
        .assert()
        .code(2)
        .stderr(contains("before any input was tried").and(contains("larger --seconds")));
}
