//! `referee export`: writes a package of any format as an archive for another judge.

use std::path::PathBuf;

use clap::Args;

use super::archive_root::ArchiveArguments;
use super::choices::export_target;
use super::exchange::{failure, print_result};
use super::{Exit, Failure, open};
use referee_exchange::Existing;
use referee_exchange::export::{self, Judge};
use referee_package::Extent;
use referee_report::counted;

/// Write a package as an archive for DOMjudge or Kattis
///
/// The archive has the format legacy, which both judges read. With --to domjudge, it also uses DOMjudge's own additions
/// to that format. The archive is read back and checked before it gets its name. Parts of the package that the format
/// cannot express are listed; if the loss of a part would change verdicts, the export fails.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  referee export path/to/package --to domjudge --out sum.zip
  referee export flipgame --to kattis --out flipgame.zip")]
pub(super) struct Arguments {
    /// A package folder, a .zip or .kpp file, or a bundled package
    package: PathBuf,

    /// The judge that will read the archive
    #[arg(long, value_parser = export_target(), value_name = "JUDGE")]
    to: Judge,

    /// The archive to write
    #[arg(long, value_name = "FILE.zip")]
    out: PathBuf,

    /// Replace the archive if it exists
    #[arg(long)]
    force: bool,

    /// The path of testlib.h, for output validators that need it and do not contain it
    #[arg(long, value_name = "FILE", env = "REFEREE_TESTLIB")]
    testlib: Option<PathBuf>,

    #[command(flatten)]
    archive: ArchiveArguments,

    /// Print only what was not carried over
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,

    /// Also print all remarks on the package
    #[arg(short, long)]
    verbose: bool,
}

/// What the user can do if the other judge does not support a part of the package.
const WHAT_TO_CHANGE: &str =
    "change these parts of the package, or use a judge that supports them; nothing was written";

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let out = &arguments.out;
    if !out.extension().is_some_and(|ending| ending == "zip" || ending == "kpp") {
        let message = format!("--out {}: the name must end in .zip or .kpp", out.display());
        return Err(Failure::unusable(message).with_hint("use --out NAME.zip; NAME becomes the name of the problem"));
    }
    if out.symlink_metadata().is_ok() && !arguments.force {
        let message = format!("{} already exists", out.display());
        return Err(Failure::unusable(message).with_hint("use --force to replace it"));
    }
    let opened = open::open(&arguments.package, arguments.archive.open()?.as_ref(), Extent::Whole)?;
    if arguments.verbose {
        opened.show_remarks(true);
    }
    let existing = if arguments.force { Existing::Replace } else { Existing::Keep };
    let exported = export::export(&opened.package, arguments.to, (out, existing), arguments.testlib.as_deref());
    let exported = exported.map_err(|error| failure(error, WHAT_TO_CHANGE))?;
    let summary = format!(
        "{}: {} in the format legacy for {}, {}, {}",
        out.display(),
        if opened.package.title.is_empty() { &opened.package.name } else { &opened.package.title },
        arguments.to.name(),
        counted(exported.package.cases.len(), "case"),
        counted(exported.package.submissions.len(), "submission")
    );
    print_result(&[summary], &exported.notes, arguments.quiet)?;
    Ok(Exit::AsExpected)
}
