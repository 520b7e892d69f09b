//! Sends requests to the server over HTTP, one at a time.
//!
//! Each request has a connection of its own. A connection that stays open may be closed by the server at the moment
//! when the client sends the next request, and then nobody knows whether the server has handled it (DOMjudge #1307).
//!
//! An error says what the client knows about the request: the server refused it, the server failed, or the answer was
//! lost. After a lost answer, the server may or may not have handled the request.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use referee_text::printable::printable;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use ureq::Agent;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

use crate::credentials::Credentials;

/// Maximum size of an answer, in bytes. The largest answers contain the input and output of a test case in base64.
const LARGEST_ANSWER_BYTES: u64 = 4 << 30;

/// Maximum size of an answer that is not a file, in bytes.
const LARGEST_SMALL_ANSWER_BYTES: u64 = 64 << 20;

/// Maximum length of the text of an error, in characters.
const SHOWN: usize = 300;

/// The time limits of a request.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// For connecting.
    pub connect: Duration,
    /// For each wait for further bytes of the answer.
    pub read: Duration,
    /// For the whole request.
    pub whole: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts { connect: Duration::from_secs(20), read: Duration::from_secs(60), whole: Duration::from_secs(1800) }
    }
}

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
    #[error("no complete answer arrived: {0}")]
    Lost(String),
}

impl ClientError {
    /// Whether the same request may succeed later.
    pub fn is_temporary(&self) -> bool {
        matches!(self, ClientError::Failed { .. } | ClientError::Garbled(_) | ClientError::Lost(_))
    }
}

/// The reason why no client can be made.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {reason}")]
pub struct CaError {
    /// The path of the file with the certificates.
    pub file: String,
    /// Why it cannot be used.
    pub reason: String,
}

/// Sends requests to one server.
pub struct Client {
    agent: Agent,
    base: String,
    authorization: String,
}

/// The fields of a form.
pub(crate) type Form<'a> = [(&'a str, String)];

/// The text of an error in the server's answer.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ErrorAnswer {
    message: String,
    /// Whether the request may succeed later, from version 10.0 on; `None` if the server does not say it.
    retry: Option<bool>,
}

impl Client {
    /// Makes a client. It trusts the certificates of the system, and those of the file `ca` in PEM format. Fails if the
    /// file cannot be read or contains no certificate.
    pub fn new(credentials: &Credentials, ca: Option<&Path>, timeouts: Timeouts) -> Result<Client, CaError> {
        let mut roots: Vec<_> = rustls_native_certs::load_native_certs()
            .certs
            .iter()
            .map(|found| Certificate::from_der(found.as_ref()).to_owned())
            .collect();
        roots.extend(ca.map(certificates).transpose()?.unwrap_or_default());
        let tls = TlsConfig::builder().root_certs(RootCerts::Specific(Arc::new(roots))).build();
        let agent = Agent::config_builder()
            .tls_config(tls)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_idle_connections(0)
            .user_agent(concat!("referee/", env!("CARGO_PKG_VERSION")))
            .timeout_connect(Some(timeouts.connect))
            .timeout_per_read(Some(timeouts.read))
            .timeout_per_write(Some(timeouts.read))
            .timeout_global(Some(timeouts.whole))
            .build()
            .new_agent();
        let login = STANDARD.encode(format!("{}:{}", credentials.user, credentials.password));
        Ok(Client { agent, base: credentials.url.clone(), authorization: format!("Basic {login}") })
    }

    /// Returns the base URL of the API.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// Sends a GET request and reads the JSON of the answer.
    pub(crate) fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ClientError> {
        let answer = self.agent.get(self.url(path)).header("Authorization", &self.authorization).call();
        let most = if path.contains("get_files") { LARGEST_ANSWER_BYTES } else { LARGEST_SMALL_ANSWER_BYTES };
        parsed(&body(answer, most)?)
    }

    /// Sends a GET request and returns the time that the server states in its answer, as it wrote it; `None` if it
    /// states none.
    pub(crate) fn date(&self, path: &str) -> Result<Option<String>, ClientError> {
        let answer = self.agent.get(self.url(path)).header("Authorization", &self.authorization).call();
        let answer = answer.map_err(|error| ClientError::Lost(lost(&error)))?;
        Ok(answer.headers().get("Date").and_then(|date| date.to_str().ok()).map(str::to_owned))
    }

    /// Sends a form with POST and reads the JSON of the answer.
    pub(crate) fn post<T: DeserializeOwned>(&self, path: &str, form: &Form<'_>) -> Result<T, ClientError> {
        let request = self.agent.post(self.url(path)).header("Authorization", &self.authorization).content_type(FORM);
        parsed(&body(request.send(encoded(form)), LARGEST_SMALL_ANSWER_BYTES)?)
    }

    /// Sends a form with PUT. The answer has no content that counts.
    pub(crate) fn put(&self, path: &str, form: &Form<'_>) -> Result<(), ClientError> {
        let request = self.agent.put(self.url(path)).header("Authorization", &self.authorization).content_type(FORM);
        body(request.send(encoded(form)), LARGEST_SMALL_ANSWER_BYTES).map(drop)
    }

    fn url(&self, path: &str) -> String {
        format!("{}/{path}", self.base)
    }
}

const FORM: &str = "application/x-www-form-urlencoded";

fn certificates(file: &Path) -> Result<Vec<Certificate<'static>>, CaError> {
    let unusable = |reason: String| CaError { file: file.display().to_string(), reason };
    let text = std::fs::read(file).map_err(|error| unusable(error.to_string()))?;
    let mut found = Vec::new();
    for item in parse_pem(&text) {
        if let PemItem::Certificate(certificate) = item.map_err(|error| unusable(error.to_string()))? {
            found.push(certificate);
        }
    }
    if found.is_empty() {
        return Err(unusable("it contains no certificate; expected a file in PEM format".to_owned()));
    }
    Ok(found)
}

/// Reads the whole body of a successful answer.
fn body(answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>, most: u64) -> Result<Vec<u8>, ClientError> {
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

fn parsed<T: DeserializeOwned>(body: &[u8]) -> Result<T, ClientError> {
    serde_json::from_slice(body).map_err(|error| ClientError::Garbled(error.to_string()))
}

/// Returns the message of an error, from the server's JSON or else from the beginning of the text.
fn message_of(body: &[u8]) -> String {
    let message = serde_json::from_slice::<ErrorAnswer>(body).map(|answer| answer.message).unwrap_or_default();
    let text = if message.is_empty() { printable(&body[..body.len().min(4 * SHOWN)]) } else { message };
    let line = printable(text.as_bytes()).split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(SHOWN).collect()
}

/// Returns the text of an error of the connection.
fn lost(error: &ureq::Error) -> String {
    printable(error.to_string().as_bytes()).chars().take(SHOWN).collect()
}

/// Encodes a form as `application/x-www-form-urlencoded`.
fn encoded(form: &Form<'_>) -> Vec<u8> {
    let mut text = String::with_capacity(form.iter().map(|(name, value)| name.len() + value.len() + 2).sum());
    for (index, (name, value)) in form.iter().enumerate() {
        text.push_str(if index == 0 { "" } else { "&" });
        encode(name, &mut text);
        text.push('=');
        encode(value, &mut text);
    }
    text.into_bytes()
}

/// Appends `text` in percent-encoding.
pub(crate) fn encode(text: &str, to: &mut String) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            to.push(char::from(byte));
        } else {
            let _ = write!(to, "%{byte:02X}");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;

    use super::*;

    /// Starts a server that answers one request with `answer`, and keeps the connection open if `waits`.
    fn server(answer: &'static [u8], waits: bool) -> Client {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 1 << 12]);
            let _ = stream.write_all(answer);
            if waits {
                std::thread::sleep(Duration::from_secs(60));
            }
        });
        let short = Duration::from_millis(300);
        let timeouts = Timeouts { connect: short, read: short, whole: 4 * short };
        Client::new(&Credentials::new(&url, "user", "aSecret").unwrap(), None, timeouts).unwrap()
    }

    fn error(answer: &'static [u8], waits: bool) -> ClientError {
        let error = server(answer, waits).get::<Vec<u32>>("config").unwrap_err();
        assert!(!error.to_string().contains("aSecret"));
        error
    }

    #[test]
    fn an_answer_that_does_not_arrive_whole_is_lost() {
        assert!(matches!(error(b"", true), ClientError::Lost(_)), "a time-out before the answer");
        assert!(matches!(error(b"", false), ClientError::Lost(_)), "a closed connection");
        let cut = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[1, 2";
        assert!(matches!(error(cut, false), ClientError::Lost(_)), "a cut body");
        assert!(matches!(error(cut, true), ClientError::Lost(_)), "a time-out in the body");
        let chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1,\r\n";
        assert!(matches!(error(chunked, false), ClientError::Lost(_)), "a cut chunk");
        assert!(matches!(error(b"HTTP/1.1 502 Bad\r\nContent-Length: 0\r\n\r\n", false), ClientError::Lost(_)));
    }

    #[test]
    fn other_answers_say_what_the_server_thinks() {
        let whole = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n[1, 2]";
        assert_eq!(server(whole, false).get::<Vec<u32>>("config"), Ok(vec![1, 2]));
        let page = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>";
        assert!(matches!(error(page, false), ClientError::Garbled(_)));
        let refused = b"HTTP/1.1 400 Bad\r\nContent-Length: 16\r\n\r\n{\"message\":\"no\"}";
        assert_eq!(error(refused, false), ClientError::Refused { code: 400, message: "no".into() });
        let failed = b"HTTP/1.1 500 Oh\r\nContent-Length: 4\r\n\r\noops";
        assert_eq!(error(failed, false), ClientError::Failed { code: 500, message: "oops".into() });
        let last = b"HTTP/1.1 500 Oh\r\nContent-Length: 30\r\n\r\n{\"message\":\"no\",\"retry\":false}";
        assert_eq!(error(last, false), ClientError::Refused { code: 500, message: "no".into() });
        assert_eq!(error(b"HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n", false), ClientError::Unauthorized(401));
        let moved = b"HTTP/1.1 302 Found\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n";
        assert!(matches!(error(moved, false), ClientError::Refused { code: 302, .. }));
    }

    #[test]
    fn a_form_is_encoded() {
        let form = [("a", "x y+z=1&ü".to_owned()), ("b", String::new())];
        assert_eq!(encoded(&form), b"a=x%20y%2Bz%3D1%26%C3%BC&b=");
    }

    #[test]
    fn the_message_of_an_error_is_one_printable_line() {
        assert_eq!(message_of(br#"{"code":400,"message":"Argument 'x'\nis mandatory"}"#), "Argument 'x' is mandatory");
        assert_eq!(message_of(b"<html>\n<h1>502</h1>"), "<html> <h1>502</h1>");
        assert_eq!(message_of(&b"x".repeat(5000)).len(), SHOWN);
        assert!(!message_of(b"\x1b[31m red").contains('\x1b'));
    }
}
