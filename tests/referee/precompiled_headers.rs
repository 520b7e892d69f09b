//! Precompiled headers make compiling faster, and change no program. Most tests use a language of their own, whose
//! compiler is a shell script: its programs print `with` if they were compiled with a precompiled header.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use super::support::command::{json, of_type, referee, write};
use super::support::languages::MARKED_HEADERS;
use super::support::program::temporary_folder;

const LANGUAGE: &str = r#"
[[language]]
id = "script"
name = "Script"
endings = ["script"]
headers = ["x.h"]
precompile = ["/bin/sh", "-c", "echo 'echo with' > \"$0.gch\"", "{main}"]
compile = [
    "/bin/sh", "-c", "if [ $# -gt 0 ]; then cat \"$1/x.h.gch\"; else echo 'echo without'; fi > \"$0\"",
    "{binary}", "{headers}",
]
run = ["/bin/sh", "{binary}"]
"#;

/// A package whose answer is `with`, programs in the language [`LANGUAGE`], and a cache.
pub(super) struct Fixture {
    pub(super) folder: TempDir,
    package: PathBuf,
    language: String,
    /// Mechanisms of the sandbox that are turned off.
    without: &'static str,
}

impl Fixture {
    pub(super) fn new() -> Fixture {
        Fixture::of(LANGUAGE)
    }

    /// Returns a fixture whose programs are in this language.
    pub(super) fn of(language: &str) -> Fixture {
        let folder = temporary_folder();
        let package = package_of_one_case(folder.path());
        Fixture { folder, package, language: language.to_owned(), without: "" }
    }

    /// Turns mechanisms of the sandbox off.
    pub(super) fn without(self, mechanisms: &'static str) -> Fixture {
        Fixture { without: mechanisms, ..self }
    }

    /// Changes a part of the language.
    pub(super) fn replace(mut self, old: &str, new: &str) -> Fixture {
        assert!(self.language.contains(old), "{old}");
        self.language = self.language.replace(old, new);
        self
    }

    pub(super) fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    /// Returns the folders of the precompiled headers in the cache.
    pub(super) fn headers(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.cache().join("referee/headers")).into_iter().flatten();
        entries.map(|entry| entry.expect("an entry").path()).collect()
    }

    /// Grades one program for each of the numbers, and returns the verdicts.
    pub(super) fn verdicts(&self, numbers: std::ops::Range<u32>, options: &[&str]) -> Vec<String> {
        self.verdicts_of(&self.sources(numbers), options)
    }

    fn sources(&self, numbers: std::ops::Range<u32>) -> Vec<PathBuf> {
        let text = |number| format!("#include <x.h>\n{number}\n");
        numbers.map(|number| write(self.folder.path(), &format!("{number}.script"), &text(number))).collect()
    }

    pub(super) fn verdicts_of(&self, sources: &[PathBuf], options: &[&str]) -> Vec<String> {
        let lines = self.graded(sources, options);
        let verdict = |line: &Value| line["verdict"].as_str().unwrap_or("-").to_owned();
        of_type(&lines, "submission_finished").into_iter().map(verdict).collect()
    }

    /// Grades the programs, one after the other, and returns the lines of the report.
    fn graded(&self, sources: &[PathBuf], options: &[&str]) -> Vec<Value> {
        let language = write(self.folder.path(), "language.toml", &self.language);
        let mut command = referee(["grade", "-j", "1", "--languages"]);
        command.arg(language).arg(&self.package).args(sources).args(options).env("XDG_CACHE_HOME", self.cache());
        command.env("REFEREE_SANDBOX_WITHOUT", self.without);
        json(command).1
    }
}

/// Writes a package whose answer is `with`. Its compiler may take a minute, the
/// default, so that a busy machine can compile long programs.
fn package_of_one_case(folder: &Path) -> PathBuf {
    let package = folder.join("with");
    write(&package, "problem.yaml", "problem_format_version: 2025-09\nname: With\ntype: pass-fail\nuuid: x\n");
    write(&package, "data/secret/1.in", "\n");
    write(&package, "data/secret/1.ans", "with\n");
    package
}

#[test]
fn a_header_is_made_for_the_fourth_program_and_then_comes_from_the_cache() {
    let fixture = Fixture::new();
    assert_eq!(fixture.verdicts(0..5, &[]), ["WA", "WA", "WA", "AC", "AC"]);
    assert_eq!(fixture.headers().len(), 1);
    assert_eq!(fixture.verdicts(5..6, &[]), ["AC"]);
    // The key of a compiled program does not depend on the header.
    assert_eq!(fixture.verdicts(0..6, &[]), ["WA", "WA", "WA", "AC", "AC", "AC"]);
}

#[test]
fn of_many_programs_the_first_has_a_header() {
    let fixture = Fixture::new();
    assert_eq!(fixture.verdicts(0..8, &[]), ["AC"; 8]);
    assert_eq!(fixture.headers().len(), 1);
}

#[test]
fn without_a_cache_a_header_lives_as_long_as_the_run() {
    let fixture = Fixture::new();
    for _ in 0..2 {
        assert_eq!(fixture.verdicts(0..5, &["--no-cache"]), ["WA", "WA", "WA", "AC", "AC"]);
    }
    assert!(fixture.headers().is_empty());
}

#[test]
fn a_file_of_languages_can_turn_precompiling_off() {
    for (old, new) in [
        ("headers = [\"x.h\"]", "headers = []"),
        ("headers = [\"x.h\"]", "headers = [\"y.h\"]"),
        ("\"{binary}\", \"{headers}\"", "\"{binary}\""),
    ] {
        let fixture = Fixture::new().replace(old, new);
        assert_eq!(fixture.verdicts(0..5, &[]), ["WA"; 5], "{new}");
        assert!(fixture.headers().is_empty(), "{new}");
    }
}

#[test]
fn a_damaged_header_is_not_used() {
    type Damage = fn(&Path);
    let damages: [(&str, Damage); 3] = [
        ("bytes", |entry| fs::write(entry.join("files/headers/x.h.gch"), "echo evil\n").unwrap()),
        ("a file more", |entry| fs::write(entry.join("files/headers/y.h"), "").unwrap()),
        ("a file that others can write", |entry| {
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o666);
            fs::set_permissions(entry.join("files/headers/x.h.gch"), mode).unwrap();
        }),
    ];
    for (what, damage) in damages {
        let fixture = Fixture::new();
        fixture.verdicts(0..4, &[]);
        damage(&fixture.headers()[0]);
        assert_eq!(fixture.verdicts(4..9, &[]), ["WA", "WA", "WA", "AC", "AC"], "{what}");
    }
}

#[test]
fn a_header_that_cannot_be_made_is_no_error() {
    let fixture = Fixture::new().replace("echo 'echo with'", "exit 1; echo 'echo with'");
    assert_eq!(fixture.verdicts(0..6, &[]), ["WA"; 6]);
    assert!(fixture.headers().is_empty());
}

#[test]
fn a_program_that_does_not_compile_with_a_header_is_compiled_without() {
    let fixture = Fixture::new().replace("if [ $# -gt 0 ]; then", "if [ $# -gt 0 ]; then exit 1;");
    assert_eq!(fixture.verdicts(0..6, &[]), ["WA"; 6]);
}

#[test]
fn a_compile_error_is_that_of_the_ordinary_header() {
    let fixture = Fixture::new().replace(
        "if [ $# -gt 0 ]; then",
        "if [ $# -gt 0 ]; then echo precompiled >&2; else echo ordinary >&2; fi; exit 1; if false; then",
    );
    let lines = fixture.graded(&fixture.sources(0..5), &[]);
    let messages: Vec<_> = of_type(&lines, "build_finished").into_iter().map(|build| &build["message"]).collect();
    assert_eq!(messages, ["ordinary\n"; 5]);
    assert_eq!(fixture.headers().len(), 1, "the last programs had a header");
}

#[test]
fn a_program_with_other_files_or_other_first_tokens_is_compiled_without_a_header() {
    let fixture = Fixture::new();
    fixture.verdicts(0..4, &[]);
    let folder = |name: &str, files: &[(&str, &str)]| {
        let folder = fixture.folder.path().join(name);
        for (name, text) in files {
            write(&folder, name, text);
        }
        folder
    };
    let include = "#include <x.h>\n";
    let sources = [
        folder("two", &[("a.script", include), ("b.script", include)]),
        folder("one_of_two", &[("a.script", include), ("b.script", "#define x\n#include <x.h>\n")]),
        folder("beside", &[("a.script", include), ("x.h", "")]),
        folder("below", &[("a.script", include), ("x/x.h", "")]),
    ];
    assert_eq!(fixture.verdicts_of(&sources, &[]), ["AC", "WA", "WA", "WA"]);
}

#[test]
fn programs_can_neither_change_the_header_nor_see_it() {
    for without in ["", "namespaces", "cgroups", "namespaces,cgroups"] {
        // The compiler tries to change the header and makes a program that knows the header's path.
        let fixture = Fixture::new().replace(
            "cat \\\"$1/x.h.gch\\\"",
            "(echo evil > \\\"$1/x.h.gch\\\"; touch \\\"$1/y.h\\\"; rm -f \\\"$1/x.h\\\") 2> /dev/null; \
             cat \\\"$1/x.h.gch\\\"; echo \\\"ls $1 && echo seen; ls $1/.. && echo seen; \
             ls ../headers-* && echo seen; true\\\"",
        );
        let fixture = Fixture { without, ..fixture };
        assert_eq!(fixture.verdicts(0..6, &[]), ["WA", "WA", "WA", "AC", "AC", "AC"], "without {without}");
        assert_eq!(fixture.verdicts(6..7, &[]), ["AC"], "without {without}");
    }
}

/// Programs whose meaning could depend on how their header is read.
pub(super) const PROGRAMS: [&str; 14] = [
    "int main() { vector<int> v{3, 1, 2}; sort(v.begin(), v.end()); for (int x : v) cout << x << endl; }",
    "#pragma GCC optimize(\"O3,unroll-loops\")\n#pragma GCC target(\"avx2,bmi,popcnt\")\nint a[99];\n\
     int main() { long s = 0; for (int i = 0; i < 99; i++) s += a[i] * a[i]; cout << s << __builtin_popcountll(s); }",
    "#include <bits/stdc++.h>\n#include <iostream>\nint main() { map<string, int> m; m[\"a\"]++; cout << m.size(); }",
    "int main() { assert(cin.good()); cout << __FILE__ << __LINE__ << __COUNTER__ << __COUNTER__ << __INCLUDE_LEVEL__; }",
    "#define int long long\n#define all(x) (x).begin(), (x).end()\nsigned main() { set<int> s; cout << s.count(1); }",
    "#undef assert\n#undef NDEBUG\n#define NDEBUG\n#include <cassert>\nint main() { assert(false); cout << 1; }",
    "int main() { thread t([] { cout << 1; }); t.join(); mutex m; lock_guard<mutex> l(m); cout << fixed << 1.5L; }",
    "struct E : runtime_error { E() : runtime_error(\"e\") {} };\nint main() { try { throw E(); } catch (exception &e) \
     { cout << e.what() << typeid(e).name(); } }",
    "template <class T> T f(T x) { if constexpr (is_integral_v<T>) return x + 1; else return x; }\n\
     int main() { cout << f(1) << f(1.5) << f(string(\"a\")); }",
    "int main() { regex r(\"a+\"); cout << regex_search(\"baa\", r); mt19937 g(1); cout << g(); }",
    "static string s = \"static\"; thread_local int t = 1; int main() { function<int()> f = [] { return t; }; \
     cout << s << f() << hash<string>()(s); }",
    "#include <ext/pb_ds/assoc_container.hpp>\n#include <ext/pb_ds/tree_policy.hpp>\nusing namespace __gnu_pbds;\n\
     int main() { tree<int, null_type, less<int>, rb_tree_tag, tree_order_statistics_node_update> t; t.insert(1); \
     cout << t.order_of_key(2); }",
    "#ifdef ONLINE_JUDGE\nint main() { stringstream s; s << setw(5) << 1; cout << s.str() << __cplusplus; }\n#endif",
    "extern \"C\" int puts(const char *); int main() { asm volatile(\"nop\"); puts(\"\"); bitset<99> b; cout << b; }",
];

#[test]
fn the_compiler_uses_the_header() {
    needs!("g++");
    let fixture = Fixture::of(MARKED_HEADERS);
    let program = |number: usize| {
        let text = "int main() {\n#ifdef PRECOMPILED\n  std::cout << \"with\";\n#endif\n}\n";
        let text = format!("// {number}\n#include <iostream>\n{text}");
        write(fixture.folder.path(), &format!("{number}.cpp"), &text)
    };
    let sources: Vec<_> = (0..5).map(program).collect();
    assert_eq!(fixture.verdicts_of(&sources, &[]), ["WA", "WA", "WA", "AC", "AC"]);
}

/// The compiled programs of a cache, by their keys.
pub(super) type Compiled = BTreeMap<String, Vec<u8>>;

/// Grades the programs that begin with `header`, and returns them as they were compiled.
pub(super) fn compiled(header: &str, programs: &[&str], folder: &Path, options: &[&str], languages: &str) -> Compiled {
    let (cache, own) = (folder.join("cache"), write(folder, "own.toml", languages));
    let source = |(number, text): (usize, &&str)| {
        let text = format!("#include <{header}>\n#include <bits/stdc++.h>\nusing namespace std;\n{text}\n");
        write(&folder.join("sources"), &format!("{number}.cpp"), &text)
    };
    let sources: Vec<_> = programs.iter().enumerate().map(source).collect();
    let mut command = referee(["grade", "--languages"]);
    command
        .arg(own)
        .arg(package_of_one_case(folder))
        .args(options)
        .args(&sources)
        .env("XDG_CACHE_HOME", &cache)
        .timeout(Duration::from_secs(900));
    let (_, lines) = json(command);
    let builds = of_type(&lines, "build_finished");
    assert!(builds.len() == programs.len() && builds.iter().all(|build| build["ok"] == true), "{builds:?}");
    let entries = fs::read_dir(cache.join("referee/builds")).expect("programs are cached");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let program = |path: PathBuf| {
        let bytes = fs::read(path.join("files/program.out")).expect("a program");
        (path.file_name().expect("a name").to_string_lossy().into_owned(), bytes)
    };
    paths.map(program).collect()
}

/// Compiles the programs without precompiled headers, and with the header that the languages `languages` make. Returns
/// both.
pub(super) fn without_and_with(header: &str, programs: &[&str], options: &[&str], languages: &str) -> [Compiled; 2] {
    let (without, with) = (temporary_folder(), temporary_folder());
    let expected = compiled(header, programs, without.path(), options, &format!("{languages}headers = []\n"));
    let headers = || fs::read_dir(with.path().join("cache/referee/headers")).map_or(0, Iterator::count);
    // Programs with a pragma may use another header.
    let mut first = programs.to_vec();
    first.sort_by_key(|program| program.contains("#pragma"));
    first.truncate(4);
    compiled(header, &first, with.path(), options, languages);
    assert_eq!(headers(), 1, "the first programs make the header");
    for cached in ["builds", "results"] {
        fs::remove_dir_all(with.path().join("cache/referee").join(cached)).expect("the programs are removed");
    }
    [expected, compiled(header, programs, with.path(), options, languages)]
}

/// Compiles the programs without and with a precompiled header, and checks that this gives the same keys and the same
/// programs.
fn assert_same(header: &str, programs: &[&str], options: &[&str], languages: &str) {
    let row = if languages.is_empty() { "[[language]]\nid = \"cpp\"\n" } else { languages };
    let [expected, found] = without_and_with(header, programs, options, row);
    let differing = expected.iter().filter(|(key, program)| found.get(*key) != Some(program)).count();
    assert_eq!((expected.len(), differing), (programs.len(), 0), "{header} {options:?}");
}

#[test]
#[ignore = "takes half a minute: many long compilations"]
fn a_precompiled_header_changes_no_byte_of_a_program() {
    needs!("g++");
    assert_same("iostream", &PROGRAMS[..5], &[], "");
}

#[test]
#[ignore = "takes a minute: many long compilations"]
fn a_precompiled_header_of_the_whole_library_changes_no_byte_of_a_program() {
    needs!("g++");
    assert_same("bits/stdc++.h", &PROGRAMS, &[], "");
}

#[test]
#[ignore = "takes a minute: many long compilations"]
fn a_precompiled_header_changes_no_byte_of_a_program_compiled_as_on_other_judges() {
    needs!("g++");
    assert_same("bits/stdc++.h", &PROGRAMS[..4], &["--as", "domjudge"], "");
    // Kattis compiles with -g. Only the debugging information may differ, and the build id, which is a digest of it.
    // So this command leaves out both.
    let stripped = "[[language]]\nid = \"cpp\"\ncompile = [\n\"{tool:g++}\", \"-I{headers}\", \"-x\", \"c++\", \
                    \"-g\", \"-O2\", \"-std=gnu++23\", \"-s\", \"-Wl,--build-id=none\", \"-o\", \"{binary}\", \
                    \"{sources}\"]\n";
    assert_same("bits/stdc++.h", &PROGRAMS[..4], &["--as", "kattis"], stripped);
}
