//! Checks the output of `referee schema` against lines that were written by hand, following the description in
//! `crates/report/src/jsonl.rs`. No line is copied from the output of the command.

use std::collections::BTreeSet;

use serde_json::Value;

use super::support::command::referee;

/// The compiled schema.
pub(crate) struct Schema {
    printed: Value,
    schemas: boon::Schemas,
    index: boon::SchemaIndex,
}

impl Schema {
    pub(crate) fn published() -> Schema {
        let output = referee(["schema"]).output().expect("referee starts").stdout;
        let printed: Value = serde_json::from_slice(&output).expect("the schema is JSON");
        let (mut compiler, mut schemas) = (boon::Compiler::new(), boon::Schemas::new());
        compiler.add_resource("schema.json", printed.clone()).expect("the schema can be added");
        let index = compiler.compile("schema.json", &mut schemas).expect("the schema is valid");
        Schema { printed, schemas, index }
    }

    /// Checks a line. Fails with the error that the schema reports.
    pub(crate) fn check(&self, line: &str) -> Result<(), String> {
        let value: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line} is no JSON: {error}"));
        self.schemas.validate(&value, self.index).map_err(|error| error.to_string())
    }

    /// Returns the values of `type` in the schema.
    fn types(&self) -> BTreeSet<&str> {
        let lines = self.printed["oneOf"].as_array().expect("the schema lists the types of lines");
        lines.iter().map(|line| line["properties"]["type"]["const"].as_str().expect("a line has a type")).collect()
    }
}

/// A change that makes a line invalid: a description, the part of the line to replace, and its replacement.
type Damage = (&'static str, &'static str, &'static str);

/// A valid line of each type, and the changes that make it invalid.
const LINES: &[(&str, &[Damage])] = &[
    (
        r#"{"type": "run_started", "schema_version": 1, "version": "9.8.7", "package": "sorting", "jobs": 4,
            "seed": 77, "sandbox": {"overall": "full", "parts": {"memory": {"state": "enforced",
            "why": "a control group counts it", "remedy": null}}}, "time_limit_seconds": 1.5,
            "time_limit_measured": true, "memory_limit_bytes": 268435456, "submissions": 12,
            "partition": {"part": 2, "of": 3}, "submissions_digest": "00ff", "cases_digest": "ff00",
            "time_limit_basis": "accepted/slow.py on secret/9"}"#,
        &[
            ("no version of the schema", r#""schema_version": 1, "#, ""),
            ("a number of jobs in words", r#""jobs": 4"#, r#""jobs": "four""#),
            ("an unknown state of the sandbox", r#""overall": "full""#, r#""overall": "good""#),
            ("an unknown state of a part", r#""state": "enforced""#, r#""state": "yes""#),
            ("half a partition", r#", "of": 3"#, ""),
            ("an unknown field", r#""seed": 77"#, r#""seeds": 77"#),
        ],
    ),
    (
        r#"{"type": "build_finished", "submission": "late/sort.c", "language": "C", "ok": false, "seconds": 0.125,
            "cached": false, "tools": [{"name": "gcc", "path": "/usr/bin/gcc", "version": null}],
            "message": "sort.c:3: error: expected ';'"}"#,
        &[
            ("no outcome", r#""ok": false, "#, ""),
            ("a time in words", "0.125", r#""0.125 s""#),
            ("a tool that is only a name", r#", "path": "/usr/bin/gcc""#, ""),
        ],
    ),
    (
        r#"{"type": "submission_skipped", "submission": "sort.hs", "reason": "ghc is not installed"}"#,
        &[
            ("no reason", r#", "reason": "ghc is not installed""#, ""),
            ("a reason that is a list", r#""ghc is not installed""#, r#"["ghc is not installed"]"#),
        ],
    ),
    (
        r#"{"type": "case_finished", "submission": "sort.c", "case": "secret/7", "verdict": "TLE", "score": 12.5,
            "cpu_seconds": 2.25, "cpu_seconds_all": [2.5, 2.25], "close": true, "wall_seconds": 2.75,
            "memory_bytes": 1048576, "exit_code": null, "signal": 9, "message": "the CPU time limit was exceeded",
            "team_message": "try harder", "passes": 2, "cached": true, "given_score": "1/2",
            "given_multiplier": "3/4", "key": "0123abcd"}"#,
        &[
            ("no verdict", r#""verdict": "TLE", "#, ""),
            ("an unknown verdict", r#""TLE""#, r#""SLOW""#),
            ("a verdict in lower case", r#""TLE""#, r#""tle""#),
            ("a score in words", "12.5", r#""half""#),
            ("a single repeated time", "[2.5, 2.25]", "2.5"),
            ("a negative size", "1048576", "-1"),
            ("a case that is a number", r#""secret/7""#, "7"),
        ],
    ),
    (
        r#"{"type": "group_finished", "submission": "half.py", "group": "secret/small", "verdict": null, "score": 30,
            "max_score": 60.5, "cases_run": 3, "cases_skipped": 0}"#,
        &[
            ("no group", r#""group": "secret/small", "#, ""),
            ("an unknown verdict", r#""verdict": null"#, r#""verdict": "PARTIAL""#),
            ("half a case", r#""cases_run": 3"#, r#""cases_run": 3.5"#),
        ],
    ),
    (
        r#"{"type": "submission_finished", "submission": "half.py", "verdict": "WA", "score": 30.5, "max_score": 100,
            "message": null, "expected": ["AC", "WA"], "as_expected": true, "as_wanted": true,
            "breaches": ["secret/2: AC instead of WA"], "cases_run": 8, "cases_failed": 2, "cases_skipped": 1,
            "first_failing_case": "secret/4", "cpu_seconds_max": 0.5, "memory_bytes_max": 2097152,
            "points": 33.33, "student": {"name": "Zoë", "layout": "moodle", "moodle_id": "12345", "canvas_id": null,
            "canvas_submission_id": null, "is_late": null, "attempt": null, "attempts": 1,
            "folder": "Zoë_12345_assignsubmission_file_", "files": ["half.py"]}}"#,
        &[
            ("no verdict", r#""verdict": "WA", "#, ""),
            ("an unknown verdict", r#""verdict": "WA""#, r#""verdict": "wrong""#),
            ("an unknown layout of a class", r#""layout": "moodle""#, r#""layout": "ilias""#),
            ("an expected verdict that is a number", r#"["AC", "WA"]"#, r#"["AC", 2]"#),
            ("a number for a truth value", r#""as_wanted": true"#, r#""as_wanted": 1"#),
        ],
    ),
    (
        r#"{"type": "crosscheck_finished", "puzzle": "coins", "scope": "sampled", "solvers": ["one", "other"],
            "boards": 40, "disagreements": 1, "histogram": {"3": 39, "Impossible": 1}, "moves_replayed": 38,
            "bounds_proved": 12, "declined": {"other": 5}, "smallest": {"input": "2\nAB\n",
            "reason": "they disagree", "answers": {"one": "3\n", "other": "4\n"}}, "seconds": 3}"#,
        &[
            ("no solvers", r#""solvers": ["one", "other"],"#, ""),
            ("an unknown scope", r#""sampled""#, r#""some""#),
            ("an answer that is a number", r#""other": "4\n""#, r#""other": 4"#),
        ],
    ),
    (
        r#"{"type": "doctor_finished", "schema_version": 1, "version": "9.8.7", "sandbox": {"overall": "off",
            "parts": {}}, "mechanisms": {"landlock": {"state": "not", "why": "the kernel is too old",
            "remedy": "install Linux 5.13"}}, "languages": [{"language": "Rust", "tools": [],
            "missing": "rustc is not installed"}], "cost": {"runs": 9, "spawn_seconds": 0.5,
            "sandbox_seconds": 0.75, "setup_seconds": 1}}"#,
        &[
            (
                "no languages",
                r#""languages": [{"language": "Rust", "tools": [],
            "missing": "rustc is not installed"}], "#,
                "",
            ),
            (
                "a mechanism without its reason",
                r#""why": "the kernel is too old",
            "#,
                "",
            ),
            ("a cost in words", r#""spawn_seconds": 0.5"#, r#""spawn_seconds": "little""#),
        ],
    ),
    (
        r#"{"type": "case_generated", "case": "secret/big", "files": {"in": "new", "ans": "unchanged"},
            "change": "new", "command": "gen.py 5", "seed": 5, "same_as": "secret/large", "seconds": 0.5,
            "message": "remember this", "remarks": ["one"], "unmatched": ["two"]}"#,
        &[
            ("no files", r#""files": {"in": "new", "ans": "unchanged"},"#, ""),
            ("an unknown change of a file", r#""in": "new""#, r#""in": "other""#),
            ("remarks that are no list", r#"["one"]"#, r#""one""#),
        ],
    ),
    (
        r#"{"type": "generate_finished", "as_wanted": false, "cases": 9, "failed": 1, "unmatched": 2, "new": 3,
            "changed": 1, "unchanged": 2, "others": {"secret/test_group.yaml": "changed"},
            "removed": ["secret/old.in"], "kept": ["secret/mine.in"], "written": "data", "trash": "data.old",
            "wall_seconds": 7.5}"#,
        &[
            ("no number of cases", r#""cases": 9, "#, ""),
            ("an unknown change of another file", r#""changed"}"#, r#""removed"}"#),
            ("fewer than no cases", r#""failed": 1"#, r#""failed": -1"#),
        ],
    ),
    (
        r#"{"type": "verify_started", "package": "sorting", "folder": "archive/sorting", "title": "Sorting",
            "format": "legacy", "cases": 10, "submissions": 0}"#,
        &[
            (
                "no title",
                r#""title": "Sorting",
            "#,
                "",
            ),
            ("cases that are listed", r#""cases": 10"#, r#""cases": ["secret/1"]"#),
        ],
    ),
    (
        r#"{"type": "verify_finding", "package": "sorting", "check": "samples", "severity": "warning",
            "place": "data/sample/1.in:2:1", "case": "sample/1", "submission": "accepted/a.c",
            "message": "it is long", "hint": "shorten it"}"#,
        &[
            ("no message", r#""message": "it is long", "#, ""),
            ("an unknown severity", r#""warning""#, r#""fatal""#),
            ("a place that is a number", r#""data/sample/1.in:2:1""#, "2"),
        ],
    ),
    (
        r#"{"type": "verify_time_limit", "package": "sorting", "time_limit_seconds": 4, "is_stated": false,
            "smallest_seconds": null, "ac_to_time_limit": 2, "time_limit_to_tle": 1.25, "resolution_seconds": 0.5}"#,
        &[
            ("no time limit", r#""time_limit_seconds": 4, "#, ""),
            ("a factor in words", r#""time_limit_to_tle": 1.25"#, r#""time_limit_to_tle": "more""#),
        ],
    ),
    (
        r#"{"type": "verify_margin", "package": "sorting", "submission": "slow/a.py", "case": "secret/3",
            "seconds": 3.5, "is_more": true, "wall_limit_seconds": 9, "bound": "upper", "is_slowest": false,
            "factor": 1.75, "kept": false}"#,
        &[
            (
                "no case",
                r#""case": "secret/3",
            "#,
                "",
            ),
            ("a time in words", r#""seconds": 3.5"#, r#""seconds": "3.5""#),
            ("a truth value in words", r#""kept": false"#, r#""kept": "no""#),
        ],
    ),
    (
        r#"{"type": "verify_finished", "package": "sorting", "errors": 0, "warnings": 2, "notes": 1,
            "checks": [{"name": "samples", "about": "2 samples", "seconds": 0, "errors": 0, "warnings": 2,
            "notes": 1, "skipped": "one sample has no input"}], "tools": [{"name": "gcc", "path": "/bin/gcc",
            "version": "13"}], "seconds": 1}"#,
        &[
            (
                "no checks",
                r#""checks": [{"name": "samples", "about": "2 samples", "seconds": 0, "errors": 0, "warnings": 2,
            "notes": 1, "skipped": "one sample has no input"}], "#,
                "",
            ),
            ("a check without a name", r#""name": "samples", "#, ""),
            (
                "a count in words",
                r#""errors": 0, "warnings": 2, "notes": 1,
            "checks""#,
                r#""errors": "none", "warnings": 2, "notes": 1,
            "checks""#,
            ),
        ],
    ),
    (
        r#"{"type": "hunt_finished", "package": "sorting", "submission": "wrong.c", "seed": 3, "found": true,
            "kind": "RTE", "input": "1\n5\n", "input_legal": null,
            "input_unchecked": "the package has no input validator, so no program checked it", "expected": "5\n", "got": "", "message": "exit code 1",
            "truth": ["accepted/a.c"], "tried": 100, "illegal": 20, "unjudged": 1, "exhausted": false,
            "seconds": 2.5, "seconds_preparing": 0.5, "undone": "shrinking", "bytes_before_shrinking": 40,
            "bytes": 4, "shrink_tried": 60, "minimal": false, "interrupted": true, "remarks": ["it is slow"],
            "written": ["found.in"]}"#,
        &[
            ("no outcome", r#""found": true,"#, ""),
            ("an unknown part that is not done", r#""shrinking""#, r#""resting""#),
            ("half an input", r#""tried": 100"#, r#""tried": 100.5"#),
            ("a legality in words", r#""input_legal": null"#, r#""input_legal": "unknown""#),
            ("a number as a reason", r#""the package has no input validator, so no program checked it""#, "1"),
            ("a truth that is no list", r#"["accepted/a.c"]"#, r#""accepted/a.c""#),
        ],
    ),
    (
        r#"{"type": "mutant_finished", "number": 8, "program": "accepted/a.c", "role": "submission",
            "file": "accepted/a.h", "line": 4, "column": 2, "operator": "negation", "was": "if (a)", "is": "if (!a)",
            "fate": "killed", "cached": true, "same_as": 3, "case": "secret/1", "verdict": "WA",
            "message": "line 1", "killers": 2, "killed_by": ["secret/1", "secret/2"], "not_tried": 5,
            "diff": "-a\n+!a\n", "reason": "it does not matter"}"#,
        &[
            ("no fate", r#""fate": "killed", "#, ""),
            ("an unknown fate", r#""killed", "cached""#, r#""dead", "cached""#),
            ("an unknown verdict", r#""verdict": "WA""#, r#""verdict": "Wrong Answer""#),
            ("a line in words", r#""line": 4"#, r#""line": "4""#),
        ],
    ),
    (
        r#"{"type": "survivor_hunted", "number": 8, "program": "accepted/a.c", "killed": false, "by_find_of": 7,
            "kind": "jury", "input": "1\n", "input_legal": true, "input_unchecked": null,
            "expected": "1\n", "got": "2\n", "message": "line 1", "tried": 50, "unjudged": 0, "exhausted": true, "interrupted": false, "seconds": 0.25, "minimal": null,
            "remarks": [], "written": []}"#,
        &[
            ("no number", r#""number": 8, "#, ""),
            ("a truth value in words", r#""killed": false"#, r#""killed": "no""#),
            ("a file that is a number", r#""written": []"#, r#""written": [1]"#),
            ("a legality in words", r#""input_legal": true"#, r#""input_legal": "yes""#),
        ],
    ),
    (
        r#"{"type": "similarity_finished", "pairs": [{"a": "anna.py", "b": "ben", "similarity": 0.75,
            "share_of_a": 0.5, "share_of_b": 1, "lines_a": 12, "lines_b": 10, "regions": [{"file_a": "",
            "first_line_a": 1, "last_line_a": 12, "file_b": "main.py", "first_line_b": 3, "last_line_b": 12}]}],
            "similar": 1, "compared": 2, "skipped": [{"submission": "carl.py", "reason": "it is a link"}],
            "cut": ["ben"], "threshold": 0.5, "seconds": 0.25}"#,
        &[
            ("no threshold", r#""threshold": 0.5, "#, ""),
            ("a share in words", r#""share_of_a": 0.5"#, r#""share_of_a": "half""#),
            ("a line below 0", r#""first_line_b": 3"#, r#""first_line_b": -3"#),
            ("a region without a file", r#""file_b": "main.py", "#, ""),
            ("a skipped program without a reason", r#", "reason": "it is a link""#, ""),
        ],
    ),
    (
        r#"{"type": "strength_finished", "package": "sorting", "seed": 6, "mutants": 20, "killed": 15, "survived": 2,
            "holes": 1, "disputed": 0, "equivalent_suspected": 1, "equivalent_declared": 1,
            "equivalent_proved": 1, "unjudged": 0, "not_compiled": 3, "same_code": 2, "changes": 25,
            "is_sample": true, "minimal_cases": ["secret/1"], "minimal_is_proved": false,
            "idle_cases": ["secret/2"], "sole_killers": [{"case": "secret/1", "mutants": [1, 2]}],
            "pairs_unknown": 4, "runs_alone": 90, "runs_together": 40, "by_verdict": {"WA": 15}, "by_operator": {"negation": [15, 2]},
            "by_program": {"accepted/a.c": [15, 2]}, "wrongly_declared": ["accepted/a.c:4:2"], "stale": ["b"],
            "remarks": ["c"], "tools": [], "interrupted": false, "seconds": 60}"#,
        &[
            ("no number of mutants", r#""mutants": 20, "#, ""),
            ("one number of an operator", r#""negation": [15, 2]"#, r#""negation": 15"#),
            ("a sole killer without its mutants", r#", "mutants": [1, 2]"#, ""),
            ("a count in words", r#""holes": 1"#, r#""holes": "one""#),
        ],
    ),
    (
        r#"{"type": "run_finished", "as_wanted": true, "submissions": 2, "skipped": 0, "unjudged": 0, "cases_run": 11,
            "wall_seconds": 4.5}"#,
        &[
            ("no end", r#""as_wanted": true, "#, ""),
            ("a count in words", r#""submissions": 2"#, r#""submissions": "two""#),
            ("an unknown type", r#""run_finished""#, r#""run_ended""#),
        ],
    ),
];

fn type_of(line: &str) -> String {
    let value: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line} is no JSON: {error}"));
    value["type"].as_str().expect("a line has a type").to_owned()
}

#[test]
fn a_line_of_every_type_written_by_hand_is_accepted() {
    let schema = Schema::published();
    for (line, _) in LINES {
        assert_eq!(schema.check(line), Ok(()), "{line}");
    }
    let written: BTreeSet<_> = LINES.iter().map(|(line, _)| type_of(line)).collect();
    assert_eq!(written.len(), LINES.len(), "one line for each type");
    assert!(written.iter().map(String::as_str).eq(schema.types()), "{written:?}, but {:?}", schema.types());
}

#[test]
fn a_line_of_every_type_with_one_fault_is_refused() {
    let schema = Schema::published();
    let mut accepted = Vec::new();
    for (line, damages) in LINES {
        assert!(damages.len() >= 2, "{line}");
        for (what, part, replacement) in *damages {
            assert_eq!(line.matches(part).count(), 1, "{what}: {part} in {line}");
            let damaged = line.replace(part, replacement);
            if schema.check(&damaged).is_ok() {
                accepted.push(format!("{}: {what}: {damaged}", type_of(line)));
            }
        }
    }
    super::support::assert_none(&accepted);
}
