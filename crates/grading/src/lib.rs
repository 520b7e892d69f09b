//! Verdicts, what is expected of them ([`verdict`]), and scores of cases and groups ([`score`]). Pure.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

pub mod score;
pub mod verdict;
