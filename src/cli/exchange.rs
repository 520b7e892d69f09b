//! Prints the output of `import` and `export`.

use std::io::{self, Write};

use super::Failure;
use referee_exchange::{ExchangeError, Notes};
use referee_report::wrapped;
use referee_sandbox::interrupt;
use referee_text::printable::output_line;

/// The width of a line, in columns.
const WIDTH: usize = 80;

/// Prints the summary, the remarks, and the parts that the other format cannot express. If `quiet` is true, prints only
/// those parts.
pub(super) fn print_result(summary: &[String], notes: &Notes, quiet: bool) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    if !quiet {
        for text in summary {
            print(&mut out, "", text)?;
        }
        for text in &notes.remarks {
            print(&mut out, "  - ", text)?;
        }
    }
    if !notes.lost.is_empty() {
        let yellow = anstyle::AnsiColor::Yellow.on_default();
        writeln!(out, "{yellow}not carried over:{yellow:#}")?;
        for text in &notes.lost {
            print(&mut out, "  - ", text)?;
        }
    }
    out.flush()
}

fn print(out: &mut impl Write, prefix: &str, text: &str) -> io::Result<()> {
    for (index, line) in wrapped(text, WIDTH - prefix.len()).iter().enumerate() {
        let start = if index == 0 { prefix.to_owned() } else { " ".repeat(prefix.len()) };
        writeln!(out, "{}", output_line(&format!("{start}{line}")))?;
    }
    Ok(())
}

/// Converts an error of `import` or `export`. If the package is unusable and the error has no hint of its own, the hint
/// is `remedy`.
pub(super) fn failure(error: ExchangeError, remedy: &str) -> Failure {
    match error {
        _ if interrupt::happened() => Failure::interrupted(),
        ExchangeError::Interrupted => Failure::interrupted(),
        ExchangeError::Unusable { reason, remedy: own } => Failure::unusable(reason).with_hint(own.unwrap_or(remedy)),
        ExchangeError::Failed(_) => Failure::judge(error),
        ExchangeError::Differs(_) => {
            Failure::judge(error).with_hint("nothing was written; this is a bug in referee, please report it")
        }
    }
}
