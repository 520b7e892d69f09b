//! Decides the verdict of an interactive run from the way in which submission and output validator ended.
//!
//! Both run at the same time and may end in any order. The order depends more on the machine than on the programs: a
//! submission that prints a wrong answer and exits with 1 may end before the validator has read the answer. So the
//! verdict does not depend on the order, but on whether the validator knew that the submission had ended. Only the
//! judge can tell the validator this. If the submission ended badly, the judge first waits until the validator has
//! answered everything that it received ([`referee_sandbox::run_interactive`]). The verdict is therefore the same in
//! every order of events. The first rule that applies decides:
//!
//! 1. **The validator failed**: it exceeded a limit of its own, a signal ended it, or its exit code has no meaning.
//!    Then the judge failed (JE), whatever the submission did. There are two exceptions, in which rule 3 applies:
//!    - The submission had already ended badly, and the validator knew it. This exception does not hold if the
//!      submission exceeded the wall limit and the validator exceeded a limit of its own: the submission may have
//!      waited for the validator.
//!    - The validator exceeded its time limit although it worked: the submission printed more than the validator could
//!      read, or the two still exchanged messages.
//! 2. **The validator rejected by itself**, before it knew that the submission had ended badly: wrong answer, even if
//!    the submission crashes or loops afterwards. Kattis' judge applies this rule first.
//! 3. **The submission ended badly**: the verdict follows from the limit it exceeded or from the way it ended, as
//!    [`crate::outcome::classify`] says.
//! 4. Otherwise, **the validator's verdict**.
//!
//! A submission whose validator has accepted must still end by itself, with exit code 0 and within its limits. The
//! judge ends a submission at once after its validator has rejected.

/// How the submission ended in an interactive run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SubmissionEnd {
    /// It exited with code 0, within its limits.
    Clean,
    /// It exceeded a limit other than the wall limit, a signal ended it, or its exit code was not 0.
    Bad,
    /// It exceeded the wall limit: it waited, possibly for a validator that hangs.
    Waiting,
    /// The judge ended it, because the validator had ended.
    Stopped,
    /// The validator exceeded its time limit while it was still reading what this submission printed, or while it was
    /// still answering the submission.
    Flooding,
}

/// How the output validator ended in an interactive run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValidatorEnd {
    Accepted,
    Rejected,
    /// A signal ended it, or its exit code is not a verdict.
    Invalid,
    /// It exceeded one of its own limits.
    LimitExceeded,
}

/// Which program decides the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecidedBy {
    /// The validator's verdict.
    Validator,
    /// The way the submission ended.
    Submission,
    /// Neither: the judge failed.
    Judge,
}

/// Applies the rules of this module. `knew_of_end` is true if the validator ended after the judge had told it that the
/// submission had ended.
pub(crate) fn decided_by(submitted: SubmissionEnd, validated: ValidatorEnd, knew_of_end: bool) -> DecidedBy {
    let ended_badly = matches!(submitted, SubmissionEnd::Bad | SubmissionEnd::Waiting);
    match validated {
        ValidatorEnd::LimitExceeded if submitted == SubmissionEnd::Waiting => DecidedBy::Judge,
        ValidatorEnd::LimitExceeded if submitted == SubmissionEnd::Flooding => DecidedBy::Submission,
        ValidatorEnd::LimitExceeded | ValidatorEnd::Invalid if knew_of_end && ended_badly => DecidedBy::Submission,
        ValidatorEnd::LimitExceeded | ValidatorEnd::Invalid => DecidedBy::Judge,
        ValidatorEnd::Rejected if !knew_of_end => DecidedBy::Validator,
        ValidatorEnd::Rejected | ValidatorEnd::Accepted if ended_badly => DecidedBy::Submission,
        ValidatorEnd::Rejected | ValidatorEnd::Accepted => DecidedBy::Validator,
    }
}

#[cfg(test)]
mod tests {
    use super::SubmissionEnd::{Bad, Clean, Flooding, Stopped, Waiting};
    use super::ValidatorEnd::{Accepted, Invalid, LimitExceeded, Rejected};
    use super::*;

    const SUBMITTED: [SubmissionEnd; 5] = [Clean, Bad, Waiting, Stopped, Flooding];
    const VALIDATED: [ValidatorEnd; 4] = [Accepted, Rejected, Invalid, LimitExceeded];

    /// Checks every combination. In the table, J means that the judge failed, W that the validator decides, and S that
    /// the submission's end decides.
    #[test]
    fn every_combination_of_ends_is_decided() {
        // The letters of a string stand for the four ways in which the validator can end: accepted, rejected, invalid,
        // limit exceeded. The first string applies if the validator did not know that the submission had ended, the
        // second string if it did.
        let table = [
            (Clean, "WWJJ", "WWJJ"),
            (Bad, "SWJJ", "SSSS"),
            (Waiting, "SWJJ", "SSSJ"),
            (Stopped, "WWJJ", "WWJJ"),
            (Flooding, "WWJS", "WWJS"),
        ];
        for (submitted, if_unknown, if_known) in table {
            for (letters, knew_of_end) in [(if_unknown, false), (if_known, true)] {
                for (validated, letter) in VALIDATED.into_iter().zip(letters.chars()) {
                    let wanted = match letter {
                        'W' => DecidedBy::Validator,
                        'S' => DecidedBy::Submission,
                        _ => DecidedBy::Judge,
                    };
                    assert_eq!(
                        decided_by(submitted, validated, knew_of_end),
                        wanted,
                        "{submitted:?} {validated:?} {knew_of_end}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_submission_that_ended_badly_is_never_accepted() {
        for knew_of_end in [false, true] {
            for submitted in [Bad, Waiting] {
                assert_ne!(decided_by(submitted, Accepted, knew_of_end), DecidedBy::Validator);
            }
        }
    }

    #[test]
    fn nothing_a_submission_does_turns_a_verdict_of_its_validator_into_a_failure_of_the_judge() {
        for submitted in SUBMITTED {
            for validated in [Accepted, Rejected] {
                for knew_of_end in [false, true] {
                    assert_ne!(decided_by(submitted, validated, knew_of_end), DecidedBy::Judge);
                }
            }
        }
    }
}
