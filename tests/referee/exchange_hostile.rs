//! Hostile packages of Polygon, and failures during an import. In each case the import fails quickly, with a message
//! that names the position and gives a hint, and leaves nothing behind.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use predicates::prelude::*;
use predicates::str::contains;

use super::support::command::{names_in, referee, settings, write};
use super::support::program::temporary_folder;

const HEAD: &str = "<problem short-name=\"a\"><judging><testset name=\"tests\">\n<time-limit>1000</time-limit>\n\
    <input-path-pattern>t/%d</input-path-pattern><answer-path-pattern>t/%d.a</answer-path-pattern>\n";
const END: &str = "</testset></judging></problem>";

/// Imports a folder with this problem.xml and these files. Returns the output on both streams and the exit code. Fails
/// if a failed import leaves any file.
fn imported(xml: &str, files: &[(&str, &str)]) -> (i32, String, String) {
    let folder = temporary_folder();
    write(folder.path(), "p/problem.xml", xml);
    for (name, text) in files {
        write(&folder.path().join("p"), name, text);
    }
    let (from, out) = (folder.path().join("p"), folder.path().join("out"));
    let output = referee([Path::new("import"), &from, Path::new("--out"), &out]).output().unwrap();
    let code = output.status.code().unwrap();
    let wanted: &[&str] = if code == 0 { &["out", "p"] } else { &["p"] };
    assert_eq!(names_in(folder.path()), wanted);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (code, text(output.stdout), text(output.stderr))
}

fn refused(xml: &str) -> String {
    let (code, _, said) = imported(xml, &[("t/1", "1\n"), ("t/1.a", "1\n")]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("\nhint: "), "{said}");
    said
}

#[test]
fn files_of_xml_that_would_take_for_ever_are_refused_at_once() {
    let many = |count: usize| (0..count).map(|number| format!(" a{number}=\"\"")).collect::<Vec<_>>().concat();
    assert!(refused(&format!("<problem>\n<a{}/></problem>", many(1_000_000))).contains("problem.xml:2:1: "));
    let spaces = (0..30_000).map(|number| format!("<a xmlns:b{number}=\"{number}\">")).collect::<Vec<_>>().concat();
    assert!(refused(&format!("<problem>{spaces}")).contains("problem.xml:1:10: found a namespace"));
    assert!(refused(&"<problem>".repeat(900_000)).contains("problem.xml:1:8100001: "));
    assert!(refused(&format!("<problem>{}</problem>", "<a/>".repeat(1_100_000))).contains("problem.xml:1:1: "));
    let plain = "<![CDATA[a]]>".repeat(500_000);
    let said = refused(&format!("{}<tests><test/></tests>{END}", HEAD.replace("1000", &plain)));
    assert!(said.contains("problem.xml:2:1: found \"aaa") && said.len() < 2000, "{} bytes", said.len());
    let long = format!("{HEAD}<tests><test cmd=\"{}\"/></tests>{END}", "x".repeat(8 << 20));
    assert!(
        refused(&long.replace("t/%d<", "u/%d<")).contains("problem.xml:4:8: the input u/1 of this test is missing")
    );
    let tests = format!("{HEAD}<tests>{}</tests>{END}", "<test/>".repeat(100_001));
    assert!(refused(&tests).contains("problem.xml:1:34: there are 100001 tests, allowed: at most 100000"));
}

#[test]
fn groups_that_stand_for_more_and_more_others_do_not_grow() {
    // Each group requires the group before it twice, and only the first and the last group have tests. The import
    // replaces a required group without tests by the groups that it requires. So the number of requirements could
    // double with each group.
    let group = |number: usize, dependency: &str| {
        let dependencies = dependency.repeat(2);
        format!("<group name=\"{number}\"><dependencies>{dependencies}</dependencies></group>")
    };
    let mut groups = "<group name=\"0\" points=\"1\"/>".to_owned();
    for number in 1..60 {
        groups += &group(number, &format!("<dependency group=\"{}\"/>", number - 1));
    }
    groups += &group(60, "<dependency group=\"59\"/>");
    let xml = |tests: &str| format!("{HEAD}<tests>{tests}</tests><groups>{groups}</groups>{END}");
    let tests = "<test group=\"0\" points=\"1\"/><test group=\"60\" points=\"1\"/>";
    let files = [("t/1", "1\n"), ("t/1.a", "1\n"), ("t/2", "2\n"), ("t/2.a", "2\n")];
    let (code, said, errors) = imported(&xml(tests), &files);
    assert_eq!(code, 0, "{said}{errors}");
    let many = "<dependency group=\"0\"/>".repeat(10_001);
    groups = format!("<group name=\"0\"/><group name=\"1\"><dependencies>{many}</dependencies></group>");
    let xml = format!("{HEAD}<tests>{tests}</tests><groups>{groups}</groups>{END}");
    assert!(refused(&xml).contains("10001 dependencies, allowed: at most 10000"));
}

#[test]
fn names_titles_and_tags_reach_no_terminal_as_commands() {
    let evil = "a&#x9b;31m&#x202e;&#x7f;b";
    let xml = format!(
        "<problem short-name=\"{evil}\"><names><name language=\"english\" value=\"{evil}\"/></names>\
         <tags><tag value=\"{evil}\"/></tags>{}<tests><test description=\"{evil}\"/></tests></testset></judging>\
         <assets><solutions><solution tag=\"{evil}\"><source path=\"{evil}\"/></solution></solutions></assets></problem>",
        HEAD.split_once('>').unwrap().1
    );
    let files = [("t/1", "1\n"), ("t/1.a", "1\n"), ("left/\u{1b}[2J\u{9b}31m", "x")];
    let (code, said, errors) = imported(&xml, &files);
    assert_eq!(code, 0, "{errors}");
    assert!(said.contains("\\u{9b}31m"), "{said}");
    let harmless = |text: &str| text.chars().all(|found| found == '\n' || !found.is_control() && found != '\u{202e}');
    assert!(harmless(&said) && harmless(&errors), "{said:?} {errors:?}");
    let told = refused(&xml.replace("<test description", "<test points=\"\u{9b}x\" description"));
    assert!(harmless(&told), "{told:?}");
}

#[test]
fn test_sets_solutions_and_validators_of_one_name_do_not_take_each_others_place() {
    let other = "<testset name=\"a b\">".to_owned() + HEAD.split_once('\n').unwrap().1;
    let other = other.replace("t/%d", "u/%d") + "<tests><test/></tests></testset>";
    let solution = |path: &str| format!("<solution tag=\"main\"><source path=\"{path}\"/></solution>");
    let validator = |path: &str| format!("<validator><source path=\"{path}\" type=\"python.3\"/></validator>");
    // The time limit, 1.005 s, has more than two decimals.
    let head = HEAD.replace("1000", "1005");
    let xml = format!(
        "{head}<tests><test/></tests></testset>{other}{}</judging><assets><validators>{}</validators>\
         <solutions>{}</solutions></assets></problem>",
        // This test becomes two cases: a sample and a secret one.
        other.replace("a b", "a_b").replace("u/%d", "v/%d").replace("<test/>", "<test sample=\"true\"/>"),
        ["x/v-3.py", "x/v.py", "y/v.py"].map(validator).concat(),
        ["x/s.py", "y/s.py", "z/s.py", "w/s.py"].map(solution).concat(),
    );
    let mut files: Vec<(&str, &str)> = vec![("t/1", "1\n"), ("u/1", "2\n"), ("v/1", "3\n")];
    files.extend([("t/1.a", "1\n"), ("u/1.a", "2\n"), ("v/1.a", "3\n")]);
    files.extend(["x/v-3.py", "x/v.py", "y/v.py"].map(|name| (name, "import sys\nsys.exit(0)\n")));
    files.extend(["x/s.py", "y/s.py", "z/s.py", "w/s.py"].map(|name| (name, "print(1)\n")));
    let (code, said, errors) = imported(&xml, &files);
    assert_eq!(code, 0, "{errors}");
    assert!(said.contains("1 sample, 3 secret cases, 4"), "{said}");
    let counted = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(counted.contains("the test set \"a_b\": imported 1 of 1 tests as "), "{said}");
}

#[test]
fn a_command_that_no_shell_would_take_is_refused_with_its_place() {
    let said = |command: &str| {
        refused(&format!("{HEAD}<tests>\n <test cmd=\"{command}\"/></tests>{END}").replace("t/%d<", "u/%d<"))
    };
    assert!(said("gen 'a b").contains(
        "problem.xml:5:2: the input u/1 of this test is missing, and the cmd \"gen 'a b\" of the \
                       test cannot be split into words: the quote ' is not closed"
    ));
    assert!(said("gen a\\").contains("the text ends with a backslash"));
    assert!(said("''").contains("there is no generator \"\""));
}

/// Creates an archive of these entries. The text of a link is its target.
fn archive(path: &Path, entries: &[(&str, &str, bool)]) {
    let mut zip = zip::ZipWriter::new(File::create(path).unwrap());
    for (name, text, is_link) in entries {
        let options = zip::write::SimpleFileOptions::default();
        if *is_link {
            zip.add_symlink(*name, *text, options).unwrap();
        } else {
            zip.start_file(*name, options).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
    }
    zip.finish().unwrap();
}

#[test]
fn archives_that_reach_out_or_hide_something_are_refused_and_leave_nothing() {
    let folder = temporary_folder();
    let temporary = folder.path().join("temporary");
    fs::create_dir(&temporary).unwrap();
    let xml = format!("{HEAD}<tests><test/></tests>{END}");
    let deep = format!("{}x", "d/".repeat(40));
    let cases: [(&str, &str, bool, &str); 8] = [
        ("../out.txt", "x", false, "leads out"),
        ("/out.txt", "x", false, "leads out"),
        ("a/../../out.txt", "x", false, "leads out"),
        ("link", "/etc/passwd", true, "is broken or leads out"),
        ("link", "../..", true, "is broken or leads out"),
        ("problem.xml/x", "x", false, "appears twice"),
        ("\u{1b}[2J/../../x", "x", false, "␛[2J"),
        (&deep, "x", false, "too long"),
    ];
    for (name, text, is_link, wanted) in cases {
        let path = folder.path().join("bad.zip");
        archive(&path, &[("problem.xml", &xml, false), (name, text, is_link)]);
        let mut import = referee([Path::new("import"), &path, Path::new("--out"), &folder.path().join("out")]);
        let refused = import.env("TMPDIR", &temporary).assert().code(2);
        refused.stderr(
            contains("bad.zip: ").and(contains(wanted)).and(contains("\nhint: ")).and(contains("\u{1b}").not()),
        );
        assert_eq!(
            (names_in(folder.path()), names_in(&temporary)),
            (vec!["bad.zip".into(), "temporary".into()], vec![])
        );
    }
}

#[test]
fn what_is_no_package_and_where_none_can_be_written_is_told_with_what_to_do() {
    let folder = temporary_folder();
    write(folder.path(), "empty/readme.txt", "x");
    write(folder.path(), "no.zip", "x");
    let xml = format!("{HEAD}<tests><test/></tests>{END}");
    write(folder.path(), "p/problem.xml", &xml);
    write(folder.path(), "p/t/1", "1\n");
    write(folder.path(), "p/t/1.a", "1\n");
    let refused = |from: &str, out: &str, why: &str, hint: &str| {
        let mut import = referee(["import", from, "--out", out]);
        import
            .current_dir(folder.path())
            .assert()
            .code(2)
            .stderr(contains(why).and(contains(format!("\nhint: {hint}"))));
    };
    refused("nowhere", "out", "nowhere: cannot be read", "give the .zip of a package that Polygon built");
    refused("empty", "out", "empty/problem.xml: is missing", "give the .zip of a package that Polygon built");
    refused("no.zip", "out", "no.zip: is not a ZIP archive", "give the .zip of a package that Polygon built");
    refused("p", "no.zip", "no.zip: already exists", "remove it, or give another --out");
    refused("p", "no.zip/a/b", "no.zip: is not a folder", "give another --out");
    refused("p", "/proc/a/b", "/proc: cannot be written to", "give another --out");
    assert_eq!(names_in(folder.path()), ["empty", "no.zip", "p"]);
    referee(["import", "p", "--out", "new/folders/a"]).current_dir(folder.path()).assert().success();
    assert_eq!(names_in(&folder.path().join("new/folders")), ["a"]);
    assert_eq!(names_in(folder.path()), ["empty", "new", "no.zip", "p"]);
}

#[test]
fn an_import_that_is_interrupted_while_a_generator_runs_leaves_nothing() {
    needs!("python3");
    let folder = temporary_folder();
    let temporary = folder.path().join("temporary");
    fs::create_dir(&temporary).unwrap();
    let executable = "<files><executables><executable><source path=\"gen.py\"/></executable></executables></files>";
    let end = format!("</testset></judging>{executable}</problem>");
    write(folder.path(), "p/problem.xml", &format!("{HEAD}<tests><test cmd=\"gen\"/></tests>{end}"));
    write(folder.path(), "p/gen.py", "import time\nwhile True: time.sleep(1)\n");
    let mut child = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["import", "p", "--out", "out"])
        .current_dir(folder.path())
        .env("TMPDIR", &temporary)
        .env("XDG_CACHE_HOME", settings().join("cache"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let patience = Instant::now() + Duration::from_secs(60);
    let runs =
        || super::support::command::processes_below(&temporary).iter().any(|id| command_line(id).contains("gen.py"));
    while !runs() {
        assert!(Instant::now() < patience, "the generator never started");
        std::thread::sleep(Duration::from_millis(20));
    }
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!((names_in(folder.path()), names_in(&temporary)), (vec!["p".into(), "temporary".into()], Vec::new()));
}

fn command_line(process: &str) -> String {
    fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default()
}
