//! Parses the tokens of a program: this module parses commands, [`expressions`] parses their arguments.

mod expressions;

use std::collections::HashMap;
use std::sync::Arc;

use crate::program::{Action, Command, Expression, FloatRule, Loop, LoopEnd, Notation, Program, Slot, Variable};
use crate::tokens::{Kind, Token, split};
use crate::{Position, SyntaxError};

/// The maximum depth of blocks and brackets.
const DEEPEST: usize = 200;

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
}
