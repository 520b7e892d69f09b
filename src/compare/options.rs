//! The arguments of the default output validator.

use crate::compare::decimal::Decimal;

/// How outputs are compared with answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether upper and lower case letters differ.
    pub case_sensitive: bool,
    /// Whether the amount and kind of whitespace counts.
    pub space_change_sensitive: bool,
    /// How far numbers may be off; `None` compares them as text.
    pub tolerance: Option<Tolerance>,
}

/// How far a number may be off; near enough by one of the two is near enough.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tolerance {
    /// The largest allowed difference.
    pub absolute: Option<Decimal>,
    /// The largest allowed difference as a part of the answer's size.
    pub relative: Option<Decimal>,
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

impl Options {
    /// Reads the arguments, in any order.
    pub fn parse<S: AsRef<str>>(arguments: &[S]) -> Result<Self, OptionsError> {
        let mut options = Options::default();
        let mut rest = arguments.iter().map(AsRef::as_ref);
        while let Some(flag) = rest.next() {
            match flag {
                "case_sensitive" => options.case_sensitive = true,
                "space_change_sensitive" => options.space_change_sensitive = true,
                "float_tolerance" | "float_absolute_tolerance" | "float_relative_tolerance" => {
                    let limit = limit_after(flag, rest.next())?;
                    options.tolerance.get_or_insert_default().set(flag, &limit)?;
                }
                _ => return Err(OptionsError::Unknown(flag.to_owned())),
            }
        }
        Ok(options)
    }
}

impl Tolerance {
    fn set(&mut self, flag: &str, limit: &Decimal) -> Result<(), OptionsError> {
        let mut places = Vec::new();
        if flag != "float_relative_tolerance" {
            places.push(&mut self.absolute);
        }
        if flag != "float_absolute_tolerance" {
            places.push(&mut self.relative);
        }
        for place in places {
            if place.replace(limit.clone()).is_some() {
                return Err(OptionsError::Twice(flag.to_owned()));
            }
        }
        Ok(())
    }
}

fn limit_after(flag: &str, value: Option<&str>) -> Result<Decimal, OptionsError> {
    let found = value.map_or("nothing".to_owned(), |value| format!("{value:?}"));
    value
        .and_then(|value| Decimal::parse(value.as_bytes()))
        .filter(|limit| !limit.is_negative())
        .ok_or(OptionsError::NotATolerance { flag: flag.to_owned(), found })
}
