//! Groups of format 2025-09.

use proptest::prelude::*;

use super::{Made, group, made, outcome};
use crate::score::*;
use crate::verdict::Verdict;

/// A package of format 2025-09. The four values of a group are its aggregation, its maximum score, whether it requires
/// an earlier group, and the results of its test cases.
#[derive(Clone, Debug)]
struct DatedModel {
    secret: Aggregation,
    samples: Vec<Made>,
    groups: Vec<(Aggregation, u64, bool, Vec<Made>)>,
}

fn aggregations() -> impl Strategy<Value = Aggregation> {
    prop_oneof![Just(Aggregation::PassFail), Just(Aggregation::Sum), Just(Aggregation::Min)]
}

fn dated_models() -> impl Strategy<Value = DatedModel> {
    let group = (aggregations(), 0..60_u64, any::<bool>(), proptest::collection::vec(made(), 1..5));
    let groups = proptest::collection::vec(group, 1..5);
    (aggregations(), proptest::collection::vec(made(), 0..3), groups).prop_map(|(secret, samples, mut groups)| {
        if secret == Aggregation::PassFail {
            for group in &mut groups {
                group.0 = Aggregation::PassFail;
            }
        }
        DatedModel { secret, samples, groups }
    })
}

impl DatedModel {
    /// Returns the index of the group that group `index` can require: the first pass-fail group before it. `None`
    /// stands for the group `sample`.
    fn required(&self, index: usize) -> Option<usize> {
        (0..index).find(|&other| self.groups[other].0 == Aggregation::PassFail)
    }

    fn tree(&self) -> Tree {
        let dated = |aggregation, max_score, requires, scored| {
            Way::Dated(Dated { aggregation, max_score, static_score: Score::zero(), requires, scored })
        };
        let cases = |name: &str, count| {
            (0..count).map(|index| Child::Case(format!("{name}/{index}").into())).collect::<Vec<_>>()
        };
        let secret_children = (0..self.groups.len()).map(|index| Child::TestGroup(index + 3)).collect();
        let mut groups = vec![
            group(
                "",
                None,
                vec![Child::TestGroup(1), Child::TestGroup(2)],
                dated(Aggregation::PassFail, None, vec![], false),
            ),
            group(
                "sample",
                Some(0),
                cases("sample", self.samples.len()),
                dated(Aggregation::PassFail, None, vec![], false),
            ),
            group("secret", Some(0), secret_children, dated(self.secret, Some(Score::whole(1000)), vec![], true)),
        ];
        for (index, (aggregation, most, requires, made)) in self.groups.iter().enumerate() {
            let name = format!("secret/{index}");
            let required = if *requires { vec![self.required(index).map_or(1, |group| group + 3)] } else { vec![] };
            let way = dated(*aggregation, Some(Score::whole(*most)), required, true);
            groups.push(group(&name, Some(2), cases(&name, made.len()), way));
        }
        Tree { groups, scoring: true, objective: Objective::Max }
    }

    fn results(&self) -> Vec<Made> {
        self.samples.iter().chain(self.groups.iter().flat_map(|group| &group.3)).copied().collect()
    }

    /// Returns two flags for each group: whether it is run, and whether it is passed.
    fn passed(&self) -> Vec<(bool, bool)> {
        let all_accepted = |made: &[Made]| made.iter().all(|made| made.verdict == Verdict::Accepted);
        let mut passed: Vec<(bool, bool)> = Vec::new();
        for (index, (_, _, requires, made)) in self.groups.iter().enumerate() {
            let before = self.required(index).map_or(all_accepted(&self.samples), |other| passed[other].1);
            let runs = !requires || before;
            passed.push((runs, runs && all_accepted(made)));
        }
        passed
    }

    /// Returns the scores of the groups and of `secret`.
    fn scores(&self) -> (Vec<f64>, f64) {
        let passed = self.passed();
        let scores: Vec<f64> = self
            .groups
            .iter()
            .zip(&passed)
            .map(|((aggregation, most, _, made), (runs, passed))| {
                let (most, count) = (*most as f64, made.len() as f64);
                let part = |made: &Made, most: f64| match made.verdict {
                    Verdict::Accepted => most * made.multiplier.unwrap_or(100) as f64 / 100.0,
                    _ => 0.0,
                };
                match aggregation {
                    _ if !runs => 0.0,
                    Aggregation::PassFail => {
                        if *passed {
                            most
                        } else {
                            0.0
                        }
                    }
                    Aggregation::Sum => made.iter().map(|made| part(made, most / count)).sum(),
                    Aggregation::Min => made.iter().map(|made| part(made, most)).fold(f64::INFINITY, f64::min),
                }
            })
            .collect();
        let whole = match self.secret {
            Aggregation::PassFail if passed.iter().all(|(_, passed)| *passed) => 1000.0,
            Aggregation::PassFail => 0.0,
            Aggregation::Sum => scores.iter().sum(),
            Aggregation::Min => scores.iter().copied().fold(f64::INFINITY, f64::min),
        };
        (scores, whole)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn groups_of_today_come_to_what_the_rules_say(model in dated_models()) {
        let tree = model.tree();
        let (outcome, asked) = outcome(&tree, &model.results());
        let (scores, whole) = model.scores();
        let near =
            |score: Option<&Score>, wanted: f64| score.is_some_and(|score| (score.to_f64() - wanted).abs() < 1e-6);
        prop_assert!(near(outcome.score.as_ref(), whole), "{:?} is not {whole}", outcome.score);
        // Unless `secret` adds up the scores of its groups, the scorer skips test cases that cannot affect the total.
        // The model skips none, so the scores of single groups may differ.
        if model.secret == Aggregation::Sum {
            let groups: Vec<_> = outcome.groups.iter().filter(|result| result.group > 2).collect();
            prop_assert_eq!(groups.len(), scores.len());
            for (result, wanted) in groups.into_iter().zip(&scores) {
                prop_assert!(near(result.score.as_ref(), *wanted), "{result:?} is not {wanted}");
            }
        }
        let all_accepted = model.results().iter().all(|made| made.verdict == Verdict::Accepted);
        prop_assert_eq!(outcome.verdict == Verdict::Accepted, all_accepted);
        let first = model.results().into_iter().find(|made| made.verdict != Verdict::Accepted);
        prop_assert_eq!(outcome.verdict, first.map_or(Verdict::Accepted, |made| made.verdict));
        let run: usize = outcome.groups.iter().filter(|result| result.group != 2).map(|result| result.cases_run).sum();
        prop_assert_eq!(run, asked.len());
        if all_accepted {
            prop_assert_eq!(asked.len(), model.results().len());
        }
    }
}
