//! Java programs under any file name, in packages, and with several classes that have a main method.

use std::path::Path;

use serde_json::Value;

use super::support::command::{json, of_type, referee, write};
use super::support::long_limits::sum_with_long_limits;
use super::support::program::temporary_folder;

const RIGHT: &str = "public static void main(String[] a) { java.util.Scanner in = new java.util.Scanner(System.in); \
                     System.out.println(SUM); }";
const WRONG: &str = "public static void main(String[] a) { System.out.println(-1); }";

/// Returns `text` with the word RIGHT replaced by a right main method, and the word WRONG by a wrong one.
fn source(text: &str) -> String {
    let right = RIGHT.replace("SUM", "in.nextInt() + in.nextInt()");
    text.replace("RIGHT", &right).replace("WRONG", WRONG)
}

/// Returns the verdict of the program with these sources, and the compiler's message; the message is empty if there is
/// none.
fn judged(sources: &[(&str, &str)]) -> (String, String) {
    let folder = temporary_folder();
    for (name, text) in sources {
        write(&folder.path().join("program"), name, &source(text));
    }
    let program = folder.path().join("program");
    let program = if let [(name, _)] = sources { program.join(name) } else { program };
    let mut command = referee(["grade", "--cases", "secret/1", "--no-cache", "--time-limit", "20"]);
    command.arg(sum_with_long_limits(folder.path())).arg(program);
    if sources.len() > 1 {
        // A folder of folders would be the programs of a class.
        command.arg("--class=never");
    }
    let (_, lines) = json(command);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let verdict = text(&of_type(&lines, "submission_finished")[0]["verdict"]);
    (verdict, text(&of_type(&lines, "build_finished")[0]["message"]))
}

#[test]
fn a_java_program_may_have_any_file_name_and_a_package() {
    needs!("javac");
    for (name, text) in [
        ("Main.java", "package org.example;\npublic class Main { RIGHT }"),
        ("my-sum.java", "// public class Wrong\npublic final class Solution { RIGHT }"),
        ("sum.java", "package a; class Helper { } class Only { RIGHT }"),
        ("x.java", "class Helper { WRONG } public class Chosen { RIGHT }"),
    ] {
        assert_eq!(judged(&[(name, text)]).0, "AC", "{name}");
    }
}

#[test]
fn the_sources_of_a_java_program_may_lie_in_packages_under_other_names() {
    needs!("javac");
    let start = "package a.b;\npublic class Start { public static void main(String[] a) { java.util.Scanner in = \
                 new java.util.Scanner(System.in); System.out.println(a.c.Adder.add(in.nextInt(), in.nextInt())); } }";
    let start = start.replace("a.c.Adder", "Adder").replace("package a.b;", "package a.b; import a.c.Adder;");
    let adder = "package a.c;\npublic class Adder { public static int add(int a, int b) { return a + b; } }";
    for names in [["one.java", "two.java"], ["x/Start.java", "y/z/Adder.java"]] {
        let judged = judged(&[(names[0], &start), (names[1], adder)]);
        assert_eq!(judged.0, "AC", "{names:?}: {}", judged.1);
    }
}

#[test]
fn several_java_classes_that_could_be_meant_are_a_compile_error_with_their_names() {
    needs!("javac");
    let (verdict, message) = judged(&[("A.java", "class A { RIGHT } class B { WRONG }")]);
    assert!(verdict == "CE" && message.starts_with("2 classes have a main method: A, B;"), "{verdict}: {message}");
}

#[test]
fn a_java_program_without_a_main_method_is_told_so_under_its_own_names() {
    needs!("javac");
    let (verdict, message) = judged(&[("p.java", "class A { void start() {} }\nclass B {}\n")]);
    assert!(verdict == "CE" && message.starts_with("no class has a main method: A, B;"), "{verdict}: {message}");
    let (verdict, message) = judged(&[("p.java", "class A { void start() {} }\n")]);
    assert!(verdict == "RTE" && !message.contains("class Main"), "{verdict}: {message}");
}

#[test]
fn the_declared_entry_point_of_a_java_program_wins() {
    needs!("javac");
    let folder = temporary_folder();
    let package = sum_with_long_limits(folder.path());
    let in_package =
        |name: &str, text: &str| write(&package, &Path::new("submissions").join(name).to_string_lossy(), text);
    in_package("accepted/two.java", &source("package p; class A { RIGHT } public class B { WRONG }"));
    in_package("submissions.yaml", "accepted/two.java:\n  entrypoint: p.A\n");
    let mut command = referee(["grade", "--no-cache", "--time-limit", "20"]);
    command.arg(&package);
    let (code, lines) = json(command);
    assert_eq!(code, 0, "{lines:?}");
}
