//! Duplicate keys in a package's YAML files, tested with whole commands.

use predicates::prelude::*;
use predicates::str::contains;

use super::support::command::{referee, write};
use super::support::long_limits::sum_with_long_limits;
use super::support::program::temporary_folder;

/// Three packages of the Swedish olympiad have `input_validator_flags` twice in one testdata.yaml.
#[test]
fn a_package_with_two_flags_for_input_validators_is_graded_and_verified() {
    needs!("python3");
    let folder = temporary_folder();
    let package = sum_with_long_limits(folder.path());
    write(&package, "problem.yaml", "name: Sum\nlicense: unknown\n");
    write(&package, "data/secret/testdata.yaml", "input_validator_flags: n=1\ninput_validator_flags: n=2\n");
    let validator = "import sys\nsys.exit(42 if sys.argv[1:] in ([], ['n=2']) else 43)\n";
    write(&package, "input_validators/check.py", validator);
    let twice = "data/secret/testdata.yaml:2:1: the key \"input_validator_flags\" is given twice, and line 1 has another \
                 value; the value here counts, so remove the one in line 1";
    let run = |arguments: &[&str]| {
        let mut command = referee(arguments);
        command.arg(&package).env("COLUMNS", "400").assert()
    };
    run(&["grade", "--time-limit", "5", "-v"]).code(0).stderr(contains(twice));
    run(&["verify", "--only", "inputs"]).code(0).stdout(contains("2 inputs"));
    run(&["verify", "--only", "format"]).code(1).stdout(contains("warning: data/secret/testdata.yaml:2:1: the key"));
    write(&package, "data/secret/testdata.yaml", "output_validator_flags: a\noutput_validator_flags: b\n");
    let refused = "the key \"output_validator_flags\" is given twice, and line 1 has another value; remove one of them";
    run(&["grade", "--time-limit", "5"]).code(2).stderr(contains(refused).and(contains("testdata.yaml:2:1")));
    // Only the error about testdata.yaml is printed. The other findings do not prevent judging, so a note gives only
    // their number.
    write(&package, "problem.yaml", "name: Sum\nlicense: unknown\nlicense: cc0\n");
    let alone = "testdata.yaml:2:1: [^\n]*\nnote: there are [0-9]+ remarks on the package; `referee verify --only format [^`]*` lists them\n$";
    let alone = predicates::str::is_match(alone).expect("the pattern is right");
    run(&["grade", "--time-limit", "5"]).code(2).stderr(alone.and(contains("license").not()));
}
