//! Mistakes in output validators, in their tests, and in the answers that they judge.

use super::Fault;

/// Returns an output validator that reads the first number of the answer into `wanted` and the first number of the
/// output into `got`. `read` is the result of `scanf` for `got`. The C statements `$verdict` follow. They can use these
/// variables, and they return the exit code.
macro_rules! judge {
    ($verdict:literal) => {
        concat!(
            "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {\n    (void)argc;\n    \
             FILE *answer = fopen(argv[2], \"r\");\n    int wanted = -1, got = -2;\n    \
             if (!answer || fscanf(answer, \"%d\", &wanted) != 1) return 1;\n    int read = scanf(\"%d\", &got);\n    ",
            $verdict,
            "\n}\n"
        )
    };
}

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        what: "the answer of a sample is wrong",
        package: "swapgame",
        plant: |copy| copy.write("data/sample/1.ans", "3\n2122\n2232\n2223\n"),
        check: "answers",
        severity: "error",
        says: "is shown to contestants as correct",
        at: "data/sample/1.ans",
    },
    Fault {
        what: "the output that a sample shows in place of the answer is wrong",
        package: "swapgame",
        plant: |copy| copy.write("data/sample/1.out", "2\n2122\n2232\n"),
        check: "answers",
        severity: "error",
        says: "is shown to contestants as correct",
        at: "data/sample/1.out",
    },
    Fault {
        what: "an output in data/invalid_output is right",
        package: "swapgame",
        plant: |copy| {
            copy.copy_case("sample/1", "invalid_output/99-short");
            copy.write("data/invalid_output/99-short.out", copy.read("data/sample/1.ans"));
        },
        check: "answers",
        severity: "error",
        says: "must be rejected, but the output validator accepts it",
        at: "data/invalid_output/99-short.out",
    },
    Fault {
        what: "an output in data/valid_output is wrong",
        package: "swapgame",
        plant: |copy| {
            copy.copy_case("sample/1", "valid_output/99-other-way");
            copy.write("data/valid_output/99-other-way.out", "3\n1112\n1112\n1112\n");
        },
        check: "answers",
        severity: "error",
        says: "must be accepted, but the output validator rejects it",
        at: "data/valid_output/99-other-way.out",
    },
    Fault {
        what: "no test contains an output that the output validator must reject",
        package: "swapgame",
        plant: |copy| copy.remove("data/invalid_output"),
        check: "answers",
        severity: "warning",
        says: "there is no invalid output",
        at: "data/invalid_output",
    },
    Fault {
        what: "the output validator exits with 0 instead of 42",
        package: "swapgame",
        plant: |copy| copy.validate_outputs_by(judge!("return read == 1 && got == wanted ? 0 : 1;")),
        check: "answers",
        severity: "error",
        says: "cannot be judged: the output validator ",
        at: "data/sample/1.ans",
    },
    Fault {
        what: "the output validator does not compile",
        package: "swapgame",
        plant: |copy| copy.validate_outputs_by("int main(void) { return 42 }\n"),
        check: "answers",
        severity: "error",
        says: "cannot be built",
        at: "",
    },
    Fault {
        what: "the output validator accepts everything",
        package: "swapgame",
        plant: |copy| copy.validate_outputs_by("int main(void) { return 42; }\n"),
        check: "junk-outputs",
        severity: "error",
        says: "accepts nearly every output",
        at: "",
    },
    Fault {
        what: "the output validator accepts an empty output",
        package: "swapgame",
        plant: |copy| copy.validate_outputs_by(judge!("return read == EOF || got == wanted ? 42 : 43;")),
        check: "junk-outputs",
        severity: "warning",
        says: "no output at all",
        at: "",
    },
    Fault {
        what: "the output validator does not read to the end",
        package: "coins",
        plant: |copy| {
            copy.validate_outputs_by(
                "#include <stdio.h>\n#include <string.h>\nint main(int argc, char **argv) {\n    (void)argc;\n    \
                 FILE *answer = fopen(argv[2], \"r\");\n    char a[4096], b[4096];\n    \
                 while (answer && fscanf(answer, \"%4095s\", a) == 1)\n        \
                 if (scanf(\"%4095s\", b) != 1 || strcmp(a, b)) return 43;\n    return 42;\n}\n",
            );
        },
        check: "junk-outputs",
        severity: "warning",
        says: "the answer and one more word",
        at: "",
    },
    Fault {
        what: "the output validator checks only the number of steps",
        package: "swapgame",
        plant: |copy| copy.validate_outputs_by(judge!("return read == 1 && got == wanted ? 42 : 43;")),
        check: "answers",
        severity: "error",
        says: "must be rejected, but the output validator accepts it",
        at: "data/invalid_output/",
    },
    Fault {
        what: "the output validator aborts on junk",
        package: "swapgame",
        plant: |copy| copy.validate_outputs_by(judge!("if (read != 1) abort();\n    return got == wanted ? 42 : 43;")),
        check: "junk-outputs",
        severity: "error",
        says: "the output validator fails on",
        at: "",
    },
];
