//! Compares the software `long double` with that of the processor: a C program on x86-64 printed the expected bits.

use num_bigint::BigInt;
use proptest::prelude::*;

use super::super::extended::Extended::{self, Finite};
use super::super::scanf;

fn extended(text: &str) -> Extended {
    Extended::from_number(&scanf::parse(text.as_bytes()).unwrap())
}

fn is(text: &str, bits: u64, power: i32) {
    let wanted = Finite { negative: false, mantissa: bits, exponent: power };
    let given = extended(text);
    assert!(!given.exceeds(wanted) && !wanted.exceeds(given), "{text} is {given:?}, not {wanted:?}");
}

#[test]
fn decimals_are_rounded_to_sixty_four_bits() {
    is("0.1", 0xcccc_cccc_cccc_cccd, -67);
    is("1e27", 0xcecb_8f27_f420_0f3a, 26);
    is("18446744073709551617", 1 << 63, 1);
    is("18446744073709551619", (1 << 63) + 2, 1);
    is("123456789012345678901234567890e-100", 0xae80_df9f_cc9f_5000, -299);
    is("9.999999999999999999999e4000", 0x8314_91f6_7ef5_77bd, 13228);
}

#[test]
fn the_ends_of_the_range_are_those_of_the_processor() {
    is("1.18973149535723176502e4932", u64::MAX, 16320);
    is("1e-4940", 0x0006_6327_8e62, -16445);
    is("3.6451995318824746025e-4951", 1, -16445);
    is("1.8e-4951", 0, 0);
    assert_eq!(extended("-1.2e4932"), Extended::Infinite { negative: true });
    let largest = extended("1e4932");
    assert_eq!(largest.distance(extended("-1e4932")), Extended::Infinite { negative: false });
    assert_eq!(extended("0").ratio(extended("-0")), Extended::NotANumber);
    assert_eq!(extended("1").ratio(extended("0")), Extended::Infinite { negative: false });
}

#[test]
fn hexadecimal_digits_are_rounded_once_however_many_there_are() {
    is("0x1ffffffffffffffff", 1 << 63, 2);
    is(&format!("0x1{}", "0".repeat(40)), 1 << 63, 97);
    is("0x1.0000000000000001", 1 << 63, -63);
    is(&format!("0x1.0000000000000001{}1", "0".repeat(30)), (1 << 63) + 1, -63);
}

#[test]
fn a_digit_far_behind_decides_what_lies_in_the_middle() {
    // The number is 1 + 2^-64.
    let middle = "1.0000000000000000000542101086242752217003726400434970855712890625";
    is(middle, 1 << 63, -63);
    is(&format!("{middle}{}1", "0".repeat(20_000)), (1 << 63) + 1, -63);
    is(&format!("{middle}{}", "0".repeat(20_000)), 1 << 63, -63);
}

/// The expected results are those of C's operators and `fabsl` (IEEE 754, 6.1 and 6.2).
#[test]
fn infinities_and_what_is_no_number_are_reckoned_with() {
    let (infinite, below) = (Extended::Infinite { negative: false }, Extended::Infinite { negative: true });
    let (none, one, zero) = (Extended::NotANumber, extended("1"), extended("0"));
    for (of, other, distance, ratio) in [
        (none, one, none, none),
        (one, none, none, none),
        (infinite, infinite, none, none),
        (infinite, below, infinite, none),
        (infinite, one, infinite, infinite),
        (one, below, infinite, zero),
        (zero, infinite, infinite, zero),
        (infinite, zero, infinite, infinite),
    ] {
        assert_eq!((of.distance(other), of.ratio(other)), (distance, ratio), "{of:?} and {other:?}");
    }
    let numbers = ["-2", "-1", "0", "1", "2"].map(extended);
    let rising = [&[below][..], &numbers, &[infinite]].concat();
    for (place, number) in rising.iter().enumerate() {
        for (other_place, other) in rising.iter().enumerate() {
            assert_eq!(number.exceeds(*other), place > other_place, "{number:?} and {other:?}");
        }
        assert!(!number.exceeds(none) && !none.exceeds(*number), "{number:?}");
    }
    assert!(!extended("0").exceeds(extended("-0")) && !extended("-0").exceeds(extended("0")));
    assert_eq!([below, infinite, none].map(Extended::is_at_least_zero), [false, true, false]);
}

/// Returns whether `number` is the 64-bit number nearest to `over` / `under`.
fn is_nearest(number: Extended, over: &BigInt, under: &BigInt) -> bool {
    let Finite { mantissa, exponent, .. } = number else { return false };
    // The unit is the smallest positive number, so that all values are integers.
    let whole = BigInt::from(mantissa) << (exponent + 16_445);
    let off: BigInt = whole * under - (over << 16_445);
    let last_place = BigInt::from(1) << (exponent + 16_445 - mantissa.leading_zeros() as i32);
    off.magnitude() * 2_u8 <= *(last_place * under).magnitude()
}

proptest! {
    #[test]
    fn a_text_becomes_the_nearest_number(digits in "[1-9][0-9]{0,60}", power in 0_u32..300) {
        let (size, ten) = (digits.parse::<BigInt>().unwrap(), BigInt::from(10).pow(power));
        let (large, small) = (extended(&format!("{digits}e{power}")), extended(&format!("{digits}e-{power}")));
        prop_assert!(is_nearest(large, &(&size * &ten), &BigInt::from(1)));
        prop_assert!(is_nearest(small, &size, &ten));
    }

    #[test]
    fn differences_and_quotients_are_rounded_once(one: u64, other in 1_u64.., shift in -90_i32..90) {
        let number = |mantissa, exponent| Finite { negative: false, mantissa, exponent };
        let (given, wanted) = (number(one, 0), number(other, shift));
        let down = BigInt::from(1) << 90;
        let scaled = BigInt::from(other) << (90 + shift);
        let difference: BigInt = BigInt::from(one) * &down - &scaled;
        let (distance, size) = (given.distance(wanted), BigInt::from(difference.magnitude().clone()));
        prop_assert!(is_nearest(distance, &size, &down));
        prop_assert!(is_nearest(given.ratio(wanted), &(BigInt::from(one) * &down), &scaled));
    }
}

#[test]
fn what_is_cut_off_before_a_subtraction_still_counts() {
    let number = |mantissa, exponent| Finite { negative: false, mantissa, exponent };
    let (odd, half_and_a_bit) = ((1 << 63) + 3, number((1 << 63) + 1, -64));
    assert_eq!(number(odd, 0).distance(half_and_a_bit), number(odd - 1, 0));
}
