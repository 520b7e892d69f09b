//! Programs of testlib behind the protocol of the package format: a script `build` that compiles them and a script
//! `run` that every judge calls as the format says. Kattis, DOMjudge, BAPCtools and this judge know both scripts.
//!
//! testlib's exit codes: 0 ok, 1 wrong answer, 2 presentation error, 4 dirt, 8 unexpected end of file; 3 (fail) and all
//! others are the package's fault (`testlib.h`, `resultExitCode`). The format's: 42, 43, and anything else a fault.

use std::fmt::Write as _;

/// A program to be compiled: its source's file name, Polygon's word for its language (`cpp.g++17`), and what it is
/// called afterwards.
pub(super) struct Part<'a> {
    pub(super) source: &'a str,
    pub(super) kind: &'a str,
    pub(super) called: &'a str,
}

/// The script that compiles the parts, in the folder it lies in. `None` where a source is in another language.
pub(super) fn build(parts: &[Part<'_>]) -> Option<String> {
    let mut script = "#!/bin/sh\nset -e\n".to_owned();
    for Part { source, kind, called } in parts {
        let ending = source.rsplit_once('.').map_or("", |(_, ending)| ending);
        if is_cpp(ending) {
            let standard = ["23", "20"].into_iter().find(|year| kind.ends_with(&format!("++{year}"))).unwrap_or("17");
            let _ = writeln!(script, "c++ -std=gnu++{standard} -O2 -w -o {called} {source}");
        } else if ending == "py" || ending == "py3" {
            let _ = writeln!(script, "printf '#!/bin/sh\\nexec python3 \"${{0%%/*}}/{source}\" \"$@\"\\n' > {called}");
            let _ = writeln!(script, "chmod +x {called}");
        } else {
            return None;
        }
    }
    Some(script)
}

/// Whether sources with this ending are C++.
pub(super) fn is_cpp(ending: &str) -> bool {
    ["cpp", "cc", "cxx", "c++", "C"].contains(&ending)
}

/// What turns the exit code of the last program into the format's.
const VERDICT: &str = "\
case $? in
0) exit 42 ;;
1 | 2 | 4 | 8) exit 43 ;;
*) cat \"$feedback/judgemessage.txt\" >&2; exit 1 ;;
esac
";

/// `run in ans feedback [arguments] < output`, for a checker `checker in out ans [report]`.
pub(super) fn run_checker() -> String {
    format!(
        "#!/bin/sh\n\
         # A checker of testlib as an output validator of the package format.\n\
         here=${{0%/*}} input=$1 answer=$2 feedback=${{3%/}}\n\
         \"$here/checker\" \"$input\" /dev/stdin \"$answer\" 2> \"$feedback/judgemessage.txt\" > /dev/null\n\
         {VERDICT}"
    )
}

/// The same for an interactor `interactor in tout [ans]`, after which the checker sees `tout`.
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
         # An interactor of testlib, and the checker of what it writes, as an output validator of the package format.\n\
         here=${{0%/*}} input=$1 answer=$2 feedback=${{3%/}}\n\
         \"$here/interactor\" \"$input\" \"$feedback/tout\" \"$answer\" 2> \"$feedback/judgemessage.txt\"\n\
         {checker}{VERDICT}"
    )
}

/// The same where the submission runs twice: what the interactor writes in the first run is the input of the second.
pub(super) fn run_twice(with_checker: bool) -> String {
    let checker = if with_checker {
        "\"$here/checker\" \"$input\" \"$feedback/tout\" \"$answer\" 2>> \"$feedback/judgemessage.txt\" > /dev/null\n"
    } else {
        "(exit 0)\n"
    };
    format!(
        "#!/bin/sh\n\
         # An interactor of testlib for two runs: what it writes in the first is the input of the second.\n\
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

/// `run [arguments] < input`, for a validator that ends with 0 where the input is valid.
pub(super) fn run_validator() -> &'static str {
    "#!/bin/sh\n\
     # A validator of testlib as an input validator of the package format: 42 is valid.\n\
     \"${0%/*}/validator\" \"$@\" && exit 42\n\
     exit 43\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_format_lets_scripts_use_is_wrapped() {
        let part = |source| Part { source, kind: "cpp.gcc13-64-winlibs-g++20", called: "checker" };
        assert!(build(&[part("check.cpp")]).unwrap().contains("-std=gnu++20 -O2 -w -o checker check.cpp\n"));
        assert!(build(&[part("check.py")]).unwrap().contains("exec python3"));
        assert_eq!(build(&[part("Check.java")]), None);
        assert_eq!(build(&[part("check.cpp"), part("check.dpr")]), None);
    }
}
