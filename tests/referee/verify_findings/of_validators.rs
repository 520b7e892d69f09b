//! Findings about input, output and answer validators.

use std::path::Path;

use assert_cmd::Command;

use super::{assert_lines, verified, verified_in};
use crate::support::command::referee;
use crate::support::program::temporary_folder;
use crate::support::viva::path_with_only;

const PROBLEM: &str = "problem_format_version: 2025-09\nname: Odd\nuuid: 00000000-0000-4000-8000-00000000a002\n";
const SUBMISSION: (&str, &str) = ("submissions/accepted/a.py", "print(1)\n");

/// Returns the command `referee verify`, which finds Python and no VIVA.
fn without_viva(folder: &Path) -> Command {
    let mut command = referee(["verify"]);
    command.env("PATH", path_with_only(folder, &["python3"]));
    command
}

#[test]
fn a_validator_whose_interpreter_is_missing_is_a_warning() {
    let folder = temporary_folder();
    let files = [
        ("problem.yaml", PROBLEM),
        ("input_validators/check.py", "import sys\nsys.exit(42)\n"),
        SUBMISSION,
        ("data/secret/1.in", "2\n"),
        ("data/secret/1.ans", "1\n"),
    ];
    let mut command = referee(["verify"]);
    command.env("PATH", path_with_only(folder.path(), &[]));
    let report = verified_in(command, folder.path(), &files, &["--only", "inputs"]);
    assert_lines(
        &report.findings,
        &["warning input_validators/check.py: the input validator check is not run: python3 is not installed"],
    );
}

#[test]
fn an_input_that_one_validator_rejects_is_rejected_and_one_that_a_grammar_may_reject_is_no_error() {
    needs!("python3");
    let folder = temporary_folder();
    let even = "import sys\nif int(sys.stdin.read()) % 2: print('it is odd'); sys.exit(43)\n\
                sys.exit(42 if sys.argv[1:] == ['--small', '--fast'] else 'arguments %s' % sys.argv[1:])\n";
    let small = "import sys, os\nif int(sys.stdin.read()) > 99: print('no'); sys.exit('it is large') \n\
                 sys.exit(42 if os.path.exists('more') else 'no file')\n"
        .replace("sys.exit('it is large') ", "print('it is large', file=sys.stderr); sys.exit(43)");
    let files = [
        ("problem.yaml", PROBLEM),
        ("input_validators/even.py", even),
        ("input_validators/small.py", &small),
        ("input_validators/tree.viva", "{ x [1 <= x <= 100]; }\n"),
        SUBMISSION,
        ("data/secret/1.in", "2\n"),
        ("data/secret/1.ans", "1\n"),
        ("data/secret/1.yaml", "args: [--fast]\ninput_validator_args: {even: [--small]}\n"),
        ("data/secret/1.files/more", ""),
        ("data/secret/2.in", "200\n"),
        ("data/secret/2.ans", "1\n"),
        ("data/secret/2.yaml", "args: [--fast]\ninput_validator_args: {even: [--small]}\n"),
        ("data/secret/2.files/more", ""),
        ("data/invalid_input/odd.in", "3\n"),
        ("data/invalid_input/large.in", "300\n"),
        ("data/invalid_input/large.yaml", "args: [--fast]\ninput_validator_args: {even: [--small]}\n"),
        ("data/invalid_input/tree.in", "4\n"),
        ("data/invalid_input/tree.yaml", "args: [--fast]\ninput_validator_args: {even: [--small]}\n"),
        ("data/invalid_input/tree.files/more", ""),
    ];
    let report = verified_in(without_viva(folder.path()), folder.path(), &files, &["--only", "inputs,junk-inputs"]);
    assert_lines(
        &report.findings,
        &[
            "error data/secret/2.in: the input validator small rejects the input: it is large",
            "warning input_validators/tree.viva: the input validator tree is not run: it is a grammar of VIVA",
            "note data/invalid_input/tree.in: must be rejected, but is accepted by every input validator that could \
             be run",
        ],
    );
    let skipped =
        "; some input validators cannot be run, so it is unknown whether the package rejects corrupted inputs";
    assert_lines(&report.checks, &["5 inputs by 2 validators; input validators not run: tree", skipped]);
}

#[test]
fn a_validator_that_crosses_its_limits_has_rejected_nothing() {
    needs!("python3");
    let folder = temporary_folder();
    let talks = "import sys\nif sys.stdin.read() == '2\\n': print('x' * (3 << 20))\nsys.exit(43)\n";
    let files = [
        ("problem.yaml", &*format!("{PROBLEM}limits: {{validation_output: 1}}\n")),
        ("input_validators/talks.py", talks),
        SUBMISSION,
        ("data/invalid_input/1.in", "1\n"),
        ("data/invalid_input/2.in", "2\n"),
        ("data/secret/1.in", "2\n"),
        ("data/secret/1.ans", "1\n"),
    ];
    let report = verified(folder.path(), &files, &["--only", "inputs"]);
    assert_lines(
        &report.findings,
        &[
            "error data/secret/1.in: the input validator talks used more output than the limit of 1 MiB allows",
            "warning data/invalid_input/2.in: must be rejected with exit code 43, but the input validator talks used",
        ],
    );
}

/// Returns an input validator that accepts these inputs. For other inputs, it runs the C code `otherwise`. It is
/// written in C, because it runs often.
fn accepts(inputs: &[&str], otherwise: &str) -> String {
    let known: Vec<_> = inputs.iter().map(|input| format!("{input:?}")).collect();
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint main(void) {{\n    static char text[1 << 21];\n    \
         size_t size = fread(text, 1, sizeof text, stdin);\n    const char *known[] = {{{}}};\n    \
         for (size_t i = 0; i < sizeof known / sizeof *known; i++)\n        \
         if (strlen(known[i]) == size && !memcmp(text, known[i], size)) return 42;\n    {otherwise};\n}}\n",
        known.join(", ")
    )
}

/// Inputs that are no test cases of this problem, but that its strict validator accepts.
const ALSO: [&str; 9] =
    ["5\n42\n", "5000000\n", "-5\n", "8\n", "8\n\n", "8.5\n9\n", "8\n9.5\n", "5.5\n", "8000000\n9\n"];

#[test]
fn of_spoilt_inputs_those_are_told_that_are_accepted_in_every_variant_and_are_no_case() {
    needs!("gcc");
    let folder = temporary_folder();
    let cases = ["5\n", "\n5\n", "8\n9\n"];
    let strict = accepts(&[&cases[..], &ALSO].concat(), "return 43");
    // This input is too large for `verify` to change.
    let large = "1 ".repeat(600_000);
    let files = [
        ("problem.yaml", PROBLEM),
        ("input_validators/strict.c", &strict),
        SUBMISSION,
        ("data/secret/1.in", cases[0]),
        ("data/secret/1.ans", "1\n"),
        ("data/secret/2.in", cases[1]),
        ("data/secret/2.ans", "1\n"),
        ("data/secret/3.in", cases[2]),
        ("data/secret/3.ans", "1\n"),
        ("data/secret/4.in", &large),
        ("data/secret/4.ans", "1\n"),
    ];
    let report = verified(folder.path(), &files, &["--only", "junk-inputs"]);
    assert_lines(
        &report.findings,
        &[
            "warning secret/1: the input validators accept an input with a fraction in line 1, column 1",
            "note secret/1: the input validators accept an input with a negative number in line 1, column 1",
            "note secret/1: the input validators accept an input with a number multiplied by a million in line 1,",
            "note secret/3: the input validators accept an input with its last line cut short or left out",
        ],
    );
    assert_lines(&report.checks, &["3 inputs corrupted in "]);
    assert_eq!(report.code, 0);
}

#[test]
fn validators_of_old_may_reject_as_they_like() {
    needs!("gcc", "python3");
    let remark = "note input_validators/old.c: the input validator old rejects inputs by SIGABRT (a failed assert) \
                  instead of exit code 43";
    for (end, told) in
        [("abort()", remark), ("exit(1)", "note secret/1: the input validator old does not reject an input with")]
    {
        let folder = temporary_folder();
        let files = [
            ("problem.yaml", "name: Old\n"),
            ("problem_statement/problem.tex", "\\problemname{Old}\n"),
            ("input_validators/old.c", &accepts(&["1\n"], end)),
            ("output_validators/any.py", "import sys\nsys.exit(42 if sys.stdin.read().split() == ['1'] else 43)\n"),
            SUBMISSION,
            ("data/secret/1.in", "1\n"),
            ("data/secret/1.ans", "1\n"),
        ];
        let files = [files.as_slice(), &[("problem.yaml", "name: Old\nvalidation: custom\n")]].concat();
        let verified = verified(folder.path(), &files, &["--only", "inputs,junk-inputs,answers"]);
        assert_lines(&verified.findings, &[told]);
    }
}

#[test]
fn answers_that_are_shown_must_be_accepted_and_others_need_not() {
    needs!("python3");
    let folder = temporary_folder();
    let one = "import sys\ntext = sys.stdin.read()\nif text.split() == ['1']: sys.exit(42)\n\
               open(sys.argv[3] + '/judgemessage.txt', 'w').write('it is no 1\\n')\nsys.exit(43)\n";
    let form = "import sys\nsys.exit(42 if sys.stdin.read()[-1:] == '\\n' else 43)\n";
    let files = [
        ("problem.yaml", PROBLEM),
        ("input_validators/any.py", "import sys\nsys.exit(42)\n"),
        ("output_validator/one.py", one),
        ("answer_validators/form.py", form),
        ("answer_validators/tree.viva", "{ x [1 <= x <= 100]; }\n"),
        SUBMISSION,
        ("data/sample/1.in", "1\n"),
        ("data/sample/1.ans", "any\n"),
        ("data/sample/1.out", "1\n"),
        ("data/secret/1.in", "1\n"),
        ("data/secret/1.ans", "2\n"),
        ("data/valid_output/1.in", "1\n"),
        ("data/valid_output/1.ans", "1"),
        ("data/valid_output/1.out", "1\n"),
        ("data/invalid_output/1.in", "1\n"),
        ("data/invalid_output/1.ans", "1\n"),
        ("data/invalid_output/1.out", "2\n"),
    ];
    let report = verified_in(without_viva(folder.path()), folder.path(), &files, &["--only", "inputs,answers"]);
    assert_lines(
        &report.findings,
        &[
            "note data/invalid_input: there is no invalid input to test",
            "error data/valid_output/1.ans: the answer validator form rejects the answer",
            "warning answer_validators/tree.viva: the answer validator tree is not run",
            "warning data/sample/1.ans: the output validator rejects the jury's answer: it is no 1",
            "warning data/secret/1.ans: the output validator rejects the jury's answer: it is no 1",
        ],
    );
    let checks =
        ["4 inputs by 1 validator; ", "4 answers by 1 answer validator, 5 outputs; answer validators not run: tree"];
    assert_lines(&report.checks, &checks);
}

#[test]
fn what_may_be_right_on_few_or_equal_cases_is_no_junk() {
    needs!("gcc");
    let folder = temporary_folder();
    let answer = "#include <stdio.h>\n#include <string.h>\nint main(int argc, char **argv) {\n    (void)argc;\n    \
                  FILE *answer = fopen(argv[2], \"r\");\n    char a[64], b[64];\n    while (answer) {\n        \
                  int more = fscanf(answer, \"%63s\", a) == 1;\n        \
                  if ((scanf(\"%63s\", b) == 1) != more || (more && strcmp(a, b))) return 43;\n        \
                  if (!more) return 42;\n    }\n    return 1;\n}\n";
    let files = [
        ("problem.yaml", PROBLEM),
        ("input_validators/any.py", "import sys\nsys.exit(42)\n"),
        ("output_validator/answer.c", answer),
        SUBMISSION,
        ("data/secret/1.in", "1\n"),
        ("data/secret/1.ans", "1\n"),
        ("data/secret/2.in", "2\n"),
        ("data/secret/2.ans", "1\n"),
    ];
    let report = verified(folder.path(), &files, &["--only", "junk-outputs"]);
    assert_lines(&report.findings, &[]);
    assert_lines(&report.checks, &["18 kinds of junk on 2 cases; "]);
}

#[test]
fn what_hinders_several_checks_is_told_once() {
    needs!("gcc");
    let folder = temporary_folder();
    let files = [
        ("problem.yaml", PROBLEM),
        ("input_validators/any.py", "import sys\nsys.exit(42)\n"),
        ("output_validator/half.c", "int main(void) { return 42 }\n"),
        SUBMISSION,
        ("data/secret/1.in", "1\n"),
        ("data/secret/1.ans", "1\n"),
    ];
    let report = verified(folder.path(), &files, &["--only", "answers,junk-outputs"]);
    assert!(report.findings.len() == 1 && report.findings[0].contains("cannot be built"), "{:?}", report.findings);
    assert!(report.checks[0].ends_with("; the package cannot be judged"), "{:?}", report.checks);
    assert!(report.checks[1].contains("cannot be built"), "{:?}", report.checks);
}

#[test]
fn where_an_output_means_nothing_by_itself_none_is_judged() {
    let folder = temporary_folder();
    for (kind, word) in
        [("multi-pass", "multi-pass"), ("interactive", "interactive"), ("submit-answer", "submit-answer")]
    {
        let files = [
            ("problem.yaml", &*format!("{PROBLEM}type: {kind}\n")),
            ("input_validators/any.py", "import sys\nsys.exit(42)\n"),
            ("output_validator/any.py", "import sys\nsys.exit(42)\n"),
            SUBMISSION,
            ("data/secret/1.in", "1\n"),
            ("data/secret/1.ans", "1\n"),
        ];
        let report = verified(folder.path(), &files, &["--only", "answers,junk-outputs"]);
        let skipped = format!("; the problem is {word}: outputs cannot be judged without running a submission");
        assert_lines(&report.checks, &[&skipped, &skipped]);
        assert_lines(&report.findings, &[]);
    }
}

#[test]
fn programs_of_checktestdata_judge_inputs_and_answers() {
    let folder = temporary_folder();
    let files = [
        ("problem.yaml", &*format!("{PROBLEM}constants: {{most: 9}}\n")),
        (
            "input_validators/numbers.ctd",
            "REPI(i, 2, SPACE) INT(1, {{most}}, a[i]) END NEWLINE\nASSERT(a[0] / (a[1] - 5) < 9)\n",
        ),
        ("input_validators/broken.ctd", "INT(1, 9\n"),
        ("answer_validators/number.ctd", "INT(0, 9) NEWLINE\n"),
        SUBMISSION,
        ("data/secret/1.in", "1 2\n"),
        ("data/secret/1.ans", "1\n"),
        ("data/secret/2.in", "1  2\n"),
        ("data/secret/2.ans", "x\n"),
        ("data/secret/3.in", "1 5\n"),
        ("data/secret/3.ans", "3\n"),
        ("data/invalid_input/large.in", "10 1\n"),
        ("data/invalid_input/right.in", "1 1\n"),
    ];
    let report = verified(folder.path(), &files, &["--only", "inputs,junk-inputs,answers"]);
    assert_lines(
        &report.findings,
        &[
            "error input_validators/broken.ctd: the input validator broken is not run: it is not a valid checktestdata \
             program: 2:1: found the end of the program, expected \")\"",
            "error data/secret/2.in: the input validator numbers rejects the input: 1:3: found a space, expected an \
             integer without leading zeros (INT at 1:19 of the validator)",
            "error data/secret/3.in: the input validator numbers has an error at 2:1: division by zero",
            "note data/invalid_input/right.in: must be rejected, but is accepted by every input validator that could \
             be run",
            "error data/secret/2.ans: the answer validator number rejects the answer: 1:1: found \"x\", expected an \
             integer without leading zeros (INT at 1:1 of the validator)",
        ],
    );
}
