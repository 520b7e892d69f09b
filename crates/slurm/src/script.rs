//! The batch script. Each task of the array job runs it and judges one part.

use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::path::PathBuf;

use referee_text::shell::quoted;

/// What each node copies or keeps on its own disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeLocal {
    /// Whether each task copies the package to the disk of its node first.
    pub package: bool,
    /// Whether each node has a cache of its own. Otherwise all nodes use the cache in the user's home folder.
    pub cache: bool,
}

/// What a batch script consists of. All paths are absolute, and exist on every node.
#[derive(Clone, Debug)]
pub struct Script {
    /// The number of parts.
    pub parts: usize,
    /// The maximum number of tasks that run at the same time; `None` if there is no maximum.
    pub at_once: Option<usize>,
    /// The judge.
    pub program: PathBuf,
    /// The folder to which relative paths refer.
    pub directory: PathBuf,
    /// The working folder of the run.
    pub folder: PathBuf,
    /// Whether a task makes the folder if it is missing. If a process waits for the tasks, the folder exists, and a node
    /// that does not see it must not judge into a folder of its own.
    pub makes_folder: bool,
    /// The options of `grade`, without those about parts and reports.
    pub options: Vec<OsString>,
    /// The package as the user named it: a path or the name of a bundled package.
    pub package: OsString,
    /// The name of the package's folder or archive; `None` if the package is a bundled one.
    pub package_name: Option<OsString>,
    /// The programs.
    pub programs: Vec<OsString>,
    /// The number of programs that run at the same time in a task; `None` if Slurm decides how many cores a task has.
    pub jobs: Option<usize>,
    /// The memory that each core needs, in MiB. Not used if `sbatch_options` ask for memory.
    pub memory_mib: u64,
    /// A report whose results are used where nothing has changed; `None` if there is none.
    pub resumes: Option<PathBuf>,
    /// What nodes have on their own disks.
    pub local: NodeLocal,
    /// Further options of `sbatch`, each as in a line `#SBATCH`. They contain no control characters.
    pub sbatch_options: Vec<String>,
}

impl Script {
    /// Returns the text of the script. It is UTF-8, because quoting escapes the bytes of paths that are not.
    pub fn text(&self) -> String {
        let mut text = self.head();
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\nparts={}\nfolder={}\nreferee={}\npackage={}\n",
            self.parts,
            quoted(self.folder.as_os_str()),
            quoted(self.program.as_os_str()),
            quoted(&self.package),
        );
        text.push_str(&BEGIN.replace("MAKE", if self.makes_folder { MAKE_FOLDER } else { FIND_FOLDER }));
        let _ = writeln!(text, "cd -- {} || exit 3", quoted(self.directory.as_os_str()));
        if self.local.cache {
            text.push_str(LOCAL_CACHE);
        }
        if let Some(name) = self.package_name.as_deref().filter(|_| self.local.package) {
            text.push_str(&LOCAL_PACKAGE.replace("NAME", &quoted(name)));
        }
        text.push_str(&self.command());
        text.push_str(END);
        text
    }

    /// Returns the command that judges a part, without the number of the part. Two runs with the same command can share
    /// their parts.
    pub fn command_of_run(&self) -> String {
        let words = self.options.iter().chain([&self.package]).chain(&self.programs);
        let line = words.map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
        format!("cd {} && referee grade {line}", quoted(self.directory.as_os_str()))
    }

    /// Returns whether the user decides whether Slurm puts tasks back into the queue.
    pub fn user_decides_on_requeueing(&self) -> bool {
        self.has_option(&["--requeue", "--no-requeue"])
    }

    /// Returns whether one of the options of `sbatch` begins with one of these texts.
    fn has_option(&self, beginnings: &[&str]) -> bool {
        self.sbatch_options.iter().any(|option| beginnings.iter().any(|beginning| option.starts_with(beginning)))
    }

    fn head(&self) -> String {
        let at_once = self.at_once.map(|most| format!("%{most}")).unwrap_or_default();
        let mut text = format!("{HEAD}#SBATCH --array=1-{}{at_once}\n", self.parts);
        let mut add = |line: String| {
            text.push_str("#SBATCH ");
            text.push_str(&line);
            text.push('\n');
        };
        add(format!("--cpus-per-task={}", self.jobs.unwrap_or(1)));
        if !self.has_option(&["--mem"]) {
            add(format!("--mem-per-cpu={}M", self.memory_mib));
        }
        if !self.user_decides_on_requeueing() {
            add("--requeue".to_owned());
        }
        // The last line about a setting counts.
        self.sbatch_options.iter().cloned().for_each(add);
        text
    }

    fn command(&self) -> String {
        let jobs = self.jobs.map_or("${SLURM_CPUS_PER_TASK:-1}".to_owned(), |jobs| jobs.to_string());
        let resumes = self.resumes.as_ref().map_or("\"$report\"".to_owned(), |path| quoted(path.as_os_str()));
        let mut command = format!(
            "\"$referee\" grade --quiet --partition=\"$part/$parts\" --json=\"$report\" --resume={resumes} --jobs=\"{jobs}\""
        );
        for option in &self.options {
            let _ = write!(command, " \\\n  {}", quoted(option));
        }
        command.push_str(" \\\n  -- \"$package\"");
        for program in &self.programs {
            let _ = write!(command, " {}", quoted(program));
        }
        command + " </dev/null\n"
    }
}

/// Returns why `sbatch` cannot get the option; `None` if it can. `--array` decides which parts there are, `--wait` would
/// block the submission, and a line feed would end the line of the script.
pub fn refused_option(option: &str) -> Option<&'static str> {
    let name = option.split(['=', ' ']).next().unwrap_or_default();
    if option.chars().any(char::is_control) {
        Some("it has a control character")
    } else if !option.starts_with('-') {
        Some("it does not begin with `-`")
    } else if ["--array", "-a", "--wait", "-W", "--wrap", "--test-only", "--parsable"].contains(&name) {
        Some("`referee` sets this option itself, or cannot work with it")
    } else {
        None
    }
}

/// Returns the name of the folder or archive at `path`, which a copy must have, too. `None` if the path has no name.
pub fn name_of(path: &OsStr) -> Option<OsString> {
    let path = std::path::Path::new(path);
    path.file_name().map(OsStr::to_owned).or_else(|| path.canonicalize().ok()?.file_name().map(OsStr::to_owned))
}

const HEAD: &str = "\
#!/usr/bin/env bash
# Each task of this array job judges one part of the submissions. `referee grade --slurm-script` printed it.
# To submit it: sbatch FILE. When all tasks have ended: referee merge FOLDER/part-*.jsonl --json all.jsonl
#SBATCH --job-name=referee
#SBATCH --output=/dev/null
";

/// The log gets all messages from here on. A task of an earlier try may have completed the report.
const BEGIN: &str = r#"
part=${SLURM_ARRAY_TASK_ID:?submit this script with sbatch}
report=$folder/part-$part.jsonl
MAKE
exec >>"$folder/part-$part.log" 2>&1 || exit 3
rm -f -- "$folder/part-$part.end"
echo "part $part of $parts: job ${SLURM_ARRAY_JOB_ID-}, node $(uname -n), $(date '+%Y-%m-%d %H:%M:%S')"
# Writes how the judge ended, and ends the task. A later job can depend on the exit code: it is 0 if the report is
# complete, whatever the verdicts are.
end() {
  state=partial
  [ -e "$report" ] && state=complete
  printf '%s\n' "${SLURM_ARRAY_JOB_ID-} $1 $state $(uname -n)" >"$folder/part-$part.end.new" &&
    mv -f -- "$folder/part-$part.end.new" "$folder/part-$part.end"
  echo "part $part of $parts: exit code $1, $state"
  [ "$state" = complete ]
  exit
}
[ -e "$report" ] && end 0
# The folder for temporary files of the submitting machine may not exist on this node.
[ -d "${TMPDIR:-/tmp}" ] && [ -w "${TMPDIR:-/tmp}" ] || unset TMPDIR
# At the time limit of the job, the judge gets SIGTERM, too, and stores its results. The shell waits for it.
trap : TERM INT
"#;

const MAKE_FOLDER: &str = r#"mkdir -m 700 -- "$folder" 2>/dev/null || [ -d "$folder" ] || exit 3"#;
const FIND_FOLDER: &str = r#"[ -d "$folder" ] || exit 3"#;

const LOCAL_CACHE: &str = r#"# The disk of this node has the cache.
export XDG_CACHE_HOME="${SLURM_TMPDIR:-${TMPDIR:-/tmp}}/referee-cache-$(id -u)"
"#;

/// The copy gets the name of the original, because the name of a package is that of its folder.
const LOCAL_PACKAGE: &str = r#"# The disk of this node gets a copy of the package.
local=$(mktemp -d -- "${SLURM_TMPDIR:-${TMPDIR:-/tmp}}/referee-part-XXXXXXXX") || exit 3
trap 'rm -rf -- "$local"' EXIT
chmod 711 -- "$local"
cp -RHp -- "$package" "$local/"NAME || exit 3
package=$local/NAME
"#;

const END: &str = "end $?\n";

#[cfg(test)]
mod tests;
