//! Splits a text into words as a shell does, with quotes and backslashes, but without variables and patterns. It is
//! used for commands of generators and flags of validators.

/// Returns the words of a text. Fails if a quote is not closed, or if the text ends with a backslash that escapes
/// nothing.
pub fn split(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    // The part of the current word that was read so far; `None` between words. An empty pair of quotes is an empty
    // word.
    let mut word: Option<String> = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' | '\t' | '\r' | '\n' => words.extend(word.take()),
            '\'' | '"' => quoted(letter, &mut letters, word.get_or_insert_default())?,
            '\\' => word
                .get_or_insert_default()
                .push(letters.next().ok_or("the text ends with a backslash, which escapes nothing")?),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Ok(words)
}

/// Joins words into a text. A reader gets the same words from it whether the reader splits it at every blank or
/// interprets quotes. Fails with the first word for which this is impossible.
pub fn join(words: &[String]) -> Result<String, &str> {
    match words.iter().find(|word| !is_plain(word)) {
        Some(word) => Err(word),
        None => Ok(words.join(" ")),
    }
}

/// Returns whether every reader gets exactly this one word from `word`.
fn is_plain(word: &str) -> bool {
    let is_special =
        |letter: char| letter.is_whitespace() || letter.is_control() || ['\'', '"', '\\'].contains(&letter);
    !word.is_empty() && !word.contains(is_special)
}

/// Reads up to the closing quote. In double quotes, a backslash escapes a double quote or a backslash; before any other
/// character, it is an ordinary character.
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
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn words_that_are_joined_are_the_same_to_every_reader(words in proptest::collection::vec("[a-z é\t'\"\\\\=.]{0,4}", 0..5)) {
            match join(&words) {
                Ok(text) => {
                    prop_assert_eq!(&split(&text).unwrap(), &words);
                    prop_assert!(text.split_whitespace().eq(words.iter().map(String::as_str)));
                    prop_assert_eq!(text.is_empty(), words.is_empty());
                }
                Err(word) => {
                    let alone = split(word);
                    prop_assert!(alone != Ok(vec![word.to_owned()]) || word.contains(char::is_whitespace), "{word:?}");
                }
            }
        }
    }

    #[test]
    fn what_would_be_split_or_unquoted_by_some_reader_is_not_joined() {
        let join = |words: &[&str]| {
            join(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>()).map_err(str::to_owned)
        };
        assert_eq!(join(&["float_tolerance", "1e-6", "#é=*"]), Ok("float_tolerance 1e-6 #é=*".to_owned()));
        assert_eq!(join(&[]), Ok(String::new()));
        for word in ["", "a b", "a\u{a0}b", "a\u{1c}b", "it's", "\"", "\\"] {
            assert_eq!(join(&["a", word]), Err(word.to_owned()));
        }
    }

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
