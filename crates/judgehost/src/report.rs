//! Turns results into the forms that report them to the server.

use std::fmt::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use referee_grading::score::Written;
use referee_grading::verdict::Verdict;
use referee_judge::{CaseResult, WrittenStreams};

use crate::journal::StoredForm;
use crate::version::Version;

/// A result on a test case, with what the server wants to know about it.
pub(crate) struct RunReport<'a> {
    pub(crate) result: &'a CaseResult,
    /// The time limit in seconds.
    pub(crate) time_limit: f64,
    pub(crate) is_interactive: bool,
    /// The judgehost's name.
    pub(crate) host: &'a str,
    /// The name of the test case's folder.
    pub(crate) folder: &'a str,
    pub(crate) started: SystemTime,
    pub(crate) ended: SystemTime,
    /// The largest size of each output that the server stores, in bytes.
    pub(crate) stored_bytes: usize,
    pub(crate) version: Version,
    pub(crate) is_scoring: bool,
}

impl RunReport<'_> {
    /// Returns DOMjudge's word for the verdict. There is none for a judge error.
    pub(crate) fn word(&self) -> Option<&'static str> {
        let has_output = self.result.written.as_ref().is_none_or(|written| written.stdout_bytes > 0);
        Some(match self.result.verdict {
            Verdict::Accepted => "correct",
            Verdict::WrongAnswer if has_output || self.is_interactive => "wrong-answer",
            Verdict::WrongAnswer => "no-output",
            Verdict::TimeLimitExceeded => "timelimit",
            Verdict::MemoryLimitExceeded => "memory-limit",
            Verdict::OutputLimitExceeded => "output-limit",
            Verdict::RunTimeError => "run-error",
            Verdict::CompileError => "compiler-error",
            Verdict::JudgeError => return None,
        })
    }

    /// Returns the form for the result `word`.
    pub(crate) fn form(&self, word: &str) -> StoredForm {
        let result = self.result;
        let written = result.written.as_deref().cloned().unwrap_or_default();
        let encode = |bytes: &[u8]| STANDARD.encode(&bytes[..bytes.len().min(self.stored_bytes)]);
        // The message of any other verdict comes from the judge, not from the compare script.
        let is_compared = matches!(result.verdict, Verdict::Accepted | Verdict::WrongAnswer);
        let difference = result.message.as_deref().filter(|_| is_compared).unwrap_or_default();
        let mut form: Vec<(&str, String)> = vec![
            ("runresult", word.to_owned()),
            ("runtime", format!("{:.3}", result.cpu_seconds.unwrap_or_default())),
            ("start_time", unix_seconds(self.started)),
            ("end_time", unix_seconds(self.ended)),
            ("output_run", encode(&self.output(&written))),
            ("output_error", encode(&written.stderr)),
            ("output_system", encode(self.system_output().as_bytes())),
            ("output_diff", encode(difference.as_bytes())),
            ("metadata", STANDARD.encode(self.metadata(&written))),
            ("hostname", self.host.to_owned()),
            ("testcasedir", self.folder.to_owned()),
        ];
        form.extend(result.team_message.as_deref().map(|text| ("team_message", encode(text.as_bytes()))));
        if self.version.has_scores()
            && self.is_scoring
            && let Some(Written::Number(score)) = &result.given.score
        {
            form.push(("score", STANDARD.encode(score.to_string())));
        }
        form.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// Returns the submission's output. In an interactive problem, that is the last messages, each with its time and its
    /// direction.
    fn output(&self, written: &WrittenStreams) -> Vec<u8> {
        let exchanges = self.result.exhibit.as_ref().and_then(|exhibit| exhibit.exchanges.as_ref());
        let Some(exchanges) = exchanges.filter(|_| self.is_interactive) else { return written.stdout.clone() };
        let mut text = Vec::new();
        for exchange in exchanges {
            let arrow = if exchange.by_submission { '>' } else { '<' };
            text.extend(format!("[{:8.3}s/{}]{arrow}: ", exchange.at.as_secs_f64(), exchange.whole_bytes).into_bytes());
            text.extend(&exchange.bytes);
            if exchange.bytes.last() != Some(&b'\n') {
                text.push(b'\n');
            }
        }
        text
    }

    fn system_output(&self) -> String {
        let result = self.result;
        let sentence = match result.verdict {
            Verdict::Accepted => "Correct!",
            Verdict::WrongAnswer => "Wrong answer.",
            Verdict::TimeLimitExceeded => "Timelimit exceeded.",
            Verdict::MemoryLimitExceeded => "Memory limit exceeded.",
            Verdict::OutputLimitExceeded => "Output limit exceeded.",
            Verdict::RunTimeError => "Non-zero exitcode, or a signal.",
            Verdict::CompileError => "Compiling failed.",
            Verdict::JudgeError => "The judgehost failed.",
        };
        let mut text = format!("{sentence}\n");
        if let Some(message) = &result.message {
            let _ = writeln!(text, "{message}");
        }
        if let (Some(cpu), Some(wall)) = (result.cpu_seconds, result.wall_seconds) {
            let _ = writeln!(text, "runtime: {cpu:.3}s cpu, {wall:.3}s wall");
        }
        if let Some(bytes) = result.memory_bytes {
            let _ = writeln!(text, "memory used: {bytes} bytes");
        }
        text
    }

    /// Returns the measurements of the run, one `key: value` in each line. A key whose value is unknown is left out.
    fn metadata(&self, written: &WrittenStreams) -> String {
        let result = self.result;
        let is_too_long = result.verdict == Verdict::TimeLimitExceeded;
        let is_by_wall = is_too_long && result.cpu_seconds.is_some_and(|cpu| cpu <= self.time_limit);
        let time_result = match (is_too_long, result.exit_code) {
            (false, _) => "",
            (true, Some(_)) => "soft-timelimit",
            (true, None) => "hard-timelimit",
        };
        let seconds = |time: Option<f64>| time.map(|time| format!("{time:.3}"));
        let lines = [
            ("memory-bytes", result.memory_bytes.map(|bytes| bytes.to_string())),
            ("exitcode", result.exit_code.map(|code| code.to_string())),
            ("signal", result.signal.map(|signal| signal.to_string())),
            ("wall-time", seconds(result.wall_seconds)),
            ("cpu-time", seconds(result.cpu_seconds)),
            ("time-used", Some(if is_by_wall { "wall-time" } else { "cpu-time" }.to_owned())),
            ("time-result", Some(time_result.to_owned())),
            ("output-truncated", Some(if written.overflowed { "stdout" } else { "" }.to_owned())),
            ("stdout-bytes", Some(written.stdout_bytes.to_string())),
            ("stderr-bytes", Some(written.stderr_bytes.to_string())),
        ];
        lines.into_iter().filter_map(|(key, value)| Some(format!("{key}: {}\n", value?))).collect()
    }
}

/// Returns the form that reports whether a submission compiles.
pub(crate) fn of_compilation(success: bool, output: &str, entry_point: Option<&str>, seconds: f64) -> StoredForm {
    let metadata = format!("exitcode: {}\nwall-time: {seconds:.3}\n", i32::from(!success));
    let mut form = vec![
        ("compile_success", if success { "1" } else { "" }.to_owned()),
        ("output_compile", STANDARD.encode(output)),
        ("compile_metadata", STANDARD.encode(metadata)),
    ];
    form.extend(entry_point.map(|name| ("entry_point", name.to_owned())));
    form.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn unix_seconds(time: SystemTime) -> String {
    format!("{:.6}", time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(result: &CaseResult) -> RunReport<'_> {
        RunReport {
            result,
            time_limit: 2.0,
            is_interactive: false,
            host: "host",
            folder: "testcase1",
            started: UNIX_EPOCH,
            ended: UNIX_EPOCH,
            stored_bytes: 3,
            version: Version { major: 9, minor: 0 },
            is_scoring: true,
        }
    }

    fn result(verdict: Verdict, stdout: &[u8]) -> CaseResult {
        let written = WrittenStreams { stdout: stdout.to_vec(), stdout_bytes: stdout.len(), ..Default::default() };
        CaseResult { cpu_seconds: Some(0.5), written: Some(Box::new(written)), ..CaseResult::of(verdict) }
    }

    fn value(form: &StoredForm, name: &str) -> String {
        form.iter().find(|(field, _)| field == name).map(|(_, value)| value.clone()).unwrap()
    }

    #[test]
    fn a_wrong_answer_without_output_is_no_output_unless_the_problem_is_interactive() {
        let (empty, some) = (result(Verdict::WrongAnswer, b""), result(Verdict::WrongAnswer, b"1"));
        assert_eq!(report(&empty).word(), Some("no-output"));
        assert_eq!(report(&some).word(), Some("wrong-answer"));
        assert_eq!(RunReport { is_interactive: true, ..report(&empty) }.word(), Some("wrong-answer"));
        assert_eq!(report(&result(Verdict::JudgeError, b"")).word(), None);
    }

    #[test]
    fn outputs_are_cut_and_encoded() {
        let result = result(Verdict::Accepted, b"12345");
        let form = report(&result).form("correct");
        assert_eq!(value(&form, "output_run"), STANDARD.encode("123"));
        assert_eq!(value(&form, "runtime"), "0.500");
        let metadata = String::from_utf8(STANDARD.decode(value(&form, "metadata")).unwrap()).unwrap();
        assert!(metadata.contains("stdout-bytes: 5\n") && metadata.contains("time-used: cpu-time\n"), "{metadata}");
        assert!(!metadata.contains("memory-bytes"), "an unknown figure is left out: {metadata}");
    }

    #[test]
    fn a_time_limit_that_the_wall_time_exceeded_says_so() {
        let result = result(Verdict::TimeLimitExceeded, b"");
        let metadata = report(&result).metadata(&WrittenStreams::default());
        assert!(metadata.contains("time-used: wall-time\ntime-result: hard-timelimit\n"), "{metadata}");
    }
}
