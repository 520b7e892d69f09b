//! Runs validators that are checktestdata programs (`.ctd`), which older versions of the format and BAPCtools allow.
//!
//! The interpreter runs in the judge's own process. That is safe: a checktestdata program can only compare bytes, and
//! the interpreter enforces limits on time and memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use referee_checktestdata::{Failure, Limits, Program};
use referee_text::printable::printable;

use crate::Settings;
use crate::validator::input_validator::InputVerdict;

/// Maximum size of a checktestdata program, in bytes.
const LARGEST_BYTES: u64 = 1 << 20;

/// A checktestdata program with its limits.
pub(crate) struct Checktestdata {
    program: Program,
    time: Duration,
    until: Option<Instant>,
    memory_bytes: u64,
}

impl Checktestdata {
    /// Reads the program in the file `path`. Fails with a message if the file is not a valid checktestdata program.
    pub(super) fn open(path: &Path, settings: &Settings) -> Result<Checktestdata, String> {
        let text = read(path).map_err(|error| format!("it cannot be read: {error}"))?;
        let program =
            Program::parse(&text).map_err(|error| format!("it is not a valid checktestdata program: {error}"))?;
        let (limits, until) = (settings.limits, settings.until);
        Ok(Checktestdata { program, time: limits.validation_time, until, memory_bytes: limits.validation_memory_bytes })
    }

    /// Checks an input, or an answer.
    pub(super) fn judge(&self, bytes: &[u8]) -> InputVerdict {
        let own = Instant::now() + self.time;
        let limits = Limits {
            until: Some(self.until.map_or(own, |until| until.min(own))),
            memory_bytes: usize::try_from(self.memory_bytes).unwrap_or(usize::MAX),
        };
        match self.program.check(bytes, limits) {
            Ok(()) => InputVerdict::Valid,
            Err(failure @ Failure::Mismatch { .. }) => InputVerdict::Invalid(printable(failure.to_string().as_bytes())),
            Err(failure @ Failure::Broken { .. }) => {
                InputVerdict::Failed(format!("has an error at {}", printable(failure.to_string().as_bytes())))
            }
            Err(Failure::OutOfTime) => InputVerdict::Exhausted(format!("took more than {} s", self.time.as_secs_f64())),
            Err(failure @ Failure::OutOfMemory(_)) => {
                InputVerdict::Exhausted(format!("used too much memory: {failure}"))
            }
        }
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    File::open(path)?.take(LARGEST_BYTES + 1).read_to_end(&mut text)?;
    if text.len() as u64 > LARGEST_BYTES {
        return Err(io::Error::other(format!("it is larger than {} MiB", LARGEST_BYTES >> 20)));
    }
    Ok(text)
}
