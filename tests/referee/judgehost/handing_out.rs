//! The side of the DOMjudge server for tests that hands out work: registering, tasks, and the files that they name.

use md5::{Digest, Md5};
use serde_json::{Value, json};

use super::fake::{Request, file};
use super::server::{Answer, Script, Server};

/// The ids of the scripts.
const COMPILE: &str = "8";
const RUN: &str = "4";

impl Server {
    /// Returns the options that call scripts of this server DOMjudge's own.
    pub(super) fn default_scripts(&self) -> Vec<String> {
        let scripts = [
            self.has_default_compile_script.then_some(&self.compile_script),
            self.has_default_run_script.then_some(&self.run_script),
        ];
        let validators = self.problems.iter().filter(|problem| problem.has_default_validator);
        let scripts = scripts.into_iter().flatten().chain(validators.map(|problem| &problem.validator));
        scripts.map(|script| format!("--default-script={}", hash(script))).collect()
    }

    pub(super) fn register(&mut self, request: &Request) -> Answer {
        let Some(host) = request.form.get("hostname") else { return Answer::missing("hostname") };
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

    pub(super) fn fetch_work(&mut self, request: &Request) -> Answer {
        if request.form.contains_key("max_batchsize") {
            return Answer::failure("max_batchsize");
        }
        let Some(host) = request.form.get("hostname") else { return Answer::missing("hostname") };
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
            let batch: Vec<_> = open.take(self.batch).collect();
            if !batch.is_empty() {
                self.submissions[index].handed_out.extend(&batch);
                let mut tasks: Vec<_> = batch.iter().map(|case| self.task(index, *case)).collect();
                if self.is_disorderly {
                    // Each task is beside its copy: after the last result the server ends the judging.
                    tasks = tasks.into_iter().rev().flat_map(|task| [task.clone(), task]).collect();
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

    pub(super) fn files(&self, parts: &[&str]) -> Answer {
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
            ["debug", "9"] => {
                let tar = "#!/bin/sh\nhead -n 99 \"$1\"/compile/* \"$1\"/testcase*/program.out > \"$2\"\n";
                Answer::of(&json!([file("run", tar, true)]))
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
            _ => Answer::not_found(&parts.join("/")),
        }
    }

    fn sources(&self, id: &str) -> Answer {
        let files = &self.submissions[id.parse::<usize>().expect("a number")].files;
        Answer::of(&files.iter().map(|(name, text)| file(name, text, false)).collect::<Value>())
    }
}

fn task_id(submission: usize, case: usize) -> usize {
    (submission + 1) * 1000 + case
}

/// Returns the id of the validator of a problem.
fn validator_id(problem: usize) -> String {
    (problem + 20).to_string()
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
