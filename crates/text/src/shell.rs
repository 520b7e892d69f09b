//! Quotes words for a shell.

use std::ffi::OsStr;

use crate::printable::printable;

/// Returns `word` as a shell must read it to get exactly this word. The result is one line. Words with control
/// characters, invisible characters or bytes that are not UTF-8 need bash, zsh or ksh.
pub fn quoted(word: &OsStr) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "_-.,/:=+@%".contains(character);
    match word.to_str() {
        Some(text) if !text.is_empty() && text.chars().all(is_plain) => text.to_owned(),
        Some(text) if printable(text.as_bytes()) == text && !text.contains(['\n', '\t']) => {
            format!("'{}'", text.replace('\'', r"'\''"))
        }
        // Control characters, invisible characters and bytes that are not UTF-8.
        _ => format!("$'{}'", word.as_encoded_bytes().iter().map(|byte| escaped(*byte)).collect::<String>()),
    }
}

/// Returns the byte as bash, zsh and ksh read it between `$'` and `'`.
fn escaped(byte: u8) -> String {
    match byte {
        b'\'' | b'\\' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt;
    use std::process::Command;

    use super::*;

    #[test]
    fn bytes_and_invisible_characters_are_escaped() {
        assert_eq!(quoted(OsStr::from_bytes(b"\xff'x")), r"$'\377\'x'");
        assert_eq!(quoted(OsStr::new("\u{202e}a")), r"$'\342\200\256a'", "a direction mark stays invisible otherwise");
    }

    #[test]
    fn a_shell_reads_every_byte_as_it_was_meant() {
        for byte in 1..=u8::MAX {
            let word = [b'a', byte, b'1', byte];
            let line = quoted(OsStr::from_bytes(&word));
            assert!(!line.contains('\n'), "{line}");
            let output = Command::new("bash").args(["-c", &format!("printf %s {line}")]).output().unwrap();
            assert_eq!(output.stdout, word, "{byte}: {line}");
        }
    }
}
