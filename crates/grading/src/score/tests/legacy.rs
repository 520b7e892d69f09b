//! Groups of the legacy format.

use proptest::prelude::*;

use super::{group, no_grader, verdicts};
use crate::score::*;
use crate::verdict::Verdict;

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
            return Child::Case(results.len().to_string().into());
        }
        Old::Group(breaks, flags, below) => (*breaks, Flags::read(flags).0, below),
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
