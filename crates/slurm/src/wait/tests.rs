use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use super::*;
use crate::client::SlurmError;
use crate::indices::Indices;
use crate::job::Job;
use crate::queue::{Task, Tasks};

/// What a task of the cluster in a test does when it is submitted.
#[derive(Clone, Copy, Debug)]
enum Does {
    /// It completes the report, and its script ends at once.
    Completes,
    /// It completes the report, and its script ends later.
    EndsLate,
    /// It completes the report, and then its node stops.
    LosesItsNodeAtTheEnd,
    /// It judges one submission, and then its node stops.
    LosesItsNode,
    /// It writes a report that is none.
    WritesGarbage,
    /// It stays in the queue.
    Waits,
}

/// A cluster that runs a task in the moment of its submission.
struct Cluster<'a> {
    folder: &'a Folder,
    /// What the first, the second and further tasks of each part do. Parts without an entry complete their reports.
    plan: HashMap<usize, Vec<Does>>,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    /// The tasks of each submission.
    submitted: Vec<String>,
    tries: HashMap<usize, usize>,
    tasks: Tasks,
    cancelled: Vec<u32>,
    /// The number of next submissions that fail.
    refusals: usize,
}

const LINES: &str = "{\"type\":\"case_finished\"}\n{\"type\":\"case_finished\"}\n{\"type\":\"submission_finished\"}\n";
const END: &str = "{\"type\":\"run_finished\"}\n";

impl<'a> Cluster<'a> {
    fn new(folder: &'a Folder, plan: &[(usize, &[Does])]) -> Cluster<'a> {
        let plan = plan.iter().map(|(part, does)| (*part, does.to_vec())).collect();
        Cluster { folder, plan, state: RefCell::default() }
    }

    fn run(&self, part: usize) -> Option<Task> {
        let number = {
            let mut state = self.state.borrow_mut();
            let tries = state.tries.entry(part).or_default();
            *tries += 1;
            *tries - 1
        };
        let does = self.plan.get(&part).and_then(|plan| plan.get(number)).copied().unwrap_or(Does::Completes);
        match does {
            Does::Completes | Does::EndsLate | Does::LosesItsNodeAtTheEnd => {
                fs::write(self.folder.partial_report(part), format!("{LINES}{END}")).unwrap();
                fs::rename(self.folder.partial_report(part), self.folder.report(part)).unwrap();
                let path = end_of(self.folder, part);
                let write_end = || fs::write(path, "1 0 complete node\n").unwrap();
                match does {
                    Does::Completes => write_end(),
                    Does::EndsLate => drop(thread::spawn(|| {
                        thread::sleep(Duration::from_millis(400));
                        write_end();
                    })),
                    _ => {}
                }
                Some(Task::Ended("COMPLETED".to_owned()))
            }
            Does::LosesItsNode => {
                fs::write(self.folder.partial_report(part), format!("{LINES}\0\0\0\n")).unwrap();
                Some(Task::Ended("NODE_FAIL".to_owned()))
            }
            Does::WritesGarbage => {
                fs::write(self.folder.report(part), "garbage").unwrap();
                None
            }
            Does::Waits => Some(Task::Waiting { reason: String::new() }),
        }
    }
}

fn end_of(folder: &Folder, part: usize) -> PathBuf {
    folder.path().join(format!("part-{part}.end"))
}

impl Slurm for Cluster<'_> {
    fn submit(&self, _: &Path, tasks: &Indices, _: Option<usize>) -> Result<Job, SlurmError> {
        let refusals = self.state.borrow().refusals;
        if refusals > 0 {
            self.state.borrow_mut().refusals -= 1;
            return Err(SlurmError::Refused("Invalid partition".to_owned()));
        }
        let id = u32::try_from(self.state.borrow().submitted.len()).unwrap() + 1;
        for part in tasks.numbers() {
            if let Some(task) = self.run(*part) {
                self.state.borrow_mut().tasks.insert((id, *part), task);
            }
        }
        self.state.borrow_mut().submitted.push(tasks.to_string());
        Ok(Job { id, cluster: None })
    }

    fn queue(&self, _: &[Job]) -> Result<Tasks, SlurmError> {
        Ok(self.state.borrow().tasks.clone())
    }

    fn cancel(&self, jobs: &[Job]) -> Result<(), SlurmError> {
        self.state.borrow_mut().cancelled.extend(jobs.iter().map(|job| job.id));
        Ok(())
    }
}

fn is_complete(path: &Path) -> Result<(), String> {
    let text = fs::read_to_string(path).unwrap();
    if text.ends_with(END) { Ok(()) } else { Err("it has no end".to_owned()) }
}

fn is_text(path: &Path) -> Result<(), String> {
    if fs::read(path).unwrap().contains(&0) { Err("a zero".to_owned()) } else { Ok(()) }
}

/// Waits for the parts of `record`. Interrupts the run at the time of `until`, if there is one.
fn wait_for(cluster: &Cluster, record: &mut Record, until: Option<Duration>) -> (Result<(), WaitError>, Vec<Notice>) {
    let start = Instant::now();
    let waiting = Waiting {
        slurm: cluster,
        folder: cluster.folder,
        at_once: None,
        most_failures: 2,
        check: &|path, _| is_complete(path),
        check_partial: &is_text,
        is_interrupted: &|| until.is_some_and(|until| start.elapsed() > until),
    };
    let mut notices = Vec::new();
    let result = wait(&waiting, record, &mut |notice| notices.push(notice));
    (result, notices)
}

fn place() -> (tempfile::TempDir, Folder) {
    let outer = tempfile::tempdir().unwrap();
    let (folder, _) = Folder::take(&outer.path().join("run"), false).unwrap();
    (outer, folder)
}

fn record(parts: usize) -> Record {
    Record::new(parts, "c".to_owned(), "i".to_owned())
}

fn last_progress(notices: &[Notice]) -> Progress {
    let progress = |notice: &Notice| match notice {
        Notice::Progress(progress) => Some(progress.clone()),
        _ => None,
    };
    notices.iter().rev().find_map(progress).unwrap()
}

#[test]
fn all_parts_are_submitted_once_if_all_goes_well() {
    let (_outer, folder) = place();
    let cluster = Cluster::new(&folder, &[]);
    let (result, notices) = wait_for(&cluster, &mut record(5), None);
    result.unwrap();
    assert_eq!(cluster.state.borrow().submitted, ["1-5"]);
    let progress = last_progress(&notices);
    assert_eq!((progress.parts.done, progress.runs, progress.submissions), (5, 10, 5));
}

#[test]
fn a_run_ends_when_the_scripts_of_its_tasks_write_no_more_files() {
    let (_outer, folder) = place();
    let cluster = Cluster::new(&folder, &[(2, &[Does::EndsLate])]);
    let (result, _) = wait_for(&cluster, &mut record(3), None);
    result.unwrap();
    assert!((1..=3).all(|part| end_of(&folder, part).exists()));
}

#[test]
fn a_script_that_never_says_how_it_ended_does_not_hold_the_run_up() {
    let (_outer, folder) = place();
    let cluster = Cluster::new(&folder, &[(1, &[Does::LosesItsNodeAtTheEnd])]);
    let (result, notices) = wait_for(&cluster, &mut record(2), None);
    result.unwrap();
    assert_eq!(notices.iter().filter(|notice| **notice == Notice::Ending).count(), 1);
    assert!(!end_of(&folder, 1).exists());
}

#[test]
fn a_part_whose_node_is_lost_is_submitted_again_and_a_damaged_report_moves_aside() {
    let (_outer, folder) = place();
    let cluster = Cluster::new(&folder, &[(2, &[Does::LosesItsNode]), (3, &[Does::WritesGarbage])]);
    let mut record = record(4);
    let (result, notices) = wait_for(&cluster, &mut record, None);
    result.unwrap();
    let submitted = cluster.state.borrow().submitted.clone();
    assert_eq!(submitted[0], "1-4");
    assert!(submitted[1..] == ["2-3"] || submitted[1..] == ["2", "3"] || submitted[1..] == ["3", "2"], "{submitted:?}");
    assert_eq!(record.jobs().len(), submitted.len());
    let failed = |part| notices.iter().any(|notice| matches!(notice, Notice::Failed { part: of, .. } if *of == part));
    assert!(failed(2) && failed(3) && !failed(1));
    assert!(folder.path().join("part-2.jsonl.part.broken-1").exists());
    assert!(folder.path().join("part-3.jsonl.broken-1").exists());
}

#[test]
fn a_part_that_fails_too_often_is_given_up_and_the_others_go_on() {
    let (_outer, folder) = place();
    let cluster = Cluster::new(&folder, &[(1, &[Does::WritesGarbage; 9])]);
    fs::write(folder.log(1), "error: no space left\n").unwrap();
    let (result, notices) = wait_for(&cluster, &mut record(2), None);
    let Err(WaitError::GivenUp(given_up)) = result else { panic!("{result:?}") };
    assert_eq!(given_up.len(), 1);
    assert_eq!((given_up[0].part, given_up[0].last_words.as_deref()), (1, Some("error: no space left")));
    assert_eq!(cluster.state.borrow().submitted, ["1-2", "1"]);
    assert_eq!(last_progress(&notices).parts.done, 1);
}

#[test]
fn an_interruption_cancels_the_jobs() {
    let (_outer, folder) = place();
    let cluster = Cluster::new(&folder, &[(1, &[Does::Waits])]);
    let mut record = record(2);
    let (result, _) = wait_for(&cluster, &mut record, Some(Duration::from_millis(300)));
    assert!(matches!(result, Err(WaitError::Interrupted { uncancelled: None, .. })), "{result:?}");
    assert_eq!(cluster.state.borrow().cancelled, [1]);
}

#[test]
fn tasks_of_an_earlier_process_are_awaited_and_complete_reports_are_kept() {
    let (_outer, folder) = place();
    let cluster = Cluster::new(&folder, &[(1, &[Does::Waits])]);
    let mut record = record(3);
    let (result, _) = wait_for(&cluster, &mut record, Some(Duration::from_millis(300)));
    assert!(result.is_err());
    assert_eq!(cluster.state.borrow().submitted, ["1-3"]);
    fs::remove_file(folder.report(3)).unwrap();
    // The waiting task completes its report later.
    cluster.run(1);
    let (result, notices) = wait_for(&cluster, &mut record, None);
    result.unwrap();
    assert!(notices.contains(&Notice::Adopted { tasks: 1 }), "{notices:?}");
    assert_eq!(cluster.state.borrow().submitted, ["1-3", "3"]);
}

#[test]
fn a_first_submission_that_slurm_refuses_ends_the_run() {
    let (_outer, folder) = place();
    let cluster = Cluster::new(&folder, &[]);
    cluster.state.borrow_mut().refusals = 1;
    let (result, _) = wait_for(&cluster, &mut record(2), None);
    assert!(matches!(result, Err(WaitError::Slurm(SlurmError::Refused(_)))), "{result:?}");
}

#[test]
fn a_later_submission_that_slurm_refuses_is_postponed() {
    let (_outer, folder) = place();
    let cluster = Cluster::new(&folder, &[]);
    cluster.state.borrow_mut().refusals = 1;
    let mut record = record(2);
    record.add(Job { id: 1, cluster: None }, &Indices::new([1]));
    let (result, notices) = wait_for(&cluster, &mut record, Some(Duration::from_millis(300)));
    assert!(matches!(result, Err(WaitError::Interrupted { .. })), "{result:?}");
    assert!(notices.contains(&Notice::Postponed("Invalid partition".to_owned())), "{notices:?}");
}
