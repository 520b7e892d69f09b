//! With a plugin for GCC, a precompiled header contains the templates that its functions use, instantiated. This makes
//! compiling faster, and changes no output of a program.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use super::precompiled_headers::{Fixture, PROGRAMS, without_and_with};
use super::support::command::write;
use super::support::program::temporary_folder;

/// Changes the language of the fixture, whose compiler is a shell script: a program prints `with` only if its header was
/// made with a plugin, and if the line that instantiates templates was in the header while it was made.
fn with_plugin() -> Fixture {
    Fixture::new().replace(
        "precompile = [\"/bin/sh\", \"-c\", \"echo 'echo with' > \\\"$0.gch\\\"\", \"{main}\"]",
        "precompile_plugin = [\"/bin/sh\", \"-c\", \"test -s $1 && echo plugin > $0\", \"{binary}\", \"{sources}\"]\n\
         precompile = [\"/bin/sh\", \"-c\", \"grep -q '^#pragma referee' $0 && grep -q plugin $1 && \
         echo 'echo with' > $0.gch || echo 'echo plain' > $0.gch\", \"{main}\", \"{plugin}\"]",
    )
}

#[test]
fn the_plugin_makes_the_header_and_leaves_no_trace_in_it() {
    let fixture = with_plugin();
    assert_eq!(fixture.verdicts(0..5, &[]), ["WA", "WA", "WA", "AC", "AC"]);
    let files: Vec<_> = walkdir::WalkDir::new(fixture.headers()[0].join("files")).into_iter().flatten().collect();
    let names: Vec<_> = files.iter().map(|file| file.file_name().to_string_lossy()).collect();
    assert!(names.iter().all(|name| ["files", "headers", "x.h", "x.h.gch"].contains(&&**name)), "{names:?}");
    let text = fs::read_to_string(fixture.headers()[0].join("files/headers/x.h")).expect("the header");
    assert_eq!(text, "#include_next <x.h>\n");
}

#[test]
fn a_program_with_a_pragma_uses_a_header_without_instantiated_templates() {
    let fixture = with_plugin();
    assert_eq!(fixture.verdicts(0..4, &[]), ["WA", "WA", "WA", "AC"]);
    let source = |number: usize| {
        let line = ["#pragma pack(1)", "_Pragma(\"pack(1)\")"][number % 2];
        write(fixture.folder.path(), &format!("pragma{number}.script"), &format!("#include <x.h>\n{line}\n"))
    };
    let sources: Vec<_> = (0..4).map(source).collect();
    assert_eq!(fixture.verdicts_of(&sources, &[]), ["WA"; 4]);
    assert_eq!(fixture.headers().len(), 2, "the fourth of these programs made a header of its own");
}

#[test]
fn without_the_plugin_a_header_is_made_as_before() {
    for (old, new) in [
        // The plugin does not compile.
        ("test -s $1 && ", "false; test -s $1 && false && "),
        // The plugin compiles, but the compiler cannot load it.
        ("grep -q plugin $1 && ", "if [ $# -gt 1 ]; then exit 1; fi; true && "),
        // The language has no plugin.
        ("precompile_plugin = [", "precompile_plugin = []\nmain_files = ["),
    ] {
        let fixture = with_plugin().replace("echo plain", "echo with").replace("|| echo", "; echo").replace(old, new);
        assert_eq!(fixture.verdicts(0..5, &[]), ["WA", "WA", "WA", "AC", "AC"], "{new}");
    }
}

/// Precompiles the headers of C++ like the built-in table, but fails without the plugin, and defines the macro
/// `PRECOMPILED` in the headers.
const ONLY_WITH_PLUGIN: &str = r#"
precompile = [
    "/bin/sh", "-c", """
(cat "$0"; echo '#define PRECOMPILED') > own.h
plugin=$1 compiler=$2 && shift 2 && "$compiler" "$plugin" -w -x c++-header "$@" -o "$0.gch" own.h
""", "{main}", "-fplugin={plugin}", "{tool:g++}", "-DONLINE_JUDGE", "{choice:standard of C++}", "-O2",
]
"#;

#[test]
fn gcc_loads_the_plugin() {
    needs!("g++");
    let fixture = Fixture::of(&format!("[[language]]\nid = \"cpp\"\n{PLUGIN}{ONLY_WITH_PLUGIN}"));
    let program = |number: usize| {
        let text = "int main() {\n#ifdef PRECOMPILED\n  std::cout << \"with\";\n#endif\n}\n";
        write(fixture.folder.path(), &format!("{number}.cpp"), &format!("// {number}\n#include <iostream>\n{text}"))
    };
    let sources: Vec<_> = (0..5).map(program).collect();
    assert_eq!(fixture.verdicts_of(&sources, &[]), ["WA", "WA", "WA", "AC", "AC"]);
}

/// The line that the documentation names to turn the plugin on.
const PLUGIN: &str = r#"precompile_plugin = ["{tool:g++}", "-O1", "-fPIC", "-shared", "-nostdlib", "-o", "{binary}", "{sources}"]
"#;

/// Runs a compiled program, and returns its exit code and what it printed.
fn outcome(program: &[u8]) -> (Option<i32>, Vec<u8>) {
    let folder = temporary_folder();
    let path = folder.path().join("program");
    fs::write(&path, program).expect("the program is written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("the program can be run");
    let output = Command::new(path).stdin(Stdio::null()).output().expect("the program runs");
    (output.status.code(), output.stdout)
}

#[test]
#[ignore = "takes half a minute: many long compilations"]
fn instantiated_templates_change_no_output() {
    needs!("g++");
    let more = [
        "#pragma GCC optimize(\"O3\")\n#pragma GCC target(\"avx2\")\nint main() { regex r(\"a+\"); \
         cout << regex_search(\"baa\", r); vector<string> v{\"b\", \"a\"}; sort(v.begin(), v.end()); map<string, int> m; \
         m[v[0]] = 1; for (auto &[key, value] : m) cout << key << value; filesystem::path p(\"a\"); cout << p / v[0]; }",
        "int main() { promise<int> p; auto f = p.get_future(); p.set_value(3); cout << f.get(); any a = 1; \
         variant<int, string> v = \"s\"; cout << get<string>(v) << any_cast<int>(a); }",
        "int main() { filesystem::path p(\"a/b\"); cout << p / \"c\"; unordered_map<string, vector<int>> m; m[\"x\"]; \
         cout << m.size() << to_string(3) + \"x\" << chrono::duration_cast<chrono::seconds>(5min).count(); }",
        "int main() { string a = \"a\", b = \"b\", c = \"c\", d = \"d\"; cout << a << b << c << d; deque<string> q{a, b + c}; \
         sort(q.begin(), q.end()); priority_queue<pair<int, string>> p; p.push({1, d}); cout << p.top().second << q[0]; }",
    ];
    let programs: Vec<_> = PROGRAMS.iter().chain(&more).copied().collect();
    let language = format!("[[language]]\nid = \"cpp\"\n{PLUGIN}");
    let [without, with] = without_and_with("bits/stdc++.h", &programs, &[], &language);
    let outcomes: Vec<_> = without.iter().map(|(key, program)| (outcome(program), outcome(&with[key]))).collect();
    assert_eq!(outcomes.len(), programs.len());
    assert!(outcomes.iter().all(|(without, with)| without == with), "{outcomes:?}");
    assert!(without.iter().any(|(key, program)| &with[key] != program), "the header has no instantiated templates");
}

#[test]
fn the_documentation_says_how_to_turn_the_plugin_on() {
    let page = fs::read_to_string("docs/languages.md").expect("a page");
    let words =
        |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").replace("[ ", "[").replace(", ]", "]");
    assert!(words(&page).contains(&words(PLUGIN)), "{}", words(PLUGIN));
}
