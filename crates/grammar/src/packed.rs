//! The compressed tables of the parsers, which take a quarter of the binary otherwise. Only releases have them:
//! `packaging/cc` compresses the tables, and `packaging/release` sets `packed_grammars`.
//!
//! For each grammar, `packed` is a symbol at the compressed tables. For each table follow its length in bytes, the
//! length of its compressed content, both as `u32` in little-endian order, and the content in the zlib format. The
//! other symbols are the rooms in `.bss` to which the tables are unpacked, in the same order.

use flate2::{Decompress, FlushDecompress, Status};

/// Unpacks the next table of `packed` into `room`, which must have its length. Returns the rest of `packed`; `None` if
/// the content is damaged.
fn unpack<'a>(packed: &'a [u8], room: &mut [u8]) -> Option<&'a [u8]> {
    let (header, rest) = packed.split_first_chunk::<8>()?;
    let (length, content) = lengths(*header);
    let (content, rest) = rest.split_at_checked(content)?;
    let status = Decompress::new(true).decompress(content, room, FlushDecompress::Finish).ok()?;
    (status == Status::StreamEnd && length == room.len()).then_some(rest)
}

/// Returns the length of a table and the length of its compressed content, in bytes.
fn lengths(header: [u8; 8]) -> (usize, usize) {
    let [a, b, c, d, e, f, g, h] = header;
    (u32::from_le_bytes([a, b, c, d]) as usize, u32::from_le_bytes([e, f, g, h]) as usize)
}

#[cfg(packed_grammars)]
pub(crate) use linked::is_ready;

/// The tables that the linker has put into this binary.
#[cfg(packed_grammars)]
#[allow(unsafe_code, reason = "the linker knows where the tables are, and their room is written once")]
mod linked {
    use std::slice;
    use std::sync::OnceLock;

    use super::{lengths, unpack};
    use crate::Grammar;

    macro_rules! tables {
        ($($grammar:ident: $packed:ident, [$($room:ident),*];)*) => {
            unsafe extern "C" {
                $(static $packed: u8; $(static mut $room: u8;)*)*
            }

            /// Returns the compressed tables of a grammar, and their rooms.
            fn tables(grammar: Grammar) -> (*const u8, [*mut u8; 3]) {
                match grammar {
                    $(Grammar::$grammar => (&raw const $packed, [$(&raw mut $room),*]),)*
                }
            }
        };
    }
    tables! {
        C: referee_c_packed, [referee_c_parse_table, referee_c_small_parse_table, referee_c_parse_actions];
        Cpp: referee_cpp_packed, [referee_cpp_parse_table, referee_cpp_small_parse_table, referee_cpp_parse_actions];
        Java: referee_java_packed, [
            referee_java_parse_table, referee_java_small_parse_table, referee_java_parse_actions
        ];
        Python: referee_python_packed, [
            referee_python_parse_table, referee_python_small_parse_table, referee_python_parse_actions
        ];
        Rust: referee_rust_packed, [
            referee_rust_parse_table, referee_rust_small_parse_table, referee_rust_parse_actions
        ];
    }

    /// Unpacks the tables of a grammar at the first call. Returns whether they could be unpacked.
    pub(crate) fn is_ready(grammar: Grammar) -> bool {
        static READY: [OnceLock<bool>; 5] = [const { OnceLock::new() }; 5];
        READY.get(grammar as usize).is_some_and(|ready| *ready.get_or_init(|| unpack_all(grammar)))
    }

    /// Unpacks the tables of a grammar. Returns whether they could be unpacked.
    fn unpack_all(grammar: Grammar) -> bool {
        let (mut at, rooms) = tables(grammar);
        rooms.into_iter().all(|room| {
            // SAFETY: `at` is at the header of a table that `packaging/cc` wrote, and the content follows the header.
            let (packed, length) = unsafe {
                let (length, content) = lengths(*at.cast::<[u8; 8]>());
                (slice::from_raw_parts(at, 8 + content), length)
            };
            // SAFETY: `packaging/cc` gives the room that length. Only this function writes to it, once; no parser reads
            // it before `is_ready` has returned.
            let unpacked = unpack(packed, unsafe { slice::from_raw_parts_mut(room, length) }).is_some();
            // SAFETY: this is the next header, or the end of the last table's content.
            at = unsafe { at.add(packed.len()) };
            unpacked
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text `tables` in the zlib format, after both lengths; RFC 1950 describes the format.
    const PACKED: &[u8] = b"\x06\0\0\0\x11\0\0\0\x78\x01\x01\x06\x00\xf9\xfftables\x08\xac\x02|rest";

    #[test]
    fn a_table_is_unpacked_into_its_room() {
        let mut room = [0; 6];
        assert_eq!(unpack(PACKED, &mut room), Some(&b"rest"[..]));
        assert_eq!(&room, b"tables");
    }

    #[test]
    fn a_damaged_table_is_not_unpacked() {
        for at in 0..PACKED.len() - 4 {
            let mut damaged = PACKED.to_vec();
            damaged[at] ^= 1;
            assert_eq!(unpack(&damaged, &mut [0; 6]), None, "byte {at}");
        }
        for length in 0..PACKED.len() - 4 {
            assert_eq!(unpack(&PACKED[..length], &mut [0; 6]), None, "{length} bytes");
        }
        assert_eq!(unpack(PACKED, &mut [0; 5]), None);
        assert_eq!(unpack(PACKED, &mut [0; 7]), None);
    }
}
