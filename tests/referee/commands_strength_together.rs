//! `referee strength` compiles the mutants of a program together, and runs a mutant on several test cases in one process,
//! with the same results as one by one.

use super::support::command::write;
use super::support::languages::MARKED_HEADERS;
use super::support::strength::{StrengthReport, larger, line, strength_of, strength_report, text};

/// Prints the larger of two numbers. With 128 as the value of a byte, it does not compile. With `2 + 2` instead of
/// `2 * 2`, javac writes the same class file.
const LARGER_IN_JAVA: &str = r"import java.util.Scanner;

class Larger {
    public static void main(String[] words) {
        Scanner in = new Scanner(System.in);
        int[] numbers = new int[2 * 2];
        numbers[0] = in.nextInt();
        numbers[1] = in.nextInt();
        int more = Pick.pick(2 * 2, numbers);
        byte most = 127;
        int larger;
        if (more < most - 127) larger = numbers[1];
        else larger = numbers[0];
        System.out.println(larger);
    }
}

class Pick {
    static int pick(int count, int[] numbers) {
        return count < 4 ? 0 : numbers[0] - numbers[1];
    }
}
";

/// Measures the Java program with the package's data. `languages` is the text of a file of languages.
fn measured(languages: Option<&str>) -> StrengthReport {
    let (_folder, package) = larger();
    write(&package, "submissions/accepted/larger.java", LARGER_IN_JAVA);
    let mut command = strength_of("accepted/larger.java", &package, &["--no-hunt", "--all-cases"]);
    if let Some(text) = languages {
        command.arg("--languages").arg(write(&package, "languages.toml", text));
    }
    strength_report(command)
}

/// Answers wrongly if it gets arguments, environment variables or files that a program compiled alone does not get.
const WATCHFUL: &str = r#"import java.io.File;
import java.util.Arrays;
import java.util.Scanner;

class Watchful {
    public static void main(String[] words) {
        String[] files = new File(".").list();
        Arrays.sort(files);
        boolean isUsual = words.length == 0 && Arrays.toString(files).equals("[Watchful.class, watchful.java]")
            && System.getenv().keySet().stream().sorted().toList().toString().equals("[HOME, LANG, PATH, TMPDIR]");
        Scanner in = new Scanner(System.in);
        int one = in.nextInt(), other = in.nextInt();
        System.out.println(isUsual ? one <= other ? other : one : -1);
    }
}
"#;

#[test]
#[ignore = "takes half a minute: many compilations"]
fn a_mutant_that_was_compiled_with_others_sees_what_it_sees_when_compiled_alone() {
    needs!("javac", "java");
    let (_folder, package) = larger();
    write(&package, "submissions/accepted/watchful.java", WATCHFUL);
    let told = strength_report(strength_of("accepted/watchful.java", &package, &["--no-hunt"]));
    // Of two equal numbers either may be printed. Every other mutant prints -1, or the wrong number.
    let survivors: Vec<_> = told.mutants.iter().filter(|mutant| text(mutant, "fate") == "survived").collect();
    let changes: Vec<_> = survivors.iter().map(|mutant| text(mutant, "operator")).collect();
    assert!(changes.contains(&"boundary"), "{:?}", fates(&told));
}

/// Prints the larger of two numbers. It begins with several headers. With 128 as the value of a signed character, it
/// does not compile. With the headers of [`MARKED`], it prints nothing.
const LARGER_IN_CPP: &str = r"// The larger of two numbers.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <vector>

int main() {
    std::vector<int> numbers(2);
    signed char most{127};
    int spare = 5;
#ifdef PRECOMPILED
    return 0;
#endif
    for (int& number : numbers) std::cin >> number;
    (void)spare;
    if (numbers[0] < 9000 + most) std::cout << std::max(numbers[0], numbers[1]) << '\n';
}
";

#[test]
#[ignore = "takes a minute: three measurements with a compiler process for each mutant"]
fn mutants_in_cpp_get_the_same_results_with_and_without_precompiled_includes() {
    needs!("g++");
    let measured = |languages: &str| {
        let (_folder, package) = larger();
        write(&package, "submissions/accepted/larger.cpp", LARGER_IN_CPP);
        // With more workers, several mutants are compiled without the headers while these are made.
        let mut command = strength_of("accepted/larger.cpp", &package, &["--no-hunt", "-j", "1"]);
        // Without this command, each mutant is compiled alone.
        let languages = format!("{languages}\ncompile_metamutant = []\n");
        command.arg("--languages").arg(write(&package, "languages.toml", &languages));
        strength_report(command)
    };
    let (with, without) =
        (measured("[[language]]\nid = \"cpp\"\n"), measured("[[language]]\nid = \"cpp\"\nheaders = []\n"));
    let marked = measured(MARKED_HEADERS);
    assert_eq!(fates(&with), fates(&without));
    for fate in ["not-compiled", "same-code", "killed"] {
        assert!(with.count(fate) > 0, "{fate}: {:?}", fates(&with));
    }
    // Mutants that were compiled with the marked headers return at once. So most of them have the same code.
    let (same, all) = (marked.count("same-mutant"), marked.mutants.len());
    assert!(2 * same > all, "{:?}", fates(&marked));
    assert!(2 * with.count("same-mutant") < all, "{:?}", fates(&with));
}

fn fates(told: &StrengthReport) -> Vec<String> {
    told.mutants.iter().map(line).collect()
}

#[test]
#[ignore = "takes half a minute: one of two measurements has a compiler process for each mutant"]
fn mutants_in_java_get_the_same_results_together_as_one_by_one() {
    needs!("javac", "java");
    let together = measured(None);
    // A file that changes `compile` removes the command that compiles several programs.
    let alone = measured(Some(
        "[[language]]\nid = \"java\"\ncompile = [\"{tool:javac}\", \"-encoding\", \"UTF-8\", \"-d\", \".\", \
         \"{sources}\"]\n",
    ));
    assert_eq!(fates(&together), fates(&alone));
    assert_eq!(together.count("not-compiled"), 1, "{:?}", fates(&together));
    assert!(together.count("killed") > 0 && together.count("same-code") > 0, "{:?}", fates(&together));
}

#[test]
#[ignore = "takes a minute: four measurements, most of them with a compiler process for each mutant"]
fn mutants_in_java_are_compiled_by_the_command_for_several_programs_and_alone_if_it_fails() {
    needs!("javac", "java");
    let usual = measured(None);
    let with = |words: &str| measured(Some(&format!("[[language]]\nid = \"java\"\ncompile_together = {words}\n")));
    // Without debug information, a mutant differs from the original, which is compiled alone.
    let differing = with(r#"["{home:javac}/bin/java", "CompileTogether.java", "-g:none"]"#);
    assert_eq!(differing.count("same-code"), 0, "{:?}", fates(&differing));
    assert_eq!(fates(&with(r#"["/bin/false"]"#)), fates(&usual));
    assert_eq!(fates(&with("[]")), fates(&usual));
}

/// Prints the larger of two numbers. With `2 + 2` instead of `2 * 2`, it compiles to the same code.
const FOLDED_IN_PYTHON: &str = r"
def larger(one, other):
    return other if one < other and 2 * 2 > one - one else one


print(larger(*map(int, input().split())))
";

#[test]
fn mutants_in_python_get_the_same_results_together_as_alone() {
    needs!("python3");
    let with = |words: Option<&str>| {
        let (_folder, package) = larger();
        write(&package, "submissions/accepted/larger.py", FOLDED_IN_PYTHON);
        let mut command = strength_of("accepted/larger.py", &package, &["--no-hunt", "--no-cache"]);
        if let Some(words) = words {
            let row = format!("[[language]]\nid = \"python3\"\ncompile_together = {words}\n");
            command.arg("--languages").arg(write(&package, "languages.toml", &row));
        }
        strength_report(command)
    };
    let usual = with(None);
    assert!(usual.count("same-code") > 0 && usual.count("killed") > 0, "{:?}", fates(&usual));
    for without in ["[]", r#"["/bin/false"]"#] {
        assert_eq!(fates(&with(Some(without))), fates(&usual));
    }
    // With another name of the compiled file, a mutant differs from the original, which is compiled alone.
    let differing = with(Some(r#"["{tool:python3}", "-I", "-O", "CompileTogether.py"]"#));
    assert_eq!(differing.count("same-code"), 0, "{:?}", fates(&differing));
}

/// Prints the larger of two numbers. Gives a wrong answer if its static variables are those of an earlier run. Some
/// mutants never end, and some are wrong only if the first number is at least 70.
const WITH_STATE: &str = r"import java.util.Scanner;

class Larger {
    static final Scanner IN = new Scanner(System.in);
    static int runs;

    public static void main(String[] words) {
        int[] numbers = new int[2];
        int read = 0;
        while (read < 2) numbers[read++] = IN.nextInt();
        System.out.println(larger(numbers[0], numbers[1]) + runs);
        runs++;
    }

    static int larger(int a, int b) {
        if (a < 70) return a < b ? b : a;
        return a - b > 0 ? a : b;
    }
}
";

/// Measures the Java program on many test cases.
fn measured_on_many(program: &str, arguments: &[&str]) -> StrengthReport {
    let (_folder, package) = larger();
    write(&package, "submissions/accepted/larger.java", program);
    for (number, (a, b)) in [(1, 5), (7, 2), (30, 9), (4, 44), (3, 8), (60, 6), (80, 90), (77, 5)].iter().enumerate() {
        write(&package, &format!("data/secret/z{number}.in"), &format!("{a} {b}\n"));
        write(&package, &format!("data/secret/z{number}.ans"), &format!("{}\n", a.max(b)));
    }
    let arguments = [&["--no-hunt", "--no-cache"], arguments].concat();
    strength_report(strength_of("accepted/larger.java", &package, &arguments))
}

#[test]
#[ignore = "takes a minute: each mutant is run on many test cases, in a process of its own for one of two measurements"]
fn mutants_in_java_get_the_same_results_in_a_shared_process_as_one_by_one() {
    needs!("javac", "java");
    let together = measured_on_many(WITH_STATE, &[]);
    let alone = measured_on_many(WITH_STATE, &["--one-by-one"]);
    assert_eq!(fates(&together), fates(&alone));
    // A mutant that survives is run alone on the first three of eleven test cases, and on the others together.
    let (survivors, shared) = (together.count("survived") as u64, together.sum["runs_together"].as_u64().unwrap());
    assert!(survivors > 0 && shared >= 8 * survivors, "{}", together.sum);
    let runs_alone = |told: &StrengthReport| told.sum["runs_alone"].as_u64().unwrap();
    assert_eq!(alone.sum["runs_together"], 0);
    assert_eq!(runs_alone(&alone), runs_alone(&together) + shared);
    // Only a test case that the mutant was run on in a shared process, before it was run alone, kills these mutants.
    let is_killed_late = |mutant: &serde_json::Value| text(mutant, "case") == "secret/z6";
    assert!(together.mutants.iter().any(is_killed_late), "{:?}", fates(&together));
    let verdicts = &together.sum["by_verdict"];
    assert!(verdicts["TLE"].as_u64() > Some(0) && verdicts["WA"].as_u64() > Some(0), "{verdicts}");
}

#[test]
#[ignore = "takes a minute: each mutant is run on many test cases in a process of its own"]
fn mutants_in_java_that_end_the_virtual_machine_are_run_alone() {
    needs!("javac", "java");
    let ends = WITH_STATE.replace("runs++;", "System.exit(0);");
    let (together, alone) = (measured_on_many(&ends, &[]), measured_on_many(&ends, &["--one-by-one"]));
    assert_eq!(fates(&together), fates(&alone));
    assert!(together.count("survived") > 0, "{:?}", fates(&together));
    // The mutant that does not end the virtual machine is the only one whose runs share a process.
    assert!(together.sum["runs_together"].as_u64() <= Some(8), "{}", together.sum);
}

/// Prints the larger of two numbers. In an interpreter that was kept warm, it fails instead of printing the wrong number.
/// Only there, it can signal all processes.
const LARGER_IN_PYTHON: &str = r"import os

first, second = [int(word) for word in input().split()]
larger = first
if first < second:
    larger = second
try:
    os.kill(-1, 0)
    assert larger == max(first, second)
except OSError:
    pass
print(larger)
";

#[test]
fn mutants_in_python_run_in_a_warm_interpreter_unless_they_run_one_by_one() {
    needs!("python3");
    let measured = |arguments: &[&str]| {
        let (_folder, package) = larger();
        write(&package, "submissions/accepted/larger.py", LARGER_IN_PYTHON);
        let arguments = [&["--no-hunt", "--no-cache", "--all-cases"], arguments].concat();
        strength_report(strength_of("accepted/larger.py", &package, &arguments))
    };
    let (warm, alone) = (measured(&[]), measured(&["--one-by-one"]));
    let killed = |told: &StrengthReport| (told.count("killed"), told.count("survived"));
    assert!(alone.count("killed") > 0, "{:?}", fates(&alone));
    assert_eq!(killed(&warm), killed(&alone), "{:?}\n{:?}", fates(&warm), fates(&alone));
    let runtime_errors = |told: &StrengthReport| told.sum["by_verdict"]["RTE"].as_u64().unwrap_or_default();
    assert!(runtime_errors(&warm) > runtime_errors(&alone), "{}\n{}", warm.sum, alone.sum);
}
