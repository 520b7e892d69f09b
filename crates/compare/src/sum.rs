//! The sign of a sum of decimal numbers of any length and any exponent, exactly.
//!
//! A number is read in limbs of seventeen digits, the highest first, and a limb may be anywhere between ten to the
//! power of plus and minus 2^56. The sum of the limbs so far, in units of the last one, says the sign as soon as it is
//! larger than all that may follow, which is mostly after the first limb that is not the same in two numbers. Nothing
//! is stored but that sum: no power of ten is ever worked out, so that 1e-999999999 costs no more than 1, and numbers
//! of a million digits cost one pass over them at the most.

use super::decimal::Decimal;

/// Digits of a limb.
const LIMB_DIGITS: i64 = 17;

/// One more than the largest limb.
const BASE: i128 = 10_i128.pow(LIMB_DIGITS as u32);

/// A factor's digits. With so many the sums stay far within 128 bits: each is below two limbs and 590 products of
/// limbs, or 1e37.
pub(super) const MOST_FACTOR_DIGITS: usize = 10_000;

/// Seventeen digits: `value` times the base to the power of `place`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limb {
    place: i64,
    value: i64,
}

impl Limb {
    pub(super) const ONE: Limb = Limb { place: 0, value: 1 };
}

/// A number times a factor; the factor's limbs have no sign, the highest is the first and none is zero.
#[derive(Clone, Copy)]
pub(super) struct Term<'a> {
    pub(super) number: Decimal<'a>,
    pub(super) factor: &'a [Limb],
}

/// The limbs of a number that are not zero, the highest first.
pub(super) fn limbs(number: &Decimal) -> Vec<Limb> {
    let places = (lowest(number)..=highest(number)).rev();
    places.map(|place| Limb { place, value: limb(number, place) }).filter(|limb| limb.value != 0).collect()
}

/// Whether the sum of the terms is above zero.
pub(super) fn is_positive(terms: &[Term]) -> bool {
    // What follows a place is, in units of it, below two and as many bases as products of limbs meet in one place.
    let enough = terms.iter().map(|term| term.factor.len() as i128).sum::<i128>() * BASE + 2;
    let next = |below: i64| terms.iter().filter_map(|term| term.highest_below(below)).max();
    let mut sum = 0_i128;
    let mut place = i64::MAX;
    while let Some(highest) = next(place) {
        if sum == 0 {
            place = highest;
        } else {
            // Where there is a gap the sum outgrows all that follows within three steps.
            place -= 1;
            sum *= BASE;
        }
        sum += terms.iter().map(|term| term.at(place)).sum::<i128>();
        if sum.abs() > enough {
            break;
        }
    }
    sum > 0
}

impl Term<'_> {
    /// What the products of limbs add up to in a place.
    fn at(&self, place: i64) -> i128 {
        let product = |factor: &Limb| i128::from(factor.value) * i128::from(limb(&self.number, place - factor.place));
        let size: i128 = self.factor.iter().map(product).sum();
        if self.number.negative { -size } else { size }
    }

    /// The highest place below `below` in which limbs meet.
    fn highest_below(&self, below: i64) -> Option<i64> {
        let (low, high) = (lowest(&self.number), highest(&self.number));
        let meet = |factor: &Limb| {
            let place = high.min(below.saturating_sub(1).saturating_sub(factor.place));
            (place >= low).then_some(place + factor.place)
        };
        self.factor.iter().filter_map(meet).max()
    }
}

/// The power of ten of the last digit.
fn last_power(number: &Decimal) -> i64 {
    number.exponent - number.fraction.len() as i64
}

fn lowest(number: &Decimal) -> i64 {
    last_power(number).div_euclid(LIMB_DIGITS)
}

fn highest(number: &Decimal) -> i64 {
    (last_power(number) + number.length() as i64 - 1).div_euclid(LIMB_DIGITS)
}

/// The seventeen digits of a number in a place, as a whole number.
fn limb(number: &Decimal, place: i64) -> i64 {
    // The index of the digit at the limb's first power of ten, counted from the number's first digit.
    let first = last_power(number) + number.length() as i64 - LIMB_DIGITS * (place + 1);
    let digit = |index: i64| {
        let index = usize::try_from(index).ok()?;
        let whole = number.whole.len();
        if index < whole { number.whole.get(index) } else { number.fraction.get(index - whole) }
    };
    (first..first + LIMB_DIGITS)
        .fold(0, |value, index| value * 10 + digit(index).map_or(0, |digit| i64::from(digit - b'0')))
}
