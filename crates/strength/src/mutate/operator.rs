//! The kinds of mistakes (mutation operators).

use std::fmt;

/// The kind of mistake that a change makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Operator {
    /// A comparison that wrongly includes or excludes its bound: `<` for `<=`.
    Boundary,
    /// An index, a bound or a range end that is off by one.
    OffByOne,
    /// A negated test of equality or membership: `==` for `!=`.
    Comparison,
    /// A different arithmetic operator, or a forgotten modulus.
    Arithmetic,
    /// A different bitwise operator.
    Bitwise,
    /// `and` for `or`, or the reverse.
    Logical,
    /// A forgotten sign or complement: `x` for `-x`.
    Unary,
    /// Counting in the wrong direction: `++` for `--`.
    Increment,
    /// A negated condition, or a forgotten negation.
    Negation,
    /// A different compound assignment: `+=` for `-=`.
    Assignment,
    /// A forgotten statement.
    Statement,
    /// Two neighbouring arguments in the wrong order.
    Arguments,
    /// A changed constant.
    Constant,
    /// A forgotten reset: a variable that keeps its previous value.
    Reset,
}

impl Operator {
    /// All operators, in the order of reports.
    #[cfg(test)]
    pub(crate) const ALL: [Operator; 14] = [
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

    /// Returns the operator's name in reports.
    pub(crate) fn name(self) -> &'static str {
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
        f.pad(self.name())
    }
}
