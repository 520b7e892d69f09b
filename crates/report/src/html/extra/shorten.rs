//! Shortens texts, diffs and conversations for which a page has too little space.

use std::io;

use super::super::messages::floor_boundary;
use super::{DiffRow, Extra, MessageRow, Pictures, Text};

/// Texts and rows of at most this many bytes are not halved.
const SHORT_BYTES: usize = 64;

/// The sizes in bytes to which other texts are halved: before a long diff is halved, and before any diff is.
const SHORT_BESIDE_DIFF_BYTES: [usize; 2] = [2 << 10, 256];

/// The number of rows from which on a diff is long.
const LONG_DIFF_ROWS: usize = 20;

/// Conversations of at most this many messages are not halved; only their messages are.
const FEW_MESSAGES: usize = 4;

impl Extra<'_> {
    /// Drops the pictures if they have more than `most` bytes. Returns whether it dropped any.
    pub(in super::super) fn drop_large_pictures(&mut self, most: usize) -> io::Result<bool> {
        let Some(boards) = self.boards() else { return Ok(false) };
        let is_large = !boards.is_empty() && serde_json::to_string(boards)?.len() > most;
        if is_large {
            boards.clear();
        }
        Ok(is_large)
    }

    /// Halves the largest text or the conversation. The diff follows when the others are short, because it shows the
    /// same difference in less space. The pictures are dropped last. Returns false if nothing is left to be halved.
    pub(in super::super) fn halve(&mut self) -> bool {
        let is_halved = match self {
            Extra::CaseTold { input, expected, .. } => {
                halve_largest([Some(input), expected.as_mut()], None, SHORT_BYTES)
            }
            Extra::Exhibit { output, stderr, diff, talk, talk_left_out, .. } => {
                let mut others = |short| {
                    let talk = talk.as_mut().map(|talk| (talk, &mut *talk_left_out));
                    halve_largest([Some(&mut *output), stderr.as_mut()], talk, short)
                };
                let [beside_long, beside_short] = SHORT_BESIDE_DIFF_BYTES;
                others(beside_long)
                    || diff.as_mut().is_some_and(|rows| rows.len() >= LONG_DIFF_ROWS && halve_diff(rows))
                    || others(beside_short)
                    || diff.as_mut().is_some_and(halve_diff)
                    || others(SHORT_BYTES)
            }
            _ => false,
        };
        is_halved || self.boards().is_some_and(|boards| !std::mem::take(boards).is_empty())
    }

    fn boards(&mut self) -> Option<&mut Vec<Pictures>> {
        match self {
            Extra::CaseTold { boards, .. } | Extra::Exhibit { boards, .. } => Some(boards),
            _ => None,
        }
    }
}

/// Halves the largest of the texts and the conversation, if it is longer than `short` bytes. Returns whether it did.
fn halve_largest(
    texts: [Option<&mut Text>; 2],
    talk: Option<(&mut Vec<MessageRow>, &mut usize)>,
    short: usize,
) -> bool {
    let largest = texts.into_iter().flatten().max_by_key(|text| text.shown.len());
    let text_bytes = largest.as_ref().map_or(0, |text| text.shown.len());
    if let Some((messages, left_out)) = talk {
        let talk_bytes: usize = messages.iter().map(|message| message.text.len()).sum();
        let is_long = talk_bytes > short || messages.len() > FEW_MESSAGES;
        if is_long && (talk_bytes >= text_bytes || text_bytes <= short) && halve_talk(messages, left_out) {
            return true;
        }
    }
    largest.is_some_and(|text| text.shown.len() > short && text.halve())
}

impl Text {
    /// Keeps the half of the text around its focus. Returns whether the text was long enough for that.
    fn halve(&mut self) -> bool {
        let length = self.shown.len();
        if length <= SHORT_BYTES {
            return false;
        }
        let kept = length / 2;
        let nearest = floor_boundary(&self.shown, self.focus.saturating_sub(kept / 2).min(length - kept));
        // The text begins at the start of a line if one starts soon.
        let latest = floor_boundary(&self.shown, nearest + self.focus.saturating_sub(nearest).min(kept) / 2);
        let feed = self.shown[nearest..latest].find('\n').filter(|_| nearest > 0);
        let start = feed.map_or(nearest, |feed| nearest + feed + 1);
        self.shown.truncate(floor_boundary(&self.shown, nearest + kept));
        let dropped = self.shown.drain(..start);
        self.first_line += dropped.filter(|&character| character == '\n').count();
        self.focus = self.focus.saturating_sub(start).min(self.shown.len());
        self.cut = true;
        true
    }
}

/// Shortens a diff: drops the equal lines, then the later half of the differing lines, then the ends of long rows. The
/// first expected and the first actual line always stay. Returns whether it dropped anything.
fn halve_diff(rows: &mut Vec<DiffRow>) -> bool {
    let count = |rows: &[DiffRow], sign| rows.iter().filter(|row| row.sign == sign).count();
    let most = if rows.iter().any(|row| row.sign == ' ') {
        [usize::MAX; 2]
    } else {
        ['-', '+'].map(|sign| count(rows, sign).div_ceil(2))
    };
    let (mut expected, mut actual, before) = (0, 0, rows.len());
    let was_marked = rows.last().is_some_and(|row| row.sign == '…');
    rows.retain(|row| {
        let (seen, most) = match row.sign {
            '-' => (&mut expected, most[0]),
            '+' => (&mut actual, most[1]),
            _ => return false,
        };
        *seen += 1;
        *seen <= most
    });
    let is_shorter = rows.len() + usize::from(was_marked) < before;
    if is_shorter || was_marked {
        rows.push(DiffRow::of_left_out());
    }
    is_shorter || halve_rows(rows)
}

/// Halves each long row. Returns whether there was any.
fn halve_rows(rows: &mut [DiffRow]) -> bool {
    let mut is_halved = false;
    for row in rows {
        let length: usize = row.parts.iter().map(|(_, text)| text.len()).sum();
        if length > SHORT_BYTES {
            shorten_row(&mut row.parts, length / 2);
            is_halved = true;
        }
    }
    is_halved
}

/// Keeps `most` bytes of a row around its first marked part, and adds `…` at each end that is cut.
fn shorten_row(parts: &mut Vec<(bool, String)>, most: usize) {
    let length: usize = parts.iter().map(|(_, text)| text.len()).sum();
    let unmarked: usize = parts.iter().take_while(|(marked, _)| !marked).map(|(_, text)| text.len()).sum();
    let focus = if unmarked == length { 0 } else { unmarked };
    let start = focus.saturating_sub(most / 4).min(length.saturating_sub(most));
    let mut kept = Vec::new();
    let mut at = 0;
    for (marked, text) in parts.drain(..) {
        let inside = |place: usize| floor_boundary(&text, place.saturating_sub(at).min(text.len()));
        let piece = &text[inside(start)..inside(start + most)];
        if !piece.is_empty() {
            kept.push((marked, piece.to_owned()));
        }
        at += text.len();
    }
    let mark = |is_cut: bool| is_cut.then(|| (false, "…".to_owned()));
    *parts = mark(start > 0).into_iter().chain(kept).chain(mark(start + most < length)).collect();
}

/// Halves a conversation: drops the earlier messages, because the last ones led to the verdict, and adds their number
/// to `left_out`. Halves the messages if they are few. Returns whether it dropped anything.
fn halve_talk(messages: &mut Vec<MessageRow>, left_out: &mut usize) -> bool {
    if messages.len() > FEW_MESSAGES {
        *left_out += messages.drain(..messages.len() / 2).count();
        return true;
    }
    let mut is_halved = false;
    for message in messages.iter_mut().filter(|message| message.text.len() > SHORT_BYTES) {
        message.text.truncate(floor_boundary(&message.text, message.text.len() / 2));
        message.cut = true;
        is_halved = true;
    }
    is_halved
}

#[cfg(test)]
mod tests;
