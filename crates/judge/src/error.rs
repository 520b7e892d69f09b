//! Errors of the judge as a whole.

use std::io;

/// An error that ends the whole run.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// The package cannot be used. Contains the message for the user.
    #[error("{0}")]
    Package(String),
    /// The judge failed.
    #[error("the judge failed while {doing}: {source}")]
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
