//! Tests the checker with correct answers, and with answers that are damaged in every way.

use super::*;

/// Returns a pair in which each of the two `1`s in the upper corners moves down by one step.
fn corners() -> Pair {
    Pair::new(Board(0b1001), Board(0b1001_0000)).unwrap()
}

fn verdict(output: &str, minimum: u32) -> Result<(), String> {
    check(corners(), &mut Tokens::new(output.as_bytes()), &Value::Minimum(minimum)).map_err(|error| error.to_string())
}

#[test]
fn either_order_of_moves_and_cells_is_right() {
    for output in [
        "2\n1121\n1424\n",
        "2\n1424\n1121\n",
        "2\n2111\n2414\n",
        " 2 1121\t1424",
        "2\r\n1121\r\n1424\r\n",
        "2\n1121\n1424",
    ] {
        assert_eq!(verdict(output, 2), Ok(()), "{output:?}");
    }
}

#[test]
fn what_follows_the_answer_is_left_for_the_next_instance() {
    let mut output = Tokens::new(&b"2\n1121\n1424\n7\n"[..]);
    check(corners(), &mut output, &Value::Minimum(2)).unwrap();
    assert_eq!(output.next_token().unwrap().unwrap().bytes, b"7");
}

#[test]
fn each_fault_is_named_with_its_place() {
    for (output, message) in [
        ("", "line 1, column 1: the output ends here, expected the number of steps"),
        (
            "Impossible\n",
            "line 1, column 1: found 'Impossible', expected the number of steps, digits without sign or leading zeros",
        ),
        (
            "-2\n1121\n1424\n",
            "line 1, column 1: found '-2', expected the number of steps, digits without sign or leading zeros",
        ),
        (
            "+2\n1121\n1424\n",
            "line 1, column 1: found '+2', expected the number of steps, digits without sign or leading zeros",
        ),
        (
            "02\n1121\n1424\n",
            "line 1, column 1: found '02', expected the number of steps, digits without sign or leading zeros",
        ),
        ("00\n", "line 1, column 1: found '00', expected the number of steps, digits without sign or leading zeros"),
        (
            "2.0\n1121\n1424\n",
            "line 1, column 1: found '2.0', expected the number of steps, digits without sign or leading zeros",
        ),
        ("4\n1121\n2111\n1121\n1424\n", "line 1, column 1: the answer announces 4 steps, but 2 are enough"),
        (
            "99999999999999999999999\n",
            "line 1, column 1: the answer announces 18446744073709551615 steps, but 2 are enough",
        ),
        ("2\n1121\n", "line 3, column 1: the output ends here, expected step 2 of 2"),
        (
            "2\n1121\n1525\n",
            "line 3, column 1: found '1525', expected step 2 as four digits from 1 to 4: row, column, row, column",
        ),
        (
            "2\n1 1 2 1\n",
            "line 2, column 1: found '1', expected step 1 as four digits from 1 to 4: row, column, row, column",
        ),
        ("2\n1122\n1424\n", "line 2, column 1: step 1 ('1122'): cells 11 and 22 are not neighbours in a row or column"),
        ("2\n1111\n1424\n", "line 2, column 1: step 1 ('1111'): cells 11 and 11 are not neighbours in a row or column"),
        (
            "2\n1121\n1213\n",
            "line 3, column 1: step 2 ('1213'): cells 12 and 13 are both '0'; a step must exchange a '0' and a '1'",
        ),
        ("2\n1121\n2122\n", "line 3, column 5: after 2 steps cell 14 is '1', but '0' on the second board"),
    ] {
        assert_eq!(verdict(output, 2), Err(message.to_owned()), "{output:?}");
    }
}

#[test]
fn too_few_steps_are_refused_even_if_they_are_legal() {
    assert_eq!(
        verdict("1\n1121\n", 2),
        Err("line 1, column 1: the answer announces 1 step, but at least 2 are needed \
             (the replay found: after 1 step cell 14 is '1', but '0' on the second board)"
            .to_owned())
    );
}

#[test]
fn fewer_steps_that_reach_the_goal_accuse_the_judge() {
    assert_eq!(
        verdict("2\n1121\n1424\n", 4),
        Err("line 1, column 1: 2 steps lead to the goal, so the reference answer 4 is not the minimum".to_owned())
    );
}

fn answer(value: Value, text: &str, certificate: Option<&[i64]>) -> Answer {
    Answer { value, text: text.to_owned(), certificate: certificate.map(<[i64]>::to_vec) }
}

const RIGHT: &str = "2\n1121\n1424\n";
const HEIGHTS: [i64; 16] = [0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0];

#[test]
fn heights_that_rise_by_the_number_of_steps_prove_it() {
    let evidence = verify(corners(), &answer(Value::Minimum(2), RIGHT, Some(&HEIGHTS))).unwrap();
    assert_eq!(evidence, Evidence { moves_replayed: true, bound_proved: true });
    let moves_only = verify(corners(), &answer(Value::Minimum(2), RIGHT, None)).unwrap();
    assert_eq!(moves_only, Evidence { moves_replayed: true, bound_proved: false });
}

#[test]
fn certificates_that_prove_nothing_are_refused() {
    let refused = |heights: &[i64]| verify(corners(), &answer(Value::Minimum(2), RIGHT, Some(heights))).unwrap_err();
    assert_eq!(refused(&HEIGHTS[..15]), "the certificate has 15 heights, the board has 16 cells");
    assert_eq!(refused(&[7; 16]), "the certificate proves a lower bound of 0, not 2");
    let mut steep = HEIGHTS;
    steep[0] = -1;
    assert!(refused(&steep).contains("at cell 11 differs by more than one"));
    let mut beside = HEIGHTS;
    beside[15] = 2;
    assert!(refused(&beside).contains("differs by more than one"));
    assert!(refused(&[i64::MAX, i64::MIN, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]).contains("at cell 11"));
    assert_eq!(refused(&[i64::MAX; 16]), "the certificate proves a lower bound of 0, not 2");
}

#[test]
fn answers_whose_parts_contradict_one_another_are_refused() {
    let refused = |value, text: &str| verify(corners(), &answer(value, text, None)).unwrap_err();
    assert!(refused(Value::Minimum(3), RIGHT).contains("is not the minimum"));
    assert!(refused(Value::Minimum(1), RIGHT).contains("1 are enough"));
    assert!(refused(Value::Impossible, "Impossible\n").contains("always have a solution"));
    assert!(refused(Value::Minimum(2), "2\n1121\n1424\n1424\n").contains("found '1424' after the last step"));
}
