//! Properties of the screen on which people read: its width, and whether it can show more than ASCII.

use std::borrow::Cow;
use std::env;
use std::sync::OnceLock;

use rustix::termios::{Winsize, tcgetwinsize};

use crate::printable::output_line;

/// The width that is assumed if it is unknown, in columns.
pub const DEFAULT_WIDTH: usize = 80;

/// The number of lines that is assumed if it is unknown.
pub const DEFAULT_HEIGHT: u16 = 24;

/// The smallest width for which texts are laid out, in columns.
const MIN_WIDTH: usize = 40;

/// The largest width for which texts are laid out, in columns. No text becomes better readable by a longer line.
const MAX_WIDTH: usize = 400;

/// An output stream of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
}

/// Returns the width of the terminal to which `stream` leads, in columns. If it leads to no terminal, returns the
/// number in the environment variable `COLUMNS`, or else [`DEFAULT_WIDTH`].
pub fn width(stream: Stream) -> usize {
    let of_terminal = size(stream).map(|size| usize::from(size.ws_col)).filter(|&width| width > 0);
    let columns = || env::var("COLUMNS").ok()?.parse().ok().filter(|&width: &usize| width > 0);
    of_terminal.or_else(columns).unwrap_or(DEFAULT_WIDTH).clamp(MIN_WIDTH, MAX_WIDTH)
}

/// Returns the number of lines of the terminal to which `stream` leads; [`DEFAULT_HEIGHT`] if it leads to none.
pub fn height(stream: Stream) -> u16 {
    size(stream).map(|size| size.ws_row).filter(|&height| height > 0).unwrap_or(DEFAULT_HEIGHT)
}

/// Returns the size of the terminal to which `stream` leads; `None` if it leads to none.
fn size(stream: Stream) -> Option<Winsize> {
    let size = match stream {
        Stream::Output => tcgetwinsize(std::io::stdout()),
        Stream::Error => tcgetwinsize(std::io::stderr()),
    };
    size.ok()
}

/// Returns whether the cursor of the terminal cannot be moved.
pub fn is_dumb() -> bool {
    env::var("TERM").is_ok_and(|terminal| terminal == "dumb")
}

/// Returns whether the report must use only ASCII characters of its own: the locale is `C` or `POSIX` or has another
/// character set than UTF-8, or the terminal is `dumb`. `LC_ALL` overrides the terminal. If the environment names no
/// locale, UTF-8 is assumed.
pub fn is_ascii() -> bool {
    static IS_ASCII: OnceLock<bool> = OnceLock::new();
    *IS_ASCII.get_or_init(|| is_ascii_in(&|name| env::var(name).ok()))
}

fn is_ascii_in(variable: &dyn Fn(&str) -> Option<String>) -> bool {
    let value = |name: &str| variable(name).filter(|value| !value.is_empty());
    // POSIX: the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is not empty decides.
    if let Some(locale) = value("LC_ALL") {
        return !is_utf8(&locale);
    }
    let is_dumb = value("TERM").is_some_and(|terminal| terminal == "dumb");
    is_dumb || value("LC_CTYPE").or_else(|| value("LANG")).is_some_and(|locale| !is_utf8(&locale))
}

fn is_utf8(locale: &str) -> bool {
    match locale.split_once('.') {
        Some((_, charset)) => charset.to_lowercase().replace('-', "").starts_with("utf8"),
        // The name of a locale such as `de_DE` does not contain its character set, which is UTF-8 on most systems.
        None => locale != "C" && locale != "POSIX",
    }
}

/// Makes `line` safe for the screen, as [`output_line`] does. If [`is_ascii`], replaces marks of the report by ASCII
/// characters of the same width.
pub fn screen_line(line: &str) -> String {
    let line = output_line(line);
    if is_ascii() { in_ascii(&line).into_owned() } else { line }
}

/// Replaces the marks that the report itself draws by ASCII characters, each of which takes one column, too. Leaves
/// letters of all scripts unchanged, because they are in names and texts of others.
pub fn in_ascii(line: &str) -> Cow<'_, str> {
    if line.is_ascii() {
        return Cow::Borrowed(line);
    }
    Cow::Owned(line.chars().map(ascii_mark).collect())
}

fn ascii_mark(character: char) -> char {
    match character {
        '✓' => '+',
        '✗' => 'x',
        '·' => '.',
        '␣' => '_',
        '…' => '~',
        '→' => '>',
        '⏎' => '$',
        '│' => '|',
        '─' | '━' | '╸' | '–' | '—' => '-',
        '○' => 'o',
        '●' => '#',
        '‘' | '’' => '\'',
        '“' | '”' => '"',
        // The symbols of control characters.
        '\u{2400}'..='\u{2421}' => '?',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_locale_that_is_set_decides() {
        let is = |set: &[(&str, &str)]| {
            is_ascii_in(&|name| set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
        };
        assert!(!is(&[]) && !is(&[("LANG", "C.UTF-8")]) && !is(&[("LANG", "de_DE.utf8")]) && !is(&[("LANG", "de_DE")]));
        assert!(is(&[("LC_ALL", "C"), ("LANG", "C.UTF-8")]) && is(&[("LC_ALL", "POSIX")]) && is(&[("LANG", "C")]));
        assert!(!is(&[("LC_ALL", ""), ("LC_CTYPE", "C.UTF-8"), ("LANG", "C")]));
        assert!(is(&[("LANG", "de_DE.ISO-8859-1")]) && is(&[("TERM", "dumb"), ("LANG", "C.UTF-8")]));
        assert!(!is(&[("TERM", "dumb"), ("LC_ALL", "C.UTF-8")]) && !is(&[("TERM", "xterm")]));
    }

    #[test]
    fn marks_become_ascii_of_the_same_width_and_names_stay() {
        for (line, ascii) in
            [("✓ AC  王小明 …me.py ·", "+ AC  王小明 ~me.py ."), ("a␣b→ ⏎ ━╸─ ○ ●", "a_b> $ --- o #"), ("a", "a")]
        {
            assert_eq!(in_ascii(line), ascii);
            assert_eq!(crate::columns::columns(line), crate::columns::columns(ascii));
        }
    }
}
