//! The amount of detail in the report on the terminal.

/// The amount of detail in the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Only failures and the summary.
    Quiet,
    /// A row for each submission.
    Normal,
    /// Every test case, too.
    Verbose,
}
