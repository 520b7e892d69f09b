//! Regular expressions of checktestdata: bytes, `.`, sets, groups, alternatives and repetitions.
//!
//! This module parses and checks patterns itself, because the language is smaller and stricter than that of the library
//! `regex`. A pattern such as `[a-z]{1,1000000}` would make the library's automaton too large. So if a pattern is a
//! sequence of repeated sets and needs no backtracking, a loop in this module matches it. The library matches all other
//! patterns, in linear time.

use std::fmt::Write as _;

use regex::bytes::{Regex, RegexBuilder};

/// The maximum size of the library's automaton, in bytes.
const LARGEST_AUTOMATON: usize = 64 << 20;

/// The maximum depth of groups.
const DEEPEST: usize = 100;

/// The characters that a backslash makes literal.
const SPECIAL: &[u8] = b"(){}[]*+?|\\^.-";

/// A regular expression that is ready to match.
#[derive(Debug)]
pub(crate) enum Pattern {
    /// A sequence of repeated sets of bytes. Each set takes as many bytes as it can, without backtracking.
    Sets(Vec<Repeated>),
    /// Any other expression.
    Automaton(Regex),
}

/// A set of bytes with the number of its repetitions.
#[derive(Clone, Debug)]
pub(crate) struct Repeated {
    set: Set,
    least: usize,
    /// The maximum number of repetitions; `None` if it is unlimited.
    most: Option<usize>,
}

type Set = Box<[bool; 256]>;

impl Pattern {
    /// Parses an expression. Fails with a message that names the byte of the mistake, counted from 1.
    pub(crate) fn parse(text: &[u8]) -> Result<Pattern, String> {
        let mut parser = Parser { text, at: 0, depth: 0, translated: "^(?s-u:".to_owned(), sets: Some(Vec::new()) };
        parser.alternatives()?;
        if parser.peek().is_some() {
            return Err(parser.error("this ) closes no group"));
        }
        if let Some(sets) = parser.sets.take().filter(|sets| needs_no_backtracking(sets)) {
            return Ok(Pattern::Sets(sets));
        }
        let mut builder = RegexBuilder::new(&(parser.translated + ")"));
        let built = builder.unicode(false).size_limit(LARGEST_AUTOMATON).dfa_size_limit(LARGEST_AUTOMATON).build();
        built
            .map(Pattern::Automaton)
            .map_err(|_| "the compiled regular expression needs more than 64 MiB; use fewer repetitions".to_owned())
    }

    /// Returns the length of the match at the start of `text`; `None` if nothing matches there.
    pub(crate) fn length(&self, text: &[u8]) -> Option<usize> {
        let sets = match self {
            Pattern::Automaton(regex) => return regex.find(text).map(|found| found.end()),
            Pattern::Sets(sets) => sets,
        };
        let mut at = 0;
        for Repeated { set, least, most } in sets {
            let rest = &text[at..];
            let rest = &rest[..most.unwrap_or(rest.len()).min(rest.len())];
            let taken = rest.iter().position(|byte| !set[usize::from(*byte)]).unwrap_or(rest.len());
            if taken < *least {
                return None;
            }
            at += taken;
        }
        Some(at)
    }
}

/// Returns whether taking as many bytes as possible for each set in turn gives the same match as backtracking. This is
/// the case if no set with a variable number of repetitions has a byte in common with a set that can follow it.
fn needs_no_backtracking(sets: &[Repeated]) -> bool {
    sets.iter().enumerate().filter(|(_, one)| one.most != Some(one.least)).all(|(index, one)| {
        let rest = &sets[index + 1..];
        let reached = rest.iter().position(|next| next.least > 0).map_or(rest.len(), |mandatory| mandatory + 1);
        rest[..reached].iter().all(|next| !one.set.iter().zip(next.set.iter()).any(|(one, next)| *one && *next))
    })
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    depth: usize,
    /// The expression in the library's syntax.
    translated: String,
    /// The expression as a sequence of sets; `None` if it has groups or alternatives.
    sets: Option<Vec<Repeated>>,
}

impl Parser<'_> {
    fn error(&self, message: &str) -> String {
        format!("the regular expression is wrong at byte {}: {message}", self.at + 1)
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Parses alternatives up to the end of the group or of the whole expression.
    fn alternatives(&mut self) -> Result<(), String> {
        let mut can_repeat = Err("this repetition has nothing to repeat");
        while let Some(byte) = self.peek() {
            match byte {
                b')' => break,
                b'|' => {
                    self.sets = None;
                    self.translated.push('|');
                    self.at += 1;
                    can_repeat = Err("this repetition has nothing to repeat");
                }
                b'*' | b'+' | b'?' | b'{' => {
                    can_repeat.map_err(|message| self.error(message))?;
                    self.repetition()?;
                    can_repeat = Err("two repetitions follow each other; put the first repetition into a group");
                }
                b'(' => {
                    self.group()?;
                    can_repeat = Ok(());
                }
                _ => {
                    let set = match byte {
                        b'[' => self.set()?,
                        b'.' => {
                            self.at += 1;
                            Box::new([true; 256])
                        }
                        _ => single(self.byte()),
                    };
                    self.push(set);
                    can_repeat = Ok(());
                }
            }
        }
        Ok(())
    }

    fn group(&mut self) -> Result<(), String> {
        if self.depth == DEEPEST {
            return Err(self.error(&format!("groups are nested more than {DEEPEST} levels deep")));
        }
        self.sets = None;
        self.at += 1;
        self.depth += 1;
        self.translated.push_str("(?:");
        self.alternatives()?;
        if self.peek() != Some(b')') {
            return Err(self.error("a group has no end; add )"));
        }
        self.at += 1;
        self.depth -= 1;
        self.translated.push(')');
        Ok(())
    }

    /// Takes a literal byte. A backslash before a special character makes that character literal. Before any other
    /// character, the backslash itself is literal.
    fn byte(&mut self) -> u8 {
        let byte = self.text[self.at];
        self.at += 1;
        match self.peek() {
            Some(next) if byte == b'\\' && SPECIAL.contains(&next) => {
                self.at += 1;
                next
            }
            _ => byte,
        }
    }

    /// Adds a set that matches one byte.
    fn push(&mut self, set: Set) {
        self.translated.push('[');
        let mut from = 0;
        while let Some(first) = (from..256).find(|byte| set[*byte]) {
            let last = (first..256).take_while(|byte| set[*byte]).last().unwrap_or(first);
            let _ = write!(self.translated, "\\x{first:02x}-\\x{last:02x}");
            from = last + 1;
        }
        if from == 0 {
            // The set is empty. The library has no notation for it, so it is written as the complement of all bytes.
            self.translated.push_str("^\\x00-\\xff");
        }
        self.translated.push(']');
        if let Some(sets) = &mut self.sets {
            sets.push(Repeated { set, least: 1, most: Some(1) });
        }
    }

    fn set(&mut self) -> Result<Set, String> {
        let start = self.at;
        self.at += 1;
        let is_complement = self.peek() == Some(b'^');
        self.at += usize::from(is_complement);
        let mut set = Box::new([false; 256]);
        let first = self.at;
        loop {
            match self.peek() {
                Some(b']') => break,
                Some(b'[') => return Err(self.error("[ in a set must be written as \\[")),
                Some(_) => {}
                None => {
                    self.at = start;
                    return Err(self.error("this set has no end; add ]"));
                }
            }
            let begin = self.at;
            let low = self.byte();
            set[usize::from(low)] = true;
            // A minus at the end of the set is a literal.
            if self.peek() == Some(b'-') && !matches!(self.text.get(self.at + 1), None | Some(b']' | b'[')) {
                self.at += 1;
                let high = self.byte();
                if high < low {
                    self.at = begin;
                    return Err(self.error("the range's first character is greater than its last character"));
                }
                set[usize::from(low)..=usize::from(high)].fill(true);
            }
        }
        if self.at == first {
            return Err(self.error("the set is empty"));
        }
        self.at += 1;
        if is_complement {
            set.iter_mut().for_each(|belongs| *belongs = !*belongs);
        }
        Ok(set)
    }

    fn repetition(&mut self) -> Result<(), String> {
        let begin = self.at;
        self.at += 1;
        let (least, most) = match self.text[begin] {
            b'*' => (0, None),
            b'+' => (1, None),
            b'?' => (0, Some(1)),
            _ => self.bounds()?,
        };
        if most.is_some_and(|most| most < least) {
            self.at = begin;
            return Err(self.error("the smallest number of repetitions is greater than the largest"));
        }
        let most_text = most.map_or(String::new(), |most| most.to_string());
        let _ = write!(self.translated, "{{{least},{most_text}}}");
        if let Some(last) = self.sets.as_mut().and_then(|sets| sets.last_mut()) {
            (last.least, last.most) = (least, most);
        }
        Ok(())
    }

    /// Parses the rest of `{m}`, `{m,}`, `{,n}` or `{m,n}`.
    fn bounds(&mut self) -> Result<(usize, Option<usize>), String> {
        let least = self.number()?;
        let bounds = if self.peek() == Some(b',') {
            self.at += 1;
            (least.unwrap_or(0), self.number()?)
        } else {
            (least.ok_or_else(|| self.error("a number of repetitions is missing"))?, least)
        };
        if self.peek() != Some(b'}') {
            return Err(self.error("expected } after the number of repetitions"));
        }
        self.at += 1;
        Ok(bounds)
    }

    fn number(&mut self) -> Result<Option<usize>, String> {
        let rest = &self.text[self.at..];
        let digits = &rest[..rest.iter().take_while(|byte| byte.is_ascii_digit()).count()];
        if digits.is_empty() {
            return Ok(None);
        }
        let number = str::from_utf8(digits).ok().filter(|digits| *digits == "0" || !digits.starts_with('0'));
        let number = number.and_then(|digits| digits.parse::<u32>().ok());
        let number = number.ok_or_else(|| {
            self.error("a number of repetitions must have no leading zeros and be at most 4294967295")
        })?;
        self.at += digits.len();
        Ok(Some(number as usize))
    }
}

fn single(byte: u8) -> Set {
    let mut set = Box::new([false; 256]);
    set[usize::from(byte)] = true;
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(pattern: &str, text: &str) -> Option<usize> {
        Pattern::parse(pattern.as_bytes()).unwrap().length(text.as_bytes())
    }

    #[test]
    fn sets_ranges_and_repetitions_match() {
        assert_eq!(length("[a-z]{2,3}", "abcd"), Some(3));
        assert_eq!(length("[a-z]{2,3}", "a1"), None);
        assert_eq!(length("[^a-c]+", "xyza"), Some(3));
        assert_eq!(length("[a\\-]*", "a-a-b"), Some(4));
        assert_eq!(length("[-a]{,2}", "---"), Some(2));
        assert_eq!(length("[a-]+", "-a-x"), Some(3));
        assert_eq!(length("a.c", "a\nc"), Some(3));
        assert_eq!(length("[a-z]{1,1000000}", &"q".repeat(5000)), Some(5000));
    }

    #[test]
    fn the_first_alternative_is_preferred() {
        assert_eq!(length("p|ps", "ps"), Some(1));
        assert_eq!(length("(ab|a)*c", "aabc"), Some(4));
        assert_eq!(length("x|", "y"), Some(0));
    }

    #[test]
    fn a_loop_that_would_have_to_give_bytes_back_is_not_used() {
        assert_eq!(length("[a-z]*z", "azbzc"), Some(4));
        assert_eq!(length("[a-z]*[0-9]?z", "azb"), Some(2));
        assert!(matches!(Pattern::parse(b"[a-z]+[0-9]*;").unwrap(), Pattern::Sets(_)));
        assert!(matches!(Pattern::parse(b"[a-z]+[0-9]*z").unwrap(), Pattern::Automaton(_)));
    }

    #[test]
    fn special_characters_are_literals_after_a_backslash() {
        assert_eq!(length("\\(\\.\\\\", "(.\\"), Some(3));
        assert_eq!(length("\\d", "\\d"), Some(2));
        assert_eq!(length("^a$", "^a$"), Some(3));
    }

    #[test]
    fn wrong_expressions_are_refused_with_their_position() {
        for (pattern, part) in [
            ("*a", "byte 1: this repetition has nothing"),
            ("a|*", "byte 3: this repetition has nothing"),
            ("a**", "byte 3: two repetitions follow"),
            ("[]", "byte 2: the set is empty"),
            ("[z-a]", "byte 2: the range"),
            ("[a[]", "byte 3: [ in a set"),
            ("[a", "byte 1: this set has no end"),
            ("(a", "byte 3: a group has no end"),
            ("a)", "byte 2: this ) closes"),
            ("a{3,2}", "byte 2: the smallest"),
            ("a{02}", "byte 3: a number of repetitions must have no leading"),
            ("a{}", "byte 3: a number of repetitions is missing"),
            ("a{2", "byte 4: expected }"),
        ] {
            let error = Pattern::parse(pattern.as_bytes()).unwrap_err();
            assert!(error.contains(part), "{pattern}: {error}");
        }
    }
}
