//! Tests that a program which calls `init` first in `main` can run programs. The programs must not inherit the signal
//! settings of Rust's start-up, which ignores SIGPIPE. This test has no harness, because the harness has its own
//! `main`.

use std::time::Duration;

use referee_sandbox::{Config, Ended, Input, Limits, Mode, Program, Run, Sandbox, SandboxError};

fn main() -> Result<(), SandboxError> {
    referee_sandbox::init(Config::new("early"));
    let program = Program::new(["/bin/sh", "-c", "kill -PIPE $$; echo not killed"], "/");
    let second = Duration::from_secs(1);
    let limits = Limits { cpu: second, wall: second, memory_bytes: 1 << 26, output_bytes: 1 << 20, until: None };
    for mode in [Mode::Auto, Mode::Off] {
        let run = Run { arguments: Vec::new(), input: Input::Empty, limits };
        let outcome = Sandbox::open(program.clone(), mode).run(&run)?;
        assert_eq!((outcome.ended, &*outcome.stdout), (Ended::Signaled(13), &b""[..]), "{mode:?}");
    }
    referee_sandbox::end_helpers();
    println!("1 passed, 0 failed");
    Ok(())
}
