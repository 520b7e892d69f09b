use proptest::prelude::*;

use super::*;

const ACCEPTED: Verdict = Verdict::Accepted;
const WRONG: Verdict = Verdict::WrongAnswer;

fn number(text: &str) -> Score {
    Score::parse(text).unwrap()
}

/// Returns the points of a submission whose accepted test cases are `accepted`, as text. `weights` overrides the
/// weights of units.
fn points(kind: UnitKind, names: &[&str], weights: &[(&str, &str)], accepted: &[&str]) -> Option<String> {
    let mut units = units(kind, names.iter().copied());
    for (name, weight) in weights {
        units.iter_mut().find(|unit| unit.name == *name).unwrap().weight = number(weight);
    }
    let scheme = Scheme::of_weights(kind, units, names.iter().copied())?;
    let verdict = |name: &str| if accepted.contains(&name) { ACCEPTED } else { WRONG };
    scheme.points(names.iter().map(|&name| (name, verdict(name))), None).map(|points| points.to_string())
}

fn of_cases(names: &[&str], accepted: &[&str]) -> String {
    points(UnitKind::Cases, names, &[], accepted).unwrap()
}

#[test]
fn every_secret_case_counts_the_same_and_the_result_is_rounded_once() {
    let three = ["secret/1", "secret/2", "secret/3"];
    let all: Vec<_> = (0..=3).map(|count| of_cases(&three, &three[..count])).collect();
    assert_eq!(all, ["0", "33.33", "66.67", "100"]);
    let names: Vec<_> = (0..8).map(|index| format!("secret/{index}")).collect();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    assert_eq!(of_cases(&names, &names[..1]), "12.5");
}

#[test]
fn half_a_hundredth_is_rounded_up() {
    assert_eq!(Points::of(&Score::whole(1), &Score::whole(20_000)).unwrap().to_string(), "0.01");
    assert_eq!(Points::of(&Score::whole(1), &Score::whole(20_001)).unwrap().to_string(), "0");
    assert_eq!(Points::of(&Score::whole(201), &Score::whole(20_000)).unwrap().to_string(), "1.01");
}

#[test]
fn samples_count_only_if_there_is_nothing_else() {
    let names = ["sample/1", "sample/2", "secret/1", "secret/2"];
    assert_eq!(of_cases(&names, &["sample/1", "sample/2", "secret/1"]), "50");
    assert_eq!(of_cases(&names, &["secret/1", "secret/2"]), "100");
    assert_eq!(of_cases(&names[..2], &["sample/1"]), "50");
    let weighted = points(UnitKind::Cases, &names, &[("sample/1", "2")], &["sample/1", "secret/1"]);
    assert_eq!(weighted.unwrap(), "75");
}

#[test]
fn a_group_counts_only_if_all_its_cases_are_accepted() {
    let names = ["sample/1", "secret/easy/1", "secret/easy/2", "secret/hard/a/1", "secret/hard/b/1", "secret/rest"];
    let of = |weights: &[(&str, &str)], accepted: &[&str]| points(UnitKind::Groups, &names, weights, accepted).unwrap();
    let found: Vec<_> = units(UnitKind::Groups, names).into_iter().map(|unit| unit.name).collect();
    assert_eq!(found, ["sample", "secret/easy", "secret/hard", "secret"]);
    assert_eq!(of(&[], &names[..3]), "33.33");
    assert_eq!(of(&[], &["secret/easy/1", "secret/hard/a/1"]), "0");
    assert_eq!(of(&[], &names), "100");
    let weights = [("secret/easy", "20"), ("secret/hard", "79.5"), ("secret", "0.5")];
    assert_eq!(of(&weights, &["secret/rest", "secret/easy/1", "secret/easy/2"]), "20.5");
}

#[test]
fn weights_that_add_up_to_nothing_give_no_points() {
    assert_eq!(points(UnitKind::Cases, &["secret/1"], &[("secret/1", "0")], &["secret/1"]), None);
    assert_eq!(Scheme::of_weights(UnitKind::Cases, Vec::new(), []), None);
}

#[test]
fn a_case_without_a_result_is_not_accepted() {
    let names = ["secret/1", "secret/2"];
    let scheme = Scheme::of_weights(UnitKind::Cases, units(UnitKind::Cases, names), names).unwrap();
    assert_eq!(scheme.points([("secret/1", ACCEPTED)], None).unwrap().to_string(), "50");
    assert_eq!(scheme.points([("unknown", ACCEPTED)], None), Some(Points::ZERO));
}

#[test]
fn the_score_of_a_package_is_scaled_to_100() {
    let scheme = Scheme::of_scores(number("30")).unwrap();
    let of = |score: &str| scheme.points([], Some(&number(score))).unwrap().to_string();
    assert_eq!(
        (of("10"), of("30"), of("0"), of("-5"), of("31")),
        ("33.33".into(), "100".into(), "0".into(), "0".into(), "100".into())
    );
    assert_eq!(scheme.points([], None), None);
    assert_eq!((Scheme::of_scores(Score::zero()), Scheme::of_scores(number("-1"))), (None, None));
}

proptest! {
    #[test]
    fn all_weights_together_are_100_points_and_each_more_accepted_case_gives_no_fewer(
        weights in prop::collection::vec(0_u32..1000, 1..40)
    ) {
        prop_assume!(weights.iter().any(|&weight| weight > 0));
        let names: Vec<_> = (0..weights.len()).map(|index| format!("secret/{index:02}")).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let mut units = units(UnitKind::Cases, names.iter().copied());
        for (unit, weight) in units.iter_mut().zip(&weights) {
            unit.weight = &Score::whole(u64::from(*weight)) * &number("0.1");
        }
        let scheme = Scheme::of_weights(UnitKind::Cases, units, names.iter().copied()).unwrap();
        let of = |count: usize| scheme.points(names[..count].iter().map(|&name| (name, ACCEPTED)), None).unwrap();
        prop_assert_eq!(of(names.len()).to_string(), "100");
        for count in 0..names.len() {
            prop_assert!(of(count) <= of(count + 1));
            // The same in integers: hundredths of the total, half up.
            let (part, total): (u64, u64) = (weights[..count].iter().copied().map(u64::from).sum(), weights.iter().copied().map(u64::from).sum());
            let expected = (part * 20_000 + total) / (2 * total);
            prop_assert_eq!(of(count), Points { hundredths: expected as u16 });
        }
    }
}

#[test]
fn cases_without_weight_are_counted() {
    let names = ["sample/1", "sample/2", "secret/1"];
    let scheme = |names: &[&'static str]| {
        Scheme::of_weights(UnitKind::Cases, units(UnitKind::Cases, names.iter().copied()), names.iter().copied())
    };
    assert_eq!(scheme(&names).unwrap().weightless_cases(), 2);
    assert_eq!(scheme(&names[..2]).unwrap().weightless_cases(), 0, "samples count if there is nothing else");
    assert_eq!(Scheme::of_scores(number("5")).unwrap().weightless_cases(), 0);
}
