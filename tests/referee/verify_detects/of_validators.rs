//! Mistakes in input validators and in their tests. The validators resemble real ones.

use super::Fault;

/// Returns an input validator for four rows of four letters. The arguments are pieces of C code: `next` reads a row,
/// `letter` checks a letter, and `end` runs after the last row.
macro_rules! reader {
    ($next:literal, $letter:literal, $end:literal) => {
        concat!(
            "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint main(void) {\n",
            "    static char row[65536];\n    for (int i = 0; i < 4; i++) {\n",
            $next,
            "        if (strlen(row) != 4) return 43;\n        for (int j = 0; j < 4; j++) ",
            $letter,
            "\n    }\n",
            $end,
            "\n}\n"
        )
    };
}

const READS_WORDS: &str = reader!(
    "        if (scanf(\"%65535s\", row) != 1) return 43;\n",
    "if (!strchr(\"bw\", row[j])) return 43;",
    "    return scanf(\"%65535s\", row) == 1 ? 43 : 42;"
);
const IGNORES_THE_REST: &str = reader!(
    "        if (scanf(\"%4[^\\n]\", row) != 1 || getchar() != 10) return 43;\n",
    "if (!strchr(\"bw\", row[j])) return 43;",
    "    return 42;"
);
const ANY_LETTER: &str = reader!(
    "        if (scanf(\"%4[^\\n]\", row) != 1 || getchar() != 10) return 43;\n",
    "if (row[j] <= 32 || row[j] > 126) return 43;",
    "    return getchar() == EOF ? 42 : 43;"
);
const ASSERTS: &str = reader!(
    "        if (scanf(\"%4[^\\n]\", row) != 1 || getchar() != 10) abort();\n",
    "if (!strchr(\"bw\", row[j])) abort();",
    "    if (getchar() != EOF) abort(); return 42;"
);
const ENDS_WITH_0: &str = reader!(
    "        if (scanf(\"%4[^\\n]\", row) != 1 || getchar() != 10) return 1;\n",
    "if (!strchr(\"bw\", row[j])) return 1;",
    "    return getchar() == EOF ? 0 : 1;"
);

/// A validator whose exit code depends on the clock, so that the exit code differs between runs.
const BY_THE_CLOCK: &str = "#include <time.h>\nint main(void) {\n    struct timespec now;\n    \
    clock_gettime(CLOCK_REALTIME, &now);\n    return now.tv_nsec / 64 % 16 == 0 ? 42 : 44 + now.tv_nsec / 64 % 2 * -1;\n}\n";

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        what: "there is no input validator",
        package: "flipgame",
        plant: |copy| copy.remove("input_validators"),
        check: "format",
        severity: "error",
        says: "contains no input validator; a package needs at least one",
        at: "input_validators",
    },
    Fault {
        what: "a secret input is illegal",
        package: "flipgame",
        plant: |copy| copy.replace("data/secret/02-all-black.in", "bbbb", "bbxb"),
        check: "inputs",
        severity: "error",
        says: "rejects the input",
        at: "data/secret/02-all-black.in",
    },
    Fault {
        what: "the input of an output validator test is illegal",
        package: "swapgame",
        plant: |copy| copy.replace("data/invalid_output/01-empty.in", "0", "7"),
        check: "inputs",
        severity: "error",
        says: "rejects the input",
        at: "data/invalid_output/01-empty.in",
    },
    Fault {
        what: "an input in data/invalid_input is legal",
        package: "flipgame",
        plant: |copy| copy.write("data/invalid_input/short.in", copy.read("data/sample/1.in")),
        check: "inputs",
        severity: "error",
        says: "must be rejected, but is accepted by every input validator",
        at: "data/invalid_input/short.in",
    },
    Fault {
        what: "the validator does not check the letters",
        package: "flipgame",
        plant: |copy| copy.validate_inputs_by(ANY_LETTER),
        check: "inputs",
        severity: "error",
        says: "must be rejected, but is accepted by every input validator",
        at: "data/invalid_input/another-letter.in",
    },
    Fault {
        what: "the validator rejects illegal inputs by failed asserts",
        package: "flipgame",
        plant: |copy| copy.validate_inputs_by(ASSERTS),
        check: "inputs",
        severity: "note",
        says: "rejects inputs by SIGABRT (a failed assert) instead of exit code 43",
        at: "input_validators/",
    },
    Fault {
        what: "the validator exits with 0 instead of 42",
        package: "flipgame",
        plant: |copy| copy.validate_inputs_by(ENDS_WITH_0),
        check: "inputs",
        severity: "error",
        says: "ended with exit code 0",
        at: "data/sample/1.in",
    },
    Fault {
        what: "the validator does not compile",
        package: "flipgame",
        plant: |copy| copy.validate_inputs_by("int main(void) { return 42 }\n"),
        check: "inputs",
        severity: "error",
        says: "is not run: it does not compile",
        at: "input_validators/validate.c",
    },
    Fault {
        what: "the validator does not read to the end",
        package: "flipgame",
        plant: |copy| copy.validate_inputs_by(IGNORES_THE_REST),
        check: "junk-inputs",
        severity: "warning",
        says: "accept an input with extra data after its end",
        at: "",
    },
    Fault {
        what: "the validator reads words, so it ignores blanks and line ends",
        package: "flipgame",
        plant: |copy| copy.validate_inputs_by(READS_WORDS),
        check: "junk-inputs",
        severity: "warning",
        says: "accept an input with carriage returns",
        at: "",
    },
    Fault {
        what: "the validator aborts on junk",
        package: "flipgame",
        plant: |copy| copy.validate_inputs_by(ASSERTS),
        check: "junk-inputs",
        severity: "note",
        says: "rejects inputs by SIGABRT (a failed assert) instead of exit code 43",
        at: "",
    },
    Fault {
        what: "the validator accepts every input",
        package: "flipgame",
        plant: |copy| copy.validate_inputs_by("int main(void) { return 42; }\n"),
        check: "junk-inputs",
        severity: "warning",
        says: "the input validators accept every corrupted input",
        at: "",
    },
    Fault {
        what: "the result of the validator depends on the clock",
        package: "flipgame",
        plant: |copy| copy.validate_inputs_by(BY_THE_CLOCK),
        check: "junk-inputs",
        severity: "error",
        says: "gives different results for the same input",
        at: "",
    },
    Fault {
        what: "the validator has no upper bound for a number",
        package: "coins",
        plant: |copy| {
            // The validator only rejects some characters. It accepts a number of any size.
            copy.validate_inputs_by(
                "#include <stdio.h>\nint main(void) {\n    int c;\n    while ((c = getchar()) != EOF)\n        \
                 if (c < 10 || c > 126 || c == '+' || c == '-' || c == '.') return 43;\n    return 42;\n}\n",
            );
        },
        check: "junk-inputs",
        severity: "warning",
        says: "a number of 401 digits",
        at: "",
    },
];
