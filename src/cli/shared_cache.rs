//! The options for a cache that several machines share.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::sync::{Arc, OnceLock};

use clap::Args;

use super::{Failure, secrets};
use referee_sandbox::Mode;
use referee_sandbox::interrupt;
use referee_shared_cache::{Access, OpenError, Options, SharedCache};

/// Variables for what other users of the machine must not see, and for settings of a CI system. The command line is
/// visible to all users.
const ADDRESS: &str = "REFEREE_SHARED_CACHE";
pub(super) const SECRET: &str = "REFEREE_SHARED_CACHE_SECRET";
pub(super) const AUTHORIZATION: &str = "REFEREE_SHARED_CACHE_AUTHORIZATION";

/// The options for a cache that several machines share.
#[derive(Debug, Args)]
pub(super) struct SharedCacheArguments {
    /// Share results and compiled programs with other machines, in a folder or on a web server [env:
    /// REFEREE_SHARED_CACHE=]
    ///
    /// The server answers GET and PUT. REFEREE_SHARED_CACHE_AUTHORIZATION is the header `Authorization` for it. With
    /// REFEREE_SHARED_CACHE_SECRET, only entries of machines with the same secret count.
    #[arg(long, value_name = "FOLDER|URL", conflicts_with = "no_cache", help_heading = "Shared cache")]
    shared_cache: Option<String>,

    /// Read the shared cache, but add nothing to it
    #[arg(long, help_heading = "Shared cache")]
    shared_cache_read_only: bool,

    /// The opened cache, which all packages of a run share.
    #[arg(skip)]
    opened: OnceLock<Option<Arc<SharedCache>>>,
}

impl SharedCacheArguments {
    /// Opens the shared cache that the user named; `None` if there is none. Fails if it cannot be used, or if programs
    /// could reach it in this mode of the sandbox.
    pub(super) fn open(&self, mode: Mode) -> Result<Option<Arc<SharedCache>>, Failure> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened.clone());
        }
        let opened = self.open_now(mode)?.map(Arc::new);
        Ok(self.opened.get_or_init(|| opened).clone())
    }

    /// Warns if the cache could not be used.
    pub(super) fn warn_of_trouble(&self) {
        if let Some(reason) = self.opened.get().and_then(|opened| opened.as_ref()?.trouble()) {
            super::warn(&format!("shared cache: {reason}"));
        }
    }

    fn open_now(&self, mode: Mode) -> Result<Option<SharedCache>, Failure> {
        let (address, source) = match (&self.shared_cache, variable(ADDRESS)?) {
            (Some(address), _) => (address.clone(), "--shared-cache"),
            (None, Some(address)) => (address, ADDRESS),
            (None, None) if self.shared_cache_read_only => {
                return Err(Failure::unusable("--shared-cache-read-only: there is no shared cache")
                    .with_hint(format!("add --shared-cache FOLDER|URL, or set {ADDRESS}")));
            }
            (None, None) => return Ok(None),
        };
        let options = Options {
            address,
            access: if self.shared_cache_read_only { Access::Read } else { Access::ReadAndWrite },
            secret: non_empty(SECRET).map(OsString::into_vec),
            authorization: variable(AUTHORIZATION)?,
            is_interrupted: interrupt::happened,
        };
        let opened = SharedCache::open(&options).map_err(|error| {
            let failure = Failure::unusable(format!("{source}: {error}"));
            match error {
                OpenError::Authorization => failure.with_hint(format!("check the value of {AUTHORIZATION}")),
                _ => failure
                    .with_hint("name an existing folder, or an address such as https://cache.example.org/referee"),
            }
        })?;
        // Other machines believe the entries of this one, so a program that could change entries or read the secret
        // would decide verdicts elsewhere.
        if let Some((why, remedy)) = secrets::exposure(mode) {
            let remedy = remedy.map(|remedy| format!("{remedy}\n")).unwrap_or_default();
            return Err(Failure::unusable(format!(
                "{source}: programs could read the secret of the shared cache or change its entries: {why}"
            ))
            .with_hint(format!("{remedy}without isolation, run without the shared cache")));
        }
        Ok(Some(opened))
    }
}

fn non_empty(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// Returns the value of an environment variable; `None` if it is not set or empty.
fn variable(name: &str) -> Result<Option<String>, Failure> {
    let text = non_empty(name).map(OsString::into_string).transpose();
    text.map_err(|_| Failure::unusable(format!("{name} is not UTF-8")))
}
