//! Parses the file of declarations.

use std::path::Path;

use super::{Declaration, Declared, FILE, Scope};
use crate::mutants::{Change, plain};
use referee_package::yaml::{self, Fields, Node, Source, Value};
use referee_package::{Finding, Findings, Package, links};

/// Reads the package's file of declarations. Returns no declarations if the file does not exist. Fails if the file has
/// errors. In findings, the path of the file begins with `package_path`, the path or name that the user gave for the
/// package.
pub(crate) fn read(package: &Package, package_path: &Path) -> Result<(Declared, Vec<Finding>), Findings> {
    let path = package.root.join(FILE);
    let mut findings = Findings::default();
    let mut declared = Declared::default();
    if let Err(refused) = links::resolve(&package.root, &path) {
        findings.error(&path, refused.reason());
    } else if path.symlink_metadata().is_ok()
        && let Some(root) = yaml::read(&path, &mut findings)
    {
        declared.all = Reader { source: Source::new(&path, &mut findings), all: Vec::new() }.read(root);
    }
    Ok((declared, findings.relocated(&package.root, package_path).into_remarks()?))
}

pub(super) struct Reader<'a> {
    pub(super) source: Source<'a>,
    pub(super) all: Vec<Declaration>,
}

impl Reader<'_> {
    pub(super) fn read(mut self, root: Node) -> Vec<Declaration> {
        let Value::Map(files) = root.value else {
            self.source.not_allowed(&root, "a map from source names to lists of mutants (accepted/a.cpp: [...])");
            return self.all;
        };
        for (file, list) in files {
            let Value::List(entries) = list.value else {
                self.source.not_allowed(&list, "a list of mutants (- was: ...)");
                continue;
            };
            for entry in entries {
                if let Some(fields) = self.source.fields(entry) {
                    self.declaration(&file.text, fields);
                }
            }
        }
        self.all
    }

    fn declaration(&mut self, file: &str, mut fields: Fields) {
        let place = fields.place;
        let [has_was, has_is, has_within] = ["was", "is", "within"].map(|key| fields.has(key));
        let was = self.value(&mut fields, "was", text);
        let is = self.value(&mut fields, "is", |source, node| {
            // `one_or_more` has already reported an item of the list that is not a text.
            source.one_or_more(node).filter(|lines| !lines.is_empty())
        });
        let within = self.value(&mut fields, "within", text);
        let because = self.value(&mut fields, "because", text);
        let line = self.value(&mut fields, "line", |source, node| source.whole_number(node, 1, 1 << 32));
        let has_unknown = !fields.is_empty();
        fields.finish(&mut self.source);
        let (Ok(was), Ok(is), Ok(within), Ok(because), Ok(line)) = (was, is, within, because, line) else { return };
        let scopes = match (was, is, within) {
            (Some(was), Some(is), None) => {
                let one = |is: &String| Scope::Change(Change { was: plain(&was), is: plain(is) });
                is.iter().map(one).collect()
            }
            (Some(was), None, None) if !has_is => vec![Scope::Line(plain(&was))],
            (None, None, Some(within)) if !has_is => vec![Scope::Within(plain(&within))],
            _ => Vec::new(),
        };
        let allowed = "allowed combinations: `was` + `is` + `because`, `was` + `because`, `within` + `because`";
        let missing = match (scopes.is_empty(), because.as_deref().map(str::trim)) {
            (false, Some("")) => "`because` is empty, but must give the reason why no input can show the change",
            (false, None) => "`because` is missing",
            (true, _) if !has_was && !has_within => "`was` or `within` is missing",
            (true, _) => "`was`, `is` and `within` cannot be combined like this",
            (false, Some(_)) => "",
        };
        let Some(because) = because.filter(|_| missing.is_empty()) else {
            // An unknown key has already been reported. It is probably a misspelling of the missing key.
            if !has_unknown {
                self.source.error(place, format!("{missing}; {allowed}"));
            }
            return;
        };
        let (line, because) = (line.map(|line| line as usize), plain(&because));
        self.all.extend(scopes.into_iter().map(|scope| {
            let (file, because) = (file.to_owned(), because.clone());
            Declaration { file, scope, line, because, place }
        }));
    }

    /// Removes a key from `fields` and reads its value with the function `read`. Returns `Ok(None)` if the key is
    /// missing or has no value. Fails if `read` has reported an error.
    fn value<T>(
        &mut self,
        fields: &mut Fields,
        key: &'static str,
        read: impl FnOnce(&mut Source<'_>, &Node) -> Option<T>,
    ) -> Result<Option<T>, Reported> {
        match fields.take(key) {
            None => Ok(None),
            Some(node) => read(&mut self.source, &node).map(Some).ok_or(Reported),
        }
    }
}

/// An error that the list of findings already contains.
struct Reported;

fn text(source: &mut Source<'_>, node: &Node) -> Option<String> {
    source.text(node)
}
