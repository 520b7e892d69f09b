//! Checks the settings of test data groups in format 2025-09 against each other.

use std::collections::HashMap;

use super::groups::{Draft, STATIC};
use super::settings::{Folder, StaticCase};
use crate::findings::Findings;
use crate::problem::Problem;
use crate::yaml::Position;
use referee_grading::score::{Aggregation, CaseRule, Child, Dated, Score, TestGroup, Tree, Way};

/// The default `max_score` of `secret`; see the section "Test data configuration" of format 2025-09.
const DEFAULT_MAX_SCORE: u64 = 100;

/// Checks the settings of groups against each other.
pub(super) struct Checks<'a> {
    problem: &'a Problem,
    findings: &'a mut Findings,
    /// Whether the score of `secret` has a maximum. It has none only if `max_score` is `unbounded`.
    secret_is_bounded: bool,
    secret_is_pass_fail: bool,
}

impl<'a> Checks<'a> {
    pub(super) fn new(problem: &'a Problem, findings: &'a mut Findings) -> Checks<'a> {
        Checks { problem, findings, secret_is_bounded: false, secret_is_pass_fail: false }
    }

    fn error(&mut self, draft: &Draft, place: Option<Position>, message: impl Into<String>) {
        self.findings.error_at(&draft.path, place, message);
    }

    /// Returns how the group combines its results, and reports settings that contradict each other. `tree` contains the
    /// groups before this group. `names` maps the name of each group to its index.
    pub(super) fn way(&mut self, draft: &Draft, names: &HashMap<&str, usize>, tree: &Tree) -> Dated {
        let is_secret = draft.kind == Folder::Secret;
        let keys = &draft.dated;
        let default = if is_secret { Aggregation::Sum } else { Aggregation::PassFail };
        let (aggregation, place) =
            keys.aggregation.map_or((default, None), |(aggregation, place)| (aggregation, Some(place)));
        let default = is_secret.then(|| Score::whole(DEFAULT_MAX_SCORE));
        let (max_score, max_place) =
            keys.max_score.clone().map_or((default, None), |(score, place)| (score, Some(place)));
        let static_score = keys.static_case.as_ref().and_then(|case| case.score.clone()).unwrap_or_default();
        let scored = self.problem.kind.scoring && matches!(draft.kind, Folder::Secret | Folder::Group);
        let way = Dated { aggregation, max_score, static_score, requires: Vec::new(), scored };
        if !scored {
            return way;
        }
        if aggregation == Aggregation::PassFail && way.max_score.is_none() {
            self.error(
                draft,
                place.or(max_place),
                "a group with pass-fail aggregation needs a 'max_score'; set 'max_score' to a number",
            );
        }
        if is_secret {
            self.secret_is_bounded = way.max_score.is_some();
            self.secret_is_pass_fail = aggregation == Aggregation::PassFail;
        } else {
            self.against_secret(draft, &way, place, max_place);
        }
        if way.max_score.as_ref().is_some_and(|most| *most < way.static_score) {
            let place = keys.static_case.as_ref().map(|case| case.place);
            self.error(
                draft,
                place,
                "the value of 'static_validation_score' is larger than the 'max_score' of the group",
            );
        }
        Dated { requires: self.requires(draft, names, tree), ..way }
    }

    fn against_secret(&mut self, draft: &Draft, way: &Dated, place: Option<Position>, max_place: Option<Position>) {
        if way.max_score.is_none() && self.secret_is_bounded && way.aggregation != Aggregation::PassFail {
            let message = "the score of data/secret is limited (to 100, unless its 'max_score' is set), so this group \
                           needs a limit too; set 'max_score' of this group to a number";
            self.error(draft, max_place, message);
        }
        if self.secret_is_pass_fail && way.aggregation != Aggregation::PassFail {
            self.error(
                draft,
                place,
                "secret has pass-fail aggregation, so this group needs it too; set 'score_aggregation' to pass-fail",
            );
        }
    }

    fn requires(&mut self, draft: &Draft, names: &HashMap<&str, usize>, tree: &Tree) -> Vec<usize> {
        let Some((required, place)) = &draft.dated.requires else { return Vec::new() };
        let mut indices = Vec::new();
        for name in required {
            // A group may require `sample` in a package without a folder `sample`. This has no effect.
            let Some(&index) = names.get(name.as_str()) else { continue };
            if index < tree.groups.len() && !tree.is_pass_fail(index) {
                let message = format!(
                    "'require_pass' names the group {name}, but only groups with pass-fail aggregation can be required"
                );
                self.error(draft, Some(*place), message);
            }
            indices.push(index);
        }
        indices
    }

    pub(super) fn static_rule(&mut self, draft: &Draft, case: &StaticCase, group: &TestGroup) -> CaseRule {
        let Way::Dated(way) = &group.way else { return CaseRule::Unscored };
        let is_pass_fail = way.aggregation == Aggregation::PassFail || !self.problem.kind.scoring;
        if self.problem.kind.submit_answer {
            self.error(draft, Some(case.place), "submit-answer problems cannot have a static validator");
        }
        match &case.score {
            Some(_) if is_pass_fail => {
                let message = "found a number for 'static_validation_score', allowed: pass-fail, because the test \
                               cases of this group have no scores";
                self.error(draft, Some(case.place), message);
                CaseRule::PassFail
            }
            None if !is_pass_fail => {
                let message = "found \"pass-fail\" for 'static_validation_score', allowed: a number, because this \
                               group has no pass-fail aggregation";
                self.error(draft, Some(case.place), message);
                CaseRule::PassFail
            }
            _ if !way.scored => CaseRule::Unscored,
            None => CaseRule::PassFail,
            Some(score) => CaseRule::Bounded(score.clone()),
        }
    }

    pub(super) fn children(&mut self, draft: &Draft, children: &[Child]) {
        let has = |wanted: fn(&Child) -> bool| children.iter().any(wanted);
        let (cases, groups) =
            (has(|child| matches!(child, Child::Case(_))), has(|child| matches!(child, Child::TestGroup(_))));
        let name = format!("{}/{STATIC}", draft.name);
        if has(|child| matches!(child, Child::Static(..)))
            && children.iter().any(|child| matches!(child, Child::Case(case) if **case == *name))
        {
            self.error(
                draft,
                None,
                format!("the name of the test case {name} is reserved for the static validator; rename the test case"),
            );
        }
        if self.problem.kind.scoring && draft.kind == Folder::Secret && cases && groups {
            let message = "secret has groups, but some test cases are outside them, and the format defines no score \
                           for these; move these test cases into a group";
            self.error(draft, None, message);
        }
        if self.problem.kind.scoring && draft.kind == Folder::Group && children.is_empty() {
            self.error(
                draft,
                None,
                "the group has no test case and no static validation; add a test case or remove the group",
            );
        }
    }
}
