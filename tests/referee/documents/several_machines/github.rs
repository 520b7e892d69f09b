//! The runners of GitHub.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::super::super::ci_files::{Ended, at, run_script};
use super::super::super::support::command::names_in;
use super::super::super::support::program::temporary_folder;
use super::{bin, comparable, copy_all, fresh_results, judged_on_one_machine, lines_of, write_project};
use referee_package::Document;

/// A repository, its variables, and the artifacts of the jobs so far: `artifacts/NAME/`.
struct Repository {
    folder: TempDir,
    workflow: Document,
}

/// A finished job: the end of the last step that failed, or else of the last one with a script.
struct Job {
    code: i32,
    stdout: String,
    stderr: String,
}

/// One job of a matrix.
struct Copy<'a> {
    repository: &'a Repository,
    name: &'a str,
    /// The values of `matrix.part`, `strategy.job-total` and so on.
    values: BTreeMap<String, String>,
    workspace: TempDir,
    home: TempDir,
    is_installed: bool,
}

impl Repository {
    fn new() -> Repository {
        let folder = temporary_folder();
        for name in ["project", "cache", "artifacts"] {
            std::fs::create_dir(folder.path().join(name)).expect("a folder can be made");
        }
        write_project(&folder.path().join("project"));
        let workflow = folder.path().join("project/.github/workflows/class.yml");
        Repository { workflow: Document::read(&workflow).expect("the file is YAML"), folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs each copy of a job.
    fn run(&self, name: &str) -> Vec<Job> {
        let job = at(&self.workflow, &["jobs", name]);
        let parts = job.get("strategy").map(|strategy| at(strategy, &["matrix", "part"]).texts()).unwrap_or_default();
        let secret = |name: &str, value: &str| (format!("secrets.REFEREE_SHARED_CACHE_{name}"), value.to_owned());
        // The cache is a folder here, which needs no authorization.
        let secrets = [secret("SECRET", "a secret"), secret("AUTHORIZATION", "")];
        let one = |part: Option<&String>| {
            let mut values = BTreeMap::from(secrets.clone());
            if let Some(part) = part {
                values.insert("matrix.part".to_owned(), part.clone());
                values.insert("strategy.job-total".to_owned(), parts.len().to_string());
            }
            let (workspace, home) = (temporary_folder(), temporary_folder());
            Copy { repository: self, name, values, workspace, home, is_installed: false }.run()
        };
        if parts.is_empty() { vec![one(None)] } else { parts.iter().map(|part| one(Some(part))).collect() }
    }
}

impl Copy<'_> {
    fn run(mut self) -> Job {
        let Document::List(steps) = at(&self.repository.workflow, &["jobs", self.name, "steps"]) else {
            panic!("the steps are a list")
        };
        let mut job = Job { code: 0, stdout: String::new(), stderr: String::new() };
        for step in steps {
            let runs_always = step.get("if").and_then(Document::text) == Some("always()");
            if (job.code == 0 || runs_always)
                && let Some(Ended { code, stdout, stderr }) = self.step(step)
            {
                job = Job { code, stdout, stderr };
            }
        }
        job
    }

    /// Replaces the expressions in a text by their values.
    fn evaluated(&self, text: &str) -> String {
        let mut parts = text.split("${{");
        let mut result = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (expression, rest) = part.split_once("}}").expect("an expression ends");
            let value = self.values.get(expression.trim());
            result += value.unwrap_or_else(|| panic!("unknown expression {expression}"));
            result += rest;
        }
        result
    }

    fn with(&self, step: &Document, key: &str) -> String {
        self.evaluated(at(step, &["with", key]).text().expect("a text"))
    }

    /// Runs a step. Returns the end of its script; `None` if it uses an action.
    fn step(&mut self, step: &Document) -> Option<Ended> {
        let Some(uses) = step.get("uses").and_then(Document::text) else { return Some(self.script(step)) };
        match uses {
            "actions/checkout@v4" => copy_all(&self.repository.path("project"), self.workspace.path()),
            // tests/referee/ci_files/github.rs tests the action itself.
            "example/referee@main" => {
                assert_eq!(self.with(step, "run"), "install");
                self.is_installed = true;
            }
            "actions/upload-artifact@v4" => self.upload(step),
            "actions/download-artifact@v4" => {
                let pattern = self.with(step, "pattern");
                let prefix = pattern.strip_suffix('*').expect("the pattern ends in an asterisk");
                assert_eq!(self.with(step, "merge-multiple"), "true");
                let to = self.workspace.path().join(self.with(step, "path"));
                let artifacts = self.repository.path("artifacts");
                for name in names_in(&artifacts).iter().filter(|name| name.starts_with(prefix)) {
                    copy_all(&artifacts.join(name), &to);
                }
            }
            other => panic!("unknown action {other}"),
        }
        None
    }

    fn upload(&self, step: &Document) {
        let (name, path) = (self.with(step, "name"), self.with(step, "path"));
        let to = self.repository.path("artifacts").join(name);
        std::fs::create_dir(&to).expect("artifacts of one run have different names");
        match path.strip_suffix('*') {
            None => copy_all(&self.workspace.path().join(path), &to),
            Some(prefix) => {
                for name in names_in(self.workspace.path()).iter().filter(|name| name.starts_with(prefix)) {
                    copy_all(&self.workspace.path().join(name), &to.join(name));
                }
            }
        }
    }

    fn script(&self, step: &Document) -> Ended {
        let job = at(&self.repository.workflow, &["jobs", self.name]);
        let mut variables: BTreeMap<String, String> = BTreeMap::new();
        for place in [&self.repository.workflow, job, step] {
            for (name, value) in place.get("env").into_iter().flat_map(Document::entries) {
                variables.insert(name.clone(), self.evaluated(value.text().expect("a text")));
            }
        }
        // In the place of the page's address.
        let cache = self.repository.path("cache").display().to_string();
        assert!(variables.insert("REFEREE_SHARED_CACHE".to_owned(), cache).is_some());
        variables.insert("HOME".to_owned(), self.home.path().display().to_string());
        let variables: Vec<_> = variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let script = self.evaluated(at(step, &["run"]).text().expect("a text"));
        let bin: Vec<PathBuf> = self.is_installed.then(bin).into_iter().collect();
        run_script(&script, self.workspace.path(), &bin, &variables)
    }
}

fn all_succeed(jobs: &[Job]) {
    for (number, job) in jobs.iter().enumerate() {
        assert_eq!(job.code, 0, "copy {number}: {}{}", job.stdout, job.stderr);
    }
}

/// Returns the report that the last job has uploaded.
fn report(repository: &Repository, name: &str) -> PathBuf {
    Path::new(&repository.path("artifacts")).join("report").join(name)
}

#[test]
fn github_grades_in_parts_as_one_machine_does_with_annotations_and_the_next_run_starts_warm() {
    needs!("python3", "gcc");
    let repository = Repository::new();
    assert_eq!(at(&repository.workflow, &["jobs", "merge", "needs"]).text(), Some("grade"));
    all_succeed(&repository.run("grade"));
    let merge = repository.run("merge").pop().expect("a job");
    let lines = lines_of(&report(&repository, "report.jsonl"));
    let (fresh, all) = fresh_results(&lines);
    assert!(fresh == all && all > 4, "{fresh} of {all}");
    assert_eq!((merge.code, comparable(lines)), judged_on_one_machine(&repository.path("project")));
    for file in ["handed-in/baker.py", "handed-in/clark.c"] {
        assert!(merge.stdout.contains(&format!("::error file={file},title=")), "{}{}", merge.stdout, merge.stderr);
    }
    assert!(report(&repository, "report.html").is_file() && report(&repository, "report.xml").is_file());
    std::fs::remove_dir_all(repository.path("artifacts")).expect("artifacts of another run");
    std::fs::create_dir(repository.path("artifacts")).expect("a folder can be made");
    all_succeed(&repository.run("grade"));
    repository.run("merge");
    assert_eq!(fresh_results(&lines_of(&report(&repository, "report.jsonl"))), (0, all));
}

#[test]
#[ignore = "takes ten seconds: packages twice"]
fn github_verifies_the_packages_in_the_jobs_of_a_matrix() {
    needs!("gcc");
    let repository = Repository::new();
    let jobs = repository.run("verify");
    all_succeed(&jobs);
    let printed: Vec<_> = jobs.iter().map(|job| job.stdout.clone() + &job.stderr).collect();
    for (own, other, verified) in [(0, 1, "first: 0 errors"), (1, 0, "second: 0 errors")] {
        assert!(printed[own].contains(verified) && !printed[other].contains(verified), "{printed:?}");
    }
}
