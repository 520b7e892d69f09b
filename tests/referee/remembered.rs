//! Results are remembered: whatever they depend on, a change of it runs again what it affects, and nothing else.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use tempfile::TempDir;

use super::support::command::{json, names_in, of_type, referee, write};
use super::support::program::{compile_c, has, temporary_folder};

const PROBLEM: &str = "problem_format_version: 2025-09\nname: Sum\nuuid: 5d3c1f2e-0000-4000-8000-00000000000c\n\
                       constants:\n  start: 0\nlimits:\n  time_limit: 5\n";

/// Adds what it reads to its arguments, what lies beside it and what the package puts there.
const ADD: &str = ". ./include.sh\nread a b\nsum=$((a + b + zero + {{start}}))\n\
                   for more in \"$@\" $(cat ./beside 2>&-); do sum=$((sum + more)); done\necho $sum\n";

const VALIDATOR: &str = "read -r wanted < \"$2\"\nread -r got\nmost=0\n[ \"$#\" -lt 4 ] || most=$4\n\
                         [ $((got - wanted)) -le \"$most\" ] && exit 42\nexit 43\n";

/// A package of two submissions and three cases, and a cache of its own.
struct Lab {
    folder: TempDir,
}

impl Lab {
    fn new() -> Lab {
        let lab = Lab { folder: temporary_folder() };
        for (name, text) in [
            ("problem.yaml", PROBLEM),
            ("submissions/accepted/one.sh", ADD),
            ("submissions/accepted/two.sh", ". ./include.sh\nread a b\necho $((a + b + ${1-0} + zero))\n"),
            ("include/default/include.sh", "zero=0\n"),
            ("statement/problem.en.md", "Add.\n"),
            ("input_validators/any.sh", "exit 42\n"),
            ("data/secret/a.in", "1 2\n"),
            ("data/secret/a.ans", "3\n"),
            ("data/secret/b.in", "3 4\n"),
            ("data/secret/b.ans", "7\n"),
            ("data/secret/c.in", "5 6\n"),
            ("data/secret/c.ans", "12\n"),
            ("data/secret/c.yaml", "args: [\"1\"]\n"),
            ("data/secret/c.files/beside", ""),
        ] {
            lab.write(name, text);
        }
        lab
    }

    /// The same with an output validator.
    fn with_validator() -> Lab {
        let lab = Lab::new();
        lab.write("output_validator/validate.sh", VALIDATOR);
        lab
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("sum").join(name)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        write(&self.folder.path().join("sum"), name, text)
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    fn results(&self) -> PathBuf {
        self.cache().join("referee/results")
    }

    fn grade<S: AsRef<std::ffi::OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        let mut command = referee(["grade"]);
        command.arg(self.path("")).env("XDG_CACHE_HOME", self.cache()).args(arguments);
        command
    }

    /// What is run, as submission and case; all else is remembered.
    fn runs<S: AsRef<std::ffi::OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Vec<String> {
        runs(&json(self.grade(arguments)).1)
    }
}

fn runs(lines: &[Value]) -> Vec<String> {
    let fresh = of_type(lines, "case_finished").into_iter().filter(|case| case["cached"] == false);
    fresh.map(|case| format!("{} {}", last(&case["submission"]), last(&case["case"]))).collect()
}

fn last(name: &Value) -> &str {
    name.as_str().and_then(|name| name.rsplit('/').next()).expect("it has a name")
}

const NONE: &[&str] = &[];
const ALL: &[&str] = &["one.sh a", "one.sh b", "one.sh c", "two.sh a", "two.sh b", "two.sh c"];
const OF_A: &[&str] = &["one.sh a", "two.sh a"];
const OF_C: &[&str] = &["one.sh c", "two.sh c"];
const OF_ONE: &[&str] = &["one.sh a", "one.sh b", "one.sh c"];

/// Changes one file after the other, and puts it back.
fn check_changes(lab: &Lab, changes: &[(&str, &str, &[&str])]) {
    assert_eq!(lab.runs(NONE), ALL);
    assert_eq!(lab.runs(NONE), NONE);
    for (name, text, wanted) in changes {
        let before = fs::read_to_string(lab.path(name)).ok();
        lab.write(name, text);
        assert_eq!(lab.runs(NONE), *wanted, "{name} is changed");
        assert_eq!(lab.runs(NONE), NONE, "{name} is known changed");
        match before {
            Some(text) => drop(lab.write(name, &text)),
            None => fs::remove_file(lab.path(name)).expect("a file can be removed"),
        }
        assert_eq!(lab.runs(NONE), NONE, "{name} is changed back");
    }
}

#[test]
fn a_change_runs_what_it_affects_and_nothing_else_and_changed_back_nothing_is_run() {
    let lab = Lab::new();
    let tolerant = PROBLEM.to_owned() + "  memory: 1000\n";
    let longer = PROBLEM.replace("time_limit: 5", "time_limit: 6");
    let less_output = PROBLEM.to_owned() + "  output: 7\n";
    let written = PROBLEM.to_owned() + "allow_file_writing: true\n";
    check_changes(
        &lab,
        &[
            ("submissions/accepted/one.sh", &(ADD.to_owned() + "\n"), OF_ONE),
            ("include/default/include.sh", "zero=$((0))\n", ALL),
            ("problem.yaml", &PROBLEM.replace("start: 0", "start: \"-0\""), OF_ONE),
            ("problem.yaml", &tolerant, ALL),
            ("problem.yaml", &longer, ALL),
            ("problem.yaml", &less_output, ALL),
            ("problem.yaml", &written, ALL),
            ("problem.yaml", &PROBLEM.replace("name: Sum", "name: Add"), NONE),
            ("problem.yaml", &(PROBLEM.to_owned() + "  validation_time: 30\n"), NONE),
            ("data/secret/a.in", "2 1\n", OF_A),
            ("data/secret/a.ans", "3 \n", OF_A),
            ("data/secret/a.yaml", "args: [\"0\"]\n", OF_A),
            ("data/secret/a.yaml", "output_validator_args: [float_tolerance, \"1e-6\"]\n", OF_A),
            ("data/secret/a.yaml", "description: an example\n", NONE),
            ("data/secret/c.yaml", "args: [\"1\", \"0\"]\n", OF_C),
            ("data/secret/c.files/beside", "0\n", OF_C),
            ("data/secret/c.files/other", "", OF_C),
        ],
    );
}

#[test]
fn a_change_of_the_output_validator_or_its_arguments_runs_what_it_judges() {
    let lab = Lab::with_validator();
    check_changes(
        &lab,
        &[
            ("output_validator/validate.sh", &(VALIDATOR.to_owned() + "\n"), ALL),
            ("output_validator/data", "", ALL),
            ("data/secret/a.yaml", "output_validator_args: [\"0\"]\n", OF_A),
            ("problem.yaml", &(PROBLEM.to_owned() + "  validation_time: 30\n"), ALL),
            ("problem.yaml", &(PROBLEM.to_owned() + "  validation_memory: 1000\n"), ALL),
            ("data/secret/b.ans", "7\n\n", &["one.sh b", "two.sh b"]),
        ],
    );
}

#[test]
fn every_option_that_results_depend_on_has_results_of_its_own() {
    let lab = Lab::new();
    assert_eq!(lab.runs(NONE), ALL);
    for options in [["--time-limit", "4"], ["--memory", "512"], ["--as", "kattis"], ["--as", "domjudge"]] {
        assert_eq!(lab.runs(options), ALL, "{options:?}");
        assert_eq!(lab.runs(options), NONE, "{options:?}");
    }
    for options in [["-j", "1"], ["--color", "never"], ["--cases", "*"]] {
        assert_eq!(lab.runs(options), NONE, "{options:?}");
    }
    assert_eq!(lab.runs(["--cases", "secret/a"]), NONE);
    // A program that may open any file may depend on any.
    for _ in 0..2 {
        assert_eq!(lab.runs(["--sandbox", "off"]), ALL);
    }
    let weaker = || {
        let mut command = lab.grade(NONE);
        command.env("REFEREE_SANDBOX_WITHOUT", "cgroups");
        runs(&json(command).1)
    };
    let is_weaker = has_control_groups();
    assert_eq!(weaker(), if is_weaker { ALL } else { NONE }, "behind lower walls");
    assert_eq!(lab.runs(NONE), NONE);
    // Whoever wants the files that validators leave wants them written.
    let feedback = lab.folder.path().join("feedback");
    assert_eq!(lab.runs(["--feedback".as_ref(), feedback.as_os_str()]), ALL);
}

fn has_control_groups() -> bool {
    use referee::sandbox::{Enforcement, Mode, State};
    Enforcement::of(Mode::Auto).parts["memory"].state == State::Enforced
}

#[test]
fn another_version_of_a_tool_is_another_tool() {
    let lab = Lab::new();
    let tools = lab.folder.path().join("tools");
    fs::create_dir(&tools).expect("a folder can be made");
    // Programs that run as another user pass through it.
    for folder in [lab.folder.path(), &tools] {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(folder, mode).expect("a mode can be set");
    }
    let row = "[[language]]\nid = \"toy\"\nname = \"Toy\"\nendings = [\"toy\"]\n\
               compile = [\"{tool:toycc}\", \"{main}\", \"{binary}\"]\nrun = [\"/bin/sh\", \"{binary}\"]\n\
               [[tool]]\nname = \"toycc\"\ninstall = \"-\"\ncommands = [\"TOOLS/bin/toycc\"]\n";
    let table = write(&tools, "toy.toml", &row.replace("TOOLS", &tools.display().to_string()));
    let install = |version: &str| {
        let text = format!("#!/bin/sh\n[ \"$1\" = --version ] && echo {version} || cp \"$1\" \"$2\"\n");
        let tool = write(&tools, "bin/toycc", &text);
        fs::set_permissions(tool, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("a mode can be set");
    };
    lab.write("submissions/accepted/three.toy", "read a b\necho $((a + b + ${1-0}))\n");
    let options = [std::ffi::OsStr::new("--languages"), table.as_os_str()];
    install("1.0");
    let of_three = ["three.toy a", "three.toy b", "three.toy c"];
    assert_eq!(lab.runs(options), [OF_ONE, &of_three, &ALL[3..]].concat());
    assert_eq!(lab.runs(options), NONE);
    install("2.0");
    assert_eq!(lab.runs(options), of_three);
    assert_eq!(lab.runs(options), NONE);
}

#[test]
fn an_executable_is_what_is_in_it() {
    if !has("gcc", "executables") {
        return;
    }
    let lab = Lab::new();
    let folder = lab.folder.path();
    let build = |text: &str, name: &str| {
        let source = write(folder, &format!("{name}.c"), &format!("#include <stdio.h>\nint main(void) {{ {text} }}\n"));
        compile_c(&source, &folder.join(name))
    };
    let program = build("int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\", a + b);", "program");
    let other = build("int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d \", a + b);", "other");
    assert_eq!(lab.runs([&program]), ["program a", "program b", "program c"]);
    assert_eq!(lab.runs([&program]), NONE);
    let kept = fs::read(&program).expect("it can be read");
    let copy = folder.join("copy");
    fs::copy(&program, &copy).expect("it can be copied");
    assert_eq!(lab.runs([&copy]), NONE);
    fs::copy(&other, &program).expect("it can be replaced");
    assert_eq!(lab.runs([&program]), ["program a", "program b", "program c"]);
    fs::write(&program, kept).expect("it can be put back");
    assert_eq!(lab.runs([&program]), NONE);
}

#[test]
fn whoever_wants_no_cache_gets_nothing_from_it_and_leaves_nothing() {
    let lab = Lab::new();
    assert_eq!(lab.runs(["--no-cache"]), ALL);
    assert!(!lab.cache().exists());
    assert_eq!(lab.runs(NONE), ALL);
    assert_eq!(lab.runs(["--no-cache"]), ALL);
}

/// A report without what may differ: times, and what was remembered.
fn told(mut command: Command) -> (Option<i32>, Vec<Value>, String) {
    let folder = temporary_folder();
    let report = folder.path().join("report.jsonl");
    let output = command.arg("--json").arg(&report).output().expect("referee starts");
    let text = fs::read_to_string(report).expect("the report is there");
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    for line in lines.iter_mut().filter_map(Value::as_object_mut) {
        for key in ["cached", "seconds", "wall_seconds"] {
            line.remove(key).filter(|_| line["type"] != "case_finished");
        }
    }
    let shown = String::from_utf8(output.stdout).expect("what people read is UTF-8");
    let shown: Vec<_> = shown.lines().filter(|line| !line.contains("earlier runs")).collect();
    let shown = shown.join("\n");
    let until = shown.rfind(", ").unwrap_or(shown.len());
    (output.status.code(), lines, shown[..until].to_owned())
}

#[test]
fn what_is_remembered_is_told_as_it_was_told_first() {
    if !has("python3", "Python submissions") {
        return;
    }
    for arguments in [
        &["tests/packages/not-as-declared/message"][..],
        &["tests/packages/judged/rules", "-v"],
        &["tests/packages/judged/custom-validator", "-v"],
        &["tests/packages/judged/sum", "tests/hostile/WA/broken_utf8.py", "tests/hostile/RTE/raises_in_python.py"],
        &["tests/packages/not-as-declared/does-not-compile"],
    ] {
        let folder = temporary_folder();
        let grade = || {
            let mut command = referee(["grade"]);
            command.args(arguments).env("XDG_CACHE_HOME", folder.path());
            command
        };
        let first = told(grade());
        // What the compiler has made is not needed, either.
        fs::remove_dir_all(folder.path().join("referee/builds")).expect("builds are kept");
        let again = told(grade());
        assert_eq!(first, again, "{arguments:?}");
        let (_, lines) = json(grade());
        assert_eq!(runs(&lines), NONE, "{arguments:?}");
        let built = of_type(&lines, "build_finished").into_iter().filter(|build| build["ok"] == true);
        built.for_each(|build| assert_eq!(build["cached"], true, "{arguments:?}"));
    }
}

#[test]
fn the_sum_tells_how_much_was_remembered() {
    let lab = Lab::new();
    lab.grade(NONE).assert().code(0).stdout(contains("earlier runs").not());
    lab.grade(NONE).assert().code(0).stdout(contains("all 6 results are those of earlier runs; --no-cache runs all"));
    lab.write("data/secret/a.in", "2 1\n");
    lab.grade(NONE).assert().code(0).stdout(contains("4 of 6 results are those of earlier runs"));
}

#[test]
fn a_program_that_was_too_slow_gets_another_chance_unless_it_is_declared_to_be() {
    let lab = Lab::new();
    let slow = write(lab.folder.path(), "slow.sh", "while :; do :; done\n");
    let options = ["--time-limit", "0.2", "--cases", "secret/a"];
    for _ in 0..2 {
        let (code, lines) = json(lab.grade(options.iter().map(AsRef::as_ref).chain([slow.as_os_str()])));
        assert_eq!((code, runs(&lines)), (1, vec!["slow.sh a".to_owned()]));
    }
    lab.write("submissions/time_limit_exceeded/slow.sh", "while :; do :; done\n");
    assert_eq!(lab.runs(options), ["one.sh a", "two.sh a", "slow.sh a"]);
    assert!(!lab.runs(options).contains(&"slow.sh a".to_owned()));
    // What the jury's results say is not said of what was handed in.
    assert_eq!(lab.runs(options.iter().map(AsRef::as_ref).chain([slow.as_os_str()])), ["slow.sh a"]);
}

#[test]
fn a_failure_of_the_judge_is_never_remembered() {
    let lab = Lab::new();
    lab.write("output_validator/validate.sh", "exit 7\n");
    for _ in 0..2 {
        let (code, lines) = json(lab.grade(NONE));
        assert_eq!((code, runs(&lines)), (3, ALL.iter().map(ToString::to_string).collect()));
    }
}

#[test]
fn a_time_limit_that_was_measured_is_measured_once() {
    let lab = Lab::new();
    lab.write("problem.yaml", &PROBLEM.replace("limits:\n  time_limit: 5\n", ""));
    let limits = [ALL, NONE].map(|wanted| {
        let (code, lines) = json(lab.grade(NONE));
        assert_eq!((code, runs(&lines)), (0, wanted.iter().map(ToString::to_string).collect::<Vec<_>>()));
        lines[0]["time_limit_seconds"].clone()
    });
    assert_eq!(limits[0], limits[1]);
}

#[test]
fn what_is_damaged_is_run_again_and_nobody_is_troubled() {
    type Damage = fn(&Path);
    let lab = Lab::new();
    let damages: [(&str, Damage); 6] = [
        ("a byte", |page| {
            let mut bytes = fs::read(page).expect("a page can be read");
            let last = bytes.len() - 2;
            bytes[last] ^= 1;
            fs::write(page, bytes).expect("a page can be written");
        }),
        ("its end", |page| {
            let bytes = fs::read(page).expect("a page can be read");
            fs::write(page, &bytes[..bytes.len() - 3]).expect("a page can be written");
        }),
        ("all of it", |page| fs::write(page, [0xff; 5000]).expect("a page can be written")),
        ("nothing in it", |page| fs::write(page, "").expect("a page can be written")),
        ("zeros after it", |page| {
            let bytes = [fs::read(page).expect("a page can be read"), vec![0; 500]].concat();
            fs::write(page, &bytes[9..]).expect("a page can be written");
        }),
        ("a folder", |page| {
            fs::remove_file(page).and_then(|()| fs::create_dir(page)).expect("a folder can be made");
        }),
    ];
    for (what, damage) in damages {
        assert!(lab.runs(["--all-cases"]).len() <= 6);
        for page in names_in(&lab.results()) {
            damage(&lab.results().join(page));
        }
        let (code, lines) = json(lab.grade(NONE));
        assert_eq!((code, of_type(&lines, "case_finished").len()), (0, 6), "{what}");
        assert!(runs(&lines).len() >= 2, "{what}");
        if what != "a folder" {
            assert_eq!(lab.runs(NONE), NONE, "{what} is mended");
        }
    }
}

#[test]
fn judges_that_run_at_the_same_time_share_what_they_find_out() {
    let lab = Lab::new();
    let start = || {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_referee"));
        command.arg("grade").arg(lab.path("")).env("XDG_CACHE_HOME", lab.cache());
        command.stdout(std::process::Stdio::null()).spawn().expect("referee starts")
    };
    let mut judges: Vec<_> = (0..8).map(|_| start()).collect();
    // One of them in the middle of it.
    judges[0].kill().expect("a judge can be killed");
    let ends: Vec<_> = judges.iter_mut().map(|judge| judge.wait().expect("it can be waited for").code()).collect();
    assert!(ends[1..].iter().all(|code| *code == Some(0)), "{ends:?}");
    assert_eq!(lab.runs(NONE), NONE);
    assert_eq!(names_in(&lab.results()).len(), 2, "a page per submission");
}

/// Runs `grade` where `mounted`, a script for the shell, has been run in a namespace of its own. `None` where that cannot be.
fn grade_where(lab: &Lab, mounted: &str, arguments: &[&str]) -> Option<std::process::Output> {
    let script = format!("mkdir -p \"$CACHE\" && {{ {mounted}; }} && touch \"$MARK\" && exec \"$@\"");
    let mark = lab.folder.path().join("mounted");
    let mut command = std::process::Command::new("unshare");
    command.args(["-m", "sh", "-c", &script, "sh", env!("CARGO_BIN_EXE_referee"), "grade"]);
    command.arg(lab.path("")).args(arguments);
    command.env("CACHE", lab.cache()).env("XDG_CACHE_HOME", lab.cache()).env("MARK", &mark);
    let output = command.output().ok()?;
    if !mark.exists() {
        eprintln!("skipped, nothing can be mounted here: {}", String::from_utf8_lossy(&output.stderr));
        return None;
    }
    Some(output)
}

#[test]
fn a_full_disk_hinders_nothing_but_remembering() {
    let lab = Lab::new();
    let full = "mount -t tmpfs -o size=4k none \"$CACHE\"";
    let Some(output) = grade_where(&lab, full, &["-v"]) else { return };
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("results are not remembered: "), "{said}");
    let quiet = grade_where(&lab, full, &[]).expect("it could be mounted before");
    assert_eq!((quiet.status.code(), quiet.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn a_cache_that_can_only_be_read_is_read() {
    let lab = Lab::new();
    assert_eq!(lab.runs(NONE), ALL);
    let closed = "mount --bind \"$CACHE\" \"$CACHE\" && mount -o remount,bind,ro \"$CACHE\"";
    let Some(output) = grade_where(&lab, closed, &[]) else { return };
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("all 6 results are those of earlier runs"), "{said}");
    lab.write("data/secret/a.in", "2 1\n");
    let output = grade_where(&lab, closed, &["-v"]).expect("it could be mounted before");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("results are not remembered: "), "{said}");
}
