//! Where progress bars are drawn: on standard error, if that is a terminal.
//!
//! indicatif fills the last line of a bar with blanks up to the width of the terminal. The `^C` that a terminal shows
//! after Ctrl-C would then begin another line, and indicatif, which does not know of that line, would leave a copy of
//! the bar behind. So the terminal that indicatif sees is a little narrower than the real one.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

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
        ProgressDrawTarget::term_like_with_hz(Box::new(NarrowTerminal::default()), UPDATES)
    } else {
        ProgressDrawTarget::hidden()
    }
}

/// Returns the width of the lines of a bar, in columns.
pub(super) fn draw_width() -> u16 {
    u16::try_from(screen::width(Stream::Error) - ROOM).unwrap_or(u16::MAX)
}

/// Standard error, as a terminal. Collects what is written until it is flushed, so that a bar does not flicker.
#[derive(Debug, Default)]
struct NarrowTerminal {
    unwritten: Mutex<Vec<u8>>,
}

impl NarrowTerminal {
    fn write(&self, text: &str) -> io::Result<()> {
        self.unwritten.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(text.as_bytes());
        Ok(())
    }

    /// Moves the cursor `count` times in the direction that this letter stands for.
    fn move_cursor(&self, count: usize, direction: char) -> io::Result<()> {
        if count == 0 { Ok(()) } else { self.write(&format!("\x1b[{count}{direction}")) }
    }
}

impl TermLike for NarrowTerminal {
    fn width(&self) -> u16 {
        draw_width()
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
        self.write(s)?;
        self.write("\n")
    }

    fn write_str(&self, s: &str) -> io::Result<()> {
        self.write(s)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.write("\r\x1b[2K")
    }

    fn flush(&self) -> io::Result<()> {
        let unwritten = std::mem::take(&mut *self.unwritten.lock().unwrap_or_else(PoisonError::into_inner));
        let mut error = io::stderr().lock();
        error.write_all(&unwritten)?;
        error.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_moves_as_told_and_the_last_column_stays_free() {
        let terminal = NarrowTerminal::default();
        terminal.move_cursor_up(0).unwrap();
        terminal.move_cursor_up(2).unwrap();
        terminal.clear_line().unwrap();
        terminal.write_line("a").unwrap();
        assert_eq!(*terminal.unwritten.lock().unwrap(), b"\x1b[2A\r\x1b[2Ka\n");
        assert!(usize::from(terminal.width()) + ROOM <= screen::width(Stream::Error));
    }
}
