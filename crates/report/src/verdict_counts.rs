//! The number of submissions with each verdict, below the table of a run.

use super::submissions::VERDICTS;
use super::table::{ODD, colour, painted};

/// Returns the number of submissions with each verdict of [`VERDICTS`], and of those that were not judged, in lines of at
/// most `width` columns. Verdicts that no submission got are left out.
pub(super) fn lines(verdicts: [usize; VERDICTS.len()], not_judged: usize, width: usize) -> Vec<String> {
    let of_verdict = VERDICTS.iter().zip(verdicts).filter(|(_, count)| *count > 0);
    let of_verdict = of_verdict.map(|(verdict, count)| (colour(*verdict), format!("{count} {}", verdict.code())));
    let others = (not_judged > 0).then(|| (ODD, format!("{not_judged} not judged")));
    let mut lines: Vec<String> = Vec::new();
    let mut used = 0;
    for (style, text) in of_verdict.chain(others) {
        let painted = painted(style, &text);
        // A comma and a space stand before the text, and a comma may follow it.
        if let Some(line) = lines.last_mut().filter(|_| used + 3 + text.len() <= width) {
            line.extend([", ", &painted]);
            used += 2 + text.len();
        } else {
            lines.last_mut().into_iter().for_each(|line| line.push(','));
            lines.push(painted);
            used = text.len();
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the lines without colours.
    fn plain(verdicts: [usize; VERDICTS.len()], not_judged: usize, width: usize) -> Vec<String> {
        let lines = lines(verdicts, not_judged, width);
        lines.iter().map(|line| anstream::adapter::strip_str(line).to_string()).collect()
    }

    #[test]
    fn counts_stand_in_one_line_if_there_is_room_and_are_never_broken() {
        let verdicts = std::array::from_fn(|index| if index < 2 { 100 } else { 0 });
        let [first, second] = [VERDICTS[0].code(), VERDICTS[1].code()];
        let whole = format!("100 {first}, 100 {second}, 3 not judged");
        assert_eq!(plain(verdicts, 3, 80).join("\n"), whole);
        assert_eq!(plain(verdicts, 3, whole.len() + 1).join("\n"), whole);
        let broken = [format!("100 {first}, 100 {second},"), "3 not judged".to_owned()];
        assert_eq!(plain(verdicts, 3, whole.len()), broken);
        assert_eq!(plain(verdicts, 0, 80), [format!("100 {first}, 100 {second}")]);
    }
}
