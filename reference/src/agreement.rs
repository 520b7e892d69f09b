//! Do the solvers agree? One instance at a time, counted in a [`Tally`].
//!
//! An instance counts as agreed when every solver that serves it gives the same value, every list of moves replays
//! to the goal, and every certificate holds. What a solver declines to serve is counted, not passed over in silence.

use std::collections::BTreeMap;

use crate::puzzle::{Answer, Instance, Puzzle, Value};

/// How many disagreements are kept whole; all are counted.
const KEPT: usize = 16;

/// What a comparison has seen so far. Tallies of parts add up with [`Tally::merge`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Instances compared.
    pub boards: u64,
    /// How many instances have which value.
    pub histogram: BTreeMap<Value, u64>,
    /// Answers whose moves were replayed to the goal.
    pub moves_replayed: u64,
    /// Answers whose certificate proved that nothing better exists.
    pub bounds_proved: u64,
    /// By solver: instances it declined.
    pub declined: BTreeMap<&'static str, u64>,
    /// Instances on which something was wrong.
    pub disagreements: u64,
    /// The first few of them.
    pub examples: Vec<Disagreement>,
}

/// An instance on which the solvers do not agree, or on which an answer does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The instance, as the package writes it.
    pub input: String,
    /// Each solver's answer, or the reason for having none.
    pub answers: Vec<(&'static str, String)>,
    /// What is wrong.
    pub reason: String,
}

impl Tally {
    /// Runs every solver of `puzzle` on `instance` and enters what they say.
    pub fn compare(&mut self, puzzle: &dyn Puzzle, instance: &dyn Instance) {
        let answers = ask_all(puzzle, instance);
        match self.judge(instance, &answers) {
            Ok(value) => self.count(value, 1),
            Err(reason) => self.disagree(Disagreement {
                input: instance.print(),
                answers: answers.iter().map(|(solver, answer)| (*solver, said(answer))).collect(),
                reason,
            }),
        }
    }

    /// Enters `instances` instances of one value on which all agree.
    pub fn count(&mut self, value: Value, instances: u64) {
        self.boards += instances;
        *self.histogram.entry(value).or_default() += instances;
    }

    /// Enters an instance on which something is wrong.
    pub fn disagree(&mut self, disagreement: Disagreement) {
        self.boards += 1;
        self.disagreements += 1;
        if self.examples.len() < KEPT {
            self.examples.push(disagreement);
        }
    }

    /// Adds what another part has seen.
    pub fn merge(&mut self, other: Tally) {
        self.boards += other.boards;
        self.moves_replayed += other.moves_replayed;
        self.bounds_proved += other.bounds_proved;
        self.disagreements += other.disagreements;
        for (value, count) in other.histogram {
            *self.histogram.entry(value).or_default() += count;
        }
        for (solver, count) in other.declined {
            *self.declined.entry(solver).or_default() += count;
        }
        let room = KEPT.saturating_sub(self.examples.len());
        self.examples.extend(other.examples.into_iter().take(room));
    }

    /// The value on which all answers agree, or what is wrong with them.
    fn judge(&mut self, instance: &dyn Instance, answers: &[Asked]) -> Result<Value, String> {
        let mut agreed: Option<(&'static str, Value)> = None;
        for (solver, answer) in answers {
            let Ok(answer) = answer else {
                *self.declined.entry(solver).or_default() += 1;
                continue;
            };
            let evidence = instance.verify(answer).map_err(|reason| format!("{solver}: {reason}"))?;
            self.moves_replayed += u64::from(evidence.moves_replayed);
            self.bounds_proved += u64::from(evidence.bound_proved);
            agreed = Some(agree(agreed, solver, &answer.value)?);
        }
        agreed.map(|(_, value)| value).ok_or_else(|| "no solver serves this instance".to_owned())
    }
}

type Asked = (&'static str, Result<Answer, String>);

fn ask_all(puzzle: &dyn Puzzle, instance: &dyn Instance) -> Vec<Asked> {
    let ask = |name| (name, instance.solve(name).map_err(|unserved| unserved.to_string()));
    puzzle.solvers().iter().map(|solver| ask(solver.name)).collect()
}

fn said(answer: &Result<Answer, String>) -> String {
    match answer {
        Ok(answer) => answer.text.clone(),
        Err(reason) => format!("declined: {reason}"),
    }
}

/// Of two values that agree the sharper one is kept: a minimum says more than an upper bound, and a lower bound on
/// what is enough more than a higher one.
fn agree(
    before: Option<(&'static str, Value)>,
    solver: &'static str,
    value: &Value,
) -> Result<(&'static str, Value), String> {
    match (before, value) {
        (Some((other, kept)), _) if !kept.agrees_with(value) => {
            Err(format!("{other} says {kept}, {solver} says {value}"))
        }
        (Some((other, Value::AtMost(kept))), Value::AtMost(bound)) if kept <= *bound => {
            Ok((other, Value::AtMost(kept)))
        }
        (None | Some((_, Value::AtMost(_))), _) => Ok((solver, value.clone())),
        (Some(kept), _) => Ok(kept),
    }
}

#[cfg(test)]
mod tests;
