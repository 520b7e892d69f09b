//! Runs `referee grade` as a user does.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use predicates::str::contains;
use serde_json::Value;

use super::support::command::{
    json, names_in, of_type, processes_below, referee, settings, without_measurements, write,
};
use super::support::person::Person;
use super::support::program::{has, temporary_folder};

const SUM: &str = "tests/packages/judged/sum";
const WHITE_ONLY: &str = "cases/flipgame/submissions/wrong_answer/white_only.py";

/// A program that solves the package [`SUM`].
const ADD: &str = "print(sum(map(int, input().split())))\n";

#[test]
fn a_program_that_only_tries_white_is_shown_the_board_and_both_numbers() {
    needs!("python3");
    // Sample 3 of the statement: all black needs three rounds, all white five.
    referee(["grade", "flipgame", WHITE_ONLY])
        .assert()
        .code(1)
        .stdout(contains("✗ WA"))
        .stdout(contains("WA on sample/3"))
        .stdout(contains("line 1: expected \"3\", got \"5\""))
        .stdout(contains("\n    bbwb\n    bwww\n    bwww\n    wwbw\n"))
        .stdout(contains("\n    1 expected  3\n    1 got       5\n"));
}

#[test]
fn a_wrong_program_is_judged_up_to_its_first_failure_unless_all_cases_are_asked_for() {
    needs!("python3");
    let (code, lines) = json(referee(["grade", "flipgame", WHITE_ONLY]));
    let finished = of_type(&lines, "submission_finished")[0];
    assert_eq!((code, &finished["verdict"], &finished["cases_run"]), (1, &Value::from("WA"), &Value::from(3)));
    assert_eq!(finished["first_failing_case"], "sample/3");
    let (code, lines) = json(referee(["grade", "flipgame", WHITE_ONLY, "--all-cases", "--cases", "sample/*"]));
    assert_eq!((code, of_type(&lines, "case_finished").len()), (1, 3));
    let (code, lines) = json(referee(["grade", SUM, "--all-cases", "tests/hostile/WA/reads_nothing.c"]));
    assert_eq!((code, of_type(&lines, "case_finished").len()), (1, 2));
}

#[test]
fn of_a_folder_of_many_programs_it_is_told_that_it_is_judged_as_one() {
    needs!("python3");
    let folder = temporary_folder();
    for name in ["class/amy.py", "class/bob.py", "class/carl.c", "parts/main.py", "parts/helper.py"] {
        write(folder.path(), name, ADD);
    }
    let graded = |names: &[&str]| {
        let mut command = referee(["grade", "tests/packages/judged/sum"]);
        command.args(names.iter().map(|name| folder.path().join(name)));
        String::from_utf8(command.output().expect("referee starts").stderr).expect("it is text")
    };
    let told = graded(&["class/", "parts"]);
    assert!(told.contains("the 3 sources in ") && told.contains("class are judged as one program; "), "{told}");
    assert!(told.contains("class/*"), "{told}");
    assert_eq!(graded(&["parts", "class/amy.py"]), "", "a folder with a main file needs no remark");
}

#[test]
fn a_source_file_a_source_folder_and_an_executable_are_all_programs() {
    needs!("python3");
    let folder = temporary_folder();
    let file = write(folder.path(), "add.py", ADD);
    write(folder.path(), "parts/main.py", "from helper import add\nprint(add(input()))\n");
    write(folder.path(), "parts/helper.py", "def add(line):\n    return sum(map(int, line.split()))\n");
    let executable = write(folder.path(), "add", "#!/bin/sh\nread a b\necho $((a + b))\n");
    fs::set_permissions(&executable, fs::Permissions::from_mode(0o755)).expect("a mode can be set");
    let mut command = referee(["grade", SUM]);
    command.arg(file).arg(folder.path().join("parts")).arg(executable);
    let (code, lines) = json(command);
    assert_eq!(code, 0, "{lines:?}");
    let languages: Vec<_> = of_type(&lines, "build_finished").iter().map(|line| line["language"].clone()).collect();
    assert_eq!(languages, ["Python 3", "Python 3", "executable"]);
}

#[test]
fn every_report_says_which_tools_made_and_ran_a_submission() {
    needs!("python3");
    let folder = temporary_folder();
    let file = write(folder.path(), "add.py", ADD);
    let asked = Command::new("python3").arg("--version").output().expect("python3 can be run");
    let version = String::from_utf8(asked.stdout).expect("it is ASCII").trim().to_owned();
    let grade = |arguments: &[&str]| {
        let mut command = referee(["grade", SUM]);
        let output = command.args(arguments).arg(&file).output().expect("referee starts");
        String::from_utf8(output.stdout).expect("it is UTF-8")
    };
    for arguments in [["--json", "-"], ["--junit", "-"], ["--html", "-"], ["--color", "never"]] {
        // The first run does not use the cache, and the second run uses it. Text for people (`--color`) shows the
        // version only with --verbose, and reports always show it.
        for how in ["--no-cache", "--verbose"] {
            let said = grade(&[&arguments[..], &[how]].concat());
            let is_told = arguments[0] != "--color" || how == "--verbose";
            assert_eq!(said.contains(&version), is_told, "{arguments:?} {how}: {said}");
        }
    }
}

#[test]
fn sources_in_every_language_are_compiled_and_run() {
    let sources = [
        (
            "gcc",
            "add.c",
            "#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\", a + b); }\n",
        ),
        ("g++", "add.cpp", "#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b; }\n"),
        (
            "javac",
            "Main.java",
            "import java.util.*;\npublic class Main { public static void main(String[] a) { Scanner in = \
          new Scanner(System.in); System.out.println(in.nextInt() + in.nextInt()); } }\n",
        ),
        ("python3", "add.py", ADD),
        (
            "rustc",
            "add.rs",
            "fn main() { let mut s = String::new(); std::io::stdin().read_line(&mut s).unwrap();\n\
          println!(\"{}\", s.split_whitespace().map(|n| n.parse::<i32>().unwrap()).sum::<i32>()); }\n",
        ),
    ];
    let folder = temporary_folder();
    for (tool, name, text) in sources {
        if has(tool, name) {
            let path = write(folder.path(), name, text);
            referee(["grade", SUM, "--time-limit", "5"]).arg(path).assert().code(0).stdout(contains("✓ AC"));
        }
    }
}

#[test]
fn a_java_program_may_be_called_like_its_file() {
    needs!("javac");
    let body = "static void main(String[] a) { java.util.Scanner in = new java.util.Scanner(System.in); \
                System.out.println(in.nextInt() + in.nextInt()); } }\n";
    let folder = temporary_folder();
    let public = write(folder.path(), "Solver.java", &format!("public class Solver {{ public {body}"));
    let private = write(folder.path(), "other.java", &format!("class Main {{ public {body}"));
    let mut command = referee(["grade", SUM, "--time-limit", "5"]);
    command.args([public, private]);
    let (code, lines) = json(command);
    assert_eq!(code, 0, "{lines:?}");
}

#[test]
fn a_program_that_does_not_compile_is_shown_the_compilers_words() {
    needs!("g++");
    referee(["grade", SUM, "tests/hostile/CE/half_a_program.cpp"])
        .assert()
        .code(1)
        .stdout(contains("✗ CE"))
        .stdout(contains("half_a_program.cpp:2:"))
        .stdout(contains("error:"));
}

#[test]
fn long_lines_of_a_compilers_message_are_folded_and_not_cut() {
    needs!("gcc");
    let folder = temporary_folder();
    let name = format!("{}the_end", "unknown_".repeat(12));
    let file = write(folder.path(), "long.c", &format!("int main(void) {{ return {name}; }}\n"));
    let assert = referee(["grade", SUM]).arg(file).assert().code(1);
    let shown = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    let joined: String = shown.split_whitespace().collect();
    assert!(joined.contains(&name), "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
}

#[test]
fn what_was_handed_in_as_a_link_is_skipped_and_the_others_are_judged() {
    needs!("python3");
    let folder = temporary_folder();
    let right = write(folder.path(), "right.py", ADD);
    let links = [("passwd.py", "/etc/passwd"), ("copied.py", "right.py"), ("gone.py", "nowhere")];
    let links = links.map(|(name, target)| {
        let link = folder.path().join(name);
        std::os::unix::fs::symlink(target, &link).expect("a link can be made");
        link
    });
    let mut command = referee(["grade", SUM]);
    let assert = command.arg(right).args(links).assert().code(2);
    let said = String::from_utf8_lossy(&assert.get_output().stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    for (link, target) in [("passwd.py", "/etc/passwd"), ("copied.py", "right.py"), ("gone.py", "nowhere")] {
        let reason = format!("{link}: it is a symbolic link to {target}; give the target instead of the link");
        assert!(said.contains(&reason), "{said}");
    }
    assert!(said.contains("4 submissions found, 1 judged"), "{said}");
}

#[test]
fn a_missing_toolchain_is_skipped_with_the_package_to_install_and_is_no_success() {
    let folder = temporary_folder();
    let source = write(folder.path(), "add.rs", "fn main() {}\n");
    let mut command = referee(["grade", SUM]);
    // PATH contains only a folder without tools, so no compiler is found.
    command.arg(&source).env("PATH", folder.path());
    command
        .assert()
        .code(2)
        .stdout(contains("add.rs: rustc is not installed"))
        .stdout(contains("apt-get install rustc"))
        .stdout(contains("nothing was judged"));
}

#[test]
fn a_file_in_no_known_language_is_refused_with_the_languages_there_are() {
    let folder = temporary_folder();
    let source = write(folder.path(), "notes.txt", "hello\n");
    referee(["grade", SUM])
        .arg(source)
        .assert()
        .code(2)
        .stderr(contains("neither a source of a known language nor an executable"))
        .stderr(contains("Python 3 (.py .py3)"));
    referee(["grade", SUM, "/no/such/program.py"])
        .assert()
        .code(2)
        .stderr(contains("/no/such/program.py: No such file"));
}

#[test]
fn the_verdicts_and_their_order_do_not_depend_on_the_number_of_jobs() {
    needs!("python3");
    let graded = |jobs: &str| {
        let (code, lines) = json(referee(["grade", "tests/packages/judged/rules", "-j", jobs]));
        let mut lines = without_measurements(lines);
        for line in &mut lines {
            let object = line.as_object_mut().expect("every line is an object");
            let is_measured = |key: &str| key.contains("seconds") || key.contains("memory");
            // The content of the cache depends on earlier tests.
            object.retain(|key, _| !is_measured(key) && !["jobs", "cached"].contains(&key.as_str()));
        }
        (code, lines)
    };
    let alone = graded("1");
    assert_eq!(alone.0, 0);
    assert_eq!(alone, graded("4"));
    assert_eq!(alone, graded("16"));
}

#[test]
fn limits_on_the_command_line_replace_those_of_the_package() {
    needs!("gcc");
    let (code, lines) =
        json(referee(["grade", SUM, "tests/hostile/MLE/eats_memory.c", "--memory", "2000", "--time-limit", "20"]));
    assert_eq!((code, &of_type(&lines, "submission_finished")[0]["verdict"]), (1, &Value::from("WA")));
    let (_, lines) = json(referee(["grade", SUM, "tests/hostile/TLE/busy.c", "--time-limit", "0.2"]));
    let case = of_type(&lines, "case_finished")[0];
    assert_eq!(case["verdict"], "TLE");
    let message = case["message"].as_str().unwrap_or_default();
    assert!(message.starts_with("more CPU time than the limit of 0.2 s allows"), "{message}");
    for wrong in ["0", "-1", "nan", "inf", "1e9", "soon"] {
        referee(["grade", SUM, &format!("--time-limit={wrong}")]).assert().code(2).stderr(contains("--time-limit"));
    }
}

#[test]
fn strict_refuses_to_run_where_not_everything_is_enforced_and_every_report_says_what_is() {
    let mut strict = referee(["grade", SUM, "--sandbox", "strict"]);
    strict.env("REFEREE_SANDBOX_WITHOUT", "cgroups");
    strict
        .assert()
        .code(2)
        .stderr(contains("not fully enforced on this machine: cpu_time, memory"))
        .stderr(contains("referee doctor"))
        .stdout(predicates::str::is_empty());
    for (without, missing) in [
        ("namespaces", "files"),
        ("namespaces,landlock", "files"),
        ("namespaces,seccomp", "files, network, system_calls"),
        ("namespaces,cgroups", "cpu_time, files, memory, processes"),
        ("seccomp", "network, system_calls"),
    ] {
        let mut strict = referee(["grade", SUM, "--sandbox", "strict"]);
        strict.env("REFEREE_SANDBOX_WITHOUT", without);
        let refused = strict.assert().code(2).stdout(predicates::str::is_empty());
        refused.stderr(contains(format!("not fully enforced on this machine: {missing}")));
    }
    needs!("python3");
    let state = |without: &str, part: &str| {
        let mut command = referee(["grade", SUM]);
        // Without a private root, a program cannot run interpreters in folders that are closed to its user, so `PATH`
        // has only system folders.
        command.env("REFEREE_SANDBOX_WITHOUT", without).env("PATH", "/usr/local/bin:/usr/bin:/bin");
        let (code, lines) = json(command);
        assert_eq!(code, 0, "{lines:?}");
        let sandbox = &lines[0]["sandbox"];
        assert_eq!(sandbox["overall"], "partial");
        assert!(sandbox["parts"][part]["remedy"].is_string(), "{sandbox}");
        sandbox["parts"][part]["state"].clone()
    };
    assert_eq!(state("cgroups", "memory"), "partial");
    assert_eq!(state("cgroups", "cpu_time"), "partial");
    assert_eq!(state("namespaces,cgroups", "processes"), "partial");
    assert_eq!(state("seccomp", "network"), "partial");
    assert_eq!(state("namespaces", "files"), "partial");
    assert_eq!(state("namespaces,landlock", "files"), "not");
    assert_eq!(state("seccomp", "system_calls"), "not");
    assert_eq!(state("namespaces,seccomp", "network"), "not");
    let (_, lines) = json(referee(["grade", SUM, "--sandbox", "off"]));
    assert_eq!(lines[0]["sandbox"]["overall"], "off");
    assert_eq!(lines[0]["sandbox"]["parts"]["network"]["state"], "not");
}

/// Without a private root, a program sees the machine's own folders. If the judge is root, the program runs as another
/// user, who cannot open some of these folders. A tool in such a folder cannot be used.
#[test]
fn a_tool_that_programs_cannot_reach_skips_its_language_and_says_why() {
    needs!(Person::ordinary(), "gcc");
    let closed = temporary_folder();
    fs::set_permissions(closed.path(), fs::Permissions::from_mode(0o700)).expect("permissions can be set");
    fs::create_dir(closed.path().join("bin")).expect("a folder can be made");
    std::os::unix::fs::symlink("/usr/bin/gcc", closed.path().join("bin/gcc")).expect("a link can be made");
    let mut command = referee(["grade", SUM, "tests/hostile/WA/says_nothing.c"]);
    command.env("REFEREE_SANDBOX_WITHOUT", "namespaces").env("PATH", closed.path().join("bin"));
    let (code, lines) = json(command);
    let reason = of_type(&lines, "submission_skipped")[0]["reason"].as_str().expect("there is a reason").to_owned();
    assert_eq!(code, 2);
    assert!(reason.contains(&closed.path().display().to_string()), "{reason}");
}

#[test]
fn cases_are_chosen_by_globs_over_their_names() {
    needs!("python3");
    let (code, lines) = json(referee(["grade", SUM, "--cases", "secret/{2,3}", "--cases", "sample/*"]));
    let cases: Vec<_> = of_type(&lines, "case_finished").iter().map(|line| line["case"].clone()).collect();
    assert_eq!((code, cases), (0, vec![Value::from("secret/2")]));
    referee(["grade", SUM, "--cases", "secret/x*"])
        .assert()
        .code(2)
        .stderr(contains("no test case matches --cases secret/x*"))
        .stderr(contains("the package has 2 cases: secret/1, secret/2"));
}

#[test]
fn an_interrupted_run_ends_at_once_with_130_and_leaves_no_process_and_no_file() {
    needs!("gcc");
    let temporary = temporary_folder();
    let mut child = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["grade", SUM, "tests/hostile/TLE/sleeps.c", "--time-limit", "100"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("TMPDIR", temporary.path())
        .env("XDG_CACHE_HOME", settings().join("cache"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("referee starts");
    let patience = Instant::now() + Duration::from_secs(60);
    let sleeping = || processes_below(temporary.path()).iter().any(|id| command_line(id).contains("program"));
    while !sleeping() {
        assert!(Instant::now() < patience, "the submission never started");
        std::thread::sleep(Duration::from_millis(20));
    }
    // Wait until the program itself runs, and not only its compiler, because the test checks that the program is
    // killed.
    std::thread::sleep(Duration::from_millis(200));
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).expect("referee runs");
    let status = child.wait().expect("referee can be waited for");
    assert_eq!(status.code(), Some(130));
    assert!(Instant::now() < patience, "it ended at once");
    assert_eq!(processes_below(temporary.path()), Vec::<String>::new());
    assert_eq!(names_in(temporary.path()), Vec::<String>::new());
}

fn command_line(process: &str) -> String {
    fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default()
}
