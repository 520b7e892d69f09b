//! `referee man`: prints or writes manual pages.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;

use super::{Cli, Exit, Failure, eprint_line, nearest};

use referee_files::regular;

/// Print a manual page, or write all of them
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  referee man | man -l -                                the page of referee
  referee man grade | man -l -                          the page of grade
  referee man --out ~/.local/share/man/man1             then: man referee-grade")]
pub(super) struct Arguments {
    /// The subcommand whose page to print
    command: Option<String>,

    /// Write all pages into DIR
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    out: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let pages = pages();
    if let Some(folder) = &arguments.out {
        return write_all(&pages, folder);
    }
    let wanted = arguments.command.as_ref().map_or_else(|| "referee".to_owned(), |name| format!("referee-{name}"));
    match pages.iter().find(|page| page.get_name() == wanted) {
        Some(page) => io::stdout().write_all(&rendered(page)?)?,
        None => return Err(unknown(&pages, arguments.command.as_deref().unwrap_or_default())),
    }
    Ok(Exit::AsExpected)
}

/// Returns the command and its subcommands, each with the name of its page.
fn pages() -> Vec<Command> {
    // There is no page of the subcommand `help`, so no page names one.
    let mut all = Cli::command().disable_help_subcommand(true);
    all.build();
    let subcommands: Vec<_> = all.get_subcommands().cloned().collect();
    let named = |command: Command| {
        let name = format!("referee-{}", command.get_name());
        command.display_name(name.clone()).name(name)
    };
    std::iter::once(all).chain(subcommands.into_iter().map(named)).collect()
}

fn rendered(page: &Command) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    // `Man` would join the lines of the examples.
    Man::new(page.clone().after_help(None::<&str>)).render(&mut text)?;
    if let Some(examples) = page.get_after_help() {
        text.extend_from_slice(last_section(&examples.to_string()).as_bytes());
    }
    Ok(text)
}

/// Returns the end of a help text as a section of a page, with its lines as they are.
fn last_section(text: &str) -> String {
    let (title, lines) = match text.split_once('\n') {
        Some((title @ ("Example:" | "Examples:"), lines)) => (title.trim_end_matches(':'), lines),
        _ => ("Notes", text),
    };
    let mut section = format!(".SH {}\n.nf\n", title.to_uppercase());
    for line in lines.lines() {
        // A line that begins with a point would be a command of the formatter.
        section += if line.starts_with('.') { "\\&" } else { "" };
        section += &line.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
        section.push('\n');
    }
    section + ".fi\n"
}

fn write_all(pages: &[Command], folder: &Path) -> Result<Exit, Failure> {
    let unusable =
        |path: &Path, error: io::Error| Failure::unusable(format!("cannot write {}: {error}", path.display()));
    fs::create_dir_all(folder).map_err(|error| unusable(folder, error))?;
    let path = |page: &Command| folder.join(format!("{}.1", page.get_name()));
    // This is checked before the first page is written, so that no run leaves half a set of pages.
    if let Some(foreign) = pages.iter().map(path).find(|path| !is_replaceable(path)) {
        let message = format!("{} exists and is not a manual page of referee; it is not replaced", foreign.display());
        return Err(Failure::unusable(message).with_hint("give --out another folder, or move the file away"));
    }
    for page in pages {
        let path = path(page);
        fs::write(&path, rendered(page)?).map_err(|error| unusable(&path, error))?;
    }
    eprint_line(format_args!("{} pages were written to {}", pages.len(), folder.display()));
    Ok(Exit::AsExpected)
}

/// Returns whether a page may be written to `path`: nothing is there, or a page that some version of referee wrote.
fn is_replaceable(path: &Path) -> bool {
    match path.symlink_metadata() {
        Err(error) => error.kind() == io::ErrorKind::NotFound,
        Ok(found) => found.is_file() && regular::read(path, regular::LARGEST_BYTES).is_ok_and(|text| is_page(&text)),
    }
}

/// Returns whether the text is a manual page of any version of referee. One of the first lines of such a page, after
/// macro definitions, is `.TH referee 1 ...`.
fn is_page(text: &[u8]) -> bool {
    text.split(|&byte| byte == b'\n').take(10).any(|line| line.starts_with(b".TH referee"))
}

fn unknown(pages: &[Command], wanted: &str) -> Failure {
    let names: Vec<_> = pages.iter().filter_map(|page| page.get_name().strip_prefix("referee-")).collect();
    let list = format!("subcommands: {}", names.join(", "));
    Failure::unusable(format!("there is no subcommand {wanted:?}")).with_hint(nearest::hint(wanted, names, &list))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_a_section_whose_lines_stay_apart() {
        let section = last_section("Examples:\n  referee a --b 'c'   one\n  referee d          two\\");
        let expected = ".SH EXAMPLES\n.nf\n  referee a \\-\\-b \\(aqc\\(aq   one\n  referee d          two\\e\n.fi\n";
        assert_eq!(section, expected);
        assert_eq!(last_section(".TH"), ".SH NOTES\n.nf\n\\&.TH\n.fi\n");
    }
}
