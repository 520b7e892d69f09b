//! `referee generate PACKAGE` in detail: the sources of a test case's files, missing sources, and existing files that
//! stay.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::{Value, json as object};

use super::support::command::{json, of_type, referee, write};
use super::support::program::temporary_folder;

fn package(folder: &Path, rules: &str) -> PathBuf {
    let package = folder.join("package");
    write(&package, "problem.yaml", "problem_format_version: 2025-09\nname: Test\ntype: pass-fail\n");
    write(&package, "generators/generators.yaml", rules);
    package
}

fn generate(package: &Path, arguments: &[&str]) -> (i32, Vec<Value>) {
    let mut command = referee([Path::new("generate"), package]);
    command.args(arguments);
    json(command)
}

/// Returns the report of one test case.
fn of_case<'a>(lines: &'a [Value], name: &str) -> &'a Value {
    of_type(lines, "case_generated").into_iter().find(|line| line["case"] == name).expect("it was made")
}

#[test]
fn what_no_rule_makes_is_removed_unless_a_tool_draws_it_for_a_case() {
    let folder = temporary_folder();
    let rules = "data:\n  sample: {data: {s: {in: '1', ans: '1', in.statement: {link: in}}}}\n  \
                 secret:\n    test_group.yaml: {max_score: 10}\n    data: {a: {in: '3', ans: '3'}}\n";
    let package = package(folder.path(), rules);
    let talks = "problem_format_version: 2025-09\nname: Test\ntype: interactive\n";
    write(&package, "problem.yaml", talks);
    write(&package, "output_validator/talk.py", "");
    write(&package, "input_visualizer/draw.py", "");
    for name in ["sample/s.interaction", "sample/s.png", "secret/a.interaction", "secret/a.png", "secret/b.png"] {
        write(&package, &format!("data/{name}"), "mine\n");
    }
    // The package has a folder where a rule generates a file. It also has files that differ from the generated ones but
    // have the same length.
    write(&package, "data/secret/a.in/mine", "mine\n");
    write(&package, "data/secret/a.ans", "2\n");
    write(&package, "data/sample/s.in", "2\n");
    write(&package, "data/sample/s.ans", "1\n");
    write(&package, "data/secret/test_group.yaml", "max_score: 11\n");
    symlink("s.ans", package.join("data/sample/s.in.statement")).expect("a link can be made");
    let (code, lines) = generate(&package, &[]);
    let finished = of_type(&lines, "generate_finished")[0];
    assert_eq!(code, 0);
    assert_eq!(finished["removed"], object!(["secret/a.in", "secret/a.interaction", "secret/b.png"]));
    assert_eq!(finished["kept"], object!(["sample/s.interaction", "sample/s.png", "secret/a.png"]));
    assert_eq!(finished["others"], object!({"secret/test_group.yaml": "changed"}));
    let changed = object!({"ans": "unchanged", "in": "changed", "in.statement": "changed"});
    assert_eq!(of_case(&lines, "sample/s")["files"], changed);
    assert_eq!(of_case(&lines, "secret/a")["files"], object!({"ans": "changed", "in": "changed"}));
    assert_eq!(generate(&package, &["--write", "--remove"]).0, 0);
    assert_eq!(fs::read_to_string(package.join("data/secret/a.in")).expect("it is a file"), "3\n");
    // A changed file that belongs to no test case is also written.
    write(&package, "data/secret/test_group.yaml", "max_score: 12\n");
    referee([Path::new("generate"), &package])
        .assert()
        .code(0)
        .stderr(contains("to write the changes, run: referee generate"));
    referee([Path::new("generate"), &package, Path::new("--write")]).assert().code(0);
    referee([Path::new("generate"), &package]).assert().code(0).stderr(contains("nothing to write"));
}

#[test]
fn nothing_is_written_through_a_link_or_beside_a_name_that_cannot_be_told() {
    let folder = temporary_folder();
    let rules = "data: {secret: {data: {a: {in: '1', ans: '1'}}}}\n";
    let package = package(folder.path(), rules);
    let mine = write(folder.path(), "elsewhere/mine", "mine\n");
    fs::create_dir(package.join("data")).expect("a folder can be made");
    symlink(folder.path().join("elsewhere"), package.join("data/secret")).expect("a link can be made");
    let run = || referee([Path::new("generate"), &package, Path::new("--write")]);
    run().assert().code(2).stderr(contains("test cases are written into folders only"));
    assert_eq!(fs::read_to_string(&mine).expect("it is there"), "mine\n");
    fs::remove_file(package.join("data/secret")).expect("a link can be removed");
    fs::create_dir(package.join("data/secret")).expect("a folder can be made");
    let strange = std::os::unix::ffi::OsStrExt::from_bytes(b"\xff.in");
    let strange: &std::ffi::OsStr = strange;
    fs::write(package.join("data/secret").join(strange), "mine\n").expect("a file can be written");
    run().assert().code(2).stderr(contains("whose name is not UTF-8"));
}

#[test]
fn what_is_copied_lies_in_the_package_and_is_a_plain_file() {
    let folder = temporary_folder();
    let rules = "data:\n  secret:\n    data:\n      a: {copy: manual/out, ans: a}\n      b: {copy: manual/pipe, ans: b}\n      \
                 c: {copy: ../../outside, ans: c}\n      d: {copy: manual/d}\n";
    let package = package(folder.path(), rules);
    write(folder.path(), "outside.in", "secret\n");
    for (name, text) in [("d.in", "1\n"), ("d.ans", "1\n"), ("e.out", "other\n")] {
        write(&package, &format!("generators/manual/{name}"), text);
    }
    symlink("/etc/passwd", package.join("generators/manual/out.in")).expect("a link can be made");
    // The name d.out is a link to e.out, a file of another test case. The test case d must get the content of e.out.
    symlink("e.out", package.join("generators/manual/d.out")).expect("a link can be made");
    let pipe = package.join("generators/manual/pipe.in");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o644.into(), 0)
        .expect("a pipe can be made");
    let (code, lines) = generate(&package, &["--write"]);
    assert_eq!(code, 1);
    for (case, message) in
        [("a", "leads out of the package"), ("b", "is not a regular file"), ("c", "leads out of the package")]
    {
        let told = of_case(&lines, &format!("secret/{case}"))["message"].as_str().expect("it failed").to_owned();
        assert!(told.contains(message), "{case}: {told}");
    }
    fs::remove_file(&pipe).expect("a pipe can be removed");
    write(&package, "generators/generators.yaml", "data: {secret: {data: {d: {copy: manual/d}}}}\n");
    assert_eq!(generate(&package, &["--write"]).0, 0);
    let copied = package.join("data/secret/d.out");
    assert!(!copied.is_symlink() && fs::read_to_string(copied).expect("it is there") == "other\n");
}

#[test]
fn a_case_lacks_what_nothing_gives() {
    let folder = temporary_folder();
    let rules = "data:\n  \
        sample: {data: {link: {in: '1', ans: '1', in.statement: {link: in.download}}}}\n  \
        secret: {data: {none: {in: '2'}, own: {in: '3', ans: '3', solution: /submissions/accepted/none.py}}}\n  \
        invalid_output: {data: {ans: {in: '4', out: '4'}, out: {in: '5', ans: '5'}}}\n  \
        invalid_input: {data: {bad: {in: '6'}, match: {in: '7', match: {ans: '7'}}}}\n  \
        valid_output: {include: [bad], data: {ans: {in: '8', out: '8'}}}\n";
    let package = package(folder.path(), rules);
    let (code, lines) = generate(&package, &[]);
    assert_eq!(code, 1);
    let wanted = [
        ("sample/link", "'in.statement' is a link to 'in.download', which does not exist"),
        ("secret/none", "there is no answer: no .ans file was generated, copied or given, and there is no solution"),
        ("invalid_output/ans", "there is no answer: no .ans file"),
        ("invalid_output/out", "there is no output: no .out file"),
        ("invalid_input/match", "'match' searches the .ans file, which does not exist"),
        ("valid_output/ans", "there is no answer: no .ans file"),
    ];
    for (case, message) in wanted {
        let told = of_case(&lines, case)["message"].as_str().unwrap_or_default().to_owned();
        assert!(told.starts_with(message), "{case}: {told}");
    }
    assert_eq!(of_type(&lines, "generate_finished")[0]["failed"], wanted.len());
    assert_eq!(of_case(&lines, "secret/own")["change"], "new", "who has an answer needs no solution");
    let included = of_case(&lines, "valid_output/bad");
    assert_eq!((&included["change"], &included["files"]), (&object!("unchanged"), &object!({})));
    assert_eq!(
        included["remarks"],
        object!(["invalid_input/bad is not included here: an included test case needs both .in and .ans"])
    );
}

#[test]
fn generators_are_tried_with_the_next_seed_while_that_may_help() {
    needs!("python3");
    let folder = temporary_folder();
    let rules = "data:\n  secret:\n    retries: 30\n    data:\n      odd: odd.py {seed}\n      away: away.py\n      \
                 both: both.py\n      up: ..\n      out: out.py\n";
    let package = package(folder.path(), rules);
    let odd = "import sys\nif int(sys.argv[1]) % 4: sys.exit(1)\nprint(sys.argv[1])\n";
    write(&package, "generators/odd.py", odd);
    write(&package, "generators/away.py", "import os\nos.symlink('/etc/passwd', 'testcase.in')\n");
    write(&package, "generators/both.py", "open('testcase.in', 'w').write('1\\n')\nprint(2)\n");
    let outside = write(folder.path(), "outside.py", "print(1)\n");
    symlink(outside, package.join("generators/out.py")).expect("a link can be made");
    // There are two accepted submissions, and the first one writes the answers. If the first one fails on a case, this
    // case gets no answer.
    write(&package, "submissions/accepted/a.py", "print(1 / (int(input()) - 1) * 0 + 7)\n");
    write(&package, "submissions/accepted/b.py", "print(2)\n");
    let out = folder.path().join("out");
    let (code, lines) = generate(&package, &["--out", out.to_str().expect("names are UTF-8")]);
    assert_eq!(code, 1);
    let seed = of_case(&lines, "secret/odd")["seed"].as_u64().expect("it has a seed");
    assert_eq!(fs::read_to_string(out.join("secret/odd.in")).expect("it is there"), format!("{seed}\n"));
    assert_eq!(fs::read_to_string(out.join("secret/odd.ans")).expect("it is there"), "7.0\n");
    assert_eq!(of_case(&lines, "secret/odd")["command"], format!("odd.py {seed}"));
    let message = |case: &str| of_case(&lines, case)["message"].as_str().expect("it failed").to_owned();
    assert!(
        message("secret/away").ends_with("leads out of the test case; write a plain file"),
        "it was tried once: {}",
        message("secret/away")
    );
    assert!(
        message("secret/both").starts_with("the solution failed: it ended with exit code 1"),
        "{}",
        message("secret/both")
    );
    for (case, fault) in [
        ("secret/up", "generators/.. is the folder of the package, not a program"),
        ("secret/out", "generators/out.py is a link that leads out of the package"),
    ] {
        assert!(message(case).contains(fault), "{}", message(case));
    }
    write(&package, "generators/generators.yaml", "data: {secret: {data: {both: {generate: both.py, ans: '1'}}}}\n");
    let (code, lines) = generate(&package, &[]);
    let ignored = "the generator wrote both to testcase.in and to standard output; standard output is ignored";
    assert_eq!((code, &of_case(&lines, "secret/both")["remarks"]), (0, &object!([ignored])));
}

#[test]
fn of_a_talk_the_answer_is_empty() {
    let folder = temporary_folder();
    let package = package(folder.path(), "data: {secret: {data: {a: {in: '1'}}}}\n");
    write(&package, "problem.yaml", "problem_format_version: 2025-09\nname: Test\ntype: interactive\n");
    write(&package, "output_validator/talk.py", "");
    assert_eq!(generate(&package, &["--write"]).0, 0);
    assert_eq!(fs::read_to_string(package.join("data/secret/a.ans")).expect("it is there"), "");
}

#[test]
fn what_means_nothing_for_a_puzzle_is_refused_there() {
    let options: [&[&str]; 5] = [&["--write"], &["--sandbox", "off"], &["--no-cache"], &["--jobs", "1"], &["-q"]];
    for option in options {
        let refused = contains("is for packages; flipgame is a puzzle").and(contains("./flipgame"));
        referee(["generate", "flipgame"]).args(option).assert().code(2).stderr(refused);
    }
}
