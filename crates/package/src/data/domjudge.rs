//! Builds the tree with which DOMjudge combines the results of test cases. [`Domjudge`] has the rules and their sources.

use super::settings::LegacyKeys;
use referee_grading::score::{Domjudge, Flags, Tree, Way};

/// Returns `tree` with the rules of DOMjudge. `own` contains the keys of each group's own settings file; an element is
/// `None` if the group has no such file. Returns `None` if DOMjudge ignores the groups.
pub(super) fn tree(tree: &Tree, own: &[Option<LegacyKeys>]) -> Option<Tree> {
    if !tree.scoring {
        return None;
    }
    let root = own.first()?.as_ref()?;
    let ignores_sample = flags(root).ignore_sample;
    let mut domjudge_tree = tree.clone();
    let mut ways: Vec<Domjudge> = Vec::with_capacity(own.len());
    for (group, keys) in tree.groups.iter().zip(own) {
        let above_counts = group.parent.is_none_or(|parent| ways[parent].counts);
        let is_ignored = ignores_sample && group.name == "sample";
        let way = keys.as_ref().map_or_else(Domjudge::default, |keys| of_keys(keys, above_counts && !is_ignored));
        if let Some(parent) = group.parent.filter(|_| way.counts) {
            ways[parent].has_subgroups = true;
        }
        ways.push(way);
    }
    for (group, way) in domjudge_tree.groups.iter_mut().zip(ways) {
        group.way = Way::Domjudge(way);
    }
    Some(domjudge_tree)
}

fn of_keys(keys: &LegacyKeys, counts: bool) -> Domjudge {
    Domjudge {
        counts,
        has_subgroups: false,
        accept_score: keys.accept_score.clone(),
        scores: flags(keys).scores,
        breaks: keys.breaks.unwrap_or(true),
    }
}

fn flags(keys: &LegacyKeys) -> Flags {
    keys.flags.as_ref().map(|(text, ..)| Flags::read(text).0).unwrap_or_default()
}
