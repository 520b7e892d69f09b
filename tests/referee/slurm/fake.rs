//! A fake Slurm: `sbatch`, `squeue` and `scancel` as small programs, which run the tasks of a job at once on this machine.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

use super::super::support::command::{referee, write};
use super::super::support::program::temporary_folder;

/// Submits a job: gives it the next number, and starts its tasks in the background. A file `faults/K` has one line for
/// each submission of task K: what the task does instead of its work.
const SBATCH: &str = r#"#!/bin/bash
fake=$(dirname "$0")
cd "$fake" || exit 1
echo "$@" >>calls
if [ -e refusal ]; then cat refusal >&2; exit 1; fi
if [ -e answer ]; then cat answer; exit 0; fi
while [[ $1 == -* ]]; do
  case $1 in --array=*) tasks=${1#--array=} tasks=${tasks%\%*} ;; esac
  shift
done
mkdir -p jobs faults
job=$(($(wc -l <calls) + 100))
mkdir "jobs/$job"
run() {
  [ ! -e "$fake/cancelled.$job" ] || return
  export SLURM_ARRAY_JOB_ID=$job SLURM_ARRAY_TASK_ID=$1
  read -r fault <"faults/$1" 2>/dev/null && sed -i 1d "faults/$1" || fault=none
  echo RUNNING >"$fake/jobs/$job/$1"
  # Changed scripts lie here, because the folder of the run is removed when the run ends.
  state=COMPLETED changed=$fake/changed.$job.$1
  case $fault in
    none) bash "$2" || state=FAILED ;;
    lost) state=NODE_FAIL ;;
    vanished) rm "$fake/jobs/$job/$1"; return ;;
    cancelled) state=CANCELLED ;;
    waits) echo PENDING >"$fake/jobs/$job/$1"; return ;;
    # The judge cannot be started on this node.
    broken) sed 's/^referee=.*/referee=false/' "$2" >"$changed"; bash "$changed" || state=FAILED ;;
    # The node stops while it writes a line. The whole report must not be in the folder even for a moment.
    cut)
      cp -r "$folder" "$folder.cut"; sed "s|$folder|$folder.cut|g" "$2" >"$changed"; bash "$changed"
      head -c 900 "$folder.cut/part-$1.jsonl" >"$folder/part-$1.jsonl.part"
      printf '\0\0\n' >>"$folder/part-$1.jsonl.part"
      rm -r "$folder.cut"; state=NODE_FAIL ;;
  esac
  [ -e "$fake/cancelled.$job" ] || echo "$state" >"$fake/jobs/$job/$1"
}
folder=$(dirname "$1")
fake=$PWD
for range in ${tasks//,/ }; do
  for ((task = ${range%-*}; task <= ${range#*-}; task++)); do echo PENDING >"jobs/$job/$task"; done
done
# The tasks run one after the other, so that the processor time of a test is that of a local run.
( for range in ${tasks//,/ }; do
  for ((task = ${range%-*}; task <= ${range#*-}; task++)); do run "$task" "$1"; done
done ) </dev/null >/dev/null 2>&1 &
echo "$job"
"#;

const SQUEUE: &str = r#"#!/bin/bash
cd "$(dirname "$0")" || exit 1
if [ -e silent ]; then echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1; fi
if [ -e garbage ]; then echo 'Welcome to the cluster'; exit 0; fi
for file in jobs/*/*; do
  job=${file#jobs/}
  [ ! -e "$file" ] || echo "${job%/*}|${job#*/}|$(cat "$file")|$(cat reason 2>/dev/null || echo None)"
done
"#;

const SCANCEL: &str = r#"#!/bin/bash
cd "$(dirname "$0")" || exit 1
echo "$@" >>cancelled
for job; do
  [[ $job != -* ]] || continue
  touch "cancelled.$job"
  for task in "jobs/$job"/*; do echo CANCELLED >"$task"; done
done
"#;

/// A folder with the commands of a fake Slurm.
pub(super) struct FakeSlurm {
    folder: TempDir,
}

impl FakeSlurm {
    pub(super) fn new() -> FakeSlurm {
        let folder = temporary_folder();
        for (name, text) in [("sbatch", SBATCH), ("squeue", SQUEUE), ("scancel", SCANCEL)] {
            let path = write(folder.path(), name, text);
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a mode can be changed");
        }
        FakeSlurm { folder }
    }

    /// Returns a command of the judge that finds this Slurm.
    pub(super) fn referee(&self, arguments: &[&str]) -> Command {
        let path = std::env::var("PATH").expect("there is a PATH");
        let mut command = referee(arguments);
        command.env("PATH", format!("{}:{path}", self.folder.path().display()));
        command
    }

    /// Lets the next submissions of a task fail in these ways.
    pub(super) fn fault(&self, task: usize, faults: &[&str]) {
        let text = faults.iter().flat_map(|fault| [*fault, "\n"]).collect::<String>();
        write(self.folder.path(), &format!("faults/{task}"), &text);
    }

    /// Puts a file beside the commands, which changes what they do.
    pub(super) fn set(&self, name: &str, text: &str) {
        write(self.folder.path(), name, text);
    }

    pub(super) fn unset(&self, name: &str) {
        fs::remove_file(self.folder.path().join(name)).expect("the file is there");
    }

    /// Returns the arguments of all calls of `sbatch`.
    pub(super) fn submissions(&self) -> Vec<String> {
        self.lines("calls")
    }

    /// Returns the arguments of all calls of `scancel`.
    pub(super) fn cancellations(&self) -> Vec<String> {
        self.lines("cancelled")
    }

    fn lines(&self, name: &str) -> Vec<String> {
        let text = fs::read_to_string(self.folder.path().join(name)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns a path in the folder, for a file of the test.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join("files").join(name)
    }
}
