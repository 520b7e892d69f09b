//! Reads the rule of one or several test cases.

use std::path::Path;

use super::super::command::Command;
use super::super::count::Count;
use super::super::ending::{self, Ending, OF_SAMPLES, TEXTS};
use super::super::number::Numbers;
use super::super::pattern::Pattern;
use super::super::rules::{Case, Inherited};
use super::unknown::Level;
use super::{At, MOST_CASES, Named, Reader, below};
use referee_package::is_legal_name;
use referee_package::yaml::{Fields, Key, Node, Position, Value};

/// The texts and links that a rule gives for the files of its cases.
#[derive(Clone, Default)]
struct Texts {
    literals: Vec<(Ending, String)>,
    links: Vec<(Ending, Ending)>,
}

/// The parts of a rule that all of its cases share.
struct Rule {
    /// The command as written in the file; `None` if there is none.
    written: Option<Node>,
    /// Whether the command contains `{count}`.
    uses_count: bool,
    copy: Option<String>,
    texts: Texts,
    patterns: Option<Node>,
    inherited: Inherited,
    at: Position,
}

impl Reader<'_> {
    /// Reads a rule and adds its cases: one, or several if the rule has a `count`.
    pub(super) fn case(&mut self, name: &str, key: &Key, node: Node, above: &At<'_>, is_numbered: bool) {
        let at = node.place;
        let fields = match node.value {
            Value::Map(_) => self.source.fields(node),
            _ => self.short_form(&node),
        };
        let Some(mut fields) = fields else { return };
        let count = fields.take("count").and_then(|node| match Count::read(&node) {
            Ok(count) => Some(count),
            Err(message) => {
                self.source.error(node.place, message);
                None
            }
        });
        let mut bases = Numbers::clone(&self.numbers);
        let names: Vec<_> =
            count.as_ref().map_or(vec![None], |count| count.numbers.iter().copied().map(Some).collect());
        let names = names.into_iter().map(|number| {
            let base = if is_numbered { bases.name(name) } else { name.to_owned() };
            let suffix = count.as_ref().zip(number).map(|(count, number)| count.suffix(number)).unwrap_or_default();
            (base + &suffix, number)
        });
        let names: Vec<_> = names.collect();
        self.numbers = bases;
        self.add_cases(names, key, fields, above, at);
    }

    /// Reads the short form `name: command`.
    fn short_form(&mut self, node: &Node) -> Option<Fields> {
        if node.is_null() {
            self.source.error(
                node.place,
                "this test case has no rule; allowed: a command, or a map with keys such as 'in' and 'copy'",
            );
            return None;
        }
        let text = node.as_text()?;
        // In earlier versions of BAPCtools, a rule of the form `PATH.in` names the files to copy.
        let (key, value) = match text.strip_suffix(".in") {
            Some(base) => ("copy", base),
            None => ("generate", text),
        };
        Some(Fields::of_one(node.place, key, value))
    }

    fn add_cases(
        &mut self,
        names: Vec<(String, Option<i64>)>,
        key: &Key,
        mut fields: Fields,
        above: &At<'_>,
        at: Position,
    ) {
        let inherited = self.inherited(&mut fields, above.inherited);
        let written = fields.take("generate");
        let copy = fields.take("copy").and_then(|node| self.copy(&node));
        let is_sample = above.path.split('/').next() == Some("sample");
        let texts = self.texts(&mut fields, is_sample);
        let patterns = fields.take("match");
        self.unknown_keys(fields, Level::Case);
        if written.is_none() && copy.is_none() && !has_input(&texts, is_sample) {
            let message = "this test case has no input; add 'generate', 'copy' or 'in'";
            return self.source.error(at, message);
        }
        let has_count = names.iter().any(|(_, number)| number.is_some());
        let uses_count = written.as_ref().and_then(Node::as_text).is_some_and(|text| text.contains("{count}"));
        let rule = Rule { written, uses_count, copy, texts, patterns, inherited, at };
        for (name, number) in names {
            if self.add_case(&name, number, key, &rule, above).is_none() {
                return;
            }
        }
        if uses_count && !has_count {
            self.source.warning(at, "the command has {count}, but the rule has no 'count'; add 'count'");
        }
    }

    /// Adds one of the cases of a rule. Returns `None` after a mistake that the other cases would repeat, so that the
    /// mistake is reported once.
    fn add_case(&mut self, name: &str, number: Option<i64>, key: &Key, rule: &Rule, above: &At<'_>) -> Option<()> {
        if self.rules.cases.len() >= MOST_CASES {
            self.source.error(rule.at, format!("there are more than {MOST_CASES} test cases"));
            return None;
        }
        let Some(path) = self.name(name, above, rule.at) else { return Some(()) };
        let command = match &rule.written {
            Some(node) => Some(self.command(node, &rule.inherited, number)?),
            None => None,
        };
        let differs = command.as_ref().is_some_and(|command| command.uses_seed || rule.uses_count);
        let patterns = rule.patterns.as_ref().map(|node| self.patterns(node)).unwrap_or_default();
        let index = self.rules.cases.len();
        self.taken.insert(path.clone(), index);
        self.keys.entry(key.as_text().unwrap_or_default().to_owned()).or_default().push(Named::Case(index));
        self.rules.cases.push(Case {
            name: path,
            place: rule.at,
            command,
            copy: rule.copy.clone(),
            literals: rule.texts.literals.clone(),
            links: rule.texts.links.clone(),
            patterns,
            inherited: rule.inherited.clone(),
            is_repeated: number.is_some() && !differs,
            duplicate_of: None,
        });
        Some(())
    }

    /// Returns the path of the case, relative to `data/`. Reports an error and returns `None` if the name is invalid or
    /// taken.
    fn name(&mut self, name: &str, above: &At<'_>, at: Position) -> Option<String> {
        if name == "test_group"
            || Path::new(name).extension().is_some_and(|ending| ending == "in")
            || !is_legal_name(&format!("{name}.in"))
        {
            let name = referee_package::yaml::shortened(name);
            let allowed = "letters, digits, '_', '-' and '.', but not the name 'test_group' or the ending '.in'";
            let message = format!("{name:?} cannot be the name of a test case; allowed: {allowed}");
            self.source.error(at, message);
            return None;
        }
        let path = below(above.path, name);
        if self.taken.contains_key(&path) {
            self.source.error(at, format!("the test case {path} already exists"));
            return None;
        }
        Some(path)
    }

    fn command(&mut self, node: &Node, inherited: &Inherited, number: Option<i64>) -> Option<Command> {
        let Some(text) = node.as_text() else {
            self.source.not_allowed(node, "a generator and its arguments");
            return None;
        };
        match Command::new(text, &self.package.constants, &inherited.random_salt, number) {
            Ok(command) => Some(command),
            Err(message) => {
                self.source.error(node.place, message);
                None
            }
        }
    }

    /// Returns the path of the files to copy, relative to the package's folder and without an extension. Reports an
    /// error and returns `None` if the value is invalid.
    fn copy(&mut self, node: &Node) -> Option<String> {
        let Some(base) = node.as_text().filter(|text| !text.starts_with('/') && !text.contains('\0')) else {
            self.source.not_allowed(node, "a path below generators/, without an extension");
            return None;
        };
        if TEXTS.iter().any(|ending| *ending == base.rsplit('.').next().unwrap_or_default() && base.contains('.')) {
            self.source.warning(
                node.place,
                "the path in 'copy' has an extension; remove it, because 'copy' copies every file with this base name, \
                 whatever its extension",
            );
        }
        Some(format!("generators/{}", base.trim_end_matches('/')))
    }

    fn texts(&mut self, fields: &mut Fields, is_sample: bool) -> Texts {
        let mut texts = Texts::default();
        let has_interaction = self.package.kind.interactive || self.package.kind.multi_pass;
        for (ending, node) in fields.take_all(&TEXTS) {
            if OF_SAMPLES.contains(&ending) && !is_sample {
                self.source.error(node.place, format!("'{ending}' is for samples only"));
            } else if ending == "interaction" && !has_interaction {
                self.source.error(node.place, "'interaction' is for interactive and multi-pass problems only");
            } else if let Some(text) = node.as_text() {
                let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
                texts.literals.push((ending, format!("{text}{end}")));
            } else if ending == "yaml" && matches!(node.value, Value::Map(_)) {
                texts.literals.extend(self.map_as_text(&node).map(|text| (ending, text)));
            } else {
                texts.links.extend(self.link(ending, &node).map(|target| (ending, target)));
            }
        }
        for (ending, target) in &texts.links {
            if texts.links.iter().any(|(other, _)| other == target) {
                let at = fields.place;
                self.source.error(at, format!("'{ending}' is a link to '{target}', which is itself a link"));
            }
        }
        texts
    }

    /// Returns the target of `{link: in}`. Reports an error and returns `None` if the value is invalid.
    fn link(&mut self, ending: Ending, node: &Node) -> Option<Ending> {
        let kind = |ending: &str| ending.split('.').next().map(str::to_owned);
        let target = match &node.value {
            Value::Map(entries) if OF_SAMPLES.contains(&ending) => match entries.as_slice() {
                [(key, target)] if key.text == "link" => target.as_text().and_then(ending::known),
                _ => None,
            },
            _ => None,
        };
        let target = target.filter(|target| {
            (OF_SAMPLES.contains(target) || ["in", "ans"].contains(target)) && kind(target) == kind(ending)
        });
        if target.is_none() {
            let kind = kind(ending).unwrap_or_default();
            let allowed = if OF_SAMPLES.contains(&ending) {
                format!("a text, {{link: {kind}}}, {{link: {kind}.statement}} or {{link: {kind}.download}}")
            } else {
                "a text; put a number in quotes".to_owned()
            };
            self.source.not_allowed(node, allowed);
        }
        target
    }

    fn patterns(&mut self, node: &Node) -> Vec<Pattern> {
        let mut found = Vec::new();
        match &node.value {
            Value::Map(_) => {
                let Some(mut fields) = self.source.fields(node.clone()) else { return found };
                for (ending, node) in fields.take_all(&["in", "ans"]) {
                    self.patterns_for(ending, &node, &mut found);
                }
                self.unknown_keys(fields, Level::Match);
            }
            _ => self.patterns_for("in", node, &mut found),
        }
        found
    }

    fn patterns_for(&mut self, ending: Ending, node: &Node, found: &mut Vec<Pattern>) {
        let nodes = match &node.value {
            Value::List(nodes) => nodes.as_slice(),
            _ => std::slice::from_ref(node),
        };
        for node in nodes {
            match node.as_text().map(|text| Pattern::new(ending, text)) {
                Some(Ok(pattern)) => found.push(pattern),
                Some(Err(message)) => self.source.error(node.place, message),
                None => self.source.not_allowed(node, "a regular expression; put a number in quotes"),
            }
        }
    }
}

/// Returns whether the rule itself gives an input. A sample may have files for the statement and for download instead.
fn has_input(texts: &Texts, is_sample: bool) -> bool {
    let has = |ending: Ending| {
        texts.literals.iter().any(|(own, _)| *own == ending) || texts.links.iter().any(|(own, _)| *own == ending)
    };
    has("in") || is_sample && has("in.download") && (has("in.statement") || has("interaction"))
}
