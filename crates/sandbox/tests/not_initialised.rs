//! Tests that a program without a call of `init` receives an error from each run, and that its binary is not executed
//! again.

use std::time::Duration;

use referee_sandbox::{Enforcement, Input, Limits, Mode, Overall, Program, Run, Sandbox, SandboxError};

#[test]
fn without_init_a_run_fails_and_nothing_is_enforced() {
    let program = Program::new(["/bin/true"], "/");
    let second = Duration::from_secs(1);
    let limits = Limits { cpu: second, wall: second, memory_bytes: 1 << 26, output_bytes: 1 << 20, until: None };
    for mode in [Mode::Auto, Mode::Strict, Mode::Off] {
        let sandbox = Sandbox::open(program.clone(), mode);
        let error = sandbox.run(&Run { arguments: Vec::new(), input: Input::Empty, limits }).unwrap_err();
        assert!(matches!(error, SandboxError::NotInitialised), "{error}");
        assert_eq!(
            error.to_string(),
            "the sandbox is not initialised; call init first in main, and init_before_main! in tests"
        );
    }
    let enforcement = Enforcement::of(Mode::Auto);
    assert_eq!(enforcement.overall, Overall::Partial);
    assert!(enforcement.missing().contains(&"files") && enforcement.missing().contains(&"memory"));
    assert!(enforcement.parts["files"].why.contains("not initialised"), "{:?}", enforcement.parts["files"]);
}
