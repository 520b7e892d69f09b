//! Sends the result of a test case while the next one is judged.

use std::thread::Scope;

use referee_judge::CaseResult;

use crate::answer::ClientError;
use crate::api::{Answer, Api, ApiError, Blame};
use crate::background::Background;
use crate::journal::{StoredForm, Unsynced};
use crate::tasks::Task;
use crate::trouble::Trouble;

/// A result, and the form that reports it.
pub(crate) struct JudgedCase {
    pub(crate) result: CaseResult,
    /// DOMjudge's word for the verdict.
    pub(crate) word: &'static str,
    pub(crate) form: StoredForm,
}

/// A result that is on its way to the server.
pub(crate) struct Sending<'scope>(Background<'scope, (Task, JudgedCase, Result<Answer, Trouble>)>);

impl<'scope> Sending<'scope> {
    /// Starts to send the result of `task`, once it is on disk in the journal.
    pub(crate) fn start(
        scope: &'scope Scope<'scope, '_>,
        api: &'scope Api<'_>,
        task: Task,
        judged: JudgedCase,
        written: Unsynced,
    ) -> Sending<'scope> {
        Sending(Background::start(scope, move || {
            let answer = written.sync().map_err(Trouble::from).and_then(|()| send(api, &task, &judged.form, false));
            (task, judged, answer)
        }))
    }

    /// Waits until the server has the result.
    pub(crate) fn wait(self) -> Result<(Task, JudgedCase, Answer), Trouble> {
        let (task, judged, answer) = self.0.wait()?;
        Ok((task, judged, answer?))
    }
}

/// Sends a result until the server has it. `may_be_stored` says whether it may have been sent before.
pub(crate) fn send(api: &Api<'_>, task: &Task, form: &StoredForm, may_be_stored: bool) -> Result<Answer, Trouble> {
    let fields: Vec<_> = form.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    api.add_judging_run(task, &fields, may_be_stored).map_err(|error| match error {
        // The verdict must not be lost silently. A person sees the internal error, and rejudges the submission.
        ApiError::Refused(reason @ ClientError::Failed { .. }) => Trouble::Internal {
            blame: Blame::TestCase(task.testcase_id.clone().unwrap_or_default()),
            description: format!("the server does not store the result of task {}: {reason}", task.judgetaskid),
        },
        error => Trouble::from(error),
    })
}
