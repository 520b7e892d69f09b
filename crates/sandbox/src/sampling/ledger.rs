//! Adds up figures that only grow, such as the CPU time, over all processes of a run. This includes processes that have
//! ended between two samples.
//!
//! If a parent waits for a child that has ended, the kernel adds the child's exact figures to those of the parent.
//! Otherwise the child's figures are lost, and the ledger uses those of its last sample. A sample does not show which
//! of the two has happened. So the ledger compares the last figures of the children that have ended with the growth of
//! the parent's figures. What the growth does not cover is lost.

use std::collections::BTreeMap;

/// The figures that the ledger adds up; [`CPU`] and [`FAULTS`] are the indices.
pub(super) type Figures = [u64; 2];

/// The CPU time in nanoseconds.
pub(super) const CPU: usize = 0;

/// The number of page faults.
pub(super) const FAULTS: usize = 1;

/// A process in a sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sampled {
    /// The start of the process, in clock ticks since the machine's start. An earlier process with the same number has
    /// another start.
    pub(super) start: u64,
    pub(super) parent: i32,
    /// The figures of the process itself.
    pub(super) own: Figures,
    /// The figures of the children that the process has waited for.
    pub(super) waited: Figures,
}

#[derive(Debug, Default)]
pub(super) struct Ledger {
    /// The processes of the last sample by process number.
    processes: BTreeMap<i32, Entry>,
    /// The figures of the children that the zygote reaped before the run; `None` before the first sample.
    base: Option<Figures>,
    of_zygote: Children,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    sampled: Sampled,
    children: Children,
}

/// The figures of the ended children of a process that still runs.
#[derive(Clone, Copy, Debug, Default)]
struct Children([OneFigure; 2]);

/// One figure of the ended children. The process and its children are not read at the same instant. So a child can be
/// missing in one sample, and the growth of its parent's figure appears only in the next sample, or the reverse.
#[derive(Clone, Copy, Debug, Default)]
struct OneFigure {
    /// The figure of the children that the parent has waited for, as the kernel adds it up.
    waited: u64,
    /// The last figures of children that no parent has waited for.
    lost: u64,
    /// The last figures of the children that were missing for the first time in the last sample, without the part that
    /// `waited` already contains. If `waited` does not grow accordingly in the next sample, they are lost.
    pending: u64,
    /// The part of the last growth of `waited` that no missing child explains. A child can end just after a sample has
    /// seen it, and its parent's figure is read after that. The next sample then finds the child missing, and subtracts
    /// this credit from its figure.
    credit: u64,
}

impl OneFigure {
    /// Adds a sample: the parent's new figure, and the last figures of the children that are missing for the first
    /// time.
    fn add(&mut self, waited: u64, missing: u64) {
        let growth = waited.saturating_sub(self.waited);
        let (not_waited, growth) = (self.pending.saturating_sub(growth), growth.saturating_sub(self.pending));
        self.lost = self.lost.saturating_add(not_waited);
        let missing = missing.saturating_sub(self.credit);
        self.pending = missing.saturating_sub(growth);
        self.credit = growth.saturating_sub(missing);
        self.waited = self.waited.max(waited);
    }

    fn total(&self) -> u64 {
        self.waited.saturating_add(self.lost).saturating_add(self.pending)
    }
}

impl Children {
    fn add(&mut self, waited: Figures, missing: Figures) {
        for ((figure, waited), missing) in self.0.iter_mut().zip(waited).zip(missing) {
            figure.add(waited, missing);
        }
    }

    fn total(&self) -> Figures {
        self.0.map(|figure| figure.total())
    }
}

fn sum(one: Figures, other: Figures) -> Figures {
    [one[0].saturating_add(other[0]), one[1].saturating_add(other[1])]
}

impl Ledger {
    /// Adds a sample, and returns the sum of all figures since the start of the run. `of_zygote` are the figures of the
    /// children that the zygote has reaped. They must be read before the sample, or a process could count twice.
    pub(super) fn add(&mut self, of_zygote: Figures, sample: &BTreeMap<i32, Sampled>) -> Figures {
        let base = *self.base.get_or_insert(of_zygote);
        let missing = self.take_missing(sample);
        let missing_below = |parent| missing.get(&parent).copied().unwrap_or_default();
        let before = std::mem::take(&mut self.processes);
        let mut below_zygote = Figures::default();
        for (&parent, &figures) in &missing {
            if !before.contains_key(&parent) {
                below_zygote = sum(below_zygote, figures);
            }
        }
        let since = [0, 1].map(|place| of_zygote[place].saturating_sub(base[place]));
        self.of_zygote.add(since, below_zygote);
        let mut total = self.of_zygote.total();
        for (&process, &sampled) in sample {
            let mut children = before.get(&process).map_or_else(Children::default, |entry| entry.children);
            children.add(sampled.waited, missing_below(process));
            total = sum(total, sum(sampled.own, children.total()));
            self.processes.insert(process, Entry { sampled, children });
        }
        total
    }

    /// Removes the processes that are not in `sample`. Returns their last figures, added up by their nearest ancestor
    /// that is not missing.
    fn take_missing(&mut self, sample: &BTreeMap<i32, Sampled>) -> BTreeMap<i32, Figures> {
        let is_missing = |process: &i32, entry: &Entry| {
            sample.get(process).is_none_or(|sampled| sampled.start != entry.sampled.start)
        };
        let missing: Vec<i32> =
            self.processes.iter().filter(|(process, entry)| is_missing(process, entry)).map(|(&one, _)| one).collect();
        let taken: BTreeMap<i32, Entry> =
            missing.into_iter().filter_map(|process| self.processes.remove_entry(&process)).collect();
        let mut below = BTreeMap::<i32, Figures>::new();
        for process in children_first(&taken) {
            let Some(entry) = taken.get(&process) else { continue };
            // The figures of this process's missing children are in `below` by now, because children come first.
            let left = below.remove(&process).unwrap_or_default();
            let total = sum(sum(entry.sampled.own, entry.children.total()), left);
            let place = below.entry(entry.sampled.parent).or_default();
            *place = sum(*place, total);
        }
        below
    }
}

/// Returns the numbers of the processes, each after its children.
fn children_first(processes: &BTreeMap<i32, Entry>) -> Vec<i32> {
    let mut left = BTreeMap::<i32, usize>::new();
    for entry in processes.values() {
        *left.entry(entry.sampled.parent).or_default() += 1;
    }
    let mut order: Vec<i32> = processes.keys().copied().filter(|one| !left.contains_key(one)).collect();
    let mut next = 0;
    while let Some(process) = order.get(next) {
        next += 1;
        let Some(parent) = processes.get(process).map(|entry| entry.sampled.parent) else { continue };
        let Some(count) = left.get_mut(&parent) else { continue };
        *count -= 1;
        if *count == 0 && processes.contains_key(&parent) {
            order.push(parent);
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZYGOTE: i32 = 1;

    fn cpu(nanoseconds: u64) -> Figures {
        [nanoseconds, 0]
    }

    /// A sample of processes. Each is a number, a parent, its own time, and the time of children it has waited for.
    fn sample(processes: &[(i32, i32, u64, u64)]) -> BTreeMap<i32, Sampled> {
        let sampled = |&(process, parent, own, waited): &(i32, i32, u64, u64)| {
            (process, Sampled { start: 0, parent, own: cpu(own), waited: cpu(waited) })
        };
        processes.iter().map(sampled).collect()
    }

    fn total(ledger: &mut Ledger, of_zygote: u64, processes: &[(i32, i32, u64, u64)]) -> u64 {
        ledger.add(cpu(of_zygote), &sample(processes))[CPU]
    }

    #[test]
    fn children_that_nobody_waits_for_add_up() {
        let ledger = &mut Ledger::default();
        for child in 0..20 {
            let before = u64::try_from(child).unwrap() * 250;
            assert_eq!(total(ledger, 0, &[(2, ZYGOTE, 5, 0), (3 + child, 2, 250, 0)]), 5 + before + 250);
        }
        assert_eq!(total(ledger, 0, &[(2, ZYGOTE, 5, 0)]), 5 + 20 * 250);
    }

    #[test]
    fn a_child_that_was_waited_for_counts_once_with_its_exact_time() {
        let ledger = &mut Ledger::default();
        assert_eq!(total(ledger, 0, &[(2, ZYGOTE, 5, 0), (3, 2, 100, 0)]), 105);
        // The parent may have been read just before it waited.
        assert_eq!(total(ledger, 0, &[(2, ZYGOTE, 5, 0)]), 105);
        assert_eq!(total(ledger, 0, &[(2, ZYGOTE, 5, 120)]), 125);
        assert_eq!(total(ledger, 0, &[(2, ZYGOTE, 5, 120), (4, 2, 30, 0)]), 155);
        assert_eq!(total(ledger, 0, &[(2, ZYGOTE, 5, 120)]), 155, "no parent waited for the last child");
    }

    #[test]
    fn a_child_counts_once_if_it_was_read_before_its_parent_waited_and_the_parent_afterwards() {
        let ledger = &mut Ledger::default();
        total(ledger, 0, &[(2, 4, 100, 0), (4, ZYGOTE, 5, 100)]);
        assert_eq!(total(ledger, 0, &[(4, ZYGOTE, 5, 100)]), 105);
        assert_eq!(total(ledger, 0, &[(4, ZYGOTE, 5, 100)]), 105);
    }

    #[test]
    fn a_whole_family_that_has_ended_counts_for_the_next_ancestor() {
        let ledger = &mut Ledger::default();
        assert_eq!(total(ledger, 0, &[(9, ZYGOTE, 1, 0), (4, 9, 10, 0), (7, 4, 100, 0)]), 111);
        assert_eq!(total(ledger, 0, &[(9, ZYGOTE, 1, 0)]), 111);
        assert_eq!(total(ledger, 0, &[]), 111);
        assert_eq!(total(ledger, 111, &[]), 111, "the zygote reaps the first process");
    }

    #[test]
    fn earlier_runs_of_the_zygote_do_not_count() {
        let ledger = &mut Ledger::default();
        assert_eq!(total(ledger, 7000, &[(2, ZYGOTE, 5, 0)]), 5);
        assert_eq!(total(ledger, 7005, &[]), 5);
    }

    #[test]
    fn a_process_number_that_is_used_again_is_another_process() {
        let ledger = &mut Ledger::default();
        let started =
            |start, own| BTreeMap::from([(2, Sampled { start, parent: ZYGOTE, own: cpu(own), waited: cpu(0) })]);
        ledger.add(cpu(0), &started(1, 100));
        assert_eq!(ledger.add(cpu(0), &started(2, 30))[CPU], 130);
    }
}
