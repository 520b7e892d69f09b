//! Writes the one D-Bus message that the judge sends, and reads the answer. The format is that of the D-Bus
//! specification, in the byte order "little-endian".

use std::io::{self, Read};

/// Maximum length of a line of the authentication, in bytes.
pub(super) const MOST_LINE_BYTES: usize = 4096;

/// Maximum size of an answer, in bytes.
const MOST_BYTES: usize = 1 << 16;

/// The types of messages.
const CALL: u8 = 1;
const RETURN: u8 = 2;
const ERROR: u8 = 3;

/// The codes of header fields.
const PATH: u8 = 1;
const INTERFACE: u8 = 2;
const MEMBER: u8 = 3;
const DESTINATION: u8 = 6;
const SIGNATURE: u8 = 8;

/// The number of bytes before the header fields.
const FIXED_BYTES: usize = 16;

/// Returns the call `StartTransientUnit` for a scope with the process `pid`. The scope's control group is delegated to
/// the user.
pub(super) fn start_scope(name: &str, description: &str, pid: u32) -> Vec<u8> {
    let mut body = Bytes::default();
    body.text(name);
    // Fail if there is a unit with this name.
    body.text("fail");
    body.array(|properties| {
        properties.property("Description", "s", |value| value.text(description));
        properties.property("Delegate", "b", |value| value.number(1));
        // systemd removes the scope when its last process has ended, even if systemd had to kill it.
        properties.property("CollectMode", "s", |value| value.text("inactive-or-failed"));
        // The scope needs no process limit: each judged program has its own limit, and the groups above the scope may
        // have limits, too.
        properties.property("TasksMax", "t", |value| value.long(u64::MAX));
        properties.property("PIDs", "au", |value| {
            value.number(4);
            value.number(pid);
        });
    });
    // No auxiliary units.
    body.array(|_| {});
    let mut message = Bytes(vec![b'l', CALL, 0, 1]);
    message.number(body.0.len() as u32);
    message.number(1);
    message.array(|fields| {
        for (code, kind, value) in [
            (PATH, "o", "/org/freedesktop/systemd1"),
            (INTERFACE, "s", "org.freedesktop.systemd1.Manager"),
            (MEMBER, "s", "StartTransientUnit"),
            (DESTINATION, "s", "org.freedesktop.systemd1"),
            (SIGNATURE, "g", "ssa(sv)a(sa(sv))"),
        ] {
            fields.field(code, kind, value);
        }
    });
    message.align(8);
    message.0.extend(body.0);
    message.0
}

/// Reads messages up to the answer. If the answer is an error, fails with the message in it.
pub(super) fn read_answer(stream: &mut impl Read) -> io::Result<()> {
    // Signals may come before the answer.
    for _ in 0..100 {
        let mut fixed = [0; FIXED_BYTES];
        stream.read_exact(&mut fixed)?;
        let number = |at: usize| fixed[at..].first_chunk::<4>().map_or(0, |bytes| u32::from_le_bytes(*bytes) as usize);
        let (body, fields) = (number(4), number(12));
        if fixed[0] != b'l' || body > MOST_BYTES || fields > MOST_BYTES {
            return Err(io::Error::other("the answer is not a D-Bus message"));
        }
        let mut rest = vec![0; fields.next_multiple_of(8) + body];
        stream.read_exact(&mut rest)?;
        match fixed[1] {
            RETURN => return Ok(()),
            ERROR => return Err(io::Error::other(first_text(&rest[fields.next_multiple_of(8)..]))),
            _ => {}
        }
    }
    Err(io::Error::other("there is no answer"))
}

/// Returns the text at the beginning of the body of an error.
fn first_text(body: &[u8]) -> String {
    let length = body.first_chunk::<4>().map_or(0, |bytes| u32::from_le_bytes(*bytes) as usize);
    let text = body.get(4..4 + length).unwrap_or_default();
    if text.is_empty() { "no reason given".to_owned() } else { String::from_utf8_lossy(text).into_owned() }
}

/// Bytes of a message, to which values are appended. Every value begins at a multiple of its alignment.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn align(&mut self, to: usize) {
        self.0.resize(self.0.len().next_multiple_of(to), 0);
    }

    fn number(&mut self, value: u32) {
        self.align(4);
        self.0.extend(value.to_le_bytes());
    }

    fn long(&mut self, value: u64) {
        self.align(8);
        self.0.extend(value.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u32);
        self.0.extend(text.as_bytes());
        self.0.push(0);
    }

    /// Appends a signature, which describes the type of a value.
    fn signature(&mut self, text: &str) {
        self.0.push(text.len() as u8);
        self.0.extend(text.as_bytes());
        self.0.push(0);
    }

    /// Appends an array of structures, with its length before them.
    fn array(&mut self, elements: impl FnOnce(&mut Bytes)) {
        self.number(0);
        let length_at = self.0.len() - 4;
        self.align(8);
        let start = self.0.len();
        elements(self);
        let length = (self.0.len() - start) as u32;
        self.0[length_at..length_at + 4].copy_from_slice(&length.to_le_bytes());
    }

    /// Appends a structure of a name and a value of the type `kind`.
    fn property(&mut self, name: &str, kind: &str, value: impl FnOnce(&mut Bytes)) {
        self.align(8);
        self.text(name);
        self.signature(kind);
        value(self);
    }

    /// Appends a header field.
    fn field(&mut self, code: u8, kind: &str, value: &str) {
        self.align(8);
        self.0.push(code);
        self.signature(kind);
        if kind == "g" { self.signature(value) } else { self.text(value) }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns an answer of the type `kind`, whose body is `text`.
    pub(in super::super) fn answer(kind: u8, text: &str) -> Vec<u8> {
        let mut body = Bytes::default();
        body.text(text);
        let mut message = Bytes(vec![b'l', kind, 0, 1]);
        message.number(body.0.len() as u32);
        message.number(7);
        message.array(|fields| fields.field(SIGNATURE, "g", "s"));
        message.align(8);
        message.0.extend(body.0);
        message.0
    }

    #[test]
    fn the_answer_is_found_after_signals_and_its_reason_is_read() {
        let both = [answer(4, "a signal"), answer(2, "/job/1")].concat();
        read_answer(&mut both.as_slice()).unwrap();
        let refused = [answer(4, "a signal"), answer(3, "Unit exists")].concat();
        assert_eq!(read_answer(&mut refused.as_slice()).unwrap_err().to_string(), "Unit exists");
        assert_eq!(read_answer(&mut answer(3, "").as_slice()).unwrap_err().to_string(), "no reason given");
    }

    #[test]
    fn what_is_no_answer_fails() {
        for bytes in [&b""[..], b"l\x02\0\x01", &[0xff; 64], &[b'l'; 200]] {
            assert!(read_answer(&mut &*bytes).is_err(), "{bytes:?}");
        }
    }

    #[test]
    fn the_header_states_the_length_of_the_body() {
        let message = start_scope("judge-1-2.scope", "judge", 7);
        let number = |at: usize| u32::from_le_bytes(*message[at..].first_chunk::<4>().unwrap()) as usize;
        assert_eq!(message.len(), FIXED_BYTES + number(12).next_multiple_of(8) + number(4));
    }
}
