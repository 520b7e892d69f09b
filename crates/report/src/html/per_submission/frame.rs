//! The frame of a page: its content security policy and its style sheet.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use super::markup::text;

/// The first bytes of every page. They tell the pages of a run from other files.
pub const BEGINNING: &[u8] = b"<!doctype html>\n<html lang=\"en\" data-referee=\"page-of-a-submission\">\n";

const STYLE: &str = concat!(include_str!("../page/colours.css"), include_str!("page.css"));

/// Returns a whole page with this title and this body, which is HTML.
pub(super) fn page(title: &str, body: &str) -> String {
    let hash = STANDARD.encode(Sha256::digest(STYLE));
    let policy = format!("default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'");
    format!(
        "{}<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"robots\" content=\"noindex\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        String::from_utf8_lossy(BEGINNING),
        text(title),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_does_not_end_its_element_and_loads_nothing() {
        for part in ["</", "url(", "@import"] {
            assert!(!STYLE.contains(part), "{part}");
        }
    }
}
