//! Rules that say the same: they are carried out once.

use std::collections::HashMap;

use sha2::{Digest, Sha512};

use super::copy;
use super::ending::{Ending, HASHED};
use super::rules::{Case, Twin};
use referee_package::Package;

/// What a case is made of: for each file, a hash of what makes it. Solutions, retries, links and patterns do not
/// count, as they do not for BAPCtools.
type Makings = Vec<(Ending, [u8; 64])>;

/// Notes at each case the first one before it that is made of the same.
pub(super) fn find(cases: &mut [Case], package: &Package) {
    let mut known: HashMap<Makings, usize> = HashMap::new();
    for index in 0..cases.len() {
        let makings = makings(&cases[index], package);
        // Whether a missing file is the same cannot be known.
        if makings.is_empty() {
            continue;
        }
        let Some(&of) = known.get(&makings) else {
            known.insert(makings, index);
            continue;
        };
        // Repetitions of one rule stand at one place.
        let is_meant = cases[index].is_repeated && cases[index].place == cases[of].place;
        cases[index].twin = Some(Twin { of, is_meant });
    }
}

fn makings(case: &Case, package: &Package) -> Makings {
    let mut makings = Makings::new();
    let mut set = |ending: Ending, hash: [u8; 64]| match makings.iter_mut().find(|(found, _)| *found == ending) {
        Some((_, old)) => *old = hash,
        None => makings.push((ending, hash)),
    };
    if let Some(command) = &case.command {
        set("in", Sha512::digest(command.compared()).into());
    }
    for ending in HASHED {
        let hash = case.copy.as_deref().and_then(|base| copy::hash(package, base, ending));
        if let Some(hash) = hash {
            set(ending, hash);
        }
    }
    for (ending, text) in &case.literals {
        set(ending, Sha512::digest(text).into());
    }
    makings
}
