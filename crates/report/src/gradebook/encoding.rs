//! The encodings in which spreadsheets save CSV. A file is written back in the encoding in which it was read.

/// The encoding of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// UTF-8, with or without a byte order mark.
    Utf8,
    /// One byte for each character. Excel on Windows saves files so. Names are compared as in Windows-1252.
    SingleByte,
    /// UTF-16 with a byte order mark. Excel saves "Unicode text" so. The field says whether the high byte comes first.
    Utf16 { is_big_endian: bool },
}

/// The characters of the bytes 0x80 to 0x9f in Windows-1252. The replacement character stands for unused bytes.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž', '\u{fffd}', '\u{fffd}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{fffd}', 'ž', 'Ÿ',
];

impl Encoding {
    /// Detects the encoding. Returns it with the bytes to parse: the file itself, or a file of UTF-16 as UTF-8. `None`
    /// if the file begins like UTF-16 and is not valid UTF-16.
    pub(super) fn detect(bytes: Vec<u8>) -> Option<(Encoding, Vec<u8>)> {
        let is_big_endian = match bytes.as_slice() {
            [0xff, 0xfe, ..] => false,
            [0xfe, 0xff, ..] => true,
            _ if std::str::from_utf8(&bytes).is_ok() => return Some((Encoding::Utf8, bytes)),
            _ => return Some((Encoding::SingleByte, bytes)),
        };
        if bytes.len() % 2 == 1 {
            return None;
        }
        let unit = |pair: &[u8]| match (pair, is_big_endian) {
            (&[high, low], true) | (&[low, high], false) => u16::from_be_bytes([high, low]),
            _ => 0,
        };
        let text: String = char::decode_utf16(bytes.chunks(2).map(unit)).collect::<Result<_, _>>().ok()?;
        Some((Encoding::Utf16 { is_big_endian }, text.into_bytes()))
    }

    /// Returns the text of parsed bytes.
    pub(super) fn decode(self, bytes: &[u8]) -> String {
        let character = |&byte: &u8| match byte {
            0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
            _ => char::from(byte),
        };
        match self {
            Encoding::Utf8 | Encoding::Utf16 { .. } => String::from_utf8_lossy(bytes).into_owned(),
            Encoding::SingleByte => bytes.iter().map(character).collect(),
        }
    }

    /// Converts parsed bytes back into the encoding of the file.
    pub(super) fn encode(self, bytes: Vec<u8>) -> Vec<u8> {
        let Encoding::Utf16 { is_big_endian } = self else { return bytes };
        let bytes_of = |unit: u16| if is_big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() };
        String::from_utf8_lossy(&bytes).encode_utf16().flat_map(bytes_of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_back_as_it_was() {
        let utf16 = |is_big: bool| -> Vec<u8> {
            let bytes = |unit: u16| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() };
            "\u{feff}Zoë 🙂".encode_utf16().flat_map(bytes).collect()
        };
        for bytes in ["\u{feff}Zoë".as_bytes().to_vec(), b"Zo\xeb \x80".to_vec(), utf16(false), utf16(true)] {
            let (encoding, parsed) = Encoding::detect(bytes.clone()).unwrap();
            let text = encoding.decode(&parsed);
            assert!(text.contains("Zoë"), "{text:?}");
            assert_eq!(encoding.encode(parsed), bytes);
        }
        assert_eq!(Encoding::SingleByte.decode(b"\x80\x9f"), "€Ÿ");
    }

    #[test]
    fn half_a_character_is_no_utf_16() {
        assert_eq!(Encoding::detect(b"\xff\xfea".to_vec()), None);
        assert_eq!(Encoding::detect(b"\xff\xfe\x00\xd8".to_vec()), None, "half a surrogate pair");
    }
}
