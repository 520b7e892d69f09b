//! `--slurm-script`.

use std::fs;
use std::process::Command;

use predicates::str::contains;

use super::super::support::command::referee;
use super::fake::FakeSlurm;
use super::runs::{SUM, programs};

#[test]
fn the_script_works_without_the_process_that_printed_it() {
    needs!("python3");
    let slurm = FakeSlurm::new();
    let programs = programs(&slurm, &["right", "wrong"]);
    let folder = slurm.file("parts").display().to_string();
    let mut command = slurm.referee(&["grade", SUM, "--slurm", "2", "--slurm-script", "--slurm-folder", &folder]);
    let printed = command.arg("--slurm-option=--partition=long").args(&programs).assert().code(0);
    let script = String::from_utf8(printed.get_output().stdout.clone()).expect("the script is UTF-8");
    assert!(script.starts_with("#!") && script.contains("\n#SBATCH --partition=long\n"), "{script}");
    assert!(slurm.submissions().is_empty() && !slurm.file("parts").exists(), "nothing is submitted or made");
    let path = slurm.file("job.sh");
    fs::write(&path, script).expect("a file can be written");
    for task in ["1", "2"] {
        let mut task_of_job = Command::new("bash");
        task_of_job.arg(&path).env("SLURM_ARRAY_TASK_ID", task).env("SLURM_ARRAY_JOB_ID", "5").current_dir("/");
        assert!(task_of_job.status().expect("bash starts").success(), "a complete report is a success");
    }
    let part = |number| slurm.file(&format!("parts/part-{number}.jsonl"));
    referee(["merge"]).args([part(1), part(2)]).assert().code(1).stdout(contains("WA"));
}

#[test]
fn options_of_sbatch_cannot_break_the_script() {
    for (option, why) in [
        ("--array=1-9", "sets this option itself"),
        ("--comment=x\nrm -rf /", "control character"),
        ("long", "does not begin with"),
    ] {
        let option = format!("--slurm-option={option}");
        referee(["grade", SUM, "--slurm", "2", "--slurm-script", &option]).assert().code(2).stderr(contains(why));
    }
}
