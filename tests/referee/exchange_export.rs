//! Archives for other judges: their content, equal verdicts, and parts that the format cannot express.

use std::fs;
use std::io::Read;
use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;

use super::support::command::{json, of_type, referee, write};

/// Exports a package. Returns the name, the mode and the content of each file of the archive.
fn exported(package: &str, to: &str, archive: &Path) -> Vec<(String, Option<u32>, String)> {
    referee(["export", package, "--to", to, "--out", archive.to_str().unwrap()]).assert().success();
    let mut zip = zip::ZipArchive::new(fs::File::open(archive).unwrap()).unwrap();
    (0..zip.len())
        .map(|index| {
            let mut entry = zip.by_index(index).unwrap();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            (entry.name().to_owned(), entry.unix_mode(), String::from_utf8_lossy(&bytes).into_owned())
        })
        .collect()
}

fn entry<'a>(entries: &'a [(String, Option<u32>, String)], name: &str) -> &'a str {
    let found = entries.iter().find(|(known, ..)| known == name);
    &found.unwrap_or_else(|| panic!("{name} in {:?}", entries.iter().map(|one| &one.0).collect::<Vec<_>>())).2
}

/// Returns for each jury submission its file name, its verdict, and whether the verdict is as expected. The folders are
/// left out, because an export may move submissions to other folders.
fn verdicts(package: &str) -> Vec<(String, String, bool)> {
    let (_, lines) = json(referee(["grade", package, "--time-limit", "2", "--testlib", "tests/testlib/testlib.h"]));
    let one = |line: &serde_json::Value| {
        let name = line["submission"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        (name, line["verdict"].as_str().unwrap().to_owned(), line["as_expected"] != false)
    };
    let mut verdicts: Vec<_> = of_type(&lines, "submission_finished").into_iter().map(one).collect();
    verdicts.sort();
    verdicts
}

/// A package of the format 2025-09 with most of the features that an export must translate.
fn package(folder: &Path) -> String {
    let root = folder.join("doubled");
    let yaml = "problem_format_version: 2025-09\nname: {en: Doubled, de: Verdoppelt}\n\
        uuid: 1c1b7a3e-6f0d-4d43-9d5b-000000000000\nversion: v2\nlicense: cc by\n\
        credits: {authors: [Ada <ada@example.org>, {name: Bob}], testers: Carl}\n\
        source: [{name: First, url: \"http://example.org\"}, Second]\nkeywords: [two words, one]\n\
        languages: [python3, cpp]\nconstants: {factor: 2}\n\
        limits: {time_limit: 2, memory: 512, generator_time: 7, time_multipliers: {ac_to_time_limit: 3, time_limit_to_tle: 1.25}}\n";
    write(&root, "problem.yaml", yaml);
    write(&root, "statement/problem.en.tex", "\\problemname{Doubled}\n");
    write(&root, "statement/problem.de.pdf", "%PDF-1.4\n");
    write(&root, "data/sample/1.in", "1\n");
    write(&root, "data/sample/1.ans", "2\n");
    write(&root, "data/secret/a/2.in", "2\n");
    write(&root, "data/secret/a/2.ans", "4\n");
    write(&root, "data/secret/a/2.yaml", "description: two\nhint: add\n");
    write(&root, "data/secret/test_group.yaml", "output_validator_args: [float_tolerance, '1e-6']\n");
    write(&root, "input_validators/check.py", "import sys\nint(input())\nsys.exit(42)\n");
    write(&root, "submissions/accepted/right.py", "print(int(input()) * {{factor}})\n");
    write(&root, "submissions/rejected/crash.py", "raise SystemExit(1)\n");
    write(&root, "submissions/other/two.py", "print(2)\n");
    write(&root, "submissions/submissions.yaml", "other/two.py: {permitted: [AC, WA, TLE]}\n");
    root.to_str().unwrap().to_owned()
}

#[test]
fn every_key_of_problem_yaml_is_translated_or_told() {
    let folder = tempfile::tempdir().unwrap();
    let package = package(folder.path());
    let archive = folder.path().join("doubled.zip");
    let entries = exported(&package, "kattis", &archive);
    let yaml = entry(&entries, "doubled/problem.yaml");
    for line in [
        "problem_format_version: legacy\n",
        "name: Doubled\n",
        "uuid: 1c1b7a3e-6f0d-4d43-9d5b-000000000000\n",
        "license: \"cc by\"\n",
        "author: \"Ada, Bob\"\n",
        "source: \"First\"\nsource_url: \"http://example.org\"\n",
        "keywords: \"two-words one\"\n",
        "  time_multiplier: 3\n  time_safety_margin: 1.25\n  memory: 512\n",
    ] {
        assert!(yaml.contains(line), "{line:?} in {yaml}");
    }
    assert_eq!(entry(&entries, "doubled/.timelimit"), "2\n");
    assert_eq!(entry(&entries, "doubled/data/secret/a/2.desc"), "two\n");
    assert_eq!(entry(&entries, "doubled/data/secret/a/2.hint"), "add\n");
    let flags = "output_validator_flags: \"float_tolerance 1e-6\"\n";
    assert_eq!(entry(&entries, "doubled/data/secret/a/testdata.yaml"), flags);
    assert_eq!(entry(&entries, "doubled/submissions/accepted/right.py"), "print(int(input()) * 2)\n");
    let again = referee(["export", &package, "--to", "kattis", "--out", archive.to_str().unwrap()]).assert();
    again.code(2).stderr(contains("--force"));
    let told = referee(["export", &package, "--to", "kattis", "--force", "--out", archive.to_str().unwrap()]).assert();
    let said = String::from_utf8(told.get_output().stdout.clone()).unwrap();
    for lost in ["version", "one name", "testers", "all sources except the first", "languages", "rejected/crash.py"] {
        assert!(said.split("not carried over:").nth(1).unwrap().contains(lost), "{lost}: {said}");
    }
    assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
}

/// Checks that an archive contains the parts that DOMjudge's `ImportProblemService` reads, and nothing that this
/// service refuses.
#[test]
fn an_archive_for_domjudge_has_what_its_import_reads() {
    let folder = tempfile::tempdir().unwrap();
    let entries = exported(&package(folder.path()), "domjudge", &folder.path().join("doubled.zip"));
    let yaml = entry(&entries, "problem.yaml");
    assert!(yaml.contains("name: Doubled\n"), "one name, no map: {yaml}");
    assert!(!yaml.contains("\ntype:"), "its type is a text, and pass-fail without it");
    assert_eq!(entry(&entries, "domjudge-problem.ini"), "timelimit = 2\n");
    assert!(!entries.iter().any(|(name, ..)| name == ".timelimit"), "one word on the time limit is enough");
    assert_eq!(entry(&entries, "problem.pdf"), "%PDF-1.4\n");
    assert_eq!(
        entry(&entries, "submissions/rejected/crash.py"),
        "raise SystemExit(1)\n# @EXPECTED_RESULTS@: WRONG_ANSWER, TIME_LIMIT_EXCEEDED, RUN_TIME_ERROR\n"
    );
    let tag = "# @EXPECTED_RESULTS@: ACCEPTED, WRONG_ANSWER, TIME_LIMIT_EXCEEDED\n";
    assert!(entry(&entries, "submissions/other/two.py").ends_with(tag));
    // DOMjudge finds a submission of several files only if the archive has an entry for their folder. DOMjudge also
    // refuses empty settings files.
    assert!(entries.iter().any(|(name, ..)| name == "submissions/accepted/"));
    let settings: Vec<_> = entries.iter().filter(|(name, ..)| name.ends_with("testdata.yaml")).collect();
    assert!(!settings.is_empty() && settings.iter().all(|(.., text)| !text.is_empty()), "{settings:?}");
    // All files of the input validators are in one folder.
    let is_part = |name: &str| name.starts_with("input_validator") && !name.ends_with('/');
    let parts: Vec<_> = entries.iter().map(|(name, ..)| name.as_str()).filter(|name| is_part(name)).collect();
    let (folder, _) = parts.first().expect("the package has an input validator").rsplit_once('/').unwrap();
    assert!(parts.iter().all(|name| name.starts_with(folder)), "{parts:?}");
}

#[test]
fn the_same_package_gives_the_same_archive_to_the_byte() {
    let folder = tempfile::tempdir().unwrap();
    let package = package(folder.path());
    for to in ["kattis", "domjudge"] {
        let (one, other) = (folder.path().join("one/doubled.zip"), folder.path().join("other/doubled.zip"));
        for archive in [&one, &other] {
            fs::create_dir_all(archive.parent().unwrap()).unwrap();
            let _ = fs::remove_file(archive);
            exported(&package, to, archive);
        }
        assert!(fs::read(one).unwrap() == fs::read(other).unwrap(), "{to}");
    }
}

#[test]
fn submissions_get_the_same_verdicts_before_and_after() {
    needs!("python3");
    let folder = tempfile::tempdir().unwrap();
    let package = package(folder.path());
    let before = verdicts(&package);
    assert_eq!(before.len(), 3);
    for to in ["kattis", "domjudge"] {
        let archive = folder.path().join(format!("{to}.zip"));
        exported(&package, to, &archive);
        let mut wanted = before.clone();
        // Kattis refuses submissions with several expected verdicts, so its archive lacks them.
        wanted.retain(|(name, ..)| to == "domjudge" || name == "right.py");
        assert_eq!(verdicts(archive.to_str().unwrap()), wanted, "{to}");
    }
}

#[test]
fn a_checker_of_testlib_judges_alike_where_nobody_knows_testlib() {
    needs!("python3", "c++");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("sum.zip");
    let export = |more: &[&str]| {
        let mut command = referee(["export", "tests/testlib/sum", "--to", "domjudge", "--out", out.to_str().unwrap()]);
        command.args(more).assert()
    };
    export(&[]).code(2).stderr(contains("--testlib"));
    export(&["--testlib", "tests/testlib/testlib.h"]).success().stdout(contains("is a checker that uses testlib"));
    assert_eq!(verdicts(out.to_str().unwrap()), verdicts("tests/testlib/sum"));
}

#[test]
fn what_comes_from_polygon_goes_on_to_others_with_its_verdicts() {
    needs!("python3", "c++");
    let folder = tempfile::tempdir().unwrap();
    let (own, archive) = (folder.path().join("sum"), folder.path().join("archive.zip"));
    referee(["import", "tests/polygon/sum", "--testlib", "tests/testlib/testlib.h", "--out", own.to_str().unwrap()])
        .assert()
        .success();
    let entries = exported(own.to_str().unwrap(), "domjudge", &archive);
    let run = entries.iter().find(|(name, ..)| name == "output_validators/output_validator/run").unwrap();
    assert_eq!(run.1.unwrap() & 0o777, 0o755);
    assert!(entry(&entries, "problem.yaml").contains("validation: custom\n"));
    assert_eq!(verdicts(archive.to_str().unwrap()), verdicts(own.to_str().unwrap()));
}

#[test]
fn submissions_that_must_not_be_compiled_stay_behind_and_are_told() {
    let folder = tempfile::tempdir().unwrap();
    for to in ["kattis", "domjudge"] {
        let archive = folder.path().join(format!("{to}.zip"));
        let package = "tests/packages/judged/languages";
        let told = referee(["export", package, "--to", to, "--out", archive.to_str().unwrap()]).assert().success();
        told.stdout(contains("submissions/mixed/echo.c must not compile"));
        let entries = zip::ZipArchive::new(fs::File::open(&archive).unwrap()).unwrap();
        let names: Vec<_> = entries.file_names().filter(|name| name.contains("submissions/")).collect();
        assert!(names.iter().any(|name| name.ends_with("accepted/echo.py")), "{names:?}");
        assert!(!names.iter().any(|name| name.contains("mixed/")), "{names:?}");
    }
}

#[test]
fn what_the_old_format_cannot_say_is_refused_all_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let package = package(folder.path());
    let root = Path::new(&package);
    write(root, "include/default/help.txt", "x\n");
    write(root, "data/secret/a/2.yaml", "args: [x]\noutput_validator_args: [case_sensitive]\n");
    write(root, "data/secret/a/3.in", "2\n");
    write(root, "data/secret/a/3.ans", "4\n");
    write(root, "data/secret/a/3.files/table.txt", "4\n");
    let out = folder.path().join("no.zip");
    let refused = |to: &str| referee(["export", &package, "--to", to, "--out", out.to_str().unwrap()]).assert().code(2);
    let all = || contains("secret/a/2 has args").and(contains("3.files")).and(contains("secret/a/2 and secret/a/3"));
    refused("kattis").stderr(all().and(contains("include/default")));
    refused("domjudge").stderr(all().and(contains("DOMjudge puts no files beside submissions")));
    assert!(!out.exists());
}

#[test]
fn arguments_that_a_judge_would_split_or_drop_are_refused_or_told() {
    let folder = tempfile::tempdir().unwrap();
    let package = package(folder.path());
    let root = Path::new(&package);
    let out = folder.path().join("no.zip");
    let export = |to: &str| referee(["export", &package, "--to", to, "--out", out.to_str().unwrap()]).assert();
    export("domjudge").success().stdout(contains("flags differ by folder").and(contains("3423")));
    fs::remove_file(&out).unwrap();
    for word in ["two words", "", "it's", "a\\\\b"] {
        write(root, "data/secret/test_group.yaml", &format!("output_validator_args: [\"{word}\"]\n"));
        for to in ["kattis", "domjudge"] {
            let refused =
                export(to).code(2).stderr(contains("test_group.yaml:1:").and(contains("does not interpret quotes")));
            refused.stderr(contains("\nhint: change these parts of the package"));
        }
    }
    fs::remove_file(root.join("data/secret/test_group.yaml")).unwrap();
    let yaml = fs::read_to_string(root.join("problem.yaml")).unwrap();
    write(root, "problem.yaml", &format!("{yaml}type: interactive\n"));
    write(root, "output_validator/run.py", "import sys\nsys.exit(42)\n");
    write(root, "data/secret/test_group.yaml", "output_validator_args: [fast]\n");
    export("domjudge").code(2).stderr(contains("test_group.yaml:1:24: DOMjudge gives the output validator of an"));
    write(root, "output_validator/more/part.py", "");
    write(root, "data/secret/test_group.yaml", "output_validator_args: []\n");
    export("domjudge").code(2).stderr(contains("output_validators/output_validator/more/part.py: DOMjudge puts all"));
    assert!(!out.exists());
    export("kattis").success();
}

#[test]
fn quotes_in_flags_of_old_stay_and_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("old");
    write(&root, "problem.yaml", "name: Old\nvalidator_flags: say 'two words'\nvalidation: custom\n");
    write(&root, "output_validators/v.py", "import sys\nsys.exit(42)\n");
    write(&root, "data/secret/1.in", "1\n");
    write(&root, "data/secret/1.ans", "1\n");
    write(&root, "submissions/accepted/a.sh", "echo 1\n");
    let out = folder.path().join("old.zip");
    let export = || {
        let mut export = referee(["export", root.to_str().unwrap(), "--to", "kattis", "--force"]);
        export.args(["--out", out.to_str().unwrap()]).assert().success()
    };
    export().stdout(contains("problem.yaml:2:18: Kattis splits flags at every blank"));
    write(&root, "problem.yaml", "name: Old\nvalidator_flags: say two words\nvalidation: custom\n");
    export().stdout(contains("splits flags").not());
}

#[test]
fn answer_validators_come_along_where_they_are_kept_and_are_told_where_not() {
    let folder = tempfile::tempdir().unwrap();
    let package = package(folder.path());
    write(Path::new(&package), "answer_validators/check.py", "import sys\nassert {{factor}} == 2\nsys.exit(42)\n");
    let entries = exported(&package, "kattis", &folder.path().join("doubled.zip"));
    let text = entry(&entries, "doubled/answer_validators/check.py");
    assert_eq!(text, "import sys\nassert 2 == 2\nsys.exit(42)\n");
    let out = folder.path().join("domjudge.zip");
    let told = referee(["export", &package, "--to", "domjudge", "--out", out.to_str().unwrap()]).assert().success();
    let said = String::from_utf8(told.get_output().stdout.clone()).unwrap();
    assert!(said.split("not carried over:").nth(1).unwrap().contains("answer_validators/"), "{said}");
}

#[test]
fn the_bundled_packages_are_archives_for_everybody() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["flipgame", "swapgame", "solitaire", "coins"] {
        for to in ["kattis", "domjudge"] {
            let entries = exported(name, to, &folder.path().join(format!("{name}-{to}.zip")));
            assert!(entries.iter().any(|(path, ..)| path.ends_with("problem.yaml")), "{name} {to}");
        }
    }
}
