//! Shows the names of files and folders, which are bytes, as text. Different names are shown differently, so that
//! the files of two students never come together.

use std::collections::{HashMap, HashSet};

/// The shown names of the files and folders of a class.
#[derive(Debug, Default)]
pub(crate) struct ShownNames {
    /// The number and the shown name of each file and folder, by the number of the folder around it and by its own
    /// bytes. The number of the top folder is 0.
    known: HashMap<(usize, Vec<u8>), (usize, String)>,
    taken: HashSet<(usize, String)>,
    /// The next number before each name with escapes, by the number of the folder.
    next: HashMap<(usize, String), usize>,
}

/// The name of a file or folder.
pub(crate) struct RawName<'a> {
    pub(crate) bytes: &'a [u8],
    /// The text in another encoding than UTF-8; `None` if the encoding is not known.
    pub(crate) decoded: Option<&'a str>,
}

impl ShownNames {
    /// Returns the shown names of the folders from the top and of the file or folder itself.
    pub(crate) fn path<'a>(&mut self, names: impl IntoIterator<Item = RawName<'a>>) -> Vec<String> {
        let mut folder = 0;
        let mut path = Vec::new();
        for name in names {
            let key = (folder, name.bytes.to_vec());
            let known = self.known.get(&key).cloned();
            let (number, shown) = known.unwrap_or_else(|| self.add(key, &name));
            folder = number;
            path.push(shown);
        }
        path
    }

    fn add(&mut self, key: (usize, Vec<u8>), name: &RawName<'_>) -> (usize, String) {
        let folder = key.0;
        let new = (self.known.len() + 1, self.free(folder, name));
        self.taken.insert((folder, new.1.clone()));
        self.known.insert(key, new.clone());
        new
    }

    /// Returns a name that no other file in the folder of this number has: the text, or else the bytes with escapes, or
    /// else these after a number. A number at the end would change the ending of a file.
    fn free(&mut self, folder: usize, name: &RawName<'_>) -> String {
        let escaped = escaped(name.bytes);
        let text = std::str::from_utf8(name.bytes).ok().or(name.decoded).map(str::to_owned);
        let is_free = |shown: &String| !self.taken.contains(&(folder, shown.clone()));
        if let Some(free) = text.into_iter().chain([escaped.clone()]).find(is_free) {
            return free;
        }
        // Many names can have the same escapes, so the search goes on where the last one ended.
        let next = self.next.entry((folder, escaped.clone())).or_insert(2);
        loop {
            let shown = format!("#{next} {escaped}");
            *next += 1;
            if !self.taken.contains(&(folder, shown.clone())) {
                return shown;
            }
        }
    }
}

/// Returns the bytes as text, with escapes such as `\xfc` for those that are not UTF-8.
fn escaped(bytes: &[u8]) -> String {
    let mut shown = String::new();
    for chunk in bytes.utf8_chunks() {
        shown.push_str(chunk.valid());
        shown.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(names: &mut ShownNames, path: &[(&[u8], Option<&str>)]) -> String {
        names.path(path.iter().map(|&(bytes, decoded)| RawName { bytes, decoded })).join("/")
    }

    #[test]
    fn names_with_different_bytes_are_shown_differently_in_any_order() {
        let literal: &[u8] = b"M\\xfcller";
        for order in [[b"M\xfcller", literal, b"M\xf6ller"], [literal, b"M\xf6ller", b"M\xfcller"]] {
            let mut names = ShownNames::default();
            let all: HashSet<_> = order.iter().map(|name| shown(&mut names, &[(name, None)])).collect();
            assert_eq!(all.len(), 3, "{all:?}");
            assert!(all.contains("M\\xf6ller") && all.contains("M\\xfcller"), "{all:?}");
            let again: HashSet<_> = order.iter().map(|name| shown(&mut names, &[(name, None)])).collect();
            assert_eq!(all, again);
        }
    }

    #[test]
    fn a_name_is_read_as_utf_8_or_as_decoded_and_only_names_in_one_folder_compete() {
        let mut names = ShownNames::default();
        let old: (&[u8], _) = (b"J\x94rg", Some("J\u{f6}rg"));
        assert_eq!(shown(&mut names, &[old, (b"a.py", None)]), "J\u{f6}rg/a.py");
        assert_eq!(shown(&mut names, &[("J\u{f6}rg".as_bytes(), None), (b"a.py", None)]), "#2 J\u{f6}rg/a.py");
        assert_eq!(shown(&mut names, &[(b"x", None), old]), "x/J\u{f6}rg");
        assert_eq!(shown(&mut names, &[old, (b"b.py", None)]), "J\u{f6}rg/b.py");
    }
}
