//! Texts of test cases and pictures of boards that reports show beside the results. A trait provides them, because
//! this crate does not depend on packages or puzzles.

use referee_picture::Scene;

use referee_event::Excerpt;

/// Provides the texts and pictures of the package of a run.
pub trait CaseDetails {
    /// Returns the texts of a test case; `None` if no test case has that name.
    fn case(&self, name: &str) -> Option<CaseTexts>;

    /// Returns the number of a test case among those of the package, counted from 1; `None` if it is unknown.
    fn number(&self, _name: &str) -> Option<usize> {
        None
    }

    /// Returns pictures of the boards of an input and of the moves in an output. Empty if the package belongs to no
    /// puzzle.
    fn scenes(&self, input: &[u8], output: Option<&[u8]>) -> Vec<Scene>;
}

/// The texts of a test case.
pub struct CaseTexts {
    /// The package's description of what the case tests; `None` if it has none.
    pub description: Option<String>,
    /// The beginning of the input.
    pub input: Excerpt,
    /// The beginning of the answer; `None` if the case has no answer.
    pub expected: Option<Excerpt>,
}
