//! Tests the error that a program receives if its `main` ends before it calls `init`. This test has no harness, because
//! the harness has its own `main`.

use std::time::Duration;

use referee_sandbox::{Config, Input, Limits, Mode, Program, Run, Sandbox};

fn main() {
    // The spawner has no arguments and no environment variables except its mark. So a program that reads them before it
    // calls `init` may exit when it is executed as the spawner. This program does so.
    if std::env::var_os("PATH").is_none() {
        return;
    }
    referee_sandbox::init(Config::new("hasty"));
    let program = Program::new(["/bin/true"], "/");
    let second = Duration::from_secs(1);
    let limits = Limits { cpu: second, wall: second, memory_bytes: 1 << 26, output_bytes: 1 << 20, until: None };
    let run = Run { arguments: Vec::new(), input: Input::Empty, limits };
    let message =
        Sandbox::open(program, Mode::Auto).run(&run).map_err(|error| error.to_string()).err().unwrap_or_default();
    assert!(message.contains("main did not reach init; call init first in main"), "{message}");
    println!("1 passed, 0 failed");
}
