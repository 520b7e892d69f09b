//! The differences between the versions of DOMjudge, as far as a judgehost notices them.

use serde::Deserialize;

/// The version of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version {
    /// The number before the first dot.
    pub(crate) major: u32,
    /// The number after the first dot.
    pub(crate) minor: u32,
}

/// The answer to `GET info`. The place of the version depends on the version.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Info {
    domjudge: Option<Domjudge>,
    domjudge_version: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Domjudge {
    version: Option<String>,
}

impl Version {
    /// The first version that has the contest in the path of sources.
    const V10: Version = Version { major: 10, minor: 0 };

    /// Reads a version such as `9.0.1` or `10.0.0DEV/4c1a7b2`. Returns `None` for other texts.
    pub(crate) fn read(text: &str) -> Option<Version> {
        let mut parts = text.trim().split('.');
        let mut number = || {
            let digits: String = parts.next()?.chars().take_while(char::is_ascii_digit).collect();
            digits.parse().ok()
        };
        let major = number()?;
        Some(Version { major, minor: number().unwrap_or(0) })
    }

    /// Returns the version of a server that does not state it. `has_contest` says whether its tasks name the contest,
    /// which only version 10.0 does.
    pub(crate) fn guessed(has_contest: bool) -> Version {
        if has_contest { Version::V10 } else { Version { major: 9, minor: 0 } }
    }

    /// Whether a judgehost of this crate can work for the server.
    pub(crate) fn is_supported(self) -> bool {
        self >= Version { major: 8, minor: 2 } && self.major <= Version::V10.major
    }

    /// Whether the server asks for the versions of compilers.
    pub(crate) fn asks_for_tool_versions(self) -> bool {
        self >= Version { major: 8, minor: 3 }
    }

    /// Whether the path of sources contains the contest.
    pub(crate) fn names_contest_of_sources(self) -> bool {
        self >= Version::V10
    }

    /// Whether the server stores the times of a run as the judgehost states them.
    pub(crate) fn stores_times_of_runs(self) -> bool {
        self.major >= 9
    }

    /// Whether results of test cases have scores.
    pub(crate) fn has_scores(self) -> bool {
        self >= Version::V10
    }
}

impl Info {
    pub(crate) fn version(&self) -> Option<Version> {
        let text = self.domjudge.as_ref().and_then(|part| part.version.as_ref()).or(self.domjudge_version.as_ref());
        text.and_then(|text| Version::read(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_decides_what_a_server_has() {
        let facts = |text| {
            let version = Version::read(text).unwrap();
            [version.asks_for_tool_versions(), version.names_contest_of_sources(), version.has_scores()]
        };
        assert_eq!(facts("8.2.3"), [false, false, false]);
        assert_eq!(facts("8.3.2"), [true, false, false]);
        assert_eq!(facts("9.0.1"), [true, false, false]);
        assert_eq!(facts("10.0.0DEV/4c1a"), [true, true, true]);
        assert_eq!([Version::read(""), Version::read("main")], [None, None]);
    }

    #[test]
    fn the_version_is_found_in_both_places() {
        for text in [r#"{"domjudge":{"version":"9.0.1"}}"#, r#"{"domjudge_version":"9.0.1","domjudge":{}}"#] {
            let info: Info = serde_json::from_str(text).unwrap();
            assert_eq!(info.version(), Some(Version { major: 9, minor: 0 }), "{text}");
        }
    }
}
