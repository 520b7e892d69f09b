//! Compares [`GroupScorer`] with a model that evaluates the whole tree at once, without order, skipped cases or states.

use proptest::prelude::*;

use super::*;
use crate::verdict::Verdict;

/// The result of a test case of a generated package. The multiplier is in hundredths.
#[derive(Clone, Copy, Debug)]
struct Made {
    verdict: Verdict,
    multiplier: Option<u64>,
}

fn verdicts() -> impl Strategy<Value = Verdict> {
    // Accepted cases are the most frequent, because they affect most rules.
    prop_oneof![
        6 => Just(Verdict::Accepted),
        1 => Just(Verdict::WrongAnswer),
        1 => Just(Verdict::RunTimeError),
        1 => Just(Verdict::TimeLimitExceeded),
    ]
}

fn made() -> impl Strategy<Value = Made> {
    (verdicts(), proptest::option::weighted(0.3, 0..=100_u64))
        .prop_map(|(verdict, multiplier)| Made { verdict, multiplier })
}

fn group(name: &str, parent: Option<usize>, children: Vec<Child>, way: Way) -> TestGroup {
    TestGroup { name: name.to_owned(), parent, children, way }
}

fn no_grader(_: &[String], _: &[SubResult]) -> GraderResult {
    Err("there is none".to_owned())
}

/// Scores `results`, one for each test case of `tree`. Returns the outcome, and the indices of the test cases whose
/// results count, in order.
fn outcome(tree: &Tree, results: &[Made]) -> (Outcome, Vec<usize>) {
    let mut scorer = GroupScorer::new(tree);
    let (mut case, mut asked) = (0, Vec::new());
    while case < results.len() {
        match scorer.reach(case, &mut no_grader) {
            Relevance::SkipTo(end) => {
                assert!(end > case, "it goes on");
                case = end;
            }
            Relevance::Counts => {
                asked.push(case);
                let made = results[case];
                // The validator follows the rules: it writes no multiplier where that is forbidden.
                let may_write = matches!(scorer.rule(case), CaseRule::Bounded(_)) && made.verdict == Verdict::Accepted;
                let part = made.multiplier.filter(|_| may_write).map(|part| Written::Number(Score::whole(part) / 100));
                let given = Given { score: None, multiplier: part };
                let score = scorer.rule(case).score(made.verdict, &given).expect("it keeps the rules");
                scorer.add(case, made.verdict, score);
                case += 1;
            }
        }
    }
    (scorer.finish(&mut no_grader), asked)
}

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
        let cases =
            |name: &str, count| (0..count).map(|index| Child::Case(format!("{name}/{index}"))).collect::<Vec<_>>();
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

/// A package of the legacy format: nested groups, each with grader flags.
#[derive(Clone, Debug)]
enum Old {
    Case(Verdict, i64),
    Group(bool, &'static str, Vec<Old>),
}

const FLAGS: [&str; 8] = [
    "",
    "first_error",
    "always_accept min",
    "accept_if_any_accepted max",
    "avg",
    "min",
    "first_error avg accept_if_any_accepted",
    "max always_accept sum",
];

fn old_groups() -> impl Strategy<Value = Old> {
    let case = (verdicts(), -20..50_i64).prop_map(|(verdict, score)| Old::Case(verdict, score)).boxed();
    let below = |inner: BoxedStrategy<Old>| {
        (any::<bool>(), proptest::sample::select(FLAGS.to_vec()), proptest::collection::vec(inner, 0..5))
            .prop_map(|(breaks, flags, below)| Old::Group(breaks, flags, below))
            .boxed()
    };
    let leaf = below(case.clone());
    let middle = below(prop_oneof![case.clone(), leaf].boxed());
    below(prop_oneof![1 => case, 3 => middle].boxed())
}

/// Computes the verdict and the score of a test case or group directly from the specification; `None` if a group has no
/// test case.
fn graded(old: &Old) -> Option<(Verdict, f64)> {
    let (breaks, flags, below) = match old {
        Old::Case(verdict, score) => return Some((*verdict, *score as f64)),
        Old::Group(breaks, flags, below) => (*breaks, *flags, below),
    };
    let mut results: Vec<(Verdict, f64)> = Vec::new();
    for result in below.iter().filter_map(graded) {
        results.push(result);
        if breaks && result.0 != Verdict::Accepted {
            break;
        }
    }
    let (first, has) = (results.first()?, |word: &str| flags.split(' ').any(|flag| flag == word));
    let scores = || results.iter().map(|(_, score)| *score);
    let score = match () {
        () if flags.ends_with("sum") => scores().sum(),
        () if has("min") => scores().fold(first.1, f64::min),
        () if has("max") => scores().fold(first.1, f64::max),
        () if has("avg") => scores().sum::<f64>() / results.len() as f64,
        () => scores().sum(),
    };
    let rejected: Vec<_> =
        results.iter().map(|(verdict, _)| *verdict).filter(|one| *one != Verdict::Accepted).collect();
    let any_accepted = rejected.len() < results.len();
    let verdict = if has("always_accept") || rejected.is_empty() || (has("accept_if_any_accepted") && any_accepted) {
        Verdict::Accepted
    } else if has("first_error") {
        rejected[0]
    } else if rejected.contains(&Verdict::RunTimeError) {
        Verdict::RunTimeError
    } else if rejected.contains(&Verdict::TimeLimitExceeded) {
        Verdict::TimeLimitExceeded
    } else {
        Verdict::WrongAnswer
    };
    Some((verdict, score))
}

/// Returns the tree of the package, and the result of each case in order.
fn old_tree(old: &Old) -> (Tree, Vec<(Verdict, i64)>) {
    let mut tree = Tree { groups: Vec::new(), scoring: true, objective: Objective::Max };
    let mut results = Vec::new();
    add_old(old, None, &mut tree, &mut results);
    (tree, results)
}

fn add_old(old: &Old, parent: Option<usize>, tree: &mut Tree, results: &mut Vec<(Verdict, i64)>) -> Child {
    let (breaks, flags, below) = match old {
        Old::Case(verdict, score) => {
            results.push((*verdict, *score));
            return Child::Case(results.len().to_string());
        }
        Old::Group(breaks, flags, below) => (*breaks, Flags::read(flags).expect("flags there are"), below),
    };
    let way = Way::Legacy(Legacy {
        breaks,
        grading: Grading::Default(flags),
        accept_score: Score::whole(1),
        reject_score: Score::zero(),
        custom_score: true,
        range: Range::default(),
    });
    let index = tree.groups.len();
    tree.groups.push(group(&format!("g{index}"), parent, Vec::new(), way));
    let children = below.iter().map(|below| add_old(below, Some(index), tree, results)).collect();
    tree.groups[index].children = children;
    Child::TestGroup(index)
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
        // With other aggregations, the scorer skips test cases that cannot affect the total, and the model does not. So
        // the scores of groups may differ between the two.
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

    #[test]
    fn groups_of_old_come_to_what_their_graders_say(old in old_groups()) {
        let (tree, results) = old_tree(&old);
        let mut scorer = GroupScorer::new(&tree);
        let mut case = 0;
        while case < results.len() {
            match scorer.reach(case, &mut no_grader) {
                Relevance::SkipTo(end) => case = end,
                Relevance::Counts => {
                    let score = Score::parse(&results[case].1.to_string());
                    scorer.add(case, results[case].0, score);
                    case += 1;
                }
            }
        }
        let outcome = scorer.finish(&mut no_grader);
        let (verdict, score) = graded(&old).unwrap_or((Verdict::Accepted, 0.0));
        prop_assert_eq!(outcome.verdict, verdict);
        let wanted = if verdict == Verdict::Accepted { score } else { 0.0 };
        let score = outcome.score.map_or(0.0, |score| score.to_f64());
        prop_assert!((score - wanted).abs() < 1e-6, "{} is not {}", score, wanted);
    }
}
