//! Findings about files, samples and test cases.

use super::{assert_lines, verified};
use crate::support::program::temporary_folder;

const PROBLEM: &str = "problem_format_version: 2025-09\nname: Odd\nuuid: 00000000-0000-4000-8000-00000000a001\n";

#[test]
fn of_files_only_what_the_format_knows_and_looks_at_is_told() {
    let folder = temporary_folder();
    let root = folder.path();
    // A sparse file of more than 100 MiB, which uses no disk space.
    std::fs::create_dir_all(root.join("odd/attachments")).unwrap();
    std::fs::File::create(root.join("odd/attachments/film.bin")).unwrap().set_len((100 << 20) + 1).unwrap();
    let report = verified(
        root,
        &[
            ("problem.yaml", &format!("{PROBLEM}type: interactive\nlimits: {{time_limit: 1}}\n")),
            ("data/sample/1.in", "1\n"),
            ("data/sample/1.ans", "1\n"),
            ("data/secret/1.in", "1\n"),
            ("data/secret/1.ans", "\0\n"),
            ("data/secret/.1.swp.in", "1\r\n"),
            ("data/valid_output/1.in", "1\r\n"),
            ("data/valid_output/1.ans", "1\n"),
            ("data/valid_output/1.out", "1"),
            (".git/HEAD", "x\r\n"),
            ("NOTES", "mine\n"),
            ("input_validators/any.py", "import sys\nsys.exit(42)\n"),
            ("output_validator/talk.py", "import sys\nsys.exit(42)\n"),
            ("submissions/accepted/a.py", "print(1)\n"),
        ],
        &["--only", "format"],
    );
    assert_lines(
        &report.findings,
        &[
            "error statement: contains no statement",
            "error data/secret/1.ans:1:1: has a NUL",
            "warning attachments/film.bin: has more than 100 MiB",
            "note NOTES: is not part of the package format",
        ],
    );
    assert_eq!(report.code, 1);
}

#[test]
fn samples_that_show_too_much_or_the_same_twice_are_noted() {
    let folder = temporary_folder();
    let long = "1\n".repeat(3000);
    let files = [
        ("problem.yaml", PROBLEM),
        ("input_validators/any.py", "import sys\nsys.exit(42)\n"),
        ("submissions/accepted/a.py", "print(1)\n"),
        ("data/sample/1.in", "1\n"),
        ("data/sample/1.in.statement", "1\n"),
        ("data/sample/1.ans", "2\n"),
        ("data/sample/1.ans.statement", "two\n"),
        ("data/sample/2.in", &long),
        ("data/sample/2.in.statement", "1 ...\n"),
        ("data/sample/2.ans", "2\n"),
        ("data/sample/2.out", "2\n"),
        ("data/sample/3.in", "3\n"),
        ("data/sample/3.ans", &long),
        ("data/sample/3.out", "1\n"),
    ];
    let report = verified(folder.path(), &files, &["--only", "samples"]);
    let shown = [
        "note data/sample/1.in.statement: is identical to the file that it replaces",
        "note data/sample/1.ans.statement: is shown to contestants, but nothing checks that it is correct",
        "note data/sample/2.out: is identical to the answer",
        "note data/sample/3.ans: has 6000 bytes",
    ];
    assert_lines(&report.findings, &shown);
    // In an interactive problem, no validator can check the outputs that samples show. So `verify` does not report the
    // second note, which says that nothing checks such an output.
    let talk = format!("{PROBLEM}type: interactive\n");
    let more = [("problem.yaml", talk.as_str()), ("output_validator/talk.py", "import sys\nsys.exit(42)\n")];
    let report = verified(folder.path(), &more, &["--only", "samples"]);
    assert_lines(&report.findings, &[shown[0], shown[2], shown[3]]);
}

#[test]
fn cases_are_twins_if_a_submission_sees_the_same() {
    let folder = temporary_folder();
    let files = [
        ("problem.yaml", &*format!("{PROBLEM}type: scoring\n")),
        ("input_validators/any.py", "import sys\nsys.exit(42)\n"),
        ("output_validator/any.py", "import sys\nsys.exit(42)\n"),
        ("submissions/accepted/a.py", "print(1)\n"),
        ("data/secret/test_group.yaml", "max_score: 10\nscore_aggregation: sum\n"),
        ("data/secret/1/test_group.yaml", "max_score: 5\nscore_aggregation: min\n"),
        ("data/secret/1/a.in", "1\n"),
        ("data/secret/1/a.ans", "1\n"),
        // This case has the same input as 1/a and a different answer, which the output validator allows.
        ("data/secret/1/b.in", "1\n"),
        ("data/secret/1/b.ans", "2\n"),
        ("data/secret/1/c.in", "1\n"),
        ("data/secret/1/c.ans", "1\n"),
        ("data/secret/1/c.yaml", "args: [--fast]\n"),
        ("data/secret/1/d.in", "1\n"),
        ("data/secret/1/d.ans", "1\n"),
        ("data/secret/1/d.files/more", "1\n"),
        ("data/secret/1/e.in", "1\n"),
        ("data/secret/1/e.ans", "1\n"),
        ("data/secret/1/e.files/more", "2\n"),
        ("data/secret/1/f.in", "1\n"),
        ("data/secret/1/f.ans", "1\n"),
        ("data/secret/1/f.yaml", "output_validator_args: [--strict]\n"),
        ("data/secret/1/g.in", "1\n"),
        ("data/secret/1/g.ans", "1\n"),
        ("data/secret/1/g.yaml", "args: [--slow]\n"),
        ("data/secret/1/h.in", "1\n"),
        ("data/secret/1/h.ans", "1\n"),
        ("data/secret/1/h.files/one/more", "2\n"),
        ("data/secret/1/i.in", "1\n"),
        ("data/secret/1/i.ans", "1\n"),
        ("data/secret/1/i.files/two/more", "2\n"),
        ("data/secret/2/test_group.yaml", "max_score: 5\nscore_aggregation: min\n"),
        ("data/secret/2/a.in", "1\n"),
        ("data/secret/2/a.ans", "1\n"),
    ];
    let report = verified(folder.path(), &files, &["--only", "duplicates"]);
    assert_lines(
        &report.findings,
        &[
            "warning data/secret/1/b.in: has the same input as secret/1/a",
            "note data/secret/2/a.in: has the same input as secret/1/a",
        ],
    );
}
