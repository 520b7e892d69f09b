//! Files and folders: names of [`temporary`] folders.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

pub mod temporary;
