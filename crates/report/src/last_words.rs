//! Finds the line of a program's standard error that says why it failed.

use std::borrow::Cow;

use referee_event::Excerpt;
use referee_text::printable::printable_line;

/// Starts of lines that never say why a program failed: the places of a stack trace, and hints.
const NOT_WHY: [&str; 7] = ["at ", "... ", "note: ", "Node.js v", "exit status ", "goroutine ", "SUMMARY: "];

/// Parts of lines that say why a program failed, although other lines follow them. "runtime error: " begins the messages
/// of the sanitizer for undefined behaviour.
const WHY: [&str; 8] = [
    "panic: ",
    "Exception in thread ",
    "fatal error: ",
    "ERROR: AddressSanitizer",
    "ERROR: LeakSanitizer",
    "WARNING: MemorySanitizer",
    "WARNING: ThreadSanitizer",
    ": runtime error: ",
];

/// Parts of messages that say little to beginners, each with its meaning.
const MEANINGS: [(&str, &str); 17] = [
    ("stack smashing detected", "a write beyond the end of a local array"),
    ("double free or corruption", DAMAGED),
    ("free(): invalid", DAMAGED),
    ("munmap_chunk(): invalid", DAMAGED),
    ("malloc(): corrupted", DAMAGED),
    ("malloc(): invalid", DAMAGED),
    ("realloc(): invalid", DAMAGED),
    ("corrupted size vs. prev_size", DAMAGED),
    ("std::bad_alloc", "there was not enough memory"),
    ("-buffer-overflow", "an access out of bounds"),
    ("heap-use-after-free", "an access to memory that was freed"),
    ("stack-overflow", TOO_DEEP),
    ("StackOverflowError", TOO_DEEP),
    ("RecursionError", TOO_DEEP),
    ("Maximum call stack size exceeded", TOO_DEEP),
    ("OutOfMemoryError", "there was not enough memory"),
    ("MemoryError", "there was not enough memory"),
];

const DAMAGED: &str = "memory was damaged, for example by a write beyond the end of an array";
const TOO_DEEP: &str = "stack overflow: the recursion is endless or too deep";

/// Returns the line that says why the program failed, with its meaning in words if the line says little to beginners.
/// That is usually the last line: an interpreter prints the places of the stack first. A program that a signal ended
/// (`by_signal`) had no time for last words, so its last line may be about anything. `None` if no line says why, or if
/// the end of the text is unknown.
pub(super) fn last_words(stderr: &Excerpt, by_signal: bool) -> Option<String> {
    let text = String::from_utf8_lossy(&stderr.bytes);
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let why = lines().find(|line| WHY.iter().any(|part| line.contains(part))).or_else(|| of_node(&text));
    let is_known = !by_signal && stderr.whole().is_some();
    let last = || lines().rfind(|line| !NOT_WHY.iter().any(|start| line.starts_with(start))).filter(|_| is_known);
    let line = why.or_else(last)?;
    let words = printable_line(&with_exception(line, lines()));
    let meaning = MEANINGS.iter().find(|(part, _)| words.contains(part)).map(|(_, meaning)| format!(" ({meaning})"));
    Some(words + &meaning.unwrap_or_default())
}

/// Returns the line with the error in a report of Node.js, which may end with the properties of the error; `None` if the
/// text does not end like such a report.
fn of_node(text: &str) -> Option<&str> {
    text.trim_end().lines().next_back().filter(|line| line.starts_with("Node.js v"))?;
    text.lines().find(|line| {
        let name = line.split([':', ' ']).next().unwrap_or_default();
        name.ends_with("Error") && name.chars().all(char::is_alphanumeric) && line.len() > name.len()
    })
}

/// Returns the line with the name of the exception before it if it is the line `what():` of the C++ library.
fn with_exception<'a>(line: &'a str, mut lines: impl Iterator<Item = &'a str>) -> Cow<'a, str> {
    let Some(what) = line.strip_prefix("what():") else { return Cow::Borrowed(line) };
    let name = lines.find_map(|line| line.split_once("throwing an instance of '")?.1.strip_suffix('\''));
    name.map_or(Cow::Borrowed(line), |name| Cow::Owned(format!("{name}: {}", what.trim_start())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<String> {
        last_words(&Excerpt { first_line: 1, whole_bytes: text.len(), bytes: text.as_bytes().to_vec() }, false)
    }

    #[test]
    fn each_language_says_at_a_place_of_its_own_why_a_program_failed() {
        let python = "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    print(x[5])\n\
                      IndexError: list index out of range\n";
        let java =
            "Exception in thread \"main\" java.lang.ArithmeticException: / by zero\n\tat Main.main(Main.java:1)\n";
        let rust = "\nthread 'main' panicked at a.rs:1:5:\nindex out of bounds: the len is 2\nnote: run with `X`\n";
        let cpp = "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector::at\n";
        let node = "a.js:1\nx.y\n ^\n\nTypeError: x is null\n    at Object.<anonymous> (a.js:1)\n\nNode.js v20.1.0\n";
        let module = "node:internal/modules:1\n  throw err;\n  ^\n\nError: Cannot find module './b'\nRequire stack:\n\
                      - a.js\n    at f (a.js:1) {\n  code: 'MODULE_NOT_FOUND'\n}\n\nNode.js v20.1.0\n";
        assert_eq!(of(module).unwrap(), "Error: Cannot find module './b'");
        let go = "panic: runtime error: index out of range [5]\n\ngoroutine 1 [running]:\nmain.main()\nexit status 2\n";
        let why = [python, java, rust, cpp, node, go].map(|text| of(text).unwrap());
        assert_eq!(
            why,
            [
                "IndexError: list index out of range",
                "Exception in thread \"main\" java.lang.ArithmeticException: / by zero",
                "index out of bounds: the len is 2",
                "std::out_of_range: vector::at",
                "TypeError: x is null",
                "panic: runtime error: index out of range [5]"
            ]
        );
    }

    #[test]
    fn a_text_without_such_a_line_has_no_last_words() {
        assert_eq!([of(""), of(" \n\n"), of("  at x\n")], [None, None, None]);
        let beginning = Excerpt { first_line: 1, whole_bytes: 9, bytes: b"a\n".to_vec() };
        assert_eq!(last_words(&beginning, false), None);
    }

    #[test]
    fn a_long_text_says_why_at_its_beginning_only() {
        let bytes = b"Exception in thread \"main\" java.lang.StackOverflowError\n\tat Main.f\n".to_vec();
        let beginning = Excerpt { first_line: 1, whole_bytes: 25_000, bytes };
        let words = last_words(&beginning, false).unwrap();
        assert!(
            words.starts_with("Exception in thread \"main\" java.lang.StackOverflowError (stack overflow: "),
            "{words}"
        );
    }

    #[test]
    fn what_a_program_printed_before_a_signal_is_not_why_it_failed() {
        let of = |text: &str| {
            let bytes = text.as_bytes().to_vec();
            last_words(&Excerpt { first_line: 1, whole_bytes: bytes.len(), bytes }, true)
        };
        assert_eq!(of("n=5\n"), None);
        let sanitizer = "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1\n==1==ABORTING\n";
        assert!(of(sanitizer).unwrap().contains("heap-buffer-overflow"));
    }

    #[test]
    fn messages_that_say_little_come_with_their_meaning() {
        for (text, meaning) in [
            ("*** stack smashing detected ***: terminated\n", "a write beyond the end of a local array"),
            ("free(): invalid pointer\n", DAMAGED),
            ("==1==ERROR: AddressSanitizer: stack-buffer-overflow on x\nSUMMARY: y\n", "an access out of bounds"),
            ("RecursionError: maximum recursion depth exceeded\n", TOO_DEEP),
            (
                "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n",
                "there was not enough memory",
            ),
        ] {
            assert!(of(text).unwrap().ends_with(&format!(" ({meaning})")), "{text}");
        }
        let sanitizer = "a.cpp:3:14: runtime error: index 5 out of bounds for type 'int [3]'\n3\n";
        assert_eq!(of(sanitizer).unwrap(), sanitizer.lines().next().unwrap());
        assert_eq!(of("terminate called after throwing an instance of 'int'\n").unwrap().matches('(').count(), 0);
    }

    #[test]
    fn nothing_that_a_terminal_would_obey_is_left() {
        assert!(!of("\u{1b}[2Jdone\r").unwrap().contains(['\u{1b}', '\r']));
    }
}
