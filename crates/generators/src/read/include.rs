//! Reads the key `include`, which makes test cases appear in another folder as well.

use super::super::rules::Include;
use super::{MOST_CASES, Named, Reader, below};
use referee_package::yaml::{Node, Position, Value, shortened};

impl Reader<'_> {
    /// Returns the index of each case that an `include` names. An `include` finds only groups and cases that are read
    /// before it, so the group at the path `own` cannot include itself or a group that contains it. The members of a map
    /// are read in the order of their names.
    pub(super) fn includes(&mut self, node: &Node, own: &str) -> Vec<(Position, usize)> {
        let nodes = match &node.value {
            Value::List(nodes) => nodes.as_slice(),
            _ => std::slice::from_ref(node),
        };
        let mut cases = Vec::new();
        for node in nodes {
            // A short list may name a large group many times, so the total number of cases is limited.
            if cases.len() > MOST_CASES {
                self.source
                    .error(node.place, format!("this include names more than the {MOST_CASES} test cases allowed"));
                return Vec::new();
            }
            let Some(key) = node.as_text() else {
                self.source.not_allowed(node, "the name of a test case or group earlier in the file");
                continue;
            };
            match self.keys.get(key).map(Vec::as_slice) {
                Some([Named::Case(case)]) => cases.push((node.place, *case)),
                Some([Named::Group(path)]) if path == own || own.starts_with(&below(path, "")) => {
                    let message = format!("{:?} cannot be included in itself", shortened(key));
                    self.source.error(node.place, message);
                }
                Some([Named::Group(path)]) => {
                    let path = path.clone();
                    cases.extend(self.all_in(&path).into_iter().map(|case| (node.place, case)));
                }
                Some(_) => {
                    let message =
                        format!("{:?} is the name of several test cases or groups; rename all but one", shortened(key));
                    self.source.error(node.place, message);
                }
                None if key.contains('/') => {
                    self.source.not_allowed(node, "a name alone, without the names of the groups above it");
                }
                None => self.source.not_allowed(node, "the name of a test case or group earlier in the file"),
            }
        }
        cases
    }

    /// Returns the cases in a folder and its subfolders, with the cases that are included there.
    fn all_in(&self, path: &str) -> Vec<usize> {
        let start = below(path, "");
        let own = self.rules.cases.iter().enumerate().filter(|(_, case)| case.name.starts_with(&start));
        let included = self.rules.includes.iter().filter(|include| include.name.starts_with(&start));
        own.map(|(index, _)| index).chain(included.map(|include| include.of)).collect()
    }

    pub(super) fn include(&mut self, group: &str, case: usize, at: Position) {
        let other = &self.rules.cases[case].name;
        let name = below(group, other.rsplit('/').next().unwrap_or_default());
        match self.taken.get(&name) {
            Some(&taken) if taken == case => {}
            Some(&taken) => {
                let message = format!(
                    "{other} cannot be included as {name}: the name is already taken by the test case {}",
                    self.rules.cases[taken].name
                );
                self.source.error(at, message);
            }
            None if self.rules.len() >= MOST_CASES => {
                self.source.error(at, format!("there are more than {MOST_CASES} test cases"));
            }
            None => {
                self.taken.insert(name.clone(), case);
                self.rules.includes.push(Include { name, of: case });
            }
        }
    }
}
