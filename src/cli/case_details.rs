//! Gives reports the texts and pictures of test cases.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use referee_picture::Scene;
use reference::puzzle::Puzzle;

use crate::puzzles::agreed_answers;
use crate::puzzles::pictures;
use referee_judge as judge;
use referee_package::{Package, TestCase};
use referee_report::{CaseDetails, CaseTexts};

/// The test cases of a package, and its puzzle.
struct OfPackage {
    cases: Arc<Vec<TestCase>>,
    /// The indices of the test cases, sorted by name. They are computed for the first test case that a report shows,
    /// because a package may have 100,000 test cases and a report may show none.
    by_name: OnceCell<Vec<u32>>,
    puzzle: Option<&'static dyn Puzzle>,
}

impl OfPackage {
    fn find(&self, name: &str) -> Option<&TestCase> {
        self.index(name).map(|index| &self.cases[index])
    }

    /// Returns the place of a test case in the package, counted from 0; `None` if no test case has that name.
    fn index(&self, name: &str) -> Option<usize> {
        let of = |index: &u32| &self.cases[*index as usize];
        let by_name = self.by_name.get_or_init(|| {
            let mut indices: Vec<_> = (0..self.cases.len() as u32).collect();
            indices.sort_unstable_by_key(|index| &of(index).name);
            indices
        });
        by_name.binary_search_by(|index| (*of(index).name).cmp(name)).ok().map(|place| by_name[place] as usize)
    }
}

/// Returns the source of the texts and pictures of a package's test cases.
pub(super) fn of(package: &Package) -> Rc<dyn CaseDetails> {
    let cases = Arc::clone(&package.cases);
    Rc::new(OfPackage { cases, by_name: OnceCell::new(), puzzle: agreed_answers::puzzle_of(package) })
}

impl CaseDetails for OfPackage {
    fn case(&self, name: &str) -> Option<CaseTexts> {
        let case = self.find(name)?;
        let has_answer = case.answer().is_file();
        Some(CaseTexts {
            description: case.description.as_deref().cloned(),
            input: judge::beginning(&case.input()),
            expected: has_answer.then(|| judge::beginning(&case.answer())),
        })
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.index(name).map(|index| index + 1)
    }

    fn scenes(&self, input: &[u8], output: Option<&[u8]>) -> Vec<Scene> {
        self.puzzle.map(|puzzle| pictures::scenes(puzzle, input, output)).unwrap_or_default()
    }
}
