//! The progress bar on standard error: the finished part, the speed, the remaining time, and the running programs.

use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::bar_target;
use super::table::{fitted, shortened};
use referee_text::printable::without_commands;
use referee_text::screen::{self, in_ascii};

/// The line about the running programs has room for one name for each of these numbers of columns. Further running
/// programs are not shown.
const NAME_WIDTH: usize = 34;

/// The first words of the line about the running programs.
const RUNNING: &str = "running: ";

/// The remaining time is known after this time and this number of runs.
const MIN_ELAPSED: Duration = Duration::from_secs(2);
const MIN_RUNS: u64 = 3;

/// A function that returns the names of the programs that run at the moment.
pub type RunningPrograms = Arc<dyn Fn() -> Vec<String> + Send + Sync>;

/// The progress of a run with a known number of results.
pub(super) struct Progress {
    bar: ProgressBar,
    work: Arc<Mutex<Work>>,
}

/// The work that was done. Cached results and skipped cases take no time, so they say nothing about the remaining time.
#[derive(Clone, Copy, Debug)]
struct Work {
    started: Instant,
    /// The number of results for which a program ran.
    runs: u64,
    /// The number of cases that were skipped in submissions that ran.
    skipped: u64,
    /// Whether the current submission has a result for which it ran.
    has_run: bool,
    /// The moment of the last result for which a program ran.
    last: Instant,
}

impl Work {
    fn new(now: Instant) -> Work {
        Work { started: now, runs: 0, skipped: 0, has_run: false, last: now }
    }

    fn case(&mut self, is_cached: bool, now: Instant) {
        if !is_cached {
            self.runs += 1;
            self.has_run = true;
            self.last = now;
        }
    }

    fn skip(&mut self, cases: usize) {
        if std::mem::take(&mut self.has_run) {
            self.skipped += cases as u64;
        }
    }

    /// Returns the remaining time if `results` results are outstanding; `None` if it is not known yet. Assumes that as
    /// large a part of them is skipped as before, and that none is cached.
    fn left(&self, results: u64, now: Instant) -> Option<Duration> {
        let elapsed = self.last - self.started;
        if self.runs < MIN_RUNS || elapsed < MIN_ELAPSED {
            return None;
        }
        let runs = results as f64 * self.runs as f64 / (self.runs + self.skipped) as f64;
        let left = elapsed.mul_f64(runs / self.runs as f64);
        // Between two results, the clock runs down.
        left.checked_sub(now - self.last).filter(|left| *left >= Duration::from_secs(1))
    }

    /// Returns the number of runs per second; `None` if no program has run.
    fn rate(&self, now: Instant) -> Option<f64> {
        let elapsed = (now - self.started).as_secs_f64();
        (self.runs > 0 && elapsed > 0.0).then(|| self.runs as f64 / elapsed)
    }
}

impl Progress {
    /// Returns a bar that is not shown yet. With `doing`, a second line names the running programs.
    pub(super) fn hidden(doing: Option<RunningPrograms>) -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let work = Arc::new(Mutex::new(Work::new(Instant::now())));
        let of_rate = Arc::clone(&work);
        let of_left = Arc::clone(&work);
        let work_of = |work: &Mutex<Work>| *work.lock().unwrap_or_else(PoisonError::into_inner);
        bar.set_style(
            style(doing)
                .with_key("rate", move |_: &ProgressState, out: &mut dyn Write| {
                    let rate = work_of(&of_rate).rate(Instant::now());
                    let _ = out.write_str(&rate.map(rate_words).unwrap_or_default());
                })
                .with_key("left", move |state: &ProgressState, out: &mut dyn Write| {
                    let results = state.len().unwrap_or_default().saturating_sub(state.pos());
                    let left = work_of(&of_left).left(results, Instant::now());
                    let _ = out.write_str(&left.map(left_words).unwrap_or_default());
                }),
        );
        Progress { bar, work }
    }

    /// Shows the bar, for `results` results.
    pub(super) fn show(&self, results: u64) {
        self.work(|work| *work = Work::new(Instant::now()));
        self.bar.set_length(results);
        self.bar.set_draw_target(bar_target::draw_target());
        // The thread that updates the bar is needed only where the bar is drawn.
        if !self.bar.is_hidden() {
            self.bar.enable_steady_tick(Duration::from_millis(200));
        }
    }

    /// Counts a result.
    pub(super) fn case(&self, is_cached: bool) {
        self.work(|work| work.case(is_cached, Instant::now()));
        self.bar.inc(1);
    }

    /// Counts cases on which a submission did not run. The submission has ended.
    pub(super) fn skip(&self, cases: usize) {
        self.work(|work| work.skip(cases));
        self.bar.inc(cases as u64);
    }

    fn work(&self, change: impl FnOnce(&mut Work)) {
        change(&mut self.work.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Removes the bar for good.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Calls `print` while the bar is not drawn.
    pub(super) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

/// Returns a bar of unknown length, which is not shown if `is_hidden`.
pub fn bar(is_hidden: bool) -> ProgressBar {
    let target = if is_hidden { ProgressDrawTarget::hidden() } else { bar_target::draw_target() };
    ProgressBar::with_draw_target(None, target)
}

/// Sets the style of a bar for steps that take about the same time.
pub fn set_style(bar: &ProgressBar) {
    bar.set_style(
        style(None)
            .with_key("rate", |state: &ProgressState, out: &mut dyn Write| {
                let _ = out.write_str(&rate_words(state.per_sec()));
            })
            .with_key("left", |state: &ProgressState, out: &mut dyn Write| {
                let left = (state.pos() > 0).then(|| left_words(state.eta()));
                let _ = out.write_str(&left.unwrap_or_default());
            }),
    );
}

/// The characters of a bar: the finished part, its end, and the rest.
const BAR: &str = "━╸─";
const ASCII_BAR: &str = "=>-";

/// The pictures of a spinner in ASCII. The last one is shown at the end.
const ASCII_SPINNER: &str = "-\\|/ ";

/// Returns the style of a spinner with this template.
pub fn spinner_style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner());
    if screen::is_ascii() { style.tick_chars(ASCII_SPINNER) } else { style }
}

fn style(doing: Option<RunningPrograms>) -> ProgressStyle {
    let bar = bar_width(bar_target::last_line_width());
    let second = if doing.is_some() { "\n{doing}" } else { "" };
    let template = format!("{{bar:{bar}}} {{pos}}/{{len}}  {{rate}}  {{left}}  {{wide_msg}}{second}");
    let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let names = move || doing.as_ref().map(|doing| doing()).unwrap_or_default();
    style.progress_chars(if screen::is_ascii() { ASCII_BAR } else { BAR }).with_key(
        "doing",
        move |_: &ProgressState, out: &mut dyn Write| {
            let line = running(&names(), bar_target::last_line_width());
            let _ = out.write_str(&if screen::is_ascii() { in_ascii(&line).into_owned() } else { line });
        },
    )
}

/// The columns that the numbers beside a bar need.
const NUMBERS_WIDTH: usize = 36;

/// Returns the width of a bar on a screen, in columns. The numbers beside it are more useful.
fn bar_width(screen: usize) -> usize {
    screen.saturating_sub(NUMBERS_WIDTH).clamp(4, 24)
}

/// Formats a rate: "54/s" for fast steps, "4.0 s each" for slow ones.
fn rate_words(per_second: f64) -> String {
    match per_second {
        fast if fast >= 10.0 => format!("{fast:.0}/s"),
        middle if middle >= 1.0 => format!("{middle:.1}/s"),
        slow if slow > 0.001 => format!("{:.1} s each", 1.0 / slow),
        _ => String::new(),
    }
}

/// Formats the time left, in minutes and seconds.
pub fn left_words(left: Duration) -> String {
    let seconds = left.as_secs();
    format!("{}:{:02} left", seconds / 60, seconds % 60)
}

fn running(doing: &[String], width: usize) -> String {
    if doing.is_empty() {
        return String::new();
    }
    let room = width - RUNNING.len();
    let names = (room / NAME_WIDTH).max(1);
    let each = room / names - ", …".chars().count();
    let shown = doing.iter().take(names).map(|what| fitted(what, each).trim_end().to_owned());
    let more = (doing.len() > names).then(|| "…".to_owned());
    let shown = shown.chain(more).collect::<Vec<_>>().join(", ");
    without_commands(&shortened(&format!("{RUNNING}{shown}"), width)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_fast_and_how_long_is_told_in_few_words() {
        assert_eq!([54.4, 2.345, 0.25, 0.0].map(rate_words), ["54/s", "2.3/s", "4.0 s each", ""]);
        assert_eq!([9, 125].map(|seconds| left_words(Duration::from_secs(seconds))), ["0:09 left", "2:05 left"]);
    }

    #[test]
    fn the_bar_leaves_room_for_the_numbers_on_any_screen() {
        assert_eq!([0, 36, 40, 41, 60, 80, 1000].map(bar_width), [4, 4, 4, 5, 24, 24, 24]);
    }

    #[test]
    fn the_remaining_time_counts_only_work_and_is_unknown_at_first() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut work = Work::new(start);
        // A resumed run takes its first results from the report.
        (0..1000).for_each(|_| work.case(true, start));
        work.skip(500);
        assert_eq!((work.left(60, at(1)), work.rate(at(1))), (None, None));
        for second in [1, 2] {
            work.case(false, at(second));
        }
        assert_eq!(work.left(60, at(2)), None, "two runs are too few");
        work.case(false, at(3));
        assert_eq!(work.left(60, at(3)), Some(Duration::from_secs(60)));
        assert_eq!(work.left(60, at(13)), Some(Duration::from_secs(50)), "the clock runs down between two results");
        assert_eq!(work.left(60, at(63)), None, "an estimate that was wrong is not shown");
        // Half of the cases of this submission are skipped, so half of all outstanding ones probably are.
        work.skip(3);
        assert_eq!(work.left(60, at(3)), Some(Duration::from_secs(30)));
        assert_eq!(work.rate(at(3)), Some(1.0));
    }

    #[test]
    fn what_runs_fits_into_a_line_and_moves_no_cursor() {
        let many = vec!["a\u{1b}[2J.py: secret/a-long-name-of-a-case".to_owned(); 4];
        for (width, names) in [(38, 1), (58, 1), (78, 2), (118, 3)] {
            let told = running(&many, width);
            assert_eq!(told.matches("-of-a-case, ").count(), names, "{told}");
            assert!(told.chars().count() <= width && !told.contains('\u{1b}'), "{told}");
            assert!(told.contains("…"), "ends of names tell them apart: {told}");
        }
        assert_eq!(running(&["bob/main.py on secret/1".to_owned()], 78), "running: bob/main.py on secret/1");
        assert_eq!(running(&[], 78), "");
    }
}
