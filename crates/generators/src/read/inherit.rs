//! Reads the settings that a group passes on to its groups and cases.

use super::super::rules::{Inherited, Solution};
use super::Reader;
use referee_package::yaml::Fields;

/// The maximum number of attempts of a generator.
const MOST_RETRIES: u64 = 10_000;

impl Reader<'_> {
    pub(super) fn inherited(&mut self, fields: &mut Fields, above: &Inherited) -> Inherited {
        let mut own = above.clone();
        if fields.has("solution") {
            // An empty value cancels the inherited solution.
            let node = fields.take("solution");
            own.solution = node.map_or(Some(Solution::None), |node| self.solution(&node)).unwrap_or(Solution::None);
        } else {
            let _ = fields.take("solution");
        }
        if let Some(node) = fields.take("random_salt") {
            match node.as_text() {
                Some(salt) => salt.clone_into(&mut own.random_salt),
                None => self.source.not_allowed(&node, "a text; put a number in quotes"),
            }
        }
        if let Some(node) = fields.take("retries") {
            own.retries = self.source.whole_number(&node, 1, MOST_RETRIES).map_or(1, |retries| retries as u32);
        }
        own
    }

    /// Reads a path such as `/submissions/accepted/a.py`. It is relative to the package's folder and has no `..`,
    /// blanks or arguments. Reports an error and returns `None` for any other value.
    fn solution(&mut self, node: &referee_package::yaml::Node) -> Option<Solution> {
        let path = node.as_text().and_then(|text| text.trim().strip_prefix('/'));
        let is_plain = |path: &&str| {
            !path.is_empty() && !path.contains('\0') && !path.split('/').any(|part| part == "..") && !path.contains(' ')
        };
        let Some(path) = path.filter(is_plain) else {
            self.source
                .not_allowed(node, "the path of a program, from the package's folder: /submissions/accepted/a.py");
            return None;
        };
        Some(Solution::Program(path.to_owned()))
    }
}
