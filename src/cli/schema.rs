//! `referee schema`: what the lines of `--json` look like, for programs that read them.

use std::io::{self, Write};

use clap::Args;

use super::{Exit, Failure};
use referee_report::jsonl;

/// Print the JSON Schema of the lines that --json writes
///
/// Every line of a report is one object that is valid by it. The schema is that of this version; later ones may have
/// more fields and types. What a field means stands in its description.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  referee schema > referee.schema.json")]
pub(super) struct Arguments {}

pub(super) fn run(_: &Arguments) -> Result<Exit, Failure> {
    let mut out = io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, &jsonl::schema()).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(Exit::AsWanted)
}
