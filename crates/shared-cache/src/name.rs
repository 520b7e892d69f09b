//! The name of an entry.

/// The name of an entry: 64 hexadecimal digits, which are a digest of the kind and the key of the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name(blake3::Hash);

impl Name {
    /// Returns the name of the entry of a kind, such as `results`, with a key.
    pub fn of(kind: &str, key: &[u8]) -> Name {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&(kind.len() as u64).to_le_bytes()).update(kind.as_bytes()).update(key);
        Name(hasher.finalize())
    }

    pub(crate) fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    /// Returns the 64 digits.
    pub(crate) fn digits(&self) -> String {
        self.0.to_hex().to_string()
    }
}
