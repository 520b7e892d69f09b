//! Decides the verdict of an interactive run from the ends of submission and output validator. No other module does.
//!
//! Both run at the same time and may end in any order. The order says more about the machine than about the programs: a
//! submission that sends something wrong and exits with 1 may be gone before the validator has read it. So the decision
//! rests on what the validator knew. The validator learns of the submission's end from the judge alone, and of a bad
//! end only after it has answered everything it received ([`referee_sandbox::run_interactive`]). The verdict is
//! therefore the same in every order of events. The rules, the first that applies:
//!
//! 1. **The validator failed**: it exceeded a limit of its own, a signal ended it, or its exit code has no meaning.
//!    Then the judge failed (JE), whatever the submission did, with two exceptions. First, the submission had already
//!    ended badly, and the validator was told so: the validator's reaction is not needed and must not decide. (If the
//!    submission's only fault was to wait too long and the validator does not end either, the submission may have
//!    waited for the validator, so the judge failed after all.) Second, the submission sent more than the validator
//!    could read, and the validator was reading until its time was over.
//! 2. **The validator rejected by itself**, before it was told that the submission had ended badly: wrong answer, even
//!    if the submission crashes or loops afterwards. Kattis' judge has the same first rule.
//! 3. **The submission ended badly**: the verdict follows from the limit it exceeded or from the way it ended, as
//!    [`crate::outcome::classify`] says.
//! 4. Otherwise, **the validator's verdict**.
//!
//! A submission whose validator has accepted must still end by itself, with exit code 0 and within its limits. A
//! submission whose validator has rejected is ended at once.

/// How the submission's part ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Submitted {
    /// With exit code 0, within its limits.
    Well,
    /// In another way, by itself or by a limit.
    Badly,
    /// It exceeded the wall limit: it waited, possibly for a validator that hangs.
    Waiting,
    /// The judge ended it, because the validator had ended.
    Cut,
    /// It said more than its validator could read within its time.
    Flooding,
}

/// How the validator's part ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Validated {
    Accepted,
    Rejected,
    /// In a way that is no verdict.
    Strangely,
    /// It crossed a limit of its own.
    OverItsLimit,
}

/// Whose word decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decides {
    /// The validator's verdict.
    Validator,
    /// The way the submission ended.
    Submission,
    /// Neither: the judge failed.
    Judge,
}

/// `told` is whether the validator knew that the submission had ended when it ended itself.
pub(crate) fn decides(submitted: Submitted, validated: Validated, told: bool) -> Decides {
    let ended_badly = matches!(submitted, Submitted::Badly | Submitted::Waiting);
    match validated {
        Validated::OverItsLimit if submitted == Submitted::Waiting => Decides::Judge,
        Validated::OverItsLimit if submitted == Submitted::Flooding => Decides::Submission,
        Validated::OverItsLimit | Validated::Strangely if told && ended_badly => Decides::Submission,
        Validated::OverItsLimit | Validated::Strangely => Decides::Judge,
        Validated::Rejected if !told => Decides::Validator,
        Validated::Rejected | Validated::Accepted if ended_badly => Decides::Submission,
        Validated::Rejected | Validated::Accepted => Decides::Validator,
    }
}

#[cfg(test)]
mod tests {
    use super::Submitted::{Badly, Cut, Flooding, Waiting, Well};
    use super::Validated::{Accepted, OverItsLimit, Rejected, Strangely};
    use super::*;

    const SUBMITTED: [Submitted; 5] = [Well, Badly, Waiting, Cut, Flooding];
    const VALIDATED: [Validated; 4] = [Accepted, Rejected, Strangely, OverItsLimit];

    /// Every combination, as a table to be read: J the judge failed, W the validator's word, S the submission's end.
    #[test]
    fn every_combination_of_ends_is_decided() {
        // Columns: accepted, rejected, strangely, over its limit; first not told, then told.
        let table = [
            (Well, "WWJJ", "WWJJ"),
            (Badly, "SWJJ", "SSSS"),
            (Waiting, "SWJJ", "SSSJ"),
            (Cut, "WWJJ", "WWJJ"),
            (Flooding, "WWJS", "WWJS"),
        ];
        for (submitted, untold, told) in table {
            for (letters, told) in [(untold, false), (told, true)] {
                for (validated, letter) in VALIDATED.into_iter().zip(letters.chars()) {
                    let wanted = match letter {
                        'W' => Decides::Validator,
                        'S' => Decides::Submission,
                        _ => Decides::Judge,
                    };
                    assert_eq!(decides(submitted, validated, told), wanted, "{submitted:?} {validated:?} {told}");
                }
            }
        }
    }

    #[test]
    fn a_submission_that_ended_badly_is_never_accepted() {
        for told in [false, true] {
            for submitted in [Badly, Waiting] {
                assert_ne!(decides(submitted, Accepted, told), Decides::Validator);
            }
        }
    }

    #[test]
    fn nothing_a_submission_does_turns_a_verdict_of_its_validator_into_a_failure_of_the_judge() {
        for submitted in SUBMITTED {
            for validated in [Accepted, Rejected] {
                for told in [false, true] {
                    assert_ne!(decides(submitted, validated, told), Decides::Judge);
                }
            }
        }
    }
}
