//! The compressed tables of the parsers, which take a quarter of the binary otherwise. Only releases have them:
//! `packaging/cc` compresses the tables, and `packaging/release` sets `packed_grammars`.
//!
//! For each grammar, `packed` is a symbol at the compressed tables. For each table follow its length in bytes, the
//! length of its compressed content, both as `u32` in little-endian order, and the content in the zlib format. The
//! other symbols are the rooms in `.bss` to which the tables are unpacked, in the same order.

use flate2::{Decompress, FlushDecompress, Status};

/// Unpacks a compressed table into `room`. Returns whether the content is whole and fills the room.
fn unpack(content: &[u8], room: &mut [u8]) -> bool {
    let mut decoder = Decompress::new(true);
    let status = decoder.decompress(content, room, FlushDecompress::Finish);
    status.is_ok_and(|status| status == Status::StreamEnd) && decoder.total_out() == room.len() as u64
}

/// Returns the length of a table and the length of its compressed content, in bytes.
#[cfg(packed_grammars)]
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
            // SAFETY: `at` is at the header of a table that `packaging/cc` wrote. The content follows the header, and
            // the room has the stated length. Only this function writes to the room, once; no parser reads it before
            // `is_ready` has returned. After the content comes the next header, or the end of all tables.
            let (content, room) = unsafe {
                let (length, packed) = lengths(*at.cast::<[u8; 8]>());
                let content = slice::from_raw_parts(at.add(8), packed);
                at = at.add(8 + packed);
                (content, slice::from_raw_parts_mut(room, length))
            };
            unpack(content, room)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text `tables` in the zlib format, which RFC 1950 describes.
    const PACKED: &[u8] = b"\x78\x01\x01\x06\x00\xf9\xfftables\x08\xac\x02|";

    #[test]
    fn a_table_is_unpacked_into_its_room() {
        let mut room = [0; 6];
        assert!(unpack(PACKED, &mut room));
        assert_eq!(&room, b"tables");
    }

    #[test]
    fn a_damaged_table_is_not_unpacked() {
        for at in 0..PACKED.len() {
            let mut damaged = PACKED.to_vec();
            damaged[at] ^= 1;
            assert!(!unpack(&damaged, &mut [0; 6]), "byte {at}");
            assert!(!unpack(&PACKED[..at], &mut [0; 6]), "{at} bytes");
        }
        assert!(!unpack(PACKED, &mut [0; 5]) && !unpack(PACKED, &mut [0; 7]));
    }
}
