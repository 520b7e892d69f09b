//! The findings of a check.

use std::path::Path;

use referee_event::Gravity;
use referee_package::Package;
use referee_text::printable::printable;

/// A fact about the package that its setter should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The severity of the finding.
    pub gravity: Gravity,
    /// The file, relative to the package's folder, possibly with line and column; `None` if the finding concerns no
    /// particular file.
    pub place: Option<String>,
    /// The test case; `None` if the finding concerns no particular test case.
    pub case: Option<String>,
    /// The submission; `None` if the finding concerns no particular submission.
    pub submission: Option<String>,
    /// The description of the problem.
    pub message: String,
    /// What the setter can do about the problem; `None` if there is no advice.
    pub hint: Option<String>,
}

/// The result of a check.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// A summary of what was checked, for people: "51 inputs by 1 validator".
    pub(super) about: String,
    /// The findings.
    pub(super) findings: Vec<Finding>,
    /// Why the check was skipped or incomplete; `None` if it was complete.
    pub(super) skipped: Option<String>,
}

impl Outcome {
    /// Returns the result of a check that was skipped.
    pub(super) fn skipped(reason: impl Into<String>) -> Outcome {
        Outcome { skipped: Some(reason.into()), ..Outcome::default() }
    }

    /// Combines two results of the same check.
    pub(super) fn and(self, other: Outcome) -> Outcome {
        let join = |one: String, other: String, between: &str| match (one.is_empty(), other.is_empty()) {
            (false, false) => format!("{one}{between}{other}"),
            _ => one + &other,
        };
        let skipped = join(self.skipped.unwrap_or_default(), other.skipped.unwrap_or_default(), "; ");
        Outcome {
            about: join(self.about, other.about, ", "),
            findings: [self.findings, other.findings].concat(),
            skipped: Some(skipped).filter(|reason| !reason.is_empty()),
        }
    }
}

impl Finding {
    pub(super) fn new(gravity: Gravity, message: impl Into<String>) -> Finding {
        Finding { gravity, place: None, case: None, submission: None, message: message.into(), hint: None }
    }

    pub(super) fn error(message: impl Into<String>) -> Finding {
        Finding::new(Gravity::Error, message)
    }

    pub(super) fn warning(message: impl Into<String>) -> Finding {
        Finding::new(Gravity::Warning, message)
    }

    pub(super) fn note(message: impl Into<String>) -> Finding {
        Finding::new(Gravity::Note, message)
    }

    /// Sets the place of the finding: the path of a file relative to the package, or a position `path:line:column` in
    /// it.
    pub(super) fn at(self, place: impl Into<String>) -> Finding {
        Finding { place: Some(place.into()), ..self }
    }

    pub(super) fn on(self, case: impl Into<String>) -> Finding {
        Finding { case: Some(case.into()), ..self }
    }

    pub(super) fn of(self, submission: impl Into<String>) -> Finding {
        Finding { submission: Some(submission.into()), ..self }
    }

    pub(super) fn hint(self, hint: impl Into<String>) -> Finding {
        Finding { hint: Some(hint.into()), ..self }
    }
}

/// Returns a path relative to the package's folder, in printable characters.
pub(super) fn below(package: &Package, path: &Path) -> String {
    let below = path.strip_prefix(&package.root).unwrap_or(path);
    printable(below.as_os_str().as_encoded_bytes()).replace('\n', "\u{240a}")
}

/// Returns a count with a noun: "1 input", "2 inputs".
pub(super) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The maximum number of names in a list; further names are only counted.
const NAMED: usize = 6;

/// Returns a list such as `a, b, c and 4 more`.
pub(super) fn listed<S: AsRef<str>>(names: &[S]) -> String {
    referee_text::list::first_names(names, NAMED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_say_how_many_they_leave_out() {
        assert_eq!(listed(&["a"; 6]), "a, a, a, a, a, a");
        assert_eq!(listed(&["a"; 8]), "a, a, a, a, a, a and 2 more");
    }

    #[test]
    fn of_two_outcomes_nothing_is_lost() {
        let one = |word: &str| Outcome {
            about: word.to_owned(),
            findings: vec![Finding::note(word)],
            skipped: Some(word.to_owned()),
        };
        let both = one("a").and(one("b"));
        assert_eq!((both.about.as_str(), both.skipped.as_deref(), both.findings.len()), ("a, b", Some("a; b"), 2));
        let none = Outcome::default().and(Outcome::default());
        assert_eq!((none.about.as_str(), none.skipped), ("", None));
        assert_eq!(one("a").and(Outcome::default()).about, "a");
    }
}
