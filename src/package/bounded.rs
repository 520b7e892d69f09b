//! Reading files that somebody else has made: never a pipe or a device, which may not end, and never without a bound.
//! What a file says of its own size is not trusted: those of /proc say nothing.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The whole file, or why it is not read.
pub(super) fn read(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let bytes = beginning(path, most + 1)?;
    if bytes.len() as u64 > most {
        return Err(format!("the file is larger than {most} bytes"));
    }
    Ok(bytes)
}

/// The first bytes of the file, or why they are not read.
pub(super) fn beginning(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    // Asked before opening: that alone can wait for ever, or do something.
    if !path.is_file() {
        return Err("cannot be read: it is no plain file".to_owned());
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes));
    read.map(|_| bytes).map_err(|error| format!("cannot be read: {error}"))
}
