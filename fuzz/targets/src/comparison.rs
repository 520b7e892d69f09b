//! Fuzzes the default output validator, and compares it with a simple model of its rules.

use std::io::BufReader;

use referee_compare::{Dialect, Options, compare};

const ARGUMENTS: [&[&str]; 6] = [
    &[],
    &["case_sensitive"],
    &["space_change_sensitive"],
    &["case_sensitive", "space_change_sensitive"],
    &["float_tolerance", "1e-6"],
    &["float_absolute_tolerance", "0.5"],
];

/// Compares an answer with an output. The first byte selects the arguments. It also selects the size of the pieces in
/// which a second comparison reads the answer; both comparisons must have the same result. The other bytes are the
/// answer, a byte 0xff, and the output. Without a byte 0xff, the first half is the answer.
pub fn comparison(data: &[u8]) {
    let Some((&which, texts)) = data.split_first() else { return };
    let end = texts.iter().position(|&byte| byte == 0xff).unwrap_or(texts.len() / 2);
    let (answer, output) = texts.split_at(end);
    let output = output.strip_prefix(&[0xff]).unwrap_or(output);
    let arguments = ARGUMENTS[usize::from(which) % ARGUMENTS.len()];
    let Ok(options) = Options::parse(arguments, Dialect::Spec) else {
        panic!("valid arguments are refused: {arguments:?}")
    };
    let compared = |pieces: usize, output: &[u8]| {
        let Ok(found) = compare(BufReader::with_capacity(pieces, answer), output, &options) else {
            panic!("a comparison in memory fails");
        };
        found
    };
    let found = compared(answer.len().max(1), output);
    assert_eq!(found, compared(1 + usize::from(which) / ARGUMENTS.len(), output));
    assert_eq!(compared(7, answer), None, "an answer must be accepted as an output");
    // Other tests cover tolerances.
    if !arguments.iter().any(|word| word.starts_with("float")) {
        assert_eq!(found.is_none(), is_same(answer, output, arguments), "{found:?}");
    }
}

/// Returns whether both texts have the same tokens, or the same bytes if the arguments contain
/// `space_change_sensitive`. Ignores case unless the arguments contain `case_sensitive`.
fn is_same(answer: &[u8], output: &[u8], arguments: &[&str]) -> bool {
    let is_sensitive = arguments.contains(&"case_sensitive");
    let fold = |text: &[u8]| if is_sensitive { text.to_vec() } else { text.to_ascii_lowercase() };
    if arguments.contains(&"space_change_sensitive") {
        return fold(answer) == fold(output);
    }
    let is_blank = |byte: &u8| matches!(byte, b' ' | 0x09..=0x0d);
    let tokens =
        |text: &[u8]| -> Vec<Vec<u8>> { text.split(is_blank).filter(|token| !token.is_empty()).map(fold).collect() };
    tokens(answer) == tokens(output)
}
