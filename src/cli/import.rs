//! `referee import`: converts a package of Polygon into the format 2025-09.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::choices::sandbox_mode;
use super::exchange::{failure, print_result};
use super::judging::open_cache;
use super::languages::LanguageArguments;
use super::{Exit, Failure, open};
use referee_exchange::polygon::{self, Imported};
use referee_judge::Settings;
use referee_package::Limits;
use referee_report::counted;
use referee_sandbox::Mode;

/// Convert a package of Codeforces' Polygon into a problem package
///
/// The new package has the format 2025-09 and everything that judging needs. Checkers, validators and interactors that
/// use testlib get scripts that translate between testlib and the format, so that other judges can use the package,
/// too. Tests that a "standard" package leaves out are made by its generators and its main solution, in the sandbox.
/// At the end, the parts that the format cannot express are listed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  referee import sum-7$linux.zip --out sum        a new folder sum/
  referee import path/to/polygon --out packages   a new folder in packages/
  referee grade sum                               are its verdicts as expected?")]
pub(super) struct Arguments {
    /// The folder with problem.xml, or the .zip that Polygon builds
    polygon: PathBuf,

    /// The new folder; if DIR exists, a folder with the problem's name is created in DIR
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// How strictly to isolate programs
    #[arg(long, value_parser = sandbox_mode(), value_name = "MODE", default_value = "auto")]
    sandbox: Mode,

    /// testlib.h, for packages that do not contain it
    #[arg(long, value_name = "FILE", env = "REFEREE_TESTLIB")]
    testlib: Option<PathBuf>,

    /// Compile everything again, without the cache of compiled programs
    #[arg(long)]
    no_cache: bool,

    /// Print only what was not carried over
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,

    /// Also print all remarks on the new package
    #[arg(short, long)]
    verbose: bool,

    #[command(flatten)]
    languages: LanguageArguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let settings = settings(arguments)?;
    let imported =
        polygon::import(&arguments.polygon, &arguments.out, &settings).map_err(|error| failure(error, WHAT_TO_GIVE))?;
    print_result(&summary(&imported), &imported.notes, arguments.quiet)?;
    if !arguments.quiet {
        open::show_findings(&imported.package.remarks, "the package", arguments.verbose);
    }
    Ok(Exit::AsExpected)
}

/// What the user can do if the argument is not a usable package of Polygon.
const WHAT_TO_GIVE: &str = "give the .zip of a package that Polygon built for Linux (preferably a \"full\" package), \
                            or the folder of the unpacked .zip, which contains problem.xml";

/// Returns the settings for running the programs of the Polygon package. They run under the default limits of
/// validators, but with the larger output limit [`LARGEST_TEST_BYTES`].
fn settings(arguments: &Arguments) -> Result<Settings, Failure> {
    let limits = Limits { validation_output_bytes: LARGEST_TEST_BYTES, ..Limits::default() };
    let languages = arguments.languages.load().map(Arc::new)?;
    Ok(Settings {
        sandbox: arguments.sandbox,
        testlib: arguments.testlib.clone(),
        cache: open_cache(arguments.no_cache, arguments.verbose, None),
        ..Settings::new(Duration::from_secs(60), limits, languages)
    })
}

/// The output limit of generators, in bytes. They write inputs, which may be larger than the output of validators.
const LARGEST_TEST_BYTES: u64 = 1 << 30;

fn summary(imported: &Imported) -> Vec<String> {
    let package = &imported.package;
    let words = package.kind.words();
    let kind = if words.is_empty() { "pass-fail".to_owned() } else { words.join(", ") };
    let samples = package.cases.iter().filter(|case| case.name.starts_with("sample/")).count();
    let mut lines = vec![format!(
        "{} ({}): {kind}, {}, {}, {}",
        imported.folder.display(),
        package.title,
        counted(samples, "sample"),
        counted(package.cases.len() - samples, "secret case"),
        counted(package.submissions.len(), "submission")
    )];
    let (inputs, answers) = imported.generated;
    if inputs + answers > 0 {
        let (inputs, answers) = (counted(inputs, "input"), counted(answers, "answer"));
        lines.push(format!("generated: {inputs} by the package's generators, {answers} by its main solution"));
    }
    lines
}
