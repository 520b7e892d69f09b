//! A cache that several machines share: a folder, perhaps on a network drive, or a web server that answers GET and PUT.
//!
//! An entry has a [`Name`] and some bytes. The name is a digest of the kind and the key of the entry, so the cache needs
//! no list of its entries. Every entry is written as a whole, and a later writer replaces it. So readers and writers need
//! no lock, also on NFS.
//!
//! Each entry begins with a digest of its name and its bytes ([`seal`]). An entry that is damaged, cut off or stored
//! under another name counts as missing. A program that can write to the cache can also compute this digest. With a
//! secret, only machines that know the secret can make an entry that others accept.
//!
//! A cache can be slow or away. Every failure counts as a missing entry. After [`MOST_FAILURES`] failures in a row, this
//! process no longer uses the cache.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

mod folder;
mod name;
mod seal;
mod server;

use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use folder::Folder;
pub use name::Name;
use seal::Key;
use server::Server;

/// Number of consecutive failures after which the cache is no longer used.
pub const MOST_FAILURES: u32 = 3;

/// Maximum size of an entry, in bytes. Larger entries are neither written nor read.
pub const MOST_BYTES: u64 = 64 << 20;

/// Whether new entries are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Entries are only read.
    Read,
    /// Entries are read and written.
    ReadAndWrite,
}

/// What the user says about a shared cache.
#[derive(Clone)]
pub struct Options {
    /// The path of a folder, or an address that begins with `http://` or `https://`.
    pub address: String,
    /// Whether new entries are written.
    pub access: Access,
    /// The secret that all machines know; `None` if this process accepts entries without a secret.
    pub secret: Option<Vec<u8>>,
    /// The value of the header `Authorization` for a web server; `None` if it needs none.
    pub authorization: Option<String>,
    /// Whether the user has interrupted the run. Then no answer of a web server is awaited.
    pub is_interrupted: fn() -> bool,
}

/// Why a shared cache cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder does not exist, or the path leads to something else.
    #[error("{} is not a folder", .0.display())]
    NoFolder(PathBuf),
    /// The address is not one of a web server.
    #[error("{address}: {reason}")]
    Address {
        /// The address.
        address: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The value of the header `Authorization` has a character that headers must not have.
    #[error("the authorization has a line feed or another character that a header must not have")]
    Authorization,
}

/// A cache that several machines share.
#[derive(Debug)]
pub struct SharedCache {
    place: Place,
    key: Key,
    access: Access,
    failures: AtomicU32,
    first_error: OnceLock<String>,
    /// The number of entries that were there and could not be used.
    unusable: AtomicU32,
}

/// Where the entries are.
#[derive(Debug)]
enum Place {
    Folder(Folder),
    Server(Box<Server>),
}

impl SharedCache {
    /// Opens a cache. Sends no request yet.
    pub fn open(options: &Options) -> Result<SharedCache, OpenError> {
        let Options { address, access, secret, authorization, is_interrupted } = options;
        let place = if server::is_address(address) {
            Place::Server(Box::new(Server::open(address, authorization.as_deref(), *is_interrupted)?))
        } else {
            Place::Folder(Folder::open(address.as_ref())?)
        };
        let key = Key::of(secret.as_deref());
        Ok(SharedCache {
            place,
            key,
            access: *access,
            failures: AtomicU32::default(),
            first_error: OnceLock::new(),
            unusable: AtomicU32::default(),
        })
    }

    /// Returns the bytes of an entry; `None` if there is no entry, if it is damaged, or if the cache cannot be read.
    pub fn get(&self, name: &Name) -> Option<Vec<u8>> {
        if self.is_given_up() {
            return None;
        }
        let most = MOST_BYTES + seal::HEAD_BYTES as u64;
        let found = match &self.place {
            Place::Folder(folder) => folder.get(name, most),
            Place::Server(server) => server.get(name, most),
        };
        let unsealed = self.key.unseal(name, self.noted(found)??);
        if unsealed.is_none() {
            self.unusable.fetch_add(1, Ordering::Relaxed);
        }
        unsealed
    }

    /// Writes an entry. Does nothing if the cache is only read, or if the entry is too large.
    pub fn put(&self, name: &Name, bytes: &[u8]) {
        if self.access == Access::Read || self.is_given_up() || bytes.len() as u64 > MOST_BYTES {
            return;
        }
        let sealed = self.key.seal(name, bytes);
        self.noted(match &self.place {
            Place::Folder(folder) => folder.put(name, &sealed),
            Place::Server(server) => server.put(name, sealed),
        });
    }

    /// Returns the first failure or else the number of unusable entries, and whether the cache is no longer used because
    /// of that; `None` if there was no trouble.
    pub fn trouble(&self) -> Option<String> {
        let end = if self.is_given_up() { "; the rest of the run did not use it" } else { "" };
        if let Some(error) = self.first_error.get() {
            return Some(format!("{error}{end}"));
        }
        let unusable = self.unusable.load(Ordering::Relaxed);
        (unusable > 0).then(|| {
            let entries = if unusable == 1 { "1 entry".to_owned() } else { format!("{unusable} entries") };
            format!("{entries} could not be used: damaged, of another secret, or no entry of referee{end}")
        })
    }

    /// Whether new entries are written.
    pub fn is_written(&self) -> bool {
        self.access == Access::ReadAndWrite
    }

    fn is_given_up(&self) -> bool {
        self.failures.load(Ordering::Relaxed) >= MOST_FAILURES
    }

    /// Counts a failure and remembers the first one.
    fn noted<T>(&self, result: io::Result<T>) -> Option<T> {
        match result {
            Ok(value) => {
                // Threads that have already given up do not try again.
                if !self.is_given_up() {
                    self.failures.store(0, Ordering::Relaxed);
                }
                Some(value)
            }
            Err(error) => {
                self.failures.fetch_add(1, Ordering::Relaxed);
                // The user knows of an interruption.
                if error.kind() != io::ErrorKind::Interrupted {
                    let _ = self.first_error.set(error.to_string());
                }
                None
            }
        }
    }
}

#[cfg(test)]
mod tests;
