//! Finds out before a contest what a machine lacks as a judgehost.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use referee_language::{Detected, Shebangs, Table};
use referee_sandbox::{Enforcement, Mode, Overall, State};

use crate::answer::ClientError;
use crate::client::Client;
use crate::defaults::{DefaultScripts, Role};
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
/// which submissions would be compiled, if the server's script is one of `scripts`.
pub fn examine(client: &Client, languages: &Table, scripts: &DefaultScripts, state: &Path) -> Vec<Check> {
    let mut checks = vec![version(client)];
    let config = client.get::<ServerConfig>("config");
    checks.push(Check::new("login", config.as_ref().map(|_| client.base().to_owned()).map_err(reason)));
    checks.push(Check::new("clock", clock(client)));
    match client.get::<Vec<OfferedLanguage>>("languages") {
        Ok(offered) => checks.extend(offered.iter().map(|offered| language(offered, languages, scripts))),
        Err(error) => checks.push(Check::new("languages", Err(reason(&error)))),
    }
    checks.extend(sandbox());
    checks.push(Check::new("disk", disk(&config.unwrap_or_default(), state)));
    with_each_reason_once(checks)
}

/// Replaces a reason that an earlier check has given by the name of that check.
fn with_each_reason_once(mut checks: Vec<Check>) -> Vec<Check> {
    for index in 1..checks.len() {
        let (earlier, check) = checks.split_at_mut(index);
        let check = &mut check[0];
        if let Some(same) = earlier.iter().find(|earlier| !check.is_fine && earlier.found == check.found) {
            check.found = format!("for the reason given at `{}`", same.name);
        }
    }
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
    let theirs = stated.and_then(|date| httpdate::parse_http_date(&date).ok());
    let theirs = theirs.ok_or("the server does not state its time")?;
    let unix = |time: SystemTime| time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
    let skew = unix(SystemTime::now()) - unix(theirs);
    let text = format!("{:.0} s {} the server's", skew.abs(), if skew < 0.0 { "behind" } else { "ahead of" });
    if skew.abs() <= MOST_SKEW { Ok(text) } else { Err(format!("{text}; set it with NTP")) }
}

/// Says whether our language or the server's script compiles submissions in a language of the server. Fails if our
/// compiler is missing.
fn language(offered: &OfferedLanguage, languages: &Table, scripts: &DefaultScripts) -> Check {
    let name = if offered.name.is_empty() { offered.id.to_string() } else { offered.name.clone() };
    Check::new(format!("language {name}"), compiled_by(offered, languages, scripts))
}

fn compiled_by(offered: &OfferedLanguage, languages: &Table, scripts: &DefaultScripts) -> Result<String, String> {
    let hash = offered.compile_executable_hash.as_deref().unwrap_or_default();
    let Some(script) = scripts.name_of(Role::Compile, hash) else {
        let unknown = "the server's script compiles it, because it is no known script of DOMjudge";
        return Ok(if hash.is_empty() { unknown.to_owned() } else { format!("{unknown}: {hash}") });
    };
    let with = |ending: &String| {
        let file = Path::new("submission").with_extension(ending);
        match languages.detect(&file, None, Shebangs::Ignored) {
            Detected::Source(language) => Some(language),
            _ => None,
        }
    };
    let Some(language) = offered.extensions.iter().find_map(with) else {
        let endings = offered.extensions.join(", ");
        return Ok(format!("the server's script compiles it, because we know no language with the ending {endings}"));
    };
    let substitute = language.substitute().filter(|substitute| substitute.unready().is_none());
    let ready = substitute.map_or_else(|| language.unready().map_or(Ok(language), Err), Ok);
    let ready = ready.map_err(|missing| missing.to_string())?;
    Ok(format!("{} takes the place of DOMjudge's script {script}", ready.name))
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
    let free = of(state)?.min(of(&referee_files::temporary::parent())?);
    let text = format!("{} MiB are free, the server demands {} MiB", free >> 20, needed >> 20);
    if free >= needed { Ok(text) } else { Err(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_given_once() {
        let check = |name: &str, found| Check::new(name, found);
        let (refused, other) = (|| Err("connection refused".to_owned()), || Err("no C".to_owned()));
        let fine = || Ok("fine".to_owned());
        let checks = vec![
            check("server", refused()),
            check("login", refused()),
            check("C", other()),
            check("clock", refused()),
            check("disk", fine()),
            check("sandbox", fine()),
        ];
        let found: Vec<_> = with_each_reason_once(checks).into_iter().map(|check| check.found).collect();
        let same = "for the reason given at `server`";
        assert_eq!(found, ["connection refused", same, "no C", same, "fine", "fine"]);
    }
}
