use std::time::Instant;

use super::super::{Crossed, Mode, Program, Sandbox, machine};
use super::*;

const ROOMY: Limits = Limits {
    cpu: Duration::from_secs(10),
    wall: Duration::from_secs(20),
    memory_bytes: 1 << 30,
    output_bytes: 32 << 20,
    until: None,
};

const SHORT: Limits = Limits { wall: Duration::from_millis(400), ..ROOMY };

const ACCEPTED: Ended = Ended::Exited(42);
const REJECTED: Ended = Ended::Exited(43);

fn shell(script: &str) -> Sandbox {
    let environment = vec![("PATH".into(), "/usr/bin:/bin".into())];
    Sandbox::open(Program { environment, ..Program::new(["/bin/sh", "-c", script], "/") }, Mode::Auto)
}

fn between(submission: (&str, Limits), interactor: (&str, Limits)) -> Interaction {
    let (submissions, interactors) = (shell(submission.0), shell(interactor.0));
    let (mut submission_instance, mut interactor_instance) =
        (submissions.instance().unwrap(), interactors.instance().unwrap());
    let participant = |limits| move |instance| Participant { instance, arguments: Vec::new(), limits };
    run_interactive(
        participant(submission.1)(&mut submission_instance),
        participant(interactor.1)(&mut interactor_instance),
        |ended| ended == ACCEPTED,
    )
    .unwrap()
}

/// Runs a submission and an interactor with ample limits.
fn roomy(submission: &str, interactor: &str) -> Interaction {
    between((submission, ROOMY), (interactor, ROOMY))
}

fn ends(result: &Interaction) -> (Ended, Ended) {
    (result.submission.ended, result.interactor.ended)
}

#[test]
fn each_side_receives_the_others_messages_and_the_transcript_has_them() {
    let result = roomy("read n; echo $((n + 1))", "echo 41; read n; [ $n = 42 ] && exit 42; exit 43");
    assert_eq!((ends(&result), result.submission_stopped), ((Ended::Exited(0), ACCEPTED), false));
    let messages: Vec<_> = result.transcript.iter().map(|exchange| (exchange.by, exchange.text.as_slice())).collect();
    assert_eq!(messages, [(Side::Interactor, &b"41\n"[..]), (Side::Submission, &b"42\n"[..])]);
    assert!(result.transcript[0].at <= result.transcript[1].at);
    assert_eq!((result.submission.printed_bytes, result.submission.stdout.len()), (3, 0));
}

#[test]
fn an_interactor_that_still_works_does_not_see_a_bad_end() {
    // The interactor's verdict depends only on the message that it has read, even if it computes for a long time.
    let busy = "i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done";
    for submission in ["echo wrong; exit 1", "echo wrong; kill -SEGV $$", "echo wrong; exec >&-; exit 3"] {
        let result = roomy(submission, &format!("read guess; {busy}; exit 43"));
        assert_eq!((result.interactor.ended, result.interactor_saw_end), (REJECTED, false), "{submission}");
    }
}

#[test]
fn an_interactor_that_waits_for_more_sees_a_bad_end() {
    for submission in ["exit 1", "echo right; exit 1", "echo right; kill -SEGV $$"] {
        let result = roomy(submission, "while read guess; do :; done; exit 43");
        assert_eq!(
            (result.interactor.ended, result.interactor_saw_end, result.submission_stopped),
            (REJECTED, true, false),
            "{submission}"
        );
        assert_ne!(result.submission.ended, Ended::Exited(0), "{submission}");
    }
}

#[test]
fn a_good_end_is_passed_on_at_once() {
    let result = roomy("echo right", "cat > /dev/null; exit 42");
    assert_eq!((ends(&result), result.interactor_saw_end), ((Ended::Exited(0), ACCEPTED), true));
}

#[test]
fn closing_the_output_is_not_an_end() {
    let result = roomy("exec >&-; sleep 0.2; exit 7", "read guess; exit 43");
    assert_eq!((ends(&result), result.interactor_saw_end), ((Ended::Exited(7), REJECTED), true));
}

#[test]
fn a_background_process_does_not_delay_the_end() {
    let result = roomy("(setsid sleep 60 &); echo done", "cat > /dev/null; exit 42");
    assert_eq!(ends(&result), (Ended::Exited(0), ACCEPTED));
    assert!(result.submission.usage.wall < Duration::from_secs(30));
}

#[test]
fn an_interactor_that_closes_its_output_ends_the_submissions_input_at_once() {
    let result = roomy("cat > /dev/null; echo all", "echo 1; exec >&-; read all; [ $all = all ] && exit 42; exit 43");
    assert_eq!(ends(&result), (Ended::Exited(0), ACCEPTED));
}

#[test]
fn a_submission_may_go_on_after_an_interactor_that_accepted_and_is_ended_after_one_that_did_not() {
    let after = roomy("echo x; cat > /dev/null; sleep 0.1; exit 5", "read x; exit 42");
    assert_eq!((ends(&after), after.submission_stopped), ((Ended::Exited(5), ACCEPTED), false));
    for interactor in ["read x; exit 43", "read x; exit 1", "read x; kill -SEGV $$"] {
        let result = roomy("echo x; while :; do :; done", interactor);
        assert_eq!((result.submission_stopped, result.submission.crossed), (true, None), "{interactor}");
    }
}

#[test]
fn no_side_is_killed_by_a_write_to_a_side_that_has_ended() {
    let result = roomy("head -c 3000000 /dev/zero; echo end >&2", "exit 42");
    assert_eq!((ends(&result), &*result.submission.stderr), ((Ended::Exited(0), ACCEPTED), &b"end\n"[..]));
    let result = roomy("exit 0", "head -c 3000000 /dev/zero; echo end >&2; exit 42");
    assert_eq!((result.interactor.ended, &*result.interactor.stderr), (ACCEPTED, &b"end\n"[..]));
    let result = roomy("exec <&-; echo x", "read x; head -c 3000000 /dev/zero; exit 42");
    assert_eq!(ends(&result), (Ended::Exited(0), ACCEPTED));
    let result = roomy("head -c 3000000 /dev/zero", "exec <&-; sleep 0.1; exit 42");
    assert_eq!(ends(&result), (Ended::Exited(0), ACCEPTED));
}

#[test]
fn ten_megabytes_pass_either_way_unchanged() {
    let ten = "yes 123456789 | head -c 10000000";
    let sums = roomy(&format!("cksum >&2; {ten}"), &format!("{ten}; exec >&-; cksum >&2; exit 42"));
    assert_eq!(ends(&sums), (Ended::Exited(0), ACCEPTED));
    assert!(!sums.submission.stderr.is_empty());
    assert_eq!(*sums.submission.stderr, *sums.interactor.stderr);
}

#[test]
fn messages_before_an_end_reach_a_side_that_reads_late() {
    let says = "head -c 100000 /dev/zero";
    for ends in ["exec >&-; read x; exit 42", "exit 42"] {
        let result = roomy("sleep 0.2; wc -c >&2", &format!("{says}; {ends}"));
        assert_eq!(String::from_utf8_lossy(&result.submission.stderr).trim(), "100000", "{ends}");
    }
    let result = roomy(says, "sleep 0.2; wc -c >&2; exit 42");
    assert_eq!(String::from_utf8_lossy(&result.interactor.stderr).trim(), "100000");
}

#[test]
fn no_side_waits_for_an_interactor_that_has_closed_its_input() {
    let result = roomy("head -c 300000 /dev/zero; exit 7", "exec <&-; sleep 1.5; exit 43");
    assert_eq!((ends(&result), result.submission_stopped), ((Ended::Exited(7), REJECTED), false));
}

/// Returns the limit that is reported if both sides wait for each other. Without a control group, the judge cannot be
/// certain that they do, so the run lasts until the wall limit.
fn mutual_wait() -> Crossed {
    if machine::capabilities().no_groups.is_none() { Crossed::Deadlock } else { Crossed::Wall }
}

#[test]
fn a_run_in_which_both_write_before_they_read_ends_at_once() {
    let write = "import sys; sys.stdout.write(\"0\" * 10000000); sys.stdout.flush(); sys.stdin.read()";
    let writes = format!("exec python3 -c '{write}'");
    let result = between((&writes, SHORT), (&format!("exec python3 -c '{write}; sys.exit(43)'"), ROOMY));
    assert_eq!(
        (result.submission.crossed, result.interactor.crossed, result.interactor.ended),
        (Some(mutual_wait()), None, REJECTED)
    );
    assert!(result.interactor_saw_end);
}

#[test]
fn a_run_in_which_both_wait_ends_at_once() {
    for waits in ["read x", "exec cat > /dev/null", "echo early; read x; read y; read z"] {
        let result = between((waits, SHORT), ("read x; read y; exit 43", ROOMY));
        assert_eq!(
            (result.submission.crossed, result.interactor.crossed, result.interactor_saw_end),
            (Some(mutual_wait()), None, true),
            "{waits}"
        );
    }
}

#[test]
fn a_program_of_several_processes_may_continue_when_one_of_them_ends() {
    let child = "perl -e 'alarm 1; exec @ARGV' cat; echo late; read x";
    let result = roomy(child, "read late; [ \"$late\" = late ] && echo go && exit 42; exit 43");
    assert_eq!((ends(&result), result.submission.crossed), ((Ended::Exited(0), ACCEPTED), None));
}

#[test]
fn time_counts_for_the_submission_if_both_wait_and_one_may_continue_by_itself() {
    for waits in ["sleep 60", "python3 -c 'import select; select.select([0], [], [], 60)'"] {
        let result = between((waits, SHORT), ("read x; exit 43", SHORT));
        assert_eq!(
            (result.submission.crossed, result.interactor.crossed, result.interactor_saw_end),
            (Some(Crossed::Wall), None, true),
            "{waits}"
        );
    }
}

#[test]
fn a_timer_of_the_interactor_ends_a_run_in_which_both_wait() {
    let timer = "import signal, sys; signal.signal(14, lambda *_: sys.exit(43)); signal.alarm(1); sys.stdin.read()";
    let result = roomy("read x", &format!("exec python3 -c '{timer}'"));
    assert_eq!((result.submission.crossed, result.interactor.ended), (None, REJECTED));
    let result = roomy("read x; exit 0", "sleep 0.7; echo late; exit 42");
    assert_eq!((ends(&result), result.submission.crossed), ((Ended::Exited(0), ACCEPTED), None));
}

#[test]
fn a_slow_interactor_does_not_use_up_the_submissions_time() {
    let busy = "end=$(($(date +%s%N) / 1000000 + 1500)); while [ $(($(date +%s%N) / 1000000)) -lt $end ]; do :; done";
    let result = between(("echo x; read y", SHORT), (&format!("read x; {busy}; echo y; exit 42"), ROOMY));
    assert_eq!((ends(&result), result.submission.crossed), ((Ended::Exited(0), ACCEPTED), None));
    assert!(result.submission.usage.wall > Duration::from_secs(1));
}

#[test]
fn a_slow_submission_does_not_use_up_the_interactors_time() {
    let result = between(("sleep 1; echo x", ROOMY), ("read x; exit 42", SHORT));
    assert_eq!((ends(&result), result.interactor.crossed), ((Ended::Exited(0), ACCEPTED), None));
}

#[test]
fn an_interactor_that_does_not_read_exceeds_its_own_limit() {
    let result = between(("echo x; read y", ROOMY), ("sleep 60", SHORT));
    assert_eq!(
        (result.interactor.crossed, result.submission.crossed, result.submission_stopped),
        (Some(Crossed::Wall), None, true)
    );
}

#[test]
fn each_side_is_held_to_its_own_limits() {
    let loops = "while :; do :; done";
    let quick = Limits { cpu: Duration::from_millis(200), ..ROOMY };
    let result = between((loops, quick), ("read x; exit 43", ROOMY));
    assert_eq!(
        (result.submission.crossed, result.interactor.ended, result.interactor_saw_end),
        (Some(Crossed::Cpu), REJECTED, true)
    );
    let result = between(("read x", ROOMY), (loops, quick));
    assert_eq!((result.interactor.crossed, result.submission_stopped), (Some(Crossed::Cpu), true));
    let little = Limits { output_bytes: 1 << 20, ..ROOMY };
    for flood in ["yes", "yes >&2"] {
        let result = between((flood, little), ("cat > /dev/null; exit 43", ROOMY));
        assert_eq!(
            (result.submission.crossed, result.interactor.ended, result.interactor_saw_end),
            (Some(Crossed::Output), REJECTED, true),
            "{flood}"
        );
    }
    let result = between(("cat > /dev/null", ROOMY), ("yes", little));
    assert_eq!((result.interactor.crossed, result.submission_stopped), (Some(Crossed::Output), true));
}

#[test]
fn the_output_limit_of_an_interactor_holds_for_each_answer() {
    let little = Limits { output_bytes: 100_000, ..ROOMY };
    // A hundred answers of two thousand bytes, each of them also written to standard error.
    let answer = "printf %02000d 0 | tee /dev/stderr; echo";
    let ask = "i=0; while [ $i -lt 100 ]; do echo; read answer; i=$((i + 1)); done";
    let result = between((ask, ROOMY), (&format!("while read line; do {answer}; done; exit 42"), little));
    assert_eq!((ends(&result), result.interactor.crossed), ((Ended::Exited(0), ACCEPTED), None));
    assert_eq!((result.interactor.stderr.len(), result.interactor.printed_bytes), (100_000, 2001));
}

#[test]
fn endless_standard_error_of_an_interactor_exceeds_a_time_limit() {
    let quick = Limits { cpu: Duration::from_millis(200), output_bytes: 1 << 20, ..ROOMY };
    let result = between(("cat > /dev/null", ROOMY), ("yes >&2", quick));
    assert_eq!(
        (result.interactor.crossed, result.interactor.stderr.len(), result.submission_stopped),
        (Some(Crossed::Cpu), 1 << 20, true)
    );
}

#[test]
fn no_more_is_delivered_than_the_limit_allows() {
    let little = Limits { output_bytes: 100_000, ..ROOMY };
    let result = between(("yes", little), ("wc -c >&2; exit 43", ROOMY));
    assert_eq!(String::from_utf8_lossy(&result.interactor.stderr).trim(), "100000");
    assert_eq!(result.submission.printed_bytes, 100_000);
}

#[test]
fn a_flood_that_is_not_read_fills_the_pipes_until_the_wall_limit() {
    let result = between(("echo x; yes", ROOMY), ("read x; sleep 60", SHORT));
    assert_eq!(
        (result.interactor.crossed, result.submission_stopped),
        (Some(Crossed::Wall), true),
        "the interactor did not read"
    );
    assert!(result.submission.printed_bytes < 1 << 20);
}

#[test]
fn a_flood_that_is_read_differs_from_one_that_is_not() {
    let quick = Limits { cpu: Duration::from_millis(300), ..ROOMY };
    // The judge delivers more bytes each time the interactor has read a page of its pipe. To read a page, the
    // interactor needs only a fraction of its time limit. So even on a busy machine, the last delivery is recent.
    let busy = "i=0; while [ $i -lt 20 ]; do i=$((i + 1)); done";
    let result = between(("yes", ROOMY), (&format!("while read x; do {busy}; done"), quick));
    assert_eq!((result.interactor.crossed, result.overload), (Some(Crossed::Cpu), Some(Overload::Flood)));
    for (submission, interactor) in
        [("yes", "sleep 60"), ("yes", "read x; while :; do :; done"), ("echo x", "cat; sleep 60")]
    {
        let slow = Limits { cpu: Duration::from_millis(1500), wall: Duration::from_millis(1500), ..ROOMY };
        let result = between((submission, ROOMY), (interactor, slow));
        assert_eq!((result.interactor.crossed.is_some(), result.overload), (true, None), "{interactor}");
    }
}

#[test]
fn a_conversation_that_goes_on_differs_from_an_interactor_that_hangs() {
    let slow = Limits { cpu: Duration::from_millis(1500), wall: Duration::from_millis(1500), ..ROOMY };
    let asks = "while :; do echo; read x || exit; done";
    let talk = Some(Overload::EndlessTalk);
    // Two shells take 20 ms of CPU time for each line, so the channel never becomes full.
    let busy = "i=0; while [ $i -lt 5000 ]; do i=$((i + 1)); done";
    let sends = format!("while echo; do {busy}; done");
    let reads = format!("while read x; do {busy}; done; while :; do :; done");
    for (submission, interactor, overload) in [
        (asks, "while read x; do echo; done", talk),
        (&sends, &reads, talk),
        (asks, "read x; echo; while :; do :; done", None),
        (asks, "sleep 60", None),
    ] {
        let result = between((submission, ROOMY), (interactor, slow));
        let found = (result.interactor.crossed.is_some(), result.submission_stopped, result.overload);
        assert_eq!(found, (true, true, overload), "{interactor}");
    }
}

#[test]
fn neither_can_see_or_signal_the_other() {
    let look = "for p in /proc/[0-9]*; do tr '\\0' ' ' < $p/cmdline; done 2>/dev/null | grep -c marked";
    let submission = format!(": marked-submission; {look} >&2; kill -9 -1; exit 0");
    let interactor = format!(": marked-interactor; cat > /dev/null; {look} >&2; exit 42");
    let result = roomy(&submission, &interactor);
    let without_namespaces = machine::capabilities().isolation.namespaces.is_none();
    assert_eq!(result.interactor.ended, ACCEPTED);
    if !without_namespaces {
        // The submission and the interactor each see only their own processes.
        for stderr in [&result.submission.stderr, &result.interactor.stderr] {
            let stderr = String::from_utf8_lossy(stderr);
            // Later lines may be the shell's message that its signal reached no process.
            let seen = stderr.lines().next().and_then(|line| line.parse::<u32>().ok());
            assert!(seen.is_some_and(|seen| (1..=2).contains(&seen)), "{stderr}");
        }
    }
}

#[test]
fn instances_can_be_used_again() {
    let (submissions, interactors) = (shell("read x; exit $x"), shell("echo 7; cat > /dev/null; exit 42"));
    let (mut submission, mut interactor) = (submissions.instance().unwrap(), interactors.instance().unwrap());
    for _ in 0..20 {
        let submission = Participant { instance: &mut submission, arguments: Vec::new(), limits: ROOMY };
        let interactor = Participant { instance: &mut interactor, arguments: Vec::new(), limits: ROOMY };
        let result = run_interactive(submission, interactor, |_| true).unwrap();
        assert_eq!(ends(&result), (Ended::Exited(7), ACCEPTED));
    }
}

/// Measures messages per second, relayed and over plain pipes. Run it by hand.
#[test]
#[ignore = "a measurement"]
fn messages_per_second() {
    let count = 100_000;
    let echo = "import os\nwhile (b := os.read(0, 64)): os.write(1, b)";
    let ask = format!("import os\nfor i in range({count}): os.write(1, b'x\\n'); os.read(0, 64)");
    let submission = format!("exec python3 -c \"{echo}\"");
    let interactor = format!("python3 -c \"{ask}\" && exit 42");
    let started = Instant::now();
    assert_eq!(roomy(&submission, &interactor).interactor.ended, ACCEPTED);
    let relayed = started.elapsed();
    let (from_interactor, to_submission) = std::io::pipe().unwrap();
    let (from_submission, to_interactor) = std::io::pipe().unwrap();
    let started = Instant::now();
    let python = |code: &str, input: std::io::PipeReader, output: std::io::PipeWriter| {
        std::process::Command::new("python3").args(["-c", code]).stdin(input).stdout(output).spawn().unwrap()
    };
    let mut interactors = python(&ask, from_submission, to_submission);
    let mut submissions = python(echo, from_interactor, to_interactor);
    interactors.wait().unwrap();
    submissions.wait().unwrap();
    let plain = started.elapsed();
    let rate = |time: Duration| f64::from(count) / time.as_secs_f64();
    eprintln!("{:.0} messages/s, {:.0} over plain pipes", rate(relayed), rate(plain));
}
