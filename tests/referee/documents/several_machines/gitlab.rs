//! The runners of GitLab.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::super::super::ci_files::{Ended, at, run_script};
use super::super::super::support::command::names_in;
use super::super::super::support::program::temporary_folder;
use super::{PACKAGES, bin, comparable, copy_all, fresh_results, judged_on_one_machine, lines_of, write_project};
use referee_package::Document;

/// A project, the shared cache that its variable names, and the artifacts of its last pipeline.
struct Project {
    folder: TempDir,
    pipeline: Document,
}

/// A finished job.
struct Job {
    name: String,
    ended: Ended,
    /// The copy of the project in which the job ran.
    clone: TempDir,
}

impl Project {
    fn new() -> Project {
        let folder = temporary_folder();
        for name in ["project", "cache"] {
            std::fs::create_dir(folder.path().join(name)).expect("a folder can be made");
        }
        write_project(&folder.path().join("project"));
        let pipeline = Document::read(&folder.path().join("project/.gitlab-ci.yml")).expect("the file is YAML");
        Project { folder, pipeline }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    /// Runs the copies of a job, each with a new home, in a new clone with the artifacts.
    fn run(&self, name: &str, artifacts: &Path) -> Vec<Job> {
        let job = at(&self.pipeline, &[name]);
        let total: usize =
            job.get("parallel").and_then(Document::text).map_or(1, |text| text.parse().expect("a number"));
        (1..=total).map(|index| self.run_copy(name, index, total, artifacts)).collect()
    }

    fn run_copy(&self, name: &str, index: usize, total: usize, artifacts: &Path) -> Job {
        let (home, clone) = (temporary_folder(), temporary_folder());
        copy_all(&self.path(), clone.path());
        copy_all(artifacts, clone.path());
        // A variable of the project counts more than one of the file.
        let own = |variable: &str| match variable {
            "REFEREE_SHARED_CACHE" => Some(self.folder.path().join("cache").display().to_string()),
            _ => None,
        };
        let mut variables: Vec<(String, String)> = at(&self.pipeline, &["variables"])
            .entries()
            .iter()
            .map(|(name, value)| (name.clone(), own(name).unwrap_or_else(|| value.text().expect("a text").to_owned())))
            .collect();
        variables.push(("HOME".to_owned(), home.path().display().to_string()));
        if total > 1 {
            variables.push(("CI_NODE_INDEX".to_owned(), index.to_string()));
            variables.push(("CI_NODE_TOTAL".to_owned(), total.to_string()));
        }
        let variables: Vec<_> = variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let script = at(&self.pipeline, &[name, "script"]).texts().join("\n");
        let ended = run_script(&script, clone.path(), &[bin()], &variables);
        Job { name: format!("{name} {index}/{total}"), ended, clone }
    }

    /// Copies the files that a job names as artifacts.
    fn store(&self, name: &str, job: &Job, artifacts: &Path) {
        for path in at(&self.pipeline, &[name, "artifacts", "paths"]).texts() {
            let from = job.clone.path().join(&path);
            assert!(from.exists(), "{}: there is no artifact {path}: {}", job.name, job.ended.stderr);
            copy_all(&from, &artifacts.join(&path));
        }
    }

    /// Runs the parts of the class, then the job that merges their reports.
    fn graded(&self) -> Job {
        let artifacts = temporary_folder();
        let stages = at(&self.pipeline, &["stages"]).texts();
        let stage = |name: &str| {
            stages.iter().position(|one| Some(one.as_str()) == at(&self.pipeline, &[name, "stage"]).text())
        };
        assert!(stage("grade") < stage("merge"));
        for job in self.run("grade", artifacts.path()) {
            assert_eq!(job.ended.code, 0, "{}: {}{}", job.name, job.ended.stdout, job.ended.stderr);
            self.store("grade", &job, artifacts.path());
        }
        assert_eq!(at(&self.pipeline, &["merge", "needs"]).texts(), ["grade"]);
        let merge = self.run("merge", artifacts.path()).pop().expect("a job");
        self.store("merge", &merge, artifacts.path());
        merge
    }
}

#[test]
fn gitlab_grades_in_parts_as_one_machine_does_and_the_next_pipeline_starts_warm() {
    needs!("python3", "gcc");
    let project = Project::new();
    let merge = project.graded();
    let lines = lines_of(&merge.clone.path().join("report.jsonl"));
    let (fresh, all) = fresh_results(&lines);
    assert!(fresh == all && all > 4, "{fresh} of {all}");
    assert_eq!((merge.ended.code, comparable(lines)), judged_on_one_machine(&project.path()));
    assert!(merge.clone.path().join("report.xml").is_file());
    let again = project.graded();
    assert_eq!(fresh_results(&lines_of(&again.clone.path().join("report.jsonl"))), (0, all));
}

#[test]
#[ignore = "takes ten seconds: packages twice"]
fn gitlab_verifies_each_package_in_one_of_the_jobs() {
    needs!("gcc");
    let project = Project::new();
    let nothing = temporary_folder();
    let mut verified = Vec::new();
    for job in project.run("verify", nothing.path()) {
        assert_eq!(job.ended.code, 0, "{}: {}{}", job.name, job.ended.stdout, job.ended.stderr);
        // The report that the pattern of the artifacts finds.
        for report in names_in(job.clone.path()).into_iter().filter(|name| name.starts_with("verify-")) {
            let text = std::fs::read_to_string(job.clone.path().join(report)).expect("the report can be read");
            verified.extend(PACKAGES.into_iter().filter(|name| text.contains(&format!("<testsuite name=\"{name}\""))));
        }
    }
    verified.sort_unstable();
    assert_eq!(verified, PACKAGES);
    let named = at(&project.pipeline, &["verify", "artifacts", "reports", "junit"]).text();
    assert_eq!(named, Some("verify-*.xml"));
}
