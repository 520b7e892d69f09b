//! `referee schema`: describes the lines of `--json` for other programs.

use std::io::{self, Write};

use clap::Args;

use super::{Exit, Failure};
use referee_report::jsonl;

/// Print the JSON Schema of the lines that --json writes
///
/// Each line of a report is one object that this schema accepts. The schema belongs to this version; later versions may
/// have more fields and types. The description of each field gives its meaning.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  referee schema > referee.schema.json")]
pub(super) struct Arguments {}

pub(super) fn run(_: &Arguments) -> Result<Exit, Failure> {
    let mut out = io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, &jsonl::schema()).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(Exit::AsExpected)
}
