//! Reads the files and commands of a page from its Markdown.

use std::fmt;
use std::path::Path;

use super::super::support::files::in_repository;

/// A page: its files and commands in their order.
pub(super) struct Page {
    pub(super) name: String,
    pub(super) steps: Vec<Step>,
    /// The errors in the page, each with its line number.
    pub(super) odd: Vec<String>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A file that the page shows with its name.
    Write { name: String, text: String },
    /// A text that is appended to a file.
    Append { name: String, text: String },
    /// A command that the user types.
    Type(Typed),
}

/// A command, and the output that the page shows.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Typed {
    /// The line number in the page, counted from 1.
    pub(super) line: usize,
    pub(super) command: String,
    /// The lines of output that the page shows.
    pub(super) shown: Vec<String>,
    pub(super) code: Code,
    /// Whether the test types `^C` after all lines of `shown` have appeared.
    pub(super) interrupted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    Is(i32),
    /// The page does not show an exit code. Codes 0 and 1 are allowed. Other codes mean wrong use or a failure of the
    /// judge.
    ZeroOrOne,
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Code::Is(code) => write!(f, "{code}"),
            Code::ZeroOrOne => f.write_str("0 or 1"),
        }
    }
}

/// The placeholder for output that is not shown. Alone on a line it matches any number of lines; within a line it
/// matches any text.
pub(super) const ANYTHING: &str = "...";

const INTERRUPT: &str = "^C";
/// The words before the name of a file to which the page appends a text.
const AT_THE_END: &str = "at the end of ";
/// The prompt before a line that continues a command, as in shells.
const GOES_ON: &str = "> ";
/// The beginning of an HTML comment that names another page, whose files are written first.
const FILES_OF: &str = "<!-- files of ";
const ASK_FOR_THE_CODE: &str = "echo $?";

/// A fence of Markdown. `first` is the number, counted from 1, of the first line inside the fence.
struct Fence<'a> {
    language: &'a str,
    /// The file that the line above the fence names; `None` if it names none.
    name: Option<&'a str>,
    /// Whether the fence is appended to that file.
    is_end: bool,
    first: usize,
    lines: Vec<&'a str>,
}

/// Returns the text of a file of the repository.
pub(super) fn text_of(name: &str) -> String {
    let path = in_repository(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

impl Page {
    /// Reads a page of docs/.
    pub(super) fn of_fences(name: &str, text: &str) -> Page {
        let mut page = Page { name: name.to_owned(), steps: Vec::new(), odd: Vec::new() };
        for other in text.lines().filter_map(|line| line.strip_prefix(FILES_OF)?.strip_suffix(" -->")) {
            let other = Page::of_fences(other, &text_of(&format!("docs/{other}")));
            page.steps.extend(other.steps.into_iter().filter(|step| !matches!(step, Step::Type(_))));
        }
        for fence in fences(text) {
            match (fence.language, fence.name) {
                ("console", _) => page.type_in(&fence),
                ("", _) => page.complain(fence.first, "a fence has a language"),
                ("text", None) => page.refuse_commands(&fence),
                (_, None) => page.complain(fence.first, "the line above the fence ends in no file's name: `name`:"),
                (_, Some(name)) if is_inside(name) => {
                    let name = name.to_owned();
                    let text = fence.lines.join("\n") + "\n";
                    page.steps.push(if fence.is_end {
                        Step::Append { name, text }
                    } else {
                        Step::Write { name, text }
                    });
                }
                (_, Some(name)) => page.complain(fence.first, &format!("{name} is no file of the page's own folder")),
            }
        }
        page
    }

    /// Reads the README or a page of reference. Its commands are indented lines. A part of the output may follow a
    /// command.
    pub(super) fn of_indented(name: &str, text: &str) -> Page {
        let mut page = Page { name: name.to_owned(), steps: Vec::new(), odd: Vec::new() };
        let mut open: Option<Typed> = None;
        for (number, line) in (1..).zip(text.lines()) {
            let own = line.strip_prefix("    ").or(line.is_empty().then_some(line));
            let (shows, command) = match own {
                Some(own) if own.starts_with("$ ") => (true, own.strip_prefix("$ ")),
                Some(own) => {
                    (false, ["referee ", "cargo ", "sbatch "].iter().any(|tool| own.starts_with(tool)).then_some(own))
                }
                None => (false, None),
            };
            if own.is_none() || command.is_some() {
                page.steps.extend(open.take().map(|typed| Step::Type(typed.somewhere())));
            }
            match (command, own, &mut open) {
                (Some(command), ..) => {
                    // A text after the command, separated by several blanks, is an explanation.
                    let command = if shows { command } else { command.split("  ").next().unwrap_or(command) };
                    open = Some(Typed::new(number, command, Code::ZeroOrOne));
                }
                (None, Some(own), Some(typed)) => typed.shown.push(own.to_owned()),
                _ => {}
            }
        }
        page.steps.extend(open.map(|typed| Step::Type(typed.somewhere())));
        page
    }

    /// Reads the lines of a terminal session.
    fn type_in(&mut self, fence: &Fence<'_>) {
        let mut lines = (fence.first..).zip(fence.lines.iter().copied()).peekable();
        while let Some((number, line)) = lines.next() {
            let Some(start) = line.strip_prefix("$ ") else {
                self.complain(number, "a line before the first command of its fence");
                continue;
            };
            let mut command = start.to_owned();
            while command.ends_with('\\') {
                command.push('\n');
                let next = lines.next().map_or("", |(_, line)| line);
                command.push_str(next.strip_prefix(GOES_ON).unwrap_or(next));
            }
            let mut typed = Typed::new(number, &command, Code::Is(0));
            while let Some((_, line)) = lines.next_if(|(_, line)| !line.starts_with("$ ")) {
                typed.shown.push(line.to_owned());
            }
            self.take(typed);
        }
    }

    /// Adds a command to the page. If the command is `echo $?`, its output becomes the exit code of the command before
    /// it.
    fn take(&mut self, mut typed: Typed) {
        if typed.command == ASK_FOR_THE_CODE {
            let code = typed.shown.first().and_then(|line| line.parse().ok());
            match (code, self.steps.last_mut()) {
                (Some(code), Some(Step::Type(before))) => before.code = Code::Is(code),
                _ => self.complain(typed.line, "`echo $?` needs a command before it and an exit code after it"),
            }
            return;
        }
        typed.interrupted = typed.shown.last().is_some_and(|line| line == INTERRUPT);
        if typed.interrupted {
            typed.shown.pop();
            typed.code = Code::Is(130);
        }
        if typed.command.starts_with("cd ") {
            self.complain(typed.line, "a command changes the folder; a page must run in one folder");
        }
        self.steps.push(Step::Type(typed));
    }

    /// Complains about each command in `fence`. The caller neither writes this fence to a file nor runs its commands.
    fn refuse_commands(&mut self, fence: &Fence<'_>) {
        let is_command = |line: &str| ["$ ", "referee "].iter().any(|start| line.trim_start().starts_with(start));
        for (number, _) in (fence.first..).zip(&fence.lines).filter(|(_, line)| is_command(line)) {
            self.complain(number, "a command in a fence that the test does not run");
        }
    }

    fn complain(&mut self, line: usize, about: &str) {
        self.odd.push(format!("{}:{line}: {about}", self.name));
    }
}

impl Typed {
    pub(super) fn new(line: usize, command: &str, code: Code) -> Typed {
        let command = command.trim_end().to_owned();
        Typed { line, command, shown: Vec::new(), code, interrupted: false }
    }

    /// Changes `shown` so that any further lines may precede and follow the shown lines.
    fn somewhere(mut self) -> Typed {
        while self.shown.last().is_some_and(String::is_empty) {
            self.shown.pop();
        }
        // A command with --watch never ends by itself, and the page does not show how the user stops it. Therefore the
        // test types ^C.
        if self.command.contains("--watch") {
            self.shown.push("waiting for a file to be saved; press Ctrl-C to stop".to_owned());
            (self.interrupted, self.code) = (true, Code::Is(130));
        }
        self.shown.insert(0, ANYTHING.to_owned());
        self.shown.push(ANYTHING.to_owned());
        self
    }
}

fn is_inside(name: &str) -> bool {
    Path::new(name).components().all(|part| matches!(part, std::path::Component::Normal(_)))
}

fn fences(text: &str) -> Vec<Fence<'_>> {
    let mut found: Vec<Fence<'_>> = Vec::new();
    let mut is_open = false;
    let mut above = "";
    for (number, line) in (1..).zip(text.lines()) {
        match (line.strip_prefix("```"), found.last_mut()) {
            (Some(""), _) if is_open => is_open = false,
            (_, Some(fence)) if is_open => fence.lines.push(line),
            (Some(language), _) => {
                is_open = true;
                let name = named_at_the_end(above);
                let is_end = name.is_some_and(|name| above.ends_with(&format!("{AT_THE_END}`{name}`:")));
                found.push(Fence { language, name, is_end, first: number + 1, lines: Vec::new() });
            }
            (None, _) => {}
        }
        if !line.is_empty() {
            above = line;
        }
    }
    found
}

/// Returns the file in a line such as "Then there is `sum/problem.yaml`:"; `None` if the line names no file.
fn named_at_the_end(line: &str) -> Option<&str> {
    line.strip_suffix("`:").and_then(|start| start.rsplit_once('`')).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "Write `a/b.txt`:\n\n```yaml\none: 1\n\ntwo: 2\n```\n\n```console\n$ ls \\\n>   a\nb.txt\n$ false\n\
                        $ echo $?\n1\n```\n\n```console\n$ sleep 9\n^C\n```\n";

    #[test]
    fn a_page_is_files_and_commands_in_their_order() {
        let page = Page::of_fences("page", PAGE);
        assert_eq!(page.odd, Vec::<String>::new());
        let listed = Typed { shown: vec!["b.txt".to_owned()], ..Typed::new(10, "ls \\\n  a", Code::Is(0)) };
        let interrupted = Typed { interrupted: true, ..Typed::new(19, "sleep 9", Code::Is(130)) };
        let steps = [
            Step::Write { name: "a/b.txt".to_owned(), text: "one: 1\n\ntwo: 2\n".to_owned() },
            Step::Type(listed),
            Step::Type(Typed::new(13, "false", Code::Is(1))),
            Step::Type(interrupted),
        ];
        assert_eq!(page.steps, steps);
    }

    #[test]
    fn a_file_may_grow() {
        let page = Page::of_fences("page", "More, at the end of `a.txt`:\n\n```text\nthree\n```\n");
        assert_eq!(page.steps, [Step::Append { name: "a.txt".to_owned(), text: "three\n".to_owned() }]);
    }

    #[test]
    fn what_nobody_would_run_or_write_is_told() {
        for odd in [
            "```\n$ ls\n```\n",
            "```sh\nls\n```\n",
            "```text\n$ ls\n```\n",
            "`../a`:\n```c\n```\n",
            "```console\nls\n```\n",
            "```console\n$ cd a\n```\n",
            "```console\n$ echo $?\n1\n```\n",
        ] {
            assert_eq!(Page::of_fences("page", odd).odd.len(), 1, "{odd}");
        }
    }

    #[test]
    fn the_readme_shows_commands_in_indented_lines_and_tells_beside_some_what_they_do() {
        let text = "Text.\n\n    referee doctor      this machine\n    $ referee x\n    said\n\n      more\n\nEnd.\n";
        let page = Page::of_indented("README.md", text);
        let shown = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>();
        let doctor = Typed { shown: shown(&["...", "..."]), ..Typed::new(3, "referee doctor", Code::ZeroOrOne) };
        let other = Typed {
            shown: shown(&["...", "said", "", "  more", "..."]),
            ..Typed::new(4, "referee x", Code::ZeroOrOne)
        };
        assert_eq!(page.steps, [Step::Type(doctor), Step::Type(other)]);
    }
}
