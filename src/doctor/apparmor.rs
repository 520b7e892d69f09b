//! Prints the AppArmor profile that allows user namespaces for this program.

use std::io;
use std::path::Path;

/// The profile for the path [`PACKAGED_AT`], which packages install.
const PACKAGED: &str = include_str!("../../packaging/apparmor/referee");
const PACKAGED_AT: &str = "/usr/bin/referee";

/// Characters that have a special meaning in the paths of profiles.
const SPECIAL: &str = "\\\"*?[]{}^@,#";

/// Returns the profile for the binary of this process. Fails if the path of the binary is unknown, is not UTF-8, or
/// contains a control character.
pub fn profile() -> io::Result<String> {
    profile_for(&std::env::current_exe()?)
}

fn profile_for(binary: &Path) -> io::Result<String> {
    let path = binary.to_str().filter(|path| !path.contains(char::is_control));
    let path = path.ok_or_else(|| {
        let message = "an AppArmor profile cannot contain this path, which is not UTF-8 or has control characters";
        io::Error::other(format!("{}: {message}", binary.display()))
    })?;
    Ok(PACKAGED.replace(&format!(" {PACKAGED_AT} "), &format!(" {} ", quoted(path))))
}

/// Returns the path as a profile must contain it: quoted if it contains a space or a special character.
fn quoted(path: &str) -> String {
    if !path.contains(|c: char| c.is_whitespace() || SPECIAL.contains(c)) {
        return path.to_owned();
    }
    let escape = |c: char| if SPECIAL.contains(c) { format!("\\{c}") } else { c.to_string() };
    format!("\"{}\"", path.chars().map(escape).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profile_names_the_binary() {
        for (path, named) in [
            ("/usr/bin/referee", "profile referee /usr/bin/referee flags=(unconfined) {"),
            ("/home/a b/{x}/referee", "profile referee \"/home/a b/\\{x\\}/referee\" flags=(unconfined) {"),
        ] {
            let profile = profile_for(Path::new(path)).unwrap();
            assert!(profile.contains(named) && profile.contains("\n  userns,\n"), "{profile}");
        }
        assert!(profile_for(Path::new("/a\nb")).is_err());
    }
}
