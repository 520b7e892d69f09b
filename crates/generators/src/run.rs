//! Runs the rules. Each program is built once, each rule is run once, and results are reported in the order of the
//! rules.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

use super::content::TargetContent;
use super::make::{MakeError, Maker, Product};
use super::programs::Builder;
use super::results::Results;
use super::rules::{Case, Rules};
use super::{GenerateError, solution};
use referee_event::{Change, Event};
use referee_judge::package_program::PackagePrograms;
use referee_judge::{JudgeError, Session, Settings, in_order};
use referee_package::Package;
use referee_sandbox::SandboxError;

/// The generated files, in temporary folders that exist as long as this value.
pub struct Made<'a> {
    /// Owns the temporary folders with the files.
    pub(super) _package_programs: PackagePrograms<'a>,
    /// The content of each path below `data/`.
    pub(super) wanted: BTreeMap<String, TargetContent>,
    /// The folders, relative to `data/`.
    pub(super) folders: BTreeSet<String>,
    /// The names of all test cases, including those that could not be made.
    pub(super) cases: BTreeSet<String>,
    /// See [`Rules::has_unknown_keys`].
    pub(super) has_unknown_keys: bool,
    /// The number of test cases that could not be made.
    pub failed: usize,
    /// The number of test cases in which a pattern of their rule was not found.
    pub unmatched: usize,
    /// The number of unchanged, changed and new test cases.
    pub changes: BTreeMap<Change, usize>,
}

/// Makes all test cases and passes an event for each of them to `report`, in the order of the rules. Compares the
/// results with the folder `existing`; if it is `None`, all files are new. Fails if the judge fails or is interrupted.
pub fn run<'a>(
    package: &'a Package,
    rules: &Rules,
    settings: &'a Settings,
    existing: Option<&Path>,
    report: &mut dyn FnMut(Event),
) -> Result<Made<'a>, GenerateError> {
    let package_programs = Session::open(package, settings)?.package_programs()?;
    let builder = Builder { package, rules, package_programs: &package_programs, jobs: settings.jobs };
    let generators = rules.cases.iter().filter_map(|case| Some(&case.command.as_ref()?.program));
    let generators = builder.build(generators.collect(), |name| builder.generator(name), report)?;
    let solutions =
        rules.cases.iter().filter(|case| needs_solution(case, package)).map(|case| &case.inherited.solution);
    let solutions = builder.build(solutions.collect(), |solution| builder.solution(solution), report)?;
    let mut results = Results::new(rules, existing);
    let distinct: Vec<usize> =
        (0..rules.cases.len()).filter(|&index| rules.cases[index].duplicate_of.is_none()).collect();
    let work = |number: usize| {
        let case = &rules.cases[distinct[number]];
        let folder = package_programs.path().join(format!("case-{number}"));
        let generator = case.command.as_ref().and_then(|command| generators.get(&command.program));
        let solution = solutions.get(&case.inherited.solution).filter(|_| needs_solution(case, package));
        let maker = |generator, solution| Maker {
            package,
            package_programs: &package_programs,
            case,
            folder,
            generator,
            solution,
        };
        let started = Instant::now();
        let product = match (generator.map(Result::as_ref).transpose(), solution.map(Result::as_ref).transpose()) {
            (Err(reason), _) => Err(MakeError::Failed(format!("the generator cannot be used: {reason}"))),
            (_, Err(reason)) => Err(MakeError::Failed(format!("the solution cannot be used: {reason}"))),
            (Ok(generator), Ok(solution)) => maker(generator, solution).make(),
        };
        (product, started.elapsed().as_secs_f64())
    };
    in_order(settings.jobs, distinct.len(), &|| false, work, |number, (product, seconds)| {
        results.add_duplicates_until(distinct[number], report);
        results.add_product(distinct[number], rule_result(product)?, seconds, report);
        Ok::<_, GenerateError>(())
    })?;
    results.add_duplicates_until(rules.cases.len(), report);
    results.add_includes(report);
    Ok(results.into_made(package_programs))
}

/// Returns the product, or the message if the rule or one of its programs failed. Fails if the judge failed.
fn rule_result(product: Result<Product, MakeError>) -> Result<Result<Product, String>, JudgeError> {
    match product {
        Ok(product) => Ok(Ok(product)),
        Err(MakeError::Failed(message)) => Ok(Err(message)),
        Err(MakeError::Sandbox(SandboxError::Interrupted)) => Err(JudgeError::Interrupted),
        Err(MakeError::Sandbox(error)) => {
            Err(JudgeError::System { doing: "generating a test case", source: std::io::Error::other(error) })
        }
    }
}

fn needs_solution(case: &Case, package: &Package) -> bool {
    let has_answer = case.literals.iter().any(|(ending, _)| *ending == "ans");
    solution::can_print_answers(package) && solution::is_needed(case) && case.duplicate_of.is_none() && !has_answer
}
