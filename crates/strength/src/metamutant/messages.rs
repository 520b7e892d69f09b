//! Finds in a compiler's messages which copies of a metamutant do not compile.

use std::collections::BTreeSet;
use std::ops::Range;

/// Returns the numbers of the copies whose lines a message names, even in a note. `lines` are the lines of each copy in
/// the file with this name, counted from 1.
pub(super) fn copies_named(message: &str, file: &str, lines: &[Range<usize>]) -> BTreeSet<usize> {
    let places = message.match_indices(file).map(|(at, name)| &message[at + name.len()..]);
    let named = places.filter_map(|after| {
        let number = after.strip_prefix(':')?;
        let end = number.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(number.len());
        let line = number[..end].parse().ok()?;
        lines.iter().position(|lines| lines.contains(&line))
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_named_by_their_lines() {
        let message = "In file included from /usr/include/c++/12/vector:64,\n\
                       \x20                from mutants.cpp:1:\n\
                       mutants.cpp:21:9: error: no match for 'operator-'\n\
                       /usr/include/c++/12/bits/stl_vector.h:7:1: note: candidate\n\
                       mutants.cpp:12: note: here\n\
                       mutants.cpp: In function 'int main()':\n\
                       start.cpp:13:1: error: 13\n\
                       mutants.cpp:999999999999999999999999:1: error: no line\n";
        assert_eq!(copies_named(message, "mutants.cpp", &[5..10, 10..15, 15..20, 20..22]), BTreeSet::from([1, 3]));
        assert_eq!(copies_named("the compiler used more than 10 s", "mutants.cpp", &[5..10, 10..15]), BTreeSet::new());
    }
}
