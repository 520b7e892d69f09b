//! The events of a judgehost, for people and for log files. No event contains a password.

use serde::Serialize;

/// An event of a judgehost. As JSON, the field `event` names the variant. docs/judgehost.md lists the events and their
/// fields.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Progress {
    /// The judgehost is registered at the server and asks for work.
    Registered {
        /// The base URL of the server's API.
        server: String,
        /// The judgehost's name.
        name: String,
    },
    /// The judgehost found unfinished work in its journal and finishes it.
    Recovered {
        /// The number of tasks without a result.
        tasks: usize,
    },
    /// The judgehost uses a script of the server for the first time.
    ScriptChosen {
        /// `compile`, `run` or `compare`.
        kind: String,
        /// The script's id.
        id: String,
        /// The server's hash of the script; empty if the server does not state it.
        hash: String,
        /// Whether it is one of DOMjudge's own scripts, and the judge's languages or comparison take its place.
        replaced: bool,
    },
    /// The judgehost begins to judge tasks of one submission.
    JobStarted {
        /// The submission's id.
        submission: String,
        /// The number of test cases.
        tasks: usize,
    },
    /// A submission was compiled.
    Compiled {
        /// The submission's id.
        submission: String,
        /// Whether it compiles.
        success: bool,
        /// The duration in seconds.
        seconds: f64,
    },
    /// The server has the result of a test case.
    CaseJudged {
        /// The submission's id.
        submission: String,
        /// The task's id.
        task: String,
        /// The test case's id.
        testcase: String,
        /// DOMjudge's word for the verdict.
        verdict: String,
        /// The CPU time in seconds; `None` if the result comes from the journal.
        cpu_seconds: Option<f64>,
        /// The peak memory in bytes; `None` if it is unknown.
        memory_bytes: Option<u64>,
    },
    /// The judgehost has finished its tasks of a submission.
    JobFinished {
        /// The submission's id.
        submission: String,
    },
    /// A request failed, and is sent again after a wait.
    Retried {
        /// The request.
        request: String,
        /// Why it failed.
        error: String,
        /// The wait in seconds.
        wait_seconds: f64,
    },
    /// The server failed on a repeated result, although it works. It stored the result before.
    AssumedStored {
        /// The task's id.
        task: String,
    },
    /// The judgehost reported an internal error to the server.
    InternalError {
        /// The description.
        description: String,
        /// What the server disables because of the error.
        disabled: serde_json::Value,
    },
    /// The judgehost gave up tasks that the server does not accept.
    Dropped {
        /// The submission's id.
        submission: String,
        /// Why.
        reason: String,
    },
    /// The server has no work.
    Idle,
    /// The judgehost has finished its work and ends.
    Ended,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns one event of each variant.
    fn samples() -> Vec<Progress> {
        let text = String::new;
        vec![
            Progress::Registered { server: text(), name: text() },
            Progress::Recovered { tasks: 0 },
            Progress::ScriptChosen { kind: text(), id: text(), hash: text(), replaced: false },
            Progress::JobStarted { submission: text(), tasks: 0 },
            Progress::Compiled { submission: text(), success: true, seconds: 0.0 },
            Progress::CaseJudged {
                submission: text(),
                task: text(),
                testcase: text(),
                verdict: text(),
                cpu_seconds: None,
                memory_bytes: None,
            },
            Progress::JobFinished { submission: text() },
            Progress::Retried { request: text(), error: text(), wait_seconds: 0.0 },
            Progress::AssumedStored { task: text() },
            Progress::InternalError { description: text(), disabled: serde_json::Value::Null },
            Progress::Dropped { submission: text(), reason: text() },
            Progress::Idle,
            Progress::Ended,
        ]
    }

    /// Returns the number of variants. A new variant does not compile until it has a number.
    fn variants() -> usize {
        let number = |event: &Progress| match event {
            Progress::Registered { .. } => 1,
            Progress::Recovered { .. } => 2,
            Progress::JobStarted { .. } => 3,
            Progress::Compiled { .. } => 4,
            Progress::CaseJudged { .. } => 5,
            Progress::JobFinished { .. } => 6,
            Progress::Retried { .. } => 7,
            Progress::AssumedStored { .. } => 8,
            Progress::InternalError { .. } => 9,
            Progress::Dropped { .. } => 10,
            Progress::Idle => 11,
            Progress::Ended => 12,
            Progress::ScriptChosen { .. } => 13,
        };
        samples().iter().map(number).max().unwrap()
    }

    #[test]
    fn the_page_lists_every_event_with_its_fields() {
        assert_eq!(samples().len(), variants());
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/judgehost.md")).unwrap();
        for event in samples() {
            let value = serde_json::to_value(&event).unwrap();
            let name = value["event"].as_str().unwrap();
            let row = page.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
            let row = row.unwrap_or_else(|| panic!("the page lacks {name}"));
            for field in value.as_object().unwrap().keys().filter(|field| *field != "event") {
                assert!(row.contains(&format!("`{field}`")), "the page lacks {field} of {name}");
            }
        }
    }
}
