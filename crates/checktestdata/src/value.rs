//! The values of expressions: integers, floats and strings, and the operations on them.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

/// The maximum size of an integer, in bits. Without this maximum, `9^9^9^9` would use all memory of the machine.
const LARGEST_BITS: u64 = 1 << 22;

/// The maximum size of a fraction that is not an integer, in bits. It is smaller, because each operation reduces the
/// fraction, which takes time that grows with the square of its size.
const LARGEST_FRACTION_BITS: u64 = 1 << 17;

/// The value of an expression. An integer that fits into 64 bits is always [`Value::Small`].
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Small(i64),
    Large(Arc<BigInt>),
    Float(Arc<BigRational>),
    String(Arc<[u8]>),
}

impl Value {
    pub(crate) fn integer(number: BigInt) -> Value {
        number.to_i64().map_or_else(|| Value::Large(Arc::new(number)), Value::Small)
    }

    pub(crate) fn float(number: BigRational) -> Value {
        Value::Float(Arc::new(number))
    }

    /// Returns an integer value; `None` for a float or a string.
    pub(crate) fn to_integer(&self) -> Option<BigInt> {
        match self {
            Value::Small(number) => Some(BigInt::from(*number)),
            Value::Large(number) => Some(BigInt::clone(number)),
            Value::Float(_) | Value::String(_) => None,
        }
    }

    /// Returns an integer or a float as a fraction; `None` for a string.
    pub(crate) fn to_fraction(&self) -> Option<BigRational> {
        match self {
            Value::Float(number) => Some(BigRational::clone(number)),
            _ => self.to_integer().map(BigRational::from_integer),
        }
    }

    pub(crate) fn is_integer(&self) -> bool {
        matches!(self, Value::Small(_) | Value::Large(_))
    }

    pub(crate) fn is_string(&self) -> bool {
        matches!(self, Value::String(_))
    }

    /// The approximate memory that the value takes on the heap, in bytes. The 24 bytes of `Value` itself do not count.
    pub(crate) fn heap_bytes(&self) -> usize {
        match self {
            Value::Small(_) => 0,
            Value::Large(number) => 40 + number.bits() as usize / 8,
            Value::Float(number) => 80 + (number.numer().bits() + number.denom().bits()) as usize / 8,
            Value::String(text) => 16 + text.len(),
        }
    }

    /// Compares two numbers, or two strings byte by byte. Returns `None` if one value is a number and the other is a
    /// string.
    pub(crate) fn compare(&self, other: &Value) -> Option<Ordering> {
        match (self, other) {
            (Value::Small(left), Value::Small(right)) => Some(left.cmp(right)),
            // A large number is outside the range of the small ones, so its sign decides.
            (Value::Small(_), Value::Large(right)) => Some(BigInt::ZERO.cmp(right)),
            (Value::Large(left), Value::Small(_)) => Some(BigInt::cmp(left, &BigInt::ZERO)),
            (Value::Large(left), Value::Large(right)) => Some(left.cmp(right)),
            (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
            (Value::String(_), _) | (_, Value::String(_)) => None,
            _ => {
                // Comparing `BigRational`s divides again and again, which takes much longer.
                let (left, right) = (self.to_fraction()?, other.to_fraction()?);
                Some((left.numer() * right.denom()).cmp(&(right.numer() * left.denom())))
            }
        }
    }

    /// Names the type with an article, for messages.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Value::Small(_) | Value::Large(_) => "an integer",
            Value::Float(_) => "a float",
            Value::String(_) => "a string",
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        self.compare(other) == Some(Ordering::Equal)
    }
}

impl Eq for Value {}

impl Hash for Value {
    /// Gives a float without a fraction the hash of the integer that it equals.
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Value::Small(number) => number.hash(state),
            Value::Large(number) => number.hash(state),
            Value::Float(number) if number.is_integer() => match number.numer().to_i64() {
                Some(small) => small.hash(state),
                None => number.numer().hash(state),
            },
            Value::Float(number) => number.hash(state),
            Value::String(text) => text.hash(state),
        }
    }
}

/// An arithmetic operation on two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
}

impl Operator {
    /// Computes `left` operator `right`. Fails for strings, for a division by zero, for an exponent that is negative or
    /// not an integer, for `%` with a float, and for a result that is too large.
    pub(crate) fn apply(self, left: &Value, right: &Value) -> Result<Value, String> {
        if let (Value::Small(left), Value::Small(right)) = (left, right)
            && let Some(result) = self.apply_small(*left, *right)
        {
            return Ok(Value::Small(result));
        }
        if self == Operator::Power {
            return power(left, right);
        }
        if let (Some(left), Some(right)) = (left.to_integer(), right.to_integer()) {
            return self.apply_integers(&left, &right).map(Value::integer);
        }
        let (Some(left_fraction), Some(right_fraction)) = (left.to_fraction(), right.to_fraction()) else {
            return Err(format!("cannot compute with {} and {}", left.type_name(), right.type_name()));
        };
        self.apply_fractions(&left_fraction, &right_fraction).map(Value::float)
    }

    /// Computes with small integers. `None` if the result may not fit into 64 bits, or if the operation fails.
    pub(crate) fn apply_small(self, left: i64, right: i64) -> Option<i64> {
        match self {
            Operator::Add => left.checked_add(right),
            Operator::Subtract => left.checked_sub(right),
            Operator::Multiply => left.checked_mul(right),
            Operator::Divide => left.checked_div(right),
            Operator::Remainder => left.checked_rem(right),
            Operator::Power => left.checked_pow(u32::try_from(right).ok()?),
        }
    }

    fn apply_integers(self, left: &BigInt, right: &BigInt) -> Result<BigInt, String> {
        match self {
            Operator::Add => Ok(left + right),
            Operator::Subtract => Ok(left - right),
            Operator::Multiply => checked_size(left.bits() + right.bits(), LARGEST_BITS).map(|()| left * right),
            Operator::Divide | Operator::Remainder if right.is_zero() => Err("division by zero".to_owned()),
            Operator::Divide => Ok(left / right),
            Operator::Remainder | Operator::Power => Ok(left % right),
        }
    }

    fn apply_fractions(self, left: &BigRational, right: &BigRational) -> Result<BigRational, String> {
        let bits = |number: &BigRational| number.numer().bits() + number.denom().bits();
        checked_size(bits(left) + bits(right), LARGEST_FRACTION_BITS)?;
        match self {
            Operator::Add => Ok(left + right),
            Operator::Subtract => Ok(left - right),
            Operator::Multiply => Ok(left * right),
            Operator::Divide if right.is_zero() => Err("division by zero".to_owned()),
            Operator::Divide => Ok(left / right),
            Operator::Remainder | Operator::Power => Err("% needs integers".to_owned()),
        }
    }
}

fn checked_size(bits: u64, most: u64) -> Result<(), String> {
    if bits > most { Err(format!("the result would have more than {most} bits")) } else { Ok(()) }
}

fn power(base: &Value, exponent: &Value) -> Result<Value, String> {
    let exponent = exponent.to_integer().filter(|exponent| !exponent.is_negative());
    let exponent = exponent.ok_or("the exponent of ^ must be a non-negative integer")?;
    let fraction = base.to_fraction().ok_or_else(|| format!("cannot compute with {}", base.type_name()))?;
    let bits = fraction.numer().bits().max(fraction.denom().bits());
    // Powers of 0, 1 and -1 are small for every exponent. The exponent is replaced by a small exponent that gives the
    // same power.
    let is_unit = fraction.is_zero() || fraction.numer().magnitude() == fraction.denom().magnitude();
    let exponent = if is_unit {
        (&exponent % 2_u32).to_u32().unwrap_or(0) + 2 * u32::from(!exponent.is_zero())
    } else {
        let wanted = exponent.to_u64().and_then(|exponent| exponent.checked_mul(bits)).unwrap_or(u64::MAX);
        checked_size(wanted, if base.is_integer() { LARGEST_BITS } else { LARGEST_FRACTION_BITS })?;
        exponent.to_u32().unwrap_or(u32::MAX)
    };
    Ok(match base.to_integer() {
        Some(base) => Value::integer(base.pow(exponent)),
        // Powers of a reduced fraction's parts have no common factor either.
        None => Value::float(BigRational::new_raw(fraction.numer().pow(exponent), fraction.denom().pow(exponent))),
    })
}

/// Negates a number. Fails for a string.
pub(crate) fn negated(value: &Value) -> Result<Value, String> {
    match value {
        Value::Small(number) if *number != i64::MIN => Ok(Value::Small(-number)),
        Value::String(_) => Err("cannot negate a string".to_owned()),
        Value::Float(number) => Ok(Value::float(-BigRational::clone(number))),
        _ => Ok(Value::integer(-value.to_integer().unwrap_or_default())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decimal::Decimal;

    fn float(text: &str) -> Value {
        Decimal::parse(text.as_bytes()).to_float(&|| false).unwrap()
    }

    #[test]
    fn integers_stay_integers_and_floats_are_exact() {
        let of = |operator: Operator, left, right| operator.apply(&left, &right).unwrap();
        assert_eq!(of(Operator::Divide, Value::Small(-7), Value::Small(2)), Value::Small(-3));
        assert_eq!(of(Operator::Remainder, Value::Small(-7), Value::Small(2)), Value::Small(-1));
        assert_eq!(of(Operator::Add, float("0.1"), float("0.2")), float("0.3"));
        assert_eq!(of(Operator::Divide, Value::Small(1), float("4")), float("0.25"));
        let large = of(Operator::Multiply, Value::Small(i64::MAX), Value::Small(i64::MAX));
        assert_eq!(of(Operator::Divide, large, Value::Small(i64::MAX)), Value::Small(i64::MAX));
        assert_eq!(of(Operator::Subtract, Value::Small(i64::MIN), Value::Small(1)).type_name(), "an integer");
    }

    #[test]
    fn powers_have_exponents_from_0() {
        let of = |left, right| Operator::Power.apply(&left, &right);
        assert_eq!(of(Value::Small(2), Value::Small(70)).unwrap().to_integer().unwrap().bits(), 71);
        assert_eq!(of(float("1.5"), Value::Small(2)).unwrap(), float("2.25"));
        assert_eq!(of(Value::Small(-1), Value::integer(BigInt::from(10).pow(30) + 1)).unwrap(), Value::Small(-1));
        assert_eq!(of(Value::Small(0), Value::Small(0)).unwrap(), Value::Small(1));
        assert!(of(Value::Small(2), Value::Small(-1)).is_err());
        assert!(of(Value::Small(10), Value::integer(BigInt::from(10).pow(30))).is_err());
    }

    #[test]
    fn a_float_without_a_fraction_equals_the_integer() {
        let hash = |value: &Value| {
            let mut state = std::hash::DefaultHasher::new();
            value.hash(&mut state);
            state.finish()
        };
        assert_eq!(float("2.0"), Value::Small(2));
        assert_eq!(hash(&float("20e-1")), hash(&Value::Small(2)));
        assert_eq!(Value::Small(1).compare(&Value::String(Arc::from(&b"1"[..]))), None);
    }
}
