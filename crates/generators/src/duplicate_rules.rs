//! Finds test cases with equivalent rules, so that each rule is run once.

use std::collections::HashMap;

use sha2::{Digest, Sha512};

use super::copy;
use super::ending::{Ending, HASHED};
use super::rules::{Case, Duplicate};
use referee_package::Package;

/// For each file of a case, the SHA-512 of the command, text or copied file from which the file is made. Solutions,
/// retries, links and patterns do not count, as in BAPCtools.
type RuleHashes = Vec<(Ending, [u8; 64])>;

/// Sets the `duplicate_of` of each case to the first earlier case whose files are made in the same way.
pub(super) fn find(cases: &mut [Case], package: &Package) {
    let mut known: HashMap<RuleHashes, usize> = HashMap::new();
    for index in 0..cases.len() {
        let hashes = hashes(&cases[index], package);
        // A case without hashes, for instance because the files to copy are missing, cannot be compared.
        if hashes.is_empty() {
            continue;
        }
        let Some(&of) = known.get(&hashes) else {
            known.insert(hashes, index);
            continue;
        };
        // Cases with the same position in the file come from one rule with `count`, so these duplicates are intended.
        let is_intended = cases[index].is_repeated && cases[index].place == cases[of].place;
        cases[index].duplicate_of = Some(Duplicate { of, is_intended });
    }
}

fn hashes(case: &Case, package: &Package) -> RuleHashes {
    let mut hashes = RuleHashes::new();
    let mut set = |ending: Ending, hash: [u8; 64]| match hashes.iter_mut().find(|(found, _)| *found == ending) {
        Some((_, old)) => *old = hash,
        None => hashes.push((ending, hash)),
    };
    if let Some(command) = &case.command {
        set("in", Sha512::digest(command.comparison_text()).into());
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
    hashes
}
