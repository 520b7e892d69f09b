//! Asks the program whether the user wants it to stop. Long work on files asks between two files.
//!
//! The signal handlers are in a crate that the readers of packages do not know. So the program registers a function.

use std::io;
use std::sync::OnceLock;

static ASKED: OnceLock<fn() -> bool> = OnceLock::new();

/// Registers the function that says whether the user wants the program to stop. Later calls change nothing.
pub fn ask(function: fn() -> bool) {
    let _ = ASKED.set(function);
}

/// Whether the user wants the program to stop; `false` if the program registers no function.
pub fn is_wanted() -> bool {
    ASKED.get().is_some_and(|asked| asked())
}

/// The reason of [`error`].
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
struct Interrupted;

/// Returns the error of a read that ends because the user wants the program to stop. Its kind is not
/// [`io::ErrorKind::Interrupted`], because readers try again after that one.
pub fn error() -> io::Error {
    io::Error::other(Interrupted)
}

/// Whether the error is [`error`].
pub fn is_reason(error: &io::Error) -> bool {
    error.get_ref().and_then(|reason| reason.downcast_ref::<Interrupted>()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_error_of_a_stop_has_a_stop_as_its_reason() {
        assert!(is_reason(&error()));
        assert!(!is_reason(&io::Error::other("interrupted")) && !is_reason(&io::ErrorKind::Interrupted.into()));
        assert_eq!(error().to_string(), "interrupted");
    }
}
