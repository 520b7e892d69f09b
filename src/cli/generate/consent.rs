//! Asks the user before files are removed from `data/`.
//!
//! Nothing records which files an earlier run has made. So a file that no rule makes may be a test case that the setter
//! wrote by hand. Removing a file loses nothing and needs no consent if a rule makes a file with the same bytes under
//! another name. Every other removal needs consent.

use std::io::{self, BufRead, IsTerminal, Write};

use crate::cli::{Failure, eprint_message};
use referee_generators::TRASH;
use referee_sandbox::interrupt;
use referee_text::printable::printable;

/// The largest number of paths named in the question and in the error.
const MOST_NAMED: usize = 5;

/// The number of bytes after which reading the answer stops.
const LONGEST_ANSWER: u64 = 1024;

/// Returns whether the paths in `removed` may be removed. Asks the user if there is a terminal; without a terminal, the
/// answer is no. Fails if the user interrupts the question.
pub(super) fn is_given(removed: &[String]) -> Result<bool, Failure> {
    if removed.is_empty() {
        return Ok(true);
    }
    let stdin = io::stdin();
    if !stdin.is_terminal() || !io::stderr().is_terminal() {
        return Ok(false);
    }
    let them = if removed.len() == 1 { "it" } else { "them" };
    eprint_message("", 0, &format!("{}; --write moves {them} to {TRASH} in the package", listed(removed)));
    let mut error = anstream::stderr();
    write!(error, "remove {them} from data/? [y/N] ").and_then(|()| error.flush())?;
    interrupt::wait_for_input(&stdin).map_err(|_| Failure::interrupted())?;
    let mut answer = Vec::new();
    io::Read::take(stdin.lock(), LONGEST_ANSWER).read_until(b'\n', &mut answer)?;
    Ok(is_yes(&answer))
}

fn is_yes(answer: &[u8]) -> bool {
    let answer = answer.trim_ascii().to_ascii_lowercase();
    answer == b"y" || answer == b"yes"
}

/// Returns the error to report after the user answered no or could not be asked.
pub(super) fn refusal(removed: &[String]) -> Failure {
    let them = if removed.len() == 1 { "it" } else { "them" };
    Failure::unusable(format!("nothing was written: {}", listed(removed)))
        .with_hint(format!("add --remove to move {them} to {TRASH} in the package, or write rules that make {them}"))
}

/// Returns a text such as `no rule in generators.yaml makes these 2 paths in data/: secret/a, secret/b`.
fn listed(removed: &[String]) -> String {
    let name = |path: &String| printable(path.as_bytes()).replace(['\n', '\t'], " ");
    let names: Vec<_> = removed.iter().take(MOST_NAMED).map(name).collect();
    let more = removed.len() - names.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let paths = if removed.len() == 1 { "this path".to_owned() } else { format!("these {} paths", removed.len()) };
    format!("no rule in generators.yaml makes {paths} in data/: {}{more}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_yes_is_yes() {
        for answer in ["y\n", "Y", "yes\r\n", " YES "] {
            assert!(is_yes(answer.as_bytes()), "{answer:?}");
        }
        for answer in ["", "\n", "n\n", "yy", "yes please"] {
            assert!(!is_yes(answer.as_bytes()), "{answer:?}");
        }
    }

    #[test]
    fn the_first_paths_are_named_and_the_others_counted() {
        let paths = |count: usize| (0..count).map(|number| format!("secret/{number}")).collect::<Vec<_>>();
        assert_eq!(listed(&paths(1)), "no rule in generators.yaml makes this path in data/: secret/0");
        assert!(listed(&paths(7)).ends_with("secret/3, secret/4 and 2 more"), "{}", listed(&paths(7)));
        assert!(!listed(&["a\u{1b}[2J".to_owned()]).contains('\u{1b}'));
    }
}
