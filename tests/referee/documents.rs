//! Runs every command of README.md and docs/, and compares its output with the output that the page shows.
//!
//! # How a page of docs/ is written
//!
//! The test runs a page from its first line to its last, in one new folder, with an empty home and the built `referee`
//! on the `PATH`. So a page must show every file that its commands need. A fence is a fenced code block of Markdown.
//!
//! ````text
//! If the line above a fence ends in a file's name, the fence is the content of that file, `sum/problem.yaml`:
//!
//! ```yaml
//! name: Sum
//! ```
//!
//! After "at the end of `sum/problem.yaml`:", the fence is appended to the file.
//!
//! ```console
//! $ referee grade sum add.py        a typed command; a \ at the end continues it on the next line
//! all as expected: 1 submission, ...  the output on both streams; `...` matches any text
//! ...                               alone on a line, it matches any number of lines
//! $ echo $?                         the exit code; without this, the command must end with 0
//! 1
//! $ referee grade sum add.py --watch
//! ...
//! ^C                                typed after the output above it has appeared
//! ```
//! ````
//!
//! If a page contains `<!-- files of writing-a-package.md -->`, the files of that other page are written first.
//!
//! A command must print what the page shows and nothing else. Measured numbers may differ (see [`output`]). Every other
//! fence must either be the content of a named file, or have the language `text` and contain no command. If a file has
//! the path of a GitHub or GitLab workflow, it is read as YAML, and its commands are run, too ([`workflow`]).
//!
//! The page about several machines has a test of its own, which runs its files as the runners would
//! ([`several_machines`]).
//!
//! The README and the pages of reference ([`REFERENCE`]) are shorter. Their commands are indented lines, with a part of
//! the output or without output. They name packages and programs that no page shows; [`readme`] creates these. The help
//! must contain each command and option that a page mentions between backticks.
//!
//! [`NOT_RUN`] lists the commands that cannot be run, each with the reason.

mod output;
mod page;
mod readme;
mod several_machines;
mod shell;
mod workflow;

use std::path::Path;

use super::hostile::{control_groups, isolation};
use super::support::assert_none;
use super::support::command::names_in;
use super::support::files::in_repository;
use super::support::person::Person;
use page::{Page, Step, text_of};
use shell::PageRunner;

/// The table of contents of the pages.
const CONTENTS: &str = "SUMMARY.md";

/// Commands that the pages show and the tests do not run, each with the reason.
const NOT_RUN: &[(&str, &str)] = &[
    ("cargo run --release -- grade flipgame", "it builds everything; .ci/run runs it"),
    ("cargo test --workspace --release", "it would run this test again; .ci/run runs it"),
    ("referee crosscheck --exhaustive flipgame", "docs/how-answers-are-proved.md runs it with fewer random boards"),
    ("referee doctor --apparmor-profile | sudo tee /etc/apparmor.d/referee", "it changes the machine"),
    ("sudo apparmor_parser -r /etc/apparmor.d/referee", "it changes the machine"),
    (
        "referee judgehost --secret restapi.secret --core 1",
        "it needs a DOMjudge server; tests/referee/judgehost has one",
    ),
    (
        "referee doctor --judgehost --secret restapi.secret",
        "it needs a DOMjudge server; tests/referee/judgehost has one",
    ),
    (
        "referee verify packages/* --shared-cache /mnt/nfs/referee",
        "it needs a network drive; tests/shared-cache/nfs has one",
    ),
    (
        "referee verify packages/* --shared-cache https://cache.example.org/referee",
        "it needs a web server; tests/shared-cache/run has one",
    ),
    (
        "referee grade exercise handed-in/* --slurm 50 --json r.jsonl",
        "it needs a Slurm cluster; tests/slurm/run has one",
    ),
    (
        "referee grade exercise handed-in/* --slurm 50 --json r.jsonl --resume r.jsonl",
        "it needs a Slurm cluster; tests/slurm/run has one",
    ),
    ("sbatch --wait job.sh", "it needs a Slurm cluster; tests/slurm/run has one"),
    ("referee merge parts/part-*.jsonl --json all.jsonl", "it needs the parts of a Slurm job"),
    ("packaging/release target/release-out", "it builds everything; .ci/long runs it"),
    ("git add --intent-to-add pairs/data", "a page's folder is no repository"),
    ("git diff --exit-code pairs/data", "a page's folder is no repository"),
];

/// The pages, each with the tools that its programs need.
const PAGES: [(&str, &[&str]); 6] = [
    ("ci-of-an-archive.md", &["python3", "gcc", "g++"]),
    ("grading-a-class.md", &["python3", "g++"]),
    ("how-answers-are-proved.md", &["python3"]),
    ("hunting-a-bug.md", &["python3", "gcc", "g++"]),
    ("what-the-sandbox-promises.md", &["python3"]),
    ("writing-a-package.md", &["python3", "gcc", "g++"]),
];

/// The pages with reference material.
const REFERENCE: [&str; 18] = [
    "README.md",
    "architecture.md",
    "caching.md",
    "choosing-a-judge.md",
    "containers.md",
    "exchange.md",
    "judgehost.md",
    "languages.md",
    "other-judges.md",
    "packages.md",
    "releasing.md",
    "reports.md",
    "sandbox.md",
    "scoring.md",
    "slurm.md",
    "threat-model.md",
    "tour.md",
    "verdicts.md",
];

/// The page with benchmark results. Its commands are not run, because they take an hour and depend on the machine.
const FIGURES: &str = "performance.md";

/// Runs all commands of a page of docs/.
fn follow(name: &str) {
    let (_, tools) = PAGES.iter().find(|(page, _)| *page == name).expect("the page is listed");
    for tool in *tools {
        needs!(*tool);
    }
    let name = format!("docs/{name}");
    let page = Page::of_fences(&name, &text_of(&name));
    assert!(page.steps.iter().any(|step| matches!(step, Step::Type(_))), "{name} has commands");
    assert_none(&PageRunner::new().read(&page, NOT_RUN));
}

#[test]
fn a_class_is_graded_as_its_page_says() {
    follow("grading-a-class.md");
}

#[test]
fn an_archive_is_kept_as_its_page_says() {
    follow("ci-of-an-archive.md");
}

#[test]
#[ignore = "takes a minute: many commands"]
fn a_package_is_written_as_its_page_says() {
    follow("writing-a-package.md");
}

#[test]
fn a_bug_is_hunted_as_its_page_says() {
    follow("hunting-a-bug.md");
}

#[test]
fn answers_are_proved_as_their_page_says() {
    follow("how-answers-are-proved.md");
}

#[test]
fn the_sandbox_keeps_what_its_page_promises() {
    needs!(isolation(&Person::Myself), control_groups(&Person::Myself));
    follow("what-the-sandbox-promises.md");
}

#[test]
fn the_readme_does_as_it_says() {
    needs!("python3", "gcc", "g++");
    run_indented("README.md", 6);
}

#[test]
#[ignore = "takes a minute: many commands"]
fn the_pages_of_reference_do_as_they_say() {
    needs!("python3", "gcc", "g++");
    for name in REFERENCE {
        let at_least = if name == "tour.md" { 25 } else { 0 };
        run_indented(&format!("docs/{name}"), at_least);
    }
}

/// Runs the commands in the indented lines of a page. Fails if the page has fewer than `at_least` commands.
fn run_indented(name: &str, at_least: usize) {
    let page = Page::of_indented(name, &text_of(name));
    assert!(page.steps.len() >= at_least, "{name}: only {} commands were found", page.steps.len());
    if !page.steps.is_empty() {
        let reader = PageRunner::new();
        readme::fill(reader.folder());
        assert_none(&reader.read(&page, NOT_RUN));
    }
}

/// Returns the names of all pages in docs/.
fn pages() -> std::collections::BTreeSet<&'static str> {
    PAGES.iter().map(|(name, _)| *name).chain(REFERENCE).chain([FIGURES, several_machines::PAGE]).collect()
}

/// Returns all documents for people, each with its name and text.
fn documents() -> Vec<(String, String)> {
    let pages = pages().into_iter().chain([CONTENTS]).map(|name| format!("docs/{name}"));
    let names = ["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(str::to_owned).into_iter().chain(pages);
    names.map(|name| (name.clone(), text_of(&name))).collect()
}

#[test]
fn every_page_is_followed_and_found_from_the_readme() {
    let is_page = |name: &String| Path::new(name).extension().is_some_and(|ending| ending == "md");
    let mut found = names_in(&in_repository("docs"));
    found.retain(|name| is_page(name) && name != CONTENTS);
    assert!(pages().iter().copied().eq(found.iter().map(String::as_str)), "{found:?}");
    assert!(text_of("README.md").contains("(docs/README.md)"));
    for (index, not_in_it) in [("README.md", "README.md"), (CONTENTS, "")] {
        let text = text_of(&format!("docs/{index}"));
        let missing = pages().into_iter().filter(|name| *name != not_in_it && !text.contains(&format!("({name})")));
        assert_eq!(missing.collect::<Vec<_>>(), Vec::<&str>::new(), "{index}");
    }
}

#[test]
fn the_readme_is_short() {
    assert!(text_of("README.md").len() <= 8192, "README.md is longer than 8 KiB; move reference material to docs/");
}

#[test]
fn what_is_not_run_is_shown_somewhere() {
    let all: String = documents().into_iter().map(|(_, text)| text).collect();
    let stale = NOT_RUN.iter().filter(|(command, _)| !all.contains(command));
    assert_eq!(stale.collect::<Vec<_>>(), Vec::<&(&str, &str)>::new());
}

#[test]
fn links_lead_to_files_that_are_there() {
    let mut broken = Vec::new();
    for (name, text) in documents() {
        let folder = in_repository(&name).parent().map(Path::to_path_buf).expect("a document lies in a folder");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or(link);
            if !file.is_empty() && !link.contains("://") && !folder.join(file).exists() {
                broken.push(format!("{name}: {link}"));
            }
        }
    }
    assert_none(&broken);
}

#[test]
fn lines_have_eighty_columns_and_name_no_file_of_somebodys_machine() {
    let mut odd = Vec::new();
    for (name, text) in documents() {
        for (number, line) in (1..).zip(text.lines()) {
            // Table rows and links cannot be broken. The indentation of an indented line is not part of its eighty
            // columns.
            let may_be_wide = line.starts_with('|') || line.contains("](");
            let line = line.strip_prefix("    ").unwrap_or(line);
            let is_private = ["/root/", "/home/", "/tmp/"].iter().any(|path| line.contains(path));
            if is_private || !may_be_wide && line.chars().count() > 80 {
                odd.push(format!("{name}:{number}: {line}"));
            }
        }
    }
    assert_none(&odd);
}

/// Options of other tools that the documents mention.
const OPTIONS_OF_OTHERS: [&str; 12] = [
    "--basefile",
    "--bench",
    "--cap-add",
    "--disable_http_ac_validation",
    "--env",
    "--privileged",
    "--resume-failed",
    "--retries",
    "--return",
    "--user",
    "--volume",
    "--workdir",
];

#[test]
fn commands_and_options_that_are_only_mentioned_are_known_to_the_help() {
    let help = |command: &str| std::fs::read_to_string(in_repository(&format!("tests/help/{command}.txt"))).ok();
    let anywhere: String =
        names_in(&in_repository("tests/help")).iter().map(|name| text_of(&format!("tests/help/{name}"))).collect();
    let mut unknown = Vec::new();
    for (name, text) in documents() {
        for mentioned in mentioned(&text) {
            let words: Vec<&str> = mentioned.split_whitespace().collect();
            let known = match words.as_slice() {
                // COMMAND means any subcommand.
                ["referee"] | ["referee", "COMMAND", ..] => None,
                ["referee", command, ..] => Some(help(command).unwrap_or_default()),
                [first, ..] if first.starts_with("--") => Some(anywhere.clone()),
                _ => None,
            };
            let Some(known) = known else { continue };
            let option = |word: &&str| word.split(['=', '[']).next().unwrap_or_default().to_owned();
            let options = words.iter().filter(|word| word.starts_with("--")).map(option);
            let is_lost = |option: &String| {
                !OPTIONS_OF_OTHERS.contains(&option.as_str())
                    && !known.contains(&format!("{option} "))
                    && !known.contains(&format!("{option}["))
                    && !known.contains(&format!("{option}\n"))
            };
            let lost: Vec<_> = options.filter(is_lost).collect();
            if known.is_empty() || !lost.is_empty() {
                unknown.push(format!("{name}: `{mentioned}`: unknown: {lost:?}"));
            }
        }
    }
    assert_none(&unknown);
}

/// Returns the texts between backticks, outside fences and indented lines.
fn mentioned(text: &str) -> Vec<String> {
    let mut is_fenced = false;
    let mut prose = String::new();
    for line in text.lines() {
        let is_fence = line.starts_with("```");
        is_fenced ^= is_fence;
        if !is_fence && !is_fenced && !line.starts_with("    ") {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    prose.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn the_tables_of_the_page_have_every_verdict_and_every_exit_code() {
    let page = text_of("docs/verdicts.md");
    let rows = |heading: &str| {
        let table = page.split(&format!("| {heading} | meaning |\n")).nth(1).expect("the page has the table");
        let rows = table.lines().skip(1).map_while(|line| line.strip_prefix("| "));
        rows.filter_map(|row| row.split(" |").next()).map(str::to_owned).collect::<Vec<_>>()
    };
    let schema: serde_json::Value = {
        let output = super::support::command::referee(["schema"]).output().expect("referee starts");
        serde_json::from_slice(&output.stdout).expect("a schema is JSON")
    };
    let verdicts = schema["$defs"]["Verdict"]["oneOf"].as_array().expect("the schema lists the verdicts");
    let verdicts: Vec<_> = verdicts.iter().map(|verdict| verdict["const"].as_str().unwrap_or_default()).collect();
    assert_eq!(rows("verdict"), verdicts);
    let help = text_of("tests/help/referee.txt").replace('\n', " ");
    let codes = help.split("Exit codes: ").nth(1).and_then(|rest| rest.split('.').next()).expect("the help lists them");
    let codes: Vec<_> = codes.split(", ").filter_map(|code| code.split(' ').next()).collect();
    assert_eq!(rows("code"), codes);
}

/// Returns the complaints about a page that shows `session`.
fn complaints_about(session: &str) -> String {
    let page = Page::of_fences("page.md", &format!("```console\n{session}```\n"));
    PageRunner::new().read(&page, &[("rm -rf /", "an example")]).join("\n")
}

#[test]
fn a_page_that_is_not_true_is_told_with_the_line_and_what_was_said() {
    assert_eq!(complaints_about("$ echo one; echo two >&2\none\ntwo\n$ false\n$ echo $?\n1\n$ rm -rf /\n"), "");
    let wrong_text = complaints_about("$ echo one; echo two\none\nthree\n");
    assert!(
        wrong_text.starts_with("page.md:2: $ echo one; echo two\n") && wrong_text.contains("\"three\""),
        "{wrong_text}"
    );
    assert!(wrong_text.ends_with("output:\none\ntwo\n"), "{wrong_text}");
    assert!(complaints_about("$ false\n").contains("ended with code 1, expected 0"));
    assert!(complaints_about("$ true\n$ echo $?\n1\n").contains("ended with code 0, expected 1"));
    assert!(complaints_about("$ echo one\n").contains("more lines than the page shows"));
    assert!(complaints_about("$ no-such-command\n...\n").contains("ended with code 127"));
}

#[test]
fn a_command_that_goes_on_for_ever_is_interrupted_once_it_has_said_what_is_shown() {
    // A shell that was interrupted ends with 130, so the page need not show this exit code. It must show every other
    // code.
    assert_eq!(complaints_about("$ trap 'exit 130' INT; echo here; while :; do sleep 0.01; done\nhere\n^C\n"), "");
    assert!(
        complaints_about("$ trap 'exit 7' INT; echo here; while :; do sleep 0.01; done\nhere\n^C\n")
            .contains("ended with code 7")
    );
}

#[test]
fn commands_of_workflows_are_run_and_what_is_no_yaml_is_told() {
    let read = |yaml: &str| {
        let text = format!("`.github/workflows/a.yml`:\n\n```yaml\n{yaml}```\n");
        PageRunner::new().read(&Page::of_fences("page.md", &text), &[("make", "an example")]).join("\n")
    };
    let job = |commands: &str| format!("jobs:\n  a:\n    steps:\n      - run: {commands}\n");
    assert_eq!(read(&job("|\n          make\n          echo one\n")), "");
    assert!(read(&job("|\n          true\n          false\n")).contains("$ false\nended with code 1"));
    assert!(read("a: [\n").contains("is not valid YAML"));
    assert!(read("a: b\n").contains("contains no command"));
}
