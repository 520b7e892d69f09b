//! Reads class files of compiled Java classes. A submission can produce class files with arbitrary bytes, so the reader
//! checks every length and index.

/// The parts of a class file that the judge uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Class {
    /// The fully qualified name, as in `org.example.Main`.
    pub(super) name: String,
    pub(super) is_public: bool,
    /// Whether the class has a method `public static void main(String[])`.
    pub(super) has_main: bool,
}

const PUBLIC: u16 = 1;
const STATIC: u16 = 8;

/// Reads a class file; `None` if the bytes are not a valid one.
pub(super) fn read(bytes: &[u8]) -> Option<Class> {
    let mut reader = Reader(bytes);
    if reader.four()? != 0xCAFE_BABE {
        return None;
    }
    reader.skip(4)?;
    let constants = constants(&mut reader)?;
    let text = |index: u16| match constants.get(usize::from(index)) {
        Some(Constant::Text(text)) => Some(*text),
        _ => None,
    };
    let access = reader.two()?;
    let Some(Constant::Class(name)) = constants.get(usize::from(reader.two()?)) else { return None };
    let name = std::str::from_utf8(text(*name)?).ok()?.replace('/', ".");
    reader.skip(2)?;
    let interfaces = reader.two()?;
    reader.skip(2 * usize::from(interfaces))?;
    members(&mut reader, |_, _, _| {})?;
    let mut has_main = false;
    members(&mut reader, |access, name, kind| {
        let is_main = text(name) == Some(b"main") && text(kind) == Some(b"([Ljava/lang/String;)V");
        has_main |= is_main && access & (PUBLIC | STATIC) == PUBLIC | STATIC;
    })?;
    Some(Class { name, is_public: access & PUBLIC != 0, has_main })
}

/// An entry of the constant pool. Only texts and classes are stored.
enum Constant<'a> {
    Text(&'a [u8]),
    /// A class, as the index of its name.
    Class(u16),
    Other,
}

/// Reads the constant pool; `None` if the bytes are not a valid one.
fn constants<'a>(reader: &mut Reader<'a>) -> Option<Vec<Constant<'a>>> {
    let count = usize::from(reader.two()?);
    let mut constants = vec![Constant::Other];
    while constants.len() < count {
        let (constant, entries) = match reader.one()? {
            1 => {
                let length = usize::from(reader.two()?);
                (Constant::Text(reader.take(length)?), 1)
            }
            7 => (Constant::Class(reader.two()?), 1),
            8 | 16 | 19 | 20 => (reader.other(2)?, 1),
            15 => (reader.other(3)?, 1),
            3 | 4 | 9..=12 | 17 | 18 => (reader.other(4)?, 1),
            // A constant of eight bytes takes two entries.
            5 | 6 => (reader.other(8)?, 2),
            _ => return None,
        };
        constants.push(constant);
        constants.extend((1..entries).map(|_| Constant::Other));
    }
    Some(constants)
}

/// Reads the fields or the methods of a class. For each of them, calls `each` with its access flags, the index of its
/// name and the index of its type. Returns `None` if the bytes end too early.
fn members(reader: &mut Reader<'_>, mut each: impl FnMut(u16, u16, u16)) -> Option<()> {
    for _ in 0..reader.two()? {
        each(reader.two()?, reader.two()?, reader.two()?);
        for _ in 0..reader.two()? {
            reader.skip(2)?;
            let length = reader.four()?;
            reader.skip(usize::try_from(length).ok()?)?;
        }
    }
    Some(())
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn skip(&mut self, count: usize) -> Option<()> {
        self.take(count).map(drop)
    }

    fn other(&mut self, count: usize) -> Option<Constant<'a>> {
        self.skip(count).map(|()| Constant::Other)
    }

    fn one(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn two(&mut self) -> Option<u16> {
        self.take(2)?.try_into().ok().map(u16::from_be_bytes)
    }

    fn four(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_be_bytes)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Creates a small class file of a class with one field, and with one method called `main`.
    pub(in super::super) fn class_file(name: &str, access: u16, main_access: u16) -> Vec<u8> {
        let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61];
        let two = |values: &[u16]| values.iter().flat_map(|value| value.to_be_bytes()).collect::<Vec<_>>();
        let text = |text: &str| [&[1][..], &(text.len() as u16).to_be_bytes(), text.as_bytes()].concat();
        // Entries 1 to 6. The eight-byte constant takes entries 5 and 6.
        bytes.extend(two(&[7]));
        bytes.extend([text(name), vec![7, 0, 1], text("main"), text("([Ljava/lang/String;)V")].concat());
        bytes.extend([5, 0, 0, 0, 0, 0, 0, 0, 1]);
        bytes.extend(two(&[access, 2, 0, 0]));
        // One field and one method, each with an attribute of one byte.
        for member in [[0, 3, 1], [main_access, 3, 4]] {
            bytes.extend(two(&[1]));
            bytes.extend(two(&member));
            bytes.extend(two(&[1, 3, 0, 1]));
            bytes.push(9);
        }
        bytes.extend(two(&[0]));
        bytes
    }

    #[test]
    fn name_access_and_main_are_read() {
        let wanted = |is_public, has_main| Some(Class { name: "a.b.Main".to_owned(), is_public, has_main });
        assert_eq!(read(&class_file("a/b/Main", 0x21, 9)), wanted(true, true));
        assert_eq!(read(&class_file("a/b/Main", 0x20, 0x89)), wanted(false, true));
        assert_eq!(read(&class_file("a/b/Main", 0x20, 1)), wanted(false, false), "it is not static");
        assert_eq!(read(&class_file("a/b/Main", 0x20, 8)), wanted(false, false), "it is not public");
    }

    #[test]
    fn no_beginning_of_a_class_file_and_no_changed_byte_is_a_danger() {
        let whole = class_file("Main", 0x21, 9);
        for length in 0..whole.len() - 2 {
            assert_eq!(read(&whole[..length]), None, "{length}");
        }
        for at in 0..whole.len() {
            for value in [0, 1, 5, 7, 0x7F, 0xFF] {
                let mut changed = whole.clone();
                changed[at] = value;
                let _ = read(&changed);
            }
        }
    }
}
