//! Collects the texts from which questions ([`Question`]) are made: the package's own files, the outputs of its
//! submissions, and fixed junk texts.

use std::path::Path;

use super::question::Question;
use super::validator_cases::Test;
use crate::subject::{Role, Subject};
use referee_files::regular;
use referee_grading::verdict::Verdict;
use referee_judge::{JudgeError, Session, Settings, Submission};
use referee_package::{Package, TestCase};

/// The texts from which questions for a validator are made.
pub(super) struct Seeds {
    /// The test cases to which questions refer by index, those with the shortest files first.
    pub(super) cases: Vec<TestCase>,
    /// The texts that are changed to make questions.
    pub(super) texts: Vec<Question>,
    /// The texts that are used as questions without any change.
    pub(super) unchanged: Vec<Question>,
}

/// The maximum size of a text, in bytes; longer ones are not used.
pub(super) const LONGEST: u64 = 1 << 16;

/// The maximum number of test cases; those with the shortest files are used.
const MOST_CASES: usize = 300;

/// The maximum number of test cases that get questions made of unrelated texts: junk and, for an output validator, the
/// answers of other test cases.
const MOST_CROSSED: usize = 10;

/// The maximum number of submissions that are run, and the maximum number of test cases on which each is run.
const MOST_SUBMISSIONS: usize = 8;
const MOST_RUNS: usize = 12;

/// Texts that are unrelated to any problem.
const JUNK: [&[u8]; 14] = [
    b"",
    b"\n",
    b"\0\n",
    b"0\n",
    b"1\n",
    b"-1\n",
    b"nan\n",
    b"YES\n",
    b"NO\n",
    b"impossible\n",
    b"Impossible\n",
    b"Vk%2(qY]t=\n",
    b"\xc3\x28\xff\x80\n",
    b"99999999999999999999\n",
];

impl Seeds {
    /// Collects the texts from which the hunt against a validator makes new ones: those of its `tests` and some fixed
    /// ones. For an output validator, they include the outputs of the package's submissions, which are built and run.
    /// `package` is the package with all its validators.
    pub(super) fn of(
        subject: &Subject,
        tests: &[Test],
        package: &Package,
        settings: &Settings,
    ) -> Result<Seeds, JudgeError> {
        let validates_inputs = subject.role == Role::InputValidator;
        let mut short: Vec<_> = tests.iter().filter_map(|test| Some((length(test)?, test))).collect();
        short.sort_by_key(|(length, _)| *length);
        short.truncate(MOST_CASES);
        let mut seeds = Seeds { cases: Vec::new(), texts: Vec::new(), unchanged: Vec::new() };
        for (case, (_, test)) in short.into_iter().enumerate() {
            seeds.cases.push(test.case.clone());
            let file = test.output_file().map_or_else(|| test.case.input(), Path::to_path_buf);
            seeds.texts.extend(read(&file).map(|bytes| Question::new(&bytes, case)));
        }
        seeds.add_unchanged(JUNK.iter().map(|junk| junk.to_vec()).collect());
        if !validates_inputs {
            let answers: Vec<_> = seeds.texts.iter().take(MOST_CROSSED).map(Question::bytes).collect();
            seeds.add_unchanged(answers);
            seeds.add_outputs(package, settings)?;
        }
        Ok(seeds)
    }

    /// Adds each of these texts to `unchanged`, once for each of the first [`MOST_CROSSED`] test cases.
    fn add_unchanged(&mut self, texts: Vec<Vec<u8>>) {
        let cases = self.cases.len().min(MOST_CROSSED);
        for bytes in texts {
            self.unchanged.extend((0..cases).map(|case| Question::new(&bytes, case)));
        }
    }

    /// Adds the outputs of some of the package's submissions on some test cases, beginning with the submissions outside
    /// `accepted`. Such outputs include real wrong answers, and correct answers that differ from the jury's.
    fn add_outputs(&mut self, package: &Package, settings: &Settings) -> Result<(), JudgeError> {
        let trials = Session::open(package, settings)?.trials()?;
        let mut jury = Submission::of_jury(package);
        jury.sort_by_key(|one| one.name.starts_with("accepted/"));
        let mut outputs = Vec::new();
        for submission in jury.iter().take(MOST_SUBMISSIONS) {
            let Ok(contender) = trials.build(submission)?.1 else { continue };
            for (index, case) in self.cases.iter().enumerate().take(MOST_RUNS) {
                let Some(input) = read(&case.input()) else { continue };
                let attempt = trials.attempt(&contender, case, &input)?;
                match attempt.failure {
                    // The submission will probably take as long on the other test cases.
                    Some((Verdict::TimeLimitExceeded, _)) => break,
                    _ if attempt.output.len() as u64 > LONGEST => {}
                    _ => outputs.push(Question::new(&attempt.output, index)),
                }
            }
        }
        self.texts.extend(outputs.iter().cloned());
        outputs.append(&mut self.unchanged);
        self.unchanged = outputs;
        Ok(())
    }
}

/// Returns the total size of a test's input and output in bytes; `None` if one of them is too long or not a regular
/// file.
fn length(test: &Test) -> Option<u64> {
    let input = test.case.input();
    let files = [Some(&*input), test.output_file()];
    let length = |path: &Path| path.metadata().ok().filter(|found| found.is_file() && found.len() <= LONGEST);
    files.into_iter().flatten().map(|path| Some(length(path)?.len())).sum()
}

/// Reads a file of a test. Returns `None` if it is too long, not a regular file or unreadable.
pub(super) fn read(path: &Path) -> Option<Vec<u8>> {
    regular::read(path, LONGEST).ok()
}
