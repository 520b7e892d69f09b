//! Describes the machine and its software. Results depend on both, and several machines may share one folder of
//! results.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use referee_language::software;

/// Fields of `/proc/cpuinfo` that identify the model of a processor.
const PROCESSOR_FIELDS: [&str; 10] = [
    "vendor_id",
    "cpu family",
    "model",
    "model name",
    "stepping",
    "CPU implementer",
    "CPU variant",
    "CPU part",
    "uarch",
    "cpu",
];

/// Number of bytes of `/proc/cpuinfo` that are read. They cover the first processor.
const PROCESSOR_BYTES: u64 = 4 << 10;

/// Returns facts about the machine and its software. If the processor, the kernel or an installed library changes, at
/// least one of these facts changes. All of them can be read within a few milliseconds.
pub(crate) fn facts() -> Vec<String> {
    let system = rustix::system::uname();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let machine = [
        format!("{:?} {:?}", system.machine(), system.release()),
        format!("{cores} cores, {} bytes", referee_sandbox::machine_memory_bytes()),
    ];
    let software = software::SYSTEM.iter().map(|path| software::stamp(Path::new(path)));
    machine.into_iter().chain(processor()).chain(software).collect()
}

fn processor() -> Vec<String> {
    let mut text = Vec::new();
    let read = File::open("/proc/cpuinfo").and_then(|file| file.take(PROCESSOR_BYTES).read_to_end(&mut text));
    let text = if read.is_ok() { String::from_utf8_lossy(&text) } else { "".into() };
    let first = text.lines().take_while(|line| !line.is_empty());
    let counts = |line: &&str| line.split_once(':').is_some_and(|(name, _)| PROCESSOR_FIELDS.contains(&name.trim()));
    first.filter(counts).map(str::to_owned).collect()
}
