//! The codes of natural languages, for statements and names of problems.

/// The form of a language code, for messages.
pub(crate) const CODE: &str =
    "a language code has two or three lower case letters, such as en, and may end with a country, such as pt-BR";

/// Returns whether the code has two or three lower-case letters, optionally followed by a hyphen and two upper-case
/// letters: `en`, `fil`, `pt-BR`.
pub(crate) fn is_language(code: &str) -> bool {
    let (language, country) =
        code.split_once('-').map_or((code, None), |(language, country)| (language, Some(country)));
    let is_lower = |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_country = |text: &str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase());
    matches!(language.len(), 2 | 3) && is_lower(language) && country.is_none_or(is_country)
}
