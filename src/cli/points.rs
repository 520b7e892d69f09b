//! The options `--points` and `--weight` of `grade`, which give every submission 0 to 100 points.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::{Args, ValueEnum};

use super::{Failure, nearest};
use referee_compare::Dialect;
use referee_grading::points::{self, Scheme, Unit, UnitKind};
use referee_grading::score::{Objective, Score, Tree};
use referee_package::glob::Glob;
use referee_package::{Package, TestCase};
use referee_report::counted;

/// The options about points.
#[derive(Debug, Args)]
pub(super) struct PointsArguments {
    /// Give every program 0 to 100 points: its share of accepted test cases, or of groups that are wholly accepted
    ///
    /// All programs run on all test cases. Samples do not count, unless a --weight names them or there are no other
    /// cases. A scoring package keeps its own scores: the points are the score, divided by the best possible score,
    /// times 100. Points are rounded to hundredths, half up. A program that does not compile gets 0. A program that was
    /// not judged gets none.
    #[arg(
        long, value_name = "BY", num_args = 0..=1, require_equals = true, default_missing_value = "cases",
        conflicts_with = "stop_early", help_heading = "Marks"
    )]
    points: Option<By>,

    /// The weight of the test cases or groups whose names match, e.g. 'secret/hard*=2.5' [default: 1, of samples 0]
    ///
    /// If several options match a name, the last one counts. With --points=groups, GLOB must match the name of a
    /// group, such as secret/1-easy.
    #[arg(
        long = "weight", value_name = "GLOB=NUMBER", value_parser = weight, requires = "points",
        help_heading = "Marks"
    )]
    weights: Vec<Weight>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum By {
    /// Every test case counts
    Cases,
    /// A folder below data/secret counts if all its test cases are accepted
    Groups,
}

/// A value of `--weight`.
#[derive(Clone, Debug)]
struct Weight {
    pattern: String,
    glob: Glob,
    number: Score,
}

/// The largest weight. A larger one is probably a mistake.
const LARGEST_WEIGHT: u64 = 1_000_000;

/// Parses a value of `--weight`.
fn weight(text: &str) -> Result<Weight, String> {
    let (pattern, number) = text.rsplit_once('=').ok_or("expected GLOB=NUMBER, such as 'secret/hard*=2'")?;
    let glob = Glob::new(pattern).map_err(|error| error.to_string())?;
    let number = Score::parse(number)
        .filter(|number| !number.is_negative() && *number <= Score::whole(LARGEST_WEIGHT))
        .ok_or_else(|| format!("the weight {number:?} is not allowed; allowed: 0 to {LARGEST_WEIGHT}"))?;
    Ok(Weight { pattern: pattern.to_owned(), glob, number })
}

/// Joins `--points` with a following `cases` or `groups` into one argument. clap cannot do this: it would take any
/// argument after `--points` for its value, such as the package. Also joins a misspelt value, which clap then refuses
/// with a hint, unless there is a file of this name.
pub(super) fn joined(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let (mut joined, mut is_over): (Vec<OsString>, _) = (Vec::new(), false);
    for argument in arguments {
        let is_value = argument == "cases" || argument == "groups" || is_misspelt(&argument);
        match joined.last_mut() {
            Some(last) if is_value && !is_over && last == "--points" => {
                last.push("=");
                last.push(argument);
            }
            _ => {
                is_over |= argument == "--";
                joined.push(argument);
            }
        }
    }
    joined
}

fn is_misspelt(argument: &OsStr) -> bool {
    let word = argument.to_str().unwrap_or_default().to_lowercase();
    ["case", "cases", "group", "groups"].contains(&word.as_str()) && !Path::new(argument).exists()
}

impl PointsArguments {
    /// Returns whether programs get points.
    pub(super) fn are_given(&self) -> bool {
        self.points.is_some()
    }

    /// Returns how submissions get points on `cases`, which are all or some of the package's test cases. `None` without
    /// `--points`. Fails if a weight matches nothing, or if the package's scores have no maximum.
    pub(super) fn scheme(
        &self,
        package: &Package,
        cases: &[TestCase],
        dialect: Dialect,
    ) -> Result<Option<Scheme>, Failure> {
        let Some(by) = self.points else { return Ok(None) };
        let is_whole = cases.len() == package.cases.len();
        if package.kind.scoring {
            return self.of_scores(package, is_whole, dialect).map(Some);
        }
        let kind = match by {
            By::Cases => UnitKind::Cases,
            By::Groups => UnitKind::Groups,
        };
        // A run on a part of the cases leaves out the static tests.
        let tests = package.static_tests.iter().filter(|_| is_whole).map(|test| test.name.as_str());
        let names: Vec<_> = cases.iter().map(|case| &*case.name).chain(tests).collect();
        let mut units = points::units(kind, names.iter().copied());
        if kind == UnitKind::Groups && !units.iter().any(|unit| unit.name.contains('/')) {
            let message = format!("--points=groups: the package {} has no groups", package.name);
            return Err(Failure::unusable(message)
                .with_hint("a group is a folder below data/secret; use --points=cases, or move the test cases"));
        }
        for weight in &self.weights {
            weight.apply(kind, &mut units)?;
        }
        let scheme = Scheme::of_weights(kind, units, names);
        scheme.map(Some).ok_or_else(|| {
            Failure::unusable("the weights of all test cases are 0, so there are no points to give")
                .with_hint("give at least one test case a --weight above 0")
        })
    }

    /// Returns the points of a scoring package.
    fn of_scores(&self, package: &Package, is_whole: bool, dialect: Dialect) -> Result<Scheme, Failure> {
        let name = &package.name;
        if let Some(weight) = self.weights.first() {
            let message = format!("--weight {}: the package {name} scores by itself", weight.pattern);
            return Err(Failure::unusable(message)
                .with_hint("leave out --weight; change the scores in the package's test_group.yaml or testdata.yaml"));
        }
        if !is_whole {
            let message = format!("--points: the package {name} scores by itself, which needs all its test cases");
            return Err(Failure::unusable(message).with_hint("leave out --cases or --points"));
        }
        let tree = match dialect {
            Dialect::Spec | Dialect::Kattis => Some(&package.tree),
            Dialect::Domjudge => package.domjudge_tree.as_ref(),
        };
        if tree.is_some_and(|tree| tree.objective == Objective::Min) {
            let message = format!("--points: in the package {name}, smaller scores are better");
            return Err(Failure::unusable(message).with_hint("use the scores; they are in every report"));
        }
        let best = tree.and_then(|tree: &Tree| tree.best(tree.whole()?)).cloned();
        best.and_then(Scheme::of_scores).ok_or_else(|| {
            let message =
                format!("--points: the scores of the package {name} have no maximum, so 100 points are undefined");
            Failure::unusable(message).with_hint(match dialect {
                Dialect::Domjudge => "leave out --as domjudge: scores have no maximum there",
                _ if package.version.is_legacy() => "give 'range' in data/testdata.yaml a maximum above 0",
                _ => "write a 'max_score' above 0 into data/secret/test_group.yaml",
            })
        })
    }
}

impl Weight {
    /// Gives the units that match the pattern their weight. Fails if none matches.
    fn apply(&self, kind: UnitKind, units: &mut [Unit]) -> Result<(), Failure> {
        let mut is_used = false;
        for unit in units.iter_mut().filter(|unit| self.glob.matches(&unit.name)) {
            unit.weight = self.number.clone();
            is_used = true;
        }
        if is_used {
            return Ok(());
        }
        let noun = if kind == UnitKind::Cases { "test case" } else { "group" };
        let some: Vec<_> = units.iter().take(3).map(|unit| unit.name.as_str()).collect();
        let more = if units.len() > some.len() { ", ..." } else { "" };
        let rest = format!("this run has {}: {}{more}", counted(units.len(), noun), some.join(", "));
        let names = units.iter().map(|unit| unit.name.as_str());
        Err(Failure::unusable(format!("no {noun} matches --weight {}", self.pattern)).with_hint(nearest::hint(
            &self.pattern,
            names,
            &rest,
        )))
    }
}

/// Says on standard error which test cases give no points.
pub(super) fn print_remarks(scheme: &Scheme, package: &Package, cases: &[TestCase]) {
    let (used, all) = (cases.len(), package.cases.len());
    if used < all {
        let text = format!("points count {used} of {}, because of --cases", counted(all, "test case"));
        super::eprint_message("", 0, &text);
    }
    let weightless = scheme.weightless_cases();
    if weightless > 0 {
        let cases = counted(weightless, "test case");
        let text = format!("{cases} without points: samples have the weight 0, unless --weight names them");
        super::eprint_message("", 0, &text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined_text(arguments: &[&str]) -> String {
        let joined = joined(arguments.iter().map(OsString::from));
        joined.iter().map(|argument| argument.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn only_the_word_of_an_option_is_joined_with_it() {
        assert_eq!(joined_text(&["grade", "--points", "groups", "p"]), "grade --points=groups p");
        assert_eq!(joined_text(&["grade", "--points", "p", "cases"]), "grade --points p cases");
        assert_eq!(joined_text(&["grade", "--points=cases", "groups"]), "grade --points=cases groups");
        assert_eq!(joined_text(&["grade", "--", "--points", "groups"]), "grade -- --points groups");
    }

    #[test]
    fn a_weight_is_a_decimal_that_is_not_negative() {
        let found = weight("secret/a=b*=2.5").unwrap();
        assert_eq!((found.pattern.as_str(), found.number), ("secret/a=b*", Score::parse("2.5").unwrap()));
        for text in ["secret", "secret=", "secret=x", "secret=-1", "secret=1e7", "sec{ret=1", "secret=1/3"] {
            assert!(weight(text).is_err(), "{text}");
        }
    }
}
