//! Limits the work of a parser by counting it, so that the limit is the same on every machine.

/// The work that a parser may still do.
///
/// Sources are untrusted. Some need too many steps, and with others, the lexer scans to the end of the source for each
/// token. The budget limits both. It does not limit the work of a single step.
#[derive(Clone, Debug)]
pub struct Budget {
    /// The number of reports of progress that the parser may still make. It makes one about every hundred steps.
    reports: u64,
    /// The number of bytes of the source that the lexer may still read.
    read_bytes: u64,
    /// Whether the parser asked for more than was left.
    is_over: bool,
}

/// The lexer may read `READ_AT_LEAST` bytes, and [`READ_PER_REPORT`] for each report of progress.
///
/// The lexer reads 100 to 230 bytes per report in the sources of this project, which is up to 2.3 times their length.
/// The lexer of Python reads a block of comments again for each line of the block, which the first number allows for
/// blocks of a thousand lines.
const READ_AT_LEAST: u64 = 16 << 20;
const READ_PER_REPORT: u64 = 2000;

impl Budget {
    /// Creates a budget of this number of reports of progress.
    pub fn new(reports: u64) -> Budget {
        let read_bytes = READ_AT_LEAST.saturating_add(reports.saturating_mul(READ_PER_REPORT));
        Budget { reports, read_bytes, is_over: false }
    }

    /// Creates the budget for parsing a source once. Ordinary sources need one report per hundred bytes, and this is ten
    /// times as many.
    pub fn for_source(source: &str) -> Budget {
        const REPORTS_AT_LEAST: u64 = 1000;
        const BYTES_PER_REPORT: u64 = 10;
        Budget::new(REPORTS_AT_LEAST + source.len() as u64 / BYTES_PER_REPORT)
    }

    /// Returns whether a parse ended because the budget was used up.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Uses up the budget.
    pub(crate) fn end(&mut self) {
        self.is_over = true;
    }

    /// Takes a report of progress. Returns whether the parser may go on.
    pub(crate) fn report(&mut self) -> bool {
        self.take(1, 0)
    }

    /// Takes the bytes of a chunk of the source. Returns whether the lexer may have them.
    pub(crate) fn read(&mut self, chunk: &[u8]) -> bool {
        self.take(0, chunk.len() as u64)
    }

    fn take(&mut self, reports: u64, read_bytes: u64) -> bool {
        match (self.reports.checked_sub(reports), self.read_bytes.checked_sub(read_bytes)) {
            (Some(reports), Some(read_bytes)) if !self.is_over => {
                (self.reports, self.read_bytes) = (reports, read_bytes);
            }
            _ => self.is_over = true,
        }
        !self.is_over
    }
}
