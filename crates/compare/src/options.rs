//! The arguments of the default output validator.

use crate::decimal::Limit;
use crate::extended::Extended;
use crate::tolerance::{self, Tolerance};

/// Whose default output validator is followed where they differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The text of the problem package format 2025-09, to the byte.
    #[default]
    Spec,
    /// The program of Kattis problemtools (`support/default_validator`, 1.20260907): numbers are `double`s and written
    /// as C reads them, a token ends at its first NUL, of several tolerances the last counts. Every text becomes the
    /// nearest `double`; GNU C library 2.36 misses it for some below 2.3e-308 of more than 700 digits.
    Kattis,
    /// The program of DOMjudge (`sql/files/defaultdata/compare`, since it measures a relative tolerance by the answer):
    /// as Kattis, but numbers are x87 `long double`s, the difference is divided by the answer, and infinities and what
    /// is not a number are numbers.
    Domjudge,
}

/// How outputs are compared with answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Whose rules count.
    pub dialect: Dialect,
    /// Whether upper and lower case letters differ.
    pub case_sensitive: bool,
    /// Whether the amount and kind of whitespace counts.
    pub space_change_sensitive: bool,
    /// How far numbers may be off; `None` compares them as text.
    pub tolerance: Option<Tolerance>,
}

/// The package gives the default output validator arguments it does not take.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// Not an argument of the default output validator.
    #[error(
        "the default output validator has no argument {0:?}; it takes case_sensitive, space_change_sensitive, \
         float_tolerance E, float_absolute_tolerance E, float_relative_tolerance E"
    )]
    Unknown(String),
    /// A tolerance without its number, or with something that is none.
    #[error("{flag} must be followed by a number that is not negative, such as 1e-6; found {found}")]
    NotATolerance {
        /// The flag.
        flag: String,
        /// What followed it.
        found: String,
    },
    /// A tolerance is given twice.
    #[error("{0} sets a tolerance that an earlier argument has set already")]
    Twice(String),
}

/// A limit under the flags that set it.
struct Given<T> {
    absolute: Option<T>,
    relative: Option<T>,
}

impl Options {
    /// Reads the arguments, in any order.
    ///
    /// The text of the format forbids to set a tolerance twice and says nothing of negative ones, which are an error
    /// here. The other dialects take the last of each tolerance, and a negative one as none.
    pub fn parse<S: AsRef<str>>(arguments: &[S], dialect: Dialect) -> Result<Self, OptionsError> {
        Self::read_all(arguments, dialect, dialect != Dialect::Spec)
    }

    /// The same for packages from before versions had dates, in which flags of a group may come after those of the
    /// problem: of several tolerances the last counts.
    pub fn parse_legacy<S: AsRef<str>>(arguments: &[S], dialect: Dialect) -> Result<Self, OptionsError> {
        Self::read_all(arguments, dialect, true)
    }

    fn read_all<S: AsRef<str>>(arguments: &[S], dialect: Dialect, repeats: bool) -> Result<Self, OptionsError> {
        let mut options = Options { dialect, ..Options::default() };
        options.tolerance = match dialect {
            Dialect::Spec => {
                let Given { absolute, relative } = options.read(arguments, repeats, Limit::parse)?;
                let given = absolute.is_some() || relative.is_some();
                given.then_some(Tolerance::Exact { absolute, relative })
            }
            Dialect::Kattis => {
                let Given { absolute, relative } = options.read(arguments, repeats, tolerance::double_argument)?;
                let (absolute, relative) = (absolute.unwrap_or(-1.0), relative.unwrap_or(-1.0));
                (absolute >= 0.0 || relative >= 0.0).then_some(Tolerance::Double { absolute, relative })
            }
            Dialect::Domjudge => {
                let Given { absolute, relative } = options.read(arguments, repeats, tolerance::extended_argument)?;
                let unset = Extended::Finite { negative: true, mantissa: 1, exponent: 0 };
                let (absolute, relative) = (absolute.unwrap_or(unset), relative.unwrap_or(unset));
                let given = absolute.is_at_least_zero() || relative.is_at_least_zero();
                given.then_some(Tolerance::Extended { absolute, relative })
            }
        };
        Ok(options)
    }

    /// Reads the flags into these options and returns the tolerances, whose numbers `limit` reads.
    fn read<S: AsRef<str>, T: Clone>(
        &mut self,
        arguments: &[S],
        repeats: bool,
        limit: impl Fn(&str) -> Option<T>,
    ) -> Result<Given<T>, OptionsError> {
        let mut given = Given { absolute: None, relative: None };
        let mut rest = arguments.iter().map(AsRef::as_ref);
        while let Some(flag) = rest.next() {
            match flag {
                "case_sensitive" => self.case_sensitive = true,
                "space_change_sensitive" => self.space_change_sensitive = true,
                "float_tolerance" | "float_absolute_tolerance" | "float_relative_tolerance" => {
                    let value = rest.next();
                    let found = value.map_or("nothing".to_owned(), |value| format!("{value:?}"));
                    let limit = value
                        .and_then(&limit)
                        .ok_or_else(|| OptionsError::NotATolerance { flag: flag.to_owned(), found })?;
                    let twice = given.set(flag, &limit);
                    if twice && !repeats {
                        return Err(OptionsError::Twice(flag.to_owned()));
                    }
                }
                _ => return Err(OptionsError::Unknown(flag.to_owned())),
            }
        }
        Ok(given)
    }
}

impl<T: Clone> Given<T> {
    /// Sets what the flag stands for, and says whether any of it had been set.
    fn set(&mut self, flag: &str, limit: &T) -> bool {
        let absolute = flag != "float_relative_tolerance" && self.absolute.replace(limit.clone()).is_some();
        let relative = flag != "float_absolute_tolerance" && self.relative.replace(limit.clone()).is_some();
        absolute || relative
    }
}
