//! The events of a judgehost, for people and for log files. No event contains a password.

use serde::Serialize;

/// An event of a judgehost. As JSON, the field `event` names the variant.
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
