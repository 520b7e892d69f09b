//! Fuzzes the reader of JSON lines reports.

use std::io::BufReader;

use referee_report::jsonl::event;
use referee_report::jsonl::read::Lines;

/// Reads any bytes as a report. The result must not depend on how the reader splits the input. An error must have a
/// line number and a reason. A valid line, written and read again, must be the same.
pub fn reports(data: &[u8]) {
    let mut whole = Lines::new(data);
    let mut pieces = Lines::new(BufReader::with_capacity(1, data));
    loop {
        let (one, other) = (whole.next(), pieces.next());
        assert_eq!(format!("{one:?}"), format!("{other:?}"));
        assert_eq!(whole.offset(), pieces.offset());
        match one {
            None => return,
            Some(Err(unreadable)) => assert!(unreadable.line > 0 && !unreadable.what.is_empty()),
            Some(Ok(line)) => {
                let text = serde_json::to_string(&line).unwrap_or_default() + "\n";
                let again = Lines::new(text.as_bytes()).next();
                assert_eq!(format!("{again:?}"), format!("Some(Ok({line:?}))"), "{text}");
                let _ = event(line, "");
            }
        }
    }
}
