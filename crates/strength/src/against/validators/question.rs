//! A question: a text on which a mutant of a validator and the unchanged validator are compared.

use std::sync::Arc;

use referee_hunt::texts::tokens::TokenLines;

/// An output for a test case, or an input, on which the mutant and the unchanged validator are run.
#[derive(Clone)]
pub(super) struct Question {
    pub(super) lines: Arc<TokenLines>,
    /// The index of a test case. An output is judged as an output for this test case. An input is judged with the
    /// arguments and files of this test case.
    pub(super) case: usize,
}

impl Question {
    pub(super) fn new(bytes: &[u8], case: usize) -> Question {
        Question { lines: Arc::new(TokenLines::read(bytes)), case }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        self.lines.bytes()
    }
}
