//! The package's accepted submissions, as those who know what is right.

use std::ops::Deref;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::judge::{Contender, JudgeError, Submission, TrialCase, Trials};
use crate::package::Package;
use crate::verdict::Verdict;

/// Up to two accepted submissions, built when they are needed first.
pub(super) struct Jury<'a> {
    /// The quick ones first.
    candidates: Vec<Submission>,
    trials: &'a Trials<'a>,
    members: OnceLock<Members>,
    /// Held while they are built: nobody builds them a second time.
    building: Mutex<()>,
}

/// How many are asked. One more would cost as much for every input, and disagreements that two do not show are rare.
const MEMBERS: usize = 2;

/// Languages by how soon their programs are done with a small input; what is not named comes before Java.
const QUICK: [&str; 5] = ["c", "cpp", "cc", "rs", "go"];
const SLOW: [&str; 6] = ["js", "py", "rb", "java", "kt", "cs"];

/// Who is asked.
#[derive(Default)]
pub(super) struct Members {
    pub(super) members: Vec<(String, Contender)>,
    /// Those that could not be built, and why.
    pub(super) missing: Vec<String>,
}

impl Deref for Members {
    type Target = [(String, Contender)];

    fn deref(&self) -> &Self::Target {
        &self.members
    }
}

impl<'a> Jury<'a> {
    /// The jury of a package. The program that is hunted is not of it.
    pub(super) fn new(package: &Package, trials: &'a Trials<'a>, hunted: &Path) -> Self {
        let hunted = hunted.canonicalize().ok();
        let mut candidates: Vec<_> = Submission::of_jury(package)
            .into_iter()
            .filter(|one| one.name.starts_with("accepted/") && one.path.canonicalize().ok() != hunted)
            .collect();
        candidates.sort_by_key(|one| slowness(&one.path));
        Jury { candidates, trials, members: OnceLock::new(), building: Mutex::new(()) }
    }

    /// Builds who is asked, if that has not been done.
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
                Err(reason) => found.missing.push(format!("{}: {reason}", candidate.name)),
            }
        }
        Ok(self.members.get_or_init(|| found))
    }

    /// Whether some of them is accepted on a case; so it is said where there is none.
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
