use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use super::*;

/// A judge that writes its arguments, one in a line, and then the report, if a file `works` exists.
const JUDGE: &str = "#!/bin/sh\nprintf '%s\\n' \"$@\" >arguments\necho \"$XDG_CACHE_HOME\" >cache\n\
                     for word; do case $word in --json=*) report=${word#--json=};; esac; done\n\
                     if [ -e works ]; then echo x >\"$report\"; exit 1; fi\nexit 3\n";

fn script(folder: &Path) -> Script {
    fs::write(folder.join("judge"), JUDGE).unwrap();
    fs::set_permissions(folder.join("judge"), fs::Permissions::from_mode(0o755)).unwrap();
    Script {
        parts: 4,
        at_once: None,
        program: folder.join("judge"),
        directory: folder.to_path_buf(),
        folder: folder.join("it's a %a folder"),
        makes_folder: true,
        options: vec!["--cases={sample,secret}/*".into(), "--weight=a b=1".into()],
        package: "my package".into(),
        package_name: Some("my package".into()),
        programs: vec!["$HOME/'x'.py".into(), "-a.py".into(), "a\nb".into()],
        jobs: None,
        memory_mib: 2560,
        resumes: None,
        local: NodeLocal::default(),
        sbatch_options: Vec::new(),
    }
}

fn run(script: &Script, task: &str) -> Output {
    let path = script.directory.join("script");
    fs::write(&path, script.text()).unwrap();
    let mut command = Command::new("bash");
    command.arg(path).env("SLURM_ARRAY_TASK_ID", task).env("SLURM_ARRAY_JOB_ID", "7").current_dir("/");
    command.env("TMPDIR", script.directory.join("tmp")).env_remove("SLURM_TMPDIR").output().unwrap()
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_task_judges_its_part_with_exactly_the_given_words() {
    let folder = tempfile::tempdir().unwrap();
    let script = script(folder.path());
    assert_eq!(run(&script, "3").status.code(), Some(1), "the report is missing");
    let report = script.folder.join("part-3.jsonl").display().to_string();
    let words = format!(
        "grade\n--quiet\n--partition=3/4\n--json={report}\n--resume={report}\n--jobs=1\n--cases={{sample,secret}}/*\n\
         --weight=a b=1\n--\nmy package\n$HOME/'x'.py\n-a.py\na\nb\n"
    );
    assert_eq!(read(folder.path().join("arguments")), words);
    let end = read(script.folder.join("part-3.end"));
    assert!(end.starts_with("7 3 partial "), "{end}");
}

#[test]
fn a_complete_report_is_a_success_whatever_the_verdicts_and_is_not_judged_again() {
    let folder = tempfile::tempdir().unwrap();
    let script = script(folder.path());
    fs::write(folder.path().join("works"), "").unwrap();
    assert_eq!(run(&script, "1").status.code(), Some(0));
    assert!(read(script.folder.join("part-1.end")).starts_with("7 1 complete "));
    fs::remove_file(folder.path().join("arguments")).unwrap();
    assert_eq!(run(&script, "1").status.code(), Some(0));
    assert!(!folder.path().join("arguments").exists());
    assert!(read(script.folder.join("part-1.end")).starts_with("7 0 complete "), "it says again how it ended");
}

#[test]
fn the_options_of_sbatch_stand_before_the_first_command() {
    let folder = tempfile::tempdir().unwrap();
    let options = vec!["--partition=long".to_owned(), "--mem=8G".to_owned(), "--no-requeue".to_owned()];
    let script = Script { sbatch_options: options, at_once: Some(2), jobs: Some(3), ..script(folder.path()) };
    let text = script.text();
    let head: Vec<_> = text.lines().take_while(|line| line.starts_with('#')).collect();
    for line in ["--array=1-4%2", "--cpus-per-task=3", "--partition=long", "--mem=8G", "--no-requeue"] {
        assert!(head.contains(&format!("#SBATCH {line}").as_str()), "{text}");
    }
    assert!(!text.contains("--mem-per-cpu") && !text.contains("#SBATCH --requeue"), "{text}");
    assert_eq!(text.matches("#SBATCH").count(), head.iter().filter(|line| line.starts_with("#SBATCH")).count());
    assert!(text.contains("--jobs=\"3\""), "{text}");
}

#[test]
fn a_node_can_have_a_copy_of_the_package_and_a_cache() {
    let folder = tempfile::tempdir().unwrap();
    let local = NodeLocal { package: true, cache: true };
    let script = Script { local, options: Vec::new(), programs: Vec::new(), ..script(folder.path()) };
    fs::create_dir_all(folder.path().join("tmp")).unwrap();
    fs::create_dir_all(folder.path().join("my package/data")).unwrap();
    fs::write(folder.path().join("works"), "").unwrap();
    assert_eq!(run(&script, "1").status.code(), Some(0), "{}", read(script.folder.join("part-1.log")));
    let arguments = read(folder.path().join("arguments"));
    let package = arguments.lines().last().unwrap();
    let copies = folder.path().join("tmp/referee-part-");
    assert!(package.starts_with(copies.to_str().unwrap()) && package.ends_with("/my package"), "{package}");
    assert!(!Path::new(package).exists(), "the copy is removed");
    assert!(read(folder.path().join("cache")).starts_with(folder.path().join("tmp/referee-cache-").to_str().unwrap()));
}

#[test]
fn a_missing_folder_for_temporary_files_is_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let local = NodeLocal { package: false, cache: true };
    let script = Script { local, ..script(folder.path()) };
    run(&script, "1");
    assert!(read(folder.path().join("cache")).starts_with("/tmp/referee-cache-"));
}

#[test]
fn without_slurm_the_script_says_how_to_submit_it() {
    let folder = tempfile::tempdir().unwrap();
    let script = script(folder.path());
    fs::write(folder.path().join("s"), script.text()).unwrap();
    let output = Command::new("bash").arg(folder.path().join("s")).env_remove("SLURM_ARRAY_TASK_ID").output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("submit this script with sbatch"));
    assert!(!script.folder.exists());
}

#[test]
fn a_node_without_the_folder_judges_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let script = Script { makes_folder: false, ..script(folder.path()) };
    assert_eq!(run(&script, "1").status.code(), Some(3));
    assert!(!script.folder.exists() && !folder.path().join("arguments").exists());
}

#[test]
fn options_that_break_the_script_are_refused() {
    for option in ["--partition=long", "-p long", "--comment=\"a b\"", "--account=x", "--arraything"] {
        assert_eq!(refused_option(option), None, "{option}");
    }
    for option in ["--array=1-2", "-a 1", "--wait", "-W", "long", "--comment=a\nrm -rf x", "", "--wrap=x"] {
        assert!(refused_option(option).is_some(), "{option:?}");
    }
}

#[test]
fn the_command_of_a_run_does_not_depend_on_cores_or_the_queue() {
    let folder = tempfile::tempdir().unwrap();
    let one = script(folder.path());
    let other = Script { jobs: Some(9), sbatch_options: vec!["--mem=1G".to_owned()], ..one.clone() };
    assert_eq!(one.command_of_run(), other.command_of_run());
    let different = Script { package: "p".into(), ..one.clone() };
    assert_ne!(one.command_of_run(), different.command_of_run());
}
