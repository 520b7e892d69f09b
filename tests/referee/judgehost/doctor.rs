//! `referee doctor --judgehost`.

use super::super::support::command::referee;
use super::Lab;
use super::fake::{PASSWORD, USER};
use super::server::Server;

/// Runs the check, and returns the exit code and the output.
fn checked(version: &'static str, password: &str) -> (Option<i32>, String) {
    let lab = Lab::new(Server::new(version, vec![], vec![]));
    let secret = lab.state.path().join("restapi.secret");
    std::fs::write(&secret, format!("default {} {USER} {password}\n", lab.fake.url)).unwrap();
    let mut command = referee(["doctor", "--judgehost", "--secret"]);
    let output = command.arg(secret).env("STATE_DIRECTORY", lab.state.path()).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn the_doctor_says_what_a_judgehost_lacks() {
    needs!("gcc");
    let (_, said) = checked("9.0.1", PASSWORD);
    let line = |name: &str| said.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("{name}: {said}"));
    assert!(line(" server ").starts_with("ok") && line(" server ").ends_with("DOMjudge 9.0"), "{said}");
    assert!(line(" login ").starts_with("ok") && line(" clock ").starts_with("ok"), "{said}");
    assert!(line(" language C ").starts_with("ok") && line(" disk ").starts_with("ok"), "{said}");
    assert!(line(" language C ").contains("takes the place of DOMjudge's script c"), "{said}");
    let changed = line(" language Changed ");
    assert!(changed.contains("the server's script compiles it"), "{said}");
    assert!(changed.contains("0123456789abcdef0123456789abcdef"), "{said}");
}

#[test]
fn the_doctor_finds_wrong_credentials_and_old_servers() {
    let (code, said) = checked("7.3.0", "aWrongOne");
    assert_eq!(code, Some(1));
    assert!(said.contains("DOMjudge 7.3; supported: 8.2 to 10.0") && !said.contains("aWrongOne"), "{said}");
    assert!(said.lines().any(|line| line.starts_with("MISSING login")), "{said}");
}

#[test]
fn options_of_the_connection_need_the_check() {
    let output = referee(["doctor", "--url", "http://localhost"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("add --judgehost"), "{said}");
}

#[test]
fn the_page_shows_the_unit_of_systemd() {
    let read = |name: &str| std::fs::read_to_string(super::super::support::files::in_repository(name)).unwrap();
    assert!(read("docs/judgehost.md").contains(&read("packaging/systemd/referee-judgehost@.service")));
}
