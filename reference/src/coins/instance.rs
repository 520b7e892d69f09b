//! Implements the puzzle's [`Instance`] trait for boards, by calling the typed solvers.

use super::{Board, Outcome, bfs, bidirectional, check, dfs, fewest, picture, shrink};
use crate::puzzle::{Answer, CheckError, Declined, Evidence, Instance, Solver, Value};
use crate::text::Tokens;
use referee_picture::Film;

pub(super) const SOLVERS: &[Solver] = &[
    Solver { name: "bidirectional", method: "breadth-first from both ends until they meet" },
    Solver { name: "dfs", method: "depth-first, deepened level by level, with bounds" },
    Solver { name: "bfs", method: "textbook queue and set, no invariants" },
];

impl Instance for Board {
    fn print(&self) -> String {
        self.to_string()
    }

    fn solve(&self, solver: &str) -> Result<Answer, Declined> {
        let outcome = match solver {
            "bidirectional" => bidirectional::solve(self),
            "dfs" => dfs::solve(self),
            "bfs" => bfs::solve(self),
            _ => Err(Declined(format!("coins has no solver '{solver}', allowed: bidirectional, dfs, bfs"))),
        }?;
        Ok(answer(outcome))
    }

    fn check(&self, output: &mut Tokens<'_>, right: &Value) -> Result<(), CheckError> {
        check::output(self, output, right)
    }

    fn verify(&self, answer: &Answer) -> Result<Evidence, String> {
        check::verify(self, answer)
    }

    fn film(&self, answer: &Answer) -> Film {
        picture::film(self, &mut Tokens::new(answer.text.as_bytes()))
    }

    fn film_of_output(&self, output: &mut Tokens<'_>) -> Option<Film> {
        Some(picture::film(self, output))
    }

    fn shrink(&self) -> Vec<Box<dyn Instance>> {
        shrink::steps(self).into_iter().map(|board| Box::new(board) as Box<dyn Instance>).collect()
    }

    fn weight(&self) -> u64 {
        shrink::weight(self)
    }

    fn effort(&self) -> u64 {
        fewest::effort(self)
    }

    fn value_in_table(&self) -> Option<Value> {
        fewest::value(self)
    }
}

fn answer(outcome: Outcome) -> Answer {
    match outcome {
        Outcome::Reached(rows) => {
            let moves = rows.len() as u32 - 1;
            Answer { value: Value::Minimum(moves), text: format!("{moves}\n{}\n", rows.join("\n")), certificate: None }
        }
        Outcome::Impossible(proof) => Answer {
            value: Value::Impossible,
            text: "Impossible\n".to_owned(),
            certificate: proof.map(|p| vec![p.start, p.a_first, p.b_first, p.modulus]),
        },
    }
}
