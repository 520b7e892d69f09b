//! `referee crosscheck`: compares the reference solvers with each other.

use std::time::Instant;

use clap::Args;
use indicatif::ProgressBar;
use reference::puzzle::Puzzle;
use reference::registry::ALL;

use super::common::{JobArguments, ReportArguments, Reports};
use super::numbers::whole_number;
use super::{Exit, Failure, puzzles};
use crate::puzzles::bundled;
use crate::puzzles::crosscheck::{self, BoardSelection, CrosscheckError, Sample, Watch};
use referee_event::{CrosscheckFinished, Event, RunFinished, RunStarted};
use referee_report::{progress, wrapped};
use referee_sandbox::interrupt;

/// Compare the reference solvers with one another
///
/// The solvers run on every input of the bundled package, on random boards of every kind, and with --exhaustive on all
/// boards. Lists of moves are replayed, and lower bounds are verified. If solvers disagree on a board, the board is
/// shrunk, and the exit code is 1.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  referee crosscheck                          all puzzles, within a minute
  referee crosscheck --exhaustive flipgame    all 65,536 boards")]
pub(super) struct Arguments {
    /// The puzzles [default: all]
    puzzles: Vec<String>,

    /// How many random boards per puzzle [default: as many as take about ten seconds]
    #[arg(long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true)]
    boards: Option<u64>,

    /// The seed of the random boards
    #[arg(long, value_name = "S", default_value = "1", value_parser = whole_number, allow_negative_numbers = true)]
    seed: u64,

    /// Compare the solvers on all boards as well
    #[arg(long)]
    exhaustive: bool,

    #[command(flatten)]
    jobs: JobArguments,

    #[command(flatten)]
    reports: ReportArguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let puzzles: Vec<&'static dyn Puzzle> = if arguments.puzzles.is_empty() {
        ALL.to_vec()
    } else {
        arguments.puzzles.iter().map(|name| puzzles::find(name)).collect::<Result<_, _>>()?
    };
    let jobs = arguments.jobs.count();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build().map_err(Failure::judge)?;
    let mut reports = arguments.reports.open(String::new())?;
    let result = compare(arguments, &puzzles, &pool, &mut reports);
    let reported = reports.finish();
    let exit = result?;
    reported?;
    Ok(exit)
}

fn compare(
    arguments: &Arguments,
    puzzles: &[&'static dyn Puzzle],
    pool: &rayon::ThreadPool,
    reports: &mut Reports,
) -> Result<Exit, Failure> {
    let started = Instant::now();
    reports.event(&Event::RunStarted(RunStarted {
        package: puzzles.iter().map(|puzzle| puzzle.name()).collect::<Vec<_>>().join(" "),
        jobs: pool.current_num_threads(),
        seed: Some(arguments.seed),
        ..RunStarted::default()
    }));
    let mut disagreements = 0;
    for puzzle in puzzles {
        for plan in plans(arguments, *puzzle) {
            let result = crosscheck_one(arguments, *puzzle, &plan, pool)?;
            disagreements += result.disagreements;
            reports.event(&Event::CrosscheckFinished(result));
        }
        if arguments.exhaustive && !arguments.reports.is_quiet() {
            for line in wrapped(puzzle.exhaustive_argument(), 76) {
                super::eprint_line(format_args!("  {line}"));
            }
        }
    }
    reports.event(&Event::RunFinished(RunFinished {
        as_wanted: disagreements == 0,
        submissions: 0,
        skipped: 0,
        unjudged: 0,
        cases_run: 0,
        wall_seconds: started.elapsed().as_secs_f64(),
    }));
    Ok(if disagreements == 0 { Exit::AsExpected } else { Exit::NotAsExpected })
}

fn plans(arguments: &Arguments, puzzle: &dyn Puzzle) -> Vec<BoardSelection<'static>> {
    let (boards, seed) = (arguments.boards.unwrap_or(puzzle.usual_boards()), arguments.seed);
    let sampled = BoardSelection::Sampled(Sample { boards, seed, fixtures: bundled::inputs(puzzle.name()) });
    if arguments.exhaustive { vec![sampled, BoardSelection::Exhaustive] } else { vec![sampled] }
}

fn crosscheck_one(
    arguments: &Arguments,
    puzzle: &dyn Puzzle,
    plan: &BoardSelection<'_>,
    pool: &rayon::ThreadPool,
) -> Result<CrosscheckFinished, Failure> {
    let bar = progress::bar(arguments.reports.is_quiet());
    progress::set_style(&bar);
    bar.set_message(puzzle.name());
    let result = pool.install(|| crosscheck::crosscheck(puzzle, plan, &Bar(&bar)));
    bar.finish_and_clear();
    result.map_err(|error| match error {
        CrosscheckError::Interrupted => Failure::interrupted(),
        other => Failure::judge(other),
    })
}

struct Bar<'a>(&'a ProgressBar);

impl Watch for Bar<'_> {
    fn progress(&self, done: u64, total: u64) {
        self.0.set_length(total);
        self.0.set_position(done);
    }

    fn stop(&self) -> bool {
        interrupt::happened()
    }
}
