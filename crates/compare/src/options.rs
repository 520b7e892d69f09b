//! The arguments of the default output validator.

use crate::extended::Extended;
use crate::limit::Limit;
use crate::sum;
use crate::tolerance::{self, Tolerance};

/// The tool whose rules the comparison follows where the tools differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The specification of the problem package format 2025-09.
    #[default]
    Spec,
    /// Kattis problemtools (`support/default_validator`, 1.20260907). Numbers are `double`s in C's notation, a token
    /// ends at its first NUL, and the last of several tolerances counts. One difference remains: every number is
    /// rounded to the nearest `double` here. The GNU C library 2.36, which problemtools uses, rounds some numbers below
    /// 2.3e-308 with more than 700 digits differently.
    Kattis,
    /// DOMjudge (`sql/files/defaultdata/compare`, from version 8.3 on). It differs from Kattis in four ways. Numbers
    /// are x87 `long double`s. The relative difference is a quotient: the difference divided by the answer. Infinities
    /// and NaN count as numbers. A NUL ends a number, but not a text.
    Domjudge,
}

/// The options of a comparison.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The tool whose rules are followed.
    pub dialect: Dialect,
    /// Whether upper and lower case letters are different.
    pub case_sensitive: bool,
    /// Whether runs of whitespace must be equal byte by byte.
    pub space_change_sensitive: bool,
    /// The tolerance for numbers; `None` if numbers are compared as text.
    pub tolerance: Option<Tolerance>,
}

/// The reason why the arguments of the default output validator are refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// The argument does not exist.
    #[error(
        "the default output validator has no argument {argument}; allowed: case_sensitive, space_change_sensitive, \
         float_tolerance E, float_absolute_tolerance E, float_relative_tolerance E",
        argument = shown(.0)
    )]
    Unknown(String),
    /// A tolerance flag has no number after it, or an invalid one.
    #[error("{flag} must be followed by a number that is not negative, such as 1e-6; found {found}")]
    NotATolerance {
        /// The flag.
        flag: String,
        /// The text after the flag, as the message shows it.
        found: String,
    },
    /// The number after a tolerance flag has too many digits. Only the dialect `Spec` limits them.
    #[error(
        "{flag} must be followed by a number of at most {most} digits; found {found}, which has {digits} digits",
        most = sum::MOST_FACTOR_DIGITS
    )]
    TooManyDigits {
        /// The flag.
        flag: String,
        /// The beginning of the number, as the message shows it.
        found: String,
        /// The number of digits.
        digits: usize,
    },
    /// An argument sets a tolerance that an earlier argument has already set.
    #[error("{0} sets a tolerance that an earlier argument has set already; remove one of the two arguments")]
    Twice(String),
}

/// The values of the tolerance flags; `None` if a flag was not given.
struct ToleranceFlags<T> {
    absolute: Option<T>,
    relative: Option<T>,
}

impl Options {
    /// Reads the arguments, in any order.
    ///
    /// Fails if an argument is unknown or incomplete. In the dialect `Spec`, also fails for a repeated tolerance, which
    /// the specification forbids, and for a negative tolerance, which the specification does not mention. In the other
    /// dialects the last tolerance counts, and a negative tolerance counts as not given.
    pub fn parse<S: AsRef<str>>(arguments: &[S], dialect: Dialect) -> Result<Self, OptionsError> {
        Self::read_all(arguments, dialect, dialect != Dialect::Spec)
    }

    /// Parses the arguments of a legacy package. In such a package, the arguments of a test group may follow those of
    /// the problem, so the last of several tolerances counts. Apart from this, fails like [`Options::parse`].
    pub fn parse_legacy<S: AsRef<str>>(arguments: &[S], dialect: Dialect) -> Result<Self, OptionsError> {
        Self::read_all(arguments, dialect, true)
    }

    fn read_all<S: AsRef<str>>(arguments: &[S], dialect: Dialect, allows_repeats: bool) -> Result<Self, OptionsError> {
        let mut options = Options { dialect, ..Options::default() };
        options.tolerance = match dialect {
            Dialect::Spec => {
                let ToleranceFlags { absolute, relative } = options.read(arguments, allows_repeats, Limit::parse)?;
                let given = absolute.is_some() || relative.is_some();
                given.then_some(Tolerance::Exact { absolute, relative })
            }
            Dialect::Kattis => {
                let ToleranceFlags { absolute, relative } =
                    options.read(arguments, allows_repeats, tolerance::double_argument)?;
                let (absolute, relative) = (absolute.unwrap_or(-1.0), relative.unwrap_or(-1.0));
                (absolute >= 0.0 || relative >= 0.0).then_some(Tolerance::Double { absolute, relative })
            }
            Dialect::Domjudge => {
                let ToleranceFlags { absolute, relative } =
                    options.read(arguments, allows_repeats, tolerance::extended_argument)?;
                let unset = Extended::Finite { negative: true, mantissa: 1, exponent: 0 };
                // A limit that is negative or NaN counts as not given.
                let limit = |given: Option<Extended>| given.filter(|limit| limit.is_at_least_zero()).unwrap_or(unset);
                let (absolute, relative) = (limit(absolute), limit(relative));
                let given = absolute.is_at_least_zero() || relative.is_at_least_zero();
                given.then_some(Tolerance::Extended { absolute, relative })
            }
        };
        Ok(options)
    }

    /// Reads the flags into these options. Returns the tolerances; `limit` parses their numbers.
    fn read<S: AsRef<str>, T: Clone>(
        &mut self,
        arguments: &[S],
        allows_repeats: bool,
        limit: impl Fn(&str) -> Option<T>,
    ) -> Result<ToleranceFlags<T>, OptionsError> {
        let mut given = ToleranceFlags { absolute: None, relative: None };
        let mut rest = arguments.iter().map(AsRef::as_ref);
        while let Some(flag) = rest.next() {
            match flag {
                "case_sensitive" => self.case_sensitive = true,
                "space_change_sensitive" => self.space_change_sensitive = true,
                "float_tolerance" | "float_absolute_tolerance" | "float_relative_tolerance" => {
                    let value = rest.next();
                    let limit = value.and_then(&limit).ok_or_else(|| self.not_a_tolerance(flag, value))?;
                    let twice = given.set(flag, &limit);
                    if twice && !allows_repeats {
                        return Err(OptionsError::Twice(flag.to_owned()));
                    }
                }
                _ => return Err(OptionsError::Unknown(flag.to_owned())),
            }
        }
        Ok(given)
    }

    /// Returns why `value` cannot follow the tolerance flag. `None` stands for a missing value.
    fn not_a_tolerance(&self, flag: &str, value: Option<&str>) -> OptionsError {
        let (flag, found) = (flag.to_owned(), value.map_or("nothing".to_owned(), shown));
        match value.filter(|_| self.dialect == Dialect::Spec).and_then(Limit::too_many_digits) {
            Some(digits) => OptionsError::TooManyDigits { flag, found, digits },
            None => OptionsError::NotATolerance { flag, found },
        }
    }
}

/// The maximum number of an argument's characters that a message quotes.
const LONGEST_QUOTE: usize = 40;

/// Quotes an argument. A long one is cut and ends with `...`.
fn shown(argument: &str) -> String {
    let beginning: String = argument.chars().take(LONGEST_QUOTE).collect();
    let rest = if beginning.len() < argument.len() { "..." } else { "" };
    format!("{:?}", beginning + rest)
}

impl<T: Clone> ToleranceFlags<T> {
    /// Sets the tolerances that `flag` names. Returns whether one of them had already been set.
    fn set(&mut self, flag: &str, limit: &T) -> bool {
        let absolute = flag != "float_relative_tolerance" && self.absolute.replace(limit.clone()).is_some();
        let relative = flag != "float_absolute_tolerance" && self.relative.replace(limit.clone()).is_some();
        absolute || relative
    }
}
