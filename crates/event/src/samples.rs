//! Small events for unit tests.

use std::collections::BTreeMap;

use super::{CaseFinished, ClassLayout, Counterexample, CrosscheckFinished, Scope, Student, SubmissionFinished};
use referee_grading::score::Given;
use referee_grading::verdict::Verdict;

impl CaseFinished {
    /// Returns an accepted result with this CPU time and no optional values.
    #[doc(hidden)]
    pub fn accepted(cpu_seconds: f64) -> CaseFinished {
        CaseFinished {
            submission: "s".to_owned(),
            case: "a".to_owned(),
            verdict: Verdict::Accepted,
            score: None,
            given: Given::default(),
            cpu_seconds: Some(cpu_seconds),
            wall_seconds: Some(cpu_seconds),
            cpu_seconds_all: None,
            close: None,
            memory_bytes: None,
            exit_code: Some(0),
            signal: None,
            message: None,
            passes: None,
            team_message: None,
            output_hash: None,
            key: None,
            cached: false,
            exhibit: None,
        }
    }
}

impl SubmissionFinished {
    /// Returns an accepted submission with this name, no cases and no optional values.
    #[doc(hidden)]
    pub fn accepted(name: &str) -> SubmissionFinished {
        SubmissionFinished {
            submission: name.to_owned(),
            language: "Python 3".to_owned(),
            verdict: Verdict::Accepted,
            score: None,
            max_score: None,
            message: None,
            expected: None,
            as_expected: None,
            as_wanted: true,
            breaches: Vec::new(),
            cases_run: 0,
            cases_failed: 0,
            cases_skipped: 0,
            first_failing_case: None,
            cpu_seconds_max: None,
            memory_bytes_max: None,
            points: None,
            student: None,
        }
    }

    /// Returns a result on two cases, without declared verdicts. The second case is not accepted unless `verdict` is
    /// accepted.
    #[doc(hidden)]
    pub fn example(submission: &str, verdict: Verdict) -> SubmissionFinished {
        let is_accepted = verdict == Verdict::Accepted;
        SubmissionFinished {
            verdict,
            as_wanted: is_accepted,
            cases_run: 2,
            cases_failed: usize::from(!is_accepted),
            first_failing_case: (!is_accepted).then(|| "secret/2".to_owned()),
            cpu_seconds_max: Some(1.25),
            memory_bytes_max: Some(9 << 20),
            ..SubmissionFinished::accepted(submission)
        }
    }
}

impl Student {
    /// Returns a student of Moodle with one attempt and no optional values.
    #[doc(hidden)]
    pub fn example(name: &str) -> Student {
        Student {
            name: name.to_owned(),
            layout: ClassLayout::Moodle,
            moodle_id: None,
            canvas_id: None,
            canvas_submission_id: None,
            is_late: None,
            attempt: None,
            attempts: 1,
            folder: name.to_owned(),
            files: Vec::new(),
        }
    }
}

impl CrosscheckFinished {
    /// Returns a comparison in which two solvers disagree on one of two boards.
    #[doc(hidden)]
    pub fn disputed() -> CrosscheckFinished {
        let answers = [("bfs", "1\n"), ("table", "2\n")].map(|(solver, text)| (solver.to_owned(), text.to_owned()));
        CrosscheckFinished {
            puzzle: "flipgame".to_owned(),
            scope: Scope::Sampled,
            solvers: vec!["bfs".to_owned(), "table".to_owned()],
            boards: 2,
            disagreements: 1,
            histogram: BTreeMap::new(),
            moves_replayed: 0,
            bounds_proved: 0,
            declined: BTreeMap::new(),
            smallest: Some(Counterexample {
                input: "bw\nwb\n".to_owned(),
                reason: "bfs says 1, table says 2".to_owned(),
                answers: answers.to_vec(),
            }),
            seconds: 0.0,
        }
    }
}
