//! Shows the last messages between a submission and its output validator.

use super::table::{DIM, painted, shortened};
use referee_event::Exchange;
use referee_text::columns::columns;
use referee_text::printable::printable;

/// Returns the line for the end of a run in which the submission waited: nothing followed the last message. `None` if
/// there was no message.
pub(super) fn silence(exchanges: &[Exchange]) -> Option<String> {
    let by_submission = exchanges.last()?.by_submission;
    let whose = if by_submission { "the judge sent nothing more" } else { "the submission sent nothing more" };
    Some(painted(DIM, &format!("({whose})")))
}

/// Returns the last lines of the messages, at most `most`. Each message has its time, its direction and its text. No
/// line is wider than `width` columns.
pub(super) fn lines(exchanges: &[Exchange], most: usize, width: usize) -> Vec<String> {
    let all: Vec<_> = exchanges.iter().flat_map(|exchange| message_lines(exchange, width)).collect();
    let before = all.len().saturating_sub(most);
    let mut lines = Vec::new();
    if all.is_empty() {
        lines.push(painted(DIM, "(no messages)"));
    }
    if before > 0 {
        lines.push(painted(DIM, "..."));
    }
    lines.extend(all.into_iter().skip(before));
    lines
}

fn message_lines(exchange: &Exchange, width: usize) -> Vec<String> {
    let direction = if exchange.by_submission { "submission > judge" } else { "judge > submission" };
    let head = format!("{:>8.3} s  {direction}  ", exchange.at.as_secs_f64());
    let blank = " ".repeat(columns(&head));
    let room = width.saturating_sub(columns(&head)).max(1);
    let text = printable(&exchange.bytes);
    let mut lines: Vec<_> = text
        .lines()
        .enumerate()
        .map(|(index, line)| format!("{}{}", if index == 0 { &head } else { &blank }, shortened(line, room)))
        .collect();
    if exchange.whole_bytes > exchange.bytes.len() as u64 {
        lines.push(format!("{blank}{}", painted(DIM, &format!("... ({} bytes in all)", exchange.whole_bytes))));
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn exchange(by_submission: bool, milliseconds: u64, bytes: &[u8]) -> Exchange {
        let (bytes, whole_bytes) = (bytes.to_vec(), bytes.len() as u64);
        Exchange { by_submission, at: Duration::from_millis(milliseconds), bytes, whole_bytes }
    }

    fn plain(exchanges: &[Exchange], most: usize) -> Vec<String> {
        lines(exchanges, most, 70).iter().map(|line| anstream::adapter::strip_str(line).to_string()).collect()
    }

    #[test]
    fn every_line_tells_when_and_who_to_whom() {
        let said = [exchange(false, 12, b"50\n"), exchange(true, 1012, b"higher\nreally\n")];
        assert_eq!(
            plain(&said, 9),
            [
                "   0.012 s  judge > submission  50",
                "   1.012 s  submission > judge  higher",
                "                                really"
            ]
        );
        assert_eq!(plain(&said, 1), ["...", "                                really"]);
        assert_eq!(plain(&[], 9), ["(no messages)"]);
    }

    #[test]
    fn what_was_said_moves_no_cursor_and_fits_on_the_line() {
        let long = exchange(true, 0, &[b'x'; 500]);
        let odd = exchange(true, 0, b"\x1b[2J");
        let lines = plain(&[long], 9);
        assert!(lines[0].contains("xxx") && lines.iter().all(|line| line.chars().count() <= 74), "{lines:?}");
        assert_eq!(plain(&[odd], 9), ["   0.000 s  submission > judge  \u{241b}[2J"]);
    }
}
