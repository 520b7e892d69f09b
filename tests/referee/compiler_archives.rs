//! An archive of a compiler's own classes makes the compiler faster, and changes no program.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::precompiled_headers::Fixture;
use super::support::command::write;

/// A language whose compiler is a shell script. Its programs print `with` if they were compiled with an archive.
const LANGUAGE: &str = r#"
[[language]]
id = "script"
name = "Script"
endings = ["script"]
compiler_archive = ["/bin/sh", "-c", "test -s \"$1\" && echo 'echo with' > \"$0\"", "{binary}", "{sources}"]
compile = [
    "/bin/sh", "-c", "if [ $# -gt 0 ]; then cat \"$1\"; else echo 'echo without'; fi > \"$0\"", "{binary}", "{archive}",
]
run = ["/bin/sh", "{binary}"]
"#;

fn fixture() -> Fixture {
    Fixture::of(LANGUAGE)
}

#[test]
fn an_archive_is_made_for_the_fourth_program_and_then_comes_from_the_cache() {
    let fixture = fixture();
    assert_eq!(fixture.verdicts(0..5, &[]), ["WA", "WA", "WA", "AC", "AC"]);
    assert_eq!(fixture.headers().len(), 1);
    assert_eq!(fixture.verdicts(5..6, &[]), ["AC"]);
}

#[test]
fn of_many_programs_the_first_has_an_archive() {
    assert_eq!(fixture().verdicts(0..8, &[]), ["AC"; 8]);
}

#[test]
fn a_file_of_languages_can_turn_archives_off() {
    for (old, new) in [("compiler_archive = [", "compiler_archive = []\nmain_files = ["), (", \"{archive}\"", "")] {
        let fixture = fixture().replace(old, new);
        assert_eq!(fixture.verdicts(0..8, &[]), ["WA"; 8], "{new}");
        assert!(fixture.headers().is_empty(), "{new}");
    }
}

#[test]
fn an_archive_that_cannot_be_made_or_used_is_no_error() {
    for (old, new) in [
        ("test -s", "exit 1; test -s"),
        ("echo 'echo with' > \\\"$0\\\"", "true"),
        ("echo 'echo with' > \\\"$0\\\"", "mkdir \\\"$0\\\""),
        ("then cat", "then exit 1; cat"),
    ] {
        assert_eq!(fixture().replace(old, new).verdicts(0..8, &[]), ["WA"; 8], "{new}");
    }
}

#[test]
fn programs_cannot_change_the_archive() {
    for without in ["", "namespaces", "cgroups", "namespaces,cgroups"] {
        let fixture = fixture().without(without).replace(
            "cat \\\"$1\\\"",
            "(echo evil > \\\"$1\\\"; rm -f \\\"$1\\\"; chmod 777 \\\"$1\\\") 2> /dev/null; cat \\\"$1\\\"",
        );
        assert_eq!(fixture.verdicts(0..8, &[]), ["AC"; 8], "without {without}");
        assert_eq!(fixture.verdicts(8..9, &[]), ["AC"], "without {without}");
    }
}

/// Writes four programs in Java.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let text = |number: usize| {
        format!(
            "import java.util.*;\npublic class P{number} {{\n  enum Letter {{ A, B }}\n  public static void main(String[] a) {{\n    \
             Map<Letter, List<String>> m = new EnumMap<>(Letter.class);\n    \
             m.computeIfAbsent(Letter.values()[{number} % 2], k -> new ArrayList<>()).add(\"with\");\n    \
             for (List<String> l : m.values()) System.out.println(l.get(0));\n  }}\n}}\n"
        )
    };
    (0..4).map(|number| write(folder, &format!("P{number}.java"), &text(number))).collect()
}

/// Compiles four programs in Java. `language` changes the language. Returns the files that the compiler wrote, by their
/// names. Logs of several programs have the same name; the result contains one of them.
fn compiled(language: &str) -> BTreeMap<String, Vec<u8>> {
    let fixture = Fixture::of(&format!("[[language]]\nid = \"java\"\n{language}"));
    assert_eq!(fixture.verdicts_of(&programs(fixture.folder.path()), &[]), ["AC"; 4], "{language}");
    let entries =
        WalkDir::new(fixture.cache().join("referee/builds")).into_iter().map(|entry| entry.expect("an entry"));
    let files = entries.filter(|entry| entry.file_type().is_file() && entry.file_name() != "digest");
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    files.map(|entry| (name(entry.path()), fs::read(entry.path()).expect("a file"))).collect()
}

/// The compiler writes where it found its classes: to `log1` if the command names an archive, otherwise to `log0`.
const LOGGED: &str = r#"
compile = [
    "/bin/sh", "-c", "\"$@\" > log$(($# > 9))", "sh", "{tool:javac}", "-J-XX:+UseSerialGC", "-J-XX:TieredStopAtLevel=1",
    "-J-Xlog:class+load", "-J-XX:SharedArchiveFile={archive}", "-encoding", "UTF-8", "-d", ".", "{sources}",
]
"#;

#[test]
fn the_compiler_of_java_loads_its_classes_from_the_archive_and_writes_the_same_files() {
    needs!("javac", "java");
    let (with, without) = (compiled(LOGGED), compiled("compiler_archive = []\n"));
    let classes = |files: &BTreeMap<String, Vec<u8>>| -> BTreeMap<String, Vec<u8>> {
        files
            .iter()
            .filter(|(name, _)| name.split('.').nth(1) == Some("class"))
            .map(|(name, bytes)| (name.clone(), bytes.clone()))
            .collect()
    };
    assert_eq!(classes(&without).len(), 8);
    assert!(classes(&with) == classes(&without), "the archive changes the compiled programs");
    let from_archive = |log: &str| {
        let text = String::from_utf8(with[log].clone()).expect("a log");
        text.lines().filter(|line| line.contains("com.sun.tools.javac") && line.contains("(top)")).count()
    };
    assert!(from_archive("log1") > 300 && from_archive("log0") == 0);
}

#[test]
fn java_with_1500_terms_in_a_sum_compiles_every_time() {
    needs!("javac", "java");
    let sum = vec!["q"; 1500].join("+");
    let text = |number: usize| {
        format!(
            "public class D{number} {{ public static void main(String[] a) {{ int q = 0, s = {sum}; \
             System.out.println(s == 0 ? \"with\" : \"\"); }} }}\n"
        )
    };
    let fixture = Fixture::of("[[language]]\nid = \"java\"\n");
    let sources: Vec<_> =
        (0..8).map(|number| write(fixture.folder.path(), &format!("D{number}.java"), &text(number))).collect();
    assert_eq!(fixture.verdicts_of(&sources, &[]), ["AC"; 8]);
}
