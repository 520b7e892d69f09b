//! Tests the error that a program receives if it starts a thread before it calls `init`. This test has no harness,
//! because the harness has its own `main`.

use std::time::Duration;

use referee_sandbox::{Config, Input, Limits, Mode, Program, Run, Sandbox};

fn main() {
    std::thread::spawn(|| std::thread::sleep(Duration::from_secs(60)));
    referee_sandbox::init(Config::new("late"));
    let program = Program::new(["/bin/true"], "/");
    let second = Duration::from_secs(1);
    let limits = Limits { cpu: second, wall: second, memory_bytes: 1 << 26, output_bytes: 1 << 20, until: None };
    let run = Run { arguments: Vec::new(), input: Input::Empty, limits };
    let message =
        Sandbox::open(program, Mode::Auto).run(&run).map_err(|error| error.to_string()).err().unwrap_or_default();
    assert!(message.contains("started threads before it called init"), "{message}");
    println!("1 passed, 0 failed");
}
