//! Finds where and how a program crashed, without quoting it. The standard error of a run on a secret test case can quote
//! the input. So this module returns only exceptions of a list, and lines of files that the page shows anyway.

use referee_event::Excerpt;

/// The exceptions that a page names. All belong to the languages themselves.
const EXCEPTIONS: &[&str] = &[
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "EOFError",
    "Error",
    "EvalError",
    "Exception",
    "FileNotFoundError",
    "FloatingPointError",
    "ImportError",
    "IndentationError",
    "IndexError",
    "KeyError",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "RangeError",
    "RecursionError",
    "ReferenceError",
    "RuntimeError",
    "StopIteration",
    "SyntaxError",
    "TabError",
    "TimeoutError",
    "TypeError",
    "URIError",
    "UnboundLocalError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "ValueError",
    "ZeroDivisionError",
    "java.lang.ArithmeticException",
    "java.lang.ArrayIndexOutOfBoundsException",
    "java.lang.ArrayStoreException",
    "java.lang.AssertionError",
    "java.lang.ClassCastException",
    "java.lang.Error",
    "java.lang.Exception",
    "java.lang.IllegalArgumentException",
    "java.lang.IllegalStateException",
    "java.lang.IndexOutOfBoundsException",
    "java.lang.NegativeArraySizeException",
    "java.lang.NullPointerException",
    "java.lang.NumberFormatException",
    "java.lang.OutOfMemoryError",
    "java.lang.RuntimeException",
    "java.lang.StackOverflowError",
    "java.lang.StringIndexOutOfBoundsException",
    "java.lang.UnsupportedOperationException",
    "java.util.ConcurrentModificationException",
    "java.util.EmptyStackException",
    "java.util.InputMismatchException",
    "java.util.NoSuchElementException",
    "std::bad_alloc",
    "std::bad_cast",
    "std::bad_function_call",
    "std::bad_optional_access",
    "std::bad_variant_access",
    "std::domain_error",
    "std::invalid_argument",
    "std::length_error",
    "std::logic_error",
    "std::out_of_range",
    "std::overflow_error",
    "std::range_error",
    "std::runtime_error",
    "std::underflow_error",
];

/// Where and how a program crashed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Crash {
    /// The exception; `None` if none of the list was found.
    pub(super) exception: Option<&'static str>,
    /// The files and lines that the standard error names, the innermost first. They may not exist: a caller must
    /// compare them with the files of the submission.
    places: Vec<(String, usize)>,
}

impl Crash {
    /// Returns what the standard error says about a crash; `None` if it says nothing.
    pub(super) fn of(stderr: &Excerpt) -> Option<Crash> {
        let text = String::from_utf8_lossy(&stderr.bytes);
        let exception = text.lines().rev().find_map(exception_in);
        let mut places: Vec<_> = text.lines().filter_map(place_in).collect();
        if text.contains("Traceback (most recent call last)") {
            places.reverse();
        }
        (exception.is_some() || !places.is_empty()).then_some(Crash { exception, places })
    }

    /// Returns the innermost place in one of the files: the index of the file, and the line, counted from 1. `files`
    /// are names and numbers of lines. `None` if no place is in one of them.
    pub(super) fn place(&self, files: &[(&str, usize)]) -> Option<(usize, usize)> {
        self.places.iter().find_map(|(name, line)| {
            let index = files.iter().position(|(own, lines)| own == name && (1..=*lines).contains(line))?;
            Some((index, *line))
        })
    }
}

/// Returns the exception that a line names as its first or second word, or in quotes.
fn exception_in(line: &str) -> Option<&'static str> {
    // A colon follows, the end of the line or of the quotation, or a code of Node.js in brackets.
    let ends = |text: &str| [":", "'", " ["].iter().any(|end| text.starts_with(end)) || text.trim_end().is_empty();
    let starts = [line, line.strip_prefix("Exception in thread \"main\" ").unwrap_or(line)];
    let quoted = line.split_once("an instance of '").map(|(_, after)| after);
    starts
        .into_iter()
        .chain(quoted)
        .find_map(|text| EXCEPTIONS.iter().copied().find(|name| text.strip_prefix(name).is_some_and(ends)))
}

/// Returns the file and the line that a line of a stack trace names.
fn place_in(line: &str) -> Option<(String, usize)> {
    let line = line.trim();
    let number = |text: &str| {
        let digits = text.len() - text.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
        text[..digits].parse().ok()
    };
    // Python: `File "main.py", line 3, in solve`
    if let Some((file, rest)) = line.strip_prefix("File \"").and_then(|rest| rest.split_once("\", line ")) {
        return Some((file.to_owned(), number(rest)?));
    }
    // Java: `at Main.main(Main.java:3)`. JavaScript: `at solve (main.js:3:5)`.
    if let Some(inner) = line.strip_prefix("at ").and_then(|rest| rest.rsplit_once('(')).map(|(_, inner)| inner) {
        let (file, rest) = inner.split_once(':')?;
        return Some((file.to_owned(), number(rest)?));
    }
    // Rust: `thread 'main' panicked at main.rs:3:5:`
    let (file, rest) = line.split_once("panicked at ").and_then(|(_, place)| place.split_once(':'))?;
    Some((file.to_owned(), number(rest)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<Crash> {
        Crash::of(&Excerpt { first_line: 1, whole_bytes: text.len(), bytes: text.as_bytes().to_vec() })
    }

    #[test]
    fn each_language_names_its_exception_and_the_innermost_place() {
        let python = "Traceback (most recent call last):\n  File \"main.py\", line 6, in <module>\n    solve()\n  \
                      File \"main.py\", line 4, in solve\n    return x[9]\nIndexError: list index out of range\n";
        let java = "Exception in thread \"main\" java.lang.ArithmeticException: / by zero\n\tat \
                    java.base/java.lang.Math.f(Math.java:9)\n\tat Main.main(Main.java:2)\n";
        let rust = "thread 'main' panicked at main.rs:1:5:\nindex out of bounds\n";
        let cpp = "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector::at\n";
        let files = [("Main.java", 5), ("main.py", 9), ("main.rs", 3)];
        let found = |text| of(text).map(|crash| (crash.exception, crash.place(&files)));
        assert_eq!(found(python), Some((Some("IndexError"), Some((1, 4)))));
        assert_eq!(found(java), Some((Some("java.lang.ArithmeticException"), Some((0, 2)))));
        assert_eq!(found(rust), Some((None, Some((2, 1)))));
        assert_eq!(found(cpp), Some((Some("std::out_of_range"), None)));
    }

    #[test]
    fn a_program_cannot_pass_on_the_input_as_an_exception_or_as_a_place() {
        assert_eq!(of("Secret42: 1 2 3\n"), None);
        for word in ["IndexErrorSecret42: x\n", "Error 42\n", "Exception in thread 42\n", "KeyError_42\n"] {
            assert_eq!(of(word), None, "{word}");
        }
        let crash = of("File \"secret 42\", line 3\nFile \"main.py\", line 42\n").unwrap();
        assert_eq!((crash.exception, crash.place(&[("main.py", 9)])), (None, None), "the file has no such line");
    }
}
