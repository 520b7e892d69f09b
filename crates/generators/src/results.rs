//! Collects the results of the rules: the path of each file, and how it differs from the existing file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::content::{Content, Files, TargetContent};
use super::make::Product;
use super::rules::Rules;
use super::run::Made;
use referee_event::{CaseGenerated, Change, Event};
use referee_judge::package_program::PackagePrograms;

/// The results collected so far.
pub(super) struct Results<'a> {
    rules: &'a Rules,
    existing: Option<&'a Path>,
    /// The files of each case, in the order of the rules; `None` if the case could not be made.
    files: Vec<Option<Files>>,
    wanted: BTreeMap<String, TargetContent>,
    failed: usize,
    unmatched: usize,
    changes: BTreeMap<Change, usize>,
}

impl<'a> Results<'a> {
    pub(super) fn new(rules: &'a Rules, existing: Option<&'a Path>) -> Self {
        let (files, wanted, changes) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        Results { rules, existing, files, wanted, failed: 0, unmatched: 0, changes }
    }

    pub(super) fn add_product(
        &mut self,
        index: usize,
        product: Result<Product, String>,
        seconds: f64,
        report: &mut dyn FnMut(Event),
    ) {
        let case = &self.rules.cases[index];
        let mut event = new_event(&case.name);
        event.seconds = Some(seconds);
        event.command = case.command.as_ref().map(|command| command.shown(command.seed));
        match product {
            Err(message) => {
                event.message = Some(message);
                self.files.push(None);
            }
            Ok(product) => {
                event.seed = product.seed;
                if let (Some(command), Some(seed)) = (&case.command, product.seed) {
                    event.command = Some(command.shown(seed));
                }
                (event.remarks, event.unmatched) = (product.remarks, product.unmatched);
                self.record_files(&case.name, &product.files, None, &mut event);
                self.files.push(Some(product.files));
            }
        }
        self.count(event, report);
    }

    /// Adds the results of the next cases, as long as each has the same rule as an earlier case. Stops at the index
    /// `end`, or at the first case whose rule no earlier case has.
    pub(super) fn add_duplicates_until(&mut self, end: usize, report: &mut dyn FnMut(Event)) {
        while self.files.len() < end {
            let case = &self.rules.cases[self.files.len()];
            let Some(duplicate) = case.duplicate_of else { return };
            let other = &self.rules.cases[duplicate.of].name;
            let files = self.files[duplicate.of].clone();
            let mut event = new_event(&case.name);
            event.same_as = Some(other.clone());
            match &files {
                Some(files) => self.record_files(&case.name, files, duplicate.is_intended.then_some(other), &mut event),
                None => event.message = Some(format!("{other} has the same rule and could not be generated")),
            }
            self.files.push(files);
            self.count(event, report);
        }
    }

    pub(super) fn add_includes(&mut self, report: &mut dyn FnMut(Event)) {
        for include in &self.rules.includes {
            let other = &self.rules.cases[include.of].name;
            let files = self.files[include.of].clone();
            let mut event = new_event(&include.name);
            event.same_as = Some(other.clone());
            match &files {
                Some(files) if files.contains_key("in") && files.contains_key("ans") => {
                    self.record_files(&include.name, files, Some(other), &mut event);
                }
                Some(_) => {
                    event.change = Some(Change::Unchanged);
                    event
                        .remarks
                        .push(format!("{other} is not included here: an included test case needs both .in and .ans"));
                }
                None => event.message = Some(format!("this test case includes {other}, which could not be generated")),
            }
            self.count(event, report);
        }
    }

    /// Records the content of each file of a case: its bytes, or a link to another file of the case. If `other` is the
    /// name of another case, each file becomes a link to the file of that case with the same extension.
    fn record_files(&mut self, name: &str, files: &Files, other: Option<&String>, event: &mut CaseGenerated) {
        for (ending, content) in files {
            let path = format!("{name}.{ending}");
            let wanted = match (other, content) {
                (Some(other), _) => TargetContent::Link(relative(name, &format!("{other}.{ending}"))),
                (None, Content::Link(target)) => {
                    let own = name.rsplit('/').next().unwrap_or(name);
                    TargetContent::Link(PathBuf::from(format!("{own}.{target}")))
                }
                (None, Content::File(from)) => TargetContent::File(from.clone()),
            };
            event.files.insert((*ending).to_owned(), self.change(&path, &wanted));
            self.wanted.insert(path, wanted);
        }
        let mut changes = event.files.values();
        event.change = Some(match changes.clone().max() {
            Some(Change::New) if changes.any(|change| *change != Change::New) => Change::Changed,
            other => other.copied().unwrap_or(Change::Unchanged),
        });
    }

    fn change(&self, path: &str, wanted: &TargetContent) -> Change {
        change(self.existing, path, wanted)
    }

    fn count(&mut self, event: CaseGenerated, report: &mut dyn FnMut(Event)) {
        match event.change {
            None => self.failed += 1,
            Some(change) => *self.changes.entry(change).or_default() += 1,
        }
        self.unmatched += usize::from(!event.unmatched.is_empty());
        report(Event::CaseGenerated(event));
    }

    pub(super) fn into_made(mut self, package_programs: PackagePrograms<'_>) -> Made<'_> {
        for group in &self.rules.groups {
            if let Some(text) = &group.settings {
                let path = if group.path.is_empty() { String::new() } else { format!("{}/", group.path) };
                self.wanted.insert(format!("{path}test_group.yaml"), TargetContent::Text(text.clone()));
            }
        }
        let names = self.rules.cases.iter().map(|case| &case.name);
        Made {
            _package_programs: package_programs,
            wanted: self.wanted,
            folders: self.rules.groups.iter().map(|group| group.path.clone()).collect(),
            cases: names.chain(self.rules.includes.iter().map(|include| &include.name)).cloned().collect(),
            has_unknown_keys: self.rules.has_unknown_keys,
            failed: self.failed,
            unmatched: self.unmatched,
            changes: self.changes,
        }
    }
}

fn new_event(case: &str) -> CaseGenerated {
    CaseGenerated {
        case: case.to_owned(),
        files: BTreeMap::new(),
        change: None,
        command: None,
        seed: None,
        same_as: None,
        seconds: None,
        message: None,
        remarks: Vec::new(),
        unmatched: Vec::new(),
    }
}

/// Returns how the new content of a path differs from the file at that path in the folder `existing`.
pub(super) fn change(existing: Option<&Path>, path: &str, wanted: &TargetContent) -> Change {
    let Some(folder) = existing else { return Change::New };
    match wanted.is_at(&folder.join(path)) {
        Ok(true) => Change::Unchanged,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Change::New,
        _ => Change::Changed,
    }
}

/// Returns the relative path from the folder of the case `name` to `target`. Both are paths below `data/`.
fn relative(name: &str, target: &str) -> PathBuf {
    let mut from: Vec<_> = name.split('/').collect();
    from.pop();
    let to: Vec<_> = target.split('/').collect();
    let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let up = std::iter::repeat_n("..", from.len() - common);
    up.chain(to[common..].iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_from_folder_to_folder() {
        let from = |name, target| relative(name, target).display().to_string();
        assert_eq!(from("secret/a", "secret/b.in"), "b.in");
        assert_eq!(from("secret/1-g/a", "sample/1.in"), "../../sample/1.in");
        assert_eq!(from("secret/a", "secret/1-g/b.ans"), "1-g/b.ans");
        assert_eq!(from("secret/1-g/a", "secret/2-h/b.ans"), "../2-h/b.ans");
    }
}
