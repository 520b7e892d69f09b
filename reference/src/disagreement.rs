//! Compares the solvers' answers, one instance at a time, and counts the results in a [`Tally`].
//!
//! The solvers agree on an instance if all of the following hold: the values from all solvers that accept the instance
//! can be true together, every list of moves replays to the goal, and every certificate is valid. Instances that a
//! solver declines are counted per solver.

use std::collections::BTreeMap;

use crate::puzzle::{Answer, Instance, Puzzle, Value};

/// The maximum number of disagreements that are stored in full. All disagreements are counted.
const MOST_EXAMPLES: usize = 16;

/// The results so far. [`Tally::merge`] adds the tallies of several parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of instances compared.
    pub boards: u64,
    /// The number of instances with each value, among those on which the solvers agree.
    pub histogram: BTreeMap<Value, u64>,
    /// The number of answers whose moves were replayed to the goal.
    pub moves_replayed: u64,
    /// The number of answers whose certificate proved that nothing better exists.
    pub bounds_proved: u64,
    /// The number of instances that each solver declined.
    pub declined: BTreeMap<&'static str, u64>,
    /// The number of instances with a disagreement or an invalid answer.
    pub disagreements: u64,
    /// The first few instances with a disagreement or an invalid answer.
    pub examples: Vec<Disagreement>,
}

/// An instance on which the solvers disagree, or on which an answer is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The instance, as the package writes it.
    pub input: String,
    /// Each solver's answer, or the reason why it declined.
    pub answers: Vec<(&'static str, String)>,
    /// A description of the disagreement.
    pub reason: String,
}

impl Tally {
    /// Runs every solver of `puzzle` on `instance` and counts the result.
    pub fn compare(&mut self, puzzle: &dyn Puzzle, instance: &dyn Instance) {
        let answers = ask_all(puzzle, instance);
        match self.judge(instance, &answers) {
            Ok(value) => self.count(value, 1),
            Err(reason) => self.disagree(Disagreement {
                input: instance.print(),
                answers: answers.iter().map(|(solver, answer)| (*solver, described(answer))).collect(),
                reason,
            }),
        }
    }

    /// Counts `instances` instances with this value, on which all solvers agree.
    pub fn count(&mut self, value: Value, instances: u64) {
        self.boards += instances;
        *self.histogram.entry(value).or_default() += instances;
    }

    /// Counts an instance with a disagreement or an invalid answer.
    pub fn disagree(&mut self, disagreement: Disagreement) {
        self.boards += 1;
        self.disagreements += 1;
        if self.examples.len() < MOST_EXAMPLES {
            self.examples.push(disagreement);
        }
    }

    /// Adds the results of another part.
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
        let room = MOST_EXAMPLES.saturating_sub(self.examples.len());
        self.examples.extend(other.examples.into_iter().take(room));
    }

    /// Returns the sharpest of the values that the solvers give. Fails with the reason if two values contradict each
    /// other, if an answer is invalid, or if all solvers decline the instance.
    fn judge(&mut self, instance: &dyn Instance, answers: &[SolverAnswer]) -> Result<Value, String> {
        for (solver, _) in answers.iter().filter(|(_, answer)| answer.is_err()) {
            *self.declined.entry(solver).or_default() += 1;
        }
        let mut agreed: Option<(&'static str, Value)> = None;
        for (solver, answer) in answers {
            let Ok(answer) = answer else { continue };
            let evidence = instance.verify(answer).map_err(|reason| format!("{solver}: {reason}"))?;
            self.moves_replayed += u64::from(evidence.moves_replayed);
            self.bounds_proved += u64::from(evidence.bound_proved);
            agreed = Some(agree(agreed, solver, &answer.value)?);
        }
        agreed.map(|(_, value)| value).ok_or_else(|| "no solver supports this instance".to_owned())
    }
}

/// A solver's name, and its answer or the reason why it declined.
type SolverAnswer = (&'static str, Result<Answer, String>);

fn ask_all(puzzle: &dyn Puzzle, instance: &dyn Instance) -> Vec<SolverAnswer> {
    let ask = |name| (name, instance.solve(name).map_err(|unserved| unserved.to_string()));
    puzzle.solvers().iter().map(|solver| ask(solver.name)).collect()
}

fn described(answer: &Result<Answer, String>) -> String {
    match answer {
        Ok(answer) => answer.text.clone(),
        Err(reason) => format!("declined: {reason}"),
    }
}

/// Returns the sharper of two values that agree: a minimum is sharper than an upper bound, and a smaller upper bound is
/// sharper than a larger one. Fails if they disagree.
fn agree(
    before: Option<(&'static str, Value)>,
    solver: &'static str,
    value: &Value,
) -> Result<(&'static str, Value), String> {
    match (before, value) {
        (Some((other, agreed)), _) if !agreed.agrees_with(value) => {
            Err(format!("{other} says {agreed}, {solver} says {value}"))
        }
        (Some((other, Value::AtMost(lower))), Value::AtMost(bound)) if lower <= *bound => {
            Ok((other, Value::AtMost(lower)))
        }
        (None | Some((_, Value::AtMost(_))), _) => Ok((solver, value.clone())),
        (Some(sharpest), _) => Ok(sharpest),
    }
}

#[cfg(test)]
mod tests;
