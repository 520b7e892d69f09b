//! The template for GitLab.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::super::support::person::copy_folder;
use super::super::support::program::temporary_folder;
use super::{Document, Ended, at, in_repository, run_script, yaml};

/// Runs a job of the template in `project`, with an empty home, as GitLab does in a new container.
fn run_job(name: &str, project: &Path, variables: &[(&str, &str)]) -> Ended {
    let template = yaml("packaging/ci/gitlab.yml");
    let job = at(&template, &[name]);
    let base = at(&template, &[job.get("extends").and_then(Document::text).expect("it extends a job")]);
    let section = |key: &str| job.get(key).or_else(|| base.get(key)).map(Document::texts).unwrap_or_default();
    let home = temporary_folder();
    let bin = Path::new(env!("CARGO_BIN_EXE_referee")).parent().expect("a folder").to_owned();
    let home_path = home.path().display().to_string();
    let mut own: Vec<(&str, &str)> = vec![("HOME", &home_path)];
    let defaults = at(&template, &["variables"]);
    for (name, variable) in defaults.entries() {
        own.push((name, at(variable, &["value"]).text().expect("a text")));
    }
    own.extend(variables);
    let run = |keys: &[&str]| {
        let lines: Vec<String> = keys.iter().flat_map(|key| section(key)).collect();
        run_script(&lines.join("\n"), project, std::slice::from_ref(&bin), &own)
    };
    let ended = run(&["before_script", "script"]);
    let after = run(&["after_script"]);
    assert_eq!(after.code, 0, "{}", after.stderr);
    ended
}

/// A project in a folder that every user can change, as in GitLab's containers.
fn project() -> tempfile::TempDir {
    let project = temporary_folder();
    fs::set_permissions(project.path(), fs::Permissions::from_mode(0o777)).expect("a mode can be set");
    copy_folder(&in_repository("tests/packages/judged/sum"), &project.path().join("sum"));
    project
}

#[test]
fn a_job_verifies_packages_and_writes_the_files_that_the_template_names() {
    let project = project();
    let variables = [("REFEREE_PACKAGES", "s*"), ("REFEREE_OPTIONS", "--only format,samples")];
    let ended = run_job("referee-verify", project.path(), &variables);
    assert!(ended.code <= 1 && ended.stdout.contains("languages"), "{}{}", ended.stdout, ended.stderr);
    let template = yaml("packaging/ci/gitlab.yml");
    let artifacts = at(&template, &[".referee", "artifacts"]);
    let mut named = at(artifacts, &["paths"]).texts();
    named.extend(at(artifacts, &["reports", "junit"]).texts());
    assert_eq!(named.len(), 2);
    for name in named {
        assert!(project.path().join(&name).is_file(), "{name}");
    }
}

#[test]
fn a_later_job_uses_the_results_of_an_earlier_one() {
    needs!("python3");
    let project = project();
    fs::write(project.path().join("a.py"), "print(sum(map(int, open(0).read().split())))\n")
        .expect("it can be written");
    let variables = [("REFEREE_PACKAGES", "sum"), ("REFEREE_PROGRAMS", "a.py")];
    let first = run_job("referee-grade", project.path(), &variables);
    assert!(!first.stdout.contains("from earlier runs"), "{}{}", first.stdout, first.stderr);
    assert!(project.path().join(".referee-cache/results").exists());
    let second = run_job("referee-grade", project.path(), &variables);
    assert_eq!(second.code, first.code);
    assert!(second.stdout.contains("from earlier runs"), "{}{}", second.stdout, second.stderr);
}

#[test]
fn each_command_gets_its_own_options() {
    let project = project();
    for (job, command) in [("referee-verify", "verify"), ("referee-grade", "grade")] {
        let variables = [("REFEREE_OPTIONS", "--of-verify"), ("REFEREE_GRADE_OPTIONS", "--of-grade")];
        let ended = run_job(job, project.path(), &variables);
        let expected = format!("--of-{command}");
        assert!(ended.code == 2 && ended.stderr.contains(&expected), "{job}: {}{}", ended.stdout, ended.stderr);
    }
}
