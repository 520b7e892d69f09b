//! The filter of system calls: seccomp with a program of classic BPF.
//!
//! The filter allows the calls that language runtimes need ([`allowed`]). Every other call fails with ENOSYS, as if the
//! kernel did not have it, so that calls of newer kernels are refused, too. Some calls fail with another error, because
//! programs handle that error better, and some are refused only for certain arguments ([`rules`]). The refused calls
//! open fragile parts of the kernel (BPF, perf, `io_uring`, user namespaces) or reach out of the sandbox (sockets,
//! mounts, other processes). Other refused calls make objects that remain after all processes are killed and all files
//! removed (System V memory, message queues). A call of another architecture kills the program.
//!
//! A call that is always allowed costs nothing, because the kernel (since 5.11) has a bitmap of such calls.

mod allowed;
mod rules;

use libc::{BPF_ABS, BPF_ALU, BPF_AND, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W, sock_filter};

pub(super) use rules::ProgramFacts;
use rules::{REFUSED, REFUSED_ON_THIS_ARCHITECTURE, Refusal, Rule, TO_KEEP_WARM, When, protecting, refused_for_some};

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xc000_00b7;

/// Offsets in `struct seccomp_data` of include/uapi/linux/seccomp.h, in bytes.
const NUMBER_AT: u32 = 0;
const ARCHITECTURE_AT: u32 = 4;
/// Returns the offset of the lower 32 bits of an argument. Process numbers, flags and commands fit into 32 bits.
const fn argument_at(argument: u32) -> u32 {
    16 + 8 * argument + if cfg!(target_endian = "big") { 4 } else { 0 }
}

/// Returns the filter's program.
pub(super) fn program(facts: ProgramFacts) -> Vec<sock_filter> {
    let mut code = vec![
        load(ARCHITECTURE_AT),
        jump(BPF_JEQ, ARCHITECTURE, 1, 0),
        ret(libc::SECCOMP_RET_KILL_PROCESS),
        load(NUMBER_AT),
    ];
    for number in TO_KEEP_WARM.into_iter().filter(|_| facts.keeps_warm) {
        code.extend([jump(BPF_JEQ, number as u32, 0, 1), ret(libc::SECCOMP_RET_ALLOW)]);
    }
    for &number in REFUSED.iter().chain(REFUSED_ON_THIS_ARCHITECTURE) {
        code.extend([jump(BPF_JEQ, number as u32, 0, 1), refuse(Refusal::NotPermitted)]);
    }
    code.extend(refused_for_some(facts).into_iter().flat_map(test));
    for (start, end) in allowed::ranges() {
        code.extend([
            // Numbers from `end` on belong to a later range, or to none.
            jump(BPF_JGE, end, 3, 0),
            jump(BPF_JGE, start, 0, 1),
            ret(libc::SECCOMP_RET_ALLOW),
            refuse(Refusal::Missing),
        ]);
    }
    code.push(refuse(Refusal::Missing));
    code
}

/// Returns a second filter, which only the programs of a zygote that keeps its program warm have. Their zygote has the
/// first one, which allows it the calls of [`TO_KEEP_WARM`]. `warm` is the process number of the warm process if the
/// program is forked from one.
pub(super) fn of_warm_programs(warm: Option<u32>) -> Vec<sock_filter> {
    let mut code = vec![load(NUMBER_AT)];
    code.extend(TO_KEEP_WARM.map(|number| (number, When::Always, Refusal::NotPermitted)).into_iter().flat_map(test));
    code.extend(warm.map(protecting).into_iter().flatten().flat_map(test));
    code.push(ret(libc::SECCOMP_RET_ALLOW));
    code
}

/// Whether the second filter refuses a system call with these arguments because it names the warm process `warm`.
#[cfg(target_arch = "x86_64")]
pub(super) fn protects(warm: u32, call: libc::c_long, arguments: [u64; 2]) -> bool {
    let names_it = |when| match when {
        When::Is { argument, value } => arguments.get(argument as usize).is_some_and(|&found| found as u32 == value),
        _ => false,
    };
    protecting(warm).into_iter().any(|(number, when, _)| number == call && names_it(when))
}

/// Returns the instructions for one rule. The number of the call is loaded before and after them.
fn test((number, when, refusal): Rule) -> Vec<sock_filter> {
    let test = conditional_refusal(when, refusal);
    std::iter::once(jump(BPF_JEQ, number as u32, 0, test.len() as u8)).chain(test).collect()
}

/// Returns the instructions that run if the number of the call matches. They refuse the call, or load its number again
/// for the next test.
fn conditional_refusal(when: When, refusal: Refusal) -> Vec<sock_filter> {
    match when {
        When::Always => vec![refuse(refusal)],
        When::AnyBit { argument, bits } => vec![
            load(argument_at(argument)),
            statement(BPF_ALU | BPF_AND | BPF_K, bits),
            jump(BPF_JEQ, 0, 1, 0),
            refuse(refusal),
            load(NUMBER_AT),
        ],
        When::Is { argument, value } => {
            vec![load(argument_at(argument)), jump(BPF_JEQ, value, 0, 1), refuse(refusal), load(NUMBER_AT)]
        }
        When::MaskedIs { argument, mask, value } => vec![
            load(argument_at(argument)),
            statement(BPF_ALU | BPF_AND | BPF_K, mask),
            jump(BPF_JEQ, value, 0, 1),
            refuse(refusal),
            load(NUMBER_AT),
        ],
        When::IsNeither { argument, values: [one, other] } => vec![
            load(argument_at(argument)),
            jump(BPF_JEQ, one, 2, 0),
            jump(BPF_JEQ, other, 1, 0),
            refuse(refusal),
            load(NUMBER_AT),
        ],
        When::IsWithout { key: [first, second] } => vec![
            load(argument_at(0)),
            jump(BPF_JEQ, first, 0, 2),
            load(argument_at(1)),
            jump(BPF_JEQ, second, 1, 0),
            refuse(refusal),
            load(NUMBER_AT),
        ],
    }
}

fn statement(code: u32, k: u32) -> sock_filter {
    sock_filter { code: code as u16, jt: 0, jf: 0, k }
}

fn load(at: u32) -> sock_filter {
    statement(BPF_LD | BPF_W | BPF_ABS, at)
}

fn jump(kind: u32, k: u32, if_true: u8, if_false: u8) -> sock_filter {
    sock_filter { code: (BPF_JMP | kind | BPF_K) as u16, jt: if_true, jf: if_false, k }
}

fn ret(action: u32) -> sock_filter {
    statement(BPF_RET | BPF_K, action)
}

fn refuse(refusal: Refusal) -> sock_filter {
    let errno = match refusal {
        Refusal::NotPermitted => libc::EPERM,
        Refusal::Denied => libc::EACCES,
        Refusal::ReadOnly => libc::EROFS,
        Refusal::NoMemory => libc::ENOMEM,
        Refusal::NotSupported => libc::EOPNOTSUPP,
        Refusal::Missing => libc::ENOSYS,
        Refusal::Ignored => 0,
    };
    ret(libc::SECCOMP_RET_ERRNO | errno as u32)
}

#[cfg(test)]
mod tests;
