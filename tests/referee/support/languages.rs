//! Files for `--languages`.

/// Precompiles the headers of C++ like the built-in table, and defines the macro `PRECOMPILED` in them, so that a program
/// can tell whether its header was precompiled.
pub(crate) const MARKED_HEADERS: &str = r#"
[[language]]
id = "cpp"
precompile = [
    "/bin/sh", "-c", "(cat \"$0\"; echo '#define PRECOMPILED') > own.h && \"$@\" -o \"$0.gch\" own.h", "{main}",
    "{tool:g++}", "-w", "-x", "c++-header", "-DONLINE_JUDGE", "{choice:standard of C++}", "-O2",
]
"#;
