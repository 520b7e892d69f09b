//! Runs small C programs with the sandbox library.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use referee_sandbox::{Input, Limits, Mode, Outcome, Program, Run, Sandbox};

use super::program::compile_c;

/// Limits that none of these programs reaches.
pub(crate) const ROOMY: Limits = Limits {
    cpu: Duration::from_secs(20),
    wall: Duration::from_secs(60),
    memory_bytes: 1 << 30,
    output_bytes: 1 << 16,
    until: None,
};

/// Compiles the C program `text` as `name` in `folder`.
pub(crate) fn compiled(folder: &Path, name: &str, text: &str) -> PathBuf {
    let source = folder.join(format!("{name}.c"));
    std::fs::write(&source, text).expect("a source can be written");
    compile_c(&source, &folder.join(name))
}

/// Returns a sandbox for `program`.
pub(crate) fn sandbox(program: &Path) -> Sandbox {
    let readable = vec![program.to_path_buf()];
    Sandbox::open(Program { readable, ..Program::new([program], "/") }, Mode::Auto)
}

/// Runs the program once, with an empty input.
pub(crate) fn run(sandbox: &Sandbox, arguments: &[&str], limits: Limits) -> Outcome {
    let arguments = arguments.iter().map(OsString::from).collect();
    sandbox.run(&Run { arguments, input: Input::Empty, limits }).expect("the judge does not fail")
}
