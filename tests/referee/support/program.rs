//! Compiles C and C++ programs of the repository, and runs programs under limits. Skips tests that need what this
//! machine lacks.

use std::fs::File;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The maximum size of an output, in bytes. Right outputs are far smaller. A longer output is cut to this size and then
/// judged.
const OUTPUT_LIMIT_BYTES: u64 = 1 << 20;

/// The memory limit, in KiB. A search without a visited set reaches this limit before it exhausts the machine's memory.
const MEMORY_LIMIT_KIB: u32 = 2 << 20;

/// Skips a test if the machine lacks something that the test needs: prints the name of the test and the missing need,
/// and returns from the test. A need is the name of a tool, or a `Result` whose error names the missing thing. With a
/// single need, the macro evaluates to the value of that need.
macro_rules! needs {
    ($need:expr) => {
        match $crate::support::program::Need::find($need) {
            Ok(found) => found,
            Err(missing) => {
                $crate::support::program::print_skipped(&missing);
                return;
            }
        }
    };
    ($($need:expr),+) => {
        $(needs!($need);)+
    };
}

/// A requirement of a test that a machine may not meet.
pub(crate) trait Need {
    type Found;

    /// Checks whether the machine meets the need. Returns the value that the test uses, which is `()` for a tool.
    /// Otherwise, the error names the missing thing.
    fn find(self) -> Result<Self::Found, String>;
}

/// A required tool, by name. In continuous integration, a missing tool fails the test.
impl Need for &str {
    type Found = ();

    fn find(self) -> Result<(), String> {
        let found = Command::new(self).arg("--version").output().is_ok_and(|output| output.status.success());
        assert!(found || std::env::var_os("CI").is_none(), "{self} is missing, and CI is set");
        if found { Ok(()) } else { Err(format!("{self} is missing")) }
    }
}

impl<T> Need for Result<T, String> {
    type Found = T;

    fn find(self) -> Result<T, String> {
        self
    }
}

/// Prints that the test of this thread is skipped, and why.
pub(crate) fn print_skipped(why: &str) {
    eprintln!("skipped: {}: {why}", thread::current().name().unwrap_or("a test"));
}

/// Returns whether `tool` is installed. Without it, the test skips only the check `part`.
pub(crate) fn has(tool: &str, part: &str) -> bool {
    let found = Need::find(tool);
    if let Err(missing) = &found {
        print_skipped(&format!("{part}: {missing}"));
    }
    found.is_ok()
}

/// A folder that is removed when its value is dropped.
pub(crate) fn temporary_folder() -> TempDir {
    tempfile::Builder::new().prefix("referee-tests-").tempdir().expect("a temporary folder can be made")
}

/// Compiles the C++ program `source` into `folder`. Returns the path of the executable.
pub(crate) fn compile(source: &Path, folder: &Path) -> PathBuf {
    let program = folder.join("program");
    let mut command = Command::new("g++");
    command.args(["-O2", "-std=c++17", "-o"]).arg(&program).arg(source);
    let output = command.output().expect("g++ starts");
    assert!(output.status.success(), "{}:\n{}", source.display(), String::from_utf8_lossy(&output.stderr));
    program
}

/// Compiles the C program `source` to `program`.
pub(crate) fn compile_c(source: &Path, program: &Path) -> PathBuf {
    let output = Command::new("gcc").arg("-O2").arg("-o").args([program, source]).output().expect("gcc starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program.to_path_buf()
}

/// Copies a program. Another process makes the copy: if this process did, a child that another test starts meanwhile
/// could inherit the open copy, and the kernel would then refuse to run it.
pub(crate) fn copy_program(from: &Path, to: &Path) {
    let status = Command::new("cp").arg("--").args([from, to]).status().expect("cp starts");
    assert!(status.success(), "{} can be copied", from.display());
}

/// The end of a run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The program exited with this code.
    Exit(i32),
    /// This signal ended the program. The test did not send it.
    Signal(i32),
    /// The test killed the program at the time limit.
    TimeOut,
}

/// A finished run.
pub(crate) struct Run {
    pub(crate) ending: Ending,
    pub(crate) output: Vec<u8>,
    pub(crate) wall: Duration,
}

/// Runs `program` with `arguments` and standard input from the file `input`, for at most `limit`.
pub(crate) fn run(program: &Path, arguments: &[&Path], input: &Path, limit: Duration) -> Run {
    let start = Instant::now();
    let mut child = spawn(program, arguments, input);
    let end_of_output = collect(&mut child);
    let collected = end_of_output.recv_timeout(limit);
    let ending = wait(&mut child, start + limit);
    // The child has ended and its end of the pipe is closed, so the collector thread ends too.
    let output = collected.or_else(|_| end_of_output.recv()).expect("the collector sends once");
    Run { ending, output, wall: start.elapsed() }
}

/// Starts a shell that sets the memory limit and then executes the program. The program replaces the shell in the same
/// process, so killing this process kills the program.
fn spawn(program: &Path, arguments: &[&Path], input: &Path) -> Child {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -v {MEMORY_LIMIT_KIB}; exec \"$0\" \"$@\"")]);
    command.arg(program).args(arguments);
    command.stdin(File::open(input).expect("the input can be opened"));
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    command.spawn().expect("the program starts")
}

fn collect(child: &mut Child) -> Receiver<Vec<u8>> {
    let pipe = child.stdout.take().expect("standard output is a pipe");
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut output = Vec::new();
        let _ = pipe.take(OUTPUT_LIMIT_BYTES).read_to_end(&mut output);
        let _ = sender.send(output);
    });
    receiver
}

fn wait(child: &mut Child, deadline: Instant) -> Ending {
    loop {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            return status.code().map_or_else(|| Ending::Signal(status.signal().unwrap_or(0)), Ending::Exit);
        }
        if Instant::now() >= deadline {
            child.kill().expect("a child can be killed");
            child.wait().expect("a killed child can be waited for");
            return Ending::TimeOut;
        }
        thread::sleep(Duration::from_micros(200));
    }
}
