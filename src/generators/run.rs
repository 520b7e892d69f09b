//! Carrying out the rules: programs are built once, each rule is carried out once, and results come in order.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::content::{Content, Files, Wanted};
use super::make::{Maker, Product, Trouble};
use super::ordered::in_order;
use super::rules::{Case, Rules, Solution};
use super::{GenerateError, solution};
use crate::event::{BuildFinished, CaseGenerated, Change, Event};
use crate::judge::jury::{JuryProgram, Part, Workshop};
use crate::judge::{JudgeError, Settings};
use crate::package::Package;
use crate::sandbox::SandboxError;

/// What was made, in folders that go with it.
pub struct Made<'a> {
    /// Holds the files.
    _workshop: Workshop<'a>,
    /// What is to be where, below `data/`.
    pub(super) wanted: BTreeMap<String, Wanted>,
    /// The folders, below `data/`.
    pub(super) folders: BTreeSet<String>,
    /// The names of the cases.
    pub(super) cases: BTreeSet<String>,
    /// How many cases could not be made.
    pub failed: usize,
    /// How many do not hold what their rules say.
    pub unmatched: usize,
    /// How many are unchanged, changed and new.
    pub changes: BTreeMap<Change, usize>,
}

/// A program, or why there is none.
type Program = Result<JuryProgram, String>;

/// Makes all test cases, and tells `report` of each in the order of the rules. They are held against what is in the
/// folder `there`, if there is one.
pub fn run<'a>(
    package: &'a Package,
    rules: &Rules,
    settings: &'a Settings,
    there: Option<&Path>,
    report: &mut dyn FnMut(Event),
) -> Result<Made<'a>, GenerateError> {
    let workshop = Workshop::open(package, settings)?;
    let builder = Builder { package, rules, workshop: &workshop, jobs: settings.jobs };
    let generators = rules.cases.iter().filter_map(|case| Some(&case.command.as_ref()?.program));
    let generators = builder.build(generators.collect(), |name| builder.generator(name), report)?;
    let solutions =
        rules.cases.iter().filter(|case| needs_solution(case, package)).map(|case| &case.inherited.solution);
    let solutions = builder.build(solutions.collect(), |solution| builder.solution(solution), report)?;
    let mut results = Results::new(rules, there);
    let own: Vec<usize> = (0..rules.cases.len()).filter(|&index| rules.cases[index].twin.is_none()).collect();
    let work = |number: usize| {
        let case = &rules.cases[own[number]];
        let folder = workshop.path().join(format!("case-{number}"));
        let generator = case.command.as_ref().and_then(|command| generators.get(&command.program));
        let solution = solutions.get(&case.inherited.solution).filter(|_| needs_solution(case, package));
        let maker = |generator, solution| Maker { package, workshop: &workshop, case, folder, generator, solution };
        let started = Instant::now();
        let product = match (generator.map(Result::as_ref).transpose(), solution.map(Result::as_ref).transpose()) {
            (Err(reason), _) => Err(Trouble::Failed(format!("its generator is not there: {reason}"))),
            (_, Err(reason)) => Err(Trouble::Failed(format!("its solution is not there: {reason}"))),
            (Ok(generator), Ok(solution)) => maker(generator, solution).make(),
        };
        (product, started.elapsed().as_secs_f64())
    };
    in_order(settings.jobs, own.len(), work, |number, (product, seconds)| {
        results.take_until(own[number], report);
        results.take_own(own[number], judged(product)?, seconds, report);
        Ok::<_, GenerateError>(())
    })?;
    results.take_until(rules.cases.len(), report);
    results.take_includes(report);
    Ok(results.made(workshop))
}

/// A failure of the rule is a result; one of the judge ends all.
fn judged(product: Result<Product, Trouble>) -> Result<Result<Product, String>, JudgeError> {
    match product {
        Ok(product) => Ok(Ok(product)),
        Err(Trouble::Failed(message)) => Ok(Err(message)),
        Err(Trouble::Sandbox(SandboxError::Interrupted)) => Err(JudgeError::Interrupted),
        Err(Trouble::Sandbox(error)) => {
            Err(JudgeError::System { doing: "generating a test case", source: std::io::Error::other(error) })
        }
    }
}

fn needs_solution(case: &Case, package: &Package) -> bool {
    let has_answer = case.literals.iter().any(|(ending, _)| *ending == "ans");
    solution::is_printed(package) && solution::is_asked(case) && case.twin.is_none() && !has_answer
}

pub(super) struct Builder<'a> {
    pub(super) package: &'a Package,
    pub(super) rules: &'a Rules,
    pub(super) workshop: &'a Workshop<'a>,
    pub(super) jobs: usize,
}

impl Builder<'_> {
    /// Builds every program once.
    fn build<K: Ord + Clone + Sync>(
        &self,
        keys: BTreeSet<&K>,
        build: impl Fn(&K) -> Result<Option<(BuildFinished, Program)>, JudgeError> + Sync,
        report: &mut dyn FnMut(Event),
    ) -> Result<BTreeMap<K, Program>, JudgeError> {
        let keys: Vec<_> = keys.into_iter().collect();
        let mut programs = BTreeMap::new();
        in_order(
            self.jobs,
            keys.len(),
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

    pub(super) fn generator(&self, name: &String) -> Result<Option<(BuildFinished, Program)>, JudgeError> {
        let folder = self.package.root.join("generators");
        let shown = format!("generators/{name}");
        let built = match self.rules.programs.get(name) {
            None => match self.inside(&folder.join(name)) {
                Ok(path) => self.built(&shown, &Part::Program(&path))?,
                Err(reason) => missing(shown, reason),
            },
            Some(files) => {
                match files.iter().map(|file| self.inside(&folder.join(file))).collect::<Result<Vec<_>, _>>() {
                    Ok(paths) => self.built(&shown, &Part::Files(&paths))?,
                    Err(reason) => missing(shown, reason),
                }
            }
        };
        Ok(Some(built))
    }

    fn solution(&self, solution: &Solution) -> Result<Option<(BuildFinished, Program)>, JudgeError> {
        let Some(path) = solution::path(solution, self.package) else { return Ok(None) };
        let shown = path.strip_prefix(&self.package.root).unwrap_or(&path).display().to_string();
        match self.inside(&path) {
            Ok(path) => self.built(&shown, &Part::Submission(&path)).map(Some),
            Err(reason) => Ok(Some(missing(shown, reason))),
        }
    }

    /// A path in the package that does not lead out of it.
    fn inside(&self, path: &Path) -> Result<PathBuf, String> {
        let shown = path.strip_prefix(&self.package.root).unwrap_or(path).display();
        match path.canonicalize() {
            Ok(real) if real.starts_with(&self.package.root) && real != self.package.root => Ok(path.to_path_buf()),
            Ok(_) => Err(format!("{shown} leads out of the package")),
            Err(error) => Err(format!("{shown} cannot be read: {error}")),
        }
    }

    fn built(&self, name: &str, part: &Part<'_>) -> Result<(BuildFinished, Program), JudgeError> {
        let build = self.workshop.build(part)?;
        let event = BuildFinished {
            submission: name.to_owned(),
            language: build.language,
            ok: build.result.is_ok(),
            seconds: build.seconds,
            cached: build.cached,
            message: build.result.as_ref().err().cloned(),
        };
        Ok((event, build.result.map_err(|reason| format!("{name} cannot be built: {reason}"))))
    }
}

fn missing(name: String, reason: String) -> (BuildFinished, Program) {
    let event = BuildFinished {
        submission: name,
        language: "unknown".to_owned(),
        ok: false,
        seconds: 0.0,
        cached: false,
        message: Some(reason.clone()),
    };
    (event, Err(reason))
}

/// What has been made so far.
struct Results<'a> {
    rules: &'a Rules,
    there: Option<&'a Path>,
    /// The files of each case, in the order of the rules; `None` if it could not be made.
    files: Vec<Option<Files>>,
    wanted: BTreeMap<String, Wanted>,
    failed: usize,
    unmatched: usize,
    changes: BTreeMap<Change, usize>,
}

impl<'a> Results<'a> {
    fn new(rules: &'a Rules, there: Option<&'a Path>) -> Self {
        let (files, wanted, changes) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        Results { rules, there, files, wanted, failed: 0, unmatched: 0, changes }
    }

    fn take_own(
        &mut self,
        index: usize,
        product: Result<Product, String>,
        seconds: f64,
        report: &mut dyn FnMut(Event),
    ) {
        let case = &self.rules.cases[index];
        let mut event = about(&case.name);
        event.seconds = Some(seconds);
        event.command = case.command.as_ref().map(|command| command.shown(command.seed));
        match product {
            Err(message) => {
                event.message = Some(message);
                self.files.push(None);
            }
            Ok(product) => {
                event.seed = product.seed;
                if let (Some(command), Some(seed)) = (&case.command, product.seed) {
                    event.command = Some(command.shown(seed));
                }
                (event.remarks, event.unmatched) = (product.remarks, product.unmatched);
                self.place(&case.name, &product.files, None, &mut event);
                self.files.push(Some(product.files));
            }
        }
        self.count(event, report);
    }

    /// Takes the cases before `end` that are made like earlier ones.
    fn take_until(&mut self, end: usize, report: &mut dyn FnMut(Event)) {
        while self.files.len() < end {
            let case = &self.rules.cases[self.files.len()];
            let Some(twin) = case.twin else { return };
            let other = &self.rules.cases[twin.of].name;
            let files = self.files[twin.of].clone();
            let mut event = about(&case.name);
            event.same_as = Some(other.clone());
            match &files {
                Some(files) => self.place(&case.name, files, twin.is_meant.then_some(other), &mut event),
                None => event.message = Some(format!("it is made in the same way as {other}, which could not be made")),
            }
            self.files.push(files);
            self.count(event, report);
        }
    }

    fn take_includes(&mut self, report: &mut dyn FnMut(Event)) {
        for include in &self.rules.includes {
            let other = &self.rules.cases[include.of].name;
            let files = self.files[include.of].clone();
            let mut event = about(&include.name);
            event.same_as = Some(other.clone());
            match &files {
                Some(files) if files.contains_key("in") && files.contains_key("ans") => {
                    self.place(&include.name, files, Some(other), &mut event);
                }
                Some(_) => {
                    event.change = Some(Change::Unchanged);
                    event.remarks.push(format!("{other} has no .in with an .ans, and is not included"));
                }
                None => event.message = Some(format!("{other}, which it is to be, could not be made")),
            }
            self.count(event, report);
        }
    }

    /// Says where the files of a case go: their bytes, or links to those of the case `other`.
    fn place(&mut self, name: &str, files: &Files, other: Option<&String>, event: &mut CaseGenerated) {
        for (ending, content) in files {
            let path = format!("{name}.{ending}");
            let wanted = match (other, content) {
                (Some(other), _) => Wanted::Link(relative(name, &format!("{other}.{ending}"))),
                (None, Content::Link(target)) => {
                    let own = name.rsplit('/').next().unwrap_or(name);
                    Wanted::Link(PathBuf::from(format!("{own}.{target}")))
                }
                (None, Content::File(from)) => Wanted::File(from.clone()),
            };
            event.files.insert((*ending).to_owned(), self.change(&path, &wanted));
            self.wanted.insert(path, wanted);
        }
        let mut changes = event.files.values();
        event.change = Some(match changes.clone().max() {
            Some(Change::New) if changes.any(|change| *change != Change::New) => Change::Changed,
            other => other.copied().unwrap_or(Change::Unchanged),
        });
    }

    fn change(&self, path: &str, wanted: &Wanted) -> Change {
        change(self.there, path, wanted)
    }

    fn count(&mut self, event: CaseGenerated, report: &mut dyn FnMut(Event)) {
        match event.change {
            None => self.failed += 1,
            Some(change) => *self.changes.entry(change).or_default() += 1,
        }
        self.unmatched += usize::from(!event.unmatched.is_empty());
        report(Event::CaseGenerated(event));
    }

    fn made(mut self, workshop: Workshop<'_>) -> Made<'_> {
        for group in &self.rules.groups {
            if let Some(text) = &group.settings {
                let path = if group.path.is_empty() { String::new() } else { format!("{}/", group.path) };
                self.wanted.insert(format!("{path}test_group.yaml"), Wanted::Text(text.clone()));
            }
        }
        let names = self.rules.cases.iter().map(|case| &case.name);
        Made {
            _workshop: workshop,
            wanted: self.wanted,
            folders: self.rules.groups.iter().map(|group| group.path.clone()).collect(),
            cases: names.chain(self.rules.includes.iter().map(|include| &include.name)).cloned().collect(),
            failed: self.failed,
            unmatched: self.unmatched,
            changes: self.changes,
        }
    }
}

fn about(case: &str) -> CaseGenerated {
    CaseGenerated {
        case: case.to_owned(),
        files: BTreeMap::new(),
        change: None,
        command: None,
        seed: None,
        same_as: None,
        seconds: None,
        message: None,
        remarks: Vec::new(),
        unmatched: Vec::new(),
    }
}

/// How what is to be at a path differs from what is there.
pub(super) fn change(there: Option<&Path>, path: &str, wanted: &Wanted) -> Change {
    let Some(folder) = there else { return Change::New };
    match wanted.is_at(&folder.join(path)) {
        Ok(true) => Change::Unchanged,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Change::New,
        _ => Change::Changed,
    }
}

/// The way from the folder that the case `name` is in to `target`, both below `data/`.
fn relative(name: &str, target: &str) -> PathBuf {
    let mut from: Vec<_> = name.split('/').collect();
    from.pop();
    let to: Vec<_> = target.split('/').collect();
    let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let up = std::iter::repeat_n("..", from.len() - common);
    up.chain(to[common..].iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_from_folder_to_folder() {
        let from = |name, target| relative(name, target).display().to_string();
        assert_eq!(from("secret/a", "secret/b.in"), "b.in");
        assert_eq!(from("secret/1-g/a", "sample/1.in"), "../../sample/1.in");
        assert_eq!(from("secret/a", "secret/1-g/b.ans"), "1-g/b.ans");
        assert_eq!(from("secret/1-g/a", "secret/2-h/b.ans"), "../2-h/b.ans");
    }
}
