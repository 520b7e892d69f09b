//! Verdicts and expected verdicts ([`verdict`]), the scores of test cases and groups ([`score`]), and the points of
//! submissions ([`points`]). The crate runs no program and does no input or output.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

pub mod points;
pub mod score;
pub mod verdict;
