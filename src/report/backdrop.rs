//! What reports may show beside what happens: texts of test cases, pictures of boards. They come through a trait,
//! because reports know neither packages nor puzzles.

use reference::picture::Scene;

use crate::event::Excerpt;

/// Knows the package that a run is about.
pub trait Backdrop {
    /// The texts of a test case; `None` if there is none of that name.
    fn case(&self, name: &str) -> Option<CaseTexts>;

    /// Pictures of an input's boards, and of what an output says of them; none if the package is of no puzzle.
    fn scenes(&self, input: &[u8], output: Option<&[u8]>) -> Vec<Scene>;
}

/// What a test case consists of.
pub struct CaseTexts {
    /// What it tests, in the package's words.
    pub description: Option<String>,
    /// The beginning of its input.
    pub input: Excerpt,
    /// The beginning of its answer; `None` if it has none.
    pub expected: Option<Excerpt>,
}
