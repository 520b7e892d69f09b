//! Runs validators that are checktestdata programs (`.ctd`), which older versions of the format and BAPCtools allow.
//!
//! The interpreter runs in the judge's own process. That is safe: a checktestdata program can only compare bytes, and
//! the interpreter enforces limits on time and memory.

use std::path::Path;
use std::time::{Duration, Instant};

use referee_checktestdata::{Failure, Limits, Program};
use referee_files::regular;
use referee_sandbox::interrupt;
use referee_text::printable::printable;

use crate::validator::input_validator::InputVerdict;
use crate::{JudgeError, Settings};

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
        let text = regular::read(path, LARGEST_BYTES).map_err(|error| format!("it cannot be read: {error}"))?;
        let program =
            Program::parse(&text).map_err(|error| format!("it is not a valid checktestdata program: {error}"))?;
        let (limits, until) = (settings.limits, settings.until);
        Ok(Checktestdata { program, time: limits.validation_time, until, memory_bytes: limits.validation_memory_bytes })
    }

    /// Checks an input, or an answer. Fails if the judge is interrupted.
    pub(super) fn judge(&self, bytes: &[u8]) -> Result<InputVerdict, JudgeError> {
        let own = Instant::now() + self.time;
        let limits = Limits {
            is_interrupted: interrupt::happened,
            until: Some(self.until.map_or(own, |until| until.min(own))),
            memory_bytes: usize::try_from(self.memory_bytes).unwrap_or(usize::MAX),
        };
        Ok(match self.program.check(bytes, limits) {
            Ok(()) => InputVerdict::Valid,
            Err(failure @ Failure::Mismatch { .. }) => InputVerdict::Invalid(printable(failure.to_string().as_bytes())),
            Err(failure @ Failure::Broken { .. }) => {
                InputVerdict::Failed(format!("has an error at {}", printable(failure.to_string().as_bytes())))
            }
            Err(Failure::Interrupted) => return Err(JudgeError::Interrupted),
            Err(Failure::OutOfTime) => InputVerdict::Exhausted(format!("took more than {} s", self.time.as_secs_f64())),
            Err(failure @ Failure::OutOfMemory(_)) => {
                InputVerdict::Exhausted(format!("used too much memory: {failure}"))
            }
        })
    }
}
