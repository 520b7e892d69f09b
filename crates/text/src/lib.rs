//! Makes text safe to print ([`printable`]) and splits it into words ([`words`]).

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

pub mod printable;
pub mod words;
