//! Translates the sandbox's enforcement report into the types of the crate `referee-event`.
//!
//! That crate has its own types, so that the crates that write reports need not depend on the sandbox.

use referee_event as event;
use referee_sandbox::{self as sandbox, Mode};

/// Returns the state of every part of the sandbox under `mode` on this machine.
pub fn enforcement(mode: Mode) -> event::Enforcement {
    let sandbox::Enforcement { overall, parts } = sandbox::Enforcement::of(mode);
    event::Enforcement {
        overall: match overall {
            sandbox::Overall::Full => event::Overall::Full,
            sandbox::Overall::Partial => event::Overall::Partial,
            sandbox::Overall::Off => event::Overall::Off,
        },
        parts: parts.into_iter().map(|(name, part)| (name, enforced_part(part))).collect(),
    }
}

/// Translates the state of one part of the sandbox.
pub fn enforced_part(part: sandbox::Protection) -> event::Protection {
    let sandbox::Protection { state, why, remedy } = part;
    let state = match state {
        sandbox::State::Enforced => event::State::Enforced,
        sandbox::State::Partial => event::State::Partial,
        sandbox::State::Not => event::State::Not,
    };
    event::Protection { state, why, remedy }
}
