//! Makes text safe to print ([`printable`]), measures it in columns ([`mod@columns`]), and splits it into words
//! ([`words`]).

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

pub mod columns;
pub mod printable;
pub mod words;
