//! What the sandbox enforces on this machine, as a value that every report carries.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::cgroup;

/// What the user asked of the sandbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Mode {
    /// The strongest this machine can do, and say what that is.
    #[default]
    Auto,
    /// Everything, or refuse to run.
    Strict,
    /// Limits only; for debugging.
    Off,
}

/// How much is enforced in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Overall {
    /// Everything.
    Full,
    /// Something is missing.
    Partial,
    /// The user switched the sandbox off.
    Off,
}

/// How much of one part is enforced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Wholly.
    Enforced,
    /// In part.
    Partial,
    /// Not at all.
    Not,
}

impl State {
    /// The state in a word.
    pub fn word(self) -> &'static str {
        match self {
            State::Enforced => "enforced",
            State::Partial => "partial",
            State::Not => "not",
        }
    }
}

/// One part of the sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// How much of it is enforced.
    pub state: State,
    /// What that means here.
    pub why: String,
}

/// What is enforced, part by part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Enforcement {
    /// The sum of the parts.
    pub overall: Overall,
    /// Each part by its name.
    pub parts: BTreeMap<String, Part>,
}

/// The parts of the plain runner: name, state, why.
const PLAIN: [(&str, State, &str); 9] = [
    ("wall_time", State::Enforced, "monotonic clock; the process group is killed at the limit"),
    (
        "cpu_time",
        State::Partial,
        "the main process and the children it waits for; others are stopped by the wall limit",
    ),
    ("memory", State::Partial, "sampled, and the peak of the largest process at its end; not the sum over processes"),
    ("output", State::Enforced, "both pipes are cut at their caps and the program is killed"),
    ("processes", State::Partial, "the process group is killed after each run; a program that leaves it is not found"),
    ("files", State::Not, "the program sees and writes what the user running referee can"),
    ("network", State::Not, "the program can use the network"),
    ("system_calls", State::Not, "no filter is installed"),
    ("user", State::Not, "the program runs as the user running referee"),
];

/// What control groups change in that.
const GROUPED: [(&str, State, &str); 3] = [
    ("cpu_time", State::Enforced, "the clock of the program's control group: every process and thread, orphans too"),
    ("memory", State::Enforced, "the limit of the program's control group, kept by the kernel: all processes together"),
    ("processes", State::Enforced, "at most 512 at once; everybody in the control group is killed after each run"),
];

impl Enforcement {
    /// What the sandbox enforces under `mode`.
    pub fn of(mode: Mode) -> Self {
        let overall = if mode == Mode::Off { Overall::Off } else { Overall::Partial };
        let part = |(name, state, why): (&str, State, &str)| (name.to_owned(), Part { state, why: why.to_owned() });
        let mut parts: BTreeMap<_, _> = PLAIN.into_iter().map(part).collect();
        match (mode, cgroup::available()) {
            (Mode::Off, _) => {}
            (_, Ok(())) => parts.extend(GROUPED.into_iter().map(part)),
            (_, Err(reason)) => {
                for name in GROUPED.map(|(name, ..)| name) {
                    parts.entry(name.to_owned()).and_modify(|part| part.why = format!("{}; {reason}", part.why));
                }
            }
        }
        Enforcement { overall, parts }
    }

    /// The names of the parts that are not enforced at all.
    pub fn absent(&self) -> Vec<&str> {
        let absent = self.parts.iter().filter(|(_, part)| part.state == State::Not);
        absent.map(|(name, _)| name.as_str()).collect()
    }

    /// The names of the parts that are not wholly enforced, for a message.
    pub fn missing(&self) -> Vec<&str> {
        let lacking = self.parts.iter().filter(|(_, part)| part.state != State::Enforced);
        lacking.map(|(name, _)| name.as_str()).collect()
    }
}
