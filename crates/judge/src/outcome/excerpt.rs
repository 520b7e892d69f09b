//! Cuts excerpts of bounded size out of texts, for reports.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use referee_event::Excerpt;
use referee_files::regular;

/// Maximum size of an excerpt, in bytes.
const KEPT_BYTES: usize = 16 << 10;

/// Maximum number of lines in an excerpt before the line of interest.
const LINES_BEFORE: usize = 40;

/// Returns the part of `text` around the byte at `offset`. The excerpt begins at the start of a line, or inside a line
/// if the whole line is too long for the excerpt.
pub(crate) fn around(text: &[u8], offset: usize) -> Excerpt {
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

/// Returns the excerpt of a file around the byte at `offset`, without reading the whole file into memory. A missing
/// file has an empty excerpt; that is not an error, because no verdict depends on excerpts.
pub(crate) fn around_in_file(path: &Path, offset: usize) -> Excerpt {
    window(path, offset).unwrap_or_default()
}

fn window(path: &Path, offset: usize) -> io::Result<Excerpt> {
    let mut file = regular::open(path)?;
    let whole_bytes = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
    let offset = offset.min(whole_bytes);
    // The excerpt cannot begin before this byte.
    let start = offset.saturating_sub(KEPT_BYTES);
    let lines_before = line_feeds(&mut file, start)?;
    let mut held = Vec::new();
    file.take(2 * KEPT_BYTES as u64).read_to_end(&mut held)?;
    let excerpt = around(&held, offset - start);
    Ok(Excerpt { first_line: excerpt.first_line + lines_before, whole_bytes, ..excerpt })
}

/// Reads the next `bytes` bytes of the file, and returns how many of them are line feeds.
fn line_feeds(file: &mut File, bytes: usize) -> io::Result<usize> {
    let mut piece = vec![0; 1 << 16];
    let (mut left, mut count) = (bytes, 0);
    while left > 0 {
        let most = left.min(piece.len());
        let read = file.read(&mut piece[..most])?;
        if read == 0 {
            break;
        }
        count += memchr::memchr_iter(b'\n', &piece[..read]).count();
        left -= read;
    }
    Ok(count)
}

/// Returns the beginning of a file, without reading the rest. A missing file has an empty excerpt; that is not an
/// error, because no verdict depends on excerpts.
pub fn beginning(path: &Path) -> Excerpt {
    let mut bytes = Vec::new();
    let read = regular::open(path).and_then(|file| {
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

    #[test]
    fn the_excerpt_of_a_file_is_that_of_its_text() {
        let short: Vec<u8> = (1..=20_000).flat_map(|number| format!("{number}\n").into_bytes()).collect();
        let long = b"y".repeat(1 << 18);
        let mixed = [short.as_slice(), &long, b"\nend\n", &short].concat();
        let folder = tempfile::tempdir().unwrap();
        for text in [&b""[..], b"one line", &short, &long, &mixed] {
            let path = folder.path().join("text");
            std::fs::write(&path, text).unwrap();
            for offset in (0..=text.len() + 5_000).step_by(4_999) {
                assert_eq!(around_in_file(&path, offset), around(text, offset), "{offset}");
            }
        }
        assert_eq!(around_in_file(&folder.path().join("nowhere"), 5), Excerpt::default());
    }
}
