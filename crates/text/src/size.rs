//! Writes numbers of bytes for people.

/// Returns a number of bytes as a whole number of MiB if possible, otherwise of KiB, otherwise of bytes: `256 MiB`,
/// `12 KiB`, `1000 bytes`.
pub fn bytes(count: u64) -> String {
    match count {
        1 => "1 byte".to_owned(),
        count if count > 0 && count % (1 << 20) == 0 => format!("{} MiB", count >> 20),
        count if count > 0 && count % (1 << 10) == 0 => format!("{} KiB", count >> 10),
        count => format!("{count} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_bytes_is_written_exactly() {
        let written = [0, 1, 1000, 1 << 10, 1536 << 10, 256 << 20, (256 << 20) + 1].map(bytes);
        let wanted = ["0 bytes", "1 byte", "1000 bytes", "1 KiB", "1536 KiB", "256 MiB", "268435457 bytes"];
        assert_eq!(written, wanted);
    }
}
