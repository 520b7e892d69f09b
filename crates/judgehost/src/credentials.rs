//! Reads the credentials of DOMjudge's judgehosts: the file `restapi.secret`, or variables of the environment.
//!
//! Each line of the file is `ID URL USER PASSWORD`, separated by white space; a line that begins with `#` is a comment.
//! The password never appears in a message, and [`Credentials`] does not print it.

use std::fmt;
use std::path::Path;

use referee_files::regular;

/// Maximum size of the file, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// A server, and the user as whom the judgehost logs in.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The base of the API, which ends in `/api/v4`, without a `/` at the end.
    pub url: String,
    /// The name of the user.
    pub user: String,
    /// The user's password.
    pub password: String,
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.user, self.url)
    }
}

/// The reason why there are no credentials. No message contains a password.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum CredentialsError {
    /// The file cannot be read.
    #[error("{0}: {1}")]
    Unreadable(String, String),
    /// A line does not have four parts.
    #[error("{file}:{line}: expected four words, `ID URL USER PASSWORD`, found {found}")]
    Malformed {
        /// The file's path.
        file: String,
        /// The line's number, counted from 1.
        line: usize,
        /// The number of words in the line.
        found: usize,
    },
    /// No line has the URL that the user gave.
    #[error("{file}: no line has the URL {url}; found: {urls}")]
    NoSuchServer {
        /// The file's path.
        file: String,
        /// The URL that the user gave.
        url: String,
        /// The URLs in the file.
        urls: String,
    },
    /// A line of the file has a URL that cannot be used.
    #[error("{file}:{line}: {error}")]
    Line {
        /// The file's path.
        file: String,
        /// The line's number, counted from 1.
        line: usize,
        /// Why the URL cannot be used.
        error: Box<CredentialsError>,
    },
    /// The file names no server.
    #[error("{0}: it names no server; expected a line `ID URL USER PASSWORD`")]
    Empty(String),
    /// The file names several servers, and the user gave no URL.
    #[error("{file}: it names {count} servers; choose one with --url")]
    Several {
        /// The file's path.
        file: String,
        /// The number of servers.
        count: usize,
    },
    /// The URL contains a user, whose password would appear in messages.
    #[error("the URL of {0} contains a user; write the user and the password behind the URL, separated by blanks")]
    HasUser(String),
    /// The URL is not one of HTTP or HTTPS.
    #[error("the URL {0} does not begin with https:// or http://")]
    NotHttp(String),
    /// The URL has more than a server and a path.
    #[error("the URL {0:?} contains a blank, a control character, `?` or `#`; expected a server and perhaps a path")]
    Extra(String),
}

impl Credentials {
    /// Makes credentials from their parts. Fails if the URL is not one of HTTP or HTTPS.
    pub fn new(url: &str, user: &str, password: &str) -> Result<Credentials, CredentialsError> {
        let url = base_of(url)?;
        Ok(Credentials { url, user: user.to_owned(), password: password.to_owned() })
    }

    /// Reads a file in the form of `restapi.secret`. If the file names several servers, `url` selects one.
    pub fn read(file: &Path, url: Option<&str>) -> Result<Credentials, CredentialsError> {
        let name = file.display().to_string();
        let read = regular::read(file, MOST_BYTES);
        let unreadable = |reason: String| CredentialsError::Unreadable(name.clone(), reason);
        let text = read.map_err(|error| unreadable(error.to_string()))?;
        let text = String::from_utf8(text).map_err(|_| unreadable("it is not valid UTF-8".to_owned()))?;
        Credentials::parse(&text, &name, url)
    }

    fn parse(text: &str, file: &str, url: Option<&str>) -> Result<Credentials, CredentialsError> {
        let mut servers = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let words: Vec<_> = line.split_whitespace().collect();
            match words[..] {
                [] => {}
                [first, ..] if first.starts_with('#') => {}
                [_, url, user, password] => {
                    let server = Credentials::new(url, user, password);
                    servers.push(server.map_err(|error| CredentialsError::Line {
                        file: file.to_owned(),
                        line: index + 1,
                        error: Box::new(error),
                    })?);
                }
                _ => {
                    let (file, line) = (file.to_owned(), index + 1);
                    return Err(CredentialsError::Malformed { file, line, found: words.len() });
                }
            }
        }
        let count = servers.len();
        if let Some(url) = url {
            let base = base_of(url)?;
            let urls: Vec<_> = servers.iter().map(|server| server.url.as_str()).collect();
            let urls = if urls.is_empty() { "none".to_owned() } else { urls.join(", ") };
            let missing = CredentialsError::NoSuchServer { file: file.to_owned(), url: base.clone(), urls };
            return servers.into_iter().find(|server| server.url == base).ok_or(missing);
        }
        match servers.pop() {
            Some(server) if count == 1 => Ok(server),
            Some(_) => Err(CredentialsError::Several { file: file.to_owned(), count }),
            None => Err(CredentialsError::Empty(file.to_owned())),
        }
    }
}

/// Returns the base of the API for a URL with or without `/api/v4`, so that a user can give the address of the web page.
fn base_of(url: &str) -> Result<String, CredentialsError> {
    if !url.starts_with("https://") && !url.starts_with("http://") {
        return Err(CredentialsError::NotHttp(without_password(url)));
    }
    // A password may contain a `/`, so an `@` behind one may still belong to a password.
    if let Some((_, host)) = url.rsplit_once('@') {
        return Err(CredentialsError::HasUser(host.split('/').next().unwrap_or(host).to_owned()));
    }
    if url.chars().any(|letter| letter.is_control() || letter.is_whitespace() || "?#".contains(letter)) {
        return Err(CredentialsError::Extra(url.to_owned()));
    }
    let base = url.trim_end_matches('/');
    Ok(if base.ends_with("/api/v4") { base.to_owned() } else { format!("{base}/api/v4") })
}

/// Returns a URL without the `USER:PASSWORD@` that it may contain.
fn without_password(url: &str) -> String {
    url.rsplit_once('@').map_or(url, |(_, rest)| rest).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "# ID URL USER PASSWORD\n\ndefault https://one/dj/api/v4 judgehost aSecret\n\
                       other\thttp://two/api/v4/  j2  another\n";

    #[test]
    fn the_file_of_domjudge_is_read_as_it_is() {
        let one =
            Credentials::parse("default\thttp://localhost/domjudge/api/v4\tjudgehost\tpass\n", "f", None).unwrap();
        assert_eq!(one, Credentials::new("http://localhost/domjudge", "judgehost", "pass").unwrap());
        let two = Credentials::parse(TWO, "f", Some("http://two")).unwrap();
        assert_eq!((two.url.as_str(), two.user.as_str()), ("http://two/api/v4", "j2"));
        assert_eq!(Credentials::parse(TWO, "f", None), Err(CredentialsError::Several { file: "f".into(), count: 2 }));
        let malformed = CredentialsError::Malformed { file: "f".into(), line: 2, found: 3 };
        assert_eq!(Credentials::parse("#\na http://b c\n", "f", None), Err(malformed));
        assert_eq!(Credentials::parse("# nothing\n", "f", None), Err(CredentialsError::Empty("f".into())));
    }

    #[test]
    fn no_text_contains_a_password() {
        let read = Credentials::parse(TWO, "f", Some("https://one/dj/")).unwrap();
        assert!(!format!("{read:?}").contains("aSecret"));
        for (text, url) in [("a b c aSecret", None), ("a b aSecret", None), (TWO, Some("http://three"))] {
            let error = Credentials::parse(text, "f", url).unwrap_err();
            assert!(!format!("{error} {error:?}").contains("aSecret"), "{error}");
        }
        let error = Credentials::new("ftp://user:aSecret@host", "u", "p").unwrap_err();
        assert_eq!(error, CredentialsError::NotHttp("host".into()));
        let error = Credentials::new("https://user:aSecret@host:8443/dj", "u", "p").unwrap_err();
        assert_eq!(error, CredentialsError::HasUser("host:8443".into()));
        let error = Credentials::new("https://user:a/Secret@host/dj", "u", "p").unwrap_err();
        assert_eq!(error, CredentialsError::HasUser("host".into()));
    }
}
