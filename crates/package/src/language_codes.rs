//! The codes of programming languages in the appendix "Languages" of the package format.

use super::yaml::{Node, Source};
use referee_text::typo::nearest;

/// All codes of the format.
const CODES: [&str; 52] = [
    "ada",
    "algol68",
    "apl",
    "bash",
    "c",
    "cgmp",
    "cobol",
    "cpp",
    "cppgmp",
    "crystal",
    "csharp",
    "d",
    "dart",
    "elixir",
    "erlang",
    "forth",
    "fortran",
    "fsharp",
    "gerbil",
    "go",
    "haskell",
    "java",
    "javaalgs4",
    "javascript",
    "julia",
    "kotlin",
    "lisp",
    "lua",
    "modula2",
    "nim",
    "objectivec",
    "ocaml",
    "octave",
    "odin",
    "pascal",
    "perl",
    "php",
    "prolog",
    "python2",
    "python3",
    "python3numpy",
    "racket",
    "ruby",
    "rust",
    "scala",
    "simula",
    "smalltalk",
    "snobol",
    "swift",
    "typescript",
    "visualbasic",
    "zig",
];

/// Names that are not codes, and the codes that they probably mean.
const OTHER_NAMES: [(&str, &str); 6] = [
    ("c++", "cpp"),
    ("c#", "csharp"),
    ("f#", "fsharp"),
    ("js", "javascript"),
    ("py", "python3"),
    // The codes `python2` and `python3` are equally similar to `python`, so this entry chooses one of them.
    ("python", "python3"),
];

/// Returns a message that `code` is not a language code of the format, with a hint; `None` if it is one of the format's
/// codes.
pub(super) fn unknown(code: &str) -> Option<String> {
    if CODES.contains(&code) {
        return None;
    }
    let lower = code.to_lowercase();
    let other = OTHER_NAMES.iter().find(|(name, _)| *name == lower).map(|(_, meant)| *meant);
    let hint = match other.or_else(|| nearest(code, &CODES)) {
        Some(meant) => format!("did you mean {meant}?"),
        None => "the appendix \"Languages\" of the format lists the codes, such as c, cpp, java and python3".to_owned(),
    };
    Some(format!("is not a language code of the format; {hint}"))
}

/// Reports a text that is not a code of the format. The package can be judged all the same, because the user may have
/// added a language of this code.
pub(super) fn check(node: &Node, source: &mut Source<'_>) {
    if let Some(why) = node.scalar().and_then(unknown) {
        source.breach(node.place, format!("{} {why}", node.quoted()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_known_or_told_with_the_nearest_one() {
        assert!(CODES.is_sorted());
        assert!(CODES.iter().all(|code| unknown(code).is_none()));
        let meant = [("python", "python3"), ("C++", "cpp"), ("Java", "java"), ("kotlni", "kotlin"), ("rst", "rust")];
        for (code, meant) in meant {
            assert!(unknown(code).unwrap().ends_with(&format!("did you mean {meant}?")), "{code}");
        }
        assert!(unknown("brainfuck").unwrap().contains("lists the codes"));
    }
}
