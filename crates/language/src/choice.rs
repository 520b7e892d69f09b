//! Words of a compile command that depend on what the compiler accepts on this machine.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock};

use super::Unready;
use super::answers::remembered;
use super::tool::{Found, Tool, search_path};

/// A list of alternatives for some words of a command. The compiler itself decides which one is used.
#[derive(Debug)]
pub(super) struct Choice {
    /// The compiler.
    pub(super) tool: Arc<Tool>,
    /// The alternatives, in order of preference. The last one is used if the compiler accepts none.
    pub(super) alternatives: Vec<Vec<String>>,
    /// The compiler's arguments for a trial, in which [`WORDS`] and [`OUTPUT`] are placeholders.
    pub(super) trial: Vec<String>,
    /// The source that the compiler reads from its standard input in a trial.
    pub(super) source: String,
    /// What the user should know if the compiler rejects the first alternative; `None` if nothing.
    pub(super) remark: Option<String>,
    /// The index of the alternative in use, once it is known.
    pub(super) chosen: OnceLock<usize>,
}

/// The word of a trial that stands for the words of the alternative.
const WORDS: &str = "{words}";

/// The word of a trial that stands for the path of a file that the compiler may write.
const OUTPUT: &str = "{output}";

impl Choice {
    /// Returns the words of the first alternative that the compiler accepts. Fails if the compiler is not installed.
    /// Only the first call runs the
    /// compiler, unless an earlier run has remembered the result.
    pub(super) fn words(&self) -> Result<&[String], Unready> {
        Ok(self.alternatives.get(self.index()?).map_or(&[], Vec::as_slice))
    }

    /// Returns the remark, if the compiler is installed and rejects the first alternative; otherwise `None`.
    pub(super) fn remark(&self) -> Option<&str> {
        let remark = self.remark.as_deref()?;
        (self.index().ok()? > 0).then_some(remark)
    }

    fn index(&self) -> Result<usize, Unready> {
        let tool = self.tool.find()?;
        Ok(*self.chosen.get_or_init(|| self.find_accepted(tool)))
    }

    fn find_accepted(&self, tool: &Found) -> usize {
        let last = self.alternatives.len().saturating_sub(1);
        let words = self.alternatives.iter().flat_map(|words| words.iter().map(String::as_str).chain(["or"]));
        let arguments = self.trial.iter().map(String::as_str).chain([self.source.as_str()]).chain(words);
        let index = remembered(&tool.path, "choice", arguments, || {
            for (index, words) in self.alternatives.iter().enumerate() {
                if self.is_accepted(tool, words)? {
                    return Some(index.to_string());
                }
            }
            // Not even the last alternative works, so the machine may have a passing problem, such as a full disk.
            None
        });
        index.and_then(|index| index.parse().ok()).filter(|index| *index <= last).unwrap_or(last)
    }

    /// Returns whether the compiler succeeds in a trial; `None` if the trial could not be made, or if a signal ended the
    /// compiler. The compiler runs outside the sandbox, because both its source and its arguments come from the table of
    /// languages. It runs in the root folder, so that no file of a package can change what it does. As in the sandbox,
    /// it sees no other environment variables of the user, and finds its helpers, such as linkers, only in folders that
    /// the sandbox shows to it.
    fn is_accepted(&self, tool: &Found, words: &[String]) -> Option<bool> {
        let folder = tempfile::tempdir().ok()?;
        let output = folder.path().join("output");
        let mut command = Command::new(&tool.path);
        for word in &self.trial {
            match word.as_str() {
                WORDS => command.args(words),
                OUTPUT => command.arg(&output),
                _ => command.arg(word),
            };
        }
        command
            .env_clear()
            .env("PATH", visible_path(tool))
            .envs([("HOME", folder.path()), ("TMPDIR", folder.path())])
            .env("LANG", "C.UTF-8")
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut running = command.spawn().ok()?;
        // The compiler may end before it reads its input. Its exit code decides then, too.
        let _ = running.stdin.take().map(|mut input| input.write_all(self.source.as_bytes()));
        running.wait().ok()?.code().map(|code| code == 0)
    }
}

/// Folders whose contents the sandbox shows to every compiler.
const SYSTEM: [&str; 6] = ["/usr", "/bin", "/sbin", "/nix/store", "/gnu/store", "/run/current-system"];

/// Returns the part of PATH that the tool sees in the sandbox: the system's folders, and the tool's own.
fn visible_path(tool: &Found) -> OsString {
    let is_visible = |folder: &PathBuf| {
        let own = tool.folders.iter().map(PathBuf::as_path);
        SYSTEM.iter().map(Path::new).chain(own).any(|shown| folder.starts_with(shown))
    };
    let visible = std::env::split_paths(&search_path()).filter(is_visible).collect::<Vec<_>>();
    std::env::join_paths(visible).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A choice between the shell scripts "first", "second" and "last". The tool is a shell that runs the script
    /// `accepts` with the alternative as its first argument.
    fn choice(accepts: &str) -> Choice {
        let tool = Tool { commands: vec!["/bin/sh".into()], ..Tool::default() };
        let words = |text: &str| vec![text.to_owned()];
        Choice {
            tool: Arc::new(tool),
            alternatives: vec![words("first"), words("second"), words("last")],
            trial: ["-c", accepts, "trial", WORDS, OUTPUT].map(str::to_owned).to_vec(),
            source: "the source".into(),
            remark: Some("the first does not work".into()),
            chosen: OnceLock::new(),
        }
    }

    #[test]
    fn the_first_alternative_that_the_compiler_accepts_is_used() {
        let all = choice("[ \"$1\" = first ]");
        assert_eq!((all.words().unwrap(), all.remark()), (&["first".to_owned()][..], None));
        let second = choice("[ \"$1\" = second ]");
        assert_eq!(second.words().unwrap(), ["second"]);
        assert_eq!(second.remark(), Some("the first does not work"));
    }

    #[test]
    fn the_last_alternative_is_used_if_the_compiler_accepts_none() {
        assert_eq!(choice("exit 1").words().unwrap(), ["last"]);
    }

    #[test]
    fn a_trial_that_a_signal_ends_or_that_no_alternative_passes_has_no_result() {
        let tool = Tool { commands: vec!["/bin/sh".into()], ..Tool::default() };
        let found = tool.find().unwrap();
        let words = ["first".to_owned()];
        assert_eq!(choice("kill -9 $$").is_accepted(found, &words), None);
        assert_eq!(choice("exit 1").is_accepted(found, &words), Some(false));
        assert_eq!(choice("[ -z \"$CARGO\" ]").is_accepted(found, &words), Some(true), "no other variables");
    }

    #[test]
    fn a_trial_reads_the_source_and_may_write_its_output_in_no_folder_of_a_package() {
        let trial = choice("[ \"$(cat)\" = 'the source' ] && echo x > \"$2\" && [ \"$(pwd)\" = / ]");
        assert_eq!(trial.words().unwrap(), ["first"]);
    }

    #[test]
    fn a_trial_finds_helpers_only_in_folders_that_the_sandbox_shows() {
        let found = |folders: &[&str]| Found {
            path: "/tool".into(),
            home: "/".into(),
            folders: folders.iter().map(PathBuf::from).collect(),
        };
        let shown = |folders| std::env::split_paths(&visible_path(&found(folders))).collect::<Vec<_>>();
        let all = std::env::split_paths(&search_path()).filter(|folder| folder.is_absolute()).collect::<Vec<_>>();
        assert_eq!(shown(&["/"]), all);
        assert!(shown(&[]).iter().all(|folder| SYSTEM.iter().any(|system| folder.starts_with(system))));
    }

    #[test]
    fn a_missing_compiler_is_reported_and_has_no_remark() {
        let tool = Arc::new(Tool { commands: vec!["/no/such/compiler".into()], ..Tool::default() });
        let missing = Choice { tool, ..choice("true") };
        assert!(matches!(missing.words(), Err(Unready::MissingTool { .. })));
        assert_eq!(missing.remark(), None);
    }
}
