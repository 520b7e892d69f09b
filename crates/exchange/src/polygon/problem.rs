//! Reads `problem.xml`.

use std::path::Path;

use super::pattern::Pattern;
use super::xml::Element;
use crate::ExchangeError;

/// A problem of Polygon.
pub(super) struct Problem<'a> {
    pub(super) short_name: String,
    /// The URL of the problem at Polygon; `None` if the file has none.
    pub(super) url: Option<&'a str>,
    /// The problem's names, each with Polygon's name for the language.
    pub(super) names: Vec<(&'a str, &'a str)>,
    pub(super) statements: Vec<Text<'a>>,
    pub(super) tutorials: Vec<Text<'a>>,
    pub(super) keywords: Vec<&'a str>,
    pub(super) testsets: Vec<Testset<'a>>,
    /// How many times a submission runs on each test.
    pub(super) runs: u64,
    /// The element with the number of runs and the test sets.
    pub(super) judging: Element<'a>,
    /// Names of files that submissions read and write instead of their standard streams.
    pub(super) streams: Vec<&'a str>,
    pub(super) checker: Option<Source<'a>>,
    pub(super) interactor: Option<Source<'a>>,
    pub(super) validators: Vec<Source<'a>>,
    pub(super) solutions: Vec<Solution<'a>>,
    pub(super) executables: Vec<Source<'a>>,
    pub(super) resources: Vec<Source<'a>>,
    pub(super) attachments: Vec<Source<'a>>,
    /// The user's testlib.h, for packages that do not contain it.
    pub(super) testlib: Option<&'a Path>,
}

/// A statement or tutorial.
pub(super) struct Text<'a> {
    pub(super) language: &'a str,
    pub(super) path: &'a str,
    pub(super) kind: &'a str,
}

/// A file that `problem.xml` names.
pub(super) struct Source<'a> {
    /// The name of a standard checker, such as `std::wcmp.cpp`; `None` for the package's own programs.
    pub(super) name: Option<&'a str>,
    pub(super) path: &'a str,
    pub(super) kind: &'a str,
    pub(super) element: Element<'a>,
}

pub(super) struct Solution<'a> {
    pub(super) tag: &'a str,
    pub(super) source: Source<'a>,
}

pub(super) struct Testset<'a> {
    pub(super) name: &'a str,
    pub(super) time_ms: Option<u64>,
    pub(super) memory_bytes: Option<u64>,
    pub(super) input: Pattern,
    pub(super) answer: Pattern,
    pub(super) tests: Vec<Test<'a>>,
    pub(super) groups: Vec<PolygonGroup<'a>>,
    pub(super) element: Element<'a>,
}

#[derive(Clone)]
pub(super) struct Test<'a> {
    /// The position in the test set, counted from 1.
    pub(super) number: usize,
    pub(super) command: Option<&'a str>,
    pub(super) sample: bool,
    pub(super) description: Option<&'a str>,
    pub(super) group: Option<&'a str>,
    pub(super) points: Option<f64>,
    pub(super) element: Element<'a>,
}

pub(super) struct PolygonGroup<'a> {
    pub(super) name: &'a str,
    pub(super) points: Option<f64>,
    /// Whether each test gives its own points. If not, a submission must pass all tests to get the group's points.
    pub(super) each_test: bool,
    pub(super) dependencies: Vec<&'a str>,
}

/// The largest time limit allowed, in milliseconds.
const LONGEST_MS: u64 = 1_000_000_000;

/// The largest memory limit allowed, in bytes.
const LARGEST_BYTES: u64 = 1 << 44;

/// The largest number of tests allowed in a test set.
const MOST_TESTS: usize = 100_000;

/// The largest number of runs of a submission allowed on a test.
const MOST_RUNS: u64 = 2;

/// The maximum number of elements of each kind, such as groups, solutions and files. The import compares each element
/// with all others, so its time grows with the square of the number of elements.
const MOST_OF_A_KIND: usize = 1000;

pub(super) fn read<'a>(root: Element<'a>, testlib: Option<&'a Path>) -> Result<Problem<'a>, ExchangeError> {
    let testsets = root.below("judging", "testset");
    if testsets.is_empty() {
        return Err(root.wrong("there is no <testset> in <judging>; a problem needs at least one test"));
    }
    let ways = [
        ("names", "name"),
        ("statements", "statement"),
        ("judging", "testset"),
        ("assets/validators", "validator"),
        ("assets/solutions", "solution"),
        ("files/executables", "executable"),
        ("files/resources", "file"),
        ("files/attachments", "file"),
    ];
    ways.iter().try_for_each(|&(way, name)| check_count(&root, way, name))?;
    let judging = root.down("judging").unwrap_or(root);
    let testsets: Vec<_> = testsets.iter().map(testset).collect::<Result<_, _>>()?;
    if testsets.iter().all(|testset| testset.tests.is_empty()) {
        return Err(judging.wrong("there is no <test> in any <testset>"));
    }
    let texts = |way, name| -> Result<Vec<_>, ExchangeError> { root.below(way, name).iter().map(text).collect() };
    let sources = |way, name| -> Result<Vec<_>, ExchangeError> { root.below(way, name).iter().map(inner).collect() };
    let files = |way| -> Result<Vec<_>, ExchangeError> { root.below(way, "file").iter().map(source).collect() };
    Ok(Problem {
        short_name: root.attribute("short-name").unwrap_or("problem").to_owned(),
        url: root.attribute("url"),
        names: root
            .below("names", "name")
            .iter()
            .map(|name| Ok((name.required("language")?, name.required("value")?)))
            .collect::<Result<_, ExchangeError>>()?,
        statements: texts("statements", "statement")?,
        tutorials: texts("tutorials", "tutorial")?,
        keywords: root.below("tags", "tag").iter().filter_map(|tag| tag.attribute("value")).collect(),
        testsets,
        runs: runs(&judging)?,
        judging,
        streams: ["input-file", "output-file"].iter().filter_map(|name| judging.attribute(name)).collect(),
        checker: root.down("assets/checker").map(|checker| inner(&checker)).transpose()?,
        interactor: root.down("assets/interactor").map(|found| inner(&found)).transpose()?,
        validators: sources("assets/validators", "validator")?,
        solutions: root.below("assets/solutions", "solution").iter().map(solution).collect::<Result<_, _>>()?,
        executables: sources("files/executables", "executable")?,
        resources: files("files/resources")?,
        attachments: files("files/attachments")?,
        testlib,
    })
}

fn check_count(element: &Element<'_>, way: &'static str, name: &'static str) -> Result<(), ExchangeError> {
    let found = element.below(way, name).len();
    if found > MOST_OF_A_KIND {
        let message = format!("there are {found} <{name}> in <{way}>, allowed: at most {MOST_OF_A_KIND}");
        return Err(element.wrong(message));
    }
    Ok(())
}

fn runs(judging: &Element<'_>) -> Result<u64, ExchangeError> {
    let Some(text) = judging.attribute("run-count") else { return Ok(1) };
    text.parse().ok().filter(|runs| (1..=MOST_RUNS).contains(runs)).ok_or_else(|| {
        judging.wrong(format_args!("found run-count {text:?}, allowed: a whole number from 1 to {MOST_RUNS}"))
    })
}

fn text<'a>(element: &Element<'a>) -> Result<Text<'a>, ExchangeError> {
    Ok(Text {
        language: element.required("language")?,
        path: element.required("path")?,
        kind: element.attribute("type").unwrap_or_default(),
    })
}

/// Reads a file whose path is an attribute of the element.
fn source<'a>(element: &Element<'a>) -> Result<Source<'a>, ExchangeError> {
    Ok(Source {
        name: element.attribute("name"),
        path: element.required("path")?,
        kind: element.attribute("type").unwrap_or_default(),
        element: *element,
    })
}

/// Reads a file whose path is an attribute of the `<source>` in the element.
fn inner<'a>(element: &Element<'a>) -> Result<Source<'a>, ExchangeError> {
    let Some(inside) = element.down("source") else {
        return Err(element.wrong(format_args!("<{}> has no <source>", element.name())));
    };
    Ok(Source { name: element.attribute("name"), element: *element, ..source(&inside)? })
}

fn solution<'a>(element: &Element<'a>) -> Result<Solution<'a>, ExchangeError> {
    Ok(Solution { tag: element.required("tag")?, source: inner(element)? })
}

fn testset<'a>(element: &Element<'a>) -> Result<Testset<'a>, ExchangeError> {
    let tests = element.below("tests", "test");
    if tests.len() > MOST_TESTS {
        return Err(element.wrong(format_args!("there are {} tests, allowed: at most {MOST_TESTS}", tests.len())));
    }
    check_count(element, "groups", "group")?;
    let declared = element.child_text("test-count").and_then(|text| text.parse::<usize>().ok());
    if declared.is_some_and(|declared| declared != tests.len()) {
        let message = format!(
            "<test-count> is {}, but the number of <test> elements is {}",
            declared.unwrap_or_default(),
            tests.len()
        );
        return Err(element.wrong(message));
    }
    Ok(Testset {
        name: element.attribute("name").unwrap_or("tests"),
        time_ms: element.number("time-limit", LONGEST_MS)?,
        memory_bytes: element.number("memory-limit", LARGEST_BYTES)?,
        input: pattern(element, "input-path-pattern")?,
        answer: pattern(element, "answer-path-pattern")?,
        tests: tests.iter().enumerate().map(|(index, found)| test(index + 1, found)).collect::<Result<_, _>>()?,
        groups: element.below("groups", "group").iter().map(group).collect::<Result<_, _>>()?,
        element: *element,
    })
}

pub(super) fn pattern(testset: &Element<'_>, name: &'static str) -> Result<Pattern, ExchangeError> {
    let Some(element) = testset.down(name) else {
        return Err(testset.wrong(format_args!("<testset> has no <{name}>")));
    };
    let text = element.node.text().unwrap_or_default().trim();
    Pattern::new(text).ok_or_else(|| {
        element
            .wrong(format_args!("found the pattern {text:?}, allowed: a path with one %d or %02d for the test number"))
    })
}

fn test<'a>(number: usize, element: &Element<'a>) -> Result<Test<'a>, ExchangeError> {
    Ok(Test {
        number,
        command: element.attribute("cmd"),
        sample: element.attribute("sample") == Some("true"),
        description: element.attribute("description"),
        group: element.attribute("group"),
        points: points(element)?,
        element: *element,
    })
}

fn points(element: &Element<'_>) -> Result<Option<f64>, ExchangeError> {
    let Some(text) = element.attribute("points") else { return Ok(None) };
    match text.parse::<f64>() {
        Ok(points) if (0.0..=1e9).contains(&points) => Ok(Some(points)),
        _ => Err(element.wrong(format_args!("found {text:?} points, allowed: a number from 0 to 1000000000"))),
    }
}

fn group<'a>(element: &Element<'a>) -> Result<PolygonGroup<'a>, ExchangeError> {
    let policy = element.attribute("points-policy").unwrap_or("each-test");
    let each_test = match policy {
        "each-test" => true,
        "complete-group" => false,
        _ => {
            let message = format!("found points-policy {policy:?}, allowed: \"each-test\", \"complete-group\"");
            return Err(element.wrong(message));
        }
    };
    let dependencies = element.below("dependencies", "dependency");
    Ok(PolygonGroup {
        name: element.required("name")?,
        points: points(element)?,
        each_test,
        dependencies: dependencies.iter().map(|one| one.required("group")).collect::<Result<_, _>>()?,
    })
}
