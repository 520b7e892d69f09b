//! Mistakes in submissions, in their declarations, in the time limit and in the choice of test cases.

use super::Fault;
use super::copy::Copy;

const ACCEPTED: &str = "submissions/accepted/gray_code.py";

/// Writes a copy of the accepted program to `to`. The copy first uses this much CPU time, and then reads its input.
fn burn(copy: &Copy, to: &str, seconds: &str) {
    let program = copy.read(ACCEPTED);
    let lines = format!("import time\nwhile time.process_time() < {seconds}:\n    pass\n{program}");
    copy.write(to, lines);
}

/// Shortens the time limit and removes the samples and all but one of the secret test cases. With more cases the test
/// would take long, because a program near the limit is measured up to seven times on each case.
fn short_limit(copy: &Copy, limit: &str) {
    let limits = format!("  time_limit: {limit}\n  time_resolution: 0.1\n");
    copy.replace("problem.yaml", "  time_limit: 2\n", &limits);
    for name in ["02-all-black", "03-corner-on-white", "04-last-corner-on-black", "05-edge-on-white"] {
        for ending in ["in", "ans", "yaml"] {
            copy.remove(&format!("data/secret/{name}.{ending}"));
        }
    }
    copy.remove("data/sample");
    copy.remove("submissions/wrong_answer");
    copy.remove("submissions/submissions.yaml");
}

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        what: "there is no accepted submission",
        package: "flipgame",
        plant: |copy| copy.remove("submissions/accepted"),
        check: "format",
        severity: "error",
        says: "at least one accepted submission",
        at: "submissions/accepted",
    },
    Fault {
        what: "a rule is for a submission that was renamed",
        package: "flipgame",
        plant: |copy| copy.rename("submissions/wrong_answer/white_only.py", "submissions/wrong_answer/white.py"),
        check: "format",
        severity: "warning",
        says: "matches no submission",
        at: "submissions/submissions.yaml:1:1",
    },
    Fault {
        what: "an accepted submission fails on one secret case",
        package: "flipgame",
        plant: |copy| {
            copy.replace(ACCEPTED, "best = 0 if board in (0, ALL_BLACK) else None", "best = 0 if board == 0 else None");
        },
        check: "submissions",
        severity: "error",
        says: "WA on secret/02-all-black, permitted: AC",
        at: "secret/02-all-black",
    },
    Fault {
        what: "a submission that is declared wrong is right",
        package: "flipgame",
        plant: |copy| copy.write("submissions/wrong_answer/white_only.py", copy.read(ACCEPTED)),
        check: "submissions",
        severity: "error",
        says: "required: WA",
        at: "submissions/wrong_answer/white_only.py",
    },
    Fault {
        what: "a submission that is declared wrong crashes",
        package: "flipgame",
        plant: |copy| copy.write("submissions/wrong_answer/white_only.py", "raise SystemExit(1)\n"),
        check: "submissions",
        severity: "error",
        says: "RTE on sample/1, permitted: AC or WA",
        at: "submissions/wrong_answer/white_only.py",
    },
    Fault {
        what: "a submission does not compile",
        package: "flipgame",
        plant: |copy| copy.write("submissions/accepted/half.c", "int main(void) { return 0 }\n"),
        check: "submissions",
        severity: "error",
        says: "does not compile",
        at: "submissions/accepted/half.c",
    },
    Fault {
        what: "the time limit leaves an accepted submission no margin",
        package: "flipgame",
        plant: |copy| {
            short_limit(copy, "0.6");
            burn(copy, "submissions/accepted/slow.py", "0.4");
        },
        check: "time-limits",
        severity: "error",
        says: "the time limit must be at least 2 times as long, but is 0.6 s",
        at: "submissions/accepted/slow.py",
    },
    Fault {
        what: "a submission that must be too slow exceeds the limit by too little",
        package: "flipgame",
        plant: |copy| {
            short_limit(copy, "0.6");
            burn(copy, "submissions/time_limit_exceeded/slow.py", "0.65");
        },
        check: "time-limits",
        severity: "error",
        says: " s), but takes 0.",
        at: "submissions/time_limit_exceeded/slow.py",
    },
    Fault {
        what: "no time limit separates the accepted submissions from the slow ones",
        package: "flipgame",
        plant: |copy| {
            short_limit(copy, "0.6");
            burn(copy, "submissions/accepted/slow.py", "0.4");
            burn(copy, "submissions/time_limit_exceeded/slow.py", "0.62");
        },
        check: "time-limits",
        severity: "error",
        says: "no time limit keeps both margins",
        at: "problem.yaml",
    },
    Fault {
        what: "the time limit is no multiple of the resolution",
        package: "flipgame",
        plant: |copy| short_limit(copy, "0.55"),
        check: "time-limits",
        severity: "error",
        says: "is not a multiple of the time resolution",
        at: "problem.yaml",
    },
    Fault {
        what: "no submission bounds the time limit",
        package: "flipgame",
        plant: |copy| {
            short_limit(copy, "0.6");
            copy.write("submissions/submissions.yaml", "accepted:\n  use_for_time_limit: false\n");
        },
        check: "time-limits",
        severity: "error",
        says: "no submission sets a lower bound for the time limit",
        at: "",
    },
    Fault {
        what: "an accepted submission prints a different output in each run",
        package: "flipgame",
        plant: |copy| {
            copy.replace(
                ACCEPTED,
                "def main():\n",
                "def main():\n    import time\n    print(' ' * (time.time_ns() // 1000 % 997))\n",
            );
        },
        check: "determinism",
        severity: "warning",
        says: "wrote a different output in the second run",
        at: "submissions/accepted/gray_code.py",
    },
    Fault {
        what: "an accepted submission is wrong every other time",
        package: "flipgame",
        plant: |copy| {
            // On each case, the program fails with a probability of two thirds. There are so many cases that two runs
            // almost always differ.
            let chance = "def main():\n    import os\n    number = os.urandom(1)[0]\n    if number < 170:\n        \
                          sys.exit(number & 1)\n";
            copy.replace(ACCEPTED, "def main():\n", chance);
        },
        check: "determinism",
        severity: "error",
        says: "in the first run and",
        at: "submissions/accepted/gray_code.py",
    },
    Fault {
        what: "a wrong submission fails only on samples",
        package: "flipgame",
        plant: |copy| {
            // The program is wrong only on a sample, which contestants can see.
            let program = copy.read(ACCEPTED);
            let board = copy.read("data/sample/1.in").replace('\n', "");
            let spoilt = format!("    if letters == \"{board}\":\n        return print(77)\n    board = sum(");
            copy.write("submissions/wrong_answer/knows_it.py", program.replace("    board = sum(", &spoilt));
        },
        check: "needs",
        severity: "warning",
        says: "fails only on samples: sample/1",
        at: "submissions/wrong_answer/knows_it.py",
    },
    Fault {
        what: "no wrong submission fails on a certain case",
        package: "flipgame",
        plant: |copy| {
            copy.write("data/secret/60-more.in", "wwww\nwwbw\nwbbb\nwwbw\n");
            copy.write("data/secret/60-more.ans", "1\n");
        },
        check: "needs",
        severity: "warning",
        says: "may be unnecessary: no wrong submission fails on it",
        at: "data/secret/60-more.in",
    },
];
