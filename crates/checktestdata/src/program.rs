//! A parsed program.

use std::sync::Arc;

use crate::pattern::Pattern;
use crate::value::{Operator, Value};

/// A checktestdata program that has been parsed. [`Program::check`] compares inputs with it.
#[derive(Debug)]
pub struct Program {
    pub(crate) source: Arc<[u8]>,
    pub(crate) commands: Vec<Command>,
    /// The names of the variables, by [`Slot`].
    pub(crate) variables: Vec<String>,
}

/// The index of a variable.
pub(crate) type Slot = usize;

/// A command and its offset in the source.
#[derive(Debug)]
pub(crate) struct Command {
    pub(crate) at: usize,
    pub(crate) action: Action,
}

#[derive(Debug)]
pub(crate) enum Action {
    Space,
    Newline,
    Eof,
    Integer { least: Expression, most: Expression, to: Option<Variable> },
    Float(Box<FloatRule>),
    String(Expression),
    Regex { pattern: Expression, to: Option<Variable> },
    Assert(Test),
    Set(Vec<(Variable, Expression)>),
    Unset(Vec<Slot>),
    Repeat(Box<Loop>),
    If { condition: Test, then: Vec<Command>, otherwise: Vec<Command> },
}

/// The arguments of `FLOAT` and `FLOATP`.
#[derive(Debug)]
pub(crate) struct FloatRule {
    pub(crate) least: Expression,
    pub(crate) most: Expression,
    /// The smallest and the largest number of decimals; `None` for `FLOAT`.
    pub(crate) decimals: Option<(Expression, Expression)>,
    pub(crate) to: Option<Variable>,
    pub(crate) notation: Notation,
}

/// Whether a float in the input may have an exponent (`Any`), must have none (`Fixed`), or must have one
/// (`Scientific`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notation {
    Any,
    Fixed,
    Scientific,
}

/// The loops `REP`, `REPI`, `WHILE` and `WHILEI`.
#[derive(Debug)]
pub(crate) struct Loop {
    pub(crate) until: LoopEnd,
    /// The variable that receives the number of the iteration, from 0; `None` for `REP` and `WHILE`.
    pub(crate) counter: Option<Variable>,
    /// The command that runs between two iterations; `None` if there is none.
    pub(crate) separator: Option<Command>,
    pub(crate) body: Vec<Command>,
}

#[derive(Debug)]
pub(crate) enum LoopEnd {
    Count(Expression),
    While(Test),
}

/// A variable, or one element of an array.
#[derive(Debug)]
pub(crate) struct Variable {
    pub(crate) slot: Slot,
    /// The indices of the element; empty for a plain variable.
    pub(crate) indices: Vec<Expression>,
}

#[derive(Debug)]
pub(crate) enum Expression {
    Constant(Value),
    /// A constant string, and the pattern that was parsed from it; `Err` if the string is not a valid regular
    /// expression.
    Pattern(Value, Box<Result<Pattern, String>>),
    Variable(Variable),
    Length(Box<Expression>),
    Negated(Box<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
}

#[derive(Debug)]
pub(crate) enum Test {
    Not(Box<Test>),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
    Compare(Comparison, Expression, Expression),
    Match(Expression),
    IsEof,
    Unique(Vec<Slot>),
    InArray(Expression, Slot),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Less,
    Greater,
    AtMost,
    AtLeast,
    Equal,
    Unequal,
}

impl Action {
    /// Returns the name of the command, for messages.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Action::Space => "SPACE",
            Action::Newline => "NEWLINE",
            Action::Eof => "EOF",
            Action::Integer { .. } => "INT",
            Action::Float(rule) if rule.decimals.is_some() => "FLOATP",
            Action::Float(_) => "FLOAT",
            Action::String(_) => "STRING",
            Action::Regex { .. } => "REGEX",
            Action::Assert(_) => "ASSERT",
            Action::Set(_) => "SET",
            Action::Unset(_) => "UNSET",
            Action::If { .. } => "IF",
            Action::Repeat(repeated) => match (&repeated.until, &repeated.counter) {
                (LoopEnd::Count(_), None) => "REP",
                (LoopEnd::Count(_), Some(_)) => "REPI",
                (LoopEnd::While(_), None) => "WHILE",
                (LoopEnd::While(_), Some(_)) => "WHILEI",
            },
        }
    }
}
