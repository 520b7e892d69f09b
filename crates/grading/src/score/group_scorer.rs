//! Collects the results of a submission in the order of the test cases. Decides which results count, and computes the
//! scores of groups.
//!
//! Whether a result counts depends only on earlier results. Results that do not count are ignored, so the outcome is
//! the same for any number of parallel runs. Adding a result takes time proportional to the depth of its group.

use std::ops::Range;

use super::dated::{self, MemberResult};
use super::tree::{Child, Grading, Legacy, Tree, Way};
use super::{CaseRule, Dated, Domjudge, Objective, Score};
use crate::verdict::Verdict;

/// The result of a group or test case in the legacy format, where both always have a verdict and a score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubResult {
    /// The verdict.
    pub verdict: Verdict,
    /// The score.
    pub score: Score,
}

/// The result of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupResult {
    /// The index of the group.
    pub group: usize,
    /// The verdict; `None` if no case of the group counts, or if the judge failed before the group ended.
    pub verdict: Option<Verdict>,
    /// The score; `None` if the group has none, or if the judge failed.
    pub score: Option<Score>,
    /// The number of the group's test cases whose results count.
    pub cases_run: usize,
    /// The number of the group's test cases whose results do not count.
    pub cases_skipped: usize,
}

/// The result of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// The score; `None` if the submission has none, or if the judge failed.
    pub score: Option<Score>,
    /// Why the judge failed; `None` if it did not fail, or if the result of a test case gives the reason.
    pub failure: Option<String>,
    /// The results of the groups that have cases, each after its parent. The root is left out.
    pub groups: Vec<GroupResult>,
}

/// Whether the result of a test case counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relevance {
    /// The result of this test case counts.
    Counts,
    /// The results of this test case and of the following ones do not count, up to but not including the test case at
    /// this index.
    SkipTo(usize),
}

/// The result of a package's grader for a group, or the reason why the grader failed.
pub type GraderResult = Result<SubResult, String>;

/// A function that runs the package's grader. It receives the grader's arguments and the results of a group.
type Grader<'g> = &'g mut dyn FnMut(&[String], &[SubResult]) -> GraderResult;

/// The progress of one submission through the test data.
#[derive(Debug)]
pub struct GroupScorer<'a> {
    tree: &'a Tree,
    /// For each test case, the index of its group and the rule of its score.
    cases: Vec<(usize, CaseRule)>,
    states: Vec<State>,
    /// The indices of the groups that contain the last reached test case, the outermost group first.
    open: Vec<usize>,
    /// Whether the result counts, for each test case.
    counted: Vec<bool>,
    failed: bool,
    /// Why the judge failed; `None` if it did not fail, or if the result of a test case gives the reason.
    failure: Option<String>,
}

#[derive(Debug, Default)]
struct State {
    /// The indices of the group's test cases.
    cases: Range<usize>,
    /// Whether all later results in the group are ignored.
    over: bool,
    /// The results in the group: `results` in the legacy format, `parts` in format 2025-09 and on DOMjudge.
    results: Vec<SubResult>,
    parts: Vec<MemberResult>,
    first_failure: Option<Verdict>,
    done: Option<SubResult>,
    score: Option<Score>,
    accepted: bool,
}

impl<'a> GroupScorer<'a> {
    /// Starts before the first test case. The index of a test case is its position in [`Tree::cases`].
    pub fn new(tree: &'a Tree) -> Self {
        let mut states: Vec<_> = tree.groups.iter().map(|_| State::default()).collect();
        let mut cases = Vec::new();
        index_cases(tree, 0, &mut states, &mut cases);
        let counted = vec![false; cases.len()];
        GroupScorer { tree, cases, states, open: Vec::new(), counted, failed: false, failure: None }
    }

    /// Returns how the test case at `index` gets its score.
    pub fn rule(&self, index: usize) -> &CaseRule {
        &self.cases[index].1
    }

    /// Advances to the test case at `index`, and grades the groups that end before it. Returns whether the result of
    /// the test case will count.
    pub fn reach(&mut self, index: usize, grader: Grader<'_>) -> Relevance {
        let group = self.cases[index].0;
        self.grade_until(|states, open| states[open].cases.contains(&index), grader);
        if self.failed {
            return Relevance::SkipTo(self.cases.len());
        }
        for enclosing in self.path(group) {
            if !self.open.contains(&enclosing) {
                self.open.push(enclosing);
                self.states[enclosing].over = !self.may_be_run(enclosing);
            }
            if self.states[enclosing].over {
                return Relevance::SkipTo(self.states[enclosing].cases.end);
            }
        }
        if self.is_beside_subgroups(index) { Relevance::SkipTo(index + 1) } else { Relevance::Counts }
    }

    /// Adds the result of the test case at `index`, for which [`GroupScorer::reach`] returned [`Relevance::Counts`].
    pub fn add(&mut self, index: usize, verdict: Verdict, score: Option<Score>) {
        self.counted[index] = true;
        if verdict == Verdict::JudgeError {
            self.failed = true;
            return;
        }
        let accepted = verdict == Verdict::Accepted;
        for &open in &self.open {
            if !accepted {
                self.states[open].first_failure.get_or_insert(verdict);
            }
        }
        self.add_member(self.cases[index].0, verdict, accepted, score);
    }

    /// Grades the remaining groups and returns the result of the submission.
    pub fn finish(mut self, grader: Grader<'_>) -> Outcome {
        self.grade_until(|_, _| false, grader);
        let with_cases = (1..self.states.len()).filter(|&group| !self.states[group].cases.is_empty());
        let groups = with_cases.map(|group| self.result(group)).collect();
        if self.failed {
            return Outcome { verdict: Verdict::JudgeError, score: None, failure: self.failure, groups };
        }
        let root = &self.states[0];
        let legacy = matches!(self.tree.groups[0].way, Way::Legacy(_));
        let verdict = match &root.done {
            Some(done) if legacy => done.verdict,
            _ => dated::verdict(root.first_failure),
        };
        let score = self.tree.whole().filter(|_| self.tree.scoring).and_then(|whole| {
            // In the legacy format, the score of a submission that is not accepted is ignored.
            let rejected = legacy && verdict != Verdict::Accepted;
            let none = (self.tree.objective == Objective::Max).then(Score::zero);
            if rejected { none } else { self.states[whole].score.clone().or_else(|| (!legacy).then(Score::zero)) }
        });
        Outcome { verdict, score, failure: None, groups }
    }

    fn result(&self, group: usize) -> GroupResult {
        let state = &self.states[group];
        let cases_run = self.counted[state.cases.clone()].iter().filter(|&&counts| counts).count();
        let known = !self.failed;
        let scored = match &self.tree.groups[group].way {
            Way::Legacy(_) => self.tree.scoring && cases_run > 0,
            Way::Dated(dated) => self.tree.scoring && dated.scored,
            Way::Domjudge(domjudge) => domjudge.counts,
        };
        GroupResult {
            group,
            verdict: state.done.as_ref().filter(|_| cases_run > 0).map(|done| done.verdict),
            // A group that was not run has the score 0.
            score: (known && scored).then(|| state.score.clone().unwrap_or_default()),
            cases_run,
            cases_skipped: state.cases.len() - cases_run,
        }
    }

    /// Returns whether the test case lies directly in a group that has subgroups on DOMjudge. DOMjudge ignores such a
    /// test case.
    fn is_beside_subgroups(&self, index: usize) -> bool {
        let (group, rule) = &self.cases[index];
        matches!(self.tree.groups[*group].way, Way::Domjudge(_)) && *rule == CaseRule::Unscored
    }

    /// Returns the indices of the groups on the path from the root to `group`, including the root and `group`.
    fn path(&self, group: usize) -> Vec<usize> {
        let mut path = vec![group];
        let mut last = group;
        while let Some(parent) = self.tree.groups[last].parent {
            path.push(parent);
            last = parent;
        }
        path.reverse();
        path
    }

    /// Returns whether the results of `group` can count. In the legacy format, they always can. In format 2025-09, the
    /// submission must have passed all groups that this group requires. On DOMjudge, the settings of the group decide.
    fn may_be_run(&self, group: usize) -> bool {
        match &self.tree.groups[group].way {
            Way::Legacy(_) => true,
            Way::Domjudge(domjudge) => domjudge.counts,
            Way::Dated(dated) => dated.requires.iter().all(|&required| self.is_passed(required)),
        }
    }

    /// Returns whether the group was passed. A group without test cases counts as passed.
    fn is_passed(&self, group: usize) -> bool {
        self.states[group].accepted || self.states[group].cases.is_empty()
    }

    /// Closes and grades the open groups, the innermost first. Stops before the first group for which `stays` returns
    /// true. After a failure, groups are closed without a grade.
    fn grade_until(&mut self, stays: impl Fn(&[State], usize) -> bool, grader: Grader<'_>) {
        while let Some(group) = self.open.last().copied().filter(|&open| !stays(&self.states, open)) {
            self.open.pop();
            if !self.failed {
                self.grade(group, grader);
            }
        }
    }

    fn grade(&mut self, group: usize, grader: Grader<'_>) {
        let tree = self.tree;
        let graded = match &tree.groups[group].way {
            Way::Legacy(legacy) => self.grade_legacy(group, legacy, grader),
            Way::Dated(dated) => self.grade_dated(group, dated),
            Way::Domjudge(domjudge) => {
                self.grade_domjudge(group, domjudge);
                Ok(())
            }
        };
        if let Err(reason) = graded {
            self.failed = true;
            self.failure = Some(reason);
            return;
        }
        let state = &self.states[group];
        let Some(done) = state.done.clone() else { return };
        let (accepted, score) = (state.accepted, state.score.clone());
        if let Some(parent) = tree.groups[group].parent {
            self.add_member(parent, done.verdict, accepted, score);
        }
    }

    fn grade_legacy(&mut self, group: usize, legacy: &Legacy, grader: Grader<'_>) -> Result<(), String> {
        let name = display_name(self.tree, group);
        let state = &mut self.states[group];
        let done = match &legacy.grading {
            Grading::Default(flags) => flags.grade(&state.results),
            Grading::Custom(arguments) => {
                grader(arguments, &state.results).map_err(|why| format!("the grader failed on {name}: {why}"))?
            }
        };
        state.accepted = done.verdict == Verdict::Accepted;
        if self.tree.scoring && state.accepted && !legacy.range.contains(&done.score) {
            return Err(format!("the score of {name} is {}, outside its range of {}", done.score, legacy.range));
        }
        state.score = Some(done.score.clone());
        state.done = Some(done);
        Ok(())
    }

    fn grade_dated(&mut self, group: usize, dated: &Dated) -> Result<(), String> {
        let name = display_name(self.tree, group);
        let state = &mut self.states[group];
        // A group is accepted only if all its test cases count and are accepted.
        let whole = self.counted[state.cases.clone()].iter().all(|&counts| counts);
        state.accepted = state.first_failure.is_none() && whole;
        state.score = dated.score(&state.parts, state.accepted);
        if let (Some(score), Some(highest_score)) = (&state.score, dated.highest_score())
            && score > highest_score
        {
            return Err(format!("the score of {name} is {score}, more than its max_score of {highest_score}"));
        }
        let verdict = dated::verdict(state.first_failure);
        state.done = Some(SubResult { verdict, score: state.score.clone().unwrap_or_default() });
        Ok(())
    }

    fn grade_domjudge(&mut self, group: usize, domjudge: &Domjudge) {
        let state = &mut self.states[group];
        // A group that does not count has no result, so it does not affect the group above.
        if !domjudge.counts {
            return;
        }
        state.accepted = state.first_failure.is_none();
        let parts: Vec<_> = state.parts.iter().map(|part| part.score.clone()).collect();
        let score = domjudge.score(&parts, state.accepted);
        state.score = Some(score.clone());
        state.done = Some(SubResult { verdict: dated::verdict(state.first_failure), score });
    }

    /// Adds the result of a test case or subgroup to `group`. Decides whether later results in the group count.
    fn add_member(&mut self, group: usize, verdict: Verdict, accepted: bool, score: Option<Score>) {
        let state = &mut self.states[group];
        match &self.tree.groups[group].way {
            Way::Legacy(legacy) => {
                state.results.push(SubResult { verdict, score: score.unwrap_or_default() });
                state.over |= legacy.breaks && !accepted;
            }
            Way::Dated(dated) => {
                let part = MemberResult { accepted, score };
                state.over |= dated.is_over_after(&part);
                state.parts.push(part);
            }
            Way::Domjudge(domjudge) => {
                state.over |= domjudge.breaks && !accepted;
                state.parts.push(MemberResult { accepted, score });
            }
        }
    }
}

fn display_name(tree: &Tree, group: usize) -> String {
    let name = &tree.groups[group].name;
    if name.is_empty() { "data".to_owned() } else { format!("data/{name}") }
}

/// Assigns indices to the test cases of a group and its subgroups.
fn index_cases(tree: &Tree, group: usize, states: &mut [State], cases: &mut Vec<(usize, CaseRule)>) {
    let start = cases.len();
    let rule = tree.rule(group);
    for child in &tree.groups[group].children {
        match child {
            Child::Case(_) => cases.push((group, rule.clone())),
            Child::Static(case) => cases.push((group, case.1.clone())),
            Child::TestGroup(below) => index_cases(tree, *below, states, cases),
        }
    }
    states[group].cases = start..cases.len();
}

impl Tree {
    /// Returns the names of all test cases in the order of judging. Each name's flag says whether the static validator
    /// judges that test case.
    pub fn cases(&self) -> Vec<(&str, bool)> {
        let mut names = Vec::new();
        self.add_cases(0, &mut names);
        names
    }

    fn add_cases<'t>(&'t self, group: usize, names: &mut Vec<(&'t str, bool)>) {
        for child in self.groups.get(group).iter().flat_map(|group| &group.children) {
            match child {
                Child::Case(name) => names.push((name, false)),
                Child::Static(case) => names.push((&case.0, true)),
                Child::TestGroup(below) => self.add_cases(*below, names),
            }
        }
    }
}
