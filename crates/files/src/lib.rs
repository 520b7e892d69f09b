//! Names the judge's [`temporary`] folders, so that a later run can remove those of a killed one.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

pub mod temporary;
