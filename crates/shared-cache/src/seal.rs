//! Seals entries with a digest, so that a damaged or forged entry is not accepted.

use crate::Name;

/// The first bytes of every entry, with the version of the format.
const MAGIC: &[u8; 8] = b"refshar\x01";

/// Number of bytes before the contents: the magic bytes and the digest.
pub(crate) const HEAD_BYTES: usize = MAGIC.len() + blake3::OUT_LEN;

/// Separates the keys of this format from other uses of the same secret.
const CONTEXT: &str = "referee 2026-11-26 entries of a shared cache";

/// The key of the digests.
pub(crate) struct Key([u8; 32]);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key")
    }
}

impl Key {
    /// Returns the key of a secret. Without a secret, the key is the same for everyone.
    pub(crate) fn of(secret: Option<&[u8]>) -> Key {
        // The first byte distinguishes an empty secret from none.
        let material: Vec<u8> = match secret {
            Some(secret) => std::iter::once(1).chain(secret.iter().copied()).collect(),
            None => vec![0],
        };
        Key(blake3::derive_key(CONTEXT, &material))
    }

    fn digest(&self, name: &Name, contents: &[u8]) -> blake3::Hash {
        blake3::Hasher::new_keyed(&self.0).update(name.as_bytes()).update(contents).finalize()
    }

    /// Returns the entry with these contents.
    pub(crate) fn seal(&self, name: &Name, contents: &[u8]) -> Vec<u8> {
        [MAGIC, self.digest(name, contents).as_bytes().as_slice(), contents].concat()
    }

    /// Returns the contents of an entry; `None` if it does not have this name, or if its bytes have changed.
    pub(crate) fn unseal(&self, name: &Name, mut entry: Vec<u8>) -> Option<Vec<u8>> {
        let digest: [u8; 32] = entry.get(MAGIC.len()..HEAD_BYTES)?.try_into().ok()?;
        let is_sealed = entry.starts_with(MAGIC) && self.digest(name, entry.get(HEAD_BYTES..)?) == digest;
        is_sealed.then(|| {
            entry.drain(..HEAD_BYTES);
            entry
        })
    }
}
