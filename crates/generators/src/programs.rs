//! Builds the generators and solutions of the rules, each once. Programs outside the package are refused.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::rules::{Rules, Solution};
use super::{modules, solution};
use referee_event::{BuildFinished, Event};
use referee_judge::package_program::{JuryProgram, PackagePrograms, ProgramSource};
use referee_judge::{JudgeError, in_order};
use referee_package::Package;

/// A built program, or the reason why it cannot be used.
type Program = Result<JuryProgram, String>;

/// A program with the event that reports its build.
type Built = (BuildFinished, Program);

/// Builds the programs of a package's rules.
pub(super) struct Builder<'a> {
    pub(super) package: &'a Package,
    pub(super) rules: &'a Rules,
    pub(super) package_programs: &'a PackagePrograms<'a>,
    pub(super) jobs: usize,
}

impl Builder<'_> {
    /// Builds the program of each key with `build`, and passes an event for each program to `report`. A key for which
    /// `build` returns `None` has no program.
    pub(super) fn build<K: Ord + Clone + Sync>(
        &self,
        keys: BTreeSet<&K>,
        build: impl Fn(&K) -> Result<Option<Built>, JudgeError> + Sync,
        report: &mut dyn FnMut(Event),
    ) -> Result<BTreeMap<K, Program>, JudgeError> {
        let keys: Vec<_> = keys.into_iter().collect();
        let mut programs = BTreeMap::new();
        in_order(
            self.jobs,
            keys.len(),
            &|| false,
            |index| build(keys[index]),
            |index, built| {
                if let Some((event, program)) = built? {
                    report(Event::BuildFinished(event));
                    programs.insert(keys[index].clone(), program);
                }
                Ok(())
            },
        )?;
        Ok(programs)
    }

    pub(super) fn generator(&self, name: &String) -> Result<Option<Built>, JudgeError> {
        let folder = self.package.root.join("generators");
        let shown = format!("generators/{name}");
        let built = match self.rules.programs.get(name) {
            None => match self.checked_path(&folder.join(name)) {
                Ok(path) => self.build_generator(&shown, &path)?,
                Err(reason) => unusable(shown, reason),
            },
            Some(files) => {
                match files.iter().map(|file| self.checked_path(&folder.join(file))).collect::<Result<Vec<_>, _>>() {
                    Ok(paths) => self.build_program(&shown, &ProgramSource::Files(name, &paths))?,
                    Err(reason) => unusable(shown, reason),
                }
            }
        };
        Ok(Some(built))
    }

    /// Builds a generator that is not listed in `generators:`, with the Python modules that it imports from its folder.
    fn build_generator(&self, shown: &str, path: &Path) -> Result<Built, JudgeError> {
        let modules = modules::imported_from_folder(path, |module| self.checked_path(module).is_ok());
        let source = match modules.as_slice() {
            [] => ProgramSource::Program(path),
            modules => ProgramSource::WithModules(path, modules),
        };
        self.build_program(shown, &source)
    }

    pub(super) fn solution(&self, solution: &Solution) -> Result<Option<Built>, JudgeError> {
        let Some(path) = solution::path(solution, self.package) else { return Ok(None) };
        let shown = path.strip_prefix(&self.package.root).unwrap_or(&path).display().to_string();
        match self.checked_path(&path) {
            Ok(path) => self.build_program(&shown, &ProgramSource::Submission(&path)).map(Some),
            Err(reason) => Ok(Some(unusable(shown, reason))),
        }
    }

    /// Returns the path unchanged. Fails if the path leads out of the package's boundary, is the package's folder
    /// itself, or cannot be read.
    fn checked_path(&self, path: &Path) -> Result<PathBuf, String> {
        let real = self.package.boundary.resolve(path).map_err(|refused| refused.to_string())?;
        let shown = path.strip_prefix(&self.package.root).unwrap_or(path).display();
        match real.metadata() {
            Ok(_) if real == self.package.root => Err(format!("{shown} is the folder of the package, not a program")),
            Ok(_) => Ok(path.to_path_buf()),
            Err(error) => Err(format!("{shown} cannot be read: {error}")),
        }
    }

    fn build_program(&self, name: &str, part: &ProgramSource<'_>) -> Result<Built, JudgeError> {
        let build = self.package_programs.build(part)?;
        let event = BuildFinished {
            submission: name.to_owned(),
            language: build.language,
            ok: build.result.is_ok(),
            seconds: build.seconds,
            cached: build.cached,
            tools: build.tools,
            remark: None,
            message: build.result.as_ref().err().cloned(),
        };
        Ok((event, build.result.map_err(|reason| format!("{name} cannot be built: {reason}"))))
    }
}

fn unusable(name: String, reason: String) -> Built {
    let event = BuildFinished {
        submission: name,
        language: "unknown".to_owned(),
        ok: false,
        seconds: 0.0,
        cached: false,
        tools: Vec::new(),
        remark: None,
        message: Some(reason.clone()),
    };
    (event, Err(reason))
}
