//! Decides the verdict of an interactive run from the way in which submission and output validator ended.
//!
//! Both run at the same time and may end in any order. The order depends more on the machine than on the programs: a
//! submission that prints a wrong answer and exits with 1 may end before the validator has read the answer. So the
//! decision depends on what the validator knew. The validator learns only from the judge that the submission has ended.
//! It learns of a bad end only after it has answered everything that it received
//! ([`referee_sandbox::run_interactive`]). The verdict is therefore the same in every order of events. The first rule
//! that applies decides:
//!
//! 1. **The validator failed**: it exceeded a limit of its own, a signal ended it, or its exit code has no meaning.
//!    Then the judge failed (JE), whatever the submission did, with two exceptions. First, the submission had already
//!    ended badly, and the validator knew it: the validator's failure then does not matter. This does not apply if the
//!    submission only waited too long and the validator exceeded its own limit, because the submission may have waited
//!    for the validator. Second, the submission printed more than the validator could read, and the validator was
//!    reading until its time limit.
//! 2. **The validator rejected by itself**, before it knew that the submission had ended badly: wrong answer, even if
//!    the submission crashes or loops afterwards. Kattis' judge has the same rule, as its first one.
//! 3. **The submission ended badly**: the verdict follows from the limit it exceeded or from the way it ended, as
//!    [`crate::outcome::classify`] says.
//! 4. Otherwise, **the validator's verdict**.
//!
//! A submission whose validator has accepted must still end by itself, with exit code 0 and within its limits. The
//! judge ends a submission at once after its validator has rejected.

/// How the submission ended in an interactive run.
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
    /// It printed more than the validator could read within the validator's time limit.
    Flooding,
}

/// How the output validator ended in an interactive run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Validated {
    Accepted,
    Rejected,
    /// By a signal, or with an exit code that is not a verdict.
    Strangely,
    /// It exceeded one of its own limits.
    OverItsLimit,
}

/// Which program decides the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decides {
    /// The validator's verdict.
    Validator,
    /// The way the submission ended.
    Submission,
    /// Neither: the judge failed.
    Judge,
}

/// Applies the rules of this module. `told` is whether the validator knew of the submission's end when it ended itself.
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

    /// Checks every combination. In the table, J means that the judge failed, W that the validator decides, and S that
    /// the submission's end decides.
    #[test]
    fn every_combination_of_ends_is_decided() {
        // Each letter stands for one end of the validator: accepted, rejected, strangely, over its limit. The first
        // string is for a validator that did not know of the submission's end, the second for one that knew.
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
