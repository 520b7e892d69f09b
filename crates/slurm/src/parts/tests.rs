use super::*;

fn at(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Returns one part whose task is in the queue as task 1 of job 7.
fn one() -> Parts {
    Parts::new(&[Some(7)], 3)
}

fn queue(task: impl Into<Option<Task>>) -> Tasks {
    task.into().into_iter().map(|task| ((7, 1), task)).collect()
}

fn ended(word: &str) -> Task {
    Task::Ended(word.to_owned())
}

fn waiting(reason: &str) -> Task {
    Task::Waiting { reason: reason.to_owned() }
}

fn end(is_complete: bool) -> Found {
    Found::Ended(TaskEnd { job: 7, code: 3, is_complete, node: "n1".to_owned() })
}

/// Returns why the part failed according to the queue; `None` if it did not.
fn asked(parts: &mut Parts, task: impl Into<Option<Task>>, seconds: u64) -> Option<String> {
    parts.queue(&queue(task), &|_| 0, at(seconds)).pop().map(|failure| failure.why)
}

#[test]
fn a_complete_report_makes_a_part_done_whatever_the_queue_says() {
    for task in [None, Some(ended("NODE_FAIL")), Some(Task::Running), Some(waiting(""))] {
        let mut parts = one();
        assert_eq!(parts.files(1, Found::Complete, 5, at(1)), None);
        assert_eq!(asked(&mut parts, task, 2), None);
        assert!(parts.are_over());
        assert_eq!(parts.counts(), Counts { all: 1, done: 1, ..Counts::default() });
    }
}

#[test]
fn a_lost_node_is_a_failure_and_the_part_is_due_again() {
    let mut parts = one();
    assert_eq!(asked(&mut parts, Some(Task::Running), 1), None);
    assert_eq!(asked(&mut parts, ended("NODE_FAIL"), 2).as_deref(), Some("NODE_FAIL"));
    assert_eq!(parts.due(at(3)), Indices::default());
    assert_eq!(parts.due(at(4)), Indices::new([1]));
    parts.submitted(&Indices::new([1]), 8);
    assert_eq!(parts.due(at(100)), Indices::default());
    // The queue still shows the end of the earlier task.
    let tasks = Tasks::from([((7, 1), Task::Ended("NODE_FAIL".to_owned())), ((8, 1), Task::Running)]);
    assert_eq!(parts.queue(&tasks, &|_| 0, at(5)), []);
    assert_eq!(parts.counts().running, 1);
}

#[test]
fn a_task_that_is_missing_is_lost_only_after_a_while() {
    for word in [None, Some(ended("COMPLETED")), Some(ended("FAILED"))] {
        let mut parts = one();
        assert_eq!(asked(&mut parts, word.clone(), 1), None);
        assert!(parts.is_one_in_doubt());
        assert_eq!(asked(&mut parts, word.clone(), 10), None);
        assert!(asked(&mut parts, word, 11).is_some());
    }
    let mut parts = one();
    assert_eq!(asked(&mut parts, None, 1), None);
    assert_eq!(asked(&mut parts, Some(Task::Running), 5), None, "it is there again");
    assert_eq!(asked(&mut parts, None, 12), None);
}

#[test]
fn a_task_that_announced_its_report_is_not_lost_when_the_queue_forgets_it() {
    for task in [None, Some(ended("COMPLETED")), Some(ended("FAILED"))] {
        let mut parts = one();
        assert_eq!(parts.files(1, end(true), 5, at(1)), None);
        for seconds in [2, 20, 60] {
            assert_eq!(asked(&mut parts, task.clone(), seconds), None, "{task:?} after {seconds} s");
        }
        assert_eq!(parts.files(1, Found::Complete, 5, at(61)), None);
        assert!(parts.are_over());
    }
}

#[test]
fn a_task_that_slurm_has_started_again_is_not_judged_by_its_earlier_end() {
    let mut parts = one();
    assert_eq!(parts.files(1, end(false), 0, at(1)), None);
    assert_eq!(asked(&mut parts, Some(Task::Running), 2), None);
    // The task that Slurm has started again has removed the file.
    assert_eq!(parts.files(1, Found::Nothing, 0, at(3)), None);
    assert_eq!(asked(&mut parts, Some(Task::Completing), 100), None);
    assert_eq!(asked(&mut parts, ended("NODE_FAIL"), 101).as_deref(), Some("NODE_FAIL"));
}

#[test]
fn the_word_of_a_script_counts_when_the_queue_has_no_longer_the_task() {
    for (task, is_failure) in [
        (Some(waiting("BeginTime")), false),
        (Some(Task::Running), false),
        (Some(Task::Completing), false),
        (Some(ended("FAILED")), true),
        (None, true),
    ] {
        let mut parts = one();
        assert_eq!(parts.files(1, end(false), 0, at(1)), None);
        assert!(parts.is_one_in_doubt());
        let why = asked(&mut parts, task.clone(), 1);
        assert_eq!(why.as_deref(), is_failure.then_some("exit code 3 on n1"), "{task:?}");
    }
}

#[test]
fn a_node_that_cannot_be_cleaned_up_delays_a_failure_by_half_a_minute() {
    let mut parts = one();
    parts.files(1, end(false), 0, at(1));
    assert_eq!(asked(&mut parts, Some(Task::Completing), 31), None);
    assert_eq!(asked(&mut parts, Some(Task::Completing), 32).as_deref(), Some("exit code 3 on n1"));
}

#[test]
fn a_requeued_task_takes_back_the_word_of_its_script() {
    let mut parts = one();
    parts.files(1, end(false), 0, at(1));
    assert_eq!(asked(&mut parts, Some(Task::Running), 2), None);
    parts.files(1, Found::Nothing, 0, at(3));
    assert_eq!(asked(&mut parts, Some(Task::Completing), 4), None, "the script of the second try says nothing yet");
}

#[test]
fn the_word_of_the_script_of_another_job_does_not_count() {
    let mut parts = Parts::new(&[Some(9)], 3);
    assert_eq!(parts.files(1, end(false), 0, at(1)), None);
    assert!(!parts.is_one_in_doubt());
}

#[test]
fn without_a_queue_the_files_decide() {
    let mut parts = one();
    assert_eq!(parts.files(1, end(false), 0, at(1)), None);
    assert_eq!(parts.files(1, end(false), 0, at(61)), None);
    assert_eq!(parts.files(1, end(false), 0, at(62)).unwrap().why, "exit code 3 on n1");
    let mut parts = one();
    parts.files(1, end(false), 0, at(1));
    asked(&mut parts, Some(Task::Running), 2);
    assert_eq!(parts.files(1, end(false), 0, at(62)), None, "the queue says that it runs again");
    parts.queue_is_silent();
    assert!(parts.files(1, end(false), 0, at(62)).is_some());
}

#[test]
fn a_report_that_was_announced_has_time_to_appear() {
    let mut parts = one();
    assert_eq!(parts.files(1, end(true), 0, at(1)), None);
    assert_eq!(asked(&mut parts, None, 50), None);
    assert_eq!(parts.files(1, end(true), 0, at(91)), None);
    assert_eq!(parts.files(1, end(true), 0, at(92)).unwrap().why, "its report on n1 does not appear here");
}

#[test]
fn a_part_is_given_up_after_failures_in_a_row_without_a_new_result() {
    let mut parts = one();
    let mut now = 0;
    let mut fail = |parts: &mut Parts, runs| {
        now += 100;
        parts.submitted(&Indices::new([1]), 7);
        let failure = parts.files(1, Found::Unusable("x".to_owned()), runs, at(now)).unwrap();
        (failure.failures, failure.is_given_up)
    };
    assert_eq!(fail(&mut parts, 0), (1, false));
    assert_eq!(fail(&mut parts, 0), (2, false));
    assert_eq!(fail(&mut parts, 10), (1, false), "it got further");
    assert_eq!(fail(&mut parts, 4), (2, false));
    assert_eq!(fail(&mut parts, 10), (3, true));
    assert_eq!(parts.given_up(), [(1, "x".to_owned())]);
    assert!(parts.are_over());
    assert_eq!(parts.counts().given_up, 1);
}

#[test]
fn the_delays_grow_to_a_minute() {
    let mut parts = Parts::new(&[None], 9);
    let mut delays = Vec::new();
    for _ in 0..6 {
        parts.files(1, Found::Unusable(String::new()), 0, at(0));
        delays.push((0..1000).find(|second| !parts.due(at(*second)).numbers().is_empty()).unwrap());
    }
    assert_eq!(delays, [2, 8, 32, 60, 60, 60]);
}

#[test]
fn a_cancelled_task_is_not_submitted_again_and_a_preempted_one_is() {
    let mut parts = one();
    let failures = parts.queue(&queue(ended("CANCELLED")), &|_| 0, at(1));
    assert!(failures[0].is_given_up && parts.are_over());
    let mut parts = Parts::new(&[Some(7)], 1);
    let failures = parts.queue(&queue(ended("PREEMPTED")), &|_| 0, at(1));
    assert_eq!((failures[0].is_given_up, failures[0].failures), (false, 0));
    assert_eq!(parts.due(at(3)), Indices::new([1]));
}

#[test]
fn limits_of_the_cluster_are_named_with_the_exit_code() {
    let mut parts = one();
    parts.files(1, end(false), 0, at(1));
    assert_eq!(asked(&mut parts, ended("TIMEOUT"), 2).as_deref(), Some("TIMEOUT, exit code 3 on n1"));
}

#[test]
fn the_reason_of_most_waiting_tasks_is_shown() {
    let mut parts = Parts::new(&[Some(7), Some(7), Some(7), None], 3);
    let held = "launch failed requeued held";
    let tasks = [(1, waiting("")), (2, waiting(held)), (3, Task::Running)];
    parts.queue(&tasks.into_iter().map(|(part, task)| ((7, part), task)).collect(), &|_| 0, at(1));
    let counts = parts.counts();
    assert_eq!((counts.running, counts.waiting(), counts.reason.as_str()), (1, 3, held));
}

#[test]
fn parts_that_are_not_in_the_queue_are_due_at_once() {
    let parts = Parts::new(&[None, Some(7), None], 3);
    assert_eq!(parts.due(at(0)), Indices::new([1, 3]));
}
