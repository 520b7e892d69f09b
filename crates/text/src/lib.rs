//! Makes text safe to print ([`printable`]), measures it in columns ([`mod@columns`]), splits it into words
//! ([`words`]), lists the first of many names ([`list`]), writes numbers of bytes ([`size`]), and finds the name that a
//! misspelt word means ([`typo`]).

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

pub mod columns;
pub mod list;
pub mod printable;
pub mod size;
pub mod typo;
pub mod words;
