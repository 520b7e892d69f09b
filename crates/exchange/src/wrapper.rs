//! Generates scripts that let programs written with testlib follow the protocol of the package format. The script
//! `build` compiles the programs; every judge calls the script `run` as the format specifies. Kattis, DOMjudge,
//! BAPCtools and this judge support both scripts.
//!
//! testlib's exit codes are 0 for ok, 1 for wrong answer, 2 for presentation error, 4 for dirt and 8 for unexpected end
//! of file. Code 3 (fail) and all other codes mean a fault of the package (`testlib.h`, `resultExitCode`). The format's
//! exit codes are 42 for accepted and 43 for wrong; any other code means a fault.

use std::fmt::Write as _;

/// A program to compile: the file name of its source, Polygon's name for its language (`cpp.g++17`), and the name of
/// the executable.
pub(super) struct WrappedProgram<'a> {
    pub(super) source: &'a str,
    pub(super) kind: &'a str,
    pub(super) executable: &'a str,
}

/// Returns a script that compiles the programs, whose sources are in the script's folder. `None` if a source is neither
/// C++ nor Python.
pub(super) fn build(programs: &[WrappedProgram<'_>]) -> Option<String> {
    let mut script = "#!/bin/sh\nset -e\n".to_owned();
    for WrappedProgram { source, kind, executable } in programs {
        let ending = source.rsplit_once('.').map_or("", |(_, ending)| ending);
        if is_cpp(ending) {
            let standard = ["23", "20"].into_iter().find(|year| kind.ends_with(&format!("++{year}"))).unwrap_or("17");
            let _ = writeln!(script, "c++ -std=gnu++{standard} -O2 -w -o {executable} {source}");
        } else if ending == "py" || ending == "py3" {
            let _ =
                writeln!(script, "printf '#!/bin/sh\\nexec python3 \"${{0%%/*}}/{source}\" \"$@\"\\n' > {executable}");
            let _ = writeln!(script, "chmod +x {executable}");
        } else {
            return None;
        }
    }
    Some(script)
}

/// Returns whether files with this extension are C++ sources.
pub(super) fn is_cpp(ending: &str) -> bool {
    ["cpp", "cc", "cxx", "c++", "C"].contains(&ending)
}

/// Shell code that converts the exit code of the last program to the format's exit code.
const VERDICT: &str = "\
case $? in
0) exit 42 ;;
1 | 2 | 4 | 8) exit 43 ;;
*) cat \"$feedback/judgemessage.txt\" >&2; exit 1 ;;
esac
";

/// Returns a script that runs a checker. The judge calls the script as `run in ans feedback [arguments] < output`, and
/// the script calls the checker as `checker in out ans`.
pub(super) fn run_checker() -> String {
    format!(
        "#!/bin/sh\n\
         # Runs a testlib checker as an output validator of the package format.\n\
         here=${{0%/*}} input=$1 answer=$2 feedback=${{3%/}}\n\
         \"$here/checker\" \"$input\" /dev/stdin \"$answer\" 2> \"$feedback/judgemessage.txt\" > /dev/null\n\
         {VERDICT}"
    )
}

/// Returns a script that runs an interactor as `interactor in tout ans`. If there is a checker and the interactor
/// accepts, the script then runs the checker on `tout`, the file that the interactor has written.
pub(super) fn run_interactor(with_checker: bool) -> String {
    let checker = if with_checker {
        "code=$?\n\
         [ $code = 0 ] || (exit $code) && \\\n\
         \"$here/checker\" \"$input\" \"$feedback/tout\" \"$answer\" 2>> \"$feedback/judgemessage.txt\" > /dev/null\n"
    } else {
        ""
    };
    format!(
        "#!/bin/sh\n\
         # Runs a testlib interactor, and then its checker if there is one, as an output validator.\n\
         here=${{0%/*}} input=$1 answer=$2 feedback=${{3%/}}\n\
         \"$here/interactor\" \"$input\" \"$feedback/tout\" \"$answer\" 2> \"$feedback/judgemessage.txt\"\n\
         {checker}{VERDICT}"
    )
}

/// Returns a script for a problem whose submissions run twice, each time with the interactor. What the interactor
/// writes in the first run becomes the input of the second run. A checker, if there is one, judges what the interactor
/// writes in the second run.
pub(super) fn run_twice(with_checker: bool) -> String {
    let checker = if with_checker {
        "\"$here/checker\" \"$input\" \"$feedback/tout\" \"$answer\" 2>> \"$feedback/judgemessage.txt\" > /dev/null\n"
    } else {
        "(exit 0)\n"
    };
    format!(
        "#!/bin/sh\n\
         # Runs a testlib interactor in both runs of a submission: its first output is its second input.\n\
         here=${{0%/*}} input=$1 answer=$2 feedback=${{3%/}}\n\
         [ -f \"$feedback/first\" ] && input=$feedback/second.in\n\
         \"$here/interactor\" \"$input\" \"$feedback/tout\" \"$answer\" 2> \"$feedback/judgemessage.txt\"\n\
         code=$?\n\
         if [ $code != 0 ]; then\n  (exit $code)\n\
         elif [ -f \"$feedback/first\" ]; then\n  input=$1\n  {checker}\
         else\n  : > \"$feedback/first\"\n  cp \"$feedback/tout\" \"$feedback/second.in\"\n  \
         cp \"$feedback/tout\" \"$feedback/nextpass.in\"\nfi\n\
         {VERDICT}"
    )
}

/// Returns a script that the judge calls as `run [arguments] < input`. The script runs a validator that exits with 0 if
/// the input is valid.
pub(super) fn run_validator() -> &'static str {
    "#!/bin/sh\n\
     # Runs a testlib validator as an input validator of the package format: exit code 42 means valid.\n\
     \"${0%/*}/validator\" \"$@\" && exit 42\n\
     exit 43\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_format_lets_scripts_use_is_wrapped() {
        let part = |source| WrappedProgram { source, kind: "cpp.gcc13-64-winlibs-g++20", executable: "checker" };
        assert!(build(&[part("check.cpp")]).unwrap().contains("-std=gnu++20 -O2 -w -o checker check.cpp\n"));
        assert!(build(&[part("check.py")]).unwrap().contains("exec python3"));
        assert_eq!(build(&[part("Check.java")]), None);
        assert_eq!(build(&[part("check.cpp"), part("check.dpr")]), None);
    }
}
