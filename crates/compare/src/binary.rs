//! Rounds numbers to the binary floating-point formats of C programs: to the nearest number, ties to even (IEEE 754,
//! 4.3.1).

/// A binary floating-point format.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    /// The number of bits of the mantissa, including the leading one.
    pub(super) bits: i64,
    /// The smallest positive number is two to this power.
    pub(super) min_exponent: i64,
    /// Two to this power overflows; every finite number is smaller.
    pub(super) overflow_exponent: i64,
}

/// IEEE 754 binary64, C's `double`.
pub(super) const DOUBLE: Format = Format { bits: 53, min_exponent: -1074, overflow_exponent: 1024 };

/// The extended format of the x87: C's `long double` on x86 (Intel 64 manual, volume 1, 4.2.2).
pub(super) const EXTENDED: Format = Format { bits: 64, min_exponent: -16445, overflow_exponent: 16384 };

/// A number before rounding: `mantissa` times two to the power of `exponent`. If `more` is true, the number is larger
/// than this product, by less than one unit of the mantissa. In this case, the mantissa must have at least two bits
/// more than the target format.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exact {
    pub(super) mantissa: u128,
    pub(super) more: bool,
    pub(super) exponent: i64,
}

impl Exact {
    /// Returns the mantissa and the exponent of the nearest number in `format`; `None` if the number overflows the
    /// format.
    pub(super) fn round(self, format: Format) -> Option<(u64, i64)> {
        let length = i64::from(u128::BITS - self.mantissa.leading_zeros());
        if length == 0 {
            return Some((0, 0));
        }
        let drop = (length - format.bits).max(format.min_exponent - self.exponent).max(0);
        if drop > length {
            // The number is less than half of the smallest positive number.
            return Some((0, 0));
        }
        let (mut mantissa, mut exponent) = (self.kept(drop), self.exponent + drop);
        if mantissa > u128::from(u64::MAX) {
            (mantissa, exponent) = (mantissa >> 1, exponent + 1);
        }
        let length = i64::from(u128::BITS - mantissa.leading_zeros());
        (exponent + length <= format.overflow_exponent || mantissa == 0).then_some((mantissa as u64, exponent))
    }

    /// Returns the mantissa without its last `drop` bits, rounded to nearest.
    fn kept(self, drop: i64) -> u128 {
        if drop == 0 {
            return self.mantissa;
        }
        let drop = drop as u32;
        let kept = self.mantissa.checked_shr(drop).unwrap_or(0);
        let dropped = self.mantissa - kept.checked_shl(drop).unwrap_or(0);
        let half = 1_u128 << (drop - 1);
        let up = dropped > half || (dropped == half && (self.more || kept % 2 == 1));
        kept + u128::from(up)
    }
}

/// Converts hexadecimal digits to a number without rounding. The mantissa gets as many significant digits as fit.
/// `more` is true if a later digit is not zero.
pub(super) fn from_hexadecimal(whole: &[u8], fraction: &[u8], exponent: i64) -> Exact {
    /// The number of digits that fit into the mantissa.
    const MOST: u32 = 32;
    let mut exact = Exact { mantissa: 0, more: false, exponent: exponent - 4 * fraction.len() as i64 };
    let mut taken = 0;
    for digit in whole.iter().chain(fraction) {
        let digit = char::from(*digit).to_digit(16).unwrap_or(0);
        if taken < MOST {
            exact.mantissa = exact.mantissa << 4 | u128::from(digit);
            taken += u32::from(exact.mantissa != 0);
        } else {
            exact.more |= digit != 0;
            exact.exponent += 4;
        }
    }
    exact
}

/// Returns the nearest `double`, or an infinity if the number is too large.
pub(super) fn double(exact: Exact, negative: bool) -> f64 {
    let size = match exact.round(DOUBLE) {
        None => f64::INFINITY,
        // A 53-bit mantissa converts exactly. The power of two may overflow or underflow as a `double`, so it is split
        // into two factors. The product is exact, because `round` has made sure that a `double` can represent it.
        Some((mantissa, exponent)) => {
            let half = exponent / 2;
            mantissa as f64 * 2_f64.powi(half as i32) * 2_f64.powi((exponent - half) as i32)
        }
    };
    if negative { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn a_whole_number_becomes_the_double_that_the_processor_makes_of_it(number: u128, shift in 0_u32..128) {
            let number = number >> shift;
            let exact = Exact { mantissa: number, more: false, exponent: 0 };
            proptest::prop_assert_eq!(double(exact, false).to_bits(), (number as f64).to_bits());
        }

        #[test]
        fn every_double_comes_back_from_its_hexadecimal_digits(bits: u64) {
            let number = f64::from_bits(bits & !(1 << 63));
            if number.is_finite() {
                let exponent = (bits >> 52 & 0x7ff) as i64;
                let leading = u64::from(exponent != 0) << 52;
                let digits = format!("{:014x}", bits & ((1 << 52) - 1) | leading);
                let exact = from_hexadecimal(b"0", digits.as_bytes(), exponent.max(1) - 1075 + 4 * 14);
                proptest::prop_assert_eq!(double(exact, false).to_bits(), number.to_bits());
            }
        }
    }

    #[test]
    fn ties_go_to_even_and_a_bit_more_breaks_them() {
        let tie = |more| Exact { mantissa: (1 << 60) + (1 << 7), more, exponent: -60 };
        assert_eq!(double(tie(false), false).to_bits(), 1_f64.to_bits());
        assert_eq!(double(tie(true), false).to_bits(), 1_f64.next_up().to_bits());
    }

    #[test]
    fn the_ends_of_the_range_round_as_the_standard_says() {
        let smallest = |mantissa, more| double(Exact { mantissa, more, exponent: -1074 - 70 }, true);
        assert_eq!(smallest(1 << 69, false).to_bits(), (-0_f64).to_bits(), "half of the smallest is even with zero");
        assert_eq!(smallest(1 << 69, true).to_bits(), (-f64::from_bits(1)).to_bits());
        let largest = |mantissa| double(Exact { mantissa, more: false, exponent: 1024 - 54 }, false);
        assert_eq!(largest((1 << 54) - 2).to_bits(), f64::MAX.to_bits());
        assert!(largest((1 << 54) - 1).is_infinite());
    }
}
