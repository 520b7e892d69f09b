//! Computes the seed of a generator's command. The seed is a hash of the command, the salt and the number of the
//! repetition, so it changes only if one of these three changes.

use sha2::{Digest, Sha512};

/// Returns the number below 2^31 that replaces `{seed}`, as BAPCtools computes it: the SHA-512 of three joined texts,
/// modulo 2^31. The first text is the salt. The second text is `:` and the count minus 1, or empty if the count is 1.
/// The third text is the command without surrounding blanks. It still contains `{seed}`, but no other placeholder.
pub(super) fn seed(random_salt: &str, count: i64, command: &str) -> u32 {
    let count = if count == 1 { String::new() } else { format!(":{}", i128::from(count) - 1) };
    let hash = Sha512::new().chain_update(random_salt).chain_update(count).chain_update(stripped(command)).finalize();
    let [.., a, b, c, d] = hash.as_slice() else { return 0 };
    u32::from_be_bytes([*a, *b, *c, *d]) % (1 << 31)
}

/// Removes the characters that Python's `strip` removes: Unicode's white space, and U+001C to U+001F.
fn stripped(command: &str) -> &str {
    command.trim_matches(|letter: char| letter.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&letter))
}

/// Returns the seed of attempt `tries`, counted from 0.
pub(super) fn later(seed: u32, tries: u32) -> u32 {
    ((u64::from(seed) + u64::from(tries)) % (1 << 31)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values come from `int(hashlib.sha512(TEXT.encode()).hexdigest(), 16) % 2**31` in Python 3. The comment
    /// at the end of each line is TEXT.
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
