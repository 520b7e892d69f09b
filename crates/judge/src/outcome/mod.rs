//! From the end of a run to a verdict.

pub(crate) mod case_result;
pub(crate) mod classify;
pub(crate) mod excerpt;
pub(crate) mod interactive_verdict;
