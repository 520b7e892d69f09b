//! Parses values, conditions and the operators between them.

use std::sync::Arc;

use super::Parser;
use crate::SyntaxError;
use crate::decimal::{Decimal, MOST_FLOAT_DIGITS, Unfinished};
use crate::pattern::Pattern;
use crate::program::{Comparison, Expression, Test};
use crate::tokens::Kind;
use crate::value::{Operator, Value, negated};

/// The maximum number of operators in one command. This maximum bounds the depth of expressions.
const MOST_OPERATORS: usize = 1000;

/// An operand of an operator. It is a value or a condition, because brackets may contain either.
enum Operand {
    Value(Expression),
    Test(Test),
}

impl Parser<'_> {
    /// Parses a literal, a variable or a call of `STRLEN`.
    pub(super) fn value(&mut self) -> Result<Expression, SyntaxError> {
        let value = match self.peek() {
            Some(Kind::Integer(text)) => {
                Decimal::parse(text.as_bytes()).to_integer(&|| false).map_err(|unfinished| self.too_long(unfinished))?
            }
            Some(Kind::Float(text)) => {
                Decimal::parse(text.as_bytes()).to_float(&|| false).map_err(|unfinished| self.too_long(unfinished))?
            }
            Some(Kind::String(text)) => Value::String(Arc::from(text.as_slice())),
            Some(Kind::Variable(_)) => return self.variable().map(Expression::Variable),
            Some(Kind::Keyword("STRLEN")) => {
                self.next += 1;
                self.expect("(")?;
                let text = self.deeper(Self::value)?;
                self.expect(")")?;
                return Ok(Expression::Length(Box::new(text)));
            }
            _ => return Err(self.unexpected("a number, a string, a variable or STRLEN")),
        };
        self.next += 1;
        Ok(Expression::Constant(value))
    }

    fn too_long(&self, unfinished: Unfinished) -> SyntaxError {
        let most = if let Unfinished::TooLong(most) = unfinished { most } else { MOST_FLOAT_DIGITS };
        self.error(format!("this number has more than {most} digits when it is written without an exponent"))
    }

    /// Parses the first argument of `REGEX`. A constant regular expression is parsed as well, so that a mistake in it
    /// is found before the program runs.
    pub(super) fn pattern(&mut self) -> Result<Expression, SyntaxError> {
        let at = self.next;
        let value = self.value()?;
        let Expression::Constant(Value::String(text)) = value else { return Ok(value) };
        let pattern = Pattern::parse(&text);
        if let Err(message) = &pattern {
            let message = message.clone();
            self.next = at;
            return Err(self.error(message));
        }
        Ok(Expression::Pattern(Value::String(text), Box::new(pattern)))
    }

    pub(super) fn expression(&mut self) -> Result<Expression, SyntaxError> {
        let at = self.next;
        match self.operand(0)? {
            Operand::Value(expression) => Ok(expression),
            Operand::Test(_) => {
                self.next = at;
                Err(self.error("found a condition, expected a number or a string".to_owned()))
            }
        }
    }

    pub(super) fn test(&mut self) -> Result<Test, SyntaxError> {
        let at = self.next;
        match self.operand(0)? {
            Operand::Test(test) => Ok(test),
            Operand::Value(_) => {
                self.next = at;
                Err(self.error("found a value, expected a condition, such as a comparison".to_owned()))
            }
        }
    }

    /// Parses an operand and the operators after it that bind at least as strongly as `level`.
    fn operand(&mut self, level: u8) -> Result<Operand, SyntaxError> {
        let mut left = self.deeper(Self::first_operand)?;
        while let Some(Kind::Symbol(symbol)) = self.peek() {
            let Some((operator, own)) = operator(symbol).filter(|(_, own)| *own >= level) else { break };
            let at = self.next;
            self.next += 1;
            self.operators += 1;
            if self.operators > MOST_OPERATORS {
                return Err(self.error(format!("more than {MOST_OPERATORS} operators in one command")));
            }
            let right = self.operand(own + 1)?;
            left = match (operator, left, right) {
                (Infix::Arithmetic(operator), Operand::Value(left), Operand::Value(right)) => {
                    Operand::Value(self.arithmetic(operator, left, right, at)?)
                }
                (Infix::Comparison(comparison), Operand::Value(left), Operand::Value(right)) => {
                    Operand::Test(Test::Compare(comparison, left, right))
                }
                (Infix::And, Operand::Test(left), Operand::Test(right)) => {
                    Operand::Test(Test::And(Box::new(left), Box::new(right)))
                }
                (Infix::Or, Operand::Test(left), Operand::Test(right)) => {
                    Operand::Test(Test::Or(Box::new(left), Box::new(right)))
                }
                (Infix::And | Infix::Or, ..) => {
                    self.next = at;
                    return Err(self.error(format!("found a value, expected a condition on both sides of {symbol}")));
                }
                _ => {
                    self.next = at;
                    return Err(self.error(format!("found a condition, expected a value on both sides of {symbol}")));
                }
            };
        }
        Ok(left)
    }

    /// Combines two values with the operator at the token `at`. If both are constant numbers or constant strings, the
    /// parser computes the result, so that errors are found even in commands that never run. The parser does not report
    /// a division of numbers with `/` that fails. The check reports it if the command runs.
    fn arithmetic(
        &mut self,
        operator: Operator,
        left: Expression,
        right: Expression,
        at: usize,
    ) -> Result<Expression, SyntaxError> {
        if let (Expression::Constant(left), Expression::Constant(right)) = (&left, &right)
            && left.is_string() == right.is_string()
        {
            match operator.apply(left, right) {
                Ok(value) => return Ok(Expression::Constant(value)),
                Err(message) if operator != Operator::Divide || left.is_string() => {
                    self.next = at;
                    return Err(self.error(message));
                }
                Err(_) => {}
            }
        }
        Ok(Expression::Binary(operator, Box::new(left), Box::new(right)))
    }

    /// Parses an operand: a value, a condition, brackets, or `-` or `!` followed by an operand.
    fn first_operand(&mut self) -> Result<Operand, SyntaxError> {
        let at = self.next;
        if self.takes("(") {
            let inner = self.operand(0)?;
            self.expect(")")?;
            return Ok(inner);
        }
        if self.takes("-") {
            let Operand::Value(value) = self.operand(SIGN)? else {
                self.next = at;
                return Err(self.error("found a condition after the sign -, expected a number".to_owned()));
            };
            if let Expression::Constant(number) = &value
                && let Ok(negated) = negated(number)
            {
                return Ok(Operand::Value(Expression::Constant(negated)));
            }
            return Ok(Operand::Value(Expression::Negated(Box::new(value))));
        }
        if self.takes("!") {
            let Operand::Test(test) = self.operand(NOT)? else {
                self.next = at;
                return Err(self.error("found a value after !, expected a condition".to_owned()));
            };
            return Ok(Operand::Test(Test::Not(Box::new(test))));
        }
        let Some(Kind::Keyword(name @ ("MATCH" | "ISEOF" | "UNIQUE" | "INARRAY"))) = self.peek() else {
            return self.value().map(Operand::Value);
        };
        self.next += 1;
        if *name == "ISEOF" {
            return Ok(Operand::Test(Test::IsEof));
        }
        self.expect("(")?;
        let test = match *name {
            "MATCH" => Test::Match(self.value()?),
            "UNIQUE" => Test::Unique(self.list(Self::name)?),
            _ => {
                let value = self.expression()?;
                self.expect(",")?;
                Test::InArray(value, self.name()?)
            }
        };
        self.expect(")")?;
        Ok(Operand::Test(test))
    }
}

enum Infix {
    Arithmetic(Operator),
    Comparison(Comparison),
    And,
    Or,
}

/// How strongly `!` binds: less than comparisons.
const NOT: u8 = 3;

/// How strongly the sign `-` before an operand binds: less than `^`.
const SIGN: u8 = 7;

/// Returns the operator of a symbol and how strongly it binds. All operators are left-associative. `None` if the symbol
/// is not an operator.
fn operator(symbol: &str) -> Option<(Infix, u8)> {
    Some(match symbol {
        "||" => (Infix::Or, 1),
        "&&" => (Infix::And, 2),
        "<" => (Infix::Comparison(Comparison::Less), 4),
        ">" => (Infix::Comparison(Comparison::Greater), 4),
        "<=" => (Infix::Comparison(Comparison::AtMost), 4),
        ">=" => (Infix::Comparison(Comparison::AtLeast), 4),
        "==" => (Infix::Comparison(Comparison::Equal), 4),
        "!=" => (Infix::Comparison(Comparison::Unequal), 4),
        "+" => (Infix::Arithmetic(Operator::Add), 5),
        "-" => (Infix::Arithmetic(Operator::Subtract), 5),
        "*" => (Infix::Arithmetic(Operator::Multiply), 6),
        "/" => (Infix::Arithmetic(Operator::Divide), 6),
        "%" => (Infix::Arithmetic(Operator::Remainder), 6),
        "^" => (Infix::Arithmetic(Operator::Power), 8),
        _ => return None,
    })
}
