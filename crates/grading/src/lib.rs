//! Verdicts and expected verdicts ([`verdict`]), and the scores of test cases and groups ([`score`]). The crate runs no
//! program and does no input or output.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

pub mod score;
pub mod verdict;
