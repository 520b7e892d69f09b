use std::fs::{File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::*;

mod scratch;
mod warm;

const ROOMY: Limits = Limits {
    cpu: Duration::from_secs(10),
    wall: Duration::from_secs(10),
    memory_bytes: 1 << 30,
    output_bytes: 1 << 20,
    until: None,
};

fn program(command: Vec<OsString>, environment: Vec<(OsString, OsString)>) -> Program {
    Program { environment, ..Program::new(command, "/") }
}

fn shell(script: &str, limits: Limits) -> Outcome {
    run_once(shell_program(script), limits)
}

fn shell_program(script: &str) -> Program {
    let command = ["/bin/sh", "-c", script].map(OsString::from).to_vec();
    program(command, vec![("PATH".into(), "/usr/bin:/bin".into())])
}

fn run_once(program: Program, limits: Limits) -> Outcome {
    let sandbox = Sandbox::open(program, Mode::Auto);
    sandbox.run(&Run { arguments: Vec::new(), input: Input::Empty, limits }).unwrap()
}

#[test]
fn an_exit_code_differs_from_a_signal() {
    assert_eq!(shell("exit 7", ROOMY).ended, Ended::Exited(7));
    assert_eq!(shell("kill -ABRT $$", ROOMY).ended, Ended::Signaled(6));
    assert_eq!(shell("kill -TERM $$", ROOMY).ended, Ended::Signaled(15));
}

#[test]
fn every_exit_code_arrives_as_it_is() {
    for code in 0..=255 {
        let outcome = shell(&format!("exit {code}"), ROOMY);
        assert_eq!((outcome.ended, outcome.crossed), (Ended::Exited(code), None));
    }
}

#[test]
fn both_outputs_are_kept_apart() {
    let outcome = shell("echo out; echo err >&2", ROOMY);
    assert_eq!((&*outcome.stdout, &*outcome.stderr), (&b"out\n"[..], &b"err\n"[..]));
    assert_eq!(outcome.crossed, None);
}

/// No output shows whether a zygote keeps its streams, so this test compares the numbers of the pipes.
#[test]
fn a_run_gets_the_pipes_of_the_run_before_unless_that_run_changed_them() {
    if machine::capabilities().isolation.namespaces.is_none() {
        return eprintln!("skipped, there are no namespaces");
    }
    let sandbox = Sandbox::open(shell_program("readlink /proc/self/fd/1 /proc/self/fd/2; eval \"$1\""), Mode::Auto);
    let pipes = |change: &str| {
        let arguments = vec!["sh".into(), change.into()];
        let outcome = sandbox.run(&Run { arguments, input: Input::Empty, limits: ROOMY }).unwrap();
        String::from_utf8_lossy(&outcome.stdout).into_owned()
    };
    let first = pipes(":");
    assert!(first.starts_with("pipe:["), "{first}");
    assert_eq!(pipes("dd if=/dev/null oflag=nonblock status=none"), first);
    let second = pipes(":");
    assert_ne!(second, first, "dd has made standard output non-blocking");
    assert_eq!(pipes(":"), second);
}

#[test]
fn a_program_sees_its_own_processes_but_not_the_zygote_even_with_the_judges_user() {
    if machine::capabilities().isolation.namespaces.is_none() {
        return eprintln!("skipped, there are no namespaces");
    }
    let program = shell_program("ls -d /proc/[0-9]*; cat /proc/1/stat");
    for identity in [Identity::Nobody, Identity::OwnerOf("/".into()), Identity::OwnerOf("/proc/self".into())] {
        let outcome = run_once(Program { identity: identity.clone(), ..program.clone() }, ROOMY);
        let (seen, error) = (String::from_utf8_lossy(&outcome.stdout), String::from_utf8_lossy(&outcome.stderr));
        assert_eq!(seen.lines().next(), Some("/proc/2"), "{identity:?}: {seen}");
        assert!(error.contains("No such file"), "{identity:?}: {seen} {error}");
    }
}

#[test]
fn a_sleeper_is_ended_by_the_wall_limit() {
    let outcome = shell("sleep 60", Limits { wall: Duration::from_millis(200), ..ROOMY });
    assert_eq!(outcome.crossed, Some(Crossed::Wall));
    assert!(outcome.usage.cpu < Duration::from_millis(150));
}

#[test]
fn extreme_limits_are_limits_too() {
    let endless = Limits { wall: Duration::MAX, ..ROOMY };
    assert_eq!(shell("exit 3", endless).ended, Ended::Exited(3));
    for memory_bytes in [0, 4096] {
        let outcome = shell("exit 3", Limits { memory_bytes, ..ROOMY });
        // The stack limit follows from the memory limit.
        assert!(matches!(outcome.crossed, None | Some(Crossed::Memory | Crossed::Stack)), "{:?}", outcome.crossed);
    }
}

#[test]
fn a_run_past_its_end_time_has_no_outcome() {
    let until = Instant::now() + Duration::from_millis(200);
    let command = ["/bin/sh", "-c", "while :; do :; done"].map(OsString::from).to_vec();
    let sandbox = Sandbox::open(program(command, Vec::new()), Mode::Auto);
    for _ in 0..2 {
        let limits = Limits { until: Some(until), ..ROOMY };
        let error = sandbox.run(&Run { arguments: Vec::new(), input: Input::Empty, limits }).unwrap_err();
        assert!(matches!(error, SandboxError::Interrupted), "{error}");
    }
    assert!(until.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_busy_loop_is_ended_by_the_cpu_limit() {
    let outcome = shell("while :; do :; done", Limits { cpu: Duration::from_millis(200), ..ROOMY });
    assert_eq!(outcome.crossed, Some(Crossed::Cpu));
}

#[test]
fn endless_output_exceeds_the_output_limit() {
    for redirection in ["", ">&2"] {
        let outcome = shell(&format!("yes {redirection}"), ROOMY);
        assert_eq!(outcome.crossed, Some(Crossed::Output));
        assert!(outcome.stdout.len() + outcome.stderr.len() <= 1 << 20);
    }
}

#[test]
fn both_streams_together_are_held_to_the_limit() {
    let half = "head -c 524288 /dev/zero";
    let fits = shell(&format!("{half}; {half} >&2"), ROOMY);
    assert_eq!((fits.crossed, fits.stdout.len() + fits.stderr.len()), (None, 1 << 20));
    let crossed = shell(&format!("{half}; {half} >&2; echo"), ROOMY);
    assert_eq!(crossed.crossed, Some(Crossed::Output));
}

#[test]
fn a_program_gets_a_deep_stack() {
    let kibibytes = |mib: u64| -> u64 {
        let limits = Limits { memory_bytes: mib << 20, ..ROOMY };
        String::from_utf8_lossy(&shell("ulimit -s", limits).stdout).trim().parse().unwrap()
    };
    assert_eq!(kibibytes(1024), 960 << 10);
    assert_eq!(kibibytes(64), 60 << 10);
}

#[test]
fn memory_over_the_limit_is_reported() {
    let hungry = "python3 -c 'x = bytearray(300 << 20); print(len(x))'";
    let outcome = shell(hungry, Limits { memory_bytes: 100 << 20, ..ROOMY });
    assert_eq!(outcome.crossed, Some(Crossed::Memory));
}

#[test]
fn a_daemon_that_holds_the_output_open_does_not_delay_the_end() {
    let outcome = shell("sleep 300 & echo done", ROOMY);
    assert_eq!(&*outcome.stdout, b"done\n");
    assert!(outcome.usage.wall < Duration::from_secs(5));
}

#[test]
fn no_member_of_the_process_group_survives() {
    let outcome = shell("sleep 317.17 & sleep 317.17 & exit 0", ROOMY);
    assert_eq!(outcome.ended, Ended::Exited(0));
    let alive = std::process::Command::new("pgrep").args(["-f", "^sleep 317.17"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&alive.stdout), "");
}

#[test]
fn the_input_is_a_copy_that_cannot_be_written() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "board\n").unwrap();
    let script = "cat; readlink /proc/self/fd/0; echo x > /proc/self/fd/0 || echo sealed";
    let command = ["/bin/sh", "-c", script].map(OsString::from).to_vec();
    let environment = vec![("PATH".into(), "/usr/bin:/bin".into())];
    let sandbox = Sandbox::open(program(command, environment), Mode::Auto);
    let run = Run { arguments: Vec::new(), input: Input::File(file.path()), limits: ROOMY };
    let outcome = sandbox.run(&run).unwrap();
    let printed = String::from_utf8_lossy(&outcome.stdout).into_owned();
    assert!(printed.starts_with("board\n/memfd:input (deleted)\n") && printed.contains("sealed"), "{printed}");
    assert_eq!(std::fs::read_to_string(file.path()).unwrap(), "board\n");
}

#[test]
fn nothing_is_inherited_from_the_judges_environment() {
    assert_eq!(&*shell("env | grep -vE '^(PWD|PATH|SHLVL|_)='", ROOMY).stdout, b"");
}

#[test]
fn a_file_that_cannot_be_executed_is_a_failed_start() {
    for file in ["/no/such/program", "/etc/passwd", "/"] {
        let program = program(vec![file.into()], Vec::new());
        let error = Sandbox::open(program, Mode::Auto)
            .run(&Run { arguments: Vec::new(), input: Input::Empty, limits: ROOMY })
            .unwrap_err();
        assert!(matches!(error, SandboxError::Start { .. }), "{error:?}");
        assert!(error.to_string().starts_with(&format!("{file} cannot be executed")), "{error}");
    }
}

/// Returns a sandbox that has run its program once, and the program's file. The kernel does not execute a file that is
/// open for writing.
fn sandbox_with_own_file(folder: &Path) -> (Sandbox, PathBuf) {
    let path = folder.join("program");
    std::fs::copy("/bin/true", &path).unwrap();
    std::fs::set_permissions(folder, Permissions::from_mode(0o755)).unwrap();
    let readable = vec![path.clone()];
    let program = Program { readable, ..program(vec![path.clone().into()], Vec::new()) };
    let sandbox = Sandbox::open(program, Mode::Auto);
    assert_eq!(run_in(&sandbox, ROOMY).unwrap().ended, Ended::Exited(0));
    (sandbox, path)
}

fn run_in(sandbox: &Sandbox, limits: Limits) -> Result<Outcome, SandboxError> {
    sandbox.run(&Run { arguments: Vec::new(), input: Input::Empty, limits })
}

#[test]
fn a_program_that_is_still_being_written_starts_a_little_later() {
    let folder = tempfile::tempdir().unwrap();
    let (sandbox, path) = sandbox_with_own_file(folder.path());
    let file = File::options().append(true).open(path).unwrap();
    let writer = std::thread::spawn(|| {
        std::thread::sleep(Duration::from_millis(50));
        drop(file);
    });
    assert_eq!(run_in(&sandbox, ROOMY).unwrap().ended, Ended::Exited(0));
    writer.join().unwrap();
}

#[test]
fn a_program_that_is_written_for_ever_fails_to_start_and_can_be_stopped_before() {
    let folder = tempfile::tempdir().unwrap();
    let (sandbox, path) = sandbox_with_own_file(folder.path());
    let file = File::options().append(true).open(path).unwrap();
    let error = run_in(&sandbox, ROOMY).unwrap_err();
    let reason = std::error::Error::source(&error).map(ToString::to_string);
    assert!(reason.as_ref().is_some_and(|reason| reason.contains("busy")), "{error:?}");
    let stopped = run_in(&sandbox, Limits { wall: Duration::from_millis(50), ..ROOMY }).unwrap();
    assert_eq!((stopped.ended, stopped.crossed), (Ended::Signaled(libc::SIGKILL), Some(Crossed::Wall)));
    drop(file);
    assert_eq!(run_in(&sandbox, ROOMY).unwrap().ended, Ended::Exited(0), "the next run is not disturbed");
}

#[test]
fn a_program_has_at_most_as_many_processes_as_its_limit_says() {
    let five_at_once = "for i in 1 2 3 4; do sleep 0.2 & done; wait; echo done";
    let with_limit = |processes| run_once(Program { processes, ..shell_program(five_at_once) }, ROOMY);
    assert_eq!(&*with_limit(5).stdout, b"done\n");
    let outcome = with_limit(4);
    assert_eq!(&*outcome.stdout, b"", "{outcome:?}");
    assert_ne!(outcome.ended, Ended::Exited(0));
}

/// Returns the line of `/proc/self/status` with the cores that this process may use.
fn own_cores() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    status.lines().find(|line| line.starts_with("Cpus_allowed_list")).unwrap().to_owned()
}

#[test]
fn a_program_may_use_all_cores_and_does_not_see_on_which_its_zygote_stays() {
    let script = "grep Cpus_allowed_list /proc/self/status; taskset -cp 1 2>/dev/null";
    let sandbox = Sandbox::open(shell_program(script), Mode::Auto);
    let mut instance = sandbox.instance().unwrap();
    for _ in 0..8 {
        let outcome = instance.run(&Run { arguments: Vec::new(), input: Input::Empty, limits: ROOMY }).unwrap();
        let text = String::from_utf8_lossy(&outcome.stdout);
        if machine::capabilities().isolation.namespaces.is_some() {
            assert_eq!(text.trim_end(), own_cores());
        } else {
            assert_eq!(text.lines().next(), Some(&*own_cores()));
        }
    }
}

#[test]
fn a_program_that_keeps_its_cores_cannot_leave_them() {
    let cores = "grep Cpus_allowed_list /proc/self/status";
    let first_only = "taskset -cp $(taskset -cp $$ | sed 's/.*: *//; s/[,-].*//') $$ >/dev/null; ";
    let script = format!("{cores}; {first_only}{cores}");
    let lists = |keeps_cores| {
        let outcome = run_once(Program { keeps_cores, ..shell_program(&script) }, ROOMY);
        let text = String::from_utf8(outcome.stdout.to_vec()).unwrap();
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let kept = lists(true);
    assert!(kept.len() == 2 && kept[0] == kept[1], "{kept:?}");
    if kept[0].contains(['-', ',']) {
        let left = lists(false);
        assert_ne!(left[0], left[1]);
    }
}
