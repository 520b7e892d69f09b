//! The problems and submissions of the DOMjudge server for tests.

use std::collections::{BTreeMap, BTreeSet};

/// A script: its files, each with its name and content. All of them are executable.
pub(super) type Script = Vec<(&'static str, String)>;

/// A problem.
#[derive(Clone)]
#[expect(clippy::struct_excessive_bools, reason = "the flags are independent of each other")]
pub(super) struct Problem {
    /// The input and the answer of each test case.
    pub(super) cases: Vec<(String, String)>,
    /// The compare script. In interactive problems, the jury's program.
    pub(super) validator: Script,
    /// Whether the user calls the compare script DOMjudge's own.
    pub(super) has_default_validator: bool,
    pub(super) is_interactive: bool,
    pub(super) is_scoring: bool,
    pub(super) pass_limit: u32,
    pub(super) arguments: Option<&'static str>,
    pub(super) time_limit: f64,
    /// Whether the server sends other inputs than those of the hashes.
    pub(super) is_damaged: bool,
    /// MiB.
    pub(super) memory: u32,
    /// KiB.
    pub(super) output: u32,
}

/// A submission, and what the server knows about it.
pub(super) struct Submission {
    pub(super) problem: usize,
    pub(super) files: Vec<(String, String)>,
    /// Whether it compiles; `None` if no judgehost said so.
    pub(super) compiles: Option<bool>,
    /// The compiler's output.
    pub(super) compile_output: String,
    /// The entry point that the judgehost reported.
    pub(super) entry_point: Option<String>,
    /// The forms of the results, by test case.
    pub(super) results: BTreeMap<usize, BTreeMap<String, String>>,
    /// The verdicts that it got, in order. More than one is a mistake.
    pub(super) verdicts: Vec<String>,
    /// The test cases that were handed out.
    pub(super) handed_out: BTreeSet<usize>,
    /// Whether an internal error stopped it.
    pub(super) is_stopped: bool,
}

impl Problem {
    /// A problem whose output must equal the answer.
    pub(super) fn equal(cases: &[(&str, &str)]) -> Problem {
        Problem {
            cases: cases.iter().map(|(input, answer)| ((*input).to_owned(), (*answer).to_owned())).collect(),
            validator: vec![("run", "#!/bin/sh\ncmp -s \"$2\" - && exit 42\nexit 43\n".to_owned())],
            has_default_validator: false,
            is_interactive: false,
            is_scoring: false,
            pass_limit: 1,
            arguments: None,
            time_limit: 1.0,
            is_damaged: false,
            memory: 256,
            output: 1024,
        }
    }
}

impl Submission {
    pub(super) fn new(problem: usize, name: &str, text: &str) -> Submission {
        Submission {
            problem,
            files: vec![(name.to_owned(), text.to_owned())],
            compiles: None,
            compile_output: String::new(),
            entry_point: None,
            results: BTreeMap::new(),
            verdicts: Vec::new(),
            handed_out: BTreeSet::new(),
            is_stopped: false,
        }
    }
}
