//! Judging with the scripts of the server.

use super::fake::text;
use super::server::{Problem, Server, Submission};
use super::{Lab, RIGHT, double};

/// A compile script for C, in the way of DOMjudge's.
const COMPILE: &str = "#!/bin/sh\nDEST=\"$1\"; shift; MEMLIMIT=\"$1\"; shift\n\
                       echo \"Detected entry_point: main of $MEMLIMIT\"\ngcc -O1 -o \"$DEST\" \"$@\" -lm\n";

/// An interactive validator: it thinks of the answer's number, and says whether a guess is too small or too large.
const GUESS: &str = "import sys\nnumber = int(open(sys.argv[2]).read())\nfor line in sys.stdin:\n    guess = int(line)\n\
                     \x20   if guess == number:\n        print('=', flush=True)\n        sys.exit(42)\n    print('<' if number < guess else '>', flush=True)\n\
                     sys.exit(43)\n";
const BISECT: &str = "low, high = 0, 1000\nwhile True:\n    middle = (low + high) // 2\n    print(middle, flush=True)\n\
                      \x20   answer = input()\n    if answer == '=':\n        break\n    low, high = (low, middle - 1) if answer == '<' else (middle + 1, high)\n";

#[test]
fn the_compile_script_of_the_server_compiles_if_the_user_wants_it() {
    needs!("gcc");
    let mut server = Server::new("9.0.1", vec![double()], super::one_of_each());
    server.submissions.remove(1);
    server.compile_script = vec![("run", COMPILE.to_owned())];
    let lab = Lab::new(server);
    lab.judge(&["--toolchain", "server"]);
    assert_eq!(lab.verdicts(), [["correct"], ["compiler-error"]]);
    let shared = lab.fake.lock();
    let entry_point = shared.server.submissions[0].entry_point.as_deref();
    assert!(entry_point.is_some_and(|name| name.starts_with("main of ")), "{entry_point:?}");
    let output = &shared.server.submissions[1].compile_output;
    assert!(
        output.starts_with("Compiling failed with exitcode 1, compiler output:") && output.contains("undeclared"),
        "{output}"
    );
}

#[test]
fn a_script_that_makes_a_wrapper_runs_interpreted_programs() {
    needs!("python3");
    let program = "n = int(input())\nprint(2 * n)\n";
    let mut server = Server::new("9.0.1", vec![double()], vec![Submission::new(0, "a.py", program)]);
    let script = "#!/bin/sh\nprintf '#!/bin/sh\\nexec python3 \"%s\"\\n' \"$3\" > \"$1\"\nchmod a+x \"$1\"\n";
    server.compile_script = vec![("run", script.to_owned())];
    let lab = Lab::new(server);
    lab.judge(&["--toolchain", "server"]);
    assert_eq!(lab.verdicts(), [["correct"]]);
}

#[test]
fn a_compile_script_that_reports_an_internal_error_is_blamed() {
    let lab = Lab::new(Server::new("9.0.1", vec![double()], vec![Submission::new(0, "a.c", RIGHT)]));
    lab.judge(&["--toolchain", "server"]);
    let expected = "{\"compile_script_id\":\"8\",\"kind\":\"compile_script\"} internal-error: not expected to run";
    assert_eq!(lab.internal_errors(), [expected]);
}

#[test]
fn a_language_that_we_do_not_know_is_compiled_by_the_script_of_the_server() {
    let mut server =
        Server::new("9.0.1", vec![double()], vec![Submission::new(0, "a.unheardof", "echo $((2 * $(cat)))")]);
    server.compile_script = vec![("run", "#!/bin/sh\ncp \"$3\" \"$1\"\nchmod +x \"$1\"\n".to_owned())];
    let lab = Lab::new(server);
    lab.judge(&[]);
    assert_eq!(lab.verdicts(), [["correct"]]);
}

#[test]
fn a_compare_script_is_built_once_and_gets_its_arguments() {
    needs!("gcc");
    let source = "#include <stdio.h>\n#include <string.h>\nint main(int n,char**a){int x,y;FILE*f=fopen(a[2],\"r\");\
                  if(n!=6||strcmp(a[4],\"--off\")||fscanf(f,\"%d\",&x)!=1)return 1;\
                  char p[999];sprintf(p,\"%sjudgemessage.txt\",a[3]);f=fopen(p,\"w\");fputs(\"looked at it\",f);\
                  return scanf(\"%d\",&y)==1&&(x-y==1||y-x==1)?42:43;}\n";
    let mut problem = double();
    problem.validator =
        vec![("build", "#!/bin/sh\ngcc compare.c -o run\n".to_owned()), ("compare.c", source.to_owned())];
    problem.arguments = Some("--off 1");
    let off = RIGHT.replace("2*n", "2*n+1");
    let submissions = vec![Submission::new(0, "a.c", &off), Submission::new(0, "b.c", RIGHT)];
    let lab = Lab::new(Server::new("9.0.1", vec![problem], submissions));
    lab.judge(&[]);
    assert_eq!(lab.verdicts(), [["correct"], ["wrong-answer"]]);
    let shared = lab.fake.lock();
    assert_eq!(text(&shared.server.submissions[0].results[&0], "output_diff"), "looked at it");
    let fetched = shared.requests.iter().filter(|request| request.contains("get_files/compare")).count();
    assert_eq!(fetched, 1);
}

#[test]
fn an_interactive_problem_is_judged_by_the_jurys_program() {
    needs!("python3");
    let problem = Problem {
        validator: vec![("guess.py", GUESS.to_owned())],
        is_interactive: true,
        time_limit: 3.0,
        ..Problem::equal(&[("", "17\n"), ("", "1000\n")])
    };
    let submissions = vec![
        Submission::new(0, "bisect.py", BISECT),
        Submission::new(0, "wrong.py", "print(17)\n"),
        Submission::new(0, "silent.py", "import sys; sys.stdin.read()"),
    ];
    let lab = Lab::new(Server::new("9.0.1", vec![problem], submissions));
    lab.judge(&[]);
    assert_eq!(lab.verdicts(), [["correct"], ["wrong-answer"], ["timelimit"]]);
    assert_eq!(lab.internal_errors(), Vec::<String>::new());
}

#[test]
fn a_multi_pass_problem_with_scores_reports_the_last_pass() {
    needs!("python3");
    let validator = "import os, sys\nfolder = sys.argv[3]\npath = os.path.join(folder, 'seen')\n\
                     if not os.path.exists(path):\n    open(path, 'w').close()\n\
                     \x20   open(os.path.join(folder, 'nextpass.in'), 'w').write('5\\n')\n    sys.exit(42)\n\
                     open(os.path.join(folder, 'score.txt'), 'w').write('7.5')\n\
                     open(os.path.join(folder, 'teammessage.txt'), 'w').write('well done')\n\
                     sys.exit(42 if sys.stdin.read().split() == ['10'] else 43)\n";
    let problem = Problem {
        validator: vec![("check.py", validator.to_owned())],
        pass_limit: 2,
        is_scoring: true,
        ..Problem::equal(&[("1\n", "")])
    };
    let lab = Lab::new(Server::new("10.0.0", vec![problem], vec![Submission::new(0, "a.c", RIGHT)]));
    lab.judge(&[]);
    assert_eq!(lab.verdicts(), [["correct"]]);
    let shared = lab.fake.lock();
    let form = &shared.server.submissions[0].results[&0];
    let texts = ["output_run", "score", "team_message"].map(|name| text(form, name));
    assert_eq!(texts, ["10\n", "7.5", "well done"]);
}

#[test]
fn what_is_wrong_on_the_server_is_blamed_as_narrowly_as_possible() {
    needs!("gcc");
    let crashing = Problem { validator: vec![("run", "#!/bin/sh\nexit 1\n".to_owned())], ..double() };
    let unbuilt = Problem { validator: vec![("build", "#!/bin/sh\necho no; exit 3\n".to_owned())], ..double() };
    let lab = Lab::new(Server::new(
        "9.0.1",
        vec![crashing, unbuilt, double()],
        (0..3).map(|problem| Submission::new(problem, "a.c", RIGHT)).collect(),
    ));
    lab.judge(&[]);
    assert_eq!(lab.verdicts(), [vec![], vec![], vec!["correct".to_owned()]]);
    let errors = lab.internal_errors();
    assert!(errors[0].starts_with("{\"compare_script_id\":\"20\",\"kind\":\"compare_script\"} "), "{errors:?}");
    assert!(errors[1].starts_with("{\"compare_script_id\":\"21\",\"kind\":\"compare_script\"} "), "{errors:?}");
    assert!(errors[1].contains("exit code 3") && errors.len() == 2, "{errors:?}");
}

#[test]
fn a_test_case_with_another_hash_is_blamed() {
    needs!("gcc");
    let damaged = Problem { is_damaged: true, ..double() };
    let lab = Lab::new(Server::new("9.0.1", vec![damaged], vec![Submission::new(0, "a.c", RIGHT)]));
    lab.judge(&[]);
    let errors = lab.internal_errors();
    assert!(
        errors[0].starts_with("{\"kind\":\"testcase\",\"testcaseid\":\"1000\"} ") && errors.len() == 1,
        "{errors:?}"
    );
}

#[test]
fn a_batch_ends_if_the_server_does_not_accept_the_versions() {
    let mut server = Server::new("10.0.0", vec![double()], vec![Submission::new(0, "a.c", RIGHT)]);
    server.refuses_versions = true;
    let lab = Lab::new(server);
    let events = lab.judge(&[]);
    let dropped = events.iter().find(|event| event["event"] == "dropped").expect("the batch is given up");
    assert!(dropped["reason"].as_str().is_some_and(|reason| reason.contains("Versions do not match")), "{dropped}");
    assert_eq!((lab.internal_errors(), lab.verdicts()), (vec![], vec![vec![]]));
    let shared = lab.fake.lock();
    assert_eq!(shared.server.reported_versions.len(), 1, "the request is not repeated");
}

/// A compile script for C that defines a name which submissions use.
const WITH_FACTOR: &str = "#!/bin/sh\ngcc -DFACTOR=2 -o \"$1\" \"$3\"\n";
const USES_FACTOR: &str = "#include <stdio.h>\nint main(void){int n;scanf(\"%d\",&n);printf(\"%d\\n\",FACTOR*n);}\n";

#[test]
fn a_compile_script_that_is_not_domjudges_own_runs_as_it_is() {
    needs!("gcc");
    let mut server = Server::new("9.0.1", vec![double()], vec![Submission::new(0, "a.c", USES_FACTOR)]);
    (server.compile_script, server.has_default_compile_script) = (vec![("run", WITH_FACTOR.to_owned())], false);
    let lab = Lab::new(server);
    let events = lab.judge(&[]);
    assert_eq!(lab.verdicts(), [["correct"]]);
    assert_eq!(chosen(&events), [("compare", false), ("run", true), ("compile", false)]);
}

#[test]
fn a_run_script_that_is_not_domjudges_own_runs_as_it_is() {
    needs!("gcc");
    let problem = Problem {
        cases: vec![("1\n".to_owned(), "2\n".to_owned()), ("3\n".to_owned(), "50\n".to_owned())],
        ..double()
    };
    let mut server = Server::new("9.0.1", vec![problem], vec![Submission::new(0, "a.c", RIGHT)]);
    let script = "#!/bin/sh\nin=\"$1\"; out=\"$2\"; shift 2\nsed s/3/25/ <\"$in\" | \"$@\" >\"$out\"\n";
    (server.run_script, server.has_default_run_script) = (vec![("run", script.to_owned())], false);
    server.compile_script = vec![("run", COMPILE.to_owned())];
    let lab = Lab::new(server);
    let events = lab.judge(&[]);
    assert_eq!((lab.verdicts(), lab.internal_errors()), (vec![vec!["correct".to_owned()]], vec![]));
    assert_eq!(chosen(&events), [("compare", false), ("run", false), ("compile", false)]);
}

#[test]
fn our_comparison_takes_the_place_of_domjudges_own() {
    needs!("gcc");
    let unused = vec![("run", "#!/bin/sh\nexit 1\n".to_owned())];
    let tolerant = Problem {
        cases: vec![("1\n".to_owned(), "2.0000001\n".to_owned())],
        validator: unused.clone(),
        has_default_validator: true,
        arguments: Some("float_tolerance 1e-6"),
        ..double()
    };
    let strict = Problem { arguments: None, ..tolerant.clone() };
    let submissions = || (0..2).map(|problem| Submission::new(problem, "a.c", RIGHT)).collect();
    let lab = Lab::new(Server::new("9.0.1", vec![tolerant.clone(), strict.clone()], submissions()));
    let events = lab.judge(&[]);
    assert_eq!(
        (lab.verdicts(), lab.internal_errors().len()),
        (vec![vec!["correct".to_owned()], vec!["wrong-answer".to_owned()]], 0)
    );
    assert_eq!(chosen(&events)[0], ("compare", true));
    let difference = text(&lab.fake.lock().server.submissions[1].results[&0], "output_diff");
    assert!(difference.contains("2.0000001"), "{difference}");

    // The script decides about arguments that our comparison does not know.
    let unknown = Problem { arguments: Some("--unheard-of"), ..strict };
    let lab = Lab::new(Server::new("9.0.1", vec![unknown], vec![Submission::new(0, "a.c", RIGHT)]));
    lab.judge(&[]);
    assert_eq!((lab.verdicts(), lab.internal_errors().len()), (vec![vec![]], 1));

    let mut server = Server::new("9.0.1", vec![tolerant], vec![Submission::new(0, "a.c", RIGHT)]);
    server.compile_script = vec![("run", COMPILE.to_owned())];
    let lab = Lab::new(server);
    lab.judge(&["--toolchain", "server"]);
    assert_eq!((lab.verdicts(), lab.internal_errors().len()), (vec![vec![]], 1));
}

/// Returns the scripts whose use was reported, and whether they are replaced.
fn chosen(events: &[serde_json::Value]) -> Vec<(&str, bool)> {
    let chosen = events.iter().filter(|event| event["event"] == "script_chosen");
    chosen.map(|event| (event["kind"].as_str().unwrap(), event["replaced"].as_bool().unwrap())).collect()
}
