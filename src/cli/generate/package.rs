//! `referee generate PACKAGE`: runs the rules of generators.yaml, shows the changes to `data/`, and writes them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::Args;

use super::consent;
use crate::cli::archive_root::ArchiveArguments;
use crate::cli::choices::sandbox_mode;
use crate::cli::common::{JobArguments, ReportArguments, Reports};
use crate::cli::judging::{check_sandbox, open_cache};
use crate::cli::languages::LanguageArguments;
use crate::cli::{Exit, Failure, eprint_message, open};
use referee_event::{Change, Event, GenerateFinished, RunStarted};
use referee_generators::{self as generators, ApplyError, ChangePlan, GenerateError, Made, Rules};
use referee_judge::{self as judge, Settings};
use referee_language::Shebangs;
use referee_package::{self as package, Package};
use referee_sandbox::{Mode, interrupt};

/// The options for a package.
#[derive(Debug, Args)]
pub(super) struct PackageArguments {
    /// Change data/ as shown: write new and changed files, and, after a question, remove files that no rule makes
    #[arg(long, conflicts_with = "out", help_heading = "Packages")]
    write: bool,

    /// Do not ask before removing files that no rule makes; needed if there is no terminal on which to ask
    #[arg(long, requires = "write", help_heading = "Packages")]
    remove: bool,

    /// How strictly to isolate programs [default: auto]
    #[arg(long, value_parser = sandbox_mode(), value_name = "MODE", help_heading = "Packages")]
    sandbox: Option<Mode>,

    /// Compile everything again, without the cache of compiled programs
    #[arg(long, help_heading = "Packages")]
    no_cache: bool,

    #[command(flatten)]
    archive: ArchiveArguments,

    #[command(flatten)]
    languages: LanguageArguments,

    #[command(flatten)]
    jobs: JobArguments,

    #[command(flatten)]
    reports: ReportArguments,
}

impl PackageArguments {
    /// Returns the first of these options that is given; `None` if none is. A puzzle allows none of them.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        let options = [
            (self.write, "--write"),
            (self.remove, "--remove"),
            (self.sandbox.is_some(), "--sandbox"),
            (self.no_cache, "--no-cache"),
            (self.archive.is_given(), "--root"),
            (self.languages.are_given(), "--languages"),
            (self.jobs.is_given(), "--jobs"),
            (self.reports.are_given(), "a report option (--json, --html, -q, -v)"),
        ];
        options.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }

    fn settings(&self, package: &Package) -> Result<Settings, Failure> {
        let sandbox = self.sandbox.unwrap_or_default();
        check_sandbox(sandbox)?;
        let languages = self.languages.load().map(Arc::new)?;
        Ok(Settings {
            jobs: self.jobs.count(),
            sandbox,
            shebangs: if package.version.is_legacy() { Shebangs::Considered } else { Shebangs::Ignored },
            anew: true,
            cache: open_cache(self.no_cache, self.reports.is_verbose(), None),
            legacy_arguments: package.version.is_legacy(),
            ..Settings::new(package.limits.generation_time, package.limits, languages)
        })
    }
}

pub(super) fn run(folder: &Path, arguments: &PackageArguments, out: Option<&Path>) -> Result<Exit, Failure> {
    if !folder.is_dir() {
        let message =
            format!("{} is not a folder; test cases are generated in the folder of a package", folder.display());
        return Err(Failure::unusable(message).with_hint("give the folder of an unpacked package"));
    }
    let verbose = arguments.reports.is_verbose();
    let unusable = |findings| {
        Failure::unusable(format!("the package {} cannot be used:", folder.display())).with_findings(findings)
    };
    let package = package::load_without_cases(folder, arguments.archive.open()?.as_ref());
    if interrupt::happened() {
        return Err(Failure::interrupted());
    }
    let package = package.map_err(unusable)?;
    let (rules, remarks) = generators::read(&package, folder).map_err(|error| failure(error, folder))?;
    open::show_findings(&remarks, "generators.yaml", verbose);
    match out {
        Some(out) => check_empty(out)?,
        None => generators::refuse_links(&rules, &generators::data(&package)).map_err(Failure::unusable)?,
    }
    let settings = arguments.settings(&package)?;
    let mut reports = arguments.reports.open(heading(&package, &rules))?;
    let run = Run { package: &package, rules: &rules, settings: &settings, folder, out };
    let finished = run.generate(arguments, &mut reports);
    let reported = reports.finish();
    let finished = finished?;
    reported?;
    let (finished, unproven) = finished;
    if arguments.write && finished.failed == 0 && finished.written.is_none() {
        return Err(consent::refusal(&unproven));
    }
    if finished.written.is_none() && !arguments.reports.is_quiet() {
        eprint_message("", 0, &run.next_step(&finished, !unproven.is_empty()));
    }
    Ok(if finished.as_wanted { Exit::AsExpected } else { Exit::NotAsExpected })
}

fn heading(package: &Package, rules: &Rules) -> String {
    let plural = if rules.len() == 1 { "" } else { "s" };
    let title = if package.title.is_empty() { &package.name } else { &package.title };
    format!("{title} ({}): {} test case{plural} by {}", package.name, rules.len(), generators::FILE)
}

/// Fails if the folder contains files, because the user could not tell them from the generated files. Also fails if the
/// folder cannot be created. Called before anything is generated.
fn check_empty(out: &Path) -> Result<(), Failure> {
    let above = out.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !above.is_dir() {
        let message = format!("cannot write to {}: there is no folder {}", out.display(), above.display());
        return Err(Failure::unusable(message).with_hint("create that folder first"));
    }
    if out.is_symlink() && !out.exists() {
        let message = format!("cannot write to {}: it is a link to a missing file or folder", out.display());
        return Err(Failure::unusable(message).with_hint("give --out a new or an empty folder"));
    }
    let is_empty = match std::fs::read_dir(out) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
        Err(error) => return Err(Failure::unusable(format!("cannot write to {}: {error}", out.display()))),
        Ok(mut entries) => entries.next().is_none(),
    };
    if is_empty {
        return Ok(());
    }
    let message = format!("cannot write to {}: the folder is not empty", out.display());
    Err(Failure::unusable(message).with_hint("give --out a new or an empty folder"))
}

fn failure(error: GenerateError, folder: &Path) -> Failure {
    match error {
        GenerateError::Rules(findings) => {
            Failure::unusable(format!("the rules of {} cannot be used:", folder.display())).with_findings(findings)
        }
        GenerateError::Judge(error) => Failure::from_judge_error(error),
    }
}

struct Run<'a> {
    package: &'a Package,
    rules: &'a Rules,
    settings: &'a Settings,
    /// The package's folder, as the user named it.
    folder: &'a Path,
    out: Option<&'a Path>,
}

impl Run<'_> {
    /// Generates the test cases, and writes them if the options and the user allow it. Returns the last event, and the
    /// paths whose removal needs consent.
    fn generate(
        &self,
        arguments: &PackageArguments,
        reports: &mut Reports,
    ) -> Result<(GenerateFinished, Vec<String>), Failure> {
        let started = Instant::now();
        reports.event(&Event::RunStarted(RunStarted {
            package: self.package.name.clone(),
            jobs: self.settings.jobs,
            sandbox: Some(judge::enforcement(self.settings.sandbox)),
            planned: self.rules.len(),
            time_limit: Some(self.settings.time_limit),
            memory_limit_bytes: Some(self.settings.limits.memory_bytes),
            ..RunStarted::default()
        }));
        let data = generators::data(self.package);
        let existing = if self.out.is_none() { Some(data.as_path()) } else { None };
        let made =
            generators::run(self.package, self.rules, self.settings, existing, &mut |event| reports.event(&event));
        let made = made.map_err(|error| failure(error, self.folder))?;
        let plan = ChangePlan::new(&made, self.package, existing).map_err(Failure::unusable)?;
        let target = self.out.unwrap_or(&data);
        // `data/` is changed only if all cases were generated. With --out, the folder gets all cases that could be
        // generated, which helps to find the mistake.
        reports.leave_standard_error();
        let writes = self.out.is_some()
            || arguments.write && made.failed == 0 && (arguments.remove || consent::is_given(&plan.unproven)?);
        let mut trash = None;
        if writes {
            trash = plan.apply(target).map_err(|error| match error {
                ApplyError::Interrupted => Failure::interrupted(),
                error @ ApplyError::Unfit { .. } => Failure::unusable(error),
            })?;
        }
        let shown = self.out.map_or_else(|| self.folder.join("data"), Path::to_path_buf);
        let unproven = plan.unproven.clone();
        let mut finished = self.finished(&made, plan);
        finished.trash = trash.map(|folder| self.as_given(&folder).display().to_string());
        finished.written = writes.then(|| shown.display().to_string());
        finished.wall_seconds = started.elapsed().as_secs_f64();
        reports.event(&Event::GenerateFinished(finished.clone()));
        Ok((finished, unproven))
    }

    fn finished(&self, made: &Made<'_>, plan: ChangePlan) -> GenerateFinished {
        let of = |change: Change| made.changes.get(&change).copied().unwrap_or(0);
        GenerateFinished {
            as_wanted: made.failed == 0 && made.unmatched == 0,
            cases: self.rules.len(),
            failed: made.failed,
            unmatched: made.unmatched,
            new: of(Change::New),
            changed: of(Change::Changed),
            unchanged: of(Change::Unchanged),
            others: plan.others,
            removed: plan.removed,
            kept: plan.kept,
            written: None,
            trash: None,
            wall_seconds: 0.0,
        }
    }

    /// Replaces the package's folder at the beginning of `path` by the folder as the user named it. Returns a path
    /// outside the package unchanged.
    fn as_given(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.package.root).map_or_else(|_| path.to_path_buf(), |below| self.folder.join(below))
    }

    /// Returns the last line of output for a run that wrote nothing: the reason why, or the command that writes the
    /// changes.
    fn next_step(&self, finished: &GenerateFinished, needs_consent: bool) -> String {
        if finished.failed > 0 {
            return "nothing was written: some test cases could not be generated".to_owned();
        }
        if finished.new + finished.changed + finished.removed.len() + finished.others.len() == 0 {
            return "nothing to write: data/ already matches the rules".to_owned();
        }
        let folder = self.folder.display();
        let remove = if needs_consent { " --remove" } else { "" };
        format!("nothing was written; to write the changes, run: referee generate {folder} --write{remove}")
    }
}
