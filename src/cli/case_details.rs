//! Gives reports the texts and pictures of test cases.

use std::collections::HashMap;
use std::rc::Rc;

use referee_picture::Scene;
use reference::puzzle::Puzzle;

use crate::puzzles::agreed_answers;
use crate::puzzles::pictures;
use referee_judge as judge;
use referee_package::{Package, TestCase};
use referee_report::{CaseDetails, CaseTexts};

/// The test cases of a package, and its puzzle.
struct OfPackage {
    cases: HashMap<String, TestCase>,
    puzzle: Option<&'static dyn Puzzle>,
}

/// Returns the source of the texts and pictures of a package's test cases.
pub(super) fn of(package: &Package) -> Rc<dyn CaseDetails> {
    let cases = package.cases.iter().map(|case| (case.name.clone(), case.clone())).collect();
    Rc::new(OfPackage { cases, puzzle: agreed_answers::puzzle_of(package) })
}

impl CaseDetails for OfPackage {
    fn case(&self, name: &str) -> Option<CaseTexts> {
        let case = self.cases.get(name)?;
        let has_answer = case.answer.is_file();
        Some(CaseTexts {
            description: case.description.clone(),
            input: judge::beginning(&case.input),
            expected: has_answer.then(|| judge::beginning(&case.answer)),
        })
    }

    fn scenes(&self, input: &[u8], output: Option<&[u8]>) -> Vec<Scene> {
        self.puzzle.map(|puzzle| pictures::scenes(puzzle, input, output)).unwrap_or_default()
    }
}
