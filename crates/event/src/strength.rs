//! What `referee strength` tells.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ToolFound;
use referee_grading::verdict::Verdict;

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MutantFate {
    /// It does not compile.
    NotCompiled,
    /// The compiler makes the same of it as of the program.
    SameCode,
    /// The compiler makes the same of it as of an earlier mutant.
    SameMutant,
    /// Some test case tells it from the program.
    Killed,
    /// None does.
    Survived,
    /// None does, and the package says that none can.
    Declared,
    /// The judge or the package's validator failed on it.
    Unjudged,
}

/// The data was held against a mutant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MutantFinished {
    /// Its number, counted from 1 over all programs of the package, drawn or not.
    pub number: usize,
    /// The program that was changed.
    pub program: String,
    /// What it is for: `submission`, `output_validator` or `input_validator`.
    pub role: String,
    /// The source that was changed.
    pub file: String,
    /// Where the change begins, from 1.
    pub line: usize,
    /// The same, in characters.
    pub column: usize,
    /// What kind of mistake it is.
    pub operator: String,
    /// The lines that the change is in, with single blanks.
    pub was: String,
    /// What they are in the mutant.
    pub is: String,
    /// What became of it.
    pub fate: MutantFate,
    /// Whether that is what earlier runs have found out.
    pub cached: bool,
    /// The earlier mutant that is the same.
    pub same_as: Option<usize>,
    /// The first test case, or test of validators, that kills it.
    pub case: Option<String>,
    /// Its verdict there; of a validator what it says instead of what it should.
    pub verdict: Option<Verdict>,
    /// Why.
    pub message: Option<String>,
    /// How many cases kill it; `None` if not all were run, or none was.
    pub killers: Option<usize>,
    /// The test cases that are known to kill it; `None` of validators, and where none was run.
    pub killed_by: Option<Vec<String>>,
    /// On how many test cases nothing is known of it.
    pub not_tried: Option<usize>,
    /// The change as a diff, of those that are not killed.
    pub diff: Option<String>,
    /// Why it is equivalent, where the package says so.
    pub reason: Option<String>,
}

/// A mutant that survives was hunted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SurvivorHunted {
    /// The mutant.
    pub number: usize,
    /// The program that was changed.
    pub program: String,
    /// Whether something was found that tells it from the program.
    pub killed: bool,
    /// The earlier survivor whose find kills this one, too.
    pub by_find_of: Option<usize>,
    /// How it fails: `WA`, `TLE`, `MLE`, `OLE` or `RTE`; of a validator `accepts` or `rejects` what it should not, or
    /// `fails`; `jury` if it is the package's accepted submissions that do not agree, or fail.
    pub kind: Option<String>,
    /// The input, made as small as it could be. What is no UTF-8 is replaced.
    pub input: Option<String>,
    /// The right answer, where there is one.
    pub expected: Option<String>,
    /// What the mutant wrote, cut; of an output validator the output that it misjudges.
    pub got: Option<String>,
    /// Why that is a failure.
    pub message: Option<String>,
    /// On how many inputs or outputs it was run.
    pub tried: u64,
    /// On how many of them nobody could tell, because the package's own programs failed.
    pub unjudged: u64,
    /// Whether there is no other input: it is equivalent.
    pub exhausted: bool,
    /// Whether the user ended it.
    pub interrupted: bool,
    /// How long that took.
    pub seconds: f64,
    /// Whether nothing one step smaller kills it; `None` if nothing was found, or nothing was made smaller.
    pub minimal: Option<bool>,
    /// What else is to be known, in words.
    pub remarks: Vec<String>,
    /// Files that were written.
    pub written: Vec<PathBuf>,
}

/// A test case that alone kills some mutants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SoleKiller {
    /// The case.
    pub case: String,
    /// The mutants that no other case kills, by their numbers.
    pub mutants: Vec<usize>,
}

/// The data's strength was measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StrengthFinished {
    /// The package.
    pub package: String,
    /// The seed of everything that was drawn.
    pub seed: u64,
    /// How many mutants say something of the data: those that compile, and are not the same as the program or as one
    /// another.
    pub mutants: usize,
    /// Those that the data kills.
    pub killed: usize,
    /// Those that it does not, although something does that was found, or nobody looked.
    pub survived: usize,
    /// Survivors, declared equivalent or not, for which a hunt has found something: what the data lacks.
    pub holes: usize,
    /// Survivors on whose find the package's own accepted submissions do not agree, or fail: it says that one of those
    /// is wrong, and nothing of the mutant.
    pub disputed: usize,
    /// Those for which nothing was found in the time there was.
    pub equivalent_suspected: usize,
    /// Those that the package declares equivalent, with a reason.
    pub equivalent_declared: usize,
    /// Those that survive and agree with the program on all inputs there are.
    pub equivalent_proved: usize,
    /// Those on which nobody can tell.
    pub unjudged: usize,
    /// Of all changes, those that do not compile.
    pub not_compiled: usize,
    /// Of all changes, those of which the compiler makes the same as of the program, or of another one.
    pub same_code: usize,
    /// All changes there are, of which these were drawn.
    pub changes: usize,
    /// Whether only some of the changes were looked at.
    pub is_sample: bool,
    /// A set of test cases that kills the same mutants of submissions; `None` if each was run until it was killed only.
    pub minimal_cases: Option<Vec<String>>,
    /// Whether there is no smaller one; else there may be.
    pub minimal_is_proved: Option<bool>,
    /// Test cases that are not known to kill any mutant of a submission.
    pub idle_cases: Option<Vec<String>>,
    /// Test cases without which some mutant of a submission would survive.
    pub sole_killers: Option<Vec<SoleKiller>>,
    /// On how many pairs of a mutant and a case nothing is known, because the mutant had failed often enough, or
    /// slowly.
    pub pairs_unknown: usize,
    /// Killed ones of submissions by the verdict on the first case that kills them.
    pub by_verdict: BTreeMap<String, usize>,
    /// Mutants and those killed of them, by kind of mistake.
    pub by_operator: BTreeMap<String, (usize, usize)>,
    /// The same by program.
    pub by_program: BTreeMap<String, (usize, usize)>,
    /// Mutants that the package declares equivalent and something kills, in words.
    pub wrongly_declared: Vec<String>,
    /// Declarations that no mutant is like.
    pub stale: Vec<String>,
    /// What could not be made use of, in words.
    pub remarks: Vec<String>,
    /// The compilers and interpreters of the programs that were changed.
    pub tools: Vec<ToolFound>,
    /// Whether the user ended it.
    pub interrupted: bool,
    /// How long it took.
    pub seconds: f64,
}
