//! Computes the exact sign of a sum. Its terms are decimal numbers with any length and any exponent.
//!
//! The numbers are split into limbs of seventeen digits, which are added from the most significant limb on. As soon as
//! the running sum is larger than everything that the remaining limbs can add, its sign is the result. For two numbers,
//! this is usually after the first limb that differs. Exponents range from -2^56 to 2^56. Only the running sum is
//! stored, and no power of ten is computed. So 1e-999999999 costs no more than 1, and numbers of a million digits need
//! one pass at most.

use super::decimal::Decimal;

/// The number of digits of a limb.
const LIMB_DIGITS: i64 = 17;

/// One more than the largest limb.
const BASE: i128 = 10_i128.pow(LIMB_DIGITS as u32);

/// The maximum number of digits of a factor. A factor with this many digits has at most 590 limbs. So at most 590
/// products of limbs belong to one place. They add up to less than 1e37, and every running sum fits into 128 bits.
pub(super) const MOST_FACTOR_DIGITS: usize = 10_000;

/// A limb of seventeen digits: `value` times [`BASE`] to the power of `place`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limb {
    place: i64,
    value: i64,
}

impl Limb {
    pub(super) const ONE: Limb = Limb { place: 0, value: 1 };
}

/// A number times a factor. The factor's limbs have no sign, are sorted by descending place, and none is zero.
#[derive(Clone, Copy)]
pub(super) struct Term<'a> {
    pub(super) number: Decimal<'a>,
    pub(super) factor: &'a [Limb],
}

/// Returns the non-zero limbs of a number, the most significant first.
pub(super) fn limbs(number: &Decimal) -> Vec<Limb> {
    let places = (lowest(number)..=highest(number)).rev();
    places.map(|place| Limb { place, value: limb(number, place) }).filter(|limb| limb.value != 0).collect()
}

/// Returns whether the sum of the terms is greater than zero.
pub(super) fn is_positive(terms: &[Term]) -> bool {
    // In units of the current place, all lower places together add less than this number: [`BASE`] times the total
    // number of limbs of all factors, plus two.
    let enough = terms.iter().map(|term| term.factor.len() as i128).sum::<i128>() * BASE + 2;
    let next = |below: i64| terms.iter().filter_map(|term| term.highest_below(below)).max();
    let mut sum = 0_i128;
    let mut place = i64::MAX;
    while let Some(highest) = next(place) {
        if sum == 0 {
            place = highest;
        } else {
            // In a gap without limbs, a non-zero sum exceeds `enough` within three steps.
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
    /// Returns the sum of all products that belong to `place`, with the sign of the number. A product is a limb of the
    /// number times a limb of the factor.
    fn at(&self, place: i64) -> i128 {
        let product = |factor: &Limb| i128::from(factor.value) * i128::from(limb(&self.number, place - factor.place));
        let size: i128 = self.factor.iter().map(product).sum();
        if self.number.negative { -size } else { size }
    }

    /// Returns the highest place below `below` to which a product of two limbs belongs; `None` if there is none.
    fn highest_below(&self, below: i64) -> Option<i64> {
        let (low, high) = (lowest(&self.number), highest(&self.number));
        let meet = |factor: &Limb| {
            let place = high.min(below.saturating_sub(1).saturating_sub(factor.place));
            (place >= low).then_some(place + factor.place)
        };
        self.factor.iter().filter_map(meet).max()
    }
}

/// Returns the power of ten of the last digit.
fn last_power(number: &Decimal) -> i64 {
    number.exponent - number.fraction.len() as i64
}

fn lowest(number: &Decimal) -> i64 {
    last_power(number).div_euclid(LIMB_DIGITS)
}

fn highest(number: &Decimal) -> i64 {
    (last_power(number) + number.length() as i64 - 1).div_euclid(LIMB_DIGITS)
}

/// Returns the limb of a number with index `place`, a group of seventeen digits, as an integer. The lowest digit of limb
/// 0 counts ones.
fn limb(number: &Decimal, place: i64) -> i64 {
    // The index of the limb's first digit, counted from the number's first digit. It is negative if the limb begins
    // before the number.
    let first = last_power(number) + number.length() as i64 - LIMB_DIGITS * (place + 1);
    let digit = |index: i64| {
        let index = usize::try_from(index).ok()?;
        let whole = number.whole.len();
        if index < whole { number.whole.get(index) } else { number.fraction.get(index - whole) }
    };
    (first..first + LIMB_DIGITS)
        .fold(0, |value, index| value * 10 + digit(index).map_or(0, |digit| i64::from(digit - b'0')))
}
