//! Makes inputs with a package's generators and new seeds, for searches beyond the package's own test cases.
//!
//! If the package has rules, the commands come from them: each command that makes a sample or secret test case and
//! contains `{seed}`. Without rules, each program in `generators/` is called with a seed as its only argument, because
//! most generators expect that.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::command::Command;
use super::content::Content;
use super::make::{MakeError, Maker, Product};
use super::programs::Builder;
use super::rules::{Case, Inherited, Rules, Solution};
use referee_files::regular;
use referee_judge::package_program::{JuryProgram, PackagePrograms};
use referee_judge::{JudgeError, Session, Settings};
use referee_package::{Constants, Package};
use referee_sandbox::SandboxError;

/// Generators that are built and can make inputs.
pub struct Draws<'a> {
    package: &'a Package,
    package_programs: PackagePrograms<'a>,
    /// One case for each different command. Draws take the commands in turn.
    cases: Vec<Case>,
    programs: BTreeMap<String, JuryProgram>,
    /// The number of folders created so far. It makes the name of the next folder unique.
    folders: AtomicU64,
    /// The number of failed generator runs, and the message of the first failure.
    failures: Mutex<(u64, String)>,
    /// The reasons why generators could not be built, one per generator.
    pub unusable: Vec<String>,
}

/// An input that a generator made.
pub struct Drawn {
    /// The input.
    pub input: Vec<u8>,
    /// The test case whose rule contains the command that made this input; `None` if the package has no rules.
    pub case: Option<String>,
}

/// The maximum size of an input, in bytes. Larger inputs are discarded.
const LONGEST: u64 = 16 << 20;

/// Endings of files in `generators/` that are not programs.
const NOT_PROGRAMS: [&str; 8] = ["yaml", "yml", "md", "txt", "h", "hpp", "in", "ans"];

impl<'a> Draws<'a> {
    /// Builds the generators of `rules`. Without rules, builds the programs in `generators/`. Fails if the judge fails.
    pub fn open(package: &'a Package, rules: Option<Rules>, settings: &'a Settings) -> Result<Self, JudgeError> {
        let package_programs = Session::open(package, settings)?.package_programs()?;
        let rules = rules.unwrap_or_default();
        let mut cases = with_seeds(&rules);
        if rules.is_empty() {
            cases = without_rules(package);
        }
        let mut programs = BTreeMap::new();
        let mut unusable = Vec::new();
        let builder = Builder { package, rules: &rules, package_programs: &package_programs, jobs: settings.jobs };
        for name in cases.iter().filter_map(|case| Some(&case.command.as_ref()?.program)) {
            if programs.contains_key(name) || unusable.iter().any(|(other, _)| other == name) {
                continue;
            }
            let Some((_, built)) = builder.generator(name)? else { continue };
            match built {
                Ok(program) => _ = programs.insert(name.clone(), program),
                Err(reason) => unusable.push((name.clone(), reason)),
            }
        }
        cases.retain(|case| case.command.as_ref().is_some_and(|command| programs.contains_key(&command.program)));
        let unusable = unusable.into_iter().map(|(_, reason)| reason).collect();
        Ok(Draws {
            package,
            package_programs,
            cases,
            programs,
            folders: AtomicU64::new(0),
            failures: Mutex::default(),
            unusable,
        })
    }

    /// Returns the number of different commands.
    pub fn len(&self) -> usize {
        self.cases.len()
    }

    /// Returns whether there is no command.
    pub fn is_empty(&self) -> bool {
        self.cases.is_empty()
    }

    /// Makes an input with the command at index `number` modulo the number of commands. The seed depends on `number`
    /// and `seed`. Returns `None` if there is no command, if the generator failed, or if the input is too large. Fails
    /// if the judge fails.
    pub fn draw(&self, number: u64, seed: u64) -> Result<Option<Drawn>, JudgeError> {
        if self.cases.is_empty() {
            return Ok(None);
        }
        let case = &self.cases[(number % self.cases.len() as u64) as usize];
        let Some(command) = &case.command else { return Ok(None) };
        let Some(program) = self.programs.get(&command.program) else { return Ok(None) };
        let folder = self.folders.fetch_add(1, Ordering::Relaxed);
        let folder = self.package_programs.path().join(format!("drawn-{folder}"));
        let maker = Maker {
            package: self.package,
            package_programs: &self.package_programs,
            case,
            folder: folder.clone(),
            generator: Some(program),
            solution: None,
        };
        let mut product = Product::default();
        let made = fs::create_dir_all(&folder)
            .map_err(|source| JudgeError::System { doing: "making a folder for a generator", source })
            .map(|()| maker.try_once(command, program, drawn_seed(seed, number), &mut product));
        let input = made.map(|made| match made {
            Ok(Ok(())) => Ok(read(&product)),
            Ok(Err((reason, _))) | Err(MakeError::Failed(reason)) => {
                self.count_failure(&command.program, &reason);
                Ok(None)
            }
            Err(MakeError::Sandbox(SandboxError::Interrupted)) => Err(JudgeError::Interrupted),
            Err(MakeError::Sandbox(error)) => {
                Err(JudgeError::System { doing: "running a generator", source: std::io::Error::other(error) })
            }
        });
        let _ = fs::remove_dir_all(&folder);
        let case = (!case.name.is_empty()).then(|| case.name.clone());
        Ok(input??.map(|input| Drawn { input, case }))
    }
}

impl Draws<'_> {
    fn count_failure(&self, program: &str, reason: &str) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        if failures.0 == 0 {
            failures.1 = format!("{program}: {reason}");
        }
        failures.0 += 1;
    }

    /// Returns a message with the number of failed generator runs and the first failure; `None` if none failed.
    pub fn failures(&self) -> Option<String> {
        let (count, first) = &*self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        (*count > 0).then(|| format!("failed generator runs: {count}; the first failure: {first}"))
    }
}

/// Returns the sample and secret test cases of the rules whose command contains `{seed}`. If several cases have the
/// same command, only the first one is returned.
fn with_seeds(rules: &Rules) -> Vec<Case> {
    let mut seen = std::collections::BTreeSet::new();
    let is_used = |case: &&Case| {
        let of_data = ["sample", "secret"].contains(&case.part());
        case.command.as_ref().is_some_and(|command| of_data && command.uses_seed && seen.insert(command.text.clone()))
    };
    rules.cases.iter().filter(is_used).map(only_its_command).collect()
}

/// Returns the case with only its command: without copied files, texts, links and patterns.
fn only_its_command(case: &Case) -> Case {
    Case { command: case.command.clone(), name: case.name.clone(), place: case.place, ..empty_case() }
}

/// Returns a case for each program in `generators/`, with a seed as its only argument.
fn without_rules(package: &Package) -> Vec<Case> {
    let folder = package.boundary.resolve(&package.root.join("generators"));
    let Some(entries) = folder.ok().and_then(|folder| fs::read_dir(folder).ok()) else { return Vec::new() };
    let mut names: Vec<_> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    let is_program = |name: &String| {
        let ending = name.rsplit_once('.').map(|(_, ending)| ending);
        !name.starts_with('.') && !name.starts_with("__") && ending.is_none_or(|ending| !NOT_PROGRAMS.contains(&ending))
    };
    let command = |name: String| {
        let quoted = format!("'{}' {{seed}}", name.replace('\'', "'\\''"));
        Command::new(&quoted, &Constants::default(), "", None).ok()
    };
    let commands = names.into_iter().filter(is_program).filter_map(command);
    commands.map(|command| Case { command: Some(command), ..empty_case() }).collect()
}

fn empty_case() -> Case {
    Case {
        name: String::new(),
        place: (1, 1),
        command: None,
        copy: None,
        literals: Vec::new(),
        links: Vec::new(),
        patterns: Vec::new(),
        inherited: Inherited { solution: Solution::None, ..Inherited::default() },
        is_repeated: false,
        duplicate_of: None,
    }
}

/// Returns a seed below 2^31, like the seeds of rules. It depends on `seed` and `number`.
fn drawn_seed(seed: u64, number: u64) -> u32 {
    let hash = blake3::hash(&[seed.to_le_bytes(), number.to_le_bytes()].concat());
    let [a, b, c, d, ..] = hash.as_bytes();
    u32::from_le_bytes([*a, *b, *c, *d]) >> 1
}

fn read(product: &Product) -> Option<Vec<u8>> {
    let Some(Content::File(path)) = product.files.get("in") else { return None };
    let file = regular::open(path).ok()?;
    if file.metadata().ok()?.len() > LONGEST {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(LONGEST).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
