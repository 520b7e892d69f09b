//! Finds the public types of a Java source. javac requires that a file has the name of its public type.

/// Returns the names of the public top-level classes, interfaces, enums and records of `text`, in order. For a source
/// that does not compile, the result may be incomplete.
pub(super) fn public_types(text: &[u8]) -> Vec<&str> {
    let (mut names, mut depth) = (Vec::new(), 0_usize);
    let (mut is_public, mut names_a_type) = (false, false);
    let mut rest = text;
    while let Some((token, after)) = next_token(rest) {
        rest = after;
        match token {
            Token::Sign(b'{' | b'(' | b'[') => depth += 1,
            Token::Sign(b'}' | b')' | b']') => {
                depth = depth.saturating_sub(1);
                // A closing parenthesis may end an annotation. In that case the declaration continues.
                is_public &= depth > 0 || token != Token::Sign(b'}');
            }
            Token::Ignored => continue,
            _ if depth > 0 => {}
            Token::Sign(b';') => is_public = false,
            Token::Sign(_) => {}
            Token::Word(name) if names_a_type => {
                names.extend(std::str::from_utf8(name).ok().filter(|_| is_public));
                is_public = false;
            }
            Token::Word(word) => is_public |= word == b"public",
        }
        let begins = |word: &[u8]| [&b"class"[..], b"interface", b"enum", b"record"].contains(&word);
        names_a_type = depth == 0 && matches!(token, Token::Word(word) if !names_a_type && begins(word));
    }
    names
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Token<'a> {
    Word(&'a [u8]),
    Sign(u8),
    /// A comment, white space or a literal.
    Ignored,
}

/// Returns the first token of `text` and the text after it; `None` at the end.
fn next_token(text: &[u8]) -> Option<(Token<'_>, &[u8])> {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$".contains(byte) || *byte >= 0x80;
    let (&first, after) = text.split_first()?;
    let skipped = |length: usize| Some((Token::Ignored, text.get(length..).unwrap_or_default()));
    match first {
        b'/' if after.starts_with(b"/") => skipped(find(text, b"\n").unwrap_or(text.len())),
        b'/' if after.starts_with(b"*") => skipped(find(after, b"*/").map_or(text.len(), |end| end + 3)),
        b'"' if after.starts_with(b"\"\"") => skipped(3 + literal_length(text.get(3..).unwrap_or_default(), b"\"\"\"")),
        b'"' => skipped(1 + literal_length(after, b"\"")),
        b'\'' => skipped(1 + literal_length(after, b"'")),
        _ if is_letter(&first) => {
            let length = text.iter().take_while(|byte| is_letter(byte)).count();
            let (word, rest) = text.split_at(length);
            Some((Token::Word(word), rest))
        }
        _ if first.is_ascii_whitespace() => Some((Token::Ignored, after)),
        _ => Some((Token::Sign(first), after)),
    }
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|window| window == wanted)
}

/// Returns the length of a literal up to and including its closing `quote`. A backslash escapes the next byte. An
/// unclosed literal of one line ends with its line.
fn literal_length(text: &[u8], quote: &[u8]) -> usize {
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        if text[at..].starts_with(quote) {
            return at + quote.len();
        }
        if *byte == b'\n' && quote.len() == 1 {
            return at;
        }
        at += if *byte == b'\\' { 2 } else { 1 };
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&str> {
        public_types(text.as_bytes())
    }

    #[test]
    fn every_kind_of_public_type_is_found() {
        for kind in ["class", "interface", "enum", "record", "@interface", "abstract class", "sealed interface"] {
            assert_eq!(names(&format!("package a;\nimport b.C;\npublic {kind} Foo<T> {{ }}")), ["Foo"], "{kind}");
        }
        assert_eq!(names("@A(value = {1}, b = @B(\"}\")) final public strictfp class Größe {}"), ["Größe"]);
        assert_eq!(names("public class A {} class B {} public enum C { X { } }"), ["A", "C"]);
        assert_eq!(names("public @A(1) class Late {}"), ["Late"]);
    }

    #[test]
    fn nested_types_comments_and_literals_are_none() {
        assert_eq!(names("class A { public class B { } public static class C { } }"), [""; 0]);
        assert_eq!(names("// public class A {}\n/* public class B {} */ class D { }"), [""; 0]);
        let literals = "class A { String s = \"} public class B {\", t = \"\"\"\n } \\\"\"\" public class C { \"\"\"; \
                        char c = '}', d = '\\''; } public class E { }";
        assert_eq!(names(literals), ["E"]);
        assert_eq!(names("public void f() { } class A { }"), [""; 0], "a file without a class around its methods");
        assert_eq!(names("public int x; class A { }"), [""; 0]);
    }

    #[test]
    fn a_source_without_an_end_comes_to_an_end() {
        for text in
            ["\"", "'", "/*", "/*/", "//", "\"\"\"", "\"\\", "public class", "public class A", "}}}) public class A"]
        {
            names(text);
        }
        assert_eq!(names("}} public class A"), ["A"]);
        assert_eq!(public_types(b"public class \xff\xfe {}"), [""; 0]);
    }
}
