//! Tests of a folder and of a web server as the place of the entries.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

use super::*;

fn name() -> Name {
    Name::of("results", b"a key")
}

fn options(address: &str) -> Options {
    Options {
        address: address.to_owned(),
        access: Access::ReadAndWrite,
        secret: None,
        authorization: None,
        is_interrupted: || false,
    }
}

fn in_folder(folder: &Path) -> SharedCache {
    SharedCache::open(&options(folder.to_str().unwrap())).unwrap()
}

/// Returns the only file of a cache with one entry.
fn file(folder: &Path) -> PathBuf {
    let digits = name().digits();
    folder.join(&digits[..2]).join(digits)
}

#[test]
fn an_entry_in_a_folder_is_found_under_its_name_only() {
    let folder = tempfile::tempdir().unwrap();
    let cache = in_folder(folder.path());
    assert_eq!(cache.get(&name()), None);
    cache.put(&name(), b"contents");
    assert_eq!(in_folder(folder.path()).get(&name()).as_deref(), Some(b"contents".as_slice()));
    assert_eq!(cache.get(&Name::of("builds", b"a key")), None);
    cache.put(&name(), b"");
    assert_eq!(cache.get(&name()).as_deref(), Some(b"".as_slice()));
    assert_eq!(cache.trouble(), None);
    assert_eq!(fs::read_dir(file(folder.path()).parent().unwrap()).unwrap().count(), 1, "nothing unfinished is left");
}

#[test]
fn a_change_of_any_byte_makes_an_entry_worthless() {
    let folder = tempfile::tempdir().unwrap();
    let cache = in_folder(folder.path());
    cache.put(&name(), b"contents");
    let sealed = fs::read(file(folder.path())).unwrap();
    for index in 0..sealed.len() {
        let mut changed = sealed.clone();
        changed[index] ^= 1;
        fs::write(file(folder.path()), &changed).unwrap();
        assert_eq!(cache.get(&name()), None, "byte {index}");
        fs::write(file(folder.path()), &sealed[..index]).unwrap();
        assert_eq!(cache.get(&name()), None, "{index} bytes");
    }
    fs::write(file(folder.path()), [sealed.as_slice(), b"x"].concat()).unwrap();
    assert_eq!(cache.get(&name()), None);
    // The entry of another name is not accepted either.
    let other = Name::of("results", b"another key");
    cache.put(&other, b"other");
    let digits = other.digits();
    fs::copy(folder.path().join(&digits[..2]).join(&digits), file(folder.path())).unwrap();
    assert_eq!(cache.get(&name()), None);
    fs::write(file(folder.path()), &sealed).unwrap();
    assert_eq!(cache.get(&name()).as_deref(), Some(b"contents".as_slice()));
    let expected = format!("{} entries could not be used: ", 2 * sealed.len() + 2);
    assert!(cache.trouble().is_some_and(|trouble| trouble.starts_with(&expected)), "{:?}", cache.trouble());
}

#[test]
fn only_a_machine_with_the_same_secret_makes_entries_that_are_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let with = |secret: Option<&[u8]>| {
        let plain = options(folder.path().to_str().unwrap());
        SharedCache::open(&Options { secret: secret.map(<[u8]>::to_vec), ..plain }).unwrap()
    };
    let secrets: [Option<&[u8]>; 4] = [None, Some(b""), Some(b"one"), Some(b"two")];
    for writer in secrets {
        with(writer).put(&name(), b"contents");
        for reader in secrets {
            assert_eq!(with(reader).get(&name()).is_some(), reader == writer, "{reader:?} {writer:?}");
        }
    }
}

#[test]
fn a_cache_that_is_only_read_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let reader = Options { access: Access::Read, ..options(folder.path().to_str().unwrap()) };
    let reader = SharedCache::open(&reader).unwrap();
    reader.put(&name(), b"contents");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    in_folder(folder.path()).put(&name(), b"contents");
    assert!(reader.get(&name()).is_some());
}

#[test]
fn an_entry_that_is_too_large_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    in_folder(folder.path()).put(&name(), &vec![0; MOST_BYTES as usize + 1]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn after_failures_in_a_row_a_cache_is_given_up_and_the_first_failure_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let cache = in_folder(folder.path());
    fs::create_dir_all(file(folder.path())).unwrap();
    for _ in 1..MOST_FAILURES {
        assert_eq!(cache.get(&name()), None);
    }
    cache.put(&Name::of("builds", b"x"), b"");
    for _ in 0..MOST_FAILURES {
        assert!(!cache.trouble().unwrap().contains("rest of the run"), "a success ends the row");
        assert_eq!(cache.get(&name()), None);
    }
    let trouble = cache.trouble().unwrap();
    assert!(trouble.contains("it is a folder, not a file") && trouble.contains("rest of the run"), "{trouble}");
    assert_eq!(cache.get(&Name::of("builds", b"x")), None);
}

#[test]
fn addresses_that_cannot_work_are_refused() {
    let refusal = |address: &str| SharedCache::open(&options(address)).unwrap_err().to_string();
    assert_eq!(refusal("/no/such/folder"), "/no/such/folder is not a folder");
    let with_password = refusal("https://me:secret@example.org/cache");
    assert!(with_password.starts_with("https://example.org/cache: other users can see"), "{with_password}");
    assert!(refusal("http://example.org/?a=b").contains("a query is not allowed"));
    assert!(refusal("http://").contains("http://: "));
    let strange = Options { authorization: Some("Bearer a\nb".to_owned()), ..options("http://example.org") };
    assert!(SharedCache::open(&strange).unwrap_err().to_string().contains("line feed"));
}

/// A web server that keeps what it gets, and the requests.
#[derive(Clone, Default)]
struct TestServer {
    entries: Arc<Mutex<HashMap<String, Vec<u8>>>>,
    heads: Arc<Mutex<Vec<String>>>,
}

impl TestServer {
    /// Answers requests as `answer` says; `None` stands for the ordinary answer. Returns the address.
    fn start(&self, answer: fn(&str) -> Option<&'static str>) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/cache", listener.local_addr().unwrap());
        let server = self.clone();
        thread::spawn(move || listener.incoming().for_each(|stream| server.serve(stream.unwrap(), answer)));
        address
    }

    fn serve(&self, mut stream: TcpStream, answer: fn(&str) -> Option<&'static str>) {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let (mut head, mut length) = (String::new(), 0);
        while !head.ends_with("\r\n\r\n") {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            head.push_str(&line);
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let path = head.split(' ').nth(1).unwrap().to_owned();
        self.heads.lock().unwrap().push(head.clone());
        if let Some(text) = answer(&head) {
            let _ = stream.write_all(text.as_bytes());
            return;
        }
        let mut entries = self.entries.lock().unwrap();
        let (status, body) = match head.split(' ').next() {
            Some("PUT") => {
                entries.insert(path, body);
                ("201 Created", Vec::new())
            }
            _ => match entries.get(&path) {
                Some(body) => ("200 OK", body.clone()),
                None => ("404 Not Found", Vec::new()),
            },
        };
        let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
        let _ = stream.write_all(&[head.as_bytes(), &body].concat());
    }
}

#[test]
fn an_entry_on_a_server_is_found_under_its_name_only() {
    let server = TestServer::default();
    let address = server.start(|_| None);
    let cache =
        SharedCache::open(&Options { authorization: Some("Bearer abc".to_owned()), ..options(&format!("{address}/")) })
            .unwrap();
    assert_eq!(cache.get(&name()), None);
    let contents: Vec<u8> = (0..100_000_u32).map(|number| number as u8).collect();
    cache.put(&name(), &contents);
    assert_eq!(cache.get(&name()), Some(contents));
    assert_eq!(cache.get(&Name::of("builds", b"a key")), None);
    assert_eq!(cache.trouble(), None);
    let heads = server.heads.lock().unwrap();
    assert!(heads[1].starts_with(&format!("PUT /cache/{} HTTP/1.1\r\n", name().digits())), "{}", heads[1]);
    assert!(heads.iter().all(|head| head.to_lowercase().contains("authorization: bearer abc\r\n")), "{heads:?}");
}

#[test]
fn what_a_server_refuses_is_told_with_the_reason() {
    let told = |answer: fn(&str) -> Option<&'static str>| {
        let cache = SharedCache::open(&options(&TestServer::default().start(answer))).unwrap();
        cache.put(&name(), b"contents");
        assert_eq!(cache.get(&name()), None);
        cache.trouble().unwrap()
    };
    let refused = told(|_| Some("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"));
    assert!(refused.contains("answers PUT with 403, so the authorization is missing or wrong"), "{refused}");
    let elsewhere = told(|_| Some("HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"));
    assert!(elsewhere.contains("answers PUT with 302"), "{elsewhere}");
    let cut = told(|head| head.starts_with("GET").then_some("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nrefs"));
    assert!(cut.starts_with("http://127.0.0.1:"), "{cut}");
    told(|_| Some(""));
    told(|_| Some("no HTTP\r\n\r\n"));
}

/// Refuses what bazel-remote refuses (`server/http.go`): a path without `ac/` or `cas/` and 64 lower-case digits, an
/// entry without a length, and below `cas/` an entry whose name is not the SHA-256 digest of its bytes, as ours never is.
fn bazel_remote(head: &str) -> Option<&'static str> {
    let path = head.split(' ').nth(1).unwrap_or_default();
    let named = path.rsplit_once("/ac/").or_else(|| path.rsplit_once("/cas/")).map_or("", |(_, name)| name);
    let is_name = named.len() == 64 && named.bytes().all(|byte| b"0123456789abcdef".contains(&byte));
    let is_put = head.starts_with("PUT ");
    let has_length = head.to_lowercase().contains("\r\ncontent-length: ");
    let is_refused = !is_name || is_put && (!has_length || path.contains("/cas/"));
    is_refused.then_some("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
}

#[test]
fn bazel_remote_takes_entries_below_ac_only() {
    let server = TestServer::default();
    let address = server.start(bazel_remote);
    let at = |path: &str| SharedCache::open(&options(&format!("{address}{path}"))).unwrap();
    let cache = at("/ac");
    assert_eq!(cache.get(&name()), None);
    cache.put(&name(), b"contents");
    assert_eq!(cache.get(&name()).as_deref(), Some(b"contents".as_slice()));
    assert_eq!(cache.trouble(), None);
    for path in ["", "/cas"] {
        let cache = at(path);
        cache.put(&name(), b"contents");
        assert!(cache.trouble().unwrap().contains("answers PUT with 400"), "{path}");
    }
}

#[test]
fn a_server_that_is_away_costs_a_few_attempts_only() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let cache = SharedCache::open(&options(&address)).unwrap();
    (0..2 * MOST_FAILURES).for_each(|_| assert_eq!(cache.get(&name()), None));
    assert_eq!(cache.failures.load(Ordering::Relaxed), MOST_FAILURES);
    assert!(cache.trouble().unwrap().contains("rest of the run did not use it"));
}
