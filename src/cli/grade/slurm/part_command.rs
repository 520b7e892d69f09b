//! The command that judges a part, made from the command of this process.

use std::ffi::{OsStr, OsString};

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, CommandFactory};

use super::super::Failure;
use crate::cli::{Cli, points};

/// The arguments that each part gets, by their names in the source. `OWN` of the tests has the others.
const PASSED: [&str; 22] = [
    "all_attempts",
    "all_cases",
    "as_language",
    "cases",
    "dialect",
    "feedback",
    "files",
    "memory",
    "no_cache",
    "points",
    "repeat",
    "root",
    "sandbox",
    "shared_cache",
    "shared_cache_read_only",
    "stop_early",
    "testlib",
    "time_limit",
    "warm",
    "weights",
    "when",
    // With `jobs`, Slurm gives each task as many cores.
    "jobs",
];

/// The arguments for the process that waits: it writes the reports, or refuses them.
#[cfg(test)]
const OWN: [&str; 31] = [
    "color",
    "csv",
    "details",
    "dry_run",
    "github",
    "gradebook",
    "gradebook_column",
    "help",
    "html",
    "html_per_submission",
    "json",
    "junit",
    "moodle_feedback",
    "package",
    "partition",
    "programs",
    "quiet",
    "resume",
    "show_secret",
    "similarity",
    "slurm",
    "slurm_folder",
    "slurm_local",
    "slurm_option",
    "slurm_script",
    "slurm_tries",
    "sort",
    "strict",
    "template",
    "verbose",
    "watch",
];

/// The words of a command, without the number of the part and without reports.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PartCommand {
    pub(super) options: Vec<OsString>,
    pub(super) package: OsString,
    pub(super) programs: Vec<OsString>,
    /// The value of `-j`; `None` if it is not given.
    pub(super) jobs: Option<usize>,
}

/// Returns the command for the parts of the run of this process.
pub(super) fn of_process() -> Result<PartCommand, Failure> {
    of_arguments(points::joined(std::env::args_os())).map_err(Failure::judge)
}

fn of_arguments(arguments: Vec<OsString>) -> Result<PartCommand, String> {
    let command = Cli::command();
    let grade = command.find_subcommand("grade").ok_or("the command grade does not exist")?.clone();
    let matches = command.try_get_matches_from(arguments).map_err(|error| error.to_string())?;
    let matches = matches.subcommand_matches("grade").ok_or("the command is not grade")?;
    let values = |name: &str| raw(matches, name).into_iter().flatten().collect::<Vec<_>>();
    let jobs = values("jobs").pop().and_then(|text| text.to_str()?.parse().ok());
    let is_passed = |argument: &&Arg| {
        let name = argument.get_id().as_str();
        name != "jobs" && PASSED.contains(&name) && is_given(matches, name)
    };
    Ok(PartCommand {
        options: grade.get_arguments().filter(is_passed).flat_map(|argument| words(argument, matches)).collect(),
        package: values("package").pop().unwrap_or_default(),
        programs: values("programs"),
        jobs,
    })
}

/// Returns whether the user gave the argument, on the command line or in an environment variable.
fn is_given(matches: &ArgMatches, name: &str) -> bool {
    matches!(matches.value_source(name), Some(ValueSource::CommandLine | ValueSource::EnvVariable))
}

/// Returns the values of an argument, one list for each time that the user gave it.
fn raw(matches: &ArgMatches, name: &str) -> Vec<Vec<OsString>> {
    let occurrences = matches.get_raw_occurrences(name).into_iter().flatten();
    occurrences.map(|values| values.map(OsStr::to_owned).collect()).collect()
}

/// Returns the words of a given option. Each value follows an equals sign, so that a value that begins with a hyphen is
/// no option.
fn words(argument: &Arg, matches: &ArgMatches) -> Vec<OsString> {
    let option = OsString::from(format!("--{}", argument.get_long().unwrap_or_default()));
    if matches!(argument.get_action(), ArgAction::SetTrue) {
        return vec![option];
    }
    let with_value = |value: OsString| {
        let mut word = option.clone();
        word.push("=");
        word.push(value);
        word
    };
    raw(matches, argument.get_id().as_str()).into_iter().flatten().map(with_value).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    fn of(words: &[&str]) -> PartCommand {
        let words = ["referee", "grade"].iter().chain(words).map(Into::into).collect();
        of_arguments(points::joined(Vec::into_iter(words))).unwrap()
    }

    fn words(words: &[&str]) -> Vec<OsString> {
        words.iter().map(Into::into).collect()
    }

    #[test]
    fn each_argument_is_either_for_the_parts_or_for_the_waiting_process() {
        let mut command = Cli::command();
        command.build();
        let grade = command.find_subcommand("grade").unwrap();
        let found: BTreeSet<_> = grade.get_arguments().map(|argument| argument.get_id().as_str()).collect();
        let known: BTreeSet<_> = PASSED.iter().chain(&OWN).copied().collect();
        assert_eq!(known.len(), PASSED.len() + OWN.len());
        assert_eq!(found, known, "a new option of grade belongs into PASSED or OWN");
    }

    #[test]
    fn parts_get_the_options_that_change_how_they_judge() {
        let command = of(&[
            "p",
            "--slurm",
            "4",
            "-q",
            "--json",
            "r",
            "--cases",
            "a*",
            "--cases=b c",
            "--points",
            "groups",
            "--weight",
            "secret/1=2",
            "-j3",
            "--class",
            "x",
            "--no-cache",
            "--as",
            "kattis",
            "--slurm-option",
            "--time=1",
            "--html=h",
            "y",
        ]);
        let given: BTreeSet<_> = command.options.iter().map(|word| word.to_str().unwrap()).collect();
        let expected = [
            "--cases=a*",
            "--cases=b c",
            "--points=groups",
            "--weight=secret/1=2",
            "--class=always",
            "--no-cache",
            "--as=kattis",
        ];
        assert_eq!(given, BTreeSet::from(expected));
        assert_eq!((command.package, command.programs, command.jobs), ("p".into(), words(&["x", "y"]), Some(3)));
    }

    #[test]
    fn defaults_are_left_to_the_parts() {
        let command = of(&["p", "--slurm=1"]);
        assert_eq!(command, PartCommand { package: "p".into(), ..PartCommand::default() });
    }

    #[test]
    fn names_that_look_like_options_or_are_not_utf8_stay_as_they_are() {
        let mut arguments = words(&["referee", "grade", "p", "--slurm=1", "--", "-q"]);
        arguments.push(OsStr::from_bytes(b"\xff.py").to_owned());
        let command = of_arguments(arguments).unwrap();
        assert_eq!(command.programs, [OsString::from("-q"), OsStr::from_bytes(b"\xff.py").to_owned()]);
    }
}
