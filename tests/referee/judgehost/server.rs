//! The rules of the DOMjudge server for tests: its settings, and its answers to results.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

pub(super) use super::contest::{Problem, Script, Submission};
use super::fake::Request;

#[expect(clippy::struct_excessive_bools, reason = "the flags are independent of each other")]
pub(super) struct Server {
    pub(super) version: &'static str,
    pub(super) problems: Vec<Problem>,
    pub(super) submissions: Vec<Submission>,
    pub(super) compile_script: Script,
    pub(super) run_script: Script,
    pub(super) version_commands: Value,
    /// The versions that the judgehost reported.
    pub(super) reported_versions: Vec<BTreeMap<String, String>>,
    pub(super) internal_errors: Vec<BTreeMap<String, String>>,
    /// Whether the server does not accept the versions of this judgehost.
    pub(super) refuses_versions: bool,
    /// Whether a registration gives back tasks without a result, as it should.
    pub(super) gives_back: bool,
    /// Whether batches contain each task twice, in the opposite order.
    pub(super) is_disorderly: bool,
    /// Types of tasks that the next answer contains before any work.
    pub(super) first_answers: Vec<Value>,
    /// The answer to the first question for work when there is none.
    pub(super) last_answer: Option<Value>,
    /// The debug information, by the tasks' ids.
    pub(super) debug_info: BTreeMap<String, BTreeMap<String, String>>,
    pub(super) hosts: BTreeSet<String>,
    /// The most tasks in an answer.
    pub(super) batch: usize,
    /// The number of results on which the server fails without storing them.
    pub(super) failing_results: u32,
    /// Whether the server shows no results, as for those that a person has to verify.
    pub(super) hides_results: bool,
    /// Whether the user calls the compile script and the run script DOMjudge's own.
    pub(super) has_default_compile_script: bool,
    pub(super) has_default_run_script: bool,
}

pub(super) struct Answer {
    pub(super) code: u16,
    pub(super) body: String,
}

impl Answer {
    pub(super) fn failure(why: &str) -> Answer {
        Answer { code: 500, body: json!({"code": 500, "message": why}).to_string() }
    }

    pub(super) fn missing(name: &str) -> Answer {
        Answer::refusal(format!("Argument '{name}' is mandatory"))
    }

    pub(super) fn not_found(what: &str) -> Answer {
        Answer { code: 404, body: json!({"code": 404, "message": format!("no {what}")}).to_string() }
    }

    pub(super) fn refusal(why: impl Into<String>) -> Answer {
        Answer { code: 400, body: json!({"code": 400, "message": why.into()}).to_string() }
    }

    pub(super) fn of(value: &Value) -> Answer {
        Answer { code: 200, body: value.to_string() }
    }
}

impl Server {
    pub(super) fn new(version: &'static str, problems: Vec<Problem>, submissions: Vec<Submission>) -> Server {
        let redirect = "#!/bin/sh\nin=\"$1\"; out=\"$2\"; shift 2\nexec \"$@\" <\"$in\" >\"$out\"\n";
        Server {
            version,
            problems,
            submissions,
            compile_script: vec![("run", "#!/bin/sh\necho 'internal-error: not expected to run'\nexit 1\n".to_owned())],
            run_script: vec![("run", redirect.to_owned())],
            version_commands: json!({"compiler_version_command": "echo compiler 1.0", "runner_version_command": "echo runner 2.0"}),
            reported_versions: Vec::new(),
            internal_errors: Vec::new(),
            refuses_versions: false,
            gives_back: false,
            is_disorderly: false,
            first_answers: Vec::new(),
            last_answer: None,
            debug_info: BTreeMap::new(),
            hosts: BTreeSet::new(),
            batch: 25,
            failing_results: 0,
            hides_results: false,
            has_default_compile_script: true,
            has_default_run_script: true,
        }
    }

    pub(super) fn major(&self) -> u32 {
        self.version.split('.').next().expect("a number").parse().expect("a number")
    }

    /// Whether the version is 8.3 or newer.
    fn asks_for_versions(&self) -> bool {
        !self.version.starts_with("8.2")
    }

    pub(super) fn answer(&mut self, request: &Request) -> Answer {
        let parts: Vec<_> = request.path.split('/').collect();
        match (request.method.as_str(), parts.as_slice()) {
            ("GET", ["info"]) => Answer::of(&json!({"domjudge": {"version": self.version}})),
            ("GET", ["config"]) => Answer::of(&json!({
                "output_storage_limit": 60000, "timelimit_overshoot": "1s|10%", "diskspace_error": 1024,
                "script_timelimit": 30, "script_memory_limit": 2_097_152, "script_filesize_limit": 2_621_440
            })),
            ("GET", ["languages"]) => Answer::of(&json!([
                // This is the hash of DOMjudge's own script.
                {"id": "c", "name": "C", "extensions": ["c"],
                 "compile_executable_hash": "cc8f78233bdf1e45b1df0f913c1f24b5"},
                {"id": "own", "name": "Changed", "extensions": ["c"],
                 "compile_executable_hash": "0123456789abcdef0123456789abcdef"}
            ])),
            ("POST", ["judgehosts"]) => self.register(request),
            ("POST", ["judgehosts", "fetch-work"]) => self.fetch_work(request),
            ("GET", ["judgehosts", "get_files", rest @ ..]) => self.files(rest),
            ("GET", ["judgehosts", "get_version_commands", _]) if self.asks_for_versions() => {
                Answer::of(&self.version_commands)
            }
            ("PUT", ["judgehosts", "check_versions", _]) if self.asks_for_versions() => self.check_versions(request),
            ("PUT", ["judgehosts", "update-judging", host, task]) => self.update_judging(request, host, task),
            ("POST", ["judgehosts", "add-judging-run", host, task]) => self.add_judging_run(request, host, task),
            ("POST", ["judgehosts", "add-debug-info", _, task]) => {
                self.debug_info.insert((*task).to_owned(), request.form.clone());
                Answer { code: 200, body: String::new() }
            }
            ("POST", ["judgehosts", "internal-error"]) => self.internal_error(request),
            ("GET", ["contests"]) => Answer::of(&json!([{"id": "empty"}, {"id": "demo"}])),
            ("GET", ["contests", "empty", _]) => Answer::of(&json!([])),
            ("GET", ["contests", "demo", query]) => self.runs(query),
            _ => Answer::not_found("such route"),
        }
    }

    fn check_versions(&mut self, request: &Request) -> Answer {
        for name in ["hostname", "compiler", "runner"] {
            if !request.form.contains_key(name) {
                return Answer::missing(name);
            }
        }
        self.reported_versions.push(request.form.clone());
        if self.refuses_versions {
            let body = json!({"code": 400, "message": "Versions do not match", "retry": false}).to_string();
            return Answer { code: 400, body };
        }
        Answer::of(&json!([]))
    }

    fn update_judging(&mut self, request: &Request, host: &str, task: &str) -> Answer {
        let Some((index, _)) = self.found(host, task) else { return Answer::refusal("unknown task or host") };
        for name in ["compile_success", "output_compile"] {
            if !request.form.contains_key(name) {
                return Answer::missing(name);
            }
        }
        if !request.form.contains_key("compile_metadata") {
            return Answer::failure("compile_metadata is null");
        }
        let Some(output) = decoded(request.form.get("output_compile")) else { return Answer::refusal("base64") };
        let success = request.form["compile_success"] == "1";
        let submission = &mut self.submissions[index];
        assert!(submission.compiles.is_none_or(|known| known == success), "contradicting compilations");
        if submission.compiles.is_none() && !success {
            submission.verdicts.push("compiler-error".to_owned());
        }
        submission.compiles = Some(success);
        submission.compile_output = output;
        submission.entry_point = request.form.get("entry_point").cloned();
        Answer { code: 204, body: String::new() }
    }

    fn add_judging_run(&mut self, request: &Request, host: &str, task: &str) -> Answer {
        let Some((index, case)) = self.found(host, task) else { return Answer::refusal("unknown task or host") };
        for name in ["runresult", "runtime", "output_run", "output_diff", "output_error", "output_system"] {
            if !request.form.contains_key(name) {
                return Answer::refusal(format!("Argument '{name}' is mandatory"));
            }
        }
        let needs_times = self.major() >= 9;
        if needs_times && ["start_time", "end_time"].iter().any(|name| !request.form.contains_key(*name)) {
            return Answer::failure("start_time");
        }
        for name in ["output_run", "output_diff", "output_error", "output_system", "metadata", "score", "team_message"]
        {
            if request.form.contains_key(name) && decoded(request.form.get(name)).is_none() {
                return Answer::refusal("base64");
            }
        }
        let is_new = self.major() >= 10;
        if self.failing_results > 0 {
            self.failing_results -= 1;
            return Answer::failure("the database is full");
        }
        let submission = &mut self.submissions[index];
        assert_eq!(submission.compiles, Some(true), "a result before the compilation");
        if submission.results.contains_key(&case) && !is_new {
            return Answer::failure("An exception occurred: unique constraint");
        }
        submission.results.insert(case, request.form.clone());
        let count = self.problems[submission.problem].cases.len();
        if submission.verdicts.is_empty() {
            submission.verdicts.extend(verdict(submission, count));
        }
        Answer::of(&json!(i32::from(submission.verdicts.is_empty())))
    }

    /// Answers which results of a judging the server has. `query` is `runs?judging_id=ID`.
    fn runs(&self, query: &str) -> Answer {
        let Some(id) = query.strip_prefix("runs?judging_id=") else { return Answer::not_found(query) };
        let submission = id.parse::<usize>().ok().and_then(|id| self.submissions.get(id.checked_sub(100)?));
        let Some(submission) = submission.filter(|_| !self.hides_results) else { return Answer::of(&json!([])) };
        let run = |form: &BTreeMap<String, String>| {
            let seconds: f64 = form["end_time"].parse().expect("a time is a number");
            // Before version 9.0, the server has its own time. The date is wrong, and must not matter.
            let seconds = if self.major() >= 9 { seconds % 60.0 } else { 0.0 };
            json!({
                "judgement_id": id, "run_time": form["runtime"].parse::<f64>().expect("a number"),
                "time": format!("2026-11-27T10:20:{:06.3}+01:00", (seconds * 1000.0).floor() / 1000.0)
            })
        };
        Answer::of(&submission.results.values().map(run).collect())
    }

    fn internal_error(&mut self, request: &Request) -> Answer {
        for name in ["description", "judgehostlog", "disabled", "hostname"] {
            if !request.form.contains_key(name) {
                return Answer::missing(name);
            }
        }
        let index = request.form.get("judgetaskid").and_then(|task| task.parse::<usize>().ok()).map(|id| id / 1000 - 1);
        if let Some(submission) = index.and_then(|index| self.submissions.get_mut(index)) {
            submission.is_stopped = true;
        }
        self.internal_errors.push(request.form.clone());
        Answer::of(&json!("1"))
    }

    /// Returns the submission and the test case of a task.
    fn found(&self, host: &str, task: &str) -> Option<(usize, usize)> {
        let id: usize = task.parse().ok()?;
        let (index, case) = ((id / 1000).checked_sub(1)?, id % 1000);
        (self.hosts.contains(host) && self.submissions.get(index)?.handed_out.contains(&case)).then_some((index, case))
    }
}

/// Returns the verdict if the results decide it: the first that is not correct, or all are correct.
fn verdict(submission: &Submission, count: usize) -> Option<String> {
    for case in 0..count {
        let result = &submission.results.get(&case)?["runresult"];
        if result != "correct" {
            return Some(result.clone());
        }
    }
    Some("correct".to_owned())
}

fn decoded(field: Option<&String>) -> Option<String> {
    Some(String::from_utf8_lossy(&STANDARD.decode(field?).ok()?).into_owned())
}
