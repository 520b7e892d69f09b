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

/// A web server. An entry is at `<address>/<digits>`.
pub(crate) struct Server {
    agent: Agent,
    address: String,
    authorization: Option<HeaderValue>,
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
    pub(crate) fn open(address: &str, authorization: Option<&str>) -> Result<Server, OpenError> {
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
        Ok(Server { agent: agent(is_encrypted), address: address.trim_end_matches('/').to_owned(), authorization })
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
        let mut answer = request.call().map_err(|error| self.failure(&error))?;
        match answer.status().as_u16() {
            200 => {
                let body: &mut Body = answer.body_mut();
                body.with_config().limit(most).read_to_vec().map(Some).map_err(|error| self.failure(&error))
            }
            404 | 410 => Ok(None),
            status => Err(self.refused("GET", status)),
        }
    }

    /// Writes an entry.
    pub(crate) fn put(&self, name: &Name, bytes: &[u8]) -> io::Result<()> {
        let mut request = self.agent.put(self.address_of(name)).header("content-type", "application/octet-stream");
        if let Some(value) = &self.authorization {
            request = request.header("authorization", value);
        }
        let answer = request.send(bytes).map_err(|error| self.failure(&error))?;
        if answer.status().is_success() { Ok(()) } else { Err(self.refused("PUT", answer.status().as_u16())) }
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
        io::Error::other(format!("{}: {error}", self.address))
    }
}

/// Returns a client. `SSL_CERT_FILE` names the certificates of private authorities.
fn agent(is_encrypted: bool) -> Agent {
    let roots = is_encrypted.then(|| referee_https::trusted(None).unwrap_or_default());
    let (connect, whole) = (CONNECTION_TIME, REQUEST_TIME);
    referee_https::agent(Options { roots, connect, read: None, whole, keeps_connections: true })
}

/// Returns the address without a user and a password, for messages.
fn without_user(address: &str) -> String {
    match (address.split_once("://"), address.rfind('@')) {
        (Some((scheme, _)), Some(at)) => format!("{scheme}://{}", &address[at + 1..]),
        _ => address.to_owned(),
    }
}
