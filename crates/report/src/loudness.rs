//! How much a report on the terminal says.

/// The amount of detail in the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loudness {
    /// Only what is wrong, and the summary.
    Quiet,
    /// A row for each submission.
    Normal,
    /// Every test case, too.
    Verbose,
}
