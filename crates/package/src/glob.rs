//! The format's glob patterns. `*` matches any number of characters other than `/`, and `{a,b}` matches `a` or `b`. A
//! name matches if the name itself, or a folder above it, matches the pattern. `**` and `[...]` have no special
//! meaning.

/// A pattern for names such as `secret/03-all-black`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob {
    alternatives: Vec<String>,
}

/// The largest number of alternatives that a pattern may expand to.
const MOST_ALTERNATIVES: usize = 1000;

/// The longest pattern allowed, in bytes. The time to expand a pattern grows with the square of its length.
const LONGEST: usize = 2000;

/// The number of characters of an invalid pattern that a message shows.
const SHOWN: usize = 60;

/// An invalid pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the pattern {beginning:?} {reason}")]
pub struct GlobError {
    beginning: String,
    reason: &'static str,
}

impl GlobError {
    fn new(pattern: &str, reason: &'static str) -> Self {
        let mut beginning: String = pattern.chars().take(SHOWN).collect();
        if beginning.len() < pattern.len() {
            beginning.push_str("...");
        }
        GlobError { beginning, reason }
    }
}

impl Glob {
    /// Returns the number of alternatives to which the pattern expands, without expanding it. For an invalid pattern,
    /// the number means nothing.
    pub(crate) fn count_alternatives(pattern: &str) -> usize {
        let choices = pattern.split('{').skip(1).map(|part| part.split('}').next().unwrap_or_default());
        choices.map(|choice| choice.split(',').count()).fold(1, usize::saturating_mul)
    }

    /// Parses a pattern. Fails if it is too long, has unbalanced or nested braces, or expands to too many alternatives.
    pub fn new(pattern: &str) -> Result<Self, GlobError> {
        if pattern.len() > LONGEST {
            return Err(GlobError::new(pattern, "is longer than 2000 bytes"));
        }
        let mut done = Vec::new();
        let mut open = vec![pattern.to_owned()];
        while let Some(text) = open.pop() {
            match expand_first(&text) {
                Ok(None) => done.push(text),
                Ok(Some(expanded)) => open.extend(expanded),
                Err(reason) => return Err(GlobError::new(pattern, reason)),
            }
            if done.len() + open.len() > MOST_ALTERNATIVES {
                return Err(GlobError::new(pattern, "expands to more than 1000 alternatives"));
            }
        }
        Ok(Glob { alternatives: done })
    }

    /// Returns whether `name` itself matches. A folder above it does not count.
    pub fn matches_exactly(&self, name: &str) -> bool {
        self.alternatives.iter().any(|pattern| matches_whole(pattern, name))
    }

    /// Returns whether `name` or a folder above it matches.
    pub fn matches(&self, name: &str) -> bool {
        let ends = name.match_indices('/').map(|(index, _)| index).chain([name.len()]);
        ends.map(|end| &name[..end]).any(|part| self.alternatives.iter().any(|pattern| matches_whole(pattern, part)))
    }
}

/// Returns the expansions of the first `{...}`; `None` if there is none. Fails if the braces are unbalanced or nested.
fn expand_first(text: &str) -> Result<Option<Vec<String>>, &'static str> {
    let Some(start) = text.find(['{', '}']) else {
        return Ok(None);
    };
    let Some(length) = text[start..].find('}') else {
        return Err("has a '{' without its '}'");
    };
    let (before, inside, after) = (&text[..start], &text[start..start + length], &text[start + length + 1..]);
    let Some(inside) = inside.strip_prefix('{') else {
        return Err("has a '}' without its '{'");
    };
    if inside.contains('{') {
        return Err("has braces inside braces");
    }
    // Blanks around a choice are removed: names contain no blanks, so authors add blanks only for readability.
    Ok(Some(inside.split(',').map(|choice| format!("{before}{}{after}", choice.trim())).collect()))
}

/// Returns whether the pattern matches the whole name. The search backtracks only to the last star, so it needs
/// constant memory and at worst quadratic time.
fn matches_whole(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        if pattern.get(p) == Some(&b'*') {
            star = Some((p, n));
            p += 1;
        } else if pattern.get(p) == Some(&name[n]) {
            p += 1;
            n += 1;
        } else if let Some((at, from)) = star.filter(|&(_, from)| name[from] != b'/') {
            star = Some((at, from + 1));
            p = at + 1;
            n = from + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&byte| byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, name: &str) -> bool {
        Glob::new(pattern).unwrap().matches(name)
    }

    #[test]
    fn a_star_stays_inside_one_folder() {
        assert!(matches("secret/*", "secret/1"));
        assert!(matches("*", "a/b"), "a/b matches * through its folder a");
        assert!(!matches("*.py", "a/b.py"));
        assert!(matches("*/x*z", "secret/xyz"));
        assert!(!matches("secret/*-b", "secret/a/c-b"));
        assert!(!matches("s*1", "secret/1"));
    }

    #[test]
    fn a_folder_stands_for_all_it_holds() {
        assert!(matches("secret", "secret/1/2"));
        assert!(matches("accepted/*", "accepted/java/Main.java"));
        assert!(!matches("secret", "secretive/1"));
    }

    #[test]
    fn braces_are_alternatives() {
        for name in ["a1c", "a2c", "x1c"] {
            assert!(matches("{a,x}{1,2}c", name), "{name}");
        }
        assert!(!matches("{a,x}{1,2}c", "b1c"));
        assert!(matches("secret/{,0}1", "secret/01"));
    }

    #[test]
    fn alternatives_are_counted_as_they_are_expanded() {
        for pattern in ["a", "a{b}", "a{b,c}d", "{,0}1", "{a,b}{c,d,e}*", "{}"] {
            assert_eq!(Glob::count_alternatives(pattern), Glob::new(pattern).unwrap().alternatives.len(), "{pattern}");
        }
        assert_eq!(Glob::count_alternatives(&"{a,b}".repeat(100)), usize::MAX);
    }

    #[test]
    fn unbalanced_braces_are_refused() {
        for pattern in ["{a", "a}", "{a{b,c}}"] {
            assert!(Glob::new(pattern).is_err(), "{pattern}");
        }
        assert!(Glob::new(&"{a,b}".repeat(20)).is_err(), "a million alternatives");
    }

    #[test]
    fn a_pattern_of_a_million_empty_braces_is_refused_at_once_and_shown_cut() {
        let error = Glob::new(&"{}".repeat(1_000_000)).unwrap_err().to_string();
        assert_eq!(error, format!("the pattern \"{}...\" is longer than 2000 bytes", "{}".repeat(30)));
    }

    #[test]
    fn stars_do_not_take_exponential_time() {
        let name = "a".repeat(2000);
        assert!(!matches(&format!("{}b", "a*".repeat(200)), &name));
    }
}
