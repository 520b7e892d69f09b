//! Groups on DOMjudge.

use proptest::prelude::*;

use super::{group, no_grader, verdicts};
use crate::score::*;
use crate::verdict::Verdict;

/// A test case or a group of a package on DOMjudge. A test case has a verdict and the score from its validator's file;
/// a group has its settings and its members.
#[derive(Clone, Debug)]
enum OnDomjudge {
    Case(Verdict, Option<u64>),
    Group(Domjudge, Vec<OnDomjudge>),
}

fn domjudge_groups() -> impl Strategy<Value = OnDomjudge> {
    let modes = prop_oneof![Just(ScoreMode::Sum), Just(ScoreMode::Min), Just(ScoreMode::Max), Just(ScoreMode::Avg)];
    let settings = (any::<bool>(), proptest::option::of(1..50_u64), modes, any::<bool>())
        .prop_map(|(counts, accept_score, scores, breaks)| Domjudge {
            counts,
            has_subgroups: false,
            accept_score: accept_score.map(Score::whole),
            scores,
            breaks,
        })
        .boxed();
    let case = (verdicts(), proptest::option::weighted(0.3, 0..50_u64))
        .prop_map(|(verdict, written)| OnDomjudge::Case(verdict, written))
        .boxed();
    let below = move |inner: BoxedStrategy<OnDomjudge>| {
        (settings.clone(), proptest::collection::vec(inner, 0..5))
            .prop_map(|(settings, below)| OnDomjudge::Group(settings, below))
            .boxed()
    };
    let leaf = below(case.clone());
    let middle = below(prop_oneof![2 => case.clone(), 1 => leaf].boxed());
    below(prop_oneof![1 => case, 3 => middle].boxed())
}

/// Returns whether this is a test case, or a group with a test case in it or in its subgroups.
fn has_cases(one: &OnDomjudge) -> bool {
    match one {
        OnDomjudge::Case(..) => true,
        OnDomjudge::Group(_, below) => below.iter().any(has_cases),
    }
}

/// Computes the score and the verdict of a group as DOMjudge does: from the scores and verdicts of the group's members.
/// The results in this group must count. Subgroups that do not count or that have no test cases are left out.
fn on_domjudge(settings: &Domjudge, below: &[OnDomjudge]) -> (f64, Verdict) {
    let is_group = |one: &&OnDomjudge| matches!(one, OnDomjudge::Group(Domjudge { counts: true, .. }, _));
    let groups: Vec<_> = below.iter().filter(is_group).collect();
    let is_leaf = groups.is_empty();
    let cases = below.iter().filter(|one| matches!(one, OnDomjudge::Case(..)));
    let (mut scores, mut first) = (Vec::new(), Verdict::Accepted);
    let parts: Vec<_> = if is_leaf { cases.collect() } else { groups };
    for part in parts.into_iter().filter(|part| has_cases(part)) {
        let (score, verdict) = match part {
            OnDomjudge::Case(verdict, written) => {
                let counts = [Verdict::Accepted, Verdict::WrongAnswer].contains(verdict);
                (written.filter(|_| counts).map(|score| score as f64), *verdict)
            }
            OnDomjudge::Group(settings, below) => {
                let (score, verdict) = on_domjudge(settings, below);
                (Some(score), verdict)
            }
        };
        scores.push(score);
        if first == Verdict::Accepted {
            first = verdict;
        }
        if settings.breaks && verdict != Verdict::Accepted {
            break;
        }
    }
    let combined = scores.iter().map(|score| score.unwrap_or_default());
    let score = match (&settings.accept_score, settings.scores) {
        _ if scores.is_empty() => 0.0,
        (Some(accept), _) if is_leaf && scores.iter().all(Option::is_none) => {
            if first == Verdict::Accepted {
                accept.to_f64()
            } else {
                0.0
            }
        }
        (_, ScoreMode::Sum) => combined.sum(),
        (_, ScoreMode::Avg) => combined.sum::<f64>() / scores.len() as f64,
        (_, ScoreMode::Min) => combined.fold(f64::INFINITY, f64::min),
        (_, ScoreMode::Max) => combined.fold(0.0, f64::max),
    };
    (score, first)
}

/// Adds a test case, or a group with all its members. Groups are added to `tree`, the results of test cases to
/// `results`. Returns the entry for the list of children of the parent group.
fn add_domjudge(
    one: &OnDomjudge,
    above: Option<(usize, bool)>,
    tree: &mut Tree,
    results: &mut Vec<(Verdict, Option<u64>)>,
) -> Child {
    let (settings, below) = match one {
        OnDomjudge::Case(verdict, written) => {
            results.push((*verdict, *written));
            return Child::Case(results.len().to_string().into());
        }
        OnDomjudge::Group(settings, below) => (settings, below),
    };
    let index = tree.groups.len();
    let counts = settings.counts && above.is_none_or(|(_, counts)| counts);
    let is_group = |one: &OnDomjudge| matches!(one, OnDomjudge::Group(Domjudge { counts: true, .. }, _));
    let way = Domjudge { counts, has_subgroups: below.iter().any(is_group), ..settings.clone() };
    tree.groups.push(group(&format!("g{index}"), above.map(|(parent, _)| parent), Vec::new(), Way::Domjudge(way)));
    let children = below.iter().map(|below| add_domjudge(below, Some((index, counts)), tree, results)).collect();
    tree.groups[index].children = children;
    Child::TestGroup(index)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn groups_on_domjudge_come_to_what_its_source_says(model in domjudge_groups()) {
        let OnDomjudge::Group(settings, below) = model else { unreachable!("the outermost one is a group") };
        let settings = Domjudge { counts: true, ..settings };
        let mut tree = Tree { groups: Vec::new(), scoring: true, objective: Objective::Max };
        let mut results = Vec::new();
        add_domjudge(&OnDomjudge::Group(settings.clone(), below.clone()), None, &mut tree, &mut results);
        let mut scorer = GroupScorer::new(&tree);
        let mut case = 0;
        while case < results.len() {
            match scorer.reach(case, &mut no_grader) {
                Relevance::SkipTo(end) => {
                    prop_assert!(end > case, "it goes on");
                    case = end;
                }
                Relevance::Counts => {
                    let (verdict, written) = results[case];
                    let given = Given { score: written.map(Score::whole).map(Written::Number), multiplier: None };
                    let score = scorer.rule(case).score(verdict, &given).expect("it keeps the rules");
                    scorer.add(case, verdict, score);
                    case += 1;
                }
            }
        }
        let outcome = scorer.finish(&mut no_grader);
        let (score, verdict) = on_domjudge(&settings, &below);
        prop_assert_eq!(outcome.verdict, verdict);
        let found = outcome.score.map_or(0.0, |score| score.to_f64());
        prop_assert!((found - score).abs() < 1e-6, "{} is not {}", found, score);
    }
}
