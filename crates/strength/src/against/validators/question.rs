//! A text on which a validator can be run.

use std::sync::Arc;

use referee_hunt::texts::tokens::TokenLines;

/// The text of a question: an output for a test case, or an input.
#[derive(Clone)]
pub(super) struct Question {
    pub(super) sheet: Arc<TokenLines>,
    /// The index of the test case to which the output belongs, or whose arguments and files are used with the input.
    pub(super) like: usize,
}

impl Question {
    pub(super) fn new(bytes: &[u8], like: usize) -> Question {
        Question { sheet: Arc::new(TokenLines::read(bytes)), like }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        self.sheet.bytes()
    }
}
