//! Shows the source of a submission with the numbers of its lines.

use std::fmt::Write as _;

use super::markup::{bytes, text};
use super::{SourceFile, SourceText};
use referee_text::size;

/// Returns the HTML of all files. `marked` is a file and a line, counted from 1, at which the program failed; `None` if
/// that is unknown.
pub(super) fn html(files: &[SourceFile], marked: Option<(usize, usize)>) -> String {
    if files.is_empty() {
        return "<p class=\"dim\">The source could not be read.</p>\n".to_owned();
    }
    let mut html = String::new();
    for (index, file) in files.iter().enumerate() {
        let _ = writeln!(html, "<h3><bdi class=\"name\">{}</bdi></h3>", text(&file.name));
        match &file.content {
            Err(reason) => {
                let _ = writeln!(html, "<p class=\"dim\">{}</p>", text(reason));
            }
            Ok(source) => {
                let line = marked.filter(|(of, _)| *of == index).map(|(_, line)| line);
                html.push_str(&lines(&file.name, source, line));
            }
        }
    }
    html
}

/// Returns the number of lines of a source.
pub(super) fn line_count(source: &SourceText) -> usize {
    source.bytes.split_inclusive(|byte| *byte == b'\n').count()
}

fn lines(name: &str, source: &SourceText, marked: Option<usize>) -> String {
    let label = format!("source of {}", text(name));
    let mut html = format!("<div class=\"code\" role=\"region\" tabindex=\"0\" aria-label=\"{label}\"><ol>");
    for (index, line) in source.bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let is_marked = marked == Some(index + 1);
        let attributes = if is_marked { " id=\"failed-here\" class=\"marked\"" } else { "" };
        let note = if is_marked { "<span class=\"unseen\"> the program failed in this line</span>" } else { "" };
        let _ = write!(html, "<li{attributes}><code>{}</code>{note}</li>", bytes(line));
    }
    html.push_str("</ol></div>\n");
    let shown = source.bytes.len() as u64;
    if shown < source.whole_bytes {
        let (shown, whole) = (size::bytes(shown), size::bytes(source.whole_bytes));
        let _ = writeln!(html, "<p class=\"dim\">This is the beginning: {shown} of {whole}.</p>");
    }
    html
}
