//! Reports of JSON lines that are read back.

use std::io::BufReader;

use referee_report::jsonl::event;
use referee_report::jsonl::read::Lines;

/// Any bytes are read, in pieces of any size alike; what is wrong has its place, and what is right is written again as
/// something that is right.
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
