//! Asks systemd for a control group of the judge's own.
//!
//! A user's shell runs in a control group in which the user cannot make groups, or which contains other processes. The
//! user's systemd can move the judge into a scope of its own and delegate the scope's group to the user. For root, the
//! system's own systemd does that. The effect is that of `systemd-run --user --scope -p Delegate=yes`, but the judge
//! stays the same process: its terminal, streams, working directory and exit code do not change.
//!
//! The judge sends one D-Bus message to systemd's private socket. `systemd-run` uses the same socket, and it needs no
//! message bus. The fields of the message are documented in org.freedesktop.systemd1(5).

use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::super::deadline::Deadline;
use super::super::init;
use super::dbus;

/// Maximum wait for each answer, and for the move into the scope.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Pause between two looks at the judge's own control group.
const PAUSE: Duration = Duration::from_millis(1);

/// Makes systemd move this process into a new scope, and returns when it has done so. Fails with the reason if systemd
/// cannot be asked or refuses. The reason is `None` if this process does not belong to a user's session.
///
/// `own` is the text of `/proc/self/cgroup`. Only a process of a user's session is moved, because systemd would lose
/// sight of a process of a service.
pub(super) fn enter_scope(own: &str) -> Result<(), Option<String>> {
    let group = own.lines().find_map(|line| line.strip_prefix("0::")).unwrap_or_default();
    if !group.starts_with("/user.slice/") {
        return Err(None);
    }
    let socket = socket().ok_or_else(|| "systemd has no socket for this user".to_owned())?;
    let name = scope_name();
    ask(&socket, &name, TIMEOUT)
        .and_then(|()| wait_until_in(&name))
        .map_err(|error| Some(format!("systemd gave the judge no control group: {error}")))
}

/// Returns the private socket of the user's systemd. For root, returns the private socket of the system's own systemd.
/// `None` if there is none, or if it belongs to another user.
fn socket() -> Option<PathBuf> {
    let user = rustix::process::geteuid().as_raw();
    let folder = if user == 0 {
        PathBuf::from("/run")
    } else {
        std::env::var_os("XDG_RUNTIME_DIR").map_or_else(|| format!("/run/user/{user}").into(), PathBuf::from)
    };
    let socket = folder.join("systemd/private");
    let is_own = |found: fs::Metadata| found.file_type().is_socket() && found.uid() == user;
    fs::symlink_metadata(&socket).is_ok_and(is_own).then_some(socket)
}

/// Returns a unique name for the scope. Characters that systemd does not allow in names become underscores.
fn scope_name() -> String {
    let start = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let name: String = init::name().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    format!("{name}-{}-{}.scope", std::process::id(), start.as_nanos())
}

/// Asks systemd to make the scope `name` with this process in it. If systemd refuses, fails with systemd's message.
/// Also fails if a single read or write takes longer than `timeout`.
fn ask(socket: &Path, name: &str, timeout: Duration) -> io::Result<()> {
    let mut stream = UnixStream::connect(socket)?;
    stream.set_read_timeout(Some(timeout))?;
    stream.set_write_timeout(Some(timeout))?;
    authenticate(&mut stream, timeout)?;
    stream.write_all(&dbus::start_scope(name, init::name(), std::process::id()))?;
    dbus::read_answer(&mut stream)
}

/// Tells systemd the user id of this process. Systemd compares it with the user id that the kernel reports for the
/// socket. Fails if its answer takes longer than `timeout`.
fn authenticate(stream: &mut UnixStream, timeout: Duration) -> io::Result<()> {
    let user = rustix::process::geteuid().as_raw().to_string();
    // D-Bus expects the bytes of the text in hexadecimal. The byte of the digit 7 is 0x37.
    let user: String = user.chars().flat_map(|digit| ['3', digit]).collect();
    stream.write_all(format!("\0AUTH EXTERNAL {user}\r\n").as_bytes())?;
    let mut line = Vec::new();
    let until = Instant::now() + timeout;
    while !line.ends_with(b"\r\n") {
        if line.len() >= dbus::MOST_LINE_BYTES || Instant::now() > until {
            return Err(io::Error::other("the answer to the authentication is too long or too slow"));
        }
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        line.push(byte[0]);
    }
    if !line.starts_with(b"OK ") {
        return Err(io::Error::other("the authentication was refused"));
    }
    stream.write_all(b"BEGIN\r\n")
}

/// Waits until this process is in the scope `name`.
fn wait_until_in(name: &str) -> io::Result<()> {
    let mut deadline = Deadline::new(TIMEOUT);
    loop {
        let own = fs::read_to_string("/proc/self/cgroup")?;
        if own.lines().any(|line| line.starts_with("0::") && line.ends_with(name)) {
            return Ok(());
        }
        if deadline.has_passed() {
            return Err(io::Error::from(io::ErrorKind::TimedOut));
        }
        std::thread::sleep(PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn a_process_of_a_service_or_a_container_stays_where_it_is() {
        for own in ["0::/\n", "0::/system.slice/cron.service\n", "4:memory:/user.slice/x\n", ""] {
            assert_eq!(enter_scope(own), Err(None), "{own}");
        }
    }

    /// Answers one request like systemd, with `answer` after the authentication. Returns what the judge sent.
    fn serve(listener: &UnixListener, answer: &[u8]) -> Vec<u8> {
        let (mut stream, _) = listener.accept().unwrap();
        let mut sent = Vec::new();
        let mut byte = [0];
        while !sent.ends_with(b"\r\n") {
            stream.read_exact(&mut byte).unwrap();
            sent.push(byte[0]);
        }
        stream.write_all(b"OK 0123\r\n").unwrap();
        stream.write_all(answer).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        stream.read_to_end(&mut sent).unwrap();
        sent
    }

    #[test]
    fn the_request_names_the_process_and_a_refusal_is_passed_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("private");
        let listener = UnixListener::bind(&path).unwrap();
        for (answer, wanted) in [
            (dbus::tests::answer(2, ""), ""),
            (dbus::tests::answer(3, "Access denied"), "Access denied"),
            (Vec::new(), "failed to fill whole buffer"),
        ] {
            let server = listener.try_clone().unwrap();
            let server = std::thread::spawn(move || serve(&server, &answer));
            let asked = ask(&path, "judge-1.scope", TIMEOUT);
            assert_eq!(asked.map_err(|error| error.to_string()).err().unwrap_or_default(), wanted);
            let sent = server.join().unwrap();
            assert!(sent.starts_with(b"\0AUTH EXTERNAL "));
            assert!(sent.windows(13).any(|part| part == b"judge-1.scope"));
            assert!(sent.windows(4).any(|part| part == std::process::id().to_le_bytes()));
        }
    }

    #[test]
    fn the_judge_does_not_wait_for_a_systemd_that_does_not_answer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("private");
        let _listener = UnixListener::bind(&path).unwrap();
        let error = ask(&path, "judge-1.scope", Duration::from_millis(100)).unwrap_err();
        assert!(matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut), "{error}");
    }
}
