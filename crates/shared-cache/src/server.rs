//! Entries on a web server that answers GET and PUT, such as bazel-remote, or nginx with WebDAV.

use std::io;
use std::time::Duration;

use referee_https::Options;
use ureq::http::{HeaderValue, Uri};
use ureq::{Agent, Body, Error};

use crate::{Name, OpenError};

/// Maximum time for a connection, and for a whole request.
const CONNECTION_TIME: Duration = Duration::from_secs(5);
const REQUEST_TIME: Duration = Duration::from_secs(60);

/// Maximum time for each wait for further bytes.
const SILENCE: Duration = Duration::from_secs(10);

/// A web server. An entry is at `<address>/<digits>`.
pub(crate) struct Server {
    agent: Agent,
    address: String,
    authorization: Option<HeaderValue>,
    /// Whether the user has interrupted the run, so that no answer is awaited.
    is_interrupted: fn() -> bool,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

/// Whether the text is the address of a web server, and not a path.
pub(crate) fn is_address(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

impl Server {
    pub(crate) fn open(
        address: &str,
        authorization: Option<&str>,
        is_interrupted: fn() -> bool,
    ) -> Result<Server, OpenError> {
        let wrong = |reason: &str| OpenError::Address { address: without_user(address), reason: reason.to_owned() };
        let uri: Uri = address.parse().map_err(|_| wrong("it is no valid address"))?;
        let host = uri.authority().ok_or_else(|| wrong("it has no host"))?;
        if host.as_str().contains('@') {
            return Err(wrong("other users can see a password in the address; use the variable for authorization"));
        }
        if uri.query().is_some() || address.contains('#') {
            return Err(wrong("a query is not allowed, because the name of the entry follows the address"));
        }
        let authorization = match authorization.map(HeaderValue::from_str) {
            Some(Err(_)) => return Err(OpenError::Authorization),
            Some(Ok(mut value)) => {
                value.set_sensitive(true);
                Some(value)
            }
            None => None,
        };
        let is_encrypted = uri.scheme_str() == Some("https");
        let address = address.trim_end_matches('/').to_owned();
        Ok(Server { agent: agent(is_encrypted), address, authorization, is_interrupted })
    }

    fn address_of(&self, name: &Name) -> String {
        format!("{}/{}", self.address, name.digits())
    }

    /// Reads an entry; `None` if there is none.
    pub(crate) fn get(&self, name: &Name, most: u64) -> io::Result<Option<Vec<u8>>> {
        let mut request = self.agent.get(self.address_of(name));
        if let Some(value) = &self.authorization {
            request = request.header("authorization", value);
        }
        let answer = self.awaited(move || {
            let mut answer = request.call()?;
            let status = answer.status().as_u16();
            let body: &mut Body = answer.body_mut();
            let bytes = if status == 200 { body.with_config().limit(most).read_to_vec()? } else { Vec::new() };
            Ok((status, bytes))
        })?;
        match answer {
            (200, bytes) => Ok(Some(bytes)),
            (404 | 410, _) => Ok(None),
            (status, _) => Err(self.refused("GET", status)),
        }
    }

    /// Makes a request, and waits for its answer unless the user interrupts the run.
    fn awaited<T: Send + 'static>(&self, request: impl FnOnce() -> Result<T, Error> + Send + 'static) -> io::Result<T> {
        match referee_https::call_unless(&self.is_interrupted, request) {
            Some(answer) => answer.map_err(|error| self.failure(&error)),
            None => Err(io::ErrorKind::Interrupted.into()),
        }
    }

    /// Writes an entry.
    pub(crate) fn put(&self, name: &Name, bytes: Vec<u8>) -> io::Result<()> {
        let mut request = self.agent.put(self.address_of(name)).header("content-type", "application/octet-stream");
        if let Some(value) = &self.authorization {
            request = request.header("authorization", value);
        }
        let status = self.awaited(move || request.send(bytes).map(|answer| answer.status()))?;
        if status.is_success() { Ok(()) } else { Err(self.refused("PUT", status.as_u16())) }
    }

    fn refused(&self, method: &str, status: u16) -> io::Error {
        let hint = match (status, method) {
            (401 | 403, _) => ", so the authorization is missing or wrong",
            (405, "PUT") => ", so it allows only reading",
            (413, _) => ", so it allows only smaller entries",
            _ => "",
        };
        io::Error::other(format!("{} answers {method} with {status}{hint}", self.address))
    }

    fn failure(&self, error: &Error) -> io::Error {
        match error {
            Error::Timeout(_) => io::Error::other(format!("{} gives no answer in time", self.address)),
            _ => io::Error::other(format!("{}: {error}", self.address)),
        }
    }
}

/// Returns a client. `SSL_CERT_FILE` names the certificates of private authorities.
fn agent(is_encrypted: bool) -> Agent {
    let roots = is_encrypted.then(|| referee_https::trusted(None).unwrap_or_default());
    let (connect, whole) = (CONNECTION_TIME, REQUEST_TIME);
    referee_https::agent(Options { roots, connect, read: Some(SILENCE), whole, keeps_connections: true })
}

/// Returns the address without a user and a password, for messages.
fn without_user(address: &str) -> String {
    match (address.split_once("://"), address.rfind('@')) {
        (Some((scheme, _)), Some(at)) => format!("{scheme}://{}", &address[at + 1..]),
        _ => address.to_owned(),
    }
}
