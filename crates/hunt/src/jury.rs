//! The package's accepted submissions, whose outputs decide which answers are correct.

use std::ops::Deref;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use referee_grading::verdict::Verdict;
use referee_judge::{Contender, JudgeError, Submission, TrialCase, Trials};
use referee_package::Package;

/// Up to two accepted submissions, built when they are first needed.
pub(super) struct Jury<'a> {
    /// The accepted submissions except the hunted program, those in fast languages first.
    candidates: Vec<Submission>,
    trials: &'a Trials<'a>,
    members: OnceLock<Members>,
    /// Locked during the build, so that two threads do not build the same submissions.
    building: Mutex<()>,
}

/// The maximum number of submissions that run. A third one would add another run for every input, and two submissions
/// rarely make the same mistake.
const MEMBERS: usize = 2;

/// The file extensions of languages, ordered by the speed of their programs on a small input, the fastest first. All
/// other extensions rank after `QUICK` and before `SLOW`.
const QUICK: [&str; 5] = ["c", "cpp", "cc", "rs", "go"];
const SLOW: [&str; 6] = ["js", "py", "rb", "java", "kt", "cs"];

/// The built submissions of the jury.
#[derive(Default)]
pub(super) struct Members {
    pub(super) members: Vec<(String, Contender)>,
    /// A remark for each submission that could not be built, with the reason.
    pub(super) missing: Vec<String>,
}

impl Deref for Members {
    type Target = [(String, Contender)];

    fn deref(&self) -> &Self::Target {
        &self.members
    }
}

impl<'a> Jury<'a> {
    /// Creates the jury of a package. The hunted program is not part of it.
    pub(super) fn new(package: &Package, trials: &'a Trials<'a>, hunted: &Path) -> Self {
        let hunted = hunted.canonicalize().ok();
        let mut candidates: Vec<_> = Submission::of_jury(package)
            .into_iter()
            .filter(|one| one.name.starts_with("accepted/") && one.path.canonicalize().ok() != hunted)
            .collect();
        candidates.sort_by_key(|one| slowness(&one.path));
        Jury { candidates, trials, members: OnceLock::new(), building: Mutex::new(()) }
    }

    /// Returns the jury's submissions; builds them at the first call.
    pub(super) fn members(&self) -> Result<&Members, JudgeError> {
        let _building = self.building.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(members) = self.members.get() {
            return Ok(members);
        }
        let mut found = Members::default();
        for candidate in &self.candidates {
            if found.members.len() == MEMBERS {
                break;
            }
            match self.trials.build(candidate)?.1 {
                Ok(contender) => found.members.push((candidate.name.clone(), contender)),
                Err(reason) => found.missing.push(format!("{} is not used: {reason}", candidate.name)),
            }
        }
        Ok(self.members.get_or_init(|| found))
    }

    /// Returns whether at least one of the submissions is accepted on a case. Returns true if there is no submission.
    pub(super) fn is_accepted(&self, trials: &Trials<'_>, case: &TrialCase) -> Result<bool, JudgeError> {
        let members = self.members()?;
        for (_, member) in members.iter() {
            if trials.judge(member, case)?.verdict == Verdict::Accepted {
                return Ok(true);
            }
        }
        Ok(members.is_empty())
    }
}

fn slowness(path: &Path) -> usize {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let quick = QUICK.iter().position(|one| *one == ending);
    let slow = || SLOW.iter().position(|one| *one == ending).map(|place| QUICK.len() + 1 + place);
    quick.or_else(slow).unwrap_or(QUICK.len())
}
