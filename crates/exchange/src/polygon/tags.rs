//! Checks the tags of an XML file before the XML library parses it. The library compares every attribute of an element
//! with all others, and gives every element its own list of the namespaces above it. So a small file could keep the
//! library busy for hours. Polygon uses few attributes and no namespaces.

use std::ops::ControlFlow;

/// The largest number of attributes allowed in an element.
const MOST_ATTRIBUTES: usize = 64;

/// Returns the byte offset of the first tag that is not allowed, and the reason; `None` if there is none. Text that is
/// not a valid tag is skipped, because the XML library rejects it later.
pub(super) fn find_forbidden_tag(text: &str) -> Option<(usize, String)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', &bytes[at..]) {
        let start = at + found;
        let rest = &bytes[start..];
        at = match skip_non_tag(rest).map_or_else(|| tag(rest), ControlFlow::Continue) {
            ControlFlow::Continue(length) => start + length,
            ControlFlow::Break(wrong) => return Some((start, wrong)),
        };
    }
    None
}

/// Returns the length of the comment, processing instruction or CDATA section that begins here. If it has no end,
/// returns the length of the remaining text. `None` if none of them begins here.
fn skip_non_tag(bytes: &[u8]) -> Option<usize> {
    let ends: [(&[u8], &[u8]); 3] = [(b"<!--", b"-->"), (b"<![CDATA[", b"]]>"), (b"<?", b"?>")];
    let (begin, end) = ends.into_iter().find(|(begin, _)| bytes.starts_with(begin))?;
    let found = memchr::memmem::find(&bytes[begin.len()..], end);
    Some(found.map_or(bytes.len(), |length| begin.len() + length + end.len()))
}

/// Returns the length of the tag that begins here. If it has no end, returns the length of the remaining text. Breaks
/// with a message if the tag is not allowed.
fn tag(bytes: &[u8]) -> ControlFlow<String, usize> {
    let mut at = 1;
    let mut values = 0;
    // The offset of the end of the last value, or of the start of the tag's name. The text from this offset to the next
    // value is an attribute's name.
    let mut name = 1;
    while let Some(found) = memchr::memchr3(b'>', b'"', b'\'', &bytes[at..]) {
        let mark = at + found;
        if bytes[mark] == b'>' {
            return ControlFlow::Continue(mark + 1);
        }
        values += 1;
        if values > MOST_ATTRIBUTES {
            return ControlFlow::Break(format!("this element has more than the {MOST_ATTRIBUTES} attributes allowed"));
        }
        if memchr::memmem::find(&bytes[name..mark], b"xmlns").is_some() {
            return ControlFlow::Break("found a namespace (xmlns), which Polygon does not use".to_owned());
        }
        let Some(length) = memchr::memchr(bytes[mark], &bytes[mark + 1..]) else { break };
        at = mark + 1 + length + 1;
        name = at;
    }
    ControlFlow::Continue(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_polygon_writes_has_nothing_in_excess() {
        let text =
            "<?xml version='1.0'?>\n<!-- <a xmlns=\"\"> --><p a=\"'>xmlns\" b='\"'><![CDATA[<xmlns=\"\">]]>\"xmlns</p>";
        assert_eq!(find_forbidden_tag(text), None);
    }

    #[test]
    fn attributes_and_name_spaces_without_number_are_found_with_their_place() {
        let with = |count: usize| format!("<p>\n<a {}/></p>", "b=\"\" ".repeat(count));
        assert_eq!(find_forbidden_tag(&with(MOST_ATTRIBUTES)), None);
        let (at, wrong) = find_forbidden_tag(&with(MOST_ATTRIBUTES + 1)).unwrap();
        assert!(at == 4 && wrong.contains("64 attributes"), "{at} {wrong}");
        assert_eq!(find_forbidden_tag("<p a='x' xmlns:b='u'/>").map(|(at, _)| at), Some(0));
        assert_eq!(find_forbidden_tag("<!-- a --><p><b xmlns = 'u'/></p>").map(|(at, _)| at), Some(13));
    }

    #[test]
    fn what_has_no_end_is_left_to_the_library() {
        for text in ["<", "<!--", "<a b=\"", "<a b='>", "<?a", "<![CDATA[ <a>", "a > b"] {
            assert_eq!(find_forbidden_tag(text), None, "{text}");
        }
    }
}
