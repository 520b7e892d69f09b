//! Mistakes in texts, folders, test cases and answers.

use super::Fault;
use crate::support::files;

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        what: "an input was written on Windows",
        package: "flipgame",
        plant: |copy| {
            let text = copy.read("data/secret/03-corner-on-white.in");
            copy.write("data/secret/03-corner-on-white.in", text.replace('\n', "\r\n"));
        },
        check: "format",
        severity: "error",
        says: "has a carriage return",
        at: "data/secret/03-corner-on-white.in:1:5",
    },
    Fault {
        what: "an answer lacks its last line feed",
        package: "flipgame",
        plant: |copy| {
            let text = copy.read("data/secret/02-all-black.ans");
            copy.write("data/secret/02-all-black.ans", text.trim_end());
        },
        check: "format",
        severity: "error",
        says: "does not end with a line feed",
        at: "data/secret/02-all-black.ans",
    },
    Fault {
        what: "an editor has put a byte order mark before an input",
        package: "flipgame",
        plant: |copy| {
            let text = copy.read("data/sample/1.in");
            copy.write("data/sample/1.in", format!("\u{feff}{text}"));
        },
        check: "format",
        severity: "error",
        says: "byte order mark",
        at: "data/sample/1.in:1:1",
    },
    Fault {
        what: "a text was saved as Latin-1",
        package: "flipgame",
        plant: |copy| copy.write("solution/solution.en.md", b"The na\xefve way\n"),
        check: "format",
        severity: "warning",
        says: "is not UTF-8",
        at: "solution/solution.en.md:1:7",
    },
    Fault {
        what: "there is no statement",
        package: "flipgame",
        plant: |copy| copy.remove("statement"),
        check: "format",
        severity: "error",
        says: "statement",
        at: "statement",
    },
    Fault {
        what: "the name is given in a language without a statement",
        package: "flipgame",
        plant: |copy| copy.replace("problem.yaml", "name: Flip Game", "name: {en: Flip Game, sv: Vändspelet}"),
        check: "format",
        severity: "error",
        says: "'name' is given in sv",
        at: "problem.yaml:3:7",
    },
    Fault {
        what: "a folder of submissions is misspelt",
        package: "flipgame",
        plant: |copy| copy.write("submission/accepted/mine.py", "print(0)\n"),
        check: "format",
        severity: "warning",
        says: "did you mean submissions?",
        at: "submission",
    },
    Fault {
        what: "a folder of test data is misspelt",
        package: "flipgame",
        plant: |copy| copy.write("data/secert/1.in", "bwbw\n"),
        check: "format",
        severity: "warning",
        says: "did you mean secret?",
        at: "data/secert",
    },
    Fault {
        what: "an input was renamed, but not its answer",
        package: "flipgame",
        plant: |copy| copy.rename("data/secret/01-all-white.in", "data/secret/01-white.in.old"),
        check: "format",
        severity: "error",
        says: "belongs to no test case",
        at: "data/secret/01-all-white.ans",
    },
    Fault {
        what: "the uuid is no valid UUID",
        package: "flipgame",
        plant: |copy| copy.replace("problem.yaml", "uuid: 51e94bba-", "uuid: flip-game-"),
        check: "format",
        severity: "error",
        says: "a UUID",
        at: "problem.yaml:4:7",
    },
    Fault {
        what: "there is no sample",
        package: "flipgame",
        plant: |copy| copy.remove("data/sample"),
        check: "format",
        severity: "warning",
        says: "there is no sample",
        at: "data/sample",
    },
    Fault {
        what: "a link leads out of the package",
        package: "flipgame",
        plant: |copy| {
            let target = files::in_repository("README.md");
            std::os::unix::fs::symlink(target, copy.path().join("statement/rules.md")).expect("a link can be made");
        },
        check: "format",
        severity: "error",
        says: "is a link that leads",
        at: "statement/rules.md",
    },
    Fault {
        what: "a sample with a number of two digits comes before one with one",
        package: "flipgame",
        plant: |copy| {
            copy.write("data/sample/10.in", "bwwb\nbbwb\nbwwb\nbwww\n");
            copy.write("data/sample/10.ans", "4\n");
        },
        check: "samples",
        severity: "warning",
        says: "comes before sample/2",
        at: "sample/10",
    },
    Fault {
        what: "a case is an exact copy of another",
        package: "flipgame",
        plant: |copy| copy.copy_case("secret/02-all-black", "secret/60-copy"),
        check: "duplicates",
        severity: "warning",
        says: "has the same input as secret/02-all-black",
        at: "data/secret/60-copy.in",
    },
    Fault {
        what: "a copied case has another answer",
        package: "flipgame",
        plant: |copy| {
            copy.copy_case("secret/02-all-black", "secret/60-copy");
            copy.write("data/secret/60-copy.ans", "4\n");
        },
        check: "duplicates",
        severity: "error",
        says: "but a different answer",
        at: "secret/60-copy",
    },
    Fault {
        what: "a sample is repeated among the secret cases",
        package: "flipgame",
        plant: |copy| copy.copy_case("sample/2", "secret/60-copy"),
        check: "duplicates",
        severity: "note",
        says: "has the same input as sample/2",
        at: "secret/60-copy",
    },
    Fault {
        what: "a case differs from another in blanks only",
        package: "flipgame",
        plant: |copy| {
            copy.copy_case("secret/02-all-black", "secret/60-copy");
            copy.write("data/secret/60-copy.in", copy.read("data/secret/60-copy.in") + "\n");
        },
        check: "duplicates",
        severity: "note",
        says: "except for blanks and line ends",
        at: "secret/60-copy",
    },
    Fault {
        what: "a stored answer is wrong",
        package: "flipgame",
        plant: |copy| copy.write("data/secret/03-corner-on-white.ans", "2\n"),
        check: "proof",
        severity: "error",
        says: "is not proved",
        at: "data/secret/03-corner-on-white.ans",
    },
    Fault {
        what: "a stored answer has more tokens than it should",
        package: "swapgame",
        plant: |copy| copy.write("data/sample/2.ans", copy.read("data/sample/2.ans") + "1112\n"),
        check: "proof",
        severity: "error",
        says: "is not proved",
        at: "data/sample/2.ans",
    },
];
