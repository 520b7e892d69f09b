//! Helpers of the tests: they run the command, read its reports, solve the packages' inputs with the reference solvers,
//! and compile and run programs.

#[macro_use]
pub(crate) mod program;

pub(crate) mod class;
pub(crate) mod command;
pub(crate) mod damage;
pub(crate) mod files;
pub(crate) mod fixture;
pub(crate) mod lab;
pub(crate) mod languages;
pub(crate) mod leftovers;
pub(crate) mod line;
pub(crate) mod long_limits;
pub(crate) mod person;
pub(crate) mod poll;
pub(crate) mod proved;
pub(crate) mod runs;
pub(crate) mod sandbox;
pub(crate) mod strength;
pub(crate) mod viva;

use rayon::prelude::*;

/// Calls `complain` for each item, on all cores. Returns the complaints in the order of the items.
pub(crate) fn complaints<T: Sync>(items: &[T], complain: impl Fn(&T) -> Option<String> + Sync + Send) -> Vec<String> {
    items.par_iter().filter_map(complain).collect()
}

/// Fails with all complaints at once, because a setter needs to know every bad file, not only the first.
pub(crate) fn assert_none(complaints: &[String]) {
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}
