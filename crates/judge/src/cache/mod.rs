//! What later runs need not compile or run again, and the digests that tell when they must.

pub(crate) mod build_cache;
pub(crate) mod fingerprint;
pub(crate) mod results;
