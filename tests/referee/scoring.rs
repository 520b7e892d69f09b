//! Scoring problems: which cases run, which scores result, and what the reports show.

use serde_json::{Value, json};

use super::support::command::{json, of_type, referee, write};
use super::support::fixture::Fixture;
use super::support::program::temporary_folder;

const PACKAGE: &str = "tests/packages/judged/scoring";

/// Returns a program that prints its input, except for inputs that contain one of `words`.
fn wrong_on(words: &[&str]) -> String {
    let pattern = words.iter().map(|word| format!("*{word}*")).collect::<Vec<_>>().join("|");
    format!("read -r line\ncase $line in {pattern}) echo no ;; *) echo \"$line\" ;; esac\n")
}

/// Judges a user's program on `package`. Returns the exit code and the lines of the report.
fn judged(package: &str, program: &str, flags: &[&str]) -> (i32, Vec<Value>) {
    let folder = temporary_folder();
    let ending = if program.starts_with("print") { "py" } else { "sh" };
    let path = write(folder.path(), &format!("program.{ending}"), program);
    let mut command = referee(["grade", package]);
    command.arg(path).args(flags);
    json(command)
}

fn names(lines: &[Value]) -> Vec<String> {
    of_type(lines, "case_finished").iter().map(|line| line["case"].as_str().unwrap_or_default().to_owned()).collect()
}

/// Returns, for each group, its name, verdict, score, number of run cases and number of skipped cases.
fn groups(lines: &[Value]) -> Vec<Value> {
    let fields = ["group", "verdict", "score", "cases_run", "cases_skipped"];
    let row = |line: &&Value| Value::Array(fields.iter().map(|field| line[*field].clone()).collect());
    of_type(lines, "group_finished").iter().map(row).collect()
}

#[test]
fn a_program_is_run_on_what_can_still_matter_for_its_score() {
    needs!("python3");
    let program = wrong_on(&["1-first_1", "3-least_1"]);
    for jobs in ["1", "4"] {
        let (code, lines) = judged(PACKAGE, &program, &["-j", jobs]);
        assert_eq!(names(&lines), ["sample/1", "secret/1-first/1", "secret/3-least/1"], "-j {jobs}");
        let wanted = [
            json!(["sample", "AC", null, 1, 0]),
            json!(["secret", "WA", 0, 2, 5]),
            json!(["secret/1-first", "WA", 0, 1, 1]),
            json!(["secret/2-parts", null, 0, 0, 3]),
            json!(["secret/3-least", "WA", 0, 1, 1]),
        ];
        assert_eq!(groups(&lines), wanted, "-j {jobs}");
        let finished = of_type(&lines, "submission_finished")[0];
        assert_eq!((code, &finished["verdict"], &finished["score"]), (1, &json!("WA"), &json!(0)));
        assert_eq!((&finished["cases_run"], &finished["cases_skipped"]), (&json!(3), &json!(5)));
    }
}

#[test]
fn all_cases_are_run_for_those_who_ask_and_the_score_is_the_same() {
    needs!("python3");
    let program = wrong_on(&["1-first_1", "2-parts_2"]);
    let (_, some) = judged(PACKAGE, &program, &[]);
    let (_, all) = judged(PACKAGE, &program, &["--all-cases"]);
    assert_eq!((names(&some).len(), names(&all).len()), (4, 8));
    assert_eq!(groups(&some), groups(&all));
    let score = |lines: &[Value]| of_type(lines, "submission_finished")[0]["score"].clone();
    assert_eq!((score(&some), score(&all)), (json!(30), json!(30)));
}

#[test]
fn judging_of_old_packages_breaks_off_where_they_say() {
    needs!("python3");
    let (_, lines) = judged("tests/packages/judged/legacy-scoring", &wrong_on(&["sample", "1_1", "2_a_1"]), &[]);
    let run = ["sample/1", "secret/1/1", "secret/2/a/1", "secret/2/b/1", "secret/2/b/2", "secret/2/b/3"];
    assert_eq!(names(&lines), run);
    let finished = of_type(&lines, "submission_finished")[0];
    assert_eq!(
        (&finished["verdict"], &finished["score"], &finished["max_score"]),
        (&json!("AC"), &json!(40), &json!(100))
    );
}

#[test]
fn the_first_case_that_is_not_accepted_ends_a_pass_fail_problem_with_a_static_validator() {
    needs!("python3");
    let package = "tests/packages/judged/static-validation";
    let (code, lines) = judged(package, "print(eval('input()'))\n", &[]);
    assert_eq!((code, names(&lines)), (1, vec!["sample/1".to_owned(), "secret/static_validation".to_owned()]));
    assert_eq!(of_type(&lines, "group_finished").len(), 0, "nothing adds up");
    let finished = of_type(&lines, "submission_finished")[0];
    assert_eq!((&finished["score"], &finished["cases_skipped"]), (&Value::Null, &json!(1)));
}

#[test]
fn of_some_of_the_cases_nobody_knows_the_score() {
    needs!("python3");
    let (code, lines) = judged(PACKAGE, &wrong_on(&["1-first_1"]), &["--cases", "secret/1-first"]);
    assert_eq!((code, names(&lines).len(), of_type(&lines, "group_finished").len()), (1, 2, 0));
    assert_eq!(of_type(&lines, "submission_finished")[0]["score"], Value::Null);
    let (code, lines) = json(referee(["grade", PACKAGE, "--cases", "sample"]));
    let finished = of_type(&lines, "submission_finished");
    let astray: Vec<_> = finished.iter().filter(|line| line["as_expected"] != true).collect();
    assert_eq!((code, astray), (0, Vec::new()), "without the secret cases, no submission misses its score");
}

#[test]
fn a_score_is_whole_or_the_nearest_double_and_a_case_has_its_own() {
    needs!("python3");
    let (_, lines) = judged(PACKAGE, &wrong_on(&["2-parts_1", "2-parts_2"]), &[]);
    let cases = of_type(&lines, "case_finished");
    let scores: Vec<_> = cases.iter().map(|line| line["score"].clone()).collect();
    let third = json!(50.0 / 3.0);
    assert_eq!(
        scores,
        [Value::Null, Value::Null, Value::Null, json!(0), json!(0), third.clone(), json!(30), json!(30)]
    );
    assert_eq!(groups(&lines)[3], json!(["secret/2-parts", "WA", third, 3, 0]));
    assert_eq!(of_type(&lines, "submission_finished")[0]["score"], json!(200.0 / 3.0));
}

#[test]
fn a_package_whose_groups_or_programs_fail_is_the_judges_trouble() {
    needs!("python3");
    for fixture in Fixture::all("group-error") {
        let (package, expected) = (&fixture.name, fixture.expected());
        let (code, lines) = json(fixture.referee("grade"));
        let finished = of_type(&lines, "submission_finished")[0];
        assert_eq!((code, &finished["verdict"], &finished["score"]), (3, &json!("JE"), &Value::Null), "{package}");
        assert_eq!((&finished["as_expected"], &finished["breaches"]), (&Value::Null, &json!([])), "{package}");
        let cases = of_type(&lines, "case_finished").into_iter().filter(|line| line["verdict"] == "JE");
        let told: Vec<_> = cases.chain([finished]).filter_map(|line| line["message"].as_str()).collect();
        assert!(told.iter().any(|message| message.contains(expected.trim_end())), "{package}: {told:?}");
    }
}

#[test]
fn the_grader_of_a_package_cannot_be_reached_by_what_a_submission_prints() {
    needs!("python3");
    let package = "tests/packages/judged/legacy-custom-grader";
    let (_, lines) = judged(package, "print('AC 100\\nAC 100')\n", &[]);
    let finished = of_type(&lines, "submission_finished")[0];
    assert_eq!((&finished["verdict"], &finished["score"]), (&json!("WA"), &json!(0)));
}

#[test]
fn scores_that_are_remembered_are_those_that_were_found_out() {
    needs!("python3");
    let cache = temporary_folder();
    let grade = || {
        let mut command = referee(["grade", "tests/packages/judged/scoring-unbounded"]);
        command.env("XDG_CACHE_HOME", cache.path());
        json(command)
    };
    let ((_, first), (code, second)) = (grade(), grade());
    assert_eq!((code, groups(&first)), (0, groups(&second)));
    let scores = |lines: &[Value]| -> Vec<_> {
        of_type(lines, "case_finished").iter().map(|line| line["score"].clone()).collect()
    };
    assert_eq!(scores(&first), scores(&second));
    assert!(
        of_type(&second, "case_finished").iter().any(|line| line["cached"] == true),
        "some results must come from the cache"
    );
}

#[test]
fn people_see_the_score_and_that_of_each_group_in_80_columns() {
    needs!("python3");
    let folder = temporary_folder();
    let path = write(folder.path(), "program.sh", &wrong_on(&["1-first_1"]));
    let output = referee(["grade", PACKAGE]).arg(path).output().expect("referee starts");
    let text = String::from_utf8(output.stdout).expect("what people read is UTF-8");
    assert!(text.contains("score 30 of 100, sample AC, 1-first WA 0/20, 2-parts not run 0/50"), "{text}");
    assert!(text.contains("3-least AC 30/30, 4 cases not run"), "{text}");
    let rows = text.lines().filter(|line| !line.contains(&folder.path().display().to_string()));
    assert_eq!(rows.filter(|line| line.chars().count() > 80).collect::<Vec<_>>(), Vec::<&str>::new());
}
