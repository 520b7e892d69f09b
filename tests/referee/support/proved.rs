//! Inputs with values on which all reference solvers agree. Proved once per run and puzzle, then shared by the tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, OnceLock};

use rayon::prelude::*;
use reference::disagreement::Tally;
use reference::puzzle::{ALL, Instance, Puzzle, Repetition, Value};
use reference::text::{Lines, Tokens};

use super::files;

/// One input file: its instances, each with its right value.
pub(crate) struct Proved {
    /// The `.in` file.
    pub(crate) input: PathBuf,
    instances: Vec<(Box<dyn Instance>, Value)>,
}

impl Proved {
    /// Reads `input` and has every solver of `puzzle` answer it. `Err` says what is illegal or disagreed on.
    pub(crate) fn new(puzzle: &dyn Puzzle, input: &Path) -> Result<Proved, String> {
        let bytes = std::fs::read(input).map_err(|error| error.to_string())?;
        let instances = read_all(puzzle, &bytes)?.into_iter().map(|instance| {
            let value = prove(puzzle, &*instance)?;
            Ok((instance, value))
        });
        Ok(Proved { input: input.to_owned(), instances: instances.collect::<Result<_, String>>()? })
    }

    /// The judge's answer that the package stores.
    pub(crate) fn stored_answer(&self) -> PathBuf {
        self.input.with_extension("ans")
    }

    /// The reference checker's verdict on a whole output: every instance's answer is right and nothing is left over.
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

/// All instances of an input file, of which there are as many as the puzzle's packages want.
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

/// The sample and secret cases of `puzzle`, or why one of them cannot be proved, in the package's order.
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

/// The cases that could be proved; that all can is what `answers` tests.
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
    Ok(tally.histogram.into_keys().next().expect("what is agreed on is counted"))
}
