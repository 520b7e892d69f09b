//! The events of `referee strength`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ToolFound;
use referee_grading::verdict::Verdict;

/// The result of running a mutant on the test data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MutantFate {
    /// The mutant does not compile.
    NotCompiled,
    /// The compiler produces the same code as for the original program.
    SameCode,
    /// The compiler produces the same code as for an earlier mutant.
    SameMutant,
    /// At least one test case distinguishes the mutant from the program.
    Killed,
    /// No test case distinguishes the mutant from the program.
    Survived,
    /// No test case distinguishes the mutant from the program, and the package declares the two equivalent.
    Declared,
    /// The judge or the package's validator failed on the mutant.
    Unjudged,
}

/// It was determined whether the test data kills a mutant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MutantFinished {
    /// The mutant's number, counted from 1 over all mutants of the package, including those that were not drawn.
    pub number: usize,
    /// The program that was mutated.
    pub program: String,
    /// The role of that program: `submission`, `output_validator` or `input_validator`.
    pub role: String,
    /// The source file that was mutated.
    pub file: String,
    /// The line of the mutation, counted from 1.
    pub line: usize,
    /// The column of the mutation in characters, counted from 1.
    pub column: usize,
    /// The name of the mutation operator.
    pub operator: String,
    /// The changed lines as they are in the program, with every series of blanks shortened to one blank.
    pub was: String,
    /// The same lines in the mutant.
    pub is: String,
    /// The result.
    pub fate: MutantFate,
    /// Whether the result came from the cache.
    pub cached: bool,
    /// The earlier mutant with the same code; null if there is none.
    pub same_as: Option<usize>,
    /// The first test case or validator test that kills the mutant; null if there is none.
    pub case: Option<String>,
    /// The mutant's verdict on `case`; null if there is no such case. For a validator, the wrong verdict that it gives.
    pub verdict: Option<Verdict>,
    /// The reason for the result; null if there is none.
    pub message: Option<String>,
    /// The number of cases that kill the mutant; null if not all cases were run, or if `same_as` is not null.
    pub killers: Option<usize>,
    /// The test cases that are known to kill the mutant; null for validators, if no case was run, or if `same_as` is
    /// not null.
    pub killed_by: Option<Vec<String>>,
    /// The number of test cases on which the mutant's result is unknown; null for validators, if no case was run, or if
    /// `same_as` is not null.
    pub not_tried: Option<usize>,
    /// The mutation as a diff; null if the mutant was killed.
    pub diff: Option<String>,
    /// The reason that the package gives for declaring the mutant equivalent; null if the package has no such
    /// declaration.
    pub reason: Option<String>,
}

/// The search for an input that kills a surviving mutant has ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SurvivorHunted {
    /// The mutant's number.
    pub number: usize,
    /// The program that was mutated.
    pub program: String,
    /// Whether an input was found that distinguishes the mutant from the program.
    pub killed: bool,
    /// The number of an earlier survivor, if the input that was found for that survivor also kills this mutant; null
    /// otherwise.
    pub by_find_of: Option<usize>,
    /// How the mutant fails: `WA`, `TLE`, `MLE`, `OLE` or `RTE`. For a validator: `accepts` or `rejects` if it wrongly
    /// accepts or wrongly rejects, `fails` if it crashes or exceeds a limit. `jury` if the package's accepted
    /// submissions disagree or fail. Null if nothing was found.
    pub kind: Option<String>,
    /// The shrunk input. Bytes that are not UTF-8 are replaced. Null if nothing was found.
    pub input: Option<String>,
    /// Whether the shrunk input is legal. True if all input validators of the package accept it, or if it consists of
    /// boards of a puzzle. Null if its legality is unknown, because the package has no input validator or one of them
    /// cannot be run. Also null if nothing was found, and for a mutant of a validator.
    pub input_legal: Option<bool>,
    /// Why it is unknown whether the shrunk input is legal; null if it is legal, if nothing was found, or for a mutant of
    /// a validator.
    pub input_unchecked: Option<String>,
    /// The correct answer; null if it is not known.
    pub expected: Option<String>,
    /// The mutant's output, cut to a maximum size. For an output validator, the output that it judges wrongly. Null if
    /// there is none.
    pub got: Option<String>,
    /// Why the result is a failure; null if nothing was found.
    pub message: Option<String>,
    /// The number of inputs or outputs on which the mutant was run.
    pub tried: u64,
    /// The number of tried inputs or outputs without a result, because the package's own programs failed.
    pub unjudged: u64,
    /// Whether every possible input was tried, which proves the mutant equivalent.
    pub exhausted: bool,
    /// Whether the user interrupted the hunt.
    pub interrupted: bool,
    /// The duration in seconds.
    pub seconds: f64,
    /// Whether the shrunk input is minimal: no input that is one shrinking step smaller kills the mutant. Null if no
    /// input was found, or if the input was not shrunk.
    pub minimal: Option<bool>,
    /// Messages about inputs and programs that could not be used.
    pub remarks: Vec<String>,
    /// The files that were written.
    pub written: Vec<PathBuf>,
}

/// A test case, and the mutants that only this test case kills.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SoleKiller {
    /// The case.
    pub case: String,
    /// The numbers of the mutants that no other case kills.
    pub mutants: Vec<usize>,
}

/// The strength of the data was measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StrengthFinished {
    /// The package.
    pub package: String,
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of distinct mutants. A distinct mutant compiles, and its compiled code differs from that of the
    /// program and of every earlier mutant.
    pub mutants: usize,
    /// The number of mutants that the data kills.
    pub killed: usize,
    /// The number of mutants that survive the data and are in none of the `equivalent_...` counts. For each of them, a
    /// hunt found an input, was interrupted, got no result on any input, or did not take place.
    pub survived: usize,
    /// The number of survivors, declared equivalent or not, for which a hunt found an input that kills them. The data
    /// lacks these inputs.
    pub holes: usize,
    /// The number of survivors for which a hunt found an input on which the package's accepted submissions disagree or
    /// fail. One of those submissions is wrong; the input says nothing about the mutant.
    pub disputed: usize,
    /// The number of survivors for which nothing was found in the available time.
    pub equivalent_suspected: usize,
    /// The number of survivors that the package declares equivalent, with a reason.
    pub equivalent_declared: usize,
    /// The number of survivors that agree with the program on every possible input.
    pub equivalent_proved: usize,
    /// The number of mutants without a result.
    pub unjudged: usize,
    /// The number of changes that do not compile.
    pub not_compiled: usize,
    /// The number of changes whose compiled code equals that of the program or of an earlier mutant.
    pub same_code: usize,
    /// The number of all possible changes, from which the mutants were drawn.
    pub changes: usize,
    /// Whether only some of the changes were tried.
    pub is_sample: bool,
    /// A small set of test cases that kills the same mutants of submissions as all test cases do; null if each mutant
    /// was run only until it was killed.
    pub minimal_cases: Option<Vec<String>>,
    /// Whether `minimal_cases` is proved to be as small as possible; null if `minimal_cases` is null.
    pub minimal_is_proved: Option<bool>,
    /// Test cases that are not known to kill any mutant of a submission; null if that was not determined.
    pub idle_cases: Option<Vec<String>>,
    /// Test cases that are the only ones to kill some mutant of a submission; null if that was not determined.
    pub sole_killers: Option<Vec<SoleKiller>>,
    /// The number of pairs of a mutant and a test case that have no result. A mutant that has already failed often or
    /// slowly is not run on the remaining test cases.
    pub pairs_unknown: usize,
    /// The number of runs of mutants of submissions that had a process of their own.
    #[serde(default)]
    pub runs_alone: usize,
    /// The number of runs of mutants of submissions in a process that ran the mutant on several test cases.
    #[serde(default)]
    pub runs_together: usize,
    /// The number of killed mutants of submissions, by the verdict on the first case that kills them.
    pub by_verdict: BTreeMap<String, usize>,
    /// The numbers of mutants and of killed mutants, by mutation operator.
    pub by_operator: BTreeMap<String, (usize, usize)>,
    /// The numbers of mutants and of killed mutants, by program.
    pub by_program: BTreeMap<String, (usize, usize)>,
    /// Descriptions of mutants that the package declares equivalent although an input kills them.
    pub wrongly_declared: Vec<String>,
    /// Declarations of the package that match no mutant.
    pub stale: Vec<String>,
    /// Messages about inputs and programs that could not be used.
    pub remarks: Vec<String>,
    /// The compilers and interpreters of the mutated programs.
    pub tools: Vec<ToolFound>,
    /// Whether the user interrupted the run.
    pub interrupted: bool,
    /// The duration in seconds.
    pub seconds: f64,
}
