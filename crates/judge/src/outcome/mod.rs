//! Turns the end of a run into a verdict and a result.

pub(crate) mod case_result;
pub(crate) mod classify;
pub(crate) mod excerpt;
pub(crate) mod interactive_verdict;
pub(crate) mod own_paths;
