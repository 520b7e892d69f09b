//! The exit codes. They are a contract: scripts depend on them.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Everything is as expected.
    AsExpected = 0,
    /// A result is not as expected. For example, a submission was not accepted, a jury submission did not get its
    /// declared verdict, solvers disagree, or an output is wrong.
    NotAsExpected = 1,
    /// The arguments are wrong, or a package or an input cannot be used.
    Unusable = 2,
    /// The judge itself failed.
    JudgeFailed = 3,
    /// The user interrupted the command: 128 + SIGINT, as in shells.
    Interrupted = 130,
}

/// The counts and flags that decide the exit code of `grade` or `merge`.
pub(super) struct Graded {
    pub(super) submissions: usize,
    /// The number of submissions that the user named and that were not judged.
    pub(super) unjudged: usize,
    /// The number of submissions that were found and not judged, if `--strict` is given; otherwise 0.
    pub(super) skipped: usize,
    pub(super) judge_errors: usize,
    pub(super) as_wanted: bool,
    /// Whether the run judged only one part of the submissions, while other runs judge the other parts.
    pub(super) is_part: bool,
}

impl From<Graded> for Exit {
    fn from(graded: Graded) -> Exit {
        // With --partition, a part may be empty.
        let is_enough = graded.submissions > 0 || graded.is_part;
        if graded.judge_errors > 0 {
            Exit::JudgeFailed
        } else if graded.unjudged > 0 || !is_enough {
            // Two cases must not look like success: a program that the user named was not judged, or no submission of
            // the package could be judged.
            Exit::Unusable
        } else if graded.as_wanted && graded.skipped == 0 {
            Exit::AsExpected
        } else {
            Exit::NotAsExpected
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_worst_decides() {
        let fine = Graded { submissions: 1, unjudged: 0, skipped: 0, judge_errors: 0, as_wanted: true, is_part: false };
        let of = |change: fn(Graded) -> Graded| Exit::from(change(Graded { ..fine }));
        assert_eq!(of(|fine| fine), Exit::AsExpected);
        assert_eq!(of(|fine| Graded { as_wanted: false, ..fine }), Exit::NotAsExpected);
        assert_eq!(of(|fine| Graded { skipped: 1, ..fine }), Exit::NotAsExpected);
        assert_eq!(of(|fine| Graded { unjudged: 1, as_wanted: false, ..fine }), Exit::Unusable);
        assert_eq!(of(|fine| Graded { unjudged: 1, judge_errors: 1, as_wanted: false, ..fine }), Exit::JudgeFailed);
    }

    #[test]
    fn nothing_judged_is_enough_for_a_part_only() {
        let none =
            |is_part| Graded { submissions: 0, unjudged: 0, skipped: 0, judge_errors: 0, as_wanted: true, is_part };
        assert_eq!(Exit::from(none(false)), Exit::Unusable);
        assert_eq!(Exit::from(none(true)), Exit::AsExpected);
        assert_eq!(Exit::from(Graded { unjudged: 1, ..none(true) }), Exit::Unusable);
    }
}
