//! Commands that a hint suggests: the command of this process with other arguments, quoted for a shell.

use std::ffi::OsString;
use std::path::Path;

use referee_text::shell::quoted;

/// A command, as the words that follow the name of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CommandLine(Vec<OsString>);

impl CommandLine {
    /// Returns the command of this process.
    pub(super) fn current() -> CommandLine {
        CommandLine(std::env::args_os().skip(1).collect())
    }

    /// Returns the command with the argument `old` replaced. Returns `None` if not exactly one argument is `old`.
    pub(super) fn replacing(&self, old: &Path, new: &Path) -> Option<CommandLine> {
        let at = self.only(old)?;
        let mut words = self.0.clone();
        words[at] = new.into();
        Some(CommandLine(words))
    }

    /// Returns the command with the argument `new` before the argument `before`. Returns `None` if not exactly one
    /// argument is `before`.
    pub(super) fn inserting(&self, new: &Path, before: &Path) -> Option<CommandLine> {
        let at = self.only(before)?;
        let mut words = self.0.clone();
        words.insert(at, new.into());
        Some(CommandLine(words))
    }

    /// Returns the command with two arguments exchanged. Returns `None` if one of them is not exactly one argument.
    pub(super) fn swapping(&self, one: &Path, other: &Path) -> Option<CommandLine> {
        let (one, other) = (self.only(one)?, self.only(other)?);
        let mut words = self.0.clone();
        words.swap(one, other);
        Some(CommandLine(words))
    }

    /// Returns the command with the argument `new` in the place of all arguments in `old`, which stand together.
    pub(super) fn joining<P: AsRef<Path>>(&self, old: &[P], new: &Path) -> Option<CommandLine> {
        let at = self.only(old.first()?.as_ref())?;
        let is_there = old
            .iter()
            .enumerate()
            .all(|(index, path)| self.0.get(at + index).is_some_and(|word| word == path.as_ref().as_os_str()));
        let mut words = self.0.clone();
        is_there.then(|| words.splice(at..at + old.len(), [new.into()]).for_each(drop))?;
        Some(CommandLine(words))
    }

    /// Returns the subcommand with only this package, without other arguments.
    pub(super) fn only_package(&self, package: &Path) -> CommandLine {
        CommandLine(self.0.iter().take(1).cloned().chain([package.into()]).collect())
    }

    /// Returns the command with one more option.
    pub(super) fn with_option(&self, option: &str) -> CommandLine {
        self.with_words([option.into()])
    }

    /// Returns the command with one more option, which has a value.
    pub(super) fn with_value(&self, option: &str, value: &Path) -> CommandLine {
        self.with_words([option.into(), value.into()])
    }

    /// Returns the command with more words, which stand before `--` if the command has one.
    fn with_words<const N: usize>(&self, more: [OsString; N]) -> CommandLine {
        let mut words = self.0.clone();
        let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
        words.splice(end..end, more);
        CommandLine(words)
    }

    /// Returns the command with `--` before the first argument that looks like an option and is the name of a file.
    /// If options follow, each such name begins with `./` instead. Returns `None` if there is no such argument.
    pub(super) fn with_dashes(&self) -> Option<CommandLine> {
        if self.0.iter().any(|word| word == "--") {
            return None;
        }
        let is_file = |word: &OsString| {
            let looks_like_option = word.len() > 1 && word.as_encoded_bytes().starts_with(b"-");
            looks_like_option && Path::new(word).symlink_metadata().is_ok()
        };
        let first = self.0.iter().position(is_file)?;
        let is_option = |word: &OsString| word.as_encoded_bytes().starts_with(b"-") && !is_file(word);
        let mut words = self.0.clone();
        if self.0[first..].iter().any(is_option) {
            words.iter_mut().filter(|word| is_file(word)).for_each(|word| *word = Path::new(".").join(&*word).into());
        } else {
            words.insert(first, "--".into());
        }
        Some(CommandLine(words))
    }

    fn only(&self, argument: &Path) -> Option<usize> {
        let mut found = self.0.iter().enumerate().skip(1).filter(|(_, word)| *word == argument.as_os_str());
        let (at, _) = found.next()?;
        found.next().is_none().then_some(at)
    }

    /// Returns the command as a line for a shell.
    pub(super) fn shown(&self) -> String {
        std::iter::once("referee".to_owned())
            .chain(self.0.iter().map(|word| quoted(word)))
            .collect::<Vec<_>>()
            .join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(words: &[&str]) -> CommandLine {
        CommandLine(words.iter().map(Into::into).collect())
    }

    #[test]
    fn words_are_quoted_where_a_shell_would_read_something_else() {
        let line = command(&["grade", "my package", "it's.py", "größe.py", "$HOME", "", "a\nb", "--cases=*"]).shown();
        assert_eq!(line, r"referee grade 'my package' 'it'\''s.py' größe.py '$HOME' '' $'a\012b' '--cases=*'");
    }

    #[test]
    fn a_shell_reads_the_words_that_were_meant() {
        let words = ["a b", "it's", "$HOME", "a\nb", "*", "\\", "!x", "~"];
        let line = command(&words).shown();
        let script = format!("referee() {{ printf '%s\\0' \"$@\"; }}; {line}");
        let output = std::process::Command::new("bash").args(["-c", &script]).output().unwrap();
        let expected = words.map(|word| word.to_owned() + "\0").concat();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    }

    #[test]
    fn arguments_are_exchanged_replaced_and_joined_only_if_they_are_clear() {
        let line = command(&["grade", "a.py", "p", "-q"]);
        let path = Path::new;
        assert_eq!(line.swapping(path("a.py"), path("p")), Some(command(&["grade", "p", "a.py", "-q"])));
        assert_eq!(line.replacing(path("p"), path("q")), Some(command(&["grade", "a.py", "q", "-q"])));
        assert_eq!(command(&["grade", "p", "p"]).replacing(path("p"), path("q")), None);
        let line = command(&["grade", "p", "h/a", "h/b", "--", "x"]);
        assert_eq!(line.joining(&["h/a", "h/b"], path("h")), Some(command(&["grade", "p", "h", "--", "x"])));
        assert_eq!(line.joining(&["h/a", "x"], path("h")), None);
        assert_eq!(line.with_option("--class"), command(&["grade", "p", "h/a", "h/b", "--class", "--", "x"]));
        let resumed = command(&["grade", "p", "h/a", "h/b", "--resume", "r", "--", "x"]);
        assert_eq!(line.with_value("--resume", path("r")), resumed);
        assert_eq!(line.only_package(path("q")), command(&["grade", "q"]));
    }

    #[test]
    fn a_file_that_looks_like_an_option_follows_two_dashes() {
        let folder = tempfile::tempdir().unwrap();
        // Only names in the current folder begin with a hyphen, so a path is tried that looks like an option.
        let file = folder.path().join("-x.py");
        std::fs::write(&file, "").unwrap();
        assert_eq!(command(&["grade", "p", "-no-such-file"]).with_dashes(), None);
        assert_eq!(command(&["grade", "p", file.to_str().unwrap()]).with_dashes(), None);
    }
}
