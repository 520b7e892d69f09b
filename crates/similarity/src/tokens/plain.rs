//! Tokens of languages that have no grammar here.

use super::{CALL, Collector, NAME, NUMBER, TEXT, Token};
use crate::family::Family;

/// Words that are keywords in many languages. Any other word may be a name.
const KEYWORDS: [&str; 62] = [
    "and",
    "as",
    "begin",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "def",
    "defer",
    "div",
    "else",
    "elif",
    "elsif",
    "end",
    "enum",
    "except",
    "false",
    "finally",
    "fn",
    "for",
    "foreach",
    "from",
    "fun",
    "func",
    "function",
    "goto",
    "if",
    "import",
    "in",
    "interface",
    "is",
    "let",
    "loop",
    "match",
    "mod",
    "module",
    "new",
    "nil",
    "not",
    "null",
    "of",
    "or",
    "procedure",
    "raise",
    "range",
    "rec",
    "repeat",
    "return",
    "select",
    "struct",
    "switch",
    "throw",
    "to",
    "true",
    "try",
    "until",
    "when",
    "where",
    "while",
    "yield",
];

/// Words that only declare. Languages allow or omit them, as in `var x = 1` and `x := 1`.
const DECLARING: [&str; 9] = ["var", "val", "public", "private", "static", "final", "my", "our", "type"];

/// How comments begin and end.
struct Comments {
    /// Comments to the end of the line begin with one of these.
    lines: &'static [&'static str],
    /// The beginning and the end of comments over several lines.
    blocks: &'static [(&'static str, &'static str)],
}

fn comments(family: &Family) -> Comments {
    let slashes: (&[_], &[_]) = (&["//"], &[("/*", "*/")]);
    let Family::Plain(id) = family else { return Comments { lines: slashes.0, blocks: slashes.1 } };
    let (lines, blocks): (&'static [&'static str], &'static [_]) = match id.as_str() {
        "kotlin" | "go" => slashes,
        "haskell" => (&["--"], &[("{-", "-}")]),
        "ocaml" => (&[], &[("(*", "*)")]),
        "pascal" => (&["//"], &[("(*", "*)"), ("{", "}")]),
        "ruby" => (&["#"], &[("=begin", "=end")]),
        "perl" | "bash" | "awk" => (&["#"], &[]),
        // Directives of C#, such as `#region`, are layout, too.
        _ => (&["//", "#"], &[("/*", "*/")]),
    };
    Comments { lines, blocks }
}

/// Returns the tokens of a source.
pub(super) fn tokens(family: &Family, text: &str) -> Vec<Token> {
    let comments = comments(family);
    let mut found = Collector::new(text);
    let mut quotes = Quotes::default();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let length = comment(&comments, rest).unwrap_or_else(|| token(&mut found, &mut quotes, rest, at));
        at += length.max(1);
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
    found.list
}

/// Returns the length of the comment with which the text begins, in bytes; `None` if it does not begin with one.
fn comment(comments: &Comments, rest: &str) -> Option<usize> {
    for (begin, end) in comments.blocks {
        if let Some(inner) = rest.strip_prefix(begin) {
            return Some(inner.find(end).map_or(rest.len(), |length| begin.len() + length + end.len()));
        }
    }
    let begins = comments.lines.iter().any(|begin| rest.starts_with(begin));
    begins.then(|| rest.find('\n').unwrap_or(rest.len()))
}

/// Adds the token with which the text begins, if any, and returns its length in bytes.
fn token(found: &mut Collector<'_>, quotes: &mut Quotes, rest: &str, at: usize) -> usize {
    let Some(first) = rest.chars().next() else { return 0 };
    if is_of_word(first) && !first.is_ascii_digit() {
        let length = span(rest, is_of_word);
        found.push(word(&rest[..length], &rest[length..]), at);
        return length;
    }
    if first.is_ascii_digit() {
        found.push(NUMBER, at);
        return span(rest, |one| is_of_word(one) || one == '.');
    }
    if let Some(length) = quotes.length(rest, first, at) {
        found.push(TEXT, at);
        return length;
    }
    if !first.is_whitespace() && !['$', '@'].contains(&first) {
        found.push(&rest[..first.len_utf8()], at);
    }
    first.len_utf8()
}

fn is_of_word(one: char) -> bool {
    one.is_alphanumeric() || one == '_'
}

fn span(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|one| !belongs(one)).unwrap_or(text.len())
}

/// Returns the normalised form of a word, which depends on the text after it. Some languages ignore case.
fn word(word: &str, after: &str) -> &'static str {
    let is_word = |one: &&&str| word.eq_ignore_ascii_case(one);
    if DECLARING.iter().any(|one| is_word(&one)) {
        ""
    } else if let Some(keyword) = KEYWORDS.iter().find(is_word) {
        keyword
    } else if after.trim_start_matches(' ').starts_with('(') {
        CALL
    } else {
        NAME
    }
}

/// The characters that begin and end strings.
const QUOTES: [char; 3] = ['"', '\'', '`'];

/// The facts about the strings of a source.
#[derive(Default)]
struct Quotes {
    /// For each of the [`QUOTES`], a place in the text: up to it, no string begins with this character. Without this, a
    /// line of escaped quotes would be read once for each of them.
    without: [usize; 3],
}

impl Quotes {
    /// Returns the length of the string with which the text begins, in bytes; `None` if there is none, or if it does not
    /// end on its line. `at` is the place of the text in the source.
    fn length(&mut self, text: &str, first: char, at: usize) -> Option<usize> {
        let index = QUOTES.iter().position(|&quote| quote == first)?;
        if at < self.without[index] {
            return None;
        }
        let mut is_escaped = false;
        for (length, one) in text.char_indices().skip(1) {
            match one {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                '\n' if first != '`' => {
                    self.without[index] = at + length;
                    return None;
                }
                _ if one == first => return Some(length + one.len_utf8()),
                _ => {}
            }
        }
        self.without[index] = at + text.len();
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_line_of_a_megabyte_of_escaped_quotes_is_read_once() {
        let line = "\"".to_owned() + &"\\\"".repeat(1 << 19);
        assert_eq!(tokens(&Family::of("ruby"), &line).len(), line.len());
    }

    proptest! {
        #[test]
        fn what_is_known_of_strings_changes_none(text in "[a\\\\\"'`\n é]{0,40}") {
            let mut quotes = Quotes::default();
            for (at, first) in text.char_indices() {
                let fresh = Quotes::default().length(&text[at..], first, at);
                prop_assert_eq!(quotes.length(&text[at..], first, at), fresh, "at {} of {:?}", at, text);
            }
        }
    }
}
