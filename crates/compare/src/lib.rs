//! The default output validator: compares an output with the answer. It opens no files.
//!
//! The rules are those of the problem package format 2025-09, section "Default output validator specification":
//! - Both files are byte strings. Whitespace is 0x20 and 0x09 to 0x0D.
//! - Tokens are compared one by one. Upper and lower case ASCII letters are equal, unless `case_sensitive` is given.
//! - If a tolerance is given and the *answer's* token is a number, the output's token must be a number within the
//!   tolerance. The difference is computed exactly.
//! - With `space_change_sensitive`, every run of whitespace must have the same bytes.
//!
//! A [`Dialect`] selects the rules of Kattis or DOMjudge where those differ.
//!
//! The output is a slice, because the judge already has it in memory. The answer is a stream, because it may be large
//! and the judge never memory-maps files of a package. Apart from the output, the comparison needs memory for one token
//! of the answer, at most a megabyte. It takes about as long as reading both files (`cargo bench --bench compare`).

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]
#![expect(
    clippy::inline_always,
    reason = "calls of the functions of a few instructions would cost a third of the time"
)]

mod answer;
mod binary;
mod blank_run;
mod bytes;
mod decimal;
mod digits;
mod exponent;
mod extended;
mod fast_path;
mod fractions;
mod limit;
mod mismatch;
mod number_run;
mod options;
mod powers;
mod repeated_runs;
mod scan;
mod scanf;
mod small;
mod sum;
mod tolerance;
mod walk;

use std::io::{self, BufRead};

pub use self::extended::Extended;
pub use self::limit::Limit;
pub use self::mismatch::{Kind, Mismatch, quote};
pub use self::options::{Dialect, Options, OptionsError};
pub use self::tolerance::Tolerance;

/// The recommended size of a read buffer for the answer, in bytes: it fits into the second-level cache, and needs few
/// system calls.
pub const PIECE_BYTES: usize = 128 << 10;

/// Compares an output with the answer. Returns the first mismatch; `None` if the output is correct.
///
/// `answer` may return its bytes in pieces of any size; wrap a file in a [`io::BufReader`] of [`PIECE_BYTES`]. Fails if
/// the answer cannot be read.
pub fn compare<R: BufRead>(answer: R, output: &[u8], options: &Options) -> io::Result<Option<Mismatch>> {
    walk::Walk::new(answer, output, options).run()
}

#[cfg(test)]
mod tests;
