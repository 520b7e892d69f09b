//! Converts an event into its JSON line.

use std::borrow::Cow;

use super::{
    BuildFinished, CaseFinished, CaseGenerated, Counterexample, CrosscheckFinished, DoctorFinished, Figure,
    GenerateFinished, GroupFinished, Line, RunFinished, RunStarted, SCHEMA_VERSION, SubmissionFinished,
    SubmissionSkipped,
};
use referee_event::{self as event, Event, TimeLimit};
use referee_grading::score::Written;

fn text(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}

/// Returns the line for an event; `None` if the line of another event contains its data.
pub(crate) fn line(event: &Event) -> Option<Line<'_>> {
    Some(match event {
        Event::VerifyStarted(event) => Line::VerifyStarted(Cow::Borrowed(event)),
        Event::VerifyFinding(event) => Line::VerifyFinding(Cow::Borrowed(event)),
        Event::VerifyTimeLimit(event) => Line::VerifyTimeLimit(Cow::Borrowed(event)),
        Event::VerifyMargin(event) => Line::VerifyMargin(Cow::Borrowed(event)),
        // The line `verify_finished` of the package contains all checks.
        Event::VerifyCheck(_) => return None,
        Event::VerifyFinished(event) => Line::VerifyFinished(Cow::Borrowed(event)),
        Event::HuntFinished(event) => Line::HuntFinished(Cow::Borrowed(&**event)),
        Event::MutantFinished(event) => Line::MutantFinished(Cow::Borrowed(&**event)),
        Event::SurvivorHunted(event) => Line::SurvivorHunted(Cow::Borrowed(&**event)),
        Event::StrengthFinished(event) => Line::StrengthFinished(Cow::Borrowed(&**event)),
        Event::SimilarityFinished(event) => Line::SimilarityFinished(Cow::Borrowed(&**event)),
        Event::RunStarted(event) => Line::RunStarted(RunStarted {
            schema_version: SCHEMA_VERSION,
            version: text(env!("CARGO_PKG_VERSION")),
            package: text(&event.package),
            jobs: event.jobs,
            seed: event.seed,
            sandbox: event.sandbox.as_ref().map(Cow::Borrowed),
            time_limit_seconds: event.time_limit.map(TimeLimit::seconds),
            time_limit_measured: matches!(event.time_limit, Some(TimeLimit::Measured { .. })),
            time_limit_source: event.time_limit.map(TimeLimit::source),
            measuring_runs: event.time_limit.and_then(TimeLimit::cost).map(|cost| cost.runs),
            measuring_seconds: event.time_limit.and_then(TimeLimit::cost).map(|cost| cost.seconds),
            memory_limit_bytes: event.memory_limit_bytes,
            submissions: event.submissions,
            partition: event.partition,
            submissions_digest: event.submissions_digest.as_deref().map(text),
            cases_digest: event.cases_digest.as_deref().map(text),
            part_of_cases: event.part_of_cases,
            time_limit_basis: event.time_limit_basis.as_deref().map(text),
        }),
        Event::BuildFinished(event) => Line::BuildFinished(BuildFinished {
            submission: text(&event.submission),
            language: text(&event.language),
            ok: event.ok,
            seconds: event.seconds,
            cached: event.cached,
            tools: Cow::Borrowed(&event.tools),
            remark: event.remark.as_deref().map(text),
            message: event.message.as_deref().map(text),
        }),
        Event::SubmissionSkipped(event) => Line::SubmissionSkipped(SubmissionSkipped {
            submission: text(&event.submission),
            reason: text(&event.reason),
            hint: event.hint.as_deref().map(text),
            student: event.student.as_deref().map(Cow::Borrowed),
        }),
        Event::CaseFinished(event) => Line::CaseFinished(case_line(event)),
        Event::GroupFinished(event) => Line::GroupFinished(GroupFinished {
            submission: text(&event.submission),
            group: text(&event.group),
            verdict: event.verdict,
            score: event.score.as_ref().map(Figure::from),
            max_score: event.max_score.as_ref().map(Figure::from),
            cases_run: event.cases_run,
            cases_skipped: event.cases_skipped,
        }),
        Event::SubmissionFinished(event) => Line::SubmissionFinished(submission_line(event)),
        Event::CrosscheckFinished(event) => Line::CrosscheckFinished(crosscheck_line(event)),
        Event::DoctorFinished(event) => Line::DoctorFinished(DoctorFinished {
            schema_version: SCHEMA_VERSION,
            version: text(env!("CARGO_PKG_VERSION")),
            sandbox: Cow::Borrowed(&event.sandbox),
            mechanisms: event.mechanisms.iter().map(|(name, part)| (text(name), part.clone())).collect(),
            languages: Cow::Borrowed(&event.languages),
            cost: event.cost,
        }),
        Event::CaseGenerated(event) => Line::CaseGenerated(generated_line(event)),
        Event::GenerateFinished(event) => Line::GenerateFinished(generate_finished_line(event)),
        Event::RunFinished(event) => Line::RunFinished(RunFinished {
            as_wanted: event.as_wanted,
            submissions: event.submissions,
            skipped: event.skipped,
            unjudged: event.unjudged,
            cases_run: event.cases_run,
            wall_seconds: event.wall_seconds,
        }),
    })
}

fn case_line(event: &event::CaseFinished) -> CaseFinished<'_> {
    CaseFinished {
        submission: text(&event.submission),
        case: text(&event.case),
        verdict: event.verdict,
        score: event.score.as_ref().map(Figure::from),
        cpu_seconds: event.cpu_seconds,
        cpu_seconds_all: event.cpu_seconds_all.as_deref().map(Cow::Borrowed),
        close: event.close,
        wall_seconds: event.wall_seconds,
        memory_bytes: event.memory_bytes,
        exit_code: event.exit_code,
        signal: event.signal,
        message: event.message.as_deref().map(text),
        team_message: event.team_message.as_deref().map(text),
        cached: event.cached,
        passes: event.passes,
        given_score: event.given.score.as_ref().and_then(Written::exact).map(Cow::Owned),
        given_multiplier: event.given.multiplier.as_ref().and_then(Written::exact).map(Cow::Owned),
        key: event.key.as_deref().map(text),
    }
}

fn submission_line(event: &event::SubmissionFinished) -> SubmissionFinished<'_> {
    SubmissionFinished {
        submission: text(&event.submission),
        verdict: event.verdict,
        score: event.score.as_ref().map(Figure::from),
        max_score: event.max_score.as_ref().map(Figure::from),
        message: event.message.as_deref().map(text),
        expected: event.expected.as_deref().map(Cow::Borrowed),
        as_expected: event.as_expected,
        as_wanted: event.as_wanted,
        breaches: event.breaches.iter().map(ToString::to_string).collect(),
        cases_run: event.cases_run,
        cases_failed: event.cases_failed,
        cases_skipped: event.cases_skipped,
        first_failing_case: event.first_failing_case.as_deref().map(text),
        cpu_seconds_max: event.cpu_seconds_max,
        memory_bytes_max: event.memory_bytes_max,
        points: event.points,
        student: event.student.as_deref().map(Cow::Borrowed),
    }
}

fn generated_line(event: &event::CaseGenerated) -> CaseGenerated<'_> {
    CaseGenerated {
        case: text(&event.case),
        files: Cow::Borrowed(&event.files),
        change: event.change,
        command: event.command.as_deref().map(text),
        seed: event.seed,
        same_as: event.same_as.as_deref().map(text),
        seconds: event.seconds,
        message: event.message.as_deref().map(text),
        remarks: Cow::Borrowed(&event.remarks),
        unmatched: Cow::Borrowed(&event.unmatched),
    }
}

fn generate_finished_line(event: &event::GenerateFinished) -> GenerateFinished<'_> {
    GenerateFinished {
        as_wanted: event.as_wanted,
        cases: event.cases,
        failed: event.failed,
        unmatched: event.unmatched,
        new: event.new,
        changed: event.changed,
        unchanged: event.unchanged,
        others: Cow::Borrowed(&event.others),
        removed: Cow::Borrowed(&event.removed),
        kept: Cow::Borrowed(&event.kept),
        written: event.written.as_deref().map(text),
        trash: event.trash.as_deref().map(text),
        wall_seconds: event.wall_seconds,
    }
}

fn crosscheck_line(event: &event::CrosscheckFinished) -> CrosscheckFinished<'_> {
    let smallest = event.smallest.as_ref().map(|example| Counterexample {
        input: text(&example.input),
        reason: text(&example.reason),
        answers: example.answers.iter().map(|(solver, answer)| (text(solver), text(answer))).collect(),
    });
    CrosscheckFinished {
        puzzle: text(&event.puzzle),
        scope: event.scope,
        solvers: Cow::Borrowed(&event.solvers),
        boards: event.boards,
        disagreements: event.disagreements,
        histogram: Cow::Borrowed(&event.histogram),
        moves_replayed: event.moves_replayed,
        bounds_proved: event.bounds_proved,
        declined: Cow::Borrowed(&event.declined),
        smallest,
        seconds: event.seconds,
    }
}
