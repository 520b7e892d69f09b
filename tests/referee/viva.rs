//! Input validators that are grammars of VIVA. An installed VIVA checks the inputs with these grammars.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use serde_json::Value;

use super::support::command::{json, of_type, referee, sandbox_parts, write};
use super::support::program::temporary_folder;
use super::support::viva::{
    PROBLEM, package, path_that_begins_with, path_with_only, path_with_stand_in, real_viva, script,
};

/// Runs `verify` with this PATH, and returns the exit code, and the severity, place and message of every finding.
fn verified(package: &Path, checks: &str, path: &OsStr) -> (i32, Vec<String>) {
    let mut command = referee(["verify", "--only", checks]);
    command.arg(package).env("PATH", path);
    let (code, lines) = json(command);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let told =
        |line: &&Value| format!("{} {}: {}", text(&line["severity"]), text(&line["place"]), text(&line["message"]));
    (code, of_type(&lines, "verify_finding").iter().map(told).collect())
}

/// Checks the findings about inputs that the grammar must accept or reject, whichever VIVA is used. `fault` is the
/// message about the number 101.
fn assert_inputs_are_checked(path: &OsStr, fault: &str) {
    let folder = temporary_folder();
    let more = [
        ("data/secret/3.in", "101\n"),
        ("data/secret/3.ans", "1\n"),
        ("data/invalid_input/large.in", "1000\n"),
        ("data/invalid_input/twice.in", "5\n5\n"),
        ("data/invalid_input/legal.in", "5\n"),
        ("input_validators/broken.viva", "n [1 <= n];\n"),
        ("answer_validators/bit.viva", "n (1 <= n <= 1);\n"),
    ];
    let (code, findings) = verified(&package(folder.path(), &more), "inputs,answers", path);
    let wanted = [
        "error input_validators/broken.viva: the input validator broken is not run: VIVA cannot read the grammar: \
         Pattern parsing failed: Encountered ",
        &format!("error data/secret/3.in: the input validator range rejects the input: {fault}"),
        // The grammar that cannot be read might reject the input.
        "note data/invalid_input/legal.in: must be rejected, but is accepted by every input validator that could be run",
        "error data/secret/1.ans: the answer validator bit rejects the answer: At line 1 token 1: Failed constraint: ",
    ];
    let fits = findings.iter().zip(wanted).all(|(found, wanted)| found.starts_with(wanted));
    assert!(fits && findings.len() == wanted.len(), "{findings:#?}");
    assert_eq!(code, 1);
}

const FAULT: &str = "At line 1 token 1: Failed constraint: 1 <= n && n <= 100";

#[test]
fn inputs_and_answers_are_checked_by_a_grammar_whose_constants_are_replaced() {
    let folder = temporary_folder();
    assert_inputs_are_checked(&path_with_stand_in(folder.path()), FAULT);
}

#[test]
fn the_real_viva_checks_inputs_and_answers() {
    needs!(real_viva());
    assert_inputs_are_checked(&std::env::var_os("PATH").unwrap_or_default(), FAULT);
}

#[test]
fn corrupted_inputs_are_checked_by_the_grammar() {
    let folder = temporary_folder();
    let path = path_with_stand_in(folder.path());
    let (code, findings) = verified(&package(folder.path(), &[]), "junk-inputs", &path);
    // The stand-in does not see whether the last line ends with a line feed. It rejects all other corrupted inputs.
    let accepted = "warning : the input validators accept an input with no line feed at its end".to_owned();
    assert_eq!((code, findings), (0, vec![accepted]));
}

#[test]
fn who_has_no_viva_is_told_where_it_was_searched_and_what_to_do() {
    let folder = temporary_folder();
    let package = package(folder.path(), &[]);
    let none = path_with_only(folder.path(), &[]);
    let (code, findings) = verified(&package, "inputs", &none);
    let begin = "warning input_validators/range.viva: the input validator range is not run: it is a grammar of VIVA, and \
                 VIVA ";
    let of_all = "was not found in PATH: no command viva, no command verifyproblem of problemtools and no command bt of \
                  BAPCtools; install problemtools or BAPCtools, which contain VIVA, or put a command viva into PATH";
    assert_eq!((code, &findings[0]), (0, &format!("{begin}{of_all}")));
    // The message names an installation of problemtools without the jar file of VIVA.
    let lacking = script(&folder.path().join("without/bin"), "verifyproblem", "#!/bin/sh\n");
    let (_, findings) = verified(&package, "inputs", lacking.parent().unwrap().as_os_str());
    let of_one = format!(
        "no command viva and no command bt of BAPCtools; problemtools was found without viva.jar ({}); install \
         BAPCtools,",
        lacking.display()
    );
    assert!(findings[0].contains(&of_one), "{findings:?}");
    // A command that does not work is the fault of the machine, not of the package.
    let broken = script(&folder.path().join("broken"), "viva", "#!/bin/sh\necho 'no jar file' >&2\nexit 1\n");
    let (code, findings) = verified(&package, "inputs", &path_that_begins_with(broken.parent().unwrap()));
    let how = format!("{begin}({}) does not work: it ended with exit code 1 and said: no jar file", broken.display());
    assert_eq!((code, findings), (0, vec![how]));
}

#[test]
fn a_wrong_path_of_viva_is_reported_even_if_another_viva_is_installed() {
    let folder = temporary_folder();
    let package = package(folder.path(), &[]);
    // A problemtools whose VIVA is an empty file.
    let tools = folder.path().join("tools");
    script(&tools.join("bin"), "verifyproblem", "#!/bin/sh\n");
    write(&tools, "lib/python3.12/site-packages/problemtools/support/viva.jar", "");
    let jar = write(folder.path(), "plain.jar", "").display().to_string();
    let place = folder.path().display().to_string();
    let cases = [
        ("/no/such/viva.jar", String::new()),
        (jar.as_str(), ", which is not executable".to_owned()),
        (place.as_str(), ", which is a folder".to_owned()),
        ("~/no/such/viva.jar", String::new()),
    ];
    for path in [path_with_only(folder.path(), &[]), path_that_begins_with(&tools.join("bin"))] {
        for (named, fault) in &cases {
            let own = format!("[[tool]]\nname = \"viva\"\ncommands = [\"{named}\"]\n");
            let mut command = referee(["verify", "--only", "inputs"]);
            command.arg(&package).arg("--languages").arg(write(folder.path(), "own.toml", &own)).env("PATH", &path);
            let (code, lines) = json(command);
            let wanted = format!(
                "the input validator range is not run: it is a grammar of VIVA, and VIVA was not found at the path in the \
                 file of languages, {named}{fault}; correct the path, or remove the tool viva from that file to use the \
                 VIVA of problemtools or BAPCtools"
            );
            assert_eq!((code, &lines_of_findings(&lines)[0]), (0, &wanted));
        }
    }
}

fn lines_of_findings(lines: &[Value]) -> Vec<String> {
    let message = |line: &&Value| line["message"].as_str().unwrap_or_default().to_owned();
    of_type(lines, "verify_finding").iter().map(message).collect()
}

/// Writes a stand-in for VIVA. The stand-in accepts every grammar, and checks an input with the shell commands `check`.
/// Returns a PATH with which the stand-in is found.
fn path_with_viva_that_runs(folder: &Path, check: &str) -> OsString {
    let text = format!("#!/bin/sh\n[ $# -gt 1 ] || exit 0\necho '<<< Testing file >>>'\nread -r n <\"$2\"\n{check}\n");
    let viva = script(&folder.join("own"), "viva", &text);
    path_that_begins_with(viva.parent().unwrap())
}

#[test]
fn viva_has_the_limits_of_other_validators() {
    let folder = temporary_folder();
    let path = path_with_viva_that_runs(folder.path(), "if [ \"$n\" = 3 ]; then while :; do :; done; fi");
    let yaml = PROBLEM.replace("time_limit: 5", "time_limit: 5, validation_time: 1");
    let (code, findings) = verified(&package(folder.path(), &[("problem.yaml", &yaml)]), "inputs", &path);
    let slow = "error data/secret/1.in: the input validator range used more CPU time than the limit of 1 s allows";
    let is_told = |name: &str| findings.iter().any(|finding| finding.contains(name));
    assert!(is_told(slow) && !is_told("2.in") && code == 1, "{findings:?}");
}

#[test]
fn viva_sees_the_files_that_other_validators_see() {
    let folder = temporary_folder();
    let package = package(folder.path(), &[]);
    let outside = write(folder.path(), "outside", "");
    let check = format!("[ -e {}/problem.yaml ] && [ ! -e {} ]", package.display(), outside.display());
    let path = path_with_viva_that_runs(folder.path(), &check);
    let mut command = referee(["verify", "--only", "inputs"]);
    command.arg(&package).env("PATH", &path);
    let parts = sandbox_parts(command);
    needs!(if parts.get("files").is_none() {
        Ok(())
    } else {
        Err(format!("the sandbox does not hide files: {parts}"))
    });
    let (code, findings) = verified(&package, "inputs", &path);
    let is_rejected = findings.iter().any(|finding| finding.starts_with("error"));
    assert!(!is_rejected && code == 0, "{findings:?}");
}
