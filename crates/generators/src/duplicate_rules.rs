//! Finds test cases with equivalent rules, so that each rule is run once.

use std::collections::HashMap;

use sha2::{Digest, Sha512};

use super::copy;
use super::ending::{Ending, HASHED};
use super::rules::{Case, Twin};
use referee_package::Package;

/// For each file of a case, a hash of the command or text that makes it. Solutions, retries, links and patterns do not
/// count, as in BAPCtools.
type Makings = Vec<(Ending, [u8; 64])>;

/// Sets the `twin` of each case to the first earlier case whose files are made in the same way.
pub(super) fn find(cases: &mut [Case], package: &Package) {
    let mut known: HashMap<Makings, usize> = HashMap::new();
    for index in 0..cases.len() {
        let makings = makings(&cases[index], package);
        // Without hashes, for instance if the files to copy are missing, the cases cannot be compared.
        if makings.is_empty() {
            continue;
        }
        let Some(&of) = known.get(&makings) else {
            known.insert(makings, index);
            continue;
        };
        // Repetitions of one rule have the same position in the file.
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
