//! Finds the header with which a C or C++ source begins. A precompiled header has the same meaning as the header only
//! if nothing precedes the `#include` line that could change this meaning.

/// Returns the name of the header if `source` begins with a line `#include <name>`, otherwise `None`. Only white space
/// and comments may precede the line, and only white space and comments may follow on it.
///
/// The result is also `None` for rare sources whose first token is hard to determine or whose meaning may depend on
/// how the header is read: those with a byte order mark, with line continuations or trigraphs up to the end of the
/// line, or with the word `import` anywhere.
pub(super) fn first_include(source: &[u8]) -> Option<&str> {
    let (name, _) = include_line(source)?;
    (!has_word(source, b"import")).then_some(name)
}

/// Returns the names of the headers with which `source` begins, in order: the first header as [`first_include`] finds
/// it, and those of all lines `#include <name>` after it. Only white space and comments may be between these lines.
pub(super) fn leading_includes(source: &[u8]) -> Vec<&str> {
    let (mut names, mut text) = (Vec::new(), source);
    while let Some((name, rest)) = include_line(text) {
        names.push(name);
        text = rest;
    }
    if has_word(source, b"import") { Vec::new() } else { names }
}

/// Returns whether `source` may contain a pragma. Some pragmas change the meaning of all templates that are instantiated
/// after them, including those of headers that precede them. A line continuation or a macro that joins two words can
/// hide a pragma.
pub fn may_have_pragma(source: &[u8]) -> bool {
    let hides = |pattern: &&[u8]| find(source, pattern).is_some();
    [&b"pragma"[..], b"_Pragma"].iter().any(|word| has_word(source, word))
        || [&b"\\\n"[..], b"\\\r", b"\\ ", b"\\\t", b"??/", b"##", b"%:%:", b"??="].iter().any(hides)
}

/// Returns the name of the header in the line `#include <name>` with which `source` begins, and the text after that
/// line; `None` if it begins differently.
fn include_line(source: &[u8]) -> Option<(&str, &[u8])> {
    let directive = skip_blank(source, Newlines::Skipped)?.strip_prefix(b"#")?;
    let after_word = skip_spaces(directive).strip_prefix(b"include")?;
    let name_and_rest = skip_spaces(after_word).strip_prefix(b"<")?;
    let length = name_and_rest.iter().position(|byte| b">\n".contains(byte))?;
    let (name, rest) = name_and_rest.split_at(length);
    let after = skip_blank(rest.strip_prefix(b">")?, Newlines::Kept)?;
    let ends = after.is_empty() || after.starts_with(b"\n");
    let line_end = source.len() - after.len() + usize::from(!after.is_empty());
    let (read, following) = source.split_at_checked(line_end)?;
    (ends && is_plain(read)).then_some((std::str::from_utf8(name).ok()?, following))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Newlines {
    Skipped,
    Kept,
}

/// Returns the text after the white space and the comments with which `text` begins; `None` if a comment does not end.
/// With [`Newlines::Kept`], stops before the first newline outside of a comment.
fn skip_blank(mut text: &[u8], newlines: Newlines) -> Option<&[u8]> {
    loop {
        text = match text {
            [b' ' | b'\t' | b'\r', rest @ ..] => rest,
            [b'\n', rest @ ..] if newlines == Newlines::Skipped => rest,
            [b'/', b'/', comment @ ..] => {
                &comment[comment.iter().position(|byte| *byte == b'\n').unwrap_or(comment.len())..]
            }
            [b'/', b'*', comment @ ..] => &comment[find(comment, b"*/")? + 2..],
            _ => return Some(text),
        };
    }
}

fn skip_spaces(text: &[u8]) -> &[u8] {
    &text[text.iter().take_while(|byte| b" \t".contains(byte)).count()..]
}

/// Returns whether the compiler splits `text` into lines as this module does: it has no line continuation, no trigraph,
/// no NUL byte, and no carriage return except in front of a newline.
fn is_plain(text: &[u8]) -> bool {
    let lone_return = |pair: &[u8]| pair[0] == b'\r' && pair[1] != b'\n';
    !text.iter().any(|byte| b"\\\0".contains(byte))
        && find(text, b"??").is_none()
        && !text.windows(2).any(lone_return)
        && text.last() != Some(&b'\r')
}

fn find(text: &[u8], pattern: &[u8]) -> Option<usize> {
    text.windows(pattern.len()).position(|window| window == pattern)
}

/// Returns whether `word` occurs in `text` between two bytes that belong to no identifier.
fn has_word(text: &[u8], word: &[u8]) -> bool {
    let is_letter = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let is_separate = |start: usize| {
        let before = start.checked_sub(1).and_then(|before| text.get(before));
        !is_letter(before) && !is_letter(text.get(start + word.len()))
    };
    text.windows(word.len()).enumerate().any(|(start, found)| found == word && is_separate(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BITS: Option<&str> = Some("bits/stdc++.h");

    #[test]
    fn white_space_and_comments_may_surround_the_first_include() {
        for source in [
            "#include <bits/stdc++.h>\nint main() {}\n",
            "#include <bits/stdc++.h>",
            "#include<bits/stdc++.h>\n",
            "  # \t include\t<bits/stdc++.h> \t\r\nint main() {}\r\n",
            "\n\n// a comment with #define x\n/* and\n#pragma once\n*/ #include <bits/stdc++.h>\n",
            "#include <bits/stdc++.h> // x\n",
            "#include <bits/stdc++.h> /* x\n y */ \n",
            "/**/#include <bits/stdc++.h>\n",
            "// an umlaut: \u{e4}\n#include <bits/stdc++.h>\n#define important 1\n",
        ] {
            assert_eq!(first_include(source.as_bytes()), BITS, "{source:?}");
        }
        assert_eq!(first_include(b"#include <iostream>\n#include <bits/stdc++.h>\n"), Some("iostream"));
    }

    #[test]
    fn nothing_else_may_precede_it() {
        for source in [
            "",
            "int main() {}",
            "#define int long long\n#include <bits/stdc++.h>\n",
            "#pragma GCC optimize(\"O3\")\n#include <bits/stdc++.h>\n",
            "#pragma once\n#include <bits/stdc++.h>\n",
            "#if 0\n#include <bits/stdc++.h>\n#endif\n",
            ";\n#include <bits/stdc++.h>\n",
            "_Pragma(\"pack(1)\")\n#include <bits/stdc++.h>\n",
            "const char *s = R\"(\n#include <bits/stdc++.h>\n)\";\n",
            "R\"(\n#include <bits/stdc++.h>\n)\";\n",
            "import <iostream>;\n",
            "module;\n#include <bits/stdc++.h>\n",
            "%:include <bits/stdc++.h>\n",
            "??=include <bits/stdc++.h>\n",
            "#line 7 \"x\"\n#include <bits/stdc++.h>\n",
        ] {
            assert_eq!(first_include(source.as_bytes()), None, "{source:?}");
        }
    }

    #[test]
    fn the_line_must_be_an_include_of_one_header_in_angle_brackets() {
        for source in [
            "#include \"bits/stdc++.h\"\n",
            "#include_next <bits/stdc++.h>\n",
            "#includes <bits/stdc++.h>\n",
            "#import <bits/stdc++.h>\n",
            "#include <bits/stdc++.h> int x;\n",
            "#include <bits/stdc++.h> /* no end\n",
            "#include <bits/stdc++.h\n>\n",
            "#include HEADER\n",
            "#include\n<bits/stdc++.h>\n",
            "#/**/include <bits/stdc++.h>\n",
            "# // include\n include <bits/stdc++.h>\n",
        ] {
            assert_eq!(first_include(source.as_bytes()), None, "{source:?}");
        }
        // The name is compared with the table's names byte by byte.
        assert_eq!(first_include(b"#include < bits/stdc++.h>\n"), Some(" bits/stdc++.h"));
    }

    #[test]
    fn sources_whose_first_token_is_hard_to_determine_are_left_out() {
        for source in [
            "\u{feff}#include <bits/stdc++.h>\n",
            "// a comment that goes on \\\n#include <bits/stdc++.h>\n",
            "// a comment that goes on ??/\n#include <bits/stdc++.h>\n",
            "#inc\\\nlude <bits/stdc++.h>\n",
            "#include \\\n<bits/stdc++.h>\n",
            "#include <bits/stdc++.h> \\\n",
            "#include <bits/stdc++.h> // \\\nint x;\n",
            "/\\\n/ comment\n#include <bits/stdc++.h>\n",
            "\0#include <bits/stdc++.h>\n",
            "\u{c}#include <bits/stdc++.h>\n",
            "// a comment?\r#define x\n#include <bits/stdc++.h>\n",
            "#include <bits/stdc++.h>\r",
        ] {
            assert_eq!(first_include(source.as_bytes()), None, "{source:?}");
        }
    }

    #[test]
    fn includes_lead_a_source_until_another_token_or_a_line_that_is_hard_to_read() {
        let leading = |rest: &str| leading_includes(format!("// x\n#include <a>\n{rest}").as_bytes()).join(" ");
        assert_eq!(leading("\n/* y */ #include <b/c.h> // z\r\n#include<d>"), "a b/c.h d");
        for rest in ["#define x\n#include <b>\n", "#include \"b\"\n", "int b;\n#include <b>\n", "#if 1\n#include <b>\n"]
        {
            assert_eq!(leading(rest), "a", "{rest:?}");
        }
        assert_eq!(leading("#include <b> \\\n#include <c>\n"), "a");
        assert_eq!(leading("#include <b>\nimport x;\n"), "");
        assert!(leading_includes(b"int a;\n#include <b>\n").is_empty());
    }

    #[test]
    fn a_pragma_is_found_wherever_it_stands() {
        for source in [
            "int a;\n# pragma pack(1)\n",
            "_Pragma(\"pack(1)\")",
            "#define P(x) _Pragma(#x)\n",
            "// pragma",
            "#pra\\\ngma pack(1)\n",
            "#pra\\ \ngma pack(1)\n",
            "#pra??/\ngma pack(1)\n",
            "#define J(a, b) a##b\nJ(_Pra, gma)(\"pack(1)\")",
            "#define J(a, b) a%:%:b\nJ(_Pra, gma)(\"pack(1)\")",
        ] {
            assert!(may_have_pragma(source.as_bytes()), "{source:?}");
        }
        assert!(!may_have_pragma(b"#include <a>\nint pragmas, a_pragma, __pragma = '\\n';\n"));
    }

    #[test]
    fn a_source_that_imports_is_left_out() {
        assert_eq!(first_include(b"#include <bits/stdc++.h>\n#import <a.h>\n"), None);
        assert_eq!(first_include(b"#include <bits/stdc++.h>\n// not important\nint import_all;\n"), BITS);
    }
}
