//! Text: made safe to print ([`printable`]), and split into words ([`words`]). Pure.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

pub mod printable;
pub mod words;
