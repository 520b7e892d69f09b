//! Makes HTTP clients for the crates that open network connections.
//!
//! A client trusts the certificates of the system, and those that the user names. An answer with a status other than
//! success is no error. A client follows no redirection, because it could lead the credentials to another server.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use referee_files::regular;
use ureq::Agent;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

/// How a client behaves.
#[derive(Clone, Debug)]
pub struct Options {
    /// The certificates that the client trusts; `None` if it needs none, because no connection is encrypted. Reading
    /// those of the system takes a while.
    pub roots: Option<Vec<Certificate<'static>>>,
    /// Maximum time for connecting.
    pub connect: Duration,
    /// Maximum time for each wait for further bytes; `None` if only `whole` limits it.
    pub read: Option<Duration>,
    /// Maximum time for the whole request.
    pub whole: Duration,
    /// Whether a connection stays open for later requests.
    pub keeps_connections: bool,
}

/// The reason why a file with certificates cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {reason}")]
pub struct CaError {
    /// The path of the file.
    pub file: String,
    /// Why it cannot be used.
    pub reason: String,
}

/// Size of the buffer for an answer, in bytes. The library fills the buffers of each connection with zeros. With its
/// default of 128 KiB for each of the two, that was a tenth of a judgehost's own CPU time. The head of an answer has to
/// fit, and the library allows 64 KiB for it.
const INPUT_BYTES: usize = 64 << 10;

/// Size of the buffer for a request, in bytes.
const OUTPUT_BYTES: usize = 16 << 10;

/// Returns a client.
pub fn agent(options: Options) -> Agent {
    let mut config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .user_agent(concat!("referee/", env!("CARGO_PKG_VERSION")))
        .timeout_connect(Some(options.connect))
        .timeout_per_read(options.read)
        .timeout_per_write(options.read)
        .timeout_global(Some(options.whole))
        .input_buffer_size(INPUT_BYTES)
        .output_buffer_size(OUTPUT_BYTES);
    if !options.keeps_connections {
        config = config.max_idle_connections(0);
    }
    if let Some(roots) = options.roots {
        config = config.tls_config(TlsConfig::builder().root_certs(RootCerts::Specific(Arc::new(roots))).build());
    }
    config.build().new_agent()
}

/// The time between two looks at whether a call is no longer wanted.
const SLICE: Duration = Duration::from_millis(50);

/// Calls the server in a thread of its own. Returns `None` as soon as `is_over` returns true: the answer of a server that
/// hangs is then no longer awaited, and the thread ends with the process at the latest. Also returns `None` if the
/// system allows no further thread.
pub fn call_unless<T: Send + 'static>(
    is_over: &dyn Fn() -> bool,
    call: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    thread::Builder::new().spawn(move || sender.send(call())).ok()?;
    loop {
        match receiver.recv_timeout(SLICE) {
            Ok(answer) => return Some(answer),
            Err(RecvTimeoutError::Timeout) if is_over() => return None,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

/// Returns the certificates of the system, and those of the file `more` in PEM format. The variable `SSL_CERT_FILE`
/// replaces those of the system. Fails if the file cannot be read or contains no certificate.
pub fn trusted(more: Option<&Path>) -> Result<Vec<Certificate<'static>>, CaError> {
    let found = rustls_native_certs::load_native_certs().certs.into_iter();
    let mut roots: Vec<_> = found.map(|one| Certificate::from_der(&one).to_owned()).collect();
    roots.extend(more.map(certificates).transpose()?.unwrap_or_default());
    Ok(roots)
}

/// Maximum size of a file of certificates, in bytes. Those of all authorities of a system have less than 1 MB.
const MOST_BYTES: u64 = 16 << 20;

fn certificates(file: &Path) -> Result<Vec<Certificate<'static>>, CaError> {
    let unusable = |reason: String| CaError { file: file.display().to_string(), reason };
    let text = regular::read(file, MOST_BYTES).map_err(|error| unusable(error.to_string()))?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_hangs_is_left_when_it_is_no_longer_wanted() {
        assert_eq!(call_unless(&|| true, || 7), Some(7), "an answer that is there counts");
        let (_sender, receiver) = mpsc::channel::<()>();
        assert_eq!(call_unless(&|| true, move || receiver.recv().is_ok()), None);
    }

    #[test]
    fn a_file_without_certificates_is_refused() {
        let missing = trusted(Some(Path::new("/does/not/exist.pem"))).unwrap_err().to_string();
        assert!(missing.starts_with("/does/not/exist.pem: "), "{missing}");
        let endless = trusted(Some(Path::new("/dev/zero"))).unwrap_err().to_string();
        assert_eq!(endless, "/dev/zero: it is not a regular file");
        let empty = tempfile::NamedTempFile::new().unwrap();
        let refused = trusted(Some(empty.path())).unwrap_err().to_string();
        assert!(refused.ends_with(": it contains no certificate; expected a file in PEM format"), "{refused}");
    }
}
