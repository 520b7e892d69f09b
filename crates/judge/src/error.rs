//! Errors of the judge as a whole.

use std::io;

use referee_sandbox::error_words;

/// An error that ends the whole run.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// The package cannot be used. Contains the message for the user.
    #[error("{0}")]
    Package(String),
    /// The judge failed.
    #[error("{FAILED_WHILE}{doing}: {}", without_beginning(source))]
    System {
        /// What the judge was doing, such as "compiling".
        doing: &'static str,
        /// Why it failed.
        source: io::Error,
    },
    /// The user interrupted the judge, or the deadline [`Settings::until`](crate::Settings::until) has passed.
    #[error("interrupted")]
    Interrupted,
}

/// The beginning of a message about a failure of the judge, or of its sandbox.
const FAILED_WHILE: &str = "the judge failed while ";

/// Returns the text of `source` for a message that begins with [`FAILED_WHILE`] and a step. If `source` is itself a
/// failure of the judge or of the sandbox, its text begins with [`FAILED_WHILE`], too; this beginning is removed. If
/// the sandbox failed to isolate a program, the text has another beginning, which is replaced with "isolating a
/// program: ".
fn without_beginning(source: &io::Error) -> String {
    let text = error_words(source);
    if let Some(rest) = text.strip_prefix(FAILED_WHILE) {
        return rest.to_owned();
    }
    match text.strip_prefix("the judge failed to isolate a program while ") {
        Some(rest) => format!("isolating a program: {rest}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use referee_sandbox::SandboxError;

    use super::*;

    #[test]
    fn a_failure_within_a_failure_is_told_once() {
        let wrapped = |doing, error: io::Error| JudgeError::System { doing, source: error }.to_string();
        let sandbox = |error: SandboxError| wrapped("compiling", io::Error::other(error));
        let system = sandbox(SandboxError::System { doing: "making a pipe", source: io::Error::other("no") });
        assert_eq!(system, "the judge failed while compiling: making a pipe: no");
        let twice = wrapped("building a validator", io::Error::other(system));
        assert_eq!(twice, "the judge failed while building a validator: compiling: making a pipe: no");
        let reason = "mounting /proc: no".to_owned();
        let isolation = sandbox(SandboxError::Isolation { reason, source: io::Error::other("no") });
        assert_eq!(isolation, "the judge failed while compiling: isolating a program: mounting /proc: no");
        assert_eq!(wrapped("compiling", io::Error::other("no")), "the judge failed while compiling: no");
    }
}
