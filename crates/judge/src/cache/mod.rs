//! Caches of compiled programs and of results, so that later runs need not compile or run a program again.

pub(crate) mod build_cache;
pub(crate) mod environment;
pub(crate) mod fingerprint;
pub(crate) mod results;
