//! Decides whether an input validator that ends with SIGABRT, as after a failed `assert`, rejects the input.
//!
//! The format requires exit code 43. Many packages rely on judges that count every end except exit code 42 as a
//! rejection. So the judge counts an abort as a rejection, too, unless the validator is broken. A broken validator also
//! aborts on the package's own inputs. The judge tries up to three of these inputs. One of them may itself be invalid,
//! so the validator counts as broken only if it aborts on each of them.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::JudgeError;
use crate::validator::input_validator::InputVerdict;
use referee_package::{Package, TestCase};

/// Maximum number of the package's own inputs on which a validator is tried.
const MOST_TRIED: usize = 3;

/// The aborts of one validator so far.
#[derive(Debug, Default)]
pub(crate) struct Aborts {
    /// Whether an abort was counted as a rejection.
    rejected: AtomicBool,
    /// Whether the validator aborts on the package's own inputs. Empty until the judge tries these inputs, which it
    /// does after the first abort on another input.
    on_valid: OnceLock<bool>,
}

impl Aborts {
    /// Whether an abort was counted as a rejection.
    pub(crate) fn have_rejected(&self) -> bool {
        self.rejected.load(Ordering::Relaxed)
    }

    /// Returns the final verdict. An abort becomes a failure if the input is one of the package's own inputs, or if the
    /// validator also aborts on the package's own inputs. Every other verdict is returned unchanged. `ask` runs the
    /// validator on the input of a test case. `is_own` is true if the validator read the unchanged input of `case`.
    pub(crate) fn resolve_abort(
        &self,
        verdict: InputVerdict,
        (case, is_own): (&TestCase, bool),
        package: &Package,
        ask: impl Fn(&TestCase) -> Result<InputVerdict, JudgeError>,
    ) -> Result<InputVerdict, JudgeError> {
        let InputVerdict::Aborted(how) = verdict else { return Ok(verdict) };
        let input = case.input();
        if is_own && package.cases.iter().any(|valid| valid.input() == input) {
            return Ok(InputVerdict::Failed(how));
        }
        let on_valid = if let Some(known) = self.on_valid.get() {
            *known
        } else {
            let found = aborts_on_own(package, ask)?;
            *self.on_valid.get_or_init(|| found)
        };
        if on_valid {
            return Ok(InputVerdict::Failed(format!("aborts on valid inputs, too; on this input it {how}")));
        }
        self.rejected.store(true, Ordering::Relaxed);
        Ok(InputVerdict::Aborted(how))
    }
}

/// Whether the validator aborts on the first, the middle and the last test case of the package. Skips the rest after a
/// test case on which it does not abort. Returns false for a package without test cases.
fn aborts_on_own(
    package: &Package,
    ask: impl Fn(&TestCase) -> Result<InputVerdict, JudgeError>,
) -> Result<bool, JudgeError> {
    let last = package.cases.len().saturating_sub(1);
    let mut places: Vec<_> = (0..MOST_TRIED).map(|part| part * last / (MOST_TRIED - 1)).collect();
    places.dedup();
    for case in places.into_iter().filter_map(|place| package.cases.get(place)) {
        if !matches!(ask(case)?, InputVerdict::Aborted(_)) {
            return Ok(false);
        }
    }
    Ok(!package.cases.is_empty())
}

/// Returns the warning about a validator whose aborts were counted as rejections.
pub(crate) fn abort_remark(name: &str) -> String {
    format!(
        "the input validator {name} rejects inputs by SIGABRT (a failed assert) instead of exit code 43; the judge \
         counts SIGABRT as a rejection"
    )
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    fn package(folder: &std::path::Path) -> Package {
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("submissions/accepted/any.py", "");
        write("input_validators/any.py", "");
        write("problem.yaml", "problem_format_version: 2025-09\nname: A\nuuid: 5d3c1f2e-0000-4000-8000-00000000000c\n");
        for number in 1..=9 {
            write(&format!("data/secret/{number}.in"), "1\n");
            write(&format!("data/secret/{number}.ans"), "1\n");
        }
        referee_package::load(folder).unwrap()
    }

    #[test]
    fn an_abort_rejects_unless_the_validator_aborts_on_every_input_of_the_package() {
        let folder = tempfile::tempdir().unwrap();
        let package = package(folder.path());
        let case = &package.cases[0];
        for on_valid in
            [InputVerdict::Valid, InputVerdict::Invalid(String::new()), InputVerdict::Aborted("it".to_owned())]
        {
            let (aborts, asked) = (Aborts::default(), RefCell::new(Vec::new()));
            let ask = |case: &TestCase| {
                asked.borrow_mut().push(case.name.to_string());
                Ok(on_valid.clone())
            };
            let resolved = || {
                aborts.resolve_abort(InputVerdict::Aborted("ended".to_owned()), (case, false), &package, ask).unwrap()
            };
            let is_crash = matches!(on_valid, InputVerdict::Aborted(_));
            assert_eq!(matches!(resolved(), InputVerdict::Failed(_)), is_crash, "{on_valid:?}");
            assert_eq!(resolved() == InputVerdict::Aborted("ended".to_owned()), !is_crash, "{on_valid:?}");
            assert_eq!(aborts.have_rejected(), !is_crash);
            let wanted: &[&str] = if is_crash { &["secret/1", "secret/5", "secret/9"] } else { &["secret/1"] };
            assert_eq!(*asked.borrow(), wanted, "the validator is tried once");
        }
    }

    #[test]
    fn an_abort_on_a_valid_input_is_a_failure_and_other_words_stay() {
        let folder = tempfile::tempdir().unwrap();
        let package = package(folder.path());
        let (aborts, about) = (Aborts::default(), (&package.cases[3], true));
        let nothing = |_: &TestCase| Ok(InputVerdict::Valid);
        let aborted =
            aborts.resolve_abort(InputVerdict::Aborted("ended".to_owned()), about, &package, nothing).unwrap();
        assert_eq!((aborted, aborts.have_rejected()), (InputVerdict::Failed("ended".to_owned()), false));
        for verdict in
            [InputVerdict::Valid, InputVerdict::Invalid("no".to_owned()), InputVerdict::Failed("bad".to_owned())]
        {
            assert_eq!(aborts.resolve_abort(verdict.clone(), about, &package, nothing).unwrap(), verdict);
        }
    }
}
