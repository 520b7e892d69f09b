//! Computes the totals and the needed test cases from the results of all mutants. This module does no I/O.

use std::collections::{BTreeMap, BTreeSet};

use super::against::{Cell, Outcome};
use super::cover::{Cover, Killers, cover};
use referee_event::{MutantFate, MutantFinished, SoleKiller, StrengthFinished, SurvivorHunted};

/// Adds up the results of all mutants.
#[derive(Default)]
pub(super) struct Tally {
    finished: StrengthFinished,
    /// The results of the mutants of submissions. Mutants that were not run are left out.
    rows: Vec<Row>,
}

/// The results of a mutant on the test cases.
struct Row {
    number: usize,
    killers: Killers,
    /// Whether the results on all test cases are known.
    is_complete: bool,
}

impl Tally {
    /// Counts a mutant. `outcome` is `None` for a mutant of a validator.
    pub(super) fn mutant(&mut self, finished: &MutantFinished, outcome: Option<&Outcome>) {
        let all = &mut self.finished;
        if let Some(outcome) = outcome {
            all.runs_alone += outcome.counts.alone;
            all.runs_together += outcome.counts.together;
        }
        match finished.fate {
            MutantFate::NotCompiled => return all.not_compiled += 1,
            MutantFate::SameCode | MutantFate::SameMutant => return all.same_code += 1,
            MutantFate::Killed => all.killed += 1,
            MutantFate::Survived => all.survived += 1,
            MutantFate::Declared => all.equivalent_declared += 1,
            MutantFate::Unjudged => all.unjudged += 1,
        }
        all.mutants += 1;
        let killed = usize::from(finished.fate == MutantFate::Killed);
        let names = [(&mut all.by_operator, &finished.operator), (&mut all.by_program, &finished.program)];
        for (counts, name) in names {
            let (mutants, kills) = counts.entry(name.clone()).or_default();
            *mutants += 1;
            *kills += killed;
        }
        if let Some(verdict) = finished.verdict.filter(|_| outcome.is_some()) {
            *all.by_verdict.entry(verdict.to_string()).or_default() += 1;
        }
        if let Some(outcome) = outcome {
            self.row(finished.number, &outcome.cells);
        }
    }

    fn row(&mut self, number: usize, cells: &[Cell]) {
        let of =
            |wanted: Cell| cells.iter().enumerate().filter(move |(_, cell)| **cell == wanted).map(|(index, _)| index);
        let unknown = of(Cell::Unknown).count();
        self.finished.pairs_unknown += unknown;
        self.rows.push(Row { number, killers: of(Cell::Kills).collect(), is_complete: unknown == 0 });
    }

    /// Counts the result of hunting a survivor. `is_declared` says whether the package declares the survivor
    /// equivalent.
    pub(super) fn survivor(&mut self, hunted: &SurvivorHunted, is_declared: bool) {
        let all = &mut self.finished;
        all.holes += usize::from(hunted.killed);
        // An input was found, but the package's own programs fail or disagree on it. So it proves nothing about the
        // mutant.
        all.disputed += usize::from(!hunted.killed && hunted.kind.is_some());
        if hunted.killed || is_declared {
            return;
        }
        if hunted.exhausted {
            all.survived -= 1;
            all.equivalent_proved += 1;
        } else if hunted.tried > hunted.unjudged && hunted.kind.is_none() && !hunted.interrupted {
            all.survived -= 1;
            all.equivalent_suspected += 1;
        }
    }

    /// Records a wrong declaration: a test killed a mutant that the package declares equivalent.
    pub(super) fn wrongly_declared(&mut self, words: String) {
        self.finished.wrongly_declared.push(words);
    }

    /// Returns the totals. `cases` are the names of the test cases. `beyond_first_kill` is false if every mutant was
    /// run only until its first kill; the needed test cases are then unknown.
    pub(super) fn finish(mut self, cases: &[String], beyond_first_kill: bool) -> StrengthFinished {
        if beyond_first_kill && !self.rows.is_empty() {
            let killers: Vec<Killers> = self.rows.iter().map(|row| row.killers.clone()).collect();
            let smallest = cover(&killers);
            let named = |numbers: &[usize]| numbers.iter().map(|number| cases[*number].clone()).collect();
            self.finished.minimal_cases = Some(named(&smallest.cases));
            self.finished.minimal_is_proved = Some(self.is_proved(&smallest));
            let busy: BTreeSet<usize> = killers.into_iter().flatten().collect();
            let idle: Vec<usize> = (0..cases.len()).filter(|number| !busy.contains(number)).collect();
            self.finished.idle_cases = Some(named(&idle));
            self.finished.sole_killers = Some(self.sole_killers(cases));
        }
        self.finished
    }

    /// Returns whether it is proved that no smaller set of test cases kills all mutants. The proof uses only the
    /// mutants whose results on all test cases are known: if the result on a test case is unknown, that test case may
    /// also kill the mutant, and a smaller set may suffice.
    fn is_proved(&self, smallest: &Cover) -> bool {
        let complete: Vec<Killers> =
            self.rows.iter().filter(|row| row.is_complete).map(|row| row.killers.clone()).collect();
        let needed = cover(&complete);
        needed.is_smallest && needed.cases.len() == smallest.cases.len()
    }

    /// Returns the test cases that alone kill some mutant, with the numbers of those mutants. Skips mutants whose
    /// result on a test case is unknown.
    fn sole_killers(&self, cases: &[String]) -> Vec<SoleKiller> {
        let mut alone: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for row in self.rows.iter().filter(|row| row.is_complete) {
            if let [case] = row.killers[..] {
                alone.entry(case).or_default().push(row.number);
            }
        }
        alone.into_iter().map(|(case, mutants)| SoleKiller { case: cases[case].clone(), mutants }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::against::Compiled;
    use super::*;
    use referee_grading::verdict::Verdict;

    fn finished(number: usize, fate: MutantFate, verdict: Option<Verdict>) -> MutantFinished {
        MutantFinished {
            number,
            program: format!("accepted/{}.c", number % 2),
            role: "submission".to_owned(),
            file: String::new(),
            line: 1,
            column: 1,
            operator: "boundary".to_owned(),
            was: String::new(),
            is: String::new(),
            fate,
            cached: false,
            same_as: None,
            case: None,
            verdict,
            message: None,
            killers: None,
            killed_by: None,
            not_tried: None,
            diff: None,
            reason: None,
        }
    }

    fn outcome(cells: &str) -> Outcome {
        let cell = |letter| match letter {
            'x' => Cell::Kills,
            '.' => Cell::Spares,
            _ => Cell::Unknown,
        };
        Outcome { cells: cells.chars().map(cell).collect(), ..Outcome::without_a_run(Compiled::Unknown) }
    }

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|number| format!("secret/{number}")).collect()
    }

    #[test]
    fn the_sum_tells_what_each_case_is_good_for() {
        let mut tally = Tally::default();
        for (number, cells) in [(1, "x..x"), (2, "..xx"), (3, "..x."), (4, "...."), (5, "x???")] {
            let fate = if cells.contains('x') { MutantFate::Killed } else { MutantFate::Survived };
            let verdict = cells.contains('x').then_some(Verdict::WrongAnswer);
            tally.mutant(&finished(number, fate, verdict), Some(&outcome(cells)));
        }
        tally.mutant(&finished(6, MutantFate::NotCompiled, None), Some(&outcome("")));
        tally.mutant(&finished(7, MutantFate::SameMutant, None), Some(&outcome("xxxx")));
        let sum = tally.finish(&names(4), true);
        assert_eq!((sum.mutants, sum.killed, sum.survived, sum.not_compiled, sum.same_code), (5, 4, 1, 1, 1));
        assert_eq!(sum.minimal_cases, Some(vec!["secret/0".to_owned(), "secret/2".to_owned()]));
        assert_eq!(sum.minimal_is_proved, Some(true));
        assert_eq!(sum.idle_cases, Some(vec!["secret/1".to_owned()]));
        // It is unknown whether other test cases also kill mutant 5.
        let sole = SoleKiller { case: "secret/2".to_owned(), mutants: vec![3] };
        assert_eq!((sum.sole_killers, sum.pairs_unknown), (Some(vec![sole]), 3));
        assert_eq!(sum.by_verdict, BTreeMap::from([("WA".to_owned(), 4)]));
        assert_eq!(
            sum.by_program,
            BTreeMap::from([("accepted/0.c".to_owned(), (2, 1)), ("accepted/1.c".to_owned(), (3, 3)),])
        );
    }

    #[test]
    fn where_mutants_are_left_once_they_are_killed_nobody_knows_what_the_other_cases_do() {
        let mut tally = Tally::default();
        tally.mutant(&finished(1, MutantFate::Killed, Some(Verdict::WrongAnswer)), Some(&outcome("x???")));
        let sum = tally.finish(&names(4), false);
        assert_eq!((sum.minimal_cases, sum.idle_cases, sum.sole_killers), (None, None, None));
    }

    #[test]
    fn a_survivor_is_suspected_or_proved_or_shown_to_be_none() {
        let mut tally = Tally::default();
        for number in 1..=5 {
            tally.mutant(&finished(number, MutantFate::Survived, None), Some(&outcome("....")));
        }
        let hunted =
            |killed, tried, exhausted| SurvivorHunted { killed, tried, exhausted, ..SurvivorHunted::default() };
        tally.survivor(&hunted(true, 9, false), false);
        tally.survivor(&hunted(false, 9, false), false);
        tally.survivor(&hunted(false, 9, true), false);
        // This survivor was not hunted.
        tally.survivor(&hunted(false, 0, false), false);
        let sum = tally.finish(&names(4), true);
        assert_eq!((sum.survived, sum.holes, sum.equivalent_suspected, sum.equivalent_proved), (3, 1, 1, 1));
    }

    #[test]
    fn what_is_declared_or_disputed_or_nobody_could_tell_is_not_suspected() {
        let mut tally = Tally::default();
        tally.mutant(&finished(1, MutantFate::Declared, None), Some(&outcome("....")));
        for number in 2..=4 {
            tally.mutant(&finished(number, MutantFate::Survived, None), Some(&outcome("....")));
        }
        let hunted = SurvivorHunted { tried: 9, ..SurvivorHunted::default() };
        // Declared mutants are hunted only on request. They stay declared when nothing is found.
        tally.survivor(&hunted, true);
        tally.survivor(&SurvivorHunted { exhausted: true, ..hunted.clone() }, true);
        tally.survivor(&SurvivorHunted { unjudged: 9, ..hunted.clone() }, false);
        tally.survivor(&SurvivorHunted { interrupted: true, ..hunted.clone() }, false);
        tally.survivor(&SurvivorHunted { kind: Some("jury".to_owned()), ..hunted.clone() }, false);
        let sum = tally.finish(&names(4), true);
        assert_eq!((sum.survived, sum.equivalent_declared, sum.disputed, sum.holes), (3, 1, 1, 0));
        assert_eq!((sum.equivalent_suspected, sum.equivalent_proved), (0, 0));
    }

    #[test]
    fn a_declared_mutant_for_which_something_was_found_is_a_hole_and_no_dispute() {
        let mut tally = Tally::default();
        tally.mutant(&finished(1, MutantFate::Declared, None), Some(&outcome("....")));
        let found = SurvivorHunted { killed: true, tried: 3, kind: Some("WA".to_owned()), ..SurvivorHunted::default() };
        tally.survivor(&found, true);
        let sum = tally.finish(&names(4), true);
        assert_eq!((sum.holes, sum.disputed, sum.equivalent_declared), (1, 0, 1));
    }

    #[test]
    fn a_set_is_the_smallest_only_if_what_nobody_tried_cannot_make_it_smaller() {
        // The proof uses only the first mutant, because the second was not run on two test cases. One test case
        // suffices for the first mutant, so it is not proved that two test cases are needed.
        let mut tally = Tally::default();
        for (number, cells) in [(1, "x..."), (2, ".x??")] {
            tally.mutant(&finished(number, MutantFate::Killed, Some(Verdict::WrongAnswer)), Some(&outcome(cells)));
        }
        let sum = tally.finish(&names(4), true);
        assert_eq!(sum.minimal_is_proved, Some(false));
    }
}
