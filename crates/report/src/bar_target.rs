//! Where progress bars are drawn: on standard error, if that is a terminal.
//!
//! indicatif fills the last line of a bar with blanks up to the width of the terminal. The `^C` that a terminal shows
//! after Ctrl-C would then begin another line, and indicatif, which does not know of that line, would leave a copy of
//! the bar behind. So this module leaves out these blanks, except for one: it moves the cursor to the last line if that
//! line is empty.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use indicatif::{ProgressDrawTarget, TermLike};

use referee_text::screen::{self, Stream};

/// The room for `^C` at the end of the last line, in columns.
const ROOM: usize = 3;

/// The number of updates per second.
const UPDATES: u8 = 20;

/// Returns the target for a progress bar. Nothing is drawn if standard error is no terminal, or one on which the cursor
/// cannot be moved.
pub(super) fn draw_target() -> ProgressDrawTarget {
    if io::stderr().is_terminal() && !screen::is_dumb() {
        ProgressDrawTarget::term_like_with_hz(Box::new(Terminal::default()), UPDATES)
    } else {
        ProgressDrawTarget::hidden()
    }
}

/// Returns the maximum width of the last line of a bar, in columns.
pub(super) fn last_line_width() -> usize {
    screen::width(Stream::Error) - ROOM
}

/// Standard error, as a terminal.
#[derive(Debug, Default)]
struct Terminal(Mutex<Unwritten>);

/// The text that was not flushed yet. It is written at once, so that a bar does not flicker.
#[derive(Debug, Default)]
struct Unwritten {
    text: String,
    /// The blanks after the text.
    filler: String,
}

impl Unwritten {
    fn push(&mut self, text: &str) {
        self.text.push_str(&std::mem::take(&mut self.filler));
        if text.chars().all(|letter| letter == ' ') {
            text.clone_into(&mut self.filler);
        } else {
            self.text.push_str(text);
        }
    }

    /// Returns the text with at most one blank of the filler.
    fn take(&mut self) -> String {
        let blank = if self.filler.is_empty() { "" } else { " " };
        self.filler.clear();
        std::mem::take(&mut self.text) + blank
    }
}

impl Terminal {
    fn unwritten(&self) -> MutexGuard<'_, Unwritten> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves the cursor `count` times in the direction that this letter stands for.
    fn move_cursor(&self, count: usize, direction: char) -> io::Result<()> {
        if count == 0 { Ok(()) } else { self.write_str(&format!("\x1b[{count}{direction}")) }
    }
}

impl TermLike for Terminal {
    fn width(&self) -> u16 {
        u16::try_from(screen::width(Stream::Error)).unwrap_or(u16::MAX)
    }

    fn height(&self) -> u16 {
        screen::height(Stream::Error)
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.move_cursor(n, 'A')
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.move_cursor(n, 'B')
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.move_cursor(n, 'C')
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.move_cursor(n, 'D')
    }

    fn write_line(&self, s: &str) -> io::Result<()> {
        self.write_str(&format!("{s}\n"))
    }

    fn write_str(&self, s: &str) -> io::Result<()> {
        self.unwritten().push(s);
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        self.write_str("\r\x1b[2K")
    }

    fn flush(&self) -> io::Result<()> {
        let text = self.unwritten().take();
        let mut error = io::stderr().lock();
        error.write_all(text.as_bytes())?;
        error.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_moves_as_told() {
        let terminal = Terminal::default();
        terminal.move_cursor_up(0).unwrap();
        terminal.move_cursor_up(2).unwrap();
        terminal.clear_line().unwrap();
        terminal.write_line("a").unwrap();
        assert_eq!(terminal.unwritten().take(), "\x1b[2A\r\x1b[2Ka\n");
    }

    #[test]
    fn only_the_last_line_is_not_filled_with_blanks() {
        let written = |texts: &[&str]| {
            let mut unwritten = Unwritten::default();
            for text in texts {
                unwritten.push(text);
            }
            unwritten.take()
        };
        assert_eq!(written(&["bar", "   ", "running: a", "   "]), "bar   running: a ");
        assert_eq!(written(&["bar", "   ", "", "      "]), "bar    ", "the cursor reaches the empty line");
        assert_eq!(written(&["bar", "", "full"]), "barfull");
    }
}
