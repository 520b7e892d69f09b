//! Missing resources: the judge reports full disks, closed streams, removed files and low limits, and leaves no
//! incomplete file.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::support::command::{names_in, referee, settings, write};
use super::support::poll::{is_interruptible_and_sleeps, wait_until};
use super::support::program::temporary_folder;

const SUM: &str = "tests/packages/judged/sum";
pub(super) const RIGHT: &str = "print(sum(map(int, input().split())))\n";

/// Runs the shell script `first`, then `referee grade ARGUMENTS`, then the script `last`, all in `folder` and in a new
/// mount namespace. Fails if the machine allows no such namespace.
fn between(first: &str, last: &str, folder: &Path, arguments: &[&str]) -> Result<Output, String> {
    let script = format!("{first} && touch went && {{ \"$@\"; code=$?; {last}; exit $code; }}");
    let mut command = Command::new("unshare");
    command.args(["-m", "sh", "-c", &script, "sh"]);
    let output = run(command, folder, arguments);
    if fs::remove_file(folder.join("went")).is_err() {
        return Err(format!("{first:?} cannot be done here: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(output)
}

/// Runs the shell script `first`, then `referee grade` with the redirections `redirected`, without a new namespace.
pub(super) fn in_a_shell(first: &str, redirected: &str, folder: &Path, arguments: &[&str]) -> Output {
    run(shell(first, redirected), folder, arguments)
}

fn shell(first: &str, redirected: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{first}; \"$@\" {redirected}"), "sh"]);
    command
}

fn run(command: Command, folder: &Path, arguments: &[&str]) -> Output {
    run_with_cache(command, folder, &[arguments, &["--no-cache"]].concat())
}

fn run_with_cache(mut command: Command, folder: &Path, arguments: &[&str]) -> Output {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join(SUM);
    command.arg(env!("CARGO_BIN_EXE_referee")).arg("grade").arg(package).args(arguments);
    command.env("XDG_CONFIG_HOME", settings().join("config")).env("XDG_CACHE_HOME", settings().join("cache"));
    command.current_dir(folder).output().expect("it starts")
}

#[track_caller]
pub(super) fn ends(output: &Output, code: i32, says: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(said.contains(says), "{said}");
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn a_report_on_a_full_disk_is_named_and_what_is_there_of_it_is_called_a_part() {
    needs!("python3");
    let folder = temporary_folder();
    write(folder.path(), "a.py", RIGHT);
    let full = "mkdir -p full && mount -t tmpfs -o size=4k none full";
    let list = "ls full >names; cp full/* .";
    let many = ["a.py"; 12];
    let arguments = [&many[..], &["--json", "full/report.jsonl", "-q"]].concat();
    let output = needs!(between(full, list, folder.path(), &arguments));
    ends(&output, 3, "full/report.jsonl: No space left on device");
    let names = fs::read_to_string(folder.path().join("names")).expect("it was listed");
    assert_eq!(names, "report.jsonl.part\n");
    // The partial report can be resumed.
    fs::rename(folder.path().join("report.jsonl.part"), folder.path().join("r.jsonl.part")).expect("it was copied");
    let again = [&many[..], &["--json", "r.jsonl", "--resume", "r.jsonl", "-q"]].concat();
    ends(&in_a_shell(":", "", folder.path(), &again), 0, "resuming from r.jsonl.part: ");
    assert!(folder.path().join("r.jsonl").exists() && !folder.path().join("r.jsonl.part").exists());
}

#[test]
fn a_folder_that_can_only_be_read_is_told_before_anything_runs() {
    let folder = temporary_folder();
    write(folder.path(), "a.py", RIGHT);
    let closed = "mkdir -p closed && mount -t tmpfs -o size=4k,ro none closed";
    for option in ["--json", "--junit", "--html"] {
        let output = needs!(between(closed, ":", folder.path(), &["a.py", option, "closed/report"]));
        ends(&output, 2, "cannot write the report closed/report: Read-only file system");
        assert_eq!(output.stdout, b"");
    }
}

#[test]
fn a_full_temporary_folder_is_the_judges_trouble_and_not_the_submissions() {
    needs!("python3");
    let folder = temporary_folder();
    write(folder.path(), "a.py", &format!("{RIGHT}{}", "# 0123456789\n".repeat(5000)));
    let full = "mkdir -p full && mount -t tmpfs -o size=16k none full && export TMPDIR=$PWD/full";
    let output = needs!(between(full, ":", folder.path(), &["a.py", "--json", "report.jsonl"]));
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("! JE  a.py") && said.contains("No space left on device"), "{said}");
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("in the folder for temporary files, "), "{said}");
    assert_eq!(names_in(folder.path()), ["a.py", "full", "report.jsonl"]);
}

/// Some compilations fill the disk with many files or with large files. The judge limits each compilation to a part of
/// the disk, so the other programs can be judged.
#[test]
fn compilations_that_fill_a_small_temporary_folder_do_not_compile_and_the_others_are_judged() {
    needs!("gcc", "perl", "python3");
    let folder = temporary_folder();
    let fill = |count: u32, bytes: u32| {
        // Without `die`, a program that meets the full disk of another one would write less and compile.
        format!(
            "BEGIN {{ if ($^C) {{ for (1..{count}) {{ open(my $f, '>', \"f$_\") or die $!; print $f 'x' x {bytes}; \
             close($f) or die $! }} exit 0 }} }}\n\
             my ($a, $b) = split ' ', <STDIN>; print $a + $b;\n"
        )
    };
    write(folder.path(), "many.pl", &fill(15_000, 1));
    write(folder.path(), "large.pl", &fill(50, 1 << 20));
    write(folder.path(), "a.py", RIGHT);
    write(
        folder.path(),
        "b.c",
        "#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d%d\", &a, &b); printf(\"%d\\n\", a + b); }\n",
    );
    for options in ["size=64m", "size=64m,nr_inodes=4000"] {
        for without in ["", "namespaces"] {
            let small = format!(
                "mkdir -p small && mount -t tmpfs -o {options},mode=1777 none small && export TMPDIR=$PWD/small \
                 REFEREE_SANDBOX_WITHOUT={without} PATH=/usr/local/bin:/usr/bin:/bin"
            );
            let programs = ["large.pl", "b.c", "many.pl", "a.py", "large.pl", "many.pl", "b.c", "many.pl", "a.py"];
            let output = needs!(between(&small, ":", folder.path(), &[&programs[..], &["-j", "2"]].concat()));
            let said = String::from_utf8_lossy(&output.stdout);
            assert_eq!(output.status.code(), Some(1), "{options} {without}: {said}");
            assert_eq!((said.matches("✗ CE").count(), said.matches("✓ AC").count()), (5, 4), "{said}");
            assert!(said.contains("files"), "{said}");
        }
    }
}

#[test]
fn with_standard_streams_closed_a_report_is_whole_and_holds_nothing_else() {
    needs!("python3");
    let folder = temporary_folder();
    write(folder.path(), "a.py", "print('wrong')\n");
    // If the standard streams are closed, the first files that the judge opens get the file descriptors of the streams.
    // Output for the streams must not end up in these files.
    let output = in_a_shell(":", "<&- >&- 2>&-", folder.path(), &["a.py", "-v", "--json", "report.jsonl"]);
    assert_eq!(output.status.code(), Some(1));
    let report = fs::read_to_string(folder.path().join("report.jsonl")).expect("it is there");
    assert!(report.lines().all(|line| line.starts_with("{\"type\":") && line.ends_with('}')), "{report}");
    assert!(report.ends_with('\n') && report.contains("run_finished"), "{report}");
}

#[test]
fn a_report_to_closed_standard_output_is_refused() {
    let folder = temporary_folder();
    write(folder.path(), "a.py", RIGHT);
    let refused = "cannot write the report to standard output, which was closed";
    ends(&in_a_shell(":", ">&-", folder.path(), &["a.py", "--json", "-"]), 2, refused);
}

#[test]
fn a_source_that_is_gone_when_its_turn_comes_is_told_and_the_others_are_judged() {
    needs!("python3");
    let folder = temporary_folder();
    for name in ["first.py", "last.py"] {
        write(folder.path(), name, RIGHT);
    }
    let sleeps = write(folder.path(), "middle.py", "import time\nwhile True: time.sleep(1)\n");
    let gone = folder.path().join("last.py");
    // The script removes the last program after the first one was judged, while the second one runs.
    let script = "\"$@\" & until grep -q case_finished report.jsonl.part; do sleep 0.05; done; rm last.py; wait $!";
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh"]);
    let output = run(
        command,
        folder.path(),
        &["first.py", "middle.py", "last.py", "-j", "1", "--time-limit", "0.3", "--json", "report.jsonl"],
    );
    assert!(sleeps.exists() && !gone.exists());
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("AC  first.py") && said.contains("TLE middle.py"), "{said}");
    assert!(said.contains("not judged: last.py: its file was removed during the run"), "{said}");
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(names_in(folder.path()), ["first.py", "middle.py", "report.jsonl"]);
}

#[test]
fn an_interrupt_while_nobody_reads_ends_the_run() {
    needs!("gcc");
    // The pipe is full, and no process reads it. So the judge waits for space, and the user must be able to interrupt
    // this wait.
    let (reader, mut writer) = std::io::pipe().expect("a pipe can be made");
    rustix::fs::fcntl_setfl(&writer, rustix::fs::OFlags::NONBLOCK).expect("a pipe need not block");
    while std::io::Write::write(&mut writer, &[b' '; 4096]).is_ok() {}
    rustix::fs::fcntl_setfl(&writer, rustix::fs::OFlags::empty()).expect("a pipe can block");
    for arguments in [&["--json", "-"][..], &["--verbose"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
        command.args(["grade", SUM, "tests/hostile/WA/says_nothing.c"]).args(arguments);
        command.current_dir(env!("CARGO_MANIFEST_DIR"));
        command.stdin(Stdio::null()).stderr(Stdio::null());
        let mut child = command.stdout(writer.try_clone().unwrap()).spawn().expect("referee starts");
        wait_until("it can be interrupted", || is_interruptible_and_sleeps(&child));
        std::thread::sleep(Duration::from_secs(1));
        assert!(child.try_wait().unwrap().is_none(), "{arguments:?}: it waits for the reader");
        kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
        let code = child.wait().expect("referee can be waited for").code();
        assert_eq!(code, Some(130), "{arguments:?}");
    }
    drop(reader);
}

#[test]
fn what_cannot_become_a_report_is_told_before_anything_runs() {
    let folder = temporary_folder();
    write(folder.path(), "a.py", RIGHT);
    write(folder.path(), "old.jsonl", "{\"type\":\"run_started\"}\n");
    let long = "n".repeat(251);
    for (options, wanted) in [
        (&["--json", long.as_str()][..], "the file name has 251 bytes, allowed: at most 250"),
        (&["--json", "a.py"], "the file exists and is not a report, so it is not replaced"),
        (&["--html", "./a.py"], "the file exists and is not a report"),
        (&["--json", "r", "--junit", "./r"], "--json and --junit name the same file"),
        (&["--junit", "old.jsonl", "--html", "old.jsonl"], "--junit and --html name the same file"),
    ] {
        let arguments = [&["a.py"], options].concat();
        ends(&in_a_shell(":", "", folder.path(), &arguments), 2, wanted);
    }
    assert_eq!(names_in(folder.path()), ["a.py", "old.jsonl"]);
    assert_eq!(fs::read_to_string(folder.path().join("a.py")).unwrap(), RIGHT);
}

/// Programs start with the usual priority and scheduling policy if the judge is allowed to set them. Otherwise, a
/// warning names the priority or the policy that they have from the shell.
#[test]
fn the_priority_and_the_cores_of_the_shell_are_reset_or_told() {
    needs!("gcc", "chrt", "taskset");
    let folder = temporary_folder();
    write(
        folder.path(),
        "usual.c",
        "#define _GNU_SOURCE\n#include <sched.h>\n#include <stdio.h>\n#include <sys/resource.h>\nint main(void) { int \
         a, b; scanf(\"%d%d\", &a, &b); int usual = !getpriority(PRIO_PROCESS, 0) && !sched_getscheduler(0); \
         printf(\"%d\\n\", usual ? a + b : -1); }\n",
    );
    let graded = |wrapper: &str| in_a_shell(&format!("set -- {wrapper} \"$@\""), "", folder.path(), &["usual.c"]);
    ends(&graded("chrt -b 0"), 0, "");
    for (wrapper, told) in [("nice -n 10", "nice value of 10 (nice)"), ("chrt -i 0", "idle policy (chrt)")] {
        let output = graded(wrapper);
        let is_told = String::from_utf8_lossy(&output.stderr).contains(told);
        // Root may reset the priority and the policy, except in some containers.
        assert_eq!(output.status.code(), Some(i32::from(is_told)), "{wrapper}");
    }
    if std::thread::available_parallelism().is_ok_and(|cores| cores.get() > 1) {
        ends(&graded("taskset -c 0"), 0, "may change verdicts: 1 of ");
    }
}

/// The first lines of a report of an earlier run.
const OLD_XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>old";

#[test]
fn the_reports_of_an_interrupted_run_are_left_as_parts_and_whole_ones_stay() {
    needs!("gcc");
    let folder = temporary_folder();
    for name in ["r.jsonl", "r.xml", "r.html"] {
        write(folder.path(), name, if name == "r.xml" { OLD_XML } else { "" });
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.args(["grade", SUM, "tests/hostile/WA/says_nothing.c", "tests/hostile/TLE/sleeps.c"]);
    command.args(["--time-limit", "60", "-j", "1"]).current_dir(env!("CARGO_MANIFEST_DIR"));
    for (option, name) in [("--json", "r.jsonl"), ("--junit", "r.xml"), ("--html", "r.html")] {
        command.arg(option).arg(folder.path().join(name));
    }
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("referee starts");
    let part = folder.path().join("r.jsonl.part");
    wait_until("it has judged the first", || {
        fs::read_to_string(&part).is_ok_and(|text| text.contains("submission_finished"))
    });
    kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
    let output = child.wait_with_output().expect("referee can be waited for");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("the run did not finish") && said.contains("r.html.part"), "{said}");
    let names = ["r.html", "r.html.part", "r.jsonl", "r.jsonl.part", "r.xml", "r.xml.part"];
    assert_eq!(names_in(folder.path()), names);
    assert_eq!(fs::read_to_string(folder.path().join("r.xml")).unwrap(), OLD_XML);
    // The next run that finishes removes the partial reports.
    let mut command = referee(["grade", SUM, "tests/hostile/WA/says_nothing.c"]);
    for (option, name) in [("--json", "r.jsonl"), ("--junit", "r.xml"), ("--html", "r.html")] {
        command.arg(option).arg(folder.path().join(name));
    }
    command.assert().code(1);
    assert_eq!(names_in(folder.path()), ["r.html", "r.jsonl", "r.xml"]);
}

#[test]
fn whatever_a_shell_bars_others_from_programs_are_compiled_and_run() {
    needs!("gcc");
    let folder = temporary_folder();
    write(
        folder.path(),
        "right.c",
        "#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d%d\", &a, &b); printf(\"%d\\n\", a + b); }\n",
    );
    for mask in ["077", "027", "007"] {
        ends(&in_a_shell(&format!("umask {mask}"), "", folder.path(), &["right.c"]), 0, "");
    }
}

#[test]
fn a_limit_on_files_that_cannot_be_lifted_is_an_error_and_does_not_end_the_judge() {
    needs!("python3");
    let folder = temporary_folder();
    write(folder.path(), "a.py", RIGHT);
    // Root could raise the limit of the file size again, so the script drops the capability that this needs.
    let first = "ulimit -f 0; [ $(id -u) != 0 ] || exec setpriv --bounding-set -sys_resource \"$@\"";
    let output = in_a_shell(first, "", folder.path(), &["a.py", "--json", "report.jsonl"]);
    ends(&output, 3, "File too large");
    assert!(String::from_utf8_lossy(&output.stderr).contains("files of 0 (ulimit -f)"));
}

#[test]
fn limits_of_the_shell_are_lifted_or_told() {
    needs!("gcc");
    let folder = temporary_folder();
    let body = "char a[16 << 20]; for (int i = 0; i < sizeof a; i += 4096) ((volatile char *)a)[i] = 1;";
    write(
        folder.path(),
        "deep.c",
        &format!(
            "#include <stdio.h>\nint main(void) {{ {body} int x, y; scanf(\"%d%d\", &x, &y); printf(\"%d\\n\", x + y); }}\n"
        ),
    );
    let output = in_a_shell("ulimit -s 8192", "", folder.path(), &["deep.c"]);
    // Some containers do not allow root to raise the limit of the stack. The judge then warns, and the program fails.
    let is_told = String::from_utf8_lossy(&output.stderr).contains("may change verdicts: stack of 8388608 (ulimit -s)");
    ends(&output, i32::from(is_told), "");
}

#[test]
fn fewer_processes_or_open_files_than_promised_are_told_and_what_comes_of_them_is_not_remembered_for_others() {
    needs!("gcc");
    let folder = temporary_folder();
    let body = "int a[500]; for (int i = 0; i < 500; i++) if ((a[i] = dup(0)) < 0) return 1; \
                int child = fork(); if (child < 0) return 1; if (!child) _exit(0); wait(0);";
    write(
        folder.path(),
        "needy.c",
        &format!(
            "#include <stdio.h>\n#include <sys/wait.h>\n#include <unistd.h>\nint main(void) {{ int x, y; \
             scanf(\"%d%d\", &x, &y); {body} printf(\"%d\\n\", x + y); }}\n"
        ),
    );
    let weak =
        "export XDG_CACHE_HOME=$PWD/cache; [ $(id -u) != 0 ] || exec setpriv --bounding-set -sys_resource \"$@\"";
    let graded = |limit: &str| run_with_cache(shell(&format!("{limit}; {weak}"), ""), folder.path(), &["needy.c"]);
    ends(&graded("ulimit -n 200"), 1, "may change verdicts: open files of 200 (ulimit -n)");
    let again = graded("ulimit -n 200");
    assert!(String::from_utf8_lossy(&again.stdout).contains("the only result is from an earlier run"));
    ends(&graded(":"), 0, "");
    let few = graded("prlimit --pid $$ --nproc=200:200");
    assert!(String::from_utf8_lossy(&few.stderr).contains("may change verdicts: processes of 200 (ulimit -u)"));
}

#[test]
fn folders_and_files_that_cannot_be_used_are_told_before_anything_runs() {
    let folder = temporary_folder();
    write(folder.path(), "a.py", RIGHT);
    let ends = |arguments: &[&str], code: i32, says: &str| {
        let arguments = [&["a.py", "-q"], arguments].concat();
        let output = in_a_shell(":", "", folder.path(), &arguments);
        self::ends(&output, code, says);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    };
    ends(&["--feedback", "a.py"], 2, "cannot write feedback to a.py: ");
    ends(&["--feedback", "/proc/nowhere"], 2, "hint: name a writable folder");
    ends(&["--testlib", "nowhere.h"], 2, "--testlib nowhere.h: there is no such file");
    let output = in_a_shell("export TMPDIR=/nowhere", "", folder.path(), &["a.py", "-q"]);
    self::ends(&output, 3, "hint: set TMPDIR to a folder for temporary files");
}
