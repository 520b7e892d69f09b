//! Names the judge's [`temporary`] folders, so that a later run can remove the folders of a killed judge.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

pub mod temporary;
