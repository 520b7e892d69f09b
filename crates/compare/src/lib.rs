//! Compares an output with the answer: the default output validator. Pure.
//!
//! The rules are those of the problem package format 2025-09, section "Default output validator specification". Both
//! files are byte strings. Whitespace is 0x20 and 0x09 to 0x0D, and nothing else. Tokens are compared one by one. Where
//! a tolerance is given and the *answer's* token is a number, the output's token must be a number within the tolerance,
//! computed exactly in whole numbers. All other tokens must be equal; upper and lower case ASCII letters are the same
//! unless `case_sensitive`. With `space_change_sensitive`, every run of whitespace must have the same bytes. Where
//! Kattis or DOMjudge compare in another way, a [`Dialect`] follows them.
//!
//! The output is a slice, because the judge already holds or maps a finished output. The answer is a stream, because a
//! file of the package must not be mapped and may be large. Beyond the two, the comparison needs memory for one token
//! of the answer, at most a megabyte, and only where the token differs. It takes about as long as reading both files,
//! also where they differ (`cargo bench --bench compare`).

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

mod answer;
mod binary;
mod bytes;
mod decimal;
mod extended;
mod fast_path;
mod mismatch;
mod options;
mod powers;
mod scanf;
mod sum;
mod tolerance;
mod walk;

use std::io::{self, BufRead};

pub use self::decimal::Limit;
pub use self::extended::Extended;
pub use self::mismatch::{Kind, Mismatch, quote};
pub use self::options::{Dialect, Options, OptionsError};
pub use self::tolerance::Tolerance;

/// Bytes of the answer that are best read at once: few enough for the second cache, many enough for the system call.
pub const PIECE_BYTES: usize = 128 << 10;

/// Compares an output with the answer and returns the first place that is wrong, `None` if the output is right.
///
/// `answer` may hand out its bytes in pieces of any size; a file should be in a [`io::BufReader`] of [`PIECE_BYTES`].
/// An error is one of reading the answer, and nothing is known of the output then.
pub fn compare<R: BufRead>(answer: R, output: &[u8], options: &Options) -> io::Result<Option<Mismatch>> {
    walk::Walk::new(answer, output, options).run()
}

#[cfg(test)]
mod tests;
