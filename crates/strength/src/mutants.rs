//! Lists the mutants of a package in order, and describes each as changed lines and as a diff.

use std::ops::Range;

use referee_random::Random;
use similar::TextDiff;

use super::mutate::{Mutation, Mutations, mutations};
use super::subject::Subject;

/// One change of one program.
#[derive(Clone, Debug)]
pub(super) struct Mutant {
    /// The number of the mutant, counted from 1 over all programs of the package.
    pub(super) number: usize,
    /// The index of the mutated program in the list of subjects.
    pub(super) subject: usize,
    /// The index of the changed file in the program's list of sources.
    pub(super) file: usize,
    pub(super) mutation: Mutation,
}

/// Returns all mutants, ordered by program, file and position, and remarks on the changes that were left out.
pub(super) fn all(subjects: &[Subject]) -> (Vec<Mutant>, Vec<String>) {
    let (mut mutants, mut remarks) = (Vec::new(), Vec::new());
    for (subject, one) in subjects.iter().enumerate() {
        for (file, source) in one.sources.iter().enumerate() {
            let Mutations { list, left_out } = mutations(one.grammar, &source.text);
            if left_out > 0 {
                let (name, made) = (one.file_name(file), list.len());
                remarks.push(format!(
                    "{name}: only {made} of {} changes are tested, because more would take too long; they are spread \
                     evenly over the file",
                    made + left_out
                ));
            }
            for mutation in list {
                mutants.push(Mutant { number: mutants.len() + 1, subject, file, mutation });
            }
        }
    }
    (mutants, remarks)
}

/// Returns at most `most` mutants, chosen by the seed. The chosen mutants keep their numbers and their order.
pub(super) fn sample(mut mutants: Vec<Mutant>, most: usize, seed: u64) -> Vec<Mutant> {
    if mutants.len() > most {
        Random::new(seed, 0).shuffle(&mut mutants);
        mutants.truncate(most);
        mutants.sort_by_key(|mutant| mutant.number);
    }
    mutants
}

/// The lines in which a change occurs: `was` before the change and `is` after it. Runs of whitespace are reduced to
/// single spaces. A declaration names a change by these lines, so it still matches when lines above are added or
/// removed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Change {
    pub(super) was: String,
    pub(super) is: String,
}

impl Change {
    pub(super) fn of(mutation: &Mutation, text: &str) -> Change {
        let lines = lines_around(text, &mutation.span);
        let before = &text[lines.start..mutation.span.start];
        let after = &text[mutation.span.end..lines.end];
        let is = format!("{before}{}{after}", mutation.replacement);
        Change { was: plain(&text[lines]), is: plain(&is) }
    }
}

/// Replaces each run of whitespace with a single space, and trims both ends.
pub(super) fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn lines_around(text: &str, span: &Range<usize>) -> Range<usize> {
    let start = text[..span.start].rfind('\n').map_or(0, |end| end + 1);
    let end = text[span.end..].find('\n').map_or(text.len(), |end| span.end + end);
    start..end
}

/// The number of unchanged lines that a diff shows on each side of the change.
const CONTEXT: usize = 1;

/// Returns the change as a unified diff.
pub(super) fn diff(mutation: &Mutation, text: &str) -> String {
    let changed = mutation.apply(text);
    TextDiff::from_lines(text, &changed).unified_diff().context_radius(CONTEXT).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_told_by_its_lines_without_their_blanks() {
        let text = "int f() {\n    for (int i = 0; i <   n;\n         ++i) g();\n}\n";
        let one = Change::of(&Mutation::replacing(text, "<", "<="), text);
        assert_eq!((one.was.as_str(), one.is.as_str()), ("for (int i = 0; i < n;", "for (int i = 0; i <= n;"));
        let two = Change::of(&Mutation::replacing(text, "n;\n         ++i", "n;"), text);
        assert_eq!(two.was, "for (int i = 0; i < n; ++i) g();");
        assert_eq!(two.is, "for (int i = 0; i < n;) g();");
        let last = Change::of(&Mutation::replacing("a = 1", "1", "2"), "a = 1");
        assert_eq!((last.was.as_str(), last.is.as_str()), ("a = 1", "a = 2"));
    }

    #[test]
    fn a_diff_shows_one_line_around() {
        let text = "a\nb\nc = 1\nd\ne\n";
        let shown = diff(&Mutation::replacing(text, "1", "2"), text);
        assert_eq!(shown, "@@ -2,3 +2,3 @@\n b\n-c = 1\n+c = 2\n d\n");
    }

    #[test]
    fn a_sample_is_drawn_by_the_seed_and_keeps_order_and_numbers() {
        let one = |number| Mutant { number, subject: 0, file: 0, mutation: Mutation::replacing("a", "a", "b") };
        let numbers = |most, seed| {
            sample((1..=50).map(one).collect(), most, seed).iter().map(|mutant| mutant.number).collect::<Vec<_>>()
        };
        assert_eq!(numbers(50, 1), (1..=50).collect::<Vec<_>>());
        let drawn = numbers(10, 1);
        assert!(drawn.len() == 10 && drawn.is_sorted() && drawn == numbers(10, 1) && drawn != numbers(10, 2));
    }
}
