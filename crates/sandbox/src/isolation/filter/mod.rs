//! The filter of system calls (seccomp, a program of classic BPF).
//!
//! It allows every call that solving a problem can need. The runtimes of the languages differ too much for a list of
//! the calls that they make. It refuses calls that open the kernel's most fragile parts (BPF, perf, `io_uring`, user
//! namespaces), that reach out of the sandbox (sockets, mounts, other processes), or that leave something behind where
//! the removal of processes and files does not find it (System V memory, message queues). System calls newer than this
//! list fail as unknown, and so do those of other architectures.
//!
//! Calls that are always allowed cost nothing, because the kernel (5.11) keeps a bitmap of them.

mod rules;

use libc::{BPF_ABS, BPF_ALU, BPF_AND, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W, sock_filter};

pub(super) use rules::About;
use rules::{REFUSED, REFUSED_HERE, Refusal, When, refused_for_some};

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xc000_00b7;

/// Numbers from here on belong to another way of calling the same kernel (x32), or to kernels newer than this list.
const UNKNOWN_FROM: u32 = 467;

/// Where the kernel puts what the filter looks at: `struct seccomp_data` of include/uapi/linux/seccomp.h.
const NUMBER_AT: u32 = 0;
const ARCHITECTURE_AT: u32 = 4;
/// The lower half of an argument; numbers, flags and commands have no other.
const fn argument_at(argument: u32) -> u32 {
    16 + 8 * argument + if cfg!(target_endian = "big") { 4 } else { 0 }
}

/// The filter's program.
pub(super) fn program(about: About) -> Vec<sock_filter> {
    let mut code = vec![
        load(ARCHITECTURE_AT),
        jump(BPF_JEQ, ARCHITECTURE, 1, 0),
        ret(libc::SECCOMP_RET_KILL_PROCESS),
        load(NUMBER_AT),
        jump(BPF_JGE, UNKNOWN_FROM, 0, 1),
        refuse(Refusal::Missing),
    ];
    for &number in REFUSED.iter().chain(REFUSED_HERE) {
        code.extend([jump(BPF_JEQ, number as u32, 0, 1), refuse(Refusal::NotPermitted)]);
    }
    for (number, when, refusal) in refused_for_some(about) {
        let test = tests(when, refusal);
        code.push(jump(BPF_JEQ, number as u32, 0, test.len() as u8));
        code.extend(test);
    }
    code.push(ret(libc::SECCOMP_RET_ALLOW));
    code
}

/// Returns the instructions after the number has matched: refuse, or load the number again and go on.
fn tests(when: When, refusal: Refusal) -> Vec<sock_filter> {
    match when {
        When::Always => vec![refuse(refusal)],
        When::AnyBit { argument, bits } => vec![
            load(argument_at(argument)),
            step(BPF_ALU | BPF_AND | BPF_K, bits),
            jump(BPF_JEQ, 0, 1, 0),
            refuse(refusal),
            load(NUMBER_AT),
        ],
        When::Is { argument, value } => {
            vec![load(argument_at(argument)), jump(BPF_JEQ, value, 0, 1), refuse(refusal), load(NUMBER_AT)]
        }
        When::IsNeither { argument, values: [one, other] } => vec![
            load(argument_at(argument)),
            jump(BPF_JEQ, one, 2, 0),
            jump(BPF_JEQ, other, 1, 0),
            refuse(refusal),
            load(NUMBER_AT),
        ],
    }
}

fn step(code: u32, k: u32) -> sock_filter {
    sock_filter { code: code as u16, jt: 0, jf: 0, k }
}

fn load(at: u32) -> sock_filter {
    step(BPF_LD | BPF_W | BPF_ABS, at)
}

fn jump(kind: u32, k: u32, if_true: u8, if_false: u8) -> sock_filter {
    sock_filter { code: (BPF_JMP | kind | BPF_K) as u16, jt: if_true, jf: if_false, k }
}

fn ret(action: u32) -> sock_filter {
    step(BPF_RET | BPF_K, action)
}

fn refuse(refusal: Refusal) -> sock_filter {
    let errno = match refusal {
        Refusal::NotPermitted => libc::EPERM,
        Refusal::Denied => libc::EACCES,
        Refusal::Missing => libc::ENOSYS,
        Refusal::Ignored => 0,
    };
    ret(libc::SECCOMP_RET_ERRNO | errno as u32)
}

#[cfg(test)]
mod tests;
