//! Hostile programs. The folder of a program names the verdict that it must get. The program must leave nothing behind,
//! and the next program must get its right verdict.
//!
//! The programs in `tests/hostile` must get their verdicts on every machine. Those in `tests/hostile_trees` need
//! control groups, those in `tests/hostile_walls` need namespaces and a filter of system calls, those in
//! `tests/hostile_outside` are for a judge without namespaces, and those in `tests/hostile_sampled` are for a judge
//! without control groups.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use assert_cmd::Command;
use serde_json::Value;

use super::support::command::{json, names_in, of_type, processes_below, referee, sandbox_parts, settings, write};
use super::support::files;
use super::support::leftovers::{groups_left, helpers_left, mounts};
use super::support::person::Person;
use super::support::program::{compile_c, temporary_folder};

/// The package on which the programs are judged: the sum of two numbers.
const PACKAGE: &str = "tests/packages/judged/sum";

/// The variable that turns off mechanisms of the sandbox, as if this machine did not have them.
const WITHOUT: &str = "REFEREE_SANDBOX_WITHOUT";

/// Returns the verdict and the path of every program in the folders.
fn programs(folders: &[&str]) -> Vec<(String, String)> {
    let mut programs = Vec::new();
    for root in folders.iter().map(|folder| files::in_repository(folder)) {
        for verdict in names_in(&root) {
            let folder = root.join(&verdict);
            programs.extend(names_in(&folder).into_iter().map(|name| {
                let path = files::shown(&folder.join(name));
                (verdict.clone(), path)
            }));
        }
    }
    programs
}

/// Judges the programs of `folders`, each followed by an honest program. Checks the verdicts, and that nothing is left
/// behind.
fn every_program_gets_its_verdict(folders: &[&str], at_least: usize, person: &Person, without: &str) {
    let hostile = programs(folders);
    assert!(hostile.len() >= at_least, "the folder was read");
    let temporary = temporary_folder();
    let honest = honest_program(temporary.path());
    let judged = tempfile::Builder::new().prefix("judged-").tempdir_in(temporary.path()).expect("a folder is made");
    person.owns(temporary.path());
    person.owns(judged.path());
    let mounts_before = mounts();
    // A program that never ends uses its whole time limit on each case, so these programs have a shorter limit. The
    // other programs have the package's limit.
    let (endless, others): (Vec<_>, Vec<_>) = hostile.into_iter().partition(|(verdict, _)| verdict == "TLE");
    for (programs, limit) in [(others, None), (endless, Some(SHORT_LIMIT))] {
        // If the command named no program, it would judge the package's own submissions.
        if programs.is_empty() {
            continue;
        }
        let mut command = person.referee(["grade", PACKAGE]);
        // All cases are run only by the user who runs the tests, and only with every mechanism turned on. Running all
        // cases takes long, because a program that sleeps on one case also sleeps on the next.
        if without.is_empty() && matches!(person, Person::Myself) {
            command.arg("--all-cases");
        }
        command.args(limit.iter().flat_map(|limit| ["--time-limit", limit]));
        command.env("TMPDIR", judged.path()).env(WITHOUT, without);
        // Without a private root, a program cannot run interpreters in folders that are closed to its user, so `PATH`
        // has only system folders.
        command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
        verdicts_are_those_of_the_folders(command, &programs, &honest);
    }
    assert_eq!(helpers_left(), Vec::<String>::new());
    assert_eq!(processes_below(judged.path()), Vec::<String>::new());
    assert_eq!(names_in(judged.path()), Vec::<String>::new());
    assert_eq!(groups_left(), Vec::<String>::new());
    assert_eq!(mounts(), mounts_before);
}

/// The time limit in seconds for programs that exceed every time limit.
const SHORT_LIMIT: &str = "0.4";

/// Adds the programs to the command, each followed by the honest program. Checks each verdict against the program's
/// folder.
fn verdicts_are_those_of_the_folders(mut command: Command, programs: &[(String, String)], honest: &Path) {
    for (_, path) in programs {
        command.arg(path).arg(honest);
    }
    let (code, lines) = json(command);
    let accepted = ("AC".to_owned(), honest.display().to_string());
    let wanted = programs.iter().flat_map(|program| [program, &accepted]);
    let finished = of_type(&lines, "submission_finished");
    let got = finished.iter().map(|line| (&line["verdict"], &line["submission"]));
    let differ = |((verdict, name), got): (&(String, String), (&Value, &Value))| {
        let is_right = got.0.as_str() == Some(verdict) && got.1.as_str() == Some(name);
        (!is_right).then(|| format!("{name} must get {verdict}: {got:?}"))
    };
    let wrong: Vec<_> = wanted.zip(got).filter_map(differ).collect();
    assert_eq!((wrong, finished.len()), (Vec::new(), 2 * programs.len()));
    let all_accepted = programs.iter().all(|(verdict, _)| verdict == "AC");
    assert_eq!(code, i32::from(!all_accepted), "the judge must not fail on any program");
}

/// Compiles a right program.
fn honest_program(folder: &Path) -> PathBuf {
    let source = folder.join("honest.c");
    let text = "#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", a + b); return 0; }\n";
    std::fs::write(&source, text).expect("a source can be written");
    compile_c(&source, &folder.join("honest"))
}

/// Checks that the sandbox enforces all `parts` for `person`. Otherwise returns an error that names the missing parts,
/// so that the test is skipped. Panics instead if the environment variable named by `needed` is set, as in continuous
/// integration.
fn enforced(person: &Person, parts: &[&str], needed: &str) -> Result<(), String> {
    let found = sandbox_parts(person.referee(["grade", PACKAGE, "--cases", "secret/1"]));
    let lacking: Vec<_> = parts.iter().filter(|part| found[*part]["state"] != "enforced").collect();
    let needed = std::env::var_os(needed).is_some();
    assert!(lacking.is_empty() || !needed, "this machine can enforce {lacking:?}, but the sandbox does not: {found}");
    if lacking.is_empty() { Ok(()) } else { Err(format!("not enforced: {lacking:?}: {found}")) }
}

pub(crate) fn control_groups(person: &Person) -> Result<(), String> {
    enforced(person, &["cpu_time", "memory"], "REFEREE_TESTS_NEED_CONTROL_GROUPS")
}

pub(crate) fn isolation(person: &Person) -> Result<(), String> {
    enforced(person, &["files", "network", "system_calls", "user"], "REFEREE_TESTS_NEED_NAMESPACES")
}

#[test]
fn every_hostile_program_gets_the_verdict_of_its_folder_and_leaves_nothing_behind() {
    needs!("g++", "gcc", "python3");
    every_program_gets_its_verdict(&["tests/hostile"], 57, &Person::Myself, "");
}

/// Only a control group can measure these programs. Some have children that no parent waits for, and some use memory
/// that belongs to no process.
#[test]
fn every_tree_of_processes_gets_the_verdict_of_its_folder_and_leaves_nothing_behind() {
    needs!("g++", "gcc", "python3", control_groups(&Person::Myself));
    every_program_gets_its_verdict(&["tests/hostile_trees"], 11, &Person::Myself, "");
}

#[test]
fn nobody_gets_through_the_walls() {
    needs!("g++", "gcc", "python3", isolation(&Person::Myself));
    every_program_gets_its_verdict(&["tests/hostile_walls"], 15, &Person::Myself, "");
}

#[test]
#[ignore = "takes half a minute: every hostile program again"]
fn nobody_gets_through_the_walls_of_an_ordinary_user_either() {
    let person = needs!(Person::ordinary());
    needs!("g++", "gcc", "python3", isolation(&person));
    every_program_gets_its_verdict(&["tests/hostile", "tests/hostile_walls"], 61, &person, "");
}

/// Turns off mechanisms, as in a container that forbids them. The other mechanisms must suffice for all programs in
/// `tests/hostile`.
#[test]
#[ignore = "takes half a minute: every hostile program again"]
fn without_namespaces_the_hostile_programs_get_their_verdicts_too() {
    needs!("g++", "gcc", "python3");
    every_program_gets_its_verdict(&["tests/hostile"], 57, &Person::Myself, "namespaces,cgroups");
}

#[test]
#[ignore = "takes half a minute: every hostile program again"]
fn without_namespaces_an_ordinary_users_judge_is_right_too() {
    let person = needs!(Person::ordinary());
    needs!("g++", "gcc", "python3");
    every_program_gets_its_verdict(&["tests/hostile"], 57, &person, "namespaces");
}

/// The modes of a judge without control groups. In the second mode, the kernel does not count the CPU time either.
const UNGROUPED: [&str; 3] = ["cgroups", "cgroups,task_clock", "namespaces,cgroups"];

/// Returns the users who run the judge.
fn everybody() -> Vec<Person> {
    [Some(Person::Myself), Person::ordinary().ok()].into_iter().flatten().collect()
}

/// Without control groups, the judge samples the processes. A plain sum over the processes of a sample would miss the
/// CPU time or the memory of these programs, or count it several times.
#[test]
#[ignore = "takes half a minute, and needs idle cores: a busy machine samples too rarely"]
fn without_control_groups_samples_suffice_for_these_programs() {
    needs!("gcc");
    for person in everybody() {
        for without in UNGROUPED {
            every_program_gets_its_verdict(&["tests/hostile_sampled"], 8, &person, without);
        }
    }
}

/// The folder's own program has a parent that waits for the child, so the kernel keeps the child's peak.
#[test]
fn without_control_groups_a_short_peak_counts_even_if_no_parent_waits() {
    needs!("gcc");
    let folder = temporary_folder();
    let text = std::fs::read_to_string(files::in_repository("tests/hostile_sampled/MLE/spikes_for_ten_milliseconds.c"));
    let text = text.expect("the program can be read").replace("#define WAITED 1", "#define WAITED 0");
    let program = write(folder.path(), "not_waited.c", &text);
    for without in UNGROUPED {
        let mut command = referee(["grade", PACKAGE, "--no-cache"]);
        command.arg(&program).env(WITHOUT, without).env("PATH", "/usr/local/bin:/usr/bin:/bin");
        let (_, lines) = json(command);
        assert_eq!(of_type(&lines, "submission_finished")[0]["verdict"], "MLE", "without {without}: {lines:?}");
    }
}

#[test]
fn without_control_groups_shared_memory_counts_once() {
    needs!("gcc");
    for person in everybody() {
        for without in UNGROUPED {
            let mut command = person.referee(["grade", PACKAGE, "--no-cache"]);
            for name in ["shares_a_mapping_with_children.c", "shares_pages_with_children.c"] {
                command.arg(format!("tests/hostile_sampled/AC/{name}"));
            }
            command.env(WITHOUT, without).env("PATH", "/usr/local/bin:/usr/bin:/bin");
            let (_, lines) = json(command);
            for case in of_type(&lines, "case_finished") {
                let mebibytes = case["memory_bytes"].as_u64().expect("the memory is known") >> 20;
                assert!((100..140).contains(&mebibytes), "without {without}: {case}");
            }
        }
    }
}

/// Without namespaces, a judge that is not root runs programs as its own user. Then only the filter of system calls
/// protects the files and processes of that user.
#[test]
#[ignore = "takes half a minute: every hostile program again"]
fn without_namespaces_no_program_changes_what_belongs_to_the_judges_user() {
    let person = needs!(Person::ordinary());
    needs!("g++", "gcc", "perl", "python3");
    for person in [&person, &Person::Myself] {
        every_program_gets_its_verdict(&["tests/hostile_outside"], 3, person, "namespaces");
    }
}

/// If the judge is killed, it cannot end its programs, but the kernel kills them.
#[test]
fn a_killed_judge_takes_its_programs_with_it_and_the_next_one_removes_its_control_groups() {
    needs!("gcc");
    let temporary = temporary_folder();
    let mut judge = std::process::Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["grade", PACKAGE, "tests/hostile/TLE/sleeps.c", "--time-limit", "600"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("TMPDIR", temporary.path())
        .env("XDG_CACHE_HOME", settings().join("cache"))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("referee starts");
    let patience = Instant::now() + Duration::from_secs(60);
    while !submission_runs(temporary.path()) {
        assert!(Instant::now() < patience, "the submission never started");
        std::thread::sleep(Duration::from_millis(20));
    }
    judge.kill().expect("referee can be killed");
    judge.wait().expect("referee can be waited for");
    while submission_runs(temporary.path()) {
        assert!(Instant::now() < patience, "the submission outlives its judge");
        std::thread::sleep(Duration::from_millis(20));
    }
    referee(["grade", PACKAGE, "tests/hostile/WA/reads_nothing.c"]).assert().code(1);
    assert_eq!(groups_left(), Vec::<String>::new());
}

/// Returns whether a compiled submission is running. `folder` contains the temporary files of its judge.
fn submission_runs(folder: &Path) -> bool {
    processes_below(folder).iter().any(|process| {
        let command = std::fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default();
        command.contains("program.out") && !command.contains("-O2")
    })
}

/// A source that includes an answer file by name does not compile, because the compiler cannot read the file.
#[test]
fn a_compiler_cannot_include_the_test_data() {
    needs!("gcc", isolation(&Person::Myself));
    let folder = temporary_folder();
    let answer = files::in_repository(PACKAGE).join("data/secret/1.ans");
    let source = folder.path().join("includes.c");
    std::fs::write(
        &source,
        format!("int answer =\n#include \"{}\"\n;\nint main(void) {{ return 0; }}\n", answer.display()),
    )
    .expect("a source can be written");
    let mut command = referee(["grade", PACKAGE]);
    command.arg(&source);
    let (code, lines) = json(command);
    assert_eq!((code, &of_type(&lines, "submission_finished")[0]["verdict"]), (1, &Value::from("CE")));
    let message = of_type(&lines, "build_finished")[0]["message"].as_str().expect("the compiler says why").to_owned();
    assert!(message.contains("No such file or directory"), "{message}");
}

/// A misspelt mechanism in [`WITHOUT`] must be an error. Otherwise the mechanism that the user wants to turn off would
/// stay on.
#[test]
fn a_misspelt_piece_to_leave_out_is_refused() {
    use predicates::str::contains;
    let mut command = referee(["grade", PACKAGE]);
    let refused = command.env(WITHOUT, "landlock,cgruops").assert().code(2);
    refused.stderr(contains("found \"cgruops\", allowed: namespaces, landlock, seccomp, cgroups, systemd, task_clock"));
}

/// A submission cannot make the judge fail or prevent the judging of other submissions.
#[test]
#[ignore = "takes half a minute: large submissions"]
fn submissions_that_are_hard_to_copy_are_refused_and_the_next_one_is_judged() {
    needs!("python3");
    let folder = temporary_folder();
    let many = folder.path().join("many");
    std::fs::create_dir(&many).expect("a folder can be made");
    for number in 0..5000 {
        std::fs::write(many.join(format!("{number}.py")), "").expect("a file can be written");
    }
    let mut deep = folder.path().join("deep");
    for _ in 0..30 {
        deep.push("x".repeat(60));
    }
    std::fs::create_dir_all(&deep).expect("folders can be made");
    std::fs::write(deep.join("data.txt"), "deep").expect("a file can be written");
    std::fs::write(folder.path().join("deep/main.py"), "print(7)\n").expect("a file can be written");
    let right = "tests/packages/judged/sum/submissions/accepted/sum.py";
    let mut command = referee(["grade", PACKAGE]);
    command.args([&many, &folder.path().join("deep")]).arg(right);
    let (code, lines) = json(command);
    let verdicts: Vec<_> = of_type(&lines, "submission_finished").iter().map(|line| line["verdict"].clone()).collect();
    assert_eq!((code, verdicts), (1, vec!["CE".into(), "CE".into(), "AC".into()]), "{lines:?}");
}

/// The kernel reports many different errors for a program that it cannot execute. Each of them must count as a failure
/// of the program, and not of the judge.
#[test]
fn an_executable_that_asks_for_a_strange_loader_fails_and_the_judge_does_not() {
    needs!("gcc", cfg!(target_arch = "x86_64").then_some(()).ok_or_else(|| "the processor is not x86-64".to_owned()));
    let folder = temporary_folder();
    let program = honest_program(folder.path());
    let whole = std::fs::read(&program).expect("the program can be read");
    let loader: &[u8] = b"/lib64/ld-linux-x86-64.so.2\0";
    let place = whole.windows(loader.len()).position(|bytes| bytes == loader).expect("it names its loader");
    for (name, other) in [("short", "/etc/group"), ("folder", "/usr"), ("none", "/no/such/loader"), ("empty", "")] {
        let mut bytes = whole.clone();
        bytes[place..place + loader.len()].fill(0);
        bytes[place..place + other.len()].copy_from_slice(other.as_bytes());
        let changed = folder.path().join(name);
        std::fs::copy(&program, &changed).expect("the program can be copied");
        std::fs::write(&changed, bytes).expect("the copy can be written");
        let mut command = referee(["grade", PACKAGE]);
        let (code, lines) = json({
            command.arg(&changed);
            command
        });
        let verdict = &of_type(&lines, "submission_finished")[0]["verdict"];
        assert_eq!((code, verdict), (1, &Value::from("RTE")), "{name}: {lines:?}");
    }
}

/// If the judge runs as root, the compiler runs as another user. That user must be able to write to the folder of the
/// sources.
#[test]
fn a_compiler_can_write_into_the_folders_of_the_sources() {
    needs!("javac");
    let folder = temporary_folder();
    let (main, adder) = (folder.path().join("Main.java"), folder.path().join("pkg/Adder.java"));
    std::fs::create_dir(folder.path().join("pkg")).expect("a folder can be made");
    let text = "public class Main { public static void main(String[] a) { var in = new java.util.Scanner(System.in); \
                System.out.println(pkg.Adder.add(in.nextInt(), in.nextInt())); } }";
    std::fs::write(main, text).expect("a source can be written");
    std::fs::write(adder, "package pkg; public class Adder { public static int add(int a, int b) { return a + b; } }")
        .expect("a source can be written");
    for without in ["", "namespaces"] {
        let mut command = referee(["grade", PACKAGE, "--time-limit", "20"]);
        command.arg(folder.path()).env(WITHOUT, without);
        let (code, lines) = json(command);
        assert_eq!(code, 0, "without {without:?}: {lines:?}");
    }
}

#[test]
fn nothing_a_program_writes_can_move_the_cursor_or_change_the_colours() {
    needs!("python3");
    let mut command: Command = referee(["grade", PACKAGE, "--color", "never"]);
    command.args(["tests/hostile/WA/escape_sequences.py", "tests/hostile/WA/broken_utf8.py"]);
    let output = command.output().expect("referee starts");
    let text = String::from_utf8(output.stdout).expect("what people read is UTF-8");
    assert!(text.contains("␛[2J"), "the escape is shown, as a picture: {text}");
    let unsafe_character = |character: char| character.is_control() && character != '\n';
    assert!(!text.contains(unsafe_character), "{text:?}");
    assert!(text.contains("\\xff"), "{text}");
}
