//! A precompiled header contains the templates that its functions use, instantiated. This makes compiling faster, and
//! changes the programs only in the order of their functions.

use super::precompiled_headers::{Fixture, PROGRAMS, without_and_with};
use super::support::assembly::parts;
use super::support::command::write;

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
    let text = std::fs::read_to_string(fixture.headers()[0].join("files/headers/x.h")).expect("the header");
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
[[language]]
id = "cpp"
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
    let fixture = Fixture::of(ONLY_WITH_PLUGIN);
    let program = |number: usize| {
        let text = "int main() {\n#ifdef PRECOMPILED\n  std::cout << \"with\";\n#endif\n}\n";
        write(fixture.folder.path(), &format!("{number}.cpp"), &format!("// {number}\n#include <iostream>\n{text}"))
    };
    let sources: Vec<_> = (0..5).map(program).collect();
    assert_eq!(fixture.verdicts_of(&sources, &[]), ["WA", "WA", "WA", "AC", "AC"]);
}

/// Compiles to assembly language, with a section for each function and variable.
const ASSEMBLY: &str = r#"
[[language]]
id = "cpp"
compile = [
    "{tool:g++}", "-I{headers}", "-x", "c++", "-DONLINE_JUDGE", "{choice:standard of C++}", "-O2",
    "-ffunction-sections", "-fdata-sections", "-S", "-o", "{binary}", "{sources}",
]
"#;

#[test]
#[ignore = "takes half a minute: many long compilations"]
fn instantiated_templates_change_only_the_order_of_functions() {
    needs!("g++");
    let more = [
        "#pragma GCC optimize(\"O3\")\n#pragma GCC target(\"avx2\")\nint main() { regex r(\"a+\"); \
         cout << regex_search(\"baa\", r); vector<string> v{\"b\", \"a\"}; sort(v.begin(), v.end()); map<string, int> m; \
         m[v[0]] = 1; for (auto &[key, value] : m) cout << key << value; filesystem::path p(\"a\"); cout << p / v[0]; }",
        "int main() { promise<int> p; auto f = p.get_future(); p.set_value(3); cout << f.get(); any a = 1; \
         variant<int, string> v = \"s\"; cout << get<string>(v) << any_cast<int>(a); }",
        "int main() { filesystem::path p(\"a/b\"); cout << p / \"c\"; unordered_map<string, vector<int>> m; m[\"x\"]; \
         cout << m.size() << to_string(3) + \"x\" << chrono::duration_cast<chrono::seconds>(5min).count(); }",
        "int main() { string s, t; deque<string> d; while (getline(cin, s)) d.push_back(s + t); sort(d.begin(), d.end()); \
         priority_queue<pair<int, string>> q; q.push({1, s}); cout << q.top().second << stoi(d[0]) << complex<double>(1); }",
    ];
    let programs: Vec<_> = PROGRAMS.iter().chain(&more).copied().collect();
    let [without, with] = without_and_with("bits/stdc++.h", &programs, &[], ASSEMBLY);
    let (mut same_bytes, mut same_parts) = (0, 0);
    for (key, expected) in &without {
        let text = |program: &[u8]| String::from_utf8(program.to_vec()).expect("assembly language");
        same_bytes += usize::from(&with[key] == expected);
        same_parts += usize::from(parts(&text(&with[key])) == parts(&text(expected)));
    }
    assert_eq!((without.len(), same_parts), (programs.len(), programs.len()));
    assert!(same_bytes < programs.len(), "the header contains no instantiated templates");
}
