//! Shows which programs are similar. Never says why, because that is for people to find out.

use super::table::{DIM, ODD, counted, one_line, painted, wrapped};
use super::verbosity::Verbosity;
use referee_event::{SimilarPair, SimilarityFinished};

/// The maximum number of pairs that are shown without `--verbose`.
const MOST_PAIRS: usize = 20;

/// The maximum number of programs that are named for one reason.
const MOST_NAMES: usize = 5;

/// Returns the lines about similar programs, for a screen with `width` columns.
pub(super) fn lines(found: &SimilarityFinished, verbosity: Verbosity, width: usize) -> Vec<String> {
    let inner = width.saturating_sub(2);
    let is_similar = |pair: &&SimilarPair| pair.similarity >= found.threshold;
    let most = if verbosity == Verbosity::Verbose { usize::MAX } else { MOST_PAIRS };
    let shown: Vec<_> = found.pairs.iter().filter(is_similar).take(most).collect();
    if shown.is_empty() && verbosity == Verbosity::Quiet {
        return Vec::new();
    }
    let mut lines = vec![String::new()];
    if shown.is_empty() {
        lines.extend(wrapped(&nothing_similar(found), width));
    } else {
        let what = format!("similar programs: {}, {} compared", counted(found.similar, "pair"), found.compared);
        lines.extend(wrapped(&what, width).iter().map(|line| painted(ODD, line)));
    }
    lines.extend(shown.iter().flat_map(|pair| pair_lines(pair, inner)));
    let more = found.similar.saturating_sub(shown.len());
    if more > 0 {
        let rest = format!("and {}; --verbose, --json and --html list up to 200", counted(more, "more pair"));
        lines.extend(wrapped(&rest, inner).into_iter().map(|line| format!("  {line}")));
    }
    if !shown.is_empty() {
        let note = "similar code can have many reasons; read both sources, side by side in the page of --html";
        lines.extend(wrapped(note, inner).iter().map(|line| painted(DIM, &format!("  {line}"))));
    }
    if verbosity > Verbosity::Quiet {
        lines.extend(limitations(found, inner));
    }
    lines
}

fn nothing_similar(found: &SimilarityFinished) -> String {
    let threshold = percent(found.threshold);
    match found.pairs.first() {
        _ if found.compared < 2 => "similar programs: no two programs can be compared".to_owned(),
        None => format!("no similar programs: no two of {} share anything", counted(found.compared, "program")),
        Some(pair) => format!(
            "no similar programs: no two of {} reach a similarity of {threshold}; the most similar are {} and {} with {}",
            counted(found.compared, "program"),
            one_line(&pair.a),
            one_line(&pair.b),
            percent(pair.similarity)
        ),
    }
}

fn pair_lines(pair: &SimilarPair, inner: usize) -> Vec<String> {
    let (a, b) = (one_line(&pair.a), one_line(&pair.b));
    let mut lines: Vec<_> = wrapped(&format!("{a} and {b}"), inner).iter().map(|line| format!("  {line}")).collect();
    let shares = format!(
        "{} of the first and {} of the second program, {}",
        percent(pair.share_of_a),
        percent(pair.share_of_b),
        counted(pair.lines_a.max(pair.lines_b), "line")
    );
    lines.extend(wrapped(&shares, inner.saturating_sub(2)).iter().map(|line| format!("    {line}")));
    lines
}

/// Returns lines about the programs that were not compared, or not as a whole.
fn limitations(found: &SimilarityFinished, inner: usize) -> Vec<String> {
    let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
    let skipped = found.skipped.iter().map(|one| (format!("not compared, because {}", one.reason), &one.submission));
    let cut = found.cut.iter().map(|name| ("only the beginning was compared".to_owned(), name));
    for (reason, name) in skipped.chain(cut) {
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, names)) => names.push(name),
            None => reasons.push((reason, vec![name.as_str()])),
        }
    }
    let line = |(reason, names): &(String, Vec<&str>)| {
        let named: Vec<_> = names.iter().take(MOST_NAMES).map(|name| one_line(name)).collect();
        let more = names.len().saturating_sub(MOST_NAMES);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        format!("{reason}: {}{more}", named.join(", "))
    };
    reasons.iter().flat_map(|one| wrapped(&line(one), inner)).map(|line| format!("  {line}")).collect()
}

/// Formats a share as a whole percentage. Only a complete share is 100 %.
fn percent(share: f64) -> String {
    format!("{:.0} %", (share * 100.0).floor())
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_event::NotCompared;

    fn pair(a: &str, b: &str, share_of_a: f64, share_of_b: f64) -> SimilarPair {
        SimilarPair {
            a: a.to_owned(),
            b: b.to_owned(),
            similarity: f64::midpoint(share_of_a, share_of_b),
            share_of_a,
            share_of_b,
            lines_a: 41,
            lines_b: 44,
            regions: Vec::new(),
        }
    }

    fn found(pairs: Vec<SimilarPair>) -> SimilarityFinished {
        let similar = pairs.iter().filter(|pair| pair.similarity >= 0.5).count();
        SimilarityFinished { pairs, similar, compared: 30, threshold: 0.5, ..SimilarityFinished::default() }
    }

    fn plain(found: &SimilarityFinished, verbosity: Verbosity) -> Vec<String> {
        lines(found, verbosity, 80).iter().map(|line| anstream::adapter::strip_str(line).to_string()).collect()
    }

    #[test]
    fn pairs_are_listed_with_the_shares_of_both_programs() {
        let pairs = vec![pair("anna.py", "ben\u{1b}.py", 0.839, 0.71), pair("carl.py", "dora.py", 0.3, 0.4)];
        let lines = plain(&found(pairs), Verbosity::Normal);
        assert_eq!(lines[1], "similar programs: 1 pair, 30 compared");
        assert_eq!(lines[2], "  anna.py and ben␛.py");
        assert_eq!(lines[3], "    83 % of the first and 71 % of the second program, 44 lines");
        assert!(!lines.concat().contains("carl"), "{lines:?}");
    }

    #[test]
    fn without_a_similar_pair_the_highest_figure_is_said() {
        let some = found(vec![pair("anna.py", "ben.py", 0.4, 0.3)]);
        let text = plain(&some, Verbosity::Normal).join(" ");
        assert!(text.contains("no two of 30 programs reach a similarity of 50 %"), "{text}");
        assert!(text.contains("anna.py and ben.py with 35 %"), "{text}");
        assert_eq!(plain(&some, Verbosity::Quiet), Vec::<String>::new());
        let alone = SimilarityFinished { compared: 1, ..found(Vec::new()) };
        assert!(plain(&alone, Verbosity::Normal).concat().contains("no two programs can be compared"));
    }

    #[test]
    fn programs_that_were_not_compared_are_named_with_the_reason() {
        let mut some = found(vec![pair("anna.py", "ben.py", 0.9, 0.9)]);
        let skipped =
            |number: usize| NotCompared { submission: format!("{number}.py"), reason: "it is not text".into() };
        some.skipped = (1..=7).map(skipped).collect();
        some.cut = vec!["long.py".to_owned()];
        let text = plain(&some, Verbosity::Normal).join("\n");
        assert!(
            text.contains("not compared, because it is not text: 1.py, 2.py, 3.py, 4.py, 5.py and 2 more"),
            "{text}"
        );
        assert!(text.contains("only the beginning was compared: long.py"), "{text}");
    }

    #[test]
    fn no_line_accuses_and_none_is_too_wide() {
        let pairs = (0..30).map(|number| pair(&"x".repeat(70), &format!("{number}.py"), 1.0, 1.0)).collect();
        let lines = plain(&found(pairs), Verbosity::Normal);
        assert!(lines.iter().all(|line| line.chars().count() <= 80), "{lines:?}");
        assert!(lines.iter().any(|line| line.contains("and 10 more pairs")), "{lines:?}");
        let text = lines.concat().to_lowercase();
        assert!(["copied", "copy", "plagiar", "cheat"].iter().all(|word| !text.contains(word)), "{text}");
    }
}
