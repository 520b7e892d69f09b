//! Bounded pieces of unbounded texts, for people.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::event::Excerpt;

/// How many bytes of a text are kept.
const KEPT_BYTES: usize = 16 << 10;

/// How many lines before the place that matters are kept.
const LINES_BEFORE: usize = 40;

/// The part of `text` around the byte at `offset`, from the beginning of a line. In a line longer than the bound the
/// excerpt begins inside it.
pub(super) fn around(text: &[u8], offset: usize) -> Excerpt {
    let offset = offset.min(text.len());
    let nearest = offset.saturating_sub(KEPT_BYTES / 2);
    let mut start = memchr::memrchr(b'\n', &text[..offset]).map_or(0, |feed| feed + 1);
    for _ in 0..LINES_BEFORE {
        if start <= nearest {
            break;
        }
        start = memchr::memrchr(b'\n', &text[..start - 1]).map_or(0, |feed| feed + 1);
    }
    let start = start.max(nearest);
    let end = text.len().min(start + KEPT_BYTES);
    Excerpt {
        first_line: memchr::memchr_iter(b'\n', &text[..start]).count() + 1,
        bytes: text[start..end].to_vec(),
        whole_bytes: text.len(),
    }
}

/// The beginning of a file, without reading the rest. One that has vanished is shown as empty: no verdict depends on it.
pub(super) fn beginning(path: &Path) -> Excerpt {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| {
        let size = file.metadata()?.len();
        file.take(KEPT_BYTES as u64).read_to_end(&mut bytes)?;
        Ok(size)
    });
    Excerpt { first_line: 1, whole_bytes: read.map_or(bytes.len(), |size| size as usize), bytes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_is_kept_whole() {
        let excerpt = around(b"a\nb\nc\n", 2);
        assert_eq!((excerpt.first_line, excerpt.bytes.as_slice()), (1, &b"a\nb\nc\n"[..]));
    }

    #[test]
    fn of_a_long_text_the_lines_around_the_place_are_kept() {
        let text: Vec<u8> = (1..=20_000).flat_map(|number| format!("{number}\n").into_bytes()).collect();
        let offset = memchr::memmem::find(&text, b"\n15000\n").unwrap() + 1;
        let excerpt = around(&text, offset);
        assert_eq!(excerpt.first_line, 15_000 - LINES_BEFORE);
        assert!(excerpt.bytes.starts_with(b"14960\n") && excerpt.bytes.len() <= KEPT_BYTES);
    }

    #[test]
    fn a_line_without_end_is_cut_around_the_place() {
        let mut text = vec![b'x'; 1 << 20];
        text[1 << 19] = b'Y';
        let excerpt = around(&text, 1 << 19);
        assert!(excerpt.bytes.contains(&b'Y') && excerpt.bytes.len() == KEPT_BYTES);
        assert_eq!(excerpt.whole_bytes, 1 << 20);
    }
}
