//! Classifies the answer to a request: the server accepted or refused it, the server failed, or the answer was lost.

use referee_text::printable::printable;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// Maximum length of the text of an error, in characters.
const SHOWN: usize = 300;

/// What the client knows about a request that did not succeed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// The server does not accept the credentials.
    #[error("the server does not accept the credentials (HTTP {0})")]
    Unauthorized(u16),
    /// The server refused the request. The same request would be refused again.
    #[error("the server refused the request (HTTP {code}): {message}")]
    Refused {
        /// The HTTP status, from 400 to 499.
        code: u16,
        /// The server's message.
        message: String,
    },
    /// The server failed. The request may succeed later.
    #[error("the server failed (HTTP {code}): {message}")]
    Failed {
        /// The HTTP status, at least 500.
        code: u16,
        /// The server's message.
        message: String,
    },
    /// The answer is complete, but has another form than the API's. The server may have handled the request.
    #[error("the answer is not one of DOMjudge's API: {0}")]
    Garbled(String),
    /// No complete answer arrived. The server may have handled the request.
    #[error("the server's answer did not arrive: {0}")]
    Lost(String),
}

impl ClientError {
    /// Whether the same request may succeed later.
    pub fn is_temporary(&self) -> bool {
        matches!(self, ClientError::Failed { .. } | ClientError::Garbled(_) | ClientError::Lost(_))
    }

    /// Whether the server says that it has too much to do.
    pub(crate) fn is_overload(&self) -> bool {
        matches!(self, ClientError::Failed { code: 408 | 429, .. })
    }
}

/// The text of an error in the server's answer.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ErrorAnswer {
    message: String,
    /// Whether the request may succeed later, from version 10.0 on; `None` if the server does not say it.
    retry: Option<bool>,
}

/// Reads the whole body of a successful answer.
pub(crate) fn body(
    answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    most: u64,
) -> Result<Vec<u8>, ClientError> {
    let mut answer = answer.map_err(|error| ClientError::Lost(lost(&error)))?;
    let code = answer.status().as_u16();
    let read = answer.body_mut().with_config().limit(most).read_to_vec();
    if (200..300).contains(&code) {
        return read.map_err(|error| ClientError::Lost(lost(&error)));
    }
    let body = read.unwrap_or_default();
    let message = message_of(&body);
    let is_final = serde_json::from_slice::<ErrorAnswer>(&body).is_ok_and(|answer| answer.retry == Some(false));
    Err(match code {
        401 | 403 => ClientError::Unauthorized(code),
        _ if is_final => ClientError::Refused { code, message },
        // A proxy answers with these codes if it has no answer of the server.
        502..=504 => ClientError::Lost(format!("HTTP {code}: {message}")),
        408 | 429 => ClientError::Failed { code, message },
        400..=499 => ClientError::Refused { code, message },
        300..=399 => ClientError::Refused { code, message: "it redirects; give the URL to which it leads".to_owned() },
        _ => ClientError::Failed { code, message },
    })
}

pub(crate) fn parsed<T: DeserializeOwned>(body: &[u8]) -> Result<T, ClientError> {
    serde_json::from_slice(body).map_err(|error| {
        let is_page = body.trim_ascii_start().starts_with(b"<");
        ClientError::Garbled(if is_page { "it is a web page; check the URL".to_owned() } else { error.to_string() })
    })
}

/// Returns the message of an error, from the server's JSON or else from the beginning of the text.
fn message_of(body: &[u8]) -> String {
    let message = serde_json::from_slice::<ErrorAnswer>(body).map(|answer| answer.message).unwrap_or_default();
    let text = if message.is_empty() { printable(&body[..body.len().min(4 * SHOWN)]) } else { message };
    let line = printable(text.as_bytes()).split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(SHOWN).collect()
}

/// Returns the text of an error of the connection.
pub(crate) fn lost(error: &ureq::Error) -> String {
    let text: String = printable(error.to_string().as_bytes()).chars().take(SHOWN).collect();
    let is_untrusted = text.contains("UnknownIssuer") || text.contains("BadSignature");
    if is_untrusted { format!("{text}; --ca names the certificate of a private authority") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_of_an_error_is_one_printable_line() {
        assert_eq!(message_of(br#"{"code":400,"message":"Argument 'x'\nis mandatory"}"#), "Argument 'x' is mandatory");
        assert_eq!(message_of(b"<html>\n<h1>502</h1>"), "<html> <h1>502</h1>");
        assert_eq!(message_of(&b"x".repeat(5000)).len(), SHOWN);
        assert!(!message_of(b"\x1b[31m red").contains('\x1b'));
    }
}
