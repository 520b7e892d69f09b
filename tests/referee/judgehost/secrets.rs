//! What a submission can reach: neither the credentials nor the server.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use predicates::prelude::*;
use predicates::str::contains;

use super::super::secrets::spy;
use super::super::support::command::referee;
use super::super::support::person::Person;
use super::fake::{PASSWORD, USER};
use super::server::{Problem, Server, Submission};
use super::{Lab, double};

/// A program that prints `reached` with what it finds of the judgehost, or else `nothing`.
const SPY: &str = "import glob, socket, sys\nfound = []\n\
                   for path in ['SECRET'] + glob.glob('/proc/*/environ') + glob.glob('/proc/*/cmdline'):\n    try:\n\
                   \x20       text = open(path, 'rb').read()\n\
                   \x20       if b'PASS' in text or b'restapi' in text: found.append(path)\n    except OSError:\n        pass\n\
                   try:\n    socket.create_connection(('127.0.0.1', PORT), 1)\n    found.append('server')\n\
                   except OSError:\n    pass\nprint('reached', found) if found else print('nothing')\n";

/// Returns the text with the path of the secret file and the port of the server.
fn filled(text: &str, lab: &Lab) -> String {
    let port = lab.fake.url.rsplit(':').next().and_then(|rest| rest.split('/').next()).expect("a port");
    let secret = lab.state.path().join("restapi.secret").display().to_string();
    text.replace("SECRET", &secret).replace("PORT", port).replace("PASS", &PASSWORD[..4])
}

#[test]
fn a_submission_reaches_neither_the_credentials_nor_the_server() {
    needs!("python3");
    let problem = Problem { time_limit: 10.0, ..Problem::equal(&[("", "nothing\n")]) };
    let lab = Lab::new(Server::new("9.0.1", vec![problem], vec![]));
    let spy = Submission::new(0, "spy.py", &filled(SPY, &lab));
    lab.fake.lock().server.submissions.push(spy);
    lab.judge(&[]);
    let shared = lab.fake.lock();
    let submission = &shared.server.submissions[0];
    let printed = submission.results.get(&0).map(|form| super::fake::text(form, "output_run"));
    assert_eq!((submission.verdicts.clone(), printed), (vec!["correct".to_owned()], Some("nothing\n".to_owned())));
}

#[test]
fn a_compiler_reads_no_credentials() {
    needs!("gcc");
    for toolchain in ["own", "server"] {
        let lab = Lab::new(Server::new("9.0.1", vec![double()], vec![]));
        let thief = Submission::new(0, "thief.c", &filled("#include \"SECRET\"\nint main(void){}\n", &lab));
        lab.fake.lock().server.submissions.push(thief);
        let script = "#!/bin/sh\ncat SECRET\ngcc -o \"$1\" \"$3\"\n";
        lab.fake.lock().server.compile_script = vec![("run", filled(script, &lab))];
        lab.judge(&["--toolchain", toolchain]);
        assert_eq!(lab.verdicts(), [["compiler-error"]], "{toolchain}");
        let shared = lab.fake.lock();
        let output = &shared.server.submissions[0].compile_output;
        assert!(output.contains("No such file or directory") && !output.contains(PASSWORD), "{toolchain}: {output}");
    }
}

/// A judgehost of an ordinary user, without namespaces. Its programs run as the same user.
struct Unprivileged {
    person: Person,
    lab: Lab,
    /// All these judgehosts belong to one user. Another one that starts has the same password in its environment for a
    /// moment, where the submission of this one would find it.
    _alone: MutexGuard<'static, ()>,
}

static ALONE: Mutex<()> = Mutex::new(());

impl Unprivileged {
    /// `file` is the file that the submission tries to read, below the folder of the judgehost. Without isolation, the
    /// submission can trace the judgehost's helper processes, which know no password.
    fn new(person: Person, file: &str, is_isolated: bool) -> Unprivileged {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let lab = Lab::new(Server::new("9.0.1", vec![Problem::equal(&[("1 2\n", "3\n")])], vec![]));
        let source = spy(PASSWORD, &lab.state.path().join(file), Path::new("/no/such"));
        let source = if is_isolated { source } else { source.replace("#define TRACING 1", "#define TRACING 0") };
        lab.fake.lock().server.submissions.push(Submission::new(0, "spy.c", &source));
        person.owns(lab.state.path());
        Unprivileged { person, lab, _alone: alone }
    }

    fn command(&self, without: &str, sandbox: &str) -> assert_cmd::Command {
        let state = self.lab.state.path();
        let mut command = self.person.referee(["judgehost", "--until-idle", "--name", "judge-1", "--sandbox", sandbox]);
        command.args(self.lab.fake.lock().server.default_scripts());
        command.arg("--state").arg(state.join("state")).env("REFEREE_SANDBOX_WITHOUT", without).env("HOME", state);
        command
    }

    fn with_file(&self, without: &str, sandbox: &str) -> assert_cmd::Command {
        let secret = self.lab.state.path().join("restapi.secret");
        std::fs::write(&secret, format!("default {}/api/v4 {USER} {PASSWORD}\n", self.lab.fake.url)).unwrap();
        self.person.owns(&secret);
        let mut command = self.command(without, sandbox);
        command.arg("--secret").arg(secret);
        command
    }

    fn with_variables(&self, without: &str, sandbox: &str) -> assert_cmd::Command {
        let mut command = self.command(without, sandbox);
        command.args(["--url", &self.lab.fake.url]);
        command.env("REFEREE_JUDGEHOST_USER", USER).env("REFEREE_JUDGEHOST_PASSWORD", PASSWORD);
        command
    }

    fn verdicts(&self) -> Vec<Vec<String>> {
        self.lab.verdicts()
    }
}

#[test]
fn without_namespaces_a_submission_finds_no_password_in_files_memory_or_environment() {
    needs!("gcc");
    for from_file in [true, false] {
        let host = Unprivileged::new(needs!(Person::ordinary()), "restapi.secret", true);
        let mut command =
            if from_file { host.with_file("namespaces", "auto") } else { host.with_variables("namespaces", "auto") };
        command.assert().code(0);
        assert_eq!(host.verdicts(), [["correct"]], "from a file: {from_file}");
    }
}

#[test]
fn where_nothing_hides_files_a_judgehost_starts_only_if_the_user_says_so() {
    needs!("gcc");
    let host = Unprivileged::new(needs!(Person::ordinary()), "restapi.secret", true);
    let told = contains("submissions could read the password").and(contains("use --sandbox off"));
    host.with_file("namespaces,landlock", "auto").assert().code(2).stderr(told);
    assert_eq!(host.verdicts(), [Vec::<String>::new()], "nothing was judged");
    let told = contains("every submission can read the password");
    host.with_file("", "off").assert().code(0).stderr(told);
    assert_eq!(host.verdicts(), [["wrong-answer"]], "the program would find the password");
}

/// Even then, the judgehost's own memory and environment are out of reach.
#[test]
fn with_the_sandbox_off_a_submission_does_not_find_the_password_in_memory() {
    needs!("gcc");
    let host = Unprivileged::new(needs!(Person::ordinary()), "no-such-file", false);
    host.with_variables("", "off").assert().code(0);
    assert_eq!(host.verdicts(), [["correct"]]);
}

/// A server with TLS that answers `info` only.
const TLS: &str = "import http.server, json, ssl, sys\n\
                   class Handler(http.server.BaseHTTPRequestHandler):\n    def do_GET(self):\n\
                   \x20       text = json.dumps({'domjudge': {'version': '9.0.1'}}).encode()\n\
                   \x20       self.send_response(200)\n        self.send_header('Content-Length', str(len(text)))\n\
                   \x20       self.end_headers()\n        self.wfile.write(text)\n\
                   server = http.server.HTTPServer(('127.0.0.1', 0), Handler)\n\
                   context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)\ncontext.load_cert_chain('cert.pem', 'key.pem')\n\
                   server.socket = context.wrap_socket(server.socket, server_side=True)\n\
                   print(server.server_address[1], flush=True)\nserver.serve_forever()\n";

#[test]
fn a_private_certificate_authority_is_trusted_only_if_it_is_named() {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};

    needs!("python3");
    if Command::new("openssl").arg("version").output().is_err() {
        return super::super::support::program::print_skipped("openssl is missing");
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("names"), "subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n").unwrap();
    for arguments in [
        "req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=authority",
        "req -newkey rsa:2048 -nodes -keyout key.pem -out request.pem -subj /CN=localhost",
        "x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -extfile names -out cert.pem -days 2",
    ] {
        let mut openssl = Command::new("openssl");
        let made = openssl.args(arguments.split_whitespace()).current_dir(folder.path()).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    }
    let mut python = Command::new("python3");
    python.args(["-c", TLS]).current_dir(folder.path()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut server = python.spawn().unwrap();
    let mut port = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut port).unwrap();
    let secret = folder.path().join("restapi.secret");
    std::fs::write(&secret, format!("default https://localhost:{}/api/v4 u p\n", port.trim())).unwrap();
    let said = |ca: bool| {
        let mut command = super::referee(["doctor", "--judgehost", "--secret"]);
        command.arg(&secret).env("STATE_DIRECTORY", folder.path());
        if ca {
            command.arg("--ca").arg(folder.path().join("ca.pem"));
        }
        String::from_utf8_lossy(&command.output().unwrap().stdout).into_owned()
    };
    let (without, with) = (said(false), said(true));
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(without.lines().any(|line| line.starts_with("MISSING server")), "{without}");
    assert!(with.lines().any(|line| line.starts_with("ok      server")), "{with}");
}

#[test]
fn a_file_of_credentials_must_be_regular_and_private() {
    let lab = Lab::new(Server::new("9.0.1", vec![], vec![]));
    lab.judge(&[]);
    let secret = lab.state.path().join("restapi.secret");
    let run = |file: &Path| {
        let mut command = referee(["judgehost", "--until-idle", "--name", "judge-2", "--secret"]);
        command.arg(file).arg("--state").arg(lab.state.path().join("state"));
        command.assert()
    };
    for endless in ["/dev/zero", "/dev/null"] {
        run(Path::new(endless)).code(2).stderr(contains("it is not a regular file"));
    }
    for (mode, words) in [(0o644, "can read"), (0o602, "can change")] {
        fs::set_permissions(&secret, fs::Permissions::from_mode(mode)).unwrap();
        run(&secret).code(0).stderr(contains(format!("every user of this machine {words}")));
    }
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o640)).unwrap();
    run(&secret).code(0).stderr(contains("every user").not());
}
