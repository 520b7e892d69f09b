//! Reads `generators.yaml` into [`Rules`]: the tree of groups, with names, numbers and inherited values.

mod case;
mod include;
mod inherit;
#[cfg(test)]
mod tests;
mod text;
mod unknown;

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::number::{self, Kind, Numbers};
use super::rules::{GroupFolder, Inherited, Rules};
use super::{FILE, GenerateError, duplicate_rules};
use referee_package::yaml::{self, Fields, Key, Node, Source, Value, shortened};
use referee_package::{Finding, Findings, Package, is_legal_name, links};
use unknown::Level;

/// The folders of `data/`, in the order in which they are generated.
const PARTS: [&str; 8] = [
    "sample",
    "secret",
    "invalid_output",
    "invalid_answer",
    "invalid_input",
    "valid_output",
    "testing_tool_test",
    "fuzz",
];

/// The maximum number of test cases.
const MOST_CASES: usize = 100_000;

/// The maximum depth of groups.
const DEEPEST: usize = 32;

/// Reads the rules of a package. Findings show the package as `given`, the path that the user wrote. Returns warnings
/// with the rules. Fails if the rules are invalid.
pub fn read(package: &Package, given: &Path) -> Result<(Rules, Vec<Finding>), GenerateError> {
    let mut findings = Findings::default();
    let path = package.root.join(FILE);
    let rules = rules(package, &path, &mut findings);
    let remarks = findings.relocated(&package.root, given).into_remarks().map_err(GenerateError::Rules)?;
    Ok((rules.unwrap_or_default(), remarks))
}

fn rules(package: &Package, path: &Path, findings: &mut Findings) -> Option<Rules> {
    if path.symlink_metadata().is_err() {
        findings.error(path, "is missing; write the rules for the test cases into this file");
        return None;
    }
    if let Err(refused) = links::resolve(&package.root, path) {
        findings.error(&refused.path_in(&package.root), refused.reason());
        return None;
    }
    let text = yaml::text(path, findings)?;
    let root = yaml::parse(&text, path, findings)?.with_merges();
    let mut reader = Reader {
        package,
        text: &text,
        source: Source::new(path, findings),
        rules: Rules::default(),
        keys: HashMap::new(),
        groups: HashSet::new(),
        taken: HashMap::new(),
        numbers: Numbers::new(number::cases(&root)),
    };
    reader.root(root);
    let mut rules = reader.rules;
    duplicate_rules::find(&mut rules.cases, package);
    for case in &rules.cases {
        if let Some(duplicate) = case.duplicate_of.filter(|duplicate| !duplicate.is_intended) {
            let other = &rules.cases[duplicate.of].name;
            let message =
                format!("{} is generated in the same way as {other}; use 'count' to repeat a test case", case.name);
            findings.add(referee_package::Severity::Warning, path, Some(case.place), message);
        }
    }
    Some(rules)
}

struct Reader<'a> {
    package: &'a Package,
    /// The text of the file, from which some values are copied verbatim.
    text: &'a str,
    source: Source<'a>,
    rules: Rules,
    /// The cases and groups by key, for the keys read so far.
    keys: HashMap<String, Vec<Named>>,
    /// The folders of groups.
    groups: HashSet<String>,
    /// The paths of the cases, each with its index.
    taken: HashMap<String, usize>,
    /// The next number of a case. All cases of the file share one sequence of numbers.
    numbers: Numbers,
}

/// The case or group that a key names.
#[derive(Clone, Debug)]
enum Named {
    Case(usize),
    /// A folder below `data/`.
    Group(String),
}

/// The position of the reader in the tree.
struct At<'a> {
    /// The path of the group's folder, relative to `data/`.
    path: &'a str,
    depth: usize,
    inherited: &'a Inherited,
}

impl Reader<'_> {
    fn root(&mut self, root: Node) {
        if number::kind(&root) != Kind::Group {
            return self
                .source
                .not_allowed(&root, "a map with the key 'data' and without keys of a test case, such as 'generate'");
        }
        let Some(mut fields) = self.source.fields(root) else { return };
        // The value of `version` does not change the result, so it is ignored.
        let _ = fields.take("version");
        self.programs(&mut fields);
        self.group(fields, &At { path: "", depth: 0, inherited: &Inherited::default() });
    }

    /// Reads the generators that consist of several files.
    fn programs(&mut self, fields: &mut Fields) {
        let Some(programs) = fields.take("generators").and_then(|node| self.source.fields(node)) else { return };
        for (key, node) in programs.rest().0 {
            if !is_legal_name(&key.text) {
                let name = shortened(&key.text);
                self.source.error(
                    key.place,
                    format!("{name:?} cannot be the name of a generator; allowed: letters, digits, '_', '-' and '.'"),
                );
                continue;
            }
            match &node.value {
                Value::List(nodes) if !nodes.is_empty() => {
                    if let Some(files) = self.source.texts(&node) {
                        self.rules.programs.insert(key.text, files);
                    }
                }
                _ => self.source.not_allowed(&node, "a list of files below generators/, the main one first ([a, b])"),
            }
        }
    }

    fn group(&mut self, mut fields: Fields, place: &At<'_>) {
        let inherited = self.inherited(&mut fields, place.inherited);
        let settings = fields.take("test_group.yaml").and_then(|node| self.map_as_text(&node));
        self.rules.groups.push(GroupFolder { path: place.path.to_owned(), settings });
        // The group's `include` is read before its members, so it finds only cases that have been read before.
        let includes = fields.take("include").map(|node| self.includes(&node, place.path)).unwrap_or_default();
        let data = fields.take("data");
        let is_root = place.depth == 0;
        self.unknown_keys(fields, if is_root { Level::Root } else { Level::Group });
        match data.map(|node| (node.place, node)) {
            None => {}
            Some((_, Node { value: Value::Map(entries), .. })) if is_root => self.parts(entries, &inherited),
            Some((_, node)) if is_root => {
                self.source.not_allowed(&node, "a map with keys such as 'sample' and 'secret'");
            }
            Some((_, Node { value: Value::Map(entries), .. })) => self.named(entries, place, &inherited),
            Some((_, Node { value: Value::List(nodes), .. })) => self.numbered(nodes, place, &inherited),
            Some((_, node)) => self.source.not_allowed(&node, "a map or a list of test cases and groups"),
        }
        for (at, case) in includes {
            self.include(place.path, case, at);
        }
    }

    fn parts(&mut self, mut entries: Vec<(Key, Node)>, inherited: &Inherited) {
        self.refuse_repeated_keys(&entries);
        let order = |key: &Key| PARTS.iter().position(|part| *part == key.text).unwrap_or(PARTS.len());
        entries.sort_by_key(|(key, _)| order(key));
        for (key, node) in entries {
            if !PARTS.contains(&key.text.as_str()) {
                self.unknown_part(&key);
            } else if number::kind(&node) == Kind::Group {
                self.child(&key.text.clone(), key.text, node, &At { path: "", depth: 0, inherited });
            } else {
                self.source.not_allowed(&node, "a group, which is a map with keys such as 'data' and 'include'");
            }
        }
    }

    /// Reads the members of a map. They get no numbers.
    fn named(&mut self, mut entries: Vec<(Key, Node)>, place: &At<'_>, inherited: &Inherited) {
        self.refuse_repeated_keys(&entries);
        entries.sort_by(|(one, _), (other, _)| one.text.cmp(&other.text));
        for (key, node) in entries {
            match self.key(&key) {
                Some(name) if name.is_empty() => {
                    self.source.error(key.place, "in a map every test case and group needs a name");
                }
                Some(name) => {
                    let place = At { inherited, ..*place };
                    match number::kind(&node) {
                        Kind::Group => self.child(&name.clone(), name, node, &place),
                        Kind::Case => self.case(&name, &key, node, &place, false),
                        Kind::Neither => self.neither(&node),
                    }
                }
                None => {}
            }
        }
    }

    /// Reads the members of a list. They get numbers in the order of the file.
    fn numbered(&mut self, nodes: Vec<Node>, place: &At<'_>, inherited: &Inherited) {
        let mut groups = Numbers::new(number::groups(&nodes));
        for node in nodes {
            let Node { place: at, value: Value::Map(mut entries) } = node else {
                self.source.not_allowed(&node, "one test case or group (name: rule)");
                continue;
            };
            let (Some((key, node)), true) = (entries.pop(), entries.is_empty()) else {
                let message =
                    "each list entry must be a single test case or group; indent its keys deeper than its name";
                self.source.error(at, message);
                continue;
            };
            let Some(name) = self.key(&key) else { continue };
            let place = At { inherited, ..*place };
            match number::kind(&node) {
                Kind::Group => self.child(&groups.name(&name), name, node, &place),
                Kind::Case => self.case(&name, &key, node, &place, true),
                Kind::Neither => self.neither(&node),
            }
        }
    }

    fn neither(&mut self, node: &Node) {
        self.source.not_allowed(node, "a command in quotes, a test case or a group");
    }

    fn refuse_repeated_keys(&mut self, entries: &[(Key, Node)]) {
        let mut seen = HashSet::new();
        for (key, _) in entries {
            if !seen.insert(&key.text) {
                self.source
                    .error(key.place, format!("the key {:?} is given twice; remove one of them", shortened(&key.text)));
            }
        }
    }

    /// Returns the name that a key gives; reports an error and returns `None` if the key is not a text.
    fn key(&mut self, key: &Key) -> Option<String> {
        let name = key.as_text().map(str::to_owned);
        if name.is_none() {
            let text = shortened(&key.text);
            self.source.error(
                key.place,
                format!("YAML does not read the name {text} as a text; put it in quotes: \"{text}\""),
            );
        }
        name
    }

    /// Reads a group inside a group. `name` is the name of its folder.
    fn child(&mut self, name: &str, key: String, node: Node, above: &At<'_>) {
        if above.depth >= DEEPEST {
            return self.source.error(node.place, format!("this group is nested more than {DEEPEST} groups deep"));
        }
        let at = node.place;
        if !is_legal_name(name) {
            return self.source.error(
                at,
                format!(
                    "{:?} cannot be the name of a folder; allowed: letters, digits, '_', '-' and '.'",
                    shortened(name)
                ),
            );
        }
        let path = below(above.path, name);
        let Some(fields) = self.source.fields(node) else { return };
        if !self.groups.insert(path.clone()) {
            return self.source.error(at, format!("the group {path} already exists"));
        }
        self.keys.entry(key).or_default().push(Named::Group(path.clone()));
        self.group(fields, &At { path: &path, depth: above.depth + 1, inherited: above.inherited });
    }
}

/// Joins a folder below `data/` and a name.
fn below(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}
