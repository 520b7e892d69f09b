//! The arguments that say which DOMjudge server a judgehost works for, and with which credentials.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use clap::Args;

use super::{Failure, secrets, warn};
use referee_judgehost::{Client, Credentials, CredentialsError, DefaultScripts, Timeouts, script_hash};
use referee_sandbox::interrupt;

/// The variables of the environment with the user and the password.
const USER: &str = "REFEREE_JUDGEHOST_USER";
pub(super) const PASSWORD: &str = "REFEREE_JUDGEHOST_PASSWORD";

/// The file in which DOMjudge's installation writes the credentials of judgehosts.
const DOMJUDGES_FILE: &str = "/etc/domjudge/restapi.secret";

/// The server and its credentials.
#[derive(Debug, Args)]
pub(super) struct ConnectionArguments {
    /// The address of the server, with or without /api/v4 [default: the one in the secret file]
    #[arg(long, value_name = "URL", help_heading = "Server")]
    url: Option<String>,

    /// DOMjudge's restapi.secret with lines `ID URL USER PASSWORD` [default: /etc/domjudge/restapi.secret]
    ///
    /// Without this option, the environment variables REFEREE_JUDGEHOST_USER and REFEREE_JUDGEHOST_PASSWORD apply if
    /// both are set; then --url is needed.
    #[arg(long, value_name = "FILE", help_heading = "Server")]
    secret: Option<PathBuf>,

    /// Also trust the certificates in FILE (PEM), for example of a private certificate authority
    #[arg(long, value_name = "FILE", help_heading = "Server")]
    ca: Option<PathBuf>,

    /// Also treat the script with this hash as one of DOMjudge's default scripts, which our own languages and
    /// our own comparison replace; may be given several times
    ///
    /// `referee doctor --judgehost` prints the hashes of unknown compile scripts, and the log of `referee judgehost` those
    /// of all scripts.
    #[arg(long, value_parser = script_hash, value_name = "HASH", help_heading = "Server")]
    default_script: Vec<String>,
}

impl ConnectionArguments {
    /// Returns whether the command line has any of these options.
    pub(super) fn is_given(&self) -> bool {
        self.url.is_some() || self.secret.is_some() || self.ca.is_some() || !self.default_script.is_empty()
    }

    /// Returns the scripts that count as DOMjudge's own.
    pub(super) fn default_scripts(&self) -> DefaultScripts {
        DefaultScripts::with(self.default_script.iter().cloned())
    }

    /// Returns a client for the server. Fails if there are no credentials or the certificates cannot be read.
    pub(super) fn client(&self) -> Result<Client, Failure> {
        let credentials = self.credentials()?;
        Client::new(&credentials, self.ca.as_deref(), Timeouts::default(), interrupt::happened)
            .map_err(|error| Failure::unusable(format!("--ca {error}")))
    }

    fn credentials(&self) -> Result<Credentials, Failure> {
        if self.secret.is_none()
            && let (Some(user), Some(password)) = (of_environment(USER), of_environment(PASSWORD))
        {
            let Some(url) = &self.url else {
                let failure = Failure::unusable(format!("{USER} is set, but no server is named"));
                return Err(failure.with_hint("give the address of the server with --url"));
            };
            return Credentials::new(url, &user, &password).map_err(Failure::unusable);
        }
        secrets::hide()?;
        let file = self.secret.clone().unwrap_or_else(|| DOMJUDGES_FILE.into());
        let credentials = Credentials::read(&file, self.url.as_deref()).map_err(|error| match &error {
            CredentialsError::Unreadable(..) => Failure::unusable(&error)
                .with_hint(format!("name a regular file with --secret, or set both {USER} and {PASSWORD}")),
            _ => Failure::unusable(&error),
        })?;
        warn_if_open(&file);
        Ok(credentials)
    }

    /// Returns where the user and the password come from, in words for a hint.
    pub(super) fn origin(&self) -> String {
        match &self.secret {
            Some(file) => file.display().to_string(),
            None if of_environment(USER).is_some() && of_environment(PASSWORD).is_some() => {
                format!("{USER} and {PASSWORD}")
            }
            None => DOMJUDGES_FILE.to_owned(),
        }
    }
}

/// Returns the value of a variable of the environment; `None` if it is empty or not set.
fn of_environment(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Warns if every user of this machine can read or change the file with the password.
fn warn_if_open(file: &Path) {
    let mode = file.metadata().map_or(0, |found| found.permissions().mode());
    if mode & 0o006 != 0 {
        let does = if mode & 0o002 != 0 { "change" } else { "read" };
        warn(&format!("every user of this machine can {does} {}; run chmod o-rwx on it", file.display()));
    }
}
