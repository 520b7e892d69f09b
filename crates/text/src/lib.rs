//! Makes text safe to print ([`printable`]), measures it in columns ([`mod@columns`]), splits it into words
//! ([`words`]), lists the first of many names ([`list`]), writes numbers of bytes ([`size`]), finds the name that a
//! misspelt word means ([`typo`]), quotes words for a shell ([`shell`]), and knows the width and the characters of
//! the user's screen ([`screen`]).

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

pub mod columns;
pub mod list;
pub mod printable;
pub mod screen;
pub mod shell;
pub mod size;
pub mod typo;
pub mod words;
