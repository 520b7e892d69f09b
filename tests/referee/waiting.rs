//! The user can interrupt the judge whenever it waits. If a judge was killed, the next judge removes its files.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::support::command::{names_in, processes_below, referee, settings, write};
use super::support::leftovers::helpers_left;
use super::support::poll::{is_interruptible_and_sleeps, wait_until};
use super::support::program::temporary_folder;

const SUM: &str = "tests/packages/judged/sum";

fn started(command: &mut Command) -> Child {
    command.env("XDG_CONFIG_HOME", settings().join("config")).env("XDG_CACHE_HOME", settings().join("cache"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("referee starts")
}

fn judge(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.args(arguments);
    command
}

#[test]
fn waiting_for_a_terminal_or_a_pipe_can_be_interrupted() {
    let folder = temporary_folder();
    let pipe = folder.path().join("pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR).expect("a pipe");
    let pipe = pipe.to_str().expect("a temporary path is UTF-8");
    let waiting: [&[&str]; 5] = [
        &["solve", "flipgame"],
        &["solve", "flipgame", pipe],
        &["check", "flipgame", "cases/flipgame/data/sample/1.in", "-"],
        &["check", "flipgame", "cases/flipgame/data/sample/1.in", pipe],
        &["crosscheck", "flipgame", "--boards", "1", "--json", pipe],
    ];
    for arguments in waiting {
        let mut child = started(judge(arguments).stdin(Stdio::piped()));
        wait_until("the judge starts to wait", || is_interruptible_and_sleeps(&child));
        // The process sleeps, but perhaps not yet in the wait that the test wants to interrupt.
        std::thread::sleep(Duration::from_millis(50));
        kill_process(Pid::from_child(&child), Signal::INT).expect("referee runs");
        let mut code = None;
        wait_until("the interrupt ends the judge", || {
            code = child.try_wait().expect("referee can be waited for");
            code.is_some()
        });
        assert_eq!(code.and_then(|status| status.code()), Some(130), "{arguments:?}");
    }
}

#[test]
fn a_pipe_is_read_as_it_comes() {
    let folder = temporary_folder();
    let pipe = folder.path().join("pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR).expect("a pipe");
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || {
            let mut end = fs::File::options().write(true).open(pipe).expect("the pipe has a reader");
            for line in ["bwwb\n", "bbwb\nbw", "wb\nbwww\n"] {
                std::io::Write::write_all(&mut end, line.as_bytes()).expect("the pipe has a reader");
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    });
    referee(["solve", "flipgame"]).arg(&pipe).assert().code(0).stdout("4\n");
    writer.join().expect("all was written");
}

#[test]
fn what_a_killed_judge_left_goes_with_the_next() {
    needs!("gcc");
    let (temporary, programs) = (temporary_folder(), temporary_folder());
    let program = write(
        programs.path(),
        "sum.c",
        "#include <stdio.h>\nint main(){int a,b;scanf(\"%d%d\",&a,&b);printf(\"%d\\n\",a+b);}\n",
    );
    let mut child = started(
        judge(&["grade", SUM, "tests/hostile/TLE/sleeps.c", "--time-limit", "100"]).env("TMPDIR", temporary.path()),
    );
    wait_until("the submission never started", || !processes_below(temporary.path()).is_empty());
    kill_process(Pid::from_child(&child), Signal::KILL).expect("referee runs");
    child.wait().expect("referee can be waited for");
    wait_until("its programs live on", || processes_below(temporary.path()).is_empty());
    assert_eq!(helpers_left(), Vec::<String>::new());
    assert_eq!(names_in(temporary.path()).len(), 1, "its own folder");
    let keep = temporary.path().join("referee-mine");
    fs::create_dir(&keep).expect("a folder can be made");
    let mut next = referee([Path::new("grade"), Path::new(SUM), &program]);
    next.env("TMPDIR", temporary.path()).assert().code(0);
    assert_eq!(names_in(temporary.path()), ["referee-mine"]);
}
