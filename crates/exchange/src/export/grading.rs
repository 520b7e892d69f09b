//! Exports groups and their scores to `testdata.yaml`.
//!
//! In format 2025-09, every group has a score, even if it is rejected. In the legacy format, only an accepted group has
//! a score. So the exported package accepts every submission with a positive score, as is usual at Kattis. The scores
//! stay the same, but a rejected submission with a positive score becomes accepted. DOMjudge supports `accept_score`
//! for a whole group, or the scores that a validator writes (`maybeSetScoringResult` in `SubmissionService.php`).

use std::collections::BTreeMap;

use super::tree::{plain, text};
use super::{Export, Judge};
use referee_files::regular;
use referee_grading::score::{
    Aggregation, Child, Dated, Flags, Grading, Legacy, Range, Score, ScoreMode, TestGroup, VerdictMode, Way,
};
use referee_package::Document;
use referee_text::words;

/// The entries of `testdata.yaml`, by folder below `data/`.
pub(super) type Groups = BTreeMap<String, Vec<(String, Document)>>;

/// The settings of a group in `testdata.yaml`.
struct GroupSettings {
    continues: bool,
    flags: String,
    accept_score: Option<String>,
    range: Option<String>,
}

impl GroupSettings {
    fn entries(self) -> Vec<(String, Document)> {
        let mut entries = vec![
            ("on_reject".to_owned(), plain(if self.continues { "continue" } else { "break" })),
            ("grader_flags".to_owned(), text(self.flags)),
        ];
        entries.extend(self.accept_score.map(|score| ("accept_score".to_owned(), plain(score))));
        entries.extend(self.range.map(|range| ("range".to_owned(), text(range))));
        entries
    }
}

impl Export<'_> {
    /// Returns the settings of the groups. Empty if the package needs none, because the first failure decides the
    /// verdict.
    pub(super) fn grading(&mut self) -> Groups {
        let tree = &self.package.tree;
        if !tree.scoring && tree.is_plain() {
            return Groups::new();
        }
        if matches!(tree.groups.first().map(|group| &group.way), Some(Way::Legacy(_))) {
            let mut groups = Groups::new();
            for group in &tree.groups {
                let Way::Legacy(legacy) = &group.way else { continue };
                match grader_settings(legacy, tree.scoring) {
                    Ok(settings) => drop(groups.insert(group.name.clone(), settings)),
                    Err(word) => self.refuse(format!(
                        "data/{}: the grader's flag {word:?} is empty or has blanks, quotes or backslashes; the \
                         legacy format splits flags at blanks and does not interpret quotes",
                        group.name
                    )),
                }
            }
            return groups;
        }
        self.dated()
    }

    fn dated(&mut self) -> Groups {
        let package = self.package;
        let writes = self.writes_scores();
        let breaks = self.requirements();
        let mut groups = Groups::new();
        let whole = package.tree.whole().and_then(|whole| package.tree.groups.get(whole));
        for (index, group) in package.tree.groups.iter().enumerate() {
            let Way::Dated(way) = &group.way else { continue };
            let settings = match (index, group.name.as_str()) {
                (0, _) => Some(self.root(whole, breaks.at_samples, writes)),
                (_, "sample") => Some(GroupSettings {
                    continues: true,
                    flags: "sum first_error".to_owned(),
                    accept_score: Some("0".to_owned()),
                    // Without its own range, `sample` would inherit the range of `data`. If a validator writes scores,
                    // `sample` must allow any score. For Kattis, the range `-inf +inf` does this. For DOMjudge, `data`
                    // has no range in this case, so `sample` needs none.
                    range: match (writes, self.to) {
                        (false, _) => Some("0 0".to_owned()),
                        (true, Judge::Kattis) => Some("-inf +inf".to_owned()),
                        (true, _) => None,
                    },
                }),
                _ => self.scored(group, way, whole, breaks.at_groups, writes),
            };
            groups.extend(settings.map(|settings| (group.name.clone(), settings.entries())));
        }
        self.notes.remark(
            "in the legacy format, only accepted submissions have scores: a submission with a positive score keeps its \
             score but gets the verdict AC",
        );
        if self.to == Judge::Domjudge {
            self.notes.remark(
                "DOMjudge warns about the unknown grader flags first_error and accept_if_any_accepted; ignore the \
                 warnings, because these flags do not change the scores in DOMjudge",
            );
        }
        groups
    }

    /// Returns the settings of the folder `data`. `whole` is the group `secret`, whose maximum score gives the range of
    /// `data`.
    fn root(&self, whole: Option<&TestGroup>, breaks: bool, writes: bool) -> GroupSettings {
        let most = whole.and_then(max_score);
        let range = if writes && self.to == Judge::Domjudge { None } else { self.range(most.as_ref()) };
        // If the groups require `sample`, judging stops after a failed sample, and the submission gets no points.
        // Otherwise, the flag `ignore_sample` says that the samples do not count. Kattis' tools report an error if a
        // group has both `on_reject: break` and this flag.
        let flags = if breaks { "sum first_error" } else { "sum first_error ignore_sample" };
        GroupSettings { continues: !breaks, flags: flags.to_owned(), accept_score: None, range }
    }

    fn range(&self, most: Option<&Score>) -> Option<String> {
        match (most.and_then(decimal), self.to) {
            (Some(most), _) => Some(format!("0 {most}")),
            (None, Judge::Kattis) => Some("0 +inf".to_owned()),
            // DOMjudge rejects a range that is not finite.
            (None, Judge::Domjudge) => None,
        }
    }

    /// Returns the settings of `secret` or of a group in it; `None` if the cases of the group cannot share its score.
    fn scored(
        &mut self,
        group: &TestGroup,
        way: &Dated,
        whole: Option<&TestGroup>,
        breaks: bool,
        writes: bool,
    ) -> Option<GroupSettings> {
        let whole_passes = whole.is_some_and(|whole| passes(whole) && whole.name != group.name);
        // If `secret` as a whole only passes or fails, the groups in it do not affect the score. So each group gets the
        // maximum score of `secret`.
        let most = if whole_passes { whole.and_then(max_score) } else { way.max_score.clone() };
        let holds_groups = group.children.iter().any(|child| matches!(child, Child::TestGroup(_)));
        let range = self.range(most.as_ref());
        if holds_groups {
            let (continues, flags) = match way.aggregation {
                Aggregation::Sum => (!breaks, "sum first_error accept_if_any_accepted"),
                Aggregation::Min | Aggregation::PassFail => (false, "min first_error"),
            };
            return Some(GroupSettings { continues, flags: flags.to_owned(), accept_score: None, range });
        }
        self.refuse_unsupported(group, way, writes);
        let cases = group.children.len();
        let (continues, flags, accept_score) = match (way.aggregation, &most) {
            (Aggregation::Sum, Some(most)) => {
                let (flag, score) = self.shares(group, most, cases, writes)?;
                (true, format!("{flag} first_error accept_if_any_accepted"), Some(score))
            }
            (Aggregation::Sum, None) => (true, "sum first_error accept_if_any_accepted".to_owned(), None),
            (_, most) => (false, "min first_error".to_owned(), most.as_ref().and_then(decimal)),
        };
        Some(GroupSettings { continues, flags, accept_score, range })
    }

    /// Divides the score of a group equally among its cases. Returns the grader's flag and the `accept_score` of each
    /// case: either `sum` and an equal part of the score, or `avg` and the full score. Refuses the group and returns
    /// `None` if neither is possible.
    fn shares(
        &mut self,
        group: &TestGroup,
        most: &Score,
        cases: usize,
        writes: bool,
    ) -> Option<(&'static str, String)> {
        let part = most.clone() / cases.max(1);
        if let Some(part) = decimal(&part) {
            return Some(("sum", part));
        }
        let flat = group.children.iter().all(|child| is_directly_in(child, &group.name));
        if !writes && flat {
            return Some(("avg", decimal(most)?));
        }
        let why = if writes {
            "that mode needs the full score for every accepted test case, and the output validator may write another score"
        } else {
            "that mode does not count the test cases in folders below the group"
        };
        let place = self.place_of(group);
        self.refuse(format!(
            "{place}: each of the {cases} test cases would give {part} points, and the legacy format cannot express \
             this number exactly; the grader mode avg cannot be used instead, because {why}"
        ));
        None
    }

    /// Refuses a group whose settings the target judge does not support or would interpret differently.
    fn refuse_unsupported(&mut self, group: &TestGroup, way: &Dated, writes: bool) {
        let place = self.place_of(group);
        if way.aggregation != Aggregation::PassFail && way.max_score.is_some() && self.mentions(b"score_multiplier") {
            self.refuse(format!(
                "{place}: the output validator writes score_multiplier.txt, which the legacy format does not support"
            ));
        }
        if self.to == Judge::Kattis {
            return;
        }
        if !group.children.iter().all(|child| is_directly_in(child, &group.name)) {
            self.refuse(format!("{place}: DOMjudge does not count the cases in folders below a group"));
        }
        let bounded = way.max_score.is_some();
        match way.aggregation {
            Aggregation::Sum | Aggregation::Min if bounded && writes => self.refuse(format!(
                "{place}: DOMjudge uses either max_score or the scores that an output validator writes; it cannot \
                 combine the two"
            )),
            Aggregation::Sum if bounded && group.children.len() > 1 => self.refuse(format!(
                "{place}: DOMjudge gives max_score only if all test cases of a group are accepted, and otherwise no \
                 points"
            )),
            Aggregation::PassFail | Aggregation::Sum | Aggregation::Min => {}
        }
    }

    /// Exports `require_pass`. The legacy format can only stop judging after a failure in `sample`, or after a failure
    /// in any group. Other requirements are refused.
    fn requirements(&mut self) -> Breaks {
        let package = self.package;
        let tree = &package.tree;
        let requires = |index: usize| match &tree.groups[index].way {
            Way::Dated(way) => way.requires.clone(),
            Way::Legacy(_) | Way::Domjudge(_) => Vec::new(),
        };
        let requiring: Vec<usize> = (0..tree.groups.len()).filter(|&index| !requires(index).is_empty()).collect();
        let Some(&first) = requiring.first() else { return Breaks::default() };
        if self.to == Judge::Domjudge {
            for &index in &requiring {
                let place = self.place_of(&tree.groups[index]);
                self.refuse(format!("{place}: require_pass: DOMjudge scores each group independently of other groups"));
            }
            return Breaks::default();
        }
        let sample = tree.groups.iter().position(|group| group.name == "sample");
        let below: Vec<usize> =
            (0..tree.groups.len()).filter(|&index| tree.groups[index].name.starts_with("secret/")).collect();
        let follows = |at: usize| at == 0 || requires(below[at]).contains(&below[at - 1]);
        let chain = below.len() > 1 && (0..below.len()).all(follows);
        let requires_sample = |index: usize| sample.is_some_and(|sample| requires(index).contains(&sample));
        let at_samples = tree.whole().is_some_and(requires_sample)
            || (!below.is_empty() && below.iter().all(|&index| requires_sample(index)))
            || (chain && requires_sample(below[0]));
        let can_export = |index: usize| {
            let others = requires(index).into_iter().any(|wanted| Some(wanted) != sample);
            (!others || chain) && (!requires_sample(index) || at_samples)
        };
        for &index in requiring.iter().filter(|&&index| !can_export(index)) {
            let place = self.place_of(&tree.groups[index]);
            self.refuse(format!(
                "{place}: require_pass: the legacy format can express only two requirements: every group requires \
                 sample, or every group requires the group before it"
            ));
        }
        if at_samples && self.writes_scores() {
            let place = self.place_of(&tree.groups[first]);
            self.refuse(format!(
                "{place}: require_pass: the group sample cannot be required, because the output validator writes \
                 scores and the legacy format would count the scores of sample"
            ));
        }
        Breaks { at_samples, at_groups: chain }
    }

    /// Returns whether the output validator writes scores. For legacy groups, the settings state this. For other
    /// groups, the validator's source files are searched for `score.txt`.
    pub(super) fn writes_scores(&self) -> bool {
        let has_custom_score = |group: &TestGroup| matches!(&group.way, Way::Legacy(legacy) if legacy.custom_score);
        if self.package.tree.groups.first().is_some_and(|group| matches!(group.way, Way::Legacy(_))) {
            return self.package.tree.groups.iter().any(has_custom_score);
        }
        self.package.kind.scoring && self.mentions(b"score.txt")
    }

    /// Returns whether a source file of an output validator contains the word. `testlib.h` does not count.
    fn mentions(&self, word: &[u8]) -> bool {
        let programs = self.package.output_validators.iter();
        let paths = programs.flat_map(|program| program.headers.iter().chain([&program.path]));
        let files = paths.flat_map(|path| self.package.boundary.files(path).unwrap_or_default());
        let mut files = files.filter(|found| !found.real.ends_with("testlib.h"));
        files.any(|found| {
            regular::read(&found.real, regular::LARGEST_BYTES)
                .is_ok_and(|text| memchr::memmem::find(&text, word).is_some())
        })
    }

    fn place_of(&self, group: &TestGroup) -> String {
        let file = format!("data/{}/test_group.yaml", group.name);
        if self.package.root.join(&file).is_file() { file } else { format!("data/{}", group.name) }
    }
}

/// Whether judging stops after failed samples, and after any failed group.
#[derive(Clone, Copy, Default)]
struct Breaks {
    at_samples: bool,
    at_groups: bool,
}

/// Returns the decimal that `Display` prints for the score; `None` if this decimal does not equal the score exactly.
fn decimal(score: &Score) -> Option<String> {
    let text = score.to_string();
    (Score::parse(&text).as_ref() == Some(score)).then_some(text)
}

fn max_score(group: &TestGroup) -> Option<Score> {
    match &group.way {
        Way::Dated(way) => way.max_score.clone(),
        Way::Legacy(_) | Way::Domjudge(_) => None,
    }
}

fn passes(group: &TestGroup) -> bool {
    matches!(&group.way, Way::Dated(way) if way.aggregation == Aggregation::PassFail)
}

fn is_directly_in(child: &Child, group: &str) -> bool {
    match child {
        Child::Case(name) => name.rsplit_once('/').is_some_and(|(folder, _)| folder == group),
        Child::Static(..) | Child::TestGroup(_) => true,
    }
}

/// Returns the settings of a 2023-07 group that uses the legacy keys. If the legacy format cannot express one of the
/// flags, fails with this flag.
fn grader_settings(legacy: &Legacy, scoring: bool) -> Result<Vec<(String, Document)>, &str> {
    let flags = match &legacy.grading {
        Grading::Custom(flags) => words::join(flags)?,
        Grading::Default(flags) => default_flags(*flags),
    };
    let settings = GroupSettings { continues: !legacy.breaks, flags, accept_score: None, range: None };
    let mut entries = settings.entries();
    let custom = matches!(legacy.grading, Grading::Custom(_));
    entries.push(("grading".to_owned(), plain(if custom { "custom" } else { "default" })));
    if scoring {
        // Scores have no quotes, because Kattis' tools need numbers and read quoted values as texts.
        let score = |score: &Score| plain(decimal(score).unwrap_or_else(|| score.to_string()));
        entries.push(("accept_score".to_owned(), score(&legacy.accept_score)));
        entries.push(("reject_score".to_owned(), score(&legacy.reject_score)));
        entries.push(("range".to_owned(), text(range_text(&legacy.range))));
    }
    Ok(entries)
}

fn range_text(range: &Range) -> String {
    let end = |end: &Option<Score>, none: &str| end.as_ref().map_or_else(|| none.to_owned(), Score::to_string);
    format!("{} {}", end(&range.low, "-inf"), end(&range.high, "+inf"))
}

/// Returns the flags as the text that `Flags::read` parses.
fn default_flags(flags: Flags) -> String {
    let mut words = vec![
        match flags.verdicts {
            VerdictMode::WorstError => "worst_error",
            VerdictMode::FirstError => "first_error",
            VerdictMode::AlwaysAccept => "always_accept",
        },
        match flags.scores {
            ScoreMode::Sum => "sum",
            ScoreMode::Avg => "avg",
            ScoreMode::Min => "min",
            ScoreMode::Max => "max",
        },
    ];
    words.extend(flags.ignore_sample.then_some("ignore_sample"));
    words.extend(flags.accept_if_any_accepted.then_some("accept_if_any_accepted"));
    words.join(" ")
}
