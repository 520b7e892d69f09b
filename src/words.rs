//! Words of a text, quoted as for a shell: commands of generators, flags of validators. Nothing is expanded.

/// The words of a text. The error says what is not closed.
pub(crate) fn split(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    // What has been read of a word; quotes without anything between them are a word, too.
    let mut word: Option<String> = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' | '\t' | '\r' | '\n' => words.extend(word.take()),
            '\'' | '"' => quoted(letter, &mut letters, word.get_or_insert_default())?,
            '\\' => word.get_or_insert_default().push(letters.next().ok_or("it ends in a backslash")?),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Ok(words)
}

/// Reads up to the closing quote. In double quotes a backslash escapes a quote and itself.
fn quoted(quote: char, letters: &mut std::str::Chars<'_>, word: &mut String) -> Result<(), String> {
    let open = || format!("the quote {quote} is not closed");
    loop {
        match letters.next().ok_or_else(open)? {
            letter if letter == quote => return Ok(()),
            '\\' if quote == '"' => match letters.next().ok_or_else(open)? {
                escaped @ ('"' | '\\') => word.push(escaped),
                other => word.extend(['\\', other]),
            },
            other => word.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_a_shell_does() {
        let words = |text: &str| split(text).unwrap();
        assert_eq!(words(" a\tb  c\n"), ["a", "b", "c"]);
        assert_eq!(words(r#"a "b c" 'd "e' f\ g """#), ["a", "b c", "d \"e", "f g", ""]);
        assert_eq!(words(r#""\n\"\\" x'y'"z" # no comment"#), [r#"\n"\"#, "xyz", "#", "no", "comment"]);
        for open in ["a 'b", "a \"b", "a \"\\", "a\\"] {
            assert!(split(open).is_err(), "{open}");
        }
    }
}
