//! Sends requests to the server over HTTP. Several threads can use a client.
//!
//! Each request has a connection of its own. A connection that stays open may be closed by the server at the moment
//! when the client sends the next request. Then the client cannot know whether the server has handled the request
//! (DOMjudge #1307).
//!
//! An error says what the client knows about the request: the server refused it, the server failed, or the answer was
//! lost. After a lost answer, the server may or may not have handled the request.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use referee_https::{CaError, Options};
use serde::de::DeserializeOwned;
use ureq::Agent;

use crate::answer::{ClientError, body, lost, parsed};
use crate::credentials::Credentials;

/// Maximum size of an answer, in bytes. The largest answers contain the input and output of a test case in base64.
const LARGEST_ANSWER_BYTES: u64 = 4 << 30;

/// Maximum size of an answer that is not a file, in bytes.
const LARGEST_SMALL_ANSWER_BYTES: u64 = 64 << 20;

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

/// Sends requests to one server.
pub struct Client {
    agent: Agent,
    base: String,
    authorization: String,
    /// Whether the user wants to end at once, so that no answer is awaited.
    is_over: fn() -> bool,
}

/// The fields of a form.
pub(crate) type Form<'a> = [(&'a str, String)];

impl Client {
    /// Makes a client. It trusts the certificates of the system, and those of the file `ca` in PEM format. It waits for
    /// no answer once `is_over` returns true. Fails if the file cannot be read or contains no certificate.
    pub fn new(
        credentials: &Credentials,
        ca: Option<&Path>,
        timeouts: Timeouts,
        is_over: fn() -> bool,
    ) -> Result<Client, CaError> {
        let agent = referee_https::agent(Options {
            roots: Some(referee_https::trusted(ca)?),
            connect: timeouts.connect,
            read: Some(timeouts.read),
            whole: timeouts.whole,
            keeps_connections: false,
        });
        let login = STANDARD.encode(format!("{}:{}", credentials.user, credentials.password));
        Ok(Client { agent, base: credentials.url.clone(), authorization: format!("Basic {login}"), is_over })
    }

    /// Returns the base URL of the API.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// Sends a GET request and reads the JSON of the answer.
    pub(crate) fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ClientError> {
        let request = self.agent.get(self.url(path)).header("Authorization", &self.authorization);
        let most = if path.contains("get_files") { LARGEST_ANSWER_BYTES } else { LARGEST_SMALL_ANSWER_BYTES };
        parsed(&self.awaited(move || body(request.call(), most))?)
    }

    /// Sends a GET request and returns the time that the server states in its answer, as it wrote it; `None` if it
    /// states none.
    pub(crate) fn date(&self, path: &str) -> Result<Option<String>, ClientError> {
        let request = self.agent.get(self.url(path)).header("Authorization", &self.authorization);
        let answer = self.awaited(move || request.call().map_err(|error| ClientError::Lost(lost(&error))))?;
        Ok(answer.headers().get("Date").and_then(|date| date.to_str().ok()).map(str::to_owned))
    }

    /// Sends a form with POST and reads the JSON of the answer.
    pub(crate) fn post<T: DeserializeOwned>(&self, path: &str, form: &Form<'_>) -> Result<T, ClientError> {
        let request = self.agent.post(self.url(path)).header("Authorization", &self.authorization).content_type(FORM);
        let form = encoded(form);
        parsed(&self.awaited(move || body(request.send(form), LARGEST_SMALL_ANSWER_BYTES))?)
    }

    /// Sends a form with PUT. The answer has no content that counts.
    pub(crate) fn put(&self, path: &str, form: &Form<'_>) -> Result<(), ClientError> {
        let request = self.agent.put(self.url(path)).header("Authorization", &self.authorization).content_type(FORM);
        let form = encoded(form);
        self.awaited(move || body(request.send(form), LARGEST_SMALL_ANSWER_BYTES)).map(drop)
    }

    /// Makes a request, and waits for its answer unless the user wants to end at once.
    fn awaited<T: Send + 'static>(
        &self,
        request: impl FnOnce() -> Result<T, ClientError> + Send + 'static,
    ) -> Result<T, ClientError> {
        let answer = referee_https::call_unless(&self.is_over, request);
        answer.unwrap_or_else(|| Err(ClientError::Lost("it is no longer awaited".to_owned())))
    }

    fn url(&self, path: &str) -> String {
        format!("{}/{path}", self.base)
    }
}

const FORM: &str = "application/x-www-form-urlencoded";

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
        Client::new(&Credentials::new(&url, "user", "aSecret").unwrap(), None, timeouts, || false).unwrap()
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
}
