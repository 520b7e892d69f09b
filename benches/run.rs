//! Measures the cost of one run in the sandbox, compared with `posix_spawn` of the same program.
//!
//! `cargo bench --bench run` compiles four programs that do nothing. For each, it prints the median times of both kinds
//! of runs and their ratio. It prints the same for the first two programs with a gigabyte resident in the judge. Then
//! it prints the time to create a zygote, and the time from a limit to the end of the program. The two kinds of runs
//! alternate, so that other work on the machine affects both. Needs gcc and python3.

#![allow(clippy::expect_used, reason = "a benchmark that cannot run must fail")]

#[path = "support/ratios.rs"]
mod ratios;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use referee_sandbox::{Enforcement, Input, Limits, Mode, Program, Run, Sandbox};

/// The number of pairs of runs for each program.
const RUNS: usize = 1000;

/// A program in assembly, for x86-64. It uses no library, has no start-up code and makes one system call.
const RAW: &str = "void _start(void) { __asm__ volatile(\"mov $60, %eax; xor %edi, %edi; syscall\"); }";
#[cfg(target_arch = "aarch64")]
const RAW_AARCH64: &str = "void _start(void) { __asm__ volatile(\"mov x8, #93; mov x0, #0; svc #0\"); }";

fn main() {
    referee_sandbox::init(referee_judge::SANDBOX);
    // `cargo test --benches` only checks that the benchmark starts.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let programs = programs(folder.path());
    println!("sandbox: {:?}; medians of {RUNS} runs, in microseconds", Enforcement::of(Mode::Auto).overall);
    println!("{:<24}{:>14}{:>10}{:>8}", "", "posix_spawn", "sandbox", "ratio");
    for (name, command) in &programs {
        compare(name, command);
    }
    // Touch every page, so that the memory is resident.
    let mut gigabyte = vec![0u8; 1 << 30];
    gigabyte.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
    for (name, command) in &programs[..2] {
        compare(&format!("{name}, 1 GB"), command);
    }
    std::hint::black_box(&gigabyte);
    drop(gigabyte);
    zygotes(&programs[1].1);
    limits(folder.path());
}

fn programs(folder: &Path) -> Vec<(&'static str, Vec<OsString>)> {
    #[cfg(target_arch = "x86_64")]
    let raw = RAW;
    #[cfg(target_arch = "aarch64")]
    let raw = RAW_AARCH64;
    let nothing = "int main(void) { return 0; }";
    let compiled = |name: &str, source: &str, options: &[&str]| vec![compile(folder, name, source, options).into()];
    vec![
        ("raw static", compiled("raw", raw, &["-static", "-nostdlib"])),
        ("glibc static", compiled("static", nothing, &["-static"])),
        ("glibc dynamic", compiled("dynamic", nothing, &[])),
        ("Python", vec!["/usr/bin/python3".into(), "-c".into(), "pass".into()]),
    ]
}

fn compile(folder: &Path, name: &str, source: &str, options: &[&str]) -> PathBuf {
    let (program, text) = (folder.join(name), folder.join(format!("{name}.c")));
    std::fs::write(&text, source).expect("a source can be written");
    let status = Command::new("gcc").args(options).arg("-O2").arg("-o").args([&program, &text]).status();
    assert!(status.expect("gcc is installed").success(), "{name} compiles");
    program
}

fn sandbox(command: &[OsString]) -> Sandbox {
    let readable = command.iter().map(PathBuf::from).take(1).collect();
    Sandbox::open(Program { readable, ..Program::new(command, "/") }, Mode::Auto)
}

fn run(sandbox: &Sandbox) {
    let second = Duration::from_secs(1);
    let limits = Limits { cpu: second, wall: second * 5, memory_bytes: 1 << 28, output_bytes: 1 << 20, until: None };
    let outcome = sandbox.run(&Run { arguments: Vec::new(), input: Input::Empty, limits }).expect("it runs");
    assert_eq!(outcome.ended, referee_sandbox::Ended::Exited(0));
}

fn compare(name: &str, command: &[OsString]) {
    let sandbox = sandbox(command);
    let spawn = || {
        let mut spawned = Command::new(&command[0]);
        assert!(spawned.args(&command[1..]).env_clear().status().expect("it runs").success());
    };
    run(&sandbox);
    let (mut plain, mut sandboxed) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        plain.push(timed(spawn));
        sandboxed.push(timed(|| run(&sandbox)));
    }
    let (plain, sandboxed) = (median(&mut plain), median(&mut sandboxed));
    println!("{name:<24}{plain:>14.0}{sandboxed:>10.0}{:>8.2}", sandboxed / plain);
    ratios::record(&format!("run: {name}"), sandboxed / plain);
}

fn zygotes(command: &[OsString]) {
    let mut times: Vec<_> = (0..RUNS / 5)
        .map(|_| {
            let sandbox = sandbox(command);
            timed(|| drop(std::hint::black_box(sandbox.instance().expect("cannot create a zygote"))))
        })
        .collect();
    println!("{:<24}{:>24.0}", "creating a zygote", median(&mut times));
}

/// Measures the time from the moment a program reaches a limit until the judge reports the end of the program.
fn limits(folder: &Path) {
    let limit = Duration::from_millis(200);
    let sleeps = "#include <unistd.h>\nint main(void) { for (;;) { pause(); } }";
    let spins = "int main(void) { for (;;) { } }";
    for (name, text, cpu, wall) in
        [("wall time limit 200 ms", sleeps, limit * 50, limit), ("CPU time limit 200 ms", spins, limit, limit * 50)]
    {
        let sandbox = sandbox(&[compile(folder, "limited", text, &[]).into()]);
        let limits = Limits { cpu, wall, memory_bytes: 1 << 28, output_bytes: 1 << 20, until: None };
        let run = Run { arguments: Vec::new(), input: Input::Empty, limits };
        let over = || timed(|| drop(sandbox.run(&run).expect("it runs"))) - limit.as_secs_f64() * 1e6;
        let mut late: Vec<_> = (0..50).map(|_| over()).collect();
        let most = late.iter().copied().fold(f64::MIN, f64::max);
        println!("{name:<24}{:>24.0}  late, at most {most:.0}", median(&mut late));
    }
}

fn timed(work: impl FnOnce()) -> f64 {
    let started = Instant::now();
    work();
    started.elapsed().as_secs_f64() * 1e6
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
