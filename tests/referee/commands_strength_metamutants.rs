//! `referee strength` compiles the mutants of a C++ program into one program, a metamutant. The report is the same as
//! if each mutant had been compiled alone.

use std::fs;
use std::path::Path;

use super::support::command::write;
use super::support::person::copy_folder;
use super::support::program::temporary_folder;
use super::support::strength::{StrengthReport, larger, line, strength_of, strength_report};

/// Prints the larger of two numbers. Answers wrongly if it gets arguments. Some of its mutants do not compile, have the
/// same code as the program or as another mutant, or survive.
const LARGER: &str = r"#include <iostream>
using namespace std;

#define first_of(pair) (pair)[0]

struct Pair {
    long long numbers[4] = {};
    long long& operator[](int index) { return numbers[index]; }
};

signed char most{127};
int unused = 5;

long long larger(Pair pair) {
    if (first_of(pair) < pair[1]) return pair[1];
    return pair[0];
}

signed main(int count, char **arguments) {
    if (count > 1 || arguments[1]) return 1;
    Pair pair;
    for (int at = 0; at < 2; ++at) cin >> pair[at];
    cout << larger(pair) << '\n';
#ifdef MARKED
    if (larger(pair) < pair[0] || larger(pair) < pair[1]) __builtin_trap();
#endif
}
";

/// The command of the built-in table for metamutants, with `MARKED` defined.
const MARKED: &str = r#"
[[language]]
id = "cpp"
compile_metamutant = [
    "{tool:g++}", "-DMARKED", "-w", "-fno-diagnostics-show-caret", "-x", "c++", "-DONLINE_JUDGE",
    "{choice:standard of C++}", "-O2", "-fno-ipa-icf", "-save-temps=obj", "-o", "{binary}", "{sources}",
    "{choice:static C++}",
]
"#;

/// Measures the program with the package's data. `languages` is the text of a file of languages.
fn measured(program: &str, languages: &str, arguments: &[&str]) -> StrengthReport {
    let (_folder, package) = larger();
    write(&package, "submissions/accepted/larger.cpp", program);
    let arguments = [&["--no-hunt", "--no-cache"], arguments].concat();
    let mut command = strength_of("accepted/larger.cpp", &package, &arguments);
    command.arg("--languages").arg(write(&package, "languages.toml", languages));
    strength_report(command)
}

fn fates(told: &StrengthReport) -> Vec<String> {
    told.mutants.iter().map(|mutant| format!("{} {}", line(mutant), mutant["same_as"])).collect()
}

#[test]
fn mutants_in_cpp_get_the_same_results_in_a_metamutant_as_one_by_one() {
    needs!("g++");
    let (together, alone) = (measured(LARGER, "", &[]), measured(LARGER, "", &["--one-by-one"]));
    assert_eq!(fates(&together), fates(&alone));
    for fate in ["not-compiled", "same-code", "same-mutant", "killed", "survived"] {
        assert!(together.count(fate) > 0, "{fate}: {:?}", fates(&together));
    }
    // In a metamutant that is compiled with MARKED, a wrong answer becomes a runtime error. The unchanged program still
    // gets the same results.
    let marked = measured(LARGER, MARKED, &[]);
    let fates_of_survivors = |told: &StrengthReport| (told.count("killed"), told.count("survived"));
    assert_eq!(fates_of_survivors(&marked), fates_of_survivors(&together));
    assert!(marked.verdicts("RTE") > together.verdicts("RTE"), "{}", marked.sum);
}

#[test]
#[ignore = "takes half a minute: two measurements with a compiler process for each mutant"]
fn a_metamutant_whose_copy_of_the_program_fails_is_not_used() {
    needs!("g++");
    let program = LARGER.replace("if (larger(pair) < pair[0]", "if (true || larger(pair) < pair[0]");
    let (with, without) = (measured(&program, MARKED, &[]), measured(&program, "", &["--one-by-one"]));
    assert_eq!(fates(&with), fates(&without));
    assert!(with.count("killed") > 0);
}

#[test]
#[ignore = "takes half a minute: two measurements with a compiler process for each mutant"]
fn mutants_of_code_that_runs_before_main_get_the_same_results_as_one_by_one() {
    needs!("g++");
    // The compiler puts the code of such a function into the code that initialises the variables of all copies.
    let program = LARGER.replace("#include", "#include <cstdlib>\n#include").replace(
        "int unused = 5;",
        "struct Setup { static int bonus() { int start = atoi(\"5\"); return start - 5; } };\nint unused = Setup::bonus();",
    );
    let program = program.replace("cout << larger(pair)", "cout << larger(pair) + unused");
    let (together, alone) = (measured(&program, "", &[]), measured(&program, "", &["--one-by-one"]));
    assert_eq!(fates(&together), fates(&alone));
    assert!(together.verdicts("WA") > measured(LARGER, "", &[]).verdicts("WA"), "{}", together.sum);
}

/// Prints the larger number. All copies in a metamutant would set the number of digits when it starts.
const SETS_DIGITS: &str = r"#include <iomanip>
#include <iostream>

static auto& shown = std::cout << std::fixed << std::setprecision(0);

int main() {
    double one, other;
    std::cin >> one >> other;
    std::cout << (one < other ? other : one) << '\n';
}
";

#[test]
fn mutants_of_code_that_changes_a_library_before_main_get_the_same_results_as_one_by_one() {
    needs!("g++");
    let (together, alone) = (measured(SETS_DIGITS, "", &[]), measured(SETS_DIGITS, "", &["--one-by-one"]));
    assert_eq!(fates(&together), fates(&alone));
    let of_digits = |mutant: &&serde_json::Value| mutant["line"] == 4 && mutant["fate"] == "killed";
    assert!(together.mutants.iter().filter(of_digits).count() > 0, "{:?}", fates(&together));
}

#[test]
fn results_of_mutants_in_a_metamutant_are_cached() {
    needs!("g++");
    let (folder, package) = larger();
    write(&package, "submissions/accepted/larger.cpp", LARGER);
    let measured = |arguments: &[&str]| {
        let arguments = [&["--no-hunt"], arguments].concat();
        let mut command = strength_of("accepted/larger.cpp", &package, &arguments);
        command.env("XDG_CACHE_HOME", folder.path().join("cache"));
        strength_report(command)
    };
    let (sample, all, again) = (measured(&["--mutants", "14"]), measured(&[]), measured(&[]));
    let is_cached = |told: &StrengthReport| told.mutants.iter().filter(|mutant| mutant["cached"] == true).count();
    assert_eq!(is_cached(&sample), 0);
    assert_eq!(fates(&again), fates(&all));
    assert_eq!(is_cached(&again), again.mutants.len());
    // The metamutant of the sample is another one, so the code of its mutants cannot be compared with that of the
    // others.
    assert_eq!(fates(&measured(&["--no-cache"])), fates(&all));
}

/// Measures the validators of the package `halves`, as programs in C++.
fn measured_validators(languages: &str, arguments: &[&str]) -> StrengthReport {
    let folder = temporary_folder();
    let package = folder.path().join("halves");
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/strength/halves"), &package);
    let verdict = "return one + other == whole ? 42 : 43;";
    let marked = "int verdict = one + other == whole ? 42 : 43;\n#ifdef MARKED\n    if ((verdict == 42) != (one + other \
                  == whole)) __builtin_trap();\n#endif\n    return verdict;";
    for part in ["output_validator", "input_validators"] {
        let source = package.join(part).join("validate.c");
        let text = fs::read_to_string(&source).expect("the validator can be read");
        write(&package, &format!("{part}/validate.cpp"), &text.replace(verdict, marked));
        fs::remove_file(source).expect("the validator in C can be removed");
    }
    let declared = fs::read_to_string(package.join("equivalent_mutants.yaml")).expect("declarations can be read");
    write(&package, "equivalent_mutants.yaml", &declared.replace("validate.c:", "validate.cpp:"));
    let arguments = [&["--no-hunt", "--no-cache"], arguments].concat();
    let mut command = strength_of("*/validate.cpp", &package, &arguments);
    command.arg("--languages").arg(write(&package, "languages.toml", languages));
    strength_report(command)
}

#[test]
fn mutants_of_validators_get_the_same_results_in_a_metamutant_as_one_by_one() {
    needs!("g++");
    let (together, alone) = (measured_validators("", &[]), measured_validators("", &["--one-by-one"]));
    assert_eq!(fates(&together), fates(&alone));
    for fate in ["killed", "survived", "declared"] {
        assert!(together.count(fate) > 0, "{fate}: {:?}", fates(&together));
    }
    // In a metamutant that is compiled with MARKED, a wrong verdict becomes a judge error.
    let marked = measured_validators(MARKED, &[]);
    let errors = |told: &StrengthReport| told.mutants.iter().filter(|mutant| mutant["verdict"] == "JE").count();
    assert_eq!(marked.count("survived"), together.count("survived"));
    assert!(errors(&marked) > errors(&together), "{:?}", fates(&marked));
}
