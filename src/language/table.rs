//! The table of languages. A new one is a new row here, and its tools in [`super::tool`].

/// A language.
#[derive(Debug)]
pub struct Language {
    /// The format's name for it.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// Endings of its source files, without the dot.
    pub endings: &'static [&'static str],
    /// The file a folder's program starts with.
    pub main_file: Option<&'static str>,
    /// The entry point, unless the package names another.
    pub entry_point: &'static str,
    /// The ending of the file that the entry point is compiled to, where each class gets a file.
    pub entry_point_file: Option<&'static str>,
    /// How to compile: words, with `{tool:NAME}`, `{sources}`, `{main}`, `{folder}`, `{binary}`, `{heap}`, `{entry_point}`.
    pub compile: Option<&'static [&'static str]>,
    /// How to run.
    pub run: &'static [&'static str],
}

/// All languages. Options are those of contests: optimised, a recent standard, no native instructions, so that a
/// verdict does not depend on the processor.
pub static TABLE: &[Language] = &[
    Language {
        id: "c",
        name: "C",
        endings: &["c"],
        main_file: None,
        entry_point: "",
        entry_point_file: None,
        compile: Some(&["{tool:gcc}", "-x", "c", "-std=gnu17", "-O2", "-o", "{binary}", "{sources}", "-lm"]),
        run: &["{binary}"],
    },
    Language {
        id: "cpp",
        name: "C++",
        endings: &["cc", "cpp", "cxx", "c++", "C"],
        main_file: None,
        entry_point: "",
        entry_point_file: None,
        compile: Some(&["{tool:g++}", "-x", "c++", "-std=gnu++20", "-O2", "-o", "{binary}", "{sources}"]),
        run: &["{binary}"],
    },
    Language {
        id: "java",
        name: "Java",
        endings: &["java"],
        main_file: None,
        entry_point: "Main",
        entry_point_file: Some("class"),
        compile: Some(&["{tool:javac}", "-encoding", "UTF-8", "-d", ".", "{sources}"]),
        // One collector thread and a fixed stack: the run-time's own threads would be billed to the program.
        run: &["{tool:java}", "-XX:+UseSerialGC", "-Xss64m", "{heap}", "-cp", "{folder}", "{entry_point}"],
    },
    Language {
        id: "python3",
        name: "Python 3",
        endings: &["py", "py3"],
        main_file: Some("__main__.py"),
        entry_point: "",
        entry_point_file: None,
        // Compiling finds syntax errors before the first test case does. Isolated, so that a source called
        // py_compile.py is compiled and not run.
        compile: Some(&["{tool:python3}", "-I", "-m", "py_compile", "{sources}"]),
        run: &["{tool:python3}", "{main}"],
    },
    Language {
        id: "rust",
        name: "Rust",
        endings: &["rs"],
        main_file: Some("main.rs"),
        entry_point: "",
        entry_point_file: None,
        compile: Some(&["{tool:rustc}", "--edition=2021", "-O", "-o", "{binary}", "{main}"]),
        run: &["{binary}"],
    },
];
