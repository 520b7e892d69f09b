//! The progress bar on standard error: the finished part, the speed, the remaining time, and the running programs.

use std::fmt::Write;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::table::{fitted, shortened};
use referee_text::printable::without_commands;

/// The width of the line about the running programs, in columns.
const WIDTH: usize = 78;

/// The width of each name, in columns. The line has room for two names; further running programs are not shown.
const NAME_WIDTH: usize = 33;

/// A function that returns the names of the programs that run at the moment.
pub type RunningPrograms = std::sync::Arc<dyn Fn() -> Vec<String> + Send + Sync>;

/// Sets the style of a bar. With `doing`, a second line names the running programs.
pub fn set_style(bar: &ProgressBar, doing: Option<RunningPrograms>) {
    let template = match doing {
        Some(_) => "{bar:24} {pos}/{len}  {rate}  {left}  {wide_msg}\n{doing}",
        None => "{bar:24} {pos}/{len}  {rate}  {left}  {wide_msg}",
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let names = move || doing.as_ref().map(|doing| doing()).unwrap_or_default();
    bar.set_style(
        style
            .progress_chars("━╸─")
            .with_key("rate", |state: &ProgressState, out: &mut dyn Write| {
                let _ = out.write_str(&rate(state.per_sec()));
            })
            .with_key("left", |state: &ProgressState, out: &mut dyn Write| {
                let _ = out.write_str(&left(state.pos(), state.eta().as_secs()));
            })
            .with_key("doing", move |_: &ProgressState, out: &mut dyn Write| {
                let _ = out.write_str(&running(&names()));
            }),
    );
}

/// Formats a rate: "54/s" for fast steps, "4.0 s each" for slow ones.
fn rate(per_second: f64) -> String {
    match per_second {
        fast if fast >= 10.0 => format!("{fast:.0}/s"),
        middle if middle >= 1.0 => format!("{middle:.1}/s"),
        slow if slow > 0.001 => format!("{:.1} s each", 1.0 / slow),
        _ => "-".to_owned(),
    }
}

/// Formats the time left, which is unknown before the first step is done.
fn left(done: u64, seconds: u64) -> String {
    if done == 0 { "time left unknown".to_owned() } else { format!("{}:{:02} left", seconds / 60, seconds % 60) }
}

fn running(doing: &[String]) -> String {
    if doing.is_empty() {
        return String::new();
    }
    let each: Vec<_> = doing.iter().map(|what| fitted(what, NAME_WIDTH).trim_end().to_owned()).collect();
    without_commands(&shortened(&format!("running: {}", each.join(", ")), WIDTH)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_fast_and_how_long_is_told_in_few_words() {
        assert_eq!([rate(54.4), rate(2.345), rate(0.25), rate(0.0)], ["54/s", "2.3/s", "4.0 s each", "-"]);
        assert_eq!([left(0, 9), left(3, 9), left(3, 125)], ["time left unknown", "0:09 left", "2:05 left"]);
    }

    #[test]
    fn what_runs_fits_into_a_line_and_moves_no_cursor() {
        let many = vec!["a\u{1b}[2J.py: secret/a-long-name-of-a-case".to_owned(); 4];
        let told = running(&many);
        assert!(told.chars().count() <= WIDTH && !told.contains('\u{1b}'), "{told}");
        assert!(told.contains("…"), "ends of names tell them apart: {told}");
        assert_eq!(running(&["bob/main.py on secret/1".to_owned()]), "running: bob/main.py on secret/1");
        assert_eq!(running(&[]), "");
    }
}
