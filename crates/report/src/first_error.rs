//! Finds the first error in a compiler's message. Compilers print warnings before it and notes after it.

/// The words with which compilers begin an error, behind its place.
const ERRORS: [&str; 6] = ["error:", "error[", "error CS", "Error:", "fatal error:", "SyntaxError:"];

/// Returns the index of the first line that belongs to the first error, counted from 0: the error itself, or the lines
/// directly before it that say in which function or file it is. `None` if no line reports an error.
pub(super) fn first_error(message: &str) -> Option<usize> {
    let lines: Vec<_> = message.lines().collect();
    let error = error_line(message)?;
    if let Some(place) = place_in_python(&lines[..error]) {
        return Some(place);
    }
    let places = lines[..error].iter().rev().take_while(|line| names_place(line)).count();
    Some(error - places)
}

/// Returns the index of the first line that reports an error, counted from 0; `None` if no line does.
pub(super) fn error_line(message: &str) -> Option<usize> {
    message.lines().position(|line| ERRORS.iter().any(|word| line.contains(word)))
}

/// Returns the index of the line with which Python names the place of a syntax error: directly before the error, or
/// before the source line and the marks below it. `None` if there is none.
fn place_in_python(before: &[&str]) -> Option<usize> {
    let nearest = before.len().saturating_sub(3);
    let is_place = |line: &&str| line.starts_with("  File \"") && line.contains("\", line ");
    before[nearest..].iter().rposition(is_place).map(|index| nearest + index)
}

/// Returns whether the line says where the error in the next line is, as in `a.cpp: In function ‘int main()’:`.
fn names_place(line: &str) -> bool {
    let is_place = ["In file included from", "from "].iter().any(|start| line.trim_start().starts_with(start));
    is_place || (line.ends_with(':') && line.contains(": In "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_begins_with_its_place_and_not_with_the_warnings_before_it() {
        let message = "a.cpp:1:5: warning: unused\n    1 | int x;\na.cpp: In function ‘int main()’:\n\
                       a.cpp:3:1: error: no\na.cpp:1:1: note: declared here\na.cpp:4:1: error: again\n";
        assert_eq!(first_error(message), Some(2));
    }

    #[test]
    fn each_compiler_has_its_own_word_for_an_error() {
        let rust = "warning: unused\n\nerror[E0308]: mismatched types\n --> a.rs:1:1\n";
        let java = "Note: a\nMain.java:1: error: ';' expected\n";
        let csharp = "a.cs(1,2): warning CS1: x\na.cs(1,3): error CS1002: ; expected\n";
        let python = "  File \"main.py\", line 1\n    print(\n         ^\nSyntaxError: '(' was never closed\n";
        assert_eq!([rust, java, csharp].map(first_error), [Some(2), Some(1), Some(1)]);
        assert_eq!(first_error(python), Some(0));
        assert_eq!(first_error("  File \"main.py\", line 2\nTabError: inconsistent\n"), Some(0));
        assert_eq!(first_error("a.cpp:1:1: warning: unused\n"), None);
    }
}
