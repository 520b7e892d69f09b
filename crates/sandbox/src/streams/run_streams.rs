//! The streams of one run: those that its zygote has kept, or new ones.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

use super::super::zygote::Source;
use super::super::{Input, SandboxError, system};
use super::kept::{KeptInput, KeptStreams, OutputPipes};
use super::{Content, content, in_sealed_memory};

/// The input and the output pipes of a run.
pub(in super::super) struct RunStreams {
    input: RunInput,
    outputs: OutputPipes,
    output_source: Source,
}

/// The input of a run.
enum RunInput {
    /// The zygote keeps the file in memory, or has kept it.
    Kept(KeptInput, Source),
    New(File),
}

impl RunStreams {
    /// Takes the kept streams, and makes those that are missing. Puts `input` where the program reads it.
    pub(in super::super) fn new(input: &Input<'_>, kept: &mut KeptStreams) -> Result<RunStreams, SandboxError> {
        let input = RunInput::new(input, kept)?;
        let (outputs, output_source) = output_pipes(kept).map_err(system("making a pipe"))?;
        Ok(RunStreams { input, outputs, output_source })
    }

    /// Returns the program's standard input.
    pub(in super::super) fn input(&self) -> (BorrowedFd<'_>, Source) {
        match &self.input {
            RunInput::Kept(file, source) => (file.reader(), *source),
            RunInput::New(file) => (file.as_fd(), Source::Sent),
        }
    }

    /// Returns the program's standard output and standard error.
    pub(in super::super) fn outputs(&self) -> ([BorrowedFd<'_>; 2], Source) {
        ([self.outputs.stdout.write.as_fd(), self.outputs.stderr.write.as_fd()], self.output_source)
    }

    /// Returns the judge's ends of standard output and standard error.
    pub(in super::super) fn readers(&self) -> [Arc<OwnedFd>; 2] {
        [Arc::clone(&self.outputs.stdout.read), Arc::clone(&self.outputs.stderr.read)]
    }

    /// Keeps the streams for the next run, after the end of this one. Closes those that the program has changed.
    pub(in super::super) fn keep(self, kept: &mut KeptStreams) {
        if let RunInput::Kept(file, _) = self.input {
            kept.input = Some(file).filter(KeptInput::is_as_made);
        }
        kept.outputs = Some(self.outputs).filter(OutputPipes::are_as_made);
    }
}

impl RunInput {
    fn new(input: &Input<'_>, kept: &mut KeptStreams) -> Result<RunInput, SandboxError> {
        let content = match content(input)? {
            Content::Small(content) if kept.may_keep.input => content,
            Content::Small(content) => return in_sealed_memory(&content).map(RunInput::New),
            Content::Large(file) => return Ok(RunInput::New(file)),
        };
        let source = if kept.input.is_some() { Source::Kept } else { Source::SentToKeep };
        let mut file = kept.input.take().map_or_else(KeptInput::new, Ok).map_err(system("allocating the input"))?;
        file.begin(&content).map_err(system("copying the input"))?;
        Ok(RunInput::Kept(file, source))
    }
}

fn output_pipes(kept: &mut KeptStreams) -> io::Result<(OutputPipes, Source)> {
    if let Some(outputs) = kept.outputs.take() {
        outputs.begin()?;
        return Ok((outputs, Source::Kept));
    }
    let may_keep = kept.may_keep.outputs;
    Ok((OutputPipes::new(may_keep)?, if may_keep { Source::SentToKeep } else { Source::Sent }))
}
