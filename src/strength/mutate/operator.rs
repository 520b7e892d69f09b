//! The kinds of mistakes.

use std::fmt;

/// What kind of mistake a change makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::strength) enum Operator {
    /// A comparison that takes in its bound, or does not any more: `<` for `<=`.
    Boundary,
    /// An index, a bound or the end of a range beside the right one.
    OffByOne,
    /// The opposite comparison for equality or membership: `==` for `!=`.
    Comparison,
    /// Another arithmetic operator, or a modulus that was forgotten.
    Arithmetic,
    /// Another operator on bits.
    Bitwise,
    /// `and` for `or`.
    Logical,
    /// A sign or a complement that was forgotten: `x` for `-x`.
    Unary,
    /// Up for down: `++` for `--`.
    Increment,
    /// The opposite condition.
    Negation,
    /// Another compound assignment: `+=` for `-=`.
    Assignment,
    /// A statement that was forgotten.
    Statement,
    /// Two neighbouring arguments in the wrong order.
    Arguments,
    /// Another constant.
    Constant,
    /// A variable that keeps what it held the time before.
    Reset,
}

impl Operator {
    /// All of them, in the order of reports.
    #[cfg(test)]
    pub(in crate::strength) const ALL: [Operator; 14] = [
        Operator::Boundary,
        Operator::OffByOne,
        Operator::Comparison,
        Operator::Arithmetic,
        Operator::Bitwise,
        Operator::Logical,
        Operator::Unary,
        Operator::Increment,
        Operator::Negation,
        Operator::Assignment,
        Operator::Statement,
        Operator::Arguments,
        Operator::Constant,
        Operator::Reset,
    ];

    /// Its word in reports.
    pub(in crate::strength) fn word(self) -> &'static str {
        match self {
            Operator::Boundary => "boundary",
            Operator::OffByOne => "off-by-one",
            Operator::Comparison => "comparison",
            Operator::Arithmetic => "arithmetic",
            Operator::Bitwise => "bitwise",
            Operator::Logical => "logical",
            Operator::Unary => "unary",
            Operator::Increment => "increment",
            Operator::Negation => "negation",
            Operator::Assignment => "assignment",
            Operator::Statement => "statement",
            Operator::Arguments => "arguments",
            Operator::Constant => "constant",
            Operator::Reset => "reset",
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}
