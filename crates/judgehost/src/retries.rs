//! Counts the attempts of a request, and waits between them.

use crate::answer::ClientError;
use crate::api::{Api, ApiError};
use crate::pace::{self, Pace};
use crate::progress::Progress;

/// The number of attempts of a request without an answer after the user has asked for an end.
const ATTEMPTS_AT_END: u32 = 3;

/// The attempts of one request.
pub(crate) struct Attempts {
    pace: Pace,
    count: u32,
    failures: u32,
}

impl Attempts {
    pub(crate) fn new() -> Attempts {
        Attempts { pace: Pace::of_retries(), count: 0, failures: 0 }
    }

    /// Waits before the next attempt. Fails if there is no next attempt: the error is final, the server failed on this
    /// request `most_failures` times while it answered others, or the user asks for an end and the server does not
    /// answer.
    pub(crate) fn wait_after(
        &mut self,
        error: ClientError,
        request: &str,
        most_failures: Option<u32>,
        api: &Api<'_>,
    ) -> Result<(), ApiError> {
        self.count += 1;
        if let ClientError::Unauthorized(_) = error {
            return Err(ApiError::Unauthorized);
        }
        let may_be_final =
            matches!(error, ClientError::Failed { .. } | ClientError::Garbled(_)) && !error.is_overload();
        // A server that fails on everything is down, and comes back.
        self.failures += u32::from(most_failures.is_some() && may_be_final && api.is_up());
        if !error.is_temporary() || most_failures.is_some_and(|most| self.failures >= most) {
            return Err(ApiError::Refused(error));
        }
        let stops = api.stops();
        if (stops.is_now)() || (stops.is_asked)() && self.count >= ATTEMPTS_AT_END {
            return Err(ApiError::Interrupted);
        }
        let wait = self.pace.next();
        let (request, error) = (request.to_owned(), error.to_string());
        api.report(Progress::Retried { request, error, wait_seconds: wait.as_secs_f64() });
        pace::sleep(wait, stops.is_asked);
        Ok(())
    }
}
