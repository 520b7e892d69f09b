use std::time::Instant;

use super::super::{Crossed, Identity, Mode, Program, Sandbox, machine};
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
    let program = Program {
        command: ["/bin/sh", "-c", script].map(OsString::from).to_vec(),
        directory: "/".into(),
        environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
        readable: Vec::new(),
        hidden: Vec::new(),
        scratch: None,
        identity: Identity::Nobody,
    };
    Sandbox::open(program, Mode::Auto)
}

fn between(submission: (&str, Limits), interactor: (&str, Limits)) -> Interaction {
    let (submissions, interactors) = (shell(submission.0), shell(interactor.0));
    let (mut submission_instance, mut interactor_instance) =
        (submissions.instance().unwrap(), interactors.instance().unwrap());
    let speaker = |limits| move |instance| Participant { instance, arguments: Vec::new(), limits };
    run_interactive(
        speaker(submission.1)(&mut submission_instance),
        speaker(interactor.1)(&mut interactor_instance),
        |ended| ended == ACCEPTED,
    )
    .unwrap()
}

/// A submission and an interactor with all the room they need.
fn roomy(submission: &str, interactor: &str) -> Interaction {
    between((submission, ROOMY), (interactor, ROOMY))
}

fn ends(played: &Interaction) -> (Ended, Ended) {
    (played.submission.ended, played.interactor.ended)
}

#[test]
fn they_hear_each_other_and_the_judge_remembers_what_was_said() {
    let played = roomy("read n; echo $((n + 1))", "echo 41; read n; [ $n = 42 ] && exit 42; exit 43");
    assert_eq!((ends(&played), played.submission_stopped), ((Ended::Exited(0), ACCEPTED), false));
    let said: Vec<_> = played.transcript.iter().map(|exchange| (exchange.by, exchange.text.as_slice())).collect();
    assert_eq!(said, [(Side::Interactor, &b"41\n"[..]), (Side::Submission, &b"42\n"[..])]);
    assert!(played.transcript[0].at <= played.transcript[1].at);
    assert_eq!((played.submission.printed_bytes, played.submission.stdout.len()), (3, 0));
}

#[test]
fn a_interactor_that_has_something_to_say_is_not_told_of_a_bad_end_before_it_has_said_it() {
    // However long the interactor computes after it has read, its verdict is about what it has read.
    let busy = "i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done";
    for submission in ["echo wrong; exit 1", "echo wrong; kill -SEGV $$", "echo wrong; exec >&-; exit 3"] {
        let played = roomy(submission, &format!("read guess; {busy}; exit 43"));
        assert_eq!((played.interactor.ended, played.interactor_saw_end), (REJECTED, false), "{submission}");
    }
}

#[test]
fn a_interactor_that_waits_for_more_is_told_of_a_bad_end() {
    for submission in ["exit 1", "echo right; exit 1", "echo right; kill -SEGV $$"] {
        let played = roomy(submission, "while read guess; do :; done; exit 43");
        assert_eq!(
            (played.interactor.ended, played.interactor_saw_end, played.submission_stopped),
            (REJECTED, true, false),
            "{submission}"
        );
        assert_ne!(played.submission.ended, Ended::Exited(0), "{submission}");
    }
}

#[test]
fn a_good_end_is_told_at_once() {
    let played = roomy("echo right", "cat > /dev/null; exit 42");
    assert_eq!((ends(&played), played.interactor_saw_end), ((Ended::Exited(0), ACCEPTED), true));
}

#[test]
fn a_submission_that_closes_its_output_is_not_taken_for_one_that_has_ended() {
    let played = roomy("exec >&-; sleep 0.2; exit 7", "read guess; exit 43");
    assert_eq!((ends(&played), played.interactor_saw_end), ((Ended::Exited(7), REJECTED), true));
}

#[test]
fn what_a_submission_leaves_running_keeps_no_end_from_the_interactor() {
    let played = roomy("(setsid sleep 60 &); echo done", "cat > /dev/null; exit 42");
    assert_eq!(ends(&played), (Ended::Exited(0), ACCEPTED));
    assert!(played.submission.usage.wall < Duration::from_secs(30));
}

#[test]
fn a_interactor_that_closes_its_output_ends_the_submissions_input_at_once() {
    let played = roomy("cat > /dev/null; echo all", "echo 1; exec >&-; read all; [ $all = all ] && exit 42; exit 43");
    assert_eq!(ends(&played), (Ended::Exited(0), ACCEPTED));
}

#[test]
fn a_submission_may_go_on_after_a_interactor_that_accepted_and_is_ended_after_one_that_did_not() {
    let after = roomy("echo x; cat > /dev/null; sleep 0.1; exit 5", "read x; exit 42");
    assert_eq!((ends(&after), after.submission_stopped), ((Ended::Exited(5), ACCEPTED), false));
    for interactor in ["read x; exit 43", "read x; exit 1", "read x; kill -SEGV $$"] {
        let played = roomy("echo x; while :; do :; done", interactor);
        assert_eq!((played.submission_stopped, played.submission.crossed), (true, None), "{interactor}");
    }
}

#[test]
fn nobody_is_ended_by_a_write_to_somebody_who_is_gone() {
    let played = roomy("head -c 3000000 /dev/zero; echo end >&2", "exit 42");
    assert_eq!((ends(&played), &*played.submission.stderr), ((Ended::Exited(0), ACCEPTED), &b"end\n"[..]));
    let played = roomy("exit 0", "head -c 3000000 /dev/zero; echo end >&2; exit 42");
    assert_eq!((played.interactor.ended, &*played.interactor.stderr), (ACCEPTED, &b"end\n"[..]));
    let played = roomy("exec <&-; echo x", "read x; head -c 3000000 /dev/zero; exit 42");
    assert_eq!(ends(&played), (Ended::Exited(0), ACCEPTED));
    let played = roomy("head -c 3000000 /dev/zero", "exec <&-; sleep 0.1; exit 42");
    assert_eq!(ends(&played), (Ended::Exited(0), ACCEPTED));
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
fn what_was_said_before_an_end_is_heard_by_who_reads_late() {
    let says = "head -c 100000 /dev/zero";
    for ends in ["exec >&-; read x; exit 42", "exit 42"] {
        let played = roomy("sleep 0.2; wc -c >&2", &format!("{says}; {ends}"));
        assert_eq!(String::from_utf8_lossy(&played.submission.stderr).trim(), "100000", "{ends}");
    }
    let played = roomy(says, "sleep 0.2; wc -c >&2; exit 42");
    assert_eq!(String::from_utf8_lossy(&played.interactor.stderr).trim(), "100000");
}

#[test]
fn nobody_waits_for_a_interactor_that_has_closed_its_input() {
    let played = roomy("head -c 300000 /dev/zero; exit 7", "exec <&-; sleep 1.5; exit 43");
    assert_eq!((ends(&played), played.submission_stopped), ((Ended::Exited(7), REJECTED), false));
}

#[test]
fn both_writing_before_they_read_is_the_submissions_time() {
    let ten = "head -c 10000000 /dev/zero";
    let played =
        between((&format!("{ten}; cat > /dev/null"), SHORT), (&format!("{ten}; cat > /dev/null; exit 43"), ROOMY));
    assert_eq!(
        (played.submission.crossed, played.interactor.crossed, played.interactor.ended),
        (Some(Crossed::Wall), None, REJECTED)
    );
    assert!(played.interactor_saw_end);
}

#[test]
fn both_waiting_for_each_other_is_the_submissions_time() {
    let played = between(("read x", SHORT), ("read x; exit 43", SHORT));
    assert_eq!(
        (played.submission.crossed, played.interactor.crossed, played.interactor_saw_end),
        (Some(Crossed::Wall), None, true)
    );
}

#[test]
fn a_slow_interactor_does_not_use_up_the_submissions_time() {
    let busy = "end=$(($(date +%s%N) / 1000000 + 1500)); while [ $(($(date +%s%N) / 1000000)) -lt $end ]; do :; done";
    let played = between(("echo x; read y", SHORT), (&format!("read x; {busy}; echo y; exit 42"), ROOMY));
    assert_eq!((ends(&played), played.submission.crossed), ((Ended::Exited(0), ACCEPTED), None));
    assert!(played.submission.usage.wall > Duration::from_secs(1));
}

#[test]
fn a_slow_submission_does_not_use_up_the_interactors_time() {
    let played = between(("sleep 1; echo x", ROOMY), ("read x; exit 42", SHORT));
    assert_eq!((ends(&played), played.interactor.crossed), ((Ended::Exited(0), ACCEPTED), None));
}

#[test]
fn a_interactor_that_does_not_read_what_it_is_told_crosses_its_own_limit() {
    let played = between(("echo x; read y", ROOMY), ("sleep 60", SHORT));
    assert_eq!(
        (played.interactor.crossed, played.submission.crossed, played.submission_stopped),
        (Some(Crossed::Wall), None, true)
    );
}

#[test]
fn each_side_is_held_to_its_own_limits() {
    let loops = "while :; do :; done";
    let quick = Limits { cpu: Duration::from_millis(200), ..ROOMY };
    let played = between((loops, quick), ("read x; exit 43", ROOMY));
    assert_eq!(
        (played.submission.crossed, played.interactor.ended, played.interactor_saw_end),
        (Some(Crossed::Cpu), REJECTED, true)
    );
    let played = between(("read x", ROOMY), (loops, quick));
    assert_eq!((played.interactor.crossed, played.submission_stopped), (Some(Crossed::Cpu), true));
    let little = Limits { output_bytes: 1 << 20, ..ROOMY };
    for flood in ["yes", "yes >&2"] {
        let played = between((flood, little), ("cat > /dev/null; exit 43", ROOMY));
        assert_eq!(
            (played.submission.crossed, played.interactor.ended, played.interactor_saw_end),
            (Some(Crossed::Output), REJECTED, true),
            "{flood}"
        );
    }
    let played = between(("cat > /dev/null", ROOMY), ("yes", little));
    assert_eq!((played.interactor.crossed, played.submission_stopped), (Some(Crossed::Output), true));
}

#[test]
fn a_interactor_that_answers_whatever_it_is_asked_crosses_no_limit_by_that() {
    let little = Limits { output_bytes: 100_000, ..ROOMY };
    // A hundred answers of two thousand bytes, each of them written down.
    let answer = "printf %02000d 0 | tee /dev/stderr; echo";
    let ask = "i=0; while [ $i -lt 100 ]; do echo; read answer; i=$((i + 1)); done";
    let played = between((ask, ROOMY), (&format!("while read line; do {answer}; done; exit 42"), little));
    assert_eq!((ends(&played), played.interactor.crossed), ((Ended::Exited(0), ACCEPTED), None));
    assert_eq!((played.interactor.stderr.len(), played.interactor.printed_bytes), (100_000, 2001));
}

#[test]
fn a_interactor_that_complains_without_end_crosses_a_limit_of_time() {
    let quick = Limits { cpu: Duration::from_millis(200), output_bytes: 1 << 20, ..ROOMY };
    let played = between(("cat > /dev/null", ROOMY), ("yes >&2", quick));
    assert_eq!(
        (played.interactor.crossed, played.interactor.stderr.len(), played.submission_stopped),
        (Some(Crossed::Cpu), 1 << 20, true)
    );
}

#[test]
fn no_more_is_delivered_than_the_limit_allows() {
    let little = Limits { output_bytes: 100_000, ..ROOMY };
    let played = between(("yes", little), ("wc -c >&2; exit 43", ROOMY));
    assert_eq!(String::from_utf8_lossy(&played.interactor.stderr).trim(), "100000");
    assert_eq!(played.submission.printed_bytes, 100_000);
}

#[test]
fn a_flood_that_nobody_reads_stops_at_full_pipes_until_the_limit_on_the_wall() {
    let played = between(("echo x; yes", ROOMY), ("read x; sleep 60", SHORT));
    assert_eq!(
        (played.interactor.crossed, played.submission_stopped),
        (Some(Crossed::Wall), true),
        "the interactor was to read"
    );
    assert!(played.submission.printed_bytes < 1 << 20);
}

#[test]
fn a_flood_that_is_read_is_told_from_one_that_is_not() {
    let quick = Limits { cpu: Duration::from_millis(300), ..ROOMY };
    // It reads a page of its pipe in a small part of its time, so that the last look at a busy machine finds it
    // reading.
    let busy = "i=0; while [ $i -lt 20 ]; do i=$((i + 1)); done";
    let played = between(("yes", ROOMY), (&format!("while read x; do {busy}; done"), quick));
    assert_eq!((played.interactor.crossed, played.interactor_flooded), (Some(Crossed::Cpu), true));
    for (submission, interactor) in
        [("yes", "sleep 60"), ("yes", "read x; while :; do :; done"), ("echo x", "cat; sleep 60")]
    {
        let slow = Limits { cpu: Duration::from_millis(1500), wall: Duration::from_millis(1500), ..ROOMY };
        let played = between((submission, ROOMY), (interactor, slow));
        assert_eq!((played.interactor.crossed.is_some(), played.interactor_flooded), (true, false), "{interactor}");
    }
}

#[test]
fn neither_can_see_or_signal_the_other() {
    let look = "for p in /proc/[0-9]*; do tr '\\0' ' ' < $p/cmdline; done 2>/dev/null | grep -c marked";
    let submission = format!(": marked-submission; {look} >&2; kill -9 -1; exit 0");
    let interactor = format!(": marked-interactor; cat > /dev/null; {look} >&2; exit 42");
    let played = roomy(&submission, &interactor);
    let without_namespaces = machine::found().isolation.namespaces.is_none();
    assert_eq!(played.interactor.ended, ACCEPTED);
    if !without_namespaces {
        // Nothing but themselves.
        for stderr in [&played.submission.stderr, &played.interactor.stderr] {
            let seen: u32 = String::from_utf8_lossy(stderr).trim().parse().unwrap_or(0);
            assert!(seen <= 2, "{seen}");
        }
    }
}

#[test]
fn rooms_can_be_used_again_after_a_interaction() {
    let (submissions, interactors) = (shell("read x; exit $x"), shell("echo 7; cat > /dev/null; exit 42"));
    let (mut submission, mut interactor) = (submissions.instance().unwrap(), interactors.instance().unwrap());
    for _ in 0..20 {
        let submission = Participant { instance: &mut submission, arguments: Vec::new(), limits: ROOMY };
        let interactor = Participant { instance: &mut interactor, arguments: Vec::new(), limits: ROOMY };
        let played = run_interactive(submission, interactor, |_| true).unwrap();
        assert_eq!(ends(&played), (Ended::Exited(7), ACCEPTED));
    }
}

/// What exchanges cost: run by hand, it prints how many there are in a second, here and over plain pipes.
#[test]
#[ignore = "a measurement"]
fn exchanges_per_second() {
    let count = 100_000;
    let echo = "import os\nwhile (b := os.read(0, 64)): os.write(1, b)";
    let ask = format!("import os\nfor i in range({count}): os.write(1, b'x\\n'); os.read(0, 64)");
    let submission = format!("exec python3 -c \"{echo}\"");
    let interactor = format!("python3 -c \"{ask}\" && exit 42");
    let started = Instant::now();
    assert_eq!(roomy(&submission, &interactor).interactor.ended, ACCEPTED);
    let talked = started.elapsed();
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
    eprintln!("{:.0} exchanges/s, {:.0} over plain pipes", rate(talked), rate(plain));
}
