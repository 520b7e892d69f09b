//! The exit codes. They are a contract: scripts depend on them.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Everything is as expected.
    AsWanted = 0,
    /// A submission was not accepted or not as declared, solvers disagree, an output is wrong.
    NotAsWanted = 1,
    /// Wrong use, or a package or an input that cannot be used.
    Unusable = 2,
    /// The judge itself failed.
    JudgeFailed = 3,
    /// The user interrupted it: 128 + SIGINT, as shells have it.
    Interrupted = 130,
}

/// What came of a run that grades.
pub(super) struct Graded {
    pub(super) submissions: usize,
    /// Those that were asked for and not judged.
    pub(super) unjudged: usize,
    /// Those that were found and not judged, where that is not enough.
    pub(super) skipped: usize,
    pub(super) judge_errors: usize,
    pub(super) as_wanted: bool,
    /// Whether it is one part of a run, of which others judge the rest.
    pub(super) is_part: bool,
}

impl From<Graded> for Exit {
    fn from(graded: Graded) -> Exit {
        // There may be more parts than submissions.
        let is_enough = graded.submissions > 0 || graded.is_part;
        if graded.judge_errors > 0 {
            Exit::JudgeFailed
        } else if graded.unjudged > 0 || !is_enough {
            // A program that the user named and that was not judged must not look like success, nor must a package of
            // which nothing could be judged.
            Exit::Unusable
        } else if graded.as_wanted && graded.skipped == 0 {
            Exit::AsWanted
        } else {
            Exit::NotAsWanted
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
        assert_eq!(of(|fine| fine), Exit::AsWanted);
        assert_eq!(of(|fine| Graded { as_wanted: false, ..fine }), Exit::NotAsWanted);
        assert_eq!(of(|fine| Graded { skipped: 1, ..fine }), Exit::NotAsWanted);
        assert_eq!(of(|fine| Graded { unjudged: 1, as_wanted: false, ..fine }), Exit::Unusable);
        assert_eq!(of(|fine| Graded { unjudged: 1, judge_errors: 1, as_wanted: false, ..fine }), Exit::JudgeFailed);
    }

    #[test]
    fn nothing_judged_is_enough_for_a_part_only() {
        let none =
            |is_part| Graded { submissions: 0, unjudged: 0, skipped: 0, judge_errors: 0, as_wanted: true, is_part };
        assert_eq!(Exit::from(none(false)), Exit::Unusable);
        assert_eq!(Exit::from(none(true)), Exit::AsWanted);
        assert_eq!(Exit::from(Graded { unjudged: 1, ..none(true) }), Exit::Unusable);
    }
}
