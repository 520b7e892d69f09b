//! The right values of inputs: all reference solvers agree on them. They are computed once for each puzzle, and all
//! tests share them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, OnceLock};

use rayon::prelude::*;
use reference::disagreement::Tally;
use reference::puzzle::{Instance, Puzzle, Repetition, Value};
use reference::registry::ALL;
use reference::text::{Lines, Tokens};

use super::files;

/// An input file with its boards and their right values.
pub(crate) struct Proved {
    /// The `.in` file.
    pub(crate) input: PathBuf,
    instances: Vec<(Box<dyn Instance>, Value)>,
}

impl Proved {
    /// Reads `input` and solves it with every solver of `puzzle`. Fails if the input is invalid or the solvers
    /// disagree.
    pub(crate) fn new(puzzle: &dyn Puzzle, input: &Path) -> Result<Proved, String> {
        let bytes = std::fs::read(input).map_err(|error| error.to_string())?;
        let instances = read_all(puzzle, &bytes)?.into_iter().map(|instance| {
            let value = prove(puzzle, &*instance)?;
            Ok((instance, value))
        });
        Ok(Proved { input: input.to_owned(), instances: instances.collect::<Result<_, String>>()? })
    }

    /// Returns the path of the answer that the package stores.
    pub(crate) fn stored_answer(&self) -> PathBuf {
        self.input.with_extension("ans")
    }

    /// Checks a whole output with the reference checker. Fails if an answer is wrong or a token follows the last
    /// answer.
    pub(crate) fn check(&self, output: &[u8]) -> Result<(), String> {
        let mut tokens = Tokens::new(output);
        for (instance, value) in &self.instances {
            instance.check(&mut tokens, value).map_err(|error| error.to_string())?;
        }
        match tokens.next_token().map_err(|error| error.to_string())? {
            Some(token) => Err(format!("{}: {} is left over", token.place, token.quoted())),
            None => Ok(()),
        }
    }
}

/// Returns all boards of an input file. Fails if a board is illegal or if the puzzle does not allow their number.
pub(crate) fn read_all(puzzle: &dyn Puzzle, bytes: &[u8]) -> Result<Vec<Box<dyn Instance>>, String> {
    let mut lines = Lines::new(bytes);
    let mut instances = Vec::new();
    while let Some(instance) = puzzle.read(&mut lines, None).map_err(|error| error.to_string())? {
        instances.push(instance);
    }
    match (puzzle.repetition(), instances.len()) {
        (_, 0) => Err("there is no instance".to_owned()),
        (Repetition::One, 2..) => Err("there is more than one instance".to_owned()),
        _ => Ok(instances),
    }
}

/// Returns the sample and secret cases of `puzzle` in the order of the package. A case that cannot be proved is
/// replaced by the reason.
pub(crate) fn cases(puzzle: &dyn Puzzle) -> &'static [Result<Proved, String>] {
    type Slot = OnceLock<Vec<Result<Proved, String>>>;
    static SLOTS: LazyLock<BTreeMap<&str, Slot>> =
        LazyLock::new(|| ALL.iter().map(|puzzle| (puzzle.name(), Slot::new())).collect());
    SLOTS[puzzle.name()].get_or_init(|| {
        let inputs = files::inputs(puzzle.name(), &["sample", "secret"]);
        let proved =
            |input: &PathBuf| Proved::new(puzzle, input).map_err(|reason| format!("{}: {reason}", files::shown(input)));
        inputs.par_iter().map(proved).collect()
    })
}

/// Returns the proved cases. The module `answers` tests that all cases can be proved.
pub(crate) fn provable(puzzle: &dyn Puzzle) -> Vec<&'static Proved> {
    cases(puzzle).iter().filter_map(|case| case.as_ref().ok()).collect()
}

fn prove(puzzle: &dyn Puzzle, instance: &dyn Instance) -> Result<Value, String> {
    let mut tally = Tally::default();
    tally.compare(puzzle, instance);
    if let Some(example) = tally.examples.first() {
        return Err(format!("{} on\n{}{:?}", example.reason, example.input, example.answers));
    }
    let asked = puzzle.solvers().len() as u64;
    let answered = asked - tally.declined.values().sum::<u64>();
    if answered < 2 {
        return Err(format!("only {answered} solvers answer\n{}", instance.print()));
    }
    Ok(tally.histogram.into_keys().next().expect("an agreement has a value in the histogram"))
}
