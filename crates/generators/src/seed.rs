//! The seed of a generator's command: a hash of what the rule says, so that it never changes by itself.

use sha2::{Digest, Sha512};

/// The number that stands for `{seed}`, below 2^31: the SHA-512 of the salt, `:` with the count less one if that is
/// not the first, and the command without blanks around it, as BAPCtools computes it. The command still has its
/// `{seed}`, and no other placeholder.
pub(super) fn seed(random_salt: &str, count: i64, command: &str) -> u32 {
    let count = if count == 1 { String::new() } else { format!(":{}", i128::from(count) - 1) };
    let hash = Sha512::new().chain_update(random_salt).chain_update(count).chain_update(stripped(command)).finalize();
    let [.., a, b, c, d] = hash.as_slice() else { return 0 };
    u32::from_be_bytes([*a, *b, *c, *d]) % (1 << 31)
}

/// Blanks are what Python's `strip` takes for them, which are a few more than Unicode's.
fn stripped(command: &str) -> &str {
    command.trim_matches(|letter: char| letter.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&letter))
}

/// The seed of a later try.
pub(super) fn later(seed: u32, tries: u32) -> u32 {
    ((u64::from(seed) + u64::from(tries)) % (1 << 31)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `int(hashlib.sha512(TEXT.encode()).hexdigest(), 16) % 2**31` of Python 3, for the text at the end of each line.
    #[test]
    fn seeds_are_those_of_bapctools() {
        assert_eq!(seed("", 1, "gen.py {seed}"), 217_127_397); // gen.py {seed}
        assert_eq!(seed("", 1, "  gen.py {seed}\n"), 217_127_397); // gen.py {seed}
        assert_eq!(seed("abcd", 1, "gen.py {seed}"), 1_581_083_801); // abcdgen.py {seed}
        assert_eq!(seed("", 3, "gen.py {seed}"), 969_872_368); // :2gen.py {seed}
        assert_eq!(seed("salt", -2, "tree --n 5 {seed:1}"), 926_844_321); // salt:-3tree --n 5 {seed:1}
        assert_eq!(seed("", 2, "b.py 2 {seed:12}"), 1_047_112_492); // :1b.py 2 {seed:12}
        assert_eq!(seed("", 1, "grüße {seed}"), 2_098_929_402); // grüße {seed}
        assert_eq!(seed("", 0, "g {seed}"), 1_035_439_816); // :-1g {seed}
    }

    #[test]
    fn a_later_try_has_the_next_seed() {
        assert_eq!((later(5, 0), later(5, 2), later(0x7fff_ffff, 1)), (5, 7, 0));
    }
}
