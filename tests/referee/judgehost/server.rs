//! The rules of the DOMjudge server for tests: its problems, submissions and tasks, and its answers.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use md5::{Digest, Md5};
use serde_json::{Value, json};

use super::fake::{Request, file};

/// A script: its files, each with its name and content. All of them are executable.
pub(super) type Script = Vec<(&'static str, String)>;

/// A problem.
#[derive(Clone)]
pub(super) struct Problem {
    /// The input and the answer of each test case.
    pub(super) cases: Vec<(String, String)>,
    /// The compare script. In interactive problems, the jury's program.
    pub(super) validator: Script,
    pub(super) is_interactive: bool,
    pub(super) is_scoring: bool,
    pub(super) pass_limit: u32,
    pub(super) arguments: Option<&'static str>,
    pub(super) time_limit: f64,
    /// Whether the server sends other inputs than those of the hashes.
    pub(super) is_damaged: bool,
    /// MiB.
    pub(super) memory: u32,
    /// KiB.
    pub(super) output: u32,
}

/// A submission, and what the server knows about it.
pub(super) struct Submission {
    pub(super) problem: usize,
    pub(super) files: Vec<(String, String)>,
    /// Whether it compiles; `None` if no judgehost said so.
    pub(super) compiles: Option<bool>,
    /// The compiler's output.
    pub(super) compile_output: String,
    /// The forms of the results, by test case.
    pub(super) results: BTreeMap<usize, BTreeMap<String, String>>,
    /// The verdicts that it got, in order. More than one is a mistake.
    pub(super) verdicts: Vec<String>,
    /// The test cases that were handed out.
    handed_out: BTreeSet<usize>,
    /// Whether an internal error stopped it.
    is_stopped: bool,
}

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
    hosts: BTreeSet<String>,
}

pub(super) struct Answer {
    pub(super) code: u16,
    pub(super) body: String,
}

impl Answer {
    pub(super) fn failure(why: &str) -> Answer {
        Answer { code: 500, body: json!({"code": 500, "message": why}).to_string() }
    }

    fn refusal(why: impl Into<String>) -> Answer {
        Answer { code: 400, body: json!({"code": 400, "message": why.into()}).to_string() }
    }

    fn of(value: &Value) -> Answer {
        Answer { code: 200, body: value.to_string() }
    }
}

/// The most tasks in an answer.
const BATCH: usize = 25;

/// The ids of the scripts.
const COMPILE: &str = "8";
const RUN: &str = "4";

impl Problem {
    /// A problem whose output must equal the answer.
    pub(super) fn equal(cases: &[(&str, &str)]) -> Problem {
        Problem {
            cases: cases.iter().map(|(input, answer)| ((*input).to_owned(), (*answer).to_owned())).collect(),
            validator: vec![("run", "#!/bin/sh\ncmp -s \"$2\" - && exit 42\nexit 43\n".to_owned())],
            is_interactive: false,
            is_scoring: false,
            pass_limit: 1,
            arguments: None,
            time_limit: 1.0,
            is_damaged: false,
            memory: 256,
            output: 1024,
        }
    }
}

impl Submission {
    pub(super) fn new(problem: usize, name: &str, text: &str) -> Submission {
        Submission {
            problem,
            files: vec![(name.to_owned(), text.to_owned())],
            compiles: None,
            compile_output: String::new(),
            results: BTreeMap::new(),
            verdicts: Vec::new(),
            handed_out: BTreeSet::new(),
            is_stopped: false,
        }
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
        }
    }

    fn major(&self) -> u32 {
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
                {"id": "c", "name": "C", "extensions": ["c"]},
                {"id": "unheard", "name": "Unheard", "extensions": ["unheardof"]}
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
            _ => Answer { code: 404, body: json!({"code": 404, "message": "No route found"}).to_string() },
        }
    }

    fn register(&mut self, request: &Request) -> Answer {
        let Some(host) = request.form.get("hostname") else { return missing("hostname") };
        self.hosts.insert(host.clone());
        // Judgings without a verdict are not given back by DOMjudge 9.0: DOMjudge #2461.
        let mut given_back = Vec::new();
        for (index, submission) in self.submissions.iter_mut().enumerate().filter(|_| self.gives_back) {
            if submission.verdicts.is_empty() {
                submission.handed_out = submission.results.keys().copied().collect();
                given_back.push(json!({"jobid": index + 100, "submitid": index}));
            }
        }
        Answer::of(&Value::Array(given_back))
    }

    fn fetch_work(&mut self, request: &Request) -> Answer {
        if request.form.contains_key("max_batchsize") {
            return Answer::failure("max_batchsize");
        }
        let Some(host) = request.form.get("hostname") else { return missing("hostname") };
        if !self.hosts.contains(host) {
            return Answer::refusal("Register yourself first.");
        }
        if let Some(first) = self.first_answers.pop() {
            return Answer::of(&first);
        }
        for index in 0..self.submissions.len() {
            let submission = &self.submissions[index];
            if !submission.verdicts.is_empty() || submission.is_stopped {
                continue;
            }
            let count = self.problems[submission.problem].cases.len();
            let open = (0..count).filter(|case| !submission.handed_out.contains(case));
            let batch: Vec<_> = open.take(BATCH).collect();
            if !batch.is_empty() {
                self.submissions[index].handed_out.extend(&batch);
                let mut tasks: Vec<_> = batch.iter().map(|case| self.task(index, *case)).collect();
                if self.is_disorderly {
                    tasks.extend(tasks.clone());
                    tasks.reverse();
                }
                return Answer::of(&Value::Array(tasks));
            }
        }
        Answer::of(&self.last_answer.take().unwrap_or(json!([])))
    }

    fn task(&self, index: usize, case: usize) -> Value {
        let submission = &self.submissions[index];
        let problem = &self.problems[submission.problem];
        let (input, answer) = &problem.cases[case];
        let ending = submission.files[0].0.rsplit('.').next().expect("an ending");
        let (run, run_hash) = if problem.is_interactive {
            (validator_id(submission.problem), hash(&problem.validator))
        } else {
            (RUN.to_owned(), hash(&self.run_script))
        };
        let limits =
            json!({"script_timelimit": 30, "script_memory_limit": 2_097_152, "script_filesize_limit": 2_621_440});
        let with = |more: Value| {
            let mut all = limits.as_object().expect("an object").clone();
            all.extend(more.as_object().expect("an object").clone());
            Value::Object(all).to_string()
        };
        let run_config = json!({
            "time_limit": problem.time_limit, "memory_limit": problem.memory << 10, "output_limit": problem.output,
            "process_limit": 64, "entry_point": null, "pass_limit": problem.pass_limit, "hash": run_hash, "overshoot": 0
        });
        let mut task = json!({
            "type": "judging_run", "judgetaskid": task_id(index, case), "submitid": index.to_string(),
            "jobid": (index + 100).to_string(), "uuid": "e8b1", "priority": 0, "compile_script_id": COMPILE,
            "run_script_id": run, "compare_script_id": validator_id(submission.problem),
            "testcase_id": format!("{}{case:03}", submission.problem + 1),
            "testcase_hash": format!("{}_{}", md5(input), md5(answer)),
            "compile_config": with(json!({
                "script_timelimit": 5, "script_memory_limit": 1_048_576, "language_extensions": [ending], "filter_compiler_files": true, "hash": hash(&self.compile_script)
            })),
            "run_config": run_config.to_string(),
            "compare_config": with(json!({
                "compare_args": problem.arguments, "combined_run_compare": problem.is_interactive,
                "is_scoring_problem": problem.is_scoring, "hash": hash(&problem.validator)
            })),
        });
        if self.major() >= 10 {
            task["contestid"] = json!("demo");
        }
        task
    }

    fn files(&self, parts: &[&str]) -> Answer {
        let script = |script: &Script| {
            Answer::of(&script.iter().map(|(name, content)| file(name, content, true)).collect::<Value>())
        };
        let of_problem = |id: &str| self.problems.get(id.parse::<usize>().ok()?.checked_sub(20)?);
        match parts {
            ["compile", COMPILE] => script(&self.compile_script),
            ["run", RUN] => script(&self.run_script),
            ["run" | "compare", id] if of_problem(id).is_some() => {
                script(&of_problem(id).expect("the problem exists").validator)
            }
            ["testcase", id] => {
                let (problem, case) = id.split_at(id.len() - 3);
                let problem = &self.problems[problem.parse::<usize>().expect("a number") - 1];
                let (input, answer) = &problem.cases[case.parse::<usize>().expect("a number")];
                let input = if problem.is_damaged { "damaged" } else { input.as_str() };
                Answer::of(&json!([file("input", input, false), file("output", answer, false)]))
            }
            ["source", id] if self.major() < 10 => self.sources(id),
            ["source", "demo", id] if self.major() >= 10 => self.sources(id),
            _ => Answer { code: 404, body: json!({"code": 404, "message": format!("no {parts:?}")}).to_string() },
        }
    }

    fn sources(&self, id: &str) -> Answer {
        let files = &self.submissions[id.parse::<usize>().expect("a number")].files;
        Answer::of(&files.iter().map(|(name, text)| file(name, text, false)).collect::<Value>())
    }

    fn check_versions(&mut self, request: &Request) -> Answer {
        for name in ["hostname", "compiler", "runner"] {
            if !request.form.contains_key(name) {
                return missing(name);
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
                return missing(name);
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

    fn internal_error(&mut self, request: &Request) -> Answer {
        for name in ["description", "judgehostlog", "disabled", "hostname"] {
            if !request.form.contains_key(name) {
                return missing(name);
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

fn missing(name: &str) -> Answer {
    Answer::refusal(format!("Argument '{name}' is mandatory"))
}

fn task_id(submission: usize, case: usize) -> usize {
    (submission + 1) * 1000 + case
}

/// Returns the id of the validator of a problem.
fn validator_id(problem: usize) -> String {
    (problem + 20).to_string()
}

fn decoded(field: Option<&String>) -> Option<String> {
    Some(String::from_utf8_lossy(&STANDARD.decode(field?).ok()?).into_owned())
}

fn md5(text: impl AsRef<[u8]>) -> String {
    format!("{:x}", Md5::digest(text.as_ref()))
}

/// Returns the server's hash of a script.
fn hash(script: &Script) -> String {
    let mut sorted = script.clone();
    sorted.sort();
    let parts: Vec<_> = sorted.iter().map(|(name, content)| format!("{}{name}1", md5(content))).collect();
    md5(parts.concat())
}
