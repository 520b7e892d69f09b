//! The command of a rule: a generator and its arguments, with placeholders.

use super::seed::seed;
use referee_package::Constants;
use referee_text::words::split;

/// A command that calls a generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Command {
    /// The command as text. The seed is computed from it. Constants and `{count}` are already replaced, but `{seed}` is
    /// not.
    pub(super) text: String,
    /// The path of the generator, relative to `generators/`.
    pub(super) program: String,
    arguments: Vec<String>,
    /// Whether the arguments contain `{seed}`.
    pub(super) uses_seed: bool,
    /// The seed of the first attempt.
    pub(super) seed: u32,
}

/// The maximum length of a command with its arguments, in bytes, after constants are replaced.
const LONGEST: usize = 64 << 10;

impl Command {
    /// Parses a command. `count` is the number of this repetition; `None` if the rule has no `count`. Fails with a
    /// message if the command is invalid.
    pub(super) fn new(
        written: &str,
        constants: &Constants,
        random_salt: &str,
        count: Option<i64>,
    ) -> Result<Command, String> {
        let mut text = constants.replaced(written).into_owned();
        if let Some(count) = count {
            text = text.replace("{count}", &count.to_string());
        }
        if text.len() > LONGEST {
            return Err(format!("the command has more than the {LONGEST} bytes allowed; shorten it"));
        }
        if text.contains('\0') {
            return Err("the command contains a NUL character; remove it".to_owned());
        }
        let mut words =
            split(&text).map_err(|reason| format!("the command cannot be split into words: {reason}"))?.into_iter();
        let program = words.next().ok_or("the command is empty; allowed: a generator and its arguments")?;
        let arguments: Vec<_> = words.collect();
        let seeds: usize = arguments.iter().map(|argument| seed_placeholders(argument).count()).sum();
        if seeds > 1 {
            return Err("{seed} occurs in the command more than once; keep one".to_owned());
        }
        if program.starts_with('/') {
            return Err(format!("the generator {program:?} begins with a slash; allowed: a path below generators/"));
        }
        let seed = seed(random_salt, count.unwrap_or(1), &text);
        Ok(Command { text, program, arguments, uses_seed: seeds > 0, seed })
    }

    /// Returns the arguments with `{seed}` replaced. The old placeholder `{name}` always becomes `testcase`.
    pub(super) fn arguments(&self, seed: u32) -> Vec<String> {
        self.arguments.iter().map(|argument| with_seed(&argument.replace("{name}", "testcase"), seed)).collect()
    }

    /// Returns the text by which [`super::duplicate_rules`] compares commands. The text has the seed in the place of
    /// `{seed}`, unless the seed is 0.
    pub(super) fn comparison_text(&self) -> String {
        if self.seed == 0 { self.text.clone() } else { with_seed(&self.text, self.seed) }
    }

    /// Returns the command with `{seed}` replaced, for messages.
    pub(super) fn shown(&self, seed: u32) -> String {
        with_seed(&self.text, seed).trim().to_owned()
    }
}

/// Returns the byte ranges of `{seed}` and `{seed:N}` in the text.
fn seed_placeholders(text: &str) -> impl Iterator<Item = std::ops::Range<usize>> {
    const START: &str = "{seed";
    text.match_indices(START).filter_map(move |(from, _)| {
        let rest = &text[from + START.len()..];
        let digits = rest.strip_prefix(':').map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
        let length = if digits > 0 { digits + 1 } else { 0 };
        rest[length..].starts_with('}').then_some(from..from + START.len() + length + 1)
    })
}

fn with_seed(text: &str, seed: u32) -> String {
    let mut done = String::new();
    let mut end = 0;
    for place in seed_placeholders(text) {
        done += &text[end..place.start];
        done += &seed.to_string();
        end = place.end;
    }
    done + &text[end..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(text: &str, count: Option<i64>) -> Result<Command, String> {
        Command::new(text, &Constants::default(), "", count)
    }

    #[test]
    fn placeholders_are_replaced_in_arguments() {
        let found = command("gen.py --s={seed:7} {name} {count} {seeds}", Some(3)).unwrap();
        assert_eq!((found.program.as_str(), found.uses_seed), ("gen.py", true));
        assert_eq!(found.arguments(12), ["--s=12", "testcase", "3", "{seeds}"]);
        assert_eq!(found.shown(12), "gen.py --s=12 {name} 3 {seeds}");
        let without = command("gen.py {seed:} {seed:a}", None).unwrap();
        assert!(!without.uses_seed);
        assert_eq!(without.arguments(12), ["{seed:}", "{seed:a}"]);
    }

    #[test]
    fn a_seed_stands_once_and_a_generator_below_its_folder() {
        for wrong in ["gen {seed} {seed:1}", "gen {seed}{seed}", "/gen 1", "", "  "] {
            assert!(command(wrong, None).is_err(), "{wrong:?}");
        }
    }
}
