//! `referee completions`: prints completion scripts for shells.

use std::collections::BTreeSet;
use std::io::{self, Write};

use clap::builder::PossibleValuesParser;
use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;

use super::{Cli, Exit, Failure};
use crate::puzzles::bundled;
use referee_verify::Check;
use reference::registry::ALL;

/// Print the completion script of a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  referee completions bash > ~/.local/share/bash-completion/completions/referee
  referee completions zsh > ~/.zfunc/_referee        (a folder of your $fpath)
  referee completions fish > ~/.config/fish/completions/referee.fish")]
pub(super) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    // The generator panics if it cannot write, for example to a closed pipe. Therefore it writes to memory first.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut with_names(Cli::command()), "referee", &mut script);
    let script = String::from_utf8_lossy(&script);
    let script = match arguments.shell {
        Shell::Bash => for_bash(&script),
        Shell::Zsh => for_zsh(&script),
        Shell::Fish => for_fish(&script),
        _ => script.into_owned(),
    };
    io::stdout().write_all(script.as_bytes())?;
    Ok(Exit::AsExpected)
}

/// The commands whose first argument is a package, which may be a bundled one, and the name of that argument.
const OF_PACKAGES: [(&str, &str); 6] = [
    ("grade", "package"),
    ("hunt", "package"),
    ("strength", "package"),
    ("export", "package"),
    ("generate", "subject"),
    ("verify", "packages"),
];

/// The commands whose first argument is a puzzle, and the name of that argument.
const OF_PUZZLES: [(&str, &str); 3] = [("solve", "puzzle"), ("check", "puzzle"), ("crosscheck", "puzzles")];

/// Returns the command with the names of puzzles, solvers and checks as possible values. Only completions use it,
/// because the commands themselves say more about a wrong name.
fn with_names(command: Command) -> Command {
    let puzzles = || PossibleValuesParser::new(ALL.iter().map(|puzzle| puzzle.name()));
    let solvers: BTreeSet<_> = ALL.iter().flat_map(|puzzle| puzzle.solvers()).map(|solver| solver.name).collect();
    let checks = || PossibleValuesParser::new(Check::ALL.iter().map(|check| check.name()));
    let command = OF_PUZZLES.iter().fold(command, |command, (subcommand, argument)| {
        command.mut_subcommand(subcommand, |one| one.mut_arg(argument, |argument| argument.value_parser(puzzles())))
    });
    let command = command.mut_subcommand("solve", |solve| {
        solve.mut_arg("solver", |argument| argument.value_parser(PossibleValuesParser::new(solvers)))
    });
    ["only", "skip"].iter().fold(command, |command, option| {
        command.mut_subcommand("verify", |one| one.mut_arg(option, |argument| argument.value_parser(checks())))
    })
}

/// Lets bash offer bundled packages beside files, where the command takes a package.
fn for_bash(script: &str) -> String {
    let generated = script.replace("_referee() {", "_referee_options() {");
    let names = bundled::names().join("\\n");
    let commands = OF_PACKAGES.map(|(command, _)| command);
    let first = commands.map(|command| format!("{command},2")).join("|");
    let later = commands.map(|command| format!("{command},*")).join("|");
    let own = format!(
        "# A package is a bundled one or a path, and all other words that are no options are paths.
_referee() {{
    _referee_options \"$@\"
    if [[ $2 == -* || $3 == -* ]]; then
        return 0
    fi
    local names='' IFS=$'\\n'
    case \"${{COMP_WORDS[1]}},$COMP_CWORD\" in
        {first}|verify,*)
            names=$'{names}'
            ;;
        {later})
            ;;
        *)
            return 0
            ;;
    esac
    COMPREPLY=( $(compgen -W \"$names\" -- \"$2\") $(compgen -f -- \"$2\") )
    compopt -o filenames 2>/dev/null
    return 0
}}
"
    );
    // The last lines of the script name the function that completes.
    match generated.find("\nif [[ \"${BASH_VERSINFO[0]}\" -eq 4") {
        Some(at) => format!("{}\n{own}{}", &generated[..at], &generated[at..]),
        None => script.to_owned(),
    }
}

/// Lets zsh offer bundled packages beside files, where the command takes a package.
fn for_zsh(script: &str) -> String {
    let is_of_package = |line: &&str| {
        let line = line.trim_start();
        OF_PACKAGES.iter().any(|(_, name)| {
            [format!("':{name} "), format!("'*::{name} "), format!("'*:{name} ")]
                .iter()
                .any(|start| line.starts_with(start))
        })
    };
    let with_packages = |line: &str| match Some(line).filter(is_of_package) {
        Some(line) => line.replace(":_files'", ":_referee_packages'"),
        None => line.to_owned(),
    };
    let lines: Vec<_> = script.lines().map(with_packages).collect();
    let names = bundled::names().join(" ");
    let own = format!(
        "_referee_packages() {{\n    _alternative 'bundled:bundled package:({names})' 'files:file:_files'\n}}\n"
    );
    let text = lines.join("\n") + "\n";
    match text.find("\nif [ \"$funcstack[1]\" = \"_referee\" ]") {
        Some(at) => format!("{}\n{own}{}", &text[..at], &text[at..]),
        None => script.to_owned(),
    }
}

/// Lets fish offer bundled packages and puzzles beside files. The generator leaves out arguments that are no options.
fn for_fish(script: &str) -> String {
    let puzzles = ALL.iter().map(|puzzle| puzzle.name()).collect::<Vec<_>>().join(" ");
    let packages = bundled::names().join(" ");
    let of = |command: &str, names: &str| {
        format!("complete -c referee -n \"__fish_seen_subcommand_from {command}\" -a \"{names}\"\n")
    };
    let lines = OF_PACKAGES.iter().map(|(command, _)| of(command, &packages));
    let lines: String = lines.chain(OF_PUZZLES.iter().map(|(command, _)| of(command, &puzzles))).collect();
    format!("{script}{lines}")
}
