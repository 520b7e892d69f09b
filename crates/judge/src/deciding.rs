//! Whose word decides, where submission and output validator talk. This is the only place that says so.
//!
//! Both run at the same time and end in any order. Who ended first says more about the machine than about them: a
//! submission that says something wrong and exits with 1 may be gone before the validator has read it. What is asked
//! instead is what the validator knew: it learns of the submission's end from the judge alone, and where the submission
//! ended badly only after it had nothing left to say about what it was told ([`referee_sandbox::talk`]). So the answer
//! is the same in every order of events. The rule, from the top:
//!
//! 1. **The validator failed**: it crossed a limit of its own, a signal ended it, or its exit code means nothing. Then
//!    the judge failed, whatever the submission did, with two exceptions. The first is a submission that had already
//!    ended badly, of which the validator was told: what a validator does then is not needed, and nobody may be judged
//!    by it. (Where the submission's fault was only to wait for too long, and the validator does not come to an end
//!    either, the validator may be what it waited for: that is the judge's failure again.) The second is a submission
//!    that said more than its validator could read, though that read to the end of its time.
//! 2. **The validator rejected on its own**, before it was told that the submission had ended badly: wrong answer, even
//!    if the submission crashes or loops afterwards (the first rule of Kattis' judge, too).
//! 3. **The submission ended badly**: the limit it crossed or the way it ended, as [`super::classify`] says.
//! 4. Else **the validator's word**.
//!
//! A submission whose validator has accepted still has to end by itself, with 0 and within its limits. One whose
//! validator has rejected is ended at once.

/// How the submission's part ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Submitted {
    /// With exit code 0, within its limits.
    Well,
    /// In another way, by itself or by a limit.
    Badly,
    /// It took too much time on the wall: it waited, maybe for a validator that hangs.
    Waiting,
    /// The judge ended it, because the validator had ended.
    Cut,
    /// It said more than its validator could read within its time.
    Flooding,
}

/// How the validator's part ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Validated {
    Accepted,
    Rejected,
    /// In a way that is no verdict.
    Strangely,
    /// It crossed a limit of its own.
    OverItsLimit,
}

/// Whose word decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decides {
    /// The validator's verdict.
    Validator,
    /// The way the submission ended.
    Submission,
    /// Nobody's: the judge failed.
    Judge,
}

/// `told` is whether the validator knew that the submission had ended when it ended itself.
pub(super) fn decides(submitted: Submitted, validated: Validated, told: bool) -> Decides {
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
