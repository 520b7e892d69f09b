//! Parses the tokens of a program.

use std::collections::HashMap;
use std::sync::Arc;

use num_bigint::BigInt;

use crate::pattern::Pattern;
use crate::program::{Action, Command, Comparison, Expression, FloatRule, Loop, LoopEnd, Notation, Program, Slot};
use crate::program::{Test, Variable};
use crate::tokens::{Kind, Token, split};
use crate::value::{Operator, Value, fraction, negated};
use crate::{Position, SyntaxError};

/// The maximum depth of blocks and brackets.
const DEEPEST: usize = 200;

/// The maximum number of operators in one command. This maximum bounds the depth of expressions.
const MOST_OPERATORS: usize = 1000;

/// The names of all commands, for messages.
const COMMANDS: &str =
    "SPACE, NEWLINE, EOF, INT, FLOAT, FLOATP, STRING, REGEX, ASSERT, SET, UNSET, REP, REPI, WHILE, WHILEI, IF";

impl Program {
    /// Parses a program. Fails at the first mistake.
    pub fn parse(source: &[u8]) -> Result<Program, SyntaxError> {
        let tokens = split(source)?;
        let mut parser = Parser { source, tokens: &tokens, next: 0, slots: HashMap::new(), depth: 0, operators: 0 };
        let mut commands = parser.block()?;
        if parser.next < tokens.len() {
            return Err(parser.unexpected("a command; no REP, REPI, WHILE, WHILEI or IF is open here"));
        }
        commands.push(Command { at: source.len(), action: Action::Eof });
        let mut variables = vec![String::new(); parser.slots.len()];
        for (name, slot) in parser.slots {
            name.clone_into(&mut variables[slot]);
        }
        Ok(Program { source: Arc::from(source), commands, variables })
    }
}

struct Parser<'a> {
    source: &'a [u8],
    tokens: &'a [Token<'a>],
    next: usize,
    slots: HashMap<&'a str, Slot>,
    depth: usize,
    /// The number of operators so far in the current command.
    operators: usize,
}

/// An operand of an operator. It is a value or a condition, because brackets may contain either.
enum Operand {
    Value(Expression),
    Test(Test),
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a Kind<'a>> {
        self.tokens.get(self.next).map(|token| &token.kind)
    }

    fn offset(&self) -> usize {
        self.tokens.get(self.next).map_or(self.source.len(), |token| token.start)
    }

    fn error(&self, message: String) -> SyntaxError {
        SyntaxError { position: Position::at(self.source, self.offset()), message }
    }

    fn unexpected(&self, allowed: &str) -> SyntaxError {
        let found = match self.peek() {
            None => "the end of the program".to_owned(),
            Some(Kind::Integer(text) | Kind::Float(text) | Kind::Keyword(text) | Kind::Variable(text)) => {
                text.to_string()
            }
            Some(Kind::String(_)) => "a string".to_owned(),
            Some(Kind::Symbol(symbol)) => format!("{symbol:?}"),
        };
        self.error(format!("found {found}, expected {allowed}"))
    }

    /// Takes the symbol if it comes next, and returns whether it does.
    fn takes(&mut self, symbol: &str) -> bool {
        let is_next = matches!(self.peek(), Some(Kind::Symbol(next)) if *next == symbol);
        self.next += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, symbol: &str) -> Result<(), SyntaxError> {
        if self.takes(symbol) { Ok(()) } else { Err(self.unexpected(&format!("{symbol:?}"))) }
    }

    fn takes_keyword(&mut self, keyword: &str) -> bool {
        let is_next = matches!(self.peek(), Some(Kind::Keyword(next)) if *next == keyword);
        self.next += usize::from(is_next);
        is_next
    }

    /// Runs `parse` one level deeper. Fails if the level is deeper than [`DEEPEST`].
    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T, SyntaxError>) -> Result<T, SyntaxError> {
        if self.depth == DEEPEST {
            return Err(self.error(format!("blocks or brackets are nested more than {DEEPEST} levels deep")));
        }
        self.depth += 1;
        let parsed = parse(self)?;
        self.depth -= 1;
        Ok(parsed)
    }

    /// Parses commands up to `END`, `ELSE` or the end of the program.
    fn block(&mut self) -> Result<Vec<Command>, SyntaxError> {
        let mut commands = Vec::new();
        while !matches!(self.peek(), None | Some(Kind::Keyword("END" | "ELSE"))) {
            commands.push(self.deeper(Self::command)?);
        }
        Ok(commands)
    }

    fn command(&mut self) -> Result<Command, SyntaxError> {
        self.operators = 0;
        let at = self.offset();
        let Some(Kind::Keyword(name)) = self.peek() else { return Err(self.unexpected("a command")) };
        let action = match *name {
            "REP" | "REPI" | "WHILE" | "WHILEI" => self.repeat(name)?,
            "IF" => self.condition()?,
            _ => self.simple(name)?,
        };
        Ok(Command { at, action })
    }

    /// Parses a command without a block.
    fn simple(&mut self, name: &str) -> Result<Action, SyntaxError> {
        let action = match name {
            "SPACE" => Action::Space,
            "NEWLINE" => Action::Newline,
            "EOF" => Action::Eof,
            "INT" | "FLOAT" | "FLOATP" | "STRING" | "REGEX" | "ASSERT" | "SET" | "UNSET" => {
                self.next += 1;
                self.expect("(")?;
                let action = self.arguments(name)?;
                self.expect(")")?;
                return Ok(action);
            }
            _ => return Err(self.unexpected(&format!("a command: {COMMANDS}"))),
        };
        self.next += 1;
        Ok(action)
    }

    fn arguments(&mut self, name: &str) -> Result<Action, SyntaxError> {
        Ok(match name {
            "INT" => {
                let (least, most) = self.two_expressions()?;
                Action::Integer { least, most, to: self.target()? }
            }
            "FLOAT" | "FLOATP" => self.float(name == "FLOATP")?,
            "STRING" => Action::String(self.value()?),
            "REGEX" => Action::Regex { pattern: self.pattern()?, to: self.target()? },
            "ASSERT" => Action::Assert(self.test()?),
            "SET" => Action::Set(self.list(|parser| {
                let variable = parser.variable()?;
                parser.expect("=")?;
                Ok((variable, parser.expression()?))
            })?),
            _ => Action::Unset(self.list(Self::name)?),
        })
    }

    fn two_expressions(&mut self) -> Result<(Expression, Expression), SyntaxError> {
        let first = self.expression()?;
        self.expect(",")?;
        Ok((first, self.expression()?))
    }

    /// Parses a comma and the variable after it; `None` if no comma comes next.
    fn target(&mut self) -> Result<Option<Variable>, SyntaxError> {
        if self.takes(",") { self.variable().map(Some) } else { Ok(None) }
    }

    fn float(&mut self, has_decimals: bool) -> Result<Action, SyntaxError> {
        let (least, most) = self.two_expressions()?;
        let decimals = if has_decimals {
            self.expect(",")?;
            Some(self.two_expressions()?)
        } else {
            None
        };
        let to = self.target()?;
        let notation = if to.is_none() || !self.takes(",") {
            Notation::Any
        } else if self.takes_keyword("FIXED") {
            Notation::Fixed
        } else if self.takes_keyword("SCIENTIFIC") {
            Notation::Scientific
        } else {
            return Err(self.unexpected("FIXED or SCIENTIFIC"));
        };
        Ok(Action::Float(Box::new(FloatRule { least, most, decimals, to, notation })))
    }

    /// Parses one or more items between commas.
    fn list<T>(&mut self, item: impl Fn(&mut Self) -> Result<T, SyntaxError>) -> Result<Vec<T>, SyntaxError> {
        let mut items = vec![item(self)?];
        while self.takes(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn repeat(&mut self, name: &str) -> Result<Action, SyntaxError> {
        self.next += 1;
        self.expect("(")?;
        let counter = if name.ends_with('I') {
            let counter = self.variable()?;
            self.expect(",")?;
            Some(counter)
        } else {
            None
        };
        let until =
            if name.starts_with("REP") { LoopEnd::Count(self.expression()?) } else { LoopEnd::While(self.test()?) };
        let separator = if self.takes(",") {
            let at = self.offset();
            let Some(Kind::Keyword(name)) = self.peek() else { return Err(self.unexpected("a command")) };
            Some(Command { at, action: self.simple(name)? })
        } else {
            None
        };
        self.expect(")")?;
        let body = self.block()?;
        self.end(name)?;
        Ok(Action::Repeat(Box::new(Loop { until, counter, separator, body })))
    }

    fn condition(&mut self) -> Result<Action, SyntaxError> {
        self.next += 1;
        self.expect("(")?;
        let condition = self.test()?;
        self.expect(")")?;
        let then = self.block()?;
        let otherwise = if self.takes_keyword("ELSE") { self.block()? } else { Vec::new() };
        self.end("IF")?;
        Ok(Action::If { condition, then, otherwise })
    }

    fn end(&mut self, name: &str) -> Result<(), SyntaxError> {
        if self.takes_keyword("END") { Ok(()) } else { Err(self.unexpected(&format!("the END of this {name}"))) }
    }

    fn name(&mut self) -> Result<Slot, SyntaxError> {
        let Some(Kind::Variable(name)) = self.peek() else { return Err(self.unexpected("a variable")) };
        self.next += 1;
        let count = self.slots.len();
        Ok(*self.slots.entry(name).or_insert(count))
    }

    fn variable(&mut self) -> Result<Variable, SyntaxError> {
        let slot = self.name()?;
        let mut indices = Vec::new();
        if self.takes("[") {
            indices = self.list(Self::expression)?;
            self.expect("]")?;
        }
        Ok(Variable { slot, indices })
    }

    /// Parses a literal, a variable or a call of `STRLEN`.
    fn value(&mut self) -> Result<Expression, SyntaxError> {
        let value = match self.peek() {
            Some(Kind::Integer(text)) => Value::integer(text.parse::<BigInt>().unwrap_or_default()),
            Some(Kind::Float(text)) => Value::float(
                fraction(text)
                    .ok_or_else(|| self.error("the exponent is too large, allowed: -1000000 to 1000000".to_owned()))?,
            ),
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

    /// Parses the first argument of `REGEX`. A constant regular expression is parsed as well, so that a mistake in it
    /// is found before the program runs.
    fn pattern(&mut self) -> Result<Expression, SyntaxError> {
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

    fn expression(&mut self) -> Result<Expression, SyntaxError> {
        let at = self.next;
        match self.operand(0)? {
            Operand::Value(expression) => Ok(expression),
            Operand::Test(_) => {
                self.next = at;
                Err(self.error("found a condition, expected a number or a string".to_owned()))
            }
        }
    }

    fn test(&mut self) -> Result<Test, SyntaxError> {
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
                    return Err(self.error(format!("{symbol} connects conditions, but one of its sides is a value")));
                }
                _ => {
                    self.next = at;
                    return Err(self.error(format!("{symbol} connects values, but one of its sides is a condition")));
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
                return Err(self.error("- negates numbers, but a condition follows".to_owned()));
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
                return Err(self.error("! negates conditions, but a value follows".to_owned()));
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
