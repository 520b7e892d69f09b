//! Finds out before a contest what a machine lacks as a judgehost.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use referee_language::{Detected, Shebangs, Table};
use referee_sandbox::{Enforcement, Mode, Overall, State};

use crate::answer::ClientError;
use crate::client::Client;
use crate::executable::kib;
use crate::files::free_bytes;
use crate::tasks::{OfferedLanguage, ServerConfig};
use crate::version::Info;

/// The largest difference between the clocks of the two machines that is not reported, in seconds.
const MOST_SKEW: f64 = 5.0;

/// A property of this machine or of the server that judging depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The name of the property.
    pub name: String,
    /// Whether judging can rely on it.
    pub is_fine: bool,
    /// What was found, and what to do if it is not fine.
    pub found: String,
}

impl Check {
    fn new(name: impl Into<String>, found: Result<String, String>) -> Check {
        let (is_fine, found) = match found {
            Ok(found) => (true, found),
            Err(found) => (false, found),
        };
        Check { name: name.into(), is_fine, found }
    }
}

/// Checks the server, its languages, the clocks, the sandbox, and the disk of `state`. `languages` are the languages with
/// which submissions would be compiled.
pub fn examine(client: &Client, languages: &Table, state: &Path) -> Vec<Check> {
    let mut checks = vec![version(client)];
    let config = client.get::<ServerConfig>("config");
    checks.push(Check::new("login", config.as_ref().map(|_| client.base().to_owned()).map_err(reason)));
    checks.push(Check::new("clock", clock(client)));
    match client.get::<Vec<OfferedLanguage>>("languages") {
        Ok(offered) => checks.extend(offered.iter().map(|offered| language(offered, languages))),
        Err(error) => checks.push(Check::new("languages", Err(reason(&error)))),
    }
    checks.extend(sandbox());
    checks.push(Check::new("disk", disk(&config.unwrap_or_default(), state)));
    checks
}

fn reason(error: &ClientError) -> String {
    match error {
        ClientError::Unauthorized(_) => format!("{error}; check the user and the password in restapi.secret"),
        ClientError::Lost(_) | ClientError::Garbled(_) => {
            format!("{error}; check the URL, the network and the certificate")
        }
        error => error.to_string(),
    }
}

fn version(client: &Client) -> Check {
    let found = client.get::<Info>("info").map_err(|error| reason(&error)).and_then(|info| {
        let version = info.version().ok_or("the server does not state its version")?;
        let text = format!("DOMjudge {}.{}", version.major, version.minor);
        if version.is_supported() { Ok(text) } else { Err(format!("{text}; supported: 8.2 to 10.0")) }
    });
    Check::new("server", found)
}

/// Compares the clock of this machine with the time that the server states in an answer.
fn clock(client: &Client) -> Result<String, String> {
    let stated = client.date("info").map_err(|error| reason(&error))?;
    let theirs = stated.as_deref().and_then(unix_time).ok_or("the server does not state its time")?;
    let ours = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
    let skew = ours - theirs as f64;
    let text = format!("{:.0} s {} the server's", skew.abs(), if skew < 0.0 { "behind" } else { "ahead of" });
    if skew.abs() <= MOST_SKEW { Ok(text) } else { Err(format!("{text}; set it with NTP")) }
}

/// Reads a date of HTTP, such as `Sun, 06 Nov 1994 08:49:37 GMT`, as seconds since 1970.
fn unix_time(date: &str) -> Option<i64> {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let words: Vec<_> = date.split_whitespace().collect();
    let [_, day, month, year, time, "GMT"] = words[..] else { return None };
    let month = MONTHS.iter().position(|name| *name == month)? as i64 + 1;
    let (day, year): (i64, i64) = (day.parse().ok()?, year.parse().ok()?);
    let parts: Vec<i64> = time.split(':').map(str::parse).collect::<Result<_, _>>().ok()?;
    let [hours, minutes, seconds] = parts[..] else { return None };
    // The days since 1970, with years that begin in March.
    let years = year - i64::from(month <= 2);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days =
        365 * years + years.div_euclid(4) - years.div_euclid(100) + years.div_euclid(400) + day_of_year - 719_468;
    Some(((days * 24 + hours) * 60 + minutes) * 60 + seconds)
}

/// Says whether this machine can compile and run a language of the server.
fn language(offered: &OfferedLanguage, languages: &Table) -> Check {
    let name = if offered.name.is_empty() { offered.id.to_string() } else { offered.name.clone() };
    let with = |ending: &String| {
        let file = Path::new("submission").with_extension(ending);
        match languages.detect(&file, None, Shebangs::Ignored) {
            Detected::Source(language) => Some(language),
            _ => None,
        }
    };
    let Some(language) = offered.extensions.iter().find_map(with) else {
        let endings = offered.extensions.join(", ");
        let found = format!("the server's script compiles it, because we know no language with the ending {endings}");
        return Check::new(format!("language {name}"), Ok(found));
    };
    let substitute = language.substitute().filter(|substitute| substitute.unready().is_none());
    let found = match (substitute, language.unready()) {
        (Some(substitute), _) => Ok(substitute.name.clone()),
        (None, None) => Ok(language.name.clone()),
        (None, Some(missing)) => Err(missing.to_string()),
    };
    Check::new(format!("language {name}"), found)
}

/// Lists each part of the sandbox that is not enforced.
fn sandbox() -> Vec<Check> {
    let enforcement = Enforcement::of(Mode::Auto);
    if enforcement.overall == Overall::Full {
        return vec![Check::new("sandbox", Ok("every part is enforced".to_owned()))];
    }
    let missing = enforcement.parts.iter().filter(|(_, part)| part.state != State::Enforced);
    let one = |(name, part): (&String, &referee_sandbox::Protection)| {
        let remedy = part.remedy.as_ref().map(|remedy| format!("; {remedy}")).unwrap_or_default();
        Check::new(format!("sandbox: {name}"), Err(format!("{}{remedy}", part.why)))
    };
    missing.map(one).collect()
}

fn disk(config: &ServerConfig, state: &Path) -> Result<String, String> {
    let needed = kib(config.diskspace_error);
    let of =
        |folder: &Path| free_bytes(folder).ok_or_else(|| format!("{}: its free space is unknown", folder.display()));
    let free = of(state)?.min(of(&std::env::temp_dir())?);
    let text = format!("{} MiB are free, the server demands {} MiB", free >> 20, needed >> 20);
    if free >= needed { Ok(text) } else { Err(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_http_are_read() {
        // The expected numbers come from `date --date=DATE +%s`.
        assert_eq!(unix_time("Sun, 06 Nov 1994 08:49:37 GMT"), Some(784_111_777));
        assert_eq!(unix_time("Thu, 29 Feb 2024 23:59:59 GMT"), Some(1_709_251_199));
        assert_eq!(unix_time("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(unix_time("yesterday"), None);
    }
}
