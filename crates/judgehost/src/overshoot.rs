//! Reads DOMjudge's rule for the time that a program may run beyond its time limit, such as `1s|10%`.

/// Returns the additional time in seconds for a time limit in seconds. A part is `Ns` or `N%` of the time limit. `+` adds
/// two parts, `|` takes the larger one, and `&` the smaller one, from left to right. Returns `None` if the text is not of
/// this form.
pub(crate) fn overshoot(rule: &str, time_limit: f64) -> Option<f64> {
    let mut rest = rule.trim();
    let mut total: Option<f64> = None;
    let mut operator = '+';
    loop {
        let end = rest.find(['+', '|', '&']).unwrap_or(rest.len());
        let part = part(rest[..end].trim(), time_limit)?;
        total = Some(match (total, operator) {
            (None, _) => part,
            (Some(total), '|') => total.max(part),
            (Some(total), '&') => total.min(part),
            (Some(total), _) => total + part,
        });
        let Some(next) = rest[end..].chars().next() else { return total };
        operator = next;
        rest = &rest[end + 1..];
    }
}

fn part(text: &str, time_limit: f64) -> Option<f64> {
    let number = |digits: &str| digits.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    match (text.strip_suffix('s'), text.strip_suffix('%')) {
        (Some(seconds), _) => number(seconds),
        (_, Some(percent)) => number(percent).map(|percent| time_limit * percent / 100.0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_added_or_compared() {
        assert_eq!(overshoot("1s|10%", 5.0), Some(1.0));
        assert_eq!(overshoot("1s|10%", 20.0), Some(2.0));
        assert_eq!(overshoot("1s&10%", 5.0), Some(0.5));
        assert_eq!(overshoot("1s+10%", 5.0), Some(1.5));
        assert_eq!(overshoot("0s", 5.0), Some(0.0));
        for wrong in ["", "1", "s", "1s|", "-1s", "1s||2s", "infs", "1m"] {
            assert_eq!(overshoot(wrong, 5.0), None, "{wrong}");
        }
    }
}
