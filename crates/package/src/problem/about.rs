//! Checks the keys of `problem.yaml` that describe the problem and do not change how it is judged: credits, source,
//! license and others.

use crate::yaml::{Fields, Node, Source, Value};

/// Keys of `problem.yaml`, in any format version, that grading ignores.
pub(super) const KEYS: [&str; 11] = [
    "author",
    "credits",
    "embargo_until",
    "keywords",
    "license",
    "name",
    "rights_owner",
    "source",
    "source_url",
    "uuid",
    "version",
];

const LICENSES: [(&str, License); 7] = [
    ("unknown", License::Unowned),
    ("public domain", License::PublicDomain),
    ("cc0", License::Owned),
    ("cc by", License::Owned),
    ("cc by-sa", License::Owned),
    ("educational", License::Owned),
    ("permission", License::Owned),
];

/// Whether a license allows, forbids or needs an owner of the rights.
#[derive(Clone, Copy, PartialEq, Eq)]
enum License {
    Unowned,
    PublicDomain,
    Owned,
}

/// Checks the keys of `legacy` and `legacy-icpc`. Returns the `uuid`; `None` if there is none.
pub(super) fn legacy(fields: &mut Fields, source: &mut Source<'_>) -> Option<String> {
    let texts = fields.take_all(&["uuid", "author", "source", "source_url", "keywords"]);
    for (key, node) in &texts {
        // The format requires a text here, but tools accept a list as well, so a list is not reported.
        if *key == "keywords" && matches!(node.value, Value::List(_)) {
            continue;
        }
        source.proper_text(node);
    }
    let has = |wanted: &str| texts.iter().any(|(key, _)| *key == wanted);
    if let Some((_, node)) = texts.iter().find(|(key, _)| *key == "source_url").filter(|_| !has("source")) {
        source.error(node.place, "'source_url' must not be given without 'source'; add 'source'");
    }
    rights(fields, has("author") || has("source"), source);
    let (_, uuid) = texts.iter().find(|(key, _)| *key == "uuid")?;
    uuid.scalar().map(str::to_owned)
}

/// Checks the keys of the dated format versions.
pub(super) fn dated(fields: &mut Fields, source: &mut Source<'_>) {
    if let Some(node) = fields.take("version") {
        source.text(&node);
    }
    let credits = fields.take("credits");
    let origin = fields.take("source");
    rights(fields, credits.is_some() || origin.is_some(), source);
    if let Some(node) = credits {
        self::credits(node, source);
    }
    if let Some(node) = origin {
        self::origin(node, source);
    }
    if let Some(node) = fields.take("embargo_until")
        && !node.scalar().is_some_and(is_date)
    {
        source.not_allowed(&node, "a date (2026-01-31) or a time in UTC (2026-01-31T12:00:00Z)");
    }
    if let Some(node) = fields.take("keywords").filter(|node| source.texts(node).is_some())
        && let Value::List(nodes) = &node.value
    {
        for node in nodes {
            source.proper_text(node);
        }
    }
}

fn rights(fields: &mut Fields, has_author_or_source: bool, source: &mut Source<'_>) {
    let license = fields.take("license");
    let owner = fields.take("rights_owner");
    if let Some(owner) = &owner {
        source.proper_text(owner);
    }
    let meaning = license.as_ref().map_or(Some(License::Unowned), |node| source.word(node, &LICENSES));
    match (meaning, &owner) {
        (Some(License::PublicDomain), Some(owner)) => {
            source.error(
                owner.place,
                "'rights_owner' must not be given for a problem in the public domain; remove 'rights_owner'",
            );
        }
        (Some(License::Owned), None) if !has_author_or_source => {
            let place = license.map_or(fields.place, |node| node.place);
            source.error(place, "this license needs an owner of the rights; add 'rights_owner', an author or a source");
        }
        _ => {}
    }
}

fn credits(node: Node, source: &mut Source<'_>) {
    if node.scalar().is_some() {
        source.proper_text(&node);
        return;
    }
    let Some(mut fields) = source.fields(node) else { return };
    let groups = ["authors", "contributors", "testers", "packagers", "acknowledgements"];
    for (_, node) in fields.take_all(&groups) {
        persons(node, source);
    }
    if let Some(translators) = fields.take("translators").and_then(|node| source.fields(node)) {
        for (_, node) in translators.rest().0 {
            persons(node, source);
        }
    }
    fields.finish(source);
}

/// Checks one person or a list of them. A person is a text, or a map with a name.
fn persons(node: Node, source: &mut Source<'_>) {
    match node.value {
        Value::List(nodes) if nodes.is_empty() => {
            source.error(node.place, "found an empty list, allowed: at least one person; add one or remove the key");
        }
        Value::List(nodes) => nodes.into_iter().for_each(|node| person(node, source)),
        _ => person(node, source),
    }
}

fn person(node: Node, source: &mut Source<'_>) {
    if node.scalar().is_some() {
        source.proper_text(&node);
        return;
    }
    let place = node.place;
    let Some(mut fields) = source.fields(node) else { return };
    match fields.take("name") {
        Some(name) => {
            source.proper_text(&name);
        }
        None => source.error(place, "a person needs the key 'name'"),
    }
    for (_, node) in fields.take_all(&["email", "orcid", "kattis"]) {
        source.proper_text(&node);
    }
    fields.finish(source);
}

/// Checks one source or a list of them. A source is a text, or a map with a name.
fn origin(node: Node, source: &mut Source<'_>) {
    let nodes = match node.value {
        Value::List(nodes) => nodes,
        _ => vec![node],
    };
    for node in nodes {
        if node.scalar().is_some() {
            source.proper_text(&node);
            continue;
        }
        let place = node.place;
        let Some(mut fields) = source.fields(node) else { continue };
        match fields.take("name") {
            Some(name) => {
                source.proper_text(&name);
            }
            None => source.error(place, "a source needs the key 'name'"),
        }
        if let Some(url) = fields.take("url") {
            source.proper_text(&url);
        }
        fields.finish(source);
    }
}

/// Returns whether the text has the form `YYYY-MM-DD` or `YYYY-MM-DDThh:mm:ssZ`.
fn is_date(text: &str) -> bool {
    let has_form = |text: &str, form: &str| {
        let fits = |(byte, wanted): (u8, u8)| if wanted == b'0' { byte.is_ascii_digit() } else { byte == wanted };
        text.len() == form.len() && text.bytes().zip(form.bytes()).all(fits)
    };
    has_form(text, "0000-00-00") || has_form(text, "0000-00-00T00:00:00Z")
}

#[cfg(test)]
mod tests {
    use super::is_date;

    #[test]
    fn dates_are_those_of_iso_8601_in_its_long_form() {
        assert!(is_date("2026-01-31") && is_date("2026-01-31T12:00:00Z"));
        assert!(!is_date("2026-1-31") && !is_date("2026-01-31 12:00:00") && !is_date("2026-01-31T12:00:00+01:00"));
    }
}
