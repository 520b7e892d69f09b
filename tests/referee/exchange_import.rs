//! Imports of packages of Polygon: converted parts, reported losses, and refusals. The packages in tests/polygon were
//! written by hand for these tests and do not come from Polygon itself.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use predicates::prelude::*;
use predicates::str::contains;

use super::support::command::{json, names_in, of_type, referee, write};
use super::support::files;

const TESTLIB: [&str; 2] = ["--testlib", "tests/testlib/testlib.h"];

/// Imports a package of tests/polygon. Returns its folder and the output of the command.
fn imported(name: &str, into: &Path) -> (PathBuf, String) {
    let out = into.join(name);
    let from = format!("tests/polygon/{name}");
    let said = referee(["import", &from, "--out", out.to_str().unwrap()]).args(TESTLIB).assert().success();
    (out, String::from_utf8(said.get_output().stdout.clone()).unwrap())
}

fn text(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn a_package_of_polygon_comes_in_with_the_tests_of_all_its_test_sets() {
    let folder = tempfile::tempdir().unwrap();
    let (out, said) = imported("sum", folder.path());
    let sample = ["01.ans", "01.ans.download", "01.ans.statement", "01.in"];
    assert_eq!(names_in(&out.join("data/sample")), sample, "what the statement shows differs from the answer");
    assert_eq!(text(out.join("data/sample/01.ans.statement")), "three\n");
    assert_eq!(text(out.join("data/sample/01.in")), "1 2\n");
    let secret = ["02.ans", "02.in", "02.yaml", "03.ans", "03.in", "pretests-02.ans", "pretests-02.in"];
    assert_eq!(names_in(&out.join("data/secret")), secret, "a test that is in both sets comes once");
    assert_eq!(text(out.join("data/secret/02.in")), "1000000 999999\n", "line ends of Windows");
    assert_eq!(text(out.join("data/secret/02.yaml")), "description: \"Both are \\\"large\\\"\"\n");
    assert_eq!(text(out.join("data/secret/pretests-02.ans")), "15\n");
    assert_eq!(text(out.join("data/invalid_input/1-01.in")), "1 2000000\n");
    assert_eq!(names_in(&out.join("data/invalid_output")), ["01.ans", "01.in", "01.out"]);
    assert_eq!(names_in(&out.join("data/valid_output")), ["02.ans", "02.in", "02.out"]);
    assert_eq!(text(out.join("attachments/notes.txt")), "For contestants.\n");
    assert_eq!(names_in(&out.join("statement")), ["problem.en.tex", "problem.ru.pdf"]);
    assert!(text(out.join("statement/problem.en.tex")).starts_with("\\problemname{Two \\& Two}\n"));
    for lost in ["<surprise>", "\"klingon\"", "draft.py", "olymp.sty"] {
        assert!(said.split("not carried over:").nth(1).unwrap().contains(lost), "{lost}: {said}");
    }
    assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
}

#[test]
fn the_metadata_of_an_imported_package_is_that_of_polygon() {
    let folder = tempfile::tempdir().unwrap();
    let yaml = text(imported("sum", folder.path()).0.join("problem.yaml"));
    for line in [
        "  en: \"Two & Two\"\n",
        "  ru: \"Два и два\"\n",
        "type: [\"pass-fail\"]\n",
        "  time_limit: 2.5\n  time_resolution: 0.1\n  memory: 256\n",
        "keywords: [\"math\", \"*special\"]\n",
        "url: \"https://polygon.codeforces.com/p0000/referee/two-sum\"\n",
    ] {
        assert!(yaml.contains(line), "{line:?} in {yaml}");
    }
    let again = tempfile::tempdir().unwrap();
    assert_eq!(yaml, text(imported("sum", again.path()).0.join("problem.yaml")), "the same identity every time");
}

#[test]
fn solutions_do_as_their_tags_say_and_testlibs_checker_judges_them() {
    needs!("python3", "c++");
    let folder = tempfile::tempdir().unwrap();
    let (out, _) = imported("sum", folder.path());
    let submissions = ["accepted", "mixed", "rejected", "submissions.yaml", "wrong_answer"];
    assert_eq!(names_in(&out.join("submissions")), submissions);
    let (code, lines) = json(referee(["grade", out.to_str().unwrap()]));
    let one = |line: &&serde_json::Value| {
        let text = |key: &str| line[key].as_str().unwrap().to_owned();
        (text("submission"), text("verdict"), line["as_expected"] == true)
    };
    let mut finished: Vec<_> = of_type(&lines, "submission_finished").iter().map(one).collect();
    finished.sort();
    // Programs in one folder must have different names without their extensions, so right.cpp becomes right-cpp.
    let wanted = [
        ("accepted/right-cpp", "AC"),
        ("accepted/right.py", "AC"),
        ("mixed/careful.py", "AC"),
        ("rejected/crash.py", "RTE"),
        ("wrong_answer/difference.py", "WA"),
        ("wrong_answer/silent.py", "WA"),
    ];
    let wanted = wanted.map(|(name, verdict)| (name.to_owned(), verdict.to_owned(), true));
    assert_eq!((code, finished), (0, wanted.to_vec()));
    let silent =
        of_type(&lines, "case_finished").into_iter().find(|line| line["submission"] == "wrong_answer/silent.py");
    let message = silent.unwrap()["message"].as_str().unwrap().to_owned();
    assert!(message.contains("Expected integer"), "the checker's own words reach the report: {message}");
}

#[test]
fn tests_that_a_standard_package_does_not_hold_are_made_by_its_own_programs() {
    needs!("python3");
    let folder = tempfile::tempdir().unwrap();
    let (out, said) = imported("standard", folder.path());
    assert_eq!(text(out.join("data/secret/02.in")), "two words\ntwo words\ntwo words\n", "quotes keep blanks");
    assert_eq!(text(out.join("data/secret/03.in")), "one\none\n");
    assert_eq!(text(out.join("data/secret/03.ans")), "one\none\n");
    assert_eq!(text(out.join("data/sample/01.ans")), "a\n");
    assert!(said.contains("generated: 2 inputs by the package's generators, 3 answers by its main solution"), "{said}");
    assert!(said.contains("std::wcmp.cpp"), "{said}");
    assert_eq!(text(out.join("data/secret/test_group.yaml")), "output_validator_args: [\"case_sensitive\"]\n");
    assert!(!out.join("output_validator").exists());
    assert!(text(out.join("problem.yaml")).contains("memory: 287\n"), "300000000 bytes are not whole MiB");
    assert!(said.contains("300000000 bytes"), "{said}");
    referee(["grade", out.to_str().unwrap()]).assert().success();
}

#[test]
fn points_become_groups_that_mean_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (out, said) = imported("points", folder.path());
    let group = |name: &str| text(out.join("data/secret").join(name).join("test_group.yaml"));
    let folders: Vec<_> = names_in(&out.join("data/secret"));
    let wanted = ["02-1", "03-2-004", "03-2-005", "04-4", "05-3-006", "05-3-007", "test_group.yaml"];
    assert_eq!(folders, wanted, "a group of tests with points of their own, or that is required, is several groups");
    assert_eq!(group("02-1"), "max_score: 10\nscore_aggregation: pass-fail\nrequire_pass: [\"sample\"]\n");
    assert_eq!(group("03-2-004"), "max_score: 5\nscore_aggregation: pass-fail\n");
    let required = "require_pass: [\"secret/03-2-004\", \"secret/03-2-005\", \"sample\"]\n";
    assert_eq!(group("04-4"), format!("max_score: 60\nscore_aggregation: pass-fail\n{required}"));
    assert_eq!(text(out.join("data/secret/test_group.yaml")), "max_score: 101\nscore_aggregation: sum\n");
    assert!(said.contains("from 13.5 to 14"), "the warning names the lost fraction: {said}");
    assert_eq!(
        names_in(&out.join("data/secret/02-1")),
        ["2.ans", "2.in", "3.ans", "3.in", "test_group.yaml"]
            .map(|name| { if name.starts_with('t') { name.to_owned() } else { format!("0{name}") } })
    );
}

/// Builds the output validator of an imported package and runs it as the package format describes. Returns its exit
/// code.
fn ask(validator: &Path, input: &str, output: &str) -> Option<i32> {
    let folder = tempfile::tempdir().unwrap();
    let built = Command::new("sh").arg("./build").current_dir(validator).status().unwrap();
    assert!(built.success());
    let (input, answer) = (write(folder.path(), "1.in", input), write(folder.path(), "1.ans", ""));
    let feedback = format!("{}/", folder.path().display());
    let mut run = Command::new(validator.join("run"))
        .args([&input, &answer])
        .arg(feedback)
        .stdin(Stdio::from(fs::File::open(write(folder.path(), "out", output)).unwrap()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    run.wait().unwrap().code()
}

#[test]
fn an_interactor_and_its_checker_together_speak_the_protocol_of_the_format() {
    needs!("python3");
    let folder = tempfile::tempdir().unwrap();
    let (out, _) = imported("guess", folder.path());
    assert!(text(out.join("problem.yaml")).contains("type: [\"pass-fail\", \"interactive\"]\n"));
    let validator = out.join("output_validator");
    assert_eq!(validator.join("run").metadata().unwrap().permissions().mode() & 0o111, 0o111);
    assert_eq!(ask(&validator, "3\n", "1\n2\n3\n"), Some(42));
    assert_eq!(ask(&validator, "3\n", "1\n2\n"), Some(43), "the interactor says no");
    assert_eq!(ask(&validator, "3\n", "1\n1\n1\n1\n1\n3\n"), Some(43), "the checker says no to what it wrote");
    assert_eq!(ask(&validator, "-3\n", "1\n"), Some(1), "a fault of the test is the judge's trouble");
}

#[test]
fn submissions_of_an_interactive_problem_are_judged_by_its_interactor_and_its_checker() {
    needs!("python3", "c++");
    let folder = tempfile::tempdir().unwrap();
    let (out, _) = imported("higher", folder.path());
    assert!(text(out.join("problem.yaml")).contains("type: [\"pass-fail\", \"interactive\"]\n"));
    let (code, lines) = json(referee(["grade", out.to_str().unwrap()]));
    let one = |line: &&serde_json::Value| {
        let text = |key: &str| line[key].as_str().unwrap().to_owned();
        (text("submission"), text("verdict"), line["as_expected"] == true)
    };
    let mut finished: Vec<_> = of_type(&lines, "submission_finished").iter().map(one).collect();
    finished.sort();
    let wanted = [
        ("accepted/halves.py", "AC"),
        ("rejected/gives_up.py", "WA"),
        ("run_time_error/right_then_exit_1.py", "RTE"),
        ("wrong_answer/one_by_one.py", "WA"),
        ("wrong_answer/words.py", "WA"),
    ];
    let wanted = wanted.map(|(name, verdict)| (name.to_owned(), verdict.to_owned(), true));
    assert_eq!((code, finished), (0, wanted.to_vec()));
    let said = |name: &str| {
        let case = of_type(&lines, "case_finished").into_iter().find(|line| line["submission"] == name);
        case.unwrap()["message"].as_str().unwrap().to_owned()
    };
    // The checker rejects the first submission because of the interactor's output. The interactor itself rejects the
    // second submission.
    assert!(said("wrong_answer/one_by_one.py").contains("7 are enough, and it took 37"));
    assert!(said("wrong_answer/words.py").contains("Expected integer"));
}

#[test]
fn an_archive_of_polygon_comes_in_like_its_folder_and_nothing_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("guess-1$linux.zip");
    let mut zip = zip::ZipWriter::new(fs::File::create(&archive).unwrap());
    let root = files::in_repository("tests/polygon/guess");
    for entry in walkdir::WalkDir::new(&root).into_iter().filter_map(Result::ok).filter(|entry| entry.path().is_file())
    {
        let name = entry.path().strip_prefix(&root).unwrap().to_str().unwrap();
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut zip, &fs::read(entry.path()).unwrap()).unwrap();
    }
    zip.finish().unwrap();
    let import = || referee(["import", archive.to_str().unwrap(), "--out", folder.path().to_str().unwrap(), "-q"]);
    import().assert().success();
    let names = names_in(&folder.path().join("guess"));
    assert_eq!(names, ["data", "output_validator", "problem.yaml", "submissions"]);
    import().assert().code(2).stderr(contains("already exists"));
    assert_eq!(names_in(folder.path()), ["guess", "guess-1$linux.zip"], "nothing else is left behind");
}

const HEAD: &str = "<problem short-name=\"a\"><judging><testset name=\"tests\">\n<time-limit>1000</time-limit>\n";
const PATTERNS: &str =
    "<input-path-pattern>t/%d</input-path-pattern><answer-path-pattern>t/%d.a</answer-path-pattern>\n";

#[test]
fn what_is_wrong_with_problem_xml_is_told_with_its_place() {
    let end = "</testset></judging></problem>";
    let group = |name: &str, other: &str| {
        let dependency = format!("<dependencies><dependency group=\"{other}\"/></dependencies>");
        format!("<group name=\"{name}\" points=\"1\" points-policy=\"complete-group\">{dependency}</group>")
    };
    let cases = [
        ("<problem>\n</problem".to_owned(), "problem.xml:2:"),
        ("<problem/>".to_owned(), "problem.xml:1:1: there is no <testset>"),
        ("<!DOCTYPE a [<!ENTITY a \"a\">]><problem>&a;</problem>".to_owned(), "problem.xml:1:1: "),
        (
            format!("{HEAD}<input-path-pattern>t/%s</input-path-pattern></testset></judging></problem>"),
            "problem.xml:3:1: found the pattern \"t/%s\"",
        ),
        (format!("{HEAD}{PATTERNS}<tests/>{end}"), "problem.xml:1:25: there is no <test>"),
        (format!("{HEAD}{PATTERNS}<test-count>2</test-count><tests><test/></tests>{end}"), "<test-count> is 2"),
        (
            format!("{HEAD}{PATTERNS}<tests>\n  <test cmd=\"gen 1\"/></tests>{end}"),
            "problem.xml:5:3: the input t/1 of this test is missing",
        ),
        (
            format!("{HEAD}{PATTERNS}<tests>\n  <test points=\"-1\"/></tests>{end}"),
            "problem.xml:5:3: found \"-1\" points",
        ),
        (
            format!(
                "{HEAD}{PATTERNS}<tests><test/></tests><groups>{}{}</groups>{end}",
                group("a", "b"),
                group("b", "a")
            ),
            "depend on each other",
        ),
        (
            format!(
                "{HEAD}{PATTERNS}<tests><test/></tests></testset></judging><assets><checker>\n<source path=\"../outside.cpp\"/></checker></assets></problem>"
            ),
            "\"../outside.cpp\" leads out of the package",
        ),
    ];
    for (xml, wanted) in cases {
        let folder = tempfile::tempdir().unwrap();
        let root = write(folder.path(), "p/problem.xml", &xml);
        write(folder.path(), "outside.cpp", "// not the package's own\n");
        let out = folder.path().join("out");
        referee(["import", root.parent().unwrap().to_str().unwrap(), "--out", out.to_str().unwrap()])
            .assert()
            .code(2)
            .stderr(contains(wanted));
        assert_eq!(names_in(folder.path()), ["outside.cpp", "p"], "nothing is left behind: {xml}");
    }
}

#[test]
fn a_generator_that_fails_is_told_with_its_own_words_and_gives_no_package() {
    needs!("python3");
    let folder = tempfile::tempdir().unwrap();
    let xml = format!(
        "{HEAD}{PATTERNS}<tests><test cmd=\"gen 1\"/></tests></testset></judging><files><executables><executable>\
         <source path=\"gen.py\"/></executable></executables></files></problem>"
    );
    let root = write(folder.path(), "p/problem.xml", &xml);
    write(folder.path(), "p/gen.py", "import sys\nsys.exit('no such test')\n");
    referee(["import", root.parent().unwrap().to_str().unwrap(), "--out", folder.path().join("o").to_str().unwrap()])
        .assert()
        .code(2)
        .stderr(contains("the generator command \"gen 1\" failed").and(contains("no such test")));
    assert_eq!(names_in(folder.path()), ["p"]);
}
