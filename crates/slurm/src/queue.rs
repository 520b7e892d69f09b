//! The tasks in Slurm's queue, as `squeue` prints them.

use std::collections::HashMap;

use referee_text::printable::printable_line;

/// The format of a line: the number of the array job, the number of the task, its state, and why it waits.
pub(crate) const FORMAT: &str = "%F|%K|%T|%r";

/// The maximum length of a reason that is shown, in characters.
const LONGEST_REASON: usize = 60;

/// The state of a task in the queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// The task waits, for example for a node. The reason is empty if Slurm gives none that a user can act on.
    Waiting {
        /// Slurm's word for the reason.
        reason: String,
    },
    /// The task runs, or its state is unknown to this program.
    Running,
    /// The script of the task has ended, and Slurm cleans the node up.
    Completing,
    /// The task has ended, with Slurm's word for its end, such as `NODE_FAIL`.
    Ended(String),
}

/// The tasks of some jobs, by the number of the job and of the task.
pub type Tasks = HashMap<(u32, usize), Task>;

/// Reasons that each task has sometimes, about which the user need not hear.
const USUAL_REASONS: [&str; 8] =
    ["", "None", "Priority", "Resources", "BeginTime", "JobArrayTaskLimit", "Cleaning", "Prolog"];

/// Reads the output of `squeue`. Ignores lines of another form. Fails if no line of a non-empty output has the right
/// form, because then it is not the output of `squeue`.
pub(crate) fn parse(output: &str) -> Result<Tasks, String> {
    let mut tasks = Tasks::new();
    let mut others = 0;
    for line in output.lines().filter(|line| !line.trim().is_empty()) {
        match parse_line(line.trim()) {
            // A task that was requeued may be listed with its earlier end, too.
            Some((key, Task::Ended(word))) => {
                tasks.entry(key).or_insert(Task::Ended(word));
            }
            Some((key, task)) => {
                tasks.insert(key, task);
            }
            None if is_of_other_job(line) => others += 1,
            None => {}
        }
    }
    let is_garbage = tasks.is_empty() && others == 0 && !output.trim().is_empty();
    if is_garbage && !output.lines().all(|line| line.trim().is_empty() || line.starts_with("CLUSTER: ")) {
        let first = output.trim_start().lines().next().unwrap_or_default();
        return Err(format!("squeue printed \"{}\", expected lines such as 12|1|RUNNING|None", shortened(first)));
    }
    Ok(tasks)
}

/// Returns whether the line is about a job without tasks: Slurm writes `N/A` as the number of its task.
fn is_of_other_job(line: &str) -> bool {
    let mut fields = line.trim().split('|');
    fields.next().is_some_and(|id| id.parse::<u32>().is_ok()) && fields.next() == Some("N/A")
}

fn parse_line(line: &str) -> Option<((u32, usize), Task)> {
    let mut fields = line.splitn(4, '|');
    let id = fields.next()?.parse().ok()?;
    let task = fields.next()?.parse().ok()?;
    let state = fields.next()?;
    let is_word =
        !state.is_empty() && state.len() <= 32 && state.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    is_word.then(|| ((id, task), of_word(state, fields.next().unwrap_or_default())))
}

/// Returns the meaning of Slurm's word for a state.
fn of_word(word: &str, reason: &str) -> Task {
    match word {
        "PENDING" | "REQUEUED" | "REQUEUE_HOLD" | "REQUEUE_FED" | "RESV_DEL_HOLD" | "SPECIAL_EXIT" => {
            let reason = if USUAL_REASONS.contains(&reason) { String::new() } else { shortened(reason) };
            Task::Waiting { reason }
        }
        "COMPLETING" => Task::Completing,
        "COMPLETED" | "FAILED" | "CANCELLED" | "TIMEOUT" | "NODE_FAIL" | "OUT_OF_MEMORY" | "BOOT_FAIL" | "DEADLINE"
        | "PREEMPTED" | "REVOKED" | "LAUNCH_FAILED" | "RECONFIG_FAIL" => Task::Ended(word.to_owned()),
        _ => Task::Running,
    }
}

/// Returns the text in one line, without control characters, and cut to a length that fits into a message.
pub(crate) fn shortened(text: &str) -> String {
    let text = printable_line(text.trim());
    match text.char_indices().nth(LONGEST_REASON) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting(reason: &str) -> Task {
        Task::Waiting { reason: reason.to_owned() }
    }

    #[test]
    fn tasks_have_a_state_and_perhaps_a_reason() {
        let tasks = parse(
            "12|1|RUNNING|None\n12|2|PENDING|Priority\n12|3|PENDING|launch failed requeued held\n12|4|NODE_FAIL|None\n\
             13|1|COMPLETING|None\n12|5|SOMETHING_NEW|x\n14|N/A|RUNNING|None\n",
        )
        .unwrap();
        assert_eq!(tasks[&(12, 1)], Task::Running);
        assert_eq!(tasks[&(12, 2)], waiting(""));
        assert_eq!(tasks[&(12, 3)], waiting("launch failed requeued held"));
        assert_eq!(tasks[&(12, 4)], Task::Ended("NODE_FAIL".to_owned()));
        assert_eq!(tasks[&(13, 1)], Task::Completing);
        assert_eq!(tasks[&(12, 5)], Task::Running, "a state that this program does not know is no end");
        assert_eq!(tasks.len(), 6);
    }

    #[test]
    fn a_task_that_runs_again_has_not_ended() {
        for output in ["1|1|NODE_FAIL|x\n1|1|PENDING|BeginTime\n", "1|1|PENDING|BeginTime\n1|1|NODE_FAIL|x\n"] {
            assert_eq!(parse(output).unwrap()[&(1, 1)], waiting(""));
        }
    }

    #[test]
    fn an_empty_queue_is_no_garbage() {
        for output in ["", "\n", "CLUSTER: east\n", "15|N/A|RUNNING|None\n"] {
            assert_eq!(parse(output).unwrap(), Tasks::new(), "{output:?}");
        }
    }

    #[test]
    fn garbage_is_refused_and_shown_without_control_characters() {
        for output in ["slurm is fine\n", "1|2\n", "1|2|running|x", "x|1|RUNNING|None", "1|-1|RUNNING|None", "1|1||"] {
            assert!(parse(output).unwrap_err().contains("expected lines such as"), "{output:?}");
        }
        let error = parse("\u{1b}[2Jbad").unwrap_err();
        assert!(!error.contains('\u{1b}'), "{error}");
        assert!(parse(&"x".repeat(100_000)).unwrap_err().len() < 200);
    }

    #[test]
    fn a_bad_line_among_good_ones_is_ignored() {
        let tasks = parse("1|1|RUNNING|a|b\nslurm: warning\n").unwrap();
        assert_eq!(tasks.len(), 1);
    }
}
