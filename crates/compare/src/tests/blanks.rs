//! Tests long texts with other whitespace than in the answer, which the fast path compares, against the model.

use std::io::BufReader;

use proptest::prelude::*;

use super::model::{any_options, compare_plainly};
use super::*;

/// Runs of whitespace. The last ones are as long as the longest run of the fast path, and longer.
const RUNS: [&str; 14] = [
    "\n",
    "\n",
    " ",
    " ",
    "\r\n",
    " \n",
    "\t\x0b\x0c \n",
    "  ",
    "\n\n",
    "\r\n\r\n",
    "\n  ",
    "       \n\n\n\n\n\n\n  ",
    "        \n        ",
    "        \n         ",
];

/// The ways in which a word of the output differs from that of the answer.
#[derive(Clone, Copy, Debug)]
enum Edit {
    Same,
    Upper,
    Other(u8),
    Split,
    Longer,
    Joined,
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        400 => Just(Edit::Same),
        1 => Just(Edit::Upper),
        1 => any::<u8>().prop_map(Edit::Other),
        1 => Just(Edit::Split),
        1 => Just(Edit::Longer),
        1 => Just(Edit::Joined),
    ]
}

fn run() -> impl Strategy<Value = &'static str> {
    prop::sample::select(RUNS.to_vec())
}

/// Generates an answer and an output with mostly the same words. Most runs of whitespace of a text are equal, as in a
/// file whose lines all end with CR LF.
fn texts() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let word = prop_oneof![5 => "[ab1]{1,9}", 4 => "[ab1]{10,60}", 1 => "[ab1]{61,400}"];
    let other_run = || prop::option::weighted(0.1, run());
    let words = prop::collection::vec((word, edit(), other_run(), other_run()), 0..60);
    (run(), run(), prop_oneof![Just(""), run()], words).prop_map(|(usual, usual_other, start, words)| {
        let (mut answer, mut output) = (String::new(), start.as_bytes().to_vec());
        for (word, edit, run, other_run) in words {
            answer += &(word.clone() + run.unwrap_or(usual));
            let mut word = word.into_bytes();
            let middle = word.len() / 2;
            match edit {
                Edit::Same | Edit::Joined => {}
                Edit::Upper => word.make_ascii_uppercase(),
                Edit::Other(byte) => word[middle] = byte,
                Edit::Split => word.insert(middle, b' '),
                Edit::Longer => word.push(b'x'),
            }
            output.extend(word);
            if !matches!(edit, Edit::Joined) {
                output.extend(other_run.unwrap_or(usual_other).bytes());
            }
        }
        (answer.into_bytes(), output)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn texts_with_other_whitespace_are_compared_as_the_plain_rules_say(
        (answer, output) in texts(), options in any_options(), piece in 1_usize..300,
    ) {
        let expected = compare_plainly(&answer, &output, &options);
        let whole = compare(&answer[..], &output, &options).unwrap();
        prop_assert_eq!(&whole, &expected);
        let pieces = compare(BufReader::with_capacity(piece, &answer[..]), &output, &options).unwrap();
        prop_assert_eq!(&pieces, &expected);
        let swapped = compare(&output[..], &answer, &options).unwrap();
        prop_assert_eq!(&swapped, &compare_plainly(&output, &answer, &options));
    }
}
