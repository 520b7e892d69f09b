//! Finds out whether the code that initialises global variables could influence other copies.
//!
//! All copies initialise their variables whenever the metamutant starts, whichever copy then runs. That is harmless if
//! the code only fills its own variables. But if it reads the input, sets the seed of `rand` or changes `std::cout`,
//! each copy finds what all copies did together, and mutants of this code change all other copies.

use std::collections::HashSet;

use super::{Unit, is_local, is_of_globals};

/// Functions of libraries that change nothing but the memory they are given, or that only read a clock.
const HARMLESS: [&str; 26] = [
    "__cxa_atexit",
    "__cxa_begin_catch",
    "__cxa_end_catch",
    "__cxa_rethrow",
    "__stack_chk_fail",
    "_Unwind_Resume",
    "memset",
    "memcpy",
    "memmove",
    "memcmp",
    "strlen",
    "time",
    "clock",
    "acos",
    "asin",
    "atan",
    "atan2",
    "cos",
    "sin",
    "tan",
    "exp",
    "log",
    "log2",
    "log10",
    "pow",
    "sqrt",
];

/// The beginnings of the names of such functions in C++ (Itanium C++ ABI, section 5.1): the operators `new` and
/// `delete`, the initialisation of streams, strings, the trees and the prime numbers of containers, and clocks.
const HARMLESS_BEGINNINGS: [&str; 10] = [
    "_Znw",
    "_Zna",
    "_ZdlPv",
    "_ZdaPv",
    "_ZNSt8ios_base4Init",
    "_ZNSt7__cxx1112basic_string",
    "_ZNKSt7__cxx1112basic_string",
    "_ZSt29_Rb_tree_insert_and_rebalance",
    "_ZNKSt8__detail20_Prime_rehash_policy",
    "_ZNSt6chrono3_V2",
];

/// The variables of the C library for its streams.
const STREAMS_OF_C: [&str; 3] = ["stdin", "stdout", "stderr"];

/// The beginning of the names of functions and variables in `std`, such as `std::cout`.
const IN_STD: &str = "_ZSt";

/// Whether the code that initialises or destroys global variables calls a function that is neither in the metamutant nor
/// known to be harmless, or uses a variable of a library. GCC may write into `std::cout` without a call.
pub(super) fn may_influence_others(unit: &Unit<'_>) -> bool {
    let mut open: Vec<&str> = unit.blocks.keys().copied().filter(|label| is_of_globals(label)).collect();
    let mut seen: HashSet<&str> = open.iter().copied().collect();
    while let Some(symbol) = open.pop() {
        match unit.blocks.get(symbol) {
            Some(block) => {
                if block.lines.iter().any(|line| names_variable_of_library(unit, line)) {
                    return true;
                }
                let called = block.lines.iter().filter_map(|line| called(line));
                open.extend(called.filter(|symbol| seen.insert(symbol)));
            }
            None if is_harmless(symbol) => {}
            None => return true,
        }
    }
    false
}

fn is_harmless(symbol: &str) -> bool {
    HARMLESS.contains(&symbol)
        || HARMLESS_BEGINNINGS.iter().any(|beginning| symbol.starts_with(beginning))
        || symbol.starts_with(IN_STD) && symbol.contains("__throw_")
}

fn names_variable_of_library(unit: &Unit<'_>, line: &str) -> bool {
    let is_of_symbol = |letter: char| letter.is_ascii_alphanumeric() || "_.$".contains(letter);
    line.split(|letter| !is_of_symbol(letter)).any(|symbol| {
        let is_in_std = symbol.starts_with(IN_STD) && !unit.blocks.contains_key(symbol) && !is_harmless(symbol);
        STREAMS_OF_C.contains(&symbol) || is_in_std
    })
}

/// Returns the function to which the line calls or jumps; `None` if it does neither. A register stands for an unknown
/// function.
fn called(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let (instruction, operand) = (words.next()?, words.next()?);
    // The instructions of x86-64 and of AArch64.
    let is_branch = instruction.starts_with("call")
        || instruction.starts_with('j')
        || ["b", "bl", "br", "blr"].contains(&instruction)
        || instruction.starts_with("b.");
    let symbol = operand.strip_suffix("@PLT").unwrap_or(operand);
    // The rarely used part of a function belongs to its block.
    let is_inside = is_local(symbol) || symbol.contains(".cold");
    (is_branch && !is_inside).then_some(symbol)
}
