//! The calls of DOMjudge's API for judgehosts, with their retries.

use std::sync::OnceLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::answer::ClientError;
use crate::client::{Client, Form, encode};
use crate::progress::Progress;
use crate::retries::Attempts;
use crate::tasks::{FileContent, Id, OfferedLanguage, ServerConfig, Task, VersionCommands};
use crate::version::{Info, Version};

/// The number of attempts of a request on which the server fails while it answers others.
const MOST_FAILURES: u32 = 6;

/// Says whether the user asks for an end.
#[derive(Clone, Copy)]
pub struct Stops<'a> {
    /// Whether the judgehost ends after the work that it has.
    pub is_asked: &'a (dyn Fn() -> bool + Sync),
    /// Whether the judgehost ends at once. The journal keeps its work.
    pub is_now: &'a (dyn Fn() -> bool + Sync),
}

/// The reason why a call failed for good.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ApiError {
    /// The server does not accept the credentials.
    #[error("the server does not accept the credentials")]
    Unauthorized,
    /// The server refused the request, or failed on every attempt.
    #[error("{0}")]
    Refused(ClientError),
    /// The user ended the judgehost.
    #[error("interrupted")]
    Interrupted,
}

/// What the server wants after a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The next result of the judging.
    Continue,
    /// No further result of the judging, because its verdict is known.
    Stop,
}

/// What an internal error disables. The server asks a person to enable it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Blame {
    /// This judgehost.
    Host,
    /// A script: `compile_script`, `run_script` or `compare_script`, and its id.
    Script(&'static str, Id),
    /// A test case.
    TestCase(Id),
}

/// DOMjudge's API for judgehosts. Several threads can use it.
pub struct Api<'a> {
    pub(crate) client: Client,
    name: String,
    stops: Stops<'a>,
    report: &'a (dyn Fn(Progress) + Sync),
    version: OnceLock<Version>,
}

impl<'a> Api<'a> {
    /// Makes the API of the judgehost `name`.
    pub fn new(client: Client, name: &str, stops: Stops<'a>, report: &'a (dyn Fn(Progress) + Sync)) -> Api<'a> {
        Api { client, name: name.to_owned(), stops, report, version: OnceLock::new() }
    }

    /// Returns the judgehost's name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the base URL of the server's API.
    pub(crate) fn server(&self) -> &str {
        self.client.base()
    }

    /// Returns the user's wish to end.
    pub(crate) fn stops(&self) -> Stops<'a> {
        self.stops
    }

    /// Reports an event.
    pub(crate) fn report(&self, event: Progress) {
        (self.report)(event);
    }

    /// Returns whether the server answers simple requests.
    pub(crate) fn is_up(&self) -> bool {
        self.client.get::<Value>("config").is_ok() || self.client.get::<Value>("languages").is_ok()
    }

    /// Registers the judgehost. The server gives unfinished judgings back to other judgehosts, but not all of them.
    pub(crate) fn register(&self) -> Result<(), ApiError> {
        let form = [("hostname", self.name.clone())];
        self.retrying("registering", || self.client.post::<Value>("judgehosts", &form))?;
        self.report(Progress::Registered { server: self.client.base().to_owned(), name: self.name.clone() });
        Ok(())
    }

    /// Returns the server's version. `task` is a task from this server.
    pub(crate) fn version(&self, task: &Task) -> Result<Version, ApiError> {
        if let Some(known) = self.version.get() {
            return Ok(*known);
        }
        let stated = match self.retrying("asking for the version", || self.client.get::<Info>("info")) {
            Ok(info) => info.version(),
            Err(ApiError::Refused(_)) => None,
            Err(error) => return Err(error),
        };
        let version = stated.unwrap_or_else(|| Version::guessed(task.contestid.is_some()));
        Ok(*self.version.get_or_init(|| version))
    }

    /// Returns the server's configuration. Nothing can be judged without it, so the attempts do not end.
    pub(crate) fn config(&self) -> Result<ServerConfig, ApiError> {
        self.retrying_until("reading the configuration", None, || self.client.get("config"))
    }

    /// Returns the languages that the server offers.
    pub fn languages(&self) -> Result<Vec<OfferedLanguage>, ApiError> {
        self.retrying("reading the languages", || self.client.get("languages"))
    }

    /// Asks once for tasks. The caller decides about a further attempt, because a failed call may have assigned tasks.
    pub(crate) fn fetch_work(&self) -> Result<Vec<Task>, ClientError> {
        self.client.post("judgehosts/fetch-work", &[("hostname", self.name.clone())])
    }

    /// Returns the files of a script or of a test case. `kind` is `compile`, `run`, `compare`, `debug` or `testcase`.
    pub(crate) fn files(&self, kind: &str, id: &Id) -> Result<Vec<FileContent>, ApiError> {
        let path = format!("judgehosts/get_files/{kind}/{}", encoded(&id.0));
        self.retrying(&format!("reading the files of {kind} {id}"), || self.client.get(&path))
    }

    /// Returns the source files of the submission of `task`.
    pub(crate) fn sources(&self, task: &Task) -> Result<Vec<FileContent>, ApiError> {
        let submission = task.submitid.clone().unwrap_or_default();
        let contest =
            task.contestid.as_ref().filter(|_| self.version(task).is_ok_and(Version::names_contest_of_sources));
        let contest = contest.map(|contest| format!("{}/", encoded(&contest.0))).unwrap_or_default();
        let path = format!("judgehosts/get_files/source/{contest}{}", encoded(&submission.0));
        self.retrying(&format!("reading the sources of submission {submission}"), || self.client.get(&path))
    }

    /// Returns the commands that report the versions of the tools of the task's language.
    pub(crate) fn version_commands(&self, task: &Id) -> Result<VersionCommands, ApiError> {
        let path = format!("judgehosts/get_version_commands/{}", encoded(&task.0));
        let answer: Value = self.retrying("reading the version commands", || self.client.get(&path))?;
        // Without commands, the server answers with an empty list instead of an empty object.
        Ok(serde_json::from_value(answer).unwrap_or_default())
    }

    /// Reports the versions of the compiler and of the program that runs submissions; `None` for one that the server
    /// did not ask for.
    pub(crate) fn check_versions(
        &self,
        task: &Id,
        compiler: Option<&str>,
        runner: Option<&str>,
    ) -> Result<(), ApiError> {
        let mut form = vec![("hostname", self.name.clone())];
        form.extend(compiler.map(|text| ("compiler", STANDARD.encode(text))));
        form.extend(runner.map(|text| ("runner", STANDARD.encode(text))));
        let path = format!("judgehosts/check_versions/{}", encoded(&task.0));
        self.retrying("reporting versions", || self.client.put(&path, &form))
    }

    /// Reports whether the submission compiles.
    pub(crate) fn update_judging(&self, task: &Id, form: &Form<'_>) -> Result<(), ApiError> {
        let path = format!("judgehosts/update-judging/{}/{}", encoded(&self.name), encoded(&task.0));
        self.retrying("reporting the compilation", || self.client.put(&path, form))
    }

    /// Sends the whole output of a submission, or another content that the jury asked for, in the field `field`.
    pub(crate) fn add_debug_info(&self, task: &Id, field: &str, content: &[u8]) -> Result<(), ApiError> {
        let path = format!("judgehosts/add-debug-info/{}/{}", encoded(&self.name), encoded(&task.0));
        let form = [(field, STANDARD.encode(content))];
        self.retrying("sending debug information", || match self.client.post::<Value>(&path, &form) {
            // The answer may be empty, which is no JSON.
            Err(ClientError::Garbled(_)) => Ok(()),
            answer => answer.map(drop),
        })
    }

    /// Reports an internal error.
    pub(crate) fn internal_error(&self, description: &str, blame: &Blame, task: Option<&Id>) -> Result<(), ApiError> {
        let disabled = blame.as_json(&self.name);
        let mut form = vec![
            ("description", description.to_owned()),
            ("judgehostlog", STANDARD.encode(description)),
            ("disabled", disabled.to_string()),
            ("hostname", self.name.clone()),
        ];
        form.extend(task.map(|task| ("judgetaskid", task.to_string())));
        self.report(Progress::InternalError { description: description.to_owned(), disabled });
        self.retrying("reporting an internal error", || self.client.post::<Value>("judgehosts/internal-error", &form))
            .map(drop)
    }

    /// Calls until there is an answer. Gives up if the server refuses the request, or fails too often.
    fn retrying<T>(&self, request: &str, call: impl Fn() -> Result<T, ClientError>) -> Result<T, ApiError> {
        self.retrying_until(request, Some(MOST_FAILURES), call)
    }

    /// Like `retrying`, with the number of failures after which it gives up; `None` if there is no such number.
    fn retrying_until<T>(
        &self,
        request: &str,
        most_failures: Option<u32>,
        call: impl Fn() -> Result<T, ClientError>,
    ) -> Result<T, ApiError> {
        let mut attempts = Attempts::new();
        loop {
            match call() {
                Ok(answer) => return Ok(answer),
                Err(error) => attempts.wait_after(error, request, most_failures, self)?,
            }
        }
    }
}

impl Blame {
    fn as_json(&self, name: &str) -> Value {
        match self {
            Blame::Host => json!({ "kind": "judgehost", "hostname": name }),
            Blame::Script(kind, id) => json!({ "kind": kind, format!("{kind}_id"): id }),
            Blame::TestCase(id) => json!({ "kind": "testcase", "testcaseid": id }),
        }
    }
}

/// Returns the text in percent-encoding.
pub(crate) fn encoded(text: &str) -> String {
    let mut to = String::new();
    encode(text, &mut to);
    to
}
