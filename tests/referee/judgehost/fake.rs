//! A DOMjudge server for tests, as strict as the real one: it refuses missing fields and wrong base64, and fails where
//! the real one fails. It can fail at any request, and can kill the judgehost there.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::server::{Answer, Server};

/// The user and the password of the judgehost.
pub(super) const USER: &str = "judgehost";
pub(super) const PASSWORD: &str = "s3cret-Passw0rd";

/// What the server does with one request instead of answering it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It fails without any effect.
    Fails,
    /// It handles the request, and then fails.
    FailsAfterwards,
    /// It handles the request, and closes the connection without an answer.
    LosesAnswer,
    /// It handles the request, and sends a half of the answer.
    CutsAnswer,
    /// It kills the judgehost before it handles the request.
    Kills,
    /// It handles the request, and kills the judgehost before the answer.
    KillsAfterwards,
    /// It never answers.
    Hangs,
}

/// The faults after which the judgehost goes on, or goes on after a restart.
pub(super) const FAULTS: [Fault; 6] =
    [Fault::Fails, Fault::FailsAfterwards, Fault::LosesAnswer, Fault::CutsAnswer, Fault::Kills, Fault::KillsAfterwards];

/// A request: the one with this number, counted from 0, or the first whose method and path begin with these words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    Number(usize),
    First(&'static str),
}

/// The state that the threads of the server share.
pub(super) struct Shared {
    pub(super) server: Server,
    /// The requests so far, each with its method and path.
    pub(super) requests: Vec<String>,
    /// The request at which the server has a fault, and the fault. `None` after the fault.
    pub(super) fault: Option<(At, Fault)>,
    /// The request at which the server had the fault.
    pub(super) faulty: Option<String>,
    /// The words with which a request begins, and the number of requests from this one on at which the server fails
    /// without any effect, whatever they ask for.
    pub(super) outage: Option<(&'static str, usize)>,
    /// The number of requests at which the server will still fail.
    pub(super) failing: usize,
    /// The process that a fault kills.
    pub(super) victim: Option<u32>,
}

/// A running server. It ends with the test.
pub(super) struct Fake {
    pub(super) url: String,
    shared: Arc<Mutex<Shared>>,
}

/// A request.
pub(super) struct Request {
    pub(super) method: String,
    /// The path below the base of the API.
    pub(super) path: String,
    pub(super) form: BTreeMap<String, String>,
    authorization: String,
}

impl Fake {
    pub(super) fn start(server: Server) -> Fake {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let url = format!("http://{}/dj", listener.local_addr().expect("the port is known"));
        let shared =
            Shared { server, requests: Vec::new(), fault: None, faulty: None, outage: None, failing: 0, victim: None };
        let shared = Arc::new(Mutex::new(shared));
        let own = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().filter_map(Result::ok) {
                let shared = Arc::clone(&own);
                std::thread::spawn(move || handle(stream, &shared));
            }
        });
        Fake { url, shared }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().expect("no thread of the server panicked")
    }
}

fn handle(mut stream: TcpStream, shared: &Mutex<Shared>) {
    let Some(request) = read(&mut stream) else { return };
    let mut shared = match shared.lock() {
        Ok(shared) => shared,
        // Another thread found a violation. Without an end, the judgehost would try for ever, and the test would hang.
        Err(poisoned) => return kill(poisoned.into_inner().victim),
    };
    let number = shared.requests.len();
    let asked = format!("{} {}", request.method, request.path);
    shared.requests.push(asked.clone());
    let is_there = |at: At| match at {
        At::Number(wanted) => wanted == number,
        At::First(words) => asked.starts_with(words),
    };
    let fault = shared.fault.take_if(|(at, _)| is_there(*at)).map(|(_, fault)| fault);
    if fault.is_some() {
        shared.faulty = Some(asked.clone());
    }
    let victim = shared.victim;
    if let Some((_, count)) = shared.outage.take_if(|(words, _)| asked.starts_with(*words)) {
        shared.failing = count;
    }
    if shared.failing > 0 {
        shared.failing -= 1;
        return send(&mut stream, &Answer::failure("the database is down"), None);
    }
    match fault {
        Some(Fault::Hangs) => {
            drop(shared);
            return std::thread::sleep(Duration::from_secs(600));
        }
        Some(Fault::Fails) => return send(&mut stream, &Answer::failure("before"), None),
        Some(Fault::Kills) => return kill(victim),
        _ => {}
    }
    let is_public = request.path == "info";
    let expected = format!("Basic {}", STANDARD.encode(format!("{USER}:{PASSWORD}")));
    let answer = if !is_public && request.authorization != expected {
        Answer { code: 401, body: json!({"code": 401, "message": "Unauthorized"}).to_string() }
    } else {
        shared.server.answer(&request)
    };
    match fault {
        Some(Fault::FailsAfterwards) => send(&mut stream, &Answer::failure("afterwards"), None),
        Some(Fault::LosesAnswer) => {}
        Some(Fault::CutsAnswer) => send(&mut stream, &answer, Some(answer.body.len() / 2)),
        Some(Fault::KillsAfterwards) => kill(victim),
        _ => send(&mut stream, &answer, None),
    }
}

fn kill(victim: Option<u32>) {
    let victim = victim.and_then(|id| rustix::process::Pid::from_raw(id as i32)).expect("the judgehost is known");
    rustix::process::kill_process(victim, rustix::process::Signal::KILL).expect("the judgehost can be killed");
}

/// Sends an answer, or only the first bytes of its body.
fn send(stream: &mut TcpStream, answer: &Answer, bytes: Option<usize>) {
    let Answer { code, body } = answer;
    let date = httpdate::fmt_http_date(std::time::SystemTime::now());
    let head = format!(
        "HTTP/1.1 {code} Any\r\nDate: {date}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let body = &body.as_bytes()[..bytes.unwrap_or(body.len())];
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
}

fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    let end = loop {
        let count = stream.read(&mut buffer).ok().filter(|count| *count > 0)?;
        bytes.extend(&buffer[..count]);
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec()).expect("a head is text");
    let mut lines = head.lines();
    let mut words = lines.next().expect("a request has a first line").split(' ');
    let (method, path) = (words.next().expect("a method").to_owned(), words.next().expect("a path"));
    let fields: BTreeMap<_, _> =
        lines.filter_map(|line| line.split_once(": ")).map(|(name, value)| (name.to_lowercase(), value)).collect();
    let length = fields.get("content-length").map_or(0, |length| length.parse().expect("a length is a number"));
    let mut body = bytes[end..].to_vec();
    while body.len() < length {
        let count = stream.read(&mut buffer).ok().filter(|count| *count > 0)?;
        body.extend(&buffer[..count]);
    }
    let path = path.strip_prefix("/dj/api/v4/").unwrap_or_else(|| panic!("{path} is outside of the API"));
    let authorization = fields.get("authorization").map(|text| (*text).to_owned()).unwrap_or_default();
    Some(Request { method, path: decoded(path), form: form(&body), authorization })
}

fn form(body: &[u8]) -> BTreeMap<String, String> {
    let text = String::from_utf8(body.to_vec()).expect("a form is text");
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| pair.split_once('=').expect("a field has a value"))
        .map(|(name, value)| (decoded(name), decoded(value)))
        .collect()
}

/// Decodes percent-encoding.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'%' => {
                let digits = [rest.next(), rest.next()].map(|digit| char::from(digit.expect("two digits")));
                let digits: String = digits.iter().collect();
                bytes.push(u8::from_str_radix(&digits, 16).expect("hexadecimal digits"));
            }
            b'+' => bytes.push(b' '),
            byte => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).expect("a field is text")
}

/// Returns the text of a field in base64.
pub(super) fn text(form: &BTreeMap<String, String>, name: &str) -> String {
    let bytes = STANDARD.decode(form.get(name).unwrap_or_else(|| panic!("no field {name}"))).expect("base64");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns a file as the server sends it.
pub(super) fn file(name: &str, content: &str, is_executable: bool) -> Value {
    json!({"filename": name, "content": STANDARD.encode(content), "is_executable": is_executable})
}
