//! Takes all mutants through the measurement: draws, runs, reports and counts them, and hunts the survivors.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::against::submissions::Cases;
use super::against::validators::Validators;
use super::against::{Calls, Cell, Compiled, MutantTests, Outcome, Quest};
use super::declared::{Declared, Reason};
use super::metamutant::{Draft, Metamutant};
use super::mutants::{self, Change, Mutant};
use super::products::{Likeness, Products, Reported};
use super::subject::{Role, Subject};
use super::tally::Tally;
use super::together::{Group, Groups};
use super::{Rigour, Strength, StrengthError, Watch, copies};
use referee_event::{Event, MutantFate, MutantFinished, StrengthFinished, SurvivorHunted};
use referee_files::temporary;
use referee_judge::{JudgeError, MAKING_A_FOLDER, in_order};

/// The inputs of the measurement.
pub(super) struct Measuring<'a> {
    pub(super) strength: &'a Strength<'a>,
    pub(super) subjects: &'a [Subject],
    pub(super) cases: &'a Cases<'a>,
    pub(super) validators: &'a Validators<'a>,
    pub(super) declared: &'a Declared,
    pub(super) watch: &'a dyn Watch,
}

/// A mutant that survives. `reason` is `None` if the package does not declare it equivalent.
struct Survivor<'a> {
    mutant: &'a Mutant,
    reason: Option<Reason>,
}

/// The state after the mutants were run.
struct Ran<'a> {
    tally: Tally,
    survivors: Vec<Survivor<'a>>,
    /// The indices of the declarations (of equivalent mutants) that match at least one mutant.
    matched: BTreeSet<usize>,
    /// The first test that killed a mutant, by the mutant's number. A mutant that compiles to the same code as an
    /// earlier mutant has no entry; the entry of the earlier mutant applies.
    killers: BTreeMap<usize, String>,
    /// Whether all mutants were run; false if the user stopped the measurement.
    is_complete: bool,
}

impl Measuring<'_> {
    pub(super) fn tests_of(&self, subject: &Subject) -> &dyn MutantTests {
        match subject.role {
            Role::Submission => self.cases,
            Role::OutputValidator | Role::InputValidator => self.validators,
        }
    }

    /// Measures the mutants of the programs with these names. If there are more than `max_mutants`, measures a random
    /// sample of them.
    pub(super) fn measure(
        &self,
        names: &BTreeSet<&str>,
        report: &mut dyn FnMut(Event),
    ) -> Result<StrengthFinished, StrengthError> {
        let strength = self.strength;
        let is_wanted = |mutant: &Mutant| names.contains(self.subjects[mutant.subject].name.as_str());
        let (changes, remarks) = mutants::all(self.subjects);
        let changes: Vec<_> = changes.into_iter().filter(is_wanted).collect();
        let count = changes.len();
        if count == 0 {
            return Err(StrengthError::NothingToChange(super::lines(&remarks)));
        }
        let drawn = mutants::sample(changes, strength.max_mutants.unwrap_or(usize::MAX), strength.seed);
        let is_sample = drawn.len() < count;
        let above =
            temporary::folder("mutants").map_err(|source| JudgeError::System { doing: MAKING_A_FOLDER, source })?;
        let mut ran = self.run(&drawn, above.path(), report)?;
        let interrupted = !ran.is_complete || !self.hunt(&mut ran, above.path(), report)?;
        let cases: Vec<_> = strength.package.cases.iter().map(|case| case.name.to_string()).collect();
        let mut finished = ran.tally.finish(&cases, strength.rigour != Rigour::UntilKilled);
        finished.package.clone_from(&strength.package.name);
        finished.seed = strength.seed;
        finished.changes = count;
        finished.is_sample = is_sample;
        finished.remarks = remarks;
        finished.interrupted = interrupted;
        if !is_sample && !interrupted {
            let left_out: Vec<_> = self.subjects.iter().filter(|one| !names.contains(one.name.as_str())).collect();
            let is_measured = |file: &str| !left_out.iter().any(|subject| subject.has_file(file));
            finished.stale = self.declared.unmatched(&|one| ran.matched.contains(&one), &is_measured);
        }
        Ok(finished)
    }

    fn file_of(&self, mutant: &Mutant) -> String {
        self.subjects[mutant.subject].file_name(mutant.file)
    }

    fn run<'m>(&self, drawn: &'m [Mutant], above: &Path, report: &mut dyn FnMut(Event)) -> Result<Ran<'m>, JudgeError> {
        let mut ran = Ran {
            tally: Tally::default(),
            survivors: Vec::new(),
            matched: BTreeSet::new(),
            killers: BTreeMap::new(),
            is_complete: true,
        };
        let mut reported = Reported::default();
        let (groups, products) = (Groups::of(drawn, self.subjects), Products::default());
        let is_one_by_one = self.strength.is_one_by_one;
        let work = |mutant: &Mutant| {
            let group = groups.of_mutant(mutant).filter(|_| !is_one_by_one);
            let compile_group = |of: &[Mutant], draft: Option<&Draft<'_>>| self.compile_together(of, draft, above);
            let calls = Calls {
                is_declared: !is_one_by_one && self.reason(mutant).is_some(),
                metamutant: group.and_then(Group::metamutant),
                before_compiling: &|| if is_one_by_one { Ok(None) } else { groups.compile(mutant, &compile_group) },
                earlier: &|product| products.earlier(mutant, product).filter(|_| !is_one_by_one),
            };
            let run = self.with_copy(mutant, above, |tests, subject, path| tests.run(subject, mutant, path, &calls));
            group.into_iter().for_each(Group::finish_one);
            run
        };
        let tell = |index: usize, outcome: Result<Outcome, JudgeError>| {
            let (mut outcome, mutant) = (outcome?, &drawn[index]);
            let same_as = match reported.add(mutant, outcome.compiled, outcome.in_metamutant) {
                Likeness::Mutant(first) => Some(first),
                Likeness::Program => {
                    outcome = Outcome { compiled: Compiled::Same, ..outcome };
                    None
                }
                Likeness::New => None,
            };
            let (finished, reason) = self.finished(mutant, &outcome, same_as);
            ran.matched.extend(reason.as_ref().map(|reason| reason.declaration));
            let of_submission = self.subjects[mutant.subject].role == Role::Submission;
            ran.tally.mutant(&finished, of_submission.then_some(&outcome));
            if finished.fate == MutantFate::Killed {
                ran.killers.insert(finished.number, finished.case.clone().unwrap_or_default());
            }
            // A test that kills a mutant also kills every mutant with the same code.
            let killer = ran.killers.get(&same_as.unwrap_or(finished.number));
            if let (Some(killer), Some(reason @ Reason { is_exact: true, .. })) = (killer, &reason) {
                ran.tally.wrongly_declared(self.contradiction(mutant, killer, reason));
            }
            if matches!(finished.fate, MutantFate::Survived | MutantFate::Declared) {
                ran.survivors.push(Survivor { mutant, reason });
            }
            report(Event::MutantFinished(Box::new(finished)));
            self.watch.mutants(index + 1, drawn.len(), ran.survivors.len());
            Ok(())
        };
        let (jobs, stops) = (self.strength.settings.jobs, || self.watch.stop());
        let result = in_order(jobs, drawn.len(), &stops, |index| work(&drawn[index]), tell);
        ran.is_complete = match result {
            Err(JudgeError::Interrupted) => false,
            result => result?,
        };
        Ok(ran)
    }

    /// Returns the declaration that covers the mutant; `None` if the package does not declare it equivalent.
    fn reason(&self, mutant: &Mutant) -> Option<Reason> {
        let text = &self.subjects[mutant.subject].sources[mutant.file].text;
        let change = Change::of(&mutant.mutation, text);
        self.declared.of(&self.file_of(mutant), mutant.mutation.line, &change, text)
    }

    /// Returns the report of a mutant, and the declaration that covers it; `None` if no declaration covers it.
    fn finished(&self, mutant: &Mutant, outcome: &Outcome, same_as: Option<usize>) -> (MutantFinished, Option<Reason>) {
        let subject = &self.subjects[mutant.subject];
        let (mutation, text) = (&mutant.mutation, &subject.sources[mutant.file].text);
        let change = Change::of(mutation, text);
        let file = self.file_of(mutant);
        let reason = self.reason(mutant);
        let fate = fate(outcome, same_as.is_some(), reason.is_some());
        let has_diff = matches!(fate, MutantFate::Survived | MutantFate::Declared | MutantFate::Unjudged);
        let first = outcome.first.as_ref().filter(|_| fate == MutantFate::Killed);
        let unjudged = outcome.unjudged.clone().filter(|_| fate == MutantFate::Unjudged);
        let is_row = subject.role == Role::Submission && !outcome.cells.is_empty() && same_as.is_none();
        let finished = MutantFinished {
            number: mutant.number,
            program: subject.name.clone(),
            role: subject.role.name().to_owned(),
            file,
            line: mutation.line,
            column: mutation.column,
            operator: mutation.operator.name().to_owned(),
            was: change.was,
            is: change.is,
            fate,
            cached: outcome.cached,
            same_as,
            case: first.map(|kill| kill.case.clone()),
            verdict: first.map(|kill| kill.verdict),
            message: first.and_then(|kill| kill.message.clone()).or(unjudged),
            killers: (!outcome.cells.is_empty() && same_as.is_none()).then(|| outcome.kill_count()).flatten(),
            killed_by: is_row.then(|| self.cases_that_kill(outcome)),
            not_tried: is_row.then(|| outcome.cells.iter().filter(|cell| **cell == Cell::Unknown).count()),
            diff: has_diff.then(|| mutants::diff(mutation, text)),
            reason: reason.as_ref().filter(|_| fate == MutantFate::Declared).map(|reason| reason.because.clone()),
        };
        (finished, reason)
    }

    fn cases_that_kill(&self, outcome: &Outcome) -> Vec<String> {
        let cells = self.strength.package.cases.iter().zip(&outcome.cells);
        cells.filter(|(_, cell)| **cell == Cell::Kills).map(|(case, _)| case.name.to_string()).collect()
    }

    /// Searches for tests that kill the survivors. Skips survivors that are declared equivalent, unless `hunt_declared`
    /// is set. Returns false if the user stopped the search.
    fn hunt(&self, ran: &mut Ran<'_>, above: &Path, report: &mut dyn FnMut(Event)) -> Result<bool, JudgeError> {
        let strength = self.strength;
        let Some(time) = strength.time else { return Ok(true) };
        let (seed, jobs, add) = (strength.seed, strength.settings.jobs.max(1), strength.add.as_deref());
        let quest = Quest { time, seed, jobs, add, watch: self.watch, answer_key: strength.answer_key };
        let Ran { survivors, tally, .. } = ran;
        let wanted: Vec<_> =
            survivors.iter().filter(|survivor| survivor.reason.is_none() || strength.hunt_declared).collect();
        let (mut finds, mut unkilled, mut is_complete) = (0, Vec::new(), true);
        for (index, survivor) in wanted.iter().enumerate() {
            self.watch.survivor(index + 1, wanted.len(), &self.subjects[survivor.mutant.subject].name);
            let hunted = self.with_copy(survivor.mutant, above, |tests, subject, path| {
                tests.hunt(subject, survivor.mutant, path, &quest)
            });
            let Some(hunted) = unless_interrupted(hunted)? else {
                is_complete = false;
                break;
            };
            report(Event::SurvivorHunted(Box::new(hunted.clone())));
            is_complete = !hunted.interrupted;
            finds += usize::from(hunted.killed && hunted.by_find_of.is_none());
            if hunted.killed {
                self.count(tally, survivor, &hunted);
            } else {
                unkilled.push((*survivor, hunted, finds));
            }
            if !is_complete {
                break;
            }
        }
        // A test that was found for a later survivor may kill an earlier survivor.
        for (survivor, mut hunted, known) in unkilled {
            let is_new = is_complete && known < finds;
            let again = |tests: &dyn MutantTests, subject: &Subject, path: &Path| {
                tests.run_on_finds(subject, survivor.mutant, path, &quest)
            };
            if is_new && let Some(Some(killed)) = unless_interrupted(self.with_copy(survivor.mutant, above, again))? {
                report(Event::SurvivorHunted(Box::new(killed.clone())));
                hunted = killed;
            }
            self.count(tally, survivor, &hunted);
        }
        Ok(is_complete && !self.watch.stop())
    }

    /// Compiles mutants of one program together, if its language can do that. Returns the metamutant that was compiled.
    fn compile_together(
        &self,
        mutants: &[Mutant],
        draft: Option<&Draft<'_>>,
        above: &Path,
    ) -> Result<Option<Metamutant>, JudgeError> {
        let Some(first) = mutants.first() else { return Ok(None) };
        let subject = &self.subjects[first.subject];
        let folder = temporary::folder("mutants-together")
            .map_err(|source| JudgeError::System { doing: MAKING_A_FOLDER, source })?;
        if let Some(draft) = draft {
            return self.tests_of(subject).compile_metamutant(subject, draft, folder.path());
        }
        let copy = |mutant| copies::write_mutant(self.strength.package, subject, mutant, folder.path());
        let copies: Vec<_> = mutants.iter().map(copy).collect::<Result<_, _>>()?;
        let paths: Vec<_> = copies
            .iter()
            .zip(mutants)
            .map(|(copy, mutant)| (copy.path.as_path(), copies::path(subject, mutant, above)))
            .collect();
        self.tests_of(subject).compile_together(subject, &paths)?;
        Ok(None)
    }

    /// Writes a mutant's sources to a temporary folder and calls `work` with their path.
    fn with_copy<T>(
        &self,
        mutant: &Mutant,
        above: &Path,
        work: impl FnOnce(&dyn MutantTests, &Subject, &Path) -> Result<T, JudgeError>,
    ) -> Result<T, JudgeError> {
        if self.watch.stop() {
            return Err(JudgeError::Interrupted);
        }
        let subject = &self.subjects[mutant.subject];
        let copy = copies::write_mutant(self.strength.package, subject, mutant, above)?;
        work(self.tests_of(subject), subject, &copy.path)
    }

    /// Counts the result of hunting a survivor.
    fn count(&self, tally: &mut Tally, survivor: &Survivor<'_>, hunted: &SurvivorHunted) {
        tally.survivor(hunted, survivor.reason.is_some());
        if let (true, Some(reason)) = (hunted.killed, &survivor.reason) {
            tally.wrongly_declared(self.contradiction(survivor.mutant, "the test that the hunt found", reason));
        }
    }

    /// Returns a message about a wrong declaration: the test `killer` kills a mutant that is declared equivalent.
    fn contradiction(&self, mutant: &Mutant, killer: &str, reason: &Reason) -> String {
        let (number, file, line) = (mutant.number, self.file_of(mutant), mutant.mutation.line);
        let (place, because) = (&reason.place, &reason.because);
        format!("#{number} {file}:{line}: {killer} kills a mutant that {place} declares equivalent: {because}")
    }
}

fn unless_interrupted<T>(result: Result<T, JudgeError>) -> Result<Option<T>, JudgeError> {
    match result {
        Err(JudgeError::Interrupted) => Ok(None),
        result => result.map(Some),
    }
}

fn fate(outcome: &Outcome, has_same_code: bool, is_declared: bool) -> MutantFate {
    match outcome.compiled {
        Compiled::Failed => MutantFate::NotCompiled,
        Compiled::Same => MutantFate::SameCode,
        _ if has_same_code => MutantFate::SameMutant,
        _ if outcome.first.is_some() => MutantFate::Killed,
        _ if outcome.unjudged.is_some() => MutantFate::Unjudged,
        _ if is_declared => MutantFate::Declared,
        _ => MutantFate::Survived,
    }
}
