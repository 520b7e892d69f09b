//! The secret cases detect every mistake in tests/mistakes/. Each program in that folder contains many mistakes; its
//! argument selects one of them, or none if it is 0.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use reference::puzzle::Puzzle;
use reference::registry::by_name;

use crate::support::program::{Ending, compile, run, temporary_folder};
use crate::support::proved::{Proved, provable};
use crate::support::{assert_none, files};

const TIME_LIMIT: Duration = Duration::from_secs(5);

/// The wall time after which even the right program counts as hanging.
const HANG_LIMIT: Duration = Duration::from_secs(60);
const FEWEST_MISTAKES: usize = 40;

#[test]
fn the_flip_game_data_catches_every_mistake() {
    catch_all("flipgame");
}

#[test]
#[ignore = "takes half a minute: many compilations and runs"]
fn the_swap_game_data_catches_every_mistake() {
    catch_all("swapgame");
}

#[test]
#[ignore = "takes half a minute: many compilations and runs"]
fn the_solitaire_data_catches_every_mistake() {
    catch_all("solitaire");
}

#[test]
#[ignore = "takes half a minute: many compilations and runs"]
fn the_coin_data_catches_every_mistake() {
    catch_all("coins");
}

fn catch_all(name: &str) {
    needs!("g++");
    let source = files::mistakes(name);
    let puzzle = by_name(name).expect("the puzzle is registered");
    let folder = temporary_folder();
    let program = compile(&source, folder.path());
    let mistakes = list(&program);
    assert!(mistakes.len() >= FEWEST_MISTAKES, "{name} has only {} mistakes", mistakes.len());
    let cases = quickest_first(&program, puzzle);
    assert_none(&uncaught(&program, &mistakes, &cases));
}

/// Returns the numbers and descriptions of the mistakes. Leaves out number 0, which stands for the right program.
fn list(program: &Path) -> Vec<(u32, String)> {
    let listed = run(program, &[Path::new("--list")], Path::new("/dev/null"), TIME_LIMIT);
    assert_eq!(listed.ending, Ending::Exit(0), "--list");
    let text = String::from_utf8(listed.output).expect("the list is text");
    let entries = text.lines().map(|line| {
        let (number, description) = line.split_once('\t').expect("number, tab, description");
        (number.parse().expect("a number"), description.to_owned())
    });
    let mistakes: Vec<(u32, String)> = entries.filter(|(number, _)| *number != 0).collect();
    let numbers: Vec<_> = mistakes.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (1..=mistakes.len() as u32).collect::<Vec<_>>(), "the mistakes are numbered from 1");
    mistakes
}

/// Returns the secret cases, fastest first. Most mistakes are detected by several cases, so trying the fast ones first
/// saves time. Fails if the program without a mistake is wrong on any case.
fn quickest_first(program: &Path, puzzle: &dyn Puzzle) -> Vec<&'static Proved> {
    let wrong = Mutex::new(Vec::new());
    let times = Mutex::new(Vec::new());
    let cases = provable(puzzle);
    on_all_cores(&cases, |case| match fails(program, 0, case) {
        Ok(wall) => times.lock().unwrap().push((wall, *case)),
        Err(reason) => wrong.lock().unwrap().push(format!("0 on {}: {reason}", files::shown(&case.input))),
    });
    assert_none(&wrong.into_inner().unwrap());
    let secret = files::package(puzzle.name()).join("data/secret");
    let mut times = times.into_inner().unwrap();
    times.retain(|(_, case)| case.input.starts_with(&secret));
    times.sort_by_key(|(wall, case)| (*wall, &case.input));
    assert!(!times.is_empty(), "{} has no secret case", puzzle.name());
    times.into_iter().map(|(_, case)| case).collect()
}

fn uncaught(program: &Path, mistakes: &[(u32, String)], cases: &[&Proved]) -> Vec<String> {
    let uncaught = Mutex::new(Vec::new());
    on_all_cores(mistakes, |(number, description)| {
        if cases.iter().all(|case| fails(program, *number, case).is_ok()) {
            uncaught.lock().unwrap().push(format!("mistake {number} passes every case: {description}"));
        }
    });
    uncaught.into_inner().unwrap()
}

/// Runs the program with mistake `number`. Returns the run time if the output is right. Otherwise, the error says what
/// is wrong.
fn fails(program: &Path, number: u32, case: &Proved) -> Result<Duration, String> {
    let number = number.to_string();
    // A program with a mistake counts as failing if it exceeds the limit. The right program has a longer limit, because
    // the machine may be busy.
    let limit = if number == "0" { HANG_LIMIT } else { TIME_LIMIT };
    let run = run(program, &[Path::new(&number)], &case.input, limit);
    match run.ending {
        Ending::Exit(0) => case.check(&run.output).map(|()| run.wall),
        other => Err(format!("{other:?}")),
    }
}

/// Calls `work` for each item on several threads. Each thread takes one item at a time, because an item that times out
/// takes as long as hundreds of other items.
fn on_all_cores<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(item);
                }
            });
        }
    });
}
